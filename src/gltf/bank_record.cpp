#include "gltf/bank_record.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <mabkit/names.hpp>
#include <string_view>
#include <utility>

#include "base/base64.hpp"
#include "base/json_document.hpp"
#include "motion/hierarchy.hpp"

namespace mabkit::gltf {
namespace {

constexpr std::string_view schema_name = "mabkit.gltf/1";
/// Record, clips, clip, joints, joint, value: 5 levels.
constexpr std::size_t deepest = 8;

/// Reads members of an object; the first that is not what it should be is remembered.
class Members {
 public:
  Members(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) fail("", "is not an object");
  }

  [[nodiscard]] const Json* find(const char* name) const {
    if (problem_) return nullptr;
    const auto member = object_.find(name);
    return member == object_.end() || member->is_null() ? nullptr : &*member;
  }
  [[nodiscard]] const Json* list(const char* name) {
    const Json* const value = find(name);
    if (value == nullptr || value->is_array()) return value;
    fail(name, "is not a list");
    return nullptr;
  }

  void read(const char* name, std::optional<std::string>& out) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_string()) return fail(name, "is not a text");
    out = value->get<std::string>();
  }
  void read(const char* name, std::string& out) {
    std::optional<std::string> value;
    read(name, value);
    if (value) out = std::move(*value);
  }
  void read(const char* name, std::optional<std::uint32_t>& out) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_number_unsigned() ||
        value->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
      return fail(name, "is not a whole number");
    }
    out = value->get<std::uint32_t>();
  }
  void read(const char* name, std::uint32_t& out) {
    std::optional<std::uint32_t> value;
    read(name, value);
    out = value.value_or(out);
  }
  void read(const char* name, std::optional<float>& out) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_number()) return fail(name, "is not a number");
    out = static_cast<float>(value->get<double>());
  }
  void read(const char* name, float& out) {
    std::optional<float> value;
    read(name, value);
    out = value.value_or(out);
  }
  void read(const char* name, std::optional<Quat>& out) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    std::array<float, 4> q{};
    bool is_lawful = value->is_array() && value->size() == q.size();
    for (std::size_t i = 0; is_lawful && i < q.size(); ++i) {
      is_lawful = (*value)[i].is_number();
      if (is_lawful) q[i] = static_cast<float>((*value)[i].get<double>());
    }
    if (!is_lawful) return fail(name, "is not a list of four numbers");
    out = Quat{q[0], q[1], q[2], q[3]};
  }
  void read_hash(const char* name, std::optional<std::uint32_t>& out) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (value->is_string()) out = hash_from_text(value->get_ref<const std::string&>());
    if (!out) fail(name, "is not a hash");
  }
  void read_hash(const char* name, std::uint32_t& out) {
    std::optional<std::uint32_t> value;
    read_hash(name, value);
    out = value.value_or(out);
  }

  void fail(const char* name, std::string message) {
    if (problem_) return;
    const char* const dot = *name == '\0' ? "" : ".";
    problem_ = Error{ErrorCode::bad_value, std::nullopt, path_ + dot + name, std::move(message)};
  }
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const Json& object_;
  std::string path_;
  std::optional<Error> problem_;
};

Result<Participant> read_participant(const Json& json, const std::string& path) {
  Members members(json, path);
  Participant out;
  members.read("kind", out.kind);
  members.read("start", out.start);
  members.read("end", out.end);
  members.read_hash("child", out.child);
  members.read_hash("parent", out.parent);
  members.read_hash("target", out.target);
  members.read("name", out.name);
  members.read("reference", out.reference);
  members.read("clip", out.clip);
  if (members.problem()) return tl::unexpected(*members.problem());
  return out;
}

Result<Joint> read_joint(const Json& json, std::size_t count, const std::string& path) {
  Members members(json, path);
  Joint out;
  members.read("id", out.id);
  members.read_hash("hash", out.name_hash);
  members.read("name", out.name);
  members.read("parent", out.parent);
  if (out.parent && *out.parent >= count) members.fail("parent", "is no joint");
  if (members.problem()) return tl::unexpected(*members.problem());
  return out;
}

Result<Event> read_event(const Json& json, const std::string& path) {
  Members members(json, path);
  Event out;
  std::string payload;
  members.read("time", out.time);
  members.read("type", out.type);
  members.read("class", out.class_name);
  members.read("payload", payload);
  auto bytes = base::from_base64(payload);
  if (!bytes) members.fail("payload", "is no base64");
  if (members.problem()) return tl::unexpected(*members.problem());
  out.payload = std::move(*bytes);
  return out;
}

/// Reads every entry of a list that may be absent.
template <class T, class Read>
Result<void> read_all(const Json* list, std::vector<T>& out, const std::string& path,
                      const Read& read) {
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    auto entry = read((*list)[i], fmt::format("{}[{}]", path, i));
    if (!entry) return tl::unexpected(entry.error());
    out.push_back(std::move(*entry));
  }
  return {};
}

Result<RecordedClip> read_clip(const Json& json, const ReadLimits& limits,
                               const std::string& path) {
  Members members(json, path);
  RecordedClip out;
  members.read("clip", out.position);
  members.read("animation_name", out.animation_name);
  members.read("last_key", out.last_key);
  members.read("name", out.clip.name);
  members.read("parent", out.clip.parent);
  members.read("duration", out.clip.duration);
  members.read("frame_rate", out.clip.frame_rate);
  members.read("participant", out.clip.participant);
  const Json* const joints = members.list("joints");
  const Json* const events = members.list("events");
  const Json* const root_motion = members.find("root_motion");
  if (joints != nullptr && joints->size() > limits.max_joints) {
    members.fail("joints", "has more entries than the limit");
  }
  if (members.problem()) return tl::unexpected(*members.problem());

  const std::size_t count = joints == nullptr ? 0 : joints->size();
  auto done = read_all(
      joints, out.clip.joints, path + ".joints",
      [&](const Json& joint, const std::string& at) { return read_joint(joint, count, at); });
  if (!done) return tl::unexpected(done.error());
  std::vector<std::optional<std::uint32_t>> parents;
  for (const Joint& joint : out.clip.joints) parents.push_back(joint.parent);
  if (motion::first_rootless(parents)) members.fail("joints", "have parents that form a cycle");
  if (members.problem()) return tl::unexpected(*members.problem());
  done = read_all(events, out.clip.events, path + ".events", read_event);
  if (!done) return tl::unexpected(done.error());
  if (root_motion != nullptr) {
    Members motion(*root_motion, path + ".root_motion");
    out.clip.root_motion.emplace();
    motion.read("target", out.root_motion_target);
    motion.read("reference", out.clip.root_motion->reference);
    motion.read("loop", out.clip.root_motion->loop);
    if (motion.problem()) return tl::unexpected(*motion.problem());
  }
  return out;
}

Result<BankRecord> read_record(const Json& json, const ReadLimits& limits,
                               const std::string& path) {
  Members members(json, path);
  BankRecord out;
  std::string schema;
  std::optional<std::string> game;
  members.read("schema", schema);
  members.read("format", out.format);
  members.read("game", game);
  const Json* const clips = members.list("clips");
  const Json* const participants = members.list("participants");
  if (schema != schema_name) members.fail("schema", "is not mabkit.gltf/1");
  if (game) {
    out.game = game_from_name(*game);
    if (!out.game) members.fail("game", "is no game that mabkit knows");
  }
  if (clips == nullptr || clips->empty() || clips->size() > limits.max_clips) {
    members.fail("clips", "has no entry, or more than the limit");
  }
  if (members.problem()) return tl::unexpected(*members.problem());
  auto done = read_all(
      clips, out.clips, path + ".clips",
      [&](const Json& clip, const std::string& at) { return read_clip(clip, limits, at); });
  if (!done) return tl::unexpected(done.error());
  done = read_all(participants, out.participants, path + ".participants", read_participant);
  if (!done) return tl::unexpected(done.error());
  for (std::size_t i = 0; i < out.clips.size(); ++i) {
    const auto& participant = out.clips[i].clip.participant;
    if (!participant || *participant < out.participants.size()) continue;
    return error(ErrorCode::out_of_range, fmt::format("{}.clips[{}].participant", path, i),
                 "is no participant");
  }
  return out;
}

const Json* asset_record(const Json& document) {
  const Json* at = &document;
  for (const char* const name : {"asset", "extras", "mabkit"}) {
    const auto member = at->is_object() ? at->find(name) : at->end();
    if (!at->is_object() || member == at->end()) return nullptr;
    at = &*member;
  }
  return at;
}

}  // namespace

Result<std::optional<BankRecord>> read_bank_record(const Json& document,
                                                   const std::vector<SourceNode>& nodes,
                                                   const ReadLimits& limits) {
  if (const Json* const record = asset_record(document)) {
    auto read = read_record(*record, limits, "asset.extras.mabkit");
    if (!read) return tl::unexpected(read.error());
    return std::move(*read);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json* const text = extra(nodes[i], "mabkit");
    if (text == nullptr || !text->is_string()) continue;
    const std::string path = fmt::format("nodes[{}].extras.mabkit", i);
    auto record =
        base::parse_json<Json>(text->get_ref<const std::string&>(),
                               {deepest, base::DeepValues::left_out, limits.max_decoded_bytes});
    if (!record) return error(record.error().code, path, record.error().message);
    auto read = read_record(*record, limits, path);
    if (!read) return tl::unexpected(read.error());
    return std::move(*read);
  }
  return std::nullopt;
}

}  // namespace mabkit::gltf
