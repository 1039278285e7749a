#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mabkit/document.hpp>
#include <new>

#include "base/bytes.hpp"

namespace mabkit {
namespace {

/// First words of the sparse family (spec mab-sparse, 1.1): version 0x4C, 0x61 or 0x62 in 16 bits.
constexpr std::array<std::uint16_t, 3> sparse_versions{0x4C, 0x61, 0x62};

bool is_sparse(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(std::uint16_t)) return false;
  const auto version = base::load<std::uint16_t>(bytes, 0);
  return std::find(sparse_versions.begin(), sparse_versions.end(), version) !=
         sparse_versions.end();
}

Error out_of_memory() {
  return {ErrorCode::out_of_memory, std::nullopt, {}, "there is not enough memory for the file"};
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

Result<Document> Document::parse(std::vector<std::byte> bytes, const ReadOptions& options) {
  try {
    if (bytes.size() > options.limits.max_file_size) {
      return tl::unexpected(Error{ErrorCode::limit, std::nullopt, "",
                                  fmt::format("has {} bytes, more than the limit of {}",
                                              bytes.size(), options.limits.max_file_size)});
    }
    if (bytes.size() < sizeof(std::uint32_t)) return tl::unexpected(unknown_format(bytes));
    const bool sparse = is_sparse(bytes);
    const Error unknown = unknown_format(bytes);
    auto variant = sparse ? parse_as<SparseMab>(std::move(bytes), options)
                          : parse_as<ChunkedMab>(std::move(bytes), options);
    if (variant) return Document(std::move(*variant));
    if (variant.error().code == ErrorCode::unknown_format) return tl::unexpected(unknown);
    return tl::unexpected(std::move(variant.error()));
  } catch (const std::bad_alloc&) {
    return tl::unexpected(out_of_memory());
  }
}

std::span<const std::byte> Document::bytes() const {
  return std::visit([](const auto& mab) { return mab.bytes(); }, variant_);
}

Game Document::game() const {
  return std::visit([](const auto& mab) { return mab.game(); }, variant_);
}

Result<Bank> Document::bank() const {
  try {
    return std::visit([](const auto& mab) { return mab.bank(); }, variant_);
  } catch (const std::bad_alloc&) {
    return tl::unexpected(out_of_memory());
  }
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
  try {
    return std::visit([](const auto& mab) { return mab.rebuild(); }, variant_);
  } catch (const std::bad_alloc&) {
    return tl::unexpected(out_of_memory());
  }
}

}  // namespace mabkit
