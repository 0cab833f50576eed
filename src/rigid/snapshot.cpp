// SPDX-License-Identifier: MIT
// snapshot.cpp — what a step needs from the one before: contacts with their manifolds and impulses, colours, islands.
//
// Contacts are written in the order of their shapes; what only one way of finding pairs knows (fat bounds, pairs that are
// near but do not overlap) is left out and found again.

#include "rigid/parts.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace scree {

namespace {

void put(std::vector<std::byte>& out, const void* from, std::size_t bytes) {
    const auto* data = static_cast<const std::byte*>(from);
    out.insert(out.end(), data, data + bytes);
}

class Source {
public:
    explicit Source(std::span<const std::byte> bytes) : bytes_(bytes) {}
    void get(void* to, std::size_t bytes) {
        if (bytes > bytes_.size()) throw Error("the snapshot ends too early", "contacts");
        std::memcpy(to, bytes_.data(), bytes);
        bytes_ = bytes_.subspan(bytes);
    }
    std::uint32_t word() {
        std::uint32_t w = 0;
        get(&w, sizeof w);
        return w;
    }
    std::size_t left() const { return bytes_.size(); }

private:
    std::span<const std::byte> bytes_;
};

} // namespace

void CpuSimulation::save(std::vector<std::byte>& out) const {
    const Parts& p = *parts_;
    const auto word = [&](std::uint32_t w) { put(out, &w, sizeof w); };
    put(out, &p.last_h, sizeof p.last_h);
    word(p.any_extras);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t c = 0; c < p.contacts.size(); ++c)
        if (p.contacts[c].shape_a != none && p.made[c]) kept.push_back(c);
    std::sort(kept.begin(), kept.end(), [&](std::uint32_t l, std::uint32_t r) {
        const Contact &a = p.contacts[l], &b = p.contacts[r];
        return a.shape_b != b.shape_b ? a.shape_b < b.shape_b : a.shape_a < b.shape_a;
    });
    word(static_cast<std::uint32_t>(kept.size()));
    for (const std::uint32_t c : kept) {
        put(out, &p.contacts[c], sizeof(Contact));
        word(p.colour[c]);
    }
    const auto bodies = static_cast<std::uint32_t>(p.world.bodies.record.size());
    for (std::uint32_t b = 0; b < bodies; ++b) word(b < p.island_next.size() ? p.island_next[b] : b);
    for (std::uint32_t j = 0; j < p.world.joints.record.size(); ++j) {
        word(p.world.joints.record[j].colour);
        put(out, &p.joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)], 32);
    }
}

void CpuSimulation::restore(std::span<const std::byte> in) {
    Parts& p = *parts_;
    Source source(in);
    p.restoring = true;
    p.grow_bodies();
    const auto bodies = static_cast<std::uint32_t>(p.world.bodies.record.size());
    const auto shapes = static_cast<std::uint32_t>(p.world.shapes.record.size());
    const auto joints = static_cast<std::uint32_t>(p.world.joints.record.size());
    for (std::uint32_t b = 0; b < bodies; ++b) {
        BodyRecord& body = p.world.bodies.record[b];
        body.awake_at = none;
        p.write_constants(b);
        if (body.alive && body.type != BodyType::fixed && !body.asleep && !body.frozen) p.join_awake(b);
    }
    p.is_moved.assign(shapes, 0);
    for (std::uint32_t s = 0; s < shapes; ++s)
        if (p.world.shapes.record[s].alive) shape_added(s);

    source.get(&p.last_h, sizeof p.last_h);
    if (!std::isfinite(p.last_h)) throw Error("a step that is not finite", "contacts");
    p.any_extras = source.word() != 0;
    const std::uint32_t count = source.word();
    if (source.left() / (sizeof(Contact) + 4) < count) throw Error("the snapshot ends too early", "contacts");
    for (std::uint32_t k = 0; k < count; ++k) {
        Contact saved;
        source.get(&saved, sizeof saved);
        const std::uint32_t colour = source.word();
        const bool fits =
            saved.shape_a < saved.shape_b && saved.shape_b < shapes && saved.count <= 4 &&
            p.world.shapes.record[saved.shape_a].alive && p.world.shapes.record[saved.shape_b].alive &&
            wanted_pair(p.world, saved.shape_a, saved.shape_b) &&
            p.pairs.find(saved.shape_a, saved.shape_b) == none && (colour <= overflow || colour == no_colour);
        if (!fits) throw Error("contact " + std::to_string(k) + " does not fit the shapes", "contacts");
        const bool extras = p.any_extras;
        const std::uint32_t c = p.add_contact(saved.shape_a, saved.shape_b);
        p.any_extras = extras;
        // bodies follow from the shapes, not from the bytes
        saved.body_a = p.contacts[c].body_a;
        saved.body_b = p.contacts[c].body_b;
        p.contacts[c] = saved;
        p.made[c] = 1;
        p.points[c] = static_cast<std::uint8_t>(saved.count > 2 ? 4 : saved.count);
        if (p.active_at[c] == none || !p.points[c]) continue;
        if (colour == no_colour) {
            p.began.push_back(c);
            continue;
        }
        p.colour[c] = static_cast<std::uint8_t>(colour);
        if (colour == overflow) ++p.counters.overflow;
        if (colour >= colour_count) continue;
        for (const std::uint32_t b : {saved.body_a, saved.body_b}) {
            if (!p.movable(b)) continue;
            if (p.colours[b] >> colour & 1) throw Error("two contacts of a body have one colour", "contacts");
            p.colours[b] |= 1u << colour;
        }
    }
    std::vector<std::uint8_t> seen(bodies, 0);
    for (std::uint32_t b = 0; b < bodies; ++b) {
        const std::uint32_t next = source.word();
        if (next >= bodies || seen[next]++)
            throw Error("island of body " + std::to_string(b) + " is no ring", "islands");
        p.island_next[b] = next;
    }
    for (std::uint32_t j = 0; j < joints; ++j) {
        JointRecord& joint = p.world.joints.record[j];
        const std::uint32_t colour = source.word();
        p.write_joint(j);
        source.get(&p.joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)], 32);
        joint.colour = no_colour;
        if (!joint.alive) continue;
        if (colour > overflow || (!p.movable(joint.body[0]) && !p.movable(joint.body[1]))) {
            p.new_joints.push_back(j);
            continue;
        }
        joint.colour = static_cast<std::uint8_t>(colour);
        if (colour == overflow) ++p.counters.overflow;
        if (colour >= colour_count) continue;
        for (const std::uint32_t b : joint.body) {
            if (!p.movable(b)) continue;
            if (p.colours[b] >> colour & 1) throw Error("two joints of a body have one colour", "joints");
            p.colours[b] |= 1u << colour;
        }
    }
    p.find_pairs();
    p.restoring = false;
    if (source.left())
        throw Error("the snapshot has " + std::to_string(source.left()) + " bytes too many", "contacts");
}

} // namespace scree
