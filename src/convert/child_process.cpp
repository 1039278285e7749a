#include "convert/child_process.hpp"

#include <fmt/format.h>

#if defined(__unix__) && !defined(__EMSCRIPTEN__)

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace mabkit {
namespace {

using Clock = std::chrono::steady_clock;

/// Kept of what a child says on its standard error.
constexpr std::size_t most_errors = 4096;

tl::unexpected<Error> io_error(std::string_view what, int code) {
  return tl::unexpected(Error{ErrorCode::io,
                              std::nullopt,
                              {},
                              fmt::format("{}: {}", what, std::generic_category().message(code))});
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return io_error("no pipe can be made", errno);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Starts a child whose output and errors go to `out` and `err`.
Result<pid_t> start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    int out, int err) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  // A group of its own, so that whatever it starts ends with it.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int code =
      posix_spawn(&child, words.front().c_str(), &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code != 0) return io_error(fmt::format("{} can't be started", words.front()), code);
  return child;
}

/// A running child. Ended with its group and waited for, whatever happens.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!has_ended_) (void)wait_until(Clock::time_point::min());
  }

  /// Its status, or nothing where it had to be ended at `deadline`.
  std::optional<int> wait_until(Clock::time_point deadline) {
    constexpr std::chrono::milliseconds pause(1);
    int status = 0;
    pid_t ended = ::waitpid(process_, &status, WNOHANG);
    while (ended == 0 && Clock::now() < deadline) {
      std::this_thread::sleep_for(pause);
      ended = ::waitpid(process_, &status, WNOHANG);
    }
    ::kill(-process_, SIGKILL);
    has_ended_ = true;
    if (ended == process_) return status;
    if (ended == 0) {
      while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
      }
    }
    return std::nullopt;
  }

 private:
  pid_t process_;
  bool has_ended_ = false;
};

/// Appends what there is to read, up to `most` bytes in all; the rest is dropped. Closes the end at
/// the end of the stream. Returns whether something was dropped.
bool drain(Descriptor& from, std::string& to, std::size_t most) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(from.number(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (got <= 0) {
    from.close();
    return false;
  }
  const auto size = static_cast<std::size_t>(got);
  to.append(buffer.data(), std::min(size, most - to.size()));
  return to.size() == most && size != 0;
}

/// Reads both streams to their ends. Returns why it gave up, if it did.
std::optional<ChildOutcome::End> listen(Descriptor& out, Descriptor& err, const ChildLimits& limits,
                                        Clock::time_point deadline, ChildOutcome& outcome) {
  while (out.is_open() || err.is_open()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return ChildOutcome::End::took_too_long;
    std::array<pollfd, 2> ends{pollfd{out.number(), POLLIN, 0}, pollfd{err.number(), POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) {
      return ChildOutcome::End::took_too_long;
    }
    if (out.is_open() && ends[0].revents != 0 && drain(out, outcome.output, limits.output + 1) &&
        outcome.output.size() > limits.output) {
      return ChildOutcome::End::wrote_too_much;
    }
    if (err.is_open() && ends[1].revents != 0) (void)drain(err, outcome.errors, most_errors);
  }
  return std::nullopt;
}

}  // namespace

Result<ChildOutcome> run_child(const std::filesystem::path& program,
                               const std::vector<std::string>& arguments,
                               const ChildLimits& limits) {
  auto out = make_pipe();
  auto err = make_pipe();
  if (!out) return tl::unexpected(out.error());
  if (!err) return tl::unexpected(err.error());
  const auto process = start(program, arguments, out->write.number(), err->write.number());
  if (!process) return tl::unexpected(process.error());
  Child child(*process);
  out->write.close();
  err->write.close();

  ChildOutcome outcome;
  auto deadline = Clock::now() + limits.time;
  const auto gave_up = listen(out->read, err->read, limits, deadline, outcome);
  if (gave_up) deadline = Clock::time_point::min();
  const auto status = child.wait_until(deadline);
  if (gave_up || !status) {
    outcome.end = gave_up.value_or(ChildOutcome::End::took_too_long);
    return outcome;
  }
  outcome.end = WIFSIGNALED(*status) ? ChildOutcome::End::killed : ChildOutcome::End::exited;
  outcome.code = WIFSIGNALED(*status) ? WTERMSIG(*status) : WEXITSTATUS(*status);
  return outcome;
}

std::optional<std::filesystem::path> own_folder() {
  std::error_code code;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (code) return std::nullopt;
  return program.parent_path();
}

}  // namespace mabkit

#else

namespace mabkit {

Result<ChildOutcome> run_child(const std::filesystem::path& program,
                               const std::vector<std::string>&, const ChildLimits&) {
  return tl::unexpected(
      Error{ErrorCode::unsupported,
            std::nullopt,
            {},
            fmt::format("{} can't be started: mabkit starts no programs on this system",
                        program.filename().string())});
}

std::optional<std::filesystem::path> own_folder() {
  return std::nullopt;
}

}  // namespace mabkit

#endif
