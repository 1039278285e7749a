#include <algorithm>
#include <array>
#include <mabkit/game.hpp>

namespace mabkit {
namespace {

struct GameName {
  Game game;
  std::string_view short_name;
  std::string_view display_name;
};

constexpr std::array game_names{
    GameName{Game::fc2, "fc2", "Far Cry 2 / Avatar"},
    GameName{Game::fc3, "fc3", "Far Cry 3"},
    GameName{Game::fc3bd, "fc3bd", "Far Cry 3: Blood Dragon"},
    GameName{Game::fc4, "fc4", "Far Cry 4"},
    GameName{Game::fcp, "fcp", "Far Cry Primal"},
    GameName{Game::fc5, "fc5", "Far Cry 5 / New Dawn"},
    GameName{Game::fc6, "fc6", "Far Cry 6"},
    GameName{Game::wd1, "wd1", "Watch Dogs"},
    GameName{Game::wd2, "wd2", "Watch Dogs 2"},
    GameName{Game::wdl, "wdl", "Watch Dogs: Legion"},
};

const GameName& row(Game game) {
  return game_names[static_cast<std::size_t>(game)];
}

}  // namespace

std::string_view short_name(Game game) {
  return row(game).short_name;
}

std::string_view display_name(Game game) {
  return row(game).display_name;
}

std::optional<Game> game_from_name(std::string_view name) {
  const auto* const found =
      std::find_if(game_names.begin(), game_names.end(),
                   [name](const GameName& candidate) { return candidate.short_name == name; });
  if (found == game_names.end()) return std::nullopt;
  return found->game;
}

}  // namespace mabkit
