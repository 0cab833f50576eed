// SPDX-License-Identifier: MIT
// cloth_test.cpp — the cloth of the thesis: its mesh, its two models, collisions, touch, normals and corrections.
#include "scree/cloth.h"

#include "cloth/collider_words.h"
#include "device/device.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace scree::test {
namespace {

using Kind = ClothCollider::Kind;

ClothSettings small(ClothModel model = ClothModel::position_based, int edges = 8) {
    ClothSettings s;
    s.model = model;
    s.edges_x = s.edges_z = edges;
    return s;
}

ClothWorld hung(const ClothSettings& settings, const Place& place = {}) {
    ClothWorld world(settings, place);
    world.add_sheet();
    return world;
}

ClothSettings thesis(ClothModel model, float stiffness, float mass, float gravity, float damping, int edges) {
    ClothSettings s = reference_cloth();
    s.model = model;
    s.stiffness = stiffness;
    s.mass = mass;
    s.gravity = {0, -gravity, 0};
    s.damping = damping;
    s.edges_x = s.edges_z = edges;
    s.time_step = 1.0f / 30; // see docs/manual/cloth.md
    return s;
}

// mesh ------------------------------------------------------------------------------------------------------

TEST(Cloth, HasTwoLinesMoreThanEdgesInEachDirection) {
    for (const int m : {0, 1, 7, 126})
        for (const int n : {0, 3, 126}) {
            ClothSettings s = small();
            s.edges_x = m, s.edges_z = n;
            EXPECT_EQ(hung(s).vertex_count(), static_cast<std::uint32_t>((m + 2) * (n + 2)));
        }
}

TEST(Cloth, StartsFlatTenMetresUpWithTheSizeItWasGiven) {
    ClothSettings s = small();
    s.width = 6, s.length = 3;
    const ClothWorld world = hung(s);
    float low_x = 1e9f, high_x = -1e9f, low_z = 1e9f, high_z = -1e9f;
    for (const Vec3& x : world.positions()) {
        EXPECT_EQ(x.y, 10);
        low_x = std::min(low_x, x.x), high_x = std::max(high_x, x.x);
        low_z = std::min(low_z, x.z), high_z = std::max(high_z, x.z);
    }
    EXPECT_EQ(high_x - low_x, 6);
    EXPECT_EQ(high_z - low_z, 3);
    for (const Vec3& n : world.normals()) EXPECT_EQ(n, (Vec3{0, 1, 0}));
}

TEST(Cloth, NeighbourSlotsExistWithinTheSheetOnly) {
    ClothSettings s = small();
    s.edges_x = 3, s.edges_z = 4; // 5 x 6
    const ClothWorld world = hung(s);
    const auto existing = [&](std::uint32_t vertex) {
        int count = 0;
        for (const ClothNeighbour& n : world.neighbours(vertex)) {
            EXPECT_EQ(n.multiplier == 0, n.vertex == vertex);
            count += n.multiplier == 1;
        }
        return count;
    };
    EXPECT_EQ(existing(0), 2 + 1 + 2);         // a corner
    EXPECT_EQ(existing(2), 3 + 2 + 3);         // a border: two lines away both along it, one across
    EXPECT_EQ(existing(2 * 6 + 2), 4 + 4 + 4); // the middle
    const auto slots = world.neighbours(2 * 6 + 2);
    const std::uint32_t expected[] = {15, 20, 13, 8, 21, 19, 7, 9, 16, 26, 12, 2};
    for (std::size_t k = 0; k < 12; ++k) EXPECT_EQ(slots[k].vertex, expected[k]) << k;
}

TEST(Cloth, RestLengthsFitSheetsThatAreNotSquare) {
    ClothSettings s = small(ClothModel::mass_spring);
    s.edges_x = 3, s.edges_z = 9, s.width = 8, s.length = 2;
    s.gravity = {};
    ClothWorld world = hung(s);
    EXPECT_FLOAT_EQ(world.facts().rest_x, 2);
    EXPECT_FLOAT_EQ(world.facts().rest_z, 0.2f);
    world.step(20);
    EXPECT_LT(world.measure().max_speed, 1e-4); // no force on a flat sheet
}

TEST(Cloth, RadiusIsAShareOfTheSpacingWithACap) {
    ClothSettings s = reference_cloth();
    s.edges_x = s.edges_z = 98;
    EXPECT_FLOAT_EQ(hung(s).facts().radius, 10.0f / 99 / 2);
    s.edges_x = s.edges_z = 2;
    EXPECT_FLOAT_EQ(hung(s).facts().radius, 0.35f);
}

TEST(Cloth, MassIsShared) {
    ClothSettings s = small();
    s.mass = 2;
    EXPECT_FLOAT_EQ(hung(s).facts().vertex_mass * 100, 2);
    s.physical_mass = false;
    EXPECT_FLOAT_EQ(hung(s).facts().vertex_mass, 2 * 7.0710678f);
}

TEST(Cloth, TakesNoMoreMemoryThanTheThesis) {
    const ClothWorld world = hung(small(ClothModel::mass_spring, 98));
    EXPECT_LE(world.memory(), 280u * 10000 + 32);
    EXPECT_GT(world.memory(), 10000u * 16 * 3);
}

TEST(Cloth, UploadsNothingWhileItRuns) {
    ClothWorld world = hung(small(ClothModel::mass_spring));
    world.add_collider({});
    world.step(1);
    const auto before = world.device().traffic();
    world.step(20);
    EXPECT_EQ(world.device().traffic().uploads, before.uploads);
    EXPECT_EQ(world.device().traffic().downloads, before.downloads);
}

// models ----------------------------------------------------------------------------------------------------

TEST(Cloth, PinnedVerticesStayToTheBit) {
    for (const auto model : {ClothModel::mass_spring, ClothModel::position_based})
        for (const bool reference : {false, true}) {
            ClothSettings s = reference ? reference_cloth() : ClothSettings{};
            s.model = model, s.edges_x = 8, s.edges_z = 6;
            ClothWorld world = hung(s);
            const std::vector<Vec3> start(world.positions().begin(), world.positions().end());
            world.step(200);
            EXPECT_EQ(world.positions()[0], start[0]);
            EXPECT_EQ(world.positions()[72], start[72]);
            EXPECT_NE(world.positions()[40], start[40]);
        }
}

TEST(Cloth, AFreeVertexFallsOnAParabola) {
    for (const auto model : {ClothModel::mass_spring, ClothModel::position_based}) {
        ClothSettings s = small(model, 0);
        s.stiffness = 0, s.damping = 0, s.drag = 0, s.ground = false;
        ClothWorld world(s);
        world.add_sheet({.position = {0, 100, 0}, .pins = std::vector<std::uint32_t>{}});
        world.step(120);
        // Verlet from rest is half a step ahead: g (t^2 + t dt) / 2
        EXPECT_NEAR(world.positions()[0].y, 100 - 0.5 * 5 * (4 + 2.0 / 60),
                    5e-3); // 0.05 % of the fall: floats
    }
}

TEST(Cloth, ZeroStiffnessLeavesThePrediction) {
    ClothSettings s = small();
    s.stiffness = 0;
    s.self_neighbours = 0;
    ClothWorld world(s);
    world.add_sheet({.position = {0, 30, 0}, .pins = std::vector<std::uint32_t>{0}});
    world.step(60);
    const auto x = world.positions();
    for (std::size_t i = 2; i < x.size(); ++i) EXPECT_FLOAT_EQ(x[i].y, x[1].y);
    EXPECT_LT(x[1].y, 28);
}

TEST(Cloth, BoundedDampingNeverAddsEnergy) {
    const auto energies = [](bool bounded) {
        ClothSettings s = small(ClothModel::mass_spring, 0);
        s.gravity = {}, s.drag = 0, s.stiffness = 0, s.damping = -20, s.mass = 0.1f, s.substeps = 1;
        s.self_neighbours = 0, s.ground = false, s.bounded_damping = bounded;
        ClothWorld world(s);
        world.add_sheet({.pins = std::vector<std::uint32_t>{}});
        std::vector<Vec3> x(world.positions().begin(), world.positions().end()), v(4);
        for (std::size_t i = 0; i < 4; ++i) v[i] = (x[i] - Vec3{0, 10, 0}) * 0.1f;
        world.set_vertices(x, v);
        std::vector<double> all;
        for (int k = 0; k < 50; ++k) {
            all.push_back(world.measure().kinetic_energy);
            world.step();
        }
        return all;
    };
    const auto good = energies(true), seed = energies(false);
    for (std::size_t k = 1; k < good.size(); ++k) EXPECT_LE(good[k], good[k - 1] * (1 + 1e-5)) << k;
    EXPECT_LT(good.back(), good.front() / 2);
    EXPECT_GT(*std::max_element(seed.begin(), seed.end()), seed.front() * 2); // the flaw it mends
}

TEST(Cloth, SpringsExplodeWhereTheThesisDidAndNotInSubsteps) {
    ClothSettings s = thesis(ClothModel::mass_spring, 600, 0.2f, 1, -0.5f, 23);
    ClothWorld seed = hung(s);
    seed.step(900);
    EXPECT_GT(seed.measure().frozen, 0u);
    for (const Vec3& x : seed.positions()) ASSERT_TRUE(std::isfinite(x.x + x.y + x.z));
    s.substeps = 3;
    ClothWorld finer = hung(s);
    finer.step(900);
    EXPECT_EQ(finer.measure().frozen, 0u);
}

TEST(Cloth, PositionsNeverExplode) {
    // the seed's factor overshoots beyond the stiffnesses of its experiments, 600
    for (const float stiffness : {0.0f, 300.0f, 600.0f, 1000.0f})
        for (const float gravity : {0.1f, 10.0f})
            for (const float mass : {0.1f, 50.0f})
                for (const bool corrected : {false, true}) {
                    if (!corrected && stiffness > 600) continue;
                    ClothSettings s = thesis(ClothModel::position_based, stiffness, mass, gravity, 0, 14);
                    if (corrected) {
                        s = ClothSettings{};
                        s.stiffness = stiffness, s.mass = mass, s.gravity = {0, -gravity, 0};
                        s.edges_x = s.edges_z = 14;
                    }
                    ClothWorld world = hung(s);
                    world.add_collider({Kind::sphere, {0, 6, 0}, {2, 2, 2}, {}});
                    world.step(300);
                    EXPECT_EQ(world.measure().frozen, 0u)
                        << stiffness << " " << gravity << " " << mass << " " << corrected;
                }
}

TEST(Cloth, WhatExplodesStopsBeforeItsPlacesOverflow) {
    // the stiffest of the thesis' range, with its values: both models throw vertices ever farther
    for (const ClothModel model : {ClothModel::position_based, ClothModel::mass_spring}) {
        ClothWorld world = hung(thesis(model, 1000, 0.1f, 1, 0, 14));
        world.step(600);
        EXPECT_GT(world.measure().frozen, 0u);
        for (const Vec3& x : world.positions()) ASSERT_TRUE(std::isfinite(x.x + x.y + x.z));
    }
}

TEST(Cloth, NoParameterOfTheThesisMakesAPositionThatIsNotFinite) {
    std::mt19937 random(11);
    const auto between = [&](double low, double high) {
        const std::uint32_t die = random() % 6; // the limits themselves as well
        const double share = die == 0 ? 0 : die == 1 ? 1 : (random() % 10001) / 10000.0;
        return static_cast<float>(low + (high - low) * share);
    };
    for (int k = 0; k < 120; ++k) {
        const bool corrected = k % 2 != 0;
        ClothSettings s = corrected ? ClothSettings{} : reference_cloth();
        s.gravity = {0, -between(0.1, 10), 0};
        s.mass = between(0.1, 50), s.drag = between(0, 0.99);
        s.stiffness = between(0, 1000), s.damping = between(-20, 0);
        s.width = between(1, 50), s.length = between(1, 50);
        // few meshes are fine: they take long
        const int most = k < 8 ? 126 : 24;
        s.edges_x = static_cast<int>(between(0, most)), s.edges_z = static_cast<int>(between(0, most));
        ClothWorld world = hung(s);
        world.add_collider({k % 4 < 2 ? Kind::sphere : Kind::box, {0, 6, 0}, {2, 2, 2}, {}});
        world.step(120);
        const auto finite = [](const Vec3& x) { return std::isfinite(x.x + x.y + x.z); };
        EXPECT_TRUE(std::all_of(world.positions().begin(), world.positions().end(), finite)) << k;
        if (corrected) {
            EXPECT_EQ(world.survey().frozen, 0u) << k << ": stiffness " << s.stiffness << ", mass " << s.mass;
        }
    }
}

TEST(Cloth, GroupsOfSpringsHaveStiffnessOfTheirOwn) {
    const auto way = [](Vec3 stiffness, Vec3 damping) {
        ClothSettings s = small(ClothModel::mass_spring);
        s.group_stiffness = stiffness, s.group_damping = damping;
        ClothWorld world = hung(s);
        world.step(60);
        return world.hash();
    };
    const std::uint64_t equal = way({1, 1, 1}, {1, 1, 1});
    EXPECT_NE(way({1, 0.5f, 1}, {1, 1, 1}), equal);
    EXPECT_NE(way({1, 1, 0.5f}, {1, 1, 1}), equal);
    EXPECT_NE(way({1, 1, 1}, {1, 1, 0}), equal);
}

TEST(Cloth, WeightedProjectionMovesVerticesByTheirMasses) {
    // one pinned corner of four, stretched: the seed moves a vertex by twice the error
    const auto moved = [](bool weighted) {
        ClothSettings s = small(ClothModel::position_based, 0);
        s.gravity = {}, s.drag = 0, s.iterations = 1, s.self_neighbours = 0, s.weighted_projection = weighted;
        s.group_stiffness = {1, 0, 0}, s.stiffness = 1000; // k = 0.5
        ClothWorld world(s);
        world.add_sheet({.pins = std::vector<std::uint32_t>{0}});
        std::vector<Vec3> x(world.positions().begin(), world.positions().end());
        x[1].z += 1; // its constraint with the pinned vertex is a metre too long; the one across a little
        world.set_vertices(x, std::vector<Vec3>(4));
        world.step();
        return x[1].z - world.positions()[1].z;
    };
    EXPECT_NEAR(moved(true), 0.5 * 1, 0.05);
    EXPECT_NEAR(moved(false), 0.5 * 2, 0.1);
}

TEST(Cloth, FallsAsFastStiffOrNot) {
    // steps until the middle has fallen by three metres
    const auto steps = [](float stiffness, bool predicted) {
        ClothSettings s = small(ClothModel::position_based, 38);
        s.stiffness = stiffness, s.predicted_neighbours = predicted, s.self_neighbours = 0;
        if (!predicted) s.iterations = 1;
        ClothWorld world = hung(s);
        int k = 0;
        for (; k < 600 && world.positions()[20 * 40 + 20].y > 7; ++k) world.step();
        return k;
    };
    EXPECT_NEAR(steps(1000, true), steps(100, true), 0.1 * steps(100, true));
    EXPECT_GT(steps(1000, false), 1.1 * steps(100, true)); // the seed's slow fall
}

// collisions ------------------------------------------------------------------------------------------------

/// A sheet of four free vertices on top of each other's places, far apart; the first is put at `x`.
Vec3 pushed(const ClothCollider& collider, Vec3 x, bool corrected = true) {
    ClothSettings s = small(ClothModel::position_based, 0);
    s.gravity = {}, s.stiffness = 0, s.self_neighbours = 0, s.ground = false, s.friction = 0;
    s.push_from_inside = corrected;
    ClothWorld world(s);
    world.add_sheet({.position = {0, 50, 0}, .pins = std::vector<std::uint32_t>{}});
    world.add_collider(collider);
    std::vector<Vec3> all(world.positions().begin(), world.positions().end());
    all[0] = x;
    world.set_vertices(all, std::vector<Vec3>(4));
    world.step();
    return world.positions()[0];
}

TEST(ClothCollision, SpheresPushToTheSumOfTheRadii) {
    const Vec3 at = pushed({Kind::sphere, {1, 2, 3}, {2, 2, 2}, {}}, {1.5f, 3, 3});
    EXPECT_NEAR(length(at - Vec3{1, 2, 3}), 2.35, 1e-5);
    EXPECT_NEAR((at.x - 1) / (at.y - 2), 0.5, 1e-5);
}

TEST(ClothCollision, BoxesPushToTheRadius) {
    const ClothCollider box{Kind::box, {0, 0, 0}, {1, 2, 3}, {}};
    EXPECT_NEAR(pushed(box, {0.2f, 2.1f, 0}).y, 2.35, 1e-5);
    EXPECT_NEAR(length(pushed(box, {1.1f, 2.1f, 0}) - Vec3{1, 2, 0}), 0.35, 1e-5); // an edge
}

TEST(ClothCollision, AVertexInsideABoxLeavesByTheNearestFace) {
    const ClothCollider box{Kind::box, {0, 0, 0}, {1, 2, 3}, {}};
    EXPECT_NEAR(pushed(box, {0.8f, 0, 0}).x, 1.35, 1e-5);
    EXPECT_NEAR(pushed(box, {0, -1.9f, 0}).y, -2.35, 1e-5);
    EXPECT_EQ(pushed(box, {0.8f, 0, 0}, false), (Vec3{0.8f, 0, 0})); // the seed leaves it there
}

TEST(ClothCollision, TheGroundHolds) {
    ClothSettings s = small();
    ClothWorld world(s);
    world.add_sheet({.position = {0, 2, 0}, .pins = std::vector<std::uint32_t>{}});
    world.step(300);
    EXPECT_GE(world.measure().bottom, double{world.facts().radius} - 1e-5);
    EXPECT_LT(world.measure().top, 1);
}

TEST(ClothCollision, NeighboursKeepTheirDistance) {
    const auto gap = [](int neighbours) {
        ClothSettings s = small(ClothModel::position_based, 0);
        s.gravity = {}, s.stiffness = 0, s.self_neighbours = neighbours, s.ground = false;
        ClothWorld world(s);
        world.add_sheet({.pins = std::vector<std::uint32_t>{}});
        std::vector<Vec3> x(world.positions().begin(), world.positions().end());
        x[3] = x[0] + Vec3{0.1f, 0, 0.1f}; // across the grid
        world.set_vertices(x, std::vector<Vec3>(4));
        world.step();
        return length(world.positions()[3] - world.positions()[0]);
    };
    EXPECT_NEAR(gap(0), 0.1414, 1e-3);
    EXPECT_NEAR(gap(4), 0.1414, 1e-3);
    EXPECT_NEAR(gap(8), 0.7, 1e-3); // two radii, half the way each
}

TEST(ClothCollision, MovingCollidersPushAndManyAreTaken) {
    ClothWorld world = hung(small());
    for (int k = 0; k < 100; ++k)
        world.add_collider(
            {k % 2 ? Kind::box : Kind::sphere, {100.0f + static_cast<float>(k), 0, 0}, {1, 1, 1}, {}});
    world.add_collider({Kind::sphere, {0, 5, -9}, {2, 2, 2}, {0, 0, 1}});
    world.step(420);
    EXPECT_NEAR(world.colliders().back().position.z, -2, 1e-3);
    EXPECT_LT(world.measure().max_overlap, 0.05);
    float most = -1e9f;
    for (const Vec3& x : world.positions()) most = std::max(most, x.z);
    EXPECT_GT(most, -1); // the hanging sheet lies around the ball
}

/// A thousand spheres and boxes that do not touch, in no order.
std::vector<ClothCollider> many_colliders(float apart) {
    std::mt19937 random(5);
    std::vector<ClothCollider> all;
    for (int k = 0; k < 1000; ++k) {
        const auto some = [&] { return static_cast<float>(random() % 1001) / 1000; };
        const Vec3 cell{static_cast<float>(k % 10), static_cast<float>(k / 10 % 10),
                        static_cast<float>(k / 100)};
        all.push_back({random() % 2 ? Kind::box : Kind::sphere,
                       cell * apart + Vec3{some(), some(), some()} * (0.1f * apart),
                       Vec3{some(), some(), some()} * (0.1f * apart) + Vec3{1, 1, 1} * (0.1f * apart),
                       {}});
    }
    for (std::size_t k = all.size() - 1; k > 0; --k) std::swap(all[k], all[random() % (k + 1)]);
    return all;
}

TEST(ClothCollision, NoneOfAThousandCollidersIsPassedOver) {
    const std::vector<ClothCollider> all = many_colliders(2.5f);
    ClothSettings s = small(ClothModel::position_based, 58);
    s.gravity = {}, s.stiffness = 0, s.self_neighbours = 0, s.ground = false, s.friction = 0;
    s.width = s.length = 20;
    // what a vertex is pushed to by the one collider that it may touch
    const auto pushed_by = [&](const ClothCollider& c, const DVec3& x, double radius) {
        const DVec3 away = x - wide(c.position);
        if (c.kind == Kind::sphere) {
            const double reach = double{c.size.x} + radius;
            return length(away) < reach ? wide(c.position) + away * (reach / length(away)) : x;
        }
        const auto within = [](double v, float half) { return std::clamp(v, double{-half}, double{half}); };
        const DVec3 nearest{within(away.x, c.size.x), within(away.y, c.size.y), within(away.z, c.size.z)};
        const DVec3 out = away - nearest;
        const double distance = length(out);
        if (distance > 0)
            return distance < radius ? wide(c.position) + nearest + out * (radius / distance) : x;
        const double to[] = {double{c.size.x} - std::abs(away.x), double{c.size.y} - std::abs(away.y),
                             double{c.size.z} - std::abs(away.z)};
        DVec3 end = x;
        const auto leave = [&](double& at, double side, double depth) {
            at += std::copysign(depth + radius, side);
        };
        if (to[0] <= to[1] && to[0] <= to[2]) leave(end.x, away.x, to[0]);
        else if (to[1] <= to[2]) leave(end.y, away.y, to[1]);
        else leave(end.z, away.z, to[2]);
        return end;
    };
    std::vector<Vec3> start;
    std::vector<DVec3> expected;
    for (const DeviceReport& report : list_devices()) {
        if (!report.available) continue;
        SCOPED_TRACE(report.name);
        ClothWorld world(s, report.name);
        world.add_sheet({.position = {11, 11, 11},
                         .rotation = rotation_about({0.6f, 0, 0.8f}, 0.7f),
                         .pins = std::vector<std::uint32_t>{}});
        for (const ClothCollider& each : all) world.add_collider(each);
        if (start.empty()) {
            start.assign(world.positions().begin(), world.positions().end());
            for (const Vec3& x : start) {
                expected.push_back(wide(x));
                for (const ClothCollider& each : all)
                    if (length(x - each.position) < 2)
                        expected.back() = pushed_by(each, expected.back(), double{world.facts().radius});
            }
        }
        world.step();
        int hit = 0, wrong = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            hit += length(expected[i] - wide(start[i])) > 1e-3;
            wrong += length(expected[i] - wide(world.positions()[i])) > 1e-4;
        }
        EXPECT_GT(hit, 100);
        EXPECT_EQ(wrong, 0);
    }
}

TEST(ClothCollision, GroupsOfManyCollidersAreSmallAndFewKeepTheirOrder) {
    const std::vector<ClothCollider> all = many_colliders(2.5f);
    const std::vector<std::uint32_t> order = collider_order(all, Kind::box);
    EXPECT_GT(order.size(), 400u);
    double sum = 0;
    int groups = 0;
    for (std::size_t first = 0; first + CLOTH_GROUP <= order.size(); first += CLOTH_GROUP, ++groups) {
        double farthest = 0;
        for (std::size_t k = first; k < first + CLOTH_GROUP; ++k) {
            EXPECT_EQ(all[order[k]].kind, Kind::box);
            farthest =
                std::max(farthest, double{length(all[order[k]].position - all[order[first]].position)});
        }
        sum += farthest;
    }
    EXPECT_LT(sum / groups, 12); // of a field of 25 m
    const std::vector<ClothCollider> few(all.begin(), all.begin() + CLOTH_GROUP);
    for (const Kind kind : {Kind::box, Kind::sphere}) {
        const std::vector<std::uint32_t> kept = collider_order(few, kind);
        EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    }
}

TEST(ClothCollision, GroupsOfARingDoNotLieAcrossIt) {
    std::vector<ClothCollider> ring;
    for (int k = 0; k < 1000; ++k) {
        const float angle = 0.37f * static_cast<float>(k);
        ring.push_back({Kind::sphere, {60 * std::cos(angle), 3, 60 * std::sin(angle)}, {1, 1, 1}, {}});
    }
    const std::vector<std::uint32_t> order = collider_order(ring, Kind::sphere);
    std::vector<bool> there(ring.size());
    for (const std::uint32_t k : order) there[k] = true;
    EXPECT_EQ(std::count(there.begin(), there.end(), true), 1000);
    // what the bounds of a group keep free of a sheet of 10 m in the middle
    for (const std::size_t group : {std::size_t{CLOTH_GROUP}, std::size_t{CLOTH_GROUP} * CLOTH_GROUP})
        for (std::size_t first = 0; first < order.size(); first += group) {
            Vec3 low{1e9f, 1e9f, 1e9f}, high = -low;
            for (std::size_t k = first; k < std::min(first + group, order.size()); ++k) {
                const Vec3& at = ring[order[k]].position;
                low = {std::min(low.x, at.x - 1), 0, std::min(low.z, at.z - 1)};
                high = {std::max(high.x, at.x + 1), 0, std::max(high.z, at.z + 1)};
            }
            EXPECT_TRUE(low.x > 5 || high.x < -5 || low.z > 5 || high.z < -5)
                << group << " from " << first << ": " << low.x << " to " << high.x << ", " << low.z << " to "
                << high.z;
        }
}

TEST(ClothCollision, TurnedSheetsCollideAlike) {
    ClothSettings s = small();
    ClothWorld world(s);
    Quat turned;
    turned.s = std::sqrt(0.5f), turned.x = std::sqrt(0.5f);
    world.add_sheet({.position = {0, 8, 0}, .rotation = turned});
    world.add_collider({Kind::sphere, {0, 5, 0.5f}, {2, 2, 2}, {}});
    world.step(300);
    EXPECT_LT(world.measure().max_overlap, 0.05);
    EXPECT_EQ(world.measure().frozen, 0u);
}

TEST(ClothCollision, OfTurnedAndScaledSheetsEndsAtTheSurface) {
    // twice as wide as long, on its edge and turned about the upright axis: the radius is that of the narrow spacing
    ClothSettings s = small();
    s.width = 8, s.length = 4, s.stiffness = 0, s.gravity = {}, s.friction = 0, s.self_neighbours = 0;
    ClothWorld world(s);
    const Quat turned = rotation_about({0.6f, 0.8f, 0}, 1.1f);
    world.add_sheet({.position = {1, 20, -2}, .rotation = turned, .pins = std::vector<std::uint32_t>{}});
    const std::vector<Vec3> start(world.positions().begin(), world.positions().end());
    EXPECT_NEAR(length(start[90] - start[0]), 8, 1e-5f);
    EXPECT_NEAR(length(start[9] - start[0]), 4, 1e-5f);
    EXPECT_LT(length(start[90] - (Vec3{1, 20, -2} + rotate(turned, {4, 0, -2}))), 1e-5f);
    const Vec3 centre = Vec3{1, 20, -2} + rotate(turned, {1, 0.3f, 0.4f});
    world.add_collider({Kind::sphere, centre, {1, 1, 1}, {}});
    world.step();
    const float reach = 1 + 0.45f * 4 / 9;
    int hit = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const float before = length(start[i] - centre), after = length(world.positions()[i] - centre);
        if (before < reach) {
            EXPECT_NEAR(after, reach, 1e-5f) << i;
            ++hit;
        } else {
            EXPECT_EQ(world.positions()[i], start[i]) << i;
        }
    }
    EXPECT_GT(hit, 5);
}

TEST(ClothCollision, FrictionKeepsASheetOnABoxForAMinute) {
    const auto after_a_minute = [](ClothSettings s) {
        s.edges_x = s.edges_z = 18;
        ClothWorld world(s);
        world.add_sheet({.position = {0.9f, 5, 0}, .pins = std::vector<std::uint32_t>{}});
        world.add_collider({Kind::box, {0, 2, 0}, {2, 2, 2}, {}});
        world.step(3600);
        return world.measure();
    };
    ClothSettings s;
    s.friction = 0.6f, s.stiffness = 1000;
    const ClothMeasure good = after_a_minute(s);
    EXPECT_GT(good.top, 4);
    EXPECT_LT(good.max_overlap, 0.01);
    EXPECT_LT(good.max_jitter, 0.001);
}

TEST(ClothCollision, FrictionStopsASlideAsCoulombSays) {
    const auto slid = [](float friction) {
        ClothSettings s = small();
        s.friction = friction, s.drag = 0, s.self_neighbours = 0;
        ClothWorld world(s);
        world.add_sheet({.position = {0, world.facts().radius, 0}, .pins = std::vector<std::uint32_t>{}});
        const std::vector<Vec3> x(world.positions().begin(), world.positions().end());
        world.set_vertices(x, std::vector<Vec3>(x.size(), Vec3{2, 0, 0}));
        world.step(180);
        return world.positions()[55].x - x[55].x;
    };
    EXPECT_NEAR(slid(0.4f), 2 * 2 / (2 * 0.4 * 5), 0.05);
    EXPECT_NEAR(slid(0), 2 * 3, 0.05);
}

// touch, normals --------------------------------------------------------------------------------------------

ClothTouch finger(float x, float y, float slide_x, float slide_y) {
    ClothTouch t{x, y, slide_x, slide_y, {}};
    // looks along -z from z = 20: x and y over distance
    t.view_projection = {1, 0, 0, 0, 0, 1, 0, -10, 0, 0, -1, 19, 0, 0, -1, 20};
    return t;
}

TEST(ClothTouch, MovesVerticesNearTheFingerByTheBrush) {
    ClothSettings s = small(ClothModel::position_based, 0);
    s.gravity = {}, s.stiffness = 0, s.self_neighbours = 0;
    for (const auto model : {ClothModel::mass_spring, ClothModel::position_based}) {
        s.model = model;
        ClothWorld world(s);
        world.add_sheet({.pins = std::vector<std::uint32_t>{0}});
        const std::vector<Vec3> x(world.positions().begin(), world.positions().end());
        // vertex 3 is at (5, 10, 5): 15 m away, at x = 1/3 on the screen
        world.touch(finger(1.0f / 3 + 0.05f, 0, 0.01f, 0));
        world.step();
        const double weight = 200 * std::exp(-150 * 0.05 * 0.05);
        EXPECT_NEAR(world.positions()[3].x - x[3].x, weight * 0.01 * 0.01 * 15, 1e-4);
        EXPECT_EQ(world.positions()[3].y, x[3].y);
        EXPECT_NEAR(world.positions()[1].x, x[1].x, 1e-3); // far from the finger
        EXPECT_GT(world.velocities()[3].x, 0.1f);          // it is thrown
    }
}

TEST(ClothTouch, AFingerAtRestAndPinsDoNothing) {
    ClothWorld world = hung(small());
    ClothWorld alone = hung(small());
    world.touch(finger(0, 0, 0, 0));
    world.step(2);
    alone.step(2);
    EXPECT_EQ(world.hash(), alone.hash());
    world.touch(finger(-5.0f / 25, 0, 0.5f, 0.5f)); // at a pin
    world.step();
    EXPECT_EQ(world.positions()[0], (Vec3{-5, 10, -5}));
    EXPECT_EQ(error_place([&] { world.touch({}); }), "touch.view_projection");
}

TEST(Cloth, NormalsAreNeverNaN) {
    ClothWorld world = hung(small(ClothModel::position_based, 2));
    world.set_vertices(std::vector<Vec3>(16, Vec3{1, 2, 3}), std::vector<Vec3>(16));
    for (const Vec3& n : world.normals()) EXPECT_EQ(n, (Vec3{0, 1, 0}));
}

// the world -------------------------------------------------------------------------------------------------

TEST(Cloth, GravityHasAnyDirection) {
    ClothSettings s = small();
    s.gravity = {5, 0, 0};
    ClothWorld world = hung(s);
    world.step(60);
    EXPECT_GT(world.positions()[55].x, 0.7f);
}

TEST(Cloth, SettingsReinitialiseAndResetRestarts) {
    ClothWorld world = hung(small());
    const std::uint64_t start = world.hash();
    world.step(50);
    world.reset();
    EXPECT_EQ(world.hash(), start);
    EXPECT_EQ(world.steps_done(), 0u);
    world.step(10);
    ClothSettings s = small();
    s.edges_x = 20;
    world.change_settings(s);
    EXPECT_EQ(world.vertex_count(), 220u);
    EXPECT_EQ(world.measure().bottom, 10);
    s.stiffness = 300; // this one changes no mesh
    world.step(10);
    const double bottom = world.measure().bottom;
    world.change_settings(s);
    EXPECT_EQ(world.measure().bottom, bottom);
}

TEST(Cloth, SurveyAgreesWithTheMeasure) {
    ClothWorld world = hung(small(ClothModel::position_based, 30));
    world.step(40);
    const ClothMeasure m = world.measure();
    const ClothSurvey s = world.survey();
    EXPECT_NEAR(s.max_jitter, m.max_jitter, 1e-5);
    EXPECT_NEAR(s.mean_jitter, m.mean_jitter, 1e-5);
    EXPECT_EQ(s.bottom, m.bottom);
}

TEST(Cloth, SnapshotsContinueBitByBit) {
    ClothWorld world = hung(small(ClothModel::mass_spring));
    world.add_collider({Kind::box, {0, 4, -3}, {1, 1, 1}, {0, 0, 0.1f}});
    world.step(30);
    world.touch(finger(0, 0, 0.02f, 0));
    const std::vector<std::byte> saved = world.save();
    world.step(30);
    ClothWorld other({}, {{.threads = 1, .lanes = 1}});
    other.restore(saved);
    other.step(30);
    EXPECT_EQ(other.hash(), world.hash());
    EXPECT_EQ(other.time(), world.time());
    std::vector<std::byte> damaged = saved;
    damaged[damaged.size() / 2] ^= std::byte{1};
    const std::uint64_t before = other.hash();
    EXPECT_NE(error_message([&] { other.restore(damaged); }), "no error");
    EXPECT_EQ(other.hash(), before);
}

TEST(Cloth, RefusesValuesOutOfRange) {
    const auto place = [](auto change) {
        ClothSettings s;
        change(s);
        return error_place([&] { const ClothWorld world(s); });
    };
    EXPECT_EQ(place([](auto& s) { s.mass = 51; }), "mass");
    EXPECT_EQ(place([](auto& s) { s.drag = 1; }), "drag");
    EXPECT_EQ(place([](auto& s) { s.stiffness = -1; }), "stiffness");
    EXPECT_EQ(place([](auto& s) { s.damping = 0.5f; }), "damping");
    EXPECT_EQ(place([](auto& s) { s.width = 0.5f; }), "width");
    EXPECT_EQ(place([](auto& s) { s.edges_z = -1; }), "edges_z");
    EXPECT_EQ(place([](auto& s) { s.gravity.y = -11; }), "gravity.y");
    EXPECT_EQ(place([](auto& s) { s.time_step = 0; }), "time_step");
    EXPECT_EQ(place([](auto& s) { s.stiffness = NAN; }), "stiffness");
    EXPECT_EQ(place([](auto& s) { s.self_neighbours = 3; }), "self_neighbours");
    ClothWorld world = hung(small());
    EXPECT_EQ(error_place([&] { world.add_sheet({.pins = std::vector<std::uint32_t>{100}}); }), "pins[0]");
    EXPECT_EQ(error_place([&] { world.add_collider({Kind::box, {}, {1, 0, 1}, {}}); }), "size.y");
    EXPECT_EQ(error_place([&] { world.set_collider(0, {}); }), "collider");
    EXPECT_EQ(error_place([&] { world.pull(100, {}); }), "vertex");
    EXPECT_EQ(error_place([&] { world.set_vertices({}, {}); }), "vertices");
}

TEST(Cloth, RefusesSettingsThatMakeTooManyVertices) {
    ClothWorld world(small(ClothModel::position_based, 2));
    for (int k = 0; k < 65; ++k) world.add_sheet();
    ClothSettings larger = world.settings();
    larger.edges_x = larger.edges_z = 2046; // 2^22 vertices a sheet
    EXPECT_EQ(error_place([&] { world.change_settings(larger); }), "sheets");
    EXPECT_EQ(world.settings().edges_x, 2);
    EXPECT_EQ(world.positions().size(), world.vertex_count());
}

} // namespace
} // namespace scree::test
