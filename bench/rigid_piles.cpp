// SPDX-License-Identifier: MIT
// rigid_piles.cpp — pyramid, stacks, piles in a container and ragdolls: contract rigid-1 of docs/manual/bench-rigid.md.
#include "rigid_piles.h"

#include <cmath>

namespace scree::bench {

float SceneRandom::symmetric() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<float>(z >> 40) * (2.0f / 16777216.0f) - 1.0f;
}

Quat SceneRandom::rotation(float angle) {
    float x, y, z, square;
    do {
        x = symmetric();
        y = symmetric();
        z = symmetric();
        square = x * x + y * y + z * z;
    } while (square > 1 || square < 0.01f);
    // (1, v) normalised turns by 2 atan |v|: at these angles |v| is half the angle within 1 %
    const float scale = 0.5f * angle * symmetric() / std::sqrt(square);
    x *= scale;
    y *= scale;
    z *= scale;
    const float inverse = 1 / std::sqrt(1 + x * x + y * y + z * z);
    return {.x = x * inverse, .y = y * inverse, .z = z * inverse, .s = inverse};
}

RigidBody fixed_box(Vec3 centre, Vec3 half) {
    RigidBody body;
    body.fixed = true;
    body.position = centre;
    body.parts = {{RigidForm::box, half, 0, {}, {}}};
    return body;
}

void add_container(RigidScene& scene, float half_width, float height) {
    const float reach = half_width + 2;
    scene.bodies.push_back(fixed_box({0, -1, 0}, {reach, 1, reach}));
    for (float sign : {-1.0f, 1.0f}) {
        scene.bodies.push_back(
            fixed_box({sign * (half_width + 1), 0.5f * height, 0}, {1, 0.5f * height, reach}));
        scene.bodies.push_back(
            fixed_box({0, 0.5f * height, sign * (half_width + 1)}, {half_width, 0.5f * height, 1}));
    }
    scene.low = {-half_width, 0, -half_width};
    scene.high = {half_width, 1e9f, half_width};
}

namespace {

// Multiples of the golden ratio and of the plastic number (Roberts 2018) in -1 … 1: no two layers near each other lie
// alike. Shifts of half a pitch to and fro settle as a brick wall with half of the contacts.
float layer_fraction(std::uint32_t layer, std::uint32_t ratio) {
    return static_cast<float>((layer * ratio) >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

} // namespace

RigidBody lattice_body(const Lattice& lattice, std::uint32_t index, SceneRandom& random) {
    const std::uint32_t layer = index / (lattice.side * lattice.side);
    const std::uint32_t in_layer = index % (lattice.side * lattice.side);
    const float middle = 0.5f * static_cast<float>(lattice.side - 1);
    const float shift_x = lattice.shift * layer_fraction(layer, 2654435769u);
    const float shift_z = lattice.shift * layer_fraction(layer, 3242174889u);
    RigidBody body;
    body.position.x = (static_cast<float>(in_layer % lattice.side) - middle) * lattice.pitch + shift_x +
                      lattice.jitter * random.symmetric();
    body.position.y =
        lattice.lowest + static_cast<float>(layer) * lattice.pitch + lattice.jitter * random.symmetric();
    body.position.z = (static_cast<float>(in_layer / lattice.side) - middle) * lattice.pitch + shift_z +
                      lattice.jitter * random.symmetric();
    body.rotation = random.rotation(lattice.turn);
    return body;
}

namespace {

RigidScene contract_1() {
    RigidScene scene;
    scene.contract = "rigid-1";
    return scene;
}

/// the least whole number whose cube is no less
std::uint32_t cube_side(std::uint32_t count) {
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side * side < count) ++side;
    return side;
}

/// a pile whose lattice has `side` bodies along x and z: 16 of them make the container 24 m wide, 28 make it 41 m
RigidScene pile(std::uint32_t count, std::uint32_t side, std::uint64_t seed,
                RigidPart (*part)(std::uint32_t index)) {
    RigidScene scene = contract_1();
    const Lattice lattice{.side = side};
    const std::uint32_t layers = (count + side * side - 1) / (side * side);
    const float width = std::ceil(static_cast<float>(side) * lattice.pitch + 1.6f - 1e-3f);
    add_container(scene, 0.5f * width, lattice.lowest + static_cast<float>(layers) * lattice.pitch);
    SceneRandom random(seed);
    for (std::uint32_t i = 0; i < count; ++i) {
        RigidBody body = lattice_body(lattice, i, random);
        body.parts = {part(i)};
        scene.bodies.push_back(body);
    }
    return scene;
}

RigidPart unit_box(std::uint32_t) { return {}; }
RigidPart unit_sphere(std::uint32_t) { return {RigidForm::sphere, {0.5f, 0, 0}, 0, {}, {}}; }
RigidPart short_capsule(std::uint32_t) { return {RigidForm::capsule, {0.3f, 0.3f, 0}, 0, {}, {}}; }
constexpr std::uint32_t hull_kinds = 16;
RigidPart some_hull(std::uint32_t index) { return {RigidForm::hull, {}, index % hull_kinds, {}, {}}; }

/// corners that are symmetric about the three planes: a squeezed icosahedron, or a box with cut edges and corners
std::vector<Vec3> hull_points(bool icosahedron, SceneRandom& random) {
    const float a = 0.5f + 0.08f * random.symmetric(), b = 0.5f + 0.08f * random.symmetric(),
                c = 0.5f + 0.08f * random.symmetric(), k = 0.55f + 0.1f * random.symmetric();
    std::vector<Vec3> points;
    for (float u : {-1.0f, 1.0f})
        for (float v : {-1.0f, 1.0f}) {
            if (icosahedron) {
                points.insert(points.end(),
                              {{u * a, v * k * b, 0}, {0, u * b, v * k * c}, {v * k * a, 0, u * c}});
                continue;
            }
            for (float w : {-1.0f, 1.0f})
                points.insert(points.end(), {{u * a, v * k * b, w * k * c},
                                             {u * k * a, v * b, w * k * c},
                                             {u * k * a, v * k * b, w * c}});
        }
    return points;
}

RigidScene boxes_on_each_other(std::uint32_t count, float top_density) {
    RigidScene scene = contract_1();
    scene.stands = true;
    scene.bodies.push_back(fixed_box({0, -1, 0}, {20, 1, 20}));
    scene.low = {-20, 0, -20};
    scene.high = {20, 1e9f, 20};
    for (std::uint32_t i = 0; i < count; ++i) {
        RigidBody body;
        body.position = {0, static_cast<float>(i) + 0.5f, 0};
        body.parts = {unit_box(i)};
        if (i + 1 == count) body.density = top_density;
        scene.bodies.push_back(body);
    }
    return scene;
}

// a person of 1.8 m with spread arms, standing on y = 0; capsules along y or along x
struct Limb {
    Vec3 centre;
    bool along_x;
    float radius, half_height;
    int parent; ///< -1: none
    Vec3 joint;
};
constexpr Limb limbs[11] = {{{0, 0.95f, 0}, true, 0.11f, 0.08f, -1, {}},
                            {{0, 1.25f, 0}, false, 0.14f, 0.12f, 0, {0, 1.05f, 0}},
                            {{0, 1.66f, 0}, false, 0.11f, 0.04f, 1, {0, 1.52f, 0}},
                            {{0.11f, 0.68f, 0}, false, 0.075f, 0.16f, 0, {0.11f, 0.9f, 0}},
                            {{-0.11f, 0.68f, 0}, false, 0.075f, 0.16f, 0, {-0.11f, 0.9f, 0}},
                            {{0.11f, 0.24f, 0}, false, 0.06f, 0.16f, 3, {0.11f, 0.45f, 0}},
                            {{-0.11f, 0.24f, 0}, false, 0.06f, 0.16f, 4, {-0.11f, 0.45f, 0}},
                            {{0.36f, 1.42f, 0}, true, 0.055f, 0.12f, 1, {0.2f, 1.42f, 0}},
                            {{-0.36f, 1.42f, 0}, true, 0.055f, 0.12f, 1, {-0.2f, 1.42f, 0}},
                            {{0.7f, 1.42f, 0}, true, 0.045f, 0.12f, 7, {0.535f, 1.42f, 0}},
                            {{-0.7f, 1.42f, 0}, true, 0.045f, 0.12f, 8, {-0.535f, 1.42f, 0}}};

void add_ragdoll(RigidScene& scene, const RigidBody& frame) {
    const auto first = static_cast<std::uint32_t>(scene.bodies.size());
    const DQuat turn = wide(frame.rotation);
    const auto placed = [&](const Vec3& point) {
        return narrow(wide(frame.position) + rotate(turn, wide(point)));
    };
    const double half = std::sqrt(0.5);
    for (const Limb& limb : limbs) {
        RigidBody body;
        body.position = placed(limb.centre);
        // y onto x: a quarter turn about z
        body.rotation = narrow(limb.along_x ? turn * DQuat{.z = -half, .s = half} : turn);
        body.parts = {{RigidForm::capsule, {limb.radius, limb.half_height, 0}, 0, {}, {}}};
        if (limb.parent >= 0)
            scene.joints.push_back({true, first + static_cast<std::uint32_t>(limb.parent),
                                    static_cast<std::uint32_t>(scene.bodies.size()), placed(limb.joint)});
        scene.bodies.push_back(body);
    }
}

} // namespace

RigidScene pyramid(std::uint32_t base) {
    RigidScene scene = contract_1();
    scene.stands = true;
    const float reach = static_cast<float>(base) + 20;
    scene.bodies.push_back(fixed_box({0, -1, 0}, {reach, 1, reach}));
    scene.low = {-reach, 0, -reach};
    scene.high = {reach, 1e9f, reach};
    for (std::uint32_t row = 0; row < base; ++row)
        for (std::uint32_t i = 0; i < base - row; ++i) {
            RigidBody body;
            body.position = {static_cast<float>(i) - 0.5f * static_cast<float>(base - row - 1),
                             static_cast<float>(row) + 0.5f, 0};
            body.parts = {unit_box(i)};
            scene.bodies.push_back(body);
        }
    return scene;
}

RigidScene pile_of_boxes(std::uint32_t count) { return pile(count, cube_side(count), 1, unit_box); }
RigidScene wide_pile_of_boxes(std::uint32_t count) {
    std::uint32_t side = 1;
    while (std::uint64_t{16} * side * side < count) ++side;
    return pile(count, side, 1, unit_box);
}
RigidScene pile_of_spheres(std::uint32_t count) {
    return pile(count, cube_side((count + 1) / 2), 2, unit_sphere);
}
RigidScene pile_of_capsules(std::uint32_t count) { return pile(count, cube_side(count), 3, short_capsule); }

RigidScene pile_of_hulls(std::uint32_t count) {
    RigidScene scene = pile(count, cube_side(count), 4, some_hull);
    SceneRandom random(5);
    for (std::uint32_t i = 0; i < hull_kinds; ++i) scene.hulls.push_back(hull_points(i % 2 == 0, random));
    return scene;
}

RigidScene ragdolls(std::uint32_t count) {
    RigidScene scene = contract_1();
    scene.bodies.push_back(fixed_box({0, -1, 0}, {60, 1, 60}));
    scene.low = {-60, 0, -60};
    scene.high = {60, 1e9f, 60};
    // 200 are 5 x 5 x 8
    const Lattice lattice{
        .side = cube_side((count + 1) * 5 / 8), .pitch = 2.4f, .shift = 0.1f, .lowest = 0.5f};
    SceneRandom random(6);
    for (std::uint32_t i = 0; i < count; ++i) add_ragdoll(scene, lattice_body(lattice, i, random));
    return scene;
}

RigidScene stack(std::uint32_t count) { return boxes_on_each_other(count, 1000); }
RigidScene heavy_stack(std::uint32_t ratio) {
    return boxes_on_each_other(10, 1000 * static_cast<float>(ratio));
}

} // namespace scree::bench
