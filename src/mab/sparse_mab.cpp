#include <mabkit/mab.hpp>
#include <utility>

#include "mab/sparse_bank.hpp"
#include "mab/sparse_edit.hpp"
#include "mab/sparse_fields.hpp"
#include "mab/sparse_index.hpp"
#include "mab/sparse_runs.hpp"
#include "mab/sparse_summary.hpp"

namespace mabkit {

Result<SparseMab> SparseMab::parse(std::vector<std::byte> bytes, const ReadOptions& options) {
  auto index = mab::index_sparse(bytes, options);
  if (!index) return tl::unexpected(std::move(index.error()));
  return SparseMab(std::move(bytes), std::make_shared<const mab::SparseIndex>(std::move(*index)));
}

Game SparseMab::game() const {
  return index_->layout->game;
}

Result<Bank> SparseMab::bank() const {
  return mab::decode_bank(bytes_, *index_);
}

std::span<const Diagnostic> SparseMab::diagnostics() const {
  return index_->diagnostics;
}

std::vector<ByteRun> SparseMab::runs() const {
  return mab::list_runs(bytes_, *index_);
}

FileSummary SparseMab::summary() const {
  return mab::summarise(bytes_, *index_);
}

Result<EncodedFile> SparseMab::with(const Bank& edited, const EncodeOptions& options) const {
  return mab::edit_sparse(bytes_, *index_, edited, options);
}

Result<std::vector<std::byte>> SparseMab::rebuild() const {
  const auto fields = mab::fields(bytes_, *index_);
  if (!fields) return tl::unexpected(fields.error());
  return mab::lay_out(*fields);
}

}  // namespace mabkit
