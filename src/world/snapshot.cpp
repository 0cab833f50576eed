// SPDX-License-Identifier: MIT
// snapshot.cpp — see snapshot.h.

#include "world/snapshot.h"

#include "bytes/seal.h"
#include "geometry/hull_fields.h"
#include "geometry/mesh_fields.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/cloth.h"
#include "world/fields.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/requests.h"
#include "world/slots.h"
#include "world/snapshot_fields.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace scree {

namespace {

constexpr bytes::Seal seal{"SCREEWLD", 9};
constexpr std::uint32_t alive_bit = 1u << 31;

// writing ------------------------------------------------------------------------------------------------------------

template <class Record>
void write_slots(SnapshotWriter& out, const std::vector<Record>& records,
                 const std::vector<std::uint32_t>& free, std::size_t first) {
    out(static_cast<std::uint32_t>(records.size() - first));
    for (std::size_t k = first; k < records.size(); ++k)
        out((records[k].generation & last_generation) | (records[k].alive ? alive_bit : 0));
    out.list(free, "");
}

/// Hulls in the order in which shapes use them first; shapes that share one share its number.
std::vector<std::uint32_t> write_hulls(SnapshotWriter& out, const Shapes& shapes) {
    std::map<const HullGeometry*, std::uint32_t> numbers; // looked up only: its order says nothing
    std::vector<const HullGeometry*> hulls;
    std::vector<std::uint32_t> number_of(shapes.record.size(), none);
    for (std::size_t s = 0; s < shapes.record.size(); ++s) {
        if (!shapes.record[s].alive || shapes.record[s].type != ShapeType::hull) continue;
        const HullGeometry* hull = &shapes.record[s].hull.geometry();
        const auto [at, fresh] = numbers.try_emplace(hull, static_cast<std::uint32_t>(hulls.size()));
        if (fresh) hulls.push_back(hull);
        number_of[s] = at->second;
    }
    out(static_cast<std::uint32_t>(hulls.size()));
    for (const HullGeometry* hull : hulls) bytes::write_hull(out, *hull);
    return number_of;
}

void write_lists(SnapshotWriter& out, const World::State& world) {
    for (std::uint32_t b = 0; b < world.bodies.record.size(); ++b) {
        const BodyRecord& body = world.bodies.record[b];
        if (!body.alive) continue;
        std::vector<std::uint32_t> list;
        for (std::uint32_t s = body.first_shape; s != none; s = world.shapes.record[s].next)
            list.push_back(s);
        out.list(list, "");
        list.clear();
        for (std::uint32_t j = body.first_joint; j != none;) {
            const JointRecord& joint = world.joints.record[j];
            list.push_back(j);
            j = joint.next[side_of(joint, b)];
        }
        out.list(list, "");
    }
}

// reading ------------------------------------------------------------------------------------------------------------

template <class Record>
std::vector<Record>& writable(std::vector<Record>& records) {
    return records;
}
template <class Record>
std::vector<Record>& writable(VersionedRecords<Record>& records) {
    return records.edit();
}

template <class Storage>
void read_slots(SnapshotReader& in, Storage& things, std::uint32_t tag, std::size_t first) {
    auto& records = writable(things.record);
    const std::uint32_t slots = in.count(4, "slots");
    if (slots > most_slots) in.fail(std::to_string(slots) + " slots are more than a world can have");
    records.resize(first + slots);
    for (std::size_t k = first; k < records.size(); ++k) {
        std::uint32_t word;
        in(word);
        const std::uint32_t generation = word & ~alive_bit;
        if (generation == 0 || generation > last_generation)
            in.fail("generation " + std::to_string(generation) + " is not possible");
        records[k].generation = tag << tag_shift | generation;
        records[k].alive = (word & alive_bit) != 0;
        things.count += records[k].alive;
    }
    in.list(things.free, "free slots");
    std::vector<bool> seen(things.record.size());
    for (const std::uint32_t slot : things.free) {
        if (slot < first || slot >= things.record.size() || things.record[slot].alive || seen[slot])
            in.fail("slot " + std::to_string(slot) + " is not free");
        seen[slot] = true;
    }
    for (std::size_t k = first; k < things.record.size(); ++k)
        if (!things.record[k].alive && !seen[k] &&
            (things.record[k].generation & last_generation) != last_generation)
            in.fail("slot " + std::to_string(k) + " is neither taken nor free");
}

/// Outside a step the quads of a body follow from its type and state, those of its inertia but for the last digits: a step
/// turns them in another order.
void check_quads(SnapshotReader& in, World::State& world, std::uint32_t b) {
    const BodyRecord& record = world.bodies.record[b];
    const auto zero = [](const float* first, int count) {
        return std::all_of(first, first + count, [](float number) { return number == 0; });
    };
    const float* turn = &world.bodies.rotation[4 * std::size_t{b}];
    const float* motion = &world.bodies.motion[16 * std::size_t{b}];
    const float square = (turn[0] * turn[0] + turn[1] * turn[1]) + (turn[2] * turn[2] + turn[3] * turn[3]);
    const bool still = record.type == BodyType::fixed || record.asleep || record.frozen;
    bool fits = (!record.asleep || (record.type == BodyType::dynamic && !record.frozen)) &&
                std::abs(square - 1) < 1e-4f && (!still || zero(motion, 8)) && motion[3] == 0 &&
                motion[7] == 0 && zero(motion + 8, 7) && motion[15] == 1;
    // low parts are below the last place of the high ones
    const float* low = &world.bodies.carry[4 * CARRY_QUADS * std::size_t{b}];
    for (std::size_t k = 0; k < 4; ++k) {
        const float high[] = {k < 3 ? world.bodies.position[4 * std::size_t{b} + k] : 0.0f, turn[k],
                              motion[k], motion[4 + k]};
        for (std::size_t quad = 0; quad < CARRY_QUADS; ++quad)
            fits = fits && std::abs(low[4 * quad + k]) <= 1.2e-7f * std::abs(high[quad]);
    }
    float* inverse = &world.bodies.inverse_mass[8 * std::size_t{b}];
    float saved[8];
    std::copy_n(inverse, 8, saved);
    refresh_inverse_mass(world, b);
    const float near = 1e-3f * (inverse[0] + inverse[1] + inverse[2]);
    for (int k = 0; k < 6; ++k) fits = fits && std::abs(saved[k] - inverse[k]) <= near;
    // the mass, and the locks as bits
    fits = fits && std::memcmp(saved + 6, inverse + 6, 8) == 0;
    std::copy_n(saved, 8, inverse);
    if (!fits) in.fail("the motion or the mass of body " + std::to_string(b) + " does not fit its type");
}

void read_bodies(SnapshotReader& in, World::State& world) {
    Bodies& bodies = world.bodies;
    add_world_body(bodies);
    read_slots(in, bodies, world.tag, 1);
    for (std::uint32_t b = 1; b < bodies.record.size(); ++b) {
        clear_body_quads(bodies, b);
        BodyRecord& record = bodies.record.edit(b);
        if (!record.alive) continue;
        body_fields(in, bodies, b);
        bodies.position[4 * std::size_t{b} + 3] =
            fine_word(read_vector(bodies.carry, CARRY_QUADS * std::size_t{b} + CARRY_POSITION));
        BodyDef definition;
        definition.type = record.type;
        definition.rotation = rotation_of(bodies, b);
        definition.linear_damping = record.linear_damping;
        definition.angular_damping = record.angular_damping;
        definition.max_speed = record.max_speed;
        definition.max_angular_speed = record.max_angular_speed;
        if (record.type == BodyType::dynamic || record.mass_given) definition.mass = record.mass;
        check(definition);
        check_not_negative(record.radius, "radius");
        check_not_negative(record.unswept, "unswept");
        refresh_inverse_inertia(record);
        check_quads(in, world, b);
    }
}

Mesh blamed_scale(SnapshotReader& in, const Mesh& mesh, Vec3 scale) {
    try {
        return mesh.scaled(scale);
    } catch (const Error& error) {
        in.fail(error.what());
    }
}

void read_shapes(SnapshotReader& in, World::State& world, const std::vector<Hull>& hulls) {
    Shapes& shapes = world.shapes;
    read_slots(in, shapes, world.tag, 0);
    bytes::MeshTable meshes;
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s) {
        ShapeRecord& record = shapes.record.edit(s);
        if (!record.alive) {
            write_shape_quads(shapes, s);
            continue;
        }
        std::uint32_t hull;
        shape_fields(in, record);
        in(hull);
        if (record.type > ShapeType::mesh) in.fail("a shape is of no known type");
        if (record.type == ShapeType::mesh) record.mesh = blamed_scale(in, meshes.read(in), record.size);
        if (record.type == ShapeType::hull) {
            if (hull >= hulls.size()) in.fail("hull " + std::to_string(hull) + " does not exist");
            record.hull = hulls[hull];
        }
        if (record.body == 0 || record.body >= world.bodies.record.size() ||
            !world.bodies.record[record.body].alive)
            in.fail("shape " + std::to_string(s) + " is on no body");
        const BodyRecord& owner = world.bodies.record[record.body];
        if (record.type == ShapeType::plane && owner.type != BodyType::fixed)
            in.fail("a plane is on a body that moves");
        if (record.type == ShapeType::mesh && owner.type == BodyType::dynamic)
            in.fail("a mesh is on a dynamic body");
        check(geometry_of(record));
        check(record.definition);
        record.offset = vec3(kernels::operator-(lane(record.definition.position), lane(owner.mass.centre)));
        write_shape_quads(shapes, s);
        place_shape(world, s);
    }
}

/// For its check.
JointDef definition_of(const JointRecord& record) {
    JointDef def = record.definition ? *record.definition : JointDef{};
    def.type = record.type;
    if (def.type == JointType::wheel) def.axis = {1, 0, 0}; // any but `up`
    return def;
}

void read_joints(SnapshotReader& in, World::State& world) {
    Joints& joints = world.joints;
    read_slots(in, joints, world.tag, 0);
    for (std::uint32_t j = 0; j < joints.record.size(); ++j) {
        JointRecord& record = joints.record[j];
        if (!record.alive) continue;
        joint_fields(in, record);
        check(definition_of(record));
        check_rows(record);
        for (const int side : {0, 1}) {
            const std::uint32_t b = record.body[side];
            if (b >= world.bodies.record.size() || !world.bodies.record[b].alive ||
                (b == 0 && side != (record.reversed ? 0 : 1)))
                in.fail("joint " + std::to_string(j) + " is on no body");
            unit_rotation(record.frame[side], "frame");
            record.anchor[side] = record.place[side] - wide(world.bodies.record[b].mass.centre);
        }
        if (record.body[0] == record.body[1])
            in.fail("joint " + std::to_string(j) + " joins a body with itself");
    }
}

void read_lists(SnapshotReader& in, World::State& world) {
    std::size_t linked_shapes = 0, linked_sides = 0;
    std::vector<bool> shape_linked(world.shapes.record.size()), side_linked(2 * world.joints.record.size());
    std::vector<std::uint32_t> list;
    for (std::uint32_t b = 0; b < world.bodies.record.size(); ++b) {
        if (!world.bodies.record[b].alive) continue;
        // linking puts at the front, so from the end
        in.list(list, "shapes of a body");
        for (auto s = list.rbegin(); s != list.rend(); ++s, ++linked_shapes) {
            if (*s >= shape_linked.size() || !world.shapes.record[*s].alive ||
                world.shapes.record[*s].body != b || shape_linked[*s])
                in.fail("shape " + std::to_string(*s) + " is not on body " + std::to_string(b));
            shape_linked[*s] = true;
            link_shape(world, *s);
        }
        in.list(list, "joints of a body");
        for (auto j = list.rbegin(); j != list.rend(); ++j, ++linked_sides) {
            const bool exists = *j < world.joints.record.size() && world.joints.record[*j].alive;
            const int side = exists ? side_of(world.joints.record[*j], b) : 0;
            if (!exists || world.joints.record[*j].body[side] != b || side_linked[2 * *j + side])
                in.fail("joint " + std::to_string(*j) + " is not on body " + std::to_string(b));
            side_linked[2 * *j + side] = true;
            link_joint(world, *j, side);
        }
    }
    if (linked_shapes != world.shapes.count || linked_sides != 2 * std::size_t{world.joints.count})
        in.fail("shapes or joints are missing from the lists of their bodies");
}

void read_quarantined(SnapshotReader& in, World::State& world) {
    std::vector<std::uint32_t> words;
    in.list(words, "quarantined bodies");
    for (std::size_t k = 0; k + 1 < words.size(); k += 2)
        world.quarantined.push_back({words[k], world.tag << tag_shift | (words[k + 1] & last_generation)});
}

void read_broken(SnapshotReader& in, World::State& world) {
    std::vector<std::uint32_t> words;
    in.list(words, "broken joints");
    for (std::size_t k = 0; k + 1 < words.size(); k += 2)
        world.broken.push_back({words[k], world.tag << tag_shift | (words[k + 1] & last_generation)});
}

void read_names(SnapshotReader& in, World::State& world) {
    for (std::uint32_t left = in.count(8, "names"); left; --left) {
        std::uint32_t body;
        std::string name;
        in(body, name);
        if (body == 0 || body >= world.bodies.record.size() || !world.bodies.record[body].alive ||
            name.empty() || (world.names && world.names->of.count(body)))
            in.fail("a name is of no body");
        put_name(world, body, name);
    }
}

void read_fields(SnapshotReader& in, World::State& world) {
    read_slots(in, world.fields, world.tag, 0);
    for (FieldRecord& record : world.fields.record) {
        if (!record.alive) continue;
        std::uint32_t kind;
        in(kind);
        if (kind > 3) in.fail("a field is of no known kind");
        if (kind == 1) record.definition.force = Water{};
        if (kind == 2) record.definition.force = Attractor{};
        if (kind == 3) record.definition.force = Custom{};
        field_fields(in, record.definition);
        check(record.definition);
    }
    list_fields(world.fields);
}

constexpr std::size_t request_words = sizeof(BodyRequest) / 4;

/// Whether they can be carried out shows when that is tried.
void read_requests(SnapshotReader& in, World::State& world) {
    std::vector<std::uint32_t> words;
    in.list(words, "requests");
    if (words.size() % request_words) in.fail("a request is incomplete");
    world.requests.resize(words.size() / request_words);
    if (!words.empty())
        std::memcpy(static_cast<void*>(world.requests.data()), words.data(), 4 * words.size());
}

/// The tag of the ids, guarded by its complement.
std::uint32_t tag_of(std::uint32_t word) {
    if (word >> 16 != 0 || (word & 0xff) == 0 || ((word ^ (word >> 8)) & 0xff) != 0xff)
        throw Error("the header is damaged", "snapshot");
    return word & 0xff;
}

/// Turns errors of the checks into errors of the snapshot.
template <class Reading>
void blame_snapshot(const Reading& reading) {
    try {
        reading();
    } catch (const Error& error) {
        if (error.where() == "snapshot") throw;
        throw Error(error.what(), "snapshot");
    }
}

WorldSettings read_settings(SnapshotReader& in) {
    WorldSettings settings;
    settings_fields(in, settings);
    blame_snapshot([&] { check(settings); });
    return settings;
}

void read_world(SnapshotReader& in, World::State& world) {
    in(world.steps, world.time);
    std::vector<Hull> hulls(in.count(bytes::least_hull_bytes, "hulls"));
    for (Hull& hull : hulls) hull = Hull(bytes::read_hull(in));
    read_bodies(in, world);
    read_shapes(in, world, hulls);
    read_joints(in, world);
    read_lists(in, world);
    read_quarantined(in, world);
    read_broken(in, world);
    read_names(in, world);
    read_fields(in, world);
    region_fields(in, world);
    if (world.region) check(*world.region);
    read_requests(in, world);
    read_slots(in, world.cloths, world.tag, 0);
    read_cloths(in, world);
    // before the simulation takes the place of the one that it replaces
    const auto rest = in.take(in.left());
    world.simulation->restore({reinterpret_cast<const std::byte*>(rest.data()), rest.size()});
}

} // namespace

std::vector<std::byte> encode_snapshot(const World::State& world) {
    bytes::Bytes payload;
    SnapshotWriter out(payload);
    settings_fields(out, world.settings);
    out(world.steps, world.time);
    const std::vector<std::uint32_t> hull_of = write_hulls(out, world.shapes);
    write_slots(out, world.bodies.record.all(), world.bodies.free, 1);
    for (std::size_t b = 1; b < world.bodies.record.size(); ++b)
        if (world.bodies.record[b].alive) body_fields(out, world.bodies, b);
    write_slots(out, world.shapes.record.all(), world.shapes.free, 0);
    bytes::MeshTable meshes;
    for (std::size_t s = 0; s < world.shapes.record.size(); ++s) {
        if (!world.shapes.record[s].alive) continue;
        shape_fields(out, world.shapes.record[s]);
        out(hull_of[s]);
        if (world.shapes.record[s].type == ShapeType::mesh) meshes.write(out, world.shapes.record[s].mesh);
    }
    write_slots(out, world.joints.record, world.joints.free, 0);
    for (const JointRecord& joint : world.joints.record)
        if (joint.alive) joint_fields(out, joint);
    write_lists(out, world);
    std::vector<std::uint32_t> quarantined;
    for (const BodyId& id : world.quarantined) {
        quarantined.push_back(id.index);
        quarantined.push_back(id.generation & last_generation);
    }
    out.list(quarantined, "");
    std::vector<std::uint32_t> broken;
    for (const JointId& id : world.broken) {
        broken.push_back(id.index);
        broken.push_back(id.generation & last_generation);
    }
    out.list(broken, "");
    out(static_cast<std::uint32_t>(world.names ? world.names->of.size() : 0));
    if (world.names)
        for (const auto& [body, name] : world.names->of) out(body, name);
    write_slots(out, world.fields.record, world.fields.free, 0);
    for (const FieldRecord& record : world.fields.record) {
        if (!record.alive) continue;
        out(static_cast<std::uint32_t>(record.definition.force.index()));
        field_fields(out, record.definition);
    }
    region_fields(out, world);
    const std::vector<BodyRequest> waiting = waiting_requests(world);
    std::vector<std::uint32_t> requests(request_words * waiting.size());
    if (!waiting.empty()) std::memcpy(requests.data(), waiting.data(), 4 * requests.size());
    out.list(requests, "");
    write_slots(out, world.cloths.record, world.cloths.free, 0);
    write_cloths(out, world);
    std::vector<std::byte> of_simulation;
    world.simulation->save(of_simulation);
    const auto* first = reinterpret_cast<const std::uint8_t*>(of_simulation.data());
    payload.insert(payload.end(), first, first + of_simulation.size());

    return bytes::sealed(seal, world.tag | (~world.tag & 0xff) << 8, payload);
}

std::unique_ptr<World::State> decode_snapshot(std::span<const std::byte> snapshot, const Place& place,
                                              const SimulationMaker& make, bool among_many) {
    std::uint32_t word = 0;
    SnapshotReader in(bytes::unsealed(seal, snapshot, word), "snapshot");
    const std::uint32_t tag = tag_of(word);
    auto world = std::make_unique<World::State>(read_settings(in), place, make);
    world->tag = tag;
    world->among_many = among_many;
    blame_snapshot([&] { read_world(in, *world); });
    return world;
}

} // namespace scree
