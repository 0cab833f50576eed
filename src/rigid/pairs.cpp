// SPDX-License-Identifier: MIT
// pairs.cpp — finds pairs of near shapes, and adds and removes their contacts.
//
// A contact exists while the fat bounds of its shapes overlap, and up to seven steps longer. Which structure finds it, in which
// order and in which slot it is kept does not show in any result: everything that depends on an order goes by the shapes' numbers.

#include "collision/brute.h"
#include "rigid/parts.h"
#include "rigid/quads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {

// which pairs ------------------------------------------------------------------------------------------------------------

void CpuSimulation::Parts::find_pairs() {
    if (moved.empty()) return;
    wake_beside_moved();
    if (world.settings.broad_phase == BroadPhase::tree) find_by_tree();
    else find_among_all();
    crew.each(static_cast<std::uint32_t>(moved.size()), 4096,
              [&](std::uint32_t begin, std::uint32_t end, int) {
                  for (std::uint32_t k = begin; k < end; ++k) is_moved[moved[k]] = 0;
              });
    moved.clear();
}

/// Sleepers that something fixed was put beside, of pairs that are known. Those of new pairs wake as these are added.
void CpuSimulation::Parts::wake_beside_moved() {
    for (const std::uint32_t s : moved) {
        const std::uint32_t body = world.shapes.record[s].body;
        if (is_moved[s] != put || !tree.holds(s) || body >= first_contact.size()) continue;
        each_contact(body, [&](std::uint32_t c) {
            if ((ends[c].shape_a == s || ends[c].shape_b == s) && !rigid::is_sensing(pair_kind[c]) &&
                comes_to_sleeper(contacts[c]))
                wake_body(sleeper_of(contacts[c]));
        });
    }
}

std::uint32_t CpuSimulation::Parts::slots_of(std::uint32_t a, std::uint32_t b) const {
    return rigid::kind_slots(
        static_cast<std::uint32_t>(kind_of(world.shapes.record[a], world.shapes.record[b])));
}

bool CpuSimulation::Parts::is_new(const ProxyPair& pair) const {
    return pairs.find(pair.first, pair.second) == none && wanted_pair(world, pair.first, pair.second);
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
    const auto pairs_found = any_meshes ? new_pairs.size() : 0;
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
    tree.update(crew.size() > 1 ? &crew.tasks() : nullptr);
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
                // of two that both moved one reports
                std::erase_if(hits, [&](std::uint32_t t) { return t == s || (is_moved[t] && t < s); });
                for (const std::uint32_t t : hits) {
                    const ProxyPair pair = ordered(s, t);
                    pairs.prefetch(pair.first, pair.second);
                }
                for (const std::uint32_t t : hits)
                    if (const ProxyPair pair = ordered(s, t); is_new(pair)) out.push_back(pair);
            }
        });
}

// contacts ---------------------------------------------------------------------------------------------------------------

void CpuSimulation::Parts::forget_manifold(std::uint32_t c) {
    // no pose is near this one
    note_change(c);
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

namespace {

// threads pay off from so many contacts on
constexpr std::uint32_t worth_threads = 512;
constexpr std::uint32_t contact_grain = 256;
constexpr std::uint32_t body_parts = 64, all_parts = body_parts + PairTable::regions;
static_assert(all_parts <= Partition::most_parts);
/// neighbours in a list are neighbours in a part
std::uint32_t part_of_body(std::uint32_t body) { return body / 16 % body_parts; }

// of a new contact
enum : std::uint8_t { flag_active = 1, flag_wakes = 2, flag_looks = 4 };

} // namespace

/// Places go by the order of the pairs, and so do the lists of the bodies, whatever the number of threads.
void CpuSimulation::Parts::add_contacts() {
    const auto count = static_cast<std::uint32_t>(new_pairs.size());
    if (!count) return;
    links_version = new_version();
    new_contacts.resize(count);
    const auto reused = std::min(count, static_cast<std::uint32_t>(free_contacts.size()));
    for (std::uint32_t k = 0; k < reused; ++k) {
        new_contacts[k] = free_contacts.back();
        free_contacts.pop_back();
    }
    const auto first = static_cast<std::uint32_t>(contacts.size());
    add_slots(count - reused);
    for (std::uint32_t k = reused; k < count; ++k) new_contacts[k] = first + (k - reused);

    const auto fill = [&](std::uint32_t k) {
        const std::uint32_t second = new_pairs[k].second;
        fill_contact(new_contacts[k], new_pairs[k].first, second & ((1u << PAIR_SLOT) - 1),
                     second >> PAIR_SLOT);
    };
    if (crew.worth_splitting(count, worth_threads)) return link_together(fill);
    for (std::uint32_t k = 0; k < count; ++k) {
        fill(k);
        link_contact(new_contacts[k]);
    }
}

/// Sorts the two ends of contacts by body, so that one thread changes a body's list, and the contacts by region of the pair
/// table. Item 3 k + 2 is contact k, the two before it are its ends.
template <class Contacts>
void CpuSimulation::Parts::sort_ends(const Contacts& list) {
    partition.sort(crew, 3 * static_cast<std::uint32_t>(list.size()), all_parts, [&](std::uint32_t item) {
        const std::uint32_t c = list[item / 3];
        const ContactEnds& of = ends[c];
        const std::uint32_t end = item % 3;
        return static_cast<std::uint8_t>(
            end < 2 ? part_of_body(end ? of.body_b : of.body_a)
                    : body_parts + PairTable::region_of(of.shape_a, of.shape_b, contacts[c].slot));
    });
}

template <class Fill>
void CpuSimulation::Parts::link_together(const Fill& fill) {
    const auto count = static_cast<std::uint32_t>(new_contacts.size());
    const std::uint32_t chunks = Crew::chunks(count, contact_grain);
    new_flags.resize(count);
    chunk_flags.assign(chunks, {});
    crew.each(count, contact_grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        ChunkFlags mine;
        for (std::uint32_t k = begin; k < end; ++k) {
            fill(k);
            const std::uint32_t c = new_contacts[k];
            const Contact& contact = contacts[c];
            mine.extras = mine.extras || has_extras(contact);
            std::uint8_t flags = 0;
            if (should_be_active(contact)) flags = flag_active, ++mine.active;
            else if (rigid::is_sensing(pair_kind[c])) flags = flag_looks;
            else if (comes_to_sleeper(contact)) flags = flag_wakes;
            mine.any |= flags;
            new_flags[k] = flags;
        }
        chunk_flags[static_cast<std::size_t>(chunk)] = mine;
    });
    sort_ends(new_contacts);
    std::array<std::uint32_t, PairTable::regions> more;
    for (std::uint32_t r = 0; r < PairTable::regions; ++r) more[r] = partition.size(body_parts + r);
    pairs.reserve(crew.tasks(), more);
    crew.each(all_parts, 1, [&](std::uint32_t part, std::uint32_t, int) {
        for (const std::uint32_t item : partition.of(part)) {
            const std::uint32_t c = new_contacts[item / 3], end = item % 3;
            if (end < 2) link_side(c, static_cast<int>(end));
            else pairs.insert_reserved(ends[c].shape_a, ends[c].shape_b, contacts[c].slot, c);
        }
    });

    std::uint8_t any = 0;
    std::uint32_t more_active = 0;
    for (ChunkFlags& of : chunk_flags) {
        any |= of.any;
        any_extras = any_extras || of.extras;
        // from here on: how many come before this chunk's
        const std::uint32_t here = of.active;
        of.active = more_active;
        more_active += here;
    }
    const auto first = static_cast<std::uint32_t>(active.size());
    active.resize_raw(first + more_active);
    activated += more_active;
    crew.each(count, contact_grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::uint32_t at = first + chunk_flags[static_cast<std::size_t>(chunk)].active;
        for (std::uint32_t k = begin; k < end; ++k)
            if (new_flags[k] & flag_active) active_at[new_contacts[k]] = at, active[at++] = new_contacts[k];
    });
    if (!(any & (flag_looks | flag_wakes))) return;
    // a body that wakes takes its contacts along, new ones too
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t c = new_contacts[k];
        if (new_flags[k] == flag_looks && active_at[c] == none) sensor_looks.push_back(c);
        if (new_flags[k] == flag_wakes) wake_body(sleeper_of(contacts[c]));
    }
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
    links_version = new_version();
    if (free_contacts.empty()) {
        add_slots(1);
        free_contacts.push_back(static_cast<std::uint32_t>(contacts.size() - 1));
    }
    const std::uint32_t c = free_contacts.back();
    free_contacts.pop_back();
    fill_contact(c, a, b, slot);
    link_contact(c);
    return c;
}

/// At the end of the arrays; what they hold is for fill_contact and link_side to write.
void CpuSimulation::Parts::add_slots(std::uint32_t count) {
    const std::size_t size = contacts.size() + count;
    if (size > contacts.capacity()) ++counters.allocations;
    contacts.resize_raw(size);
    links.resize_raw(size);
    ends.resize_raw(size);
    for (auto* bytes : {&pair_kind, &made, &points, &colour, &marks}) bytes->resize_raw(size);
    active_at.resize_raw(size);
    changed_in.resize_raw(size);
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

bool CpuSimulation::Parts::has_extras(const Contact& contact) {
    const float* v = contact.surface_velocity;
    return rigid::surfaces_have_extras(contact.restitution, contact.rolling_resistance, {v[0], v[1], v[2]});
}

/// Puts the contact first in the list of its body of that side.
void CpuSimulation::Parts::link_side(std::uint32_t c, int side) {
    const std::uint32_t body = side ? ends[c].body_b : ends[c].body_a;
    const std::uint32_t head = first_contact[body];
    links[c].previous[side] = none;
    links[c].next[side] = head;
    if (head != none) links[head].previous[ends[head].body_a == body ? 0 : 1] = c;
    first_contact[body] = c;
}

void CpuSimulation::Parts::unlink_side(std::uint32_t c, int side) {
    const std::uint32_t body = side ? ends[c].body_b : ends[c].body_a;
    const std::uint32_t next = links[c].next[side], previous = links[c].previous[side];
    if (next != none) links[next].previous[ends[next].body_a == body ? 0 : 1] = previous;
    if (previous != none) links[previous].next[ends[previous].body_a == body ? 0 : 1] = next;
    else first_contact[body] = next;
}

/// The body of the shape that did not come.
std::uint32_t CpuSimulation::Parts::sleeper_of(const Contact& contact) const {
    return is_moved[contact.shape_a] >= came ? contact.body_b : contact.body_a;
}

/// Whether something fixed came close to a sleeper. Fat bounds depend on the past and do not decide it.
bool CpuSimulation::Parts::comes_to_sleeper(const Contact& contact) const {
    const std::uint32_t a = contact.shape_a, b = contact.shape_b;
    const bool came_a = is_moved[a] >= came, came_b = is_moved[b] >= came;
    return !should_be_active(contact) && !restoring && came_a != came_b &&
           !world.bodies.record[came_a ? contact.body_a : contact.body_b].asleep &&
           overlap(&world.shapes.bounds[8 * std::size_t{a}], &world.shapes.bounds[8 * std::size_t{b}]);
}

void CpuSimulation::Parts::link_contact(std::uint32_t c) {
    const Contact& contact = contacts[c];
    any_extras = any_extras || has_extras(contact);
    for (const int side : {0, 1}) link_side(c, side);
    pairs.insert(contact.shape_a, contact.shape_b, contact.slot, c);
    if (rigid::is_sensing(pair_kind[c])) {
        if (should_be_active(contact)) activate(c);
        else sensor_looks.push_back(c);
        return;
    }
    if (comes_to_sleeper(contact)) wake_body(sleeper_of(contact));
    if (should_be_active(contact)) activate(c);
}

void CpuSimulation::Parts::remove_contact(std::uint32_t c) {
    links_version = new_version();
    note_change(c);
    lose(c);
    release_colour(c);
    deactivate(c);
    for (const int side : {0, 1}) unlink_side(c, side);
    Contact& contact = contacts[c];
    pairs.erase(contact.shape_a, contact.shape_b, contact.slot);
    contact.shape_a = none;
    contact.count = 0;
    points[c] = 0;
    free_contacts.push_back(c);
}

void CpuSimulation::Parts::remove_contacts() {
    const auto count = static_cast<std::uint32_t>(ended_contacts.size());
    if (!crew.worth_splitting(count, worth_threads)) {
        for (const std::uint32_t c : ended_contacts) remove_contact(c);
        return;
    }
    links_version = new_version();
    for (const std::uint32_t c : ended_contacts) lose(c);
    sort_ends(ended_contacts);
    crew.each(all_parts, 1, [&](std::uint32_t part, std::uint32_t, int) {
        for (const std::uint32_t item : partition.of(part)) {
            const std::uint32_t c = ended_contacts[item / 3], end = item % 3;
            if (end < 2) {
                unlink_side(c, static_cast<int>(end));
                continue;
            }
            pairs.erase(ends[c].shape_a, ends[c].shape_b, contacts[c].slot);
            release_colour(c);
            active_at[c] = none;
            marks[c] &= static_cast<std::uint8_t>(~MARK_HIT);
            note_change(c);
            contacts[c].shape_a = none;
            contacts[c].count = 0;
            points[c] = 0;
        }
    });
    const std::size_t free_before = free_contacts.size();
    free_contacts.resize_raw(free_before + count);
    std::copy(ended_contacts.begin(), ended_contacts.end(), free_contacts.begin() + free_before);
    drop_inactive();
}

void CpuSimulation::Parts::drop_inactive() {
    constexpr std::uint32_t grain = 2048;
    const auto count = static_cast<std::uint32_t>(active.size());
    active_before.assign(Crew::chunks(count, grain), 0);
    crew.each(count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::uint32_t kept = 0;
        for (std::uint32_t k = begin; k < end; ++k) kept += active_at[active[k]] != none;
        active_before[static_cast<std::size_t>(chunk)] = kept;
    });
    std::uint32_t kept_count = 0;
    for (std::uint32_t& before : active_before) kept_count += std::exchange(before, kept_count);
    spare_active.resize_raw(kept_count);
    crew.each(count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::uint32_t at = active_before[static_cast<std::size_t>(chunk)];
        for (std::uint32_t k = begin; k < end; ++k) {
            const std::uint32_t c = active[k];
            if (active_at[c] == none) continue;
            active_at[c] = at;
            spare_active[at++] = c;
        }
    });
    std::swap(active, spare_active);
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
    links_version = new_version();
    note_change(c); // the solver writes one that touches
    active_at[c] = static_cast<std::uint32_t>(active.size());
    active.push_back(c);
    ++activated;
    // a contact that touched when it fell asleep is solved again at once
    if (points[c]) began.push_back(c);
}

void CpuSimulation::Parts::deactivate(std::uint32_t c) {
    if (active_at[c] == none) return;
    links_version = new_version();
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
