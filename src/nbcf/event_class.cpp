#include "nbcf/event_class.hpp"

#include "nbcf/object.hpp"

namespace mabkit::nbcf {

std::optional<std::string> event_class(std::span<const std::byte> payload) {
  const auto object = parse_object(payload, {});
  if (!object) return std::nullopt;
  const Value* const type = object->find(type_name_hash);
  if (type == nullptr) return std::nullopt;
  return text(*type);
}

}  // namespace mabkit::nbcf
