#include "support/sparse_files.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/bytes.hpp"
#include "support/fixtures.hpp"

namespace mabkit::test {
namespace {

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(describe("", result.error()));
  return std::move(*result);
}

unsigned mirrored(unsigned presence) {
  unsigned out = presence & 0x80U;
  for (unsigned frame = 1; frame <= 7; ++frame) {
    if ((presence >> (frame - 1) & 1U) != 0) out |= 1U << (7 - frame);
  }
  return out;
}

}  // namespace

std::vector<std::string> sparse_fixtures() {
  std::vector<std::string> names{"spec/example_fc2.mab", "motion/cmu_01_01_fc2.mab"};
  for (const std::string& name : fixtures("mab", ".mab")) {
    if (name.starts_with("mab/fc2_") || name.starts_with("mab/fc3_") ||
        name.starts_with("mab/fc3bd_")) {
      names.push_back(name);
    }
  }
  return names;
}

SparseMab parse_sparse(std::vector<std::byte> bytes, const ReadOptions& options) {
  return value_of(SparseMab::parse(std::move(bytes), options));
}

mab::SparseFields fields_of(const std::vector<std::byte>& bytes) {
  return value_of(mab::fields(bytes, value_of(mab::index_sparse(bytes, {}))));
}

std::vector<std::byte> file_of(const mab::SparseFields& fields) {
  return value_of(mab::lay_out(fields));
}

std::vector<std::byte> with_other_order(const std::vector<std::byte>& bytes) {
  mab::SparseFields fields = fields_of(bytes);
  for (mab::ClipFields& clip : fields.clips) {
    if (!clip.keyed_rotations) continue;
    for (mab::GroupFields& group : clip.keyed_rotations->groups) {
      for (std::uint8_t& presence : group.presence) {
        presence = static_cast<std::uint8_t>(mirrored(presence));
      }
    }
  }
  return file_of(fields);
}

codec::PackedQuaternion pack(Quat rotation) {
  constexpr double half = 0.70710677;
  constexpr double step = 4.315969e-05;
  std::array<double, 4> q{rotation.x, rotation.y, rotation.z, rotation.w};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  std::size_t best = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    const bool ties = std::abs(q[i]) == std::abs(q[best]);
    if (std::abs(q[i]) > std::abs(q[best]) || (ties && (q[i] >= 0 || q[best] < 0))) best = i;
  }
  const double sign = q[best] < 0 ? -1.0 : 1.0;
  std::array<unsigned, 3> levels{};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == best) continue;
    const double level = std::floor((sign * q[i] / length + half) / step + 0.5);
    levels[kept++] = static_cast<unsigned>(std::clamp(level, 0.0, 32767.0));
  }
  constexpr std::array<unsigned, 4> codes{0, 2, 1, 3};  // drops x, y, z, w
  const unsigned code = codes[best];
  return {static_cast<std::uint16_t>(levels[0] | ((code & 2U) != 0 ? 0x8000U : 0U)),
          static_cast<std::uint16_t>(levels[1] | ((code & 1U) != 0 ? 0x8000U : 0U)),
          static_cast<std::uint16_t>(levels[2])};
}

Quat random_rotation(std::mt19937& random) {
  std::normal_distribution<float> component;
  const Quat q{component(random), component(random), component(random), component(random)};
  const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / length, q.y / length, q.z / length, q.w / length};
}

mab::KeyedRotationFields keyed_section(const std::vector<KeyedTrack>& tracks,
                                       std::uint16_t last_frame, std::uint16_t rate) {
  mab::KeyedRotationFields section;
  section.header = {static_cast<std::uint16_t>(tracks.size()), last_frame, rate, 0};
  if (tracks.empty()) return section;
  section.groups.resize(last_frame / 8 + 1U);
  for (const KeyedTrack& track : tracks) {
    for (mab::GroupFields& group : section.groups) group.presence.push_back(0);
    for (const auto& [frame, rotation] : track.keys) {
      mab::GroupFields& group = section.groups.at(frame / 8);
      if (frame % 8 == 0) {
        group.first_keys.push_back(pack(rotation));
      } else {
        group.presence.back() =
            static_cast<std::uint8_t>(group.presence.back() | 1U << (frame % 8 - 1));
        group.further_keys.push_back(pack(rotation));
      }
    }
  }
  return section;
}

mab::SparseFields keyed_file(const std::vector<KeyedTrack>& tracks, std::uint16_t last_frame,
                             std::uint16_t rate) {
  constexpr std::size_t mask_words = 5;
  mab::ClipFields clip;
  clip.mask_words = mask_words;
  for (auto& mask : clip.masks) mask.resize(mask_words);
  for (std::size_t bone = 0; bone < tracks.size(); ++bone) {
    clip.masks[1].at(bone / 32) |= 1U << (bone % 32);
  }
  const auto one = base::cast_bits<mab::FloatBits>(1.0F);
  clip.reference[3] = one;
  clip.loop[3] = one;
  clip.tag = mab::clip_tag;
  clip.duration =
      base::cast_bits<mab::FloatBits>(static_cast<float>(last_frame) / static_cast<float>(rate));
  clip.constant_rotations.emplace();
  clip.keyed_rotations = keyed_section(tracks, last_frame, rate);
  clip.constant_translations.emplace();
  clip.animated_translations.emplace();
  clip.animated_translations->header = {0, last_frame, rate, 0};
  mab::SparseFields fields;
  fields.version = 0x4C;
  fields.unknown_0x02 = 1;
  fields.clips.push_back(std::move(clip));
  return fields;
}

mab::SparseFields as_far_cry_3(mab::SparseFields fields, std::size_t mask_words) {
  constexpr std::size_t words_before_reference = 36;  // 0x90 bytes (spec mab-sparse, 5.2)
  const auto with_f32_rate = [](mab::ArrayHeaderFields& header) {
    const auto bits = base::cast_bits<std::uint32_t>(static_cast<float>(header.rate));
    header.rate = static_cast<std::uint16_t>(bits & 0xFFFFU);
    header.unknown_0x06 = static_cast<std::uint16_t>(bits >> 16U);
  };
  fields.version = 0x61;
  for (mab::ClipFields& clip : fields.clips) {
    clip.mask_words = static_cast<std::uint32_t>(mask_words);
    for (auto& mask : clip.masks) mask.resize(mask_words);
    clip.unknown_before_reference.assign(words_before_reference - 4 * mask_words, 0);
    with_f32_rate(clip.keyed_rotations->header);
    with_f32_rate(clip.animated_translations->header);
  }
  return fields;
}

void add_empty_clip(mab::SparseFields& fields) {
  fields.clips.push_back(keyed_file({}, 0, 30).clips.front());
}

std::string texts(std::span<const Diagnostic> diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += describe("", diagnostic) + "\n";
  return out;
}

}  // namespace mabkit::test
