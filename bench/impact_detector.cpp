// SPDX-License-Identifier: MIT
// impact_detector.cpp — see impact_detector.h. Scenes BM3-5 to BM3-9 of the thesis of Filippini and others (2007); one thread.
#include "impact_detector.h"

#include "collision/priority_search_tree.h"
#include "collision/sweep_and_prune.h"
#include "impact_judge.h"
#include "impact_long_bodies.h"
#include "impact_memory.h"
#include "impact_rooms.h"
#include "impact_table.h"
#include "rooms_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

constexpr float frame = 1 / 60.0f;

/// BM3-5: bodies fall in a room for five seconds.
void falling(Table& table, std::uint64_t most) {
    std::printf("\nBM3-5: bodies that fall in a room, 5 s\n%-22s %8s %9s %9s %10s %10s %9s\n", "", "bodies",
                "ms/frame", "worst ms", "impacts/fr", "GJK/frame", "deepest");
    const CompiledLevel level = rooms_of(1);
    for (const int count : {2, 5, 9, 10, 20, 50, 100, 1000}) {
        if (static_cast<std::uint64_t>(count) > most) continue;
        RoomsWorld rooms = fly_in_rooms(level, 1, count, 0.3f, one_thread());
        double worst = 0, all = 0, deepest_of = -1;
        double impacts = 0, measured = 0;
        constexpr int frames = 300;
        for (int k = 0; k < frames; ++k) {
            const Clock clock;
            rooms.world.step(frame);
            worst = std::max(worst, clock.seconds());
            all += clock.seconds();
            impacts += static_cast<double>(rooms.world.counters().impact.impacts);
            measured += static_cast<double>(rooms.world.counters().impact.measured);
            if (k % 20 == 19 || count < 20) deepest_of = std::max(deepest_of, deepest(rooms.world));
        }
        table.row("BM3-5", "%8.0f %9.3f %9.3f %10.1f %10.1f %9.1e", double(count), 1000 * all / frames,
                  1000 * worst, impacts / frames, measured / frames, deepest_of);
    }
}

/// BM3-6: cubes on each other for ten seconds; they may not sleep.
void stacks(Table& table) {
    std::printf("\nBM3-6: stacks of cubes of 1 m for 10 s, sleeping off\n%-22s %8s %9s %10s %10s %10s %10s\n",
                "", "height", "ms/frame", "impacts/fr", "GJK/frame", "drift m", "RMS m/s");
    for (const int height : {2, 3, 4, 5, 10}) {
        WorldSettings settings;
        settings.solver = Solver::impact;
        settings.sleeping = false;
        World world(settings, one_thread());
        const BodyId floor = world.create_body({.type = BodyType::fixed});
        world.attach(floor, Plane{});
        std::vector<BodyId> cubes;
        for (int k = 0; k < height; ++k) {
            cubes.push_back(world.create_body({.position = {0, 0.5001 + 1.0001 * k, 0}}));
            world.attach(cubes.back(), Box{});
        }
        double impacts = 0, measured = 0, drift = 0, squares = 0;
        const Clock clock;
        for (int k = 0; k < 600; ++k) {
            world.step(frame);
            impacts += static_cast<double>(world.counters().impact.impacts);
            measured += static_cast<double>(world.counters().impact.measured);
        }
        const double seconds = clock.seconds();
        for (const BodyId cube : cubes) {
            const DVec3 at = world.position(cube), v = world.state(cube).velocity;
            drift = std::max(drift, std::hypot(at.x, at.z));
            squares += dot(v, v);
        }
        table.row("BM3-6", "%8.0f %9.4f %10.1f %10.1f %10.1e %10.1e", double(height), 1000 * seconds / 600,
                  impacts / 600, measured / 600, drift, std::sqrt(squares / height));
    }
}

/// BM3-7: 100 bodies in 64 rooms, for two seconds, with more and more stages.
bool rooms(Table& table) {
    std::printf("\nBM3-7: 100 bodies in 64 rooms, 2 s: pairs left a frame, stage by stage\n%-22s %9s %9s %9s "
                "%9s %9s %8s %8s %9s %9s\n",
                "", "pairs", "in cells", "boxes", "ways", "queued", "GJK", "impacts", "ms/frame", "members");
    const CompiledLevel level = rooms_of(8);
    const CollisionCells cells = collision_cells(level.cells);
    std::uint64_t hash = 0;
    bool same = true;
    struct Case {
        const char* name;
        bool cells, shafts;
        std::uint32_t merge;
    };
    for (const Case& one : {Case{"boxes", false, false, 0}, Case{"boxes and ways", false, true, 0},
                            Case{"cells", true, false, 0}, Case{"cells and ways", true, true, 0},
                            Case{"merged to 40", true, true, 40}}) {
        RoomsWorld world = fly_in_rooms(level, 8, 100, 0.6f, one_thread());
        if (one.cells) set_cells(world.world, world.walls, cells, {.merge_up_to = one.merge});
        set_impact_filters(world.world, {.cells = one.cells, .shafts = one.shafts});
        double sums[8]{}, step = 0;
        constexpr int frames = 120;
        for (int k = 0; k < frames; ++k) {
            const Clock clock;
            world.world.step(frame);
            step += clock.seconds() / frames;
            const ImpactCounters c = world.world.counters().impact;
            const CellCounters in = cell_counters(world.world);
            const double now[8] = {double(c.pairs),   double(in.in_cells),   double(c.candidates),
                                   double(in.shafts), double(c.queued),      double(c.measured),
                                   double(c.impacts), double(in.memberships)};
            for (int n = 0; n < 8; ++n) sums[n] += now[n] / frames;
        }
        table.row(one.name, "%9.0f %9.0f %9.1f %9.1f %9.1f %8.1f %8.2f %9.3f %9.1f", sums[0], sums[1],
                  sums[2], sums[3], sums[4], sums[5], sums[6], 1000 * step, sums[7]);
        if (hash == 0) hash = world.world.hash();
        same = same && world.world.hash() == hash;
    }
    std::printf("hashes %s\n", same ? "equal" : "DIFFER");
    return same;
}

/// BM3-8: an interval comes into a map of n fixed ones.
void entries(Table& table) {
    std::printf("\nBM3-8: entry into a cell with n fixed shapes\n%-22s %9s %9s %12s %12s %12s\n", "", "n",
                "overlaps", "scan us", "tree us", "entry us");
    for (const std::uint32_t n : {10u, 100u, 1000u, 10'000u, 100'000u}) {
        std::mt19937_64 engine(3);
        const auto between = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
        };
        const double side = std::cbrt(static_cast<double>(n)) * 2;
        std::vector<DBox> boxes;
        std::vector<std::uint32_t> proxies;
        std::vector<PrioritySearchTree::Interval> intervals;
        const auto some = [&] {
            const double x = between(0, side), y = between(0, side), z = between(0, side);
            return DBox{{x, y, z}, {x + between(0.2, 1), y + between(0.2, 1), z + between(0.2, 1)}};
        };
        for (std::uint32_t k = 0; k < n; ++k) {
            boxes.push_back(some());
            proxies.push_back(k);
            intervals.push_back({boxes[k].low.x, boxes[k].high.x, k});
        }
        PrioritySearchTree tree;
        tree.build(intervals);
        SweepAndPrune map;
        map.rebuild(proxies, std::vector<std::uint8_t>(n), boxes);
        map.plant();
        const std::uint32_t rounds = std::clamp(3'000'000u / n, 20u, 20'000u);
        std::vector<DBox> comers;
        for (std::uint32_t k = 0; k < rounds; ++k) comers.push_back(some());
        double found = 0, scanned = 0;
        const Clock scan;
        for (const DBox& box : comers)
            for (const PrioritySearchTree::Interval& one : intervals)
                scanned += one.low <= box.high.x && box.low.x <= one.high;
        const double scan_us = 1e6 * scan.seconds() / rounds;
        const Clock search;
        for (const DBox& box : comers)
            tree.overlapping(box.low.x, box.high.x, [&](std::uint32_t) { found += 1; });
        const double tree_us = 1e6 * search.seconds() / rounds;
        const Clock entry;
        for (const DBox& box : comers) {
            map.enter(n, box, true);
            map.leave(n);
            map.clear_changes();
        }
        table.row(found == scanned ? "BM3-8" : "BM3-8 WRONG", "%9.0f %9.1f %12.3f %12.3f %12.3f", double(n),
                  found / rounds, scan_us, tree_us, 1e6 * entry.seconds() / rounds);
    }
}

/// BM3-9: thin bullets at a thin plate; those that were behind it at the end of a step.
bool bullets(Table& table) {
    std::printf("\nBM3-9: 64 bullets of 4 mm at a plate of 1 mm: how many pass\n%-22s %9s %10s %10s %10s\n",
                "", "m/s", "discrete", "swept", "impact");
    bool kept = true;
    for (const float speed : {1.0f, 10.0f, 100.0f, 1000.0f, 10000.0f}) {
        double passed[3]{};
        for (int mode = 0; mode < 3; ++mode) {
            WorldSettings settings;
            settings.gravity = {};
            settings.solver = mode == 2 ? Solver::impact : Solver::soft_step;
            settings.continuous = mode != 0;
            World world(settings, one_thread());
            const BodyId plate = world.create_body({.type = BodyType::fixed});
            world.attach(plate, Box{2, 2, 0.0005f});
            std::vector<BodyId> shots;
            for (int k = 0; k < 64; ++k) {
                BodyDef body;
                body.position = {0.2 * (k % 8) - 0.7, 0.2 * (k / 8) - 0.7, 1 + 0.01 * k};
                body.velocity = {0, 0, -speed};
                body.angular_velocity = {30, 20, 10};
                body.rotation = rotation_about(Vec3{1, 2, 3}, static_cast<float>(k));
                body.max_speed = 20000;
                const Geometry shapes[] = {Sphere{0.002f}, Box{0.01f, 0.002f, 0.002f}, Capsule{0.01f, 0.002f},
                                           Cone{0.01f, 0.002f}};
                shots.push_back(world.create_body(body));
                world.attach(shots.back(), shapes[k % 4]);
            }
            for (int k = 0; k < static_cast<int>(110 / speed) + 4; ++k) world.step(frame);
            for (const BodyId shot : shots) passed[mode] += world.position(shot).z < 0;
        }
        table.row("BM3-9", "%9.0f %10.0f %10.0f %10.0f", double{speed}, passed[0], passed[1], passed[2]);
        kept = kept && passed[2] == 0;
    }
    return kept;
}

} // namespace

int print_impact_detector(const Arguments& given) {
    const auto most = whole_option<std::uint64_t>(given, "--detector", 1, 1000, 100);
    const auto csv = open_output(given, "--csv");
    std::string text = "case,values as printed\n";
    Table table(text);
    falling(table, most);
    stacks(table);
    const bool same = rooms(table);
    entries(table);
    const bool kept = bullets(table);
    memory_of_steps(table);
    const bool long_same = long_bodies(table);
    finish_csv(csv, text);
    return same && kept && long_same ? 0 : 1;
}

} // namespace scree::bench
