#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mabkit {

/// The games whose files mabkit reads. Avatar: The Game shares `fc2`, New Dawn shares `fc5`.
enum class Game : std::uint8_t { fc2, fc3, fc3bd, fc4, fcp, fc5, fc6, wd1, wd2, wdl };

inline constexpr std::array all_games{Game::fc2, Game::fc3, Game::fc3bd, Game::fc4, Game::fcp,
                                      Game::fc5, Game::fc6, Game::wd1,   Game::wd2, Game::wdl};

/// The short name used in options and JSON: `fc2`, `wd1`, ...
[[nodiscard]] std::string_view short_name(Game game);
/// The name on the box: `Far Cry 2`, ...
[[nodiscard]] std::string_view display_name(Game game);
/// The game with that short name.
[[nodiscard]] std::optional<Game> game_from_name(std::string_view name);

}  // namespace mabkit
