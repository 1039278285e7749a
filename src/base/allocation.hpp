#pragma once

#include <mabkit/error.hpp>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace mabkit::base {

/// The error that a failed allocation becomes.
[[nodiscard]] inline Error out_of_memory() {
  return {ErrorCode::out_of_memory, std::nullopt, {}, "needs more memory than there is"};
}

/// Calls `work`, which gives a `Result`, and turns a failed allocation into an error.
template <class Work>
[[nodiscard]] auto with_allocation_errors(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return tl::unexpected(out_of_memory());
  } catch (const std::length_error&) {
    return tl::unexpected(out_of_memory());
  }
}

}  // namespace mabkit::base
