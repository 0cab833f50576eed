// SPDX-License-Identifier: MIT
// graph.cpp — colours: constraints of one colour share no moving body, so they can be solved at the same time.
//
// A constraint keeps its colour while it lasts. New ones are coloured in the order of a hash of their key, each with the
// lowest colour that is free at its bodies: an order that does not depend on how pairs were found, and that a parallel
// algorithm (Jones and Plassmann 1993) can follow exactly. What finds every colour taken is solved last, by splitting
// masses (Tonge et al. 2012).

#include "rigid/parts.h"

#include <algorithm>
#include <bit>

namespace scree {

bool Simulation::Parts::movable(std::uint32_t b) const {
    const BodyRecord& body = world.bodies.record[b];
    return body.type == BodyType::dynamic && !body.asleep && !body.frozen;
}

std::uint32_t Simulation::Parts::take_colour(std::uint32_t a, std::uint32_t b) {
    const bool moves_a = movable(a), moves_b = movable(b);
    const std::uint32_t taken = (moves_a ? colours[a] : 0) | (moves_b ? colours[b] : 0);
    if (taken == 0xffffffffu) return overflow;
    // what rests on something fixed takes the highest: solved last, it hands the support up in the next sweep
    const auto chosen =
        static_cast<std::uint32_t>(moves_a && moves_b ? std::countr_one(taken) : 31 - std::countl_one(taken));
    if (moves_a) colours[a] |= 1u << chosen;
    if (moves_b) colours[b] |= 1u << chosen;
    return chosen;
}

void Simulation::Parts::release_colour(std::uint32_t c) {
    const std::uint32_t old = colour[c];
    colour[c] = no_colour;
    if (old >= colour_count) return;
    const Contact& contact = contacts[c];
    if (movable(contact.body_a)) colours[contact.body_a] &= ~(1u << old);
    if (movable(contact.body_b)) colours[contact.body_b] &= ~(1u << old);
}

void Simulation::Parts::colour_joint(std::uint32_t j) {
    JointRecord& joint = world.joints.record[j];
    if (joint.colour != no_colour) return;
    if (!movable(joint.body[0]) && !movable(joint.body[1])) return;
    joint.colour = static_cast<std::uint8_t>(take_colour(joint.body[0], joint.body[1]));
}

void Simulation::Parts::release_joint(std::uint32_t j) {
    JointRecord& joint = world.joints.record[j];
    const std::uint32_t old = joint.colour;
    joint.colour = no_colour;
    if (old >= colour_count) return;
    for (const std::uint32_t body : joint.body)
        if (movable(body)) colours[body] &= ~(1u << old);
}

namespace {

std::uint64_t priority(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{rigid::hash_word(a * 0x9e3779b9u ^ rigid::hash_word(b))} << 32 | rigid::hash_word(b);
}

} // namespace

void Simulation::Parts::update_graph() {
    // what touches a sleeping body wakes it; its contacts come back with their manifolds and join those that began
    for (const Change& change : changes)
        for (const std::uint32_t c : change.began) {
            began.push_back(c);
            for (const std::uint32_t body : {contacts[c].body_a, contacts[c].body_b})
                if (world.bodies.record[body].asleep) wake_body(body);
        }
    for (const Change& change : changes)
        for (const std::uint32_t c : change.ended) release_colour(c);
    for (const Change& change : changes)
        for (const std::uint32_t c : change.gone) remove_contact(c);

    // joints first; what found no colour before may find one now
    if (counters.overflow) {
        for (const std::uint32_t c : active)
            if (colour[c] == overflow) colour[c] = no_colour, began.push_back(c);
        for (std::uint32_t j = 0; j < world.joints.record.size(); ++j)
            if (world.joints.record[j].colour == overflow)
                world.joints.record[j].colour = no_colour, new_joints.push_back(j);
    }
    std::sort(new_joints.begin(), new_joints.end(), [](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t ha = rigid::hash_word(a), hb = rigid::hash_word(b);
        return ha != hb ? ha < hb : a < b;
    });
    for (const std::uint32_t j : new_joints)
        if (world.joints.record[j].alive) colour_joint(j);
    new_joints.clear();

    std::erase_if(began, [&](std::uint32_t c) {
        return contacts[c].shape_a == none || !points[c] || active_at[c] == none || colour[c] != no_colour ||
               !(movable(contacts[c].body_a) || movable(contacts[c].body_b));
    });
    std::sort(began.begin(), began.end(), [&](std::uint32_t l, std::uint32_t r) {
        const Contact &a = contacts[l], &b = contacts[r];
        const std::uint64_t pa = priority(a.shape_a, a.shape_b), pb = priority(b.shape_a, b.shape_b);
        if (pa != pb) return pa < pb;
        return a.shape_b != b.shape_b ? a.shape_b < b.shape_b : a.shape_a < b.shape_a;
    });
    began.erase(std::unique(began.begin(), began.end()), began.end());
    for (const std::uint32_t c : began)
        colour[c] = static_cast<std::uint8_t>(take_colour(contacts[c].body_a, contacts[c].body_b));
    began.clear();
}

void Simulation::Parts::fill_buckets() {
    // count, place, fill; the order inside a bucket has no effect on the result
    // what has no colour is counted and listed in a bucket behind the others that nobody reads: no branch on it
    std::array<std::array<std::uint32_t, 4>, colour_count + 2> count{};
    const auto row = [](std::uint8_t k) { return k < colour_count + 1 ? k : colour_count + 1; };
    const auto kind_of_points = [](std::uint8_t p) { return p - (p >> 2); };
    for (const std::uint32_t c : active) ++count[row(colour[c])][kind_of_points(points[c])];
    const std::array<std::uint32_t, 4>& without = count[colour_count + 1];
    const auto idle = without[0] + without[1] + without[2] + without[3];
    const auto touching = static_cast<std::uint32_t>(active.size()) - idle;
    for (const JointRecord& joint : world.joints.record)
        if (joint.alive && joint.colour != no_colour) ++count[joint.colour][0];

    std::uint32_t items = 0, contact_items = 0;
    std::size_t words = 0;
    used_colours = colours_used = 0;
    extra_first.resize((colour_count + 1) * 4);
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            Bucket& bucket = buckets[k][kind];
            bucket.first = items;
            bucket.items = padded(count[k][kind]);
            bucket.block = words;
            extra_first[4 * k + kind] = contact_items;
            const std::uint32_t room = kind == 3 ? 4 : kind;
            words += std::size_t{bucket.items} * (kind ? CONTACT_HEAD + room * POINT_FIELDS : JOINT_FIELDS);
            items += bucket.items;
            if (kind) contact_items += bucket.items;
            if (bucket.items && k < colour_count) used_colours |= 1u << k, colours_used = k + 1;
        }
    const auto reserve = [&](auto& array, std::size_t size) {
        if (array.size() >= size) return;
        ++counters.allocations;
        array.resize(size + size / 4);
    };
    reserve(slots, items + idle);
    reserve(blocks, words);
    if (any_extras) reserve(extras, std::size_t{contact_items} * EXTRA_FIELDS);

    std::array<std::array<std::uint32_t, 4>, colour_count + 2> at{};
    at[colour_count + 1] = {items, items + without[0], items + without[0] + without[1],
                            items + idle - without[3]};
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            const Bucket& bucket = buckets[k][kind];
            at[k][kind] = bucket.first;
            // a whole block at the end is enough to be overwritten or stay empty
            const std::uint32_t lanes = static_cast<std::uint32_t>(table.lanes);
            for (std::uint32_t i = bucket.items > lanes ? bucket.items - lanes : 0; i < bucket.items; ++i)
                slots[bucket.first + i] = none;
        }
    for (const std::uint32_t c : active) slots[at[row(colour[c])][kind_of_points(points[c])]++] = c;
    for (std::uint32_t j = 0; j < world.joints.record.size(); ++j) {
        const JointRecord& joint = world.joints.record[j];
        if (joint.alive && joint.colour != no_colour) slots[at[joint.colour][0]++] = j;
    }
    counters.contacts = touching;
    counters.colours = static_cast<std::uint32_t>(std::popcount(used_colours));
    counters.overflow = 0;
    for (std::uint32_t kind = 0; kind < 4; ++kind) counters.overflow += count[overflow][kind];
}

/// The overflow in canonical order, and for each of its bodies which items push it.
void Simulation::Parts::split_overflow() {
    split_bodies.clear();
    split_parts.clear();
    split_first.clear();
    if (!counters.overflow) return;
    const auto key = [&](std::uint32_t c) {
        return std::uint64_t{contacts[c].shape_b} << 32 | contacts[c].shape_a;
    };
    if (split.size() < world.bodies.record.size()) split.resize(world.bodies.record.size());
    std::uint32_t item = 0;
    pushes.clear();
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        const Bucket& bucket = buckets[overflow][kind];
        auto* first = slots.data() + bucket.first;
        auto* last = std::find(first, first + bucket.items, none);
        if (kind) std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        else std::sort(first, last);
        for (auto* slot = first; slot != last; ++slot) {
            const std::uint32_t i = item + static_cast<std::uint32_t>(slot - first);
            const std::uint32_t a = kind ? contacts[*slot].body_a : world.joints.record[*slot].body[0];
            const std::uint32_t b = kind ? contacts[*slot].body_b : world.joints.record[*slot].body[1];
            if (movable(a)) pushes.push_back({a, i, 0});
            if (movable(b)) pushes.push_back({b, i, 1});
        }
        item += bucket.items;
    }
    if (push.size() < std::size_t{item} * 16) push.resize(std::size_t{item} * 16);
    std::sort(pushes.begin(), pushes.end(), [](const Push& a, const Push& b) {
        return a.body != b.body ? a.body < b.body : a.item != b.item ? a.item < b.item : a.side < b.side;
    });
    for (std::size_t k = 0; k < pushes.size(); ++k) {
        if (k == 0 || pushes[k].body != pushes[k - 1].body) {
            split_bodies.push_back(pushes[k].body);
            split_first.push_back(static_cast<std::uint32_t>(k));
        }
        split_parts.push_back({pushes[k].item, pushes[k].side});
    }
    split_first.push_back(static_cast<std::uint32_t>(pushes.size()));
    // a body that is not split is one piece; static ones have no mass to share
    std::fill(split.begin(), split.end(), 1.0f);
    for (std::size_t k = 0; k < split_bodies.size(); ++k)
        split[split_bodies[k]] = static_cast<float>(split_first[k + 1] - split_first[k]);
}

} // namespace scree
