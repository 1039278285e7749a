#include "mab/sparse_bank.hpp"

#include <cmath>
#include <utility>

#include "base/bytes.hpp"
#include "mab/sparse_clip.hpp"
#include "mab/sparse_source.hpp"
#include "mab/sparse_tags.hpp"
#include "nbcf/event_class.hpp"

namespace mabkit::mab {
namespace {

void decode_events(std::span<const std::byte> bytes, const SparseIndex& index, std::size_t number,
                   Clip& out, std::vector<Diagnostic>& diagnostics) {
  Tally no_time;
  const std::vector<SparseEvent>& nodes = index.clips[number].events;
  out.events.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto at = static_cast<std::size_t>(nodes[i].offset);
    const std::span payload =
        bytes.subspan(static_cast<std::size_t>(nodes[i].payload()), nodes[i].payload_size);
    Event event;
    event.time = base::load<float>(bytes, at + event_time);
    event.type = base::load<std::uint32_t>(bytes, at + event_type);
    event.class_name = nbcf::event_class(payload, index.limits);
    event.payload.assign(payload.begin(), payload.end());
    if (!std::isfinite(event.time)) {
      no_time.add(nodes[i].offset,
                  fmt::format("{}.event[{}].time", section_path(number, event_chain), i),
                  "the event's time is no number");
    }
    out.events.push_back(std::move(event));
  }
  std::move(no_time).report(diagnostics);
}

}  // namespace

Result<Bank> decode_bank(std::span<const std::byte> bytes, const SparseIndex& index) {
  Bank bank;
  bank.format = "mab";
  bank.game = index.layout->game;
  const std::size_t records = index.clips.front().tags.size();
  for (std::size_t i = 0; i < records; ++i) {
    bank.participants.push_back(read_participant(bytes, index, i));
  }
  std::uint64_t memory_left = index.limits.max_decoded_bytes;
  for (std::size_t i = 0; i < index.clips.size(); ++i) {
    auto clip = decode_clip(bytes, index, i, memory_left, bank.diagnostics);
    if (!clip) return tl::unexpected(clip.error());
    decode_events(bytes, index, i, *clip, bank.diagnostics);
    if (i > 0 && i - 1 < records) {
      clip->participant = static_cast<std::uint32_t>(i - 1);
      clip->name = bank.participants[i - 1].name;
      clip->parent = tag_text(bytes, index.clips.front().tags[i - 1], tag_parent);
    }
    bank.clips.push_back(std::move(*clip));
  }
  return bank;
}

}  // namespace mabkit::mab
