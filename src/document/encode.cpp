#include <algorithm>
#include <mabkit/encode.hpp>

#include "base/allocation.hpp"
#include "mab/chunked_encode.hpp"
#include "mab/chunked_layout.hpp"
#include "mab/sparse_encode.hpp"
#include "mab/sparse_layout.hpp"

namespace mabkit {
namespace {

bool is_chunked(Game game) {
  return mab::layout_of_game(game) != nullptr;
}

bool is_written_sparsely(Game game) {
  return std::any_of(mab::sparse_games.begin(), mab::sparse_games.end(),
                     [game](const mab::SparseLayout& row) {
                       return row.game == game && row.needs_template.empty();
                     });
}

}  // namespace

Result<EncodedFile> encode_mab(const Bank& bank, Game game, const EncodeOptions& options) {
  return base::with_allocation_errors([&] {
    return is_chunked(game) ? mab::encode_chunked(bank, game, options)
                            : mab::encode_sparse(bank, game, options);
  });
}

std::uint64_t encoded_size_bound(const Bank& bank, Game game, const EncodeOptions& options) {
  if (is_chunked(game)) return mab::chunked_size_bound(bank, game, options);
  return is_written_sparsely(game) ? mab::sparse_size_bound(bank, options.frames_per_second) : 0;
}

}  // namespace mabkit
