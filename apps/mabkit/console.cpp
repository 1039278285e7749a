#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <mabkit/file.hpp>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace mabkit::cli {
namespace {

constexpr std::chrono::milliseconds between_updates{100};

/// Names come from strangers' files: what a terminal would obey is shown as a question mark.
char harmless(char c) {
  const auto code = static_cast<unsigned char>(c);
  const bool is_control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
  return is_control ? '?' : c;
}

void write_line(std::FILE* stream, std::string line) {
  std::transform(line.begin(), line.end(), line.begin(), harmless);
  // The C1 controls, as UTF-8 spells them: C2 80 to C2 9F.
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const auto second = static_cast<unsigned char>(line[i + 1]);
    if (line[i] == '\xC2' && second >= 0x80 && second < 0xA0) line[i] = line[i + 1] = '?';
  }
  line.push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stream);
}

bool is_error_a_terminal() {
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(STDERR_FILENO) != 0;
#endif
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

void say(std::string_view line) {
  write_line(stdout, std::string(line));
}

void say_aside(std::string_view line) {
  write_line(stderr, std::string(line));
}

void complain(std::string_view message) {
  say_aside(fmt::format("mabkit: {}", message));
}

void complain(const std::filesystem::path& file, const Error& error) {
  say_aside(describe(path_text(file), error));
}

void warn(const std::filesystem::path& file, const Diagnostic& diagnostic) {
  say_aside(describe(path_text(file) + ": warning", diagnostic));
}

void note(const std::filesystem::path& file, const Diagnostic& diagnostic) {
  say_aside(describe(path_text(file) + ": note", diagnostic));
}

ProgressMode progress_mode(std::string_view text) {
  if (text == "json") return ProgressMode::json;
  if (text == "auto" && is_error_a_terminal()) return ProgressMode::line;
  return ProgressMode::none;
}

Progress::Progress(ProgressMode mode, std::size_t total) : mode_(mode), total_(total) {
  // One file is done before a person could read the line.
  if (total_ < 2 && mode_ == ProgressMode::line) mode_ = ProgressMode::none;
}

Progress::~Progress() {
  clear();
}

void Progress::advance(bool failed) {
  ++done_;
  if (failed) ++failed_;
  if (mode_ == ProgressMode::none) return;
  const Clock::time_point now = Clock::now();
  if (done_ < total_ && now - last_shown_ < between_updates) return;
  last_shown_ = now;
  show(now);
}

void Progress::show(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double rate = seconds > 0.0 ? static_cast<double>(done_) / seconds : 0.0;
  const double left = rate > 0.0 ? static_cast<double>(total_ - done_) / rate : 0.0;
  if (mode_ == ProgressMode::json) {
    say_aside(fmt::format(R"({{"event":"progress","done":{},"total":{},"failed":{},)"
                          R"("files_per_second":{:.1f},"eta_seconds":{:.1f}}})",
                          done_, total_, failed_, rate, left));
    return;
  }
  const std::string line = fmt::format("\r\033[K{}/{} files, {} failed, {:.0f} files/s, {} left",
                                       done_, total_, failed_, rate, clock_text(left));
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  is_shown_ = true;
}

void Progress::clear() {
  if (!is_shown_) return;
  std::fputs("\r\033[K", stderr);
  is_shown_ = false;
}

}  // namespace mabkit::cli
