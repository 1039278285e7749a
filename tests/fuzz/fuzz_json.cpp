/// Any bytes as a bank in JSON: what is read is written and read again to the same text.
#include <cstdint>
#include <cstdlib>
#include <mabkit/json.hpp>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto motion = mabkit::read_json(std::as_bytes(std::span(data, size)));
  if (!motion) return 0;
  const std::string text = mabkit::write_json(motion->bank);
  const auto again = mabkit::read_json(std::as_bytes(std::span(text)));
  if (!again || mabkit::write_json(again->bank) != text) std::abort();
  return 0;
}
