#include "interrupt.hpp"

#include <array>
#include <csignal>

namespace mabkit::cli {
namespace {

/// What asks a program to end: Ctrl-C, the system, a terminal that closes.
#ifdef SIGHUP
constexpr std::array requests{SIGINT, SIGTERM, SIGHUP};
#else
constexpr std::array requests{SIGINT, SIGTERM};
#endif

std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void note_interrupt(int signal) {
  is_interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  for (const int request : requests) {
    // Whoever started us may have asked that a signal be ignored, as nohup does.
    if (std::signal(request, note_interrupt) == SIG_IGN) std::signal(request, SIG_IGN);
  }
  return is_interrupted;
}

}  // namespace mabkit::cli
