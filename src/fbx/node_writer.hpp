#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace mabkit::fbx {

/// Version of the files that we write: the last one with offsets of 32 bits.
inline constexpr std::uint32_t fbx_version = 7400;

/// Appends the nodes of a binary FBX to a buffer. A node has a name, values, then child nodes; the
/// caller closes what it opens.
class NodeWriter {
 public:
  /// Writes the magic and the version.
  NodeWriter();

  void begin(std::string_view name);
  void end();

  // Values of the open node, before its first child.
  void value(bool value);
  void value(std::int32_t value);
  void value(std::int64_t value);
  void value(double value);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void raw(std::span<const std::byte> bytes);
  /// Arrays are not compressed, so that bytes do not depend on a version of a library.
  void array(std::span<const std::int32_t> values);
  void array(std::span<const std::int64_t> values);
  void array(std::span<const float> values);
  void array(std::span<const double> values);
  /// The name of an object and what it is, as FBX joins them.
  void object_name(std::string_view name, std::string_view kind);

  /// A node with values and no children.
  template <class... Values>
  void leaf(std::string_view name, const Values&... values) {
    begin(name);
    (value(values), ...);
    end();
  }
  template <class T>
  void array_leaf(std::string_view name, std::span<const T> values) {
    begin(name);
    array(values);
    end();
  }
  /// A line of a property table: name, two type names, flags, values.
  template <class... Values>
  void property(std::string_view name, std::string_view type, std::string_view label,
                std::string_view flags, const Values&... values) {
    leaf("P", name, type, label, flags, values...);
  }

  [[nodiscard]] std::size_t size() const { return out_.size(); }
  /// Ends the list of nodes and writes the footer. Every node is closed.
  [[nodiscard]] std::vector<std::byte> finish() &&;

 private:
  struct OpenNode {
    std::size_t start = 0;         ///< of its record
    std::size_t values_start = 0;  ///< of its first value
    std::uint32_t values = 0;
    bool has_children = false;
  };

  void type(char code);
  template <class T>
  void put_array(char code, std::span<const T> values);
  void end_values(OpenNode& node);
  void put_null_record();

  base::ByteWriter out_;
  std::vector<OpenNode> open_;
};

}  // namespace mabkit::fbx
