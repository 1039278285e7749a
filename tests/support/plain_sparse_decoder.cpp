#include "support/plain_sparse_decoder.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace mabkit::test {
namespace {

class File {
 public:
  explicit File(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    if (at + sizeof(T) > bytes_.size()) throw std::runtime_error("read past the end");
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  [[nodiscard]] unsigned u8(std::size_t at) const { return get<std::uint8_t>(at); }
  [[nodiscard]] unsigned u16(std::size_t at) const { return get<std::uint16_t>(at); }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const { return get<std::uint32_t>(at); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  /// 48 bits (section 2).
  [[nodiscard]] PlainQuat quat(std::size_t at) const {
    const float step = 4.315969e-05F;
    const float half = 0.70710677F;
    const unsigned w0 = u16(at);
    const unsigned w1 = u16(at + 2);
    const float a = static_cast<float>(w0 & 0x7FFFU) * step - half;
    const float b = static_cast<float>(w1 & 0x7FFFU) * step - half;
    const float c = static_cast<float>(get<std::int16_t>(at + 4)) * step - half;
    const float d = std::sqrt(std::max(0.0F, 1.0F - a * a - b * b - c * c));
    const bool high = w0 >= 0x8000;
    const bool low = w1 >= 0x8000;
    if (!high && !low) return {d, a, b, c};
    if (!high) return {a, b, d, c};
    if (!low) return {a, d, b, c};
    return {a, b, c, d};
  }
  [[nodiscard]] PlainVec vec(std::size_t at) const {
    return {get<float>(at), get<float>(at + 4), get<float>(at + 8)};
  }
  [[nodiscard]] std::string text(std::size_t at) const {
    std::string out;
    for (std::size_t i = 0; i < 32 && u8(at + i) != 0; ++i) {
      out.push_back(static_cast<char>(u8(at + i)));
    }
    return out;
  }

 private:
  std::span<const std::byte> bytes_;
};

std::vector<unsigned> bones_of(const File& file, std::size_t mask) {
  std::vector<unsigned> bones;
  for (unsigned id = 0; id < 160; ++id) {
    if ((file.u32(mask + 4 * (id / 32)) >> (id % 32) & 1U) != 0) bones.push_back(id);
  }
  return bones;
}

void demand(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

void read_keyed(const File& file, std::size_t at, const std::vector<unsigned>& bones,
                PlainClip& clip) {
  demand(file.u16(at) == bones.size(), "slot 3: count is not the mask's");
  clip.last_frame = file.u16(at + 2);
  clip.rate = file.u16(at + 4);
  if (bones.empty()) return;
  const unsigned groups = (clip.last_frame >> 3) + 1;
  std::size_t run = at + 8 + 4 * (std::size_t{groups} + 1);
  for (unsigned g = 0; g < groups; ++g) {
    demand(at + file.u32(at + 8 + 4 * g) == run, "slot 3: a group is not where the last one ends");
    const std::size_t presence = run + 6 * bones.size();
    std::size_t key = presence + (bones.size() + 1) / 2 * 2;
    for (std::size_t t = 0; t < bones.size(); ++t) {
      auto& keys = clip.keyed_rotations[bones[t]];
      keys[8 * g] = file.quat(run + 6 * t);
      demand(file.u8(presence + t) < 0x80, "slot 3: bit 7 is set in a new file");
      for (unsigned bit = 0; bit < 7; ++bit) {
        if ((file.u8(presence + t) >> bit & 1U) == 0) continue;
        demand(8 * g + bit + 1 <= clip.last_frame, "slot 3: a key past the last frame");
        keys[8 * g + bit + 1] = file.quat(key);
        key += 6;
      }
    }
    run = key;
  }
  demand(at + file.u32(at + 8 + 4 * groups) == run, "slot 3: the end is not where groups end");
}

void read_animated(const File& file, std::size_t at, const std::vector<unsigned>& bones,
                   PlainClip& clip) {
  demand(file.u16(at) == bones.size(), "slot 5: count is not the mask's");
  demand(file.u16(at + 2) == clip.last_frame, "slot 5: another last frame than slot 3");
  std::size_t value = at + 8;
  for (unsigned frame = 0; frame <= clip.last_frame && !bones.empty(); ++frame) {
    for (const unsigned bone : bones) {
      clip.animated_translations[bone].push_back(file.vec(value));
      value += 12;
    }
  }
}

void read_constants(const File& file, std::size_t base, PlainClip& clip) {
  const auto rotations = bones_of(file, base);
  const auto translations = bones_of(file, base + 0x28);
  const std::size_t slot2 = base + file.u32(base + 0x80);
  const std::size_t slot4 = base + file.u32(base + 0x88);
  demand(file.u16(slot2) == rotations.size(), "slot 2: count is not the mask's");
  demand(file.u16(slot4) == translations.size(), "slot 4: count is not the mask's");
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    clip.constant_rotations[rotations[i]] = file.quat(slot2 + 8 + 6 * i);
  }
  for (std::size_t i = 0; i < translations.size(); ++i) {
    clip.constant_translations[translations[i]] = file.vec(slot4 + 8 + 12 * i);
  }
}

void read_trajectory(const File& file, std::size_t base, PlainClip& clip) {
  const std::uint32_t slot0 = file.u32(base + 0x78);
  const std::uint32_t slot1 = file.u32(base + 0x7C);
  demand((slot0 != 0) == (slot1 != 0), "slots 0 and 1 don't come together");
  if (slot0 == 0) return;
  demand(file.u16(base + slot0) == 1 && file.u16(base + slot1) == 1, "slots 0, 1: count");
  demand(file.u16(base + slot0 + 2) == clip.last_frame, "slot 0: last frame");
  demand(file.u16(base + slot1 + 2) == clip.last_frame, "slot 1: last frame");
  for (unsigned frame = 0; frame <= clip.last_frame; ++frame) {
    clip.trajectory_translation.push_back(file.vec(base + slot0 + 8 + 12 * frame));
    clip.trajectory_rotation.push_back(file.quat(base + slot1 + 8 + 6 * frame));
  }
}

void read_tags(const File& file, std::size_t base, PlainClip& clip) {
  const std::uint32_t slot6 = file.u32(base + 0x90);
  if (slot6 == 0) return;
  const std::size_t table = base + slot6;
  for (std::uint32_t i = 0; i < file.u32(table); ++i) {
    const std::size_t record = table + 4 + 0xAC * std::size_t{i};
    clip.tags.push_back({.kind = file.u8(record),
                         .name_hash = file.u32(record + 0x18),
                         .name = file.text(record + 0x1C),
                         .parent_hash = file.u32(record + 0x3C),
                         .parent = file.text(record + 0x40),
                         .start = file.get<float>(record + 0x10),
                         .end = file.get<float>(record + 0x14),
                         .clip_at = record + file.u32(record + 0x0C)});
  }
}

void read_events(const File& file, std::size_t base, PlainClip& clip) {
  const std::uint32_t slot7 = file.u32(base + 0x94);
  if (slot7 == 0) return;
  std::size_t node = base + slot7;
  for (;;) {
    PlainEvent event{file.get<float>(node), file.u32(node + 4), {}};
    for (unsigned i = 0; i < file.u16(node + 8); ++i) {
      event.payload.push_back(file.get<std::byte>(node + 12 + i));
    }
    clip.events.push_back(std::move(event));
    const unsigned next = file.u16(node + 10);
    if (next == 0) return;
    node += next;
  }
}

/// Sections start at multiples of 16 in the order 1, 0, 2, 3, 4, 5, 6, 7, 8 (1.5 and 1.6).
void check_order(const File& file, std::size_t base) {
  std::uint32_t before = 0xA0 - 1;
  for (const unsigned slot : {1U, 0U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const std::uint32_t offset = file.u32(base + 0x78 + 4 * slot);
    if (offset == 0) continue;
    demand(offset % 16 == 0, "a section is not aligned");
    demand(offset > before, "the sections are out of order");
    before = offset;
  }
}

PlainQuat blend(const PlainQuat& a, const PlainQuat& b, double fraction) {
  double dot = 0.0;
  for (std::size_t i = 0; i < 4; ++i) dot += a[i] * b[i];
  const double sign = dot < 0.0 ? -1.0 : 1.0;
  const double angle = std::acos(std::min(1.0, sign * dot));
  double from = 1.0 - fraction;
  double to = fraction;
  if (sign * dot <= 0.9995) {
    from = std::sin((1.0 - fraction) * angle) / std::sin(angle);
    to = std::sin(fraction * angle) / std::sin(angle);
  }
  PlainQuat out;
  double squared = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = from * a[i] + sign * to * b[i];
    squared += out[i] * out[i];
  }
  for (double& component : out) component /= std::sqrt(squared);
  return out;
}

}  // namespace

bool PlainClip::has_rotation(unsigned bone) const {
  return constant_rotations.count(bone) != 0 || keyed_rotations.count(bone) != 0;
}

PlainQuat PlainClip::rotation(unsigned bone, unsigned frame) const {
  const auto constant = constant_rotations.find(bone);
  if (constant != constant_rotations.end()) return constant->second;
  const auto& keys = keyed_rotations.at(bone);
  const auto after = keys.upper_bound(frame);
  const auto before = std::prev(after);
  if (after == keys.end()) return before->second;
  return blend(before->second, after->second,
               static_cast<double>(frame - before->first) / (after->first - before->first));
}

PlainVec PlainClip::translation(unsigned bone, unsigned frame) const {
  const auto constant = constant_translations.find(bone);
  if (constant != constant_translations.end()) return constant->second;
  return animated_translations.at(bone).at(frame);
}

std::vector<PlainClip> decode_plain_sparse(std::span<const std::byte> bytes) {
  const File file(bytes);
  demand(file.u16(0) == 0x4C, "not version 0x4C");
  std::vector<PlainClip> clips;
  for (std::size_t base = 0x10; base < file.size();) {
    demand(file.u32(base + 0x70) == 0x1A446E41, "no clip tag");
    demand(file.u32(base + 0x9C) == 0, "a runtime pointer is set");
    check_order(file, base);
    PlainClip clip;
    clip.at = base;
    clip.duration = file.get<float>(base + 0x74);
    read_constants(file, base, clip);
    read_keyed(file, base + file.u32(base + 0x84), bones_of(file, base + 0x14), clip);
    read_animated(file, base + file.u32(base + 0x8C), bones_of(file, base + 0x3C), clip);
    read_trajectory(file, base, clip);
    read_tags(file, base, clip);
    read_events(file, base, clip);
    demand(clip.duration * static_cast<float>(clip.rate) <= static_cast<float>(clip.last_frame + 1),
           "the duration is past the last frame");
    base += file.u32(base + 0x98);
    clips.push_back(std::move(clip));
  }
  return clips;
}

double plain_angle(const PlainQuat& a, const PlainQuat& b) {
  double same = 0.0;
  double opposite = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    same += (a[i] - b[i]) * (a[i] - b[i]);
    opposite += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return 4.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(std::min(same, opposite))));
}

}  // namespace mabkit::test
