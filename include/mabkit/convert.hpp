#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mabkit/document.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/joint_map.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>
#include <mabkit/retarget.hpp>
#include <mabkit/scene.hpp>
#include <mabkit/skeleton.hpp>
#include <memory>
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
  fbx,   ///< binary FBX 7.4
};

/// The extension with its dot: `.mab`, `.json`, `.glb`, `.gltf`, `.fbx`.
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

/// A file whose joints, events and unknown bytes an output takes over.
struct Template {
  std::filesystem::path file;
  Document document;
};

/// Reads a template.
[[nodiscard]] Result<Template> load_template(const std::filesystem::path& file,
                                             const ReadOptions& options = {});

/// How `convert` reads, names and writes.
struct ConvertOptions {
  OutputFormat to = OutputFormat::glb;
  ReadOptions read;
  /// Up axis and unit of files of other tools. Its limits are those of `read`.
  ImportOptions import;
  /// The program that reads FBX; empty: the one beside this program.
  std::filesystem::path fbx_importer;
  /// Root motion, binding, and the one clip or take to write (absent: all clips, the first take).
  SceneOptions scene;
  /// The rig that finds most joints of the first clip written is taken, the first among equals. It
  /// is the rig of a `.mab`; a file that brings a rig of its own is retargeted to it.
  std::vector<Rig> rigs;
  /// The rig to retarget to, where that is not the one of the input.
  std::optional<Rig> target_rig;
  /// Carries motion over to another rig relative to both bind poses; else values are copied raw.
  bool retarget = true;
  /// New names for joints of the input, before anything looks for them.
  JointMap joint_map;
  /// Gives names to joints that a rig did not name, by their hash.
  NameDictionary names;
  /// Whether the values of a `.mab` that is read or written replace the bind pose. Absent: put to a
  /// vote where the format leaves it open.
  std::optional<BindMode> bind_mode;
  /// The game to write `.mab` for; absent: that of the input or of the template.
  std::optional<Game> game;
  /// What a `.mab` is written into; absent: a new file.
  std::shared_ptr<const Template> like;
  /// How a `.mab` is encoded. Its skeleton is chosen by `convert`.
  EncodeOptions encode;
  /// Encodes a `.mab` anew for its own game, too; else it is copied to the byte.
  bool reencode = false;
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

/// How the first clip was carried over to another rig.
struct RetargetMatch {
  std::filesystem::path rig;  ///< the target's file
  std::size_t matched = 0;
  std::vector<std::string> left_out;  ///< joints that the target has no bone for
  double scale = 1.0;                 ///< of lengths
};

/// What became of one input.
struct Conversion {
  std::optional<Game> game;  ///< of the output where that is a `.mab`, else of the input
  std::size_t clips = 0;     ///< in the file
  std::size_t joints = 0;    ///< of clip 0
  std::uint32_t keys = 0;    ///< of clip 0's longest curve
  float duration = 0.0F;     ///< of clip 0, in seconds
  std::optional<RigMatch> rig;
  std::optional<RetargetMatch> retarget;
  std::optional<EncodeReport> encoding;  ///< of a `.mab` that was encoded
  std::vector<Diagnostic> warnings;
  /// What was chosen, snapped or resampled: not a reason to worry.
  std::vector<Diagnostic> notices;
  std::vector<ConvertedPart> parts;
};

/// Converts one file in memory: `.mab`, `.json`, `.glb`, `.gltf`, `.bvh` or `.fbx`, known by its
/// content. `name` is what the root node and unnamed clips of a scene are called, usually the
/// file's stem. `file` is where the bytes are from: FBX is read from there, and the buffers of a
/// `.gltf` from beside it; without it these are refused. Fails where the bytes can't be read, with
/// `unsupported` or `bad_argument` where the options ask for what can't be, and as `encode_mab` and
/// `Document::with` do.
[[nodiscard]] Result<Conversion> convert(std::vector<std::byte> bytes, std::string_view name,
                                         const ConvertOptions& options,
                                         const std::filesystem::path& file = {});

}  // namespace mabkit
