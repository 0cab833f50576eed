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
    header.scree_version = "1.2.3";
    header.device = "cpu";
    header.settings = "stiffness = 100\nseed = 7\n";
    header.time_step = 0.005f;
    header.steps_per_frame = 2;
    GranularShape pair;
    pair.name = "pair";
    pair.particles = {{{-0.5f, 0, 0}, 0.25f, {-1, 0, 0}}, {{0.5f, 0, 0}, 0.25f, {1, 0, 0}}};
    pair.unit_inertia = {0.1f, 0.2f, 0.3f};
    pair.half_size = {0.75f, 0.25f, 0.25f};
    GranularShape grain;
    grain.name = "grain";
    grain.particles = {{{0, 0, 0}, 0.5f, {0, 0, 0}}};
    header.shapes = {pair, grain};
    Obstacle box;
    box.kind = Obstacle::Kind::box;
    box.position = {1, 2, 3};
    box.size = {4, 5, 6};
    box.mass = 7;
    header.obstacles = {box};
    return header;
}

/// Bodies on smooth paths with a little noise; some asleep, and values that a lossy format would not keep.
inline std::vector<GranularBodyState> sample_bodies(std::size_t count, std::uint64_t step) {
    std::mt19937 random(static_cast<std::mt19937::result_type>(step));
    std::vector<GranularBodyState> bodies(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float t = static_cast<float>(step) * 0.01f, n = static_cast<float>(i);
        const float noise = static_cast<float>(random() % 1000) * 1e-7f;
        bodies[i].position = {n * 0.7f - t, 10 - t * t + noise, -n};
        bodies[i].rotation = {.x = noise, .y = -noise, .z = t * 0.01f, .s = 1 - t * 0.001f};
        bodies[i].shape = static_cast<std::uint32_t>(i % 2);
        bodies[i].asleep = (i + step) % 3 == 0;
    }
    if (count > 3) {
        bodies[0].position.x = std::numeric_limits<float>::quiet_NaN();
        bodies[1].position.y = -0.0f;
        bodies[2].position.z = std::numeric_limits<float>::denorm_min();
        bodies[3].rotation.s = -std::numeric_limits<float>::infinity();
        bodies[3].frozen = true;
    }
    return bodies;
}

inline std::vector<Obstacle> sample_obstacles(std::uint64_t step) {
    std::vector<Obstacle> obstacles = sample_header().obstacles;
    obstacles[0].position.y = static_cast<float>(step) * 0.1f;
    return obstacles;
}

inline std::uint64_t sample_hash(std::uint64_t step) { return step * 0x9e3779b97f4a7c15u; }
constexpr std::uint64_t sample_step(std::size_t frame) { return frame * 2; }

inline void write_sample(const std::string& file, std::size_t bodies, std::size_t frames,
                         const RecordingOptions& options = {}) {
    RecordingWriter writer(file, sample_header(), options);
    for (std::size_t i = 0; i < frames; ++i) {
        const std::uint64_t step = sample_step(i);
        writer.add_frame(step, static_cast<double>(step) * 0.005, sample_bodies(bodies, step),
                         sample_hash(step), sample_obstacles(step));
    }
    writer.finish();
}

inline RecordingReader reader_of(const std::string& bytes) {
    return RecordingReader(std::make_unique<std::istringstream>(bytes), "memory");
}

/// Equal bits: NaN equals itself, 0 differs from -0.
inline bool same_bits(const Vec3& a, const Vec3& b) {
    return std::bit_cast<std::array<std::uint32_t, 3>>(a) == std::bit_cast<std::array<std::uint32_t, 3>>(b);
}
inline bool same_bits(const Quat& a, const Quat& b) {
    return std::bit_cast<std::array<std::uint32_t, 4>>(a) == std::bit_cast<std::array<std::uint32_t, 4>>(b);
}

/// Whether `frame` is the sample's frame of that number, to the bit.
inline bool is_sample_frame(const RecordingFrame& frame, std::size_t number, std::size_t bodies) {
    const std::uint64_t step = sample_step(number);
    if (frame.info.step != step || frame.info.state_hash != sample_hash(step) ||
        frame.info.time != static_cast<double>(step) * 0.005 || frame.bodies.size() != bodies)
        return false;
    const auto expected = sample_bodies(bodies, step);
    for (std::size_t i = 0; i < bodies; ++i)
        if (!same_bits(frame.bodies[i].position, expected[i].position) ||
            !same_bits(frame.bodies[i].rotation, expected[i].rotation) ||
            frame.bodies[i].shape != expected[i].shape || frame.bodies[i].asleep != expected[i].asleep ||
            frame.bodies[i].frozen != expected[i].frozen)
            return false;
    const auto obstacles = sample_obstacles(step);
    return frame.obstacles.size() == obstacles.size() &&
           same_bits(frame.obstacles[0].position, obstacles[0].position) &&
           same_bits(frame.obstacles[0].rotation, obstacles[0].rotation);
}

} // namespace scree::testing
