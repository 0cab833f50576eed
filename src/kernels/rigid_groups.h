// SPDX-License-Identifier: MIT
// rigid_groups.h — groups of contacts and joints as M. A. Peres (2008) gives them to 512 threads.   compiles as: host, cuda
//
// Items stand in canonical order: joints, then contacts with room for 1, 2 and 4 points, each by their keys. A group is a run of
// them, which one thread visits one after the other, so inside a group the SOR is Gauss-Seidel. Between groups it is Jacobi: each
// has its own piece of every body that it touches, and the pieces' changes are added when all are done, in canonical order. In the
// dissertation threads write to the same V' and may lose changes of each other; here nothing is lost, and the bits are the same
// wherever it runs. Pieces share the mass of their body (Tonge et al. 2012), or adding would overshoot.

#define GROUP_LEAST 3u // items of a group, as far as there are so many

/// kinds: joints, contacts with room for 1, 2, 4 points
struct SorGroups_t {
    u32 groups, vary;
    u32 first[5]; // item of each kind in canonical order, and how many there are
    u32 push[4];  // of each kind: its first push
};
typedef struct SorGroups_t SorGroups;

KERNEL_FN u32 group_count(u32 items, u32 most) {
    const u32 wanted = items / GROUP_LEAST;
    return wanted < most ? (wanted ? wanted : 1u) : most;
}
/// the first item of a group; sizes differ by one at most, larger groups come first
KERNEL_FN u32 group_first(u32 items, u32 groups, u32 group) {
    const u32 more = items % groups;
    return group * (items / groups) + (group < more ? group : more);
}
KERNEL_FN u32 group_of(u32 items, u32 groups, u32 item) {
    const u32 size = items / groups, more = items % groups, large = more * (size + 1);
    return item < large ? item / (size + 1) : more + (item - large) / size;
}

/// The k-th visit of a group in an iteration: a start and a direction that depend on the numbers of both and on nothing random.
KERNEL_FN u32 group_visit(u32 k, u32 size, u32 group, u32 iteration) {
    u32 mixed = (iteration * 0x9e3779b9u) ^ (group * 0x85ebca6bu);
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed = mixed ^ mixed >> 13;
    u32 at = mixed % size + k;
    at = at < size ? at : at - size;
    return mixed >> 31 ? size - 1 - at : at;
}

KERNEL_FN u32 kind_of_item(const SorGroups* s, u32 item) {
    return (item >= s->first[1] ? 1u : 0u) + (item >= s->first[2] ? 1u : 0u) +
           (item >= s->first[3] ? 1u : 0u);
}
/// of an item's push, that is its place in the overflow: its place in canonical order
KERNEL_FN u32 item_of_push(const SorGroups* s, u32 push) {
    const u32 kind =
        (push >= s->push[1] ? 1u : 0u) + (push >= s->push[2] ? 1u : 0u) + (push >= s->push[3] ? 1u : 0u);
    return s->first[kind] + (push - s->push[kind]);
}

KERNEL_FN void group_sweep_item(u32 kind, u32 i, const SorView v) {
    if (kind == 3) sor_sweep(i, 4, v);
    else if (kind == 2) sor_sweep(i, 2, v);
    else if (kind == 1) sor_sweep(i, 1, v);
    else sor_joint_sweep(i, v);
}

/// One iteration of a group; group_view(world, kind) gives the view of that kind's items.
template <class World>
KERNEL_FN void group_sweep(u32 group, u32 iteration, const SorGroups* s, const World& world) {
    const u32 items = s->first[4];
    const u32 begin = group_first(items, s->groups, group),
              size = group_first(items, s->groups, group + 1) - begin;
    for (u32 k = 0; k < size; ++k) {
        const u32 kind = kind_of_item(s, begin + k);
        f32* push = group_view(world, kind).push + static_cast<std::size_t>(begin + k - s->first[kind]) * 16;
        for (u32 quad = 0; quad < 4; ++quad) store4(push, quad, make_real4(0.0f, 0.0f, 0.0f, 0.0f));
    }
    for (u32 k = 0; k < size; ++k) {
        const u32 item = begin + (s->vary ? group_visit(k, size, group, iteration) : k);
        const u32 kind = kind_of_item(s, item);
        group_sweep_item(kind, item - s->first[kind], group_view(world, kind));
    }
}

/// Where the group of a part keeps its changes to the part's body: in the push of its first part of that body. `parts` as in
/// pieces_add; `first` … are those of the body, `at` is the part's place among them.
KERNEL_FN u32 piece_of_part(const SorGroups* s, const u32* parts, u32 first, u32 at) {
    const u32 group = group_of(s->first[4], s->groups, item_of_push(s, parts[at] / 2));
    while (at > first && group_of(s->first[4], s->groups, item_of_push(s, parts[at - 1] / 2)) == group) --at;
    return parts[at];
}
/// whether the largest change that an iteration asked for, as bits, is small enough; one that is no number is not
KERNEL_FN bool sor_converged(u32 asked, f32 tolerance) {
    return as_real(static_cast<i32>(asked)) <= tolerance;
}

/// how many groups have a part of the body
KERNEL_FN u32 pieces_in_groups(const SorGroups* s, const u32* parts, u32 first, u32 end) {
    u32 pieces = 0, last = NOTHING;
    for (u32 e = first; e < end; ++e) {
        const u32 group = group_of(s->first[4], s->groups, item_of_push(s, parts[e] / 2));
        if (group != last) ++pieces;
        last = group;
    }
    return pieces;
}
