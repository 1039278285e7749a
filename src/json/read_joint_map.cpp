#include <fmt/format.h>

#include <mabkit/joint_map.hpp>
#include <mabkit/names.hpp>
#include <string_view>
#include <utility>

#include "base/allocation.hpp"
#include "base/json_document.hpp"
#include "json/fields.hpp"

namespace mabkit {
namespace json {
namespace {

/// The map and its names.
constexpr std::size_t deepest = 1;

Result<JointMap> read_map(std::span<const std::byte> bytes, const ReadLimits& limits) {
  const Place place;
  if (bytes.size() > limits.max_file_size) {
    return error(
        ErrorCode::limit, place,
        fmt::format("has {} bytes, more than the limit of {}", bytes.size(), limits.max_file_size));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto document = base::parse_json<Document>(
      text, {deepest, base::DeepValues::refused, limits.max_decoded_bytes});
  if (!document) return tl::unexpected(document.error());
  if (!document->is_object()) {
    return error(ErrorCode::bad_value, place,
                 "is no map of joints such as {\"source joint\": \"target joint\"}");
  }
  JointMap map;
  std::map<std::string, std::string> source_of_target;
  for (const auto& [key, value] : document->items()) {
    const Place at(place, std::string_view(key));
    if (!value.is_null() && (!value.is_string() || value.get_ref<const std::string&>().empty())) {
      return error(ErrorCode::bad_value, at, "is neither the name of a joint nor null");
    }
    // Hashes in any case, as everywhere.
    const auto hash = key.starts_with("0x") ? hash_from_text(key) : std::nullopt;
    const std::string source = hash ? hash_text(*hash) : key;
    auto& target = map.targets[source];
    if (value.is_null()) continue;
    target = value.get<std::string>();
    const auto [other, is_new] = source_of_target.try_emplace(*target, source);
    if (!is_new) {
      return error(ErrorCode::inconsistent, at,
                   fmt::format("is \"{}\", which \"{}\" is already", *target, other->second));
    }
  }
  return map;
}

}  // namespace
}  // namespace json

Result<JointMap> read_joint_map(std::span<const std::byte> bytes, const ReadLimits& limits) {
  return base::with_allocation_errors([&] { return json::read_map(bytes, limits); });
}

}  // namespace mabkit
