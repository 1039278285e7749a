#pragma once

#include <atomic>

namespace mabkit::cli {

/// From now on Ctrl-C, or a request to end, sets the flag that this returns: no new file is begun,
/// those begun are finished, so that no output is half written. A second one ends the process at
/// once.
[[nodiscard]] const std::atomic<bool>& stop_on_interrupt();

}  // namespace mabkit::cli
