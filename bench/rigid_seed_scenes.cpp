// SPDX-License-Identifier: MIT
// rigid_seed_scenes.cpp — the three scenes of Peres 2008: contract rigid-seed-1 of docs/manual/bench-rigid.md.
//
// What the dissertation leaves out is fixed here: the step, gravity, placement, the funnel's measures, and that the
// molecule cube starts to turn with one velocity rather than by forces at two corners.
#include "rigid_piles.h"

#include <algorithm>
#include <cmath>

namespace scree::bench {

namespace {

RigidScene seed_contract() {
    RigidScene scene;
    scene.contract = "rigid-seed-1";
    return scene;
}

} // namespace

RigidScene seed_spheres(std::uint32_t count) {
    RigidScene scene = seed_contract();
    const Lattice lattice{
        .side = 17, .pitch = 2.2f, .shift = 0.4f, .jitter = 0.05f, .turn = 0, .lowest = 1.5f};
    const std::uint32_t layers = (count + 288) / 289;
    add_container(scene, 20, std::max(40.0f, lattice.lowest + lattice.pitch * static_cast<float>(layers)));
    SceneRandom random(7);
    for (std::uint32_t i = 0; i < count; ++i) {
        RigidBody body = lattice_body(lattice, i, random);
        body.density = 1;
        body.parts = {{RigidForm::sphere, {1, 0, 0}, 0, {}, {}}};
        scene.bodies.push_back(body);
    }
    return scene;
}

RigidScene molecule(std::uint32_t side) {
    RigidScene scene = seed_contract();
    scene.gravity = {};
    constexpr float pitch = 2.5f, spin = 0.5f; // surfaces 0.5 apart; rad/s about y
    const float middle = 0.5f * static_cast<float>(side - 1);
    const auto index = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return (y * side + z) * side + x;
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t z = 0; z < side; ++z)
            for (std::uint32_t x = 0; x < side; ++x) {
                RigidBody body;
                body.density = 1;
                body.position = {(static_cast<float>(x) - middle) * pitch,
                                 (static_cast<float>(y) - middle) * pitch,
                                 (static_cast<float>(z) - middle) * pitch};
                body.velocity = {spin * body.position.z, 0, -spin * body.position.x};
                body.angular_velocity = {0, spin, 0};
                body.parts = {{RigidForm::sphere, {1, 0, 0}, 0, {}, {}}};
                scene.bodies.push_back(body);
                // each to its neighbour before it along every axis, joined half way
                const Vec3 p = body.position;
                const std::uint32_t self = index(x, y, z);
                if (x > 0) scene.joints.push_back({false, self - 1, self, {p.x - 0.5f * pitch, p.y, p.z}});
                if (y > 0)
                    scene.joints.push_back({false, self - side * side, self, {p.x, p.y - 0.5f * pitch, p.z}});
                if (z > 0) scene.joints.push_back({false, self - side, self, {p.x, p.y, p.z - 0.5f * pitch}});
            }
    return scene;
}

RigidScene funnel(std::uint32_t count) {
    RigidScene scene = seed_contract();
    const Lattice lattice{
        .side = 6, .pitch = 1.2f, .shift = 0.1f, .jitter = 0.03f, .turn = 0.3f, .lowest = 7};
    const std::uint32_t layers = (count + 35) / 36;
    const float top = lattice.lowest + lattice.pitch * static_cast<float>(layers);
    add_container(scene, 10, 4);
    scene.low = {-10, 0, -10};
    scene.high = {10, 1e9f, 10};

    // four slopes of 45 degrees from an opening 2 m wide at y = 3 to 8 m at y = 6, and a shaft above them
    constexpr float half_slope = 2.2f, thick = 0.5f;
    const float r = std::sqrt(0.5f); // sine and cosine of 45 degrees
    const float s8 = std::sqrt(0.5f - 0.5f * r), c8 = std::sqrt(0.5f + 0.5f * r); // and of half of it
    for (float sign : {-1.0f, 1.0f}) {
        // the middle of the inner face, then half the thickness outwards and down
        const float out = 1 + r * half_slope + r * thick, up = 3 + r * half_slope - r * thick;
        RigidBody along_x = fixed_box({sign * out, up, 0}, {half_slope, thick, 6});
        along_x.rotation = {.z = sign * s8, .s = c8};
        RigidBody along_z = fixed_box({0, up, sign * out}, {6, thick, half_slope});
        along_z.rotation = {.x = -sign * s8, .s = c8};
        scene.bodies.push_back(along_x);
        scene.bodies.push_back(along_z);
        const float half = 0.5f * (top - 5.5f);
        scene.bodies.push_back(fixed_box({sign * 4.5f, 5.5f + half, 0}, {0.5f, half, 5}));
        scene.bodies.push_back(fixed_box({0, 5.5f + half, sign * 4.5f}, {4, half, 0.5f}));
    }

    SceneRandom random(8);
    const RigidPart bar{RigidForm::capsule, {0.1f, 0.35f, 0}, 0, {}, {}};
    RigidPart bar_x = bar, bar_z = bar;
    bar_x.rotation = {.z = -r, .s = r};
    bar_z.rotation = {.x = r, .s = r};
    for (std::uint32_t i = 0; i < count; ++i) {
        RigidBody body = lattice_body(lattice, i, random);
        body.density = 2;
        body.parts = {bar, bar_x, bar_z};
        scene.bodies.push_back(body);
    }
    return scene;
}

} // namespace scree::bench
