#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/mab.hpp>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "codec/packed_quaternion.hpp"
#include "mab/sparse_fields.hpp"

namespace mabkit::test {

/// Every fixture of the sparse family.
[[nodiscard]] std::vector<std::string> sparse_fixtures();

/// Parses; a failure is thrown as text, which fails the test.
[[nodiscard]] SparseMab parse_sparse(std::vector<std::byte> bytes, const ReadOptions& options = {});

/// The fields of a file that parses.
[[nodiscard]] mab::SparseFields fields_of(const std::vector<std::byte>& bytes);

/// `lay_out` of fields that can be laid out.
[[nodiscard]] std::vector<std::byte> file_of(const mab::SparseFields& fields);

/// The same motion with the presence bits in the other order: the seven bits that mark keys are
/// mirrored (bit i, frame i + 1, becomes bit 7 - (i + 1)); bit 7 and the keys stay.
[[nodiscard]] std::vector<std::byte> with_other_order(const std::vector<std::byte>& bytes);

/// Packs a unit quaternion with the encoder of spec mab-sparse, section 2.
[[nodiscard]] codec::PackedQuaternion pack(Quat q);

/// A uniformly random rotation.
[[nodiscard]] Quat random_rotation(std::mt19937& random);

/// Keys of one track, by frame; frames 0, 8, 16, ... must be among them.
struct KeyedTrack {
  struct Key {
    std::uint32_t frame = 0;
    Quat rotation;
  };
  std::vector<Key> keys;
};

/// A section of keyed rotations in LSB order.
[[nodiscard]] mab::KeyedRotationFields keyed_section(const std::vector<KeyedTrack>& tracks,
                                                     std::uint16_t last_frame, std::uint16_t rate);

/// A Far Cry 2 file of one clip with nothing but `tracks` at bones 0, 1, 2, ... and empty arrays.
[[nodiscard]] mab::SparseFields keyed_file(const std::vector<KeyedTrack>& tracks,
                                           std::uint16_t last_frame, std::uint16_t rate = 30);

/// The same file in the layout of Far Cry 3 with masks of `mask_words` words and rates as f32.
[[nodiscard]] mab::SparseFields as_far_cry_3(mab::SparseFields fields, std::size_t mask_words);

/// Appends an empty clip: no bones, sections of count 0.
void add_empty_clip(mab::SparseFields& fields);

/// The messages of diagnostics, one a line, with their paths.
[[nodiscard]] std::string texts(std::span<const Diagnostic> diagnostics);

/// Overwrites the bytes at `offset`.
template <class T>
void poke(std::vector<std::byte>& bytes, std::size_t offset, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes.at(offset + i) = reinterpret_cast<const std::byte*>(&value)[i];
  }
}

}  // namespace mabkit::test
