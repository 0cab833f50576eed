// SPDX-License-Identifier: MIT
// kernel_bytes.cpp — see kernel_bytes.h.
// compiled alone

#include "kernel_bytes.h"

#include "rigid/device_worlds.h"

namespace scree::bench {

namespace {

constexpr double word = 4, quad = 16;

/// of an item of the solver: words of its own, and quads of the two bodies or of its record
constexpr MovedBytes item(double words_in, double quads_in, double words_out, double quads_out) {
    return {word * words_in + quad * quads_in, word * words_out + quad * quads_out};
}

// A contact with room for n points. Of its block 28 words are the bodies, the frame and the masses, which every sweep
// reads; one with a single point leaves out what is for several (kernels/rigid_params.h). A body's velocities are 2 quads.
struct ContactWords {
    double points;
    bool several() const { return points > 1; }
    double of_point() const { return several() ? POINT_FIELDS : 3; }
    double response() const { return several() ? 6 : 0; }
    double shift() const { return several() ? 3 : 1; }
    double twist() const { return several() ? 1 : 0; }
};
constexpr double frame = 28;

MovedBytes contact_prepare(ContactWords c, bool extras) {
    // slot; six quads of the record and two of each point; pose and inverse mass of both bodies
    MovedBytes bytes =
        item(1, 6 + 2 * c.points + 8, (c.several() ? CONTACT_HEAD : 36) + c.points * c.of_point(), 0);
    if (extras) bytes.read += (2 + 4) * quad, bytes.written += EXTRA_FIELDS * word;
    return bytes;
}
MovedBytes contact_warm(ContactWords c, bool extras) {
    return item(frame + 2 + c.twist() + c.points * (c.several() ? 3 : 1) + (extras ? 4 : 0), 4, 0, 4);
}
MovedBytes contact_solve(ContactWords c, bool extras) {
    return item(frame + c.response() + c.shift() + c.points * c.of_point() + (extras ? 1 + c.points : 0), 4,
                c.points + (extras ? c.points : 0), 4);
}
MovedBytes contact_relax(ContactWords c, bool extras) {
    // also what the bodies have moved, and friction: mass, impulses, coefficient; of several points the twist's too
    return item(frame + c.response() + c.points * c.of_point() + 6 + 3 * c.twist() +
                    (extras ? 8 + c.points : 0),
                8, c.shift() + c.points + 2 + c.twist() + (extras ? 3 + c.points : 0), 4);
}
MovedBytes contact_bounce(ContactWords c) {
    return item(frame + c.response() + c.points * (c.of_point() + 2) + 2, 4, c.points, 4);
}
MovedBytes contact_store(ContactWords c, bool extras) {
    return item(1 + 6 + 2 + c.twist() + c.points + (extras ? 4 : 0), 0, c.points, extras ? 2 : 1);
}

constexpr MovedBytes joint_prepare = item(1, JOINT_RECORD + 8, JOINT_FIELDS, 0);
constexpr MovedBytes joint_warm = item(26, 4, 0, 4);
constexpr MovedBytes joint_sweep = item(JOINT_FIELDS - 1, 8, 12, 4);
constexpr MovedBytes joint_store = item(7, 0, 0, 2);

// rows of the SOR solver: J and the impulse's bounds, scale and right-hand side (kernels/rigid_sor.h)
MovedBytes sor_assemble(double points) {
    return item(1, 4 + 2 * points + 14, SOR_HEAD + 3 * points * ROW_FIELDS, 0);
}
constexpr MovedBytes sor_init(double rows, double normals) {
    return item(17 + 14 * rows + normals, 4, 14 * rows, 0);
}
MovedBytes sor_sweep(double points) {
    const double rows = 3 * points;
    return item(17 + 16 * rows + 2 * points, 4, rows + 4 * points, 4);
}
MovedBytes sor_store(double points) { return item(1 + 15 * points, 0, points, 1); }
constexpr MovedBytes sor_joint_assemble = item(1, 5 + 10, SOR_HEAD + ROWS_OF_JOINT * ROW_FIELDS, 0);
constexpr MovedBytes sor_joint_sweep = item(17 + 18 * ROWS_OF_JOINT, 4, ROWS_OF_JOINT, 4);
constexpr MovedBytes sor_joint_store = item(1 + ROWS_OF_JOINT, 0, 0, 2);

constexpr MovedBytes sor_begin = item(1, 0, 0, 1);
constexpr MovedBytes sor_finish = item(1, 4, 0, 4);

// a piece of a body that overflows
constexpr MovedBytes split_apply = item(3, 2, 0, 2);

// bodies: who is awake, then constants, forces, motion (kernels/rigid_body.h)
constexpr MovedBytes body_begin = item(1, 10, 0, 4);
constexpr MovedBytes body_velocity = item(1, 6, 0, 4);
constexpr MovedBytes body_position = item(1, 6, 0, 4);
constexpr MovedBytes body_finish = item(1, 17, 1, 12);

// pairs: list and ends, poses and sizes of the shapes, speeds and poses of the bodies, the old manifold; the new one out
constexpr MovedBytes narrow = item(4 + 5, 14 + 10, 1, 12);

MovedBytes times(MovedBytes bytes, double count) { return {bytes.read * count, bytes.written * count}; }
MovedBytes sum(MovedBytes a, MovedBytes b) { return {a.read + b.read, a.written + b.written}; }

/// all of a soft step in one launch, stage by stage as run_soft_step goes through them
MovedBytes soft_step(const StepSizes& s) {
    MovedBytes all = sum(times(body_begin, s.bodies), times(body_finish, s.bodies));
    all = sum(all, times(sum(body_velocity, body_position), s.substeps * s.bodies));
    all = sum(all, times(sum(sum(joint_prepare, joint_warm), joint_store), s.joints));
    all = sum(all, times(joint_sweep, 2 * s.substeps * s.joints));
    constexpr double rooms[] = {1, 2, 4};
    for (std::size_t k = 0; k < 3; ++k) {
        const ContactWords c{rooms[k]};
        all = sum(all, times(sum(sum(contact_prepare(c, s.extras), contact_warm(c, s.extras)),
                                 contact_store(c, s.extras)),
                             s.touching[k]));
        all = sum(all, times(sum(contact_solve(c, s.extras), contact_relax(c, s.extras)),
                             s.substeps * s.touching[k]));
        if (s.extras) all = sum(all, times(contact_bounce(c), s.touching[k]));
    }
    // the pieces of what overflows are added up behind every sweep
    return sum(all, times(split_apply, 2 * s.overflow * (2 * s.substeps + 1)));
}

/// the same of run_sor_step
MovedBytes sor_step(const StepSizes& s) {
    MovedBytes all = times(sum(sor_begin, sor_finish), s.bodies);
    all = sum(all, times(sum(sum(body_begin, body_velocity), sum(body_position, body_finish)), s.bodies));
    all =
        sum(all, times(sum(sum(sor_joint_assemble, sor_init(ROWS_OF_JOINT, 0)), sor_joint_store), s.joints));
    all = sum(all, times(sor_joint_sweep, s.iterations * s.joints));
    constexpr double rooms[] = {1, 2, 4};
    for (std::size_t k = 0; k < 3; ++k) {
        const double points = rooms[k];
        all = sum(all, times(sum(sum(sor_assemble(points), sor_init(3 * points, points)), sor_store(points)),
                             s.touching[k]));
        all = sum(all, times(sor_sweep(points), s.iterations * s.touching[k]));
    }
    return sum(all, times(split_apply, 2 * s.overflow * s.iterations));
}

} // namespace

void StepSizes::add(std::span<const std::uint32_t> counts) {
    extras = extras || counts[COUNT_EXTRAS]; // told when a contact's materials are mixed
    moved += counts[COUNT_MOVED];
    found += counts[COUNT_FOUND];
    for (std::size_t k = 0; k < listed.size(); ++k) listed[k] += counts[COUNT_WORK + k];
    fresh += counts[COUNT_FRESH] + counts[COUNT_FRESH_JOINTS];
    for (std::uint32_t colour = 0; colour <= COLOUR_OVERFLOW; ++colour)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            const std::uint32_t count =
                counts[COUNT_BUCKETS + BUCKET_WORDS * (4 * colour + kind) + BUCKET_COUNT];
            if (kind == 0) joints += count;
            else touching[kind - 1] += count;
            if (colour == COLOUR_OVERFLOW) overflow += count;
        }
}

void StepSizes::divide(double steps) {
    for (double* sum : {&moved, &found, &fresh, &joints, &overflow}) *sum /= steps;
    for (double& sum : listed) sum /= steps;
    for (double& sum : touching) sum /= steps;
}

namespace {

/// What an item of a kernel moves, where that is all there is to count.
struct OfItem {
    KernelId kernel;
    MovedBytes bytes;
};

std::optional<MovedBytes> of_item(KernelId kernel) {
    using enum KernelId;
    static constexpr OfItem all[] = {
        // the tree: neighbours' keys are in the cache; a leaf, and an inner node: its two children, the counter of arrivals twice
        {world_tree_keys, item(2, 2, 2, 0)},
        {world_tree_links, item(1, 0, 5, 0)},
        {world_tree_fit, item(2 + 1 + 2 + 12 + 2, 2, 6 + 2, 2)},
        {world_find_few, item(1, 2, 0, 0)},
        {world_find_own, item(1, 2, 0, 0)},
        // the grid: also a place in the bucket
        {world_grid_keys, item(2 + 1, 2, 2 + 1, 0)},
        {world_grid_place, item(2 + 1, 2, 0, 2)},
        // pairs: info and materials of two shapes; record, ends, state and the table's entry
        {world_add, item(3 + 16 + 2, 6, 4 + 1 + 3, 16)},
        {world_moved_done, item(2, 0, 1, 0)},
        {world_order_keys, item(2, 0, 2, 0)},
        {world_order_move, item(1 + 5, 16, 5, 16)},
        {world_table_fill, item(2 + 2, 0, 3, 0)},
        // colours, buckets, the overflow
        {world_joint_colours, item(3 + 2 + 2, 0, 2, 0)},
        {world_bucket_keys, item(2, 0, 2, 0)},
        {world_bucket_runs, item(1, 0, 0, 0)},
        {world_bucket_table, item(BUCKET_WORDS, 0, 4, 0)},
        {world_joint_counts, item(1, 0, 0, 0)},
        {world_joint_place, item(1, 0, 1, 0)},
        {world_overflow_keys, item(3, 0, 3, 0)},
        {world_overflow_slots, item(1, 0, 1, 0)},
        {world_push_keys, item(1 + 4 + 2, 0, 6, 0)},
        {world_split_count, item(2, 0, 1, 0)},
        {world_split_apply, split_apply},
        // bodies and joints of both solvers
        {world_body_begin, body_begin},
        {world_body_velocity, body_velocity},
        {world_body_position, body_position},
        {world_body_finish, body_finish},
        {world_joint_prepare, joint_prepare},
        {world_joint_warm, joint_warm},
        {world_joint_solve, joint_sweep},
        {world_joint_relax, joint_sweep},
        {world_joint_store, joint_store},
        {world_sor_begin, sor_begin},
        {world_sor_finish, sor_finish},
        {world_sor_joint_assemble, sor_joint_assemble},
        {world_sor_joint_init, sor_init(ROWS_OF_JOINT, 0)},
        {world_sor_joint_sweep, sor_joint_sweep},
        {world_sor_joint_store, sor_joint_store},
        // quarantine, islands once the roots are known, sleep
        {world_quarantine, item(2, 0, 0, 0)},
        {world_stir, item(7, 0, 0, 0)},
        {world_stir_joined, item(5, 0, 0, 0)},
        {world_tire, item(3, 0, 3, 0)},
        {world_unite, item(7 + 2, 0, 0, 0)},
        {world_unite_joints, item(5 + 2, 0, 0, 0)},
        {world_least_rest, item(4, 0, 1, 0)},
        {world_fall_asleep, item(3, 0, 0, 0)}};
    for (const OfItem& each : all)
        if (each.kernel == kernel) return each.bytes;
    return std::nullopt;
}

/// Kernels whose bytes depend on what the step found.
std::optional<MovedBytes> of_step(KernelId kernel, double launches, double items, const StepSizes& s) {
    switch (kernel) {
    // shapes: info and facts, pose and speed of the body, fat bounds in; pose and bounds out. Those that left: fat bounds
    case KernelId::world_bounds:
        return sum(times(item(5, 11, 0, 4), items), times(item(1, 0, 2, 2), s.moved));
    case KernelId::world_tree_extent:
    case KernelId::world_grid_extent:
        return times(item(2, 2, 0, 0), launches * s.shapes);
    case KernelId::world_find: // the tree once: two nodes of two quads for each leaf
        return sum(times(item(1, 2, 0, 0), items), times(item(0, 4, 0, 0), launches * s.shapes));
    case KernelId::world_find_grid: // the grid once: bounds and buckets, two for each shape
        return sum(times(item(2, 2, 0, 0), items / GRID_LANES), times(item(2, 2, 0, 0), launches * s.shapes));
    case KernelId::world_survey: // ends, state, flags; bounds; poses and what the manifold was made at
        return sum(
            times(item(7, 4 + 4 + 3, 0, 0), items),
            times(item(0, 0, 1, 0), s.listed[0] + s.listed[1] + s.listed[2] + s.listed[3] + s.listed[4]));
    case KernelId::world_narrow_boxes:
        return times(narrow, s.listed[KIND_BOXES]);
    case KernelId::world_narrow_rounds:
        return times(narrow, s.listed[KIND_ROUNDS]);
    case KernelId::world_narrow_ball_box:
        return times(narrow, s.listed[KIND_BALL_BOX]);
    case KernelId::world_narrow_box_ball:
        return times(narrow, s.listed[KIND_BOX_BALL]);
    case KernelId::world_narrow_convex: // and the facts of both shapes; corners of hulls are not counted
        return times(sum(narrow, item(6, 6, 0, 0)), s.listed[KIND_CONVEX]);
    case KernelId::world_colours: // of those that touch: bodies, flags, the bodies' colours
        return sum(times(item(2, 0, 0, 0), items), times(item(3 + 2 + 2, 0, 2, 0), s.contacts()));
    case KernelId::world_bid: // in every round who has a colour by now; once the bids
        return sum(times(item(2, 0, 0, 0), launches * s.fresh), times(item(4 + 2 + 4, 0, 4, 0), s.fresh));
    case KernelId::world_take:
        return sum(times(item(2, 0, 0, 0), launches * s.fresh), times(item(4 + 2 + 4 + 2, 0, 7, 0), s.fresh));
    case KernelId::world_bucket_place:
        return sum(times(item(2, 0, 0, 0), items), times(item(0, 0, 1, 0), launches * s.contacts()));
    default:
        return std::nullopt;
    }
}

#define SCREE_OF_POINTS(name, bytes)                                                                         \
    case KernelId::name##_1:                                                                                 \
        return times(bytes(1), items);                                                                       \
    case KernelId::name##_2:                                                                                 \
        return times(bytes(2), items);                                                                       \
    case KernelId::name##_4:                                                                                 \
        return times(bytes(4), items);

/// Contacts of both solvers.
std::optional<MovedBytes> of_contacts(KernelId kernel, double items, const StepSizes& s) {
    const auto prepare = [&](double n) { return contact_prepare({n}, s.extras); };
    const auto warm = [&](double n) { return contact_warm({n}, s.extras); };
    const auto solve = [&](double n) { return contact_solve({n}, s.extras); };
    const auto relax = [&](double n) { return contact_relax({n}, s.extras); };
    const auto bounce = [&](double n) { return contact_bounce({n}); };
    const auto store = [&](double n) { return contact_store({n}, s.extras); };
    const auto init = [&](double n) { return sor_init(3 * n, n); };
    switch (kernel) {
        SCREE_OF_POINTS(world_contact_prepare, prepare)
        SCREE_OF_POINTS(world_contact_warm, warm)
        SCREE_OF_POINTS(world_contact_solve, solve)
        SCREE_OF_POINTS(world_contact_relax, relax)
        SCREE_OF_POINTS(world_contact_bounce, bounce)
        SCREE_OF_POINTS(world_contact_store, store)
        SCREE_OF_POINTS(world_sor_assemble, sor_assemble)
        SCREE_OF_POINTS(world_sor_init, init)
        SCREE_OF_POINTS(world_sor_sweep, sor_sweep)
        SCREE_OF_POINTS(world_sor_store, sor_store)
    default:
        return std::nullopt;
    }
}
#undef SCREE_OF_POINTS

} // namespace

std::optional<MovedBytes> moved_bytes(Work work, double launches, double items, const StepSizes& s) {
    switch (work) {
    case Work::sort: // each pass: keys for the histogram, keys and values in and out
        return times(item(3, 0, 2, 0), items);
    case Work::sort64:
        return times(item(5, 0, 3, 0), items);
    case Work::scan:
    case Work::copy:
        return times(item(1, 0, 1, 0), items);
    case Work::fill:
        return times(item(0, 0, 1, 0), items);
    case Work::soft_step:
        return soft_step(s);
    case Work::sor_step:
    case Work::sor_on_chip:
        return sor_step(s);
    case Work::fabric_sweep:
        return std::nullopt;
    default:
        break;
    }
    const auto kernel = static_cast<KernelId>(work);
    if (const auto bytes = of_item(kernel)) return times(*bytes, items);
    if (const auto bytes = of_step(kernel, launches, items, s)) return bytes;
    return of_contacts(kernel, items, s);
}

} // namespace scree::bench
