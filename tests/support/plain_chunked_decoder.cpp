#include "support/plain_chunked_decoder.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

namespace mabkit::test {
namespace {

using Bytes = std::vector<std::byte>;

void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("plain decoder: " + what);
}

std::uint64_t number(const Bytes& file, std::size_t at, std::size_t size) {
  require(at + size <= file.size(), "reads past the end");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= std::to_integer<std::uint64_t>(file[at + i]) << (8 * i);
  }
  return value;
}
std::uint32_t u8(const Bytes& file, std::size_t at) {
  return static_cast<std::uint32_t>(number(file, at, 1));
}
std::uint32_t u16(const Bytes& file, std::size_t at) {
  return static_cast<std::uint32_t>(number(file, at, 2));
}
std::uint32_t u32(const Bytes& file, std::size_t at) {
  return static_cast<std::uint32_t>(number(file, at, 4));
}
float f32(const Bytes& file, std::size_t at) {
  const std::uint32_t word = u32(file, at);
  float value = 0.0F;
  std::memcpy(&value, &word, 4);
  return value;
}

/// The columns of the table in 1.2.
struct Columns {
  std::size_t signature, size, duration, rate, bones, counts, offsets, last_frame, crcs;
  std::size_t record;  // 6.1
};

Columns columns_of(std::uint32_t magic) {
  static const std::map<std::uint32_t, Columns> table{
      {0x329B, {0x04, 0x08, 0x0C, 0, 0x10, 0x12, 0x20, 0x4C, 0x50, 32}},
      {0x00B0, {0x10, 0x14, 0x18, 0x1C, 0x20, 0x22, 0x34, 0x64, 0x68, 32}},
      {0x00B6, {0x10, 0x14, 0x18, 0x1C, 0x20, 0x22, 0x34, 0x60, 0x68, 28}},
      {0x46AF, {0x10, 0x14, 0x18, 0x1C, 0x20, 0x22, 0x38, 0x6C, 0x70, 32}},
      {0x46B4, {0x10, 0x14, 0x18, 0x1C, 0x20, 0x22, 0x38, 0x6C, 0x70, 32}},
  };
  const auto row = table.find(magic);
  require(row != table.end(), "unknown magic");
  return row->second;
}

/// Bits, least significant first, one by one.
class Bits {
 public:
  Bits(const Bytes& file, std::size_t from, std::size_t to)
      : file_(file), at_(8 * from), end_(8 * to) {}
  std::uint32_t take(unsigned count) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i, ++at_) {
      require(at_ < end_, "a chunk is too short");
      value |= (u8(file_, at_ / 8) >> (at_ % 8) & 1U) << i;
    }
    return value;
  }
  /// 2.1: each chunk's last byte is zero-filled, and there is no slack.
  void finish() {
    require(end_ - at_ < 8, "a chunk has slack");
    while (at_ < end_) require(take(1) == 0, "a chunk's last byte is not zero-filled");
  }

 private:
  const Bytes& file_;
  std::size_t at_;
  std::size_t end_;
};

/// 2.2: one component's values over the keys of a chunk.
std::vector<float> component(Bits& bits, bool is_constant, unsigned n, unsigned keys) {
  if (is_constant) {
    const auto word = static_cast<float>(bits.take(16));
    return std::vector<float>(keys, word * 0.000030518044F - 1.0F);
  }
  const float base = static_cast<float>(bits.take(8)) * 0.0078740157F - 1.0F;
  const auto slope = static_cast<float>(bits.take(8));
  const float scale = n < 2 ? 0.0F : 1.0F / static_cast<float>((1 << n) - 1);
  std::vector<float> values;
  for (unsigned key = 0; key < keys; ++key) {
    const auto raw = static_cast<float>(bits.take(n));
    values.push_back(raw * (slope * 0.0078431377F * scale) + base);
  }
  return values;
}

/// 2.2: one bone's rotations over a chunk.
void rotations(Bits& bits, unsigned n, unsigned keys, std::vector<std::array<float, 4>>& out) {
  bool constant[3];
  for (bool& c : constant) c = bits.take(1) != 0;
  const bool has_signs = bits.take(1) != 0;
  const std::uint32_t k = bits.take(2);
  const std::uint32_t signs = has_signs ? bits.take(keys) : 0;
  std::vector<float> stored[3];
  for (int j = 0; j < 3; ++j) stored[j] = component(bits, constant[j], n, keys);
  for (unsigned key = 0; key < keys; ++key) {
    float a = stored[0][key];
    float b = stored[1][key];
    float c = stored[2][key];
    const float s = a * a + b * b + c * c;
    float implicit = 0.0F;
    if (s <= 1.0F) {
      implicit = std::sqrt(1.0F - s);
      if ((signs >> key & 1U) != 0) implicit = -implicit;
    } else {
      const float length = std::sqrt(s);
      a /= length;
      b /= length;
      c /= length;
    }
    std::array<float, 4> q{};
    const float three[3] = {a, b, c};
    for (std::uint32_t i = 0, next = 0; i < 4; ++i) q[i] = i == k ? implicit : three[next++];
    out.push_back(q);
  }
}

/// 3.2: one bone's translations over a chunk.
void translations(Bits& bits, unsigned n, unsigned keys, float scale,
                  std::vector<std::array<float, 4>>& out) {
  bool constant[3];
  for (bool& c : constant) c = bits.take(1) != 0;
  std::vector<float> stored[3];
  for (int j = 0; j < 3; ++j) stored[j] = component(bits, constant[j], n, keys);
  for (unsigned key = 0; key < keys; ++key) {
    out.push_back({stored[0][key] * scale, stored[1][key] * scale, stored[2][key] * scale, 0.0F});
  }
}

/// 2.5.
std::array<float, 4> packed(const Bytes& file, std::size_t at) {
  const std::uint32_t w0 = u16(file, at);
  const std::uint32_t w1 = u16(file, at + 2);
  const std::uint32_t w2 = u16(file, at + 4);
  const float step = 4.315969e-05F;
  const float bias = 0.7071068F;
  const float a = static_cast<float>(w0 & 0x7FFF) * step - bias;
  const float b = static_cast<float>(w1 & 0x7FFF) * step - bias;
  const float c = static_cast<float>(w2) * step - bias;
  const float d = std::sqrt(std::max(0.0F, 1.0F - a * a - b * b - c * c));
  switch ((w0 >> 15) | (w1 >> 15) << 1) {
    case 0:
      return {d, a, b, c};
    case 1:
      return {a, d, b, c};
    case 2:
      return {a, b, d, c};
    default:
      return {a, b, c, d};
  }
}

class BlockDecoder {
 public:
  BlockDecoder(const Bytes& file, const Columns& columns, std::size_t base)
      : file_(file), at_(columns), base_(base) {}

  PlainChunkedClip run() {
    require(u8(file_, base_ + at_.signature) == 'a' && u8(file_, base_ + at_.signature + 1) == 'N',
            "no signature");
    bones_ = u16(file_, base_ + at_.bones) & 0xFFF;
    keys_ = u16(file_, base_ + at_.last_frame) + 1;
    clip_.duration = f32(file_, base_ + at_.duration);
    if (at_.rate != 0) clip_.frame_rate = f32(file_, base_ + at_.rate);
    for (std::size_t bone = 0; bone < bones_; ++bone) {
      clip_.hashes.push_back(u32(file_, base_ + at_.crcs + 4 * bone));
    }
    // 1.7: key times stand right behind the flags, and [1] right behind them.
    require(offset(0) == (at_.crcs + 5 * bones_ + 3) / 4 * 4, "KeyTimes are not behind the flags");
    require(offset(1) - offset(0) == 2 * keys_, "KeyTimes and the table are not tight");
    for (std::size_t key = 0; key < keys_; ++key) {
      clip_.ticks.push_back(u16(file_, section(0) + 2 * key));
      require(key == 0 || clip_.ticks[key] >= clip_.ticks[key - 1], "KeyTimes fall");
    }
    plan();
    read_streams();
    read_displacement();
    return std::move(clip_);
  }

  /// 6.1.
  void read_records(std::vector<PlainChunkedClip>& clips, std::size_t self) const {
    if (offset(8) == 0) return;
    std::map<std::size_t, std::size_t> known;
    const std::uint32_t count = u32(file_, section(8));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t start = section(8) + 4 + i * at_.record;
      const std::size_t fields = start + at_.record - 28;
      PlainChunkedRecord record;
      record.start = f32(file_, fields + 4);
      record.end = f32(file_, fields + 8);
      record.child_bone = u32(file_, fields + 12);
      record.parent_bone = u32(file_, fields + 16);
      record.target_bone = u32(file_, fields + 20);
      record.kind = static_cast<int>(u8(file_, fields + 24));
      require(u8(file_, fields + 25) == 3, "the byte after the kind is not 3");
      if (const std::uint32_t name = u16(file_, fields + 26); name != 0) {
        record.name.emplace();
        for (std::size_t c = start + name; u8(file_, c) != 0; ++c) {
          record.name->push_back(static_cast<char>(u8(file_, c)));
        }
      }
      if (const std::uint32_t child = u32(file_, fields); child != 0) {
        const std::size_t base = start + child;
        require((base - 16) % 8 == 0, "a child is not aligned");
        if (known.count(base) == 0) {
          known[base] = clips.size();
          BlockDecoder decoder(file_, at_, base);
          clips.push_back(decoder.run());
          decoder.read_records(clips, known[base]);
        }
        record.clip = known[base];
      }
      clips[self].records.push_back(record);
    }
  }

 private:
  [[nodiscard]] std::size_t offset(std::size_t index) const {
    return u32(file_, base_ + at_.offsets + 4 * index);
  }
  [[nodiscard]] std::size_t section(std::size_t index) const { return base_ + offset(index); }
  [[nodiscard]] std::uint32_t count(std::size_t index) const {
    return u16(file_, base_ + at_.counts + 2 * index);
  }

  /// Tracks by the flags (5), constants with their values.
  void plan() {
    std::size_t constant_rotations = 0;
    std::size_t constant_translations = 0;
    std::size_t animated_rotations = 0;
    std::size_t animated_translations = 0;
    for (std::uint32_t bone = 0; bone < bones_; ++bone) {
      const std::uint32_t flags = u8(file_, base_ + at_.crcs + 4 * bones_ + bone);
      if ((flags & 0x30) == 0x30) {
        require((flags & 0x0F) == 0, "a constant rotation has a depth");
        clip_.tracks.push_back(
            {bone, true, true, 0, {packed(file_, section(4) + 6 * constant_rotations++)}});
      } else if ((flags & 0x10) != 0) {
        ++animated_rotations;
        clip_.tracks.push_back({bone, true, false, (flags & 0x0F) + 1, {}});
      }
      if ((flags & 0xC0) == 0xC0) {
        const std::size_t at = section(5) + 6 * constant_translations++;
        const auto axis = [&](std::size_t i) {
          return static_cast<float>(static_cast<std::int16_t>(u16(file_, at + 2 * i))) / 16384.0F;
        };
        clip_.tracks.push_back({bone, false, true, 0, {{axis(0), axis(1), axis(2), 0.0F}}});
      } else if ((flags & 0x40) != 0) {
        const std::size_t entry = count(6) - count(5) + animated_translations++;
        const std::uint32_t word = u32(file_, section(1) + 4 * entry);
        clip_.tracks.push_back({bone, false, false, word & 0xFF, {}});
        scales_.push_back(static_cast<float>(word >> 8) * 0.00029802325F);
      }
    }
    require(count(2) == constant_rotations && count(3) == constant_translations &&
                count(4) == animated_rotations && count(5) == animated_translations &&
                count(6) == count(1) + count(5),
            "counts differ from the flags");
  }

  /// 2.1: [from, to) of every chunk.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> chunks(std::size_t index) const {
    const std::size_t table = section(index);
    const std::uint32_t size = u32(file_, table);
    require(size % 4 == 0 && size >= 8, "a chunk table is odd");
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::uint32_t entry = 0; entry + 1 < size / 4; ++entry) {
      out.emplace_back(table + u32(file_, table + 4 * entry),
                       table + u32(file_, table + 4 * entry + 4));
    }
    return out;
  }
  [[nodiscard]] unsigned keys_in(std::size_t chunk) const {
    return static_cast<unsigned>(std::min<std::size_t>(8, keys_ - 8 * chunk));
  }

  void read_streams() {
    for (const bool is_rotation : {true, false}) {
      if (count(is_rotation ? 4 : 5) == 0) continue;
      const auto table = chunks(is_rotation ? 6 : 7);
      require(table.size() == (keys_ + 7) / 8, "a stream has too many or too few chunks");
      for (std::size_t chunk = 0; chunk < table.size(); ++chunk) {
        Bits bits(file_, table[chunk].first, table[chunk].second);
        std::size_t entry = 0;
        for (PlainChunkedTrack& track : clip_.tracks) {
          if (track.is_rotation != is_rotation || track.is_constant) continue;
          if (is_rotation) rotations(bits, track.bits, keys_in(chunk), track.values);
          if (!is_rotation) {
            translations(bits, track.bits, keys_in(chunk), scales_[entry++], track.values);
          }
        }
        bits.finish();
      }
    }
  }

  /// 3.4: constant in one chunk, else chunks of 8 keys; the depth of orientations is the one that
  /// consumes them.
  void read_displacement() {
    if (count(0) != 0) clip_.displacement_rotation = displacement(2, true);
    if (count(1) != 0) clip_.displacement_translation = displacement(3, false);
  }

  [[nodiscard]] PlainChunkedTrack displacement(std::size_t index, bool is_rotation) const {
    const auto table = chunks(index);
    const bool is_constant =
        table.size() == 1 && (Bits(file_, table[0].first, table[0].second).take(3) == 7);
    const std::uint32_t entry = is_rotation ? 0 : u32(file_, section(1));
    const float scale = static_cast<float>(entry >> 8) * 0.00029802325F;
    std::vector<PlainChunkedTrack> readings;
    for (unsigned n = 1; n <= 16; ++n) {
      if (!is_rotation && n != (entry & 0xFF)) continue;
      PlainChunkedTrack track{0, is_rotation, is_constant, n, {}};
      try {
        for (std::size_t chunk = 0; chunk < table.size(); ++chunk) {
          Bits bits(file_, table[chunk].first, table[chunk].second);
          const unsigned keys = is_constant ? 1 : keys_in(chunk);
          if (is_rotation) rotations(bits, n, keys, track.values);
          if (!is_rotation) translations(bits, n, keys, scale, track.values);
          bits.finish();
        }
      } catch (const std::runtime_error&) {
        continue;
      }
      if (!readings.empty() && readings.back().values == track.values) continue;
      readings.push_back(track);
    }
    require(readings.size() == 1, "displacement has no single reading");
    return readings.front();
  }

  const Bytes& file_;
  const Columns& at_;
  std::size_t base_;
  std::size_t bones_ = 0;
  std::size_t keys_ = 0;
  std::vector<float> scales_;
  PlainChunkedClip clip_;
};

}  // namespace

std::vector<PlainChunkedClip> decode_chunked_plainly(const std::vector<std::byte>& file) {
  const Columns columns = columns_of(u32(file, 0));
  std::vector<PlainChunkedClip> clips;
  BlockDecoder decoder(file, columns, 0x10);
  clips.push_back(decoder.run());
  decoder.read_records(clips, 0);
  return clips;
}

}  // namespace mabkit::test
