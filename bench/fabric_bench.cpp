// SPDX-License-Identifier: MIT
// fabric_bench.cpp — see fabric_bench.h.
#include "fabric_bench.h"

#include "bench_options.h"
#include "benchmarks.h"
#include "cloth_holds.h"
#include "plot.h"
#include "rigid/device_simulation.h"
#include "rigid/device_worlds.h"
#include "row.h"
#include "scree/world.h"
#include "stopwatch.h"
#include "world/state.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace scree::bench {

namespace {

constexpr int timed_steps = 60; // the last second
constexpr const char* stage_groups[] = {"predict", "levels", "stretch", "bend",   "tether",
                                        "sweep",   "touch",  "self",    "finish", "other"};

std::string group_of(const std::string& kernel) {
    const auto is = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [&](const char* name) { return kernel == name; });
    };
    if (is({"fabric_predict", "fabric_gust", "fabric_air"})) return "predict";
    if (is({"fabric_mean", "fabric_link", "fabric_moved", "fabric_spread"})) return "levels";
    if (is({"fabric_stretch"})) return "stretch";
    if (is({"fabric_bend"})) return "bend";
    if (is({"fabric_tether"})) return "tether";
    if (is({"fabric_sweep"})) return "sweep"; // all of these in one launch
    if (is({"fabric_touch", "fabric_find", "fabric_patches", "fabric_bodies", "fabric_shares"}))
        return "touch";
    if (is({"fabric_finish"})) return "finish";
    return kernel.starts_with("self_") ? "self" : "other";
}

World world_of(const FabricScene& scene, const Place& place, int substeps, bool self, ClothId& id) {
    WorldSettings settings;
    settings.substeps = substeps;
    World world(settings, place);
    if (scene.sphere) world.attach(world.create_body({.type = BodyType::fixed}), Sphere{scene.radius});
    ClothDef cloth = scene.cloth();
    cloth.self_collision = self;
    id = world.create_cloth(cloth);
    return world;
}

Device* device_of(World& world) {
    auto* on_device = dynamic_cast<DeviceSimulation*>(WorldInside::of(world).simulation.get());
    return on_device ? &on_device->worlds().device() : nullptr;
}

FabricResult run_scree(const FabricScene& scene, const Place& place, int substeps, bool self, int steps) {
    ClothId id;
    World world = world_of(scene, place, substeps, self, id);
    FabricResult result{place.device() == "cpu" ? "scree" : "scree-" + place.device(),
                        std::to_string(substeps) + " substeps",
                        {},
                        {},
                        {},
                        {},
                        {}};
    for (int k = 0; k < steps; ++k) {
        const Stopwatch clock;
        world.step(fabric_step);
        if (Device* device = device_of(world)) device->finish();
        result.step_ms.push_back(clock.ms());
        const Stopwatch reading;
        (void)world.vertices(id);
        result.read_ms.push_back(reading.ms());
    }
    const auto vertices = world.vertices(id), velocities = world.vertex_velocities(id);
    result.vertices.assign(vertices.begin(), vertices.end());
    result.velocities.assign(velocities.begin(), velocities.end());
    return result;
}

/// Of a step at rest, by the timers of the device pipeline; on the CPU it runs the same kernels.
std::vector<std::pair<std::string, double>> stages_of(const FabricScene& scene, const Place& place,
                                                      int substeps, bool self, int settle) {
    const Place timed(
        {.device = place.device() == "cpu" ? "cpu:kernels" : place.device(), .threads = place.threads()});
    ClothId id;
    World world = world_of(scene, timed, substeps, self, id);
    for (int k = 0; k < settle; ++k) world.step(fabric_step);
    Device& device = *device_of(world);
    device.time_kernels(true);
    constexpr int steps = 10;
    for (int k = 0; k < steps; ++k) world.step(fabric_step);
    device.finish();
    std::vector<std::pair<std::string, double>> stages;
    for (const char* name : stage_groups) stages.push_back({name, 0});
    for (const KernelTime& time : device.kernel_times())
        for (auto& [name, ms] : stages)
            if (name == group_of(std::string(work_name(time.work)))) ms += 1e3 * time.seconds / steps;
    device.time_kernels(false);
    return stages;
}

/// Prints the time of each kernel, from the second step on.
void time_kernels(const FabricScene& scene, const Place& place, int substeps, bool self, int steps) {
    ClothId id;
    World world = world_of(scene, place, substeps, self, id);
    world.step(fabric_step);
    Device* device = device_of(world);
    if (!device)
        throw Error("the device cpu does not time kernels: expected cpu:kernels or a GPU", "--kernels");
    device->time_kernels(true);
    for (int k = 0; k < steps; ++k) world.step(fabric_step);
    print_kernels(*device, steps);
}

struct Judged {
    double first_ms = 0; ///< the first step, which plans the constraints and sends all to the device
    double read_ms = 0;  ///< of the vertices after a step, least
    double min_ms = 0, mean_ms = 0, mean_stretch = 0, max_stretch = 0, rms_speed = 0, low = 0;
    double deepest_mm = 0; ///< how far the vertex nearest to the sphere's centre is inside; negative: outside
};

Judged judge(const FabricScene& scene, const FabricResult& result) {
    Judged judged;
    judged.first_ms = result.step_ms.front();
    if (!result.read_ms.empty())
        judged.read_ms = *std::min_element(result.read_ms.begin(), result.read_ms.end());
    const std::size_t last =
        std::min<std::size_t>(timed_steps, std::max<std::size_t>(result.step_ms.size() - 1, 1));
    const auto begin = result.step_ms.end() - static_cast<std::ptrdiff_t>(last);
    judged.min_ms = *std::min_element(begin, result.step_ms.end());
    judged.mean_ms = std::accumulate(begin, result.step_ms.end(), 0.0) / static_cast<double>(last);
    const ClothDef cloth = scene.cloth();
    std::vector<std::array<std::uint32_t, 2>> edges;
    for (const auto& corners : cloth.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b)});
        }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const auto& [a, b] : edges) {
        const double rest = length(wide(cloth.vertices[a]) - wide(cloth.vertices[b]));
        const double stretch =
            std::max(0.0, length(wide(result.vertices[a]) - wide(result.vertices[b])) / rest - 1);
        judged.mean_stretch += stretch / static_cast<double>(edges.size());
        judged.max_stretch = std::max(judged.max_stretch, stretch);
    }
    double squares = 0, nearest = 1e9;
    judged.low = 1e9;
    for (std::size_t v = 0; v < result.vertices.size(); ++v) {
        squares += dot(wide(result.velocities[v]), wide(result.velocities[v]));
        nearest = std::min(nearest, length(wide(result.vertices[v])));
        judged.low = std::min(judged.low, double{result.vertices[v].y});
    }
    judged.rms_speed = std::sqrt(squares / static_cast<double>(result.vertices.size()));
    judged.deepest_mm = scene.sphere ? 1e3 * (double{scene.radius} - nearest) : 0;
    return judged;
}

std::string csv_head() {
    std::string head = "experiment,engine,threads,n,vertices,self_collision,setting,steps,min_ms,mean_ms,"
                       "mean_stretch,max_stretch,rms_speed,deepest_mm,low_m,first_ms,read_ms,bend";
    for (const char* name : stage_groups) head += std::string(",") + name + "_ms";
    return head + "\n";
}

/// Prints a line and returns the row.
std::string report(const char* experiment, const FabricScene& scene, int threads, bool self,
                   const FabricResult& result, const Judged& judged) {
    std::printf("%-7s %-16s %5u %5s %-15s %9.3f %9.3f %8.1f %8.3f %8.3f %8.2f %9.4f %9.2f\n", experiment,
                result.engine.c_str(), scene.n, self ? "self" : "", result.setting.c_str(), judged.min_ms,
                judged.mean_ms, judged.first_ms, judged.read_ms, 100 * judged.mean_stretch,
                100 * judged.max_stretch, judged.rms_speed, judged.deepest_mm);
    std::string stages;
    for (const char* name : stage_groups) {
        stages += ",";
        for (const auto& [stage, ms] : result.stages)
            if (stage == name) {
                stages += number_text(ms);
                if (ms > 0) std::printf("  %s %.3f", name, ms);
            }
    }
    if (!result.stages.empty()) std::printf("\n");
    std::fflush(stdout);
    std::string row = std::string(experiment) + "," + result.engine + "," + std::to_string(threads) + "," +
                      std::to_string(scene.n) + "," + std::to_string(scene.n * scene.n) + "," +
                      (self ? "1" : "0") + "," + result.setting + "," + std::to_string(result.step_ms.size());
    for (const double value :
         {judged.min_ms, judged.mean_ms, judged.mean_stretch, judged.max_stretch, judged.rms_speed,
          judged.deepest_mm, judged.low, judged.first_ms, judged.read_ms, double{scene.bend}})
        row += "," + number_text(value);
    return row + stages + "\n";
}

} // namespace

ClothDef FabricScene::cloth() const {
    ClothDef cloth = make_cloth(2, 2, n, n);
    cloth.position = {0, sphere ? radius + 0.2f : 3, 0};
    if (!sphere) cloth.pins = {{.vertex = 0}, {.vertex = n - 1}};
    cloth.material.damping = 2;
    cloth.material.bend = bend;
    cloth.can_sleep = false; // all steps cost the same
    return cloth;
}

bool is_fabric_experiment(const std::string& name) {
    return name == "hang" || name == "sphere" || name == "size";
}

int run_fabric(const Arguments& given, const std::vector<std::string>& experiments) {
    std::vector<std::string> devices = option_list(given, "--device");
    if (devices.empty()) devices = {"cpu"};
    std::vector<std::string> engines = choose_from(given, "--engine", {"scree", "bullet"});
    const auto numbers = [&](const char* option, std::vector<std::uint64_t> otherwise, std::uint64_t most) {
        const std::vector<std::uint64_t> list = count_list(given, option, most);
        return list.empty() ? otherwise : list;
    };
    const auto sides = numbers("--vertices", {}, 2048);
    const auto substeps = numbers("--substeps", {4}, 64);
    const auto iterations = numbers("--iterations", {10, 20, 40, 80, 160, 320}, 100000);
    const int steps = whole_option(given, "--steps", 1, 100000, 300);
    const auto bend =
        static_cast<float>(given.number("--bend", 0, 1e6).value_or(double{ClothMaterial{}.bend}));
    const auto csv = open_output(given, "--csv");
    const auto svg = open_output(given, "--svg");
    if (engines.empty()) engines = {"scree"};
    std::vector<int> threads{1};
    if (given.text("--threads")) threads = thread_list(given);
    const std::vector<Place> places = places_of(devices, threads);
    const auto has = [&](const std::vector<std::string>& list, const char* name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };

    std::string rows = csv_head();
    std::vector<Plot> plots;
    std::printf(
        "2 m x 2 m, 0.2 kg/m², step 1/60 s, damping 2/s; ms: least and mean of the last %d steps, the first "
        "step, least of reading the vertices\n"
        "%-7s %-16s %5s %5s %-15s %9s %9s %8s %8s %8s %8s %9s %9s\n",
        timed_steps, "scene", "engine", "n", "", "setting", "least ms", "mean ms", "first ms", "read ms",
        "mean %", "most %", "rms m/s", "inside mm");
    for (const char* name : {"hang", "sphere"}) {
        if (!has(experiments, name)) continue;
        Plot plot{std::string(name) + ": stretch and time", "ms a step", "mean stretch, %", {}, {{1, "1 %"}}};
        for (const std::uint64_t n : sides.empty() ? std::vector<std::uint64_t>{32, 64, 128} : sides) {
            const FabricScene scene{
                .sphere = std::string(name) == "sphere", .n = static_cast<std::uint32_t>(n), .bend = bend};
            const auto add = [&](const FabricResult& result, int count) {
                const Judged judged = judge(scene, result);
                rows += report(name, scene, count, false, result, judged);
                plot.add(result.engine + ", " + std::to_string(n) + " x " + std::to_string(n), judged.min_ms,
                         100 * judged.mean_stretch);
                return judged;
            };
            if (has(engines, "scree"))
                for (const Place& place : places)
                    for (const std::uint64_t count : substeps) {
                        FabricResult result = run_scree(scene, place, static_cast<int>(count), false, steps);
                        result.stages =
                            stages_of(scene, place, static_cast<int>(count), false, std::min(steps, 120));
                        add(result, place.threads());
                    }
            if (has(engines, "bullet"))
                for (const std::uint64_t count : iterations)
                    if (add(run_bullet(scene, static_cast<int>(count), steps), 1).mean_stretch < 0.01) break;
        }
        plots.push_back(std::move(plot));
    }
    if (has(experiments, "size")) {
        Plot plot{"a step of hung cloth", "vertices", "ms a step", {}, {{1000.0 / 60, "real time"}}};
        for (const std::uint64_t n :
             sides.empty() ? std::vector<std::uint64_t>{32, 64, 128, 256, 512, 1024} : sides)
            for (const bool self : {false, true}) {
                if (self && given.has("--no-self")) continue;
                for (const Place& place : places)
                    for (const std::uint64_t count : substeps) {
                        const FabricScene scene{.n = static_cast<std::uint32_t>(n), .bend = bend};
                        const FabricResult result =
                            run_scree(scene, place, static_cast<int>(count), self, std::min(steps, 30));
                        const Judged judged = judge(scene, result);
                        rows += report("size", scene, place.threads(), self, result, judged);
                        plot.add(result.engine + (self ? ", self-collision" : ""), static_cast<double>(n * n),
                                 judged.min_ms);
                        if (given.has("--kernels"))
                            time_kernels(scene, place, static_cast<int>(count), self, std::min(steps, 10));
                    }
            }
        plots.push_back(std::move(plot));
    }
    finish_csv(csv, rows);
    if (svg) {
        svg->finish(svg_page("Cloth", plots));
        std::printf("plot in %s\n", svg->name().c_str());
    }
    return exit_ok;
}

} // namespace scree::bench
