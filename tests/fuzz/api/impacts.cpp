// SPDX-License-Identifier: MIT
// impacts.cpp — see impacts.h. The header chooses the world; a record is a call. Worlds stay small and work bounded.
#include "fuzz/api/impacts.h"

#include "fuzz/api/input.h"
#include "scree/error.h"
#include "scree/impact.h"
#include "scree/staged_impact.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace scree::fuzz {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "a world of impacts breaks its word: %s\n", what);
    std::abort();
}

/// Makes a call that may be refused; then nothing has changed.
template <class World, class Call>
void attempt(World& world, ImpactCalls& counted, Call call) {
    ++counted.calls;
    const std::uint64_t before = world.hash();
    try {
        call();
    } catch (const Error&) {
        ++counted.refused;
        demand(world.hash() == before, "a refused call changed the world");
    }
}

// hard particles --------------------------------------------------------------------------------------------

ImpactSettings particle_settings(Reader& r) {
    ImpactSettings s;
    s.dimensions = r.chance(128) ? 2 : 3;
    s.lower = {};
    s.upper = {4, 4, 4};
    for (ImpactBorder& border : s.borders)
        border = r.chance(80) ? ImpactBorder::periodic : ImpactBorder::wall;
    if (r.chance(100)) s.gravity = {0, r.number(-12, 2), 0};
    const float shares[] = {1, 1, 0.9f, 0.5f, 0};
    s.restitution = r.number_of(shares);
    s.wall_restitution = r.number_of(shares);
    const float times[] = {1e-6f, 1e-3f, 1e-2f, 0};
    s.contact_time = r.number_of(times);
    s.max_events = 3000;
    s.list_impacts = r.chance(128);
    return s;
}

ImpactParticle particle(Reader& r, int dimensions) {
    ImpactParticle p;
    const float radii[] = {0.1f, 0.2f, 0.05f, 0.45f};
    p.position = {r.number(0, 4), r.number(0, 4), dimensions == 3 ? r.number(0, 4) : 0};
    p.velocity = {r.number(-3, 3), r.number(-3, 3), dimensions == 3 ? r.number(-3, 3) : 0};
    p.radius = r.number_of(radii);
    const float masses[] = {1, 2, 0.01f, infinite, 1e-6f, 1e6f};
    p.mass = r.number_of(masses);
    return p;
}

/// So many that batches of events are computed ahead, in a lattice with gaps; some are infinite masses.
void fill(ImpactWorld& world, Reader& r) {
    const int dimensions = world.settings().dimensions, side = dimensions == 2 ? 10 : 5;
    const double cell = 4.0 / side;
    const float radii[] = {0.1f, 0.15f, 0.02f}, masses[] = {1, 1, 0.01f, 100};
    for (int k = 0; k < side * side * (dimensions == 2 ? 1 : side); ++k) {
        ImpactParticle p;
        const double z = dimensions == 2 ? 0 : (k / (side * side) + 0.5) * cell;
        p.position = {(k % side + 0.5) * cell, (k / side % side + 0.5) * cell, z};
        p.velocity = {r.number(-3, 3), r.number(-3, 3), dimensions == 3 ? r.number(-3, 3) : 0};
        p.radius = r.number_of(radii);
        p.mass = r.number_of(masses);
        if (r.chance(10)) p.mass = infinite;
        world.add(p);
    }
}

void look_at(const ImpactWorld& world) {
    const ImpactMeasure m = world.measure();
    for (const double number : {m.kinetic_energy, m.potential_energy, m.pressure, m.wall_pressure,
                                m.max_speed, m.max_overlap, m.centre.x, m.deviation.y})
        demand(std::isfinite(number), "a measure is not finite");
    for (const DVec3& at : world.positions())
        demand(std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z), "a place is not finite");
}

/// Claims so many threads that the smallest worlds use them, and does the last task first.
class ManyThreads final : public TaskSystem {
public:
    int workers() const override { return 1 << 24; }
    void run(int count, const std::function<void(int)>& task) override {
        ++batches;
        for (int k = count - 1; k >= 0; --k) task(k);
    }
    std::uint64_t batches = 0;
};

/// Steps, and demands that copies that go on for longer do the same in turn and with their events computed ahead.
void step_twice(ImpactWorld& world, double seconds, ImpactCalls& counted) {
    const std::vector<std::byte> before = world.save();
    counted.impacts += world.step(seconds).impacts;
    ManyThreads many;
    ImpactWorld one({}, PlaceOptions{.threads = 1}), other({}, PlaceOptions{.tasks = &many});
    one.restore(before);
    other.restore(before);
    one.step(40 * seconds);
    other.step(40 * seconds);
    demand(other.save() == one.save(), "threads change a world");
    counted.batches += many.batches;
}

ImpactCalls play_particles(std::span<const std::uint8_t> input) {
    ImpactCalls counted;
    Reader head(input, 0);
    head.byte();
    std::optional<ImpactWorld> world;
    try {
        world.emplace(particle_settings(head), PlaceOptions{.threads = 1});
    } catch (const Error&) {
        return {1, 1, 0};
    }
    if (head.chance(100)) attempt(*world, counted, [&] { fill(*world, head); });
    for (std::size_t k = 1; k <= records_of(input); ++k) {
        Reader r(input, k);
        switch (r.below(9)) {
        case 0:
        case 1:
        case 2:
            attempt(*world, counted, [&] { world->add(particle(r, world->settings().dimensions)); });
            break;
        case 3:
            attempt(*world, counted, [&] { world->set_velocity(r.below(12), particle(r, 3).velocity); });
            break;
        case 4:
            attempt(*world, counted, [&] { world->change_settings(particle_settings(r)); });
            break;
        case 5: { // continues like this one
            const std::vector<std::byte> saved = world->save();
            ImpactWorld other;
            other.restore(saved);
            demand(other.hash() == world->hash(), "a restored world is another one");
            break;
        }
        case 6:
            attempt(*world, counted, [&] { (void)world->particle(r.below(20)); });
            world->begin_averages();
            attempt(*world, counted, [&] {
                world->separate();
                try {
                    world->prepare();
                } catch (const Error&) {
                    demand(false, "particles overlap after they were separated");
                }
            });
            break;
        default:
            attempt(*world, counted, [&] { step_twice(*world, double{r.number(0, 0.5f)}, counted); });
            look_at(*world);
        }
    }
    return counted;
}

// circles and polygons in stages ----------------------------------------------------------------------------

StagedImpactSettings staged_settings(Reader& r) {
    StagedImpactSettings s;
    const float shares[] = {1, 1, 0.5f, 0};
    s.restitution = r.number_of(shares);
    const float tolerances[] = {0.005f, 0.01f, 0.001f};
    s.tolerance = r.number_of(tolerances);
    s.limit = r.number(3, 5);
    s.response = r.chance(200) ? StagedResponse::together : StagedResponse::summed;
    s.overlap = static_cast<StagedOverlap>(r.chance(200) ? 0 : r.below(4));
    s.bisection = static_cast<StagedBisection>(r.chance(128) ? 0 : r.below(4));
    s.plain_contacts = r.chance(40);
    s.centre_walls = r.chance(40);
    s.normal_at_start = r.chance(40);
    s.max_passes = 60;
    return s;
}

/// Slow ones meet; fast ones try what impacts make of the least and the largest masses.
Vec2 speed(Reader& r) {
    const float most = r.chance(20) ? 600 : 0.4f;
    return {r.number(-most, most), r.number(-most, most)};
}

StagedCircle circle(Reader& r) {
    const float radii[] = {0.2f, 0.4f, 0.05f}, masses[] = {1, 3, infinite, 0.1f, 1e-6f, 1e6f};
    StagedCircle c{.position = {r.number(-3, 3), r.number(-3, 3)}, .radius = r.number_of(radii)};
    c.mass = r.number_of(masses);
    if (c.mass != infinite) c.velocity = speed(r);
    return c;
}

StagedPolygon polygon(Reader& r) {
    StagedPolygon p;
    const float masses[] = {1, 3, infinite, 0.1f, 1e-6f, 1e6f}, sizes[] = {0.3f, 0.6f, 1.2f},
                inertias[] = {1e-40f, 1e-24f, 1e-6f, 1e19f};
    p.position = {r.number(-3, 3), r.number(-3, 3)};
    p.mass = r.number_of(masses);
    if (p.mass != infinite) {
        p.velocity = speed(r);
        p.angular_velocity = r.number(-0.5f, 0.5f);
    }
    if (r.chance(30)) p.inertia = r.one_of(inertias);
    p.angle = r.number(-4, 4);
    if (r.chance(180)) {
        p.vertices = regular_polygon(3 + static_cast<int>(r.below(6)), r.one_of(sizes));
    } else { // corners as they come: often no convex polygon
        for (std::uint32_t k = 0; k < 3 + r.below(3); ++k)
            p.vertices.push_back({r.number(-1, 1), r.number(-1, 1)});
        if (r.chance(200)) p.vertices = centred_polygon(p.vertices);
    }
    return p;
}

template <class Body>
std::optional<StagedImpactWorld> started(std::span<const std::uint8_t> input, Body (*make)(Reader&),
                                         ImpactCalls& counted) {
    Reader head(input, 0);
    head.byte();
    std::vector<Body> bodies;
    try {
        const StagedImpactSettings settings = staged_settings(head);
        const std::uint32_t count = head.below(9);
        for (std::uint32_t k = 1; k <= count; ++k) {
            Reader r(input, k);
            bodies.push_back(make(r));
        }
        const Place alone{{.threads = 1}};
        return StagedImpactWorld(bodies, settings, alone);
    } catch (const Error&) {
        ++counted.calls;
        ++counted.refused;
        return std::nullopt;
    }
}

ImpactCalls play_stages(std::span<const std::uint8_t> input, bool polygons) {
    ImpactCalls counted;
    std::optional<StagedImpactWorld> world =
        polygons ? started(input, polygon, counted) : started(input, circle, counted);
    if (!world) return counted;
    for (std::size_t k = 1; k <= records_of(input); ++k) {
        Reader r(input, k);
        switch (r.below(8)) {
        case 0:
            attempt(*world, counted, [&] {
                const float spin = polygons ? r.number(-1, 1) : 0;
                world->set_velocity(r.below(10), {r.number(-0.5f, 0.5f), r.number(-0.5f, 0.5f)}, spin);
            });
            break;
        case 1:
            attempt(*world, counted, [&] { world->change_settings(staged_settings(r)); });
            break;
        case 2: {
            const std::vector<std::byte> saved = world->save();
            world->restore(saved);
            demand(world->save() == saved, "a restored world is another one");
            break;
        }
        case 3:
            attempt(*world, counted, [&] { world->draw(static_cast<int>(r.below(40)), r.number(0, 9)); });
            break;
        default:
            attempt(*world, counted, [&] { world->step(double{r.number(0, 1.1f)}); });
        }
        const StagedMeasure m = world->measure();
        demand(std::isfinite(m.kinetic_energy) && std::isfinite(m.angular_momentum),
               "a measure is not finite");
    }
    counted.impacts = world->impacts();
    return counted;
}

} // namespace

ImpactCalls play_impacts(std::span<const std::uint8_t> input) {
    if (input.size() > most_bytes) input = input.first(most_bytes);
    Reader head(input, 0);
    const std::uint32_t which = head.below(3);
    return which == 0 ? play_particles(input) : play_stages(input, which == 2);
}

} // namespace scree::fuzz
