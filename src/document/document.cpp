#include <fmt/format.h>

#include <algorithm>
#include <mabkit/document.hpp>

#include "base/allocation.hpp"
#include "base/bytes.hpp"
#include "mab/sparse_layout.hpp"

namespace mabkit {
namespace {

bool is_sparse(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof(std::uint16_t) &&
         mab::find_sparse_layout(base::load<std::uint16_t>(bytes, 0)) != nullptr;
}

Error unknown_format(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {ErrorCode::truncated, 0, "magic", "the file is empty"};
  if (bytes.size() < sizeof(std::uint32_t)) {
    return {ErrorCode::truncated, bytes.size(), "magic",
            fmt::format("the file has {} bytes, too few for any .mab", bytes.size())};
  }
  return {ErrorCode::unknown_format, 0, "magic",
          fmt::format("the first word 0x{:X} is that of no known .mab, and no known layout fits",
                      base::load<std::uint32_t>(bytes, 0))};
}

template <class Mab>
Result<Document::Variant> parse_as(std::vector<std::byte> bytes, const ReadOptions& options) {
  return Mab::parse(std::move(bytes), options).map([](Mab mab) {
    return Document::Variant(std::move(mab));
  });
}

}  // namespace

bool names_joints_by_id(Game game) {
  return std::any_of(mab::sparse_games.begin(), mab::sparse_games.end(),
                     [game](const mab::SparseLayout& row) { return row.game == game; });
}

Result<Document> Document::parse(std::vector<std::byte> bytes, const ReadOptions& options) {
  if (bytes.size() > options.limits.max_file_size) {
    return tl::unexpected(Error{ErrorCode::limit, std::nullopt, "",
                                fmt::format("has {} bytes, more than the limit of {}", bytes.size(),
                                            options.limits.max_file_size)});
  }
  return base::with_allocation_errors([&]() -> Result<Document> {
    if (bytes.size() < sizeof(std::uint32_t)) return tl::unexpected(unknown_format(bytes));
    const Error unknown = unknown_format(bytes);
    auto variant = is_sparse(bytes) ? parse_as<SparseMab>(std::move(bytes), options)
                                    : parse_as<ChunkedMab>(std::move(bytes), options);
    if (variant) return Document(std::move(*variant));
    if (variant.error().code == ErrorCode::unknown_format) return tl::unexpected(unknown);
    return tl::unexpected(std::move(variant.error()));
  });
}

std::span<const std::byte> Document::bytes() const {
  return std::visit([](const auto& mab) { return mab.bytes(); }, variant_);
}

Game Document::game() const {
  return std::visit([](const auto& mab) { return mab.game(); }, variant_);
}

Result<Bank> Document::bank() const {
  return base::with_allocation_errors(
      [this] { return std::visit([](const auto& mab) { return mab.bank(); }, variant_); });
}

std::span<const Diagnostic> Document::diagnostics() const {
  return std::visit([](const auto& mab) { return mab.diagnostics(); }, variant_);
}

std::vector<ByteRun> Document::runs() const {
  return std::visit([](const auto& mab) { return mab.runs(); }, variant_);
}

FileSummary Document::summary() const {
  return std::visit([](const auto& mab) { return mab.summary(); }, variant_);
}

Result<std::vector<std::byte>> Document::rebuild() const {
  return base::with_allocation_errors(
      [this] { return std::visit([](const auto& mab) { return mab.rebuild(); }, variant_); });
}

Result<EncodedFile> Document::with(const Bank& edited, const EncodeOptions& options) const {
  return base::with_allocation_errors([&] {
    return std::visit([&](const auto& mab) { return mab.with(edited, options); }, variant_);
  });
}

}  // namespace mabkit
