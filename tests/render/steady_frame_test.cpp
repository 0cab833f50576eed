// SPDX-License-Identifier: MIT
// steady_frame_test.cpp — after precaching a frame asks neither the heap nor the back end for anything new.
#include "render/controllers.h"
#include "render/recording_backend.h"
#include "render/stage.h"
#include "support/steady_state.h"

#include <gtest/gtest.h>

#include <epoxy/gl.h>

#include <cmath>
#include <type_traits>

namespace scree::render {
namespace {

/// Bodies that fall among lights, behind glass, some with textures, one outlined, with lines.
struct Show {
    explicit Show(Backend& backend) : renderer(backend), model(renderer) {
        const BodyId slab = world.create_body({.type = BodyType::fixed, .position = {0, -0.5f, 0}});
        world.attach(slab, Box{6, 0.5f, 6});
        const BodyId pane = world.create_body({.type = BodyType::fixed, .position = {0, 2, 6}});
        world.attach(pane, Box{6, 2, 0.1f});
        for (int i = 0; i < 400; ++i) {
            const auto at = [&](int k) { return static_cast<float>(k) * 1.2f - 4; };
            const BodyId body =
                world.create_body({.position = {at(i % 7), 1 + at(i / 49) + 4, at(i / 7 % 7)}});
            if (i % 3 == 0) world.attach(body, Sphere{0.4f});
            else world.attach(body, Box{0.4f, 0.3f, 0.4f});
        }
        DescriptionTree& looks = renderer.description();
        const std::vector<std::uint8_t> texels(4 * 4 * 4, 200);
        textured = looks.add_technique(
            {}, std::make_unique<TextureTechnique>(renderer.create_texture(4, 4, texels, true)));
        GeometryNode node;
        node.mesh = renderer.sphere_mesh();
        moved = renderer.positions().add({}, {{0, 9, 0}, {}, 1});
        node.position = moved;
        looks.add_geometry(textured, node);
        for (int i = 0; i < 5; ++i) {
            Light light;
            light.position = {static_cast<float>(i) * 2 - 4, 3, 0};
            light.radius = 4;
            light.shadows = i < 2;
            renderer.lights().add(light);
        }
        shown = testing::frame_of(world);
        model.update(shown);
        renderer.outline(model.records_of(20));
        lines();
    }
    void update() {
        show(world, shown);
        model.update(shown);
    }
    void lines() {
        renderer.lines().clear();
        for (int i = 0; i < 20; ++i)
            renderer.lines().cross({static_cast<float>(i), 1, 0}, 0.2f, 0xff00ffffu, i % 2);
    }
    /// From all sides, near and far; things move, lights move, textures slide.
    void frame(int i) {
        const float t = static_cast<float>(i) * 0.37f;
        Camera camera;
        camera.eye = Vec3{std::sin(t), 0.4f, std::cos(t)} * (4 + 20 * static_cast<float>(i % 5));
        camera.target = {0, 2, 0};
        update();
        renderer.positions().set(moved, {{0, 9 + std::sin(t), 0}, {}, 1});
        renderer.description().edit_texture(textured).set_window({t, 0, 1, 1});
        Light light = renderer.lights()[1];
        light.position.x = 3 * std::sin(t);
        renderer.lights().set(1, light);
        lines();
        renderer.draw(camera, settings, target, 320, 180);
        EXPECT_EQ(renderer.counters().all.created, 0u) << "frame " << i;
    }

    World world;
    Frame shown;
    Renderer renderer;
    WorldModel model;
    FrameSettings settings;
    TargetId target{};
    DescriptionId textured;
    PositionId moved;
};

/// What 40 frames ask of the heap; the world's steps in between are not counted.
std::uint64_t heap_calls_of_frames(Show& show) {
    std::uint64_t calls = 0;
    for (int i = 0; i < 40; ++i) {
        show.world.step(1 / 60.0f);
        const std::uint64_t before = test::heap_calls();
        show.frame(i);
        calls += test::heap_calls() - before;
    }
    return calls;
}

TEST(SteadyFrame, FromTheFirstOnAPrecachedFrameNeedsNothingNewInEachMode) {
    for (const DrawMode mode : {DrawMode::tree, DrawMode::precached, DrawMode::pooled}) {
        SCOPED_TRACE(static_cast<int>(mode));
        RecordingBackend backend(false);
        Show show(backend);
        show.settings.mode = mode;
        show.renderer.precache(show.settings, 320, 180);
        EXPECT_EQ(heap_calls_of_frames(show), 0u);
        EXPECT_GT(show.renderer.counters().visible, 0u);
    }
}

/// Counts the names that OpenGL gives out while it lives, behind the back end's own counter.
template <auto& generate>
class Counting {
public:
    Counting() {
        real_ = generate;
        generate = [](GLsizei count, GLuint* names) {
            made += count;
            real_(count, names);
        };
    }
    ~Counting() { generate = real_; }
    static inline int made = 0;

private:
    static inline std::remove_cvref_t<decltype(generate)> real_ = nullptr;
};

TEST(SteadyFrame, NorIsAnythingMadeInOpenGl) {
    const HeadlessContext context;
    const auto backend = make_gl_backend();
    Show show(*backend);
    const PictureTarget target(*backend, 320, 180);
    show.target = target.id();
    show.renderer.precache(show.settings, 320, 180);
    const Counting<glGenBuffers> buffers;
    const Counting<glGenTextures> textures;
    const Counting<glGenRenderbuffers> renderbuffers;
    const Counting<glGenFramebuffers> framebuffers;
    const Counting<glGenVertexArrays> arrays;
    const Counting<glGenQueries> queries;
    for (int i = 0; i < 4; ++i) {
        show.world.step(1 / 60.0f);
        show.frame(i);
        EXPECT_EQ(buffers.made, 0) << "frame " << i;
        EXPECT_EQ(textures.made, 0) << "frame " << i;
        EXPECT_EQ(renderbuffers.made, 0) << "frame " << i;
        EXPECT_EQ(framebuffers.made, 0) << "frame " << i;
        EXPECT_EQ(arrays.made, 0) << "frame " << i;
        EXPECT_EQ(queries.made, 0) << "frame " << i;
    }
    EXPECT_GT(show.renderer.counters().visible, 0u);
    // and the counters count
    (void)backend->create_buffer(BufferKind::vertices, 16);
    EXPECT_EQ(buffers.made, 1);
}

TEST(SteadyFrame, NorDoOneLightAPassAndWires) {
    RecordingBackend backend(false);
    Show show(backend);
    show.settings.one_light_a_pass = true;
    show.settings.wireframe = Wireframe::combined;
    show.renderer.precache(show.settings, 320, 180);
    EXPECT_EQ(heap_calls_of_frames(show), 0u);
}

TEST(SteadyFrame, NorDoesALoopWithHandlersAndControllers) {
    RecordingBackend backend(false);
    Show show(backend);
    FrameLoop loop(show.renderer);
    loop.add(std::make_unique<RotationController>(show.moved, Vec3{0, 1, 0}, 1.0f));
    loop.add(std::make_unique<PositionController>(
        show.moved, std::vector<PositionController::Key>{{0, {0, 9, 0}}, {1, {4, 9, 0}}}, true));
    loop.add(std::make_unique<FlipbookController>(show.textured, 2, 2, 30));
    loop.on(Moment::frame, [&](const FrameTime&) { show.update(); });
    loop.start(show.settings, 320, 180);
    Camera camera;
    camera.eye = {0, 8, 25};
    std::uint64_t calls = 0;
    for (int i = 0; i < 20; ++i) {
        show.world.step(1 / 60.0f);
        const std::uint64_t before = test::heap_calls();
        loop.frame(i / 60.0, camera, show.settings, {}, 320, 180);
        calls += test::heap_calls() - before;
        EXPECT_EQ(show.renderer.counters().all.created, 0u);
    }
    EXPECT_EQ(calls, 0u);
}

TEST(SteadyFrame, WithoutPrecachingTheFirstFramesMakeWhatTheyNeed) {
    RecordingBackend backend(false);
    Show show(backend);
    const std::uint64_t before = test::heap_calls();
    show.renderer.draw({}, show.settings, {}, 320, 180);
    EXPECT_GT(test::heap_calls(), before);
    EXPECT_GT(show.renderer.counters().all.created, 10u);
}

TEST(SteadyFrame, PrecachingDrawsNothing) {
    RecordingBackend backend(false);
    Show show(backend);
    const std::uint64_t draws = backend.counters().draws;
    show.renderer.precache(show.settings, 320, 180);
    EXPECT_EQ(backend.counters().draws, draws);
}

} // namespace
} // namespace scree::render
