// Writes clips as FBX, for the tests with other programs:
//
//   mabkit_write_fbx CLIP.mab RIG OUT.fbx
//
// RIG is a rig file, or - for none.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <mabkit/document.hpp>
#include <mabkit/fbx.hpp>
#include <mabkit/file.hpp>
#include <mabkit/rig.hpp>
#include <optional>
#include <string_view>

namespace {

constexpr std::uint64_t max_file_size = 1ULL << 30;

int fail(const char* file, const mabkit::Error& error) {
  fmt::print(stderr, "{}\n", mabkit::describe(file, error));
  return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 4) {
    fmt::print(stderr, "usage: mabkit_write_fbx CLIP.mab RIG OUT.fbx\n");
    return 2;
  }
  const auto bank = mabkit::read_file(arguments[1], max_file_size)
                        .and_then([](auto bytes) { return mabkit::Document::parse(bytes); })
                        .and_then([](const auto& document) { return document.bank(); });
  if (!bank) return fail(arguments[1], bank.error());
  std::optional<mabkit::Skeleton> skeleton;
  if (std::string_view(arguments[2]) != "-") {
    auto rig = mabkit::read_file(arguments[2], max_file_size).and_then([](const auto& bytes) {
      return mabkit::parse_rig(bytes);
    });
    if (!rig) return fail(arguments[2], rig.error());
    skeleton = std::move(*rig);
  }
  mabkit::FbxOptions options;
  options.name = std::filesystem::path(arguments[1]).stem().string();
  const auto file = mabkit::write_fbx(*bank, skeleton ? &*skeleton : nullptr, options);
  if (!file) return fail(arguments[1], file.error());
  const auto written = mabkit::write_file(arguments[3], file->bytes);
  if (!written) return fail(arguments[3], written.error());
  return 0;
}
