// SPDX-License-Identifier: MIT
// traffic_test.cpp — where steps are computed on a device, only what changed goes over (R4.8).
//
// The sizes are those of docs/internals/gpu.md: 320 bytes for a body, 144 for a shape, 144 for a joint, 4 for one that is woken.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <functional>

namespace scree::test {
namespace {

constexpr std::uint64_t body_packet = 320, shape_packet = 144, joint_packet = 144, wake_packet = 4;
constexpr std::uint64_t few = 512;      ///< bytes that a step may send in any case
constexpr std::uint64_t counts = 16384; ///< bytes of counts that a step may fetch: some records of 2 kB

/// What a step sends after `change`.
std::uint64_t uploaded_by(World& world, const std::function<void()>& change) {
    const std::uint64_t before = world.traffic().uploaded;
    change();
    world.step(frame);
    return world.traffic().uploaded - before;
}

/// A pile that lies there, awake.
struct Pile {
    explicit Pile(const std::string& device) : world(without_sleep(), on_device(device)) {
        add_container(world, 2, 6);
        bodies = add_pile(world, Kind::boxes, 100, 4);
        chain = add_chain(world, 4, {6, 6, 0});
        run_steps(world, 120);
    }
    World world;
    std::vector<BodyId> bodies;
    Chain chain;
};

class Traffic : public testing::TestWithParam<std::string> {};

TEST_P(Traffic, AWorldGoesOverOnce) {
    World world(without_sleep(), on_device(GetParam()));
    add_container(world, 2, 6);
    const std::vector<BodyId> bodies = add_pile(world, Kind::boxes, 100, 4);
    const std::uint64_t sent = uploaded_by(world, [] {});
    // with the container, its five walls, and the body of the world itself
    EXPECT_GE(sent, (body_packet + shape_packet) * bodies.size());
    EXPECT_LE(sent, body_packet * (bodies.size() + 2) + shape_packet * (bodies.size() + 5) + few);
}

TEST_P(Traffic, AStepWithNothingChangedSendsNothing) {
    Pile pile(GetParam());
    for (int k = 0; k < 30; ++k) EXPECT_LE(uploaded_by(pile.world, [] {}), few) << "step " << k;
    // looking is not changing
    EXPECT_LE(uploaded_by(pile.world,
                          [&] {
                              (void)pile.world.hash();
                              (void)pile.world.contacts();
                              (void)pile.world.measure();
                              (void)pile.world.save();
                          }),
              few);
}

/// Counts and the lists of what began and ended, but no state of bodies: that would be 200 bytes each.
TEST_P(Traffic, AStepBringsBackFewBytesForAnyNumberOfBodies) {
    const auto fetched_by_steps = [&](int bodies) {
        World world(without_sleep(), on_device(GetParam()));
        add_container(world, 2, 6);
        add_pile(world, Kind::boxes, bodies, 4);
        run_steps(world, 60);
        const std::uint64_t before = world.traffic().downloaded;
        run_steps(world, 30);
        return (world.traffic().downloaded - before) / 30;
    };
    const std::uint64_t with_many = fetched_by_steps(200);
    report("bytes_of_a_step", static_cast<double>(with_many));
    EXPECT_LE(with_many, 16384);
    EXPECT_LT(with_many, 2 * fetched_by_steps(20));
}

TEST_P(Traffic, ForcesAloneSendThePacketsOfTheirBodies) {
    Pile pile(GetParam());
    for (const std::size_t count : {1u, 10u, 100u}) {
        const std::uint64_t sent = uploaded_by(pile.world, [&] {
            for (std::size_t k = 0; k < count; ++k) {
                // several forces on one body are one
                pile.world.apply_force(pile.bodies[k], {1, 0, 0});
                pile.world.apply_torque(pile.bodies[k], {0, 1, 0});
            }
        });
        EXPECT_GT(sent, 0u) << count;
        EXPECT_LE(sent, (body_packet + 2 * wake_packet) * count + few) << count;
        // they act in one step, and their end sends nothing
        EXPECT_LE(uploaded_by(pile.world, [] {}), few) << count;
    }
}

TEST_P(Traffic, ChangedBodiesSendOnePacketEach) {
    Pile pile(GetParam());
    for (const std::size_t count : {1u, 10u, 100u}) {
        const std::uint64_t fast = uploaded_by(pile.world, [&] {
            for (std::size_t k = 0; k < count; ++k) pile.world.set_velocity(pile.bodies[k], {0, 1, 0});
        });
        EXPECT_GT(fast, 0u);
        EXPECT_LE(fast, (body_packet + 2 * wake_packet) * count + few) << count << " velocities";
        const std::uint64_t damped = uploaded_by(pile.world, [&] {
            for (std::size_t k = 0; k < count; ++k)
                pile.world.set_damping(pile.bodies[k], 0.1f * static_cast<float>(count), 0);
        });
        EXPECT_GT(damped, 0u);
        EXPECT_LE(damped, (body_packet + 2 * wake_packet) * count + few) << count << " dampings";
        // a body that is moved has its shapes with it
        const std::uint64_t moved = uploaded_by(pile.world, [&] {
            for (std::size_t k = 0; k < count; ++k) {
                const BodyState s = pile.world.state(pile.bodies[k]);
                pile.world.set_pose(pile.bodies[k], {s.position.x, s.position.y + 0.01f, s.position.z},
                                    s.rotation);
            }
        });
        EXPECT_GT(moved, 0u);
        EXPECT_LE(moved, (body_packet + shape_packet + 2 * wake_packet) * count + few) << count << " poses";
    }
}

TEST_P(Traffic, AMaterialSendsItsShapeAndAJointItself) {
    Pile pile(GetParam());
    const ShapeId shape = pile.world.shapes(pile.bodies[7]).front();
    const std::uint64_t mixed =
        uploaded_by(pile.world, [&] { pile.world.set_material(shape, {.friction = 0.1f}); });
    EXPECT_GT(mixed, 0u);
    EXPECT_LE(mixed, shape_packet + 2 * wake_packet + few);
    // a joint that goes tells its bodies and their shapes, which may collide again, and the joint before it
    const std::uint64_t broken = uploaded_by(pile.world, [&] { pile.world.destroy(pile.chain.joints[2]); });
    EXPECT_GT(broken, 0u);
    EXPECT_LE(broken, 3 * joint_packet + 2 * (body_packet + shape_packet + 2 * wake_packet) + few);
}

TEST_P(Traffic, WhatComesAndGoesSendsItselfAlone) {
    Pile pile(GetParam());
    const std::uint64_t come = uploaded_by(pile.world, [&] {
        for (int k = 0; k < 10; ++k) add(pile.world, Sphere{0.2f}, {12, 3 + static_cast<float>(k), 12});
    });
    EXPECT_GT(come, 0u);
    EXPECT_LE(come, 10 * (body_packet + shape_packet) + few);
    // those that lay against one that goes are woken
    const std::uint64_t gone = uploaded_by(pile.world, [&] {
        for (std::size_t k = 0; k < 10; ++k) pile.world.destroy(pile.bodies[k]);
    });
    EXPECT_GT(gone, 0u);
    EXPECT_LE(gone, 10 * (body_packet + shape_packet) + 100 * wake_packet + few);
}

TEST_P(Traffic, PairsContactsAndRowsStayOnTheDevice) {
    // hundreds of contacts of 256 bytes each, with rows of twice as much
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        Pile pile(GetParam());
        WorldSettings settings = pile.world.settings();
        settings.solver = solver;
        pile.world.change_settings(settings);
        run_steps(pile.world, 10);
        for (int k = 0; k < 30; ++k) {
            const WorldTraffic before = pile.world.traffic();
            pile.world.step(frame);
            const WorldTraffic after = pile.world.traffic();
            EXPECT_LE(after.uploaded - before.uploaded, few) << "step " << k;
            EXPECT_LE(after.downloaded - before.downloaded, counts) << "step " << k;
        }
        EXPECT_GT(pile.world.measure().contacts, 150u);
    }
}

TEST_P(Traffic, TheBodiesAreFetchedOnceForAnyNumberOfChanges) {
    Pile pile(GetParam());
    const auto fetched_by = [&](std::size_t count) {
        run_steps(pile.world, 1);
        const WorldTraffic before = pile.world.traffic();
        for (std::size_t k = 0; k < count; ++k) {
            pile.world.set_velocity(pile.bodies[k], {0, 0.1f, 0});
            pile.world.apply_impulse(pile.bodies[k], {1, 0, 0});
            pile.world.set_damping(pile.bodies[k], 0.1f, 0.1f);
            (void)pile.world.state(pile.bodies[k]);
        }
        return pile.world.traffic().downloaded - before.downloaded;
    };
    const std::uint64_t one = fetched_by(1);
    EXPECT_GT(one, 0u);
    EXPECT_EQ(fetched_by(20), one);
}

TEST_P(Traffic, PosesAreReadAloneOnceAndAsTheWorldHasThem) {
    Pile pile(GetParam()), same(GetParam());
    const auto brought = [&](const auto& read) {
        const std::uint64_t before = pile.world.traffic().downloaded;
        read();
        return pile.world.traffic().downloaded - before;
    };
    const auto values = [](std::span<const float> from) {
        return std::vector<float>(from.begin(), from.end());
    };
    for (int k = 0; k < 3; ++k) {
        pile.world.step(frame), same.world.step(frame);
        // a change after the step is seen as well
        for (Pile* one : {&pile, &same})
            if (k == 1) one->world.set_pose(one->bodies[5], {0, 3, 0.25f}, {0, 0, 1, 0});
        std::vector<float> positions, rotations;
        const std::uint64_t first = brought([&] { positions = values(pile.world.positions()); });
        EXPECT_GT(first, 0u);
        EXPECT_LE(first, 4 * positions.size() + counts * (k == 1)) << "only the positions";
        const std::uint64_t second = brought([&] { rotations = values(pile.world.rotations()); });
        EXPECT_LE(second, 4 * rotations.size());
        EXPECT_EQ(brought([&] { (void)pile.world.positions(), (void)pile.world.rotations(); }), 0u);
        (void)same.world.measure(); // fetches everything
        EXPECT_EQ(positions, values(same.world.positions()));
        EXPECT_EQ(rotations, values(same.world.rotations()));
        EXPECT_EQ(pile.world.hash(), same.world.hash());
    }
}

TEST_P(Traffic, TheStateOfABodyIsReadAlone) {
    WorldSettings settings;
    settings.gravity = {0, -10, 0};
    World world(settings, on_device(GetParam())), same(settings, on_device(GetParam()));
    const auto filled = [](World& to) {
        std::vector<BodyId> ids;
        for (int k = 0; k < 2100; ++k)
            ids.push_back(add(to, Sphere{0.1f}, {static_cast<float>(k), 0, 0}, {},
                              {.velocity = {0, 1.0f * (k % 7), 0}}));
        run_steps(to, 2);
        return ids;
    };
    const std::vector<BodyId> bodies = filled(world), others = filled(same);
    const std::uint64_t before = world.traffic().downloaded;
    const BodyState one = world.state(bodies[1500]);
    EXPECT_LE(world.traffic().downloaded - before, 1024u);
    // many of them are worth to bring all
    for (const BodyId body : bodies) (void)world.state(body);
    EXPECT_LE(world.traffic().downloaded - before, bodies.size() * 400);
    (void)same.measure();
    const BodyState other = same.state(others[1500]);
    EXPECT_EQ(one.position, other.position);
    EXPECT_EQ(one.velocity, other.velocity);
    EXPECT_EQ(one.asleep, other.asleep);
    // what was read in part changes nothing that follows
    world.apply_impulse(bodies[1500], {1, 0, 0}), same.apply_impulse(others[1500], {1, 0, 0});
    run_steps(world, 2), run_steps(same, 2);
    EXPECT_EQ(world.hash(), same.hash());
}

TEST_P(Traffic, EventsThatNobodyAsksForCostNothingAndOthersAreFetchedWhenReadOnly) {
    const auto pile = [&](bool telling) {
        World world(without_sleep(), on_device(GetParam()));
        add_container(world, 2, 6);
        for (int k = 0; k < 60; ++k)
            add(world, Box{0.2f, 0.2f, 0.2f},
                {0.5f * static_cast<float>(k % 5) - 1, 0.5f * static_cast<float>(k / 5), 0},
                {.contact_events = telling, .hit_events = telling});
        run_steps(world, 60);
        return world;
    };
    World quiet = pile(false), telling = pile(true);
    const auto of_steps = [](World& world) {
        const WorldTraffic before = world.traffic();
        run_steps(world, 20);
        const WorldTraffic after = world.traffic();
        return std::pair(after.launches - before.launches, after.downloaded - before.downloaded);
    };
    const auto silent = of_steps(quiet), unread = of_steps(telling);
    // approach, hits, touches
    EXPECT_EQ(unread.first, silent.first + 3 * 20);
    EXPECT_EQ(unread.second, silent.second);
    const std::uint64_t before = quiet.traffic().downloaded;
    (void)quiet.events();
    EXPECT_EQ(quiet.traffic().downloaded, before);
}

INSTANTIATE_TEST_SUITE_P(Devices, Traffic, testing::ValuesIn(kernel_devices()), ParamName());

TEST(TrafficOfTheCpu, ThereIsNone) {
    World world(default_settings());
    add_slab(world, 20);
    add_pyramid(world, 3);
    run_steps(world, 10);
    EXPECT_EQ(world.traffic().uploaded + world.traffic().downloaded + world.traffic().allocated, 0u);
}

} // namespace
} // namespace scree::test
