#pragma once

#include <optional>
#include <string>

#include "mab/chunked_parse.hpp"

namespace mabkit::mab {

/// Which row a file is read with, and how that was found.
struct DetectedLayout {
  const ChunkedLayout* layout = nullptr;
  Game game = Game::wd1;
  std::string inferred;  ///< see `FileSummary::inferred`
};

/// Chooses a row by structure, with the magic as the first hint (spec mab-chunked, 1.7). Nothing
/// where the magic is unknown and no layout fits.
[[nodiscard]] std::optional<DetectedLayout> detect_chunked(base::ByteReader file);

}  // namespace mabkit::mab
