#include "mab/sparse_layout.hpp"

namespace mabkit::mab {

std::string_view slot_name(std::uint32_t slot) {
  static constexpr std::array<std::string_view, slot_count> names{"trajectory translation",
                                                                  "trajectory rotation",
                                                                  "constant rotations",
                                                                  "keyed rotations",
                                                                  "constant translations",
                                                                  "animated translations",
                                                                  "tag table",
                                                                  "event chain",
                                                                  "next clip"};
  return names[slot];
}

}  // namespace mabkit::mab
