// SPDX-License-Identifier: MIT
// gpu_culling_test.cpp — poses that a world's device wrote and culling on the GPU give the picture of copied poses and the CPU.
#include "render/recording_backend.h"
#include "render/stand.h"
#include "scene/run.h"
#include "scree/error.h"
#include "scree/scene.h"
#include "scree/shared_poses.h"
#include "scree/warning.h"
#include "support/host_memory.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace scree::render {
namespace {

using test::HostMemory;
using test::room_for;
using testing::frame_of;
using testing::Stage;

template <class AnyWorld>
void expect_shown(const AnyWorld& world) {
    Frame frame = frame_of(world);
    HostMemory memory(36 * 64);
    SharedPoses to = room_for(memory, 64, frame.size());
    for (int again = 0; again < 2; ++again) {
        memory = HostMemory(36 * 64);
        show_shared(world, to, frame);
        EXPECT_TRUE(frame.shared);
        const std::uint32_t* words = memory.words();
        EXPECT_EQ(std::memcmp(words, frame.positions.data(), 4 * frame.positions.size()), 0);
        EXPECT_EQ(
            std::memcmp(words + std::size_t{4 * 64}, frame.rotations.data(), 4 * frame.rotations.size()), 0);
        for (std::uint32_t b = 0; b < frame.size(); ++b)
            EXPECT_EQ(words[8 * 64 + b], frame.has(b, Frame::asleep) ? ~(b + 1) : b + 1) << b;
    }
    show(world, frame);
    EXPECT_FALSE(frame.shared);
}

/// Bodies off their centres of mass that fall, one that sleeps, one that is gone, and a fixed one.
World pile(const char* device) {
    World world({}, Place(device));
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Box{20, 0.5f, 20});
    for (int i = 0; i < 12; ++i) {
        const BodyId body =
            world.create_body({.position = {0.3f * static_cast<float>(i), 2.0f + static_cast<float>(i), 0},
                               .rotation = {.y = 0.6f, .s = 0.8f},
                               .angular_velocity = {1, 2, 3}});
        world.attach(body, Box{0.3f, 0.2f, 0.4f});
        world.attach(body, Sphere{0.2f}, {.position = {0.5f, 0.3f, 0}});
        if (i == 5) world.destroy(body);
    }
    world.attach(world.create_body({.position = {-8, 0.8f, 0}, .awake = false}), Box{0.3f, 0.3f, 0.3f});
    for (int i = 0; i < 20; ++i) world.step(1 / 60.0f);
    return world;
}

TEST(SharedPoses, ADeviceWritesThemBitByBitAsTheHostShowsThem) {
    expect_shown(pile("cpu:kernels"));
    GranularWorld grains({});
    const auto cube = grains.add_shape(shapes::cube(0.2f));
    for (int i = 0; i < 7; ++i)
        grains.create_body(
            {.shape = cube, .position = {static_cast<float>(i % 3), 1 + static_cast<float>(i), 0}});
    grains.add_obstacle({.position = {2, 0, 2}});
    grains.step(20);
    expect_shown(grains);
}

TEST(SharedPoses, WhatCannotBeSharedIsRefusedWithTheReason) {
    const auto refused = [](const World& world, SharedPoses& to) -> std::string {
        Frame frame = frame_of(world);
        try {
            show_shared(world, to, frame);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const World here = pile("cpu"), there = pile("cpu:kernels");
    HostMemory memory(36 * 64), none(0);
    SharedPoses good = room_for(memory, 64, 13), few = room_for(memory, 64, 12),
                no_memory = room_for(none, 64, 13);
    EXPECT_FALSE(may_share(here));
    EXPECT_TRUE(may_share(there));
    EXPECT_NE(refused(here, good).find("host's memory"), std::string::npos);
    EXPECT_NE(refused(there, few).find("12 bodies"), std::string::npos) << refused(there, few);
    EXPECT_NE(refused(there, no_memory).find("OpenGL"), std::string::npos);
    EXPECT_EQ(refused(there, good), "");
}

TEST(GpuCulling, PicturesAreThoseOfTheCpuOnBuiltinScenes) {
    for (const char* name :
         {"mixed-shapes", "funnel-100", "pyramid-40", "cloth-flag", "obstacles", "castle"}) {
        SCOPED_TRACE(name);
        Stage stage(112, 63);
        if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
        WorldModel model(stage.renderer);
        Frame frame;
        const auto run = start_scene(find_scene(name), Place());
        run->step(5);
        run->show(frame);
        model.update(frame);
        model.light(stage.settings.sky);
        const Camera all = framing(model.bounds(), 16 / 9.0f);
        Camera near = all; // from inside: much is outside the view and the first cascades
        near.eye = all.eye + (all.target - all.eye) * 0.8f;
        for (const Camera& camera : {all, near}) {
            stage.renderer.choose(Culling::cpu);
            const Image cpu = stage.picture(camera);
            const FrameCounters before = stage.renderer.counters();
            stage.renderer.choose(Culling::gpu);
            const Image gpu = stage.picture(camera);
            EXPECT_FALSE(before.on_gpu);
            EXPECT_TRUE(stage.renderer.counters().on_gpu);
            EXPECT_LE(difference(cpu, gpu).largest, 1);
            // how many it saw is read with the next poses
            model.update(frame);
            stage.renderer.measure_bounds();
            stage.settings.sun_shadows = stage.settings.ambient_occlusion = false;
            stage.picture(camera);
            stage.settings.sun_shadows = stage.settings.ambient_occlusion = true;
            EXPECT_EQ(stage.renderer.counters().visible, before.visible);
        }
    }
}

/// Computes nothing, and has no memory left for storage after so many buffers. What is shared lies in memory of the host.
class ScarceBackend : public RecordingBackend {
public:
    explicit ScarceBackend(int buffers, bool readable = true) : left_(buffers), readable_(readable) {}
    bool computes() const override { return true; }
    std::unique_ptr<GraphicsBuffer> create_shared(std::size_t bytes) override {
        return std::make_unique<HostMemory>(bytes);
    }

private:
    bool do_read_shared(const GraphicsBuffer& from, std::span<std::byte> to) override {
        if (readable_) std::memcpy(to.data(), dynamic_cast<const HostMemory&>(from).words(), to.size());
        return readable_;
    }
    BufferId do_create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data) override {
        if (kind == BufferKind::storage && left_-- <= 0) throw Error("there is no memory for a buffer");
        return RecordingBackend::do_create_buffer(kind, bytes, data);
    }
    int left_;
    bool readable_;
};

TEST(GpuCulling, WithoutMemoryForItTheCpuCullsAndAWarningSaysSo) {
    const Frame frame = frame_of(pile("cpu"));
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    const auto draws = [&](int buffers, Culling culling, bool& on_gpu) {
        ScarceBackend backend(buffers);
        Renderer renderer(backend);
        renderer.choose(culling);
        WorldModel model(renderer);
        model.update(frame);
        std::vector<std::uint32_t> counts; // of the second picture: all cascades are kept
        for (int again = 0; again < 2; ++again) {
            backend.forget();
            renderer.draw(testing::looking({6, 9, 14}), {}, {}, 320, 180);
        }
        for (const RecordingBackend::Call& call : backend.calls())
            if (call.kind == RecordingBackend::Call::Kind::draw)
                counts.insert(counts.end(), {call.range.first, call.range.count, call.range.instances});
        on_gpu = renderer.counters().on_gpu;
        EXPECT_EQ(renderer.may_cull_on_gpu(), on_gpu || culling == Culling::cpu);
        EXPECT_EQ(model.share() != nullptr, on_gpu || culling == Culling::cpu);
        return counts;
    };
    bool on_gpu = true;
    const std::vector<std::uint32_t> expected = draws(0, Culling::cpu, on_gpu);
    EXPECT_FALSE(on_gpu);
    for (int buffers = 0; buffers < 13; ++buffers) {
        SCOPED_TRACE(buffers);
        warnings.clear();
        EXPECT_EQ(draws(buffers, Culling::gpu, on_gpu), expected);
        EXPECT_FALSE(on_gpu);
        EXPECT_EQ(warnings, std::vector<std::string>{"the CPU finds what is seen, since the GPU cannot: "
                                                     "there is no memory for a buffer"});
    }
    draws(13, Culling::gpu, on_gpu);
    EXPECT_TRUE(on_gpu);
    set_warning_handler({});
}

TEST(GpuCulling, WithoutMemoryForItSharedPosesAreCopiedAndAWarningSaysSo) {
    World world = pile("cpu:kernels");
    const Frame start = frame_of(world);
    for (int i = 0; i < 40; ++i) world.step(1 / 60.0f);
    const Frame end = frame_of(world);
    ASSERT_NE(start.positions, end.positions);
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    const Camera camera = testing::looking({6, 9, 14}, {2, 3, 0});
    for (int buffers = 0; buffers < 13; ++buffers) {
        SCOPED_TRACE(buffers);
        warnings.clear();
        ScarceBackend backend(buffers);
        Renderer renderer(backend);
        WorldModel model(renderer);
        model.update(start);
        SharedPoses* to = model.share();
        ASSERT_NE(to, nullptr);
        for (int again = 0; again < 2; ++again) { // the second time by who does not ask share() again
            Frame frame = start;
            show_shared(world, *to, frame);
            model.update(frame);
            if (buffers % 2) renderer.measure_bounds();
            renderer.draw(camera, {}, {}, 320, 180);
            EXPECT_FALSE(renderer.counters().shared);
            EXPECT_FALSE(renderer.counters().on_gpu);
            EXPECT_EQ(model.share(), nullptr);
            const InstanceStore& drawn = renderer.instances();
            for (std::uint32_t b = 0; b < end.size(); ++b)
                for (std::size_t i = 0; i < 4; ++i) {
                    EXPECT_EQ(drawn.place(b)[i], end.positions[4 * b + i]) << b;
                    EXPECT_EQ(drawn.turn(b)[i], end.rotations[4 * b + i]) << b;
                }
        }
        model.update(start); // copied by the world
        renderer.draw(camera, {}, {}, 320, 180);
        EXPECT_EQ(renderer.instances().place(0), start.positions.data());
        EXPECT_EQ(warnings,
                  std::vector<std::string>{"the CPU finds what is seen, since the GPU cannot, and poses are "
                                           "copied through the host: there is no memory for a buffer"});
    }
    set_warning_handler({});
    // what cannot be read back is an error, not a wrong picture
    ScarceBackend backend(2, false);
    Renderer renderer(backend);
    WorldModel model(renderer);
    Frame frame = start;
    model.update(frame);
    show_shared(world, *model.share(), frame);
    model.update(frame);
    EXPECT_THROW(renderer.draw(camera, {}, {}, 320, 180), Error);
}

TEST(GpuCulling, PosesThatAreFetchedGiveThePictureOfCopiedOnes) {
    Stage stage(160, 90);
    if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
    World world = pile("cpu:kernels");
    WorldModel model(stage.renderer);
    Frame frame = frame_of(world);
    model.update(frame);
    const Camera camera = framing(model.bounds(), 16 / 9.0f);
    const Image before = stage.picture(camera);
    for (int i = 0; i < 15; ++i) world.step(1 / 60.0f);
    SharedPoses* to = model.share();
    ASSERT_NE(to, nullptr);
    show_shared(world, *to, frame);
    model.update(frame);
    ASSERT_TRUE(stage.renderer.instances().fetch_shared());
    const Image fetched = stage.picture(camera);
    EXPECT_FALSE(stage.renderer.counters().shared);
    EXPECT_GT(difference(before, fetched).largest, 20);
    show(world, frame);
    model.update(frame);
    EXPECT_EQ(difference(fetched, stage.picture(camera)).largest, 0);
}

TEST(GpuCulling, APictureOfSharedPosesIsThatOfCopiedOnes) {
    Stage stage(160, 90);
    if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
    World world = pile("cpu:kernels");
    WorldModel model(stage.renderer);
    Frame frame = frame_of(world);
    model.update(frame);
    const Camera camera = framing(model.bounds(), 16 / 9.0f);
    for (int i = 0; i < 15; ++i) world.step(1 / 60.0f);
    SharedPoses* to = model.share();
    ASSERT_NE(to, nullptr);
    show_shared(world, *to, frame);
    model.update(frame);
    const Image shared = stage.picture(camera);
    const FrameCounters counters = stage.renderer.counters();
    EXPECT_TRUE(counters.shared && counters.on_gpu);
    EXPECT_GE(counters.all.shared, 36u * 13);
    show(world, frame);
    model.update(frame);
    const Image copied = stage.picture(camera);
    EXPECT_FALSE(stage.renderer.counters().shared);
    EXPECT_LE(difference(shared, copied).largest, 1);
    // and they moved
    const Frame start = frame_of(pile("cpu:kernels"));
    model.update(start);
    EXPECT_GT(difference(shared, stage.picture(camera)).largest, 20);
}

TEST(GpuCulling, OfTwoThingsAtOnePlaceTheOneIsSeenThatTheCpuDrawsFirst) {
    Stage stage(96, 54);
    if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
    // a crowd, which may be hidden, and after it a single box that is where one of the crowd is
    GeometryNode crowd;
    crowd.mesh = stage.renderer.box_mesh();
    crowd.instanced = true;
    InstanceStore& instances = stage.renderer.instances();
    for (int i = 0; i < 80; ++i) {
        Record record;
        record.pose = instances.add_pose(
            {{1.5f * static_cast<float>(i % 10), 0, -1.5f * static_cast<float>(i / 10)}, {}, 1});
        record.size = {0.5f, 0.5f, 0.5f};
        record.material.colour = testing::red;
        crowd.records.push_back(instances.add_record(record));
    }
    stage.renderer.description().add_geometry({}, crowd);
    stage.thing(stage.material(testing::green), stage.renderer.box_mesh(), {0.5f, 0.5f, 0.5f},
                {{6, 0, 0}, {}, 1});
    const Camera camera = testing::looking({6, 2, 4}, {6, 0, 0});
    stage.renderer.choose(Culling::cpu);
    const Image cpu = stage.picture(camera);
    EXPECT_TRUE(testing::is_red(cpu, {48, 27}));
    stage.renderer.choose(Culling::gpu);
    for (int again = 0; again < 2; ++again)
        EXPECT_LE(difference(cpu, stage.picture(camera)).largest, 1) << again;
}

/// Walls of boxes around lights that cast shadows, balls, a pane of glass, and crowds of which much is hidden.
Frame room_frame(bool sun) {
    World world;
    const auto wall = [&](Vec3 at, Vec3 half) {
        world.attach(world.create_body({.type = BodyType::fixed, .position = at}),
                     Box{half.x, half.y, half.z});
    };
    wall({0, -0.1f, 0}, {5, 0.1f, 4});
    wall({-5, 1.5f, 0}, {0.1f, 1.5f, 4});
    wall({0, 1.5f, -4}, {5, 1.5f, 0.1f});
    wall({2, 1.5f, 1}, {0.1f, 1.5f, 1.5f});
    wall({-1, 1, 2}, {0.8f, 0.7f, 0.01f});
    for (int i = 0; i < 200; ++i) {
        const BodyId body = world.create_body(
            {.position = {0.4f * static_cast<float>(i % 10) - 4, 0.2f + 0.4f * static_cast<float>(i / 50),
                          0.4f * static_cast<float>(i / 10 % 5) - 3},
             .rotation = normalized(Quat{0.1f * static_cast<float>(i % 5), 0.05f, 0, 1})});
        if (i % 3) world.attach(body, Box{0.18f, 0.18f, 0.18f});
        else world.attach(body, Sphere{0.19f});
    }
    Frame frame = frame_of(world);
    auto look = std::make_shared<Appearance>(*frame.appearance);
    if (sun) look->lights.push_back({.direction = {0.3f, 1, 0.2f}});
    for (const Vec3 at : {Vec3{-2.5f, 2, 1}, Vec3{3.5f, 1.2f, 0}})
        look->lights.push_back({.position = at, .colour = {1, 0.9f, 0.7f}, .intensity = 2, .range = 9});
    frame.appearance = look;
    return frame;
}

TEST(GpuCulling, PicturesOfARoomWithLampsAreThoseOfTheCpu) {
    for (const bool sun : {true, false})
        for (const Visibility visibility : {Visibility::portals, Visibility::none}) {
            Stage stage(160, 90);
            if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
            const Frame frame = room_frame(sun);
            WorldModel model(stage.renderer);
            model.update(frame);
            model.light(stage.settings.sky);
            stage.settings.visibility = visibility;
            for (const Vec3 eye : {Vec3{7, 6, 9}, {4.5f, 1.4f, 3}, {-4.5f, 2.5f, -3.5f}}) {
                const auto drawn = [&](Culling culling) {
                    stage.renderer.choose(culling);
                    Camera camera = testing::looking(eye, {-1, 0.5f, 0});
                    fit_planes(camera, stage.renderer.measure_bounds());
                    const Image image = stage.picture(camera);
                    EXPECT_EQ(stage.renderer.counters().on_gpu, culling == Culling::gpu);
                    return image;
                };
                const Image cpu = drawn(Culling::cpu);
                for (int again = 0; again < 2; ++again)
                    EXPECT_LE(difference(cpu, drawn(Culling::gpu)).largest, 1) << eye.x << " " << again;
            }
        }
}

/// Boxes in ten layers, each turned a little.
World heap() {
    World world;
    for (int i = 0; i < 24 * 24 * 10; ++i) {
        const auto at = [](int k) { return 1.05f * static_cast<float>(k); };
        const auto turn = 0.02f * static_cast<float>(i * 7 % 11 - 5);
        const BodyId body =
            world.create_body({.position = {at(i % 24) - 12, at(i / 576) + 0.5f, at(i / 24 % 24) - 12},
                               .rotation = normalized(Quat{turn, 2 * turn, -turn, 1}),
                               .awake = false});
        world.attach(body, Box{0.5f, 0.5f, 0.5f});
    }
    return world;
}

TEST(GpuCulling, WhatIsHiddenIsNotDrawnAndThePictureIsTheSame) {
    Stage stage(240, 136);
    if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
    const World world = heap();
    Frame frame = frame_of(world);
    WorldModel model(stage.renderer);
    stage.backend->count_indirect(true);
    const auto drawn = [&](const Camera& camera, Culling culling) {
        stage.renderer.choose(culling);
        model.update(frame);
        const Image image = stage.picture(camera);
        EXPECT_EQ(stage.renderer.counters().on_gpu, culling == Culling::gpu);
        return std::pair(image, stage.renderer.counters());
    };
    for (const int samples : {4, 1}) {
        stage.settings.samples = samples;
        for (const Vec3 eye : {Vec3{20, 18, 24}, {-24, 9, -5}, {3, 14, 1}}) {
            if (samples == 1 && eye.x < 10) continue;
            const Camera camera = testing::looking(eye);
            const auto [all, cpu] = drawn(camera, Culling::cpu);
            // at once, when others were seen from elsewhere, and then in the steady state
            EXPECT_LE(difference(all, drawn(camera, Culling::gpu).first).largest, 1);
            drawn(camera, Culling::gpu);
            const auto [seen, gpu] = drawn(camera, Culling::gpu);
            EXPECT_LE(difference(all, seen).largest, 1);
            const auto shadows = [](const FrameCounters& c) {
                return c.all.triangles - c.surfaces.triangles;
            };
            EXPECT_LT(gpu.surfaces.triangles, cpu.surfaces.triangles / 2);
            EXPECT_LT(shadows(gpu), shadows(cpu) / 2);
        }
    }
    // the top layer goes away
    for (std::size_t body = 576 * 9; body < 5760; ++body) frame.positions[4 * body + 1] -= 40;
    const Camera camera = testing::looking({20, 18, 24});
    const Image without = drawn(camera, Culling::gpu).first;
    EXPECT_LE(difference(drawn(camera, Culling::cpu).first, without).largest, 1);
}

TEST(FarBoxes, BelowAPixelArePointsOfTheirColourAndSize) {
    Stage stage(96, 54);
    World world;
    for (int i = 0; i < 900; ++i) {
        const auto at = [](int k) { return 0.9f * static_cast<float>(k) - 13; };
        const BodyId body = world.create_body({.position = {at(i % 30), 0.5f, at(i / 30)}});
        world.attach(body, Box{0.4f, 0.5f, 0.4f});
    }
    WorldModel model(stage.renderer);
    const Frame frame = frame_of(world);
    model.update(frame);
    const Camera camera = testing::looking({90, 130, 110});
    const auto seen = [&](bool lod) {
        stage.settings.lod = lod;
        return stage.picture(camera);
    };
    const Image boxes = seen(false);
    const std::uint64_t triangles = stage.renderer.counters().surfaces.triangles;
    const Image points = seen(true);
    EXPECT_GT(triangles, 900u * 40);
    EXPECT_LT(stage.renderer.counters().surfaces.triangles, 900u);
    EXPECT_LE(difference(boxes, points).mean, 2);
    // in the middle there are boxes all over
    const auto [x, y] = testing::place_of(camera, points, {});
    const auto middle = [x = x, y = y](const Image& image) {
        int sum = 0;
        for (int i = 0; i < 9; ++i) sum += testing::brightness(image, x - 1 + i % 3, y - 1 + i / 3);
        return sum / 9;
    };
    EXPECT_NEAR(middle(points), middle(boxes), 20);
}

TEST(FarShapes, OfAllKindsArePointsOfTheirColourAndSize) {
    Stage stage(96, 54);
    const std::array<Vec3, 6> corners{
        {{0.5f, 0, 0}, {-0.5f, 0, 0}, {0, 0.5f, 0}, {0, -0.5f, 0}, {0, 0, 0.5f}, {0, 0, -0.5f}}};
    const Geometry shapes[] = {Sphere{0.45f}, Capsule{0.25f, 0.25f}, Cylinder{0.4f, 0.4f}, Cone{0.5f, 0.45f},
                               Hull::from_points(corners)};
    for (const Geometry& shape : shapes) {
        SCOPED_TRACE(shape.index());
        World world;
        for (int i = 0; i < 900; ++i) {
            const auto at = [](int k) { return static_cast<float>(k) - 15; };
            const BodyId body = world.create_body(
                {.position = {at(i % 30), 0.5f, at(i / 30)},
                 .rotation = normalized(Quat{0.1f * static_cast<float>(i % 7), 0.3f, 0, 1})});
            world.attach(body, shape);
        }
        WorldModel model(stage.renderer);
        const Frame frame = frame_of(world);
        model.update(frame);
        // from where the sun is, from the side and from the other side
        for (const Vec3 eye : {Vec3{90, 130, 110}, {-120, 130, 90}, {-60, 160, -80}}) {
            const Camera camera = testing::looking(eye);
            stage.settings.lod = false;
            const Image meshes = stage.picture(camera);
            stage.settings.lod = true;
            const Image points = stage.picture(camera);
            EXPECT_GE(stage.renderer.counters().surfaces.points, 800u);
            const auto mean = [](const Image& image) {
                double sum = 0;
                for (int y = 20; y < 34; ++y)
                    for (int x = 38; x < 58; ++x) sum += testing::brightness(image, x, y);
                return sum / (14 * 20);
            };
            EXPECT_NEAR(mean(points), mean(meshes), 12);
            EXPECT_LE(difference(meshes, points).mean, 2);
        }
    }
}

TEST(Cascades, AreNotDrawnAgainWhileNothingMoves) {
    Stage stage(96, 54);
    World world = pile("cpu");
    WorldModel model(stage.renderer);
    Frame frame = frame_of(world);
    model.update(frame);
    const Camera camera = framing(model.bounds(), 16 / 9.0f);
    const Image first = stage.picture(camera);
    const std::uint64_t draws = stage.renderer.counters().all.draws;
    const Image again = stage.picture(camera);
    EXPECT_LT(stage.renderer.counters().all.draws, draws);
    EXPECT_EQ(first.rgba, again.rgba);
    for (int i = 0; i < 20; ++i) world.step(1 / 60.0f);
    show(world, frame);
    model.update(frame);
    const Image moved = stage.picture(camera);
    EXPECT_EQ(stage.renderer.counters().all.draws, draws);
    stage.settings.shadow_size = 1000; // draws them anew
    stage.picture(camera);
    stage.settings.shadow_size = 1024;
    EXPECT_EQ(moved.rgba, stage.picture(camera).rgba);
}

} // namespace
} // namespace scree::render
