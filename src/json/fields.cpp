#include "json/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mabkit/names.hpp>
#include <utility>

namespace mabkit::json {
namespace {

constexpr float not_finite = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t most_notices = 64;
constexpr std::size_t longest_key = 40;

}  // namespace

std::string Place::text() const {
  std::string out;
  for (const Place* place = this; place->parent_ != nullptr; place = place->parent_) {
    if (place->index_) {
      out.insert(0, fmt::format("[{}]", *place->index_));
    } else {
      out.insert(0, fmt::format(".{}", place->key_));
    }
  }
  return out.starts_with('.') ? out.substr(1) : out;
}

tl::unexpected<Error> error(ErrorCode code, const Place& place, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, place.text(), std::move(message)});
}

void add_notice(std::vector<Diagnostic>& notices, const Place& place, std::string message) {
  if (notices.size() >= most_notices) return;
  notices.push_back({std::nullopt, place.text(), std::move(message)});
}

std::optional<float> number(const Document& value) {
  if (value.is_null()) return not_finite;
  if (!value.is_number()) return std::nullopt;
  return value.get<float>();
}

Fields::Fields(const Document& object, const Place& place,
               std::initializer_list<std::string_view> known, std::vector<Diagnostic>& notices)
    : object_(object), place_(place), notices_(notices) {
  if (!object.is_object()) {
    problem_ = error(ErrorCode::bad_value, place, "is not an object").value();
    return;
  }
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    add_notice(notices, Place(place, std::string_view(key).substr(0, longest_key)),
               "is left out: mabkit.bank/1 has no such key");
  }
}

const Document* Fields::find(std::string_view key) const {
  if (problem_) return nullptr;
  const auto member = object_.find(std::string(key));
  return member == object_.end() || member->is_null() ? nullptr : &*member;
}

void Fields::fail(std::string_view key, std::string message) {
  problem_ = error(ErrorCode::bad_value, Place(place_, key), std::move(message)).value();
}

void Fields::read(std::string_view key, std::optional<std::string>& out) {
  const Document* const value = find(key);
  if (value == nullptr) return;
  if (!value->is_string()) return fail(key, "is not a text");
  out = value->get<std::string>();
}

void Fields::read(std::string_view key, std::string& out) {
  std::optional<std::string> value;
  read(key, value);
  if (value) out = std::move(*value);
}

void Fields::read(std::string_view key, std::optional<std::uint32_t>& out) {
  const Document* const value = find(key);
  if (value == nullptr) return;
  if (!value->is_number_unsigned() ||
      value->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(key, "is not a whole number from 0 to 4294967295");
  }
  out = value->get<std::uint32_t>();
}

void Fields::read(std::string_view key, std::uint32_t& out) {
  std::optional<std::uint32_t> value;
  read(key, value);
  out = value.value_or(out);
}

void Fields::read(std::string_view key, float& out) {
  if (problem_) return;
  const auto member = object_.find(std::string(key));
  if (member == object_.end()) return;
  const std::optional<float> value = number(*member);
  if (!value) return fail(key, "is not a number");
  out = *value;
  if (std::isnan(out)) {
    add_notice(notices_, Place(place_, key), "is null: a number without a value");
  }
}

void Fields::read(std::string_view key, std::optional<Quat>& out) {
  const Document* const value = find(key);
  if (value == nullptr) return;
  std::array<float, 4> q{};
  bool is_lawful = value->is_array() && value->size() == q.size();
  for (std::size_t i = 0; is_lawful && i < q.size(); ++i) {
    const std::optional<float> component = number((*value)[i]);
    is_lawful = component.has_value();
    q[i] = component.value_or(0.0F);
  }
  if (!is_lawful) return fail(key, "is not a list of four numbers");
  if (std::any_of(q.begin(), q.end(), [](float component) { return std::isnan(component); })) {
    add_notice(notices_, Place(place_, key), "has a null: a number without a value");
  }
  out = Quat{q[0], q[1], q[2], q[3]};
}

void Fields::read_hash(std::string_view key, std::optional<std::uint32_t>& out) {
  const Document* const value = find(key);
  if (value == nullptr) return;
  const auto hash =
      value->is_string() ? hash_from_text(value->get_ref<const std::string&>()) : std::nullopt;
  if (!hash) return fail(key, "is not a hash such as \"0xb021fd58\"");
  out = hash;
}

void Fields::read_hash(std::string_view key, std::uint32_t& out) {
  std::optional<std::uint32_t> value;
  read_hash(key, value);
  out = value.value_or(out);
}

const Document* Fields::list(std::string_view key) {
  const Document* const value = find(key);
  if (value == nullptr || value->is_array()) return value;
  fail(key, "is not a list");
  return nullptr;
}

}  // namespace mabkit::json
