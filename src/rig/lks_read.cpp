#include <fmt/format.h>

#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>

#include "rig/bind_pose.hpp"
#include "rig/field_reader.hpp"
#include "rig/lks_format.hpp"

namespace mabkit {
namespace rig {
namespace {

/// Object mark: a constant, then the version of the class (spec mab-sparse, 6.1).
std::uint32_t take_mark(FieldReader& in, std::uint32_t known_version) {
  const auto mark = in.take<std::uint32_t>("mark");
  if (mark != lks_object_mark) {
    in.fail(ErrorCode::bad_value, "mark",
            fmt::format("is 0x{:08X}, not the object mark 0x{:08X}", mark, lks_object_mark));
  }
  const auto version = in.take<std::uint32_t>("mark");
  if (version != known_version) {
    in.warn("mark", fmt::format("has version {}, not the known {}; read as that one", version,
                                known_version));
  }
  return version;
}

LksText take_text(FieldReader& in, std::string_view field) {
  LksText text;
  text.hash = in.take<std::uint32_t>(field);
  const auto size = in.take<std::uint32_t>(field);
  text.text = in.take_text(size, field);
  const std::uint32_t hash = name_hash(text.text);
  if (hash != text.hash) {
    in.warn(field, fmt::format("'{}' has hash {}, but {} is stored", readable_name(text.text),
                               hash_text(hash), hash_text(text.hash)));
  } else if (readable_name(text.text) != text.text) {
    in.warn(field,
            fmt::format("holds bytes that are no text; shown as '{}'", readable_name(text.text)));
  }
  return text;
}

Quat take_rotation(FieldReader& in, std::string_view field) {
  const auto rotation = in.take<Quat>(field);
  if (std::string fault = rotation_fault(rotation); !fault.empty()) in.warn(field, fault);
  return rotation;
}

Vec3 take_offset(FieldReader& in, std::string_view field) {
  const auto offset = in.take<Vec3>(field);
  if (!is_finite(offset)) in.warn(field, "is not finite; zero is used");
  return offset;
}

LksOrientation take_orientation(FieldReader& in) {
  constexpr std::string_view field = "orientation";
  const auto kind = in.take<std::uint8_t>(field);
  switch (kind) {
    case 0:
      return {};
    case 1:
      return LksLookAt{in.take<std::int32_t>(field), in.take<Vec3>(field)};
    case 2:
      return LksBlend{in.take<std::int32_t>(field), in.take<float>(field),
                      in.take<std::int32_t>(field), in.take<float>(field)};
    case 3:
      return LksDependent{in.take<std::int32_t>(field), in.take<float>(field)};
    case 4:
      return LksDamped{in.take<std::int32_t>(field), in.take<float>(field)};
    default:
      in.fail(ErrorCode::bad_value, field,
              fmt::format("has kind {}, but kinds are 0 to 4, so its size is unknown", kind));
      return {};
  }
}

std::optional<LksPosition> take_position(FieldReader& in) {
  constexpr std::string_view field = "position";
  const auto kind = in.take<std::uint8_t>(field);
  if (kind == 0) return std::nullopt;
  if (kind > lks_last_position_kind) {
    in.fail(ErrorCode::bad_value, field,
            fmt::format("has kind {}, but kinds are 0 to {}, so its size is unknown", kind,
                        lks_last_position_kind));
    return std::nullopt;
  }
  return LksPosition{kind, in.take<std::int32_t>(field), in.take<Vec3>(field)};
}

LksBone take_bone(FieldReader& in, std::size_t position, std::size_t count) {
  LksBone bone;
  bone.version = take_mark(in, lks_bone_version);
  bone.rotation = take_rotation(in, "rotation");
  bone.offset = take_offset(in, "offset");
  bone.length = in.take<float>("length");
  bone.id = in.take<std::uint16_t>("id");
  bone.parent = in.take<std::uint16_t>("parent");
  if (const auto fault = fault_of(bone, position, count)) {
    in.fail(ErrorCode::inconsistent, fault->field, fault->message);
  }
  bone.first_child = in.take<std::uint16_t>("first_child");
  bone.next_sibling = in.take<std::uint16_t>("next_sibling");
  bone.orientation = take_orientation(in);
  bone.position = take_position(in);
  bone.name = take_text(in, "name");
  bone.animated_translation = in.take<std::uint8_t>("animated_translation");
  if (bone.animated_translation > 1) {
    in.warn("animated_translation",
            fmt::format("is {}, neither 0 nor 1; taken as 1", bone.animated_translation));
  }
  bone.body_part = in.take<std::uint8_t>("body_part");
  bone.mass_weight = in.take<float>("mass_weight");
  return bone;
}

LksHandle take_handle(FieldReader& in, std::size_t expected_id) {
  LksHandle handle;
  handle.version = take_mark(in, lks_handle_version);
  handle.id = in.take<std::uint16_t>("id");
  if (handle.id != expected_id) {
    in.warn("id",
            fmt::format("is {}, but ids continue after the bones with {}", handle.id, expected_id));
  }
  handle.name = take_text(in, "name");
  handle.parent = take_text(in, "parent");
  handle.rotation = in.take<Quat>("rotation");
  handle.offset = in.take<Vec3>("offset");
  handle.inverse_rotation = in.take<Quat>("inverse_rotation");
  handle.inverse_offset = in.take<Vec3>("inverse_offset");
  handle.inverse_rotation_again = in.take<Quat>("inverse_rotation_again");
  return handle;
}

std::vector<std::uint32_t> take_lod_mask(FieldReader& in, std::string_view field) {
  const auto words = in.take<std::uint32_t>(field);
  if (words != lks_lod_words) {
    in.fail(ErrorCode::bad_value, field,
            fmt::format("has {} words, but masks have {}", words, lks_lod_words));
    return {};
  }
  std::vector<std::uint32_t> mask(lks_lod_words);
  bool is_zero = true;
  for (std::uint32_t& word : mask) {
    word = in.take<std::uint32_t>(field);
    is_zero = is_zero && word == 0;
  }
  if (!is_zero) in.warn(field, "is not zero, as it is in every known file; kept");
  return mask;
}

std::vector<std::uint16_t> take_ids(FieldReader& in, std::size_t count, std::string_view field) {
  std::vector<std::uint16_t> ids;
  for (std::size_t i = 0; i < count && !in.has_failed(); ++i) {
    ids.push_back(in.take<std::uint16_t>(field));
  }
  return ids;
}

/// Reads every field in the file's order. `bone_offsets` gets the start of each bone.
LksSkeleton take_skeleton(FieldReader& in, const ReadLimits& limits,
                          std::vector<std::uint64_t>& bone_offsets) {
  LksSkeleton skeleton;
  if (in.take<std::uint32_t>("magic") != lks_magic) {
    in.fail(ErrorCode::unknown_format, "magic", "is not 'LKS', so this is no .skeleton");
  }
  const auto version = in.take<std::uint32_t>("version");
  if (version != lks_file_version) {
    in.fail(ErrorCode::unsupported, "version",
            fmt::format("is {}; .skeleton files are read in version {} (Far Cry 2, Avatar) only, "
                        "not yet in others",
                        version, lks_file_version));
  }
  skeleton.version = take_mark(in, lks_bone_version);
  const std::size_t bones = in.take<std::uint16_t>("bone_count");
  if (bones > limits.max_joints) {
    in.fail(ErrorCode::limit, "bone_count",
            fmt::format("is {}, more than the limit of {}", bones, limits.max_joints));
  }
  const std::size_t common = in.take<std::uint16_t>("common_count");
  for (std::size_t i = 0; i < bones && !in.has_failed(); ++i) {
    in.enter(fmt::format("bone[{}]", i));
    bone_offsets.push_back(in.position());
    skeleton.bones.push_back(take_bone(in, i, bones));
  }
  in.enter({});
  skeleton.common = take_ids(in, common, "common");
  const std::size_t handles = in.take<std::uint16_t>("handle_count");
  for (std::size_t i = 0; i < handles && !in.has_failed(); ++i) {
    in.enter(fmt::format("handle[{}]", i));
    skeleton.handles.push_back(take_handle(in, bones + i));
  }
  in.enter({});
  skeleton.scale_factor = in.take<float>("scale_factor");
  const std::size_t translated = in.take<std::uint16_t>("translation_bone_count");
  skeleton.translation_bones = take_ids(in, translated, "translation_bones");
  for (std::size_t i = 0; i < skeleton.lod_masks.size(); ++i) {
    skeleton.lod_masks[i] = take_lod_mask(in, fmt::format("lod_mask[{}]", i));
  }
  return skeleton;
}

/// Parents alone make the hierarchy, so that links which contradict them lose nothing.
void compare_links(LksSkeleton& skeleton, std::span<const std::uint64_t> bone_offsets) {
  const auto links = links_of(skeleton.bones);
  const auto warn = [&](std::size_t bone, std::uint64_t field_at, std::string_view field,
                        unsigned stored, unsigned expected) {
    if (stored == expected) return;
    skeleton.diagnostics.push_back(
        {bone_offsets[bone] + field_at, fmt::format("bone[{}].{}", bone, field),
         fmt::format("is {}, but by the parents it is {}; the parents are used", stored,
                     expected)});
  };
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    const LksBone& stored = skeleton.bones[i];
    warn(i, lks_first_child_at, "first_child", stored.first_child,
         stored_link(links[i].first_child));
    // Whether several roots are each other's siblings is unknown: both are accepted.
    if (stored.parent == lks_none) continue;
    warn(i, lks_next_sibling_at, "next_sibling", stored.next_sibling,
         stored_link(links[i].next_sibling));
  }
}

}  // namespace
}  // namespace rig

Result<LksSkeleton> parse_lks(std::span<const std::byte> bytes, const ReadLimits& limits) {
  rig::FieldReader in(bytes, 0, bytes.size(), "file");
  std::vector<std::uint64_t> bone_offsets;
  LksSkeleton skeleton = rig::take_skeleton(in, limits, bone_offsets);
  if (in.error()) return tl::unexpected(*in.error());
  if (in.left() != 0) {
    return tl::unexpected(Error{ErrorCode::inconsistent, in.position(), "end",
                                fmt::format("{} bytes follow the end of the skeleton", in.left())});
  }
  if (const auto bone = rig::bone_without_root(skeleton.bones)) {
    return tl::unexpected(Error{ErrorCode::inconsistent, bone_offsets[*bone] + rig::lks_parent_at,
                                fmt::format("bone[{}].parent", *bone),
                                std::string(rig::lks_cycle_message)});
  }
  skeleton.diagnostics = std::move(in.diagnostics());
  rig::compare_links(skeleton, bone_offsets);
  return skeleton;
}

}  // namespace mabkit
