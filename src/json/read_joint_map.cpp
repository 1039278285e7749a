#include <mabkit/joint_map.hpp>
#include <mabkit/limits.hpp>
#include <nlohmann/json.hpp>

#include "base/allocation.hpp"
#include "base/json_document.hpp"

namespace mabkit {
namespace {

/// Only an object of texts and nulls is meant.
constexpr std::size_t deepest_value = 1;

tl::unexpected<Error> refused(std::string path, std::string message) {
  return tl::unexpected(
      Error{ErrorCode::bad_value, std::nullopt, std::move(path), std::move(message)});
}

}  // namespace

Result<JointMap> read_joint_map(std::span<const std::byte> bytes) {
  return base::with_allocation_errors([&]() -> Result<JointMap> {
    const base::JsonBounds bounds{deepest_value, base::DeepValues::refused,
                                  ReadLimits{}.max_decoded_bytes, base::RepeatedMembers::refused};
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto json = base::parse_json<nlohmann::json>(text, bounds);
    if (!json) return tl::unexpected(json.error());
    if (!json->is_object()) {
      return refused({}, R"(is no JSON object of joint names, such as {"LeftArm": "L UpperArm"})");
    }
    JointMap map;
    for (const auto& [from, to] : json->items()) {
      if (!to.is_string() && !to.is_null()) {
        return refused(from, "is neither a joint's name nor null");
      }
      if (to.is_string() && to.get_ref<const std::string&>().empty()) {
        return refused(from, "is an empty name; null leaves a joint out");
      }
      map.entries.push_back(
          {from, to.is_null() ? std::nullopt : std::optional(to.get<std::string>())});
    }
    return map;
  });
}

}  // namespace mabkit
