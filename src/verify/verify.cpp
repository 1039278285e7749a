#include <fmt/format.h>

#include <algorithm>
#include <mabkit/document.hpp>
#include <mabkit/verify.hpp>

#include "base/allocation.hpp"
#include "verify/value_checks.hpp"

namespace mabkit {
namespace {

Finding finding(Severity severity, std::string_view check, std::optional<std::uint64_t> offset,
                std::string path, std::string message) {
  return {severity, std::string(check), offset, std::move(path), std::move(message)};
}

Finding failure(std::string_view check, const Error& error) {
  return finding(Severity::failure, check, error.offset, error.path, error.message);
}

void add_warnings(std::vector<Finding>& out, std::string_view check,
                  std::span<const Diagnostic> diagnostics) {
  for (const Diagnostic& d : diagnostics) {
    out.push_back(finding(Severity::warning, check, d.offset, d.path, d.message));
  }
}

/// Every byte belongs to one run, and to one only.
void check_tiling(std::vector<Finding>& out, const Document& document) {
  const auto wrong = [&out](std::uint64_t offset, std::string path, std::string message) {
    out.push_back(
        finding(Severity::failure, "tiling", offset, std::move(path), std::move(message)));
  };
  std::uint64_t next = 0;
  for (const ByteRun& run : document.runs()) {
    if (run.size == 0) wrong(run.offset, run.path, "is a run of no bytes");
    if (run.offset != next) {
      wrong(
          run.offset, run.path,
          fmt::format("begins at 0x{:X}, but the run before it ends at 0x{:X}", run.offset, next));
    }
    next = run.offset + run.size;
  }
  if (next != document.bytes().size()) {
    wrong(next, {},
          fmt::format("the runs end at 0x{:X}, but the file ends at 0x{:X}", next,
                      document.bytes().size()));
  }
}

/// Where two byte strings first differ; the shorter one's size where one begins with the other.
std::uint64_t first_difference(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::size_t common = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(common);
  return static_cast<std::uint64_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

bool is_equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

void check_bytes(std::vector<Finding>& out, const Document& document,
                 std::span<const std::byte> input) {
  if (is_equal(document.bytes(), input)) return;
  out.push_back(finding(Severity::failure, "bytes", first_difference(document.bytes(), input), {},
                        "the document gives back other bytes than it read"));
}

/// A file that its fields do not lay out again is not wrong: its writer chose another layout.
bool check_rebuild(std::vector<Finding>& out, const Document& document) {
  const auto rebuilt = document.rebuild();
  if (!rebuilt) {
    out.push_back(finding(Severity::note, "rebuild", rebuilt.error().offset, rebuilt.error().path,
                          "is not canonical: " + rebuilt.error().message));
    return false;
  }
  if (is_equal(*rebuilt, document.bytes())) return true;
  out.push_back(finding(Severity::note, "rebuild", first_difference(*rebuilt, document.bytes()), {},
                        "is not canonical: laid out again it differs from here on"));
  return false;
}

void check_document(Verification& done, const Document& document,
                    std::span<const std::byte> input) {
  done.game = document.game();
  add_warnings(done.findings, "structure", document.diagnostics());
  check_tiling(done.findings, document);
  check_bytes(done.findings, document, input);
  done.is_canonical = check_rebuild(done.findings, document);

  const auto bank = document.bank();
  if (!bank) {
    done.findings.push_back(failure("values", bank.error()));
    return;
  }
  add_warnings(done.findings, "values", bank->diagnostics);
  verification::check_values(done.findings, *bank);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::warning:
      return "warning";
    case Verdict::failed:
      return "failed";
  }
  return {};
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::failure:
      return "failure";
  }
  return {};
}

Verdict Verification::verdict() const {
  Verdict worst = Verdict::ok;
  for (const Finding& found : findings) {
    if (found.severity == Severity::failure) return Verdict::failed;
    if (found.severity == Severity::warning) worst = Verdict::warning;
  }
  return worst;
}

Verification verify(std::vector<std::byte> bytes, const ReadOptions& options) {
  Verification done;
  const auto checked = base::with_allocation_errors([&]() -> Result<void> {
    const std::vector<std::byte> input = bytes;
    const auto document = Document::parse(std::move(bytes), options);
    if (!document) return tl::unexpected(document.error());
    check_document(done, *document, input);
    return {};
  });
  if (!checked) done.findings.push_back(failure("structure", checked.error()));
  return done;
}

}  // namespace mabkit
