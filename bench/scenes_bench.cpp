// SPDX-License-Identifier: MIT
// scenes_bench.cpp — `scree bench scenes`: the time of a step of any scene, whatever its kind, and the quality reached; on
// request quantities after every step.
#include "bench_options.h"
#include "benchmarks.h"
#include "scene_arguments.h"
#include "scree/error.h"
#include "scree/scene.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace scree::bench {
namespace {

/// A quantity after every step.
struct Watched {
    Expectation expected; ///< without bounds if the scene expects nothing of it
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::uint64_t broken = 0, first_broken = 0; ///< steps

    void look(const SceneRun& run) {
        const double value = run.quantity(expected);
        least = std::min(least, value), most = std::max(most, value);
        if (value >= expected.least && value <= expected.most) return;
        if (broken++ == 0) first_broken = run.steps_done();
    }
};

struct Result {
    double seconds = 0;
    std::uint64_t hash = 0;
    std::string device, quality;
    std::vector<Watched> watched;
};

std::vector<Watched> watched_of(const Scene& scene, const std::vector<std::string>& quantities) {
    const std::vector<std::string> known = expectation_names(scene.kind);
    std::vector<Watched> watched;
    for (const std::string& quantity : quantities) {
        if (std::find(known.begin(), known.end(), quantity) == known.end())
            refuse_option("--watch", quantity,
                          "a quantity that scenes of kind " + scene.kind + " can expect");
        const auto expected = std::find_if(scene.expect.begin(), scene.expect.end(),
                                           [&](const Expectation& e) { return e.quantity == quantity; });
        watched.emplace_back();
        if (expected != scene.expect.end()) watched.back().expected = *expected;
        watched.back().expected.quantity = quantity;
    }
    return watched;
}

Result run_once(const Scene& scene, const Place& place, std::vector<Watched> watched) {
    const auto run = start_scene(scene, place);
    const auto steps = static_cast<std::uint64_t>(scene.steps);
    Result result;
    for (std::uint64_t done = 0; done < steps;) {
        const std::uint64_t now = watched.empty() ? steps : 1;
        const Stopwatch clock;
        run->step(now);
        result.seconds += clock.seconds();
        done += now;
        for (Watched& one : watched) one.look(*run);
    }
    result.hash = run->hash();
    result.device = run->place().device();
    result.quality = summary(*run);
    result.watched = std::move(watched);
    return result;
}

Result fastest(const Scene& scene, const Place& place, const std::vector<Watched>& watched, int repeats) {
    Result best = run_once(scene, place, watched);
    for (int k = 1; k < repeats; ++k)
        if (Result next = run_once(scene, place, watched); next.seconds < best.seconds)
            best = std::move(next);
    return best;
}

void report(const Watched& watched, std::uint64_t steps) {
    std::printf("    %s: %s to %s", watched.expected.quantity.c_str(), short_number(watched.least).c_str(),
                short_number(watched.most).c_str());
    if (watched.broken)
        std::printf("; NOT as the scene expects in %s of %s, first in step %s",
                    count_text(watched.broken).c_str(), count_of(steps, "step", "steps").c_str(),
                    count_text(watched.first_broken).c_str());
    std::printf("\n");
}

int run(const Arguments& given) {
    const std::vector<std::string> quantities = option_list(given, "--watch");
    const int repeats = whole_option(given, "--repeat", 1, 1000, quantities.empty() ? 3 : 1);
    std::vector<std::string> devices = option_list(given, "--device");
    if (devices.empty()) devices = {"auto"};
    const std::vector<Place> places = places_of(devices, thread_list(given));
    std::vector<Scene> scenes;
    std::vector<std::vector<Watched>> watched;
    for (const std::string& name : given.positional()) {
        scenes.push_back(read_scene(given, name));
        watched.push_back(watched_of(scenes.back(), quantities));
    }
    const auto csv = open_output(given, "--csv");
    std::string rows = "scene,kind,device,threads,items,steps,ms_per_step,hash\n";

    bool as_expected = true;
    for (std::size_t n = 0; n < scenes.size(); ++n) {
        const Scene& scene = scenes[n];
        const SceneSize size = kind_of(scene).size(scene);
        const auto steps = static_cast<std::uint64_t>(scene.steps);
        std::printf("%s (%s, %s, %s)\n", scene.name.c_str(), scene.kind.c_str(),
                    count_of(size.items, size.one, size.many).c_str(),
                    count_of(steps, "step", "steps").c_str());
        for (const Place& place : places) {
            const Result best = fastest(scene, place, watched[n], repeats);
            const int threads = place.options().threads;
            const double ms = 1000 * best.seconds / static_cast<double>(steps);
            std::printf("  %s, %s: %s ms a step, hash %s; %s\n", best.device.c_str(),
                        count_of(static_cast<std::uint64_t>(threads), "thread", "threads").c_str(),
                        short_number(ms).c_str(), hash_text(best.hash).c_str(), best.quality.c_str());
            for (const Watched& one : best.watched) {
                report(one, steps);
                as_expected = as_expected && one.broken == 0;
            }
            std::fflush(stdout);
            rows += scene.name + "," + scene.kind + "," + best.device + "," + std::to_string(threads) + "," +
                    std::to_string(size.items) + "," + std::to_string(steps) + "," + exact_number(ms) + "," +
                    hash_text(best.hash) + "\n";
        }
    }
    finish_csv(csv, rows);
    return as_expected ? exit_ok : exit_failed;
}

} // namespace

CommandSpec scenes_bench() {
    return {
        "scenes SCENE|FILE …",
        "steps of scenes of any kind",
        R"(Times the steps of scenes of any kind: milliseconds a step, the best of several runs, with the hash and the
measures of the last state. With --watch it also looks at quantities after every step, and fails if one is not what the
scene expects.

The CSV has the columns scene, kind, device, threads, items, steps, ms_per_step, hash.)",
        {"--device LIST       auto, cpu, cuda, opencl …; default: auto", threads_option, steps_option,
         scene_options,
         "--watch LIST        quantities of \"expect\", after every step: the least and the most",
         "--repeat N          runs, of which the fastest counts; default: 3, with --watch 1", csv_option},
        run};
}

} // namespace scree::bench
