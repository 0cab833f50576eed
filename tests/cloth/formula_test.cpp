// SPDX-License-Identifier: MIT
// formula_test.cpp — steps of the cloth of the thesis against its formulas, written out once more in double precision.
#include "device/device.h"
#include "scree/cloth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace scree::test {
namespace {

constexpr double h = 1.0 / 60;
constexpr int lines = 6;
constexpr double spacing = 0.8;

/// The six collinear pairs of neighbours, as lines along x and z.
constexpr int pairs[6][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}};

/// A crumpled sheet of 6 x 6 vertices that moves; no ground, no collider, no distance between neighbours.
struct Crumpled {
    ClothSettings settings = reference_cloth();
    std::vector<Vec3> position, velocity;

    explicit Crumpled(ClothModel model) {
        settings.model = model;
        settings.edges_x = settings.edges_z = lines - 2;
        settings.width = settings.length = static_cast<float>(spacing * (lines - 1));
        settings.stiffness = 400;
        settings.damping = -3;
        settings.drag = 0.9f;
        settings.gravity = {1, -5, 2};
        settings.self_neighbours = 0;
        settings.ground = false;
        std::mt19937 random(7);
        const auto some = [&](float size) {
            const auto one = [&] { return size * (static_cast<float>(random() % 20001) / 10000 - 1); };
            return Vec3{one(), one(), one()};
        };
        for (int x = 0; x < lines; ++x)
            for (int z = 0; z < lines; ++z) {
                const Vec3 flat{static_cast<float>(spacing * x), 0, static_cast<float>(spacing * z)};
                position.push_back(flat + some(0.3f));
                velocity.push_back(some(2));
            }
    }
    std::vector<Vec3> after_a_step() const {
        ClothWorld world(settings);
        world.add_sheet({.pins = std::vector<std::uint32_t>{}});
        world.set_vertices(position, velocity);
        world.step();
        return {world.positions().begin(), world.positions().end()};
    }
    DVec3 x(int ix, int iz) const { return wide(position[static_cast<std::size_t>(ix * lines + iz)]); }
    DVec3 v(int ix, int iz) const { return wide(velocity[static_cast<std::size_t>(ix * lines + iz)]); }
    static bool exists(int ix, int iz) { return ix >= 0 && ix < lines && iz >= 0 && iz < lines; }
    static double rest(const int (&to)[2]) { return spacing * std::hypot(to[0], to[1]); }
    double mass() const { return 7.0710678118654755 * double{settings.mass}; }
    DVec3 predicted(int ix, int iz, const DVec3& force) const {
        const DVec3 drag = double{settings.drag} * v(ix, iz);
        const DVec3 acceleration = (1 / mass()) * (force - drag) + wide(settings.gravity);
        return x(ix, iz) + h * v(ix, iz) + (h * h) * acceleration;
    }
};

double farthest(const std::vector<Vec3>& found, const std::function<DVec3(int, int)>& expected) {
    double most = 0;
    for (int x = 0; x < lines; ++x)
        for (int z = 0; z < lines; ++z)
            most =
                std::max(most, length(wide(found[static_cast<std::size_t>(x * lines + z)]) - expected(x, z)));
    return most;
}

TEST(ClothFormula, AStepOfSpringsIsGravityDragTwelveSpringsAndDamping) {
    const Crumpled sheet(ClothModel::mass_spring);
    const auto expected = [&](int ix, int iz, int left_out, double damping) {
        DVec3 force{};
        int slot = 0;
        for (const auto& pair : pairs)
            for (const int sign : {1, -1}) {
                const int jx = ix + sign * pair[0], jz = iz + sign * pair[1];
                if (slot++ == left_out || !Crumpled::exists(jx, jz)) continue;
                const DVec3 apart = sheet.x(ix, iz) - sheet.x(jx, jz);
                const double size = length(apart);
                const double pull = double{sheet.settings.stiffness} * (size - Crumpled::rest(pair));
                const double along = dot(sheet.v(ix, iz) - sheet.v(jx, jz), apart) / size;
                force = force + ((std::min(std::abs(pull), damping * along) - pull) / size) * apart;
            }
        return sheet.predicted(ix, iz, force);
    };
    const std::vector<Vec3> found = sheet.after_a_step();
    EXPECT_LT(farthest(found, [&](int x, int z) { return expected(x, z, -1, -3); }), 3e-6);
    EXPECT_GT(farthest(found, [&](int x, int z) { return expected(x, z, -1, -2.9); }), 1e-5);
    for (int slot = 0; slot < 12; ++slot)
        EXPECT_GT(farthest(found, [&](int x, int z) { return expected(x, z, slot, -3); }), 1e-3) << slot;
}

TEST(ClothFormula, AStepOfPositionsProjectsSixPairsOneAfterTheOther) {
    const Crumpled sheet(ClothModel::position_based);
    const auto expected = [&](int ix, int iz, bool updated_between) {
        const double k = 0.0005 * double{sheet.settings.stiffness};
        const DVec3 start = sheet.predicted(ix, iz, {});
        DVec3 x = start;
        for (const auto& pair : pairs) {
            DVec3 move{};
            for (const int sign : {1, -1}) {
                const int jx = ix + sign * pair[0], jz = iz + sign * pair[1];
                if (!Crumpled::exists(jx, jz)) continue;
                const DVec3 apart = (updated_between ? x : start) - sheet.x(jx, jz);
                const double size = length(apart);
                move = move - (2 * k * (size - Crumpled::rest(pair)) / size) * apart;
            }
            x = x + move;
        }
        return x;
    };
    const std::vector<Vec3> found = sheet.after_a_step();
    EXPECT_LT(farthest(found, [&](int x, int z) { return expected(x, z, true); }), 3e-6);
    EXPECT_GT(farthest(found, [&](int x, int z) { return expected(x, z, false); }), 1e-2);
}

TEST(ClothFormula, ConstraintsToTheSecondLineResistBending) {
    // a shelf: two lines of one end are held
    const auto lowest = [](float second) {
        ClothSettings s;
        s.edges_x = 3, s.edges_z = 2;
        s.width = 2, s.length = 1.5f;
        s.gravity = {0, -1, 0};
        s.stiffness = 1000;
        s.iterations = 40;
        s.group_stiffness = {1, 1, second};
        s.self_neighbours = 0;
        s.ground = false;
        ClothWorld world(s);
        world.add_sheet({.position = {}, .pins = std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}});
        world.step(600);
        return world.measure().bottom;
    };
    EXPECT_LT(lowest(0), -1.3) << "hangs";
    EXPECT_GT(lowest(1), 0.75 * lowest(0)) << "stands out";
}

/// A sheet of four vertices that nothing but collisions moves.
ClothSettings still(ClothModel model = ClothModel::position_based) {
    ClothSettings s = reference_cloth();
    s.model = model;
    s.edges_x = s.edges_z = 0;
    s.width = s.length = 1;
    s.stiffness = s.damping = s.drag = 0;
    s.gravity = {};
    s.ground = false;
    s.self_neighbours = 4;
    return s;
}

/// Parallel, 10 m to the edges of the screen.
ClothTouch finger(const Vec3& over) {
    ClothTouch touch;
    touch.view_projection = {0.1f, 0, 0, 0, 0, 0.1f, 0, 0, 0, 0, 0.1f, 0, 0, 0, 0, 1};
    touch.x = 0.1f * over.x + 0.02f, touch.y = 0.1f * over.y;
    touch.slide_x = 0.003f, touch.slide_y = 0.004f;
    return touch;
}

TEST(ClothFormula, BoxesThenSpheresThenNeighboursThenTheFinger) {
    ClothWorld world(still());
    world.add_sheet({.position = {}, .pins = std::vector<std::uint32_t>{}});
    const double radius = double{world.facts().radius};
    ASSERT_FLOAT_EQ(world.facts().radius, 0.35f);
    // vertex 0 touches a box below, a sphere beside it and vertex 1
    const std::vector<Vec3> start{{0, 0, 0}, {0.1f, 0.5f, 0.3f}, {5, 0, 5}, {-5, 0, -5}};
    const std::vector<Vec3> rest(4);
    world.set_vertices(start, rest);
    world.add_collider({ClothCollider::Kind::sphere, {0.5f, 0.3f, 0}, {0.4f, 0, 0}, {}});
    world.add_collider({ClothCollider::Kind::box, {0, -1.2f, 0}, {1, 1, 1}, {}});
    const ClothTouch touch = finger(start[0]);
    world.touch(touch);
    world.step();
    const DVec3 found = wide(world.positions()[0]);

    using Stage = std::function<DVec3(DVec3)>;
    const Stage box = [&](DVec3 x) { return DVec3{x.x, std::max(x.y, -0.2 + radius), x.z}; };
    const auto out = [](DVec3 x, DVec3 centre, double reach, double share) {
        const double distance = length(x - centre);
        return distance < reach ? x + (share * (reach - distance) / distance) * (x - centre) : x;
    };
    const Stage sphere = [&](DVec3 x) { return out(x, {0.5, double{0.3f}, 0}, double{0.4f} + radius, 1); };
    const Stage neighbour = [&](DVec3 x) { return out(x, wide(start[1]), 2 * radius, 0.5); };
    const Stage moved = [&](DVec3 x) {
        const double dx = 0.1 * x.x - double{touch.x}, dy = 0.1 * x.y - double{touch.y};
        const double weight = 200 * std::exp(-150 * (dx * dx + dy * dy));
        return x + (weight * 0.005) * DVec3{0.03, 0.04, 0};
    };
    const auto expected = [](std::vector<Stage> stages) {
        DVec3 x{};
        for (const Stage& stage : stages) x = stage(x);
        return x;
    };
    EXPECT_LT(length(found - expected({box, sphere, neighbour, moved})), 2e-6);
    EXPECT_GT(length(found - expected({sphere, box, neighbour, moved})), 1e-3);
    EXPECT_GT(length(found - expected({box, neighbour, sphere, moved})), 1e-3);
    EXPECT_GT(length(found - expected({box, sphere, moved, neighbour})), 1e-4);
}

TEST(ClothFormula, TheFingerMovesEveryModelOnEveryDeviceAlike) {
    std::vector<Vec3> first;
    int runs = 0;
    for (const DeviceReport& report : list_devices()) {
        if (!report.available) continue;
        for (const auto model : {ClothModel::mass_spring, ClothModel::position_based}) {
            ClothSettings s = still(model);
            s.edges_x = s.edges_z = 6;
            s.width = s.length = 7;
            ClothWorld world(s, Place(PlaceOptions{.device = report.name}));
            world.add_sheet({.position = {}, .rotation = Quat{0.6f, 0.8f, 0, 0}});
            world.touch(finger({0.5f, 0.5f, 0}));
            world.step();
            const std::vector<Vec3> now(world.positions().begin(), world.positions().end());
            if (runs++ == 0) first = now;
            float moved = 0;
            for (std::size_t i = 0; i < now.size(); ++i) {
                ASSERT_LE(length(now[i] - first[i]), world.place().report().same_bits ? 0 : 1e-6f)
                    << report.name << " " << static_cast<int>(model) << " " << i;
                moved = std::max(moved, std::abs(world.velocities()[i].x));
            }
            EXPECT_GT(moved, 0.5f) << report.name;
        }
    }
    EXPECT_GE(runs, 2);
}

TEST(ClothFormula, NormalsAreTheSumOfCrossProductsOverTheRingOfEight) {
    constexpr int ring[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    Crumpled sheet(ClothModel::position_based);
    sheet.settings.stiffness = sheet.settings.damping = sheet.settings.drag = 0;
    sheet.settings.gravity = {};
    // the neighbours of the first corner are at one place: it has no normal
    sheet.position[lines] = sheet.position[lines + 1] = sheet.position[1];
    const auto expected = [&](int ix, int iz) {
        DVec3 sum{};
        for (int k = 0; k < 8; ++k) {
            const auto &a = ring[k], &b = ring[(k + 1) % 8];
            if (!Crumpled::exists(ix + a[0], iz + a[1]) || !Crumpled::exists(ix + b[0], iz + b[1])) continue;
            const DVec3 x = sheet.x(ix, iz);
            sum = sum + cross(x - sheet.x(ix + a[0], iz + a[1]), x - sheet.x(ix + b[0], iz + b[1]));
        }
        return length(sum) > 0 ? (1 / length(sum)) * sum : DVec3{0, 1, 0};
    };
    for (const DeviceReport& report : list_devices()) {
        if (!report.available) continue;
        ClothWorld world(sheet.settings, Place(PlaceOptions{.device = report.name}));
        world.add_sheet({.pins = std::vector<std::uint32_t>{}});
        world.set_vertices(sheet.position, std::vector<Vec3>(sheet.position.size()));
        world.step();
        const std::vector<Vec3> found = world.normals();
        ASSERT_EQ(found.size(), std::size_t{lines} * lines);
        EXPECT_LT(farthest(found, expected), 2e-6) << report.name;
        EXPECT_EQ(found[0], (Vec3{0, 1, 0})) << report.name;
        EXPECT_GT(farthest(found, [](int, int) { return DVec3{0, 1, 0}; }), 0.5) << "it is crumpled";
    }
}

TEST(ClothFormula, JitterIsTheMovementOfTheMiddleOfAllAndOfTheFastest) {
    ClothSettings s = still();
    s.edges_x = s.edges_z = 3; // 25 vertices, the middle one is number 12
    s.width = s.length = 8;
    ClothWorld world(s);
    world.add_sheet({.pins = std::vector<std::uint32_t>{}});
    const std::vector<Vec3> start(world.positions().begin(), world.positions().end());
    std::vector<Vec3> velocity(25);
    velocity[12] = {0, 0.6f, 0};
    velocity[3] = {0, 0, 1.2f};
    world.set_vertices(start, velocity);
    world.step();
    const ClothMeasure m = world.measure();
    EXPECT_NEAR(m.centre_jitter, 0.6 * h, 1e-6);
    EXPECT_NEAR(m.max_jitter, 1.2 * h, 1e-6);
    EXPECT_NEAR(m.mean_jitter, 1.8 * h / 25, 1e-6);
}

TEST(ClothFormula, NoDeviceMovesDataBetweenSteps) {
    for (const DeviceReport& report : list_devices()) {
        if (!report.available) continue;
        for (const auto model : {ClothModel::mass_spring, ClothModel::position_based}) {
            ClothSettings s;
            s.model = model, s.edges_x = s.edges_z = 8;
            ClothWorld world(s, Place(PlaceOptions{.device = report.name}));
            world.add_sheet();
            world.add_collider({});
            world.step();
            const auto before = world.device().traffic();
            world.step(20);
            EXPECT_EQ(world.device().traffic().uploaded, before.uploaded) << report.name;
            EXPECT_EQ(world.device().traffic().downloaded, before.downloaded) << report.name;
            EXPECT_LT(world.measure().bottom, 9.9) << "it moved";
        }
    }
}

} // namespace
} // namespace scree::test
