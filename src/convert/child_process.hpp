#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <mabkit/error.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit {

/// What a child may use before it is ended.
struct ChildLimits {
  std::chrono::milliseconds time{0};  ///< from its start
  std::size_t output = 0;             ///< bytes on its standard output
};

/// How a child ended.
struct ChildOutcome {
  enum class End {
    exited,          ///< by itself, with `code`
    killed,          ///< by signal `code`
    took_too_long,   ///< ended by us
    wrote_too_much,  ///< ended by us
  };
  End end = End::exited;
  int code = 0;
  std::string output;  ///< its standard output
  std::string errors;  ///< the beginning of its standard error
};

/// Runs `program` with `arguments` and waits for its end, without a shell, without input, in a
/// process group of its own that is gone when this returns. Fails with `io` where it can't be
/// started, and with `unsupported` on systems where we start no processes.
[[nodiscard]] Result<ChildOutcome> run_child(const std::filesystem::path& program,
                                             const std::vector<std::string>& arguments,
                                             const ChildLimits& limits);

/// The folder of the running program; absent where the system does not say.
[[nodiscard]] std::optional<std::filesystem::path> own_folder();

}  // namespace mabkit
