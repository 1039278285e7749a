#include "mab/chunked_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mabkit/names.hpp>
#include <string>

#include "codec/packed_quaternion.hpp"
#include "mab/part_record.hpp"
#include "nbcf/event_class.hpp"

namespace mabkit::mab {
namespace {

/// A joint's animated channel and how its stream stores it.
struct AnimatedTrack {
  std::size_t track = 0;  ///< position in `Clip::tracks`
  unsigned bits = 0;
  float scale = 1.0F;  ///< translations only
  std::uint32_t joint = 0;
};

/// Decodes one block into a clip.
class ClipDecoder {
 public:
  ClipDecoder(std::span<const std::byte> file, const ChunkedIndex& index, std::uint32_t block,
              Bank& bank)
      : file_(file),
        index_(index),
        block_(index.blocks[block]),
        bank_(bank),
        clip_(bank.clips[block]),
        path_(fmt::format("clip[{}]", block)) {}

  /// `memory_left` is what the values of the file's clips may still take.
  Result<void> run(std::uint64_t& memory_left) {
    clip_.duration = block_.duration;
    clip_.frame_rate = block_.frame_rate;
    read_joints();
    read_times();
    plan_tracks();
    if (auto reserved = reserve_values(memory_left); !reserved) return reserved;
    decode_constants();
    return decode_stream(block_.joint_rotations, rotations_, codec::BlockKind::rotation)
        .and_then([this] {
          return decode_stream(block_.joint_translations, translations_,
                               codec::BlockKind::translation);
        })
        .map([this] {
          decode_displacement();
          read_events();
          if (!is_rising_) drop_repeated_keys();
        });
  }

 private:
  template <class T>
  [[nodiscard]] T load(std::uint64_t offset) const {
    return base::load<T>(file_, static_cast<std::size_t>(offset));
  }
  [[nodiscard]] std::uint8_t flags(std::uint32_t joint) const {
    return load<std::uint8_t>(block_.flags + joint);
  }
  void warn(std::uint64_t offset, const std::string& member, std::string message) const {
    bank_.diagnostics.push_back({offset, path_ + member, std::move(message)});
  }

  void read_joints() {
    clip_.joints.resize(block_.joints);
    for (std::uint32_t joint = 0; joint < block_.joints; ++joint) {
      clip_.joints[joint].id = joint;
      clip_.joints[joint].name_hash = load<std::uint32_t>(block_.hashes + 4ULL * joint);
    }
  }

  /// Time 0 for constants first, then the clip's key times, which all animated tracks share.
  void read_times() {
    clip_.times.reserve(1 + block_.keys);
    clip_.times.push_back(0.0F);
    std::uint32_t previous = 0;
    for (std::uint32_t key = 0; key < block_.keys; ++key) {
      const std::uint32_t tick = load<std::uint16_t>(block_.key_times->offset + 2ULL * key);
      if (key > 0 && tick == previous) is_rising_ = false;
      previous = tick;
      clip_.times.push_back(static_cast<float>(static_cast<double>(tick) /
                                               static_cast<double>(block_.ticks_per_second)));
    }
  }

  Keys plan_keys(Channel channel, TrackKind kind) {
    const bool is_constant = kind == TrackKind::constant;
    const Keys keys{is_constant ? 0U : 1U, value_count_, is_constant ? 1 : block_.keys};
    value_count_ += keys.count * value_width(channel);
    return keys;
  }

  /// One track a driven channel, by joint, rotation first.
  void plan_tracks() {
    const ChunkedLayout& layout = *index_.layout;
    const FlagCensus& census = block_.census;
    clip_.tracks.reserve(std::size_t{census.constant_rotations} + census.animated_rotations +
                         census.constant_translations + census.animated_translations);
    std::uint32_t constant_rotations = entries(block_.constant_rotations);
    std::uint32_t constant_translations = entries(block_.constant_translations);
    std::uint32_t entry = first_joint_entry(block_);
    for (std::uint32_t joint = 0; joint < block_.joints; ++joint) {
      const std::uint8_t bits = flags(joint);
      if (has_constant_rotation(layout, bits)) {
        plan_constant(joint, Channel::rotation, constant_rotations);
      } else if (block_.joint_rotations && has_animated_rotation(layout, bits)) {
        rotations_.push_back({clip_.tracks.size(), rotation_bits(bits), 1.0F, joint});
        add_track(joint, Channel::rotation, TrackKind::animated);
      }
      if (has_constant_translation(bits)) {
        plan_constant(joint, Channel::translation, constant_translations);
      } else if (block_.joint_translations && has_animated_translation(bits)) {
        const TranslationEntry table = translation_entry(
            load<std::uint32_t>(block_.translation_table->offset + 4ULL * entry++));
        translations_.push_back({clip_.tracks.size(), table.bits, table.scale, joint});
        add_track(joint, Channel::translation, TrackKind::animated);
      }
    }
    warn_of_one_bit(rotations_);
    warn_of_one_bit(translations_);
  }

  Result<void> reserve_values(std::uint64_t& memory_left) {
    const std::uint64_t bytes = std::uint64_t{value_count_} * sizeof(float);
    if (bytes > memory_left) {
      return tl::unexpected(
          Error{ErrorCode::limit, block_.base, path_,
                fmt::format("the values would take {} bytes, more than the {} that are left of the "
                            "limit",
                            bytes, memory_left)});
    }
    memory_left -= bytes;
    clip_.values.resize(value_count_);
    return {};
  }

  static std::uint32_t entries(const std::optional<SectionSpan>& span) {
    return span ? span->entries : 0;
  }

  void add_track(std::uint32_t joint, Channel channel, TrackKind kind) {
    clip_.tracks.push_back({joint, channel, kind, plan_keys(channel, kind)});
  }

  /// Flags may name more constants than the section holds: those joints stay at rest.
  void plan_constant(std::uint32_t joint, Channel channel, std::uint32_t& left) {
    if (left == 0) return;
    --left;
    add_track(joint, channel, TrackKind::constant);
  }

  void warn_of_one_bit(const std::vector<AnimatedTrack>& tracks) const {
    for (const AnimatedTrack& track : tracks) {
      if (track.bits != 1) continue;
      warn(block_.flags + track.joint, fmt::format(".joint[{}]", track.joint),
           "is stored with one bit, which carries nothing: every key of a chunk is equal");
    }
  }

  void decode_constants() {
    std::uint64_t rotation = block_.constant_rotations ? block_.constant_rotations->offset : 0;
    std::uint64_t translation =
        block_.constant_translations ? block_.constant_translations->offset : 0;
    for (const Track& track : clip_.tracks) {
      if (track.kind != TrackKind::constant) continue;
      float* const out = clip_.values.data() + track.keys.first_value;
      if (track.channel == Channel::rotation) {
        const Quat q =
            codec::unpack(load<codec::PackedQuaternion>(rotation), codec::chunked_packed_half)
                .rotation;
        std::copy_n(std::array{q.x, q.y, q.z, q.w}.begin(), 4, out);
        rotation += sizeof(codec::PackedQuaternion);
      } else {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          out[axis] = static_cast<float>(load<std::int16_t>(translation + 2 * axis)) *
                      constant_translation_unit;
        }
        translation += 3 * sizeof(std::int16_t);
      }
    }
  }

  /// All chunks of a stream, joint by joint within each (spec mab-chunked, 2.2 and 3.2).
  Result<void> decode_stream(const std::optional<StreamSpan>& stream,
                             const std::vector<AnimatedTrack>& tracks, codec::BlockKind kind) {
    if (!stream) return {};
    const std::size_t width = kind == codec::BlockKind::rotation ? 4 : 3;
    for (std::uint32_t chunk = 0; chunk < stream->table.chunks(); ++chunk) {
      const std::uint64_t start = stream->span.offset + stream->table.starts[chunk];
      const std::uint32_t size = stream->table.starts[chunk + 1] - stream->table.starts[chunk];
      const unsigned keys = codec::keys_of_chunk(block_.keys, chunk);
      base::BitReader in(file_.subspan(static_cast<std::size_t>(start), size));
      for (const AnimatedTrack& track : tracks) {
        const std::size_t first =
            clip_.tracks[track.track].keys.first_value + width * codec::keys_in_chunk * chunk;
        const auto out = std::span(clip_.values).subspan(first, width * keys);
        if (kind == codec::BlockKind::rotation) {
          codec::decode_rotation_block(in, track.bits, keys, out);
        } else {
          codec::decode_translation_block(in, track.bits, keys, track.scale, out);
        }
        if (in.overran()) return overrun(*stream, chunk, track.joint);
      }
      if (const std::uint64_t used = (in.position() + 7) / 8; used < size) {
        warn(start + used, fmt::format(".section[{}].chunk[{}]", stream->span.slot, chunk),
             fmt::format("{} leaves {} bytes of the chunk unread",
                         section_name(stream->span.section), size - used));
      }
    }
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> overrun(const StreamSpan& stream, std::uint32_t chunk,
                                              std::uint32_t joint) const {
    const std::uint64_t end = stream.span.offset + stream.table.starts[chunk + 1];
    return tl::unexpected(Error{
        ErrorCode::truncated, end,
        fmt::format("{}.section[{}].chunk[{}].joint[{}]", path_, stream.span.slot, chunk, joint),
        fmt::format("{}: the joint's keys reach past the chunk's end 0x{:X}",
                    section_name(stream.span.section), end)});
  }

  void decode_displacement() {
    if (block_.counts.empty() || (block_.counts[displacement_orientation_count] == 0 &&
                                  block_.counts[displacement_translation_count] == 0))
      return;
    RootMotion motion;
    if (block_.displacement_orientations) {
      motion.rotation = decode_single(*block_.displacement_orientations, Channel::rotation, 1.0F);
    }
    if (block_.displacement_translations) {
      // Displacement's entry comes before the joints' (spec mab-chunked, 3.1).
      const float scale =
          block_.translation_table
              ? translation_entry(load<std::uint32_t>(block_.translation_table->offset)).scale
              : 0.0F;
      motion.translation =
          decode_single(*block_.displacement_translations, Channel::translation, scale);
    }
    clip_.root_motion = motion;
  }

  /// A displacement stream: one key where every component is constant, else the clip's keys.
  Keys decode_single(const StreamSpan& stream, Channel channel, float scale) {
    const bool is_constant = stream.bits == 0;
    const std::size_t width = value_width(channel);
    const std::uint32_t stored = is_constant ? stream.constant_keys : block_.keys;
    const Keys keys{is_constant ? 0U : 1U, clip_.values.size(), is_constant ? 1 : block_.keys};
    clip_.values.resize(clip_.values.size() + stored * width);
    for (std::uint32_t chunk = 0; chunk < stream.table.chunks(); ++chunk) {
      const unsigned count = codec::keys_of_chunk(stored, chunk);
      const std::uint64_t start = stream.span.offset + stream.table.starts[chunk];
      base::BitReader in(
          file_.subspan(static_cast<std::size_t>(start),
                        stream.table.starts[chunk + 1] - stream.table.starts[chunk]));
      const auto out =
          std::span(clip_.values)
              .subspan(keys.first_value + width * codec::keys_in_chunk * chunk, width * count);
      if (channel == Channel::rotation) {
        codec::decode_rotation_block(in, std::max(stream.bits, 1U), count, out);
      } else {
        codec::decode_translation_block(in, std::max(stream.bits, 1U), count, scale, out);
      }
    }
    clip_.values.resize(keys.first_value + keys.count * width);
    return keys;
  }

  void read_events() {
    for (const MarkupRecord& record : block_.markup_records) {
      const auto object =
          file_.subspan(static_cast<std::size_t>(record.object_offset()), record.size);
      clip_.events.push_back({record.time,
                              std::nullopt,
                              nbcf::event_class(object, index_.limits),
                              {object.begin(), object.end()}});
    }
  }

  /// Where keys share a tick the last of them stays (spec mab-chunked, 6.4 rule 3).
  void drop_repeated_keys() {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t key = 0; key < block_.keys; ++key) {
      const bool is_last = key + 1 == block_.keys || clip_.times[key + 2] > clip_.times[key + 1];
      if (is_last) kept.push_back(key);
    }
    warn(block_.key_times->offset, fmt::format(".section[{}]", block_.key_times->slot),
         fmt::format("{} keys share the time of the next one and are left out",
                     block_.keys - kept.size()));
    const auto keep = [&](Keys& keys, Channel channel) {
      if (keys.first_time == 0) return;
      const std::size_t width = value_width(channel);
      float* const values = clip_.values.data() + keys.first_value;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        std::copy_n(values + width * kept[i], width, values + width * i);
      }
      keys.count = static_cast<std::uint32_t>(kept.size());
    };
    for (Track& track : clip_.tracks) keep(track.keys, track.channel);
    if (clip_.root_motion && clip_.root_motion->rotation) {
      keep(*clip_.root_motion->rotation, Channel::rotation);
    }
    if (clip_.root_motion && clip_.root_motion->translation) {
      keep(*clip_.root_motion->translation, Channel::translation);
    }
    for (std::size_t i = 0; i < kept.size(); ++i) clip_.times[i + 1] = clip_.times[kept[i] + 1];
    clip_.times.resize(kept.size() + 1);
  }

  std::span<const std::byte> file_;
  const ChunkedIndex& index_;
  const ChunkedBlock& block_;
  Bank& bank_;
  Clip& clip_;
  std::string path_;
  std::vector<AnimatedTrack> rotations_;
  std::vector<AnimatedTrack> translations_;
  std::size_t value_count_ = 0;
  bool is_rising_ = true;
};

std::optional<std::string> record_name(std::span<const std::byte> file, const PartRecord& record) {
  if (!record.name_offset) return std::nullopt;
  const auto text = file.subspan(static_cast<std::size_t>(*record.name_offset),
                                 static_cast<std::size_t>(record.name_size));
  return std::string(reinterpret_cast<const char*>(text.data()), text.size());
}

/// Participants, and the names and parents that they give to their clips (spec mab-chunked, 6.4
/// rule 2).
void add_participants(std::span<const std::byte> file, const ChunkedIndex& index, Bank& bank) {
  const std::vector<Joint>& joints = bank.clips.front().joints;
  for (const PartRecord& record : index.records) {
    const auto position = static_cast<std::uint32_t>(bank.participants.size());
    bank.participants.push_back({.kind = record.kind,
                                 .start = record.start,
                                 .end = record.end,
                                 .name = record_name(file, record),
                                 .child = record.child_bone,
                                 .parent = record.parent_bone,
                                 .target = record.target_bone,
                                 .reference = std::nullopt,
                                 .clip = record.child});
    if (!record.child || bank.clips[*record.child].participant) continue;
    Clip& clip = bank.clips[*record.child];
    clip.participant = position;
    clip.name = bank.participants.back().name;
    const bool has_parent = record.parent_bone != any_bone &&
                            std::any_of(joints.begin(), joints.end(), [&](const Joint& joint) {
                              return joint.name_hash == record.parent_bone;
                            });
    // The name itself is found where names are known.
    if (has_parent) clip.parent = hash_text(record.parent_bone);
  }
}

}  // namespace

Result<Bank> decode_chunked(std::span<const std::byte> file, const ChunkedIndex& index) {
  Bank bank;
  bank.format = "mab";
  bank.game = index.game;
  bank.clips.resize(index.blocks.size());
  std::uint64_t memory_left = index.limits.max_decoded_bytes;
  for (std::uint32_t block = 0; block < index.blocks.size(); ++block) {
    if (auto decoded = ClipDecoder(file, index, block, bank).run(memory_left); !decoded) {
      return tl::unexpected(std::move(decoded.error()));
    }
  }
  add_participants(file, index, bank);
  return bank;
}

}  // namespace mabkit::mab
