// SPDX-License-Identifier: MIT
// validate.cpp — checks invariants at points of a step; in SCREE_VALIDATE builds only.
//
// A broken invariant is a bug of the engine, never of its user: a line on stderr names the invariant, the step (the first
// is 1) and the bodies, shapes, joints or contacts concerned, and the program aborts. Indices are checked before they are
// followed, lists cannot go round for ever; everything costs O(n log n) in the size of the world, on the calling thread.

#if defined(SCREE_VALIDATE)

#include "rigid/parts.h"
#include "rigid/quads.h"
#include "rigid/softness.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>

namespace scree {

namespace {

constexpr std::array<const char*, 7> point_names{
    "at its beginning", "after finding pairs",   "after the narrow phase",
    "after colouring",  "after filling buckets", "after finding islands",
    "at its end"};

struct Named {
    const char* kind;
    std::uint32_t index;
};

bool finite(const float* first, int count) {
    return std::all_of(first, first + count, [](float f) { return std::isfinite(f); });
}
bool zero(const float* first, int count) {
    return std::all_of(first, first + count, [](float f) { return f == 0; });
}
bool unit(const float* first, int count, double tolerance) {
    double square = 0;
    for (int k = 0; k < count; ++k) square += double{first[k]} * double{first[k]};
    return std::abs(square - 1) < tolerance;
}
/// low ≤ inner low and inner high ≤ high; false where a number is NaN
bool encloses(const float* outer, const float* inner) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(outer[axis] <= inner[axis] && inner[4 + axis] <= outer[4 + axis])) return false;
    return true;
}

class Checks {
public:
    Checks(const CpuSimulation::Parts& parts, StepPoint point)
        : p(parts),
          bodies(parts.world.bodies),
          shapes(parts.world.shapes),
          joints(parts.world.joints),
          point_(point) {}

    void storage() const;
    void body_states() const;
    void awake_list() const;
    void sleepers() const;
    void bounds() const;
    void contact_records() const;
    void contact_lists() const;
    void pair_set() const;
    void manifolds() const;
    void colours() const;
    void all_coloured() const;
    void bucket_lists() const;
    void split_bodies() const;
    void islands() const;
    void impulses() const;

private:
    const CpuSimulation::Parts& p;
    const Bodies& bodies;
    const Shapes& shapes;
    const Joints& joints;
    StepPoint point_;

    [[noreturn]] void broken(const char* invariant, std::initializer_list<Named> concerned) const;
    void demand(bool holds, const char* invariant, std::initializer_list<Named> concerned = {}) const {
        if (!holds) broken(invariant, concerned);
    }
    void demand_of_contact(bool holds, const char* invariant, std::uint32_t c) const {
        if (!holds)
            broken(invariant, {{"contact", c},
                               {"shape", p.contacts[c].shape_a},
                               {"shape", p.contacts[c].shape_b},
                               {"body", p.contacts[c].body_a},
                               {"body", p.contacts[c].body_b}});
    }

    std::uint32_t body_count() const { return static_cast<std::uint32_t>(bodies.record.size()); }
    bool there(std::uint32_t contact) const { return p.contacts[contact].shape_a != none; }
    bool active(std::uint32_t body) const {
        const BodyRecord& record = bodies.record[body];
        return record.alive && record.type != BodyType::fixed && !record.asleep && !record.frozen;
    }
    bool pushed(std::uint32_t a, std::uint32_t b) const { return p.movable(a) || p.movable(b); }

    template <class Things>
    void slots(const Things& things, const char* kind, std::uint32_t first) const;
    void tree_levels(const PackedTree& tree) const;
    bool placed(std::uint32_t shape) const;
    void take(std::vector<std::uint32_t>& taken, std::uint32_t colour, const std::uint32_t (&ends)[2],
              Named constraint) const;
    Named other_of_colour(std::uint32_t body, std::uint32_t colour, Named but) const;
};

void Checks::broken(const char* invariant, std::initializer_list<Named> concerned) const {
    std::string line = "scree: broken invariant in step " + std::to_string(p.world.steps + 1) + ", " +
                       point_names[static_cast<std::size_t>(point_)] + ": " + invariant;
    const char* separator = " (";
    for (const Named& thing : concerned) {
        line += separator + std::string(thing.kind) + " " +
                (thing.index == none ? std::string("none") : std::to_string(thing.index));
        separator = ", ";
    }
    line += concerned.size() ? ")\n" : "\n";
    std::fputs(line.c_str(), stderr);
    std::abort();
}

// slots and lists of the world ---------------------------------------------------------------------------------------------

template <class Things>
void Checks::slots(const Things& things, const char* kind, std::uint32_t first) const {
    std::vector<std::uint8_t> free(things.record.size(), 0);
    for (const std::uint32_t s : things.free) {
        demand(s >= first && s < free.size() && !things.record[s].alive, "a free slot is a dead one",
               {{kind, s}});
        demand(!free[s], "a slot is free once", {{kind, s}});
        free[s] = 1;
    }
    std::uint32_t alive = 0;
    for (std::uint32_t s = first; s < things.record.size(); ++s) {
        const std::uint32_t generation = things.record[s].generation;
        demand(generation >> tag_shift == p.world.tag && (generation & last_generation) != 0,
               "a slot that was taken has a generation of this world",
               {{kind, s}, {"generation", generation}});
        demand(things.record[s].alive || free[s] || (generation & last_generation) == last_generation,
               "a dead slot is free unless its generations are used up", {{kind, s}});
        alive += things.record[s].alive;
    }
    demand(alive == things.count, "the living are counted", {{kind, alive}, {"count", things.count}});
}

void Checks::storage() const {
    demand(!bodies.record.empty() && bodies.record[0].alive && bodies.record[0].type == BodyType::fixed,
           "slot 0 is the world itself, a fixed body");
    slots(bodies, "body", 1);
    slots(shapes, "shape", 0);
    slots(joints, "joint", 0);

    std::uint32_t linked_shapes = 0, linked_sides = 0;
    for (std::uint32_t b = 0; b < body_count(); ++b) {
        const BodyRecord& body = bodies.record[b];
        demand(!body.mass_stale, "masses are computed before a step", {{"body", b}});
        demand(body.alive || (body.first_shape == none && body.first_joint == none),
               "a dead body has no shapes and joints", {{"body", b}});
        for (std::uint32_t s = body.first_shape, before = none; s != none; s = shapes.record[s].next) {
            demand(s < shapes.record.size() && shapes.record[s].alive && shapes.record[s].body == b &&
                       shapes.record[s].previous == before && ++linked_shapes <= shapes.count,
                   "a body's list holds its living shapes", {{"body", b}, {"shape", s}});
            before = s;
        }
        for (std::uint32_t j = body.first_joint, before = none; j != none;) {
            demand(j < joints.record.size() && joints.record[j].alive, "a body's list holds living joints",
                   {{"body", b}, {"joint", j}});
            const JointRecord& joint = joints.record[j];
            const int side = side_of(joint, b);
            demand(joint.body[side] == b && joint.body[1 - side] != b && joint.previous[side] == before &&
                       ++linked_sides <= 2 * joints.count,
                   "a body's list holds its own joints", {{"body", b}, {"joint", j}});
            before = j;
            j = joint.next[side];
        }
    }
    demand(linked_shapes == shapes.count, "every shape is in the list of its body");
    demand(linked_sides == 2 * joints.count, "every joint is in the lists of its bodies");

    for (std::uint32_t j = 0; j < joints.record.size(); ++j) {
        const JointRecord& joint = joints.record[j];
        if (!joint.alive) continue;
        const float* quads = &p.joint_records[4 * JOINT_RECORD * std::size_t{j}];
        bool same = std::bit_cast<std::uint32_t>(quads[2]) == joint.rows;
        for (int side = 0; side < 2; ++side) {
            const Vec3 anchor = narrow(joint.anchor[side]);
            const float* copy = quads + 4 * (JOINT_RECORD_ANCHOR_A + side);
            same = same && std::bit_cast<std::uint32_t>(quads[side]) == joint.body[side] &&
                   copy[0] == anchor.x && copy[1] == anchor.y && copy[2] == anchor.z;
        }
        demand(same, "the kernels know a joint as the world does", {{"joint", j}});
    }
}

// bodies -------------------------------------------------------------------------------------------------------------------

void Checks::body_states() const {
    for (std::uint32_t b = 0; b < body_count(); ++b) {
        const BodyRecord& body = bodies.record[b];
        if (!body.alive) continue;
        demand(!body.asleep || (body.type == BodyType::dynamic && !body.frozen), "only dynamic bodies sleep",
               {{"body", b}});
        const float* motion = &bodies.motion[16 * std::size_t{b}];
        demand(finite(&bodies.position[4 * std::size_t{b}], 4) && finite(motion, 8),
               "positions and velocities are finite", {{"body", b}});
        demand(unit(&bodies.rotation[4 * std::size_t{b}], 4, 1e-4), "rotations are unit", {{"body", b}});
        demand(zero(motion + 8, 7) && motion[15] == 1, "outside a step nothing has moved since its beginning",
               {{"body", b}});
        demand(active(b) || zero(motion, 8), "what sleeps or is fixed has no velocity", {{"body", b}});
        demand(!body.asleep || zero(&p.force[8 * std::size_t{b}], 8),
               "a sleeper has no forces of its last step", {{"body", b}});

        const float* inverse = &bodies.inverse_mass[8 * std::size_t{b}];
        if (p.movable(b)) {
            demand(finite(inverse, 8) && inverse[6] == 1 / body.mass.mass && inverse[0] >= 0 &&
                       inverse[1] >= 0 && inverse[2] >= 0,
                   "an awake dynamic body has its inverse mass", {{"body", b}});
            const float* constants = &p.constants[4 * BODY_CONSTANTS * std::size_t{b}];
            demand(constants[4 * BODY_INVERSE_REST + 2] == inverse[6] &&
                       constants[4 * BODY_INVERSE_REST + 3] == body.radius &&
                       constants[4 * BODY_INERTIA_REST + 2] == body.gravity_scale &&
                       constants[4 * BODY_LIMITS] == body.linear_damping &&
                       constants[4 * BODY_LIMITS + 1] == body.angular_damping,
                   "the kernels know a body as the world does", {{"body", b}});
        } else {
            demand(zero(inverse, 8), "what sleeps or is not dynamic has no inverse mass", {{"body", b}});
        }
    }
}

void Checks::awake_list() const {
    demand(p.awake.size() >= p.padded(p.awake_count), "the awake list has whole blocks");
    for (std::uint32_t k = 0; k < p.awake_count; ++k)
        demand(p.awake[k] < body_count() && active(p.awake[k]) && bodies.record[p.awake[k]].awake_at == k,
               "the awake list holds awake bodies that are not fixed, each where it says",
               {{"place", k}, {"body", p.awake[k]}});
    for (std::uint32_t k = p.awake_count; k < p.padded(p.awake_count); ++k)
        demand(p.awake[k] == none, "the awake list is padded with none",
               {{"place", k}, {"body", p.awake[k]}});
    for (std::uint32_t b = 0; b < body_count(); ++b)
        demand(active(b) == (bodies.record[b].awake_at != none), "the awake list holds all awake bodies",
               {{"body", b}});
}

void Checks::sleepers() const {
    // in a world that never had a body they do not exist yet
    if (body_count() == 1 && p.island_next.empty()) return;
    demand(p.island_next.size() >= body_count(), "every body has a place in a ring");
    std::vector<std::uint8_t> followed(p.island_next.size(), 0);
    for (std::uint32_t b = 0; b < body_count(); ++b) {
        const std::uint32_t next = p.island_next[b];
        if (!bodies.record[b].asleep) {
            demand(next == b, "only sleepers are in rings with others", {{"body", b}, {"body", next}});
            continue;
        }
        demand(next < body_count() && bodies.record[next].asleep && !followed[next] &&
                   bodies.record[next].island == bodies.record[b].island,
               "the sleepers of an island form a ring", {{"body", b}, {"body", next}});
        followed[next] = 1;
    }
}

// bounds and pairs ---------------------------------------------------------------------------------------------------------

void Checks::tree_levels(const PackedTree& tree) const {
    for (int level = 0; level + 1 < tree.height; ++level)
        for (std::uint32_t i = 0; i < tree.count[level]; ++i) {
            if (tree.stale[tree.first[level] + i]) {
                demand(tree.height < 3 || level != 0 || tree.stale[tree.first[2] + i / 64],
                       "the next update reaches every leaf that changed", {{"leaf", i}});
                continue;
            }
            const BoundsNode& node = tree.nodes[tree.first[level] + i];
            const BoundsNode& parent = tree.nodes[tree.first[level + 1] + i / 8];
            float outer[8], inner[8];
            const auto child = [](const BoundsNode& from, std::uint32_t place, float* to) {
                for (int axis = 0; axis < 3; ++axis)
                    to[axis] = from.low[axis][place], to[4 + axis] = from.high[axis][place];
            };
            child(parent, i % 8, outer);
            for (std::uint32_t k = 0; k < 8; ++k) {
                child(node, k, inner);
                if (std::isnan(inner[0])) continue; // an empty place
                demand(encloses(outer, inner), "a node of the tree lies in its parent",
                       {{"level", static_cast<std::uint32_t>(level)}, {"node", i}, {"child", k}});
            }
        }
}

/// Awake bodies place their shapes at a step's beginning, others when they stop.
bool Checks::placed(std::uint32_t s) const {
    const ShapeRecord& shape = shapes.record[s];
    const kernels::quat turn = lane(rotation_of(bodies, shape.body));
    const Vec3 at = vec3(kernels::mat3_times(kernels::quat_matrix(turn), lane(shape.offset)));
    const Quat turned = quat(kernels::quat_product(turn, lane(shape.definition.rotation)));
    return read_vector(shapes.pose, 2 * std::size_t{s}) == at &&
           read_rotation(shapes.pose, 2 * std::size_t{s} + 1) == turned;
}

void Checks::bounds() const {
    std::vector<std::uint8_t> held(shapes.record.size(), 0);
    for (const BoundsTree::Layer layer : {BoundsTree::fixed, BoundsTree::moving})
        for (const PackedTree& tree : p.tree.trees(layer)) {
            std::uint32_t alive = 0;
            for (std::uint32_t slot = 0; slot < tree.slots; ++slot) {
                const std::uint32_t s = tree.proxy[slot];
                if (s == BoundsTree::no_proxy) continue;
                demand(s < held.size() && shapes.record[s].alive && !held[s] && p.tree.holds(s) &&
                           p.tree.layer(s) == layer,
                       "the tree holds living shapes, each once", {{"shape", s}});
                held[s] = 1;
                ++alive;
                const BoundsNode& leaf = tree.nodes[slot / 8];
                const float* fat = &shapes.fat[8 * std::size_t{s}];
                bool same = true;
                for (int axis = 0; axis < 3; ++axis)
                    same = same && leaf.low[axis][slot % 8] == fat[axis] &&
                           leaf.high[axis][slot % 8] == fat[4 + axis];
                demand(same, "the tree knows a shape's fat bounds", {{"shape", s}});
            }
            demand(alive == tree.alive, "a tree counts its proxies",
                   {{"proxies", alive}, {"count", tree.alive}});
            tree_levels(tree);
        }
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s) {
        const ShapeRecord& shape = shapes.record[s];
        demand(shape.alive ? held[s] != 0 : !p.tree.holds(s), "the tree holds every living shape",
               {{"shape", s}});
        if (!shape.alive) continue;
        const bool fixed = bodies.record[shape.body].type == BodyType::fixed;
        demand(p.tree.layer(s) == (fixed ? BoundsTree::fixed : BoundsTree::moving),
               "a shape is in the layer of its body's type", {{"shape", s}, {"body", shape.body}});
        demand(encloses(&shapes.fat[8 * std::size_t{s}], &shapes.bounds[8 * std::size_t{s}]),
               "fat bounds contain bounds", {{"shape", s}, {"body", shape.body}});
        demand(placed(s), "a shape is where its body is", {{"shape", s}, {"body", shape.body}});
        demand((shape.type >= ShapeType::hull) == (p.hulls[s] != nullptr),
               "a hull has its words for the kernels", {{"shape", s}});
    }
}

/// Against a tree made for the purpose.
void Checks::pair_set() const {
    demand(p.moved.empty() && std::count(p.is_moved.begin(), p.is_moved.end(), 0) ==
                                  static_cast<std::ptrdiff_t>(p.is_moved.size()),
           "no shape waits for its pairs to be found");
    BoundsTree tree;
    const auto layer = [&](std::uint32_t s) {
        return bodies.record[shapes.record[s].body].type == BodyType::fixed ? BoundsTree::fixed
                                                                            : BoundsTree::moving;
    };
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s)
        if (shapes.record[s].alive) tree.insert(s, layer(s), &shapes.fat[8 * std::size_t{s}]);
    tree.update();
    std::vector<std::uint32_t> near;
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s) {
        if (!shapes.record[s].alive || layer(s) == BoundsTree::fixed) continue;
        near.clear();
        tree.query(&shapes.fat[8 * std::size_t{s}], BoundsTree::all_layers, near);
        for (const std::uint32_t t : near) {
            if (t == s || (t < s && layer(t) == BoundsTree::moving)) continue;
            const std::uint32_t a = std::min(s, t), b = std::max(s, t);
            // a user's filter may have refused it
            demand(p.world.callbacks.filter || !wanted_pair(p.world, a, b) || p.pairs.find(a, b) != none,
                   "shapes that may collide and whose fat bounds overlap have a contact",
                   {{"shape", a},
                    {"shape", b},
                    {"body", shapes.record[a].body},
                    {"body", shapes.record[b].body}});
        }
    }
}

// contacts -----------------------------------------------------------------------------------------------------------------

void Checks::contact_records() const {
    const std::size_t n = p.contacts.size();
    demand(p.links.size() == n && p.ends.size() == n && p.pair_kind.size() == n && p.made.size() == n &&
               p.points.size() == n && p.colour.size() == n && p.active_at.size() == n,
           "the arrays of contacts are of one length");
    std::vector<std::uint8_t> free(n, 0);
    for (const std::uint32_t c : p.free_contacts) {
        demand(c < n && !there(c) && !free[c], "a free contact is dead and free once", {{"contact", c}});
        free[c] = 1;
    }
    for (std::uint32_t c = 0; c < n; ++c) {
        const Contact& k = p.contacts[c];
        if (!there(c)) {
            demand(free[c] && p.active_at[c] == none && p.colour[c] == no_colour,
                   "a dead contact is free, not active and has no colour", {{"contact", c}});
            continue;
        }
        demand(k.shape_a < k.shape_b && k.shape_b < shapes.record.size() && shapes.record[k.shape_a].alive &&
                   shapes.record[k.shape_b].alive,
               "a contact is between two living shapes in order",
               {{"contact", c}, {"shape", k.shape_a}, {"shape", k.shape_b}});
        const ContactEnds& ends = p.ends[c];
        demand_of_contact(k.body_a == shapes.record[k.shape_a].body &&
                              k.body_b == shapes.record[k.shape_b].body && ends.shape_a == k.shape_a &&
                              ends.shape_b == k.shape_b && ends.body_a == k.body_a && ends.body_b == k.body_b,
                          "a contact knows its bodies", c);
        demand_of_contact(p.pairs.find(k.shape_a, k.shape_b, k.slot) == c,
                          "the pair table finds each contact", c);
        demand_of_contact(wanted_pair(p.world, k.shape_a, k.shape_b),
                          "a contact is between shapes that may collide, one of a dynamic body", c);
        demand_of_contact(k.count <= 4 && p.points[c] == (k.count > 2 ? 4 : k.count),
                          "a contact has room for its points", c);
        demand_of_contact(p.should_be_active(k) == (p.active_at[c] != none),
                          "a contact is active if one of its bodies is awake", c);
    }
    demand(p.pairs.size() == n - p.free_contacts.size(), "the pair table holds nothing but contacts");
}

void Checks::contact_lists() const {
    for (std::uint32_t k = 0; k < p.active.size(); ++k)
        demand(p.active[k] < p.contacts.size() && there(p.active[k]) && p.active_at[p.active[k]] == k,
               "the active list holds contacts, each where it says",
               {{"place", k}, {"contact", p.active[k]}});
    const std::size_t alive = p.contacts.size() - p.free_contacts.size();
    std::size_t linked = 0;
    for (std::uint32_t b = 0; b < std::min(body_count(), static_cast<std::uint32_t>(p.first_contact.size()));
         ++b)
        for (std::uint32_t c = p.first_contact[b], before = none; c != none;) {
            demand(c < p.contacts.size() && there(c), "a body's list holds living contacts",
                   {{"body", b}, {"contact", c}});
            const int side = p.contacts[c].body_a == b ? 0 : 1;
            demand_of_contact((side == 0 || p.contacts[c].body_b == b) &&
                                  p.links[c].previous[side] == before && ++linked <= 2 * alive,
                              "a body's list holds its own contacts", c);
            before = c;
            c = p.links[c].next[side];
        }
    demand(linked == 2 * alive, "every contact is in the lists of both its bodies");
}

void Checks::manifolds() const {
    for (const std::uint32_t c : p.active) {
        const Contact& k = p.contacts[c];
        const bool near =
            overlap(&shapes.bounds[8 * std::size_t{k.shape_a}], &shapes.bounds[8 * std::size_t{k.shape_b}]);
        // what a user's function refuses is made anew in the next step
        const bool refused = p.world.callbacks.pre_solve && near && !p.made[c];
        demand_of_contact(refused || near == (p.made[c] != 0),
                          "an active contact has a manifold while bounds overlap", c);
        demand_of_contact(near || k.count == 0, "nothing of a manifold outlives its bounds' overlap", c);
        if (!k.count) continue;
        // across edges of boxes that are nearly parallel no closer than this: 1 - cos^2 cancels
        demand_of_contact(unit(k.normal, 3, 1e-2), "normals are unit", c);
        for (std::uint32_t i = 0; i < k.count; ++i)
            demand_of_contact(finite(k.point[i].anchor_a, 3) && finite(k.point[i].anchor_b, 3),
                              "points of contact are finite", c);
    }
}

void Checks::impulses() const {
    for (std::uint32_t c = 0; c < p.contacts.size(); ++c) {
        const Contact& k = p.contacts[c];
        // values of a body that became non-finite are not used again
        if (!there(c) || !k.count || !pushed(k.body_a, k.body_b)) continue;
        bool fine =
            finite(k.friction_impulse, 3) && std::isfinite(k.twist_impulse) && finite(k.rolling_impulse, 3);
        for (std::uint32_t i = 0; i < k.count; ++i)
            fine = fine && k.point[i].normal_impulse >= 0 && std::isfinite(k.point[i].normal_impulse);
        demand_of_contact(fine, "impulses are finite, those along the normal not negative", c);
    }
    for (std::uint32_t j = 0; j < joints.record.size(); ++j) {
        if (!joints.record[j].alive || !pushed(joints.record[j].body[0], joints.record[j].body[1])) continue;
        demand(finite(&p.joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)], 8),
               "impulses of joints are finite", {{"joint", j}});
    }
    demand(zero(p.sor_change.data(), static_cast<int>(p.sor_change.size())),
           "the projected SOR leaves no change of velocity behind");
}

// colours ------------------------------------------------------------------------------------------------------------------

Named Checks::other_of_colour(std::uint32_t body, std::uint32_t colour, Named but) const {
    const std::string kind = but.kind;
    for (std::uint32_t c = 0; c < p.contacts.size(); ++c)
        if (there(c) && p.colour[c] == colour &&
            (p.contacts[c].body_a == body || p.contacts[c].body_b == body) &&
            (kind != "contact" || c != but.index))
            return {"contact", c};
    for (std::uint32_t j = 0; j < joints.record.size(); ++j)
        if (joints.record[j].alive && joints.record[j].colour == colour &&
            (joints.record[j].body[0] == body || joints.record[j].body[1] == body) &&
            (kind != "joint" || j != but.index))
            return {"joint", j};
    return {"contact", none};
}

void Checks::take(std::vector<std::uint32_t>& taken, std::uint32_t colour, const std::uint32_t (&ends)[2],
                  Named constraint) const {
    demand(colour <= overflow, "a colour is one of the colours or the overflow",
           {constraint, {"colour", colour}});
    demand(pushed(ends[0], ends[1]), "what has a colour pushes an awake dynamic body",
           {constraint, {"body", ends[0]}, {"body", ends[1]}});
    if (colour == overflow) return;
    for (const std::uint32_t b : ends) {
        if (!p.movable(b)) continue;
        if (taken[b] >> colour & 1)
            broken("constraints of one colour share no awake dynamic body",
                   {{"body", b}, {"colour", colour}, other_of_colour(b, colour, constraint), constraint});
        taken[b] |= 1u << colour;
    }
}

void Checks::colours() const {
    std::vector<std::uint32_t> taken(body_count(), 0);
    bool overflows = false;
    for (std::uint32_t c = 0; c < p.contacts.size(); ++c) {
        if (!there(c) || p.colour[c] == no_colour) continue;
        demand_of_contact(p.active_at[c] != none && p.points[c], "what has a colour is active and touches",
                          c);
        take(taken, p.colour[c], {p.contacts[c].body_a, p.contacts[c].body_b}, {"contact", c});
        overflows = overflows || p.colour[c] == overflow;
    }
    for (std::uint32_t j = 0; j < joints.record.size(); ++j) {
        const JointRecord& joint = joints.record[j];
        if (!joint.alive || joint.colour == no_colour) continue;
        take(taken, joint.colour, joint.body, {"joint", j});
        overflows = overflows || joint.colour == overflow;
    }
    for (std::uint32_t b = 0; b < p.colours.size(); ++b)
        demand(p.colours[b] == (b < taken.size() ? taken[b] : 0),
               "a body knows which of its colours are taken", {{"body", b}});
    demand(!overflows || p.counters.overflow,
           "the overflow is counted, so that it is coloured when there is room");
}

void Checks::all_coloured() const {
    demand(p.began.empty() && p.new_joints.empty(), "nothing waits to be coloured");
    for (const std::uint32_t c : p.active)
        demand_of_contact(!p.points[c] || p.colour[c] != no_colour ||
                              !pushed(p.contacts[c].body_a, p.contacts[c].body_b),
                          "every contact that touches an awake dynamic body has a colour", c);
    for (std::uint32_t j = 0; j < joints.record.size(); ++j) {
        const JointRecord& joint = joints.record[j];
        demand(!joint.alive || joint.colour != no_colour || !pushed(joint.body[0], joint.body[1]),
               "every joint of an awake dynamic body has a colour",
               {{"joint", j}, {"body", joint.body[0]}, {"body", joint.body[1]}});
    }
}

void Checks::bucket_lists() const {
    std::vector<std::uint8_t> listed(p.contacts.size(), 0), listed_joints(joints.record.size(), 0);
    std::uint32_t first = 0, contacts = 0, overflowing = 0;
    const bool gathered = without_colours(p.world.settings);
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            const Bucket& bucket = p.buckets[k][kind];
            demand(bucket.first == first && bucket.first + bucket.items <= p.slots.size(),
                   "buckets follow each other", {{"colour", k}, {"kind", kind}});
            std::uint32_t count = 0;
            for (std::uint32_t i = 0; i < bucket.items; ++i) {
                const std::uint32_t slot = p.slots[bucket.first + i];
                if (slot == none) continue;
                demand(count++ == i, "a bucket is padded at its end",
                       {{"colour", k}, {"kind", kind}, {"place", i}});
                if (kind == 0) {
                    demand(slot < listed_joints.size() && joints.record[slot].alive &&
                               (gathered ? k == overflow : joints.record[slot].colour == k) &&
                               !listed_joints[slot],
                           "a bucket holds joints of its colour once", {{"colour", k}, {"joint", slot}});
                    listed_joints[slot] = 1;
                } else {
                    demand(slot < listed.size() && there(slot) &&
                               (gathered ? k == overflow : p.colour[slot] == k) &&
                               p.points[slot] == (kind == 3 ? 4 : kind) && !listed[slot],
                           "a bucket holds contacts of its colour and points once",
                           {{"colour", k}, {"contact", slot}});
                    listed[slot] = 1;
                    ++contacts;
                }
            }
            demand(bucket.items == p.padded(count, p.solver_lanes()), "a bucket has whole blocks and no more",
                   {{"colour", k}, {"kind", kind}});
            demand(k == overflow || !bucket.items || (p.used_colours >> k & 1), "a colour in use is marked",
                   {{"colour", k}});
            if (k == overflow) overflowing += count;
            first += bucket.items;
        }
    for (const std::uint32_t c : p.active)
        demand_of_contact(p.colour[c] == no_colour || listed[c], "every contact with a colour is in a bucket",
                          c);
    for (std::uint32_t j = 0; j < joints.record.size(); ++j)
        demand(!joints.record[j].alive || joints.record[j].colour == no_colour || listed_joints[j],
               "every joint with a colour is in a bucket", {{"joint", j}});
    demand(p.counters.contacts == contacts && p.counters.overflow == overflowing,
           "contacts and overflow are counted");
}

void Checks::split_bodies() const {
    std::vector<std::uint32_t> pieces(body_count(), 0);
    std::size_t all = 0;
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        const Bucket& bucket = p.buckets[overflow][kind];
        for (std::uint32_t i = 0; i < bucket.items; ++i) {
            const std::uint32_t slot = p.slots[bucket.first + i];
            if (slot == none) break;
            const std::uint32_t a = kind ? p.contacts[slot].body_a : joints.record[slot].body[0];
            const std::uint32_t b = kind ? p.contacts[slot].body_b : joints.record[slot].body[1];
            for (const std::uint32_t body : {a, b})
                if (p.movable(body)) ++pieces[body], ++all;
        }
    }
    demand(p.split_parts.size() == all, "every push of the overflow is a part of a body");
    for (std::size_t k = 0; k < p.split_bodies.size(); ++k) {
        const std::uint32_t b = p.split_bodies[k];
        demand(b < body_count() && p.split_first[k + 1] - p.split_first[k] == pieces[b] &&
                   (p.in_groups() ? p.split[b] <= static_cast<float>(pieces[b])
                                  : p.split[b] == static_cast<float>(pieces[b])),
               "a body is split into as many parts as overflowing constraints push it", {{"body", b}});
        pieces[b] = 0;
    }
    for (std::uint32_t b = 0; b < body_count(); ++b)
        demand(!pieces[b], "every body of the overflow is split once", {{"body", b}});
}

// islands ------------------------------------------------------------------------------------------------------------------

/// Against islands sought by one thread.
void Checks::islands() const {
    std::vector<std::uint32_t> parent(body_count());
    for (std::uint32_t b = 0; b < body_count(); ++b) parent[b] = b;
    const auto root = [&](std::uint32_t b) {
        while (parent[b] != b) b = parent[b] = parent[parent[b]];
        return b;
    };
    const auto unite = [&](std::uint32_t a, std::uint32_t b) {
        if (!p.movable(a) || !p.movable(b)) return;
        a = root(a), b = root(b);
        parent[std::max(a, b)] = std::min(a, b);
    };
    for (std::uint32_t c = 0; c < p.contacts.size(); ++c)
        if (there(c) && p.points[c]) unite(p.contacts[c].body_a, p.contacts[c].body_b);
    for (const JointRecord& joint : joints.record)
        if (joint.alive) unite(joint.body[0], joint.body[1]);
    for (std::uint32_t k = 0; k < p.awake_count; ++k) {
        const std::uint32_t b = p.awake[k];
        if (!p.movable(b)) continue;
        std::uint32_t found = b;
        // roots are smaller than what is below them
        while (p.parent[found] < found) found = p.parent[found];
        demand(p.parent[found] == found && found == root(b),
               "islands are what touch and joints connect, each with its smallest body as root",
               {{"body", b}, {"root", found}, {"root", root(b)}});
    }
}

} // namespace

void CpuSimulation::Parts::validate(StepPoint point) const {
    const Checks check(*this, point);
    switch (point) {
    case StepPoint::begin:
        check.storage();
        check.body_states();
        check.awake_list();
        check.sleepers();
        check.contact_records();
        check.contact_lists();
        check.colours();
        break;
    case StepPoint::pairs:
        check.bounds();
        check.contact_records();
        check.contact_lists();
        check.pair_set();
        break;
    case StepPoint::narrow:
        check.manifolds();
        break;
    case StepPoint::graph:
        check.contact_records();
        check.contact_lists();
        check.awake_list();
        check.colours();
        check.all_coloured();
        break;
    case StepPoint::buckets:
        check.bucket_lists();
        check.split_bodies();
        check.impulses();
        break;
    case StepPoint::islands:
        check.islands();
        break;
    case StepPoint::end:
        check.body_states();
        check.awake_list();
        check.sleepers();
        check.contact_records();
        check.colours();
        check.impulses();
        break;
    }
}

} // namespace scree

#endif
