// SPDX-License-Identifier: MIT
// version1_test.cpp — recordings of format version 1 still play: what they hold becomes an appearance and frames.

#include "record/format.h"
#include "scree/recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

using namespace scree;

namespace {

std::string recorded(const std::string& name) {
    return (std::filesystem::path(SCREE_SOURCE_DIR) / "tests/record/data" / name).string();
}

} // namespace

TEST(RecordingVersion1, BodiesOfParticlesAndObstacles) {
    if (!record::has_zstd()) GTEST_SKIP() << "this build has no zstd";
    RecordingReader reader(recorded("v1-obstacles.rec"));
    EXPECT_EQ(reader.version(), 1u);
    EXPECT_EQ(reader.header().scene, "obstacles");
    EXPECT_EQ(reader.header().kind, "granular");
    EXPECT_EQ(reader.header().scene_text, "");
    EXPECT_EQ(reader.commands(), "");
    EXPECT_TRUE(reader.check().empty());
    ASSERT_EQ(reader.frame_count(), 11u);
    EXPECT_EQ(reader.info(10).state_hash, 0xa65194cb28ddfa53u);

    const Frame frame = reader.read(5);
    EXPECT_EQ(frame.step, 50u);
    EXPECT_EQ(frame.appearance, reader.read(10).appearance);
    const Appearance& look = *frame.appearance;
    EXPECT_EQ(look.scene, "obstacles");
    EXPECT_EQ(look.body_count, 48u);
    ASSERT_EQ(look.bodies.size(), 53u);
    ASSERT_EQ(frame.size(), 53u);
    EXPECT_EQ(look.shapes[look.bodies[0].shape].particles.size(), 27u);
    EXPECT_EQ(frame.pose(0).position, (Vec3{-3.2425704f, 4.68447304f, -3.24988365f}));
    Quat turned;
    turned.s = 0.369099826f, turned.x = 0.464340776f, turned.y = -0.194419533f, turned.z = -0.78125155f;
    EXPECT_EQ(frame.pose(0).rotation, turned);
    // a slope, a box, a sphere, a driven box and a free box
    const auto obstacle = [&](std::size_t i) {
        return look.shapes[look.bodies[48 + i].shape].parts[0].geometry;
    };
    EXPECT_TRUE(std::holds_alternative<Plane>(obstacle(0)));
    EXPECT_TRUE(std::holds_alternative<Box>(obstacle(1)));
    EXPECT_TRUE(std::holds_alternative<Sphere>(obstacle(2)));
    EXPECT_EQ(look.bodies[48].type, BodyType::fixed);
    EXPECT_EQ(look.bodies[51].type, BodyType::kinematic);
    EXPECT_EQ(look.bodies[52].type, BodyType::dynamic);
    EXPECT_NE(frame.pose(51).position, reader.read(0).pose(51).position); // it is driven
    EXPECT_LT(look.low.x, look.high.x);
}

TEST(RecordingVersion1, RigidBodiesAreBoxesAndPlanes) {
    if (!record::has_zstd()) GTEST_SKIP() << "this build has no zstd";
    RecordingReader reader(recorded("v1-stack-10.rec"));
    EXPECT_EQ(reader.header().kind, "rigid");
    ASSERT_EQ(reader.frame_count(), 11u);
    const Frame last = reader.read(10);
    const Appearance& look = *last.appearance;
    EXPECT_EQ(look.body_count, look.bodies.size());
    std::size_t boxes = 0, planes = 0;
    for (const AppearanceBody& body : look.bodies) {
        const AppearanceShape& shape = look.shapes[body.shape];
        ASSERT_EQ(shape.parts.size(), 1u);
        boxes += std::holds_alternative<Box>(shape.parts[0].geometry);
        planes += std::holds_alternative<Plane>(shape.parts[0].geometry);
        EXPECT_EQ(std::isinf(shape.reach), body.type == BodyType::fixed);
    }
    EXPECT_EQ(boxes, 10u);
    EXPECT_EQ(planes, 1u);
}
