// SPDX-License-Identifier: MIT
// appearance.cpp — appearance and poses of a World; see scree/appearance.h.
#include "scree/appearance.h"

#include "geometry/shapes.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "scree/shared_poses.h"
#include "scree/skinned_model.h"
#include "world/checks.h"
#include "world/joint_types.h"
#include "world/mass_update.h"
#include "world/state.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace scree {
namespace {

double length64(Vec3 v) { return std::hypot(double{v.x}, double{v.y}, double{v.z}); }

/// Equal for parts that look the same: hulls and meshes are the same when they share their geometry.
using PartKey = std::tuple<std::size_t, std::array<float, 11>, const void*>;

PartKey key_of(const AppearancePart& part) {
    const Vec3& p = part.pose.position;
    const Quat& q = part.pose.rotation;
    std::array<float, 11> numbers{p.x, p.y, p.z, q.x, q.y, q.z, q.s};
    each_size(part.geometry, [&](const char*, SizePlace place, float size) {
        numbers[7 + static_cast<std::size_t>(place)] = size;
    });
    const Hull* hull = std::get_if<Hull>(&part.geometry);
    const void* shared = hull ? &hull->geometry() : nullptr;
    if (const Mesh* mesh = std::get_if<Mesh>(&part.geometry)) {
        shared = &mesh->geometry();
        numbers[7] = mesh->scale().x, numbers[8] = mesh->scale().y, numbers[9] = mesh->scale().z;
    }
    return {part.geometry.index(), numbers, shared};
}

/// Another number whenever a body or a cloth came or went.
std::uint64_t bodies_of(const World::State& state) {
    std::uint64_t sum = 14695981039346656037u; // Fowler, Noll and Vo 1991
    for (std::uint32_t b = 1; b < state.bodies.record.size(); ++b)
        if (state.bodies.record[b].alive)
            sum = (sum ^ (std::uint64_t{b} << 32 | state.bodies.record[b].generation)) * 1099511628211u;
    for (std::uint32_t c = 0; c < state.cloths.record.size(); ++c)
        if (state.cloths.record[c].alive)
            for (const std::uint64_t word :
                 {std::uint64_t{c} << 32 | state.cloths.record[c].generation,
                  std::uint64_t{state.cloths.record[c].mass.size()}}) // it may tear
                sum = (sum ^ word) * 1099511628211u;
    return sum;
}

/// Bodies by their number in the appearance.
std::vector<AppearanceJoint> joints_of(const World::State& state) {
    std::vector<std::uint32_t> number(state.bodies.record.size());
    for (std::uint32_t b = 1, next = 0; b < number.size(); ++b)
        if (state.bodies.record[b].alive) number[b] = next++;
    std::vector<AppearanceJoint> joints;
    for (const JointRecord& record : state.joints.record) {
        if (!record.alive) continue;
        const JointKind& kind = kind_of(record.type);
        const int first = record.reversed ? 1 : 0, second = 1 - first; // the second may be the world
        if (record.type == JointType::pulley && record.definition)
            // the rope's ends, each to its ground
            for (const int side : {first, second})
                if (record.body[side] != 0)
                    joints.push_back(
                        {.type = std::string(kind.name),
                         .first = number[record.body[side]],
                         .second = {},
                         .first_anchor = narrow(record.place[side]),
                         .second_anchor = narrow(record.definition->ground[side == first ? 0 : 1])});
        AppearanceJoint& joint = joints.emplace_back();
        joint.type = kind.name;
        joint.first = number[record.body[first]];
        if (record.body[second] != 0) joint.second = number[record.body[second]];
        joint.first_anchor = narrow(record.place[first]);
        joint.second_anchor = narrow(record.place[second]);
        if (kind.has_axis()) joint.axis = rotate(record.frame[first], Vec3{0, 0, 1});
    }
    return joints;
}

} // namespace

namespace {

/// Triangles are drawn as a surface, edges without triangles as lines.
void add_cloths(const World& world, Appearance& look) {
    std::uint32_t first = 0;
    for (const ClothId id : world.cloths()) {
        const ClothDef def = world.definition(id);
        const auto count = static_cast<std::uint32_t>(def.vertices.size());
        const std::string name = "cloth " + std::to_string(id.index);
        if (!def.triangles.empty()) {
            AppearanceMesh& mesh = look.meshes.emplace_back();
            mesh.name = name;
            mesh.first_vertex = first;
            mesh.vertex_count = count;
            for (const auto& corners : def.triangles)
                mesh.triangles.insert(mesh.triangles.end(), corners.begin(), corners.end());
            mesh.paint.colour = Vec3{0.72f, 0.16f, 0.14f};
        }
        if (!def.lines.empty()) {
            AppearanceLines& lines = look.lines.emplace_back();
            lines.name = name;
            lines.first_vertex = first;
            lines.vertex_count = count;
            for (const auto& ends : def.lines) lines.ends.insert(lines.ends.end(), ends.begin(), ends.end());
        }
        first += count;
    }
}

} // namespace

void find_vertices(const AppearanceMesh& mesh, const Frame& frame, std::vector<Vec3>& vertices,
                   std::vector<Vec3>& normals) {
    if (frame.vertices.size() < std::size_t{mesh.first_vertex} + mesh.vertex_count)
        throw Error("the frame has " + std::to_string(frame.vertices.size()) +
                        " vertices; expected vertices " + std::to_string(mesh.first_vertex) + " to " +
                        std::to_string(std::size_t{mesh.first_vertex} + mesh.vertex_count),
                    mesh.name);
    const auto given = std::span(frame.vertices).subspan(mesh.first_vertex, mesh.vertex_count);
    normals.clear();
    if (!mesh.skin) {
        vertices.assign(given.begin(), given.end());
        return;
    }
    const AppearanceSkin& skin = *mesh.skin;
    check_skin(mesh);
    vertices.resize(skin.vertices.size());
    normals.resize(skin.vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        Affine map{{}, {}, {}, {}};
        for (std::size_t k = 0; k < 4; ++k) {
            const float weight = skin.weights[v][k];
            const Vec3* bone = given.data() + 4 * std::size_t{skin.bones[v][k]};
            map.x += weight * bone[0];
            map.y += weight * bone[1];
            map.z += weight * bone[2];
            map.position += weight * bone[3];
        }
        vertices[v] = apply(map, skin.vertices[v]);
        normals[v] = map_normal(map, skin.normals[v]);
        if (normals[v] == Vec3{}) normals[v] = {0, 1, 0};
    }
}

void check_skin(const AppearanceMesh& mesh) {
    const AppearanceSkin& skin = *mesh.skin;
    const std::size_t count = skin.vertices.size();
    if (skin.normals.size() != count || skin.bones.size() != count || skin.weights.size() != count)
        throw Error("its skin has " + std::to_string(skin.normals.size()) + " normals, " +
                        std::to_string(skin.bones.size()) + " fours of bones and " +
                        std::to_string(skin.weights.size()) + " of weights for " + std::to_string(count) +
                        " vertices",
                    mesh.name);
    for (std::size_t v = 0; v < count; ++v)
        for (const std::uint32_t bone : skin.bones[v])
            if (bone >= mesh.vertex_count / 4)
                throw Error("vertex " + std::to_string(v) + " follows bone " + std::to_string(bone) +
                                "; there are " + std::to_string(mesh.vertex_count / 4),
                            mesh.name);
}

AppearanceShape appearance_of(std::string name, std::vector<AppearancePart> parts,
                              std::vector<AppearancePart> drawn) {
    AppearanceShape shape{std::move(name), std::move(parts), {}, 0, std::move(drawn)};
    for (const auto* all : {&shape.parts, &shape.drawn})
        for (const AppearancePart& part : *all)
            shape.reach = std::max(shape.reach, length64(part.pose.position) + reach_of(part.geometry));
    return shape;
}

void draw_as(Appearance& look, std::size_t body, std::vector<AppearancePart> drawn) {
    if (body >= look.bodies.size())
        throw Error("body " + std::to_string(body) + " does not exist; expected less than " +
                        std::to_string(look.bodies.size()),
                    "body");
    for (const AppearancePart& part : drawn) check(part.geometry);
    const std::uint32_t before = look.bodies[body].shape;
    AppearanceShape shape =
        appearance_of(look.shapes[before].name, look.shapes[before].parts, std::move(drawn));
    shape.particles = look.shapes[before].particles;
    shape.reach = std::max(shape.reach, look.shapes[before].reach);
    look.bodies[body].shape = static_cast<std::uint32_t>(look.shapes.size());
    look.shapes.push_back(std::move(shape));
}

Vec3 Frame::centre(std::size_t body) const {
    const Pose at = pose(body);
    const kernels::real3 local = lane(appearance->bodies[body].centre);
    return vec3(lane(at.position) + kernels::mat3_times(kernels::quat_matrix(lane(at.rotation)), local));
}

Appearance appearance_of(const World& world) {
    Appearance look;
    std::map<std::vector<PartKey>, std::uint32_t> known;
    for (const BodyId id : world.bodies()) {
        std::vector<AppearancePart> parts;
        std::vector<PartKey> keys;
        for (const ShapeId shape : world.shapes(id)) {
            const ShapeDef definition = world.definition(shape);
            parts.push_back({world.geometry(shape), {definition.position, definition.rotation}});
            keys.push_back(key_of(parts.back()));
        }
        const auto [found, is_new] = known.try_emplace(keys, static_cast<std::uint32_t>(look.shapes.size()));
        if (is_new) look.shapes.push_back(appearance_of("", std::move(parts)));
        const MassProperties mass = world.mass(id);
        look.bodies.push_back({found->second, world.type(id), mass.mass, mass.centre});
    }
    look.body_count = static_cast<std::uint32_t>(look.bodies.size());
    look.joints = joints_of(WorldInside::of(world));
    add_cloths(world, look);
    look.world_bodies = bodies_of(WorldInside::of(world));
    const Vec3 gravity = world.settings().gravity;
    if (const double size = length64(gravity); size > 0) {
        const auto part = [&](float g) { return static_cast<float>(-double{g} / size); };
        look.up = {part(gravity.x), part(gravity.y), part(gravity.z)};
    }
    return look;
}

namespace {

void check_bodies(const World::State& state, const Frame& frame) {
    if (frame.appearance && frame.appearance->world_bodies != bodies_of(state))
        throw Error("bodies came or went since the appearance was made: expected a new appearance_of(world)",
                    "frame");
}

} // namespace

bool may_share(const World& world) { return WorldInside::of(world).simulation->remote(); }

void show_shared(const World& world, SharedPoses& to, Frame& frame) {
    World::State& state = WorldInside::of(world);
    check_bodies(state, frame);
    if (state.cloths.count > 0) throw Error("cloth is drawn from the host's memory", "poses");
    update_masses(state);
    state.simulation->write_poses(to);
    frame.step = state.steps;
    frame.time = state.time;
    frame.shared = true;
}

void show(const World& world, Frame& frame, bool velocities) {
    World::State& state = WorldInside::of(world);
    check_bodies(state, frame);
    frame.shared = false;
    state.simulation->fetch();
    update_masses(state);
    frame.step = state.steps;
    frame.time = state.time;
    const std::size_t count = frame.appearance ? frame.appearance->bodies.size() : state.bodies.count;
    frame.resize(count);
    frame.velocity.resize(velocities ? count : 0);
    frame.angular_velocity.resize(velocities ? count : 0);
    std::size_t number = 0;
    for (std::uint32_t b = 1; b < state.bodies.record.size() && number < count; ++b) {
        const BodyRecord& record = state.bodies.record[b];
        if (!record.alive) continue;
        frame.set_pose(number, {narrow(origin_of(state, b)), rotation_of(state.bodies, b)});
        frame.flags[number] = static_cast<std::uint8_t>((record.asleep ? Frame::asleep : 0) |
                                                        (record.frozen ? Frame::frozen : 0));
        if (velocities) {
            frame.velocity[number] = velocity_of(state.bodies, b);
            frame.angular_velocity[number] = spin_of(state.bodies, b);
        }
        ++number;
    }
    frame.normals.clear();
    frame.vertices_shared = false;
    if (state.cloths.count == 0) {
        frame.vertices.clear();
        return;
    }
    state.simulation->fetch_cloths();
    std::size_t vertices = 0;
    for (const ClothRecord& cloth : state.cloths.record) vertices += cloth.mass.size();
    frame.vertices.resize(vertices);
    vertices = 0;
    for (const ClothRecord& cloth : state.cloths.record)
        for (std::size_t v = 0; v < cloth.mass.size(); ++v)
            frame.vertices[vertices++] = {cloth.position[4 * v], cloth.position[4 * v + 1],
                                          cloth.position[4 * v + 2]};
}

} // namespace scree
