#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>
#include <mabkit/gltf.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit {

/// What a clip can be written as.
enum class OutputFormat : std::uint8_t {
  mab,   ///< the file itself, byte for byte
  json,  ///< `mabkit.bank/1`
  glb,   ///< binary glTF
  gltf,  ///< glTF as one text
};

/// The extension with its dot: `.mab`, `.json`, `.glb`, `.gltf`.
[[nodiscard]] std::string_view extension_of(OutputFormat format);
/// The format of an extension, with or without its dot, any case.
[[nodiscard]] std::optional<OutputFormat> output_format(std::string_view extension);

/// A skeleton, and the file that it was read from.
struct Rig {
  std::filesystem::path file;
  Skeleton skeleton;
};

/// Reads a rig by its content: `.skeleton`, `.xbg`, `.glb` or `.gltf`.
[[nodiscard]] Result<Rig> load_rig(const std::filesystem::path& file,
                                   const ReadLimits& limits = {});

/// How `convert` reads, names and writes.
struct ConvertOptions {
  OutputFormat to = OutputFormat::glb;
  ReadOptions read;
  /// Root motion, binding, and the one clip to write (absent: all of them).
  GltfOptions gltf;
  /// The rig that finds most joints of the first clip written is taken, the first among equals.
  std::vector<Rig> rigs;
  /// Gives names to joints that a rig did not name, by their hash.
  NameDictionary names;
  /// The game to write `.mab` for; absent: the file's own.
  std::optional<Game> game;
  /// One output a clip rather than one for all.
  bool split = false;
};

/// A joint that the chosen rig does not have.
struct UnmatchedJoint {
  std::uint32_t joint = 0;  ///< position in the clip
  std::uint32_t id = 0;
  std::optional<std::uint32_t> hash;
  std::optional<std::string> name;
  std::vector<std::string> near_names;  ///< bones that it may have meant, the nearest first
};

/// How the joints of the first clip written were found in a rig.
struct RigMatch {
  std::size_t rig = 0;         ///< position in `ConvertOptions::rigs`
  std::uint32_t clip = 0;      ///< position in the bank
  std::size_t joints = 0;      ///< of that clip
  bool rig_lacks_ids = false;  ///< joints went by bone id, and the rig has none
  std::size_t matched = 0;
  std::vector<UnmatchedJoint> unmatched;
};

/// One file that a conversion makes.
struct ConvertedPart {
  /// What stands between the stem and the extension: empty, or `.1-prop` for clip 1 named `prop`.
  /// Safe on every file system, and no two parts of a bank have the same.
  std::string infix;
  std::vector<std::byte> bytes;
};

/// What became of one input.
struct Conversion {
  Game game{};
  std::size_t clips = 0;   ///< in the file
  std::size_t joints = 0;  ///< of clip 0
  std::uint32_t keys = 0;  ///< of clip 0's longest curve
  float duration = 0.0F;   ///< of clip 0, in seconds
  std::optional<RigMatch> rig;
  std::vector<Diagnostic> warnings;
  std::vector<ConvertedPart> parts;
};

/// Converts one file in memory. `name` is what the root node and unnamed clips of a glTF are
/// called, usually the file's stem. Fails where the bytes can't be read, and with `unsupported` or
/// `bad_argument` where the options ask for what can't be.
[[nodiscard]] Result<Conversion> convert(std::vector<std::byte> bytes, std::string_view name,
                                         const ConvertOptions& options);

}  // namespace mabkit
