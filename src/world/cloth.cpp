// SPDX-License-Identifier: MIT
// cloth.cpp — see cloth.h and scree/cloth_def.h.

#include "world/cloth.h"

#include "fabric/tear.h"
#include "rigid/cloths.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/snapshot_fields.h"
#include "world/stepping.h"
#include "world/waking.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {

namespace {

std::uint32_t index_of(const World::State& world, ClothId id) {
    return checked_index(id, world.cloths.record, world.tag, "cloth");
}

Vec3 at(const Array<float>& quads, std::uint32_t v) {
    return {quads[4 * std::size_t{v}], quads[4 * std::size_t{v} + 1], quads[4 * std::size_t{v} + 2]};
}
void put(Array<float>& quads, std::uint32_t v, const Vec3& x) {
    quads[4 * std::size_t{v}] = x.x, quads[4 * std::size_t{v} + 1] = x.y, quads[4 * std::size_t{v} + 2] = x.z;
}

void weigh(const World::State& world, ClothRecord& cloth) {
    for (std::uint32_t v = 0; v < cloth.mass.size(); ++v)
        cloth.position[4 * std::size_t{v} + 3] = 1 / cloth.mass[v];
    for (const std::uint32_t v : held_of(world, cloth)) cloth.position[4 * std::size_t{v} + 3] = 0;
}

void check_near(const Vec3& x, std::size_t v) {
    if (!(std::abs(x.x) < farthest_vertex && std::abs(x.y) < farthest_vertex &&
          std::abs(x.z) < farthest_vertex))
        throw Error("vertex " + std::to_string(v) + " is farther than 1000 km from the origin", "position");
}

/// The pins of a definition, with bodies by index. Throws Error for bodies that are gone.
std::vector<PinRecord> pins_of(World::State& world, const ClothRecord& cloth,
                               std::span<const ClothPin> pins) {
    std::vector<PinRecord> records;
    for (std::size_t k = 0; k < pins.size(); ++k) {
        const ClothPin& pin = pins[k];
        PinRecord record{pin.vertex, 0, {}};
        DPose pose{};
        if (pin.body != BodyId{}) {
            if (!names_living(pin.body, world.bodies.record.all()) || pin.body.index == 0)
                throw Error("the body " + std::to_string(pin.body.index) + " is not alive",
                            "pin " + std::to_string(k));
            record.body = pin.body.index;
            update_mass(world, record.body);
            world.simulation->fetch_body(record.body);
            pose = {origin_of(world, record.body), exact_rotation_of(world.bodies, record.body)};
        }
        record.point =
            pin.point ? *pin.point : narrow(apply_inverse(pose, wide(at(cloth.position, pin.vertex))));
        records.push_back(record);
    }
    return records;
}

void check_pins(const ClothDef& cloth, std::span<const ClothPin> pins) {
    ClothDef same = cloth;
    same.pins.assign(pins.begin(), pins.end());
    check(same);
}

void wake_pinned(World::State& world, const ClothRecord& cloth) {
    for (const PinRecord& pin : cloth.pins)
        if (pin.body != 0) wake_body(world, pin.body);
}

/// Vertices and velocities are in the storage, and will be sent from there.
ClothRecord& changing(World::State& world, ClothId id) {
    check_no_query(world);
    ClothRecord& cloth = world.cloths.record[index_of(world, id)];
    world.simulation->fetch_cloths();
    world.cloths.changed = true;
    world.cloth_queries.changed();
    // what sleeps on it may have to fall; waking forgets the list
    const std::vector<std::uint32_t> touched = cloth.touched;
    for (const std::uint32_t body : touched) wake_body(world, body);
    wake_cloth(world.cloths, cloth);
    return cloth;
}

template <class Change>
void redefine(ClothRecord& cloth, const Change& change) {
    auto definition = std::make_shared<ClothDef>(*cloth.definition);
    change(*definition);
    cloth.definition = std::move(definition);
}

} // namespace

void body_changed_for_cloths(World::State& world, std::uint32_t body, bool gone) {
    if (!world.cloths.count) return;
    for (ClothRecord& cloth : world.cloths.record) {
        const auto on_body = [&](const PinRecord& pin) { return pin.body == body; };
        if (std::none_of(cloth.pins.begin(), cloth.pins.end(), on_body)) continue;
        world.simulation->fetch_cloths();
        if (gone)
            cloth.pins.erase(std::remove_if(cloth.pins.begin(), cloth.pins.end(), on_body), cloth.pins.end());
        weigh(world, cloth);
        world.cloths.changed = true;
        wake_cloth(world.cloths, cloth);
    }
}

void stir_cloths(World::State& world, std::uint32_t body) {
    for (ClothRecord& cloth : world.cloths.record) {
        if (!cloth.alive || !cloth.asleep) continue;
        bool near = std::find(cloth.touched.begin(), cloth.touched.end(), body) != cloth.touched.end();
        const auto gap = [](double low, double high, double x) { return std::max({low - x, x - high, 0.0}); };
        if (!near) world.simulation->fetch_body(body);
        for (std::uint32_t s = world.bodies.record[body].first_shape; s != none && !near;
             s = world.shapes.record[s].next) {
            const DVec3 at = exact_pose_of(world, world.shapes.record[s]).position;
            const double reach = double{world.shapes.size[4 * std::size_t{s} + 3]} +
                                 2 * double{cloth.definition->material.thickness};
            const std::vector<Vec3>& boxes = boxes_of(cloth);
            for (std::size_t k = 0; k < boxes.size() && !near; k += 2) {
                const Vec3 &low = boxes[k], &high = boxes[k + 1];
                near = length(DVec3{gap(low.x, high.x, at.x), gap(low.y, high.y, at.y),
                                    gap(low.z, high.z, at.z)}) <= reach;
                if (k == 0 && !std::exchange(near, false) && boxes.size() > 2) break; // of all of it
            }
        }
        if (near) wake_cloth(world.cloths, cloth);
    }
}

void wake_cloths(World::State& world) {
    for (ClothRecord& cloth : world.cloths.record)
        if (cloth.alive && cloth.asleep) wake_cloth(world.cloths, cloth);
}

namespace {

/// Draws a torn vertex and its copies apart, each towards its own triangles: at one place they would count as an intersection.
void part(ClothRecord& cloth, const std::vector<FabricTear>& torn) {
    constexpr double share = 0.01;
    std::vector<std::uint32_t> apart;
    for (const auto& [vertex, copy] : torn) apart.insert(apart.end(), {vertex, copy});
    std::sort(apart.begin(), apart.end());
    apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
    std::vector<DVec3> sum(apart.size());
    std::vector<std::uint32_t> count(apart.size());
    for (const auto& corners : cloth.definition->triangles)
        for (const std::uint32_t v : corners) {
            const auto found = std::lower_bound(apart.begin(), apart.end(), v);
            if (found == apart.end() || *found != v) continue;
            const auto k = static_cast<std::size_t>(found - apart.begin());
            for (const std::uint32_t corner : corners) sum[k] += wide(at(cloth.position, corner));
            count[k] += 3;
        }
    for (std::size_t k = 0; k < apart.size(); ++k) {
        if (count[k] == 0 || !(cloth.position[4 * std::size_t{apart[k]} + 3] > 0)) continue;
        const DVec3 x = wide(at(cloth.position, apart[k]));
        put(cloth.position, apart[k], narrow(x + (sum[k] * (1.0 / count[k]) - x) * share));
    }
}

/// Of one whose vertices a step has moved.
void tear_cloth(World::State& world, std::uint32_t c) {
    ClothRecord& cloth = world.cloths.record[c];
    if (std::isinf(cloth.definition->material.tear) || cloth.asleep) return;
    world.simulation->fetch_cloths();
    const FabricPlan& plan = plan_of(world, cloth);
    if (!tears(*cloth.definition, plan, cloth.position)) return;
    std::vector<FabricTear> torn;
    redefine(cloth, [&](ClothDef& def) { torn = tear(def, plan, cloth.position); });
    if (torn.empty()) return;
    for (const auto& [vertex, copy] : torn) {
        cloth.position.resize(4 * (std::size_t{copy} + 1));
        cloth.velocity.resize(4 * (std::size_t{copy} + 1));
        put(cloth.position, copy, at(cloth.position, vertex));
        put(cloth.velocity, copy, at(cloth.velocity, vertex));
        world.cloths.torn.push_back({{c, cloth.generation}, vertex, copy});
    }
    cloth.mass = masses_of(*cloth.definition);
    cloth.plan = nullptr;
    weigh(world, cloth);
    part(cloth, torn);
    wake_cloth(world.cloths, cloth);
    world.cloths.changed = true;
}

} // namespace

void tell_cloths(World::State& world) {
    Cloths& cloths = world.cloths;
    cloths.fell_asleep.clear(), cloths.woke.clear(), cloths.torn.clear();
    for (std::uint32_t c = 0; c < cloths.record.size(); ++c) {
        ClothRecord& cloth = cloths.record[c];
        if (!cloth.alive) continue;
        tear_cloth(world, c);
        cloth.pulls.clear();
        if (cloth.asleep != cloth.told_asleep)
            (cloth.asleep ? cloths.fell_asleep : cloths.woke).push_back({c, cloth.generation});
        cloth.told_asleep = cloth.asleep;
    }
}

ClothId World::create_cloth(const ClothDef& def) {
    State& world = *state_;
    check_no_query(world);
    check(def);
    refuse_with_impacts(world.settings, "cloth");
    if (world.settings.solver != Solver::soft_step)
        throw Error("cloth needs the soft step: the SOR has no substeps to share with it", "solver");
    ClothRecord cloth;
    cloth.definition = std::make_shared<const ClothDef>(def);
    cloth.planned_for = {};
    const std::size_t n = def.vertices.size();
    cloth.position.resize(4 * n);
    cloth.velocity.resize(4 * n);
    for (std::uint32_t v = 0; v < n; ++v) {
        const Vec3 x = def.position + rotate(def.rotation, def.vertices[v]);
        check_near(x, v);
        put(cloth.position, v, x);
        put(cloth.velocity, v, def.velocity);
    }
    cloth.pins = pins_of(world, cloth, def.pins);
    cloth.mass = masses_of(def);
    weigh(world, cloth);
    world.simulation->fetch_cloths();
    const std::uint32_t c = take_slot(world.cloths.record, world.cloths.free, world.tag, "cloths");
    cloth.generation = world.cloths.record[c].generation;
    cloth.alive = true;
    world.cloths.record[c] = std::move(cloth);
    ++world.cloths.count;
    world.cloths.changed = true;
    world.cloth_queries.changed();
    wake_pinned(world, world.cloths.record[c]);
    return {c, world.cloths.record[c].generation};
}

void World::destroy(ClothId id) {
    State& world = *state_;
    const ClothRecord& cloth = changing(world, id);
    wake_pinned(world, cloth);
    free_slot(world.cloths.record, world.cloths.free, id.index);
    --world.cloths.count;
}

bool World::alive(ClothId id) const { return names_living(id, state_->cloths.record); }

ClothDef World::definition(ClothId id) const {
    const ClothRecord& cloth = state_->cloths.record[index_of(*state_, id)];
    ClothDef def = *cloth.definition;
    def.pins.clear();
    for (const PinRecord& pin : cloth.pins)
        def.pins.push_back(
            {pin.vertex, pin.body ? BodyId{pin.body, state_->bodies.record[pin.body].generation} : BodyId{},
             pin.point});
    return def;
}

std::vector<ClothId> World::cloths() const {
    std::vector<ClothId> ids;
    for (std::uint32_t c = 0; c < state_->cloths.record.size(); ++c)
        if (state_->cloths.record[c].alive) ids.push_back({c, state_->cloths.record[c].generation});
    return ids;
}

std::uint64_t World::user_data(ClothId id) const {
    return state_->cloths.record[index_of(*state_, id)].definition->user_data;
}

namespace {

std::span<const Vec3> seen(std::vector<Vec3>& view, const Array<float>& quads) {
    view.resize(quads.size() / 4);
    for (std::uint32_t v = 0; v < view.size(); ++v) view[v] = at(quads, v);
    return view;
}

} // namespace

std::span<const Vec3> World::vertices(ClothId id) const {
    const std::uint32_t c = index_of(*state_, id);
    state_->simulation->fetch_cloths();
    return seen(state_->seen_vertices, state_->cloths.record[c].position);
}
std::span<const Vec3> World::vertex_velocities(ClothId id) const {
    const std::uint32_t c = index_of(*state_, id);
    state_->simulation->fetch_cloths();
    return seen(state_->seen_velocities, state_->cloths.record[c].velocity);
}

void World::set_vertices(ClothId id, std::span<const Vec3> positions, std::span<const Vec3> velocities) {
    const std::size_t n = state_->cloths.record[index_of(*state_, id)].mass.size();
    for (const auto& [given, where] :
         {std::pair{positions, "positions"}, std::pair{velocities, "velocities"}}) {
        if (given.size() != n)
            throw Error(std::to_string(given.size()) + " vertices were given: expected " + std::to_string(n),
                        where);
        for (std::size_t v = 0; v < n; ++v)
            if (!is_finite(given[v])) throw Error("vertex " + std::to_string(v) + " is not finite", where);
    }
    for (std::size_t v = 0; v < n; ++v) check_near(positions[v], v);
    ClothRecord& cloth = changing(*state_, id);
    for (std::uint32_t v = 0; v < n; ++v)
        put(cloth.position, v, positions[v]), put(cloth.velocity, v, velocities[v]);
    weigh(*state_, cloth);
    wake_pinned(*state_, cloth);
}

void World::set_pins(ClothId id, std::span<const ClothPin> pins) {
    State& world = *state_;
    check_no_query(world);
    ClothRecord& cloth = world.cloths.record[index_of(world, id)];
    check_pins(*cloth.definition, pins);
    world.simulation->fetch_cloths();
    std::vector<PinRecord> records = pins_of(world, cloth, pins);
    changing(world, id);
    wake_pinned(world, cloth);
    cloth.pins = std::move(records);
    wake_pinned(world, cloth);
    weigh(world, cloth);
}

void World::set_wind(ClothId id, Vec3 wind) {
    check_finite(wind, "wind");
    redefine(changing(*state_, id), [&](ClothDef& def) { def.wind = wind; });
}
void World::set_pressure(ClothId id, float pressure) {
    check_finite(pressure, "pressure");
    ClothDef same = *state_->cloths.record[index_of(*state_, id)].definition;
    same.pressure = pressure;
    check(same);
    redefine(changing(*state_, id), [&](ClothDef& def) { def.pressure = pressure; });
}

void World::drag(ClothId id, std::uint32_t vertex, Vec3 target) {
    State& world = *state_;
    check_no_query(world);
    ClothRecord& cloth = world.cloths.record[index_of(world, id)];
    if (vertex >= cloth.mass.size())
        throw Error("vertex " + std::to_string(vertex) + " is not among the " +
                        std::to_string(cloth.mass.size()),
                    "vertex");
    check_finite(target, "target");
    wake_cloth(world.cloths, cloth);
    std::erase_if(cloth.pulls, [&](const FabricPull& pull) { return pull.vertex == vertex; });
    cloth.pulls.push_back({vertex, target});
}

bool World::asleep(ClothId id) const { return state_->cloths.record[index_of(*state_, id)].asleep; }
void World::wake(ClothId id) {
    check_no_query(*state_);
    ClothRecord& cloth = state_->cloths.record[index_of(*state_, id)];
    if (cloth.asleep) wake_cloth(state_->cloths, cloth);
}

FabricMeasure World::measure(ClothId id) const {
    const std::uint32_t c = index_of(*state_, id);
    state_->simulation->fetch_cloths();
    ClothRecord& cloth = state_->cloths.record[c];
    FabricMeasure m;
    m.low = m.high = at(cloth.position, 0);
    for (std::uint32_t v = 0; v < cloth.mass.size(); ++v) {
        const DVec3 x = wide(at(cloth.position, v)), speed = wide(at(cloth.velocity, v));
        const double mass = cloth.mass[v];
        m.mass += mass;
        m.momentum += speed * mass;
        m.centre += x * mass;
        m.kinetic_energy += 0.5 * mass * dot(speed, speed);
        m.max_speed = std::max(m.max_speed, length(speed));
        const Vec3 p = at(cloth.position, v);
        m.low = {std::min(m.low.x, p.x), std::min(m.low.y, p.y), std::min(m.low.z, p.z)};
        m.high = {std::max(m.high.x, p.x), std::max(m.high.y, p.y), std::max(m.high.z, p.z)};
    }
    m.centre = m.centre * (1 / m.mass);
    const FabricPlan& plan = plan_of(*state_, cloth);
    for (const FabricEdge& edge : plan.edges) {
        const double size =
            length(wide(at(cloth.position, edge.vertex[1])) - wide(at(cloth.position, edge.vertex[0])));
        const double stretch = std::max(0.0, size / double{edge.rest} - 1);
        m.mean_stretch += stretch;
        m.max_stretch = std::max(m.max_stretch, stretch);
    }
    m.mean_stretch /= static_cast<double>(std::max<std::size_t>(plan.edges.size(), 1));
    return m;
}

ClothContacts World::cloth_contacts() const { return state_->simulation->cloth_contacts(); }

// snapshots ------------------------------------------------------------------------------------------------------------

namespace {

template <class Io, class Definition>
void cloth_fields(Io& io, Definition& d) {
    auto& m = d.material;
    joint_number(io, m.stretch), joint_number(io, d.max_stretch), joint_number(io, m.tear);
    io(m.density, m.bend, m.damping, m.thickness, m.friction, m.drag, d.position, d.rotation, d.velocity,
       d.wind, d.pressure, d.filter.category, d.filter.mask, d.filter.group, d.user_data);
    io.flags(d.surface_collision, d.self_collision, d.can_sleep);
}

} // namespace

void write_cloths(SnapshotWriter& out, const World::State& world) {
    for (const ClothRecord& cloth : world.cloths.record) {
        if (!cloth.alive) continue;
        const ClothDef& def = *cloth.definition;
        cloth_fields(out, def);
        out(static_cast<std::uint32_t>(def.vertices.size()));
        for (const Vec3& v : def.vertices) out(v);
        out(static_cast<std::uint32_t>(def.triangles.size()));
        for (const auto& [a, b, c] : def.triangles) out(a, b, c);
        out(static_cast<std::uint32_t>(def.lines.size()));
        for (const auto& [a, b] : def.lines) out(a, b);
        out(static_cast<std::uint32_t>(cloth.pins.size()));
        for (const PinRecord& pin : cloth.pins) out(pin.vertex, pin.body, pin.point);
        out.flags(cloth.asleep, cloth.told_asleep);
        out(cloth.sleep_time);
        out.list(cloth.touched, "");
        out(static_cast<std::uint32_t>(cloth.pulls.size()));
        for (const FabricPull& pull : cloth.pulls) out(pull.vertex, pull.target);
        out.floats(cloth.position.data(), cloth.position.size());
        out.floats(cloth.velocity.data(), cloth.velocity.size());
    }
}

void read_cloths(SnapshotReader& in, World::State& world) {
    for (ClothRecord& cloth : world.cloths.record) {
        if (!cloth.alive) continue;
        auto def = std::make_shared<ClothDef>();
        cloth_fields(in, *def);
        def->vertices.resize(in.count(12, "vertices"));
        for (Vec3& v : def->vertices) in(v);
        def->triangles.resize(in.count(12, "triangles"));
        for (auto& [a, b, c] : def->triangles) in(a, b, c);
        def->lines.resize(in.count(8, "lines"));
        for (auto& [a, b] : def->lines) in(a, b);
        cloth.pins.resize(in.count(20, "pins"));
        for (PinRecord& pin : cloth.pins) {
            in(pin.vertex, pin.body, pin.point);
            if (pin.body >= world.bodies.record.size() || (pin.body && !world.bodies.record[pin.body].alive))
                in.fail("a pin is on no body");
            def->pins.push_back({pin.vertex, {}, pin.point});
        }
        in.flags(cloth.asleep, cloth.told_asleep);
        in(cloth.sleep_time);
        if (!(cloth.sleep_time >= 0)) in.fail("a cloth has a time at rest that is not possible");
        in.list(cloth.touched, "bodies that a cloth touches");
        for (const std::uint32_t b : cloth.touched)
            if (b == 0 || b >= world.bodies.record.size() || !world.bodies.record[b].alive || !cloth.asleep)
                in.fail("a cloth touches no body");
        cloth.pulls.resize(in.count(16, "drags"));
        for (FabricPull& pull : cloth.pulls) {
            in(pull.vertex, pull.target);
            if (pull.vertex >= def->vertices.size())
                in.fail("a vertex is dragged that a cloth does not have");
        }
        check(*def);
        const std::size_t n = def->vertices.size();
        if (in.left() < 32 * n) in.fail("vertices of a cloth are missing");
        cloth.position.resize(4 * n);
        cloth.velocity.resize(4 * n);
        in.floats(cloth.position.data(), 4 * n);
        in.floats(cloth.velocity.data(), 4 * n);
        cloth.mass = masses_of(*def);
        for (std::size_t v = 0; v < n; ++v)
            if (cloth.position[4 * v + 3] != 0 && cloth.position[4 * v + 3] != 1 / cloth.mass[v])
                in.fail("vertex " + std::to_string(v) + " of a cloth has the mass of another");
        for (const std::uint32_t v : held_of(world, cloth))
            if (cloth.position[4 * std::size_t{v} + 3] != 0)
                in.fail("vertex " + std::to_string(v) + " of a cloth is pinned and not held");
        cloth.definition = std::move(def);
    }
    world.cloths.changed = true;
}

} // namespace scree
