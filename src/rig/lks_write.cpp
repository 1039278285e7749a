#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mabkit/rig.hpp>

#include "base/bytes.hpp"
#include "rig/lks_format.hpp"

namespace mabkit {
namespace rig {
namespace {

tl::unexpected<Error> refuse(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

/// Whether each list's length fits the 16 bits that its count has.
Result<void> check_counts(const LksSkeleton& skeleton) {
  struct Count {
    std::string_view path;
    std::size_t size;
    std::size_t most;
  };
  // Bone ids end below `lks_none`.
  for (const auto& [path, size, most] :
       {Count{"bones", skeleton.bones.size(), lks_none},
        Count{"common", skeleton.common.size(), 0xFFFF},
        Count{"handles", skeleton.handles.size(), 0xFFFF},
        Count{"translation_bones", skeleton.translation_bones.size(), 0xFFFF}}) {
    if (size <= most) continue;
    return refuse(ErrorCode::limit, std::string(path),
                  fmt::format("has {} entries, but the format counts to {}", size, most));
  }
  for (std::size_t i = 0; i < skeleton.lod_masks.size(); ++i) {
    if (skeleton.lod_masks[i].size() == lks_lod_words) continue;
    return refuse(ErrorCode::bad_argument, fmt::format("lod_mask[{}]", i),
                  fmt::format("has {} words, but masks have {}", skeleton.lod_masks[i].size(),
                              lks_lod_words));
  }
  return {};
}

Result<void> check_bones(const std::vector<LksBone>& bones) {
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (auto fault = fault_of(bones[i], i, bones.size())) {
      return refuse(ErrorCode::bad_argument, fmt::format("bone[{}].{}", i, fault->field),
                    std::move(fault->message));
    }
    const auto& position = bones[i].position;
    if (position && (position->kind == 0 || position->kind > lks_last_position_kind)) {
      return refuse(ErrorCode::bad_argument, fmt::format("bone[{}].position", i),
                    fmt::format("has kind {}, but kinds are 1 to {}", position->kind,
                                lks_last_position_kind));
    }
  }
  if (const auto bone = bone_without_root(bones)) {
    return refuse(ErrorCode::bad_argument, fmt::format("bone[{}].parent", *bone),
                  std::string(lks_cycle_message));
  }
  return {};
}

void put_mark(base::ByteWriter& out, std::uint32_t version) {
  out.put(lks_object_mark);
  out.put(version);
}

void put_text(base::ByteWriter& out, const LksText& text) {
  out.put(text.hash);
  out.put(static_cast<std::uint32_t>(text.text.size()));
  out.put_bytes(std::as_bytes(std::span(text.text)));
}

/// Writes an orientation constraint's payload.
struct PutPayload {
  base::ByteWriter& out;

  void operator()(std::monostate) const {}
  void operator()(const LksLookAt& constraint) const {
    out.put(constraint.bone);
    out.put(constraint.vector);
  }
  void operator()(const LksBlend& constraint) const {
    out.put(constraint.first_bone);
    out.put(constraint.first_weight);
    out.put(constraint.second_bone);
    out.put(constraint.second_weight);
  }
  void operator()(const LksDependent& constraint) const {
    out.put(constraint.bone);
    out.put(constraint.weight);
  }
  void operator()(const LksDamped& constraint) const {
    out.put(constraint.bone);
    out.put(constraint.weight);
  }
};

void put_bone(base::ByteWriter& out, const LksBone& bone) {
  put_mark(out, bone.version);
  out.put(bone.rotation);
  out.put(bone.offset);
  out.put(bone.length);
  out.put(bone.id);
  out.put(bone.parent);
  out.put(bone.first_child);
  out.put(bone.next_sibling);
  out.put(static_cast<std::uint8_t>(bone.orientation.index()));
  std::visit(PutPayload{out}, bone.orientation);
  out.put(bone.position ? bone.position->kind : std::uint8_t{0});
  if (bone.position) {
    out.put(bone.position->bone);
    out.put(bone.position->vector);
  }
  put_text(out, bone.name);
  out.put(bone.animated_translation);
  out.put(bone.body_part);
  out.put(bone.mass_weight);
}

void put_handle(base::ByteWriter& out, const LksHandle& handle) {
  put_mark(out, handle.version);
  out.put(handle.id);
  put_text(out, handle.name);
  put_text(out, handle.parent);
  out.put(handle.rotation);
  out.put(handle.offset);
  out.put(handle.inverse_rotation);
  out.put(handle.inverse_offset);
  out.put(handle.inverse_rotation_again);
}

void put_count(base::ByteWriter& out, std::size_t count) {
  out.put(static_cast<std::uint16_t>(count));
}

}  // namespace
}  // namespace rig

Result<std::vector<std::byte>> write_lks(const LksSkeleton& skeleton) {
  if (auto counts = rig::check_counts(skeleton); !counts) return tl::unexpected(counts.error());
  if (auto bones = rig::check_bones(skeleton.bones); !bones) return tl::unexpected(bones.error());

  base::ByteWriter out;
  out.put(rig::lks_magic);
  out.put(rig::lks_file_version);
  rig::put_mark(out, skeleton.version);
  rig::put_count(out, skeleton.bones.size());
  rig::put_count(out, skeleton.common.size());
  for (const LksBone& bone : skeleton.bones) rig::put_bone(out, bone);
  for (const std::uint16_t id : skeleton.common) out.put(id);
  rig::put_count(out, skeleton.handles.size());
  for (const LksHandle& handle : skeleton.handles) rig::put_handle(out, handle);
  out.put(skeleton.scale_factor);
  rig::put_count(out, skeleton.translation_bones.size());
  for (const std::uint16_t id : skeleton.translation_bones) out.put(id);
  for (const auto& mask : skeleton.lod_masks) {
    out.put(static_cast<std::uint32_t>(mask.size()));
    for (const std::uint32_t word : mask) out.put(word);
  }
  return std::move(out).take();
}

}  // namespace mabkit
