#include "limits.hpp"

#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>

#include <csignal>
#endif

namespace {

bool set(int resource, std::uint64_t amount) {
  const auto value = static_cast<rlim_t>(amount);
  const rlimit limit{value, value};
  return setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0;
}

/// Nobody waits for an answer once the program that asked is gone.
bool end_with_parent() {
#ifdef __linux__
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
#else
  return true;
#endif
}

}  // namespace

bool enforce(const ProcessLimits& limits) {
  return (limits.memory == 0 || set(RLIMIT_AS, limits.memory)) && set(RLIMIT_CPU, limits.seconds) &&
         set(RLIMIT_FSIZE, limits.output_bytes) && set(RLIMIT_CORE, 0) && end_with_parent();
}
