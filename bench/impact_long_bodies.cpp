// SPDX-License-Identifier: MIT
// impact_long_bodies.cpp — see impact_long_bodies.h.
#include "impact_long_bodies.h"

#include "collision/oriented_way.h"
#include "collision/time_of_impact.h"
#include "scree/collision_cells.h"
#include "scree/world.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace scree::bench {

namespace {

constexpr float length_of = 0.5f; // m, half of it
constexpr double margin = 5e-4;   // m, as Solver::impact's filters keep it

class Random {
public:
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    DVec3 in_cube(double half) {
        const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return {x, y, z};
    }
    DQuat rotation() { return rotation_about(in_cube(1), between(-3, 3)); }

private:
    std::mt19937_64 engine_{12};
};

/// A box that is `ratio` times as long as thick.
Box stick(double ratio) {
    const auto thin = static_cast<float>(double{length_of} / ratio);
    return {thin, length_of, thin};
}

struct Left {
    double boxes = 0, ways = 0, oriented = 0, meet = 0;
    bool kept = true; ///< no pair that meets was left out
};
/// Pairs of 100 sticks in a cube of 5 m, which fly at up to 5 m/s and turn at up to 6 rad/s on each axis for some time.
Left pairs_left(double ratio, double seconds) {
    Random random;
    Left left;
    constexpr int rounds = 20, count = 100;
    for (int round = 0; round < rounds; ++round) {
        std::vector<MovingConvex> sticks(count);
        for (MovingConvex& m : sticks) {
            const Box box = stick(ratio);
            m.shape = {ShapeType::box, {box.x, box.y, box.z}, 0, nullptr};
            m.centre = random.in_cube(2.5), m.velocity = random.in_cube(5), m.spin = random.in_cube(6);
            m.rotation = random.rotation();
        }
        for (std::size_t a = 0; a < sticks.size(); ++a)
            for (std::size_t b = a + 1; b < sticks.size(); ++b) {
                const DVec3 around{margin / 2, margin / 2, margin / 2};
                const auto box_of = [&](std::size_t k) {
                    const DBox way = way_box(sticks[k], seconds);
                    return DBox{way.low - around, way.high + around};
                };
                const bool boxes = box_of(a).overlaps(box_of(b)),
                           ways = boxes && ways_meet(sticks[a], sticks[b], seconds, margin),
                           oriented = ways && oriented_ways_meet(sticks[a], sticks[b], seconds, margin),
                           meet = first_impact(sticks[a], sticks[b], margin, seconds).found;
                left.boxes += boxes, left.ways += ways, left.oriented += oriented, left.meet += meet;
                left.kept = left.kept && (oriented || !meet);
            }
    }
    for (double* sum : {&left.boxes, &left.ways, &left.oriented, &left.meet}) *sum /= rounds;
    return left;
}

struct Run {
    double ms = 0, measured = 0, left = 0, impacts = 0;
    std::uint64_t hash = 0;
};
/// The same sticks bounce in a closed room for two seconds.
Run fly(double ratio, bool oriented) {
    Random random;
    World world({.gravity = {}, .solver = Solver::impact, .sleeping = false}, one_thread());
    const BodyId walls = world.create_body({.type = BodyType::fixed});
    const ShapeDef hard{.material = {.friction = 0, .restitution = 1}};
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            ShapeDef wall = hard;
            (axis == 0 ? wall.position.x : axis == 1 ? wall.position.y : wall.position.z) = 5.1f * side;
            const float half[3] = {axis == 0 ? 0.5f : 5.6f, axis == 1 ? 0.5f : 5.6f, axis == 2 ? 0.5f : 5.6f};
            world.attach(walls, Box{half[0], half[1], half[2]}, wall);
        }
    for (int k = 0; k < 100; ++k) { // on a lattice: none lies in another
        BodyDef body;
        body.position = {1.8 * (k % 5) - 3.6, 1.8 * (k / 5 % 5) - 3.6, 1.8 * (k / 25) - 2.7};
        body.velocity = narrow(random.in_cube(5)), body.angular_velocity = narrow(random.in_cube(6));
        body.rotation = narrow(random.rotation());
        world.attach(world.create_body(body), stick(ratio), hard);
    }
    set_impact_filters(world, {.oriented = oriented});
    Run out;
    constexpr int steps = 120;
    const Clock clock;
    for (int k = 0; k < steps; ++k) {
        world.step(1 / 60.0f);
        const CellCounters in = cell_counters(world);
        out.measured += static_cast<double>(world.counters().impact.measured) / steps;
        out.impacts += static_cast<double>(world.counters().impact.impacts) / steps;
        out.left += static_cast<double>(oriented ? in.oriented : in.shafts) / steps;
    }
    out.ms = 1000 * clock.seconds() / steps;
    out.hash = world.hash();
    return out;
}

} // namespace

bool long_bodies(Table& table) {
    std::printf("\nBM3-12: pairs of 100 sticks in 125 m3 that each filter leaves, and those that truly meet\n"
                "%-22s %9s %9s %9s %9s %9s %9s\n",
                "", "length", "s", "boxes", "ways", "oriented", "meet");
    bool kept = true;
    for (const double seconds : {1.0 / 60, 0.1})
        for (const double ratio : {1.0, 4.0, 16.0, 40.0}) {
            const Left left = pairs_left(ratio, seconds);
            table.row(left.kept ? "BM3-12" : "BM3-12 WRONG", "%9.0f %9.4f %9.1f %9.1f %9.1f %9.1f", ratio,
                      seconds, left.boxes, left.ways, left.oriented, left.meet);
            kept = kept && left.kept;
        }
    std::printf("\nBM3-12: 100 sticks bounce in a room, 2 s, without and with oriented boxes, a frame\n"
                "%-22s %9s %9s %9s %9s %9s %9s %9s\n",
                "", "length", "left", "left", "GJK", "GJK", "ms", "ms");
    for (const double ratio : {1.0, 4.0, 16.0, 40.0}) {
        const Run without = fly(ratio, false), with = fly(ratio, true);
        const bool same = without.hash == with.hash && without.impacts == with.impacts;
        table.row(same ? "BM3-12 world" : "BM3-12 world DIFFERS", "%9.0f %9.1f %9.1f %9.1f %9.1f %9.3f %9.3f",
                  ratio, without.left, with.left, without.measured, with.measured, without.ms, with.ms);
        kept = kept && same;
    }
    return kept;
}

} // namespace scree::bench
