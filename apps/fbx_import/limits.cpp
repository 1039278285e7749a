#include "limits.hpp"

#include <sys/resource.h>

namespace {

bool set(int resource, std::uint64_t amount) {
  const auto value = static_cast<rlim_t>(amount);
  const rlimit limit{value, value};
  return setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0;
}

}  // namespace

bool enforce(const ProcessLimits& limits) {
  return (limits.memory == 0 || set(RLIMIT_AS, limits.memory)) && set(RLIMIT_CPU, limits.seconds) &&
         set(RLIMIT_FSIZE, limits.output_bytes) && set(RLIMIT_CORE, 0);
}
