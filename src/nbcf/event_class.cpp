#include "nbcf/event_class.hpp"

#include "nbcf/object.hpp"

namespace mabkit::nbcf {

std::optional<std::string> event_class(std::span<const std::byte> payload,
                                       const ReadLimits& limits) {
  const auto object = parse_object(payload, limits);
  if (!object) return std::nullopt;
  const Value* const type = object->find(type_name_hash);
  if (type == nullptr) return std::nullopt;
  std::string name = text(*type);
  if (name.empty()) return std::nullopt;
  return name;
}

}  // namespace mabkit::nbcf
