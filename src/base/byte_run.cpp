#include <array>
#include <mabkit/byte_run.hpp>

namespace mabkit {

std::string_view run_kind_name(RunKind kind) {
  constexpr std::array<std::string_view, 4> names{"field", "section", "padding", "preserved"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace mabkit
