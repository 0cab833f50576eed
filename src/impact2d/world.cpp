// SPDX-License-Identifier: MIT
// world.cpp — see scree/staged_impact.h: the loop over the stages.
#include "impact2d/world.h"

#include "bytes/state_hash.h"
#include "impact2d/checks.h"
#include "impact2d/snapshot.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace scree {
namespace {

using impact2d::Array;
using impact2d::StageId;

/// 0 stands for infinity, see kernels/impact_params.h
float stored(float mass) { return std::isinf(mass) ? 0 : mass; }
float given(float mass) { return mass > 0 ? mass : std::numeric_limits<float>::infinity(); }

impact2d::ImpactParams params_of(const StagedImpactSettings& s, std::uint32_t bodies) {
    impact2d::ImpactParams p{};
    p.bodies = static_cast<int>(bodies);
    p.normal_at_start = s.normal_at_start;
    p.centre_walls = s.centre_walls;
    p.one_way = s.overlap == StagedOverlap::one_way;
    p.by_vertices = s.overlap != StagedOverlap::axes;
    p.plain_contacts = s.plain_contacts;
    p.summed = s.response == StagedResponse::summed;
    p.tolerance = s.tolerance;
    p.restitution = s.restitution;
    p.limit = s.limit;
    return p;
}

using Made = std::unique_ptr<StagedImpactWorld::State>;

Made made(const StagedImpactSettings& settings, const Place& place, bool polygons, std::size_t bodies,
          std::size_t vertex_items) {
    if (bodies == 0) throw Error("there is no body", "bodies");
    auto state = std::make_unique<StagedImpactWorld::State>();
    state->settings = settings;
    state->polygons = polygons;
    state->bodies = static_cast<std::uint32_t>(std::min<std::size_t>(bodies, 0xffffffff));
    state->params = params_of(settings, state->bodies);
    const auto extents = impact2d::extents(polygons, state->bodies, static_cast<std::uint32_t>(vertex_items));
    state->place = place.expecting(bodies).decided(StagedImpactWorld::gpu_from);
    state->stages = std::make_unique<impact2d::Stages>(state->place, extents);
    return state;
}

Made made(std::span<const StagedCircle> circles, const StagedImpactSettings& settings, const Place& where) {
    std::vector<float> place, motion;
    for (const StagedCircle& c : circles) {
        place.insert(place.end(), {c.position.x, c.position.y, 0, c.radius});
        motion.insert(motion.end(), {c.velocity.x, c.velocity.y, 0, stored(c.mass)});
    }
    Made state = made(settings, where, false, circles.size(), 1);
    state->stages->write(Array::place, place);
    state->stages->write(Array::motion, motion);
    return state;
}

float reach(const std::vector<Vec2>& vertices) {
    double most = 0;
    for (const Vec2 v : vertices)
        most = std::max(most, static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y);
    return static_cast<float>(std::sqrt(most));
}

Made made(std::span<const StagedPolygon> polygons, const StagedImpactSettings& settings, const Place& where) {
    std::vector<float> place, motion, index, vertex;
    for (const StagedPolygon& p : polygons) {
        place.insert(place.end(), {p.position.x, p.position.y, p.velocity.x, p.velocity.y});
        motion.insert(motion.end(), {p.angle, p.angular_velocity, reach(p.vertices), 0});
        const float inertia = p.inertia > 0 || std::isinf(p.mass)
                                  ? p.inertia
                                  : static_cast<float>(polygon_inertia(p.vertices, p.mass));
        const std::size_t first = vertex.size() / 4; // items
        index.insert(index.end(), {static_cast<float>(first), static_cast<float>(p.vertices.size()),
                                   stored(p.mass), std::isinf(p.mass) ? 0 : inertia});
        for (const Vec2 v : p.vertices) vertex.insert(vertex.end(), {v.x, v.y});
        if (p.vertices.size() % 2 != 0) vertex.insert(vertex.end(), {0, 0}); // half an item stays unused
    }
    Made state = made(settings, where, true, polygons.size(), vertex.size() / 4);
    state->given.assign(polygons.begin(), polygons.end());
    // the last row of vertices is written whole
    vertex.resize(state->stages->read(Array::vertex).size());
    state->stages->write(Array::place, place);
    state->stages->write(Array::motion, motion);
    state->stages->write(Array::index, index);
    state->stages->write(Array::vertex, vertex);
    return state;
}

/// The corners in the room.
std::vector<std::array<double, 2>> placed(const StagedPolygon& p) {
    const double c = std::cos(double{p.angle}), s = std::sin(double{p.angle});
    std::vector<std::array<double, 2>> all;
    all.reserve(p.vertices.size());
    for (const Vec2 v : p.vertices)
        all.push_back({p.position.x + c * v.x - s * v.y, p.position.y + s * v.x + c * v.y});
    return all;
}

/// How far two convex polygons have to move apart: the least over the normals of the edges.
double depth_of(const StagedPolygon& one, const StagedPolygon& other) {
    const auto a = placed(one), b = placed(other);
    double depth = std::numeric_limits<double>::infinity();
    for (const auto* of : {&a, &b}) {
        const auto& by = of == &a ? b : a;
        for (std::size_t k = 0; k < of->size(); ++k) {
            const auto &p = (*of)[k], &q = (*of)[(k + 1) % of->size()];
            const double x = q[1] - p[1], y = p[0] - q[0], size = std::hypot(x, y); // outwards
            if (!(size > 0)) continue;
            double inside = 0;
            for (const auto& v : by)
                inside = std::max(inside, ((p[0] - v[0]) * x + (p[1] - v[1]) * y) / size);
            depth = std::min(depth, inside);
        }
    }
    return depth;
}

double depth_of(const StagedCircle& a, const StagedCircle& b) {
    return double{a.radius} + double{b.radius} -
           std::hypot(double{a.position.x} - double{b.position.x},
                      double{a.position.y} - double{b.position.y});
}

} // namespace

template <class Work>
void StagedImpactWorld::State::timed(StagedStage stage, Work work) {
    if (!timing) {
        work();
        return;
    }
    using Clock = std::chrono::steady_clock;
    const auto since = [begin = Clock::now()] {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    work();
    submissions[static_cast<std::size_t>(stage)] += since();
    stages->finish();
    seconds[static_cast<std::size_t>(stage)] += since();
}

void StagedImpactWorld::State::run(StagedStage stage, StageId id) {
    timed(stage, [&] { stages->run(id, params); });
}

float StagedImpactWorld::State::least(StagedStage stage, Array array) {
    float found = 0;
    timed(stage, [&] { found = stages->least(array); });
    return found;
}

float StagedImpactWorld::State::find() {
    params.time = 1;
    if (!polygons) {
        run(StagedStage::bisection, StageId::circle_bisect);
    } else {
        run(StagedStage::boxes, StageId::polygon_box);
        run(StagedStage::candidates, StageId::polygon_candidate);
        params.first = 1;
        params.halvings = settings.bisection == StagedBisection::passes ? 1 : 64;
        run(StagedStage::bisection, settings.bisection == StagedBisection::printed
                                        ? StageId::polygon_bisect_wrong
                                        : StageId::polygon_bisect);
        params.first = 0;
        // every pair halves the same interval, so the number of passes is known
        if (settings.bisection == StagedBisection::passes)
            for (float width = 0.5f; width > settings.tolerance; width *= 0.5f)
                run(StagedStage::bisection, StageId::polygon_bisect);
    }
    return least(StagedStage::minimum, Array::pair);
}

/// Passes until each pair has what it needs beside the others.
void StagedImpactWorld::State::settle(StageId impulse, StageId change, StagedReport& report) {
    params.first = 1;
    report.settled = false;
    while (!report.settled && report.passes < settings.max_passes) {
        run(StagedStage::impulses, change);
        run(StagedStage::impulses, impulse);
        params.first = 0;
        // most impacts are of one pair, which is done after a pass
        if (report.passes++ % 8 == 0 || report.passes == settings.max_passes)
            report.settled = -least(StagedStage::impulses, Array::error) <= 1e-5f;
    }
}

StagedReport StagedImpactWorld::State::answer(float first, float longest) {
    StagedReport report;
    report.impact = first <= longest;
    params.time = report.impact ? first : longest;
    params.first = 0;
    report.advanced = params.time;
    if (!report.impact) {
        run(StagedStage::advance, polygons ? StageId::polygon_advance_free : StageId::circle_advance_free);
        return report;
    }
    if (settings.response == StagedResponse::together) {
        if (polygons) settle(StageId::polygon_impulse, StageId::polygon_change, report);
        else settle(StageId::circle_impulse, StageId::circle_change, report);
        run(StagedStage::advance, polygons ? StageId::polygon_advance_hit : StageId::circle_advance_together);
        return report;
    }
    report.passes = 1;
    if (polygons) run(StagedStage::impulses, StageId::polygon_impulse);
    run(StagedStage::advance, polygons ? StageId::polygon_advance_hit : StageId::circle_advance_summed);
    return report;
}

void StagedImpactWorld::State::draw(int side, float half) {
    int most = impact2d::circle_corners;
    if (polygons) {
        most = 0;
        for (const StagedPolygon& p : given) most = std::max(most, static_cast<int>(p.vertices.size()));
    }
    timed(StagedStage::drawing, [&] { stages->draw(polygons, bodies, most, side, half); });
}

StagedImpactWorld::StagedImpactWorld(std::span<const StagedCircle> circles,
                                     const StagedImpactSettings& settings, const Place& place) {
    impact2d::check(settings);
    impact2d::check_all(circles, settings);
    state_ = made(circles, settings, place);
}

StagedImpactWorld::StagedImpactWorld(std::span<const StagedPolygon> polygons,
                                     const StagedImpactSettings& settings, const Place& place) {
    impact2d::check(settings);
    impact2d::check_all(polygons);
    state_ = made(polygons, settings, place);
}

StagedImpactWorld::~StagedImpactWorld() = default;
StagedImpactWorld::StagedImpactWorld(StagedImpactWorld&&) noexcept = default;
StagedImpactWorld& StagedImpactWorld::operator=(StagedImpactWorld&&) noexcept = default;

const StagedImpactSettings& StagedImpactWorld::settings() const { return state_->settings; }
void StagedImpactWorld::change_settings(const StagedImpactSettings& settings) {
    impact2d::check(settings);
    std::vector<StagedCircle> now = circles();
    for (StagedCircle& c : now) c = impact2d::under_way(c);
    impact2d::check_all(now, settings);
    state_->settings = settings;
    state_->params = params_of(settings, state_->bodies);
}
const Place& StagedImpactWorld::place() const { return state_->place; }
std::uint32_t StagedImpactWorld::body_count() const { return state_->bodies; }
bool StagedImpactWorld::of_polygons() const { return state_->polygons; }
std::uint64_t StagedImpactWorld::memory() const { return state_->stages->bytes(); }
double StagedImpactWorld::time() const { return state_->time; }
std::uint64_t StagedImpactWorld::steps_done() const { return state_->steps; }
std::uint64_t StagedImpactWorld::impacts() const { return state_->impacts; }
StagedTimes StagedImpactWorld::stage_seconds() const { return state_->seconds; }
StagedTimes StagedImpactWorld::submission_seconds() const { return state_->submissions; }

void StagedImpactWorld::time_stages(bool on) {
    state_->timing = on;
    state_->seconds = state_->submissions = {};
}

StagedReport StagedImpactWorld::step(double longest) {
    if (!(longest > 0 && longest <= 1)) refuse(longest, "longest", "more than 0, at most 1");
    const StagedReport report = state_->answer(state_->find(), static_cast<float>(longest));
    state_->time += report.advanced;
    state_->steps += 1;
    state_->impacts += report.impact ? 1 : 0;
    return report;
}

void StagedImpactWorld::draw(int side, float half) {
    check_within(side, 1, 8192, "side", "1 to 8192 pixels");
    check_positive(half, "half");
    state_->draw(side, half);
}

std::vector<std::uint8_t> StagedImpactWorld::image() const { return state_->stages->image(); }

std::vector<StagedCircle> StagedImpactWorld::circles() const {
    std::vector<StagedCircle> all;
    if (state_->polygons) return all;
    const std::vector<float> place = state_->stages->read(Array::place),
                             motion = state_->stages->read(Array::motion);
    for (std::size_t k = 0; k < place.size(); k += 4)
        all.push_back(
            {{place[k], place[k + 1]}, {motion[k], motion[k + 1]}, place[k + 3], given(motion[k + 3])});
    return all;
}

std::vector<StagedPolygon> StagedImpactWorld::polygons() const {
    std::vector<StagedPolygon> all = state_->given;
    if (all.empty()) return all;
    const std::vector<float> place = state_->stages->read(Array::place),
                             motion = state_->stages->read(Array::motion),
                             index = state_->stages->read(Array::index);
    for (std::size_t k = 0; k < all.size(); ++k) {
        all[k].position = {place[4 * k], place[4 * k + 1]};
        all[k].velocity = {place[4 * k + 2], place[4 * k + 3]};
        all[k].angle = motion[4 * k];
        all[k].angular_velocity = motion[4 * k + 1];
        all[k].inertia = index[4 * k + 3];
    }
    return all;
}

void StagedImpactWorld::set_velocity(std::uint32_t body, Vec2 velocity, float angular_velocity) {
    if (body >= state_->bodies) refuse(body, "body", "less than " + std::to_string(state_->bodies));
    std::vector<float> place = state_->stages->read(Array::place),
                       motion = state_->stages->read(Array::motion);
    const std::size_t at = std::size_t{4} * body;
    if (state_->polygons) {
        StagedPolygon changed = impact2d::under_way(polygons()[body]);
        changed.velocity = velocity;
        changed.angular_velocity = angular_velocity;
        impact2d::check(changed, "body " + std::to_string(body));
        place[at + 2] = velocity.x;
        place[at + 3] = velocity.y;
        motion[at + 1] = angular_velocity;
        state_->stages->write(Array::place, place);
    } else {
        StagedCircle changed = circles()[body];
        changed.velocity = velocity;
        impact2d::check(changed, state_->settings, "body " + std::to_string(body));
        if (angular_velocity != 0) refuse(angular_velocity, "angular_velocity", "0: circles do not turn");
        motion[at] = velocity.x;
        motion[at + 1] = velocity.y;
    }
    state_->stages->write(Array::motion, motion);
}

std::uint64_t StagedImpactWorld::hash() const {
    StateHash hash;
    const auto time = std::bit_cast<std::uint64_t>(state_->time);
    hash.add(static_cast<std::uint32_t>(time));
    hash.add(static_cast<std::uint32_t>(time >> 32));
    for (const Array array : {Array::place, Array::motion})
        for (const float word : state_->stages->read(array)) hash.add(word);
    return hash.value();
}

std::vector<std::byte> StagedImpactWorld::save() const {
    return impact2d::encode({state_->settings, state_->polygons, circles(), polygons(), state_->time,
                             state_->steps, state_->impacts});
}

void StagedImpactWorld::restore(std::span<const std::byte> saved) {
    const impact2d::Snapshot s = impact2d::decode(saved);
    Made state = s.of_polygons ? made(s.polygons, s.settings, place()) : made(s.circles, s.settings, place());
    state->time = s.time;
    state->steps = s.steps;
    state->impacts = s.impacts;
    state->timing = state_->timing;
    state_ = std::move(state);
}

StagedMeasure StagedImpactWorld::measure() const {
    StagedMeasure m;
    const auto add = [&](Vec2 x, Vec2 v, double mass, double inertia, double omega) {
        if (!std::isfinite(mass)) return;
        m.kinetic_energy += (mass * (static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y) +
                             inertia * omega * omega) /
                            2;
        m.momentum_x += mass * v.x;
        m.momentum_y += mass * v.y;
        m.angular_momentum +=
            mass * (static_cast<double>(x.x) * v.y - static_cast<double>(x.y) * v.x) + inertia * omega;
    };
    const std::vector<StagedCircle> round = circles();
    const std::vector<StagedPolygon> cornered = polygons();
    for (const StagedCircle& c : round) add(c.position, c.velocity, c.mass, 0, 0);
    for (const StagedPolygon& p : cornered)
        add(p.position, p.velocity, p.mass, p.inertia, p.angular_velocity);
    // the shapes as they are, by the kernels on the host
    const auto host = impact2d::copied_to_host(*state_->stages);
    const impact2d::kernels::ImpactView w = host->view();
    impact2d::ImpactParams p = state_->params;
    p.by_vertices = 0;
    for (std::uint32_t a = 0; a < state_->bodies; ++a)
        for (std::uint32_t b = 0; b < a; ++b) {
            using namespace impact2d::kernels;
            const auto fixed = [&](std::uint32_t i) { // walls may overlap each other
                return !((state_->polygons ? load4(w.index, i).z : load4(w.motion, i).w) > 0);
            };
            if (fixed(a) && fixed(b)) continue;
            if (state_->polygons) { // boxes around their reaches are quick
                const float far = (load4(w.motion, a).z + load4(w.motion, b).z) * 1.001f;
                const auto pa = load4(w.place, a), pb = load4(w.place, b);
                if (std::abs(pa.x - pb.x) > far || std::abs(pa.y - pb.y) > far) continue;
            }
            const bool deep = state_->polygons
                                  ? polygons_overlap(a, b, 0, w, p)
                                  : circles_at(load4(w.place, a), load4(w.motion, a), load4(w.place, b),
                                               load4(w.motion, b), 0, p.tolerance) < 0;
            if (!deep) continue;
            ++m.overlapping_pairs;
            const double depth =
                state_->polygons ? depth_of(cornered[a], cornered[b]) : depth_of(round[a], round[b]);
            if (depth > m.max_overlap) m.max_overlap = depth, m.deepest = {b, a};
        }
    return m;
}

} // namespace scree
