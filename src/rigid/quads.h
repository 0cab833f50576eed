// SPDX-License-Identifier: MIT
// quads.h — from the API's vectors to the kernels' and into the arrays of four floats, and back.
#pragma once

#include "kernels/host_params.h"
#include "rigid/storage.h"

#include <algorithm>
#include <cstddef>

namespace scree {

inline kernels::real3 lane(const Vec3& v) { return {v.x, v.y, v.z}; }
inline kernels::quat lane(const Quat& q) { return kernels::make_quat(q.s, q.x, q.y, q.z); }
inline Vec3 vec3(kernels::real3 v) { return {v.x, v.y, v.z}; }
inline Quat quat(kernels::quat q) { return {.x = q.x, .y = q.y, .z = q.z, .s = q.s}; }

inline Vec3 read_vector(const Array<float>& quads, std::size_t at) {
    const float* quad = &quads[4 * at];
    return {quad[0], quad[1], quad[2]};
}
/// the fourth float stays
inline void write_vector(Array<float>& quads, std::size_t at, const Vec3& v) {
    float* quad = &quads[4 * at];
    quad[0] = v.x, quad[1] = v.y, quad[2] = v.z;
}
inline Quat read_rotation(const Array<float>& quads, std::size_t at) {
    const float* quad = &quads[4 * at];
    return {.x = quad[0], .y = quad[1], .z = quad[2], .s = quad[3]};
}
inline void write_rotation(Array<float>& quads, std::size_t at, const Quat& q) {
    float* quad = &quads[4 * at];
    quad[0] = q.x, quad[1] = q.y, quad[2] = q.z, quad[3] = q.s;
}

inline Vec3 centre_of(const Bodies& bodies, std::uint32_t body) { return read_vector(bodies.position, body); }
inline Quat rotation_of(const Bodies& bodies, std::uint32_t body) {
    return read_rotation(bodies.rotation, body);
}
inline Vec3 velocity_of(const Bodies& bodies, std::uint32_t body) {
    return read_vector(bodies.motion, 4 * std::size_t{body});
}
inline Vec3 spin_of(const Bodies& bodies, std::uint32_t body) {
    return read_vector(bodies.motion, 4 * std::size_t{body} + 1);
}

inline void clear_velocity(Bodies& bodies, std::size_t body) {
    std::fill_n(&bodies.motion[16 * body], 8, 0.0f);
    std::fill_n(&bodies.carry[4 * (CARRY_QUADS * body + CARRY_VELOCITY)], 8, 0.0f);
}

/// The nearest floats. GCC 12 leaves the rounding out where several numbers become double again at once, hence volatile.
inline Vec3 high_part(const DVec3& v) {
    const volatile float x = static_cast<float>(v.x), y = static_cast<float>(v.y),
                         z = static_cast<float>(v.z);
    return {x, y, z};
}
/// What they leave of a position.
inline Vec3 low_part(const DVec3& v) { return narrow(v - wide(high_part(v))); }
/// The fourth word of a position's quad.
inline float fine_word(const Vec3& low) { return kernels::fine_word(lane(low)); }

inline void write_centre(Bodies& bodies, std::size_t body, const DVec3& centre) {
    const Vec3 low = low_part(centre);
    write_vector(bodies.position, body, high_part(centre));
    write_vector(bodies.carry, CARRY_QUADS * body + CARRY_POSITION, low);
    bodies.position[4 * body + 3] = fine_word(low);
}
/// The centre of mass, with what its float drops.
inline DVec3 exact_centre_of(const Bodies& bodies, std::uint32_t body) {
    return wide(centre_of(bodies, body)) +
           wide(read_vector(bodies.carry, CARRY_QUADS * std::size_t{body} + CARRY_POSITION));
}
inline DVec3 exact_velocity_of(const Bodies& bodies, std::uint32_t body) {
    return wide(velocity_of(bodies, body)) +
           wide(read_vector(bodies.carry, CARRY_QUADS * std::size_t{body} + CARRY_VELOCITY));
}
inline DVec3 exact_spin_of(const Bodies& bodies, std::uint32_t body) {
    return wide(spin_of(bodies, body)) +
           wide(read_vector(bodies.carry, CARRY_QUADS * std::size_t{body} + CARRY_SPIN));
}
inline DQuat exact_rotation_of(const Bodies& bodies, std::uint32_t body) {
    const Quat q = rotation_of(bodies, body),
               low = read_rotation(bodies.carry, CARRY_QUADS * std::size_t{body} + CARRY_ROTATION);
    return {.x = double{q.x} + low.x,
            .y = double{q.y} + low.y,
            .z = double{q.z} + low.z,
            .s = double{q.s} + low.s};
}

/// Of a shape in the world, better than kernels know it.
inline DPose exact_pose_of(const RigidStorage& world, const ShapeRecord& shape) {
    const DQuat turn = normalized(wide(rotation_of(world.bodies, shape.body)));
    return {exact_centre_of(world.bodies, shape.body) + rotate(turn, wide(shape.offset)),
            normalized(turn * wide(shape.definition.rotation))};
}

} // namespace scree
