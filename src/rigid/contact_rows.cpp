// SPDX-License-Identifier: MIT
// contact_rows.cpp — see contact_rows.h.

#include "rigid/contact_rows.h"

#include "geometry/mass.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace scree {

namespace {

DVec3 scaled(const DVec3& diagonal, const DVec3& v) {
    return {diagonal.x * v.x, diagonal.y * v.y, diagonal.z * v.z};
}

DVec3 across(const DVec3& n) {
    return normalized(cross(n, std::abs(n.x) < 0.5 ? DVec3{1, 0, 0} : DVec3{0, 1, 0}));
}

void prepare(std::span<const PushedBody> bodies, ContactRow& row) {
    const PushedBody &a = bodies[row.a], &b = bodies[row.b];
    const auto along = [&](const DVec3& d) { return a.response(d, row.point) + b.response(d, row.point); };
    row.normal_response = along(row.normal);
    // the sum of both is at least the largest in the plane: steps that are too short converge, too long ones need not
    const DVec3 t = across(row.normal);
    row.tangent_response = along(t) + along(cross(row.normal, t));
}

void push(std::span<PushedBody> bodies, const ContactRow& row, const DVec3& impulse) {
    bodies[row.b].push(impulse, row.point);
    bodies[row.a].push(-impulse, row.point);
}

double solve_row(std::span<PushedBody> bodies, ContactRow& row, bool friction) {
    if (!(row.normal_response > 0)) return 0;
    const double speed = dot(relative_speed(bodies, row), row.normal);
    const double impulse = std::max(0.0, row.impulse + (row.target - speed) / row.normal_response);
    const double added = impulse - row.impulse;
    row.impulse = impulse;
    push(bodies, row, row.normal * added);
    double change = std::abs(added) * row.normal_response;
    if (!friction || !(row.friction > 0)) return change;
    const DVec3 all = relative_speed(bodies, row), slip = all - row.normal * dot(all, row.normal);
    DVec3 held = row.friction_impulse - slip / row.tangent_response;
    const double most = row.friction * row.impulse, size = length(held);
    if (size > most) held = size > 0 ? held * (most / size) : DVec3{};
    const DVec3 more = held - row.friction_impulse;
    row.friction_impulse = held;
    push(bodies, row, more);
    return std::max(change, length(more) * row.tangent_response);
}

/// What the impulses of rows add to the energy, when `before` were the speeds at their points.
double energy_gain(std::span<const PushedBody> after, std::span<const ContactRow> rows,
                   std::span<const DVec3> before) {
    double gain = 0;
    for (std::size_t k = 0; k < rows.size(); ++k)
        gain += 0.5 * dot(rows[k].normal * rows[k].impulse + rows[k].friction_impulse,
                          before[k] + relative_speed(after, rows[k]));
    return gain;
}

/// As many as a manifold has points, and more if there are more: two bodies meet all the time, which is no matter for the heap.
template <class T>
class Few {
public:
    explicit Few(std::size_t count) : size_(count), more_(count > most ? count : 0) {}
    template <class From>
    Few(From first, From last) : Few(static_cast<std::size_t>(last - first)) {
        std::copy(first, last, begin());
    }
    T* begin() { return size_ > most ? more_.data() : few_.data(); }
    const T* begin() const { return size_ > most ? more_.data() : few_.data(); }
    T* end() { return begin() + size_; }
    const T* end() const { return begin() + size_; }
    std::size_t size() const { return size_; }
    /// (em++ 3.1.6 makes no span of a container of one's own.)
    std::span<T> all() { return {begin(), size_}; }
    std::span<const T> all() const { return {begin(), size_}; }
    T& operator[](std::size_t k) { return begin()[k]; }
    const T& operator[](std::size_t k) const { return begin()[k]; }

private:
    static constexpr std::size_t most = 4;
    std::size_t size_;
    std::array<T, most> few_{};
    std::vector<T> more_;
};

/// Two answers to the same impact.
struct Answer {
    std::array<PushedBody, 2> bodies;
    Few<ContactRow> rows;
};
Answer mixed(const Answer& a, const Answer& b, double share) {
    Answer out = a;
    for (std::size_t k = 0; k < 2; ++k) {
        out.bodies[k].velocity += (b.bodies[k].velocity - a.bodies[k].velocity) * share;
        out.bodies[k].spin += (b.bodies[k].spin - a.bodies[k].spin) * share;
    }
    for (std::size_t k = 0; k < a.rows.size(); ++k) {
        out.rows[k].impulse += (b.rows[k].impulse - a.rows[k].impulse) * share;
        out.rows[k].friction_impulse += (b.rows[k].friction_impulse - a.rows[k].friction_impulse) * share;
    }
    return out;
}
/// As much of `wish` as adds no more energy than `least` does. Both push only and keep friction's limit; so does what lies between.
Answer within_energy(const Answer& least, const Answer& wish, std::span<const DVec3> before) {
    const double at0 = energy_gain(least.bodies, least.rows.all(), before);
    const double limit = std::max(at0, 0.0);
    const double at1 = energy_gain(wish.bodies, wish.rows.all(), before);
    if (at1 <= limit) return wish;
    const Answer half = mixed(least, wish, 0.5);
    const double at_half = energy_gain(half.bodies, half.rows.all(), before);
    // at0 + p s + q s², which is at most the limit at 0 and above it at 1
    const double q = 2 * (at1 - 2 * at_half + at0), p = (at1 - at0) - q, room = limit - at0;
    const double root = std::sqrt(std::max(0.0, p * p + 4 * q * room));
    const double share = p > 0 ? 2 * room / (p + root) : q > 0 ? (root - p) / (2 * q) : 0;
    return mixed(least, wish, std::clamp(share, 0.0, 1.0));
}

} // namespace

void PushedBody::push(const DVec3& impulse, const DVec3& point) {
    velocity += scaled(inverse_mass, impulse);
    spin += times(inverse_inertia, cross(point - centre, impulse));
}

double PushedBody::response(const DVec3& n, const DVec3& point) const {
    const DVec3 turn = cross(point - centre, n);
    return dot(n, scaled(inverse_mass, n)) + dot(turn, times(inverse_inertia, turn));
}

namespace {

/// What two sweeps, there and back, changed, and a search direction made of it: nonsmooth nonlinear conjugate gradients (Silcowitz and others 2010).
/// Gauss-Seidel alone needs thousands of sweeps for a tower that sways; a step along the direction goes where sweeps are heading.
class Direction {
public:
    Direction(std::size_t rows, StepArena* memory) : before_(rows, memory), way_(rows, memory) {}
    void begin(std::span<const ContactRow> rows) {
        for (std::size_t k = 0; k < rows.size(); ++k)
            before_[k] = {rows[k].impulse, rows[k].friction_impulse};
    }
    /// After a sweep: goes on as before, if that does not lead away.
    void follow(std::span<PushedBody> bodies, std::span<ContactRow> rows) {
        double square = 0;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            before_[k] = {rows[k].impulse - before_[k].normal,
                          rows[k].friction_impulse - before_[k].friction};
            square += before_[k].normal * before_[k].normal + dot(before_[k].friction, before_[k].friction);
        }
        const double share = square_ > 0 && square <= square_ ? square / square_ : 0;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (share > 0) go(bodies, rows[k], way_[k], share);
            way_[k] = {share * way_[k].normal + before_[k].normal,
                       way_[k].friction * share + before_[k].friction};
        }
        square_ = square;
    }

private:
    struct Impulse {
        double normal = 0;
        DVec3 friction{};
    };
    static void go(std::span<PushedBody> bodies, ContactRow& row, const Impulse& way, double share) {
        const double normal = std::max(0.0, row.impulse + share * way.normal);
        DVec3 friction = row.friction_impulse + way.friction * share;
        const double most = row.friction * normal, size = length(friction);
        if (size > most) friction = friction * (most / size);
        push(bodies, row, row.normal * (normal - row.impulse) + (friction - row.friction_impulse));
        row.impulse = normal, row.friction_impulse = friction;
    }
    ArenaVector<Impulse> before_, way_;
    double square_ = 0;
};

} // namespace

RowsReport solve_rows(std::span<PushedBody> bodies, std::span<ContactRow> rows, bool friction, int most,
                      double tolerance, bool many, StepArena* memory) {
    for (ContactRow& row : rows) prepare(bodies, row);
    RowsReport report;
    Direction direction(many ? rows.size() : 0, memory);
    while (report.sweeps < most) {
        report.change = 0;
        const bool back = (report.sweeps++ & 1) != 0;
        if (many && !back) direction.begin(rows);
        for (std::size_t k = 0; k < rows.size(); ++k)
            report.change =
                std::max(report.change, solve_row(bodies, rows[back ? rows.size() - 1 - k : k], friction));
        if (!(report.change > tolerance)) break;
        if (many && back && report.sweeps < most) direction.follow(bodies, rows);
    }
    return report;
}

namespace {

constexpr std::size_t most_exact = 4; // points of a manifold

/// Rows that push at given speeds: impulses by Cholesky's decomposition. False where the rows depend on each other.
bool solve_pushing(const double (&response)[most_exact][most_exact], const double (&missing)[most_exact],
                   unsigned pushing, double (&impulse)[most_exact]) {
    std::size_t row[most_exact], n = 0;
    for (std::size_t k = 0; k < most_exact; ++k) {
        impulse[k] = 0;
        if (pushing >> k & 1) row[n++] = k;
    }
    double factor[most_exact][most_exact], way[most_exact];
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = response[row[i]][row[j]];
            for (std::size_t k = 0; k < j; ++k) sum -= factor[i][k] * factor[j][k];
            if (i > j) factor[i][j] = sum / factor[j][j];
            else if (!(sum > 1e-12 * response[row[i]][row[i]])) return false;
            else factor[i][i] = std::sqrt(sum);
        }
        double sum = missing[row[i]];
        for (std::size_t k = 0; k < i; ++k) sum -= factor[i][k] * way[k];
        way[i] = sum / factor[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) way[i] -= factor[k][i] * way[k];
        impulse[row[i]] = way[i] /= factor[i][i];
    }
    return true;
}

/// Where sweeps did not settle, as with points close together: each choice of rows that push is tried, and the one kept that comes
/// closest to pushes alone and speeds of at least the targets. Normals of two bodies depend on each other from four on.
void solve_exactly(std::span<PushedBody, 2> bodies, std::span<ContactRow> rows) {
    double response[most_exact][most_exact]{}, missing[most_exact]{}, best[most_exact]{}, impulse[most_exact];
    for (std::size_t j = 0; j < rows.size(); ++j) {
        std::array<PushedBody, 2> pushed{bodies[0], bodies[1]};
        for (PushedBody& body : pushed) body.velocity = body.spin = {};
        push(pushed, rows[j], rows[j].normal);
        for (std::size_t i = 0; i < rows.size(); ++i)
            response[i][j] = dot(relative_speed(pushed, rows[i]) - rows[i].belt, rows[i].normal);
        missing[j] = rows[j].target - dot(relative_speed(bodies, rows[j]), rows[j].normal);
    }
    double least = std::numeric_limits<double>::infinity();
    for (unsigned pushing = 0; pushing < 1u << rows.size(); ++pushing) {
        if (!solve_pushing(response, missing, pushing, impulse)) continue;
        double wrong = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double left = missing[i];
            for (std::size_t j = 0; j < rows.size(); ++j) left -= response[i][j] * impulse[j];
            wrong = std::max({wrong, left, -impulse[i] * response[i][i]});
        }
        if (!(wrong < least)) continue;
        least = wrong;
        std::copy(std::begin(impulse), std::end(impulse), std::begin(best));
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].impulse = std::max(0.0, best[k]);
        push(bodies, rows[k], rows[k].normal * rows[k].impulse);
    }
}

/// Without friction.
void part(Answer& answer, int most_sweeps, double tolerance) {
    const Answer begin = answer;
    const RowsReport report = solve_rows(answer.bodies, answer.rows.all(), false, most_sweeps, tolerance);
    if (!(report.change > tolerance) || begin.rows.size() > most_exact) return;
    answer = begin;
    solve_exactly(answer.bodies, answer.rows.all());
}

} // namespace

ImpactAnswer answer_impact(std::span<PushedBody, 2> bodies, std::span<ContactRow> rows, double restitution) {
    constexpr int most_sweeps = 300;
    ImpactAnswer out;
    Few<DVec3> before(rows.size());
    bool rubs = false;
    double scale = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        before[k] = relative_speed(bodies, rows[k]);
        scale = std::max(scale, length(before[k]));
        out.approach = std::max(out.approach, -dot(before[k], rows[k].normal));
        rubs = rubs || rows[k].friction > 0;
    }
    const double tolerance = 1e-12 * scale;
    Answer plastic{{bodies[0], bodies[1]}, {rows.begin(), rows.end()}};
    Answer bounced = plastic;
    part(plastic, most_sweeps, tolerance);
    Answer best = plastic;
    if (restitution > 0) {
        for (std::size_t k = 0; k < rows.size(); ++k)
            bounced.rows[k].target = std::max(rows[k].target, -restitution * dot(before[k], rows[k].normal));
        part(bounced, most_sweeps, tolerance);
        best = within_energy(plastic, bounced, before.all());
    }
    if (rubs) {
        Answer held = best;
        for (std::size_t k = 0; k < rows.size(); ++k) // what the impulses so far achieved is kept
            held.rows[k].target =
                std::max(rows[k].target,
                         std::min(restitution > 0 ? bounced.rows[k].target : rows[k].target,
                                  dot(relative_speed(best.bodies, best.rows[k]), best.rows[k].normal)));
        solve_rows(held.bodies, held.rows.all(), true, most_sweeps, tolerance);
        best = within_energy(best, held, before.all());
    }
    for (std::size_t k = 0; k < 2; ++k) {
        bodies[k].velocity = best.bodies[k].velocity;
        bodies[k].spin = best.bodies[k].spin;
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].impulse = best.rows[k].impulse;
        rows[k].friction_impulse = best.rows[k].friction_impulse;
        out.impulse += rows[k].impulse;
    }
    return out;
}

} // namespace scree
