// SPDX-License-Identifier: MIT
// shared_vertices_test.cpp — sheets that are drawn from what their world's device computed.
#include "device/device.h"
#include "device/gles/egl.h"
#include "render/stage.h"
#include "scree/cloth.h"
#include "scree/error.h"
#include "scree/granular.h"
#include "scree/shared_poses.h"
#include "support/host_memory.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace scree::render {
namespace {

using testing::frame_of;
using testing::looking;
using testing::Stage;

/// Two sheets that fall over a ball.
ClothWorld draped(const Place& place, int steps) {
    ClothWorld world(
        {.model = ClothModel::position_based, .width = 4, .length = 4, .edges_x = 24, .edges_z = 20}, place);
    world.add_sheet({.position = {0, 3, 0}});
    world.add_sheet({.position = {1, 5, 1}});
    world.add_collider({.kind = ClothCollider::Kind::sphere, .position = {0, 1, 0}, .size = {1, 1, 1}});
    world.step(steps);
    return world;
}

bool same(Vec3 a, Vec3 b) {
    return std::bit_cast<std::array<std::uint32_t, 3>>(a) == std::bit_cast<std::array<std::uint32_t, 3>>(b);
}

TEST(SharedVertices, AreThePositionsAndNormalsBitByBit) {
    ClothWorld world = draped("cpu", 60);
    const std::uint32_t count = world.vertex_count(), room = count + 5;
    test::HostMemory memory(32 * std::size_t{room});
    SharedVertices to{&memory, room};
    world.write_vertices(to);
    const auto positions = world.positions();
    const auto normals = world.normals();
    const auto at = [&](std::size_t quad) {
        const std::uint32_t* words = memory.words() + 4 * quad;
        return Vec3{std::bit_cast<float>(words[0]), std::bit_cast<float>(words[1]),
                    std::bit_cast<float>(words[2])};
    };
    for (std::size_t v = 0; v < count; ++v) {
        EXPECT_TRUE(same(at(v), positions[v])) << v;
        EXPECT_TRUE(same(at(room + v), normals[v])) << v;
    }
}

TEST(SharedVertices, ExtentsAreThoseOfAllVerticesOnEveryDevice) {
    for (const char* device : {"cpu", "cpu:kernels", "opencl", "gles"}) {
        const auto all = list_devices();
        if (std::none_of(all.begin(), all.end(),
                         [&](const DeviceReport& d) { return d.available && d.name.starts_with(device); }))
            continue;
        SCOPED_TRACE(device);
        ClothWorld world = draped(device, 40);
        const auto extents = world.extents();
        ASSERT_EQ(extents.size(), 2u);
        const auto positions = world.positions();
        const std::size_t each = positions.size() / 2;
        for (std::size_t k = 0; k < 2; ++k) {
            Bounds bounds;
            for (const Vec3& x : positions.subspan(k * each, each)) bounds.add(x);
            EXPECT_EQ(extents[k][0], bounds.low);
            EXPECT_EQ(extents[k][1], bounds.high);
        }
    }
}

TEST(SharedVertices, AreNoLongerThoseOfAFrameThatShowsAnotherWorld) {
    ClothWorld sheets = draped("cpu", 1);
    test::HostMemory memory(32 * std::size_t{sheets.vertex_count()});
    SharedVertices to{&memory, sheets.vertex_count()};
    Frame frame;
    show(sheets, frame);
    EXPECT_FALSE(frame.normals.empty());
    show_shared(sheets, to, frame);
    EXPECT_TRUE(frame.vertices_shared);
    GranularWorld grains({});
    show(grains, frame);
    EXPECT_FALSE(frame.vertices_shared);
    EXPECT_TRUE(frame.vertices.empty() && frame.normals.empty());
    frame.shared = true; // as show_shared(grains, …) leaves it
    show(sheets, frame);
    EXPECT_FALSE(frame.shared);
    frame.shared = true;
    show_shared(sheets, to, frame);
    EXPECT_FALSE(frame.shared);
}

struct OnGles : ::testing::Test {
    OnGles() : stage(200, 120, GlChoice::gles), place({.device = "gles", .share_graphics = true}) {}
    Stage stage;
    Place place;
};

TEST_F(OnGles, APictureOfSharedVerticesIsThatOfCopiedOnesAndTheyDoNotPassTheHost) {
    ClothWorld world = draped(place, 5);
    EXPECT_TRUE(may_share(world));
    WorldModel model(stage.renderer);
    Frame frame = frame_of(world);
    model.update(frame);
    const Camera camera = looking({6, 5, 8}, {0, 2, 0});
    const Image start = stage.picture(camera);
    for (int round = 0; round < 2; ++round) {
        world.step(25);
        SharedVertices* to = model.share_vertices();
        ASSERT_NE(to, nullptr);
        const DeviceTraffic before = world.device().traffic();
        show_shared(world, *to, frame);
        EXPECT_TRUE(frame.vertices_shared);
        EXPECT_LE(world.device().traffic().downloaded - before.downloaded,
                  2u * 2 * 16); // two corners a sheet
        EXPECT_EQ(world.device().traffic().uploaded, before.uploaded);
        model.update(frame);
        const Image shared = stage.picture(camera);
        EXPECT_EQ(stage.renderer.counters().all.shared, 32u * world.vertex_count());
        const Bounds bounds = model.bounds();
        const std::uint64_t uploaded = stage.renderer.counters().all.uploaded;
        // new meshes are uploaded with all others: what the device wrote must not be lost
        stage.renderer.meshes().add(meshes::sphere(round));
        EXPECT_EQ(difference(shared, stage.picture(camera)).largest, 0);
        Frame copy = frame;
        show(world, copy);
        model.update(copy);
        const Image copied = stage.picture(camera);
        EXPECT_EQ(stage.renderer.counters().all.shared, 0u);
        if (round == 0) { // with where vertices began, of twelve bytes each
            EXPECT_LT(uploaded + 50u * world.vertex_count(), stage.renderer.counters().all.uploaded);
        }
        EXPECT_LE(difference(shared, copied).largest, 1);
        EXPECT_GT(difference(shared, start).largest, 20); // it moved
        EXPECT_EQ(bounds.low, model.bounds().low);
        EXPECT_EQ(bounds.high, model.bounds().high);
    }
}

TEST_F(OnGles, MemoryOfAModelThatIsGoneIsNotUsed) {
    const ClothWorld world = draped(place, 5);
    const Camera camera = looking({6, 5, 8}, {0, 2, 0});
    {
        WorldModel model(stage.renderer);
        Frame frame = frame_of(world);
        model.update(frame);
        SharedVertices* to = model.share_vertices();
        ASSERT_NE(to, nullptr);
        show_shared(world, *to, frame);
        model.update(frame);
        stage.picture(camera);
        EXPECT_GT(stage.renderer.counters().all.shared, 0u);
    }
    stage.renderer.meshes().add(meshes::sphere(0)); // all meshes are uploaded
    stage.picture(camera);
    EXPECT_EQ(stage.renderer.counters().all.shared, 0u);
}

TEST_F(OnGles, WhatCannotBeSharedIsRefusedWithTheReason) {
    ClothWorld world = draped(place, 1), apart = draped("gles", 1);
    Frame frame = frame_of(world);
    WorldModel model(stage.renderer);
    model.update(frame);
    SharedVertices* to = model.share_vertices();
    ASSERT_NE(to, nullptr);
    EXPECT_FALSE(may_share(apart));
    const auto shown = [&](const ClothWorld& which, SharedVertices where) {
        return test::error_message([&] { show_shared(which, where, frame); });
    };
    EXPECT_NE(shown(apart, *to).find("share_graphics"), std::string::npos);
    SharedVertices few{to->memory, world.vertex_count() - 1};
    EXPECT_NE(shown(world, few).find("room for"), std::string::npos);
    EXPECT_FALSE(frame.vertices_shared);
    // a frame of another appearance
    show_shared(world, *to, frame);
    frame.appearance = std::make_shared<Appearance>(appearance_of(world));
    EXPECT_THROW(model.update(frame), Error);
}

TEST_F(OnGles, MemoryOfARendererThatSharesNothingIsRefused) {
    const ClothWorld world = draped(place, 5);
    const egl::Handle own = egl::current_gles();
    const Camera camera = looking({6, 5, 8}, {0, 2, 0});
    const auto drawn = [&](Stage& with, WorldModel& model, Frame& frame) {
        model.update(frame);
        with.picture(camera);
        return model.share_vertices();
    };
    WorldModel model(stage.renderer);
    Frame frame = frame_of(world);
    SharedVertices* to = drawn(stage, model, frame);
    ASSERT_NE(to, nullptr);
    show_shared(world, *to, frame);
    {
        Stage other(200, 120, GlChoice::gles);
        WorldModel seen(other.renderer);
        Frame elsewhere = frame_of(world);
        SharedVertices* wrong = drawn(other, seen, elsewhere);
        ASSERT_NE(wrong, nullptr);
        const std::string message = test::error_message([&] { show_shared(world, *wrong, elsewhere); });
        EXPECT_NE(message.find("share_graphics"), std::string::npos) << message;
        EXPECT_FALSE(elsewhere.vertices_shared);
    }
    ASSERT_TRUE(egl::make_current(own));
    EXPECT_NO_THROW(show_shared(world, *to, frame));
}

TEST(SharePlace, NeedsAContextOfOpenGlEsThatIsCurrent) {
    const auto opened = [](const char* device) {
        return test::error_message([&] { Place({.device = device, .share_graphics = true}); });
    };
    EXPECT_NE(opened("gles").find("no context of OpenGL ES is current"), std::string::npos);
    EXPECT_NE(opened("cpu").find("expected device \"gles\""), std::string::npos);
    EXPECT_NE(opened("auto").find("expected device \"gles\""), std::string::npos);
    const HeadlessContext desktop(GlChoice::gl);
    EXPECT_NE(opened("gles").find("no context of OpenGL ES is current"), std::string::npos);
}

} // namespace
} // namespace scree::render
