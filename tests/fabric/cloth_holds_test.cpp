// SPDX-License-Identifier: MIT
// cloth_holds_test.cpp — small forms of `scree bench cloth --holds`: no edge passes through a triangle, counted exactly after each step.
#include "cloth_trials.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

using bench::ClothHold;
using bench::ClothTrial;

void expect_held(ClothTrial trial, int steps) {
    ASSERT_EQ(bench::intersections_of(trial.world), 0u);
    const ClothHold held = bench::hold(trial, steps);
    EXPECT_EQ(held.intersections, 0u) << "first in step " << held.first_bad;
    EXPECT_EQ(held.forced, 0u);
    EXPECT_FALSE(held.frozen);
    EXPECT_GT(held.stopped, 0u) << "nothing had to be stopped";
}

const Place one_thread({.device = "cpu", .threads = 1});

TEST(ClothHolds, ATowelTwistedByTwoAndAHalfTurns) {
    expect_held(bench::twisted_towel(one_thread, 0.35, 2.5, 1.5), 90);
}

TEST(ClothHolds, ASkirtOnAMovingFigure) { expect_held(bench::skirt_on_figure(one_thread, 0.35), 120); }

TEST(ClothHolds, TwelveLayersThatFallOnABox) { expect_held(bench::fifty_layers(one_thread, 0.3, 12), 60); }

TEST(ClothHolds, HardTrialsHaveTheSameBitsOnThePipelineOfDevices) {
    const auto hash = [](const char* device) {
        ClothTrial trial = bench::twisted_towel(Place({.device = device, .threads = 1}), 0.25, 4, 1);
        return bench::hold(trial, 45).hash;
    };
    EXPECT_EQ(hash("cpu"), hash("cpu:kernels"));
}

} // namespace
} // namespace scree
