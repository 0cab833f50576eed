// SPDX-License-Identifier: MIT
// scenes_bench.cpp — `scree bench scenes`: the time of a step of any scene, whatever its kind, and the quality reached.
#include "bench_options.h"
#include "benchmarks.h"
#include "scene_arguments.h"
#include "scree/scene.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cstdio>

namespace scree::bench {
namespace {

struct Result {
    double seconds = 0;
    std::uint64_t hash = 0;
    std::string device, quality;
};

Result fastest(const Scene& scene, const Place& place, std::uint64_t steps, int repeats) {
    Result best;
    for (int k = 0; k < repeats; ++k) {
        const auto run = start_scene(scene, place);
        const Stopwatch clock;
        run->step(steps);
        const double seconds = clock.seconds();
        if (k > 0 && seconds >= best.seconds) continue;
        best = {seconds, run->hash(), run->place().device(), summary(*run)};
    }
    return best;
}

int run(const Arguments& given) {
    const auto steps_given = given.whole("--steps", 1, 1'000'000'000);
    const int repeats = whole_option(given, "--repeat", 1, 1000, 3);
    std::vector<std::string> devices = option_list(given, "--device");
    if (devices.empty()) devices = {"auto"};
    const std::vector<Place> places = places_of(devices, thread_list(given));
    std::vector<Scene> scenes;
    for (const std::string& name : given.positional()) scenes.push_back(find_scene(name));
    const auto csv = open_output(given, "--csv");
    std::string rows = "scene,kind,device,threads,items,steps,ms_per_step,hash\n";

    for (const Scene& scene : scenes) {
        const SceneSize size = kind_of(scene).size(scene);
        const std::uint64_t steps = steps_given.value_or(static_cast<std::uint64_t>(scene.steps));
        std::printf("%s (%s, %s, %s)\n", scene.name.c_str(), scene.kind.c_str(),
                    count_of(size.items, size.one, size.many).c_str(),
                    count_of(steps, "step", "steps").c_str());
        for (const Place& place : places) {
            const Result best = fastest(scene, place, steps, repeats);
            const int threads = place.options().threads;
            const double ms = 1000 * best.seconds / static_cast<double>(steps);
            std::printf("  %s, %s: %s ms a step, hash %s; %s\n", best.device.c_str(),
                        count_of(static_cast<std::uint64_t>(threads), "thread", "threads").c_str(),
                        short_number(ms).c_str(), hash_text(best.hash).c_str(), best.quality.c_str());
            std::fflush(stdout);
            rows += scene.name + "," + scene.kind + "," + best.device + "," + std::to_string(threads) + "," +
                    std::to_string(size.items) + "," + std::to_string(steps) + "," + exact_number(ms) + "," +
                    hash_text(best.hash) + "\n";
        }
    }
    finish_csv(csv, rows);
    return exit_ok;
}

} // namespace

CommandSpec scenes_bench() {
    return {
        "scenes SCENE|FILE …",
        "steps of scenes of any kind",
        R"(Times the steps of scenes of any kind: milliseconds a step, the best of several runs, with the hash and the
measures of the last state.

The CSV has the columns scene, kind, device, threads, items, steps, ms_per_step, hash.)",
        {"--device LIST       auto, cpu, cuda, opencl …; default: auto", threads_option, steps_option,
         "--repeat N          runs, of which the fastest counts; default: 3", csv_option},
        run};
}

} // namespace scree::bench
