#include "encode_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <mabkit/file.hpp>

#include "console.hpp"

namespace mabkit::cli {
namespace {

constexpr double radians_per_degree = 3.14159265358979323846 / 180.0;
constexpr double metres_per_millimetre = 1e-3;
// What --fps may be; the sparse family stores it in 16 bits (spec mab-sparse, 3.5).
constexpr double least_fps = 0.001;
constexpr double most_fps = 65535.0;

/// The largest unit that `--scale` takes, in metres.
constexpr double largest_unit = 1e6;

/// Metres in a unit: a number, or a unit's name.
std::optional<double> metres_of(const std::string& text) {
  if (text == "m") return 1.0;
  if (text == "cm") return 0.01;
  if (text == "mm") return 0.001;
  if (text == "inch") return 0.0254;
  double value = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = code == std::errc() && end == text.data() + text.size();
  if (!is_number || !(value > 0.0 && value <= largest_unit)) return std::nullopt;
  return value;
}

bool load_map(const std::filesystem::path& file, ConvertOptions& options) {
  const auto bytes = read_file(file, options.read.limits.max_file_size);
  if (!bytes) {
    complain(file, bytes.error());
    return false;
  }
  auto map = read_joint_map(*bytes);
  if (!map) {
    complain(file, map.error());
    return false;
  }
  options.joint_map = std::move(*map);
  return true;
}

bool load_target(const std::filesystem::path& file, ConvertOptions& options) {
  auto rig = load_rig(file, options.read.limits);
  if (!rig) {
    complain(file, rig.error());
    return false;
  }
  options.target_rig = std::move(*rig);
  return true;
}

bool load_like(const std::filesystem::path& file, ConvertOptions& options) {
  auto like = load_template(file, options.read);
  if (!like) {
    complain(file, like.error());
    return false;
  }
  options.like = std::make_shared<const Template>(std::move(*like));
  return true;
}

void apply_bounds(const EncodeArguments& arguments, EncodeOptions& encode) {
  if (arguments.max_error) encode.max_rotation_error = *arguments.max_error * radians_per_degree;
  if (arguments.max_offset) {
    encode.max_translation_error = *arguments.max_offset * metres_per_millimetre;
  }
  if (arguments.max_error_mm) {
    encode.max_object_error = *arguments.max_error_mm * metres_per_millimetre;
  }
  if (arguments.key_reduction) encode.key_reduction = *arguments.key_reduction == "on";
  encode.frames_per_second = arguments.fps;
  if (arguments.keep_tolerance) encode.keep_tolerance = *arguments.keep_tolerance;
  encode.keep_grid = arguments.keep_grid;
}

}  // namespace

std::string EncodeArguments::only_for_mab() const {
  if (!like.empty()) return "--like";
  if (max_error) return "--max-error";
  if (max_offset) return "--max-offset";
  if (max_error_mm) return "--max-error-mm";
  if (key_reduction) return "--key-reduction";
  if (fps) return "--fps";
  if (keep_tolerance) return "--keep-tolerance";
  return keep_grid ? "--keep-grid" : "";
}

std::string EncodeArguments::contradiction() const {
  if (!like.empty() && fps) {
    return "--fps is for new files: with --like the original's rate stays; leave it out";
  }
  if (!like.empty()) return {};
  const char* const only_with_like = keep_grid        ? "--keep-grid"
                                     : keep_tolerance ? "--keep-tolerance"
                                                      : nullptr;
  if (only_with_like == nullptr) return {};
  return fmt::format("{} says what an edit of an original keeps: add --like ORIGINAL.mab",
                     only_with_like);
}

void add_encode_options(CLI::App& app, EncodeArguments& arguments) {
  const std::string group = "Writing .mab";
  const auto on_or_off = CLI::IsMember({"on", "off"});
  app.add_option("--like", arguments.like,
                 "The original .mab: only what changed is encoded, all else stays to the byte. A "
                 "folder, where folders are converted: the file of the same name in it")
      ->type_name("ORIGINAL.mab")
      ->group(group);
  app.add_option("--max-error-mm", arguments.max_error_mm,
                 "With a rig: how far, in millimetres, any point 3 cm from a joint may be off "
                 "(default 0.1)")
      ->check(CLI::PositiveNumber)
      ->type_name("MM")
      ->group(group);
  app.add_option("--max-error", arguments.max_error,
                 "Without a rig: how far, in degrees, a joint's rotation may be off (default 0.05)")
      ->check(CLI::PositiveNumber)
      ->type_name("DEG")
      ->group(group);
  app.add_option("--max-offset", arguments.max_offset,
                 "Without a rig: how far, in millimetres, a joint may be off (default 0.1)")
      ->check(CLI::PositiveNumber)
      ->type_name("MM")
      ->group(group);
  app.add_option("--key-reduction", arguments.key_reduction,
                 "on: drop keys that interpolation brings back (default for new files), off: keep "
                 "them (default with --like)")
      ->check(on_or_off)
      ->type_name("on|off")
      ->group(group);
  app.add_option(
         "--fps", arguments.fps,
         "Keys a second of a new file (default: the input's where the game can hold them, else "
         "30)")
      ->check(CLI::Range(least_fps, most_fps))
      ->type_name("N")
      ->group(group);
  app.add_option("--keep-tolerance", arguments.keep_tolerance,
                 "With --like: tracks that changed less, in radians and metres, keep their bits "
                 "(default 0.00002)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("X")
      ->group(group);
  app.add_flag("--keep-grid", arguments.keep_grid,
               "With --like: insert no keys, rather report the error that this costs")
      ->group(group);
  app.add_option("--map", arguments.map,
                 "A JSON object of joint names, from the input's to the rig's; null leaves a joint "
                 "out")
      ->type_name("JOINTS.json");
  app.add_option("--target-skeleton", arguments.target_skeleton,
                 "The rig to carry the motion over to, where --skeleton is that of the input")
      ->type_name("RIG");
  app.add_option(
         "--retarget", arguments.retarget,
         "on: carry rotations over relative to both bind poses, and scale by the legs; off: "
         "copy values raw")
      ->check(on_or_off)
      ->type_name("on|off")
      ->capture_default_str();
  app.add_option("--bind", arguments.bind,
                 "Whether rotations in a .mab replace the bind pose (absolute) or are within it "
                 "(delta); auto: found out by a vote, and said")
      ->check(CLI::IsMember({"auto", "absolute", "delta"}))
      ->type_name("HOW")
      ->capture_default_str();
  app.add_option("--up", arguments.up, "Which axis of a .bvh, .fbx or glTF points up: y, z or auto")
      ->check(CLI::IsMember({"auto", "y", "z"}))
      ->type_name("AXIS")
      ->capture_default_str();
  app.add_option("--scale", arguments.scale,
                 "Metres in one unit of a .bvh, .fbx or glTF: a number, m, cm, mm, inch or auto")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text == "auto" || metres_of(text)
                       ? std::string()
                       : "use a number above 0 and up to 1000000, m, cm, mm, inch or auto";
          },
          ""))
      ->type_name("S")
      ->capture_default_str();
}

bool apply_encode_options(const EncodeArguments& arguments, ConvertOptions& options) {
  std::error_code code;
  const bool like_is_file =
      !arguments.like.empty() && !std::filesystem::is_directory(arguments.like, code);
  if (like_is_file && !load_like(arguments.like, options)) return false;
  if (!arguments.map.empty() && !load_map(arguments.map, options)) return false;
  if (!arguments.target_skeleton.empty() && !load_target(arguments.target_skeleton, options)) {
    return false;
  }
  options.retarget = arguments.retarget == "on";
  if (arguments.bind == "absolute") options.bind_mode = BindMode::absolute;
  if (arguments.bind == "delta") options.bind_mode = BindMode::delta;
  if (arguments.up != "auto") {
    options.import.up = arguments.up == "z" ? UpAxis::z : UpAxis::y;
  }
  if (arguments.scale != "auto") {
    options.import.metres_per_unit = metres_of(arguments.scale);
  }
  apply_bounds(arguments, options.encode);
  options.reencode =
      !arguments.only_for_mab().empty() || !arguments.map.empty() || options.bind_mode.has_value();
  return true;
}

}  // namespace mabkit::cli
