#include <mabkit/document.hpp>
#include <mabkit/encode.hpp>

#include "mab/chunked_encode.hpp"
#include "mab/sparse_encode.hpp"

namespace mabkit {
Result<EncodedFile> encode_mab(const Bank& bank, Game game, const EncodeOptions& options) {
  return names_joints_by_id(game) ? mab::encode_sparse(bank, game, options)
                                  : mab::encode_chunked(bank, game, options);
}
}  // namespace mabkit
