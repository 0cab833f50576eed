// SPDX-License-Identifier: MIT
// world.h — the state of a StagedImpactWorld, for its tests and benchmarks.
#pragma once

#include "impact2d/stages.h"

#include <chrono>

namespace scree {

struct StagedImpactWorld::State {
    StagedImpactSettings settings;
    bool polygons = false;
    std::uint32_t bodies = 0;
    std::vector<StagedPolygon> given; ///< shapes, masses and inertias of polygons
    impact2d::ImpactParams params{};
    Place place; ///< decided
    std::unique_ptr<impact2d::Stages> stages;

    double time = 0;
    std::uint64_t steps = 0, impacts = 0;
    bool timing = false;
    StagedTimes seconds{}, submissions{};

    void run(StagedStage timed, impact2d::StageId id);
    float least(StagedStage timed, impact2d::Array array);
    /// Boxes to times; returns the first.
    float find();
    /// The impacts at `first`, or free flight of `longest`.
    StagedReport answer(float first, float longest);
    void draw(int side, float half);
    void settle(impact2d::StageId impulse, impact2d::StageId change, StagedReport& report);

private:
    template <class Work>
    void timed(StagedStage stage, Work work);
};

} // namespace scree
