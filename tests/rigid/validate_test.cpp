// SPDX-License-Identifier: MIT
// validate_test.cpp — worlds that change in every way keep their invariants, and a broken one is noticed.
//
// For SCREE_VALIDATE builds only: a step that breaks an invariant ends the program.
#include "scree/error.h"
#include "support/rigid_support.h"
#include "world/snapshot.h"
#include "world/state.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <tuple>

namespace scree::test {
namespace {

// worlds that change ---------------------------------------------------------------------------------------------------

/// Does to a world what may be done between steps, at random. What the world refuses does not count.
class Meddler {
public:
    Meddler(World& world, std::uint32_t seed) : world_(world), dice_(seed) {}

    void meddle(int times) {
        for (int k = 0; k < times; ++k) {
            try {
                once();
            } catch (const Error&) {
                // a plane on a body that moves, a body joined with itself
            }
        }
    }

private:
    int roll(int sides) { return static_cast<int>(dice_.between(0, sides)); }
    BodyId any_body() { return bodies_[static_cast<std::size_t>(roll(static_cast<int>(bodies_.size())))]; }
    Vec3 anywhere() { return dice_.in_box({-2, 0.3f, -2}, {2, 3, 2}); }
    BodyType any_type() {
        return roll(4) ? BodyType::dynamic : roll(2) ? BodyType::kinematic : BodyType::fixed;
    }
    ShapeId any_shape() {
        const std::vector<ShapeId> shapes = world_.shapes(any_body());
        return shapes.empty() ? ShapeId{}
                              : shapes[static_cast<std::size_t>(roll(static_cast<int>(shapes.size())))];
    }
    Geometry any_geometry() {
        switch (roll(6)) {
        case 0:
            return Box{0.3f, 0.2f, 0.4f};
        case 1:
            return Capsule{0.2f, 0.15f};
        case 2:
            return Cylinder{0.2f, 0.3f};
        case 3:
            return pebble(static_cast<std::uint32_t>(roll(5)), 0.3f);
        default:
            return Sphere{0.25f};
        }
    }
    Vec3 slow() { return dice_.in_box({-1, -1, -1}, {1, 1, 1}); }

    void once() {
        bodies_ = world_.bodies();
        switch (roll(22)) {
        case 0:
        case 1: {
            const BodyId body = world_.create_body({.type = any_type(),
                                                    .position = anywhere(),
                                                    .rotation = dice_.rotation(),
                                                    .velocity = slow(),
                                                    .awake = roll(4) != 0});
            for (int k = roll(4); k > 0; --k)
                world_.attach(body, any_geometry(), {.position = dice_.in_box({-0.3f, 0, 0}, {0.3f, 0, 0})});
            return;
        }
        case 2:
            if (bodies_.size() > 40) world_.destroy(any_body());
            return;
        case 3:
            return world_.set_pose(any_body(), anywhere(), dice_.rotation());
        case 4:
            return world_.set_type(any_body(), any_type());
        case 5:
            world_.attach(any_body(), any_geometry(),
                          {.material = {.restitution = 0.5f * static_cast<float>(roll(2))}});
            return;
        case 6:
            return world_.destroy(any_shape());
        case 7:
            return world_.set_filter(any_shape(), {.category = 1u << roll(2), .mask = roll(2) ? 3u : 1u});
        case 8:
        case 9: {
            const BodyId first = any_body(), second = roll(4) ? any_body() : BodyId{};
            joints_.push_back(world_.create_joint({.type = static_cast<JointType>(roll(3)),
                                                   .first = first,
                                                   .second = second,
                                                   .anchor = world_.state(first).position,
                                                   .collide = roll(2) != 0}));
            return;
        }
        case 10:
        case 11:
            if (joints_.empty()) return;
            std::swap(joints_[static_cast<std::size_t>(roll(static_cast<int>(joints_.size())))],
                      joints_.back());
            if (world_.alive(joints_.back())) world_.destroy(joints_.back());
            joints_.pop_back();
            return;
        case 12:
        case 13:
            return world_.put_to_sleep(any_body());
        case 14:
            return world_.wake(any_body());
        case 15:
            return world_.set_velocity(any_body(), slow(), slow());
        case 16:
            return world_.apply_impulse(any_body(), slow());
        case 17:
            return world_.set_mass(any_body(),
                                   roll(2) ? std::optional(MassProperties{.mass = 2, .inertia = {1, 1, 1}})
                                           : std::nullopt);
        case 18:
            return world_.set_locks(any_body(), {.turn_x = roll(2) != 0, .turn_z = roll(2) != 0});
        case 19:
            return world_.set_gravity_scale(any_body(), static_cast<float>(roll(2)));
        case 20: {
            WorldSettings settings = world_.settings();
            settings.broad_phase = static_cast<BroadPhase>(roll(3));
            settings.sleeping = roll(4) != 0;
            return world_.change_settings(settings);
        }
        default: {
            // into quarantine
            if (roll(4)) return;
            const BodyId victim = any_body();
            world_.set_mass(victim, MassProperties{.mass = 0.001f, .inertia = {0.001f, 0.001f, 0.001f}});
            return world_.apply_force(victim, {1e38f, 0, 0});
        }
        }
    }

    World& world_;
    Dice dice_;
    std::vector<BodyId> bodies_;
    std::vector<JointId> joints_;
};

class Validate : public testing::TestWithParam<std::tuple<BroadPhase, Solver, int>> {
protected:
    static WorldSettings settings() {
        WorldSettings settings = default_settings();
        settings.broad_phase = std::get<0>(GetParam());
        settings.solver = std::get<1>(GetParam());
        settings.sleep_delay = 0.1f; // much sleeping and waking
        return settings;
    }
    static Place place() { return on(std::get<2>(GetParam())); }
};

TEST_P(Validate, AWorldMeddledWithKeepsItsInvariants) {
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        World world(settings(), place());
        add_container(world, 2, 4);
        add_pile(world, Kind::mixed, 40, 4, 1, seed);
        Meddler meddler(world, seed);
        for (int k = 0; k < 120; ++k) {
            // now and then a quiet second, a step of no time, a world from its snapshot
            if (k % 60 < 40) meddler.meddle(3);
            world.step(k % 11 == 10 ? 0 : frame);
            if (k % 50 == 49) world = World::restore(world.save(), world.place());
        }
        EXPECT_TRUE(all_are_finite(world)) << "seed " << seed;
    }
}

TEST_P(Validate, AHubThatTouchesMoreThanThereAreColoursKeepsItsInvariants) {
    World world(settings(), place());
    add_slab(world, 10);
    const BodyId hub = add(world, Box{3, 0.1f, 3}, {0, 0.6f, 0}, {}, {.can_sleep = false});
    std::vector<BodyId> around;
    for (int k = 0; k < 64; ++k)
        around.push_back(add(world, Sphere{0.2f},
                             {0.7f * static_cast<float>(k % 8) - 2.45f, k % 2 ? 0.3f : 0.9f,
                              0.7f * static_cast<float>(k / 8) - 2.45f}));
    std::vector<JointId> joints;
    for (int k = 0; k < 8; ++k)
        joints.push_back(
            world.create_joint({.first = hub, .second = around[static_cast<std::size_t>(8 * k)]}));
    std::uint32_t most = 0;
    for (int k = 0; k < 60; ++k) {
        world.step(k % 7 == 6 ? 0 : frame);
        most = std::max(most, world.counters().overflow);
        // room for some of the overflow
        if (k % 10 == 9) world.destroy(around[static_cast<std::size_t>(k)]);
        if (k == 25) world.destroy(joints[3]);
    }
    EXPECT_GT(most, 0u) << "the scene does not reach what it is for";
    world.destroy(hub);
    run_steps(world, 10);
}

TEST_P(Validate, IslandsThatSleepAndWakeKeepTheirInvariants) {
    World world(settings(), place());
    add_slab(world, 20);
    std::vector<BodyId> bodies = add_pyramid(world, 5);
    const Chain chain = add_chain(world, 4, {8, 3, 0});
    const BodyId lift =
        add(world, Box{1, 0.1f, 1}, {-8, 0.1f, 0}, {}, {.type = BodyType::kinematic, .can_sleep = false});
    bodies.push_back(add(world, Box{0.5f, 0.5f, 0.5f}, {-8, 0.7f, 0}));
    for (int round = 0; round < 4; ++round) {
        run_steps(world, 60);
        world.apply_impulse(bodies[static_cast<std::size_t>(3 * round)], {0, 400, 0});
        world.put_to_sleep(chain.links[1]);
        world.set_velocity(lift, {0, round % 2 ? -0.5f : 0.5f, 0});
        run_steps(world, 20);
        world.set_velocity(lift, {});
    }
    world.destroy(bodies[2]);
    run_steps(world, 60);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Validate,
                         testing::Values(std::tuple{BroadPhase::tree, Solver::soft_step, 1},
                                         std::tuple{BroadPhase::tree, Solver::sor, 2},
                                         std::tuple{BroadPhase::grid, Solver::soft_step, 2},
                                         std::tuple{BroadPhase::brute, Solver::sor, 1}));

// broken on purpose ----------------------------------------------------------------------------------------------------

/// Two boxes asleep on a slab, one above the other, and a chain; open to be broken.
struct Opened {
    std::unique_ptr<World::State> state;
    std::uint32_t slab, lower;

    Opened() {
        World world(default_settings());
        const BodyId ground = add_slab(world, 20), box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
        add(world, Box{0.5f, 0.5f, 0.5f}, {0, 1.5f, 0});
        add_chain(world, 3, {10, 5, 0});
        run_for(world, 2);
        EXPECT_TRUE(world.state(box).asleep);
        slab = ground.index;
        lower = box.index;
        state = decode_snapshot(world.save(), on(1));
    }
    void step() { state->simulation->step(frame); }
    std::string body(std::uint32_t b) const { return "body " + std::to_string(b); }
};

TEST(ValidateDeath, TheMessageNamesTheInvariantTheStepAndTheBody) {
    Opened world;
    world.step();
    world.state->bodies.motion[16 * world.lower] = 1;
    EXPECT_DEATH(world.step(),
                 "broken invariant in step 121, at its beginning: what sleeps or is fixed has no "
                 "velocity .body 2.");
}

TEST(ValidateDeath, ASleeperThatLeftItsRingIsNoticed) {
    Opened world;
    world.state->bodies.record.edit(world.lower).asleep = false;
    EXPECT_DEATH(world.step(), world.body(world.lower));
}

TEST(ValidateDeath, ASlotThatIsFreeAndAliveIsNoticed) {
    Opened world;
    world.state->bodies.free.push_back(world.lower);
    EXPECT_DEATH(world.step(), "a free slot is a dead one .body 2.");
}

TEST(ValidateDeath, AShapeMissingFromItsBodyIsNoticed) {
    Opened world;
    world.state->bodies.record.edit(world.lower).first_shape = none;
    EXPECT_DEATH(world.step(), "every shape is in the list of its body");
}

TEST(ValidateDeath, TwoJointsOfABodyWithOneColourAreNoticed) {
    Opened world;
    world.state->joints.record[1].colour = world.state->joints.record[0].colour;
    EXPECT_DEATH(world.step(), "constraints of one colour share no awake dynamic body .*joint 0, joint 1");
}

TEST(ValidateDeath, BoundsThatTheTreeDoesNotKnowAreNoticed) {
    Opened world;
    world.state->shapes.fat[8 * world.state->bodies.record[world.slab].first_shape] -= 1;
    EXPECT_DEATH(world.step(), "after finding pairs: the tree knows a shape's fat bounds");
}

TEST(ValidateDeath, AContactThatMayNotBeIsNoticed) {
    Opened world;
    world.state->shapes.record.edit(world.state->bodies.record[world.lower].first_shape)
        .definition.filter.mask = 0;
    EXPECT_DEATH(world.step(), "a contact is between shapes that may collide");
}

TEST(ValidateDeath, ANormalThatIsNotUnitIsNoticed) {
    Opened world;
    world.state->simulation->wake(world.lower);
    // the simulation's own contacts, which are not const
    for (const Contact& contact : world.state->simulation->contacts())
        if (contact.count) const_cast<Contact&>(contact).normal[1] = 2;
    EXPECT_DEATH(world.step(), "after the narrow phase: normals are unit");
}

} // namespace
} // namespace scree::test
