#pragma once

#include <atomic>

namespace mabkit::cli {

/// From now on Ctrl-C, and signals that ask the process to end, set the flag that this returns: no
/// new file is begun, those begun are finished, so that no output is half written and nothing
/// temporary stays. A second signal of the same kind ends the process at once.
[[nodiscard]] const std::atomic<bool>& stop_on_interrupt();

}  // namespace mabkit::cli
