#pragma once

#include <cstdint>
#include <mabkit/encode.hpp>

namespace mabkit::mab {

/// `encode_mab` for the games of the chunked family (spec mab-chunked, section 7).
[[nodiscard]] Result<EncodedFile> encode_chunked(const Bank& bank, Game game,
                                                 const EncodeOptions& options);

/// `encoded_size_bound` for the games of the chunked family: every track animated at 16 bits, at
/// the key times that the options' rate gives.
[[nodiscard]] std::uint64_t chunked_size_bound(const Bank& bank, Game game,
                                               const EncodeOptions& options);

}  // namespace mabkit::mab
