#include <cstdio>
#include <mabkit/mabkit.hpp>

/// Reads the clip named on the command line with nothing but the installed headers and library.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto bytes = mabkit::read_file(argv[1], mabkit::ReadLimits{}.max_file_size);
  if (!bytes) return 1;
  const auto document = mabkit::Document::parse(std::move(*bytes));
  if (!document) return 1;
  const auto bank = document->bank();
  if (!bank || bank->clips.empty()) return 1;
  std::printf("%zu joints\n", bank->clips[0].joints.size());
  return bank->clips[0].joints.size() == 3 ? 0 : 1;
}
