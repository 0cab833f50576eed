// SPDX-License-Identifier: MIT
// rigid_file.h — scenes for other programs to run, and the results they bring back.
//
// An engine that is no part of this program can so be compared: it reads a scene's text, runs it, and writes its poses
// and times; `scree bench rigid --quality FILE` measures them by the same ruler. Both formats are lines of words and
// numbers, nine digits each, so that floats come back with the same bits; docs/manual/bench-rigid.md lists them.
#pragma once

#include "rigid_quality.h"
#include "rigid_scene.h"

#include <string>
#include <vector>

namespace scree::bench {

std::string scene_text(const RigidScene& scene);

struct RigidResult {
    std::string scene, engine, version;
    int threads = 1, steps = 0;
    double falling_ms = 0, settled_ms = 0, p99_ms = 0;
    std::vector<RigidPose> poses;
};

/// Throws Error with the file and the line for anything that is not a result of a scene known here.
RigidResult read_result(const std::string& file);
std::string result_text(const RigidResult& result);

} // namespace scree::bench
