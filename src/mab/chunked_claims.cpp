#include "mab/chunked_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mabkit::mab {
namespace {

/// Gathers the claims of one block.
class ClaimCollector {
 public:
  ClaimCollector(std::vector<Claim>& claims, std::uint32_t block)
      : claims_(claims), block_(block) {}

  void add(ClaimKind kind, std::uint64_t offset, std::uint64_t size, std::uint32_t detail = 0) {
    if (size > 0) claims_.push_back({kind, offset, size, block_, detail});
  }
  void add(ClaimKind kind, const std::optional<SectionSpan>& span) {
    if (span) add(kind, span->offset, span->size, span->slot);
  }
  void add(const std::optional<StreamSpan>& stream) {
    if (stream) add(ClaimKind::stream_section, stream->span);
  }

 private:
  std::vector<Claim>& claims_;
  std::uint32_t block_;
};

void claim_block(std::vector<Claim>& claims, const ChunkedIndex& index, std::uint32_t position) {
  const ChunkedBlock& block = index.blocks[position];
  ClaimCollector out(claims, position);
  out.add(ClaimKind::header, block.base, index.layout->header_size);
  out.add(ClaimKind::hashes, block.hashes, 4ULL * block.joints);
  out.add(ClaimKind::flags, block.flags, block.joints);
  out.add(ClaimKind::array_section, block.key_times);
  out.add(ClaimKind::array_section, block.translation_table);
  out.add(block.displacement_orientations);
  out.add(block.displacement_translations);
  out.add(ClaimKind::array_section, block.constant_rotations);
  out.add(ClaimKind::array_section, block.constant_translations);
  out.add(block.joint_rotations);
  out.add(block.joint_translations);
  if (block.parts) out.add(ClaimKind::part_count, block.parts->offset, 4, block.parts->slot);
  out.add(ClaimKind::markup, block.markup);
  for (std::uint32_t record = 0; record < block.markup_records.size(); ++record) {
    const MarkupRecord& markup = block.markup_records[record];
    out.add(ClaimKind::markup_record, markup.offset, markup.end() - markup.offset, record);
  }
}

std::string claim_name(const ChunkedIndex& index, const Claim& claim) {
  switch (claim.kind) {
    case ClaimKind::wrapper:
      return "header";
    case ClaimKind::header:
      return fmt::format("clip[{}].header", claim.block);
    case ClaimKind::hashes:
      return fmt::format("clip[{}].boneCRCs", claim.block);
    case ClaimKind::flags:
      return fmt::format("clip[{}].boneFlags", claim.block);
    case ClaimKind::part_record:
    case ClaimKind::part_name:
      return fmt::format("clip[{}].record[{}]", claim.block, index.records[claim.detail].index);
    case ClaimKind::markup_record:
      return fmt::format("clip[{}].markup[{}]", claim.block, claim.detail);
    case ClaimKind::array_section:
    case ClaimKind::stream_section:
    case ClaimKind::part_count:
    case ClaimKind::markup:
      break;
  }
  return section_path(index, claim.block, claim.detail);
}

}  // namespace

std::vector<Claim> collect_claims(const ChunkedIndex& index) {
  std::vector<Claim> claims{{ClaimKind::wrapper, 0, main_base, 0, 0}};
  for (std::uint32_t block = 0; block < index.blocks.size(); ++block) {
    claim_block(claims, index, block);
  }
  for (std::uint32_t position = 0; position < index.records.size(); ++position) {
    const PartRecord& record = index.records[position];
    claims.push_back(
        {ClaimKind::part_record, record.offset, index.part_record_size, record.block, position});
    if (record.name_offset) {
      claims.push_back({ClaimKind::part_name, *record.name_offset, record.name_size + 1,
                        record.block, position});
    }
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim& a, const Claim& b) { return a.offset < b.offset; });
  return claims;
}

Result<void> check_overlap(const ChunkedIndex& index) {
  const std::vector<Claim> claims = collect_claims(index);
  const Claim* furthest = nullptr;
  for (const Claim& claim : claims) {
    const bool overlaps = furthest != nullptr && claim.offset < furthest->offset + furthest->size;
    const bool are_names = furthest != nullptr && claim.kind == ClaimKind::part_name &&
                           furthest->kind == ClaimKind::part_name;
    if (overlaps && !are_names) {
      return tl::unexpected(
          Error{ErrorCode::inconsistent, claim.offset, claim_name(index, claim),
                fmt::format("begins at 0x{:X}, inside {}, which ends at 0x{:X}", claim.offset,
                            claim_name(index, *furthest), furthest->offset + furthest->size)});
    }
    if (furthest == nullptr || claim.offset + claim.size > furthest->offset + furthest->size) {
      furthest = &claim;
    }
  }
  return {};
}

std::string section_path(const ChunkedIndex& index, std::uint32_t block, std::uint32_t slot) {
  return fmt::format("clip[{}].section[{}].{}", block, slot,
                     section_name(index.layout->sections[slot]));
}

}  // namespace mabkit::mab
