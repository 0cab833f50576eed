// SPDX-License-Identifier: MIT
// stacking_test.cpp — what stands in reality stands here: pyramids, stacks with a heavy top, card houses, arches, gravel.
// Beside a limit stands what was measured, which is the same on every machine.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace scree::test {
namespace {

// pyramids -----------------------------------------------------------------------------------------------------------

/// A pyramid stands for a minute without sleep, and no cube moves by more than `limit`.
void expect_pyramid_to_stand(int base, double limit, double speed) {
    World world(without_sleep());
    add_slab(world, 100);
    const std::vector<BodyId> cubes = add_pyramid(world, base);
    const std::vector<DVec3> before = positions(world, cubes);
    run_for(world, 60);
    const double moved = largest_move(world, cubes, before), mean_speed = world.measure().mean_speed;
    report("top_lost_mm", 1000 * (before.back().y - height(world, cubes.back())));
    report("moved_mm", 1000 * moved);
    report("mean_speed_mm_s", 1000 * mean_speed);
    EXPECT_LT(moved, limit);
    EXPECT_LT(mean_speed, speed);
}

TEST(Stacking, APyramidOfTenStandsWithoutSleep) {
    expect_pyramid_to_stand(10, 0.003, 3e-6); // 0.0010, 1.2e-6
}

TEST(Stacking, APyramidOfTenFallsAsleepWithinFiveSeconds) {
    World world(default_settings());
    add_slab(world, 100);
    add_pyramid(world, 10);
    const int steps = steps_until_asleep(world, 5);
    report("asleep_after_steps", steps);
    EXPECT_GT(steps, 0);
}

TEST(Stacking, APyramidOfFortyStandsForAMinuteAndSleeps) {
    World world(default_settings());
    add_slab(world, 100);
    const std::vector<BodyId> cubes = add_pyramid(world, 40);
    const std::vector<DVec3> before = positions(world, cubes);
    const int steps = steps_until_asleep(world, 60);
    report("asleep_after_steps", steps);
    ASSERT_GT(steps, 0);
    run_steps(world, 3600 - steps);
    EXPECT_TRUE(all_asleep(world, cubes));
    const double moved = largest_move(world, cubes, before);
    report("moved_mm", 1000 * moved);
    EXPECT_LT(moved, 0.04); // 0.017 of 40 m
}

TEST(Stacking, APyramidOfFortyStandsForAMinuteWithoutSleep) {
    expect_pyramid_to_stand(40, 0.04, 3e-5); // 0.016, 1.1e-5
}

TEST(Stacking, APyramidOfHullsStands) {
    const float h = 0.5f;
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h});
    const Hull cube = Hull::from_points(corners);
    World world(without_sleep());
    add_floor(world);
    std::vector<BodyId> cubes;
    for (int row = 0; row < 6; ++row)
        for (int i = 0; i < 6 - row; ++i)
            cubes.push_back(add(world, cube,
                                {static_cast<float>(i) - 0.5f * static_cast<float>(5 - row),
                                 static_cast<float>(row) + 0.5f, 0}));
    const std::vector<DVec3> before = positions(world, cubes);
    run_for(world, 20);
    const double moved = largest_move(world, cubes, before);
    report("moved_mm", 1000 * moved);
    EXPECT_LT(moved, 0.001); // 3.9e-4
}

// heavy on light -------------------------------------------------------------------------------------------------------

/// The largest share of a stack's height that is lost or gained in the time.
/// `settling`: seconds at the beginning, when nothing bears its load yet, that do not count
double height_change(World& world, float top, double seconds, double settling = 0) {
    add_slab(world, 10);
    const std::vector<BodyId> cubes = add_stack(world, 10, top);
    double worst = 0;
    for (int k = 0; k < static_cast<int>(seconds * 60); ++k) {
        world.step(frame);
        const double now = height(world, cubes.back()) + 0.5;
        if (k < settling * 60) continue;
        const double change = std::abs(now - 10) / 10;
        worst = change <= worst ? worst : change;
    }
    report("height_change_percent", 100 * worst);
    return worst;
}

TEST(Stacking, TenEqualCubesKeepTheirHeight) {
    World world(without_sleep());
    EXPECT_LT(height_change(world, 1, 30), 0.001); // 3.6e-4
}

TEST(Stacking, ATopAHundredTimesHeavierStaysUpWithinOnePercent) {
    World world(without_sleep());
    EXPECT_LT(height_change(world, 100, 30), 0.01);
}

TEST(Stacking, ATopAHundredTimesHeavierStaysUpWithSleepToo) {
    World world(default_settings());
    EXPECT_LT(height_change(world, 100, 30), 0.01);
}

TEST(Stacking, ATopAThousandTimesHeavierStaysUpWithSixteenSubsteps) {
    WorldSettings settings = without_sleep();
    settings.substeps = 16;
    settings.contact_hertz = 240; // as stiff as sixteen substeps allow
    World world(settings);
    EXPECT_LT(height_change(world, 1000, 30, 3), 0.01);
}

TEST(Stacking, ADroppedStackSettlesOnItsColumn) {
    // a fall of 5 cm for each cube, so that every level hits the one below
    World world(without_sleep());
    add_slab(world, 10);
    std::vector<BodyId> cubes;
    for (int i = 0; i < 8; ++i)
        cubes.push_back(add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.55f + 1.05f * static_cast<float>(i), 0}));
    run_for(world, 10);
    for (std::size_t i = 0; i < cubes.size(); ++i) {
        EXPECT_NEAR(height(world, cubes[i]), 0.5 + static_cast<double>(i), 0.005); // 0.0022
        EXPECT_LT(tilt_degrees(world, cubes[i]), 0.01);                            // 0
    }
}

// cards and arches -----------------------------------------------------------------------------------------------------

/// What `build` adds stands for half a minute, with sleep and without.
void expect_to_stand(const std::function<std::vector<BodyId>(World&)>& build, double limit) {
    for (const WorldSettings& settings : {without_sleep(), default_settings()}) {
        World world(settings);
        const std::vector<BodyId> bodies = build(world);
        const std::vector<DVec3> before = positions(world, bodies);
        run_for(world, 30);
        const double moved = largest_move(world, bodies, before);
        report(settings.sleeping ? "moved_sleeping_mm" : "moved_mm", 1000 * moved);
        EXPECT_LT(moved, limit) << (settings.sleeping ? "with sleep" : "without sleep");
    }
}

TEST(Stacking, ACardHouseOfThreeLevelsStands) {
    expect_to_stand(
        [](World& world) {
            add_slab(world, 20);
            return add_card_house(world, 3);
        },
        0.01); // 0.0038
}

TEST(Stacking, ACardHouseWithoutFrictionFalls) {
    World world(without_sleep());
    add_slab(world, 20, {.friction = 0, .friction_rule = Combine::least});
    const std::vector<BodyId> cards = add_card_house(world, 3);
    const std::vector<DVec3> before = positions(world, cards);
    run_for(world, 5);
    EXPECT_GT(largest_move(world, cards, before), 0.5);
}

TEST(Stacking, AnArchOfElevenStonesStands) {
    expect_to_stand(
        [](World& world) {
            add_slab(world, 20, {.friction = 1});
            return add_arch(world, 11, 0.8f);
        },
        0.006); // 0.0021
}

TEST(Stacking, AnArchWithoutItsCrownFalls) {
    World world(without_sleep());
    add_slab(world, 20, {.friction = 1});
    std::vector<BodyId> stones = add_arch(world, 11, 0.8f);
    for (int k = 4; k <= 6; ++k) world.destroy(stones[static_cast<std::size_t>(k)]);
    stones.erase(stones.begin() + 4, stones.begin() + 7);
    run_for(world, 5);
    for (const BodyId stone : stones) EXPECT_LT(height(world, stone), 2.2);
}

// manifolds that carry --------------------------------------------------------------------------------------------------

/// Points between a cube of this half side that lies flat and a static box of this half width.
int resting_points(float half, float slab) {
    World world(without_sleep());
    add_slab(world, slab);
    add(world, Box{half, half, half}, {0.3f, half, 0.2f});
    run_steps(world, 2);
    const std::vector<ContactInfo> contacts = world.contacts();
    return contacts.size() == 1 ? contacts[0].count : -1;
}

TEST(Stacking, ACubeRestsOnFourPointsHoweverLargeTheGround) {
    for (const float slab : {1.0f, 10.0f, 100.0f, 1000.0f})
        for (const float half : {0.05f, 0.5f})
            EXPECT_EQ(resting_points(half, slab), 4)
                << "cube of " << 2 * half << " m on a slab of " << 2 * slab << " m";
}

TEST(Stacking, ALeaningCardStandsOnBothCornersOfItsFoot) {
    World world(without_sleep());
    add_slab(world, 20);
    add_card_house(world, 1);
    run_steps(world, 1);
    for (const ContactInfo& contact : world.contacts()) {
        double low = 0, high = 0;
        for (int k = 0; k < contact.count; ++k) {
            const ContactPoint& point = contact.points[static_cast<std::size_t>(k)];
            if (point.separation > 0.005f) continue;
            low = std::min(low, double{point.position.z});
            high = std::max(high, double{point.position.z});
        }
        EXPECT_NEAR(low, -0.6, 1e-6);
        EXPECT_NEAR(high, 0.6, 1e-6);
    }
}

// sizes and places -----------------------------------------------------------------------------------------------------

TEST(Stacking, AStackTenKilometresFromTheOriginStandsLikeOneAtIt) {
    // a float holds 1 mm there
    World world(without_sleep());
    add_floor(world);
    std::vector<BodyId> near, far;
    for (int i = 0; i < 5; ++i) {
        near.push_back(add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f + static_cast<float>(i), 0}));
        far.push_back(add(world, Box{0.5f, 0.5f, 0.5f}, {10000, 0.5f + static_cast<float>(i), -10000}));
    }
    run_for(world, 10);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(height(world, far[i]), height(world, near[i]), 3e-5); // 1e-5
        EXPECT_NEAR(position(world, far[i]).x, 10000, 1e-4);
        EXPECT_NEAR(position(world, far[i]).z, -10000, 1e-4);
    }
}

TEST(Stacking, AMillimetreAndAKilometreShareAScene) {
    World world(without_sleep());
    add_floor(world);
    const BodyId mountain = add(world, Box{500, 500, 500}, {600, 500, 0});
    const BodyId grain = add(world, Sphere{0.0005f}, {0, 0.01f, 0});
    const BodyId dice = add(world, Box{0.0005f, 0.0005f, 0.0005f}, {0.1f, 0.01f, 0});
    const BodyId on_top = add(world, Box{0.5f, 0.5f, 0.5f}, {600, 1000.5f, 0});
    run_for(world, 5);
    EXPECT_TRUE(all_are_finite(world));
    EXPECT_EQ(world.measure().frozen, 0u);
    EXPECT_NEAR(height(world, mountain), 500, 0.001);
    EXPECT_NEAR(height(world, on_top), 1000.5, 0.001);
    // slop is larger than the grain, so that it may sink in by it, but it does not fall through
    const double slop = static_cast<double>(world.settings().slop);
    EXPECT_GT(height(world, grain), -2 * slop);
    EXPECT_GT(height(world, dice), -2 * slop);
}

TEST(Stacking, ASpinningBodyOfAnySizeStaysFinite) {
    // moments from 1e-14 to 1e17 kg m^2: their cubes do not fit a float
    for (const float size : {0.0005f, 0.005f, 0.5f, 50.0f, 500.0f})
        for (const Geometry& geometry :
             {Geometry{Sphere{size}}, Geometry{Box{size, 0.7f * size, 0.4f * size}}}) {
            World world(in_space());
            const BodyId body = add(world, geometry, {}, {}, {.angular_velocity = {3, 2, 1}});
            run_steps(world, 10);
            EXPECT_FALSE(world.state(body).frozen)
                << "half size " << size << " m, geometry " << geometry.index();
            EXPECT_NEAR(length(wide(world.state(body).angular_velocity)), std::sqrt(14), 0.06)
                << size; // 0.029
        }
}

TEST(Stacking, SmallBodiesAreHeldByAJointLikeLargeOnes) {
    // the sag of a soft joint, g over its frequency's square and three times that for the lever, does not depend on size
    for (const float size : {0.0005f, 0.005f, 0.05f, 0.5f}) {
        World world(without_sleep());
        const BodyId ball = add(world, Sphere{size}, {size, 0, 0});
        const JointId joint = world.create_joint({.type = JointType::fixed, .first = ball});
        run_for(world, 1);
        EXPECT_FALSE(world.state(ball).frozen) << "radius " << size;
        EXPECT_LT(world.error(joint).distance, 1.5e-4f) // 6.0e-5
            << "radius " << size;
        EXPECT_LT(std::abs(height(world, ball)), 1e-3) << "radius " << size;
    }
}

// a truck of gravel ----------------------------------------------------------------------------------------------------

struct Truck {
    BodyId body;
    std::vector<BodyId> pebbles;
};

/// One dynamic box without a lid, 4 x 4 m inside, and pebbles above it: more contacts at one body than there are colours.
Truck add_truck(World& world, int pebbles, float density) {
    Truck truck{world.create_body({.position = {0, 0.25f, 0}}), {}};
    const ShapeDef part{.density = density};
    const auto plate = [&](Box box, Vec3 at) {
        ShapeDef here = part;
        here.position = at;
        world.attach(truck.body, box, here);
    };
    plate({2.5f, 0.25f, 2.5f}, {});
    for (const float side : {-1.0f, 1.0f}) {
        plate({0.25f, 1, 2.5f}, {side * 2.25f, 1.25f, 0});
        plate({2, 1, 0.25f}, {0, 1.25f, side * 2.25f});
    }
    Dice dice(5);
    for (int i = 0; i < pebbles; ++i) {
        const int layer = i / 64, place = i % 64;
        truck.pebbles.push_back(add(
            world, Sphere{0.15f},
            {0.45f * (static_cast<float>(place % 8) - 3.5f) + static_cast<float>(dice.between(-0.05, 0.05)),
             0.8f + 0.4f * static_cast<float>(layer),
             0.45f * (static_cast<float>(place / 8) - 3.5f) +
                 static_cast<float>(dice.between(-0.05, 0.05))}));
    }
    return truck;
}

TEST(Stacking, ATruckOfGravelKeepsItsPebblesAndIsStill) {
    World world(without_sleep());
    add_slab(world, 50);
    const Truck truck = add_truck(world, 400, 1000);
    std::uint32_t overflow = 0;
    for (int k = 0; k < 600; ++k) {
        world.step(frame);
        overflow = std::max(overflow, world.counters().overflow);
    }
    report("overflow", overflow);
    EXPECT_GT(overflow, 0u) << "the scene does not reach what it is for";
    const DVec3 at = position(world, truck.body);
    EXPECT_NEAR(at.y, 0.25, 4e-5); // 1.3e-5
    EXPECT_LT(tilt_degrees(world, truck.body), 1e-5);
    int lost = 0;
    for (const BodyId pebble_ : truck.pebbles) {
        const DVec3 p = position(world, pebble_) - at;
        lost += !(std::abs(p.x) < 2.1 && std::abs(p.z) < 2.1 && p.y > 0.25 && p.y < 4);
    }
    EXPECT_EQ(lost, 0);
    expect_at_rest(world, 1e-4, 0.001); // 4.3e-5, 3.9e-4
}

TEST(Stacking, ALightTruckOfGravelDoesNotExplode) {
    // the truck weighs a fiftieth of what it carries
    World world(without_sleep());
    add_slab(world, 50);
    const Truck truck = add_truck(world, 400, 10);
    double fastest = 0;
    for (int k = 0; k < 600; ++k) {
        world.step(frame);
        if (k > 180) fastest = std::max(fastest, world.measure().max_speed);
    }
    report("fastest_m_s", fastest);
    EXPECT_TRUE(all_are_finite(world));
    EXPECT_LT(fastest, 2.5);                            // 0.99
    EXPECT_NEAR(height(world, truck.body), 0.25, 6e-4); // 2.2e-4
    int lost = 0;
    for (const BodyId pebble_ : truck.pebbles)
        lost += !(height(world, pebble_) > 0.1 && height(world, pebble_) < 5);
    EXPECT_EQ(lost, 0);
}

} // namespace
} // namespace scree::test
