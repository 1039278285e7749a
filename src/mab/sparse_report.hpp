#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/presence_order.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fit.hpp"

namespace mabkit::mab {

/// A clip that was written, for its report.
struct WrittenClip {
  std::size_t number = 0;
  ClipSource source;
  ClipFit fit;
  const Skeleton* skeleton = nullptr;  ///< where errors are measured in object space
};

/// What became of a clip: errors between its source and `decoded`, which was read back from the
/// file.
[[nodiscard]] ClipReport report_clip(const WrittenClip& clip, const Clip& decoded,
                                     const EncodeOptions& options);

/// The report of a clip of a template that stays as it is.
[[nodiscard]] ClipReport report_kept_clip(std::size_t number, const Clip& stored);

/// A bound that a written clip does not keep.
struct MissedBound {
  std::string bound;         ///< with its unit
  std::string worst;         ///< what it came to, with its unit
  std::string place;         ///< `joint NAME at 1.233 s`
  bool is_rotation = false;  ///< of a joint alone
};

/// The first of the options' bounds that a report's figures are beyond: in object space for joints
/// that have a bone, of its own rotation or translation for any other. What is no number keeps no
/// bound.
[[nodiscard]] std::optional<MissedBound> find_missed_bound(const WrittenClip& clip,
                                                           const ClipReport& report,
                                                           const EncodeOptions& options);

/// Decodes a file that was just written with presence bits in `order`. A file whose keys say
/// another order to readers that go by them becomes a notice.
[[nodiscard]] Result<Bank> read_back(std::span<const std::byte> bytes, PresenceOrder order,
                                     const ReadLimits& limits, std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
