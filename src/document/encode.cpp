#include <mabkit/document.hpp>
#include <mabkit/encode.hpp>
namespace mabkit {
Result<EncodedFile> encode_mab(const Bank&, Game, const EncodeOptions&) { return tl::unexpected(Error{}); }
}
