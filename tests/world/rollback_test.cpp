// SPDX-License-Identifier: MIT
// rollback_test.cpp — clones, and worlds that go back to an earlier state, continue bit for bit alike.
#include "scree/rollback.h"

#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <array>

namespace scree::test {
namespace {

/// A pile that falls and in parts falls asleep, a chain, a belt, a moving body.
void build(World& world, std::uint32_t seed = 1) {
    add_container(world, 2, 4);
    add_pile(world, Kind::mixed, 40, 4, 1, seed, {.friction = 0.5f, .restitution = 0.1f});
    add_chain(world, 6, {-6, 5, 0});
    add(world, Box{0.3f, 0.3f, 0.3f}, {8, 0.29f, 0});
    add(world, Box{2, 0.25f, 2}, {8, -0.25f, 0}, {}, {.type = BodyType::fixed});
    add(world, Box{1, 0.25f, 1}, {-9, 0, 0}, {}, {.type = BodyType::kinematic, .velocity = {0.1f, 0, 0}});
}

class RollbackOn : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, RollbackOn, ::testing::ValuesIn(all_devices()), ParamName());

TEST_P(RollbackOn, ACloneGoesOnLikeItsWorldAtAnyPlace) {
    World world(default_settings(), on_device(GetParam()));
    build(world);
    const BodyId pushed = world.bodies()[10];
    run_steps(world, 50);
    world.apply_force(pushed, {10, 300, 0});
    std::vector<World> clones;
    clones.push_back(world.clone());
    clones.push_back(world.clone(on(1, 1)));
    clones.push_back(world.clone(on(2)));
    clones.push_back(world.clone(on_device("cpu:kernels")));
    for (const World& clone : clones) ASSERT_EQ(clone.hash(), world.hash());
    for (int k = 0; k < 60; ++k) {
        if (k == 20) world.apply_impulse(pushed, {0, 3, 0});
        world.step(frame);
        for (World& clone : clones) {
            if (k == 20) clone.apply_impulse(pushed, {0, 3, 0});
            clone.step(frame);
            ASSERT_EQ(clone.hash(), world.hash()) << "step " << k;
        }
    }
    EXPECT_EQ(clones[0].time(), world.time());
    EXPECT_EQ(clones[0].place().device(), GetParam());
}

TEST_P(RollbackOn, ACloneIsAWorldOfItsOwn) {
    World world(default_settings(), on_device(GetParam()));
    build(world);
    run_steps(world, 10);
    const std::uint64_t then = world.hash();
    World clone = world.clone();
    clone.destroy(clone.bodies()[5]);
    run_steps(clone, 10);
    EXPECT_EQ(world.hash(), then);
    EXPECT_TRUE(world.alive(world.bodies()[5]));
}

TEST_P(RollbackOn, AWorldGoesBackAndTakesTheSameWayAgain) {
    World world(default_settings(), on_device(GetParam()));
    build(world);
    Rollback ring(world, 8);
    std::vector<std::uint64_t> hashes;
    for (int k = 0; k < 90; ++k) {
        ring.save();
        hashes.push_back(world.hash());
        world.step(frame);
    }
    hashes.push_back(world.hash());
    // the ring holds states 82 to 89; going back forgets the later ones
    for (const auto& [back, state] : {std::pair{2u, 87u}, {0u, 87u}, {5u, 82u}}) {
        const std::uint32_t kept = ring.size();
        ring.restore(back);
        EXPECT_EQ(ring.size(), kept - back);
        ASSERT_EQ(world.steps_done(), state);
        for (std::size_t at = state; at <= 90; ++at) {
            ASSERT_EQ(world.hash(), hashes[at]) << "back to " << state << ", state " << at;
            world.step(frame);
        }
    }
}

TEST_P(RollbackOn, WhatWasMadeSinceIsGoneAndWhatWasDestroyedIsBack) {
    World world(default_settings(), on_device(GetParam()));
    build(world);
    run_steps(world, 30);
    World reference = world.clone();
    Rollback ring(world, 2);
    ring.save();
    const std::vector<BodyId> before = world.bodies();
    world.destroy(before[12]);
    world.destroy(before[0]);
    for (int k = 0; k < 50; ++k) add(world, Sphere{0.2f}, {0, 6 + 0.5f * static_cast<float>(k), 0}, {}, {});
    world.set_pose(before[20], {3, 3, 3}, {});
    world.apply_force(before[21], {0, 500, 0});
    WorldSettings other = world.settings();
    other.gravity = {1, 0, 0};
    world.change_settings(other);
    run_steps(world, 20);
    world.put_to_sleep(before[22]);
    ring.restore();
    EXPECT_EQ(world.bodies(), before);
    EXPECT_EQ(world.settings().gravity, default_settings().gravity);
    for (int k = 0; k < 40; ++k) {
        ASSERT_EQ(world.hash(), reference.hash()) << "step " << k;
        ASSERT_EQ(world.contacts().size(), reference.contacts().size());
        world.step(frame);
        reference.step(frame);
    }
}

TEST_P(RollbackOn, EveryStateOfTheRingIsThatOfItsTime) {
    // Copies leave out what has not changed since the last one in the same place: changes of all kinds, some of them in what
    // sleeps or hardly touches, and states that are gone back to in between.
    World world(default_settings(), on_device(GetParam()));
    build(world);
    run_steps(world, 120);
    const std::vector<BodyId> bodies = world.bodies();
    const auto shape = [&](std::size_t k) { return world.shapes(bodies[k])[0]; };
    Rollback ring(world, 3);
    std::vector<std::vector<std::byte>> states;
    const auto save = [&] {
        ring.save();
        states.push_back(world.save());
    };
    const auto go_back = [&](std::uint32_t back) {
        ring.restore(back);
        states.resize(states.size() - back);
        ASSERT_EQ(world.save(), states.back());
    };
    Dice dice(5);
    for (std::size_t k = 0; k < 60; ++k) {
        save();
        const std::size_t one = 8 + k % 30;
        if (k % 7 == 0) world.set_material(shape(one), {.friction = 0.1f + 0.01f * static_cast<float>(k)});
        if (k % 7 == 1) world.set_filter(shape(one), {.category = 2});
        if (k % 7 == 2) world.attach(bodies[one], Sphere{0.3f}, {.position = {0, 0.2f, 0}});
        if (k % 7 == 3) world.set_pose(bodies[one], dice.in_box({-1, 3, -1}, {1, 4, 1}), {});
        if (k % 7 == 4) world.put_to_sleep(bodies[one]);
        if (k % 7 == 5) world.set_damping(bodies[one], 0.1f, 0.2f);
        if (k % 7 == 6) add(world, Box{0.2f, 0.2f, 0.2f}, {0, 5, 0});
        run_steps(world, static_cast<int>(k % 3));
        if (k % 4 == 3) go_back(static_cast<std::uint32_t>(k / 4 % 3));
    }
    for (const std::uint32_t back : {0u, 1u, 1u})
        if (back < ring.size()) go_back(back);
}

TEST(Rollback, ContactsThatAFunctionRefusesAndThoseOfMeshesAndBeltsGoBack) {
    World world(default_settings(), on_device("cpu"));
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Mesh::from_heights(
                             {.columns = 9, .rows = 9, .spacing = 1, .heights = std::vector<float>(81)}));
    const BodyId belt = add(world, Box{1, 0.1f, 1}, {0, 0.1f, 0},
                            {.material = {.surface_velocity = {0.5f, 0, 0.1f}}}, {.type = BodyType::fixed});
    for (int k = 0; k < 6; ++k)
        add(world, Box{0.2f, 0.2f, 0.2f},
            {-2.5f + static_cast<float>(k), 0.5f, 0.3f * static_cast<float>(k % 2)});
    // for a while the ground is none, then the belt
    world.set_pre_solve([&](const ContactInfo& c) {
        const std::uint64_t phase = world.steps_done() / 5 % 3;
        return phase == 0 || (c.first_body != (phase == 1 ? ground : belt));
    });
    Rollback ring(world, 4);
    std::vector<std::vector<std::byte>> states;
    for (std::uint32_t k = 0; k < 90; ++k) {
        ring.save();
        states.push_back(world.save());
        run_steps(world, 1);
        if (k % 6 != 5) continue;
        const std::uint32_t back = k / 6 % 4;
        ring.restore(back);
        states.resize(states.size() - back);
        ASSERT_EQ(world.save(), states.back()) << k;
        run_steps(world, 1);
    }
}

TEST_P(RollbackOn, ManyWorldsGoBackTogether) {
    Worlds worlds(3, default_settings(), on_device(GetParam()));
    for (std::uint32_t n = 0; n < worlds.size(); ++n) build(worlds[n], n + 1);
    for (int k = 0; k < 30; ++k) worlds.step(frame);
    Rollback ring(worlds, 4);
    ring.save();
    const auto hashes = [&] {
        std::array<std::uint64_t, 3> all{};
        for (std::uint32_t n = 0; n < 3; ++n) all[n] = worlds[n].hash();
        return all;
    };
    std::vector<std::array<std::uint64_t, 3>> then{hashes()};
    for (int k = 0; k < 20; ++k) worlds.step(frame), then.push_back(hashes());
    // beyond the room of a world, and one that is replaced
    for (int k = 0; k < 60; ++k)
        add(worlds[1], Sphere{0.2f}, {0, 6 + 0.5f * static_cast<float>(k), 0}, {}, {});
    worlds.restore(2, worlds[0].save());
    worlds.step(frame);
    ring.restore();
    EXPECT_EQ(hashes(), then[0]);
    for (std::size_t k = 1; k < then.size(); ++k) {
        worlds.step(frame);
        ASSERT_EQ(hashes(), then[k]) << "step " << k;
    }
    EXPECT_EQ(error_place([&] { Rollback one(worlds[0], 2); }), "world");
}

TEST(Rollback, BadUseIsRefused) {
    std::optional<World> world{World{}};
    EXPECT_EQ(error_place([&] { Rollback none(*world, 0); }), "states");
    Rollback ring(*world, 2);
    EXPECT_EQ(error_place([&] { ring.restore(); }), "back");
    ring.save();
    EXPECT_EQ(error_place([&] { ring.restore(1); }), "back");
    World moved = std::move(*world);
    ring.restore();
    moved = World{};
    EXPECT_EQ(error_place([&] { ring.restore(); }), "rollback");
    EXPECT_EQ(error_place([&] { ring.save(); }), "rollback");
}

TEST(Rollback, QueriesSeeTheStateThatCameBack) {
    World world({}, on(1));
    const BodyId ball = world.create_body({.position = {0, 5, 0}});
    world.attach(ball, Sphere{0.5f});
    Rollback ring(world, 2);
    ring.save();
    const RayCast down{.origin = {0, 10, 0}, .translation = {0, -20, 0}};
    const auto before = world.cast_ray(down);
    for (int k = 0; k < 30; ++k) world.step(1 / 60.0f);
    const BodyId other = world.create_body({.position = {0, 8, 0}});
    world.attach(other, Sphere{0.5f});
    EXPECT_NE(world.cast_ray(down), before);
    ring.restore(0);
    EXPECT_EQ(world.cast_ray(down), before);
    const auto goes_back = [&](ShapeId, std::size_t) {
        ring.restore(0);
        return true;
    };
    EXPECT_THROW(world.cast_ray(down, {.accept = goes_back}), Error);
}

} // namespace
} // namespace scree::test
