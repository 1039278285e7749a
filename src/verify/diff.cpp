#include <fmt/format.h>

#include <algorithm>
#include <mabkit/diff.hpp>

#include "verify/clip_diff.hpp"

namespace mabkit {
namespace {

std::string hash_list(const Participant& participant) {
  return fmt::format("kind {} child {:#010x} parent {:#010x} target {:#010x} from {} s to {} s",
                     participant.kind, participant.child, participant.parent, participant.target,
                     participant.start, participant.end);
}

bool is_same_participant(const Participant& a, const Participant& b) {
  return a.kind == b.kind && a.start == b.start && a.end == b.end && a.name == b.name &&
         a.child == b.child && a.parent == b.parent && a.target == b.target &&
         a.reference == b.reference && a.clip == b.clip;
}

void compare_participants(std::vector<std::string>& remarks, const Bank& a, const Bank& b) {
  if (a.participants.size() != b.participants.size()) {
    remarks.push_back(fmt::format("participants: {} in A, {} in B", a.participants.size(),
                                  b.participants.size()));
  }
  for (std::size_t i = 0; i < std::min(a.participants.size(), b.participants.size()); ++i) {
    if (is_same_participant(a.participants[i], b.participants[i])) continue;
    remarks.push_back(fmt::format("participant {}: {} in A, {} in B", i,
                                  hash_list(a.participants[i]), hash_list(b.participants[i])));
  }
}

}  // namespace

bool BankDifference::is_same() const {
  return remarks.empty() && std::all_of(clips.begin(), clips.end(),
                                        [](const ClipDifference& clip) { return clip.is_same(); });
}

BankDifference diff(const Bank& a, const Bank& b, const DiffOptions& options) {
  BankDifference found;
  if (a.clips.size() != b.clips.size()) {
    found.remarks.push_back(fmt::format("clips: {} in A, {} in B", a.clips.size(), b.clips.size()));
  }
  compare_participants(found.remarks, a, b);
  for (std::size_t i = 0; i < std::min(a.clips.size(), b.clips.size()); ++i) {
    found.clips.push_back(verification::diff_clips(a.clips[i], b.clips[i], options));
    found.clips.back().clip = static_cast<std::uint32_t>(i);
  }
  return found;
}

}  // namespace mabkit
