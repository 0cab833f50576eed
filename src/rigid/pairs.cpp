// SPDX-License-Identifier: MIT
// pairs.cpp — finds pairs of near shapes, and adds and removes their contacts.
//
// A contact exists while the fat bounds of its shapes overlap. Which structure finds it, in which order and in which slot it
// is kept does not show in any result: everything that depends on an order goes by the shapes' numbers.

#include "collision/brute.h"
#include "rigid/parts.h"
#include "rigid/quads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {

// which pairs ------------------------------------------------------------------------------------------------------------

void CpuSimulation::Parts::find_pairs() {
    if (moved.empty()) return;
    if (world.settings.broad_phase == BroadPhase::tree) find_by_tree();
    else find_among_all();
    for (const std::uint32_t s : moved) is_moved[s] = 0;
    moved.clear();
}

std::uint32_t CpuSimulation::Parts::slots_of(std::uint32_t a, std::uint32_t b) const {
    return rigid::kind_slots(
        static_cast<std::uint32_t>(kind_of(world.shapes.record[a], world.shapes.record[b])));
}

bool CpuSimulation::Parts::is_new(const ProxyPair& pair) const {
    return wanted_pair(world, pair.first, pair.second) && pairs.find(pair.first, pair.second) == none;
}

/// find(begin, end, chunk, pairs) over chunks of items; contacts are made in the order of the chunks.
template <class Find>
void CpuSimulation::Parts::find_in_chunks(std::uint32_t items, std::uint32_t grain, const Find& find) {
    const std::uint32_t chunks = Crew::chunks(items, grain);
    if (found.size() < chunks) found.resize(chunks);
    crew.each(items, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::vector<ProxyPair>& out = found[static_cast<std::size_t>(chunk)];
        out.clear();
        find(begin, end, static_cast<std::size_t>(chunk), out);
    });
    new_pairs.clear();
    for (std::uint32_t c = 0; c < chunks; ++c)
        new_pairs.insert(new_pairs.end(), found[c].begin(), found[c].end());
    if (world.callbacks.filter && !restoring) ask_filter();
    const auto pairs_found = new_pairs.size();
    for (std::size_t k = 0; k < pairs_found; ++k) {
        const ProxyPair pair = new_pairs[k];
        for (std::uint32_t slot = 1; slot < slots_of(pair.first, pair.second); ++slot)
            new_pairs.push_back({pair.first, pair.second | slot << PAIR_SLOT});
    }
    add_contacts();
}

void CpuSimulation::Parts::find_among_all() {
    // all shapes, moved or not; drops known and filtered pairs
    proxies.clear();
    for (std::uint32_t s = 0; s < world.shapes.record.size(); ++s)
        if (world.shapes.record[s].alive) proxies.push_back(s);
    const auto count = static_cast<std::uint32_t>(proxies.size());
    const float* fat = world.shapes.fat.data();
    if (world.settings.broad_phase == BroadPhase::brute) {
        find_in_chunks(count, 32,
                       [&](std::uint32_t begin, std::uint32_t end, std::size_t, std::vector<ProxyPair>& out) {
                           brute_pairs(world.shapes.fat, proxies, begin, end, out);
                           std::erase_if(out, [&](const ProxyPair& pair) { return !is_new(pair); });
                       });
        return;
    }
    spheres.resize(4 * std::size_t{count});
    bodies_of.resize(count);
    extents.resize(count);
    crew.each(count, 512, [&](std::uint32_t begin, std::uint32_t end, int) {
        for (std::uint32_t k = begin; k < end; ++k) {
            const std::uint32_t s = proxies[k];
            const float* b = fat + 8 * std::size_t{s};
            const float half[3] = {0.5f * (b[4] - b[0]), 0.5f * (b[5] - b[1]), 0.5f * (b[6] - b[2])};
            // about the bounds, a little more than needed so that rounding loses none
            const float radius =
                std::sqrt((half[0] * half[0] + half[1] * half[1]) + half[2] * half[2]) * 1.00001f;
            const float sphere[4] = {0.5f * (b[0] + b[4]), 0.5f * (b[1] + b[5]), 0.5f * (b[2] + b[6]),
                                     radius};
            const bool fixed = world.bodies.record[world.shapes.record[s].body].type == BodyType::fixed;
            // what lies at the end of the numbers is compared with everything too
            const bool plane = world.shapes.record[s].type == ShapeType::plane ||
                               !std::all_of(sphere, sphere + 4, [](float x) { return std::isfinite(x); });
            constexpr float anywhere[4] = {0, 0, 0, 1};
            std::copy_n(plane ? anywhere : sphere, 4, &spheres[4 * std::size_t{k}]);
            bodies_of[k] = world.shapes.record[s].body;
            extents[k] = static_cast<std::uint8_t>(plane   ? Extent::plane
                                                   : fixed ? Extent::unbounded
                                                           : Extent::bounded);
        }
    });
    SeedGridInput input;
    input.spheres = spheres;
    input.body = bodies_of;
    input.unbounded = extents;
    input.cell = world.settings.grid_cell;
    input.origin = world.settings.grid_origin;
    input.bits = world.settings.grid_bits;
    candidates.clear();
    grid.pairs(crew.tasks(), input, candidates);
    find_in_chunks(
        static_cast<std::uint32_t>(candidates.size()), 1024,
        [&](std::uint32_t begin, std::uint32_t end, std::size_t, std::vector<ProxyPair>& out) {
            for (std::uint32_t k = begin; k < end; ++k) {
                const ProxyPair pair{proxies[candidates[k].first], proxies[candidates[k].second]};
                if (overlap(fat + 8 * std::size_t{pair.first}, fat + 8 * std::size_t{pair.second}) &&
                    is_new(pair))
                    out.push_back(pair);
            }
        });
}

void CpuSimulation::Parts::find_by_tree() {
    tree.update();
    // a large shape finds thousands
    constexpr std::uint32_t grain = 16;
    const auto count = static_cast<std::uint32_t>(moved.size());
    if (near.size() < Crew::chunks(count, grain)) near.resize(Crew::chunks(count, grain));
    find_in_chunks(
        count, grain,
        [&](std::uint32_t begin, std::uint32_t end, std::size_t chunk, std::vector<ProxyPair>& out) {
            auto& hits = near[chunk];
            for (std::uint32_t k = begin; k < end; ++k) {
                const std::uint32_t s = moved[k];
                if (!tree.holds(s)) continue;
                const bool moves = tree.layer(s) == BoundsTree::moving;
                hits.clear();
                tree.query(&world.shapes.fat[8 * std::size_t{s}],
                           moves ? BoundsTree::all_layers : BoundsTree::moving_mask, hits);
                for (const std::uint32_t t : hits) {
                    // of two that both moved one reports
                    if (t == s || (is_moved[t] && t < s)) continue;
                    if (const ProxyPair pair = ordered(s, t); is_new(pair)) out.push_back(pair);
                }
            }
        });
}

// contacts ---------------------------------------------------------------------------------------------------------------

void CpuSimulation::Parts::forget_manifold(std::uint32_t c) {
    // no pose is near this one
    contacts[c].between[0] = std::numeric_limits<float>::infinity();
    made[c] = 0;
    marks[c] &= static_cast<std::uint8_t>(~MARKS_OF_MANIFOLD);
}

void CpuSimulation::Parts::mix_materials(Contact& contact) const {
    const auto surface = [&](std::uint32_t shape) {
        const Material& m = material_of(world.shapes.record[shape], contact.sub_shape);
        const Quat turn = read_rotation(world.shapes.pose, 2 * std::size_t{shape} + 1);
        return rigid::Surface{m.friction,
                              m.restitution,
                              m.rolling_resistance,
                              static_cast<std::uint32_t>(m.friction_rule),
                              static_cast<std::uint32_t>(m.restitution_rule),
                              {m.surface_velocity.x, m.surface_velocity.y, m.surface_velocity.z},
                              rigid::make_quat(turn.s, turn.x, turn.y, turn.z)};
    };
    const rigid::SurfacePair mixed =
        rigid::surfaces_mixed(surface(contact.shape_a), surface(contact.shape_b));
    contact.friction = mixed.friction;
    contact.restitution = mixed.restitution;
    contact.rolling_resistance = mixed.rolling;
    contact.surface_velocity[0] = mixed.velocity.x;
    contact.surface_velocity[1] = mixed.velocity.y;
    contact.surface_velocity[2] = mixed.velocity.z;
}

/// Places and links go by the order of the pairs, one after the other; the records between are filled side by side.
void CpuSimulation::Parts::add_contacts() {
    const auto count = static_cast<std::uint32_t>(new_pairs.size());
    new_contacts.resize(count);
    for (std::uint32_t k = 0; k < count; ++k) new_contacts[k] = take_contact();
    crew.each(count, 256, [&](std::uint32_t begin, std::uint32_t end, int) {
        for (std::uint32_t k = begin; k < end; ++k)
            fill_contact(new_contacts[k], new_pairs[k].first, new_pairs[k].second & ((1u << PAIR_SLOT) - 1),
                         new_pairs[k].second >> PAIR_SLOT);
    });
    for (const std::uint32_t c : new_contacts) link_contact(c);
}

/// Pairs that the user's filter refuses are not made. It is asked in the order of the shapes.
void CpuSimulation::Parts::ask_filter() {
    std::sort(new_pairs.begin(), new_pairs.end(), [](const ProxyPair& a, const ProxyPair& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    std::erase_if(new_pairs, [&](const ProxyPair& pair) {
        return !ask([&] { return world.callbacks.filter(world, pair.first, pair.second); });
    });
}

std::uint32_t CpuSimulation::Parts::add_contact(std::uint32_t a, std::uint32_t b, std::uint32_t slot) {
    const std::uint32_t c = take_contact();
    fill_contact(c, a, b, slot);
    link_contact(c);
    return c;
}

std::uint32_t CpuSimulation::Parts::take_contact() {
    if (!free_contacts.empty()) {
        const std::uint32_t c = free_contacts.back();
        free_contacts.pop_back();
        return c;
    }
    if (contacts.size() == contacts.capacity()) ++counters.allocations;
    contacts.emplace_back();
    links.emplace_back();
    ends.emplace_back();
    pair_kind.push_back(0);
    made.push_back(0);
    points.push_back(0);
    colour.push_back(no_colour);
    marks.push_back(0);
    active_at.push_back(none);
    return static_cast<std::uint32_t>(contacts.size() - 1);
}

void CpuSimulation::Parts::fill_contact(std::uint32_t c, std::uint32_t a, std::uint32_t b,
                                        std::uint32_t slot) {
    Contact& contact = contacts[c];
    contact = Contact{};
    contact.shape_a = a;
    contact.shape_b = b;
    contact.slot = slot;
    contact.body_a = world.shapes.record[a].body;
    contact.body_b = world.shapes.record[b].body;
    ends[c] = {a, b, contact.body_a, contact.body_b};
    pair_kind[c] = static_cast<std::uint8_t>(
        static_cast<std::uint32_t>(kind_of(world.shapes.record[a], world.shapes.record[b])) + slot);
    marks[c] = 0;
    forget_manifold(c);
    mix_materials(contact);
    points[c] = 0;
    colour[c] = no_colour;
    active_at[c] = none;
}

void CpuSimulation::Parts::link_contact(std::uint32_t c) {
    const Contact& contact = contacts[c];
    const std::uint32_t a = contact.shape_a, b = contact.shape_b;
    const float* v = contact.surface_velocity;
    any_extras = any_extras || rigid::surfaces_have_extras(contact.restitution, contact.rolling_resistance,
                                                           {v[0], v[1], v[2]});
    const std::uint32_t bodies[2] = {contact.body_a, contact.body_b};
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t head = first_contact[bodies[side]];
        links[c].previous[side] = none;
        links[c].next[side] = head;
        if (head != none) links[head].previous[ends[head].body_a == bodies[side] ? 0 : 1] = c;
        first_contact[bodies[side]] = c;
    }
    pairs.insert(a, b, contact.slot, c);
    if (rigid::is_sensing(pair_kind[c])) {
        if (should_be_active(contact)) activate(c);
        else sensor_looks.push_back(c);
        return;
    }
    // Something fixed came close to a sleeper. Fat bounds depend on the past and do not decide it.
    const std::uint32_t came = bodies[is_moved[a] ? 0 : 1], other = bodies[is_moved[a] ? 1 : 0];
    if (!should_be_active(contact) && !restoring && is_moved[a] != is_moved[b] &&
        !world.bodies.record[came].asleep &&
        overlap(&world.shapes.bounds[8 * std::size_t{a}], &world.shapes.bounds[8 * std::size_t{b}]))
        wake_body(other);
    if (should_be_active(contact)) activate(c);
}

void CpuSimulation::Parts::remove_contact(std::uint32_t c) {
    lose(c);
    release_colour(c);
    deactivate(c);
    Contact& contact = contacts[c];
    const std::uint32_t bodies[2] = {contact.body_a, contact.body_b};
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t next = links[c].next[side], previous = links[c].previous[side];
        if (next != none) links[next].previous[contacts[next].body_a == bodies[side] ? 0 : 1] = previous;
        if (previous != none) links[previous].next[contacts[previous].body_a == bodies[side] ? 0 : 1] = next;
        else first_contact[bodies[side]] = next;
    }
    pairs.erase(contact.shape_a, contact.shape_b, contact.slot);
    contact.shape_a = none;
    contact.count = 0;
    points[c] = 0;
    free_contacts.push_back(c);
}

bool CpuSimulation::Parts::should_be_active(const Contact& contact) const {
    const auto may_move = [&](std::uint32_t b) {
        const BodyRecord& body = world.bodies.record[b];
        return body.type != BodyType::fixed && !body.asleep && !body.frozen;
    };
    return may_move(contact.body_a) || may_move(contact.body_b);
}

void CpuSimulation::Parts::activate(std::uint32_t c) {
    if (active_at[c] != none) return;
    active_at[c] = static_cast<std::uint32_t>(active.size());
    active.push_back(c);
    ++activated;
    // a contact that touched when it fell asleep is solved again at once
    if (points[c]) began.push_back(c);
}

void CpuSimulation::Parts::deactivate(std::uint32_t c) {
    if (active_at[c] == none) return;
    release_colour(c);
    const std::uint32_t last = active.back();
    active[active_at[c]] = last;
    active_at[last] = active_at[c];
    active_at[c] = none;
    active.pop_back();
    marks[c] &= static_cast<std::uint8_t>(~MARK_HIT);
    if (rigid::is_sensing(pair_kind[c]) && !made[c]) sensor_looks.push_back(c);
}

} // namespace scree
