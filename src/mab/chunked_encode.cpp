#include "mab/chunked_encode.hpp"

#include <fmt/format.h>

#include <cmath>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>

#include "mab/chunked_block_build.hpp"
#include "mab/chunked_clip_encode.hpp"
#include "mab/chunked_grid.hpp"
#include "mab/chunked_report.hpp"
#include "mab/encode_options.hpp"
#include "mab/part_record.hpp"

namespace mabkit::mab {
namespace {

// Kinds of participants (spec mab-chunked, 6.1).
constexpr std::uint8_t possession_kind = 1;
constexpr std::uint8_t sub_part_kind = 8;

/// The authoring rate of a clip's new block: what the options say, else the one that a game's file
/// had, where the format stores one; else the game's usual one.
double choose_rate(const Bank& bank, const Clip& clip, const ChunkedLayout& layout,
                   const EncodeOptions& options) {
  if (options.frames_per_second) return *options.frames_per_second;
  if (layout.frame_rate && bank.game && is_frame_rate(clip.frame_rate)) return clip.frame_rate;
  return layout.frames_per_second;
}

class BankEncoder {
 public:
  BankEncoder(const Bank& bank, const ChunkedLayout& layout, const EncodeOptions& options)
      : bank_(bank), layout_(layout), options_(options) {}

  Result<EncodedFile> run() {
    return check_bank()
        .and_then([this] { return encode_clips(); })
        .and_then([this] { return add_parts(); })
        .and_then([this] { return lay_out(file_around(layout_, std::move(blocks_.front()))); })
        .and_then([this](std::vector<std::byte> bytes) { return report(std::move(bytes)); });
  }

 private:
  [[nodiscard]] static tl::unexpected<Error> fail(ErrorCode code, std::string path,
                                                  std::string message) {
    return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
  }
  void note(std::string path, std::string message) {
    notices_.push_back({std::nullopt, std::move(path), std::move(message)});
  }

  Result<void> check_bank() {
    const ReadLimits limits;
    if (layout_.needs_template) {
      return fail(
          ErrorCode::unsupported, "",
          fmt::format("a new file of {} can't be made, since nobody knows what its header's "
                      "words mean; write into an existing one (--like)",
                      display_name(layout_.game)));
    }
    if (bank_.clips.empty()) return fail(ErrorCode::bad_argument, "", "the bank has no clip");
    if (bank_.clips.size() > limits.max_clips) {
      return fail(ErrorCode::limit, "",
                  fmt::format("{} clips are more than the {} of one file; leave some out",
                              bank_.clips.size(), limits.max_clips));
    }
    if (layout_.is_guess) {
      note("", fmt::format("the layout of {} is a guess; check the file in the game",
                           display_name(layout_.game)));
    }
    note(
        "clip[0].flags",
        "the header's flags 0x0F and the empty skeleton path are a guess; write into a clip of the "
        "same kind (--like) to have the game's own");
    return {};
  }

  Result<void> encode_clips() {
    if (options_.skeleton != nullptr) {
      BindOptions bind_options = options_.bind;
      bind_options.near_names = false;
      binding_ = bind(bank_.clips.front(), *options_.skeleton, bind_options);
    }
    for (std::uint32_t position = 0; position < bank_.clips.size(); ++position) {
      const Clip& clip = bank_.clips[position];
      const bool has_rig = position == 0 && options_.skeleton != nullptr;
      const ClipTarget target{&layout_,
                              choose_rate(bank_, clip, layout_, options_),
                              &options_,
                              has_rig ? options_.skeleton : nullptr,
                              has_rig ? &binding_ : nullptr,
                              bytes_left_,
                              fmt::format("clip[{}]", position)};
      auto encoded = encode_clip(clip, target);
      if (!encoded) return tl::unexpected(std::move(encoded.error()));
      bytes_left_ -= motion::sampled_bytes(encoded->source);
      blocks_.push_back(std::move(encoded->fields));
      sources_.push_back(std::move(encoded->source));
      tracks_.push_back(std::move(encoded->tracks));
      notices_.insert(notices_.end(), encoded->notices.begin(), encoded->notices.end());
    }
    return {};
  }

  /// One record a participant, then one for each clip that none names (spec mab-chunked, 6.1).
  Result<void> add_parts() {
    std::vector<PartFields> parts;
    positions_.assign(bank_.clips.size(), std::nullopt);
    positions_[0] = 0;
    BlockFields& main = blocks_.front();
    for (std::size_t i = 0; i < bank_.participants.size(); ++i) {
      const Participant& participant = bank_.participants[i];
      const std::string path = fmt::format("participants[{}]", i);
      if (participant.clip && (*participant.clip == 0 || *participant.clip >= blocks_.size())) {
        return fail(ErrorCode::bad_value, path,
                    fmt::format("has clip {}, where 1 to {} may be", *participant.clip,
                                blocks_.size() - 1));
      }
      if (auto checked = check_record(participant, path); !checked) return checked;
      if (participant.reference) note(path, "its reference is left out: the format has none");
      parts.push_back(record_of(participant));
      if (participant.clip) parts.back().child = add_child(main, *participant.clip);
    }
    for (std::uint32_t clip = 1; clip < bank_.clips.size(); ++clip) {
      if (positions_[clip]) continue;
      const std::string path = fmt::format("clip[{}]", clip);
      if (auto named = check_name(bank_.clips[clip].name, path); !named) return named;
      parts.push_back(guess_record(bank_.clips[clip]));
      parts.back().child = add_child(main, clip);
      note(path, fmt::format("no participant names it; a record of kind {} is a guess",
                             parts.back().kind));
    }
    if (!parts.empty()) main.parts = std::move(parts);
    return {};
  }

  [[nodiscard]] static Result<void> check_record(const Participant& participant,
                                                 const std::string& path) {
    constexpr std::uint32_t largest_kind = 0xFF;  // spec mab-chunked, 6.1: u8
    if (participant.kind > largest_kind) {
      return fail(
          ErrorCode::limit, path + ".kind",
          fmt::format("is {}, where the format holds 0 to {}", participant.kind, largest_kind));
    }
    if (!std::isfinite(participant.start) || !std::isfinite(participant.end)) {
      return fail(ErrorCode::bad_value, path,
                  fmt::format("is there from {} to {} s, which are no times", participant.start,
                              participant.end));
    }
    return check_name(participant.name, path);
  }

  [[nodiscard]] static Result<void> check_name(const std::optional<std::string>& name,
                                               const std::string& path) {
    if (!name) return {};
    if (name->size() > longest_part_name) {
      return fail(
          ErrorCode::limit, path + ".name",
          fmt::format("its name has {} bytes, more than {}", name->size(), longest_part_name));
    }
    if (name->find('\0') != std::string::npos) {
      return fail(ErrorCode::bad_value, path + ".name", "its name has a zero byte in it");
    }
    return {};
  }

  [[nodiscard]] static PartFields record_of(const Participant& participant) {
    PartFields part;
    part.start = participant.start;
    part.end = participant.end;
    part.child_bone = participant.child;
    part.parent_bone = participant.parent;
    part.target_bone = participant.target;
    part.kind = static_cast<std::uint8_t>(participant.kind);
    part.unknown_0x1D = usual_part_byte;
    part.name = participant.name;
    return part;
  }

  [[nodiscard]] PartFields guess_record(const Clip& clip) const {
    PartFields part;
    part.end = clip.duration;
    part.child_bone =
        clip.joints.empty() ? 0 : joint_hash(clip.joints.front(), 0, "").value_or(std::uint32_t{0});
    part.parent_bone = any_bone;
    if (clip.parent)
      part.parent_bone = hash_from_text(*clip.parent).value_or(name_hash(*clip.parent));
    part.kind = clip.joints.size() > 1 ? possession_kind : sub_part_kind;
    part.unknown_0x1D = usual_part_byte;
    part.name = clip.name;
    return part;
  }

  /// Position of a clip among the main block's children, where it is added when it is new.
  std::size_t add_child(BlockFields& main, std::uint32_t clip) {
    if (!positions_[clip]) {
      main.children.push_back(std::move(blocks_[clip]));
      positions_[clip] = static_cast<std::uint32_t>(main.children.size());
    }
    return *positions_[clip] - 1;
  }

  /// Reads the file back and measures what came of it.
  Result<EncodedFile> report(std::vector<std::byte> bytes) {
    EncodedFile file;
    file.report.bytes = bytes.size();
    file.report.notices = std::move(notices_);
    auto decoded =
        ChunkedMab::parse(bytes, {}).and_then([](const ChunkedMab& mab) { return mab.bank(); });
    if (!decoded) return tl::unexpected(std::move(decoded.error()));
    for (std::uint32_t clip = 0; clip < bank_.clips.size(); ++clip) {
      const bool has_rig = clip == 0 && options_.skeleton != nullptr;
      file.report.clips.push_back(
          report_clip(clip, sources_[clip], std::move(tracks_[clip]),
                      decoded->clips[*positions_[clip]], same_joints(bank_.clips[clip]),
                      {has_rig ? options_.skeleton : nullptr, has_rig ? &binding_ : nullptr,
                       options_.vertex_distance}));
      file.report.clips.back().joint_names = joint_labels(bank_.clips[clip]);
    }
    file.bytes = std::move(bytes);
    return file;
  }

  const Bank& bank_;
  const ChunkedLayout& layout_;
  const EncodeOptions& options_;
  Binding binding_;
  std::uint64_t bytes_left_ = most_encoded_bytes;  ///< for values of clips still to come
  std::vector<BlockFields> blocks_;  ///< one a clip, until it moves into the main block
  std::vector<motion::SampledClip> sources_;
  std::vector<std::vector<TrackReport>> tracks_;
  /// Where the clips stand in the file: 0 is the main block.
  std::vector<std::optional<std::uint32_t>> positions_;
  std::vector<Diagnostic> notices_;
};

/// Bytes of a stream of `tracks` tracks whose blocks take `bits_of(keys)` bits.
template <class BitsOf>
std::uint64_t stream_bound(std::uint64_t tracks, std::uint32_t keys, const BitsOf& bits_of) {
  if (tracks == 0) return 0;
  const std::uint32_t chunks = codec::chunk_count(keys);
  std::uint64_t size = 4 * (std::uint64_t{chunks} + 1);
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    size += (tracks * bits_of(codec::keys_of_chunk(keys, chunk)) + 7) / 8;
  }
  return size;
}

/// A block with nothing constant and every depth 16 (spec mab-chunked, 2.2 and 3.2).
std::uint64_t block_bound(const Clip& clip, const ChunkedLayout& layout, std::uint32_t keys) {
  std::uint64_t rotations = 0;
  std::uint64_t translations = 0;
  for (const Track& track : clip.tracks) {
    ++(track.channel == Channel::rotation ? rotations : translations);
  }
  const auto rotation_bits = [](unsigned count) { return 6U + count + 3U * 16U * (1U + count); };
  const auto translation_bits = [](unsigned count) { return 3U + 3U * 16U * (1U + count); };
  constexpr std::uint64_t paddings = std::uint64_t{4} * 8;
  std::uint64_t size = layout.header_size + 5ULL * clip.joints.size() + 2ULL * keys + paddings;
  size += 4 * translations;
  size += stream_bound(rotations, keys, rotation_bits);
  size += stream_bound(translations, keys, translation_bits);
  if (clip.root_motion && clip.root_motion->rotation) size += stream_bound(1, keys, rotation_bits);
  if (clip.root_motion && clip.root_motion->translation) {
    size += 4 + stream_bound(1, keys, translation_bits);
  }
  return size;
}

}  // namespace

Result<EncodedFile> encode_chunked(const Bank& bank, Game game, const EncodeOptions& options) {
  const ChunkedLayout* const layout = layout_of_game(game);
  if (layout == nullptr) {
    return tl::unexpected(
        Error{ErrorCode::bad_argument, std::nullopt, "",
              fmt::format("{} has no files of the chunked family", display_name(game))});
  }
  if (auto checked = check_options(options); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  return BankEncoder(bank, *layout, options).run();
}

std::uint64_t chunked_size_bound(const Bank& bank, Game game, const EncodeOptions& options) {
  const ChunkedLayout* const layout = layout_of_game(game);
  if (layout == nullptr || layout->needs_template || bank.clips.empty()) return 0;
  std::uint64_t size = main_base + layout->tail_size;
  std::uint64_t bytes_left = most_encoded_bytes;
  for (const Clip& clip : bank.clips) {
    auto grid = key_grid(*layout, choose_rate(bank, clip, *layout, options));
    if (!grid) return 0;
    grid->frames_only = options.frames_per_second.has_value();
    grid->max_bytes = bytes_left;
    const auto sampled = sample_keys(clip, *grid, "");
    if (!sampled) return 0;
    bytes_left -= motion::sampled_bytes(*sampled);
    size += block_bound(clip, *layout, static_cast<std::uint32_t>(sampled->ticks.size()));
  }
  const std::uint64_t records = bank.participants.size() + bank.clips.size();
  if (records > 1) size += part_count_size + records * layout->part_record_size;
  for (const Participant& participant : bank.participants) {
    if (participant.name) size += participant.name->size() + 1;
  }
  for (const Clip& clip : bank.clips) {
    if (clip.name) size += clip.name->size() + 1;
  }
  return size;
}

}  // namespace mabkit::mab
