#include "support/chunked_files.hpp"

#include <array>
#include <cstring>
#include <mabkit/mab.hpp>
#include <stdexcept>

#include "mab/chunked_detect.hpp"
#include "mab/chunked_parse.hpp"
#include "support/fixtures.hpp"

namespace mabkit::test {
namespace {

std::uint32_t float_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

template <class T>
void fill(std::mt19937& random, std::vector<T>& values, std::size_t count) {
  values.resize(count);
  for (T& value : values) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      reinterpret_cast<unsigned char*>(&value)[i] = static_cast<unsigned char>(random());
    }
  }
}

std::uint8_t random_flags(std::mt19937& random, const mab::ChunkedLayout& layout) {
  constexpr std::array<std::uint8_t, 3> rotations{0x00, 0x10, 0x30};
  constexpr std::array<std::uint8_t, 3> translations{0x00, 0x40, 0xC0};
  std::uint8_t flags = rotations[random() % 3];
  if (flags == 0x10) flags |= static_cast<std::uint8_t>(random() % 16);
  if (!layout.has_guessed_translations) flags |= translations[random() % 3];
  return flags;
}

}  // namespace

mab::ChunkedFields fields_of(const std::string& fixture) {
  const auto bytes = read_fixture(fixture);
  const base::ByteReader file(bytes);
  mab::ChunkedIndex index;
  const auto detected = mab::detect_chunked(file);
  if (!detected) throw std::runtime_error(fixture + " is not of the chunked family");
  index.layout = detected->layout;
  index.part_record_size = index.layout->part_record_size;
  const ReadLimits limits;
  const mab::ChunkedParse parse{file, limits, index};
  index.blocks.push_back(
      mab::read_block_structure(parse, mab::main_base, file.size(), "clip[0]").value());
  if (!mab::read_parts(parse, 0, 0)) throw std::runtime_error("parts of " + fixture);
  return mab::collect_fields(bytes, index);
}

void set_header(mab::BlockFields& block, const mab::ChunkedLayout& layout, const std::string& name,
                std::uint64_t value) {
  const auto fields = mab::header_fields(layout);
  block.header.resize(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) {
      block.header[i] = value;
      return;
    }
  }
  throw std::runtime_error("no header field " + name);
}

mab::StreamFields random_stream(std::mt19937& random, codec::BlockKind kind, std::uint32_t keys,
                                std::vector<unsigned> bits) {
  mab::StreamFields stream{kind, keys, std::move(bits), {}};
  for (std::uint32_t chunk = 0; chunk < codec::chunk_count(keys); ++chunk) {
    const unsigned count = codec::keys_of_chunk(keys, chunk);
    auto& blocks = stream.chunks.emplace_back();
    for (const unsigned depth : stream.bits) {
      codec::JointBlock& block = blocks.emplace_back();
      if (kind == codec::BlockKind::rotation) {
        block.implicit = static_cast<std::uint8_t>(random() % 4);
        block.has_signs = random() % 4 == 0;
        if (block.has_signs) block.signs = static_cast<std::uint8_t>(random() % (1U << count));
      }
      for (codec::ComponentBlock& component : block.components) {
        component.is_constant = random() % 4 == 0;
        if (component.is_constant) {
          component.word = static_cast<std::uint16_t>(random());
          continue;
        }
        component.base = static_cast<std::uint8_t>(random());
        component.slope = static_cast<std::uint8_t>(random());
        for (unsigned key = 0; key < count; ++key) {
          component.raws[key] = static_cast<std::uint16_t>(random() % (1U << depth));
        }
      }
    }
  }
  return stream;
}

mab::ChunkedFields random_file(std::mt19937& random, const mab::ChunkedLayout& layout) {
  mab::ChunkedFields file;
  file.layout = &layout;
  file.wrapper = {layout.magic, static_cast<std::uint32_t>(random()), 7, 9};
  file.part_record_size = layout.part_record_size;
  file.tail.resize(layout.tail_size);

  mab::BlockFields& block = file.main;
  block.aligns_empty_sections = layout.aligns_empty_sections;
  const auto joints = 1 + random() % 40;
  const auto keys = static_cast<std::uint32_t>(1 + random() % 50);
  fill(random, block.hashes, joints);
  std::vector<unsigned> rotation_depths;
  std::size_t constant_rotations = 0;
  std::size_t constant_translations = 0;
  std::vector<unsigned> translation_depths;
  for (std::size_t joint = 0; joint < joints; ++joint) {
    const std::uint8_t flags = random_flags(random, layout);
    block.flags.push_back(flags);
    if (mab::has_animated_rotation(layout, flags)) rotation_depths.push_back((flags & 0xF) + 1U);
    if (mab::has_constant_rotation(layout, flags)) ++constant_rotations;
    if (mab::has_constant_translation(flags)) ++constant_translations;
    if (mab::has_animated_translation(flags)) {
      translation_depths.push_back(static_cast<unsigned>(2 + random() % 15));
      block.translation_table.push_back(translation_depths.back() |
                                        static_cast<std::uint32_t>(random() << 8U));
    }
  }
  std::uint16_t tick = 0;
  for (std::uint32_t key = 0; key < keys; ++key) {
    block.ticks.push_back(tick);
    tick = static_cast<std::uint16_t>(tick + 1 + random() % 3);
  }
  fill(random, block.constant_rotations, constant_rotations);
  fill(random, block.constant_translations, constant_translations);
  if (!rotation_depths.empty()) {
    block.joint_rotations =
        random_stream(random, codec::BlockKind::rotation, keys, rotation_depths);
  }
  if (!translation_depths.empty()) {
    block.joint_translations =
        random_stream(random, codec::BlockKind::translation, keys, translation_depths);
  }

  const float rate = layout.ticks_per_second > 0 ? layout.ticks_per_second : 24.0F;
  const float last = keys == 1 ? 1.0F : static_cast<float>(block.ticks.back());
  set_header(block, layout, "signature", 0x694E61);
  set_header(block, layout, "flags", random() & 0x7FU);
  set_header(block, layout, "duration", float_bits(last / rate));
  if (layout.frame_rate) set_header(block, layout, "animFrameRate", float_bits(rate));
  set_header(block, layout, "nbBonesInAnim", joints | (random() & 0xF000U));
  return file;
}

std::vector<std::byte> laid_out(const mab::ChunkedFields& fields) {
  return mab::lay_out(fields).value();
}

}  // namespace mabkit::test
