// SPDX-License-Identifier: MIT
// hard_scenes_test.cpp — one body with more contacts than there are colours, and a heavy ball on a light chain: what the
// scenes' own expectations of their last step do not show.
#include "scree/granular_scene.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

/// A built-in scene under way; bodies by the names that the scene gives them.
struct Running {
    explicit Running(const std::string& name, bool sleeping = false)
        : scene(find_scene(name)), world(make(scene, sleeping)), ids(world.bodies()) {}

    static World make(Scene& scene, bool sleeping) {
        rigid_scene(scene).settings.sleeping = sleeping;
        return build_rigid_world(scene);
    }
    void run(int steps) { step_scene(scene, world, steps); }
    std::vector<BodyId> named(const std::string& beginning) const {
        std::vector<BodyId> found;
        for (std::size_t k = 0; k < ids.size(); ++k)
            if (rigid_scene(scene).bodies[k].name.starts_with(beginning)) found.push_back(ids[k]);
        return found;
    }
    double mass(const std::string& beginning) const {
        double sum = 0;
        for (const BodyId body : named(beginning)) sum += static_cast<double>(world.mass(body).mass);
        return sum;
    }

    Scene scene;
    World world;
    std::vector<BodyId> ids;
};

double gravity(const World& world) { return -static_cast<double>(world.settings().gravity.y); }

/// A load that has come to rest, all of it awake.
Running full_truck() {
    Running truck("truck-gravel-1000");
    truck.run(240);
    return truck;
}

TEST(TruckOfGravel, ItsWheelsCarryTruckAndLoad) {
    const Running truck = full_truck();
    ASSERT_GT(truck.world.counters().overflow, 200u);
    const std::vector<BodyId> wheels = truck.named("wheel");
    double impulse = 0; // N s of a substep
    for (const ContactInfo& contact : truck.world.contacts()) {
        const auto is_wheel = [&](BodyId body) { return std::count(wheels.begin(), wheels.end(), body) > 0; };
        if (contact.first_body != truck.ids[0] && contact.second_body != truck.ids[0]) continue;
        if (!is_wheel(contact.first_body) && !is_wheel(contact.second_body)) continue;
        for (int k = 0; k < contact.count; ++k)
            impulse += static_cast<double>(contact.points[static_cast<std::size_t>(k)].normal_impulse);
    }
    const double substep = static_cast<double>(frame) / truck.world.settings().substeps;
    const double weight = gravity(truck.world) * truck.mass("");
    EXPECT_NEAR(impulse / substep, weight, 0.02 * weight);
}

TEST(TruckOfGravel, AnEmptyTruckWouldNotWeighAsMuch) {
    // what the test above would not notice if the load were a trifle
    const Running truck("truck-gravel-1000");
    EXPECT_GT(truck.mass("gravel"), 2 * truck.mass("truck"));
}

TEST(TruckOfGravel, PulledItTakesItsLoadAlong) {
    Running truck = full_truck();
    const BodyId body = truck.named("truck").front();
    // 1 m/s^2 for a second, if nothing resisted: wheels that roll are half as heavy again (m r^2 / 2). Rolling resistance is
    // a torque of 0.02 m times the load, at wheels of 0.4 m
    const double all = truck.mass(""), pull = all + 0.5 * truck.mass("wheel");
    const double expected = 1 - 0.02 / 0.4 * gravity(truck.world) * all / pull;
    for (int k = 0; k < 60; ++k) {
        truck.world.apply_force(body, {static_cast<float>(pull), 0, 0});
        truck.run(1);
    }
    const double speed_of_truck = velocity(truck.world, body).x;
    EXPECT_NEAR(speed_of_truck, expected, 0.05 * expected);
    double slowest = 1e9, mean = 0;
    const std::vector<BodyId> load = truck.named("gravel");
    for (const BodyId pebble : load) {
        slowest = std::min(slowest, velocity(truck.world, pebble).x);
        mean += velocity(truck.world, pebble).x / static_cast<double>(load.size());
    }
    EXPECT_NEAR(mean, speed_of_truck, 0.02);
    EXPECT_GT(slowest, 0.5 * speed_of_truck) << "nothing falls behind through the wall";
}

TEST(TruckOfGravel, TheTruckStandsStillAndEnergyOnlyFalls) {
    Running truck("truck-gravel-1000");
    const BodyId body = truck.named("truck").front();
    const double first = energy(truck.world);
    double before = first, rise = 0;
    for (int k = 0; k < 60; ++k) {
        truck.run(5);
        const double now = energy(truck.world);
        rise = std::max(rise, now - before);
        before = now;
    }
    EXPECT_LT(rise, 1e-5 * first);
    const DVec3 place = position(truck.world, body);
    double fastest = 0;
    for (int k = 0; k < 60; ++k) {
        truck.run(1);
        fastest = std::max(fastest, speed(truck.world, body));
    }
    EXPECT_LT(fastest, 0.004);
    EXPECT_LT(length(position(truck.world, body) - place), 0.001) << "it creeps";
    EXPECT_LT(tilt_degrees(truck.world, body), 0.1);
}

TEST(WreckingBall, TheChainHoldsAndTheWallFallsNotBeforeItIsHit) {
    Running wreck("wrecking-ball", true);
    const BodyId ball = wreck.named("ball").front(), link = wreck.named("chain").front();
    const std::vector<BodyId> bricks = wreck.named("bricks");
    ASSERT_EQ(bricks.size(), 1300u);
    EXPECT_GT(wreck.mass("ball"), 500 * static_cast<double>(wreck.world.mass(link).mass));
    const std::vector<DVec3> built = positions(wreck.world, bricks);
    const Vec3 hook = rigid_scene(wreck.scene).joints[0].anchor;
    const double reach = length(position(wreck.world, ball) - wide(hook));

    const double first = energy(wreck.world);
    double before = first, rise = 0, stretch = 0, gap = 0;
    for (int k = 5; k <= 360; k += 5) {
        wreck.run(5);
        const WorldMeasure m = wreck.world.measure();
        const double now = m.kinetic_energy + m.potential_energy;
        rise = std::max(rise, now - before);
        before = now;
        EXPECT_LT(now, 1.001 * first);
        gap = std::max(gap, m.joint_error);
        stretch = std::max(stretch, length(position(wreck.world, ball) - wide(hook)) - reach);
        if (k == 90) {
            EXPECT_LT(largest_move(wreck.world, bricks, built), 0.02) << "before the ball is there";
        }
    }
    // joints are springs: what they hold comes back
    EXPECT_LT(rise, 0.003 * first);
    EXPECT_LT(gap, 0.03); // m, of one of 21 joints
    EXPECT_LT(stretch, 0.03 * reach);
    EXPECT_GT(largest_move(wreck.world, bricks, built), 5.0);
    double high = 0;
    for (const BodyId brick : bricks) high += height(wreck.world, brick) > 3 ? 1 : 0;
    EXPECT_LT(high, 130) << "nine of ten have come down";
    EXPECT_EQ(wreck.world.measure().frozen, 0u);
}

struct Leg {
    const char* scene;
    int until, steps; ///< on the CPU alone until there, then on both
};
std::ostream& operator<<(std::ostream& out, const Leg& leg) {
    return out << leg.scene << " at " << leg.until;
}

class HardScenes : public testing::TestWithParam<Leg> {};

TEST_P(HardScenes, DevicesDoNotShow) {
    Running cpu(GetParam().scene, true);
    cpu.run(GetParam().until);
    const std::vector<std::byte> snapshot = cpu.world.save();
    std::vector<std::uint64_t> expected;
    for (int k = 0; k < GetParam().steps; ++k) cpu.run(1), expected.push_back(cpu.world.hash());
    for (const std::string& device : kernel_devices()) {
        World other = World::restore(snapshot, on_device(device));
        for (int k = 0; k < GetParam().steps; ++k) {
            step_scene(cpu.scene, other, 1);
            ASSERT_EQ(other.hash(), expected[static_cast<std::size_t>(k)]) << device << " step " << k + 1;
        }
        EXPECT_EQ(other.counters().overflow, cpu.world.counters().overflow);
    }
}

// while it falls, while the wall is struck, and a full truck
INSTANTIATE_TEST_SUITE_P(Legs, HardScenes,
                         testing::Values(Leg{"truck-gravel-1000", 0, 40}, Leg{"truck-gravel-1000", 150, 20},
                                         Leg{"wrecking-ball", 100, 20}, Leg{"wrecking-ball", 280, 10}),
                         [](const auto& tested) {
                             return word_of(tested.param.scene) + "_" + std::to_string(tested.param.until);
                         });

} // namespace
} // namespace scree::test
