#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mabkit/convert.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// A file to work on.
struct InputFile {
  std::filesystem::path file;
  /// Where it lies below the folder that was asked for; its bare name where it was asked for
  /// itself.
  std::filesystem::path relative;
};

/// Something that was asked for and can't be worked on.
struct RefusedInput {
  std::filesystem::path path;
  Error error;
};

struct InputList {
  std::vector<InputFile> files;  ///< in the order asked for; within a folder sorted by path
  std::vector<RefusedInput> refused;
  /// Files below folders that hold motion, but are none of those that were asked for.
  std::vector<std::filesystem::path> passed_over;
};

/// Which files of a folder are meant.
enum class InputKind : std::uint8_t {
  mab,         ///< `.mab`
  any_motion,  ///< `.mab`, `.glb`, `.gltf`, `.bvh`, `.fbx`
};

/// Finds the files that `paths` mean. A folder stands for every file of `kind` below it. The same
/// file is listed once for one place below a folder. Fails with `bad_argument` where a folder is
/// asked for without `recursive`.
[[nodiscard]] Result<InputList> find_inputs(std::span<const std::filesystem::path> paths,
                                            bool recursive, InputKind kind = InputKind::mab);

/// An input and where its output goes.
struct PlannedFile {
  std::filesystem::path input;
  std::filesystem::path output;  ///< without the infix of a split part
  std::filesystem::path like;    ///< the template of this file alone; empty: as the options say
};

/// Where conversions go.
struct OutputTarget {
  std::filesystem::path path;      ///< a file, or a folder
  std::optional<OutputFormat> to;  ///< absent: by the extension of `path`
  bool is_folder = false;  ///< several inputs or a folder were asked for, so `path` is one as well
  std::vector<std::filesystem::path> protected_files;  ///< never written to, as inputs are not
  /// A template, which is never written to either; or a folder of templates, which have the places
  /// below it that the inputs have below theirs, and the extension `.mab`.
  std::filesystem::path like;
};

/// What each input becomes.
struct OutputPlan {
  OutputFormat to = OutputFormat::glb;
  std::vector<PlannedFile> files;
  std::set<std::filesystem::path> reserved;  ///< see `WriteOptions::reserved`
};

/// One spelling for every way to write the same place.
[[nodiscard]] std::filesystem::path canonical_place(const std::filesystem::path& path);

/// Decides every output before anything is written. Fails with `bad_argument` where the target has
/// no format that can be written, where two inputs would become one output, and where an output is
/// an input.
[[nodiscard]] Result<OutputPlan> plan_outputs(std::span<const InputFile> inputs,
                                              const OutputTarget& target);

/// How a planned file is carried out.
struct WriteOptions {
  /// Places, as `canonical_place` spells them, that the parts of a split file must not take: what
  /// is read, and what other files become.
  std::set<std::filesystem::path> reserved;
  bool dry_run = false;  ///< converts, but writes nothing
  bool durable = false;  ///< flushes each output to the disk
  bool strict = false;   ///< a warning makes the file fail, and nothing of it is written
};

/// An output that was written, or would have been.
struct WrittenFile {
  std::filesystem::path path;
  std::uint64_t size = 0;  ///< bytes
};

/// What became of a planned file.
struct FileOutcome {
  std::filesystem::path input;
  std::vector<WrittenFile> outputs;
  /// Without the bytes of its parts; absent where the file could not be converted.
  std::optional<Conversion> conversion;
  std::optional<Error> error;
  /// The file that `error` is about: the input, or an output.
  std::filesystem::path error_file;
};

/// Reads, converts and writes one file. An allocation that fails is an error like any other.
[[nodiscard]] FileOutcome convert_file(const PlannedFile& file, const ConvertOptions& options,
                                       const WriteOptions& write);

/// Reports on one piece of work. Reports are called one at a time, in the order of the work.
using Report = std::function<void()>;

/// Calls `work(i)` for every i below `count`, over `jobs` threads, and each report that it returns
/// in the order of i, however long each took. No new work begins once `stop` is true; reports of
/// finished work still come, in order. Returns how many reports were called.
std::size_t run_in_order(std::size_t count, unsigned jobs, const std::atomic<bool>& stop,
                         const std::function<Report(std::size_t)>& work);

/// How many jobs this machine runs at once; at least 1.
[[nodiscard]] unsigned default_jobs();

}  // namespace mabkit
