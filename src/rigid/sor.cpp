// SPDX-License-Identifier: MIT
// sor.cpp — the projected SOR: which kernel runs over which rows, in which order.
//
//     assemble rows | forces | diagonal and right-hand side | iterations: joints, contacts, overflow | store, integrate
//
// The rows' order is Gauss-Seidel over colours, joints before contacts: no update is lost, and every number of threads and
// lanes gives the same bits. Impulses start at zero in every step, as in Peres 2008.

#include "rigid/sor.h"

#include "rigid/parts.h"
#include "rigid/softness.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree {

namespace {

enum class Op : std::uint8_t {
    begin,
    assemble,
    forces,
    init,
    joints,
    contacts,
    overflow,
    apply,
    study,
    finish
};

struct Stage {
    Op op;
    int shares;
    std::uint32_t colour = 0;
};

// beside a sweep over the same rows
constexpr float assemble_work = 3, init_work = 1, store_work = 1;

/// rows of an item in the bucket of joints (0) or of contacts with 1, 2 or 4 points
constexpr std::array<std::uint32_t, 4> rows_of_kind{ROWS_OF_JOINT, 3, 6, 12};

/// One item's fields among those of its block.
class Item {
public:
    Item(const float* run, std::uint32_t item, std::uint32_t fields, std::uint32_t lanes)
        : first_(run + std::size_t{item / lanes} * lanes * fields + item % lanes), lanes_(lanes) {}
    float head(std::uint32_t f) const { return first_[std::size_t{f} * lanes_]; }
    std::uint32_t word(std::uint32_t f) const { return static_cast<std::uint32_t>(rigid::as_whole(head(f))); }
    float row(std::uint32_t r, std::uint32_t f) const { return head(SOR_HEAD + r * ROW_FIELDS + f); }
    double limit(std::uint32_t r, std::uint32_t f) const { return head(SOR_LIMITS + r * LIMIT_FIELDS + f); }

private:
    const float* first_;
    std::size_t lanes_;
};

} // namespace

void CpuSimulation::study(bool on) { parts_->sor_report = on ? std::make_unique<SorReport>() : nullptr; }

const SorReport* CpuSimulation::sor_report() const { return parts_->sor_report.get(); }

void CpuSimulation::Parts::place_rows() {
    std::size_t words = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            sor_first[k][kind] = words;
            words += std::size_t{buckets[k][kind].items} * SOR_FIELDS(rows_of_kind[kind], kind);
        }
    const auto reserve = [&](Array<float>& array, std::size_t size) {
        if (array.size() >= size) return;
        ++counters.allocations;
        array.resize(size + size / 4);
    };
    reserve(sor_rows, words);
    reserve(sor_change, 8 * world.bodies.record.size());
}

rigid::SorView CpuSimulation::Parts::sor_view(std::uint32_t k, std::uint32_t kind) {
    const Bucket& bucket = buckets[k][kind];
    rigid::SorView view{};
    view.position = world.bodies.position.data();
    view.rotation = world.bodies.rotation.data();
    view.motion = world.bodies.motion.data();
    view.change = sor_change.data();
    view.inverse_mass = world.bodies.inverse_mass.data();
    view.limits = joint_limits.data();
    view.record = kind ? reinterpret_cast<float*>(contacts.data()) : joint_records.data();
    view.slots = slots.data() + bucket.first;
    view.rows = sor_rows.data() + sor_first[k][kind];
    if (k == overflow) {
        view.split = split.data();
        view.push = push.data() + std::size_t{bucket.first - buckets[overflow][0].first} * 16;
    }
    return view;
}

void CpuSimulation::Parts::sor_step(float dt) {
    const WorldSettings& settings = world.settings;
    {
        StageTimer timer(*this, WorldStage::prepare);
        begin_step(dt, dt);
        fill_buckets();
        split_overflow();
        place_rows();
    }
    validate(StepPoint::buckets);
    const rigid::SorStep p = sor_constants(settings, dt);

    const auto lanes = static_cast<std::uint32_t>(table.lanes);
    const std::uint32_t awake_items = padded(awake_count);
    std::array<Crew::Split, colour_count + 1> joint_split, contact_split;
    float all_rows = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k) {
        const float of_joints = sweep_work(k, 0, 0), of_contacts = sweep_work(k, 1, 3);
        joint_split[k] = crew.split(of_joints);
        contact_split[k] = crew.split(of_contacts);
        all_rows += of_joints + of_contacts;
    }

    static thread_local std::vector<Stage> kept;
    std::vector<Stage>& plan = kept;
    plan.clear();
    float saves = 0;
    const auto add = [&](Op op, const Crew::Split& how, std::uint32_t k = 0) {
        plan.push_back({op, how.shares, k});
        saves += how.saves;
    };
    add(Op::begin, crew.split(body_work()));
    add(Op::assemble, crew.split(assemble_work * all_rows));
    add(Op::forces, crew.split(body_work()));
    add(Op::init, crew.split(init_work * all_rows));
    const auto has_contacts = [&](std::uint32_t k) {
        return buckets[k][1].items || buckets[k][2].items || buckets[k][3].items;
    };
    for (int iteration = 0; iteration < settings.sor_iterations; ++iteration) {
        for (std::uint32_t k = 0; k < colours_used; ++k)
            if (buckets[k][0].items) add(Op::joints, joint_split[k], k);
        for (std::uint32_t k = 0; k < colours_used; ++k)
            if (has_contacts(k)) add(Op::contacts, contact_split[k], k);
        if (counters.overflow) {
            add(Op::overflow, crew.split(sweep_work(overflow, 0, 3)));
            add(Op::apply, apply_split());
        }
        if (sor_report) add(Op::study, {});
    }
    add(Op::finish, crew.split(store_work * all_rows + 2 * body_work()));
    if (sor_report) *sor_report = {};

    const rigid::BodyView bodies = body_view();
    const auto joints = [&](Op op, std::uint32_t k, int worker, int workers) {
        const std::uint32_t items = buckets[k][0].items;
        const Share s = share(items, lanes, workers - 1 - worker, workers);
        if (s.begin >= s.end) return;
        const rigid::SorView view = sor_view(k, 0);
        (op == Op::assemble ? table.sor_joint_assemble
         : op == Op::init   ? table.sor_joint_init
         : op == Op::finish ? table.sor_joint_store
                            : table.sor_joint_sweep)(s.begin, s.end, &view, &p);
    };
    const auto touching = [&](Op op, std::uint32_t k, int worker, int workers) {
        for (std::uint32_t kind = 3; kind >= 1; --kind) {
            const std::uint32_t items = buckets[k][kind].items;
            // small lists go to different workers
            const Share s = share(items, lanes, kind == 2 ? workers - 1 - worker : worker, workers);
            if (s.begin >= s.end) continue;
            const rigid::SorView view = sor_view(k, kind);
            (op == Op::assemble ? table.sor_contact_assemble
             : op == Op::init   ? table.sor_contact_init
             : op == Op::finish ? table.sor_contact_store
                                : table.sor_contact_sweep)(s.begin, s.end,
                                                           kind == 3 ? 4 : static_cast<int>(kind), &view, &p);
        }
    };
    const auto everywhere = [&](Op op, int worker, int workers) {
        for (std::uint32_t k = 0; k < colours_used; ++k)
            joints(op, k, worker, workers), touching(op, k, worker, workers);
        if (counters.overflow) joints(op, overflow, worker, workers), touching(op, overflow, worker, workers);
    };
    // of a worker's awake bodies
    const auto each_awake = [&](Share s, auto&& visit) {
        for (std::uint32_t k = s.begin; k < std::min(s.end, awake_count); ++k)
            visit(bodies.motion + 16 * std::size_t{awake[k]}, sor_change.data() + 8 * std::size_t{awake[k]});
    };
    const auto run = [&](std::uint32_t number, int worker, int workers) {
        const Stage stage = plan[number];
        const Share s = share(awake_items, lanes, worker, workers);
        switch (stage.op) {
        case Op::begin:
            // V' of everything else is zero, and the mark of what is awake
            each_awake(s, [](float*, float* change) { change[3] = 1; });
            table.body_begin(s.begin, s.end, &bodies, &step);
            break;
        case Op::assemble:
        case Op::init:
            everywhere(stage.op, worker, workers);
            break;
        case Op::forces:
            table.body_velocity(s.begin, s.end, &bodies, &step, true);
            break;
        case Op::joints:
            joints(stage.op, stage.colour, worker, workers);
            break;
        case Op::contacts:
            touching(stage.op, stage.colour, worker, workers);
            break;
        case Op::overflow:
            joints(stage.op, overflow, worker, workers);
            touching(stage.op, overflow, worker, workers);
            break;
        case Op::apply: {
            const Share some = share(static_cast<std::uint32_t>(split_bodies.size()), 1, worker, workers);
            for (std::uint32_t k = some.begin; k < some.end; ++k)
                add_pieces(k, sor_change.data() + 8 * std::size_t{split_bodies[k]});
            break;
        }
        case Op::study:
            study_rows(p.omega);
            break;
        case Op::finish:
            everywhere(Op::finish, worker, workers);
            // u + M^-1 Q dt + V'
            each_awake(s, [](float* motion, float* change) {
                change[3] = 0;
                for (int w = 0; w < 8; ++w) {
                    motion[w] = motion[w] + change[w];
                    change[w] = 0;
                }
            });
            table.body_position(s.begin, s.end, &bodies, &step);
            table.body_finish(s.begin, s.end, &bodies, &step);
            break;
        }
    };
    StageTimer timer(*this, WorldStage::solve);
    crew.program(
        static_cast<std::uint32_t>(plan.size()), run, [&](std::uint32_t stage) { return plan[stage].shares; },
        saves);
}

/// What the rows still want, and whether V' is what their impulses make: by one thread, in double precision.
void CpuSimulation::Parts::study_rows(float omega) {
    const auto lanes = static_cast<std::uint32_t>(table.lanes);
    std::vector<double> sum(sor_change.size());
    double largest = 0, squares = 0;
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind)
            for (std::uint32_t i = 0; i < buckets[k][kind].items; ++i) {
                const Item item(sor_rows.data() + sor_first[k][kind], i, SOR_FIELDS(rows_of_kind[kind], kind),
                                lanes);
                if (item.word(SOR_SLOT) == none) continue;
                for (std::uint32_t r = 0; r < rows_of_kind[kind]; ++r) {
                    const double scale = item.row(r, ROW_SCALE);
                    if (!(scale > 0)) continue; // holds nothing
                    const double x = item.row(r, ROW_IMPULSE), diagonal = omega / scale;
                    double w = item.row(r, ROW_CFM) * x - item.row(r, ROW_RHS);
                    for (std::uint32_t side = 0; side < 2; ++side) {
                        const std::uint32_t body = item.word(side ? SOR_BODY_B : SOR_BODY_A);
                        double j[6];
                        for (std::uint32_t e = 0; e < 6; ++e) j[e] = item.row(r, 6 * side + e);
                        const float* change = &sor_change[8 * std::size_t{body}];
                        double* to = &sum[8 * std::size_t{body}];
                        for (int e = 0; e < 3; ++e) w += j[e] * change[e] + j[3 + e] * change[4 + e];
                        const double mass = item.head(side ? SOR_MASS_B : SOR_MASS_A);
                        double t[6]; // xx yy zz xy xz yz
                        for (std::uint32_t e = 0; e < 6; ++e)
                            t[e] = item.head((side ? SOR_INERTIA_B : SOR_INERTIA_A) + e);
                        for (int e = 0; e < 3; ++e) to[e] += mass * j[e] * x;
                        to[4] += (t[0] * j[3] + t[3] * j[4] + t[4] * j[5]) * x;
                        to[5] += (t[3] * j[3] + t[1] * j[4] + t[5] * j[5]) * x;
                        to[6] += (t[4] * j[3] + t[5] * j[4] + t[2] * j[5]) * x;
                    }
                    const double low = item.row(r, ROW_LOW), high = item.row(r, ROW_HIGH);
                    double wish = std::min(std::max(x - w / diagonal, low), high);
                    if (!kind && item.word(SOR_ROWS) >> (ROWS_BOUNDED + r) & 1) {
                        // the drive's wish, and what keeps the row in its range
                        const double still = w + item.row(r, ROW_RHS) - item.row(r, ROW_CFM) * x;
                        const auto end = [&](std::uint32_t f) {
                            return x + item.limit(r, LIMIT_SCALE) *
                                           (item.limit(r, f) - item.limit(r, LIMIT_CFM) * x - still) / omega;
                        };
                        wish = std::min(std::max(wish, end(LIMIT_LOW)), end(LIMIT_HIGH));
                    }
                    const double violation = std::abs(wish - x) * diagonal;
                    largest = std::max(largest, violation);
                    squares += violation * violation;
                    ++count;
                }
            }
    sor_report->rows = count;
    sor_report->residual.push_back(static_cast<float>(largest));
    sor_report->mean_residual.push_back(static_cast<float>(std::sqrt(squares / std::max(count, 1u))));
    double most = 0, off = 0;
    for (std::uint32_t a = 0; a < awake_count; ++a)
        for (const int w : {0, 1, 2, 4, 5, 6}) {
            const std::size_t at = 8 * std::size_t{awake[a]} + static_cast<std::size_t>(w);
            most = std::max(most, std::abs(double{sor_change[at]}));
            off = std::max(off, std::abs(sor_change[at] - sum[at]));
        }
    sor_report->round_off = most > 0 ? off / most : 0;
}

} // namespace scree
