#include "codec/chunked_component.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codec/chunked_arithmetic.hpp"

namespace mabkit::codec {
namespace {

// How far from the plain choice base and slope are searched. Farther ones have coarser steps, and
// gain less by their luck than they lose.
constexpr int bases_below = 2;
constexpr int bases_above = 1;
constexpr int slopes_below = 1;
constexpr int slopes_above = 3;

/// Fits raws under a base and a slope, giving up as soon as a key's error reaches `bound`.
ComponentFit fit_raws(std::span<const double> values, unsigned bits, int base, int slope,
                      double bound) {
  ComponentFit fit;
  fit.block.base = static_cast<std::uint8_t>(base);
  fit.block.slope = static_cast<std::uint8_t>(slope);
  const float first = base_value(fit.block.base);
  const float step = slope_value(fit.block.slope, bits);
  const auto largest_raw = static_cast<double>((1U << bits) - 1U);
  for (std::size_t key = 0; key < values.size(); ++key) {
    const double steps = step > 0.0F ? (values[key] - first) / step : 0.0;
    const double raw = std::clamp(std::floor(steps + 0.5), 0.0, largest_raw);
    fit.block.raws[key] = static_cast<std::uint16_t>(raw);
    const double decoded = varying_value(fit.block.raws[key], step, first);
    fit.error = std::max(fit.error, std::abs(decoded - values[key]));
    if (fit.error >= bound) return fit;
  }
  return fit;
}

double constant_error(std::span<const double> values, std::uint16_t word) {
  const double decoded = constant_value(word);
  double error = 0.0;
  for (const double value : values) error = std::max(error, std::abs(decoded - value));
  return error;
}

}  // namespace

std::uint16_t nearest_word(double value) {
  const double word = std::floor((value + 1.0) * words_per_unit + 0.5);
  return static_cast<std::uint16_t>(std::clamp(word, 0.0, double{largest_word}));
}

ComponentFit fit_constant(std::span<const double> values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  ComponentFit fit;
  fit.block.is_constant = true;
  fit.block.word = nearest_word((*least + *most) / 2.0);
  fit.error = constant_error(values, fit.block.word);
  return fit;
}

ComponentFit fit_varying(std::span<const double> values, unsigned bits) {
  const auto ends = std::minmax_element(values.begin(), values.end());
  const double least = *ends.first;
  const double most = *ends.second;
  const int plain_base = static_cast<int>(
      std::clamp(std::floor((least + 1.0) * bases_per_unit), 0.0, double{largest_byte}));
  ComponentFit best;
  best.error = std::numeric_limits<double>::infinity();
  const auto try_base = [&](int base) {
    if (base < 0 || base > largest_byte) return;
    const double span = most - base_value(static_cast<std::uint32_t>(base));
    const int plain_slope =
        static_cast<int>(std::clamp(std::ceil(span * slopes_per_unit), 1.0, double{largest_byte}));
    for (int slope = std::max(1, plain_slope - slopes_below);
         slope <= std::min(largest_byte, plain_slope + slopes_above); ++slope) {
      const ComponentFit fit = fit_raws(values, bits, base, slope, best.error);
      if (fit.error < best.error) best = fit;
    }
  };
  for (int base = plain_base; base >= plain_base - bases_below; --base) try_base(base);
  for (int base = plain_base + 1; base <= plain_base + bases_above; ++base) try_base(base);
  return best;
}

ComponentFit fit_to_shape(std::span<const double> values, unsigned bits,
                          const ComponentBlock& shape) {
  if (!shape.is_constant) {
    return fit_raws(values, bits, shape.base, shape.slope, std::numeric_limits<double>::infinity());
  }
  ComponentFit fit;
  fit.block.is_constant = true;
  fit.block.word = shape.word;
  fit.error = constant_error(values, shape.word);
  return fit;
}

}  // namespace mabkit::codec
