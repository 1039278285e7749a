#include <fmt/format.h>

#include <mabkit/rig.hpp>

#include "base/bytes.hpp"
#include "rig/bind_pose.hpp"
#include "rig/lks_format.hpp"
#include "rig/xbg_chunks.hpp"

namespace mabkit {
namespace {

constexpr std::uint32_t nbcf_magic = 0x4643626E;  // `nbCF`, spec mab-sparse, 6.3

tl::unexpected<Error> refuse(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, 0, "magic", std::move(message)});
}

}  // namespace

Result<Skeleton> parse_rig(std::span<const std::byte> bytes, const ReadLimits& limits) {
  const auto magic = base::ByteReader(bytes).read<std::uint32_t>(0, "magic");
  if (!magic) return tl::unexpected(magic.error());
  switch (*magic) {
    case rig::lks_magic: {
      const auto skeleton = parse_lks(bytes, limits);
      if (!skeleton) return tl::unexpected(skeleton.error());
      return to_skeleton(*skeleton);
    }
    case rig::xbg_magic:
      return parse_xbg(bytes, limits);
    case nbcf_magic:
      return refuse(ErrorCode::unsupported,
                    "Watch Dogs .skeleton files are not read yet; use the rig of another file");
    default: {
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), sizeof(*magic));
      return refuse(ErrorCode::unknown_format,
                    fmt::format("is '{}', but a rig begins with 'LKS' (.skeleton) or 'HSEM' (.xbg)",
                                rig::readable_name(text)));
    }
  }
}

}  // namespace mabkit
