// SPDX-License-Identifier: MIT
// warning_test.cpp — calls that are allowed, but hardly what was meant, give a warning once.
#include "scree/warning.h"

#include "scree/error.h"
#include "scree/world.h"
#include "scree/worlds.h"

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

TEST_F(Warnings, PressureThatEdgesDoNotHoldIsNamedOnce) {
    const auto blow_up = [&](float pressure, int substeps) {
        said.clear();
        World world({.gravity = {0, 0, 0}, .substeps = substeps});
        ClothDef ball = make_balloon(0.5f, 24); // vertices 3 cm apart, 0.2 kg/m^2
        const ClothId id = world.create_cloth(ball);
        world.step(1 / 60.0f);
        EXPECT_TRUE(said.empty());
        world.set_pressure(id, pressure);
        for (int k = 0; k < 300; ++k) world.step(1 / 60.0f);
        return world.measure(id).max_stretch;
    };
    EXPECT_GT(blow_up(1000, 4), 1); // what it is about
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("the pressure of cloth 0, 1000 Pa, moves its vertices by 2"), std::string::npos)
        << said[0];
    EXPECT_NE(said[0].find("14 substeps"), std::string::npos) << said[0];
    EXPECT_LT(blow_up(1000, 14), 0.5);
    EXPECT_TRUE(said.empty());
    blow_up(60, 4);
    EXPECT_TRUE(said.empty());
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

/// Without gravity, two balls of which the second is as far along x.
World two_balls(float apart, BodyId& first, BodyId& second) {
    World world({.gravity = {}, .solver = Solver::impact, .push_speed = 2});
    first = add_ball(world, {});
    second = add_ball(world, {apart, 0, 0});
    return world;
}
std::string pair_of(BodyId a, BodyId b) {
    return "bodies " + std::to_string(a.index) + " and " + std::to_string(b.index);
}

TEST_F(Warnings, BodiesThatOverlapAtTheStartAreNamedWithTheirDepthByImpacts) {
    BodyId first, second;
    World world = two_balls(0.75f, first, second);
    add_ball(world, {0, -0.875f, 0});
    const BodyId wall = world.create_body({.type = BodyType::fixed, .position = {9, 0, 0}}); // walls may
    world.attach(wall, Box{1, 1, 1});
    world.attach(world.create_body({.type = BodyType::fixed, .position = {9, 0, 0}}), Box{1, 1, 1});
    for (int k = 0; k < 3; ++k) world.step(1 / 60.0f);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0], pair_of(first, second) +
                           " overlap by 0.25 m (and 1 other pair): Solver::impact parts them at no "
                           "more than push_speed, 2 m/s");
}

TEST_F(Warnings, BodiesThatTouchAreNoMistakeOfImpacts) {
    BodyId first, second;
    World world = two_balls(1, first, second);
    for (int k = 0; k < 60; ++k) world.step(1 / 60.0f);
    EXPECT_TRUE(said.empty()) << said[0];
}

TEST_F(Warnings, ABodyThatIsPutIntoAnotherOneIsNamedByImpacts) {
    BodyId first, second;
    World world = two_balls(3, first, second);
    world.step(1 / 60.0f);
    EXPECT_TRUE(said.empty()) << said[0];
    world.set_pose(second, {0, 0.5f, 0}, {});
    world.step(1 / 60.0f);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find(pair_of(first, second) + " overlap by 0.5 m: "), std::string::npos) << said[0];
}

TEST_F(Warnings, AHandlerThatThrowsEndsTheStepWhenItIsComplete) {
    for (const bool many : {false, true}) {
        SCOPED_TRACE(many);
        BodyId first, second, ball;
        World calm = two_balls(0.75f, first, ball), told = two_balls(0.75f, first, second);
        Worlds worlds = Worlds::copies(2, told.save());
        calm.step(1 / 60.0f);
        set_warning_handler([](const std::string& text) { throw Error(text, "handler"); });
        if (many) EXPECT_THROW(worlds.step(1 / 60.0f), Error);
        else EXPECT_THROW(told.step(1 / 60.0f), Error);
        set_warning_handler([](const std::string&) {});
        for (const World* world : {many ? &worlds[0] : &told, many ? &worlds[1] : &told}) {
            EXPECT_EQ(world->steps_done(), 1u);
            EXPECT_EQ(world->time(), calm.time());
            EXPECT_EQ(world->hash(), calm.hash());
            EXPECT_EQ(world->position(second), calm.position(ball));
        }
    }
}

} // namespace
