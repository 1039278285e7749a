#include "mab/sparse_clip.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/bytes.hpp"
#include "codec/sparse_curves.hpp"
#include "mab/sparse_joints.hpp"
#include "mab/sparse_quaternion.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {
namespace {

constexpr std::size_t rotation_width = value_width(Channel::rotation);
constexpr std::size_t translation_width = value_width(Channel::translation);

float time_of(std::uint32_t frame, float rate) {
  return static_cast<float>(static_cast<double>(frame) / static_cast<double>(rate));
}

/// The times of every frame of the sections that have the same length and rate.
struct TimeGrid {
  std::uint32_t frames = 0;
  float rate = 0.0F;
  std::size_t first_time = 0;
};

/// Fills one clip. Its buffers are reserved once; dense curves share their times.
class ClipDecoder {
 public:
  ClipDecoder(std::span<const std::byte> bytes, const SparseIndex& index, std::size_t number,
              std::vector<Diagnostic>& diagnostics)
      : bytes_(bytes),
        index_(index),
        clip_(index.clips[number]),
        number_(number),
        diagnostics_(diagnostics),
        joints_(joints_of(clip_)),
        groups_(groups_of(clip_, bytes)),
        rotations_(joints_.ids.size()),
        translations_(joints_.ids.size()) {}

  Result<Clip> decode(std::uint64_t& memory_left) {
    out_.duration = duration_of(clip_);
    out_.frame_rate = clip_.frame_rate;
    for (const std::uint32_t id : joints_.ids) {
      out_.joints.emplace_back();
      out_.joints.back().id = id;
    }
    count_keyed();
    if (auto reserved = reserve(memory_left); !reserved) return tl::unexpected(reserved.error());
    decode_animated_translations();
    decode_constants();
    decode_keyed_rotations();
    collect_tracks();
    decode_root_motion();
    report();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::optional<SparseSection>& section(MaskKind kind) const {
    return clip_.sections[slot_of(kind)];
  }
  /// What follows the array header.
  [[nodiscard]] std::span<const std::byte> data_of(const SparseSection& section) const {
    return bytes_.subspan(static_cast<std::size_t>(section.offset + array_header_size),
                          static_cast<std::size_t>(section.size - array_header_size));
  }
  [[nodiscard]] const SparseSection* trajectory(std::uint32_t slot) const {
    const auto& found = clip_.sections[slot];
    return found && found->count != 0 ? &*found : nullptr;
  }

  void count_keyed() {
    key_counts_.resize(groups_.tracks());
    const codec::LostKeys past = count_keys(groups_, index_.presence_order, key_counts_);
    if (past.count == 0) return;
    warn_keyed(
        past, fmt::format("keys lie past the last frame {} and are dropped", groups_.last_frame()));
  }

  void warn_keyed(const codec::LostKeys& lost, std::string_view what) {
    warn(section_path(number_, keyed_rotations), section(MaskKind::keyed_rotation)->offset,
         fmt::format("{} {}; the first: track {}, frame {}", lost.count, what, lost.track,
                     lost.frame));
  }

  void warn(std::string path, std::uint64_t offset, std::string message) {
    diagnostics_.push_back({offset, std::move(path), std::move(message)});
  }

  /// A section that stores every frame of its tracks.
  struct DenseSection {
    const SparseSection* section = nullptr;
    std::uint64_t tracks = 0;
    std::uint64_t width = 0;  ///< floats of one value
  };

  [[nodiscard]] std::vector<DenseSection> dense_sections() const {
    std::vector<DenseSection> dense;
    if (const auto& animated = section(MaskKind::animated_translation);
        animated && animated->count != 0) {
      dense.push_back({&*animated, animated->count, translation_width});
    }
    if (const auto* path = trajectory(trajectory_translation)) {
      dense.push_back({path, 1, translation_width});
    }
    if (const auto* path = trajectory(trajectory_rotation)) {
      dense.push_back({path, 1, rotation_width});
    }
    return dense;
  }

  /// Reserves the buffers and writes the times that dense curves share.
  Result<void> reserve(std::uint64_t& memory_left) {
    const bool has_constants = clip_.stored(MaskKind::constant_rotation) != 0 ||
                               clip_.stored(MaskKind::constant_translation) != 0;
    std::uint64_t times = has_constants ? 1 : 0;
    std::uint64_t values =
        std::uint64_t{rotation_width} * clip_.stored(MaskKind::constant_rotation) +
        std::uint64_t{translation_width} * clip_.stored(MaskKind::constant_translation);
    for (const std::uint32_t count : key_counts_) {
      times += count;
      values += std::uint64_t{rotation_width} * count;
    }
    std::size_t grid_times = 0;
    for (const auto& [dense, tracks, width] : dense_sections()) {
      values += width * tracks * dense->frames();
      if (find_grid(*dense) != nullptr) continue;
      grids_.push_back({dense->frames(), rate_of(clip_, *dense), grid_times});
      grid_times += dense->frames();
    }
    times += grid_times;

    const std::uint64_t bytes = (times + values) * sizeof(float);
    if (bytes > memory_left) {
      return fail(ErrorCode::limit, clip_.base, clip_path(number_),
                  fmt::format("the decoded values need {} bytes, {} are left of the limit", bytes,
                              memory_left));
    }
    memory_left -= bytes;
    out_.times.reserve(static_cast<std::size_t>(times));
    out_.values.reserve(static_cast<std::size_t>(values));
    for (const TimeGrid& grid : grids_) add_frame_times(grid.frames, grid.rate, out_.times);
    return {};
  }

  static void add_frame_times(std::uint32_t frames, float rate, std::vector<float>& out) {
    for (std::uint32_t frame = 0; frame < frames; ++frame) out.push_back(time_of(frame, rate));
  }

  [[nodiscard]] const TimeGrid* find_grid(const SparseSection& dense) const {
    const float rate = rate_of(clip_, dense);
    for (const TimeGrid& grid : grids_) {
      if (grid.frames == dense.frames() && grid.rate == rate) return &grid;
    }
    return nullptr;
  }

  /// Adds room for values and says where it starts.
  std::size_t add_values(std::size_t count) {
    const std::size_t first = out_.values.size();
    out_.values.resize(first + count);
    return first;
  }

  void decode_animated_translations() {
    const auto& stored = section(MaskKind::animated_translation);
    if (!stored || stored->count == 0) return;
    const TimeGrid& grid = *find_grid(*stored);
    const std::size_t track_size = translation_width * stored->frames();
    const std::size_t first = add_values(track_size * stored->count);
    codec::decode_dense_translations(data_of(*stored), stored->count, stored->frames(),
                                     std::span(out_.values).subspan(first));
    count_non_finite(first);
    const auto& tracks = joints_.tracks(MaskKind::animated_translation);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      set(translations_, tracks[i], TrackKind::animated,
          {grid.first_time, first + track_size * i, grid.frames});
    }
  }

  void decode_constants() {
    const auto& rotations = joints_.tracks(MaskKind::constant_rotation);
    const auto& translations = joints_.tracks(MaskKind::constant_translation);
    if (rotations.empty() && translations.empty()) return;
    const std::size_t time = out_.times.size();
    out_.times.push_back(0.0F);
    for (std::size_t i = 0; i < rotations.size(); ++i) {
      const auto decoded =
          codec::decode_rotation(data_of(*section(MaskKind::constant_rotation)), i);
      if (!decoded) {
        no_rotation_.add(
            section(MaskKind::constant_rotation)->offset,
            fmt::format("{}.rotation[{}]", section_path(number_, constant_rotations), i),
            "the constant is no rotation and is dropped");
      } else if (rotations[i]) {
        set(rotations_, rotations[i], TrackKind::constant, {time, out_.values.size(), 1});
        push(*decoded);
      }
    }
    const std::size_t first = out_.values.size();
    for (std::size_t i = 0; i < translations.size(); ++i) {
      if (!translations[i]) continue;
      set(translations_, translations[i], TrackKind::constant, {time, out_.values.size(), 1});
      push(base::load<Vec3>(data_of(*section(MaskKind::constant_translation)),
                            codec::packed_translation_size * i));
    }
    count_non_finite(first);
  }

  void decode_keyed_rotations() {
    if (groups_.tracks() == 0) return;
    std::vector<Keys> keys(groups_.tracks());
    std::size_t times = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i] = {out_.times.size() + times, out_.values.size() + rotation_width * times,
                 key_counts_[i]};
      times += key_counts_[i];
    }
    const auto& stored = *section(MaskKind::keyed_rotation);
    std::vector<float> frame_times;
    frame_times.reserve(stored.frames());
    add_frame_times(stored.frames(), rate_of(clip_, stored), frame_times);
    out_.times.resize(out_.times.size() + times);
    add_values(rotation_width * times);
    const codec::LostKeys lost =
        decode_keys(groups_, index_.presence_order, frame_times, {keys, out_.times, out_.values});
    if (lost.count != 0) warn_keyed(lost, "keys are no rotations and are dropped");
    const auto& tracks = joints_.tracks(MaskKind::keyed_rotation);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (keys[i].count != 0) set(rotations_, tracks[i], TrackKind::animated, keys[i]);
    }
  }

  void decode_root_motion() {
    RootMotion motion;
    if (const auto* stored = trajectory(trajectory_translation)) {
      const TimeGrid& grid = *find_grid(*stored);
      const std::size_t first = add_values(translation_width * grid.frames);
      codec::decode_dense_translations(data_of(*stored), 1, grid.frames,
                                       std::span(out_.values).subspan(first));
      count_non_finite(first);
      motion.translation = Keys{grid.first_time, first, grid.frames};
    }
    if (const auto* stored = trajectory(trajectory_rotation)) {
      const Keys rotation = decode_trajectory_rotation(*stored);
      if (rotation.count != 0) motion.rotation = rotation;
    }
    bool turns = false;
    if (clip_.has_masks()) {
      motion.reference = header_rotation(bytes_, clip_, index_.layout->reference);
      motion.loop = header_rotation(bytes_, clip_, index_.layout->loop);
      turns = *motion.reference != Quat{} || *motion.loop != Quat{};
    }
    if (motion.translation || motion.rotation || turns) out_.root_motion = motion;
  }

  Keys decode_trajectory_rotation(const SparseSection& stored) {
    const TimeGrid& grid = *find_grid(stored);
    Keys keys{grid.first_time, out_.values.size(), 0};
    std::vector<float> kept;
    for (std::uint32_t frame = 0; frame < grid.frames; ++frame) {
      const auto decoded = codec::decode_rotation(data_of(stored), frame);
      if (!decoded) {
        no_rotation_.add(
            stored.offset,
            fmt::format("{}.frame[{}]", section_path(number_, trajectory_rotation), frame),
            "the frame is no rotation and is dropped");
        continue;
      }
      push(*decoded);
      kept.push_back(time_of(frame, grid.rate));
    }
    keys.count = static_cast<std::uint32_t>(kept.size());
    if (keys.count != grid.frames) {
      keys.first_time = out_.times.size();
      out_.times.insert(out_.times.end(), kept.begin(), kept.end());
    }
    return keys;
  }

  void push(const Quat& q) {
    const std::array<float, rotation_width> components{q.x, q.y, q.z, q.w};
    out_.values.insert(out_.values.end(), components.begin(), components.end());
  }
  void push(const Vec3& v) {
    const std::array<float, translation_width> components{v.x, v.y, v.z};
    out_.values.insert(out_.values.end(), components.begin(), components.end());
  }

  void count_non_finite(std::size_t first) {
    for (std::size_t i = first; i < out_.values.size(); ++i) {
      if (!std::isfinite(out_.values[i])) ++non_finite_;
    }
  }

  using Slots = std::vector<std::optional<Track>>;

  static void set(Slots& slots, const std::optional<std::uint32_t>& joint, TrackKind kind,
                  const Keys& keys) {
    if (joint) slots[*joint] = Track{.joint = *joint, .kind = kind, .keys = keys};
  }

  /// By joint, rotation before translation.
  void collect_tracks() {
    for (std::size_t joint = 0; joint < joints_.ids.size(); ++joint) {
      for (const auto& [slots, channel] : {std::pair{&rotations_, Channel::rotation},
                                           std::pair{&translations_, Channel::translation}}) {
        if (!(*slots)[joint]) continue;
        out_.tracks.push_back(*(*slots)[joint]);
        out_.tracks.back().channel = channel;
      }
    }
  }

  void report() {
    std::move(no_rotation_).report(diagnostics_);
    if (non_finite_ != 0) {
      warn(clip_path(number_), clip_.base,
           fmt::format("{} components of translations are no finite numbers", non_finite_));
    }
  }

  std::span<const std::byte> bytes_;
  const SparseIndex& index_;
  const SparseClip& clip_;
  std::size_t number_;
  std::vector<Diagnostic>& diagnostics_;
  SparseJoints joints_;
  codec::SparseGroups groups_;
  std::vector<std::uint32_t> key_counts_;
  std::vector<TimeGrid> grids_;
  Slots rotations_;     ///< by joint
  Slots translations_;  ///< by joint
  Tally no_rotation_;
  std::uint64_t non_finite_ = 0;
  Clip out_;
};

}  // namespace

Result<Clip> decode_clip(std::span<const std::byte> bytes, const SparseIndex& index,
                         std::size_t number, std::uint64_t& memory_left,
                         std::vector<Diagnostic>& diagnostics) {
  return ClipDecoder(bytes, index, number, diagnostics).decode(memory_left);
}

Quat header_rotation(std::span<const std::byte> bytes, const SparseClip& clip,
                     std::uint32_t position) {
  return read_as_rotation(base::load<Quat>(bytes, static_cast<std::size_t>(clip.base + position)));
}

float duration_of(const SparseClip& clip) {
  if (std::isfinite(clip.duration) && clip.duration >= 0.0F) return clip.duration;
  return time_of(clip.last_frame().value_or(0), clip.frame_rate);
}

float rate_of(const SparseClip& clip, const SparseSection& section) {
  return section.rate == 0.0F ? clip.frame_rate : section.rate;
}

}  // namespace mabkit::mab
