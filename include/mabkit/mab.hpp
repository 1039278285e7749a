#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/byte_run.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/presence_order.hpp>
#include <mabkit/summary.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mabkit {

struct EncodedFile;
struct EncodeOptions;

struct ReadOptions {
  ReadLimits limits;
  /// Absent: decided from the file, by range, then by vote, then LSB (spec mab-sparse, 3.2).
  std::optional<PresenceOrder> presence_order;
};

namespace mab {
struct SparseIndex;
struct ChunkedIndex;
}  // namespace mab

/// A `.mab` of the sparse family: Far Cry 2, Avatar, Far Cry 3, Blood Dragon (spec mab-sparse).
///
/// Owns the file's bytes and an index of what stands where. Immutable; copies share the index.
class SparseMab {
 public:
  /// Validates the structure; values are decoded by `bank`.
  [[nodiscard]] static Result<SparseMab> parse(std::vector<std::byte> bytes,
                                               const ReadOptions& options);

  /// The file as it was read.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] Game game() const;
  /// Decodes every clip (spec mab-sparse, 4.1).
  [[nodiscard]] Result<Bank> bank() const;
  /// What was salvaged while the structure was read.
  [[nodiscard]] std::span<const Diagnostic> diagnostics() const;
  /// Every byte of the file by what it is, ascending, without gap or overlap.
  [[nodiscard]] std::vector<ByteRun> runs() const;
  [[nodiscard]] FileSummary summary() const;
  /// Lays the file out again from its fields alone. Equal to `bytes()` for a canonical file.
  [[nodiscard]] Result<std::vector<std::byte>> rebuild() const;
  /// The file with an edited bank in place of its own.
  ///
  /// Clips match by position, joints by bone id, where the options' skeleton knows an edited
  /// joint's name by that bone's. A track that stays within `keep_tolerance` keeps its bits,
  /// another is re-encoded, by default with the keys that it had and those that the bound asks for;
  /// events, participants and everything unknown stay. Nothing edited: the same bytes. What the
  /// template has no place for is left out with a notice; so are edited events, and clips that have
  /// neither tracks nor root motion that differs are kept with one. Joints in the report are those
  /// of `bank`. Kept tracks can't make up for what an edited one costs, so that a bound that isn't
  /// kept is a notice.
  ///
  /// Fails with `bad_argument` where no edited joint is in the template, with `unsupported` where
  /// the template's layout doesn't allow the change, with `limit` past the format's frames or the
  /// memory of the read limits, with `bad_value` for a duration that is none.
  [[nodiscard]] Result<EncodedFile> with(const Bank& edited, const EncodeOptions& options) const;

 private:
  SparseMab(std::vector<std::byte> bytes, std::shared_ptr<const mab::SparseIndex> index)
      : bytes_(std::move(bytes)), index_(std::move(index)) {}

  std::vector<std::byte> bytes_;
  std::shared_ptr<const mab::SparseIndex> index_;
};

/// A `.mab` of the chunked family: Far Cry 4, Primal, 5, New Dawn, 6, Watch Dogs 1, 2, Legion (spec
/// mab-chunked). The members mean what they mean in `SparseMab`.
class ChunkedMab {
 public:
  [[nodiscard]] static Result<ChunkedMab> parse(std::vector<std::byte> bytes,
                                                const ReadOptions& options);

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] Game game() const;
  /// Decodes every block (spec mab-chunked, 6.4).
  [[nodiscard]] Result<Bank> bank() const;
  [[nodiscard]] std::span<const Diagnostic> diagnostics() const;
  [[nodiscard]] std::vector<ByteRun> runs() const;
  [[nodiscard]] FileSummary summary() const;
  [[nodiscard]] Result<std::vector<std::byte>> rebuild() const;
  /// The file with an edited bank in it (`mabkit/encode.hpp`). Clips match by position, joints by
  /// hash, or the CRC-32 of their name. A track that stays within `keep_tolerance` of the stored
  /// one keeps its bits; everything that the bank does not say, events and participants among it,
  /// stays as it is (spec mab-chunked, 9.3). Fails with `bad_argument` where a clip's joints are
  /// none of the template's or a bound can't be met, and with `limit` where the format can't hold
  /// the edit.
  [[nodiscard]] Result<EncodedFile> with(const Bank& edited, const EncodeOptions& options) const;

 private:
  ChunkedMab(std::vector<std::byte> bytes, std::shared_ptr<const mab::ChunkedIndex> index)
      : bytes_(std::move(bytes)), index_(std::move(index)) {}

  std::vector<std::byte> bytes_;
  std::shared_ptr<const mab::ChunkedIndex> index_;
};

}  // namespace mabkit
