// SPDX-License-Identifier: MIT
// box3d_terrain.cpp — Box3D's scenes on meshes and on a wide floor: rain, trees, large world; see box3d_scenes.h.
#include "box3d_scenes.h"
#include "rigid_piles.h"
#include "scene/rotation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::bench {

namespace {

/// a tube of 1 m around a circle in the plane z = 0, 16 by 16 cells
Mesh torus(double radius) {
    constexpr std::uint32_t cells = 16;
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t ring = 0; ring < cells; ++ring)
        for (std::uint32_t i = 0; i < cells; ++i) {
            const SineCosine around = of_degrees(360.0 * i / cells), tube = of_degrees(360.0 * ring / cells);
            const double out = radius + tube.cosine;
            vertices.push_back({static_cast<float>(out * around.cosine),
                                static_cast<float>(out * around.sine), static_cast<float>(tube.sine)});
            const std::uint32_t next = (i + 1) % cells, above = (ring + 1) % cells;
            const std::uint32_t corner[] = {ring * cells + i, ring * cells + next, above * cells + next,
                                            above * cells + i};
            for (const int k : {0, 1, 2, 2, 3, 0}) indices.push_back(corner[k]);
        }
    return Mesh::from_triangles(vertices, indices);
}

Mesh flat_field(std::uint32_t cells, float spacing) {
    const std::uint32_t points = cells + 1;
    return Mesh::from_heights({.columns = points,
                               .rows = points,
                               .spacing = spacing,
                               .heights = std::vector<float>(std::size_t{points} * points)});
}

/// waves 0.4 m high, 10 m long in x and 20 m in z, on 150 m by 200 m
Mesh waves(std::uint32_t cell_cm) {
    const std::uint32_t columns = 15000 / cell_cm + 1, rows = 20000 / cell_cm + 1;
    const double cell = 0.01 * cell_cm;
    std::vector<float> heights;
    heights.reserve(std::size_t{columns} * rows);
    for (std::uint32_t z = 0; z < rows; ++z) {
        const double across = 0.4 * of_degrees(std::fmod(18 * cell * z, 360)).sine;
        for (std::uint32_t x = 0; x < columns; ++x)
            heights.push_back(static_cast<float>(across * of_degrees(std::fmod(36 * cell * x, 360)).sine));
    }
    return Mesh::from_heights({.columns = columns,
                               .rows = rows,
                               .spacing = static_cast<float>(cell),
                               .heights = std::move(heights)});
}

/// the steps in which a column of figures falls: two, 16 apart, in every 64
bool rains(int step) { return (step & 0x2f) == 0; }

} // namespace

BenchScene box3d_rain(std::uint32_t side) {
    constexpr float cell = 15;
    BenchScene scene = box3d_scene(400, true);
    const float first = -0.5f * cell * static_cast<float>(side) + 0.5f * cell;
    const auto at = [&](std::uint32_t i) { return first + cell * static_cast<float>(i); };
    const std::uint32_t ground =
        add_shape(scene, {box3d_part(flat_field(8, cell / 8)), box3d_part(torus(0.25 * double{cell}))});
    for (std::uint32_t x = 0; x < side; ++x)
        for (std::uint32_t z = 0; z < side; ++z) {
            scene.rigid.bodies.push_back(body_at(ground, {at(x), 0, at(z)}));
            scene.rigid.bodies.back().body.type = BodyType::fixed;
        }
    scene.low.y = -1;

    std::vector<std::uint32_t> figures(std::size_t{side} * side); // first shape, by cell
    for (std::size_t i = 0; i < figures.size(); ++i)
        figures[i] = add_human_shapes(scene, static_cast<int>(i));
    // once every cell of the columns has its three figures, the oldest column's are replaced
    scene.lives.resize(scene.rigid.bodies.size());
    std::vector<std::size_t> standing(side, 0); // first body of a column's figures
    std::uint32_t columns = 0;
    for (int step = 0; step < scene.steps; ++step) {
        if (!rains(step)) continue;
        const std::uint32_t column = columns % side;
        const std::size_t begin = scene.rigid.bodies.size();
        for (std::uint32_t row = 0; row < side; ++row)
            for (int i = 0; i < 3; ++i)
                add_human(scene, figures[std::size_t{row} * side + column],
                          {at(column) + 0.75f * static_cast<float>(i), 20, at(row)});
        scene.lives.resize(scene.rigid.bodies.size(), {.from = step});
        if (columns >= side)
            for (std::size_t k = 0; k < scene.lives.size() - begin; ++k)
                scene.lives[standing[column] + k].until = step;
        standing[column] = begin;
        ++columns;
    }
    return scene;
}

BenchScene box3d_trees(std::uint32_t cell_cm) {
    BenchScene scene = box3d_scene(500, true);
    scene.rigid.settings.sleep_speed = 0.2f;
    add_fixed(scene, {box3d_part(waves(cell_cm))}, {});
    scene.low = {-75, -1, -100};
    scene.high = {75, 1e9f, 100};

    // a trunk of 22 prisms of six sides, each thinner than that below it
    std::vector<RigidShape::Part> trunk;
    double bottom = 1, radius = 0.75, volume = 0, moment = 0;
    for (int i = 0; i < 22; ++i) {
        const double height = 1.5 + 2 * radius;
        RigidShape::Part part = box3d_part(prism(static_cast<float>(height), static_cast<float>(radius),
                                                 static_cast<float>(bottom - radius), 6),
                                           1);
        part.definition.material.friction = 0.9f;
        // a share of the inscribed sphere's radius
        part.definition.material.rolling_resistance = static_cast<float>(0.05 * std::sqrt(0.75) * radius);
        trunk.push_back(part);
        volume += radius * radius * height;
        moment += radius * radius * height * (bottom - radius + 0.5 * height);
        bottom += height;
        radius *= 0.95;
    }
    const auto centre = static_cast<float>(moment / volume);
    const std::uint32_t tree = add_shape(scene, std::move(trunk));
    constexpr int count = 50;
    for (int i = 0; i < count; ++i) {
        RigidBodyDef body = body_at(tree, {0, 1, -70 + 3 * static_cast<float>(i)});
        const float speed =
            (i % 2 == 0 ? -0.5f : 0.5f) * (0.5f + 0.5f * static_cast<float>(i) / static_cast<float>(count));
        body.body.angular_velocity = {0, 0, speed};
        body.body.velocity = {-speed * centre, 0, 0};
        scene.rigid.bodies.push_back(body);
    }
    return scene;
}

BenchScene box3d_large_world(std::uint32_t side) {
    constexpr float cell = 10;
    constexpr int drops = 100, drop_side = 10, interval = 5;
    BenchScene scene = box3d_scene(500, true);
    const float span = cell * static_cast<float>(side), first = -0.5f * span + 0.5f * cell;
    const std::uint32_t tile = add_shape(scene, {box3d_part(Box{0.5f * cell, 0.25f, 0.5f * cell})});
    scene.rigid.bodies.reserve(std::size_t{side} * side + drops);
    for (std::uint32_t x = 0; x < side; ++x)
        for (std::uint32_t z = 0; z < side; ++z) {
            scene.rigid.bodies.push_back(body_at(
                tile, {first + cell * static_cast<float>(x), 0, first + cell * static_cast<float>(z)}));
            scene.rigid.bodies.back().body.type = BodyType::fixed;
        }
    scene.low = {-0.5f * span, 0, -0.5f * span};
    scene.high = {0.5f * span, 1e9f, 0.5f * span};
    scene.lives.resize(scene.rigid.bodies.size());
    const std::uint32_t ball = add_shape(scene, {box3d_part(Sphere{0.5f})});
    // over the inner four fifths of the floor, one in every fifth step
    const auto at = [&](int i) {
        return -0.4f * span + (static_cast<float>(i) + 0.5f) * 0.8f * span / drop_side;
    };
    for (int i = 0; i < drops; ++i) {
        scene.rigid.bodies.push_back(body_at(ball, {at(i % drop_side), 1.5f, at(i / drop_side)}));
        scene.lives.push_back({.from = interval * (i + 1)});
    }
    return scene;
}

} // namespace scree::bench
