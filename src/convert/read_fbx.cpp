#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mabkit/fbx.hpp>
#include <mabkit/fbx_file.hpp>
#include <mabkit/file.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/allocation.hpp"
#include "convert/child_process.hpp"

namespace mabkit {
namespace {

/// Exit codes of the importer.
constexpr int file_is_refused = 1;
constexpr int limit_is_reached = 3;
constexpr std::size_t longest_reason = 200;

tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

Result<std::filesystem::path> find_importer(const FbxReadOptions& options) {
  std::filesystem::path importer = options.importer;
  if (importer.empty()) {
    constexpr std::string_view name = "mabkit-fbx-import";
    importer = own_folder().value_or(std::filesystem::path()) / name;
  }
  std::error_code code;
  if (std::filesystem::is_regular_file(importer, code)) return importer;
  return error(
      ErrorCode::unsupported,
      fmt::format("reading FBX takes the program mabkit-fbx-import, which is not at {}: "
                  "install libassimp-dev and build mabkit with -DMABKIT_FBX=ON, or convert "
                  "the file to glTF with another program",
                  path_text(importer)));
}

/// The last line that the importer wrote, fit for a message.
std::string reason(std::string_view errors) {
  while (!errors.empty() && errors.back() == '\n') errors.remove_suffix(1);
  const std::size_t line = errors.rfind('\n');
  if (line != std::string_view::npos) errors.remove_prefix(line + 1);
  std::string text(errors.substr(0, longest_reason));
  // It may quote the file.
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.empty() ? "without a reason" : text;
}

/// The importer's answer, or why there is none.
Result<std::string> answer(ChildOutcome outcome, const FbxReadOptions& options) {
  switch (outcome.end) {
    case ChildOutcome::End::took_too_long:
      return error(ErrorCode::limit,
                   fmt::format("took longer to read than the limit of {:.3g} s",
                               static_cast<double>(options.max_time.count()) / 1000.0));
    case ChildOutcome::End::wrote_too_much:
      return error(ErrorCode::limit,
                   fmt::format("describes more than the limit of {} bytes", options.max_output));
    case ChildOutcome::End::killed:
      return error(ErrorCode::bad_value,
                   fmt::format("ended the importer with signal {}; the file is damaged, or too "
                               "much for it",
                               outcome.code));
    case ChildOutcome::End::exited:
      break;
  }
  if (outcome.code == 0) return std::move(outcome.output);
  const ErrorCode code = outcome.code == limit_is_reached ? ErrorCode::limit : ErrorCode::bad_value;
  if (outcome.code == limit_is_reached || outcome.code == file_is_refused) {
    return error(code, fmt::format("can't be read as FBX: {}", reason(outcome.errors)));
  }
  return error(code, fmt::format("the importer of FBX ended with code {}: {}", outcome.code,
                                 reason(outcome.errors)));
}

Result<ImportedMotion> read(const std::filesystem::path& file, const FbxReadOptions& options) {
  const auto importer = find_importer(options);
  if (!importer) return tl::unexpected(importer.error());
  // Its own limit is of processor time, which can't be more than ours.
  const auto seconds =
      std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(options.max_time).count());
  auto outcome = run_child(
      *importer,
      {std::filesystem::absolute(file).string(), "--memory", std::to_string(options.max_memory),
       "--seconds", std::to_string(seconds), "--output", std::to_string(options.max_output)},
      {options.max_time, static_cast<std::size_t>(options.max_output)});
  if (!outcome) return tl::unexpected(std::move(outcome.error()));
  const auto text = answer(std::move(*outcome), options);
  if (!text) return tl::unexpected(text.error());
  return read_fbx_scene(*text, options.import);
}

}  // namespace

Result<ImportedMotion> read_fbx(const std::filesystem::path& file, const FbxReadOptions& options) {
  return base::with_allocation_errors([&] { return read(file, options); });
}

}  // namespace mabkit
