#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit::base {

/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

/// The bytes that `text` stands for, padded or not; nothing where it is no base64.
[[nodiscard]] std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace mabkit::base
