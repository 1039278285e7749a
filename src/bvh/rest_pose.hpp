#pragma once

#include <mabkit/imported_motion.hpp>
#include <string>

#include "bvh/document.hpp"

namespace mabkit::bvh {

/// A choice, and the sentence that says it.
struct ChosenUp {
  UpAxis up = UpAxis::y;
  std::string reason;
};
struct ChosenUnit {
  double metres = 1.0;
  std::string reason;
};

/// Which axis the rest pose stands on: feet hang down from the body. Without feet that have a known
/// name, Y up, as BVH files are by practice, unless the body is far larger along Z. A guess.
[[nodiscard]] ChosenUp infer_up(const MotionDocument& document);

/// The customary unit in which the rest pose is as large as a person. A guess.
[[nodiscard]] ChosenUnit infer_unit(const MotionDocument& document);

}  // namespace mabkit::bvh
