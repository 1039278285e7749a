#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>

#include "mab/encode_options.hpp"
#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fit.hpp"

namespace mabkit::mab {

/// Makes a new file of the sparse family from a bank alone (spec mab-sparse 1.3 to 1.10, 3.5 and
/// 4.1, rule 7). See `encode_mab`.
[[nodiscard]] Result<EncodedFile> encode_sparse(const Bank& bank, Game game,
                                                const EncodeOptions& options);

/// Most bytes that `encode_sparse` makes of a bank with the default frame rate: every track keyed,
/// every frame a key.
[[nodiscard]] std::uint64_t sparse_size_bound(const Bank& bank);

/// Chooses words and keys of all tracks of a clip under the bound of the options: in object space
/// where `skeleton` is given, otherwise joint by joint.
void fit_clip(ClipFit& fit, const ClipSource& source, const Skeleton* skeleton,
              const EncodeOptions& options);

/// What translations that become constant may be off by, in metres.
[[nodiscard]] double still_tolerance(const Skeleton* skeleton, const EncodeOptions& options);

}  // namespace mabkit::mab
