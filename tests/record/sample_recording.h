// SPDX-License-Identifier: MIT
// sample_recording.h — small recordings for the tests.
#pragma once

#include "scree/recording.h"
#include "support/temporary_folder.h"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace scree::testing {

inline RecordingHeader sample_header() {
    RecordingHeader header;
    header.scene = "sample";
    header.title = "Two shapes and a box";
    header.kind = "granular";
    header.scree_version = "1.2.3";
    header.device = "cpu";
    header.settings = "stiffness = 100\nseed = 7\n";
    header.time_step = 0.005f;
    header.steps_per_frame = 2;
    header.scene_text = "{\"scree\": 1}";
    header.files = {{"banana.obj", "v 0 0 0\n"}};
    return header;
}

/// Pairs and grains by turns, and a box behind them.
inline std::shared_ptr<Appearance> sample_appearance(std::size_t bodies) {
    auto look = std::make_shared<Appearance>();
    look->scene = "sample";
    look->title = "Two shapes and a box";
    look->shapes = {appearance_of("pair", {{Box{0.75f, 0.25f, 0.25f}, {}}}),
                    appearance_of("grain", {{Sphere{0.5f}, {}}}),
                    appearance_of("obstacle", {{Box{4, 5, 6}, {}}})};
    look->shapes[0].particles = {{{-0.5f, 0, 0}, 0.25f, {-1, 0, 0}}, {{0.5f, 0, 0}, 0.25f, {1, 0, 0}}};
    look->shapes[1].particles = {{{0, 0, 0}, 0.5f, {0, 0, 0}}};
    for (std::size_t i = 0; i < bodies; ++i)
        look->bodies.push_back({static_cast<std::uint32_t>(i % 2), BodyType::dynamic, 1});
    look->body_count = static_cast<std::uint32_t>(bodies);
    look->bodies.push_back({2, BodyType::fixed, 7, {}, "obstacle"});
    return look;
}

/// Everything that an appearance can hold.
inline std::shared_ptr<Appearance> rich_appearance() {
    const std::shared_ptr<Appearance> look = sample_appearance(3);
    const std::vector<Vec3> corners{
        {-1, -1, -1}, {1, -1, -1}, {0, 1.5f, 0}, {0, -1, 1}, {0.5f, 0.25f, 0.75f}};
    const Hull hull = Hull::from_points(corners);
    const Mesh mesh = Mesh::from_triangles(corners, std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2},
                                           {.two_sided = true, .materials = {Material{.friction = 0.25f}}});
    Pose turned;
    turned.position = {1, 2, 3};
    turned.rotation.s = 0.6f, turned.rotation.y = 0.8f;
    const Paint red{Vec3{0.9f, 0.1f, 0.1f}, 0.25f, 1.0f, 0.5f, "checker"};
    look->shapes.push_back(appearance_of("all kinds",
                                         {{Sphere{0.5f}, {}, {}},
                                          {Capsule{1, 0.25f}, turned, {}},
                                          {Box{1, 2, 3}, {}, red},
                                          {Cylinder{0.5f, 2}, {}, {}},
                                          {Cone{2, 0.5f}, {}, {}},
                                          {hull, turned, {}},
                                          {hull, {}, {}},
                                          {mesh, turned, {}},
                                          {mesh.scaled({1, 2, 3}), {}, {}}},
                                         {{mesh, {}, red}, {hull, turned, {}}}));
    look->shapes.push_back(appearance_of("ground", {{Plane{}, {}}}));
    look->bodies[1] = {3, BodyType::kinematic, 12, {0, 0.25f, 0}, "kind of all", red};
    look->bodies[2] = {4, BodyType::fixed, 0, {}, "ground"};
    look->joints = {{"ball", 0, 1, {1, 0, 0}, {0, 1, 0}, {}},
                    {"hinge", 1, std::nullopt, {0, 0, 1}, {}, Vec3{0, 1, 0}}};
    look->meshes = {{"cloth", 0, 4, {0, 1, 2, 2, 1, 3}, red}};
    look->lines = {{"rope", 4, 3, {0, 1, 1, 2}, {1, 0.5f, 0}}};
    look->lights = {{{0, 1, 0}, std::nullopt, {1, 1, 1}, 3, 10},
                    {{}, Vec3{1, 5, 1}, {1, 0.5f, 0.25f}, 2, 20, 1}};
    look->camera = AppearanceCamera{{1, 2, 3}, {0, 0, 0}, 60};
    look->cameras = {{{4, 5, 6}, {0, 1, 0}, 30, "from the side"}, {{0, 9, 0.5f}, {}, 45, "from above"}};
    look->ground = {false, red};
    look->ground.paint.texture_size = 0.25f;
    look->sky = {Vec3{0, 0, 1}, {}, 0.5f, 0.125f, Vec3{0.5f, 0.5f, 1}};
    look->shading = Shading::blinn_phong;
    look->up = {0, 0, 1};
    look->low = {-1, -2, -3};
    look->high = {4, 5, 6};
    return look;
}

constexpr std::uint64_t sample_step(std::size_t frame) { return frame * 2; }
constexpr std::uint64_t sample_hash(std::uint64_t step) { return step * 0x9e3779b97f4a7c15u; }

/// Bodies on smooth paths with a little noise; some asleep, and values that a lossy format would not keep.
inline Frame sample_frame(const std::shared_ptr<const Appearance>& look, std::uint64_t step) {
    std::mt19937 random(static_cast<std::mt19937::result_type>(step));
    const std::size_t count = look->body_count;
    Frame frame;
    frame.step = step;
    frame.time = static_cast<double>(step) * 0.005;
    frame.appearance = look;
    frame.resize(look->bodies.size());
    for (std::size_t i = 0; i < count; ++i) {
        const float t = static_cast<float>(step) * 0.01f, n = static_cast<float>(i);
        const float noise = static_cast<float>(random() % 1000) * 1e-7f;
        Pose pose;
        pose.position = {n * 0.7f - t, 10 - t * t + noise, -n};
        pose.rotation.s = 1 - t * 0.001f;
        pose.rotation.x = noise, pose.rotation.y = -noise, pose.rotation.z = t * 0.01f;
        frame.set_pose(i, pose);
        frame.flags[i] = (i + step) % 3 == 0 ? Frame::asleep : 0;
    }
    if (count > 3) {
        frame.positions[0] = std::numeric_limits<float>::quiet_NaN();
        frame.positions[5] = -0.0f;
        frame.positions[10] = std::numeric_limits<float>::denorm_min();
        frame.rotations[15] = -std::numeric_limits<float>::infinity();
        frame.flags[3] = static_cast<std::uint8_t>(frame.flags[3] | Frame::frozen);
    }
    for (std::size_t i = count; i < frame.size(); ++i) {
        Pose pose;
        pose.position = {1, static_cast<float>(step) * 0.1f, 3};
        frame.set_pose(i, pose);
    }
    return frame;
}

/// One command before the third frame.
constexpr const char* sample_commands = "3 shoot 0 5 9 0 0 -20 0.25 1\n";

inline void write_sample(const std::string& file, std::size_t bodies, std::size_t frames,
                         const RecordingOptions& options = {}) {
    RecordingWriter writer(file, sample_header(), options);
    const std::shared_ptr<const Appearance> look = sample_appearance(bodies);
    for (std::size_t i = 0; i < frames; ++i) {
        const std::uint64_t step = sample_step(i);
        if (i == 2) writer.add_commands(sample_commands);
        writer.add_frame(sample_frame(look, step), sample_hash(step));
    }
    writer.finish();
}

inline RecordingReader reader_of(const std::string& bytes) {
    return RecordingReader(std::make_unique<std::istringstream>(bytes), "memory");
}

/// Equal bits: NaN equals itself, 0 differs from -0.
inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
    return true;
}

/// Whether frame `number` is that of the sample, to the bit, and of the shapes that it should have.
inline bool is_sample_frame(RecordingReader& reader, std::size_t number, std::size_t bodies) {
    const std::uint64_t step = sample_step(number);
    const Frame frame = reader.read(number), expected = sample_frame(sample_appearance(bodies), step);
    if (reader.info(number).state_hash != sample_hash(step) || reader.info(number).time != expected.time)
        return false;
    const Appearance& look = *frame.appearance;
    if (look.body_count != bodies || look.bodies.size() != bodies + 1 || look.shapes.size() != 3)
        return false;
    for (std::size_t i = 0; i <= bodies; ++i)
        if (look.bodies[i].shape != expected.appearance->bodies[i].shape) return false;
    return frame.step == step && frame.time == expected.time && frame.flags == expected.flags &&
           same_bits(frame.positions, expected.positions) && same_bits(frame.rotations, expected.rotations);
}

} // namespace scree::testing
