#pragma once

#include <cstddef>

namespace mabkit::test {

/// Forgets the peak: counting starts again from what is allocated now.
void reset_peak_memory();

/// Most bytes that were allocated at once since `reset_peak_memory`, above what was allocated then.
/// Counts what `operator new` gives out in this binary.
[[nodiscard]] std::size_t peak_memory();

}  // namespace mabkit::test
