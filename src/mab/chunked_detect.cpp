#include "mab/chunked_detect.hpp"

#include <fmt/format.h>

namespace mabkit::mab {
namespace {

/// The rows that a file of unknown layout is tried with, in this order (spec mab-chunked, 1.7).
constexpr std::array trial_order{Game::wdl, Game::fc5, Game::fc6, Game::wd1};

const ChunkedLayout* first_that_fits(base::ByteReader file) {
  for (const Game game : trial_order) {
    const ChunkedLayout* const layout = layout_of_game(game);
    if (fits_layout(file, *layout, main_base)) return layout;
  }
  return nullptr;
}

}  // namespace

std::optional<DetectedLayout> detect_chunked(base::ByteReader file) {
  if (!file.has(0, sizeof(std::uint32_t))) return std::nullopt;
  const auto magic = base::load<std::uint32_t>(file.bytes(), 0);
  const ChunkedLayout* const named = layout_of_magic(magic);
  if (named != nullptr && fits_layout(file, *named, main_base)) {
    if (!named->is_guess) return DetectedLayout{named, named->game, {}};
    return DetectedLayout{
        named, named->game,
        fmt::format("inferred: the layout of {} is a guess, and this file passes every check of it",
                    display_name(named->game))};
  }
  const ChunkedLayout* const fitting = first_that_fits(file);
  if (fitting != nullptr && fitting != named) {
    // A row that is itself a guess loses its layout to what fits, not its name.
    const Game game = named != nullptr && named->is_guess ? named->game : fitting->game;
    return DetectedLayout{
        fitting, game,
        named == nullptr
            ? fmt::format("inferred: the magic 0x{:X} is unknown, the layout of {} fits", magic,
                          display_name(fitting->game))
            : fmt::format("inferred: the magic is that of {}, but the layout of {} fits",
                          display_name(named->game), display_name(fitting->game))};
  }
  if (named == nullptr) return std::nullopt;
  return DetectedLayout{named, named->game,
                        named->is_guess
                            ? fmt::format("inferred: the layout of {} is a guess, and this file "
                                          "does not pass every check of it",
                                          display_name(named->game))
                            : std::string{}};
}

}  // namespace mabkit::mab
