// SPDX-License-Identifier: MIT
// sor.cpp — rows of the projected SOR on the CPU: where they are, and how well they converge. Impulses start at zero in every
// step, as in Peres 2008.

#include "rigid/sor.h"

#include "rigid/parts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {

namespace {

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
            words += std::size_t{buckets[k][kind].items} * rigid::words_of_kind(kind, true);
        }
    const auto reserve = [&](Array<float>& array, std::size_t size) {
        if (array.size() >= size) return;
        ++counters.allocations;
        array.resize(size + size / 4);
    };
    reserve(sor_rows, words);
    reserve(sor_change, 8 * world.bodies.record.size());
    if (world.settings.sor_tolerance > 0)
        reserve(row_asked, buckets[overflow][3].first + buckets[overflow][3].items);
    if (in_groups()) share_groups();
}

void CpuSimulation::Parts::share_groups() {
    const std::uint32_t before = buckets[overflow][0].first;
    groups.vary = sor.vary;
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        groups.push[kind] = buckets[overflow][kind].first - before;
        groups.first[kind + 1] = groups.first[kind] + buckets[overflow][kind].items;
    }
    const std::uint32_t items = groups.first[4];
    groups.groups = rigid::group_count(items, sor.groups);
    pieces.resize(2 * std::size_t{items});
    for (std::uint32_t i = 0; i < items; ++i) pieces[i] = 2 * i, pieces[items + i] = 2 * i + 1;
    for (std::size_t k = 0; k < split_bodies.size(); ++k) {
        const std::uint32_t first = split_first[k], end = split_first[k + 1];
        for (std::uint32_t e = first; e < end; ++e) {
            const std::uint32_t part = split_parts[e];
            pieces[(part & 1) * items + part / 2] =
                rigid::piece_of_part(&groups, split_parts.data(), first, e);
        }
        split[split_bodies[k]] =
            static_cast<float>(rigid::pieces_in_groups(&groups, split_parts.data(), first, end));
    }
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        rigid::SorView& view = group_views.of[kind] = sor_view(overflow, kind);
        view.pool = push.data();
        view.piece_a = pieces.data() + groups.push[kind];
        view.piece_b = pieces.data() + items + groups.push[kind];
    }
}

/// For rigid::group_sweep, which finds it by the type of the views.
static const rigid::SorView& group_view(const GroupViews& views, std::uint32_t kind) {
    return views.of[kind];
}

void CpuSimulation::Parts::sweep_groups(std::uint32_t round, int worker, int workers) {
    const Share mine = share(groups.groups, 1, worker, workers);
    for (std::uint32_t g = mine.begin; g < mine.end; ++g) rigid::group_sweep(g, round, &groups, group_views);
}

/// Whether the iteration was the last.
void CpuSimulation::Parts::check_rows() {
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (const Bucket& bucket : buckets[k])
            for (std::uint32_t i = bucket.first; i < bucket.first + bucket.items; ++i)
                if (slots[i] != none) most = std::max(most, std::bit_cast<std::uint32_t>(row_asked[i]));
    sor_converged = rigid::sor_converged(most, sor.tolerance);
    ++counters.iterations;
}

rigid::SorView CpuSimulation::Parts::sor_view(std::uint32_t k, std::uint32_t kind) {
    const Bucket& bucket = buckets[k][kind];
    auto view = view_of_bodies<rigid::SorView>();
    view.change = sor_change.data();
    view.limits = joint_limits.data();
    view.record = kind ? reinterpret_cast<float*>(contacts.data()) : joint_records.data();
    view.slots = slots.data() + bucket.first;
    view.rows = sor_rows.data() + sor_first[k][kind];
    view.asked = sor.tolerance > 0 ? row_asked.data() + bucket.first : nullptr;
    view.apart = sor.apart;
    if (k == overflow) {
        view.split = split.data();
        view.push = push.data() + std::size_t{bucket.first - buckets[overflow][0].first} * 16;
    }
    return view;
}

/// The residual of the rows, and the error of V' against their impulses: on one thread, in double precision.
void CpuSimulation::Parts::study_rows(float omega) {
    const std::uint32_t lanes = solver_lanes();
    std::vector<double> sum(sor_change.size());
    double largest = 0, squares = 0;
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind)
            for (std::uint32_t i = 0, rows = rigid::rows_of_kind(kind); i < buckets[k][kind].items; ++i) {
                const Item item(sor_rows.data() + sor_first[k][kind], i, rigid::words_of_kind(kind, true),
                                lanes);
                if (item.word(SOR_SLOT) == none) continue;
                for (std::uint32_t r = 0; r < rows; ++r) {
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
