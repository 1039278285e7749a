#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mabkit::test {

using FbxValue =
    std::variant<bool, std::int32_t, std::int64_t, double, std::string, std::vector<std::int32_t>,
                 std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

/// A node of a binary FBX.
struct FbxNode {
  std::string name;
  std::vector<FbxValue> values;
  std::vector<FbxNode> children;

  /// The first child of that name; throws where there is none.
  [[nodiscard]] const FbxNode& child(std::string_view wanted) const;
  [[nodiscard]] std::vector<const FbxNode*> all(std::string_view wanted) const;
  template <class T>
  [[nodiscard]] const T& value(std::size_t index) const {
    return std::get<T>(values.at(index));
  }
  /// The line of the property table `Properties70` with that name; throws where there is none.
  [[nodiscard]] const FbxNode& property(std::string_view wanted) const;
};

/// Reads a binary FBX 7.4 as strictly as the SDK: throws `std::runtime_error` where an offset does
/// not lead where its node ends, a list does not end with zeros, or the footer is not the SDK's.
[[nodiscard]] FbxNode parse_fbx(std::span<const std::byte> bytes);

}  // namespace mabkit::test
