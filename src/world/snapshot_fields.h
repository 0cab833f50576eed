// SPDX-License-Identifier: MIT
// snapshot_fields.h — which fields of settings, bodies, shapes and joints a snapshot holds, in their order.
//
// Each list is written once and serves both ways: `io` either appends the fields to a snapshot or sets them from one.
#pragma once

#include "collision/hull.h"
#include "record/byte_order.h"
#include "scree/error.h"
#include "world/joint_types.h"
#include "world/storage.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace scree {

class SnapshotWriter {
public:
    explicit SnapshotWriter(record::Bytes& bytes) : sink_(bytes) {}

    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    template <class... Bool>
    void flags(const Bool&... values) {
        std::uint32_t word = 0, bit = 0;
        ((word |= (values ? 1u : 0u) << bit++), ...);
        sink_.u32(word);
    }
    void floats(const float* first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) sink_.f32(first[k]);
    }
    template <class T>
    void list(const std::vector<T>& items, const char*) {
        sink_.u32(static_cast<std::uint32_t>(items.size()));
        for (const T& item : items) put(item);
    }

private:
    void put(std::uint32_t v) { sink_.u32(v); }
    void put(std::int32_t v) { sink_.u32(static_cast<std::uint32_t>(v)); }
    void put(std::uint64_t v) { sink_.u64(v); }
    void put(float v) { sink_.f32(v); }
    void put(double v) { sink_.f64(v); }
    void put(const Vec3& v) { sink_.vec3(v); }
    void put(const Quat& v) { sink_.quat(v); }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void put(Choice v) {
        sink_.u32(static_cast<std::uint32_t>(v));
    }
    record::ByteSink sink_;
};

/// Numbers must be finite; what else a value must be is for the checks (checks.h).
class SnapshotReader {
public:
    explicit SnapshotReader(std::span<const std::uint8_t> bytes) : source_(bytes, "snapshot") {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    template <class... Bool>
    void flags(Bool&... values) {
        std::uint32_t word = source_.u32();
        ((values = (word & 1) != 0, word >>= 1), ...);
        if (word != 0) fail("flags that are not known are set");
    }
    void floats(float* first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) get(first[k]);
    }
    template <class T>
    void list(std::vector<T>& items, const char* what) {
        const std::uint32_t count = source_.count(4, what);
        items.resize(count);
        for (T& item : items) get(item);
    }
    std::uint32_t count(std::size_t least_bytes, const char* what) {
        return source_.count(least_bytes, what);
    }
    std::span<const std::uint8_t> take(std::size_t count) { return source_.take(count); }
    std::size_t left() const { return source_.left(); }

    [[noreturn]] static void fail(const std::string& what) { throw Error(what, "snapshot"); }

private:
    void get(std::uint32_t& v) { v = source_.u32(); }
    void get(std::int32_t& v) { v = static_cast<std::int32_t>(source_.u32()); }
    void get(std::uint64_t& v) { v = source_.u64(); }
    void get(float& v) {
        v = source_.f32();
        if (!std::isfinite(v)) fail("a number is not finite");
    }
    void get(double& v) {
        v = source_.f64();
        if (!std::isfinite(v)) fail("a number is not finite");
    }
    void get(Vec3& v) { get(v.x), get(v.y), get(v.z); }
    void get(Quat& v) { get(v.s), get(v.x), get(v.y), get(v.z); }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void get(Choice& v) {
        v = static_cast<Choice>(source_.u32());
    }
    record::ByteSource source_;
};

/// All but device, threads and lanes.
template <class Io, class Settings>
void settings_fields(Io& io, Settings& s) {
    io(s.gravity, s.solver, s.broad_phase, s.substeps, s.contact_hertz, s.contact_damping, s.push_speed,
       s.joint_hertz, s.joint_damping, s.slop, s.speculative_distance, s.restitution_threshold);
    io.flags(s.recycling, s.warm_starting, s.sleeping);
    io(s.sleep_speed, s.sleep_delay, s.sor_iterations, s.sor_omega, s.sor_cfm, s.sor_erp, s.grid_cell,
       s.grid_origin, s.grid_bits[0], s.grid_bits[1], s.grid_bits[2]);
}

template <class Io, class Geometry>
void hull_fields(Io& io, Geometry& hull) {
    io.list(hull.vertices, "vertices");
    io.list(hull.planes, "planes");
    io.list(hull.face_start, "faces");
    io.list(hull.face_vertices, "vertices of faces");
    io.list(hull.edges, "edges");
    io(hull.centroid, hull.volume, hull.radius);
    for (auto& moment : hull.inertia) io(moment);
}

/// Offsets, lists and the place among the awake follow from the rest.
template <class Io, class Storage>
void body_fields(Io& io, Storage& bodies, std::size_t b) {
    auto& r = bodies.record[b];
    io.flags(r.asleep, r.frozen, r.can_sleep, r.mass_given, r.locks.x, r.locks.y, r.locks.z, r.locks.turn_x,
             r.locks.turn_y, r.locks.turn_z);
    io(r.type, r.linear_damping, r.angular_damping, r.gravity_scale, r.max_speed, r.max_angular_speed,
       r.mass.mass, r.mass.centre, r.mass.inertia, r.mass.products, r.radius, r.sleep_time, r.island,
       r.origin, r.origin_at, r.force, r.torque, r.user_data);
    io.floats(&bodies.position[4 * b], 4);
    io.floats(&bodies.rotation[4 * b], 4);
    io.floats(&bodies.motion[16 * b], 16);
    io.floats(&bodies.inverse_mass[8 * b], 8);
}

template <class Io, class Record>
void shape_fields(Io& io, Record& r) {
    auto& d = r.definition;
    auto& m = d.material;
    io(r.body, r.type, r.size, r.radius, d.position, d.rotation, d.density, d.user_data);
    io(m.friction, m.restitution, m.rolling_resistance, m.surface_velocity, m.friction_rule,
       m.restitution_rule, d.filter.category, d.filter.mask, d.filter.group);
}

template <class Io, class Record>
void joint_fields(Io& io, Record& r) {
    io.flags(r.collide);
    io(r.type, r.body[0], r.body[1], r.place[0], r.place[1], r.frame[0], r.frame[1], r.user_data);
    io(r.rows);
    if constexpr (!std::is_const_v<Record>) r.bounded.resize(bounded_rows(r.rows));
    for (auto& row : r.bounded)
        io(row.low, row.high, row.hertz, row.damping, row.target, row.speed, row.max_force);
}

} // namespace scree
