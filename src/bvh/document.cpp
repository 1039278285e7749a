#include "bvh/document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "bvh/tokens.hpp"

namespace mabkit::bvh {
namespace {

/// Three positions and three rotations.
constexpr double most_channels = 6;
/// A number and what separates it from the next.
constexpr std::uint64_t least_bytes_a_value = 2;
/// Seconds a frame, far beyond what is recorded.
constexpr double shortest_frame = 1e-5;
constexpr double longest_frame = 3600.0;
/// Words that are quoted in messages are cut after this.
constexpr std::size_t longest_quote = 40;

/// How the file says a word in a message.
std::string quoted(const Token& token) {
  if (token.text.empty()) return "the end of the file";
  return fmt::format("\"{}\"", token.text.substr(0, longest_quote));
}

class Parser {
 public:
  Parser(std::string_view text, const ReadLimits& limits) : tokens_(text), limits_(limits) {}

  Result<MotionDocument> parse() && {
    if (!is_word(tokens_.peek().text, "HIERARCHY")) {
      return fail(ErrorCode::unknown_format, {}, "does not begin with HIERARCHY, so it is no BVH");
    }
    tokens_.next();
    if (auto read = read_hierarchy(); !read) return tl::unexpected(read.error());
    if (auto read = read_motion(); !read) return tl::unexpected(read.error());
    return std::move(out_);
  }

 private:
  using Step = Result<void>;

  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::string path,
                                           std::string message) const {
    return fail_at(tokens_.peek(), code, std::move(path), std::move(message));
  }
  /// The end of the file is a truncation, whatever else was expected there.
  [[nodiscard]] tl::unexpected<Error> fail_at(const Token& token, ErrorCode code, std::string path,
                                              std::string message) const {
    const bool is_end =
        token.text.empty() && tokens_.bytes_left() == 0 && code == ErrorCode::bad_value;
    return tl::unexpected(Error{is_end ? ErrorCode::truncated : code, token.offset, std::move(path),
                                std::move(message)});
  }

  [[nodiscard]] std::string joint_path() const {
    return fmt::format("joint[{}]", out_.joints.size() - 1);
  }

  /// Joints nest; where the reader stands is a joint, not a level of calls.
  Step read_hierarchy() {
    std::optional<std::uint32_t> open;  ///< the joint whose braces enclose this place
    while (true) {
      const Token word = tokens_.peek();
      Step step;
      if (!open && is_word(word.text, "MOTION")) {
        if (out_.joints.empty()) return fail(ErrorCode::bad_value, "joint", "there is no ROOT");
        return {};
      }
      if (is_word(word.text, open ? "JOINT" : "ROOT")) {
        step = read_joint(open);
        open = static_cast<std::uint32_t>(out_.joints.size() - 1);
      } else if (open && is_word(word.text, "End")) {
        step = read_end_site(*open);
      } else if (open && word.text == "}") {
        tokens_.next();
        open = out_.joints[*open].parent;
      } else {
        return fail(ErrorCode::bad_value, open ? fmt::format("joint[{}]", *open) : "joint",
                    fmt::format("has {} where {} may stand", quoted(word),
                                open ? "JOINT, End Site or }" : "ROOT or MOTION"));
      }
      if (!step) return step;
    }
  }

  /// From `JOINT` to the last thing before children: name, brace, OFFSET and CHANNELS.
  Step read_joint(std::optional<std::uint32_t> parent) {
    const Token keyword = tokens_.next();
    if (out_.joints.size() >= limits_.max_joints) {
      return fail_at(keyword, ErrorCode::limit, "joint",
                     fmt::format("there are more joints than the limit of {}", limits_.max_joints));
    }
    MotionJoint& joint = out_.joints.emplace_back();
    joint.parent = parent;
    const Token name = tokens_.rest_of_line();
    if (name.text.empty()) {
      return fail_at(name, ErrorCode::bad_value, joint_path() + ".name", "the joint has no name");
    }
    joint.name = name.text;
    if (auto brace = expect("{", joint_path()); !brace) return brace;

    bool has_offset = false;
    bool has_channels = false;
    while (true) {
      const Token word = tokens_.peek();
      if (!has_offset && is_word(word.text, "OFFSET")) {
        has_offset = true;
        if (auto read = read_offset(joint.offset, joint_path() + ".offset"); !read) return read;
      } else if (!has_channels && is_word(word.text, "CHANNELS")) {
        has_channels = true;
        if (auto read = read_channels(joint); !read) return read;
      } else {
        break;
      }
    }
    if (!has_offset) {
      return fail(ErrorCode::bad_value, joint_path() + ".offset",
                  fmt::format("has {} where OFFSET must stand", quoted(tokens_.peek())));
    }
    joint.first_value = out_.values_per_frame;
    out_.values_per_frame += joint.channels.size();
    return {};
  }

  Step read_offset(Point& offset, const std::string& path) {
    tokens_.next();
    for (double& component : offset) {
      const auto value = read_number(path);
      if (!value) return tl::unexpected(value.error());
      component = *value;
    }
    return {};
  }

  Step read_channels(MotionJoint& joint) {
    tokens_.next();
    const std::string path = joint_path() + ".channels";
    const Token count_token = tokens_.next();
    const auto count = decimal(count_token.text);
    if (!count || !(*count >= 0.0 && *count <= most_channels) || *count != std::floor(*count)) {
      return fail_at(
          count_token, ErrorCode::bad_value, path,
          fmt::format("has {} channels; 0 to {} are possible", quoted(count_token), most_channels));
    }
    std::array<bool, 3> has_position{};
    for (auto i = static_cast<std::size_t>(*count); i > 0; --i) {
      const Token word = tokens_.next();
      const auto channel = channel_of(word.text);
      if (!channel) {
        return fail_at(
            word, ErrorCode::bad_value, path,
            fmt::format("{} is neither a position nor a rotation about X, Y or Z", quoted(word)));
      }
      if (!channel->is_rotation && std::exchange(has_position[channel->axis], true)) {
        return fail_at(word, ErrorCode::inconsistent, path,
                       fmt::format("{} stands there twice", quoted(word)));
      }
      joint.channels.push_back(*channel);
    }
    return {};
  }

  static std::optional<MotionChannel> channel_of(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const std::size_t axis = std::string_view("XYZxyz").find(text.front());
    if (axis == std::string_view::npos) return std::nullopt;
    const std::string_view kind = text.substr(1);
    if (!is_word(kind, "rotation") && !is_word(kind, "position")) return std::nullopt;
    return MotionChannel{is_word(kind, "rotation"), static_cast<std::uint8_t>(axis % 3)};
  }

  Step read_end_site(std::uint32_t joint) {
    const std::string path = fmt::format("joint[{}].end_site", joint);
    tokens_.next();
    const Token site = tokens_.next();
    if (!is_word(site.text, "Site")) {
      return fail_at(site, ErrorCode::bad_value, path,
                     fmt::format("has {} where Site must stand", quoted(site)));
    }
    tokens_.rest_of_line();  // some programs give end sites names
    if (auto brace = expect("{", path); !brace) return brace;
    if (!is_word(tokens_.peek().text, "OFFSET")) {
      return fail(ErrorCode::bad_value, path,
                  fmt::format("has {} where OFFSET must stand", quoted(tokens_.peek())));
    }
    Point offset{};
    if (auto read = read_offset(offset, path + ".offset"); !read) return read;
    out_.joints[joint].end_sites.push_back(offset);
    return expect("}", path);
  }

  Step read_motion() {
    tokens_.next();
    if (out_.values_per_frame == 0) {
      return fail(ErrorCode::bad_value, "motion", "no joint has channels, so nothing moves");
    }
    const auto frames_at = tokens_.peek();
    const auto frames = read_labelled({"Frames"}, "motion.frames");
    if (!frames) return tl::unexpected(frames.error());
    const auto time_at = tokens_.peek();
    const auto time = read_labelled({"Frame", "Time"}, "motion.frame_time");
    if (!time) return tl::unexpected(time.error());

    const bool is_many = *frames > static_cast<double>(limits_.max_keys);
    if (!(*frames >= 1.0) || is_many) {
      return fail_at(
          frames_at, is_many ? ErrorCode::limit : ErrorCode::bad_value, "motion.frames",
          fmt::format("there are {} frames; 1 to {} are possible", *frames, limits_.max_keys));
    }
    out_.frames = static_cast<std::uint32_t>(*frames);
    if (out_.frames != *frames) {
      return fail_at(frames_at, ErrorCode::bad_value, "motion.frames",
                     fmt::format("{} is no whole number", *frames));
    }
    if (!(*time >= shortest_frame && *time <= longest_frame)) {
      return fail_at(time_at, ErrorCode::bad_value, "motion.frame_time",
                     fmt::format("a frame takes {} s; {} to {} are possible", *time, shortest_frame,
                                 longest_frame));
    }
    out_.frame_time = *time;
    return read_values();
  }

  /// Words, the last with a colon somewhere behind it, and a number.
  Result<double> read_labelled(std::initializer_list<std::string_view> words,
                               const std::string& path) {
    for (const std::string_view expected : words) {
      const Token found = tokens_.next();
      std::string_view text = found.text;
      if (text.ends_with(':')) text.remove_suffix(1);
      if (!is_word(text, expected)) {
        return fail_at(found, ErrorCode::bad_value, path,
                       fmt::format("has {} where {} must stand", quoted(found), expected));
      }
    }
    if (tokens_.peek().text == ":") tokens_.next();
    return read_number(path);
  }

  Step read_values() {
    const std::uint64_t count = std::uint64_t{out_.frames} * out_.values_per_frame;
    const std::uint64_t least_bytes = count * least_bytes_a_value - 1;
    if (least_bytes > tokens_.bytes_left()) {
      return fail(ErrorCode::truncated, "motion",
                  fmt::format("{} frames of {} values can't stand in the {} bytes that are left",
                              out_.frames, out_.values_per_frame, tokens_.bytes_left()));
    }
    if (count * sizeof(double) > limits_.max_decoded_bytes) {
      return fail(ErrorCode::limit, "motion",
                  fmt::format("{} values need more memory than the limit of {} bytes", count,
                              limits_.max_decoded_bytes));
    }
    out_.values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Token token = tokens_.next();
      const auto value = decimal(token.text);
      if (!value) {
        return fail_at(token, ErrorCode::bad_value,
                       fmt::format("motion.frame[{}].value[{}]", i / out_.values_per_frame,
                                   i % out_.values_per_frame),
                       fmt::format("has {} where a number must stand", quoted(token)));
      }
      out_.values.push_back(*value);
    }
    if (!tokens_.peek().text.empty()) {
      out_.notices.push_back({tokens_.peek().offset, "motion",
                              fmt::format("what follows the {} frames is left out", out_.frames)});
    }
    return {};
  }

  Result<double> read_number(const std::string& path) {
    const Token token = tokens_.next();
    const auto value = decimal(token.text);
    if (!value) {
      return fail_at(token, ErrorCode::bad_value, path,
                     fmt::format("has {} where a number must stand", quoted(token)));
    }
    return *value;
  }

  Step expect(std::string_view brace, const std::string& path) {
    const Token found = tokens_.next();
    if (found.text == brace) return {};
    return fail_at(found, ErrorCode::bad_value, path,
                   fmt::format("has {} where {} must stand", quoted(found), brace));
  }

  Tokens tokens_;
  const ReadLimits& limits_;
  MotionDocument out_;
};

}  // namespace

Result<MotionDocument> parse_document(std::span<const std::byte> bytes, const ReadLimits& limits) {
  if (bytes.size() > limits.max_file_size) {
    return tl::unexpected(Error{ErrorCode::limit,
                                std::nullopt,
                                {},
                                fmt::format("has {} bytes, more than the limit of {}", bytes.size(),
                                            limits.max_file_size)});
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return Parser(text, limits).parse();
}

}  // namespace mabkit::bvh
