#include "codec/chunked_stream.hpp"

#include <fmt/format.h>

#include <string>

#include "base/bytes.hpp"
#include "codec/chunked_arithmetic.hpp"

namespace mabkit::codec {
namespace {

constexpr unsigned constant_bits = 16;
constexpr unsigned byte_bits = 8;

/// Reads one component's values for `keys` keys into `out[0]`, `out[stride]`, ...
void decode_component(base::BitReader& in, bool is_constant, unsigned bits, unsigned keys,
                      std::size_t stride, float* out) {
  if (is_constant) {
    const float value = constant_value(in.take(constant_bits));
    for (unsigned key = 0; key < keys; ++key) out[key * stride] = value;
    return;
  }
  const float base = base_value(in.take(byte_bits));
  const float slope = slope_value(in.take(byte_bits), bits);
  for (unsigned key = 0; key < keys; ++key) {
    out[key * stride] = varying_value(in.take(bits), slope, base);
  }
}

/// The same of a component that was read before.
void decode_component(const ComponentBlock& component, unsigned bits, unsigned keys,
                      std::size_t stride, float* out) {
  if (component.is_constant) {
    const float value = constant_value(component.word);
    for (unsigned key = 0; key < keys; ++key) out[key * stride] = value;
    return;
  }
  const float base = base_value(component.base);
  const float slope = slope_value(component.slope, bits);
  for (unsigned key = 0; key < keys; ++key) {
    out[key * stride] = varying_value(component.raws[key], slope, base);
  }
}

}  // namespace

Result<ChunkTable> read_chunk_table(std::span<const std::byte> section, std::uint64_t offset,
                                    std::string_view path) {
  const auto fail = [&](ErrorCode code, std::uint64_t at, std::string message) {
    return tl::unexpected(Error{code, offset + at, std::string(path), std::move(message)});
  };
  constexpr std::uint32_t entry_size = 4;
  if (section.size() < 2 * entry_size) {
    return fail(
        ErrorCode::truncated, 0,
        fmt::format("a chunk table needs at least 8 bytes, the section has {}", section.size()));
  }
  // The first entry is at once the table's size and the first chunk's start.
  const auto table_size = base::load<std::uint32_t>(section, 0);
  if (table_size % entry_size != 0 || table_size < 2 * entry_size || table_size > section.size()) {
    return fail(ErrorCode::bad_value, 0,
                fmt::format("the chunk table's first entry is 0x{:X}, not a multiple of 4 from 8 "
                            "to the section's size 0x{:X}",
                            table_size, section.size()));
  }
  ChunkTable table;
  table.starts.resize(table_size / entry_size);
  std::uint32_t previous = table_size;
  for (std::size_t i = 0; i < table.starts.size(); ++i) {
    const auto start = base::load<std::uint32_t>(section, i * entry_size);
    if (start < previous) {
      return fail(ErrorCode::inconsistent, i * entry_size,
                  fmt::format("the chunk table falls: entry {} is 0x{:X}, after 0x{:X}", i, start,
                              previous));
    }
    if (start > section.size()) {
      return fail(ErrorCode::out_of_range, i * entry_size,
                  fmt::format("chunk {} ends at 0x{:X}, past the section's end 0x{:X}",
                              i == 0 ? 0 : i - 1, offset + start, offset + section.size()));
    }
    table.starts[i] = start;
    previous = start;
  }
  return table;
}

JointBlock read_block(base::BitReader& in, BlockKind kind, unsigned bits, unsigned keys) {
  JointBlock block;
  for (ComponentBlock& component : block.components) component.is_constant = in.take(1) != 0;
  if (kind == BlockKind::rotation) {
    block.has_signs = in.take(1) != 0;
    block.implicit = static_cast<std::uint8_t>(in.take(2));
    if (block.has_signs) block.signs = static_cast<std::uint8_t>(in.take(keys));
  }
  for (ComponentBlock& component : block.components) {
    if (component.is_constant) {
      component.word = static_cast<std::uint16_t>(in.take(constant_bits));
      continue;
    }
    component.base = static_cast<std::uint8_t>(in.take(byte_bits));
    component.slope = static_cast<std::uint8_t>(in.take(byte_bits));
    for (unsigned key = 0; key < keys; ++key) {
      component.raws[key] = static_cast<std::uint16_t>(in.take(bits));
    }
  }
  return block;
}

void write_block(base::BitWriter& out, const JointBlock& block, BlockKind kind, unsigned bits,
                 unsigned keys) {
  for (const ComponentBlock& component : block.components)
    out.put(component.is_constant ? 1 : 0, 1);
  if (kind == BlockKind::rotation) {
    out.put(block.has_signs ? 1 : 0, 1);
    out.put(block.implicit, 2);
    if (block.has_signs) out.put(block.signs, keys);
  }
  for (const ComponentBlock& component : block.components) {
    if (component.is_constant) {
      out.put(component.word, constant_bits);
      continue;
    }
    out.put(component.base, byte_bits);
    out.put(component.slope, byte_bits);
    for (unsigned key = 0; key < keys; ++key) out.put(component.raws[key], bits);
  }
}

std::uint64_t block_bits(const JointBlock& block, BlockKind kind, unsigned bits, unsigned keys) {
  std::uint64_t size = kind == BlockKind::rotation ? 6 : 3;
  if (block.has_signs) size += keys;
  for (const ComponentBlock& component : block.components) {
    size += component.is_constant ? constant_bits
                                  : std::uint64_t{2} * byte_bits + std::uint64_t{bits} * keys;
  }
  return size;
}

std::uint64_t skip_block(base::BitReader& in, BlockKind kind, unsigned bits, unsigned keys) {
  const std::uint64_t before = in.position();
  const std::uint32_t constants = in.take(3);
  if (kind == BlockKind::rotation) {
    const bool has_signs = in.take(1) != 0;
    in.skip(2);
    if (has_signs) in.skip(keys);
  }
  for (unsigned component = 0; component < 3; ++component) {
    const bool is_constant = (constants >> component & 1U) != 0;
    in.skip(is_constant ? constant_bits
                        : std::uint64_t{2} * byte_bits + std::uint64_t{bits} * keys);
  }
  return in.position() - before;
}

void decode_rotation_block(base::BitReader& in, unsigned bits, unsigned keys,
                           std::span<float> out) {
  const std::uint32_t constants = in.take(3);
  const bool has_signs = in.take(1) != 0;
  const unsigned implicit = in.take(2);
  const std::uint32_t signs = has_signs ? in.take(keys) : 0;
  unsigned stored = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if (component == implicit) continue;
    decode_component(in, (constants >> stored & 1U) != 0, bits, keys, 4, out.data() + component);
    ++stored;
  }
  for (unsigned key = 0; key < keys; ++key) {
    recover_implicit(out.data() + std::size_t{4} * key, implicit, (signs >> key & 1U) != 0);
  }
}

void decode_translation_block(base::BitReader& in, unsigned bits, unsigned keys, float scale,
                              std::span<float> out) {
  const std::uint32_t constants = in.take(3);
  for (unsigned component = 0; component < 3; ++component) {
    decode_component(in, (constants >> component & 1U) != 0, bits, keys, 3, out.data() + component);
  }
  for (float& value : out.first(std::size_t{3} * keys)) value *= scale;
}

void decode_rotations(const JointBlock& block, unsigned bits, unsigned keys, std::span<float> out) {
  unsigned stored = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if (component == block.implicit) continue;
    decode_component(block.components[stored], bits, keys, 4, out.data() + component);
    ++stored;
  }
  for (unsigned key = 0; key < keys; ++key) {
    const bool is_negative = block.has_signs && (block.signs >> key & 1U) != 0;
    recover_implicit(out.data() + std::size_t{4} * key, block.implicit, is_negative);
  }
}

void decode_translations(const JointBlock& block, unsigned bits, unsigned keys, float scale,
                         std::span<float> out) {
  for (unsigned component = 0; component < 3; ++component) {
    decode_component(block.components[component], bits, keys, 3, out.data() + component);
  }
  for (float& value : out.first(std::size_t{3} * keys)) value *= scale;
}

}  // namespace mabkit::codec
