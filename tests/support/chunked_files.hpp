#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "mab/chunked_fields.hpp"

namespace mabkit::test {

/// The fields of a fixture.
[[nodiscard]] mab::ChunkedFields fields_of(const std::string& fixture);

/// Writes a header word by the name that `header_fields` gives it.
void set_header(mab::BlockFields& block, const mab::ChunkedLayout& layout, const std::string& name,
                std::uint64_t value);

/// A stream with random integers: `bits` a joint, `keys` keys.
[[nodiscard]] mab::StreamFields random_stream(std::mt19937& random, codec::BlockKind kind,
                                              std::uint32_t keys, std::vector<unsigned> bits);

/// A lawful file of the row: random joints, flags, keys and values, no parts.
[[nodiscard]] mab::ChunkedFields random_file(std::mt19937& random,
                                             const mab::ChunkedLayout& layout);

/// `lay_out`, for fields that fit.
[[nodiscard]] std::vector<std::byte> laid_out(const mab::ChunkedFields& fields);

}  // namespace mabkit::test
