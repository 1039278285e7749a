// Reads an FBX file with assimp and prints what mabkit takes from it, as JSON:
//
//   mabkit-fbx-import FILE [--memory BYTES] [--seconds N] [--output BYTES]
//
// mabkit starts this program for every FBX that it reads. It limits itself before it opens the
// file. Exit: 0 done, 1 the file can't be read (the reason is on stderr), 2 usage, 3 a limit is
// reached.

#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mabkit/file.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "limits.hpp"
#include "scene_json.hpp"

namespace {

constexpr std::uint64_t max_file_size = 1ULL << 30;

struct Arguments {
  std::string file;
  ProcessLimits limits;
};

bool read_number(const char* text, std::uint64_t& number) {
  char* end = nullptr;
  number = std::strtoull(text, &end, 10);
  return end != text && *end == '\0';
}

std::optional<Arguments> parse(int count, char** words) {
  if (count < 2) return std::nullopt;
  Arguments arguments{words[1], {}};
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string_view name = words[i];
    std::uint64_t* limit = nullptr;
    if (name == "--memory") limit = &arguments.limits.memory;
    if (name == "--seconds") limit = &arguments.limits.seconds;
    if (name == "--output") limit = &arguments.limits.output_bytes;
    if (limit == nullptr || !read_number(words[i + 1], *limit)) return std::nullopt;
  }
  if (count % 2 != 0) return std::nullopt;
  return arguments;
}

int fail(int exit_code, std::string_view reason) {
  fmt::print(stderr, "{}\n", reason);
  return exit_code;
}

/// No other reader of assimp's, whatever the file claims to be.
void keep_fbx_only(Assimp::Importer& importer) {
  const Assimp::BaseImporter* fbx = importer.GetImporter("fbx");
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    Assimp::BaseImporter* candidate = importer.GetImporter(i);
    if (candidate != fbx) importer.UnregisterLoader(candidate);
  }
}

int run(const Arguments& arguments) {
  const auto bytes = mabkit::read_file(arguments.file, max_file_size);
  if (!bytes) return fail(1, bytes.error().message);
  Assimp::Importer importer;
  keep_fbx_only(importer);
  // Without its pivots assimp drops the animation of a joint that has a rotation pivot, and applies
  // post-rotations the wrong way round (seen in 5.2.4). With them it gives a chain of nodes a
  // joint, which mabkit multiplies.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
  const aiScene* scene = importer.ReadFileFromMemory(bytes->data(), bytes->size(), 0, "fbx");
  if (scene == nullptr || scene->mRootNode == nullptr) {
    // assimp catches failed allocations itself.
    const std::string_view reason = importer.GetErrorString();
    const bool is_memory = reason.find("bad_alloc") != std::string_view::npos;
    return is_memory ? fail(3, "needs more memory than it may have") : fail(1, reason);
  }
  const auto text = scene_json(*scene, static_cast<std::size_t>(arguments.limits.output_bytes));
  if (!text) return fail(3, "holds more motion than is read from an FBX");
  const bool is_written = std::fwrite(text->data(), 1, text->size(), stdout) == text->size() &&
                          std::fflush(stdout) == 0;
  return is_written ? 0 : fail(1, "the scene can't be handed over");
}

}  // namespace

int main(int argument_count, char** words) {
  const auto arguments = parse(argument_count, words);
  if (!arguments) {
    return fail(2, "usage: mabkit-fbx-import FILE [--memory BYTES] [--seconds N] [--output BYTES]");
  }
  if (!enforce(arguments->limits)) return fail(3, "the limits on memory and time can't be set");
  try {
    return run(*arguments);
  } catch (const std::bad_alloc&) {
    return fail(3, "needs more memory than it may have");
  } catch (const std::exception& problem) {
    return fail(1, problem.what());
  }
}
