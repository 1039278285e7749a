#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mabkit/file.hpp>
#include <string_view>

#include "file_info.hpp"

namespace mabkit::cli {
namespace {

constexpr std::size_t most_events = 12;  // listed before "and N more"
constexpr int bar_width = 24;            // characters for 100 %

/// 53344 as `53,344`.
std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

std::string bar(double share) {
  const int full = std::clamp(static_cast<int>(share * bar_width + 0.5), 0, bar_width);
  std::string text(static_cast<std::size_t>(full), '#');
  text.resize(bar_width, '.');
  return text;
}

/// Lines of a label and its text.
class Sheet {
 public:
  void line(std::string_view label, std::string_view text, int indent = 2) {
    out_ += fmt::format("{:{}}{:<{}}{}\n", "", indent, label, label_width - indent, text);
  }
  void plain(std::string_view text) {
    const std::size_t last = text.find_last_not_of(' ');
    out_.append(text.substr(0, last == std::string_view::npos ? 0 : last + 1)).append("\n");
  }
  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  static constexpr int label_width = 18;
  std::string out_;
};

/// What the kinds of participants are called (spec mab-sparse 1.9, mab-chunked 6.1).
std::string_view kind_name(std::uint32_t kind) {
  constexpr std::array<std::pair<std::uint32_t, std::string_view>, 5> kinds{
      {{1, "prop or possession"}, {6, "IK path"}, {7, "anchor"}, {8, "sub-part"}, {9, "camera"}}};
  for (const auto& [known, name] : kinds) {
    if (known == kind) return name;
  }
  return "unknown kind";
}

std::string name_or_hash(std::uint32_t hash, const NameDictionary& names) {
  constexpr std::uint32_t any_bone = 0xFFFFFFFF;  // spec mab-chunked, 6.1
  if (hash == any_bone) return "any bone";
  if (hash == 0) return "nothing";
  const auto name = names.find(hash);
  return name ? std::string(*name) : hash_text(hash);
}

void add_head(Sheet& sheet, const FileInfo& info) {
  const FileSummary& summary = info.summary;
  sheet.plain(path_text(info.file));
  sheet.line("game", summary.game ? fmt::format("{} ({}), {} family", display_name(*summary.game),
                                                short_name(*summary.game), summary.family)
                                  : fmt::format("unknown, {} family", summary.family));
  sheet.line("found by",
             summary.inferred.empty() ? "the magic, and its structure" : summary.inferred);
  if (!summary.presence_order.empty()) sheet.line("presence order", summary.presence_order);
  sheet.line("size", plural(info.size, "byte", "bytes"));
  if (summary.clips.empty()) return;
  const ClipSummary& main = summary.clips[0];
  sheet.line("duration",
             fmt::format("{:.3f} s at {:.7g} frames/s", main.duration, main.frame_rate));
  sheet.line("clips", grouped(summary.clips.size()));
}

void add_census(Sheet& sheet, const JointCensus& census) {
  const auto counts = [](std::uint32_t animated, std::uint32_t constant) {
    return fmt::format("{:>4} animated {:>4} constant", animated, constant);
  };
  sheet.line("rotations", counts(census.animated_rotations, census.constant_rotations), 4);
  sheet.line("translations", counts(census.animated_translations, census.constant_translations), 4);
  if (census.undriven > 0) {
    sheet.line("undriven", fmt::format("{:>4} named, but without a track", census.undriven), 4);
  }
}

void add_root_motion(Sheet& sheet, const RootMotion& motion) {
  std::string text;
  const auto add = [&text](std::string part) {
    text += text.empty() ? "" : ", ";
    text += part;
  };
  if (motion.translation) add(fmt::format("translation in {} keys", motion.translation->count));
  if (motion.rotation) add(fmt::format("rotation in {} keys", motion.rotation->count));
  if (motion.reference && *motion.reference != Quat{}) add("a reference orientation");
  if (motion.loop && *motion.loop != Quat{}) add("a turn each loop");
  sheet.line("root motion", text.empty() ? "empty" : text, 4);
}

void add_events(Sheet& sheet, const std::vector<Event>& events) {
  sheet.line("events", grouped(events.size()), 4);
  for (std::size_t i = 0; i < std::min(events.size(), most_events); ++i) {
    const Event& event = events[i];
    sheet.plain(fmt::format("      {:>8.3f} s  {}{} ({})", event.time,
                            event.class_name.value_or("payload of unknown class"),
                            event.type ? fmt::format(", type {}", *event.type) : "",
                            plural(event.payload.size(), "byte", "bytes")));
  }
  if (events.size() > most_events) {
    sheet.plain(fmt::format("      and {} more", events.size() - most_events));
  }
}

void add_sections(Sheet& sheet, const std::vector<SectionSummary>& sections,
                  std::uint64_t clip_size) {
  if (sections.empty()) return;
  constexpr std::string_view rest_name = "header and padding";
  std::size_t width = rest_name.size();
  for (const SectionSummary& section : sections) width = std::max(width, section.name.size());
  const auto row = [&](std::string_view index, std::string_view name, std::string_view offset,
                       std::uint64_t size, std::string_view entries) {
    const double share =
        clip_size == 0 ? 0.0 : static_cast<double>(size) / static_cast<double>(clip_size);
    sheet.plain(fmt::format("    {:>2} {:<{}}  {:>8}  {:>9}  {:>5.1f}%  {}  {:>7}", index, name,
                            width, offset, grouped(size), 100.0 * share, bar(share), entries));
  };

  sheet.plain(fmt::format("    {:<{}}  {:>8}  {:>9}  {:>6}  {:{}}  {:>7}", "section", width + 3,
                          "offset", "bytes", "share", "", bar_width, "entries"));
  std::uint64_t rest = clip_size;
  for (const SectionSummary& section : sections) {
    row(std::to_string(section.index), section.name, fmt::format("0x{:X}", section.offset),
        section.size, grouped(section.entries));
    rest -= std::min(rest, section.size);
  }
  if (rest > 0) row("", rest_name, "", rest, "");
}

void add_clip(Sheet& sheet, const FileInfo& info, std::size_t index) {
  const ClipSummary& clip = info.summary.clips[index];
  const Clip* decoded =
      info.bank && index < info.bank->clips.size() ? &info.bank->clips[index] : nullptr;
  std::string title = fmt::format("  clip {}", index);
  if (clip.name) title += fmt::format(" \"{}\"", *clip.name);
  if (decoded != nullptr && decoded->parent) title += fmt::format(" on {}", *decoded->parent);
  title += fmt::format(": {}, {}, {:.3f} s, {} at 0x{:X}", plural(clip.joints, "joint", "joints"),
                       plural(clip.keys, "key", "keys"), clip.duration,
                       plural(clip.size, "byte", "bytes"), clip.offset);
  sheet.plain(title);
  add_census(sheet, clip.census);
  if (decoded != nullptr && decoded->root_motion) add_root_motion(sheet, *decoded->root_motion);
  if (decoded != nullptr && !decoded->events.empty()) add_events(sheet, decoded->events);
  add_sections(sheet, clip.sections, clip.size);
}

void add_participants(Sheet& sheet, const std::vector<Participant>& participants,
                      const NameDictionary& names) {
  sheet.plain("  participants");
  for (std::size_t i = 0; i < participants.size(); ++i) {
    const Participant& p = participants[i];
    std::string text = fmt::format("    {:>2} {} (kind {})", i, kind_name(p.kind), p.kind);
    if (p.name) text += fmt::format(" \"{}\"", *p.name);
    text += fmt::format(", {:.3f} to {:.3f} s, {} on {}", p.start, p.end,
                        name_or_hash(p.child, names), name_or_hash(p.parent, names));
    if (p.target != 0) text += fmt::format(", target {}", name_or_hash(p.target, names));
    if (p.reference) text += fmt::format(", reference \"{}\"", *p.reference);
    text += p.clip ? fmt::format(", clip {}", *p.clip) : std::string(", no clip");
    sheet.plain(text);
  }
}

void add_runs(Sheet& sheet, const std::vector<ByteRun>& runs) {
  sheet.plain("  bytes");
  for (const ByteRun& run : runs) {
    sheet.plain(fmt::format("    {:>8}  {:>8}  {:<9}  {}{}{}", fmt::format("0x{:X}", run.offset),
                            run.size, run_kind_name(run.kind), run.path,
                            run.value.empty() ? "" : " = ", run.value));
  }
}

}  // namespace

std::string info_text(const FileInfo& info, const NameDictionary& names) {
  Sheet sheet;
  add_head(sheet, info);
  for (std::size_t i = 0; i < info.summary.clips.size(); ++i) add_clip(sheet, info, i);
  if (info.bank && !info.bank->participants.empty()) {
    add_participants(sheet, info.bank->participants, names);
  }
  if (info.diagnostics.empty()) {
    sheet.line("oddities", "none");
  } else {
    sheet.line("oddities", grouped(info.diagnostics.size()));
    for (const Diagnostic& found : info.diagnostics) sheet.plain("    " + describe("", found));
  }
  if (!info.runs.empty()) add_runs(sheet, info.runs);
  return std::move(sheet).take();
}

}  // namespace mabkit::cli
