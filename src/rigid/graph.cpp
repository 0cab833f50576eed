// SPDX-License-Identifier: MIT
// graph.cpp — colours: constraints of one colour share no moving body, so they can be solved at the same time.
//
// A constraint keeps its colour while it lasts. New ones are coloured in the order of a hash of their key, each with the
// lowest colour that is free at its bodies: an order that does not depend on how pairs were found, and that a parallel
// algorithm (Jones and Plassmann 1993) can follow exactly. Constraints without a free colour are solved last, by splitting
// masses (Tonge et al. 2012).

#include "device/cpu/radix_sort.h"
#include "rigid/parts.h"
#include "rigid/softness.h"

#include <algorithm>
#include <bit>

namespace scree {

bool CpuSimulation::Parts::movable(std::uint32_t b) const {
    const BodyRecord& body = world.bodies.record[b];
    return body.type == BodyType::dynamic && !body.asleep && !body.frozen;
}

std::uint32_t CpuSimulation::Parts::take_colour(std::uint32_t a, std::uint32_t b) {
    const bool moves_a = movable(a), moves_b = movable(b);
    const std::uint32_t taken = (moves_a ? colours[a] : 0) | (moves_b ? colours[b] : 0);
    const std::uint32_t chosen = rigid::free_colour(taken, moves_a && moves_b);
    if (chosen == overflow) {
        ++counters.overflow;
        return overflow;
    }
    if (moves_a) colours[a] |= 1u << chosen;
    if (moves_b) colours[b] |= 1u << chosen;
    return chosen;
}

/// Any number of threads, each for contacts of its own. A body that cannot move has no colours to give back.
void CpuSimulation::Parts::release_colour(std::uint32_t c) {
    const std::uint32_t old = colour[c];
    colour[c] = no_colour;
    if (old >= colour_count) return;
    for (const std::uint32_t body : {ends[c].body_a, ends[c].body_b}) {
        std::uint32_t* taken = &colours[body];
        if (__atomic_load_n(taken, __ATOMIC_RELAXED) >> old & 1)
            __atomic_fetch_and(taken, ~(1u << old), __ATOMIC_RELAXED);
    }
}

void CpuSimulation::Parts::colour_joint(std::uint32_t j) {
    JointRecord& joint = world.joints.record[j];
    if (joint.colour != no_colour) return;
    if (!movable(joint.body[0]) && !movable(joint.body[1])) return;
    joint.colour = static_cast<std::uint8_t>(take_colour(joint.body[0], joint.body[1]));
}

void CpuSimulation::Parts::release_joint(std::uint32_t j) {
    JointRecord& joint = world.joints.record[j];
    const std::uint32_t old = joint.colour;
    joint.colour = no_colour;
    if (old >= colour_count) return;
    for (const std::uint32_t body : joint.body)
        if (movable(body)) colours[body] &= ~(1u << old);
}

void CpuSimulation::Parts::update_graph() {
    // an awake body wakes a sleeping one by touching it; the contacts of that one return with their manifolds and join the new ones
    for (const Change& change : changes)
        for (const std::uint32_t c : change.wakes) {
            if (!points[c]) continue; // a user's function has ended it again
            for (const std::uint32_t body : {ends[c].body_a, ends[c].body_b})
                if (world.bodies.record[body].asleep) wake_body(body);
        }
    ended_contacts.clear();
    for (const Change& change : changes) {
        began.insert(began.end(), change.began.begin(), change.began.end());
        ended_contacts.insert(ended_contacts.end(), change.gone.begin(), change.gone.end());
    }
    crew.each(static_cast<std::uint32_t>(changes.size()), 16,
              [&](std::uint32_t begin, std::uint32_t end, int) {
                  for (std::uint32_t k = begin; k < end; ++k)
                      for (const std::uint32_t c : changes[k].ended) release_colour(c);
              });
    remove_contacts();

    // joints first; a constraint without a colour may get one now
    if (counters.overflow) {
        for (const std::uint32_t c : active)
            if (colour[c] == overflow) colour[c] = no_colour, began.push_back(c);
        for (std::uint32_t j = 0; j < world.joints.record.size(); ++j)
            if (world.joints.record[j].colour == overflow)
                world.joints.record[j].colour = no_colour, new_joints.push_back(j);
        counters.overflow = 0;
    }
    std::sort(new_joints.begin(), new_joints.end(), [](std::uint32_t a, std::uint32_t b) {
        return rigid::joint_priority(a) < rigid::joint_priority(b);
    });
    for (const std::uint32_t j : new_joints)
        if (world.joints.record[j].alive) colour_joint(j);
    new_joints.clear();

    rank_began();
    // some began and were woken, and stand here twice
    for (const Ranked& next : ranked) {
        if (colour[next.contact] != no_colour) continue;
        const bool moves_a = next.body_a != none, moves_b = next.body_b != none;
        const std::uint32_t taken =
            (moves_a ? colours[next.body_a] : 0) | (moves_b ? colours[next.body_b] : 0);
        const std::uint32_t chosen = rigid::free_colour(taken, moves_a && moves_b);
        colour[next.contact] = static_cast<std::uint8_t>(chosen);
        if (chosen == overflow) {
            ++counters.overflow;
            continue;
        }
        if (moves_a) colours[next.body_a] |= 1u << chosen;
        if (moves_b) colours[next.body_b] |= 1u << chosen;
    }
}

/// Those that began and need a colour, in the order of a hash of their key. The bodies' records are read side by side; what is
/// left for one thread reads no more than colours.
void CpuSimulation::Parts::rank_began() {
    constexpr std::uint32_t parts = 64;
    const auto count = static_cast<std::uint32_t>(began.size());
    const auto rank = [&](std::uint32_t c) {
        const ContactEnds& of = ends[c];
        Ranked next{0, none, movable(of.body_a) ? of.body_a : none, movable(of.body_b) ? of.body_b : none};
        // one that was removed has no points
        if (!points[c] || active_at[c] == none || colour[c] != no_colour ||
            (next.body_a == none && next.body_b == none))
            return next;
        next.priority = rigid::pair_priority(of.shape_a, of.shape_b, rigid::slot_of_kind(pair_kind[c]));
        next.contact = c;
        return next;
    };
    const auto before = [&](const Ranked& l, const Ranked& r) {
        if (l.priority != r.priority) return l.priority < r.priority;
        const ContactEnds &a = ends[l.contact], &b = ends[r.contact];
        if (a.shape_b != b.shape_b) return a.shape_b < b.shape_b;
        return a.shape_a != b.shape_a ? a.shape_a < b.shape_a
                                      : contacts[l.contact].slot < contacts[r.contact].slot;
    };
    if (!crew.worth_splitting(count, 256)) {
        ranked.clear();
        for (const std::uint32_t c : began)
            if (const Ranked next = rank(c); next.contact != none) ranked.push_back(next);
        std::sort(ranked.begin(), ranked.end(), before);
    } else {
        unranked.resize(count);
        partition.sort(crew, count, parts, [&](std::uint32_t k) {
            unranked[k] = rank(began[k]);
            return unranked[k].contact == none ? Partition::nowhere
                                               : static_cast<std::uint8_t>(unranked[k].priority >> 58);
        });
        ranked.resize(partition.first(parts));
        crew.each(parts, 1, [&](std::uint32_t part, std::uint32_t, int) {
            Ranked* to = ranked.data() + partition.first(part);
            Ranked* end = to;
            for (const std::uint32_t k : partition.of(part)) *end++ = unranked[k];
            std::sort(to, end, before);
        });
    }
    began.clear();
}

/// Contacts in the order of their bodies. Buckets take over that order, so that a thread solves contacts of the same bodies in
/// one colour as in the next and moves them too, and they stay in its cache. No result depends on it; it is renewed when a
/// part of the contacts has changed.
void CpuSimulation::Parts::order_active() {
    const auto count = static_cast<std::uint32_t>(active.size());
    if (activated < count / 8 + 256) return;
    activated = 0;
    links_version = new_version();
    if (order_keys.size() < count) {
        ++counters.allocations;
        for (auto* array : {&order_keys, &order_spare_keys, &order_spare}) array->resize(count + count / 4);
    }
    crew.each(count, 4096, [&](std::uint32_t begin, std::uint32_t end, int) {
        for (std::uint32_t k = begin; k < end; ++k) order_keys[k] = ends[active[k]].body_b;
    });
    const int bits = std::bit_width(static_cast<std::uint32_t>(world.bodies.record.size()));
    radix_sort(crew.tasks(), order_keys.data(), active.data(), order_spare_keys.data(), order_spare.data(),
               count, bits, order_histogram);
    crew.each(count, 4096, [&](std::uint32_t begin, std::uint32_t end, int) {
        for (std::uint32_t k = begin; k < end; ++k) active_at[active[k]] = k;
    });
}

void CpuSimulation::Parts::fill_buckets() {
    // Count, place, fill, each chunk for itself; the order inside a bucket has no effect on the result. What has no colour
    // is counted and listed in a row behind the others that nobody reads: no branch on it.
    // Where the solver takes no colours everything overflows.
    const std::uint32_t lanes = solver_lanes();
    const bool gathered = without_colours(world.settings);
    const auto row = [gathered](std::uint8_t k) -> std::uint32_t {
        return k > overflow ? colour_count + 1 : gathered ? overflow : k;
    };
    constexpr std::uint32_t grain = 4096;
    const auto active_count = static_cast<std::uint32_t>(active.size());
    const std::uint32_t chunks = Crew::chunks(active_count, grain);
    if (chunk_counts.size() < chunks) chunk_counts.resize(chunks);
    crew.each(active_count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        BucketCounts& mine = chunk_counts[static_cast<std::size_t>(chunk)];
        mine = {};
        for (std::uint32_t k = begin; k < end; ++k)
            ++mine[row(colour[active[k]])][rigid::kind_of_points(points[active[k]])];
    });
    BucketCounts count{};
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
        for (std::uint32_t k = 0; k < colour_count + 2; ++k)
            for (std::uint32_t kind = 0; kind < 4; ++kind) {
                // from here on: how many come before this chunk's
                const std::uint32_t here = chunk_counts[chunk][k][kind];
                chunk_counts[chunk][k][kind] = count[k][kind];
                count[k][kind] += here;
            }
    const std::array<std::uint32_t, 4>& without = count[colour_count + 1];
    const auto idle = without[0] + without[1] + without[2] + without[3];
    const auto touching = active_count - idle;
    for (const JointRecord& joint : world.joints.record)
        if (joint.alive && joint.colour != no_colour) ++count[row(joint.colour)][0];

    std::uint32_t items = 0, contact_items = 0;
    std::size_t words = 0;
    used_colours = colours_used = 0;
    extra_first.resize((colour_count + 1) * 4);
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            Bucket& bucket = buckets[k][kind];
            bucket.first = items;
            bucket.items = padded(count[k][kind], lanes);
            bucket.block = words;
            extra_first[4 * k + kind] = contact_items;
            words += std::size_t{bucket.items} * rigid::words_of_kind(kind, false);
            items += bucket.items;
            if (kind) contact_items += bucket.items;
            if (bucket.items && k < colour_count) used_colours |= 1u << k, colours_used = k + 1;
        }
    const auto reserve = [&](auto& array, std::size_t size) {
        if (array.size() >= size) return;
        ++counters.allocations;
        array.resize_raw(size + size / 4);
    };
    reserve(slots, items + idle);
    reserve(blocks, words);
    if (any_extras) reserve(extras, std::size_t{contact_items} * EXTRA_FIELDS);

    BucketCounts at{};
    at[colour_count + 1] = {items, items + without[0], items + without[0] + without[1],
                            items + idle - without[3]};
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            const Bucket& bucket = buckets[k][kind];
            at[k][kind] = bucket.first;
            // a whole block at the end is enough to be overwritten or stay empty
            for (std::uint32_t i = bucket.items > lanes ? bucket.items - lanes : 0; i < bucket.items; ++i)
                slots[bucket.first + i] = none;
        }
    crew.each(active_count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        BucketCounts next = chunk_counts[static_cast<std::size_t>(chunk)];
        for (std::uint32_t k = begin; k < end; ++k) {
            const std::uint32_t c = active[k], r = row(colour[c]);
            const std::uint32_t kind = rigid::kind_of_points(points[c]);
            slots[at[r][kind] + next[r][kind]++] = c;
        }
    });
    for (std::uint32_t j = 0; j < world.joints.record.size(); ++j) {
        const JointRecord& joint = world.joints.record[j];
        if (joint.alive && joint.colour != no_colour) slots[at[row(joint.colour)][0]++] = j;
    }
    counters.contacts = touching;
    counters.colours = static_cast<std::uint32_t>(std::popcount(used_colours));
    counters.overflow = 0;
    for (std::uint32_t kind = 0; kind < 4; ++kind) counters.overflow += count[overflow][kind];
}

/// The overflow in canonical order, and for each of its bodies which items push it.
void CpuSimulation::Parts::split_overflow() {
    split_bodies.clear();
    split_parts.clear();
    split_first.clear();
    if (!counters.overflow) return;
    const auto key = [&](std::uint32_t c) {
        return rigid::pair_key(contacts[c].shape_a, contacts[c].shape_b, contacts[c].slot);
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
        split_parts.push_back(2 * pushes[k].item + pushes[k].side);
    }
    split_first.push_back(static_cast<std::uint32_t>(pushes.size()));
    // a body that is not split is one piece; static ones have no mass to share
    std::fill(split.begin(), split.end(), 1.0f);
    for (std::size_t k = 0; k < split_bodies.size(); ++k)
        split[split_bodies[k]] = static_cast<float>(split_first[k + 1] - split_first[k]);
}

void CpuSimulation::Parts::add_pieces(std::uint32_t split_body, float* to) const {
    rigid::pieces_add(0, split_parts.data(), split_first[split_body], split_first[split_body + 1],
                      push.data(), to);
}

/// One pass of a solver over constraints of a colour; measured on a Xeon of 2021 with 16 lanes.
float CpuSimulation::Parts::sweep_work(std::uint32_t k, std::size_t first_kind, std::size_t last_kind) const {
    constexpr std::array<float, 4> item{0.026f, 0.02f, 0.032f, 0.045f};
    float work = 0;
    for (std::size_t kind = first_kind; kind <= last_kind; ++kind)
        work += item[kind] * static_cast<float>(buckets[k][kind].items);
    return work;
}

float CpuSimulation::Parts::body_work() const { return 0.014f * static_cast<float>(awake_count); }

Crew::Split CpuSimulation::Parts::apply_split() const {
    Crew::Split how = crew.split(0.005f * static_cast<float>(split_parts.size()));
    how.shares = std::min(how.shares, static_cast<int>(split_bodies.size()));
    return how;
}

} // namespace scree
