#include <mabkit/encode.hpp>

#include "base/allocation.hpp"
#include "mab/chunked_encode.hpp"
#include "mab/chunked_layout.hpp"

namespace mabkit {

Result<EncodedFile> encode_mab(const Bank& bank, Game game, const EncodeOptions& options) {
  return base::with_allocation_errors([&]() -> Result<EncodedFile> {
    if (mab::layout_of_game(game) != nullptr) return mab::encode_chunked(bank, game, options);
    return tl::unexpected(Error{ErrorCode::unsupported, std::nullopt, "", "not yet"});
  });
}

std::uint64_t encoded_size_bound(const Bank& bank, Game game) {
  return mab::layout_of_game(game) != nullptr ? mab::chunked_size_bound(bank, game) : 0;
}

}  // namespace mabkit
