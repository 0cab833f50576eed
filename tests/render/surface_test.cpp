// SPDX-License-Identifier: MIT
// surface_test.cpp — surfaces in pictures: cubes or particles, highlights, light pixel by pixel; and where vertices lie.
#include "render/recording_backend.h"
#include "render/stage.h"
#include "scree/granular.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace scree::render::testing {
namespace {

int brightness_at(const Image& image, const Camera& camera, Vec3 point) {
    const auto [x, y] = place_of(camera, image, point);
    return brightness(image, x, y);
}

TEST(Surfaces, ACubeHasFacesOrTwentySevenSpheresWhereItIsNow) {
    const float half_side = 0.6f, angle = 0.78539816f; // an edge faces the eye
    GranularWorld world({.gravity = {}, .walls = false, .ground = false});
    world.create_body({.shape = world.add_shape(shapes::cube(0.2f)),
                       .rotation = {.y = std::sin(angle / 2), .s = std::cos(angle / 2)},
                       .velocity = {1, 0, 0}});
    const Camera camera = looking({0, 0, 7});
    const float corner = half_side * std::sqrt(2.0f);
    for (int second = 0; second < 2; ++second) {
        const auto at = [&](float x, float y) { return Vec3{static_cast<float>(second) + x, y, 0}; };
        for (const bool particles : {true, false}) {
            Stage stage;
            stage.settings.background = false;
            WorldModel model(stage.renderer, {.particles = particles, .floor = false});
            const Frame frame = frame_of(world);
            model.update(frame);
            const std::vector<std::uint32_t> red{0xff0000ffu};
            model.colour(red);
            const Image image = stage.picture(camera);
            const auto lit = [&](Vec3 point) { return brightness_at(image, camera, point) > 10; };
            // the corners at the sides: of the cube, of which the spheres stay 0.2 m away
            for (const float x : {-0.96f * corner, 0.96f * corner})
                for (const float y : {-0.57f, 0.57f})
                    EXPECT_EQ(lit(at(x, y)), !particles) << x << " " << y << " after " << second << " s";
            for (const ParticleState& particle : world.particles()) EXPECT_TRUE(lit(particle.position));
            // nothing beside, nor where it was a second ago
            EXPECT_FALSE(lit(at(1.1f, 0)));
            EXPECT_FALSE(lit(at(-1.1f, 0)));
            const auto [x, y] = place_of(camera, image, at(0.3f, 0.1f));
            EXPECT_GT(int{image.pixel(x, y)[0]}, int{image.pixel(x, y)[2]} + 30); // its colour
        }
        world.step(100);
    }
}

/// A white ball at night below one lamp.
Image ball_by_night(float roughness, const Camera& camera, Vec3 lamp) {
    Stage stage;
    stage.night();
    Light light;
    light.position = lamp;
    light.intensity = 25;
    light.radius = 60;
    stage.renderer.lights().add(light);
    stage.thing(stage.material({0.5f, 0.5f, 0.5f}, {}, roughness), stage.renderer.sphere_mesh(), {1, 1, 1});
    return stage.picture(camera);
}

TEST(Surfaces, AHighlightIsWhereTheLightIsMirroredAndGrowsDullWithRoughness) {
    const Camera camera = looking({0, 0, 6});
    const Vec3 lamp{5, 5, 5};
    const Image smooth = ball_by_night(0.2f, camera, lamp), rough = ball_by_night(1, camera, lamp);
    // the normal there halves the angle between lamp and eye
    const Vec3 mirrored = normalized(normalized(lamp) + Vec3{0, 0, 1});
    EXPECT_GT(brightness_at(smooth, camera, mirrored), brightness_at(rough, camera, mirrored) + 30);
    // beside it, only what is diffuse is left, and that is the same
    const Vec3 facing = normalized(Vec3{1, 0.2f, 0.4f});
    EXPECT_GT(brightness_at(smooth, camera, facing), 20);
    EXPECT_NEAR(brightness_at(smooth, camera, facing), brightness_at(rough, camera, facing), 12);
}

TEST(Surfaces, BlinnPhongHighlightsFallByThePowerOfTheCosine) {
    // metal has no diffuse part: at an angle t from the highlight's middle a light is as bright as one of cos(t)^n of its strength
    // is in the middle
    const Camera camera = [] {
        Camera c = looking({0, 0, 60});
        c.fov_y = 0.04f; // to the eye it is the same direction everywhere
        return c;
    }();
    const float roughness = 0.6f, gloss = 2 / std::pow(roughness, 4.0f) - 2;
    const Vec3 half = normalized(Vec3{0.3f, 0, 1}), towards = half * (2 * half.z) - Vec3{0, 0, 1};
    const auto ball = [&](Shading shading, float intensity) {
        Stage stage(136, 136);
        stage.night();
        stage.settings.shading = shading;
        stage.renderer.lights().add({.intensity = intensity, .direction = -towards, .far = true});
        Material metal;
        metal.colour = Vec3{0.5f, 0.5f, 0.5f}, metal.roughness = roughness, metal.metallic = 1;
        stage.thing(stage.technique(std::make_unique<MaterialTechnique>(metal)), stage.renderer.sphere_mesh(),
                    {1, 1, 1});
        return stage.picture(camera);
    };
    int farthest[2] = {};
    for (const Shading shading : {Shading::physical, Shading::blinn_phong}) {
        const Image whole = ball(shading, 4);
        for (const float t : {0.3f, 0.55f, 0.8f}) {
            const Image less = ball(shading, 4 * std::pow(std::cos(t), gloss));
            const Vec3 beside = normalized(half * std::cos(t) + Vec3{0, std::sin(t), 0});
            const int off =
                std::abs(brightness_at(whole, camera, beside) - brightness_at(less, camera, half));
            EXPECT_GT(brightness_at(less, camera, half), 12);
            farthest[static_cast<int>(shading)] = std::max(farthest[static_cast<int>(shading)], off);
        }
    }
    EXPECT_LE(farthest[1], 12); // a pixel is 0.03 rad
    EXPECT_GT(farthest[0], 24); // the other has longer tails
}

TEST(Surfaces, LightIsComputedForEachPixel) {
    // a lamp before the middle of a plate whose corners are its only vertices
    Stage stage;
    stage.night();
    Light light;
    light.position = {0, 0, 0.6f};
    light.intensity = 1;
    light.radius = 4;
    stage.renderer.lights().add(light);
    stage.thing(stage.material({0.8f, 0.8f, 0.8f}, {}, 1), stage.renderer.box_mesh(), {2, 2, 0.1f});
    const Camera camera = looking({0, 0, 6});
    const Image image = stage.picture(camera);
    EXPECT_GT(brightness_at(image, camera, {0.2f, 0, 0.1f}),
              brightness_at(image, camera, {1.2f, 0, 0.1f}) + 40);
    EXPECT_GT(brightness_at(image, camera, {1.2f, 0, 0.1f}),
              brightness_at(image, camera, {1.8f, 1.8f, 0.1f}) + 5);
}

TEST(Surfaces, VerticesOfAllMeshesLieInOneBufferThatIsBoundOnce) {
    RecordingBackend backend;
    Renderer renderer(backend);
    World world;
    const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    float x = 0;
    for (const Geometry& geometry :
         {Geometry(Box{}), Geometry(Sphere{}), Geometry(Capsule{}), Geometry(Hull::from_points(corners))})
        for (int k = 0; k < 3; ++k) world.attach(world.create_body({.position = {x += 3, 0, 0}}), geometry);
    WorldModel model(renderer, {.floor = false});
    const Frame frame = frame_of(world);
    model.update(frame);
    renderer.draw(framing(model.bounds(), 1), {}, {}, 320, 180);
    EXPECT_EQ(renderer.counters().surfaces.instances, 12u);
    EXPECT_EQ(renderer.counters().surfaces.draws, 4u); // a block call for each mesh
    EXPECT_LE(renderer.counters().surfaces.vertices, 1u);
    // the buffer that was bound before the first draw of a body holds the vertices of all meshes
    std::uint32_t bound = 0;
    std::set<std::uint32_t> drawn_from;
    for (const auto& call : backend.calls()) {
        if (call.kind == RecordingBackend::Call::Kind::vertices) bound = call.what;
        if (call.kind == RecordingBackend::Call::Kind::draw && call.range.instances > 0)
            drawn_from.insert(bound);
    }
    std::size_t largest = 0;
    for (const std::uint32_t buffer : drawn_from)
        if (buffer) largest = std::max(largest, backend.contents(BufferId{buffer}).size());
    EXPECT_GE(largest, renderer.meshes().vertex_count() * sizeof(MeshVertex));
    EXPECT_GT(renderer.meshes().vertex_count(), 200u);
}

} // namespace
} // namespace scree::render::testing
