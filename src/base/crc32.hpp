#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mabkit::base {

/// The reflected CRC-32 of zlib (polynomial 0xEDB88320, initial value and final xor 0xFFFFFFFF).
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace mabkit::base
