// SPDX-License-Identifier: MIT
// rigid_arguments.cpp — arguments of calls on rigid worlds: small bodies near each other, now and then a wrong value.
#include "fuzz/api/rigid.h"

#include <algorithm>
#include <cmath>

namespace scree::fuzz {

template <class Id>
Ref<Id> RigidRun::pick(const Ids<Id>& ids) {
    const std::uint8_t byte = in.byte();
    if (in.wrong() && in.which_wrong() & 1) {
        switch (in.which_wrong() >> 1 & 7) {
        case 0:
            return {Id{}, 0, true};
        case 1:
            return {{0, 1}, 0, true};
        case 2:
            return {{0, 1}};
        case 3:
            return {{byte, 1}, 1};
        case 4:
            return {{1000, 1}};
        default:
            if (!ids.dead.empty()) return {ids.dead[byte % ids.dead.size()]};
        }
    }
    if (ids.alive.empty()) return {Id{}, 0, true};
    return {ids.alive[byte % ids.alive.size()]};
}
template Ref<BodyId> RigidRun::pick(const Ids<BodyId>&);
template Ref<ShapeId> RigidRun::pick(const Ids<ShapeId>&);
template Ref<JointId> RigidRun::pick(const Ids<JointId>&);
template Ref<FieldId> RigidRun::pick(const Ids<FieldId>&);
template Ref<ClothId> RigidRun::pick(const Ids<ClothId>&);

BodyType RigidRun::read_type() {
    constexpr BodyType types[] = {BodyType::dynamic,   BodyType::dynamic, BodyType::dynamic,
                                  BodyType::dynamic,   BodyType::dynamic, BodyType::dynamic,
                                  BodyType::kinematic, BodyType::fixed};
    const BodyType type = in.one_of(types);
    return in.wrong() && in.which_wrong() == 0x70 ? BodyType(9) : type;
}

Locks RigidRun::read_locks() {
    const std::uint8_t b = in.byte();
    return {(b & 1) != 0, (b & 2) != 0, (b & 4) != 0, (b & 8) != 0, (b & 16) != 0, (b & 32) != 0};
}

Material RigidRun::read_material() {
    Material material;
    material.friction = in.number_of({0.6f, 0.0f, 0.3f, 1.5f});
    material.restitution = in.number_of({0.0f, 0.0f, 0.5f, 1.0f});
    material.rolling_resistance = in.number_of({0.0f, 0.0f, 0.05f, 0.3f});
    if (in.chance(64)) material.surface_velocity = {in.number(-2, 2), 0, 0};
    if (in.chance(64)) {
        material.friction_rule = Combine(in.below(in.wrong() ? 6 : 5));
        material.restitution_rule = Combine(in.below(5));
    }
    return material;
}

Filter RigidRun::read_filter() {
    Filter filter;
    filter.category = in.one_of<std::uint32_t>({1, 1, 2, 3});
    filter.mask = in.one_of<std::uint32_t>({0xffffffffu, 0xffffffffu, 1, 0});
    filter.group = in.one_of({0, 0, 1, -1});
    return filter;
}

RayCast RigidRun::read_ray() {
    const DVec3 from = exact_place_in(in);
    const Vec3 way = in.chance(64) ? Vec3{0, -8, 0} : vector_in(in, 6);
    return {from, way, in.chance(128)};
}
ShapeCast RigidRun::read_shape_cast() {
    const Vec3 way = in.chance(64) ? Vec3{0, -8, 0} : vector_in(in, 6);
    const ShapePlacement at = read_placement();
    return {at.geometry, at.position, at.rotation, way};
}
ShapePlacement RigidRun::read_placement() {
    const DVec3 position = exact_place_in(in);
    const Geometry geometry = read_geometry();
    return {geometry, position, rotation_in(in)};
}
PointQuery RigidRun::read_point_query() { return {exact_place_in(in), in.number(0, 2)}; }

QueryFilterRef RigidRun::read_query_filter() {
    QueryFilterRef filter;
    if (in.chance(64)) filter.filter = read_filter();
    if (in.chance(64)) filter.ignore = pick(now().bodies);
    if (in.chance(32)) filter.every = 2 + in.below(3);
    const std::uint8_t also = in.byte();
    filter.cloth = also < 64;
    filter.one_way = also % 64 >= 40;
    return filter;
}

MassProperties RigidRun::read_mass() {
    MassProperties mass;
    mass.mass = in.number_of({1, 10, 0.1f, 300});
    if (in.chance(96)) mass.centre = vector_in(in, 0.2f);
    const float size = in.number_of({0.05f, 0.2f, 0.02f, 1});
    mass.inertia = Vec3{1, 1, 1} * (mass.mass * size);
    if (in.chance(64)) mass.inertia.y *= 1.5f;
    if (in.chance(32)) mass.products.x = in.number(-0.2f, 0.2f) * mass.mass * size;
    return mass;
}

BodyDef RigidRun::read_body() {
    BodyDef body;
    body.type = read_type();
    body.position = exact_place_in(in);
    body.rotation = rotation_in(in);
    body.user_data = in.byte();
    body.sleep_events = body.user_data < 128;
    if (body.user_data >= 192) body.name = body.user_data & 1 ? "a" : "b";
    const std::uint8_t flags = in.byte() & in.byte();
    if (flags & 1) body.velocity = vector_in(in, 4), body.angular_velocity = vector_in(in, 6);
    if (body.user_data & 8) body.velocity = 30.0f * body.velocity; // fast enough to be swept
    body.bullet = (body.user_data & 16) != 0;
    if (flags & 2) {
        body.linear_damping = in.number(0, 4);
        body.angular_damping = in.number(0, 4);
    }
    if (flags & 4) body.gravity_scale = in.number(-1, 2);
    if (flags & 8) body.locks = read_locks();
    if (flags & 16) body.can_sleep = false;
    if (flags & 32) body.awake = false;
    if (flags & 64) body.mass = read_mass();
    if (flags & 128) {
        body.max_speed = in.number(0.5f, 20);
        body.max_angular_speed = in.number(0.5f, 20);
    }
    return body;
}

JointLimit RigidRun::read_limit() {
    const float low = in.number_of({0, -0.5f, -2, -unlimited});
    return {low, in.one_of<float>({low, 0.5f, 2, unlimited})};
}

JointDrive RigidRun::read_drive() {
    switch (in.below(4)) {
    case 0:
        return {};
    case 1:
        return JointMotor{in.number(-5, 5), in.one_of<float>({unlimited, 10, 500, 0})};
    case 2:
        return JointSpring{in.number_of({5, 1, 20, 100}), in.number_of({1, 0, 0.3f, 2}), in.number(-1, 1),
                           in.one_of<float>({unlimited, 10, 500, 0})};
    default:
        return JointFriction{in.number_of({1, 10, 100, unlimited})};
    }
}

JointAxis RigidRun::read_axis() {
    const std::uint8_t kind = in.byte();
    if (kind < 64) return {};
    if (kind < 128) return locked_axis;
    JointAxis axis;
    if (kind & 1) axis.limit = read_limit();
    if (kind & 2) axis.drive = read_drive();
    return axis;
}

void RigidRun::read_motion(JointDef& joint) {
    const std::uint8_t parts = in.byte();
    if (parts & 1) joint.limit = read_limit();
    if (parts & 2) joint.drive = read_drive();
    if (parts & 4) joint.swing = in.number_of({0.5f, 0, 2, 4});
    if (parts & 8) joint.length = in.number(0, 2);
    if (parts & 16) joint.suspension = read_axis();
    if (parts & 32) joint.steer = read_axis();
    if (parts & 64) joint.break_force = in.number_of({100, 1, 3000, unlimited});
    if (parts & 128) joint.break_torque = in.number_of({100, 1, 3000, unlimited});
    for (JointAxis& axis : joint.axes) axis = read_axis();
    joint.pose.position = exact_place_in(in);
    joint.pose.rotation = rotation_in(in);
    joint.pose.hertz = in.number_of({5, 1, 30, 200});
    joint.pose.max_force = in.one_of<float>({unlimited, 100, 1, 0});
    joint.ratio = in.number_of({1, -2, 0.5f, 10});
}

/// What a type does not use is refused.
void RigidRun::keep_what_the_type_uses(JointDef& joint) {
    using T = JointType;
    const T type = joint.type;
    const JointDef usual;
    const auto is_one = [&](std::initializer_list<T> types) {
        return std::find(types.begin(), types.end(), type) != types.end();
    };
    const bool coupled = is_one({T::gear, T::rack, T::pulley});
    if (!is_one({T::ball, T::hinge, T::slider, T::distance}) && !coupled) joint.limit = {};
    if (!is_one({T::ball, T::hinge, T::slider, T::distance, T::wheel})) joint.drive = {};
    if (type != T::ball) joint.swing = {};
    if (type != T::distance && type != T::pulley) joint.length = {};
    if (type != T::distance && !coupled) joint.second_anchor = {};
    if (type != T::gear && type != T::rack) joint.second_axis = {};
    if (!coupled) joint.ratio = usual.ratio;
    if (type == T::pulley) joint.ratio = std::abs(joint.ratio), joint.break_torque = unlimited;
    else joint.ground = usual.ground;
    if (type != T::wheel) joint.steer = usual.steer;
    if (type != T::six_axes) joint.axes = usual.axes;
    if (type != T::pose) joint.pose = usual.pose;
}

const char* RigidRun::read_name() { return in.one_of<const char*>({"", "a", "b", "crate", "a"}); }

/// Triangles around a vertex, with chance heights, and now and then a line that hangs on one of them.
ClothDef RigidRun::read_fan() {
    ClothDef fan;
    const std::uint32_t around = 3 + in.below(6);
    fan.vertices.emplace_back();
    for (std::uint32_t k = 0; k < around; ++k) {
        const float turn = 6.28f * static_cast<float>(k) / static_cast<float>(around);
        fan.vertices.push_back(
            {0.4f * std::cos(turn), static_cast<float>(in.byte()) / 700, 0.4f * std::sin(turn)});
        if (k) fan.triangles.push_back({0, k + 1, k});
    }
    if (in.chance(128)) {
        fan.vertices.push_back({0.7f, 0, 0});
        fan.lines.push_back({1, around + 1});
    }
    return fan;
}

ClothDef RigidRun::read_cloth() {
    const std::uint8_t kind = in.byte();
    const std::uint32_t columns = 2 + in.below(5), rows = 2 + in.below(4);
    const Vec3 place = place_in(in);
    // sides that are taken
    const auto side = [&] { return 0.2f + 0.1f * static_cast<float>(in.below(9)); };
    const float length = side(), width = kind < 48 ? length : side();
    const auto shape = [&] {
        if (kind < 48) return make_rope({0, 0, 0}, {length, 0, 0}, kind < 4 ? 70 : columns);
        if (kind < 72) return make_net(width, length, columns, rows);
        if (kind < 96) return read_fan();
        if (kind < 112) return make_balloon(length / 3, columns < 6 ? 1 : 4);
        // levels begin at 65 vertices
        if (kind < 128) return make_cloth(width, length, 7 + columns, 6 + rows);
        return make_cloth(width, length, columns, rows);
    };
    ClothDef cloth = shape();
    cloth.position = {place.x, place.y + 0.5f, place.z};
    cloth.rotation = rotation_in(in);
    cloth.velocity = {in.number(-1, 1), 0, 0};
    cloth.material.density = in.number_of({0.2f, 0.01f, 5.0f, 100.0f});
    cloth.material.stretch = in.number_of({20000.0f, 100.0f, 1e9f, 1.0f});
    cloth.material.bend = in.number_of({1e-5f, 0.0f, 1e-2f, 10.0f});
    cloth.material.thickness = in.number_of({0.01f, 0.05f, 0.002f, 0.1f});
    cloth.surface_collision = in.chance(128);
    cloth.self_collision = in.chance(160);
    cloth.can_sleep = !in.chance(32);
    if (in.chance(48)) cloth.material.tear = in.number_of({0.5f, 0.1f, 0.02f, 2.0f});
    if (in.chance(64)) cloth.wind = {in.number(-5, 5), 0, 1};
    if (in.chance(32)) cloth.pressure = in.number(-50, 50);
    if (in.chance(32)) cloth.filter = read_filter();
    cloth.user_data = in.byte();
    // what lines do not do is refused
    if (cloth.triangles.empty() && !in.wrong()) {
        cloth.self_collision = false;
        cloth.material.bend = 0;
        cloth.pressure = 0;
    }
    if (in.wrong() && in.which_wrong() & 4 && !cloth.triangles.empty())
        cloth.triangles[0][1] = in.which_wrong();
    return cloth;
}

std::vector<Ref<BodyId>> RigidRun::read_pins(std::vector<ClothPin>& pins) {
    std::vector<Ref<BodyId>> bodies;
    for (std::uint32_t count = in.below(4), k = 0; k < count; ++k) {
        pins.push_back({in.below(in.wrong() ? 200 : 5) + 2 * k, {}, {}});
        bodies.push_back(in.chance(128) ? read<BodyId>() : Ref<BodyId>{BodyId{}, 0, true});
    }
    return bodies;
}

ForceField RigidRun::read_field() {
    ForceField field;
    const std::uint32_t kind = in.below(4);
    if (kind == 0)
        field.force = Wind{.velocity = vector_in(in, 20), .density = in.number_of({1.2f, 50, 1000})};
    if (kind == 1)
        field.force = Water{.surface = exact_place_in(in),
                            .normal = in.one_of<Vec3>({{0, 1, 0}, {0, 1, 0}, {0, 2, 0}, {1, 1, 0.5f}}),
                            .velocity = in.one_of<Vec3>({{}, {1, 0, 0}}),
                            .density = in.number_of({1000, 500, 20}),
                            .drag = in.number(0, 2),
                            .damping = in.number(0, 4)};
    if (kind == 2)
        field.force = Attractor{.centre = exact_place_in(in),
                                .strength = in.number(-20, 20),
                                .radius = in.number_of({100, 1, 3}),
                                .falloff = in.one_of({Attractor::Falloff::none, Attractor::Falloff::linear,
                                                      Attractor::Falloff::square}),
                                .core = in.number_of({0.1f, 1})};
    // what it does depends on all that it is shown
    if (kind == 3)
        field.force = Custom([](std::span<FieldBody> bodies, float dt) {
            for (FieldBody& body : bodies) {
                body.force = body.force + (Vec3{0, 2, 0} - body.centre - body.velocity * dt) * body.mass;
                body.torque = body.torque - body.angular_velocity * (0.01f * body.mass * body.rotation.s);
            }
        });
    if (in.chance(64)) field.region = ForceField::Region{{-0.5f, 0, -2}, {2, in.number(0, 4), 2}};
    return field;
}

Explosion RigidRun::read_explosion() {
    return {.centre = exact_place_in(in),
            .radius = in.number(0, 2),
            .falloff = in.number_of({0, 1, 3}),
            .impulse = in.number(-50, 200)};
}

ShapeDef RigidRun::read_shape() {
    ShapeDef shape;
    const std::uint8_t flags = in.byte() & in.byte();
    if (flags & 1) shape.position = vector_in(in, 0.4f);
    if (flags & 2) shape.rotation = rotation_in(in);
    if (flags & 4) shape.density = in.number_of({10, 0, 100, 5000});
    if (flags & 8) shape.material = read_material();
    if (flags & 16) shape.filter = read_filter();
    if (flags & 32) shape.user_data = in.byte();
    // events: most ask for them
    const std::uint8_t told = in.byte();
    shape.contact_events = (told & 3) != 0;
    shape.hit_events = (told & 12) != 0;
    shape.sensor = (told & 0x70) == 0x10;
    if ((told & 0x70) == 0x20) shape.one_way = in.one_of<Vec3>({{0, 1, 0}, {0, -1, 0}, {1, 1, 0}});
    if (in.wrong() && in.which_wrong() == 0x44) shape.one_way.x = in.number(0, 1);
    return shape;
}

Region RigidRun::read_region() {
    const Vec3 low{in.number(-1.5f, 0), in.number(-1, 0.5f), in.number(-1.5f, 0)};
    const Vec3 high{in.number(0, 1.5f), in.number(in.wrong() ? -1.0f : 0.5f, 2), in.number(0, 1.5f)};
    return {low, high};
}

/// A field of a few heights, or triangles between chance points, which may be thin, folded or share edges in any way.
Mesh RigidRun::read_mesh() {
    if (in.wrong() && in.which_wrong() == 0x61) return {};
    if (meshes_.empty() || in.chance(64)) {
        MeshOptions options;
        const std::uint8_t flags = in.byte();
        options.two_sided = flags & 1;
        if (flags & 2) options.materials = {read_material(), read_material()};
        try {
            if (flags & 4) {
                HeightField field{.columns = 2 + in.below(4), .rows = 2 + in.below(4), .spacing = 0.7f};
                for (std::uint32_t k = field.columns * field.rows; k; --k)
                    field.heights.push_back(static_cast<float>(in.byte()) / 500);
                if (flags & 8)
                    field.heights[in.below(static_cast<std::uint32_t>(field.heights.size()))] = NAN;
                if (flags & 2)
                    for (std::uint32_t k = 2 * (field.columns - 1) * (field.rows - 1); k; --k)
                        options.material_of.push_back(static_cast<std::uint8_t>(k % 2));
                meshes_.push_back(Mesh::from_heights(field, options));
            } else {
                std::vector<Vec3> vertices(3 + in.below(6));
                for (Vec3& v : vertices)
                    v = {static_cast<float>(in.byte()) / 128 - 1, static_cast<float>(in.byte()) / 512,
                         static_cast<float>(in.byte()) / 128 - 1};
                std::vector<std::uint32_t> indices(3 * (1 + in.below(8)));
                for (std::uint32_t& i : indices) i = in.below(static_cast<std::uint32_t>(vertices.size()));
                meshes_.push_back(Mesh::from_triangles(vertices, indices, options));
            }
        } catch (const Error&) {
            if (meshes_.empty())
                meshes_.push_back(Mesh::from_heights({.columns = 3,
                                                      .rows = 3,
                                                      .spacing = 1,
                                                      .heights = {0, 0.1f, 0, 0.1f, 0, 0, 0, 0.2f, 0}}));
        }
    }
    const Mesh& mesh = meshes_[in.below(static_cast<std::uint32_t>(meshes_.size()))];
    return in.chance(64) ? mesh.scaled({in.one_of<float>({1, 0.5f, 2}), 1, in.one_of<float>({1, 3})}) : mesh;
}

Geometry RigidRun::read_geometry(BodyType body) {
    const std::uint32_t kind = in.below(8);
    const float a = in.number(0.1f, 0.45f), b = in.number(0.1f, 0.45f);
    switch (kind) {
    case 0:
        return Sphere{a};
    case 1:
        return Capsule{a, b};
    case 2:
        return Cylinder{a, b};
    case 3:
        return Cone{a, b};
    case 4: {
        // another one now and then: bodies share hulls
        if (hulls_.empty() || in.chance(64)) {
            std::vector<Vec3> points;
            for (std::uint32_t k = 4 + in.below(9); k; --k) {
                const Vec3 point{static_cast<float>(in.byte()) / 300 - 0.4f,
                                 static_cast<float>(in.byte()) / 300 - 0.4f,
                                 static_cast<float>(in.byte()) / 300 - 0.4f};
                points.push_back(point);
            }
            try {
                hulls_.push_back(Hull::from_points(points));
            } catch (const Error&) {
                return in.wrong() ? Geometry(Hull{}) : Geometry(Box{a, b, a});
            }
        }
        return hulls_[in.below(static_cast<std::uint32_t>(hulls_.size()))];
    }
    case 5:
        if (body == BodyType::fixed || in.wrong()) return Plane{};
        return Box{b, b, b};
    case 6:
        if (body != BodyType::dynamic || in.wrong()) return read_mesh();
        return Box{a, b, in.number(0.1f, 0.45f)};
    default:
        return Box{a, b, in.number(0.1f, 0.45f)};
    }
}

/// One or two of the settings changed.
WorldSettings RigidRun::read_settings(WorldSettings s) {
    for (std::uint32_t changes = 1 + in.below(2); changes; --changes) {
        switch (in.below(29)) {
        case 25:
            s.sor_schedule =
                in.wrong() ? static_cast<SorSchedule>(3)
                           : in.one_of({SorSchedule::colours, SorSchedule::groups, SorSchedule::jacobi});
            s.sor_groups = in.wrong() ? in.one_of({0, -1, 65537}) : in.one_of({512, 1, 3, 65536});
            s.sor_vary = in.chance(128);
            break;
        case 26:
            s.sor_tolerance = in.number_of({0, 1e-4f, 0.01f, 1});
            s.sor_on_chip = in.chance(128);
            break;
        case 27:
            s.integrator = in.wrong() ? static_cast<Integrator>(2)
                                      : in.one_of({Integrator::euler, Integrator::runge_kutta});
            break;
        case 24:
            s.hit_speed = in.number_of({1, 0, 0.2f, 5});
            s.impact_tolerance = in.number_of({1e-4f, 1e-3f, 1e-6f, 0.01f});
            break;
        case 0:
        case 1:
            s.gravity = in.one_of<Vec3>({{0, -9.81f, 0}, {}, {0, -2, 0}, {3, -8, 0}, {0, 4, 0}, {0, -9, 0}});
            if (in.wrong()) s.gravity.y = in.number(-10, 2);
            break;
        case 2:
            // Solver::impact runs on "cpu" alone: elsewhere there is nothing to compare. 3 is no solver
            s.solver = Solver(in.below(in.wrong() || impacts_ ? 3 : 2));
            if (s.solver == Solver::impact && !impacts_) s.solver = Solver(3);
            break;
        case 3:
            s.broad_phase = BroadPhase(in.below(in.wrong() ? 4 : 3));
            break;
        case 4:
        case 5:
            s.substeps = in.wrong() ? in.one_of({0, -1, 1001, 3}) : 1 + static_cast<int>(in.below(6));
            break;
        case 6:
            s.contact_hertz = in.number_of({0, 10, 30, 200});
            break;
        case 7:
            s.contact_damping = in.number_of({20, 1, 0, 5});
            break;
        case 8:
            s.push_speed = in.number_of({3, 0, 1, 50});
            break;
        case 9:
            s.joint_hertz = in.number_of({60, 5, 0, 200});
            break;
        case 10:
            s.joint_damping = in.number_of({2, 0, 1, 10});
            break;
        case 11:
            s.slop = in.number_of({0.005f, 0, 0.05f, 0.001f});
            break;
        case 12:
            s.speculative_distance = in.number_of({0.02f, 0, 0.1f, 0.005f});
            break;
        case 13:
            s.restitution_threshold = in.number_of({1, 0, 0.2f, 5});
            break;
        case 14:
            s.recycling = in.chance(128);
            break;
        case 15:
            s.warm_starting = in.chance(128);
            break;
        case 16:
            s.sleeping = in.chance(160);
            break;
        case 17:
            s.sleep_speed = in.number_of({0.05f, 0.5f, 2, 0});
            break;
        case 18:
            s.sleep_delay = in.number_of({0.1f, 0, 0.3f, 0.5f});
            break;
        case 19:
            s.sor_iterations =
                in.wrong() ? in.one_of({0, -5, 100001, 5}) : 1 + static_cast<int>(in.below(16));
            break;
        case 20:
            s.sor_omega = in.number_of({1, 0.5f, 1.5f, 1.9f});
            break;
        case 21:
            s.sor_cfm = in.number_of({0, 1e-5f, 1e-3f, 0.1f});
            break;
        case 22:
            s.sor_erp = in.number_of({0.2f, 0, 0.8f, 1});
            break;
        case 23:
            s.continuous = in.chance(160);
            break;
        default:
            s.grid_cell = in.number_of({0, 0.5f, 2, 0.2f});
            s.grid_origin = {in.number(-1, 1), 0, 0};
            s.grid_bits = in.one_of<std::array<int, 3>>({{10, 11, 11}, {4, 4, 4}, {1, 1, 1}, {3, 8, 3}});
            if (in.wrong()) s.grid_bits[1] = in.one_of({0, 17, 16});
        }
    }
    return s;
}

} // namespace scree::fuzz
