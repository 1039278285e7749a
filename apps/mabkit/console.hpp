#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <mabkit/error.hpp>
#include <string>
#include <string_view>

namespace mabkit::cli {

/// Writes a line to standard output.
void say(std::string_view line);
/// Writes `mabkit: MESSAGE` to standard error.
void complain(std::string_view message);
/// Writes `FILE: offset 0x1A4: PATH: MESSAGE` to standard error.
void complain(const std::filesystem::path& file, const Error& error);
/// Writes `FILE: warning: offset 0x1A4: PATH: MESSAGE` to standard error.
void warn(const std::filesystem::path& file, const Diagnostic& diagnostic);
/// Writes `FILE: note: PATH: MESSAGE` to standard error.
void note(const std::filesystem::path& file, const Diagnostic& diagnostic);
/// Writes a line to standard error.
void say_aside(std::string_view line);

/// How progress is shown.
enum class ProgressMode {
  none,  ///< not at all
  line,  ///< one line that is rewritten, for people
  json,  ///< a JSON object a line, for programs
};

/// `auto` shows a line on a terminal and nothing elsewhere.
[[nodiscard]] ProgressMode progress_mode(std::string_view text);

/// Says on standard error how far a batch is, at most ten times a second. Every other line goes
/// through `clear` first.
class Progress {
 public:
  Progress(ProgressMode mode, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more piece of work is done.
  void advance(bool failed);
  /// Removes the line, so that another can be written in its place.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void show(Clock::time_point now);

  ProgressMode mode_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  bool is_shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_shown_{};
};

}  // namespace mabkit::cli
