// SPDX-License-Identifier: MIT
// chain_test.cpp — chains and ropes along lines of points.
#include "scree/chain.h"

#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

const DVec3 zigzag[] = {{0, 10, 0}, {2, 9, 1}, {2, 7, 1}, {2, 9, 2}};

TEST(Chain, LinksLieAlongTheLineAndMeetAtItsPoints) {
    World world(in_space());
    const scree::Chain chain = make_chain(world, zigzag);
    ASSERT_EQ(chain.links.size(), 3u);
    ASSERT_EQ(chain.joints.size(), 2u);
    for (std::size_t k = 0; k < 3; ++k) {
        const BodyState link = world.state(chain.links[k]);
        const DVec3 middle = (zigzag[k] + zigzag[k + 1]) * 0.5, way = normalized(zigzag[k + 1] - zigzag[k]);
        EXPECT_LT(length(wide(link.position) - middle), 1e-5) << k;
        EXPECT_LT(length(wide(rotate(link.rotation, Vec3{0, 1, 0})) - way), 1e-5) << k;
    }
    for (const JointId joint : chain.joints) EXPECT_LT(world.error(joint).distance, 1e-5f);
}

TEST(Chain, ARopeOfShortLinksHangsBetweenItsEnds) {
    World world;
    const DVec3 line[] = {{0, 5, 0}, {4, 5, 0}};
    const scree::Chain rope = make_chain(
        world, line,
        {.radius = 0.02f, .link_length = 0.1f, .first = scree::Chain::held, .last = scree::Chain::held});
    EXPECT_EQ(rope.links.size(), 40u);
    EXPECT_EQ(rope.joints.size(), 41u);
    run_for(world, 3);
    EXPECT_LT(height(world, rope.links[20]), 5);
    EXPECT_GT(height(world, rope.links[20]), 4);
    EXPECT_LT(world.measure().joint_error, 0.02);
}

TEST(Chain, ItsEndsHoldBodies) {
    World world;
    const BodyId lamp = add(world, Sphere{0.3f}, {0, 2, 0});
    const DVec3 line[] = {{0, 5, 0}, {0, 2.3, 0}};
    const scree::Chain chain =
        make_chain(world, line, {.link_length = 0.5f, .first = scree::Chain::held, .last_body = lamp});
    run_for(world, 2);
    EXPECT_NEAR(height(world, lamp), 2, 0.05);
    EXPECT_EQ(chain.joints.size(), chain.links.size() + 1);
}

TEST(Chain, BadLinesAreRefusedBeforeAnythingIsMade) {
    World world;
    const DVec3 twice[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, good[] = {{0, 0, 0}, {1, 0, 0}};
    const DVec3 nowhere[] = {{0, 0, 0}, {std::nan(""), 0, 0}};
    EXPECT_EQ(error_place([&] { make_chain(world, std::span(good).first(1)); }), "line");
    EXPECT_EQ(error_place([&] { make_chain(world, twice); }), "line");
    EXPECT_EQ(error_place([&] { make_chain(world, nowhere); }), "line.x");
    EXPECT_EQ(error_place([&] { make_chain(world, good, {.radius = 0}); }), "radius");
    EXPECT_EQ(error_place([&] { make_chain(world, good, {.link_length = 1e-9f}); }), "link_length");
    EXPECT_EQ(error_place([&] { make_chain(world, good, {.first_body = {7, 1}}); }), "body");
    EXPECT_EQ(world.body_count(), 0u);
}

} // namespace
} // namespace scree::test
