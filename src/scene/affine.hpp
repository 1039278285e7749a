#pragma once

#include <array>
#include <mabkit/math.hpp>
#include <optional>

namespace mabkit::scene {

/// Translation, rotation, scale: what a node has.
struct Trs {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1.0F, 1.0F, 1.0F};
  friend bool operator==(const Trs&, const Trs&) = default;
};

/// An affine map in double, so that long chains of joints stay exact enough for float32.
struct Affine {
  std::array<double, 9> linear{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< row by row
  std::array<double, 3> offset{};

  [[nodiscard]] static Affine from(const Trs& trs);
  /// The map `other`, then this one.
  [[nodiscard]] Affine operator*(const Affine& other) const;
  /// Nothing where the map flattens space or holds numbers that float32 can't.
  [[nodiscard]] std::optional<Affine> inverse() const;
  /// Of the linear part: negative where the map mirrors.
  [[nodiscard]] double determinant() const;
  /// The largest cosine between two of its axes: 0 where nothing is sheared.
  [[nodiscard]] double shear() const;
  /// Whether every number is finite as a float32.
  [[nodiscard]] bool is_finite() const;
  /// Shear is lost: a node can't hold it. A mirrored map gets a negative X scale.
  [[nodiscard]] Trs decompose() const;
};

}  // namespace mabkit::scene
