// SPDX-License-Identifier: MIT
// refused_frame_test.cpp — appearances that name what their frames have not are refused.
#include "render/recording_backend.h"
#include "render/world_model.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace scree::render {
namespace {

std::string refusal(const Appearance& look, std::size_t vertices) {
    RecordingBackend backend(false);
    Renderer renderer(backend);
    WorldModel model(renderer);
    Frame frame;
    frame.appearance = std::make_shared<const Appearance>(look);
    frame.resize(look.bodies.size());
    frame.vertices.resize(vertices);
    return test::error_message([&] { model.update(frame); });
}

TEST(RefusedFrames, AreThoseWithoutTheVerticesOfLines) {
    Appearance look;
    look.ground.shown = true; // below them
    look.lines.push_back({.name = "string", .first_vertex = 1, .vertex_count = 2, .ends = {0, 1}});
    const std::string few = "string: the frame has 2 vertices; expected vertices 1 to 3";
    EXPECT_EQ(refusal(look, 2), few);
    look.lines[0].ends = {0, 2};
    EXPECT_EQ(refusal(look, 3), "string: invalid vertex 2: expected less than 2");
    look.lines[0].ends = {0, 1};
    look.lines[0].first_vertex = 0xffffffff;
    EXPECT_NE(refusal(look, 3), "no error");
}

TEST(RefusedFrames, AreThoseWithBodiesWithoutAShape) {
    Appearance look;
    look.bodies.resize(2);
    look.bodies[1].shape = 1u << 30;
    look.shapes.resize(1);
    EXPECT_EQ(refusal(look, 0), "world model: invalid shape 1073741824 of body 1: expected less than 1");
    look.bodies[1].shape = 0;
    look.body_count = 3;
    EXPECT_EQ(refusal(look, 0), "world model: invalid number 3 of the world's bodies: expected at most 2");
}

TEST(RefusedFrames, AreThoseWithoutTheBodyThatCarriesALight) {
    Appearance look;
    look.bodies.resize(1);
    look.shapes.resize(1);
    look.lights.push_back({.position = Vec3{0, 1, 0}, .body = 1});
    EXPECT_EQ(refusal(look, 0), "world model: invalid body 1 of a light: expected less than 1");
    look.lights[0].position.reset(); // the sun is carried by none
    EXPECT_EQ(refusal(look, 0), "no error");
}

} // namespace
} // namespace scree::render
