// SPDX-License-Identifier: MIT
// modes_test.cpp — tree, precached and pooled: fewer calls each, the same things drawn; instances straight from a world.
#include "render/frame_constants.h"
#include "render/recording_backend.h"
#include "render/stage.h"
#include "scene/run.h"
#include "scree/error.h"
#include "scree/scene.h"
#include "support/param_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace scree::render {
namespace {

using testing::frame_of;

struct Counted {
    std::uint64_t states = 0, draws = 0, instances = 0;
};

Counted counted(Renderer& renderer, DrawMode mode, const Camera& camera) {
    FrameSettings settings;
    settings.mode = mode;
    renderer.draw(camera, settings, {}, 320, 180);
    const BackendCounters& c = renderer.counters().surfaces;
    return {c.state_changes(), c.draws, c.instances};
}

/// The same instances, with no more changes of state and draws.
void expect_no_dearer(const Counted& a, const Counted& b) {
    EXPECT_LE(a.states, b.states);
    EXPECT_LE(a.draws, b.draws);
    EXPECT_EQ(a.instances, b.instances);
}

TEST(DrawModes, PooledNeedsNoMoreThanPrecachedAndPrecachedNoMoreThanTreeOnEveryScene) {
    for (const SceneInfo& info : builtin_scenes()) {
        SCOPED_TRACE(info.name);
        SceneOptions options = test::few_bodies(info.name);
        Scene scene = find_scene(info.name, options);
        // a crowd of grains says no more than a group
        if (scene.resizable && kind_of(scene).size(scene).items > 50000) {
            options.bodies = 1000;
            scene = find_scene(info.name, options);
        }
        RecordingBackend backend(false);
        Renderer renderer(backend);
        WorldModel model(renderer);
        Frame frame;
        start_scene(scene, Place())->show(frame);
        model.update(frame);
        const Camera camera = framing(model.bounds(), 16 / 9.0f);
        const Counted tree = counted(renderer, DrawMode::tree, camera);
        const Counted precached = counted(renderer, DrawMode::precached, camera);
        const Counted pooled = counted(renderer, DrawMode::pooled, camera);
        EXPECT_GT(pooled.draws, 0u);
        expect_no_dearer(pooled, precached);
        expect_no_dearer(precached, tree);
    }
}

/// Boxes below many techniques, some of which ask for the same states.
void add_mixed_techniques(Renderer& renderer) {
    for (int i = 0; i < 12; ++i) {
        Material material;
        material.colour = Vec3{0.1f * static_cast<float>(i % 3), 0.5f, 0.5f};
        auto t = renderer.description().add_technique({}, std::make_unique<MaterialTechnique>(material));
        if (i % 2)
            t = renderer.description().add_technique(
                t, std::make_unique<TextureTechnique>(TextureId{static_cast<std::uint32_t>(5 + i % 4)}));
        GeometryNode node;
        node.mesh = i % 5 == 0 ? renderer.sphere_mesh() : renderer.box_mesh();
        node.position = renderer.positions().add({}, {{static_cast<float>(i), 0, 0}, {}, 1});
        node.size = {0.3f, 0.3f, 0.3f};
        renderer.description().add_geometry(t, node);
    }
}

TEST(DrawModes, GroupingByStatesNeedsFewerChangesWhereTechniquesShareThem) {
    RecordingBackend backend(false);
    Renderer renderer(backend);
    add_mixed_techniques(renderer);
    const Camera camera = framing(renderer.measure_bounds(), 16 / 9.0f);
    const Counted tree = counted(renderer, DrawMode::tree, camera),
                  precached = counted(renderer, DrawMode::precached, camera),
                  pooled = counted(renderer, DrawMode::pooled, camera);
    EXPECT_EQ(renderer.counters().lists, 12u);
    EXPECT_LE(precached.states, tree.states);
    EXPECT_LT(pooled.states, precached.states);
    EXPECT_LT(pooled.draws, precached.draws);
}

TEST(DrawModes, InstancesAreTheFramesOwnArrays) {
    World world;
    for (int i = 0; i < 3; ++i) {
        const BodyId body = world.create_body(
            {.position = {static_cast<float>(i), 2, 0}, .rotation = {.y = 0.8f, .s = 0.6f}});
        world.attach(body, Box{0.3f, 0.2f, 0.1f});
        world.attach(body, Sphere{0.2f}, {.position = {0, 0.4f, 0}});
    }
    for (int i = 0; i < 20; ++i) world.step(1 / 60.0f);
    RecordingBackend backend;
    Renderer renderer(backend);
    WorldModel model(renderer, {.floor = false});
    const Frame frame = frame_of(world);
    model.update(frame);
    renderer.draw(framing(model.bounds(), 1), {}, {}, 64, 64);

    std::uint32_t positions = 0;
    for (const auto& call : backend.calls())
        if (call.kind == RecordingBackend::Call::Kind::texture && call.detail == pose_position_unit)
            positions = call.what;
    ASSERT_NE(positions, 0u);
    const auto& bytes = backend.contents(TextureId{positions});
    const auto quads = std::as_bytes(std::span(frame.positions));
    ASSERT_GE(bytes.size(), quads.size());
    EXPECT_EQ(std::memcmp(bytes.data(), quads.data(), quads.size()), 0);
    // boxes in one draw, spheres in another
    EXPECT_EQ(renderer.counters().surfaces.draws, 2u);
    EXPECT_EQ(renderer.counters().surfaces.instances, 6u);
}

TEST(DrawModes, GranularBodiesAreParticlesOrBoxes) {
    GranularWorld world({});
    const auto cube = world.add_shape(shapes::cube(0.2f));
    for (int i = 0; i < 3; ++i)
        world.create_body({.shape = cube, .position = {static_cast<float>(i) * 2, 1, 0}});
    for (const bool particles : {true, false}) {
        RecordingBackend backend(false);
        Renderer renderer(backend);
        WorldModel model(renderer, {.particles = particles});
        Frame frame = frame_of(world);
        model.update(frame);
        FrameSettings all;
        all.visibility = Visibility::none;
        renderer.draw(framing(model.bounds(), 1), all, {}, 64, 64);
        // and the ground
        EXPECT_EQ(renderer.counters().visible, (particles ? 3u * 27 : 3u) + 1);
        // a step moves them, without a lag
        const Vec3 before = model.bounds().centre();
        world.step(5);
        show(world, frame);
        model.update(frame);
        EXPECT_LT(model.bounds().centre().y, before.y);
    }
}

TEST(DrawModes, LikeThingsShareOneLook) {
    GranularWorld world({.world_size = 100});
    const auto cube = world.add_shape(shapes::cube(0.2f));
    constexpr std::uint32_t side = 40, bodies = side * side;
    for (std::uint32_t i = 0; i < bodies; ++i)
        world.create_body(
            {.shape = cube,
             .position = {static_cast<float>(i % side) * 2 - 40, 1, static_cast<float>(i / side) * 2 - 40}});
    RecordingBackend backend(false);
    Renderer renderer(backend);
    WorldModel model(renderer);
    InstanceStore& instances = renderer.instances();
    const auto look_at_all = [&] {
        const Frame frame = frame_of(world);
        model.update(frame);
        FrameSettings all;
        all.visibility = Visibility::none;
        renderer.draw(framing(model.bounds(), 1), all, {}, 64, 64);
    };
    look_at_all();
    EXPECT_EQ(instances.record_count(), 27 * bodies + 1); // and the ground
    EXPECT_EQ(instances.look_count(), 27u + 1);
    // a body of the seed took 81 + 81 floats as particles, 72 * 3 as a cube; rows and room to grow are counted here
    const auto bytes = [&] {
        const InstanceStore::Bytes b = instances.bytes();
        return static_cast<double>(b.poses + b.records + b.looks) / bodies;
    };
    EXPECT_LE(bytes(), 162 * 4.0);
    model.change_settings({.particles = false});
    world.create_body({.shape = cube, .position = {0, 5, 0}});
    look_at_all();
    EXPECT_EQ(instances.look_count(), 1u + 1);
    EXPECT_LE(bytes(), 162 * 4.0);

    // looks come and go with their records
    Record record;
    record.pose = instances.add_pose({});
    record.size = {3, 1, 4};
    const std::uint32_t first = instances.add_record(record), second = instances.add_record(record);
    EXPECT_EQ(instances.look_count(), 3u);
    record.size = {2, 7, 1};
    instances.set_record(first, record);
    EXPECT_EQ(instances.look_count(), 4u);
    instances.remove_record(second);
    EXPECT_EQ(instances.look_count(), 3u);
    instances.remove_record(first);
    EXPECT_EQ(instances.look_count(), 2u);
    instances.remove_record(instances.add_record(record)); // in the place that was left
    EXPECT_EQ(instances.look_count(), 2u);
}

TEST(DrawModes, ColoursOfBodiesFollowFromTheSeed) {
    int other = 0;
    std::array<int, 2> used{};
    for (const std::uint32_t seed : {0u, 7u}) {
        std::vector<Vec3> colours;
        for (std::uint32_t body = 0; body < 300; ++body) {
            EXPECT_EQ(palette_colour(body, seed), palette_colour(body, seed));
            EXPECT_NE(palette_colour(body, seed), palette_colour(body + 1, seed));
            if (std::find(colours.begin(), colours.end(), palette_colour(body, seed)) == colours.end())
                colours.push_back(palette_colour(body, seed));
            other += palette_colour(body, 0) != palette_colour(body, 7);
        }
        used[seed != 0] = static_cast<int>(colours.size());
    }
    EXPECT_EQ(used[0], 12);
    EXPECT_EQ(used[1], 12);
    EXPECT_GT(other, 2 * 240); // of 300, two times

    // and they are what the device gets
    GranularWorld world({});
    const auto cube = world.add_shape(shapes::cube(0.2f));
    for (int i = 0; i < 20; ++i)
        world.create_body({.shape = cube, .position = {static_cast<float>(i) * 2, 1, 0}});
    std::array<std::vector<std::byte>, 3> drawn;
    for (std::size_t k = 0; k < 3; ++k) {
        RecordingBackend backend;
        Renderer renderer(backend);
        WorldModel model(renderer, {.colour_seed = k == 2 ? 5u : 0u});
        const Frame frame = frame_of(world);
        model.update(frame);
        renderer.draw(framing(model.bounds(), 1), {}, {}, 64, 64);
        for (const auto& call : backend.calls())
            if (call.kind == RecordingBackend::Call::Kind::texture && call.detail == pose_colour_unit) {
                const auto& bytes = backend.contents(TextureId{call.what});
                drawn[k].assign(bytes.begin(), bytes.begin() + 80);
            }
    }
    EXPECT_EQ(drawn[0], drawn[1]);
    EXPECT_NE(drawn[0], drawn[2]);
}

TEST(DrawModes, BodiesThatComeAndGoAreNoticed) {
    World world;
    std::vector<BodyId> bodies;
    for (int i = 0; i < 3; ++i) {
        bodies.push_back(world.create_body({.position = {static_cast<float>(i) * 2, 1, 0}}));
        world.attach(bodies.back(), Sphere{0.5f});
    }
    RecordingBackend backend(false);
    Renderer renderer(backend);
    WorldModel model(renderer, {.floor = false});
    Frame frame;
    const auto drawn = [&] {
        model.update(frame);
        renderer.draw(framing(model.bounds(), 1), {}, {}, 64, 64);
        return renderer.counters().visible;
    };
    frame = frame_of(world);
    EXPECT_EQ(drawn(), 3u);
    world.destroy(bodies[1]);
    frame = frame_of(world);
    EXPECT_EQ(drawn(), 2u);
    world.attach(bodies[0], Box{0.2f, 0.2f, 0.2f});
    frame = frame_of(world);
    EXPECT_EQ(drawn(), 3u);
    frame.flags[0] |= Frame::absent;
    EXPECT_EQ(drawn(), 1u);
    frame.flags[0] = 0;
    EXPECT_EQ(drawn(), 3u);
    frame.flags.clear();
    EXPECT_THROW(drawn(), Error);
    frame.appearance.reset();
    EXPECT_EQ(drawn(), 0u);
}

TEST(DrawModes, TheTreeIsFlattenedOnlyWhenItChanges) {
    RecordingBackend backend;
    Renderer renderer(backend);
    add_mixed_techniques(renderer);
    const Camera camera = framing(renderer.measure_bounds(), 1);
    const auto flattenings = [&] {
        renderer.draw(camera, {}, {}, 64, 64);
        return renderer.counters().flattenings;
    };
    const std::uint32_t first = flattenings();
    EXPECT_EQ(renderer.counters().leaves, 12u);
    EXPECT_EQ(flattenings(), first);
    EXPECT_EQ(flattenings(), first);
    renderer.description().remove(renderer.description().leaves().back());
    EXPECT_EQ(flattenings(), first + 1);
    EXPECT_EQ(renderer.counters().leaves, 11u);
    EXPECT_EQ(flattenings(), first + 1);
}

TEST(DrawModes, ADrawAndATileHaveTheLightsThatReachThem) {
    // twelve boxes in a row, and a small lamp above each
    RecordingBackend backend;
    Renderer renderer(backend);
    add_mixed_techniques(renderer);
    for (int i = 0; i < 12; ++i) {
        Light light;
        light.position = {static_cast<float>(i), 0.5f, 0};
        light.radius = 0.4f;
        renderer.lights().add(light);
    }
    const Camera camera = framing(renderer.measure_bounds(), 4);
    /// most lights of a draw of bodies, most of a tile of the picture
    const auto most_lights = [&](bool culling) {
        backend.forget();
        FrameSettings settings;
        settings.light_culling = culling;
        renderer.draw(camera, settings, {}, 1280, 320);
        std::pair<int, int> most;
        for (const auto& call : backend.calls()) {
            if (call.kind == RecordingBackend::Call::Kind::constants && call.detail >> 32 == draw_slot) {
                DrawConstants draw;
                std::memcpy(&draw, backend.contents(BufferId{call.what}).data() + (call.detail & 0xffffffffu),
                            sizeof draw);
                most.first =
                    std::max(most.first, std::popcount(draw.lights_low) + std::popcount(draw.lights_high));
            }
            if (call.kind == RecordingBackend::Call::Kind::texture && call.detail == light_tile_unit) {
                const auto& bytes = backend.contents(TextureId{call.what});
                for (std::size_t at = 0; at + sizeof(LightMask) <= bytes.size(); at += sizeof(LightMask)) {
                    LightMask mask = 0;
                    std::memcpy(&mask, bytes.data() + at, sizeof mask);
                    most.second = std::max(most.second, std::popcount(mask));
                }
            }
        }
        return most;
    };
    EXPECT_EQ(most_lights(false).first, 12);
    const auto [of_a_draw, of_a_tile] = most_lights(true);
    // its own and those of its neighbours
    EXPECT_GT(of_a_draw, 0);
    EXPECT_LE(of_a_draw, 3);
    EXPECT_GT(of_a_tile, 0);
    EXPECT_LE(of_a_tile, 3);
}

TEST(DrawModes, WhatIsOutsideTheViewIsNotDrawn) {
    RecordingBackend backend;
    Renderer renderer(backend);
    add_mixed_techniques(renderer);
    Camera camera;
    camera.eye = {0, 0, 2};
    renderer.draw(camera, {}, {}, 64, 64);
    EXPECT_LT(renderer.counters().visible, 12u);
    EXPECT_GT(renderer.counters().visible, 0u);
    FrameSettings all;
    all.visibility = Visibility::none;
    renderer.draw(camera, all, {}, 64, 64);
    EXPECT_EQ(renderer.counters().visible, 12u);
}

TEST(DrawModes, WhatARendererMadeGoesWithIt) {
    RecordingBackend backend(false);
    {
        Renderer renderer(backend);
        WorldModel model(renderer);
        Frame frame;
        start_scene(find_scene("v-pb-5"), Place())->show(frame);
        model.update(frame);
        add_mixed_techniques(renderer);
        const std::vector<std::uint8_t> texel(4, 200);
        renderer.create_texture(1, 1, texel, true);
        const PictureTarget target(backend, 64, 64);
        renderer.draw(framing(model.bounds(), 1), {}, target.id(), 64, 64);
        renderer.draw(framing(model.bounds(), 1), {}, target.id(), 96, 32); // other targets
        EXPECT_GT(backend.counters().created, backend.counters().destroyed);
    }
    EXPECT_GT(backend.counters().created, 10u);
    EXPECT_EQ(backend.counters().destroyed, backend.counters().created);
}

TEST(DrawModes, AWindowOfSizeZeroDrawsNothing) {
    RecordingBackend backend;
    Renderer renderer(backend);
    add_mixed_techniques(renderer);
    backend.forget();
    renderer.draw({}, {}, {}, 0, 100);
    EXPECT_TRUE(backend.calls().empty());
}

} // namespace
} // namespace scree::render
