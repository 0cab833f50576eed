// SPDX-License-Identifier: MIT
// cloth_query_test.cpp — queries that find cloth, against every triangle one by one.
#include "geometry/triangle_distance.h"
#include "scree/error.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree {
namespace {

/// A crumpled cloth and a flat one over a box.
struct Spread {
    World world;
    ClothId flat, crumpled;
    BodyId box;

    Spread() {
        box = world.create_body({.type = BodyType::fixed, .position = {0, 0.5, 0}});
        world.attach(box, Box{0.3f, 0.2f, 0.3f});
        ClothDef def = make_cloth(2, 2, 12, 12);
        def.position = {0, 1, 0};
        flat = world.create_cloth(def);
        crumpled = world.create_cloth(def);
        std::mt19937 random(7);
        std::uniform_real_distribution<float> any(-0.3f, 0.3f);
        std::vector<Vec3> places(world.vertices(crumpled).begin(), world.vertices(crumpled).end());
        for (Vec3& place : places) place = place + Vec3{any(random), 0.5f + any(random), any(random)};
        world.set_vertices(crumpled, places, std::vector<Vec3>(places.size()));
    }
    template <class Visit>
    void each_triangle(const Visit& visit) const {
        for (const ClothId cloth : {flat, crumpled}) {
            const ClothDef def = world.definition(cloth);
            const auto vertices = world.vertices(cloth);
            for (std::uint32_t t = 0; t < def.triangles.size(); ++t) {
                const auto& [a, b, c] = def.triangles[t];
                visit(cloth, t, wide(vertices[a]), wide(vertices[b]), wide(vertices[c]));
            }
        }
    }
};

const QueryFilter with_cloth{.cloth = true};

TEST(ClothQueries, RaysMeetWhatEachTriangleAloneIsMetBy) {
    Spread spread;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-1.5, 1.5);
    int met = 0;
    for (int k = 0; k < 200; ++k) {
        const DVec3 from{any(random), 1 + any(random), any(random)},
            to{any(random), 1 + any(random), any(random)};
        const RayCast ray{.origin = from, .translation = narrow(to - from)};
        // Möller and Trumbore, each triangle
        struct Met {
            double fraction;
            ClothId cloth;
            std::uint32_t triangle;
        };
        std::vector<Met> expected;
        spread.each_triangle([&](ClothId cloth, std::uint32_t t, DVec3 a, DVec3 b, DVec3 c) {
            const DVec3 way = wide(ray.translation), across = cross(way, c - a);
            const double volume = dot(b - a, across);
            const DVec3 off = from - a, along = cross(off, b - a);
            const double u = dot(off, across) / volume, v = dot(way, along) / volume,
                         far = dot(c - a, along) / volume;
            if (u >= 0 && v >= 0 && u + v <= 1 && far >= 0 && far <= 1) expected.push_back({far, cloth, t});
        });
        std::sort(expected.begin(), expected.end(),
                  [](const Met& a, const Met& b) { return a.fraction < b.fraction; });
        std::vector<QueryHit> hits = spread.world.cast_ray_all(ray, with_cloth);
        const bool box = std::erase_if(hits, [](const QueryHit& hit) { return hit.shape != ShapeId{}; }) > 0;
        ASSERT_EQ(hits.size(), expected.size()) << k;
        for (std::size_t h = 0; h < hits.size(); ++h) {
            EXPECT_EQ(hits[h].cloth, expected[h].cloth);
            EXPECT_EQ(hits[h].sub_shape, expected[h].triangle);
            EXPECT_NEAR(hits[h].fraction, expected[h].fraction, 1e-5);
            EXPECT_LE(dot(hits[h].normal, ray.translation), 0);
        }
        met += !hits.empty();
        // the nearest, and whether there is any; without asking for cloth only the box
        const auto nearest = spread.world.cast_ray(ray, with_cloth);
        ASSERT_EQ(nearest.has_value(), box || !expected.empty());
        if (!box && nearest) {
            EXPECT_EQ(nearest->cloth, expected[0].cloth);
            EXPECT_EQ(nearest->sub_shape, expected[0].triangle);
        }
        EXPECT_EQ(spread.world.cast_ray_any(ray, with_cloth), nearest.has_value());
        EXPECT_EQ(spread.world.cast_ray_any(ray), box);
        std::vector<QueryHit> batch(1);
        spread.world.cast_rays(std::span(&ray, 1), batch, with_cloth);
        EXPECT_EQ(batch[0], nearest ? *nearest : QueryHit{});
    }
    EXPECT_GT(met, 50);
}

TEST(ClothQueries, NearestPointsAndOverlapsAreThoseOfEachTriangleAlone) {
    Spread spread;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-1.2, 1.2);
    int touched = 0;
    for (int k = 0; k < 100; ++k) {
        const DVec3 point{any(random), 1.2 + 0.5 * any(random), any(random)};
        double nearest = 1e9;
        std::size_t inside = 0;
        const double radius = 0.15;
        spread.each_triangle([&](ClothId, std::uint32_t, DVec3 a, DVec3 b, DVec3 c) {
            const double distance = distance_to_triangle(point, a, b, c);
            nearest = std::min(nearest, distance);
            inside += distance <= radius;
        });
        const QueryFilter cloth_alone{.ignore = spread.box, .cloth = true};
        const auto found = spread.world.closest_point({.point = point, .distance = 2}, cloth_alone);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->cloth != ClothId{});
        EXPECT_NEAR(found->distance, nearest, 1e-5);
        EXPECT_NEAR(length(found->point - point), nearest, 1e-5);
        const auto over = spread.world.overlap(
            {.geometry = Sphere{static_cast<float>(radius)}, .position = point}, cloth_alone);
        EXPECT_EQ(over.size(), inside);
        touched += inside > 0;
    }
    EXPECT_GT(touched, 30);
}

TEST(ClothQueries, ABallThatIsCastStopsAtTheCloth) {
    Spread spread;
    spread.world.destroy(spread.crumpled);
    const ShapeCast cast{.geometry = Sphere{0.1f}, .position = {0.7, 2, 0.6}, .translation = {0, -3, 0}};
    const auto hit = spread.world.cast_shape(cast, with_cloth);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->cloth, spread.flat);
    EXPECT_NEAR(hit->distance, 0.9, 1e-4);
    EXPECT_FALSE(spread.world.cast_shape(cast));
    // filters are those of the cloth
    QueryFilter other = with_cloth;
    other.filter.mask = 2;
    EXPECT_FALSE(spread.world.cast_shape(cast, other));
}

TEST(ClothQueries, SeeTheClothAsItIsNow) {
    Spread spread;
    const RayCast down{.origin = {0.7, 5, 0.6}, .translation = {0, -10, 0}};
    const QueryHit before = *spread.world.cast_ray(down, with_cloth);
    for (int i = 0; i < 30; ++i) spread.world.step(1 / 60.0f);
    const QueryHit after = *spread.world.cast_ray(down, with_cloth);
    EXPECT_GT(after.distance, before.distance + 0.2f);
    spread.world.destroy(spread.flat);
    spread.world.destroy(spread.crumpled);
    EXPECT_FALSE(spread.world.cast_ray(down, with_cloth));
    RayCast ray = down;
    QueryHit hit;
    EXPECT_THROW(spread.world.cast_device_rays(&ray, 1, &hit, with_cloth), Error);
}

TEST(ClothQueries, AFunctionThatAsksForClothAmidAStepLosesNoStep) {
    const RayCast down{.origin = {0.7, 5, 0.6}, .translation = {0, -10, 0}};
    Spread alone, asked;
    int calls = 0;
    for (Spread* spread : {&alone, &asked}) {
        const BodyId ball = spread->world.create_body({.position = {5, 0.49, 0}});
        spread->world.attach(ball, Sphere{0.5f});
        spread->world.attach(spread->world.create_body({.type = BodyType::fixed}), Box{9, 0.001f, 9});
    }
    asked.world.set_pre_solve([&](const ContactInfo&) {
        ++calls;
        EXPECT_TRUE(asked.world.cast_ray(down, with_cloth));
        EXPECT_FALSE(asked.world.vertices(asked.crumpled).empty());
        return true;
    });
    const auto places = [](const Spread& spread, ClothId cloth) {
        const auto seen = spread.world.vertices(cloth);
        return std::vector<Vec3>(seen.begin(), seen.end());
    };
    for (int k = 0; k < 20; ++k) {
        alone.world.step(1 / 60.0f);
        asked.world.step(1 / 60.0f);
        // what is changed goes to the device with all the rest
        if (k == 10)
            for (Spread* spread : {&alone, &asked}) spread->world.set_pins(spread->flat, {});
        ASSERT_EQ(places(alone, alone.flat), places(asked, asked.flat)) << k;
        ASSERT_EQ(places(alone, alone.crumpled), places(asked, asked.crumpled)) << k;
        EXPECT_EQ(alone.world.cast_ray(down, with_cloth)->distance,
                  asked.world.cast_ray(down, with_cloth)->distance);
    }
    EXPECT_GE(calls, 20);
}

} // namespace
} // namespace scree
