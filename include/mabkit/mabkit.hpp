#pragma once

#include <mabkit/bank.hpp>      // IWYU pragma: export
#include <mabkit/batch.hpp>     // IWYU pragma: export
#include <mabkit/bvh.hpp>       // IWYU pragma: export
#include <mabkit/convert.hpp>   // IWYU pragma: export
#include <mabkit/diff.hpp>      // IWYU pragma: export
#include <mabkit/document.hpp>  // IWYU pragma: export
#include <mabkit/error.hpp>     // IWYU pragma: export
#include <mabkit/fbx.hpp>       // IWYU pragma: export
#include <mabkit/fbx_file.hpp>  // IWYU pragma: export
#include <mabkit/file.hpp>      // IWYU pragma: export
#include <mabkit/gltf.hpp>      // IWYU pragma: export
#include <mabkit/json.hpp>      // IWYU pragma: export
#include <mabkit/mab.hpp>       // IWYU pragma: export
#include <mabkit/names.hpp>     // IWYU pragma: export
#include <mabkit/pose.hpp>      // IWYU pragma: export
#include <mabkit/rig.hpp>       // IWYU pragma: export
#include <mabkit/scene.hpp>     // IWYU pragma: export
#include <mabkit/skeleton.hpp>  // IWYU pragma: export
#include <mabkit/verify.hpp>    // IWYU pragma: export
