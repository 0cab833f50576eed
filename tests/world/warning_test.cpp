// SPDX-License-Identifier: MIT
// warning_test.cpp — calls that are allowed, but hardly what was meant, give a warning once.
#include "scree/warning.h"

#include "scree/world.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace scree;

class Warnings : public ::testing::Test {
protected:
    void SetUp() override {
        set_warning_handler([this](const std::string& text) { said.push_back(text); });
    }
    void TearDown() override { set_warning_handler({}); }

    std::vector<std::string> said;
};

BodyId add_ball(World& world, Vec3 position) {
    const BodyId ball = world.create_body({.position = position});
    world.attach(ball, Sphere{0.5f});
    return ball;
}

TEST_F(Warnings, AStepInMillisecondsIsNamedOnce) {
    World world({});
    add_ball(world, {0, 5, 0});
    world.step(1 / 60.0f);
    EXPECT_TRUE(said.empty());
    world.step(16.6f);
    world.step(16.6f);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0], "a step of 16.6 s: dt is in seconds");
}

TEST_F(Warnings, ABodyCreatedBelowTheGroundIsNamed) {
    World world({});
    const BodyId ground = world.create_body({.type = BodyType::fixed, .position = {0, 2, 0}});
    world.attach(ground, Plane{});
    add_ball(world, {0, 3, 0});
    const BodyId lost = add_ball(world, {0, -6, 0});
    add_ball(world, {0, -7, 0});
    world.step(1 / 60.0f);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0], "body " + std::to_string(lost.index) + " is 8 m below a fixed plane");
}

TEST_F(Warnings, ABodyThatFallsForEverIsNamedOnce) {
    World world({});
    add_ball(world, {0, 10, 0});
    for (int k = 0; k < 500; ++k) world.step(1 / 60.0f);
    EXPECT_TRUE(said.empty()); // eight seconds may be meant
    for (int k = 0; k < 1000; ++k) world.step(1 / 60.0f);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("is there a ground?"), std::string::npos) << said[0];
}

TEST_F(Warnings, WhatRestsOrSwingsIsNoMistake) {
    World world({});
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    for (int k = 0; k < 10; ++k) add_ball(world, {0, 0.5f + static_cast<float>(k), 0});
    for (int k = 0; k < 600; ++k) world.step(1 / 60.0f);
    EXPECT_TRUE(said.empty()) << said[0];
}

} // namespace
