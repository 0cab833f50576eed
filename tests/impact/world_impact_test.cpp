// SPDX-License-Identifier: MIT
// world_impact_test.cpp — worlds of Solver::impact: impacts against theory, rest, stacks, tunnelling, threads, snapshots, refusals.
#include "impact_judge.h"
#include "impact_rooms.h"
#include "scree/error.h"
#include "scree/rollback.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {
namespace {

#define EXPECT_REFUSED(call, where) EXPECT_EQ(error_place([&] { (void)(call); }), where)

WorldSettings impact_settings() {
    WorldSettings settings;
    settings.solver = Solver::impact;
    settings.restitution_threshold = 0;
    settings.hit_speed = 0;
    return settings;
}
WorldSettings impacts_in_space() {
    WorldSettings settings = impact_settings();
    settings.gravity = {};
    settings.sleeping = false;
    return settings;
}
ShapeDef surface(float restitution, float friction = 0) {
    ShapeDef shape;
    shape.material.restitution = restitution;
    shape.material.friction = friction;
    shape.hit_events = true;
    return shape;
}
BodyDef flying(Vec3 velocity, Vec3 spin = {}) {
    BodyDef body;
    body.velocity = velocity;
    body.angular_velocity = spin;
    return body;
}
void run(World& world, int steps) {
    for (int k = 0; k < steps; ++k) world.step(frame);
}
using bench::deepest;

// three flights a step; the pair at the end is new in the third
TEST(WorldImpact, AContactFilterFindsBodiesWhereTheirFlightBegan) {
    World world(impacts_in_space());
    const BodyId shot = add(world, Sphere{0.1f}, {0, 0, 0}, surface(1), flying({60, 0, 0}));
    const BodyId wall = add(world, Box{0.1f, 1, 1}, {2.9f, 0, 0}, surface(1), {.type = BodyType::fixed});
    add(world, Sphere{0.1f}, {0, 0.25f, 0}, surface(1));
    double last = -1;
    world.set_contact_filter([&](ShapeId a, ShapeId b) {
        const DVec3 at = world.position(shot);
        EXPECT_EQ(world.contains(at).size(), 1u) << at.x;
        if (world.body(a) == wall || world.body(b) == wall) last = at.x;
        return true;
    });
    world.step(3 * frame);
    EXPECT_NEAR(last, 2, 1e-3);
    EXPECT_LT(world.state(shot).velocity.x, 0);
}

// a pair that ends leaves its place to one that begins later, of shapes with higher numbers
TEST(WorldImpact, AContactFilterIsAskedInTheOrderOfContacts) {
    World world(impacts_in_space());
    std::vector<BodyId> balls;
    for (const float x : {0.0f, 0.2f, 10.0f, 10.2f, 20.0f})
        balls.push_back(add(world, Sphere{0.1f}, {x, 0, 0}, surface(1)));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;
    world.set_contact_filter([&](ShapeId a, ShapeId b) {
        asked.emplace_back(a.index, b.index);
        return true;
    });
    world.step(frame);
    world.set_pose(balls[1], {30, 0, 0}, {});
    world.step(frame);
    world.set_pose(balls[4], {10.4f, 0, 0}, {});
    world.step(frame);
    asked.clear();
    world.step(frame);
    ASSERT_EQ(asked.size(), 2u);
    EXPECT_LT(asked[0], asked[1]);
}

// slower than a quarter of the tolerance a step
TEST(WorldImpact, NoStepIsTooShortForAnImpact) {
    const std::pair<float, float> steps_and_speeds[] = {
        {1 / 60.0f, 5e-4f}, {1 / 240.0f, 2e-3f}, {1e-3f, 0.01f}, {1e-4f, 0.1f}, {1e-5f, 0.1f}, {1e-6f, 3}};
    for (const Geometry& target : {Geometry{Sphere{0.5f}}, Geometry{Box{0.5f, 0.5f, 0.5f}}})
        for (const auto& [dt, speed] : steps_and_speeds) {
            SCOPED_TRACE("step " + std::to_string(dt) + ", speed " + std::to_string(speed));
            World world(impacts_in_space());
            const BodyId ball = add(world, Sphere{0.5f}, {}, surface(1), flying({speed, 0, 0}));
            const BodyId other = add(world, target, {1.00015f, 0, 0}, surface(1));
            std::size_t hits = 0;
            const double energy = world.measure().kinetic_energy;
            for (float time = 0; time < 4e-4f / speed; time += dt) {
                world.step(dt);
                hits += world.events().hits.size();
                EXPECT_GT(world.position(other).x - world.position(ball).x, 1);
            }
            EXPECT_EQ(hits, 1u);
            EXPECT_NEAR(world.measure().kinetic_energy / energy, 1, 1e-6);
            EXPECT_GT(world.state(other).velocity.x, 0.1f * speed);
        }
}

TEST(WorldImpact, ABallFallsBouncesAndRisesAsTheParabolaSays) {
    World world(impact_settings());
    add_floor(world, surface(0.5f).material);
    const BodyId ball = add(world, Sphere{0.5f}, {0, 2.5f, 0}, surface(0.5f));
    std::vector<HitEvent> hits;
    double time = 0;
    for (int k = 0; k < 60; ++k) {
        world.step(frame);
        for (HitEvent hit : world.events().hits) {
            hit.time += static_cast<float>(time);
            hits.push_back(hit);
        }
        time += double{frame};
    }
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_NEAR(hits[0].time, std::sqrt(2 * 2 / 9.81), 1e-4);
    EXPECT_NEAR(hits[0].speed, std::sqrt(2 * 2 * 9.81), 1e-3);
    EXPECT_NEAR(std::abs(hits[0].normal.y), 1, 1e-6);
    // up again for what is left of the second
    const double rest = time - std::sqrt(2 * 2 / 9.81), up = 0.5 * std::sqrt(2 * 2 * 9.81);
    EXPECT_NEAR(world.position(ball).y, 0.5 + up * rest - 0.5 * 9.81 * rest * rest, 3e-4);
    EXPECT_NEAR(world.state(ball).velocity.y, up - 9.81 * rest, 1e-3);
}

TEST(WorldImpact, AnElasticBallKeepsItsEnergyForAMinute) {
    World world(impact_settings());
    add_floor(world, surface(1).material);
    add(world, Sphere{0.25f}, {0, 1.5f, 0}, surface(1));
    const auto energy = [&] {
        const WorldMeasure now = world.measure();
        return now.kinetic_energy + now.potential_energy;
    };
    const double before = energy();
    std::uint64_t impacts = 0;
    for (int k = 0; k < 600; ++k) {
        world.step(0.1f);
        impacts += world.counters().impact.impacts;
    }
    EXPECT_NEAR(static_cast<double>(impacts), 60 / (2 * std::sqrt(2 * 1.25 / 9.81)), 1);
    EXPECT_NEAR(energy() / before, 1, 1e-6);
}

TEST(WorldImpact, TwoBoxesMeetHeadOnAndPartFlat) {
    for (const float e : {0.0f, 0.5f, 1.0f}) {
        World world(impacts_in_space());
        const BodyId a = add(world, Box{}, {-2, 0, 0}, surface(e, 0.5f), flying({3, 0, 0})),
                     b = add(world, Box{}, {2, 0, 0}, surface(e, 0.5f), flying({-3, 0, 0}));
        run(world, 60);
        EXPECT_NEAR(world.state(a).velocity.x, -3 * e, 1e-5);
        EXPECT_NEAR(world.state(b).velocity.x, 3 * e, 1e-5);
        EXPECT_LT(length(world.state(a).angular_velocity), 1e-5f);
        EXPECT_LT(deepest(world), 1e-6);
    }
}

TEST(WorldImpact, AHitIsWhereTheSidesApproachFastest) {
    // almost flat: both sides touch, and the spin makes one of them faster
    for (const float side : {-1.0f, 1.0f}) {
        World world(impacts_in_space());
        add_floor(world, surface(0.5f).material);
        BodyDef body = flying({0, -2, 0}, {0, 0, -1e-3f * side});
        body.rotation = rotation_about(Vec3{0, 0, 1}, 2e-5f * side);
        add(world, Box{}, {0, 0.51f, 0}, surface(0.5f), body);
        world.step(frame);
        ASSERT_FALSE(world.events().hits.empty());
        EXPECT_GT(world.events().hits[0].point.x * side, 0.4f);
        EXPECT_NEAR(world.events().hits[0].speed, 2.0005, 1e-5);
    }
}

TEST(WorldImpact, ElasticBodiesKeepMomentumSpinAndEnergy) {
    World world(impacts_in_space());
    Dice dice(2);
    const Geometry shapes[] = {Sphere{0.3f}, Box{0.3f, 0.2f, 0.25f}, Capsule{0.2f, 0.2f},
                               Cylinder{0.2f, 0.25f}};
    for (int k = 0; k < 27; ++k) {
        const Vec3 at{1.2f * static_cast<float>(k % 3 - 1), 1.2f * static_cast<float>(k / 3 % 3 - 1),
                      1.2f * static_cast<float>(k / 9 - 1)};
        const Vec3 spin = dice.in_box({-2, -2, -2}, {2, 2, 2});
        BodyDef body = flying(-1.5f * at + dice.in_box({-1, -1, -1}, {1, 1, 1}), spin);
        body.rotation = dice.rotation();
        add(world, shapes[k % 4], at, surface(1), body);
    }
    const WorldMeasure before = world.measure();
    std::uint64_t impacts = 0;
    double worst = -1;
    for (int k = 0; k < 90; ++k) {
        world.step(frame);
        impacts += world.counters().impact.impacts;
        worst = std::max(worst, deepest(world));
    }
    const WorldMeasure after = world.measure();
    EXPECT_GT(impacts, 40u);
    EXPECT_LT(worst, 1e-6);
    EXPECT_NEAR(after.kinetic_energy / before.kinetic_energy, 1, 2e-9);
    EXPECT_LT(length(after.momentum - before.momentum), 2e-7f * length(before.momentum));
    const Vec3 turned = after.angular_momentum - before.angular_momentum;
    EXPECT_LT(length(turned), 2e-7f * length(before.angular_momentum))
        << length(turned) / length(before.angular_momentum);
}

TEST(WorldImpact, ABodyThatTurnsFreelyKeepsAngularMomentumAndEnergy) {
    // the last is as fast as bodies may be by default: a flight has many pieces
    for (const float speed : {1.0f, 10.0f, 85.0f}) {
        World world(impacts_in_space());
        add(world, Box{0.3f, 0.1f, 0.2f}, {}, surface(1), flying({}, speed * Vec3{1, 2, 0.5f}));
        const WorldMeasure before = world.measure();
        double worst = 0;
        for (int k = 0; k < 600; ++k) {
            world.step(frame);
            const Vec3 turned = world.measure().angular_momentum - before.angular_momentum;
            worst = std::max(worst, double{length(turned) / length(before.angular_momentum)});
        }
        EXPECT_LT(worst, 2e-7) << speed;
        EXPECT_NEAR(world.measure().kinetic_energy / before.kinetic_energy, 1, 1e-9) << speed;
    }
}

TEST(WorldImpact, ATorqueChangesAngularMomentumByItsTime) {
    World world(impacts_in_space());
    const BodyId body = add(world, Box{0.3f, 0.1f, 0.2f}, {}, surface(1), flying({}, {1, 2, 0.5f}));
    const Vec3 torque{3, -2, 5}, before = world.measure().angular_momentum;
    for (int k = 0; k < 30; ++k) {
        world.apply_torque(body, torque);
        world.step(frame);
    }
    const Vec3 gained = world.measure().angular_momentum - before;
    EXPECT_LT(length(gained - 0.5f * torque), 1e-5f * length(torque));
}

TEST(WorldImpact, ElasticSpheresAlsoKeepAngularMomentum) {
    World world(impacts_in_space());
    Dice dice(4);
    for (int k = 0; k < 27; ++k) {
        const Vec3 at{static_cast<float>(k % 3 - 1), static_cast<float>(k / 3 % 3 - 1),
                      static_cast<float>(k / 9 - 1)};
        add(world, Sphere{0.3f}, at, surface(1), flying(-2.0f * at + dice.in_box({-1, -1, -1}, {1, 1, 1})));
    }
    const WorldMeasure before = world.measure();
    std::uint64_t impacts = 0;
    for (int k = 0; k < 60; ++k) {
        world.step(frame);
        impacts += world.counters().impact.impacts;
    }
    const WorldMeasure after = world.measure();
    EXPECT_GT(impacts, 20u);
    EXPECT_NEAR(after.kinetic_energy / before.kinetic_energy, 1, 1e-6);
    EXPECT_LT(length(after.momentum - before.momentum), 1e-4f * length(before.momentum));
    EXPECT_LT(length(after.angular_momentum - before.angular_momentum),
              1e-4f * length(before.angular_momentum) + 1e-4f);
}

TEST(WorldImpact, FastSmallBodiesDoNotPassThroughAThinPlate) {
    for (const float speed : {1.0f, 10.0f, 100.0f, 1000.0f, 10000.0f}) {
        World world(impacts_in_space());
        add(world, Box{2, 2, 0.0005f}, {0, 0, 0}, surface(0.5f), [] {
            BodyDef body;
            body.type = BodyType::fixed;
            return body;
        }());
        std::vector<BodyId> shots;
        for (int k = 0; k < 16; ++k) {
            BodyDef body = flying({0, 0, -speed}, {30, 20, 10});
            body.max_speed = 20000;
            body.rotation = rotation_about(Vec3{1, 2, 3}, static_cast<float>(k));
            const Vec3 at{0.2f * static_cast<float>(k % 4), 0.2f * static_cast<float>(k / 4),
                          1 + 0.01f * static_cast<float>(k)};
            const Geometry shapes[] = {Sphere{0.005f}, Box{0.01f, 0.002f, 0.005f}, Capsule{0.01f, 0.002f},
                                       Cone{0.01f, 0.005f}};
            shots.push_back(add(world, shapes[k % 4], at, surface(0.5f), body));
        }
        run(world, static_cast<int>(90 / speed) + 4);
        for (const BodyId shot : shots) {
            EXPECT_GT(world.position(shot).z, 0) << speed;
            EXPECT_GT(world.state(shot).velocity.z, 0) << speed;
        }
    }
}

// with more impacts in a flight than what loses energy may have with a bounce
TEST(WorldImpact, AnElasticBallBetweenCloseWallsKeepsItsSpeed) {
    World world(impacts_in_space());
    BodyDef wall;
    wall.type = BodyType::fixed;
    for (const float side : {-0.601f, 0.601f})
        add(world, Box{0.5f, 0.5f, 0.5f}, {side, 0, 0}, surface(1), wall);
    const BodyId ball = add(world, Sphere{0.1f}, {}, surface(1), flying({50, 0, 0}));
    std::uint64_t impacts = 0;
    for (int k = 0; k < 10; ++k) {
        world.step(frame);
        impacts += world.counters().impact.impacts;
    }
    EXPECT_NEAR(static_cast<double>(impacts), 10 * 50 / 60.0 / 0.0019, 60);
    EXPECT_NEAR(std::abs(world.state(ball).velocity.x), 50, 1e-5);
}

TEST(WorldImpact, NewtonsCradlePassesTheSpeedToTheLastBall) {
    World world(impacts_in_space());
    std::vector<BodyId> balls;
    for (int k = 0; k < 5; ++k)
        balls.push_back(add(world, Sphere{0.5f}, {k ? static_cast<float>(k) * 1.001f : -2.0f, 0, 0},
                            surface(1), flying({k ? 0.0f : 2.0f, 0, 0})));
    std::uint64_t impacts = 0;
    for (int k = 0; k < 90; ++k) {
        world.step(frame);
        impacts += world.counters().impact.impacts;
    }
    EXPECT_EQ(impacts, 4u);
    for (std::size_t k = 0; k < 5; ++k)
        EXPECT_NEAR(world.state(balls[k]).velocity.x, k == 4 ? 2 : 0, 1e-6) << k;
}

TEST(WorldImpact, ABlockRestsOnATableForTenSecondsAndSleeps) {
    for (const bool sleeping : {false, true}) {
        WorldSettings settings = impact_settings();
        settings.sleeping = sleeping;
        World world(settings);
        add_floor(world, surface(0.3f, 0.5f).material);
        const BodyId block = add(world, Box{}, {0, 0.5002f, 0}, surface(0.3f, 0.5f));
        double lowest = 1, highest = 0;
        for (int k = 0; k < 600; ++k) {
            world.step(frame);
            lowest = std::min(lowest, world.position(block).y);
            highest = std::max(highest, world.position(block).y);
        }
        EXPECT_GT(lowest, 0.5);
        EXPECT_LT(highest, 0.5003);
        EXPECT_LT(std::abs(world.position(block).x), 1e-4);
        EXPECT_LT(length(world.state(block).velocity), 1e-3f);
        EXPECT_EQ(world.state(block).asleep, sleeping);
        EXPECT_EQ(world.counters().impact.halted, 0u);
    }
}

TEST(WorldImpact, ADieComesToRestOnAFace) {
    World world(impact_settings());
    add_floor(world, surface(0.3f, 0.5f).material);
    std::vector<BodyId> dice;
    for (int k = 0; k < 3; ++k) {
        BodyDef body = flying({1, 0, 0.3f * static_cast<float>(k)}, {5, static_cast<float>(k), 7});
        body.rotation = rotation_about(Vec3{1, 0.5f, 0.25f}, 0.7f + static_cast<float>(k));
        dice.push_back(
            add(world, Box{0.1f, 0.1f, 0.1f}, {0, 1, static_cast<float>(k)}, surface(0.3f, 0.5f), body));
    }
    double worst = -1;
    std::uint32_t halted = 0;
    for (int k = 0; k < 360; ++k) {
        world.step(frame);
        worst = std::max(worst, deepest(world));
        halted += world.counters().impact.halted;
    }
    EXPECT_EQ(halted, 0u);
    EXPECT_LT(worst, 1e-6);
    for (const BodyId die : dice) {
        EXPECT_TRUE(world.state(die).asleep);
        EXPECT_NEAR(world.position(die).y, 0.1, 2e-4);
    }
}

TEST(WorldImpact, AStackOfTenStandsAndWakesWhenItIsHit) {
    WorldSettings settings = impact_settings();
    settings.restitution_threshold = 1;
    World world(settings);
    add_floor(world);
    const std::vector<BodyId> stack = add_stack(world, 10);
    run(world, 240);
    for (std::size_t k = 0; k < stack.size(); ++k) {
        EXPECT_NEAR(world.position(stack[k]).y, 0.5 + static_cast<double>(k), 0.003) << k;
        EXPECT_LT(std::abs(world.position(stack[k]).x), 3e-3);
        EXPECT_TRUE(world.state(stack[k]).asleep) << k;
    }
    const BodyId shot = add(world, Sphere{0.3f}, {-3, 8.5f, 0}, {}, flying({40, 0, 0}));
    run(world, 30);
    EXPECT_FALSE(world.state(stack[8]).asleep);
    EXPECT_GT(world.position(stack[8]).x, 0.1);
    EXPECT_LT(world.state(shot).velocity.x, 39);
}

TEST(WorldImpact, SlidingStopsAfterTheWayThatFrictionAllows) {
    World world(impact_settings());
    add_floor(world, surface(0, 0.4f).material);
    const BodyId block =
        add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.2501f, 0}, surface(0, 0.4f), flying({3, 0, 0}));
    run(world, 120);
    EXPECT_NEAR(world.position(block).x, 9 / (2 * 0.4 * 9.81), 0.03);
    EXPECT_LT(length(world.state(block).velocity), 1e-3f);
}

TEST(WorldImpact, AKinematicMoverPushesABodyAlong) {
    World world(impact_settings());
    add_floor(world, surface(0, 0.3f).material);
    BodyDef mover = flying({1, 0, 0});
    mover.type = BodyType::kinematic;
    const BodyId wall = add(world, Box{0.1f, 0.5f, 1}, {-1, 0.6f, 0}, surface(0, 0.3f), mover);
    const BodyId block = add(world, Box{0.25f, 0.25f, 0.25f}, {0, 0.2502f, 0}, surface(0, 0.3f));
    run(world, 180);
    EXPECT_NEAR(world.position(wall).x, 2, 1e-4);
    EXPECT_NEAR(world.position(block).x, 2.35, 0.02);
    EXPECT_LT(deepest(world), 1e-5);
}

/// Stones of every kind in a room.
World stones(const Place& place, int count, float gravity = -9.81f) {
    WorldSettings settings = impact_settings();
    settings.gravity = {0, gravity, 0};
    World world(settings, place);
    add_floor(world, surface(0.5f, 0.4f).material);
    Dice dice(9);
    const Geometry shapes[] = {Sphere{0.2f}, Box{0.2f, 0.15f, 0.25f}, Capsule{0.15f, 0.15f},
                               Cylinder{0.15f, 0.2f}, Cone{0.2f, 0.2f}};
    for (int k = 0; k < count; ++k) {
        const Vec3 spin = dice.in_box({-5, -5, -5}, {5, 5, 5}),
                   velocity = dice.in_box({-2, -2, -2}, {2, 2, 2});
        BodyDef body = flying(velocity, spin);
        body.rotation = dice.rotation();
        add(world, shapes[k % 5],
            {0.8f * static_cast<float>(k % 3), 1 + 0.8f * static_cast<float>(k / 9),
             0.8f * static_cast<float>(k / 3 % 3)},
            surface(0.5f, 0.4f), body);
    }
    return world;
}

TEST(WorldImpact, ThreadsAndCopiesGiveTheSameHash) {
    World one = stones(on(1), 18), four = stones(on(4), 18);
    Rollback kept(one, 2);
    run(one, 30);
    run(four, 30);
    EXPECT_EQ(one.hash(), four.hash());
    const std::uint64_t before = one.hash();
    kept.save();
    run(one, 30);
    const std::uint64_t after = one.hash();
    kept.restore(0);
    EXPECT_EQ(one.hash(), before);
    run(one, 30);
    EXPECT_EQ(one.hash(), after);
    kept.restore(0);
    World restored = World::restore(one.save(), on(2));
    run(one, 30);
    run(restored, 30);
    EXPECT_EQ(one.hash(), restored.hash());
    EXPECT_LT(deepest(one), 1e-6);
}

TEST(WorldImpact, EveryStageLeavesFewerPairs) {
    World world = stones(on(1), 27);
    std::uint64_t pairs = 0, candidates = 0, queued = 0, impacts = 0;
    for (int k = 0; k < 40; ++k) {
        world.step(frame);
        const ImpactCounters& c = world.counters().impact;
        pairs += c.pairs;
        candidates += c.candidates;
        queued += c.queued;
        impacts += c.impacts;
        EXPECT_EQ(c.halted, 0u);
    }
    EXPECT_EQ(pairs, 40u * (27 * 26 / 2 + 27));
    EXPECT_LT(candidates, pairs / 2);
    EXPECT_LT(queued, candidates);
    EXPECT_LT(impacts, queued);
    EXPECT_GT(impacts, 0u);
}

/// Distances measured for two boxes that meet, and for two others that turn close to each other.
std::uint64_t distances(bool meeting, bool passing) {
    World world(impacts_in_space());
    if (meeting) {
        add(world, Box{}, {-1.5f, 0, 0}, surface(1), flying({20, 0, 0}, {1, 2, 3}));
        add(world, Box{}, {1.5f, 0, 0}, surface(1), flying({-20, 1, 0}, {3, 1, 2}));
    }
    // their boxes overlap, their faces are 0.4 m apart
    for (int k = 0; passing && k < 2; ++k) {
        BodyDef body = flying({}, {0.1f, 0.2f, 0.3f});
        body.rotation = rotation_about(Vec3{0, 0, 1}, 0.785f);
        const float at = k ? 0.5f : -0.5f;
        add(world, Box{}, {at, 50 + at, 0}, surface(1), body);
    }
    std::uint64_t measured = 0;
    for (int k = 0; k < 10; ++k) {
        world.step(frame);
        measured += world.counters().impact.measured;
    }
    return measured;
}
TEST(WorldImpact, AnImpactMeasuresThePairsOfItsBodiesAndNoOthers) {
    const std::uint64_t meeting = distances(true, false), passing = distances(false, true);
    EXPECT_GT(meeting, 10u);
    EXPECT_GE(passing, 10u);
    EXPECT_EQ(distances(true, true), meeting + passing);
}

TEST(WorldImpact, OneLongStepHasTheImpactsOfManyShortOnes) {
    World many = stones(on(1), 5, 0), one = stones(on(1), 5, 0);
    for (int k = 0; k < 6; ++k) many.step(1 / 60.0f);
    one.step(0.1f);
    const std::vector<BodyId> bodies = one.bodies(), others = many.bodies();
    for (std::size_t k = 0; k < bodies.size(); ++k)
        EXPECT_LT(length(one.position(bodies[k]) - many.position(others[k])), 1e-3);
}

TEST(WorldImpact, WorkIsBoundedWhereABodyIsCrushed) {
    World world(impact_settings());
    add_floor(world, surface(0.5f).material);
    const BodyId block = add(world, Box{0.25f, 0.25f, 0.25f}, {0, 0.2501f, 0}, surface(0.9f, 0.5f));
    BodyDef press = flying({0, -2, 0});
    press.type = BodyType::kinematic;
    add(world, Box{1, 0.1f, 1}, {0, 0.65f, 0}, surface(0.9f), press);
    std::uint32_t halted = 0;
    float left_over = 0;
    for (int k = 0; k < 12; ++k) {
        world.step(frame);
        halted += world.counters().impact.halted;
        left_over = std::max(left_over, world.counters().impact.left_over);
    }
    EXPECT_GT(halted, 0u);
    EXPECT_GT(left_over, 0.0f);
    EXPECT_TRUE(is_finite(world.position(block)));
}

TEST(WorldImpact, BodiesThatOverlapAtTheStartPart) {
    World world(impacts_in_space());
    const BodyId a = add(world, Box{}, {0, 0, 0}, surface(0)),
                 b = add(world, Box{}, {0.9f, 0, 0}, surface(0));
    run(world, 120);
    EXPECT_GT(world.position(b).x - world.position(a).x, 0.999);
    EXPECT_LT(length(world.state(a).velocity), 1.0f);
}

TEST(WorldImpact, RefusesWhatItDoesNotHave) {
    World world(impact_settings());
    const BodyId a = add(world, Sphere{}, {0, 1, 0}), b = add(world, Sphere{}, {0, 3, 0});
    JointDef joint;
    joint.first = a, joint.second = b;
    EXPECT_REFUSED(world.create_joint(joint), "solver");
    EXPECT_REFUSED(world.set_pre_solve([](const ContactInfo&) { return true; }), "solver");
    BodyDef fixed;
    fixed.type = BodyType::fixed;
    const BodyId ground = world.create_body(fixed);
    const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const std::vector<std::uint32_t> triangle{0, 1, 2};
    EXPECT_REFUSED(world.attach(ground, Mesh::from_triangles(corners, triangle)), "solver");
    ShapeDef one_way;
    one_way.one_way = {0, 1, 0};
    EXPECT_REFUSED(world.attach(ground, Box{}, one_way), "solver");
    EXPECT_REFUSED(World(impact_settings(), PlaceOptions{.device = "cpu:kernels"}), "device");
    WorldSettings wrong = impact_settings();
    wrong.impact_tolerance = 0;
    EXPECT_REFUSED(World{wrong}, "impact_tolerance");
    wrong.impact_tolerance = 1e-20f; // rounding is larger
    EXPECT_REFUSED(World{wrong}, "impact_tolerance");
    EXPECT_REFUSED(world.step(4e7f), "dt");
    EXPECT_REFUSED(Worlds(1, impact_settings()).step(4e7f), "dt");
    World joined;
    joint.first = add(joined, Sphere{}, {0, 1, 0}), joint.second = add(joined, Sphere{}, {0, 3, 0});
    joined.create_joint(joint);
    EXPECT_REFUSED(joined.change_settings(impact_settings()), "solver");
    EXPECT_EQ(joined.settings().solver, Solver::soft_step);
}

TEST(WorldImpact, JudgesTheOtherSolversBySingleImpacts) {
    double worst_energy = -1, soft = 0, sor = 0;
    std::uint64_t impacts = 0;
    std::vector<bench::OracleRow> rows = bench::compare_with_impacts(1, 2);
    for (const bench::OracleRow& row : rows) {
        SCOPED_TRACE(row.first + " " + row.second);
        impacts += row.impacts;
        worst_energy = std::max(worst_energy, row.energy_gain);
        // states are told in floats
        EXPECT_LT(row.bounce_error, 1e-4) << row.restitution;
        EXPECT_LT(row.told_slower, 2e-6) << row.restitution;
        EXPECT_LT(row.momentum_error, 1e-5);
        soft += static_cast<double>(row.impacts) * row.soft.median_difference;
        sor += static_cast<double>(row.impacts) * row.sor.median_difference;
    }
    EXPECT_GT(impacts, 60u);
    EXPECT_LT(worst_energy, 1e-12);
    EXPECT_LT(soft / static_cast<double>(impacts), 0.15);
    EXPECT_LT(sor / static_cast<double>(impacts), 0.25);
}

TEST(WorldImpact, TheOtherSolversFlyAsItDoes) {
    for (const bench::FlightRow& row : bench::compare_flights(1, 3)) {
        SCOPED_TRACE(row.shape);
        EXPECT_LT(row.soft_way, 1e-4);
        EXPECT_NEAR(row.sor_way, 9.81 / 60 / 2, 1e-4); // its Euler steps: g T dt / 2
        EXPECT_LT(row.soft_turn, 0.2);
        EXPECT_LT(row.sor_turn, 0.2);
    }
}

TEST(WorldImpact, OverlapIsMeasuredWhereShapesAreNow) {
    // a ball that rolls off an edge and falls: it has left the side that its manifold was of
    World world(impacts_in_space());
    BodyDef table;
    table.type = BodyType::fixed;
    add(world, Box{1, 0.1f, 1}, {0, -0.1f, 0}, surface(0), table);
    add(world, Sphere{0.1f}, {0.99f, 0.105f, 0}, surface(0), flying({20, -3, 0}));
    world.step(frame);
    EXPECT_EQ(world.counters().impact.impacts, 0u);
    EXPECT_FALSE(world.contacts().empty());
    EXPECT_EQ(world.measure().max_overlap, 0);
    World deep(impacts_in_space());
    add(deep, Box{}, {-0.4f, 0, 0});
    add(deep, Box{}, {0.4f, 0, 0});
    deep.step(0);
    EXPECT_NEAR(deep.measure().max_overlap, 0.2, 1e-5);
}

TEST(WorldImpact, AnImpactChangesVelocitiesAndNoPositions) {
    World world(impacts_in_space());
    const BodyId a = add(world, Box{}, {-1, 0, 0}, surface(0.5f), flying({30, 0.5f, 0}, {1, 0, 0})),
                 b = add(world, Box{}, {1, 0.3f, 0}, surface(0.5f), flying({-30, 0, 0}));
    const std::vector<BodyId> both{a, b};
    const DVec3 from[2] = {world.position(a), world.position(b)};
    const DVec3 speed[2] = {world.state(a).velocity, world.state(b).velocity};
    world.step(frame * 2);
    ASSERT_EQ(world.events().hits.size(), 1u);
    const double until = double{world.events().hits[0].time}, after = double{frame} * 2 - until;
    for (std::size_t k = 0; k < 2; ++k)
        EXPECT_LT(length(world.position(both[k]) -
                         (from[k] + speed[k] * until + wide(world.state(both[k]).velocity) * after)),
                  2e-6);
    // even those that overlap part by their velocity alone
    World deep(impacts_in_space());
    const BodyId c = add(deep, Box{}, {0.9f, 0, 0}, surface(0));
    add(deep, Box{}, {0, 0, 0}, surface(0));
    const DVec3 before = deep.position(c);
    deep.step(frame);
    EXPECT_GT(deep.state(c).velocity.x, 0.1f);
    EXPECT_LT(length(deep.position(c) - (before + wide(deep.state(c).velocity) * double{frame})), 1e-6);
}

TEST(WorldImpact, APileWithoutRestitutionDoesNotSink) {
    WorldSettings settings = impact_settings();
    settings.sleeping = false;
    World world(settings);
    const BodyId room = add_floor(world, surface(0, 0.5f).material);
    for (int k = 0; k < 4; ++k) {
        ShapeDef wall = surface(0, 0.5f);
        wall.position =
            rotate(rotation_about(Vec3{0, 1, 0}, 1.5707963f * static_cast<float>(k)), {0.8f, 1, 0});
        world.attach(room, k % 2 ? Box{0.9f, 1, 0.1f} : Box{0.1f, 1, 0.9f}, wall);
    }
    Dice dice(3);
    for (int k = 0; k < 6; ++k) {
        BodyDef body;
        body.rotation = dice.rotation();
        add(world, Box{0.25f, 0.2f, 0.3f},
            dice.in_box({-0.2f, 0.6f + 0.8f * static_cast<float>(k), -0.2f},
                        {0.2f, 0.6f + 0.8f * static_cast<float>(k), 0.2f}),
            surface(0, 0.5f), body);
    }
    run(world, 240);
    const double height = world.measure().mean_height;
    double fastest = 0;
    for (int k = 0; k < 60; ++k) {
        world.step(frame);
        fastest = std::max(fastest, world.measure().max_speed);
    }
    EXPECT_NEAR(world.measure().mean_height, height, 5e-6);
    EXPECT_LT(fastest, 1e-4);
    EXPECT_LT(deepest(world), 0);
}

TEST(WorldImpact, ABodyThatOthersPressIsNotPushedIn) {
    // a small ball comes between the floor and a heavy cylinder that turns on its rim
    bench::RoomsWorld rooms = bench::fly_in_rooms(bench::rooms_of(1), 1, 9, 0.3f, on(1));
    double worst = -1;
    for (int k = 0; k < 160; ++k) {
        rooms.world.step(frame);
        if (k > 150) worst = std::max(worst, deepest(rooms.world));
    }
    EXPECT_LT(worst, 1e-6);
}

/// 36 balls in a shaft under a press that comes down.
World balls_under_a_press() {
    World world(impact_settings(), on(1));
    const BodyId room = add_floor(world);
    for (const float side : {-1.1f, 1.1f}) {
        ShapeDef wall;
        wall.position = {side, 2, 0};
        world.attach(room, Box{0.1f, 2, 1.2f}, wall);
        wall.position = {0, 2, side};
        world.attach(room, Box{1.2f, 2, 0.1f}, wall);
    }
    for (int k = 0; k < 36; ++k) {
        const auto off = static_cast<float>(6 * k % 7 - 3);
        add(world, Sphere{0.24f},
            {0.6f * static_cast<float>(k % 3 - 1) + 0.015f * off, 0.3f + 0.5f * static_cast<float>(k / 9),
             0.6f * static_cast<float>(k / 3 % 3 - 1) - 0.01f * off},
            surface(0.3f, 0.3f), flying({0.1f * off, 0, 0}));
    }
    BodyDef press = flying({0, -4, 0});
    press.type = BodyType::kinematic;
    add(world, Box{0.95f, 0.1f, 0.95f}, {0, 2.4f, 0}, {}, press);
    return world;
}

TEST(WorldImpact, BodiesThatArePressedTogetherDoNotDependOnThePast) {
    // more than are answered together; a restored world finds its pairs in another order
    World world = balls_under_a_press();
    run(world, 8);
    for (int k = 0; k < 4; ++k) {
        World restored = World::restore(world.save(), on(1));
        restored.step(frame);
        world.step(frame);
        ASSERT_EQ(restored.hash(), world.hash()) << k;
    }
}

TEST(WorldImpact, ACrushedPileWaitsInsteadOfWorkingOn) {
    // no impulses part balls between a floor and a press: they are held for a flight, and a step has its bound
    World world = balls_under_a_press();
    std::uint32_t most_measured = 0, halted = 0;
    for (int k = 0; k < 18; ++k) {
        world.step(frame);
        most_measured = std::max(most_measured, static_cast<std::uint32_t>(world.counters().impact.measured));
        halted += world.counters().impact.halted;
    }
    EXPECT_GT(halted, 0u);
    EXPECT_LT(most_measured, 50'000u); // a million when each ball fought on for its thousand impacts
}

TEST(WorldImpact, AStackThatMayNotSleepStandsStill) {
    WorldSettings settings = impact_settings();
    settings.sleeping = false;
    World world(settings);
    add_floor(world);
    const std::vector<BodyId> stack = add_stack(world, 5);
    run(world, 120);
    for (const BodyId cube : stack) {
        EXPECT_LT(std::hypot(world.position(cube).x, world.position(cube).z), 1e-5);
        EXPECT_LT(length(world.state(cube).velocity), 1e-4f);
    }
}

} // namespace
} // namespace scree::test
