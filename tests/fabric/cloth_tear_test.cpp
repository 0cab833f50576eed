// SPDX-License-Identifier: MIT
// cloth_tear_test.cpp — cloth that tears, and cloth that is dragged.
// compiled alone
#include "scree/appearance.h"
#include "scree/cloth_intersections.h"
#include "scree/error.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;

/// Pieces that hang together by triangles and lines.
std::size_t pieces(const ClothDef& cloth) {
    std::vector<std::uint32_t> root(cloth.vertices.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto of = [&](std::uint32_t v) {
        while (root[v] != v) v = root[v];
        return v;
    };
    for (const auto& [a, b, c] : cloth.triangles) root[of(b)] = of(a), root[of(c)] = of(a);
    for (const auto& [a, b] : cloth.lines) root[of(b)] = of(a);
    std::set<std::uint32_t> roots;
    for (std::uint32_t v = 0; v < root.size(); ++v) roots.insert(of(v));
    return roots.size();
}

/// A strip between two walls, one of which goes away.
struct Pulled {
    World world;
    BodyId wall;
    ClothId cloth;

    explicit Pulled(float tear, const Place& place = {}, bool self = false) : world({}, place) {
        wall = world.create_body(
            {.type = BodyType::kinematic, .position = {0.5, 2, 0}, .velocity = {0.5f, 0, 0}});
        ClothDef def = make_cloth(1, 0.5f, 13, 7);
        def.position = {0, 2, 0};
        def.material = {.stretch = 500, .tear = tear};
        def.self_collision = self;
        for (std::uint32_t row = 0; row < 7; ++row) {
            def.pins.push_back({.vertex = 13 * row});
            def.pins.push_back({.vertex = 13 * row + 12, .body = wall});
        }
        cloth = world.create_cloth(def);
    }
};

TEST(ClothTear, AStripThatIsPulledTooFarComesApartInTwo) {
    Pulled pulled(0.3f);
    const double mass = pulled.world.measure(pulled.cloth).mass;
    std::size_t vertices = 13 * 7, torn = 0;
    double longest_before = 0;
    for (int i = 0; i < 240; ++i) {
        pulled.world.step(dt);
        const auto& events = pulled.world.events().torn;
        if (torn == 0) longest_before = pulled.world.measure(pulled.cloth).max_stretch;
        for (const TearEvent& event : events) {
            EXPECT_EQ(event.cloth, pulled.cloth);
            EXPECT_LT(event.vertex, event.copy);
            EXPECT_EQ(event.copy, vertices++);
        }
        torn += events.size();
        ASSERT_EQ(pulled.world.vertices(pulled.cloth).size(), vertices);
    }
    EXPECT_GT(torn, 5u);
    EXPECT_GT(longest_before, 0.25); // and it holds up to there
    const ClothDef def = pulled.world.definition(pulled.cloth);
    EXPECT_GE(pieces(def), 2u);
    EXPECT_EQ(def.triangles.size(), 2u * 12 * 6);
    const FabricMeasure m = pulled.world.measure(pulled.cloth);
    EXPECT_NEAR(m.mass, mass, 1e-6 * mass);
    // the pieces hang from their walls
    EXPECT_LT(m.low.x, -0.45f);
    EXPECT_GT(m.high.x, 1.5f);
    EXPECT_LT(m.low.y, 1.7f);
}

TEST(ClothTear, MakesNoIntersections) {
    Pulled pulled(0.3f, {}, true);
    std::size_t torn = 0;
    for (int i = 0; i < 60; ++i) {
        pulled.world.step(dt);
        torn += pulled.world.events().torn.size();
        ASSERT_EQ(find_cloth_intersections(pulled.world).count, 0u) << i;
        ASSERT_EQ(pulled.world.cloth_contacts().intersections, 0u) << i;
    }
    EXPECT_GT(torn, 3u);
}

TEST(ClothTear, WithoutATearItHolds) {
    Pulled pulled(std::numeric_limits<float>::infinity());
    for (int i = 0; i < 120; ++i) pulled.world.step(dt);
    EXPECT_TRUE(pulled.world.events().torn.empty());
    EXPECT_EQ(pulled.world.vertices(pulled.cloth).size(), 13u * 7);
    EXPECT_GT(pulled.world.measure(pulled.cloth).max_stretch, 0.5);
}

TEST(ClothTear, ARopeBreaks) {
    World world;
    const BodyId load = world.create_body({.position = {0, 1, 0}});
    world.attach(load, Box{0.1f, 0.1f, 0.1f}, {.density = 2000});
    ClothDef rope = make_rope({0, 2, 0}, {0, 1.1f, 0}, 9);
    rope.material.stretch = 400;
    rope.material.tear = 0.2f; // breaks at 80 N; the load weighs 157 N
    rope.pins = {{.vertex = 0}, {.vertex = 9, .body = load}};
    const ClothId id = world.create_cloth(rope);
    for (int i = 0; i < 60; ++i) world.step(dt);
    EXPECT_GE(pieces(world.definition(id)), 2u);
    EXPECT_LT(world.state(load).position.y, -1);
}

TEST(ClothTear, HasTheSameBitsOnEveryPlaceAndGoesOnFromSnapshots) {
    const auto run = [](Pulled& pulled, int steps) {
        std::vector<std::uint64_t> seen;
        for (int i = 0; i < steps; ++i) {
            pulled.world.step(dt);
            seen.push_back(pulled.world.hash());
            seen.push_back(pulled.world.events().torn.size());
        }
        return seen;
    };
    Pulled first(0.3f, {}, true);
    const std::vector<std::uint64_t> expected = run(first, 60);
    ASSERT_GT(first.world.vertices(first.cloth).size(), 13u * 7 + 3);
    for (const PlaceOptions& options :
         {PlaceOptions{.device = "cpu:kernels"}, PlaceOptions{.device = "cpu", .threads = 3, .lanes = 4}}) {
        Pulled other(0.3f, Place(options), true);
        EXPECT_EQ(run(other, 60), expected) << options.device;
    }
    for (const int at : {35}) {
        Pulled again(0.3f, {}, true);
        std::vector<std::uint64_t> seen = run(again, at);
        again.world = World::restore(again.world.save());
        const std::vector<std::uint64_t> rest = run(again, 60 - at);
        seen.insert(seen.end(), rest.begin(), rest.end());
        EXPECT_EQ(seen, expected) << at;
    }
}

TEST(ClothTear, AFrameNeedsANewAppearanceThen) {
    Pulled pulled(0.3f);
    Frame frame;
    frame.appearance = std::make_shared<const Appearance>(appearance_of(pulled.world));
    show(pulled.world, frame);
    for (int i = 0; i < 80; ++i) pulled.world.step(dt);
    EXPECT_THROW(show(pulled.world, frame), Error);
    frame.appearance = std::make_shared<const Appearance>(appearance_of(pulled.world));
    show(pulled.world, frame);
    EXPECT_EQ(frame.vertices.size(), pulled.world.vertices(pulled.cloth).size());
}

TEST(ClothDrag, AHandTakesAVertexAlongAndLetsItGo) {
    World world;
    ClothDef def = make_cloth(1, 1, 11, 11);
    def.position = {0, 2, 0};
    def.pins = {{.vertex = 0}, {.vertex = 10}};
    const ClothId cloth = world.create_cloth(def);
    const Vec3 target{0.5f, 2.4f, 0.3f};
    for (int i = 0; i < 60; ++i) {
        world.drag(cloth, 120, target);
        world.step(dt);
    }
    EXPECT_LT(length(world.vertices(cloth)[120] - target), 0.1f);
    EXPECT_LT(world.measure(cloth).max_stretch, 0.2);
    for (int i = 0; i < 60; ++i) world.step(dt);
    EXPECT_GT(length(world.vertices(cloth)[120] - target), 0.3f);
    EXPECT_THROW(world.drag(cloth, 121, target), Error);
    EXPECT_THROW(world.drag(cloth, 0, {0, std::nanf(""), 0}), Error);
}

} // namespace
} // namespace scree
