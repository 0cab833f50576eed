// SPDX-License-Identifier: MIT
// snapshot.cpp — a CpuSimulation as an image (rigid/image.h) or a copy in memory, and back.

#include "rigid/image.h"
#include "rigid/impacts.h"
#include "rigid/kept.h"
#include "rigid/parts.h"

#include <algorithm>
#include <cstring>

namespace scree {

namespace {

// The rest is written anew in each step.
auto kept_fields(CpuSimulation::Parts& p) {
    return std::tie(p.made, p.points, p.colour, p.marks, p.tells_touches, p.tells_hits, p.tells_bodies,
                    p.any_one_way, p.lost, p.sensor_looks, p.moved, p.is_moved, p.began, p.awake,
                    p.awake_count, p.colours, p.island_next, p.force, p.rest, p.joint_records, p.joint_limits,
                    p.any_limits, p.any_breaks, p.broken, p.unsure, p.new_joints, p.activated, p.last_h,
                    p.any_extras, p.any_bullets, p.any_meshes, p.counters);
}
auto kept_links(CpuSimulation::Parts& p) {
    return std::tie(p.pairs, p.links, p.ends, p.pair_kind, p.free_contacts, p.first_contact, p.active,
                    p.active_at);
}
auto kept_shapes(CpuSimulation::Parts& p) { return std::tie(p.hulls, p.traits); }
auto kept_constants(CpuSimulation::Parts& p) { return std::tie(p.constants); }
auto kept_tree(CpuSimulation::Parts& p) {
    if (p.tree.take_change()) p.tree_version = new_version();
    return std::tie(p.tree);
}

template <auto fields>
using Values = typename ValuesOf<decltype(fields(std::declval<CpuSimulation::Parts&>()))>::type;

/// Of one version (kept.h); 0: of none.
template <class Fields>
struct Versioned {
    Fields fields;
    std::uint64_t version = 0;
};

/// What the solver writes into the record of a contact that touches.
struct ContactImpulses {
    std::uint32_t contact;
    float normal[4], friction[3], twist, rolling[3];

    static ContactImpulses of(std::uint32_t c, const Contact& from) {
        ContactImpulses impulses{c, {}, {}, from.twist_impulse, {}};
        for (int k = 0; k < 4; ++k) impulses.normal[k] = from.point[k].normal_impulse;
        std::copy_n(from.friction_impulse, 3, impulses.friction);
        std::copy_n(from.rolling_impulse, 3, impulses.rolling);
        return impulses;
    }
    void write(Contact& to) const {
        for (int k = 0; k < 4; ++k) to.point[k].normal_impulse = normal[k];
        std::copy_n(friction, 3, to.friction_impulse);
        to.twist_impulse = twist;
        std::copy_n(rolling, 3, to.rolling_impulse);
    }
};

struct CpuCopy final : SimulationCopy {
    Values<kept_fields> fields;
    Versioned<Values<kept_links>> links;
    Versioned<Values<kept_shapes>> shapes;
    Versioned<Values<kept_constants>> constants;
    Versioned<Values<kept_tree>> tree;
    // Records that nobody has written since the epoch are those of the world, as long as that has the same history. Impulses
    // of those that touch change in every step: they are apart and packed, a fifth of the bytes.
    GrowingArray<Contact> contacts;
    GrowingArray<ContactImpulses> impulses;
    std::uint64_t history = 0;
    std::uint32_t epoch = 0;
};

template <class Values, class References>
void keep_version(Versioned<Values>& to, const References& from, std::uint64_t version) {
    if (to.version == version) return;
    to.version = 0; // copying may throw half-way
    copy_fields(to.fields, from);
    to.version = version;
}
template <class Values, class References>
void take_version(References&& to, std::uint64_t& version, const Versioned<Values>& from) {
    if (version == from.version) return;
    version = new_version();
    copy_fields(to, from.fields);
    version = from.version;
}

/// Those of `count` records that were written after `epoch`. A pile that rests has most of its pairs apart: few of many.
template <class Visit>
void each_changed(const GrowingArray<std::uint32_t>& changed_in, std::size_t count, std::uint32_t epoch,
                  const Visit& visit) {
    for (std::size_t c = 0; c < count; ++c)
        if (changed_in[c] > epoch) visit(c);
}

/// By eights: of a pile that rests most pairs are apart.
template <class Visit>
void each_touching(const GrowingArray<std::uint8_t>& points, const Visit& visit) {
    const auto count = static_cast<std::uint32_t>(points.size());
    for (std::uint32_t first = 0; first < count; first += 8) {
        const std::uint32_t end = std::min(first + 8, count);
        std::uint64_t any = 0;
        std::memcpy(&any, &points[first], end - first);
        if (!any) continue;
        for (std::uint32_t c = first; c < end; ++c)
            if (points[c]) visit(c);
    }
}

} // namespace

void CpuSimulation::save(std::vector<std::byte>& out) const {
    const Parts& p = *parts_;
    SimulationImage image;
    image.last_h = p.last_h;
    image.extras = p.any_extras;
    image.contacts.reserve(p.contacts.size());
    image.lost = p.lost;
    for (std::uint32_t c = 0; c < p.contacts.size(); ++c) {
        const Contact& contact = p.contacts[c];
        if (contact.shape_a == none) continue;
        if (p.made[c] && wanted_pair(p.world, contact.shape_a, contact.shape_b))
            image.contacts.push_back({contact, p.colour[c], true, p.marks[c]});
        else if (p.marks[c] & MARK_TOLD)
            image.lost.push_back(touch_pair(p.world, contact.shape_a, contact.shape_b, p.pair_kind[c]));
    }
    image.island_next = p.island_next;
    for (std::size_t b = p.island_next.size(); b < p.world.bodies.record.size(); ++b)
        image.island_next.push_back(static_cast<std::uint32_t>(b));
    image.joints.resize(p.world.joints.record.size());
    for (std::size_t j = 0; j < image.joints.size(); ++j) {
        image.joints[j].colour = p.world.joints.record[j].colour;
        if (!p.world.joints.record[j].alive) continue;
        std::copy_n(&p.joint_records[4 * (JOINT_RECORD * j + JOINT_RECORD_IMPULSE)], 8,
                    image.joints[j].impulse);
    }
    encode_image(image, out);
}

void CpuSimulation::restore(std::span<const std::byte> in) {
    Parts& p = *parts_;
    const SimulationImage image = decode_image(in, p.world);
    check_joins(image, p.world.joined_h);
    if (carries_impulses(image)) p.world.joined_h = image.last_h;
    p.restoring = true;
    p.grow_bodies();
    for (std::uint32_t b = 0; b < p.world.bodies.record.size(); ++b) {
        BodyRecord& body = p.world.bodies.record.edit(b);
        body.awake_at = none;
        p.write_constants(b);
        p.tells_bodies = p.tells_bodies || (body.alive && body.sleep_events);
        if (body.alive && body.type != BodyType::fixed && !body.asleep && !body.frozen) p.join_awake(b);
    }
    const bool extras = p.any_extras; // by locks
    p.is_moved.assign(p.world.shapes.record.size(), 0);
    for (std::uint32_t s = 0; s < p.world.shapes.record.size(); ++s)
        if (p.world.shapes.record[s].alive) shape_added(s);

    const auto take = [&](std::uint32_t colour, std::uint32_t a, std::uint32_t b) {
        if (colour == overflow) ++p.counters.overflow;
        if (colour >= colour_count) return;
        for (const std::uint32_t body : {a, b})
            if (p.movable(body)) p.colours[body] |= 1u << colour;
    };
    p.lost = image.lost;
    for (const auto& [contact, colour, made, marks] : image.contacts) {
        const std::uint32_t c = p.add_contact(contact.shape_a, contact.shape_b, contact.slot);
        // Values that follow from the shapes, or from the triangle, are not read from the bytes. A belt's velocity is: it is
        // that of the poses for which the manifold was made.
        Contact mixed = contact;
        p.mix_materials(mixed);
        p.contacts[c] = contact;
        p.contacts[c].friction = mixed.friction;
        p.contacts[c].restitution = mixed.restitution;
        p.contacts[c].rolling_resistance = mixed.rolling_resistance;
        p.made[c] = 1;
        p.marks[c] = marks;
        p.points[c] = static_cast<std::uint8_t>(rigid::room_for_points(contact.count));
        p.colour[c] = static_cast<std::uint8_t>(colour);
        if (p.active_at[c] != none && p.points[c] && colour == no_colour) p.began.push_back(c);
        take(colour, contact.body_a, contact.body_b);
    }
    p.last_h = image.last_h;
    // bodies with locks have said so; add_contact is not asked
    p.any_extras = image.extras || extras;
    std::copy(image.island_next.begin(), image.island_next.end(), p.island_next.begin());
    for (std::uint32_t j = 0; j < image.joints.size(); ++j) {
        JointRecord& joint = p.world.joints.record[j];
        p.write_joint(j);
        std::copy_n(image.joints[j].impulse, 8,
                    &p.joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)]);
        joint.colour = static_cast<std::uint8_t>(image.joints[j].colour);
        if (!joint.alive) continue;
        if (joint.colour == no_colour) p.new_joints.push_back(j);
        take(joint.colour, joint.body[0], joint.body[1]);
    }
    p.find_pairs();
    p.restoring = false;
}

void CpuSimulation::keep(std::unique_ptr<SimulationCopy>& to) {
    if (!to) to = std::make_unique<CpuCopy>();
    Parts& p = *parts_;
    auto& copy = static_cast<CpuCopy&>(*to);
    copy_fields(copy.fields, kept_fields(p));
    keep_version(copy.links, kept_links(p), p.links_version);
    keep_version(copy.shapes, kept_shapes(p), p.shapes_version);
    keep_version(copy.constants, kept_constants(p), p.constants_version);
    const auto tree = kept_tree(p);
    keep_version(copy.tree, tree, p.tree_version);
    const std::uint32_t since = std::exchange(copy.history, 0) == p.history ? copy.epoch : 0;
    const std::size_t before = copy.contacts.size(), count = p.contacts.size();
    if (copy.contacts.capacity() < count) copy.contacts.reserve(p.contacts.capacity());
    copy.contacts.resize_raw(count);
    each_changed(p.changed_in, std::min(before, count), since,
                 [&](std::size_t c) { copy.contacts[c] = p.contacts[c]; });
    if (count > before)
        std::copy(p.contacts.begin() + before, p.contacts.end(), copy.contacts.begin() + before);
    if (copy.impulses.capacity() < count) copy.impulses.reserve(p.contacts.capacity());
    copy.impulses.resize_raw(count);
    std::size_t touching = 0;
    each_touching(p.points, [&](std::uint32_t c) {
        copy.impulses[touching++] = ContactImpulses::of(c, p.contacts[c]);
    });
    copy.impulses.resize_raw(touching);
    copy.history = p.history;
    copy.epoch = p.epoch++;
    if (p.epoch) return;
    p.history = new_version(); // counted through: all copies are of another history
    p.epoch = 1;
    std::fill(p.changed_in.begin(), p.changed_in.end(), p.epoch);
}

void CpuSimulation::go_back(const SimulationCopy& from) {
    Parts& p = *parts_;
    const auto& copy = static_cast<const CpuCopy&>(from);
    copy_fields(kept_fields(p), copy.fields);
    take_version(kept_links(p), p.links_version, copy.links);
    take_version(kept_shapes(p), p.shapes_version, copy.shapes);
    take_version(kept_constants(p), p.constants_version, copy.constants);
    const auto tree = kept_tree(p);
    take_version(tree, p.tree_version, copy.tree);
    const std::uint32_t since = copy.history == p.history ? copy.epoch : 0;
    const std::size_t before = p.contacts.size(), count = copy.contacts.size();
    p.contacts.resize_raw(count);
    p.changed_in.resize(count, p.epoch);
    each_changed(p.changed_in, std::min(before, count), since, [&](std::size_t c) {
        p.contacts[c] = copy.contacts[c];
        p.note_change(static_cast<std::uint32_t>(c));
    });
    if (count > before)
        std::copy(copy.contacts.begin() + before, copy.contacts.end(), p.contacts.begin() + before);
    for (const ContactImpulses& impulses : copy.impulses) impulses.write(p.contacts[impulses.contact]);
    // grown with the bodies, but written anew in each step
    const std::size_t n = p.colours.size();
    p.kick.resize(std::max(p.kick.size(), 4 * KICK_QUADS * n));
    p.free.resize(std::max(p.free.size(), 8 * n));
    // the copy may come from a world with fewer lanes
    if (p.awake.size() < p.padded(p.awake_count)) p.awake.resize(p.padded(p.awake_count), none);
    // copies have no cells, and those of now may be of walls that the copy does not have
    if (p.impacts) p.impacts->clear_cells();
}

} // namespace scree
