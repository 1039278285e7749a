#pragma once

#include <cstddef>
#include <mabkit/encode.hpp>
#include <span>

#include "mab/chunked_index.hpp"

namespace mabkit::mab {

/// `ChunkedMab::with`: `file` is the template, `index` what stands where in it.
[[nodiscard]] Result<EncodedFile> edit_chunked(std::span<const std::byte> file,
                                               const ChunkedIndex& index, const Bank& edited,
                                               const EncodeOptions& options);

}  // namespace mabkit::mab
