#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit {

/// How a bank becomes a `.mab`.
struct EncodeOptions {
  /// Bound on a joint's own rotation where no skeleton is given, in radians (0.05 degrees).
  double max_rotation_error = 8.7266462599716482e-4;
  /// Bound on a joint's own translation where no skeleton is given, in metres.
  double max_translation_error = 1e-4;
  /// Bound in object space where a skeleton is given: how far a virtual vertex on each joint may
  /// be from where the source puts it, in metres.
  double max_object_error = 1e-4;
  /// Distance of those vertices from their joint, in metres, one along each axis.
  double vertex_distance = 0.03;
  /// Whether keys that interpolation reproduces within the bound are dropped. Absent: for new
  /// files only. Edits of the chunked family drop none, and say so where they are asked to.
  std::optional<bool> key_reduction;
  /// Frames per second of a new file's keys. Absent: the source's where it was a game's file and
  /// the format can store it; else what the game's files have. Edits of the chunked family keep
  /// the template's, and say so.
  std::optional<double> frames_per_second;
  /// A track of an edited bank that stays this close to the stored one, in radians and metres, at
  /// the stored keys and midway between them, keeps its stored bits.
  double keep_tolerance = 2e-5;
  /// Never insert keys into an edited clip of the chunked family: the error is reported instead.
  bool keep_grid = false;
  /// The rig of clip 0; null: errors are measured joint by joint. Not owned.
  const Skeleton* skeleton = nullptr;
  /// How clip 0 finds its joints in the skeleton.
  BindOptions bind;
};

/// An error over all source samples of a clip, and where it is worst.
struct ErrorFigures {
  double worst = 0.0;
  double percentile_99 = 0.0;  ///< over joints and samples
  std::uint32_t joint = 0;     ///< of the worst: position in `ClipReport::joint_names`
  float time = 0.0F;           ///< of the worst, in seconds
};

/// What became of one track.
struct TrackReport {
  std::uint32_t joint = 0;  ///< position in `ClipReport::joint_names`
  Channel channel = Channel::rotation;
  TrackKind kind = TrackKind::constant;
  bool is_kept = false;      ///< the template's bits stand
  unsigned bits = 0;         ///< of a varying component; 0 where the format has no depth
  std::uint32_t keys = 0;    ///< stored
  std::uint64_t bytes = 0;   ///< that the track takes, rounded up
  double worst_error = 0.0;  ///< radians or metres, parent-relative
};

/// What became of one clip. Errors are measured by decoding what was written.
struct ClipReport {
  std::uint32_t clip = 0;    ///< position in the bank
  std::uint32_t joints = 0;  ///< that the file names
  /// Of the joints that this report speaks of, as `joint_label` writes them.
  std::vector<std::string> joint_names;
  std::uint32_t samples = 0;           ///< of the source, on the grid of the file
  std::uint32_t keys = 0;              ///< stored: of the longest track
  ErrorFigures rotation;               ///< parent-relative, radians
  ErrorFigures translation;            ///< parent-relative, metres
  std::optional<ErrorFigures> object;  ///< at the virtual vertices, metres; with a skeleton
  std::vector<TrackReport> tracks;
};

struct EncodeReport {
  std::uint64_t bytes = 0;  ///< of the file
  std::vector<ClipReport> clips;
  std::vector<Diagnostic> notices;  ///< what was resampled, left out, snapped or guessed
};

/// A `.mab` in memory and how it came about.
struct EncodedFile {
  std::vector<std::byte> bytes;
  EncodeReport report;
};

/// Makes a new file for `game` from a bank alone, with the values that the specs give to writers.
///
/// Fails with `unsupported` for games that can only be written from a template (fc3, fc3bd, fc4,
/// fcp), with `limit` where the format can't hold the bank, and with `bad_argument` where the bound
/// can't be met; the message says which limit and what to do. Joints need a hash or a name
/// (chunked) or an id (sparse).
[[nodiscard]] Result<EncodedFile> encode_mab(const Bank& bank, Game game,
                                             const EncodeOptions& options);

/// Most bytes that `encode_mab` makes of the bank at the rate of keys that the options ask for; 0
/// for games and motion that it refuses.
[[nodiscard]] std::uint64_t encoded_size_bound(const Bank& bank, Game game,
                                               const EncodeOptions& options = {});

}  // namespace mabkit
