#include <fmt/format.h>

#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>

#include "base/allocation.hpp"

namespace mabkit {
namespace {

namespace fs = std::filesystem;

/// `walk.glb` with the infix `.1-prop`: `walk.1-prop.glb`.
fs::path with_infix(const fs::path& output, const std::string& infix) {
  fs::path name = output.stem();
  name += infix;
  name += output.extension();
  return output.parent_path() / name;
}

/// Says which files convert where the input was never one of them.
Error with_next_step(Error error, const fs::path& input) {
  if (error.code == ErrorCode::unknown_format && path_text(input.extension()) != ".mab") {
    error.message += "; what is read is .mab, .json (mabkit.bank/1), .glb, .gltf, .bvh and .fbx";
  }
  return error;
}

Result<Conversion> read_and_convert(const fs::path& input, const ConvertOptions& options) {
  auto bytes = read_file(input, options.read.limits.max_file_size);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  auto conversion = convert(std::move(*bytes), path_text(input.stem()), options, input);
  if (!conversion) return tl::unexpected(with_next_step(std::move(conversion.error()), input));
  return conversion;
}

/// The options with the file's own template, where it has one.
Result<std::optional<ConvertOptions>> options_for(const PlannedFile& file,
                                                  const ConvertOptions& options) {
  if (file.like.empty()) return std::nullopt;
  auto like = load_template(file.like, options.read);
  if (!like) return tl::unexpected(std::move(like.error()));
  ConvertOptions own = options;
  own.like = std::make_shared<const Template>(std::move(*like));
  return own;
}

Error strict_error(const std::vector<Diagnostic>& warnings) {
  return {ErrorCode::inconsistent,
          std::nullopt,
          {},
          fmt::format("has {} {}, and --strict makes a warning a failure: nothing was written",
                      warnings.size(), warnings.size() == 1 ? "warning" : "warnings")};
}

}  // namespace

FileOutcome convert_file(const PlannedFile& file, const ConvertOptions& options,
                         const WriteOptions& write) {
  FileOutcome outcome{file.input, {}, {}, {}, file.input};
  const auto own_options = options_for(file, options);
  if (!own_options) {
    outcome.error = own_options.error();
    outcome.error_file = file.like;
    return outcome;
  }
  auto conversion = base::with_allocation_errors(
      [&] { return read_and_convert(file.input, *own_options ? **own_options : options); });
  if (!conversion) {
    outcome.error = std::move(conversion.error());
    return outcome;
  }

  const std::vector<ConvertedPart> parts = std::move(conversion->parts);
  conversion->parts.clear();
  outcome.conversion = std::move(*conversion);
  if (write.strict && !outcome.conversion->warnings.empty()) {
    outcome.error = strict_error(outcome.conversion->warnings);
    return outcome;
  }
  for (const ConvertedPart& part : parts) {
    fs::path output = with_infix(file.output, part.infix);
    if (!part.infix.empty() && write.reserved.contains(canonical_place(output))) {
      outcome.error = Error{ErrorCode::bad_argument,
                            std::nullopt,
                            {},
                            "is read here or written by another file, so no part of a split file "
                            "replaces it: choose another name or folder"};
      outcome.error_file = std::move(output);
      return outcome;
    }
    if (!write.dry_run) {
      if (auto written = write_file(output, part.bytes, write.durable); !written) {
        outcome.error = std::move(written.error());
        outcome.error_file = std::move(output);
        return outcome;
      }
    }
    outcome.outputs.push_back({std::move(output), part.bytes.size()});
  }
  return outcome;
}

}  // namespace mabkit
