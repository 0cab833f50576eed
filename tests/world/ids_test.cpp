// SPDX-License-Identifier: MIT
// ids_test.cpp — an id names the thing it was given for, or nothing.
#include "scree/world.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <set>

namespace scree::test {
namespace {

TEST(WorldIds, AnIdOfADestroyedBodyIsRefusedAndSaysSo) {
    World world;
    const BodyId body = world.create_body();
    world.destroy(body);
    const Refusal refused = refusal([&] { world.state(body); });
    EXPECT_EQ(refused.where, "body");
    EXPECT_TRUE(contains(refused.what, "body 1 of generation 1 was destroyed")) << refused.what;
}

TEST(WorldIds, TheNextBodyInASlotIsNotNamedByTheOldId) {
    World world;
    const BodyId first = world.create_body();
    world.destroy(first);
    const BodyId second = world.create_body();
    EXPECT_EQ(second.index, first.index);
    EXPECT_FALSE(world.alive(first));
    EXPECT_TRUE(world.alive(second));
    EXPECT_EQ(refusal([&] { world.wake(first); }).where, "body");
    EXPECT_NO_THROW(world.wake(second));
}

TEST(WorldIds, DefaultIdsAreRefused) {
    World world;
    EXPECT_TRUE(contains(refusal([&] { world.state(BodyId{}); }).what, "never given"));
    EXPECT_EQ(refusal([&] { world.definition(ShapeId{}); }).where, "shape");
    EXPECT_EQ(refusal([&] { world.error(JointId{}); }).where, "joint");
    EXPECT_FALSE(world.alive(BodyId{}));
    EXPECT_FALSE(world.alive(ShapeId{}));
    EXPECT_FALSE(world.alive(JointId{}));
}

TEST(WorldIds, IndicesBeyondTheEndAreRefused) {
    World world;
    const BodyId body = world.create_body();
    const Refusal refused = refusal([&] { world.state(BodyId{77, body.generation}); });
    EXPECT_TRUE(contains(refused.what, "body 77 of generation 1 does not exist")) << refused.what;
}

TEST(WorldIds, BodyZeroIsTheWorldAndCannotBeUsed) {
    World world;
    const BodyId body = world.create_body();
    for (const std::uint32_t generation : {0u, 1u, body.generation, body.generation - 1}) {
        const BodyId zero{0, generation};
        EXPECT_FALSE(world.alive(zero));
        EXPECT_TRUE(contains(refusal([&] { world.destroy(zero); }).what, "the world itself"));
        EXPECT_EQ(refusal([&] { world.attach(zero, Sphere{}); }).where, "body");
        EXPECT_EQ(refusal([&] { world.create_joint({.first = zero}); }).where, "first");
    }
}

TEST(WorldIds, IdsOfAnotherWorldAreRefused) {
    World here, there;
    here.create_body();
    const BodyId foreign = there.create_body();
    const ShapeId shape = there.attach(foreign, Sphere{});
    const JointId joint = there.create_joint({.first = foreign});
    EXPECT_TRUE(contains(refusal([&] { here.state(foreign); }).what, "belongs to another world"));
    EXPECT_EQ(refusal([&] { here.attach(foreign, Sphere{}); }).where, "body");
    EXPECT_EQ(refusal([&] { here.set_filter(shape, {}); }).where, "shape");
    EXPECT_EQ(refusal([&] { here.destroy(joint); }).where, "joint");
    EXPECT_EQ(refusal([&] { here.create_joint({.first = foreign}); }).where, "first");
    EXPECT_FALSE(here.alive(foreign));
    EXPECT_EQ(here.body_count(), 1u);
    EXPECT_EQ(here.shape_count(), 0u);
}

TEST(WorldIds, ShapesAndJointsEndWithTheirBody) {
    World world;
    const BodyId a = world.create_body(), b = world.create_body({.position = {5, 0, 0}});
    const ShapeId shape = world.attach(a, Sphere{}), other = world.attach(b, Sphere{});
    const JointId joint = world.create_joint({.first = a, .second = b});
    world.destroy(a);
    EXPECT_FALSE(world.alive(shape));
    EXPECT_FALSE(world.alive(joint));
    EXPECT_TRUE(world.alive(other));
    EXPECT_TRUE(contains(refusal([&] { world.destroy(shape); }).what, "was destroyed"));
    EXPECT_TRUE(contains(refusal([&] { world.destroy(joint); }).what, "was destroyed"));
    EXPECT_EQ(world.body_count(), 1u);
    EXPECT_EQ(world.shape_count(), 1u);
    EXPECT_EQ(world.joint_count(), 0u);
}

TEST(WorldIds, ThousandsOfLivesInOneSlotAreAllDifferent) {
    World world;
    std::set<std::uint32_t> generations;
    for (int k = 0; k < 5000; ++k) {
        const BodyId body = world.create_body();
        EXPECT_EQ(body.index, 1u);
        generations.insert(body.generation);
        world.destroy(body);
    }
    EXPECT_EQ(generations.size(), 5000u);
    EXPECT_EQ(world.body_count(), 0u);
}

TEST(WorldIds, BodiesAreListedInOrderOfIndex) {
    World world;
    const BodyId a = world.create_body(), b = world.create_body(), c = world.create_body();
    world.destroy(a);
    world.destroy(b);
    const BodyId d = world.create_body(), e = world.create_body();
    EXPECT_EQ(d.index, b.index); // the slot freed last is taken first
    EXPECT_EQ(world.bodies(), (std::vector<BodyId>{e, d, c}));
}

TEST(WorldIds, ShapesOfABodyAreListedInTheOrderTheyCame) {
    World world;
    const BodyId body = world.create_body();
    const ShapeId a = world.attach(body, Sphere{}), b = world.attach(body, Box{}),
                  c = world.attach(body, Cone{});
    world.destroy(b);
    const ShapeId d = world.attach(body, Cylinder{});
    EXPECT_EQ(world.shapes(body), (std::vector<ShapeId>{a, c, d}));
    EXPECT_EQ(world.body(d), body);
    EXPECT_TRUE(std::holds_alternative<Cylinder>(world.geometry(d)));
}

} // namespace
} // namespace scree::test
