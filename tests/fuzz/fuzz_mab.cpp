/// Any bytes as a `.mab`: whatever parses gives its bytes back, tiles and decodes or says why not.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mabkit/document.hpp>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  const auto document = mabkit::Document::parse({input.begin(), input.end()});
  if (!document) return 0;
  const auto kept = document->bytes();
  if (!std::equal(kept.begin(), kept.end(), input.begin(), input.end())) std::abort();
  std::uint64_t position = 0;
  for (const mabkit::ByteRun& run : document->runs()) {
    if (run.offset != position || run.size == 0) std::abort();
    position += run.size;
  }
  if (position != size) std::abort();
  static_cast<void>(document->bank());
  static_cast<void>(document->summary());
  static_cast<void>(document->rebuild());
  return 0;
}
