// SPDX-License-Identifier: MIT
// impact_judge.cpp — see impact_judge.h.

#include "impact_judge.h"

#include "collision/exact_impact.h"
#include "collision/time_of_impact.h"
#include "geometry/hull.h"
#include "geometry/mass.h"
#include "rigid/free_rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <random>

namespace scree::bench {

namespace {

constexpr std::array<const char*, 7> kinds{"sphere", "capsule", "box", "cylinder", "cone", "hull", "plane"};
constexpr std::size_t plane_kind = 6;

/// The same numbers with every standard library.
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    DVec3 in_ball(double radius) {
        for (;;) {
            const DVec3 p{between(-1, 1), between(-1, 1), between(-1, 1)};
            if (dot(p, p) <= 1 && dot(p, p) > 1e-6) return p * radius;
        }
    }
    DQuat rotation() {
        for (;;) {
            const DQuat q{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
            const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.s * q.s;
            if (square <= 1 && square > 0.01) return normalized(q);
        }
    }
    Geometry shape(std::size_t kind) {
        const auto size = [&] { return static_cast<float>(between(0.1, 0.5)); };
        switch (kind) {
        case 0:
            return Sphere{size()};
        case 1:
            return Capsule{size(), size()};
        case 2:
            return Box{size(), size(), size()};
        case 3:
            return Cylinder{size(), size()};
        case 4:
            return Cone{size(), size()};
        case 5: {
            std::vector<Vec3> points;
            for (int k = 0; k < 12; ++k) {
                const DVec3 way = normalized(in_ball(1)); // before its length, with every compiler
                points.push_back(narrow(way * double{size()}));
            }
            return Hull::from_points(points);
        }
        default:
            return Plane{};
        }
    }

private:
    std::mt19937_64 engine_;
};

/// With the words of its hull, if it is one.
struct Form {
    ConvexGeometry geometry;
    std::vector<std::uint32_t> words;
};
Form form_of(const Geometry& shape) {
    Form form;
    ConvexGeometry& g = form.geometry;
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
        g = {ShapeType::sphere, {}, sphere->radius, nullptr};
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
        g = {ShapeType::capsule, {0, capsule->half_height, 0}, capsule->radius, nullptr};
    } else if (const auto* box = std::get_if<Box>(&shape)) {
        g = {ShapeType::box, {box->x, box->y, box->z}, 0, nullptr};
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        g = {ShapeType::cylinder, {0, cylinder->half_height, 0}, cylinder->radius, nullptr};
    } else if (const auto* cone = std::get_if<Cone>(&shape)) {
        g = {ShapeType::cone, {0, cone->half_height, 0}, cone->radius, nullptr};
    } else if (const auto* hull = std::get_if<Hull>(&shape)) {
        form.words = hull_words(hull->geometry());
        g = {ShapeType::hull, {}, 0, form.words.data()};
    } else {
        g.type = ShapeType::plane;
    }
    return form;
}

MovingConvex random_flight(Random& random, const ConvexGeometry& shape, bool flies) {
    MovingConvex m;
    m.shape = shape;
    m.rotation = random.rotation();
    if (!flies) return m;
    m.centre = normalized(random.in_ball(1)) * random.between(1.5, 4);
    // towards the other, mostly, and some of them turn fast
    m.velocity = (random.in_ball(0.7) - m.centre) * random.between(0.5, 4);
    m.spin = random.in_ball(random.between(0, 1) < 0.2 ? 60 : 6);
    m.acceleration = random.between(0, 1) < 0.5 ? DVec3{0, -9.81, 0} : DVec3{};
    m.arm = random.between(0, 1) < 0.3 ? random.in_ball(0.3) : DVec3{};
    m.own = random.rotation();
    return m;
}

double distance_at(const MovingConvex& a, const MovingConvex& b, double time) {
    return gap_between(a.shape, pose_at(a, time), b.shape, pose_at(b, time)).distance;
}

/// GJK's distance is that of two planes which part the shapes: a bound from below. Where rims of cylinders and cones meet flat
/// sides, rounding ends its search early in one frame and not in another: the greatest of several is the best.
double best_distance_at(const MovingConvex& a, const MovingConvex& b, double time) {
    Random random(1);
    const DPose at_a = pose_at(a, time), at_b = pose_at(b, time);
    double best = -INFINITY;
    for (int k = 0; k < 32; ++k) {
        const DQuat q = random.rotation();
        const auto turned = [&](const DPose& at) {
            return DPose{rotate(q, at.position), normalized(q * at.rotation)};
        };
        best = std::max(best, k % 2 ? gap_between(b.shape, turned(at_b), a.shape, turned(at_a)).distance
                                    : gap_between(a.shape, turned(at_a), b.shape, turned(at_b)).distance);
    }
    return best;
}

void check_time(const MovingConvex& a, const MovingConvex& b, std::uint32_t samples, TimeCheck& row) {
    constexpr double tolerance = 1e-4, horizon = 1, rounding = 1e-9;
    constexpr double gjk_error =
        1e-6; // by which first_impact's distances may be too small: see best_distance_at
    constexpr int most = 100000;
    if (!(distance_at(a, b, 0) > tolerance)) return;
    const FirstImpact hit = first_impact(a, b, tolerance, horizon, most);
    ++row.pairs;
    row.met += hit.found;
    row.distances += hit.measured;
    row.starved += hit.measured >= most;
    double closest = INFINITY;
    const auto look = [&](double time) {
        double distance = distance_at(a, b, time);
        if (distance < 0.5 * tolerance - rounding)
            distance = std::max(distance, best_distance_at(a, b, time));
        closest = std::min(closest, distance);
    };
    for (std::uint32_t k = 0; k < samples; ++k) look(hit.time * k / samples);
    // a bound that is a little too long ends a little too late: the last samples are close to the time, and at it
    for (int k = 1; k <= 30; ++k) look(hit.time * (1 - std::ldexp(1.0, -k)));
    look(hit.time);
    row.closest = std::min(row.closest, closest / tolerance);
    row.late += closest < 0.5 * tolerance - rounding;
    if (!hit.found) return;
    const double farthest = distance_at(a, b, hit.time);
    row.farthest = std::max(row.farthest, farthest / tolerance);
    row.early += farthest > tolerance + gjk_error;
}

// the oracle --------------------------------------------------------------------------------------------------------------

struct Motion {
    DVec3 velocity, spin;
    DQuat rotation{};
};

struct Duel {
    World world;
    BodyId body[2];
    explicit Duel(Solver solver)
        : world({.gravity = {},
                 .solver = solver,
                 .restitution_threshold = 0,
                 .hit_speed = 0,
                 .sleeping = false}) {}
    Motion motion(int which) const { return motion_of(state(which)); }
    BodyState state(int which) const { return world.state(body[which]); }
    static Motion motion_of(const BodyState& state) {
        return {state.velocity, state.angular_velocity, normalized(wide(state.rotation))};
    }
    /// The motion a while after that state, or before it (negative), if nothing touched the body meanwhile: spins change in flight.
    Motion motion_from(const BodyState& state, int which, double seconds) const {
        Motion out = motion_of(state);
        const double sign = seconds < 0 ? -1 : 1, time = std::abs(seconds);
        const FreeRotation turn(turning_mass(world.mass(body[which])), out.rotation, out.spin * sign, time);
        if (turn.changes()) {
            out.rotation = turn.rotation_at(time);
            out.spin = turn.spin_in(out.rotation) * sign;
        } else out.rotation = normalized(turn_in(out.spin, seconds) * out.rotation);
        return out;
    }
    /// Parting over approach where the impulses of an impact act, weighed by them: of both motions, without the points.
    double bounce(const Motion (&before)[2], const Motion (&after)[2]) const {
        double approach = 0, parting = 0;
        for (int k = 0; k < 2; ++k) {
            const MassProperties mass = world.mass(body[k]);
            const DQuat& q = before[k].rotation;
            const DVec3 impulse = (after[k].velocity - before[k].velocity) * double{mass.mass};
            const DVec3 twist = rotate(
                q, times(turning_mass(mass).inertia, rotate(conjugate(q), after[k].spin - before[k].spin)));
            approach -= dot(impulse, before[k].velocity) + dot(twist, before[k].spin);
            parting += dot(impulse, after[k].velocity) + dot(twist, after[k].spin);
        }
        return parting / approach;
    }
    double energy() const { return world.measure().kinetic_energy; }
};

double half_of(std::vector<double>& values, double share) {
    if (values.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

struct Collected {
    std::vector<double> differences, bounces;
    OracleSide side() {
        return {half_of(differences, 0.5), half_of(differences, 0.95), half_of(bounces, 0.5)};
    }
};
constexpr Solver judged[] = {Solver::soft_step, Solver::sor};

/// Two shapes that fly at each other. Counts them as impacts, or why they are none to compare.
void compare_one(Random& random, std::size_t first, std::size_t second, OracleRow& row, Collected (&out)[2]) {
    constexpr float dt = 1 / 240.0f;
    constexpr double least_judged = 0.01; // m/s: states are told in floats
    const Geometry shapes[2] = {random.shape(first), random.shape(second)};
    const Quat turn[2] = {narrow(random.rotation()), narrow(random.rotation())};
    const DVec3 side = normalized(random.in_ball(1));
    const DVec3 aim = random.in_ball(0.2);
    const Vec3 spin[2] = {narrow(random.in_ball(3)), narrow(random.in_ball(3))};
    const double speed = random.between(2, 5);
    Duel duels[3] = {Duel(Solver::impact), Duel(judged[0]), Duel(judged[1])};
    for (Duel& duel : duels)
        for (int k = 0; k < 2; ++k) {
            BodyDef body;
            body.position = k ? side * 1.6 + aim : DVec3{};
            body.rotation = turn[k];
            body.velocity = k ? narrow(side * -speed) : Vec3{};
            body.angular_velocity = spin[k];
            ShapeDef shape;
            shape.material.restitution = static_cast<float>(row.restitution);
            shape.material.friction = static_cast<float>(row.friction);
            shape.hit_events = true;
            duel.body[k] = duel.world.create_body(body);
            duel.world.attach(duel.body[k], shapes[k], shape);
        }
    if (deepest(duels[0].world) > 0) { // contacts are known after a step alone
        ++row.overlapping;
        return;
    }
    // the first impact, and its step
    BodyState began[2];
    WorldMeasure measured;
    std::vector<HitEvent> hits;
    int steps = 0;
    for (; hits.empty() && steps < 240; ++steps) {
        for (int k = 0; k < 2; ++k) began[k] = duels[0].state(k);
        measured = duels[0].world.measure();
        duels[0].world.step(dt);
        hits = duels[0].world.events().hits;
    }
    if (hits.size() != 1) {
        ++(hits.empty() ? row.missed : row.repeated);
        return;
    }
    const double until = double{hits[0].time}, since = double{dt} - until;
    Motion before[2], after[2];
    std::array<DVec3, 2> centre; // they fly straight
    for (int k = 0; k < 2; ++k) {
        before[k] = duels[0].motion_from(began[k], k, until);
        after[k] = duels[0].motion_from(duels[0].state(k), k, -since);
        centre[static_cast<std::size_t>(k)] = wide(duels[0].state(k).centre) - after[k].velocity * since;
    }
    const WorldMeasure now = duels[0].world.measure();
    const DVec3 n = hits[0].normal;
    // contacts of the others act when they are near enough, and some of the answer comes a step later
    for (int k = 0; k < steps + 2; ++k)
        for (const std::size_t other : {1, 2}) duels[other].world.step(dt);
    for (int k = 0; k < 2; ++k) {
        duels[0].world.step(dt);
        if (!duels[0].world.events().hits.empty()) {
            ++row.repeated;
            return;
        }
    }
    const Motion others[2][2] = {{duels[1].motion(0), duels[1].motion(1)},
                                 {duels[2].motion(0), duels[2].motion(1)}};
    for (const Motion(&other)[2] : others)
        if (length(other[0].velocity - before[0].velocity) == 0) { // missed by a hair
            ++row.unanswered;
            return;
        }
    ++row.impacts;
    const double change = length(after[0].velocity - before[0].velocity);
    const auto parting = [&](const Motion(&m)[2]) {
        const auto at = [&](int k) {
            return m[k].velocity +
                   cross(m[k].spin, wide(hits[0].point) - centre[static_cast<std::size_t>(k)]);
        };
        return dot(at(1) - at(0), n);
    };
    const double approach = -parting(before); // at this point; others may be faster
    for (std::size_t k = 0; k < 2; ++k) {
        out[k].differences.push_back(length(others[k][0].velocity - after[0].velocity) / change);
        out[k].bounces.push_back(parting(others[k]) / approach);
    }
    if (!(row.friction > 0) && approach > least_judged) {
        const double more = parting(after) / approach - row.restitution;
        row.bounce_error =
            std::max(row.bounce_error, std::abs(duels[0].bounce(before, after) - row.restitution));
        row.told_slower = std::max(row.told_slower, -more);
        row.told_faster = std::max(row.told_faster, more);
    }
    row.energy_gain =
        std::max(row.energy_gain, (now.kinetic_energy - measured.kinetic_energy) / measured.kinetic_energy);
    row.momentum_error = std::max(row.momentum_error, length(wide(now.momentum) - wide(measured.momentum)) /
                                                          length(wide(measured.momentum)));
}

} // namespace

std::vector<TimeCheck> check_impact_times(std::uint32_t seed, std::uint32_t count, std::uint32_t samples) {
    std::vector<TimeCheck> rows;
    for (std::size_t first = 0; first < plane_kind; ++first)
        for (std::size_t second = first; second < kinds.size(); ++second) {
            Random random(seed + static_cast<std::uint32_t>(rows.size()));
            TimeCheck row{.first = kinds[first], .second = kinds[second]};
            // those that overlap at the beginning do not count
            for (std::uint32_t k = 0; row.pairs < count; ++k) {
                const Form a = form_of(random.shape(first)), b = form_of(random.shape(second));
                const MovingConvex moving = random_flight(random, a.geometry, true);
                MovingConvex other = random_flight(random, b.geometry, false);
                if (second == plane_kind) other.centre = rotate(other.rotation, DVec3{0, -1, 0});
                else if (k % 2) {
                    other.spin = random.in_ball(6);
                    other.velocity = random.in_ball(1);
                }
                check_time(moving, other, samples, row);
            }
            if (row.pairs) row.distances /= static_cast<double>(row.pairs);
            rows.push_back(row);
        }
    return rows;
}

std::vector<ExactCheck> check_exact_times(std::uint32_t seed, std::uint32_t count, double tolerance) {
    constexpr std::size_t box = 2, hull = 5;
    constexpr std::pair<std::size_t, std::size_t> pairs[] = {
        {box, box}, {box, hull}, {box, plane_kind}, {hull, hull}, {hull, plane_kind}};
    std::vector<ExactCheck> rows;
    for (const auto& [first, second] : pairs) {
        Random random(seed + static_cast<std::uint32_t>(rows.size()));
        ExactCheck row{.first = kinds[first], .second = kinds[second]};
        std::vector<double> ahead;
        std::clock_t exact_time = 0, below_time = 0;
        for (std::uint32_t k = 0; row.pairs < count; ++k) {
            const Form form_a = form_of(random.shape(first)), form_b = form_of(random.shape(second));
            const MovingConvex a = random_flight(random, form_a.geometry, true);
            MovingConvex b = random_flight(random, form_b.geometry, false);
            if (second == plane_kind) b.centre = rotate(b.rotation, DVec3{0, -1, 0});
            else if (k % 2) b.spin = random.in_ball(6), b.velocity = random.in_ball(1);
            if (!(distance_at(a, b, 0) > tolerance)) continue;
            const std::clock_t begin = std::clock();
            const ExactImpact exact = exact_impact(a, b, 1, 1e-12, 100'000);
            const std::clock_t between = std::clock();
            const FirstImpact below = first_impact(a, b, tolerance, 1, 100'000);
            exact_time += between - begin, below_time += std::clock() - between;
            ++row.pairs;
            row.met += exact.found, row.gave_up += exact.gave_up;
            row.intervals += exact.intervals;
            row.grazed += below.found && !exact.found;
            if (!exact.found) continue;
            row.late += !below.found || below.time > exact.time + 1e-11;
            row.gap = std::max(row.gap, std::abs(distance_at(a, b, exact.time)));
            ahead.push_back(exact.time - below.time);
        }
        row.ahead = half_of(ahead, 0.5), row.most_ahead = half_of(ahead, 1);
        const auto each = static_cast<double>(row.pairs);
        row.intervals /= each;
        row.exact_us = 1e6 * static_cast<double>(exact_time) / CLOCKS_PER_SEC / each;
        row.below_us = 1e6 * static_cast<double>(below_time) / CLOCKS_PER_SEC / each;
        rows.push_back(row);
    }
    return rows;
}

double deepest(const World& world) {
    struct Placed {
        Form form;
        DPose pose;
        BodyId body;
    };
    std::vector<Placed> placed;
    for (const BodyId body : world.bodies()) {
        const DPose pose{world.position(body), normalized(wide(world.state(body).rotation))};
        for (const ShapeId shape : world.shapes(body)) {
            const ShapeDef own = world.definition(shape);
            placed.push_back(
                {form_of(world.geometry(shape)), pose * DPose{wide(own.position), wide(own.rotation)}, body});
        }
    }
    double most = -INFINITY;
    for (std::size_t a = 0; a < placed.size(); ++a)
        for (std::size_t b = a + 1; b < placed.size(); ++b) {
            if (placed[a].body == placed[b].body) continue;
            if (world.type(placed[a].body) != BodyType::dynamic &&
                world.type(placed[b].body) != BodyType::dynamic)
                continue;
            most = std::max(most, -gap_between(placed[a].form.geometry, placed[a].pose,
                                               placed[b].form.geometry, placed[b].pose)
                                       .distance);
        }
    return most;
}

std::vector<OracleRow> compare_with_impacts(std::uint32_t seed, std::uint32_t count) {
    std::vector<OracleRow> rows;
    for (std::size_t first = 0; first < plane_kind; ++first)
        for (std::size_t second = first; second < plane_kind; ++second)
            for (const double restitution : {0.0, 0.5, 1.0})
                for (const double friction : {0.0, 0.5}) {
                    Random random(seed + static_cast<std::uint32_t>(rows.size()));
                    OracleRow row{.first = kinds[first],
                                  .second = kinds[second],
                                  .restitution = restitution,
                                  .friction = friction};
                    Collected collected[2];
                    for (std::uint32_t k = 0; k < count; ++k)
                        compare_one(random, first, second, row, collected);
                    row.soft = collected[0].side();
                    row.sor = collected[1].side();
                    rows.push_back(row);
                }
    return rows;
}

std::vector<FlightRow> compare_flights(std::uint32_t seed, std::uint32_t count) {
    std::vector<FlightRow> rows;
    for (std::size_t kind = 0; kind < plane_kind; ++kind) {
        Random random(seed + static_cast<std::uint32_t>(kind));
        FlightRow row{.shape = kinds[kind]};
        for (std::uint32_t k = 0; k < count; ++k) {
            const Geometry shape = random.shape(kind);
            BodyDef body;
            body.rotation = narrow(random.rotation());
            body.velocity = narrow(random.in_ball(10));
            body.angular_velocity = narrow(random.in_ball(6));
            DPose end[3];
            for (const std::size_t solver : {0, 1, 2}) {
                WorldSettings settings;
                settings.solver = solver == 0 ? Solver::impact : judged[solver - 1];
                World world(settings);
                const BodyId id = world.create_body(body);
                world.attach(id, shape);
                for (int step = 0; step < 60; ++step) world.step(1 / 60.0f);
                const BodyState state = world.state(id);
                end[solver] = {wide(state.centre), normalized(wide(state.rotation))};
            }
            const auto way = [&](int of) { return length(end[of].position - end[0].position); };
            const auto turn = [&](int of) {
                const DQuat q = conjugate(end[0].rotation) * end[of].rotation;
                return 2 * std::asin(std::min(1.0, std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z)));
            };
            ++row.flights;
            row.soft_way = std::max(row.soft_way, way(1)), row.sor_way = std::max(row.sor_way, way(2));
            row.soft_turn = std::max(row.soft_turn, turn(1)), row.sor_turn = std::max(row.sor_turn, turn(2));
        }
        rows.push_back(row);
    }
    return rows;
}

} // namespace scree::bench
