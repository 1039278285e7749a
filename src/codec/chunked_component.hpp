#pragma once

#include <cstdint>
#include <span>

#include "codec/chunked_stream.hpp"

namespace mabkit::codec {

/// A way to store a component over one chunk, and its largest error.
struct ComponentFit {
  ComponentBlock block;
  double error = 0.0;
};

/// The word of a constant component nearest to a value.
[[nodiscard]] std::uint16_t nearest_word(double value);

/// The word nearest to the middle of `values`, of which there are 1 to 8.
[[nodiscard]] ComponentFit fit_constant(std::span<const double> values);

/// Of the base and slope bytes around those of spec mab-chunked, section 7 (base floored, slope
/// ceiled), the pair whose decoded values are nearest to `values`.
[[nodiscard]] ComponentFit fit_varying(std::span<const double> values, unsigned bits);

/// The nearest raws under the word, or the base and slope, of `shape`.
[[nodiscard]] ComponentFit fit_to_shape(std::span<const double> values, unsigned bits,
                                        const ComponentBlock& shape);

}  // namespace mabkit::codec
