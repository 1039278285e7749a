#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "mab/sparse_layout.hpp"

namespace mabkit::mab {

/// What every step of reading a sparse file works on.
struct SparseSource {
  base::ByteReader in;
  const SparseLayout& layout;
  const ReadLimits& limits;
  std::vector<Diagnostic>& diagnostics;

  void warn(std::uint64_t offset, std::string path, std::string message) const {
    diagnostics.push_back({offset, std::move(path), std::move(message)});
  }
};

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::uint64_t offset,
                                                std::string path, std::string message) {
  return tl::unexpected(Error{code, offset, std::move(path), std::move(message)});
}

/// Many findings of one kind, told as the first of them and a count.
class Tally {
 public:
  void add(std::uint64_t offset, std::string path, std::string message) {
    if (count_++ == 0) first_ = {offset, std::move(path), std::move(message)};
  }
  void report(std::vector<Diagnostic>& diagnostics) && {
    if (count_ == 0) return;
    if (count_ > 1) first_.message += fmt::format(" (and {} more like it)", count_ - 1);
    diagnostics.push_back(std::move(first_));
  }

 private:
  Diagnostic first_;
  std::uint64_t count_ = 0;
};

}  // namespace mabkit::mab
