#include "base/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mabkit::base {

tl::unexpected<Error> ByteReader::truncated(std::uint64_t offset, std::uint64_t size,
                                            std::string_view path) const {
  return tl::unexpected(
      Error{ErrorCode::truncated, offset, std::string(path),
            fmt::format("needs {} bytes, but the file ends at 0x{:X}", size, bytes_.size())});
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace mabkit::base
