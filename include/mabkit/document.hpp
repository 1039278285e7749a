#pragma once

#include <cstddef>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <span>
#include <variant>
#include <vector>

namespace mabkit {

/// Whether clips of the game name their joints by skeleton id, which only a rig can tell, rather
/// than by the hash of their names.
[[nodiscard]] bool names_joints_by_id(Game game);

/// An animation file of any format that mabkit reads. Owns every byte of it.
class Document {
 public:
  using Variant = std::variant<SparseMab, ChunkedMab>;

  /// Detects the format by structure, with the magic as the first hint, and reads it. Takes the
  /// bytes over. Fails with `unknown_format` where the bytes are no format of ours, otherwise with
  /// what is wrong and where.
  [[nodiscard]] static Result<Document> parse(std::vector<std::byte> bytes,
                                              const ReadOptions& options = {});

  /// The file as it was read; writing it back loses nothing.
  [[nodiscard]] std::span<const std::byte> bytes() const;
  [[nodiscard]] Game game() const;
  /// Decodes the file's meaning.
  [[nodiscard]] Result<Bank> bank() const;
  /// What was salvaged while the structure was read.
  [[nodiscard]] std::span<const Diagnostic> diagnostics() const;
  /// Every byte of the file by what it is, ascending, without gap or overlap.
  [[nodiscard]] std::vector<ByteRun> runs() const;
  [[nodiscard]] FileSummary summary() const;
  /// Lays the file out again from its fields alone. Equal to `bytes()` for a canonical file.
  [[nodiscard]] Result<std::vector<std::byte>> rebuild() const;
  /// The file with an edited bank in it: what `ChunkedMab::with` and `SparseMab::with` say.
  [[nodiscard]] Result<EncodedFile> with(const Bank& edited,
                                         const EncodeOptions& options = {}) const;
  /// The document of the file's own format.
  [[nodiscard]] const Variant& variant() const { return variant_; }

 private:
  explicit Document(Variant variant) : variant_(std::move(variant)) {}
  Variant variant_;
};

}  // namespace mabkit
