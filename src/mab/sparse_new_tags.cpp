#include "mab/sparse_new_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/names.hpp>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "mab/sparse_index.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {
namespace {

/// What a record for a prop holds where nothing is known (spec mab-sparse, 1.9).
constexpr std::uint8_t kind_prop = 1;
constexpr std::int16_t no_id = -1;
constexpr std::uint32_t unknown_04_of_samples = 0xFFFFFFFF;
/// "Any" bone, in the participants of the other family (spec mab-chunked, 6.1).
constexpr std::uint32_t any_bone = 0xFFFFFFFF;

class TagWriter {
 public:
  TagWriter(const Bank& bank, const std::vector<FloatBits>& durations, const Skeleton* skeleton)
      : bank_(bank), durations_(durations), skeleton_(skeleton) {}

  /// The record of a chained clip; `known` is what is known of it, or null.
  Result<TagFields> write(std::size_t number, const Participant* known) const {
    const Clip& clip = bank_.clips[number];
    constexpr std::uint32_t most_kind = 0xFF;
    if (known != nullptr && known->kind > most_kind) {
      return tl::unexpected(
          Error{ErrorCode::limit, std::nullopt, clip_path(number) + ".participant.kind",
                fmt::format("{} is past the limit of {}: 1 is a prop", known->kind, most_kind)});
    }
    TagFields tag;
    tag.kind = known == nullptr ? kind_prop : static_cast<std::uint8_t>(known->kind);
    tag.id = no_id;
    tag.unknown_0x04 = unknown_04_of_samples;
    tag.start = base::cast_bits<FloatBits>(known == nullptr ? 0.0F : known->start);
    tag.end = known == nullptr ? durations_[number] : base::cast_bits<FloatBits>(known->end);
    const std::string reference = known == nullptr ? "" : known->reference.value_or("");
    return put_text(number, "name", name_of(clip, known), tag.name)
        .and_then([&] { return put_text(number, "parent", parent_of(clip, known), tag.parent); })
        .and_then([&] { return put_text(number, "reference", reference, tag.reference); })
        .map([&] {
          if (known != nullptr) keep_bare_hashes(*known, tag);
          return tag;
        });
  }

 private:
  static std::string name_of(const Clip& clip, const Participant* known) {
    if (clip.name) return *clip.name;
    return known == nullptr ? "" : known->name.value_or("");
  }

  /// A joint of clip 0 by name; where only its hash is known, the name that has that.
  [[nodiscard]] std::string parent_of(const Clip& clip, const Participant* known) const {
    if (clip.parent) return *clip.parent;
    if (known == nullptr || known->parent == 0 || known->parent == any_bone) return "";
    for (const Joint& joint : bank_.clips.front().joints) {
      if (joint.name && name_hash(*joint.name) == known->parent) return *joint.name;
    }
    if (skeleton_ == nullptr) return "";
    for (const Bone& bone : skeleton_->bones) {
      if (name_hash(bone.name) == known->parent) return bone.name;
    }
    return "";
  }

  static Result<void> put_text(std::size_t number, std::string_view field, const std::string& text,
                               TagTextFields& out) {
    // The field ends with a NUL.
    if (text.size() >= tag_text_size) {
      constexpr std::size_t longest_quote = 40;
      return tl::unexpected(
          Error{ErrorCode::limit, std::nullopt, fmt::format("{}.{}", clip_path(number), field),
                fmt::format("\"{}\" has {} characters, past the limit of {}: shorten it",
                            text.substr(0, longest_quote), text.size(), tag_text_size - 1)});
    }
    std::copy(text.begin(), text.end(), out.text.begin());
    out.hash = text.empty() ? 0 : name_hash(text);
    return {};
  }

  /// A bone whose text nobody knows is still named by its hash.
  static void keep_bare_hashes(const Participant& known, TagFields& tag) {
    if (tag.parent.hash == 0 && known.parent != any_bone) tag.parent.hash = known.parent;
    if (tag.name.hash == 0) tag.name.hash = known.child;
  }

  const Bank& bank_;
  const std::vector<FloatBits>& durations_;
  const Skeleton* skeleton_;
};

/// The participant that a clip names, else the first that names the clip.
std::optional<std::size_t> find_participant(const Bank& bank, std::size_t number) {
  const auto& named = bank.clips[number].participant;
  if (named && *named < bank.participants.size()) return *named;
  for (std::size_t i = 0; i < bank.participants.size(); ++i) {
    if (bank.participants[i].clip == number) return i;
  }
  return std::nullopt;
}

/// Says what no record of the new file holds.
void report_losses(const std::vector<Participant>& participants, const std::vector<bool>& is_used,
                   std::vector<Diagnostic>& notices) {
  std::size_t without_clip = 0;
  std::size_t with_target = 0;
  for (std::size_t i = 0; i < participants.size(); ++i) {
    const std::uint32_t target = participants[i].target;
    if (!is_used[i]) {
      ++without_clip;
    } else if (target != 0 && target != any_bone) {
      ++with_target;
    }
  }
  const auto notice = [&notices](std::string message) {
    notices.push_back({std::nullopt, section_path(0, tag_table), std::move(message)});
  };
  if (without_clip != 0) {
    notice(
        fmt::format("left out {} participants without a clip of their own: a record belongs to "
                    "a clip of the chain",
                    without_clip));
  }
  if (with_target != 0) {
    notice(fmt::format("left out the target of {} participants: new files have none", with_target));
  }
}

}  // namespace

Result<std::vector<TagFields>> new_tags(const Bank& bank, const std::vector<FloatBits>& durations,
                                        const Skeleton* skeleton,
                                        std::vector<Diagnostic>& notices) {
  std::vector<TagFields> tags;
  std::vector<bool> is_used(bank.participants.size(), false);
  const TagWriter writer(bank, durations, skeleton);
  for (std::size_t number = 1; number < bank.clips.size(); ++number) {
    const auto known = find_participant(bank, number);
    if (known) is_used[*known] = true;
    auto tag = writer.write(number, known ? &bank.participants[*known] : nullptr);
    if (!tag) return tl::unexpected(std::move(tag.error()));
    tags.push_back(*tag);
  }
  report_losses(bank.participants, is_used, notices);
  return tags;
}

}  // namespace mabkit::mab
