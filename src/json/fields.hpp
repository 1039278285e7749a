#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mabkit/error.hpp>
#include <mabkit/math.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit::json {

/// Parsed with `float` numbers, each the nearest to its text.
using Document = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                      std::uint64_t, float>;

/// Where a value stands in the document. Its text is only made where something is wrong there.
class Place {
 public:
  Place() = default;
  Place(const Place& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Place(const Place& parent, std::size_t index) : parent_(&parent), index_(index) {}

  /// Such as `clips[0].tracks[3].values`; empty for the document.
  [[nodiscard]] std::string text() const;

 private:
  const Place* parent_ = nullptr;
  std::string_view key_;
  std::optional<std::size_t> index_;
};

[[nodiscard]] tl::unexpected<Error> error(ErrorCode code, const Place& place, std::string message);

/// Adds a notice, unless there are very many already: a document full of oddities gets no more.
void add_notice(std::vector<Diagnostic>& notices, const Place& place, std::string message);

/// The members of an object that a reader knows. Each `read` leaves its target as it is where the
/// member is absent or null, and fails where it is something else than asked for. After the first
/// failure the others do nothing.
class Fields {
 public:
  /// Every key that is not among `known` becomes a notice.
  Fields(const Document& object, const Place& place, std::initializer_list<std::string_view> known,
         std::vector<Diagnostic>& notices);

  /// The member; null where it is absent or null.
  [[nodiscard]] const Document* find(std::string_view key) const;

  void read(std::string_view key, std::optional<std::string>& out);
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, std::optional<std::uint32_t>& out);
  void read(std::string_view key, std::uint32_t& out);
  /// Nulls among the four are numbers that are not finite.
  void read(std::string_view key, std::optional<Quat>& out);
  /// A null that stands there is a number that is not finite; only an absent one is left.
  void read(std::string_view key, float& out);
  /// `0xb021fd58`.
  void read_hash(std::string_view key, std::optional<std::uint32_t>& out);
  void read_hash(std::string_view key, std::uint32_t& out);
  /// The list; null where it is absent or null.
  [[nodiscard]] const Document* list(std::string_view key);

  /// The first thing that was wrong.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void fail(std::string_view key, std::string message);

  const Document& object_;
  const Place& place_;
  std::vector<Diagnostic>& notices_;
  std::optional<Error> problem_;
};

/// The float that a number or a null is; nothing for anything else.
[[nodiscard]] std::optional<float> number(const Document& value);

}  // namespace mabkit::json
