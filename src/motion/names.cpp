#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <mabkit/names.hpp>

#include "base/crc32.hpp"
#include "motion/biped_names.hpp"

namespace mabkit {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace

std::uint32_t name_hash(std::string_view name) {
  return base::crc32(std::as_bytes(std::span(name)));
}

std::string hash_text(std::uint32_t hash) {
  return fmt::format("0x{:08x}", hash);
}

std::optional<std::uint32_t> hash_from_text(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t hash = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (code != std::errc{} || end != text.data() + text.size() || text.size() > 8) {
    return std::nullopt;
  }
  return hash;
}

std::string joint_label(const Joint& joint) {
  if (joint.name) return *joint.name;
  return joint.name_hash ? hash_text(*joint.name_hash) : "bone id " + std::to_string(joint.id);
}

std::vector<std::string> joint_labels(const Clip& clip) {
  std::vector<std::string> labels;
  labels.reserve(clip.joints.size());
  for (const Joint& joint : clip.joints) labels.push_back(joint_label(joint));
  return labels;
}

NameDictionary NameDictionary::built_in() {
  NameDictionary dictionary;
  for (const std::string& name : motion::biped_names()) dictionary.add(name);
  return dictionary;
}

void NameDictionary::add(std::string_view name) {
  // An empty name has hash 0, which formats use for "none".
  if (!name.empty()) names_.emplace(name_hash(name), name);
}

void NameDictionary::add(const Skeleton& skeleton) {
  for (const Bone& bone : skeleton.bones) {
    if (!bone.name.empty()) names_.emplace(bone.name_hash, bone.name);
  }
}

void NameDictionary::add_lines(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    if (!line.empty() && line.front() != '#') add(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<std::string_view> NameDictionary::find(std::uint32_t hash) const {
  const auto found = names_.find(hash);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> NameDictionary::names() const {
  std::vector<std::string> out;
  out.reserve(names_.size());
  for (const auto& [hash, name] : names_) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

/// A clip whose parent is known by its hash alone gets the name that the joint has by now.
void name_parents(Bank& bank) {
  for (Clip& clip : bank.clips) {
    if (!clip.parent || !clip.parent->starts_with("0x")) continue;
    const auto hash = hash_from_text(*clip.parent);
    for (const Joint& joint : bank.clips.front().joints) {
      if (hash && joint.name && joint.name_hash == hash) clip.parent = joint.name;
    }
  }
}

}  // namespace

void name_joints(Bank& bank, const NameDictionary& names) {
  for (Clip& clip : bank.clips) {
    for (Joint& joint : clip.joints) {
      if (joint.name || !joint.name_hash) continue;
      if (const auto name = names.find(*joint.name_hash)) joint.name = std::string(*name);
    }
  }
  name_parents(bank);
}

}  // namespace mabkit
