// SPDX-License-Identifier: MIT
// draw_calls_test.cpp — how few calls make a picture, which shadow maps it draws again, and that nobody waits on the way.
#include "render/recording_backend.h"
#include "render/stage.h"
#include "scene/run.h"
#include "scree/error.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace scree::render {
namespace {

using namespace testing;

/// A picture for each material.
std::shared_ptr<const Appearance> with_pictures(const Appearance& of) {
    auto look = std::make_shared<Appearance>(of);
    for (AppearanceLevel& level : look->levels) {
        for (std::size_t m = 0; m < level.paints.size(); ++m) {
            const auto shade = static_cast<std::uint8_t>(m);
            const std::vector<std::uint8_t> bytes = png_bytes({1, 1, {shade, shade, 200, 255}});
            level.textures.push_back(
                {"shade.png", std::make_shared<const std::string>(bytes.begin(), bytes.end()), {}});
        }
    }
    return look;
}

FrameCounters castle_drawn_by(bool many, bool pictures = false) {
    RecordingBackend backend(false, many);
    Renderer renderer(backend);
    WorldModel model(renderer);
    Frame frame;
    start_scene(find_scene("castle"), Place())->show(frame);
    if (pictures) frame.appearance = with_pictures(*frame.appearance);
    model.update(frame);
    renderer.draw(looking({14, 8.5f, 34}, {-2.5f, 3.6f, 6}), {}, {}, 320, 180);
    return renderer.counters();
}

TEST(DrawCalls, ThePartsOfALevelShareCalls) {
    const FrameCounters one = castle_drawn_by(false), many = castle_drawn_by(true);
    EXPECT_EQ(many.all.triangles, one.all.triangles);
    EXPECT_EQ(many.all.instances, one.all.instances);
    EXPECT_GT(one.surfaces.draws, 200u);
    EXPECT_LT(many.surfaces.draws, one.surfaces.draws / 2);
    // shadows show no materials: there parts are one draw even where a call draws one range
    EXPECT_LT(one.all.draws - one.surfaces.draws, 1200u); // of up to eight lights
    EXPECT_LT(many.all.draws - many.surfaces.draws, 150u);
}

TEST(DrawCalls, PicturesOnALevelsFacesDoNotDivideItsShadows) {
    const FrameCounters painted = castle_drawn_by(false), with = castle_drawn_by(false, true);
    EXPECT_GT(with.surfaces.textures, painted.surfaces.textures);
    EXPECT_EQ(with.all.draws - with.surfaces.draws, painted.all.draws - painted.surfaces.draws);
}

/// Boxes around a lamp with shadows.
struct Lamp {
    explicit Lamp(Backend& backend) : renderer(backend) {
        settings.sun_shadows = false;
        for (const Vec3 at : {Vec3{2, 0, 0}, Vec3{-2, 0, 0}, Vec3{0, 0, -2}}) {
            GeometryNode node;
            node.mesh = renderer.box_mesh();
            node.position = renderer.positions().add({}, {at, {}, 1});
            node.size = {0.3f, 0.3f, 0.3f};
            node.bevel = 0.02f;
            nodes.push_back(node.position);
            renderer.description().add_geometry({}, node);
        }
        renderer.lights().add({.radius = 6, .shadows = true});
    }
    std::uint64_t passes(Vec3 eye, Vec3 target = {}) {
        renderer.draw(looking(eye, target), settings, {}, 64, 48);
        return renderer.counters().all.passes;
    }

    Renderer renderer;
    FrameSettings settings;
    std::vector<PositionId> nodes;
};

TEST(DrawCalls, ALightsShadowsAreDrawnAgainOnlyWhereSomethingMoved) {
    RecordingBackend backend(false, true);
    Lamp lamp(backend);
    const std::uint64_t first = lamp.passes({0, 1, 8}), again = lamp.passes({0, 1, 8});
    EXPECT_EQ(first - again, 6u);
    EXPECT_EQ(lamp.passes({0.5f, 1, 8}), again);
    lamp.renderer.positions().set(lamp.nodes[0], {{2, 0.1f, 0}, {}, 1});
    EXPECT_EQ(lamp.passes({0, 1, 8}) - again, 1u); // it is on one side of the lamp
    lamp.renderer.positions().set(lamp.nodes[0], {{0, 2, 0}, {}, 1});
    EXPECT_EQ(lamp.passes({0, 1, 8}) - again, 2u); // here it went, there it came
    lamp.renderer.lights().set(0, {.position = {0, 0.1f, 0}, .radius = 6, .shadows = true});
    EXPECT_EQ(lamp.passes({0, 1, 8}) - again, 6u);
}

TEST(DrawCalls, ALightThatDoesNotReachTheViewDrawsNoShadows) {
    RecordingBackend backend(false, true);
    Lamp lamp(backend);
    const std::uint64_t away = lamp.passes({0, 1, 8}, {0, 1, 20});
    EXPECT_EQ(lamp.passes({0, 1, 8}) - away, 6u);
}

TEST(DrawCalls, ACrowdAtRestIsNotDrawnAgainIntoALightsMapsForAnEyeThatMoves) {
    RecordingBackend backend(false, true);
    Lamp lamp(backend);
    InstanceStore& instances = lamp.renderer.instances();
    GeometryNode crowd;
    crowd.mesh = lamp.renderer.box_mesh();
    crowd.instanced = true;
    for (int i = 0; i < 100; ++i) {
        const float x = 0.2f * static_cast<float>(i % 10) - 0.9f,
                    z = 0.2f * static_cast<float>(i / 10) - 0.9f;
        crowd.records.push_back(instances.add_record(
            {.pose = instances.add_pose({{x, -3, z}, {}, 1}), .size = {0.05f, 0.05f, 0.05f}}));
    }
    lamp.renderer.description().add_geometry({}, crowd);
    lamp.passes({0, 1, 12});
    const std::uint64_t kept = lamp.passes({0, 1, 12});
    EXPECT_EQ(lamp.passes({9, 1, 9}), kept); // near before far, so in another order
}

/// Of what is gone a driver may give the names again, and there may be no memory for a picture.
struct PoorBackend : RecordingBackend {
    PoorBackend() : RecordingBackend(false, true) {}
    int refused_width = 0, refused_height = 1 << 30;
    bool refuses_indices = false, refuses_changes = false;
    int textures_left = 1 << 30, largest = 16384;
    int changes = 0; ///< to meshes that deform
    std::ptrdiff_t textures() const { return std::count_if(real_.begin(), real_.end(), std::identity()); }
    int max_texture_size() const override { return largest; }

protected:
    using RecordingBackend::do_destroy;
    BufferId do_create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data) override {
        if (refuses_indices && kind == BufferKind::indices) throw Error("there is no memory");
        return RecordingBackend::do_create_buffer(kind, bytes, data);
    }
    TextureId do_create_texture(const TextureDef& texture) override {
        if (texture.width == refused_width || texture.height >= refused_height || textures_left-- <= 0)
            throw Error("there is no memory");
        auto at = std::find(real_.begin(), real_.end(), 0u);
        if (at == real_.end()) at = real_.insert(at, 0u);
        *at = RecordingBackend::do_create_texture(texture).value;
        rows_.resize(real_.size());
        rows_[static_cast<std::size_t>(at - real_.begin())] = texture.height;
        return {static_cast<std::uint32_t>(at - real_.begin()) + 1};
    }
    void do_destroy(TextureId texture) override {
        RecordingBackend::do_destroy(TextureId{std::exchange(real_.at(texture.value - 1), 0u)});
    }
    void do_update_texture(TextureId texture, int first_row, int rows,
                           std::span<const std::byte> data) override {
        EXPECT_LE(first_row + rows, rows_.at(texture.value - 1));
        RecordingBackend::do_update_texture({real_.at(texture.value - 1)}, first_row, rows, data);
    }
    void do_update_buffer(BufferId buffer, std::size_t offset, std::span<const std::byte> data) override {
        change();
        RecordingBackend::do_update_buffer(buffer, offset, data);
    }
    void do_deform(BufferId, const DeformDef&) override { change(); }
    void do_skin(BufferId, const SkinDef&) override { change(); }

private:
    void change() {
        if (refuses_changes) throw Error("there is no memory");
        ++changes;
    }
    std::vector<std::uint32_t> real_; ///< by name - 1; 0: free
    std::vector<int> rows_;
};

TEST(DrawCalls, ShadowMapsThatAreMadeAnewAreDrawnAgainWhateverTheirNames) {
    PoorBackend backend;
    Lamp lamp(backend);
    lamp.settings.sun_shadows = true;
    const std::uint64_t first = lamp.passes({0, 1, 8}), kept = lamp.passes({0, 1, 8});
    const auto light = [&](bool shadows) {
        Light changed = lamp.renderer.lights()[0];
        changed.shadows = shadows;
        lamp.renderer.lights().set(0, changed);
    };
    light(false);
    lamp.passes({0, 1, 8});
    light(true);
    EXPECT_EQ(lamp.passes({0, 1, 8}), kept + 6);
    lamp.settings.sun_shadows = false;
    lamp.passes({0, 1, 8});
    lamp.settings.sun_shadows = true;
    EXPECT_EQ(lamp.passes({0, 1, 8}), first - 6);
}

TEST(DrawCalls, ShadowsOfAPictureWithoutMemoryAreDrawnByTheNext) {
    PoorBackend backend;
    Lamp lamp(backend);
    lamp.settings.sun_shadows = true;
    backend.refused_width = 64;
    EXPECT_THROW(lamp.passes({0, 1, 8}), Error);
    backend.refused_width = 0;
    const std::uint64_t first = lamp.passes({0, 1, 8}), kept = lamp.passes({0, 1, 8});
    EXPECT_GT(first, kept + 6);
}

TEST(DrawCalls, ShadowsOfMeshesWithoutMemoryAreDrawnByTheNextPicture) {
    PoorBackend backend;
    Lamp lamp(backend);
    lamp.settings.sun_shadows = true;
    backend.refuses_indices = true;
    EXPECT_THROW(lamp.passes({0, 1, 8}), Error);
    backend.refuses_indices = false;
    const std::uint64_t first = lamp.passes({0, 1, 8}), kept = lamp.passes({0, 1, 8});
    EXPECT_GT(first, kept + 6);
}

TEST(DrawCalls, TexturesThatCouldNotBeMadeLargerAreMadeWithTheNextPicture) {
    const auto textures = [](int left) {
        PoorBackend backend;
        Lamp lamp(backend);
        lamp.passes({0, 1, 8});
        InstanceStore& instances = lamp.renderer.instances();
        for (int i = 0; i < 5000; ++i)
            instances.add_record(
                {.pose = instances.add_pose({}), .size = {1, 1, 0.001f * static_cast<float>(i)}});
        backend.textures_left = left;
        const auto draw = [&] { lamp.renderer.draw(looking({0, 1, 8}), lamp.settings, {}, 640, 480); };
        if (left < 100) {
            EXPECT_THROW(draw(), Error) << left;
        }
        backend.textures_left = 100;
        draw();
        const int made = 100 - backend.textures_left;
        return std::pair(backend.textures(), made);
    };
    const auto [whole, made] = textures(100);
    EXPECT_GT(made, 10);
    for (int left = 0; left < made; ++left) EXPECT_EQ(textures(left).first, whole) << left;
}

TEST(DrawCalls, ASmallSceneIsDrawnAfterOneForWhichThereIsNoMemory) {
    PoorBackend backend;
    backend.refused_height = 30;
    InstanceStore instances(backend);
    const std::vector<float> rows(std::size_t{4} * pose_width * 100);
    const auto draw = [&](std::size_t count) {
        const auto poses = std::span(rows).first(4 * pose_width * count);
        instances.set_world_poses(poses, poses);
        instances.bind();
    };
    EXPECT_THROW(draw(100), Error);
    draw(2);
    EXPECT_THROW(draw(100), Error);
    draw(10); // no longer in the old textures
    draw(2);
}

TEST(DrawCalls, ASmallSceneIsDrawnAfterOneThatNoTextureHolds) {
    PoorBackend backend;
    backend.largest = 16;
    InstanceStore instances(backend);
    const std::vector<float> rows(std::size_t{4} * pose_width * 16);
    const auto draw = [&](std::size_t count) {
        const auto poses = std::span(rows).first(4 * pose_width * count);
        instances.set_world_poses(poses, poses);
        instances.bind();
    };
    draw(2);
    EXPECT_THROW(draw(16), Error); // a row is for the renderer's own
    draw(10);
    draw(15);
    for (std::uint32_t i = 0; i < 15 * record_width; ++i) instances.add_record({});
    draw(15);
    for (std::uint32_t i = 0; i < pose_width + 1; ++i) instances.add_pose({});
    EXPECT_THROW(draw(15), Error);
    draw(14);
}

TEST(DrawCalls, AMeshWhoseChangeFailsIsChangedWithTheNextPicture) {
    PoorBackend backend;
    MeshStore meshes(backend);
    const MeshId mesh = meshes.add(meshes::plane(), true);
    const auto changes = [&] {
        const int before = backend.changes;
        meshes.bind();
        return backend.changes - before;
    };
    const auto expect_to_come = [&](const char* what) {
        backend.refuses_changes = true;
        EXPECT_THROW(meshes.bind(), Error) << what;
        backend.refuses_changes = false;
        EXPECT_EQ(changes(), 1) << what;
        EXPECT_EQ(changes(), 0) << what;
    };
    meshes.reserve_choice(16);
    changes();
    meshes.choose(mesh, 0, 3);
    expect_to_come("a list of triangles");
    meshes.deform(mesh, {});
    expect_to_come("a mesh that a device deforms");
    const std::size_t vertices = meshes.range(mesh).vertex_count;
    meshes.bind_to_bones(mesh, std::vector<std::array<std::uint32_t, 4>>(vertices),
                         std::vector<std::array<float, 4>>(vertices));
    meshes.follow(mesh, std::vector<std::array<float, 12>>(1), {}, 1);
    expect_to_come("a mesh that follows bones");
}

TEST(DrawCalls, AShadowMapThatCouldNotBeMadeLargerIsMadeAgain) {
    PoorBackend backend;
    Lamp lamp(backend);
    lamp.settings.sun_shadows = true;
    lamp.settings.cascades = 1;
    lamp.settings.shadow_size = 512;
    lamp.passes({0, 1, 8});
    lamp.settings.shadow_size = backend.refused_width = 1024;
    EXPECT_THROW(lamp.passes({0, 1, 8}), Error);
    lamp.settings.shadow_size = 512;
    lamp.passes({0, 1, 8});
    EXPECT_GT(lamp.renderer.counters().all.created, 0u);
}

TEST(DrawCalls, AMapThatIsDividedOtherwiseIsDrawnAgain) {
    for (const float x : {0.0f, 0.3f, 0.6f, 0.9f}) { // cascades snap to texels: some stay where they were
        RecordingBackend backend(false, true);
        Lamp lamp(backend);
        lamp.settings.sun_shadows = true;
        for (const PositionId node : lamp.nodes) {
            Transform at = lamp.renderer.positions().local(node);
            at.position.x += x;
            lamp.renderer.positions().set(node, at);
        }
        lamp.settings.shadow_size = 1024, lamp.settings.cascades = 1;
        lamp.passes({0, 1, 40});
        const std::uint64_t kept = lamp.passes({0, 1, 40});
        lamp.settings.shadow_size = 512, lamp.settings.cascades = 2; // a map as large as before
        EXPECT_GT(lamp.passes({0, 1, 40}), kept) << x;
    }
}

TEST(DrawCalls, ShadowsThatAreKeptAreThoseThatWouldBeDrawn) {
    const auto prepare = [](Stage& stage) {
        stage.night();
        stage.ground();
        const DescriptionId white = stage.material({1, 1, 1});
        stage.thing(white, stage.renderer.box_mesh(), {0.4f, 0.4f, 0.4f}, {{1.5f, 0.5f, 0}, {}, 1});
        const DescriptionId ball =
            stage.thing(white, stage.renderer.sphere_mesh(), {0.3f, 0.3f, 0.3f}, {{-1, 0.6f, 0}, {}, 1});
        stage.renderer.lights().add({.position = {0, 2, 0}, .radius = 8, .shadows = true});
        return stage.renderer.description().geometry(ball).position;
    };
    // a ball that moves now and then, before a camera that always does and once looks away
    const auto picture = [](Stage& stage, PositionId ball, int i) {
        stage.renderer.positions().set(ball, {{-1 - 0.2f * static_cast<float>(i / 2), 0.6f, 0}, {}, 1});
        return stage.picture(looking({static_cast<float>(i) - 2, 3, 6}, {i == 3 ? 40.0f : 0.0f, 0, 0})).rgba;
    };
    std::vector<std::vector<std::uint8_t>> kept;
    {
        Stage stage;
        const PositionId ball = prepare(stage);
        for (int i = 0; i < 6; ++i) kept.push_back(picture(stage, ball, i));
    }
    for (int i = 0; i < 6; ++i) {
        Stage fresh;
        EXPECT_TRUE(kept[static_cast<std::size_t>(i)] == picture(fresh, prepare(fresh), i)) << i;
    }
}

TEST(DrawCalls, PassesOverThePictureMayBeComputed) {
    Stage stage(239, 135); // tiles of 8 pixels do not fit
    stage.ground();
    stage.thing(stage.material({0.9f, 0.5f, 0.3f}), stage.renderer.box_mesh(), {1, 0.5f, 1},
                {{0, 0.5f, 0}, {}, 1});
    stage.thing(stage.material({0.3f, 0.5f, 0.9f}), stage.renderer.sphere_mesh(), {0.6f, 0.6f, 0.6f},
                {{1.2f, 0.6f, 0.8f}, {}, 1});
    if (!stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
    const Camera camera = looking({3, 3, 5}, {0, 0.5f, 0});
    stage.picture(camera); // makes the shadows of all that follow
    for (const bool occlusion : {true, false}) {
        stage.settings.ambient_occlusion = occlusion;
        stage.settings.screen_passes = ScreenPasses::drawn;
        const Image drawn = stage.picture(camera);
        const std::uint64_t passes = stage.renderer.counters().all.draws;
        EXPECT_EQ(stage.renderer.counters().all.dispatches, 0u);
        stage.settings.screen_passes = ScreenPasses::computed;
        EXPECT_LE(difference(stage.picture(camera), drawn).largest, 1);
        EXPECT_EQ(stage.renderer.counters().all.dispatches, occlusion ? 5u : 1u);
        EXPECT_EQ(passes - stage.renderer.counters().all.draws, occlusion ? 5u : 1u);
    }
}

/// A GPU that leaves out layers by itself, and a count of how often the host asks it.
struct AskedBackend : RecordingBackend {
    explicit AskedBackend(bool answer) : RecordingBackend(false, true), decides(answer) {}
    bool begin_if_passed(std::size_t) override { return decides; }
    bool passed(std::size_t) override { return ++asked <= 2; }
    bool decides;
    int asked = 0;
};

TEST(DrawCalls, TransparentLayersDoNotMakeTheHostWait) {
    const auto asked = [](bool decides) {
        AskedBackend backend(decides);
        Renderer renderer(backend);
        Material glass;
        glass.alpha = 0.3f;
        const DescriptionId pane =
            renderer.description().add_technique({}, std::make_unique<MaterialTechnique>(glass));
        GeometryNode node;
        node.mesh = renderer.box_mesh();
        node.position = renderer.positions().add({}, {});
        renderer.description().add_geometry(pane, node);
        renderer.draw(looking({0, 1, 8}), {}, {}, 64, 48);
        const int before = backend.asked;
        backend.asked = 0;
        return std::pair(before, renderer.count_layers());
    };
    EXPECT_EQ(asked(true), std::pair(0, 2u));
    EXPECT_EQ(asked(false).first, 3); // OpenGL ES 3.0: layer by layer
}

} // namespace
} // namespace scree::render
