// SPDX-License-Identifier: MIT
// rigid_piles.cpp — pyramid, stacks, piles in a container and ragdolls: contracts rigid-1 and rigid-mixed-1 of
// docs/manual/bench-rigid.md.
#include "rigid_piles.h"

#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

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

RigidShape::Part part_of(const Geometry& geometry, float density, Vec3 position, Quat rotation) {
    ShapeDef shape;
    shape.position = position;
    shape.rotation = rotation;
    shape.density = density;
    shape.material.friction = 0.5f;
    return {geometry, shape};
}

std::uint32_t add_shape(BenchScene& scene, std::vector<RigidShape::Part> parts) {
    scene.rigid.shapes.push_back({{}, std::move(parts), {}, {}});
    return static_cast<std::uint32_t>(scene.rigid.shapes.size() - 1);
}
std::uint32_t add_shape(BenchScene& scene, const Geometry& geometry, float density) {
    return add_shape(scene, {part_of(geometry, density)});
}

RigidBodyDef body_at(std::uint32_t shape, Vec3 position, Quat rotation) {
    RigidBodyDef body;
    body.shape = shape;
    body.body.position = position;
    body.body.rotation = rotation;
    return body;
}

void add_fixed_box(BenchScene& scene, Vec3 centre, Box half, Quat rotation) {
    scene.rigid.bodies.push_back(body_at(add_shape(scene, half), centre, rotation));
    scene.rigid.bodies.back().body.type = BodyType::fixed;
}

void add_ground(BenchScene& scene, float reach) {
    add_fixed_box(scene, {0, -1, 0}, {reach, 1, reach});
    scene.low = {-reach, 0, -reach};
    scene.high = {reach, 1e9f, reach};
}

void add_container(BenchScene& scene, float half_width, float height) {
    const float reach = half_width + 2;
    add_ground(scene, reach);
    for (float sign : {-1.0f, 1.0f}) {
        add_fixed_box(scene, {sign * (half_width + 1), 0.5f * height, 0}, {1, 0.5f * height, reach});
        add_fixed_box(scene, {0, 0.5f * height, sign * (half_width + 1)}, {half_width, 0.5f * height, 1});
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

RigidBodyDef lattice_body(const Lattice& lattice, std::uint32_t shape, std::uint32_t index,
                          SceneRandom& random) {
    const std::uint32_t layer = index / (lattice.side * lattice.side);
    const std::uint32_t in_layer = index % (lattice.side * lattice.side);
    const float middle = 0.5f * static_cast<float>(lattice.side - 1);
    const float shift_x = lattice.shift * layer_fraction(layer, 2654435769u);
    const float shift_z = lattice.shift * layer_fraction(layer, 3242174889u);
    Vec3 at;
    at.x = (static_cast<float>(in_layer % lattice.side) - middle) * lattice.pitch + shift_x +
           lattice.jitter * random.symmetric();
    at.y = lattice.lowest + static_cast<float>(layer) * lattice.pitch + lattice.jitter * random.symmetric();
    at.z = (static_cast<float>(in_layer / lattice.side) - middle) * lattice.pitch + shift_z +
           lattice.jitter * random.symmetric();
    return body_at(shape, at, random.rotation(lattice.turn));
}

namespace {

BenchScene contract_1() {
    BenchScene scene;
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
BenchScene pile(std::uint32_t count, std::uint32_t side, std::uint64_t seed,
                const std::vector<RigidShape::Part>& parts) {
    BenchScene scene = contract_1();
    const Lattice lattice{.side = side};
    const std::uint32_t layers = (count + side * side - 1) / (side * side);
    const float width = std::ceil(static_cast<float>(side) * lattice.pitch + 1.6f - 1e-3f);
    add_container(scene, 0.5f * width, lattice.lowest + static_cast<float>(layers) * lattice.pitch);
    std::vector<std::uint32_t> shapes;
    for (const RigidShape::Part& part : parts) shapes.push_back(add_shape(scene, {part}));
    SceneRandom random(seed);
    scene.rigid.bodies.reserve(scene.rigid.bodies.size() + count);
    for (std::uint32_t i = 0; i < count; ++i)
        scene.rigid.bodies.push_back(lattice_body(lattice, shapes[i % shapes.size()], i, random));
    return scene;
}

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

BenchScene boxes_on_each_other(std::uint32_t count, std::optional<float> top_density = {}) {
    BenchScene scene = contract_1();
    scene.stands = true;
    add_ground(scene, 20);
    const std::uint32_t box = add_shape(scene, Box{});
    for (std::uint32_t i = 0; i < count; ++i)
        scene.rigid.bodies.push_back(body_at(box, {0, static_cast<float>(i) + 0.5f, 0}));
    scene.rigid.bodies.back().density = top_density;
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

/// how far a limb may turn against its parent, in the figure's frame
struct LimbRange {
    Vec3 axis;
    float swing;     ///< rad, of the cone about the axis; 0: a hinge
    float low, high; ///< rad, about the axis
};
constexpr LimbRange ranges[11] = {{},
                                  {{0, 1, 0}, 0.5f, -0.5f, 0.5f},
                                  {{0, 1, 0}, 0.7f, -0.8f, 0.8f},
                                  {{0, -1, 0}, 1.0f, -0.4f, 0.4f},
                                  {{0, -1, 0}, 1.0f, -0.4f, 0.4f},
                                  {{1, 0, 0}, 0, 0, 2.3f},
                                  {{1, 0, 0}, 0, 0, 2.3f},
                                  {{1, 0, 0}, 1.4f, -0.8f, 0.8f},
                                  {{-1, 0, 0}, 1.4f, -0.8f, 0.8f},
                                  {{0, 1, 0}, 0, -2.3f, 0},
                                  {{0, 1, 0}, 0, 0, 2.3f}};

/// `first_shape`: that of the first limb; the others follow it.
void add_ragdoll(BenchScene& scene, std::uint32_t first_shape, const BodyDef& frame, bool limited) {
    const auto first = static_cast<std::uint32_t>(scene.rigid.bodies.size());
    const DQuat turn = wide(frame.rotation);
    const auto placed = [&](const Vec3& point) { return narrow(frame.position + rotate(turn, wide(point))); };
    const double half = std::sqrt(0.5);
    for (std::uint32_t i = 0; i < std::size(limbs); ++i) {
        const Limb& limb = limbs[i];
        // y onto x: a quarter turn about z
        const DQuat rotation = limb.along_x ? turn * DQuat{.z = -half, .s = half} : turn;
        scene.rigid.bodies.push_back(body_at(first_shape + i, placed(limb.centre), narrow(rotation)));
        if (limb.parent < 0) continue;
        RigidJointDef joint;
        joint.first = first + static_cast<std::uint32_t>(limb.parent);
        joint.second = first + i;
        joint.anchor = placed(limb.joint);
        if (limited) {
            const LimbRange& range = ranges[i];
            JointDef motion{.first = {}, .limit = JointLimit{range.low, range.high}};
            if (range.swing > 0) motion.swing = range.swing;
            else joint.type = JointType::hinge;
            // a joint's angles are those of its first body
            std::swap(joint.first, *joint.second);
            joint.axis = narrow(rotate(turn, wide(range.axis)));
            joint.motion = std::make_shared<const JointDef>(motion);
        }
        scene.rigid.joints.push_back(joint);
    }
}

} // namespace

BenchScene pyramid(std::uint32_t base) {
    BenchScene scene = contract_1();
    scene.stands = true;
    add_ground(scene, static_cast<float>(base) + 20);
    const std::uint32_t box = add_shape(scene, Box{});
    for (std::uint32_t row = 0; row < base; ++row)
        for (std::uint32_t i = 0; i < base - row; ++i)
            scene.rigid.bodies.push_back(
                body_at(box, {static_cast<float>(i) - 0.5f * static_cast<float>(base - row - 1),
                              static_cast<float>(row) + 0.5f, 0}));
    return scene;
}

BenchScene pile_of_boxes(std::uint32_t count) { return pile(count, cube_side(count), 1, {part_of(Box{})}); }
BenchScene wide_pile_of_boxes(std::uint32_t count) {
    std::uint32_t side = 1;
    while (std::uint64_t{16} * side * side < count) ++side;
    return pile(count, side, 1, {part_of(Box{})});
}
BenchScene pile_of_spheres(std::uint32_t count) {
    return pile(count, cube_side((count + 1) / 2), 2, {part_of(Sphere{})});
}
BenchScene pile_of_capsules(std::uint32_t count) {
    return pile(count, cube_side(count), 3, {part_of(Capsule{.half_height = 0.3f, .radius = 0.3f})});
}

BenchScene pile_of_hulls(std::uint32_t count) {
    std::vector<RigidShape::Part> hulls;
    SceneRandom random(5);
    for (int i = 0; i < 16; ++i) hulls.push_back(part_of(Hull::from_points(hull_points(i % 2 == 0, random))));
    return pile(count, cube_side(count), 4, hulls);
}

BenchScene pile_of_all(std::uint32_t count) {
    SceneRandom random(8);
    const Cone cone{.half_height = 0.4f, .radius = 0.45f};
    BenchScene scene = pile(count, cube_side(count), 7,
                            {part_of(Sphere{}), part_of(Capsule{.half_height = 0.3f, .radius = 0.3f}),
                             part_of(Box{}), part_of(Cylinder{.half_height = 0.45f, .radius = 0.45f}),
                             part_of(cone, 1000, {0, 0.5f * cone.half_height, 0}),
                             part_of(Hull::from_points(hull_points(true, random))),
                             part_of(Hull::from_points(hull_points(false, random)))});
    scene.contract = "rigid-mixed-1";
    return scene;
}

namespace {

BenchScene pile_of_ragdolls(std::uint32_t count, bool limited) {
    BenchScene scene = contract_1();
    add_ground(scene, 60);
    const auto first_shape = static_cast<std::uint32_t>(scene.rigid.shapes.size());
    for (const Limb& limb : limbs)
        add_shape(scene, Capsule{.half_height = limb.half_height, .radius = limb.radius});
    // 200 are 5 x 5 x 8
    const Lattice lattice{
        .side = cube_side((count + 1) * 5 / 8), .pitch = 2.4f, .shift = 0.1f, .lowest = 0.5f};
    SceneRandom random(6);
    for (std::uint32_t i = 0; i < count; ++i)
        add_ragdoll(scene, first_shape, lattice_body(lattice, 0, i, random).body, limited);
    return scene;
}

} // namespace

BenchScene ragdolls(std::uint32_t count) { return pile_of_ragdolls(count, false); }
BenchScene ragdolls_with_limits(std::uint32_t count) { return pile_of_ragdolls(count, true); }

BenchScene drum(std::uint32_t count) {
    BenchScene scene = contract_1();
    scene.special = true; // the drum is kinematic
    // 36 walls about the z axis, of 10 degrees each, and two ends; 60,000 cubes make it 16 m wide and long
    constexpr float pitch = 0.34f, half_cube = 0.125f, wall = 0.5f;
    float radius = 1;
    const auto per_layer = [&] {
        std::uint32_t inside = 0;
        const auto reach = static_cast<int>(0.9f * radius / pitch);
        for (int x = -reach; x <= reach; ++x)
            for (int y = -reach; y <= reach; ++y)
                inside += static_cast<float>(x * x + y * y) * pitch * pitch < 0.81f * radius * radius;
        return inside;
    };
    const auto layers = [&] { return static_cast<std::uint32_t>((2 * radius - 0.5f) / pitch); };
    while (std::uint64_t{per_layer()} * layers() < count) radius += 0.25f;

    std::vector<RigidShape::Part> parts;
    const DQuat turn{.z = 0.08715574274765817, .s = 0.99619469809174555};
    DQuat rotation;
    const float width = 0.0874886635f * (radius + 2 * wall); // tan 5 degrees: at the outer side
    for (int k = 0; k < 36; ++k) {
        const Vec3 centre = narrow(rotate(rotation, DVec3{0, radius + wall, 0}));
        parts.push_back(part_of(Box{width, wall, radius}, 1000, centre, narrow(rotation)));
        rotation = rotation * turn;
    }
    for (const float sign : {-1.0f, 1.0f})
        parts.push_back(
            part_of(Box{radius + wall, radius + wall, wall}, 1000, {0, 0, sign * (radius + wall)}));
    RigidBodyDef body = body_at(add_shape(scene, std::move(parts)), {});
    body.body.type = BodyType::kinematic;
    body.body.angular_velocity = {0, 0, 0.6f};
    scene.rigid.bodies.push_back(body);
    scene.low = {-radius - wall, -radius - wall, -radius - wall};
    scene.high = {radius + wall, radius + wall, radius + wall};

    const std::uint32_t cube = add_shape(scene, Box{half_cube, half_cube, half_cube});
    SceneRandom random(7);
    const auto reach = static_cast<int>(0.9f * radius / pitch);
    const std::uint32_t deep = layers();
    for (std::uint32_t layer = 0; layer < deep; ++layer)
        for (int x = -reach; x <= reach; ++x)
            for (int y = -reach; y <= reach; ++y) {
                if (!(static_cast<float>(x * x + y * y) * pitch * pitch < 0.81f * radius * radius)) continue;
                if (scene.rigid.bodies.size() > count) return scene;
                const float z = (static_cast<float>(layer) - 0.5f * static_cast<float>(deep - 1)) * pitch;
                scene.rigid.bodies.push_back(
                    body_at(cube, {static_cast<float>(x) * pitch, static_cast<float>(y) * pitch, z},
                            random.rotation(0.3f)));
            }
    return scene;
}

BenchScene stack(std::uint32_t count) { return boxes_on_each_other(count); }
BenchScene heavy_stack(std::uint32_t ratio) {
    return boxes_on_each_other(10, 1000 * static_cast<float>(ratio));
}

} // namespace scree::bench
