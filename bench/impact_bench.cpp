// SPDX-License-Identifier: MIT
// impact_bench.cpp — impacts a second of the event-driven world against the number of particles (scree/impact.h) and threads.
#include "bench_options.h"
#include "benchmarks.h"
#include "impact_detector.h"
#include "impact_stages.h"
#include "impact_tables.h"
#include "scree/error.h"
#include "scree/impact.h"
#include "stopwatch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

constexpr double pi = 3.14159265358979323846;

/// Particles of diameter and mass 1 at temperature 1 in a periodic box: on places of a close-packed lattice, of which some stay empty,
/// so that the lattice melts soon.
ImpactWorld start(int dimensions, std::uint64_t wanted, double packing, int threads) {
    const bool flat = dimensions == 2;
    const double room = packing > 0.4 ? 1.15 : 1; // places for each particle
    const auto places = static_cast<double>(wanted) * (flat ? 1 : room);
    const auto side =
        static_cast<std::uint64_t>(std::ceil(flat ? std::sqrt(places) / 2 : std::cbrt(places / 4)));
    const std::uint64_t each = flat ? 2 : 4, rows = flat ? 2 * side : side;
    std::uint64_t all = each * side * rows * (flat ? 1 : side);
    const std::uint64_t count = flat ? all : std::min(all, wanted);
    const double volume = static_cast<double>(count) * (flat ? pi / 4 : pi / 6) / packing;
    // cells of two places and 1 : sqrt(3) in the plane, cubes of four in space
    const double ratio = flat ? std::sqrt(3.0) : 1;
    const double cell = flat ? std::sqrt(volume / (static_cast<double>(side * rows) * ratio))
                             : std::cbrt(volume / static_cast<double>(side * rows * side));
    ImpactSettings settings;
    settings.dimensions = dimensions;
    settings.borders.fill(ImpactBorder::periodic);
    settings.max_events = 0;
    settings.upper = {cell * static_cast<double>(side), cell * ratio * static_cast<double>(rows),
                      flat ? 0 : cell * static_cast<double>(side)};
    ImpactWorld world(settings, PlaceOptions{.threads = threads});
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<std::uint64_t> chosen(all);
    std::iota(chosen.begin(), chosen.end(), std::uint64_t{0});
    if (count < all) std::shuffle(chosen.begin(), chosen.end(), random);
    constexpr double within[4][3] = {{0.1, 0.1, 0.1}, {0.6, 0.6, 0.1}, {0.6, 0.1, 0.6}, {0.1, 0.6, 0.6}};
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t place = chosen[k], at = place / each;
        const double* shift = within[place % each];
        world.add({{cell * (static_cast<double>(at % side) + shift[0]),
                    cell * ratio * (static_cast<double>(at / side % rows) + shift[1]),
                    flat ? 0 : cell * (static_cast<double>(at / side / rows) + shift[2])},
                   {normal(random), normal(random), flat ? 0 : normal(random)},
                   0.5,
                   1});
    }
    return world;
}

std::string measure(int dimensions, std::uint64_t wanted, double packing, int threads, double seconds,
                    double melt) {
    ImpactWorld world = start(dimensions, wanted, packing, threads);
    const double count = world.particle_count();
    constexpr double step = 0.02;
    for (std::uint64_t impacts = 0; static_cast<double>(impacts) < melt * count;)
        impacts += world.step(step).impacts;
    world.begin_averages();
    std::uint64_t impacts = 0, events = 0;
    const Stopwatch clock;
    const std::clock_t begin = std::clock(); // of the processor: other programs do not count
    // an impact for every two particles at least, however slow the machine
    while (clock.seconds() < seconds || static_cast<double>(impacts) < count / 2) {
        const ImpactReport report = world.step(step);
        impacts += report.impacts;
        events += report.events;
    }
    const double rate = static_cast<double>(impacts) / clock.seconds();
    const double own = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const double own_rate = static_cast<double>(impacts) / std::max(own, 1e-6);
    const double share =
        static_cast<double>(events) / static_cast<double>(std::max<std::uint64_t>(impacts, 1));
    const double bytes = static_cast<double>(world.memory()) / count,
                 factor = world.measure().compressibility;
    std::printf("%dD %10.0f %8.2f %8d %12.0f %12.0f %10.2f %8.2f %8.0f\n", dimensions, count, packing,
                threads, rate, own_rate, share, factor, bytes);
    std::fflush(stdout);
    char row[160];
    std::snprintf(row, sizeof row, "%d,%.0f,%.3f,%d,%.0f,%.0f,%.3f,%.3f,%.0f\n", dimensions, count, packing,
                  threads, rate, own_rate, share, factor, bytes);
    return row;
}

int run(const Arguments& given) {
    if (given.has("--stages")) return run_impact_stages(given);
    if (given.has("--detector")) return print_impact_detector(given);
    if (given.has("--times")) return print_impact_times(given);
    if (given.has("--exact")) return print_exact_times(given);
    if (given.has("--drift")) return print_impact_drift(given);
    if (given.has("--oracle")) return print_impact_oracle(given);
    std::vector<std::uint64_t> counts = count_list(given, "--particles", 100'000'000);
    if (counts.empty()) counts = {100, 1000, 10'000, 100'000};
    const std::vector<int> thread_counts = thread_list(given);
    const double seconds =
        static_cast<double>(whole_option<std::uint64_t>(given, "--milliseconds", 1, 1'000'000, 1000)) / 1000;
    const double melt = static_cast<double>(whole_option<std::uint64_t>(given, "--melt", 0, 100'000, 10));
    for (const std::uint64_t count : counts)
        if (count < 40)
            throw Error("invalid value " + std::to_string(count) + ": expected at least 40", "--particles");
    const auto csv = open_output(given, "--csv");
    std::string text = "dimensions,particles,packing,threads,impacts_per_second,impacts_per_processor_second,"
                       "events_per_impact,compressibility,bytes\n";
    std::printf("%2s %10s %8s %8s %12s %12s %10s %8s %8s\n", "", "particles", "packing", "threads",
                "impacts/s", "/processor s", "events/imp", "Z", "bytes");
    for (const int dimensions : {2, 3})
        for (const double packing : dimensions == 2 ? std::vector{0.5, 0.7} : std::vector{0.3, 0.5})
            for (const std::uint64_t count : counts)
                for (const int threads : thread_counts)
                    text += measure(dimensions, count, packing, threads, seconds, melt);
    finish_csv(csv, text);
    return 0;
}

} // namespace

CommandSpec impact_bench() {
    return {"impact",
            "impacts a second of hard discs and spheres",
            "Hard discs and spheres in a periodic box: impacts of particles a second against their number "
            "and threads,\nat packings 0.5 and 0.7 (2D), 0.3 and 0.5 (3D). Z is the compressibility factor: "
            "it tells "
            "whether the\nlattice has melted.\nWith --stages: circles and polygons in stages over arrays, on "
            "every device, the time of each stage.",
            {R"(
--particles LIST    default: 100,1000,10000,100000
--milliseconds N    of measuring; default: 1000
--melt N            impacts for every two particles before that; default: 10
--stages            times of the stages of circles and polygons instead
--bodies LIST       with --stages; default: 16,32,64,128,256,512,1024
--iterations N      with --stages; default: 1000
--device LIST       with --stages; of cpu, cuda, opencl and gles; default: all that are there
--threads LIST      CPU threads; default: 1 and all cores
--detector N        instead: convex bodies that fall (up to N of them, at most 1000), stacks, rooms, bullets: what the
                    detector of Solver::impact does, stage by stage
--times N           instead: times of impact of N pairs of every two kinds of convex shapes, judged by sampling
--exact N           instead: times of impact of N pairs of boxes, hulls and planes, from below and exact
--drift N           instead: energy, momentum and angular momentum of 16 bodies after N elastic impacts
--oracle N          instead: single impacts of N pairs of every two kinds, the soft step beside Solver::impact
)",
             csv_option},
            run};
}

} // namespace scree::bench
