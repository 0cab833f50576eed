// SPDX-License-Identifier: MIT
// text.h — arguments and results as text that shows every bit: to compare two worlds, and to print calls as C++.
//
// Numbers are the shortest that read back the same. A struct lists the fields that differ from their defaults. Ids are
// without the tag of their world, which differs between two worlds.
#pragma once

#include "scree/cloth_intersections.h"
#include "scree/granular.h"
#include "scree/world.h"

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace scree { // where the types are, so that each finds the others

constexpr std::uint32_t without_tag = 0xffffffu; // of a generation; src/rigid/storage.h

template <class T>
concept Number = std::is_arithmetic_v<T>;

template <Number T>
void put(std::string& out, T value) {
    if constexpr (std::same_as<T, bool>) {
        out += value ? "true" : "false";
    } else {
        char digits[40];
        out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
}
template <class T>
    requires std::is_enum_v<T>
void put(std::string& out, T value);

inline void put(std::string& out, const std::string& text) { out += '"' + text + '"'; }
inline void put(std::string& out, std::byte value) { put(out, static_cast<int>(value)); }

template <class First, class... Rest>
void put_list(std::string& out, const First& first, const Rest&... rest) {
    out += '{';
    put(out, first);
    ((out += ", ", put(out, rest)), ...);
    out += '}';
}

template <class T>
void put(std::string& out, const Vector3<T>& v) {
    put_list(out, v.x, v.y, v.z);
}
template <class T>
void put(std::string& out, const Quaternion<T>& q) {
    put_list(out, q.x, q.y, q.z, q.s);
}
inline void put(std::string& out, const BodyId& id) { put_list(out, id.index, id.generation & without_tag); }
inline void put(std::string& out, const ShapeId& id) { put_list(out, id.index, id.generation & without_tag); }
inline void put(std::string& out, const JointId& id) { put_list(out, id.index, id.generation & without_tag); }
inline void put(std::string& out, const FieldId& id) { put_list(out, id.index, id.generation & without_tag); }

inline void put(std::string& out, const ClothId& id) { put_list(out, id.index, id.generation & without_tag); }

// declared first: they hold each other
template <class T>
void put(std::string& out, const std::optional<T>& value);
template <class T>
void put(std::string& out, std::span<const T> items);
template <class T>
void put(std::string& out, const std::vector<T>& items);
template <class T, std::size_t n>
void put(std::string& out, const std::array<T, n>& items);

/// .name = value for each field that is not as usual
template <class Struct>
class Fields {
public:
    Fields(std::string& out, const Struct& is) : out_(out), is_(is) { out_ += '{'; }
    ~Fields() { out_ += '}'; }
    Fields(const Fields&) = delete;

    template <class T>
    Fields& operator()(const char* name, T Struct::* field) {
        std::string value, usual;
        put(value, is_.*field);
        put(usual, usual_.*field);
        if (value == usual) return *this;
        if (std::exchange(any_, true)) out_ += ", ";
        out_ += '.';
        out_ += name;
        out_ += " = ";
        out_ += value;
        return *this;
    }

private:
    std::string& out_;
    const Struct& is_;
    const Struct usual_{};
    bool any_ = false;
};

// SCREE_FIELD(x) names a member once
#define SCREE_FIELD(name) (#name, &S::name)

inline void put(std::string& out, const Locks& is) {
    using S = Locks;
    Fields<S>(out, is) SCREE_FIELD(x) SCREE_FIELD(y) SCREE_FIELD(z) SCREE_FIELD(turn_x) SCREE_FIELD(turn_y)
        SCREE_FIELD(turn_z);
}
inline void put(std::string& out, const MassProperties& is) {
    using S = MassProperties;
    Fields<S>(out, is) SCREE_FIELD(mass) SCREE_FIELD(centre) SCREE_FIELD(inertia) SCREE_FIELD(products);
}
inline void put(std::string& out, const BodyDef& is) {
    using S = BodyDef;
    Fields<S>(out, is) SCREE_FIELD(type) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(velocity)
        SCREE_FIELD(angular_velocity) SCREE_FIELD(linear_damping) SCREE_FIELD(angular_damping)
            SCREE_FIELD(gravity_scale) SCREE_FIELD(max_speed) SCREE_FIELD(max_angular_speed)
                SCREE_FIELD(locks) SCREE_FIELD(can_sleep) SCREE_FIELD(awake) SCREE_FIELD(mass)
                    SCREE_FIELD(user_data) SCREE_FIELD(name) SCREE_FIELD(bullet) SCREE_FIELD(sleep_events);
}
inline void put(std::string& out, const Wind& is) {
    using S = Wind;
    out += "Wind";
    Fields<S>(out, is) SCREE_FIELD(velocity) SCREE_FIELD(density) SCREE_FIELD(drag);
}
inline void put(std::string& out, const Water& is) {
    using S = Water;
    out += "Water";
    Fields<S>(out, is) SCREE_FIELD(surface) SCREE_FIELD(normal) SCREE_FIELD(velocity) SCREE_FIELD(density)
        SCREE_FIELD(drag) SCREE_FIELD(damping);
}
inline void put(std::string& out, const Attractor& is) {
    using S = Attractor;
    out += "Attractor";
    Fields<S>(out, is) SCREE_FIELD(centre) SCREE_FIELD(strength) SCREE_FIELD(radius) SCREE_FIELD(falloff)
        SCREE_FIELD(core);
}
inline void put(std::string& out, const Custom& is) { out += is.function ? "Custom(function)" : "Custom{}"; }
inline void put(std::string& out, const ForceField& is) {
    out += "{.force = ";
    std::visit([&](const auto& force) { put(out, force); }, is.force);
    if (is.region) {
        out += ", .region = ForceField::Region";
        put_list(out, is.region->low, is.region->high);
    }
    out += "}";
}
inline void put(std::string& out, const ClothMaterial& is) {
    using S = ClothMaterial;
    Fields<S>(out, is) SCREE_FIELD(density) SCREE_FIELD(stretch) SCREE_FIELD(bend) SCREE_FIELD(damping)
        SCREE_FIELD(thickness) SCREE_FIELD(friction) SCREE_FIELD(drag) SCREE_FIELD(tear);
}
inline void put(std::string& out, const ClothPin& is) {
    using S = ClothPin;
    Fields<S>(out, is) SCREE_FIELD(vertex) SCREE_FIELD(body) SCREE_FIELD(point);
}
inline void put(std::string& out, const ClothDef& is) {
    using S = ClothDef;
    Fields<S>(out, is) SCREE_FIELD(vertices) SCREE_FIELD(triangles) SCREE_FIELD(lines) SCREE_FIELD(position)
        SCREE_FIELD(rotation) SCREE_FIELD(velocity) SCREE_FIELD(material) SCREE_FIELD(pins)
            SCREE_FIELD(max_stretch) SCREE_FIELD(surface_collision) SCREE_FIELD(self_collision)
                SCREE_FIELD(can_sleep) SCREE_FIELD(filter) SCREE_FIELD(wind) SCREE_FIELD(pressure)
                    SCREE_FIELD(user_data);
}
inline void put(std::string& out, const FabricMeasure& is) {
    using S = FabricMeasure;
    Fields<S>(out, is) SCREE_FIELD(mean_stretch) SCREE_FIELD(max_stretch) SCREE_FIELD(kinetic_energy)
        SCREE_FIELD(max_speed) SCREE_FIELD(momentum) SCREE_FIELD(centre) SCREE_FIELD(mass) SCREE_FIELD(low)
            SCREE_FIELD(high);
}
inline void put(std::string& out, const ClothContacts& is) {
    using S = ClothContacts;
    Fields<S>(out, is) SCREE_FIELD(touching) SCREE_FIELD(stopped) SCREE_FIELD(forced)
        SCREE_FIELD(intersections) SCREE_FIELD(frozen);
}
inline void put(std::string& out, const ClothIntersection& is) {
    put_list(out, is.cloth, is.through, is.triangle, is.hit, is.edge[0], is.edge[1]);
}
inline void put(std::string& out, const ClothIntersections& is) {
    using S = ClothIntersections;
    Fields<S>(out, is) SCREE_FIELD(count) SCREE_FIELD(first);
}
inline void put(std::string& out, const Explosion& is) {
    using S = Explosion;
    Fields<S>(out, is) SCREE_FIELD(centre) SCREE_FIELD(radius) SCREE_FIELD(falloff) SCREE_FIELD(impulse);
}
inline void put(std::string& out, const BodyState& is) {
    using S = BodyState;
    Fields<S>(out, is) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(centre) SCREE_FIELD(velocity)
        SCREE_FIELD(angular_velocity) SCREE_FIELD(asleep) SCREE_FIELD(frozen);
}
inline void put(std::string& out, const Material& is) {
    using S = Material;
    Fields<S>(out, is) SCREE_FIELD(friction) SCREE_FIELD(restitution) SCREE_FIELD(rolling_resistance)
        SCREE_FIELD(surface_velocity) SCREE_FIELD(friction_rule) SCREE_FIELD(restitution_rule);
}
inline void put(std::string& out, const Filter& is) {
    using S = Filter;
    Fields<S>(out, is) SCREE_FIELD(category) SCREE_FIELD(mask) SCREE_FIELD(group);
}
inline void put(std::string& out, const ShapeDef& is) {
    using S = ShapeDef;
    Fields<S>(out, is) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(density) SCREE_FIELD(material)
        SCREE_FIELD(filter) SCREE_FIELD(user_data) SCREE_FIELD(sensor) SCREE_FIELD(contact_events)
            SCREE_FIELD(hit_events) SCREE_FIELD(one_way);
}
inline void put(std::string& out, const JointLimit& is) {
    out += "JointLimit", put_list(out, is.low, is.high);
}
inline void put(std::string& out, const JointDrive& is) {
    if (const auto* m = std::get_if<JointMotor>(&is))
        out += "JointMotor", put_list(out, m->speed, m->max_force);
    else if (const auto* s = std::get_if<JointSpring>(&is))
        out += "JointSpring", put_list(out, s->hertz, s->damping_ratio, s->target, s->max_force);
    else if (const auto* f = std::get_if<JointFriction>(&is))
        out += "JointFriction", put_list(out, f->max_force);
    else out += "{}";
}
inline void put(std::string& out, const JointAxis& is) {
    using S = JointAxis;
    Fields<S>(out, is) SCREE_FIELD(limit) SCREE_FIELD(drive);
}
inline void put(std::string& out, const JointFrame& is) {
    out += "JointFrame", put_list(out, is.position, is.rotation);
}
inline void put(std::string& out, const JointPose& is) {
    using S = JointPose;
    Fields<S>(out, is) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(hertz)
        SCREE_FIELD(damping_ratio) SCREE_FIELD(max_force) SCREE_FIELD(max_torque);
}
inline void put(std::string& out, const JointDef& is) {
    using S = JointDef;
    Fields<S>(out, is) SCREE_FIELD(type) SCREE_FIELD(first) SCREE_FIELD(second) SCREE_FIELD(anchor)
        SCREE_FIELD(axis) SCREE_FIELD(collide) SCREE_FIELD(user_data) SCREE_FIELD(second_anchor)
            SCREE_FIELD(second_axis) SCREE_FIELD(ratio) SCREE_FIELD(ground) SCREE_FIELD(frames)
                SCREE_FIELD(limit) SCREE_FIELD(drive) SCREE_FIELD(swing) SCREE_FIELD(length) SCREE_FIELD(up)
                    SCREE_FIELD(suspension) SCREE_FIELD(steer) SCREE_FIELD(axes) SCREE_FIELD(pose)
                        SCREE_FIELD(break_force) SCREE_FIELD(break_torque);
}
inline void put(std::string& out, const JointState& is) {
    using S = JointState;
    Fields<S>(out, is) SCREE_FIELD(force) SCREE_FIELD(torque) SCREE_FIELD(coordinate) SCREE_FIELD(speed)
        SCREE_FIELD(translation) SCREE_FIELD(rotation);
}
inline void put(std::string& out, const World::JointError& is) { put_list(out, is.distance, is.angle); }
inline void put(std::string& out, const WorldSettings& is) {
    using S = WorldSettings;
    Fields<S>(out, is) SCREE_FIELD(gravity) SCREE_FIELD(solver) SCREE_FIELD(broad_phase) SCREE_FIELD(substeps)
        SCREE_FIELD(contact_hertz) SCREE_FIELD(contact_damping) SCREE_FIELD(push_speed)
            SCREE_FIELD(joint_hertz) SCREE_FIELD(joint_damping) SCREE_FIELD(slop)
                SCREE_FIELD(speculative_distance) SCREE_FIELD(restitution_threshold) SCREE_FIELD(hit_speed)
                    SCREE_FIELD(recycling) SCREE_FIELD(warm_starting) SCREE_FIELD(sleeping)
                        SCREE_FIELD(sleep_speed) SCREE_FIELD(sleep_delay) SCREE_FIELD(sor_iterations)
                            SCREE_FIELD(sor_omega) SCREE_FIELD(sor_cfm) SCREE_FIELD(sor_erp)
                                SCREE_FIELD(grid_cell) SCREE_FIELD(grid_origin) SCREE_FIELD(grid_bits)
                                    SCREE_FIELD(continuous) SCREE_FIELD(sor_schedule) SCREE_FIELD(sor_groups)
                                        SCREE_FIELD(sor_vary) SCREE_FIELD(sor_tolerance)
                                            SCREE_FIELD(sor_on_chip) SCREE_FIELD(integrator)
                                                SCREE_FIELD(impact_tolerance);
}
inline void put(std::string& out, const ContactPoint& is) {
    put_list(out, is.position, is.separation, is.normal_impulse, is.feature);
}
/// without the colour, which not every device reports
inline void put(std::string& out, const ContactInfo& is) {
    put_list(out, is.first, is.second, is.first_body, is.second_body, is.normal, is.count, is.sub_shape);
    for (int k = 0; k < is.count; ++k) put(out, is.points[static_cast<std::size_t>(k)]);
}
inline void put(std::string& out, const ContactEvent& is) {
    put_list(out, is.first, is.second, is.first_body, is.second_body);
}
inline void put(std::string& out, const HitEvent& is) {
    put_list(out, is.first, is.second, is.first_body, is.second_body, is.point, is.normal, is.speed,
             is.impulse, is.time);
}
inline void put(std::string& out, const SensorEvent& is) {
    put_list(out, is.sensor, is.visitor, is.sensor_body, is.visitor_body);
}
inline void put(std::string& out, const TearEvent& is) { put_list(out, is.cloth, is.vertex, is.copy); }
inline void put(std::string& out, const RequestResult& is) {
    put_list(out, is.action, is.key, is.body, is.done);
}
inline void put(std::string& out, const Events& is) {
    using S = Events;
    Fields<S>(out, is) SCREE_FIELD(contact_begins) SCREE_FIELD(contact_ends) SCREE_FIELD(hits)
        SCREE_FIELD(sensor_begins) SCREE_FIELD(sensor_ends) SCREE_FIELD(fell_asleep) SCREE_FIELD(woke)
            SCREE_FIELD(left_region) SCREE_FIELD(cloths_fell_asleep) SCREE_FIELD(cloths_woke)
                SCREE_FIELD(torn);
}
inline void put(std::string& out, const Region& is) { put_list(out, is.low, is.high); }
inline void put(std::string& out, const WorldMeasure& is) {
    using S = WorldMeasure;
    Fields<S>(out, is) SCREE_FIELD(kinetic_energy) SCREE_FIELD(potential_energy) SCREE_FIELD(momentum)
        SCREE_FIELD(angular_momentum) SCREE_FIELD(max_overlap) SCREE_FIELD(mean_overlap)
            SCREE_FIELD(p99_overlap) SCREE_FIELD(max_speed) SCREE_FIELD(mean_speed) SCREE_FIELD(mean_height)
                SCREE_FIELD(top) SCREE_FIELD(bottom) SCREE_FIELD(joint_error) SCREE_FIELD(joint_angle)
                    SCREE_FIELD(contacts) SCREE_FIELD(points) SCREE_FIELD(bodies) SCREE_FIELD(asleep)
                        SCREE_FIELD(frozen) SCREE_FIELD(inside);
}
/// without the pairs of fat bounds, what was kept of them and the buffers that grew, which are a device's own matter, and the
/// islands, which a GPU tells only in the steps that count them
inline void put(std::string& out, const StepCounters& is) {
    using S = StepCounters;
    Fields<S>(out, is) SCREE_FIELD(awake) SCREE_FIELD(contacts) SCREE_FIELD(colours) SCREE_FIELD(overflow);
}

inline void put(std::string& out, const Sphere& is) { out += "Sphere", put_list(out, is.radius); }
inline void put(std::string& out, const Capsule& is) {
    out += "Capsule", put_list(out, is.half_height, is.radius);
}
inline void put(std::string& out, const Box& is) { out += "Box", put_list(out, is.x, is.y, is.z); }
inline void put(std::string& out, const Cylinder& is) {
    out += "Cylinder", put_list(out, is.half_height, is.radius);
}
inline void put(std::string& out, const Cone& is) { out += "Cone", put_list(out, is.half_height, is.radius); }
inline void put(std::string& out, const Plane&) { out += "Plane{}"; }
inline void put(std::string& out, const Hull& is) {
    out += "Hull::from_points(std::vector<Vec3>";
    put(out, is ? is.vertices() : std::span<const Vec3>{});
    out += ')';
}
inline void put(std::string& out, const Mesh& is) {
    if (const HeightField* field = is.height_field()) {
        out += "Mesh::from_heights({.columns = " + std::to_string(field->columns) +
               ", .rows = " + std::to_string(field->rows) + ", .spacing = ";
        put(out, field->spacing);
        out += ", .heights = ";
        put(out, field->heights);
        out += '}';
    } else {
        out += "Mesh::from_triangles(std::vector<Vec3>";
        put(out, is.vertices());
        out += ", std::vector<std::uint32_t>";
        put(out, is.indices());
    }
    out += is.options().two_sided ? ", {.two_sided = true}).scaled(" : ").scaled(";
    put(out, is.scale());
    out += ')';
}
inline void put(std::string& out, const HeightPatch& is) {
    using S = HeightPatch;
    Fields<S>(out, is) SCREE_FIELD(column) SCREE_FIELD(row) SCREE_FIELD(columns) SCREE_FIELD(rows)
        SCREE_FIELD(heights);
}
inline void put(std::string& out, const Geometry& is) {
    std::visit([&](const auto& geometry) { put(out, geometry); }, is);
}

// queries ----------------------------------------------------------------------------------------------------

inline void put(std::string& out, const RayCast& is) {
    using S = RayCast;
    Fields<S>(out, is) SCREE_FIELD(origin) SCREE_FIELD(translation) SCREE_FIELD(hit_inside);
}
inline void put(std::string& out, const ShapeCast& is) {
    using S = ShapeCast;
    Fields<S>(out, is) SCREE_FIELD(geometry) SCREE_FIELD(position) SCREE_FIELD(rotation)
        SCREE_FIELD(translation);
}
inline void put(std::string& out, const ShapePlacement& is) {
    using S = ShapePlacement;
    Fields<S>(out, is) SCREE_FIELD(geometry) SCREE_FIELD(position) SCREE_FIELD(rotation);
}
inline void put(std::string& out, const PointQuery& is) { put_list(out, is.point, is.distance); }
inline void put(std::string& out, const QueryHit& is) {
    using S = QueryHit;
    Fields<S>(out, is) SCREE_FIELD(shape) SCREE_FIELD(body) SCREE_FIELD(point) SCREE_FIELD(normal)
        SCREE_FIELD(fraction) SCREE_FIELD(distance) SCREE_FIELD(sub_shape) SCREE_FIELD(cloth);
}
inline void put(std::string& out, const QueryLists& is) {
    out += "first ";
    put(out, is.first);
    put(out, is.hits);
}

// granular --------------------------------------------------------------------------------------------------

inline void put(std::string& out, const GranularSettings& is) {
    using S = GranularSettings;
    Fields<S>(out, is) SCREE_FIELD(mode) SCREE_FIELD(contact) SCREE_FIELD(decomposition)
        SCREE_FIELD(time_step) SCREE_FIELD(substeps) SCREE_FIELD(gravity) SCREE_FIELD(stiffness)
            SCREE_FIELD(damping) SCREE_FIELD(tangent_damping) SCREE_FIELD(tangent_stiffness)
                SCREE_FIELD(friction) SCREE_FIELD(particle_radius) SCREE_FIELD(terminal_velocity)
                    SCREE_FIELD(contact_epsilon) SCREE_FIELD(walls) SCREE_FIELD(ground)
                        SCREE_FIELD(world_size) SCREE_FIELD(grid_cells) SCREE_FIELD(grid_min)
                            SCREE_FIELD(sleeping) SCREE_FIELD(sleep_speed) SCREE_FIELD(sleep_delay)
                                SCREE_FIELD(wake_speed) SCREE_FIELD(contact_memory)
                                    SCREE_FIELD(neighbour_skin) SCREE_FIELD(unlock);
}
inline void put(std::string& out, const ShapeParticle& is) {
    put_list(out, is.offset, is.radius, is.outward);
}
inline void put(std::string& out, const GranularShape& is) {
    using S = GranularShape;
    Fields<S>(out, is) SCREE_FIELD(name) SCREE_FIELD(particles) SCREE_FIELD(unit_inertia)
        SCREE_FIELD(half_size);
}
inline void put(std::string& out, const GranularBodyDef& is) {
    using S = GranularBodyDef;
    Fields<S>(out, is) SCREE_FIELD(shape) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(velocity)
        SCREE_FIELD(angular_velocity) SCREE_FIELD(mass);
}
inline void put(std::string& out, const GranularBodyState& is) {
    using S = GranularBodyState;
    Fields<S>(out, is) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(momentum)
        SCREE_FIELD(angular_momentum) SCREE_FIELD(angular_velocity) SCREE_FIELD(mass) SCREE_FIELD(shape)
            SCREE_FIELD(asleep) SCREE_FIELD(frozen);
}
inline void put(std::string& out, const ParticleState& is) {
    put_list(out, is.position, is.velocity, is.radius, is.body);
}
inline void put(std::string& out, const Obstacle& is) {
    using S = Obstacle;
    Fields<S>(out, is) SCREE_FIELD(kind) SCREE_FIELD(position) SCREE_FIELD(rotation) SCREE_FIELD(size)
        SCREE_FIELD(velocity) SCREE_FIELD(angular_velocity) SCREE_FIELD(mass);
}
inline void put(std::string& out, const GranularMeasure& is) {
    using S = GranularMeasure;
    Fields<S>(out, is) SCREE_FIELD(kinetic_energy) SCREE_FIELD(potential_energy) SCREE_FIELD(max_overlap)
        SCREE_FIELD(mean_overlap) SCREE_FIELD(max_speed) SCREE_FIELD(top) SCREE_FIELD(bottom)
            SCREE_FIELD(contacts) SCREE_FIELD(own_contacts) SCREE_FIELD(largest_cell) SCREE_FIELD(dropped)
                SCREE_FIELD(unregistered) SCREE_FIELD(asleep) SCREE_FIELD(frozen)
                    SCREE_FIELD(memory_overflows);
}

#undef SCREE_FIELD

// containers ------------------------------------------------------------------------------------------------

template <class T>
    requires std::is_enum_v<T>
void put(std::string& out, T value) {
    const auto named = [&](std::string_view type, std::initializer_list<const char*> names) {
        const auto k = static_cast<std::size_t>(value);
        out += type;
        if (k < names.size()) out += "::", out += names.begin()[k];
        else out += '(', put(out, static_cast<int>(value)), out += ')';
    };
    if constexpr (std::same_as<T, BodyType>) named("BodyType", {"fixed", "kinematic", "dynamic"});
    else if constexpr (std::same_as<T, JointType>)
        named("JointType", {"ball", "hinge", "fixed", "slider", "distance", "wheel", "six_axes", "pose"});
    else if constexpr (std::same_as<T, Solver>) named("Solver", {"soft_step", "sor", "impact"});
    else if constexpr (std::same_as<T, SorSchedule>) named("SorSchedule", {"colours", "groups", "jacobi"});
    else if constexpr (std::same_as<T, Integrator>) named("Integrator", {"euler", "runge_kutta"});
    else if constexpr (std::same_as<T, BroadPhase>) named("BroadPhase", {"tree", "grid", "brute"});
    else if constexpr (std::same_as<T, Combine>)
        named("Combine", {"geometric_mean", "average", "least", "product", "greatest"});
    else if constexpr (std::same_as<T, GranularMode>)
        named("GranularMode", {"reference", "improved", "brute"});
    else if constexpr (std::same_as<T, ContactModel>)
        named("ContactModel", {"linear", "split", "history", "hertz"});
    else if constexpr (std::same_as<T, Decomposition>) named("Decomposition", {"mixed", "per_body"});
    else if constexpr (std::same_as<T, Obstacle::Kind>) named("Obstacle::Kind", {"plane", "box", "sphere"});
    else put(out, static_cast<int>(value));
}
template <class T>
void put(std::string& out, const std::optional<T>& value) {
    if (value) put(out, *value);
    else out += "std::nullopt";
}
template <class T>
void put(std::string& out, std::span<const T> items) {
    out += '{';
    for (std::size_t k = 0; k < items.size(); ++k) {
        if (k) out += ", ";
        put(out, items[k]);
    }
    out += '}';
}
template <class T>
void put(std::string& out, const std::vector<T>& items) {
    put(out, std::span<const T>(items));
}
template <class T, std::size_t n>
void put(std::string& out, const std::array<T, n>& items) {
    put(out, std::span<const T>(items));
}

template <class T>
std::string text_of(const T& value) {
    std::string out;
    put(out, value);
    return out;
}

} // namespace scree
