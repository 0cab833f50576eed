// SPDX-License-Identifier: MIT
// worlds_test.cpp — many worlds stepped together are what each would be alone.
#include "scree/worlds.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <functional>

namespace scree::test {
namespace {

/// Different things at different times: nothing, a small pile, a larger one, joints, sleepers, a belt, a moving floor.
void build_number(World& world, std::uint32_t number) {
    switch (number % 7) {
    case 0:
        return;
    case 1:
        add_container(world, 2, 4);
        add_pile(world, Kind::boxes, 10, 2, 1, number);
        return;
    case 2:
        add_container(world, 2, 6);
        add_pile(world, Kind::mixed, 40, 4, 1, number);
        return;
    case 3:
        add_slab(world, 20);
        add_chain(world, 8, {-3, 5, 0});
        add(world, Sphere{0.4f}, {-2, 1, 3}, {}, {.velocity = {0, 2, -6}});
        return;
    case 4:
        add_slab(world, 20);
        add_stack(world, 3);
        return;
    case 5:
        add_slab(world, 20, {.surface_velocity = {1, 0, 0.5f}});
        add_pile(world, Kind::spheres, 12, 3, 1, number,
                 {.friction = 0.4f, .restitution = 0.6f, .rolling_resistance = 0.02f});
        return;
    case 6:
        add(world, Box{3, 0.25f, 3}, {0, 0.25f, 0}, {},
            {.type = BodyType::kinematic, .velocity = {0.4f, 0, 0}});
        add_pile(world, Kind::boxes, 6, 2, 1, number);
        return;
    }
}

std::vector<World> alone(std::uint32_t count, const WorldSettings& settings = default_settings()) {
    std::vector<World> worlds;
    for (std::uint32_t n = 0; n < count; ++n) {
        worlds.emplace_back(settings);
        build_number(worlds.back(), n);
    }
    return worlds;
}

void expect_alike(const Worlds& many, const std::vector<World>& lone, const std::string& when) {
    for (std::uint32_t n = 0; n < many.size(); ++n)
        ASSERT_EQ(many[n].hash(), lone[n].hash()) << "world " << n << " " << when;
}

TEST(Worlds, EachHasTheBitsItWouldHaveAlone) {
    for (const Solver solver : {Solver::soft_step, Solver::sor})
        for (const std::string& device : all_devices()) {
            WorldSettings settings = default_settings();
            settings.solver = solver;
            std::vector<World> lone = alone(8, settings);
            Worlds many(8, settings, on_device(device));
            for (std::uint32_t n = 0; n < many.size(); ++n) build_number(many[n], n);
            expect_alike(many, lone, device + " at first");
            for (int k = 1; k <= 100; ++k) {
                for (World& world : lone) world.step(frame);
                many.step(frame);
                if (k % 10 == 0) expect_alike(many, lone, device + " after step " + std::to_string(k));
            }
            for (std::uint32_t n = 0; n < many.size(); ++n) {
                EXPECT_EQ(many[n].contacts().size(), lone[n].contacts().size());
                EXPECT_EQ(many[n].measure().asleep, lone[n].measure().asleep);
                EXPECT_EQ(many[n].time(), lone[n].time());
            }
        }
}

/// Bodies, shapes and joints come and go in some of them, so that they outgrow their places.
TEST(Worlds, OnesThatChangeAndGrowGoOnAsTheyWouldAlone) {
    for (const std::string& device : all_devices()) {
        std::vector<World> lone = alone(7);
        Worlds many(7, {}, on_device(device));
        for (std::uint32_t n = 0; n < many.size(); ++n) build_number(many[n], n);
        const auto change = [](World& world, std::uint32_t n, int k) {
            if (n == 1 && k % 5 == 0) add(world, Sphere{0.3f}, {0.1f, 5, 0.2f});
            if (n == 2 && k % 7 == 3)
                world.destroy(world.bodies()[static_cast<std::size_t>(k) % world.body_count()]);
            if (n == 3 && k % 20 == 9) add_chain(world, 5, {static_cast<float>(k) / 10, 6, 2});
            if (n == 4 && k == 70) world.apply_impulse(world.bodies().back(), {900, 0, 0});
            if (n == 5 && k == 40) world.set_velocity(world.bodies()[3], {0, 6, 0});
        };
        for (int k = 1; k <= 120; ++k) {
            for (std::uint32_t n = 0; n < many.size(); ++n) {
                change(lone[n], n, k);
                change(many[n], n, k);
            }
            for (World& world : lone) world.step(frame);
            many.step(frame);
            if (k % 10 == 0) expect_alike(many, lone, device + " after step " + std::to_string(k));
        }
    }
}

TEST(Worlds, CopiesOfASavedWorldGoOnAsItDoes) {
    for (const std::string& device : all_devices()) {
        World world(default_settings());
        build_number(world, 2);
        const BodyId last = world.bodies().back();
        run_steps(world, 37);
        Worlds many = Worlds::copies(5, world.save(), on_device(device));
        // one of them is pushed, and another one's ids are those of the saved
        World pushed = World::restore(world.save());
        pushed.apply_impulse(last, {300, 0, 0});
        many[3].apply_impulse(last, {300, 0, 0});
        for (int k = 0; k < 60; ++k) {
            world.step(frame);
            pushed.step(frame);
            many.step(frame);
        }
        for (std::uint32_t n = 0; n < many.size(); ++n)
            EXPECT_EQ(many[n].hash(), n == 3 ? pushed.hash() : world.hash()) << device << " " << n;
    }
}

/// The others do not notice, and its own steps count from where it was saved: islands are sought when it would seek them.
TEST(Worlds, OneIsPutBackWhileTheOthersGoOn) {
    for (const std::string& device : all_devices()) {
        std::vector<World> lone = alone(7);
        std::vector<std::vector<std::byte>> fresh;
        for (const World& world : lone) fresh.push_back(world.save());
        Worlds many(7, {}, on_device(device));
        for (std::uint32_t n = 0; n < many.size(); ++n) build_number(many[n], n);
        std::vector<std::byte> later;
        for (int k = 1; k <= 140; ++k) {
            if (k == 31) later = lone[2].save();
            if (k == 50) {
                lone[4] = World::restore(fresh[4]);
                many.restore(4, fresh[4]);
                lone[2] = World::restore(later);
                many.restore(2, later);
                // a chain that has not moved yet
                lone[3] = World::restore(fresh[3]);
                many.restore(3, fresh[3]);
            }
            if (k == 61) {
                // in the place of something else, smaller and larger
                lone[1] = World::restore(later);
                many.restore(1, later);
                lone[6] = World::restore(fresh[1]);
                many.restore(6, fresh[1]);
            }
            for (World& world : lone) world.step(frame);
            many.step(frame);
            if (k % 7 == 0) expect_alike(many, lone, device + " after step " + std::to_string(k));
        }
    }
}

TEST(Worlds, AreSavedOneByOne) {
    for (const std::string& device : all_devices()) {
        Worlds many(4, {}, on_device(device));
        for (std::uint32_t n = 0; n < many.size(); ++n) build_number(many[n], n);
        for (int k = 0; k < 40; ++k) many.step(frame);
        World one = World::restore(many[3].save());
        for (int k = 0; k < 40; ++k) {
            one.step(frame);
            many.step(frame);
        }
        EXPECT_EQ(one.hash(), many[3].hash()) << device;
    }
}

TEST(Worlds, RefuseWhatIsForAllOrForNone) {
    for (const std::string& device : all_devices()) {
        Worlds many(2, {}, on_device(device));
        build_number(many[1], 1);
        EXPECT_EQ(refusal([&] { many[0].step(frame); }).where, "world");
        EXPECT_EQ(refusal([&] { many[0].change_settings(many.settings()); }).where, "world");
        EXPECT_EQ(refusal([&] { (void)many[2]; }).where, "number");
        EXPECT_EQ(refusal([&] { many.step(-1); }).where, "dt");
        const std::uint64_t before = many[1].hash();
        EXPECT_EQ(refusal([&] { many.restore(1, {}); }).where, "snapshot");
        WorldSettings heavy = default_settings();
        heavy.gravity = {0, -20, 0};
        EXPECT_EQ(refusal([&] { many.restore(1, World(heavy).save()); }).what,
                  "snapshot: its gravity differs from that of these worlds");
        EXPECT_EQ(many[1].hash(), before);
        // still as it was
        many.step(frame);
        EXPECT_NE(many[1].hash(), before);
    }
    EXPECT_EQ(refusal([] { Worlds none(0); }).where, "count");
    EXPECT_EQ(refusal([] { Worlds lost(2, {}, "abacus"); }).where, "device");
}

TEST(Worlds, SettingsChangeForAll) {
    for (const std::string& device : all_devices()) {
        std::vector<World> lone = alone(5);
        Worlds many(5, {}, on_device(device));
        for (std::uint32_t n = 0; n < many.size(); ++n) build_number(many[n], n);
        for (int k = 0; k < 90; ++k) {
            if (k == 45) {
                WorldSettings moon = many.settings();
                moon.gravity = {0, -1.6f, 0};
                many.change_settings(moon);
                for (World& world : lone) {
                    WorldSettings own = world.settings();
                    own.gravity = moon.gravity;
                    world.change_settings(own);
                }
            }
            for (World& world : lone) world.step(frame);
            many.step(frame);
        }
        expect_alike(many, lone, device);
    }
}

// reading -----------------------------------------------------------------------------------------------------------

TEST(WorldReading, PosesOfWhenTheReadBeganArriveAfterTheNextSteps) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        EXPECT_TRUE(world.end_read().positions.empty());
        build_number(world, 2);
        run_steps(world, 20);
        const std::vector<float> positions(world.positions().begin(), world.positions().end()),
            rotations(world.rotations().begin(), world.rotations().end());
        world.begin_read();
        run_steps(world, 5);
        const PoseRead read = world.end_read();
        EXPECT_TRUE(
            std::equal(positions.begin(), positions.end(), read.positions.begin(), read.positions.end()));
        EXPECT_TRUE(
            std::equal(rotations.begin(), rotations.end(), read.rotations.begin(), read.rotations.end()));
        EXPECT_FALSE(std::equal(positions.begin(), positions.end(), world.positions().begin()));
    }
}

TEST(WorldReading, AfterAStepEveryDeviceHasTheStatesOfTheCpu) {
    World cpu;
    build_number(cpu, 2);
    run_steps(cpu, 40);
    for (const std::string& device : kernel_devices()) {
        World world({}, on_device(device));
        build_number(world, 2);
        run_steps(world, 40);
        for (std::size_t k = 0; k < cpu.bodies().size(); ++k) {
            const BodyState here = cpu.state(cpu.bodies()[k]), there = world.state(world.bodies()[k]);
            ASSERT_EQ(there.position, here.position) << device;
            ASSERT_EQ(there.centre, here.centre) << device;
            ASSERT_EQ(there.rotation, here.rotation) << device;
            ASSERT_EQ(there.velocity, here.velocity) << device;
            ASSERT_EQ(there.angular_velocity, here.angular_velocity) << device;
            ASSERT_EQ(there.asleep, here.asleep) << device;
        }
    }
}

TEST(WorldReading, TheDevicesOwnStateIsTheWorlds) {
    // where the device's memory is the host's
    for (const std::string device : {"cpu", "cpu:kernels"}) {
        World world({}, on_device(device));
        build_number(world, 2);
        run_steps(world, 20);
        const DeviceState state = world.device_state();
        ASSERT_EQ(4 * state.bodies, world.positions().size());
        for (std::size_t k = 0; k < world.positions().size(); ++k) {
            ASSERT_EQ(state.positions[k], world.positions()[k]);
            ASSERT_EQ(state.rotations[k], world.rotations()[k]);
        }
    }
}

/// A world that outgrows the memory it may take says so and stays where it was; with less in it, it goes on.
TEST(WorldMemoryLimit, TheWorldStaysAtItsLastGoodStep) {
    for (const std::string& device : kernel_devices()) {
        World world({}, {{.device = device, .threads = 1, .memory = 9'000'000}}),
            free_one({}, on_device(device));
        add_slab(world, 40);
        add_slab(free_one, 40);
        std::string refused;
        int steps = 0;
        for (std::uint32_t seed = 1; refused.empty() && seed < 400; ++seed) {
            std::vector<BodyId> both[2] = {add_pile(world, Kind::boxes, 64, 8, 0.5f, seed),
                                           add_pile(free_one, Kind::boxes, 64, 8, 0.5f, seed)};
            const std::uint64_t before = world.hash();
            try {
                world.step(frame);
                free_one.step(frame);
                ++steps;
            } catch (const Error& error) {
                refused = error.what();
                EXPECT_EQ(error.where(), "memory");
                EXPECT_EQ(world.hash(), before);
                // the last ones go again, in both
                for (int k = 0; k < 2; ++k)
                    for (const BodyId body : both[k]) (k ? free_one : world).destroy(body);
            }
        }
        ASSERT_TRUE(contains(refused, "9000000")) << refused;
        EXPECT_GT(steps, 2);
        for (int k = 0; k < 5; ++k) {
            world.step(frame);
            free_one.step(frame);
        }
        EXPECT_EQ(world.hash(), free_one.hash()) << device;
    }
}

TEST(WorldMemoryLimit, HullsThatAreGoneTakeNoMemory) {
    for (const std::string& device : kernel_devices()) {
        World world({}, on_device(device)), other(default_settings());
        std::vector<BodyId> bodies[2];
        for (World* each : {&world, &other}) add_slab(*each, 20);
        std::uint64_t early = 0;
        for (std::uint32_t seed = 1; seed <= 1200; ++seed) {
            for (World* each : {&world, &other}) {
                std::vector<BodyId>& own = bodies[each == &other];
                own.push_back(add(*each, pebble(seed, 0.3f), {0.1f * static_cast<float>(seed % 7), 2, 0}));
                if (own.size() <= 8) continue;
                each->destroy(own.front());
                own.erase(own.begin());
            }
            if (seed % 4) continue;
            world.step(frame);
            other.step(frame);
            if (seed == 400) early = world.memory().shapes;
        }
        EXPECT_LE(world.memory().shapes, early) << device;
        EXPECT_EQ(world.hash(), other.hash()) << device;
    }
}

} // namespace
} // namespace scree::test
