// SPDX-License-Identifier: MIT
// scan.cpp — somebody who has climbed a stair looks around with a batch of rays and casts a ball to where it would land; a PNG of it.
#include <render/gl_backend.h>
#include <render/headless.h>
#include <render/image.h>
#include <render/renderer.h>
#include <render/world_model.h>
#include <scree/appearance.h>
#include <scree/character.h>
#include <scree/error.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {
using namespace scree;

constexpr Vec3 ray_colour{1, 0.75f, 0.1f}, ball_colour{0.2f, 0.9f, 0.3f};

/// Pillars, crates and a stair on the ground.
void furnish(World& world) {
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    for (int k = 0; k < 4; ++k)
        world.attach(
            ground, Box{1 - 0.2f * static_cast<float>(k), 0.1f, 1},
            {.position = {3 + 0.2f * static_cast<float>(k), 0.1f + 0.2f * static_cast<float>(k), 0}});
    for (int k = 0; k < 7; ++k) {
        const float angle = 0.5f + 0.8f * static_cast<float>(k);
        world.attach(ground, Cylinder{1.2f, 0.3f},
                     {.position = {3.6f + 5 * std::cos(angle), 1.2f, 5 * std::sin(angle)}});
    }
    for (int k = 0; k < 12; ++k)
        world.attach(world.create_body({.position = {6 + 0.7f * static_cast<float>(k % 3),
                                                     0.3f + 0.6f * static_cast<float>(k / 6),
                                                     -1.5f + static_cast<float>(k % 6) * 0.6f}}),
                     Box{0.29f, 0.29f, 0.29f}, {.density = 200});
}

/// Line segments as the renderer takes them: two vertices each.
void add_line(Appearance& appearance, Frame& frame, const DVec3& from, const DVec3& to, const Vec3& colour) {
    const auto first = static_cast<std::uint32_t>(frame.vertices.size());
    AppearanceLines line;
    line.first_vertex = first;
    line.vertex_count = 2;
    line.ends = {0, 1};
    line.colour = colour;
    appearance.lines.push_back(line);
    frame.vertices.push_back(narrow(from));
    frame.vertices.push_back(narrow(to));
}

} // namespace

int main(int count, char** words) {
    std::unique_ptr<render::HeadlessContext> context;
    try {
        context = std::make_unique<render::HeadlessContext>();
    } catch (const Error& error) {
        std::printf("nothing to draw with: %s\n", error.what());
        return 77; // skipped
    }
    World world;
    furnish(world);
    Character player(world, {.position = {0, 0.05f, 0}});
    for (int step = 0; step < 140; ++step) {
        player.move(world, {player.state().position.x < 3.6 ? 1.8f : 0, 0, 0}, 1 / 60.0f);
        world.step(1 / 60.0f);
    }
    const DVec3 eye = player.state().position + DVec3{0, 1.7, 0};

    // one batch: rays that turn once around, a little downwards
    std::vector<RayCast> rays;
    for (int k = 0; k < 120; ++k) {
        const float angle = 6.2831853f * static_cast<float>(k) / 120;
        rays.push_back({.origin = eye, .translation = {12 * std::cos(angle), -3.5f, 12 * std::sin(angle)}});
    }
    std::vector<QueryHit> hits(rays.size());
    const QueryFilter others{.ignore = player.body()};
    world.cast_rays(rays, hits, others);
    // a ball that is thrown: the cast moves it without turning
    const ShapeCast ball{.geometry = Sphere{0.3f}, .position = eye, .translation = {5, -1.6f, 1.2f}};
    const auto landing = world.cast_shape(ball, others);

    auto appearance = std::make_shared<Appearance>(appearance_of(world));
    Frame frame;
    frame.appearance = appearance;
    show(world, frame); // lines are added to what it shows
    std::size_t met = 0;
    for (std::size_t k = 0; k < rays.size(); ++k) {
        if (!hits[k]) continue;
        ++met;
        add_line(*appearance, frame, eye, hits[k].point, ray_colour);
    }
    if (landing) {
        const DVec3 centre = ball.position + wide(ball.translation) * double{landing->fraction};
        add_line(*appearance, frame, eye, centre, ball_colour);
        for (int k = 0; k < 24; ++k) {
            const double a = 6.2831853 * k / 24, b = 6.2831853 * (k + 1) / 24;
            add_line(*appearance, frame, centre + DVec3{0.3 * std::cos(a), 0.3 * std::sin(a), 0},
                     centre + DVec3{0.3 * std::cos(b), 0.3 * std::sin(b), 0}, ball_colour);
            add_line(*appearance, frame, centre + DVec3{0.3 * std::cos(a), 0, 0.3 * std::sin(a)},
                     centre + DVec3{0.3 * std::cos(b), 0, 0.3 * std::sin(b)}, ball_colour);
        }
    }

    constexpr int width = 960, height = 540;
    const auto backend = render::make_gl_backend();
    render::Renderer renderer(*backend);
    render::WorldModel model(renderer);
    render::PictureTarget target(*backend, width, height);
    model.update(frame);
    const render::Camera camera{.eye = {-3.5f, 6.5f, 10.5f}, .target = {4, 0.4f, 0.4f}};
    renderer.draw(camera, {}, target.id(), width, height);
    render::Image picture{width, height, std::vector<std::uint8_t>(4 * width * height)};
    target.read(picture.rgba);
    if (count > 1) render::write_png(picture, words[1]);
    std::printf("%zu of %zu rays meet something; the ball %s\n", met, rays.size(),
                landing ? "lands" : "flies on");
    return met > 80 && landing ? 0 : 1;
}
