// SPDX-License-Identifier: MIT
// device_grid_test.cpp — where steps are computed on a device, its tree, its grid and brute force find the same pairs, each once,
// and the setting or the shapes decide which of them does (R4.24 to R4.26).
#include "rigid/device_simulation.h"
#include "rigid/device_worlds.h"
#include "support/rigid_support.h"
#include "world/state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::test {
namespace {

constexpr std::array all_ways{BroadPhase::tree, BroadPhase::grid, BroadPhase::brute};

WorldSettings by(WorldSettings settings, BroadPhase broad_phase) {
    settings.broad_phase = broad_phase;
    return settings;
}

DeviceWorlds& inside(World& world) {
    return dynamic_cast<DeviceSimulation&>(*WorldInside::of(world).simulation).worlds();
}

Vec3 any_velocity(Dice& dice, float most) { return dice.in_box({-most, -most, -most}, {most, most, most}); }

// crowds ------------------------------------------------------------------------------------------------------------

struct Crowd {
    const char* name;
    void (*build)(World&);
    std::uint64_t least_pairs; ///< that are found in all
    void (*between)(World&, int step) = nullptr;
    float dt = frame;
};

void scatter(World& world, int count, Vec3 low, Vec3 high, float smallest, float largest, float speed,
             std::uint32_t seed) {
    Dice dice(seed);
    for (int k = 0; k < count; ++k) {
        const auto r = static_cast<float>(dice.between(smallest, largest));
        const Vec3 place = dice.in_box(low, high);
        const BodyDef moving{.rotation = dice.rotation(), .velocity = any_velocity(dice, speed)};
        if (k % 2) add(world, Box{r, r, r}, place, {}, moving);
        else add(world, Sphere{r}, place, {}, moving);
    }
}

void alike(World& world) { scatter(world, 500, {-5, -5, -5}, {5, 5, 5}, 0.4f, 0.5f, 3, 1); }
void mixed(World& world) {
    add_floor(world);
    scatter(world, 500, {-4, 0, -4}, {4, 8, 4}, 0.05f, 1, 3, 2);
}
/// far beyond the others, some of them near each other, and where a float no longer tells cells apart
void strays(World& world) {
    scatter(world, 300, {-4, -4, -4}, {4, 4, 4}, 0.3f, 0.4f, 2, 3);
    for (const float far : {1e6f, -1e6f, 3e7f})
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 at{axis == 0 ? far : 0, axis == 1 ? far : 0, axis == 2 ? far : 0};
            scatter(world, 6, {at.x - 1, at.y - 1, at.z - 1}, {at.x + 1, at.y + 1, at.z + 1}, 0.3f, 0.4f, 2,
                    4);
        }
}
void one_cell(World& world) {
    scatter(world, 150, {-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}, 0.4f, 0.5f, 0, 5);
}
void negative(World& world) { scatter(world, 400, {-50, -60, -70}, {-42, -52, -62}, 0.4f, 0.5f, 3, 6); }

/// Two and two whose bounds meet by a hair or miss by one, along each axis, with low corners at those of cells.
void borders(World& world) {
    // 1 m, half of the speculative distance at each end, and what bounds are wider by than needed
    const float extent = 1 + 0.02f + 2 * 0.05f;
    Dice dice(7);
    for (int k = 0; k < 512; ++k) {
        const auto apart = static_cast<float>(extent * (1 + 4e-7 * (k % 9 - 4)));
        const auto corner = [&](int cell) {
            return static_cast<float>(extent * (4 * cell - 16 + 0.5) + dice.between(-3e-5, 3e-5));
        };
        const Vec3 place{corner(k % 8), corner(k / 8 % 8), corner(k / 64)};
        Vec3 other = place;
        (k % 3 == 0 ? other.x : k % 3 == 1 ? other.y : other.z) += apart;
        // of two that moved the first one reports
        add(world, Sphere{0.5f}, k % 2 ? place : other);
        add(world, Sphere{0.5f}, k % 2 ? other : place);
    }
}
/// one in each row reaches its neighbours of the rows beside it, never those two rows away
void lattice(World& world) {
    for (int x = -4; x < 4; ++x)
        for (int y = -4; y < 4; ++y)
            for (int z = -4; z < 4; ++z)
                add(world, Sphere{0.5f},
                    {1.1f * static_cast<float>(x), 1.1f * static_cast<float>(y),
                     1.1f * static_cast<float>(z)},
                    {}, {.velocity = {0, static_cast<float>((x + y + z) % 3), 0}});
}
/// bounds reach three steps ahead: a few that are fast are kept out of the grid, with so many its cells are larger
void fast(World& world, int count) {
    scatter(world, 300, {-8, -8, -8}, {8, 8, 8}, 0.4f, 0.5f, 1, 8);
    Dice dice(9);
    for (int k = 0; k < count; ++k)
        add(world, Sphere{0.4f}, dice.in_box({-8, -8, -8}, {8, 8, 8}), {},
            {.velocity = any_velocity(dice, 400)});
}
void a_few_fast(World& world) { fast(world, 20); }
void many_fast(World& world) { fast(world, 150); }
/// large ones move through small ones that are at rest, or asleep for all that the pairs know
void large_movers(World& world) {
    scatter(world, 400, {-10, -10, -10}, {10, 10, 10}, 0.3f, 0.4f, 0, 10);
    for (const float x : {-9.0f, 0.0f, 9.0f}) {
        add(world, Box{0.5f, 30, 30}, {x, 0, 0}, {}, {.type = BodyType::kinematic, .velocity = {30, 3, 0}});
        add(world, Sphere{6}, {x, 20, 0}, {}, {.velocity = {0, -60, 0}});
        // not large enough to be kept out by its size
        add(world, Sphere{1.5f}, {x, -20, 0}, {}, {.velocity = {0, 60, 0}});
    }
}
/// Bounds that reach to where numbers end: of one, or of so many that they cannot be kept out.
void endless(World& world, int count) {
    scatter(world, 100, {-5, -5, -5}, {5, 5, 5}, 0.4f, 0.5f, 2, 11);
    for (int k = 0; k < count; ++k) {
        const float far = k % 2 ? 1.8e19f : -1.8e19f; // three steps: beyond all bounds
        add(world, Sphere{0.5f}, {0.3f * static_cast<float>(k % 9), 0, -3 + 0.06f * static_cast<float>(k)},
            {}, {.velocity = {k % 3 == 0 ? far : 0, k % 3 == 1 ? far : 0, k % 3 == 2 ? far : 0}});
    }
}
void one_endless(World& world) { endless(world, 1); }
void many_endless(World& world) { endless(world, 90); }
void come_and_go(World& world, int step) {
    Dice dice(static_cast<std::uint32_t>(100 + step));
    const std::vector<BodyId> bodies = world.bodies();
    for (std::size_t k = static_cast<std::size_t>(step) % 7; k < bodies.size(); k += 13)
        world.destroy(bodies[k]);
    for (int k = 0; k < 40; ++k)
        add(world, Sphere{step == 4 ? 0.9f : 0.4f}, dice.in_box({-5, -5, -5}, {5, 5, 5}), {},
            {.velocity = any_velocity(dice, 5)});
}

const Crowd crowds[] = {{"alike", alike, 500},
                        {"mixed", mixed, 500},
                        {"strays", strays, 300},
                        {"one_cell", one_cell, 150 * 149 / 2},
                        {"negative", negative, 400},
                        {"borders", borders, 100},
                        {"lattice", lattice, 3 * 8 * 8 * 7},
                        {"a_few_fast", a_few_fast, 100},
                        {"many_fast", many_fast, 100},
                        {"large_movers", large_movers, 100},
                        {"one_endless", one_endless, 100, nullptr, 0.1f},
                        {"many_endless", many_endless, 2000, nullptr, 0.1f},
                        {"coming_and_going", alike, 500, come_and_go}};

class DeviceGrid : public testing::TestWithParam<std::string> {};

TEST_P(DeviceGrid, EveryWayFindsThePairsOfBruteForce) {
    for (const Crowd& crowd : crowds) {
        World reference(by(in_space(), BroadPhase::brute));
        crowd.build(reference);
        std::vector<World> others;
        for (const BroadPhase way : all_ways) {
            others.emplace_back(by(in_space(), way), on_device(GetParam()));
            crowd.build(others.back());
        }
        std::uint64_t found = 0;
        for (int k = 0; k < 12; ++k) {
            reference.step(crowd.dt);
            std::array<std::uint32_t, all_ways.size()> new_pairs{};
            for (std::size_t way = 0; way < others.size(); ++way) {
                others[way].step(crowd.dt);
                new_pairs[way] = inside(others[way]).step_counts()[COUNT_FOUND];
                const std::string where = crowd.name + std::string(", way ") + std::to_string(way) +
                                          ", step " + std::to_string(k + 1);
                ASSERT_EQ(reference.counters().pairs, others[way].counters().pairs) << where;
                ASSERT_EQ(reference.hash(), others[way].hash()) << where;
            }
            // also of those whose bounds without what they are wider by do not overlap yet
            ASSERT_EQ(new_pairs[1], new_pairs[2]) << crowd.name << ", grid, step " << k + 1;
            ASSERT_EQ(new_pairs[0], new_pairs[2]) << crowd.name << ", tree, step " << k + 1;
            found += new_pairs[2];
            if (crowd.between) {
                crowd.between(reference, k);
                for (World& other : others) crowd.between(other, k);
            }
        }
        EXPECT_GE(found, crowd.least_pairs) << crowd.name;
    }
}

// whole scenes --------------------------------------------------------------------------------------------------------

/// A pile in a container, a chain, a platform that goes through it, and bodies that come and go.
struct Yard {
    explicit Yard(const WorldSettings& settings, const Place& place = {}) : world(settings, place) {
        add_container(world, 2, 6);
        bodies = add_pile(world, Kind::mixed, 150, 4);
        add_chain(world, 4, {1, 6, 0});
        add(world, Box{0.6f, 0.1f, 0.6f}, {-1.2f, 0.6f, 0}, {},
            {.type = BodyType::kinematic, .velocity = {0.4f, 0, 0}});
    }
    void step(int k) {
        Dice dice(static_cast<std::uint32_t>(k));
        if (k % 10 == 0 && static_cast<std::size_t>(k / 10) < bodies.size()) {
            world.destroy(bodies[static_cast<std::size_t>(k / 10)]);
            add(world, Sphere{0.25f}, dice.in_box({-1, 4, -1}, {1, 6, 1}));
        }
        world.step(frame);
    }
    World world;
    std::vector<BodyId> bodies;
};

TEST_P(DeviceGrid, NoWayShowsInAPile) {
    Yard reference(default_settings());
    std::vector<Yard> others;
    others.reserve(all_ways.size());
    for (const BroadPhase way : all_ways)
        others.emplace_back(by(default_settings(), way), on_device(GetParam()));
    for (int k = 1; k <= 150; ++k) {
        reference.step(k);
        for (std::size_t way = 0; way < others.size(); ++way) {
            others[way].step(k);
            ASSERT_EQ(reference.world.hash(), others[way].world.hash()) << "way " << way << ", step " << k;
        }
        // any way may follow any other
        if (k % 30 == 0)
            for (Yard& each : others) {
                WorldSettings settings = each.world.settings();
                settings.broad_phase = all_ways[(static_cast<std::size_t>(settings.broad_phase) + 1) % 3];
                each.world.change_settings(settings);
            }
    }
}

// which way ------------------------------------------------------------------------------------------------------------

/// How many items of each kernel the next step takes.
class Launches {
public:
    explicit Launches(World& world) {
        Device& device = inside(world).device();
        device.time_kernels(true);
        world.step(frame);
        times_ = device.kernel_times();
        device.time_kernels(false);
    }
    std::uint64_t of(KernelId kernel) const {
        for (const KernelTime& time : times_)
            if (time.work == static_cast<Work>(kernel)) return time.items;
        return 0;
    }

private:
    std::vector<KernelTime> times_;
};

TEST_P(DeviceGrid, TheSettingDecidesWhichWayIsTaken) {
    const auto launched = [&](BroadPhase way) {
        World world(by(in_space(), way), on_device(GetParam()));
        alike(world);
        return Launches(world);
    };
    // so few that nothing is built for them; each item compares 64 of the 500 that moved
    EXPECT_EQ(launched(BroadPhase::tree).of(KernelId::world_find_few), 8 * 500u);
    EXPECT_EQ(launched(BroadPhase::brute).of(KernelId::world_find_few), 8 * 500u);
    const Launches grid = launched(BroadPhase::grid);
    EXPECT_EQ(grid.of(KernelId::world_find_grid), GRID_LANES * 500u);
    EXPECT_EQ(grid.of(KernelId::world_find_few), 0u);
}

TEST_P(DeviceGrid, ManyThatMovedTakeTheGridWhereSizesAreAlike) {
    const auto launched = [&](float smallest) {
        World world(in_space(), on_device(GetParam()));
        scatter(world, 33000, {-80, -80, -80}, {80, 80, 80}, smallest, 0.5f, 0, 12);
        add_floor(world);
        return Launches(world);
    };
    const Launches equal = launched(0.3f), unequal = launched(0.03f);
    EXPECT_GE(equal.of(KernelId::world_find_grid),
              GRID_LANES * 33001u); // and again, with room for what was found
    EXPECT_EQ(equal.of(KernelId::world_find) + equal.of(KernelId::world_tree_fit), 0u);
    EXPECT_EQ(unequal.of(KernelId::world_find_grid), 0u);
    EXPECT_GE(unequal.of(KernelId::world_find), 33001u);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceGrid, testing::ValuesIn(kernel_devices()), ParamName());

} // namespace
} // namespace scree::test
