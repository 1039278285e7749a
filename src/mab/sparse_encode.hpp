#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>
#include <optional>

#include "mab/encode_options.hpp"
#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fit.hpp"

namespace mabkit::mab {

/// Makes a new file of the sparse family from a bank alone (spec mab-sparse 1.3 to 1.10, 3.5 and
/// 4.1, rule 7). See `encode_mab`.
[[nodiscard]] Result<EncodedFile> encode_sparse(const Bank& bank, Game game,
                                                const EncodeOptions& options);

/// Most bytes that `encode_sparse` makes of a bank: every track keyed, every frame a key.
[[nodiscard]] std::uint64_t sparse_size_bound(
    const Bank& bank, std::optional<double> frames_per_second = std::nullopt);

/// Bytes of the values of a clip's tracks and root motion at every one of its `frames` frames.
[[nodiscard]] std::uint64_t sampled_bytes(const Clip& clip, std::uint64_t frames);

/// The same for all clips of a bank that becomes a new file.
[[nodiscard]] std::uint64_t sampled_bytes(const Bank& bank,
                                          std::optional<double> frames_per_second);

/// Chooses words and keys of all tracks of clip `number` under the bound of the options: in object
/// space where `skeleton` is given, otherwise joint by joint. Fails with `limit` where the poses
/// would take too much memory.
[[nodiscard]] Result<void> fit_clip(ClipFit& fit, const ClipSource& source, std::size_t number,
                                    const Skeleton* skeleton, const EncodeOptions& options);

/// What translations that become constant may be off by.
[[nodiscard]] StillTolerance still_tolerance(const Skeleton* skeleton,
                                             const EncodeOptions& options);

}  // namespace mabkit::mab
