// SPDX-License-Identifier: MIT
// rigid_result.h — the results that other programs bring back.
//
// An engine that is no part of this program can so be compared: it reads a scene file, runs it, and writes its poses and
// times; `scree bench rigid --quality FILE` measures them by the same ruler. The format is lines of words and numbers, nine
// digits each, so that floats come back with the same bits; docs/manual/bench-rigid.md shows it.
#pragma once

#include "rigid_quality.h"

#include <string>
#include <vector>

namespace scree::bench {

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
