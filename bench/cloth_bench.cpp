// SPDX-License-Identifier: MIT
// cloth_bench.cpp — the experiments T (time of a step) and S (stability) of "Using the GPU of mobile devices in cloth dynamics
// simulation", Łódź University of Technology, 2016, with its figures beside ours.
#include "bench_options.h"
#include "benchmarks.h"
#include "cloth_holds.h"
#include "cloth_seconds.h"
#include "cloth_times.h"
#include "device/device.h"
#include "fabric_bench.h"
#include "scree/cloth.h"
#include "scree/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

constexpr std::size_t densities = 12;
// tables 6.1 and 6.2, ms: phone GPU, phone CPU, phone CPU with four threads; springs, then positions
constexpr double thesis_ms[densities][6] = {
    {12.10, 0.66, 0.64, 12.30, 0.49, 0.61},     {12.82, 2.26, 2.23, 12.67, 2.29, 4.91},
    {14.86, 5.43, 6.47, 12.74, 5.34, 4.33},     {15.02, 11.87, 11.02, 14.89, 10.55, 6.71},
    {14.80, 19.31, 8.99, 14.77, 18.99, 8.88},   {14.99, 28.86, 13.43, 14.62, 24.42, 12.33},
    {14.71, 35.77, 20.63, 14.19, 33.36, 15.62}, {20.78, 46.76, 23.01, 20.94, 41.90, 21.39},
    {21.15, 66.17, 30.25, 14.23, 51.64, 24.39}, {18.86, 78.81, 37.73, 13.98, 67.24, 33.18},
    {18.03, 90.46, 45.90, 18.64, 81.09, 39.19}, {20.55, 92.08, 53.97, 20.98, 81.18, 47.64}};
// table 6.3, µm a step: MS-01, PB-01, MS-02, PB-02; NAN: exploded
constexpr double thesis_um[densities][4] = {
    {35.28, 63.80, 692.28, 724.77},     {5.28, 200.46, 3781.76, 951.42},   {2.18, 240.19, 2892.51, 717.90},
    {3.12, 350.94, 1404.27, 824.07},    {4.80, 372.36, 4327.69, 908.59},   {56.12, 395.42, 3441.40, 941.90},
    {127.10, 397.41, 2332.79, 900.62},  {223.90, 442.35, 3422.49, 897.37}, {257.20, 540.99, 4189.68, 998.34},
    {1343.29, 547.40, 2595.97, 377.35}, {5813.93, 555.29, 5776.74, 81.94}, {NAN, 705.42, 5254.65, 236.40}};

constexpr const char* model_names[] = {"mass_spring", "position_based"};

std::string formatted(const char* format, auto... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

/// The conditions of a row: size, step, gravity, mass, drag, damping, object and how many steps were measured.
std::string conditions(const ClothSettings& s, const char* object, int steps) {
    return formatted("%g,%g,%g,%g,%g,%g,%g,%s,%d", double{s.width}, double{s.length}, double{s.time_step},
                     double{s.gravity.y}, double{s.mass}, double{s.drag}, double{s.damping}, object, steps);
}

/// Spheres and boxes in a ring around the sheet.
void add_far_colliders(ClothWorld& world, int count) {
    for (int k = 0; k < count; ++k) {
        const float angle = 0.37f * static_cast<float>(k);
        world.add_collider({k % 2 ? ClothCollider::Kind::box : ClothCollider::Kind::sphere,
                            {60 * std::cos(angle), 3 + static_cast<float>(k % 7), 60 * std::sin(angle)},
                            {1, 1, 1},
                            {}});
    }
}

std::string experiment_t(const std::vector<Place>& places, std::size_t most, int steps, int far) {
    std::printf("T: ms a step; 10 m x 10 m, 1/60 s, gravity 5 m/s², 1 kg, drag 0.1, stiffness 200, damping "
                "-0.5, one sphere; %d "
                "steps after 10\n%-10s %-15s %9s %9s %9s %9s %9s  thesis: GPU, CPU, CPU x4\n",
                steps, "device", "model", "vertices", "ms", "motion", "collision", "normals");
    std::string csv;
    const std::string object = "sphere of 2 m at (0 5 -3.5)" +
                               (far > 0 ? " and " + std::to_string(far) + " colliders 60 m away" : "");
    if (far > 0) std::printf("   with %d colliders, 60 m away\n", far);
    std::vector<ClothTime> times;
    for (const Place& place : places)
        for (std::size_t model = 0; model < 2; ++model)
            for (std::size_t k = 0; k < most; ++k) {
                ClothSettings s = reference_cloth();
                s.model = static_cast<ClothModel>(model);
                s.edges_x = s.edges_z = static_cast<int>(10 * (k + 1)) - 2;
                ClothWorld world(s, place);
                world.add_sheet();
                world.add_collider({ClothCollider::Kind::sphere, {0, 5, -3.5f}, {2, 2, 2}, {}});
                add_far_colliders(world, far);
                world.step(10);
                const double ms = 1e3 * seconds_of(world, steps);
                world.time_stages(true);
                world.step(steps);
                const auto stages = world.stage_seconds();
                const auto stage = [&](std::size_t i) { return 1e3 * stages[i] / steps; };
                const double* thesis = thesis_ms[k] + 3 * model;
                std::printf("%-10s %-15s %9u %9.4f %9.4f %9.4f %9.4f  %.2f %.2f %.2f\n",
                            place_name(place).c_str(), model_names[model], world.vertex_count(), ms, stage(0),
                            stage(1), stage(2), thesis[0], thesis[1], thesis[2]);
                csv += formatted("T,%s,%s,%u,,%.0f,%.6f,%.6f,%.6f,%.6f,%.2f,%.2f,%.2f,,,,,,%s\n",
                                 place_name(place).c_str(), model_names[model], world.vertex_count(),
                                 double{s.stiffness}, ms, stage(0), stage(1), stage(2), thesis[0], thesis[1],
                                 thesis[2], conditions(s, object.c_str(), steps).c_str());
                times.push_back(
                    {place_name(place), model_names[model], static_cast<double>(world.vertex_count()), ms});
            }
    std::printf("%s", summary_of(times).c_str());
    return csv;
}

std::string experiment_s(const Place& place, const std::vector<std::size_t>& rows, int settle) {
    std::printf("S: movement in a step at rest, µm, mean of 30 steps after %d; 10 m x 10 m, 1/30 s, drag "
                "0.1, no object\n"
                "%-4s %-15s %9s %12s %12s %12s %9s  thesis: middle\n",
                settle, "run", "model", "stiffness", "middle", "mean", "largest", "exploded");
    std::string csv;
    for (const std::size_t k : rows)
        for (std::size_t run = 0; run < 2; ++run)
            for (std::size_t model = 0; model < 2; ++model) {
                ClothSettings s = reference_cloth();
                s.model = static_cast<ClothModel>(model);
                s.time_step = 1.0f / 30;
                s.stiffness = 50 * static_cast<float>(k + 1);
                s.mass = run == 0 ? 0.2f : 0.7f;
                s.gravity = {0, run == 0 ? -1.0f : -2.0f, 0};
                s.damping = run == 0 ? -0.5f : -10.0f;
                s.edges_x = s.edges_z = run == 0 ? 23 : 78;
                ClothWorld world(s, place);
                world.add_sheet();
                world.step(settle);
                double middle = 0, mean = 0, largest = 0;
                for (int i = 0; i < 30; ++i) {
                    world.step();
                    const ClothMeasure m = world.measure();
                    middle += m.centre_jitter / 30;
                    mean += m.mean_jitter / 30;
                    largest = std::max(largest, m.max_jitter);
                }
                const std::uint32_t frozen = world.measure().frozen;
                const double thesis = thesis_um[k][2 * run + model];
                std::printf("0%zu   %-15s %9.0f %12.1f %12.1f %12.1f %9s  %.2f\n", run + 1,
                            model_names[model], double{s.stiffness}, 1e6 * middle, 1e6 * mean, 1e6 * largest,
                            frozen ? "NaN" : "-", thesis);
                csv += formatted("S,%s,%s,%u,%zu,%.0f,,,,,,,,%.3f,%.3f,%.3f,%u,%.2f,%s\n",
                                 place_name(place).c_str(), model_names[model], world.vertex_count(), run + 1,
                                 double{s.stiffness}, 1e6 * middle, 1e6 * mean, 1e6 * largest, frozen, thesis,
                                 conditions(s, "none", 30).c_str());
            }
    return csv;
}

int run_self(const Arguments& given) {
    const std::vector<std::string> devices = option_list(given, "--device");
    const std::vector<Place> places =
        places_of(devices.empty() ? std::vector<std::string>{"auto"} : devices,
                  given.all("--threads").empty() ? std::vector<int>{0} : thread_list(given));
    const auto csv = open_output(given, "--csv");
    int code = exit_ok;
    const std::string rows =
        given.has("--holds") ? cloth_holds(given, places, code) : cloth_layers(given, places);
    finish_csv(csv, rows);
    return code;
}

int run_sustained(const Arguments& given) {
    const std::vector<std::string> devices = option_list(given, "--device");
    const std::vector<int> threads =
        given.all("--threads").empty() ? std::vector<int>{0} : thread_list(given);
    const Place place =
        places_of(devices.empty() ? std::vector<std::string>{"cpu"} : devices, threads).front();
    const auto csv = open_output(given, "--csv");
    finish_csv(csv, sustained_steps(place, given.number("--seconds", 0.01, 1e6).value_or(600)));
    return exit_ok;
}

/// Rows of table 6.3: those of --stiffness, or the first `most`.
std::vector<std::size_t> stiffnesses(const Arguments& given, std::size_t most) {
    std::vector<std::size_t> rows;
    for (const std::uint64_t stiffness : count_list(given, "--stiffness", 600)) {
        if (stiffness % 50 != 0 || stiffness == 0)
            throw Error("invalid value " + std::to_string(stiffness) + ": expected 50, 100, … 600",
                        "--stiffness");
        rows.push_back(stiffness / 50 - 1);
    }
    if (rows.empty())
        for (std::size_t k = 0; k < most; ++k) rows.push_back(k);
    return rows;
}

int run(const Arguments& given) {
    if (given.has("--holds") || given.has("--layers")) return run_self(given);
    const std::vector<std::string> experiments =
        choose_from(given, "--experiment", {"time", "stability", "hang", "sphere", "size", "sustained"});
    if (experiments == std::vector<std::string>{"sustained"}) return run_sustained(given);
    const auto of_world = std::count_if(experiments.begin(), experiments.end(), is_fabric_experiment);
    if (of_world == static_cast<std::ptrdiff_t>(experiments.size()) && of_world)
        return run_fabric(given, experiments);
    if (of_world || std::find(experiments.begin(), experiments.end(), "sustained") != experiments.end())
        throw Error("sustained has columns of its own, and time and stability have others than hang, sphere "
                    "and size: expected one of the three",
                    "--experiment");
    const auto chosen = [&](const char* name) {
        return experiments.empty() ||
               std::find(experiments.begin(), experiments.end(), name) != experiments.end();
    };
    std::vector<std::string> devices = option_list(given, "--device");
    if (devices.empty())
        for (const DeviceReport& report : list_devices())
            if (report.available) devices.push_back(report.name);
    const auto most = whole_option<std::size_t>(given, "--rows", 1, densities, densities);
    const auto csv = open_output(given, "--csv");
    std::string rows =
        "experiment,device,model,vertices,run,stiffness,ms,motion_ms,collision_ms,normals_ms,thesis_gpu_ms,"
        "thesis_cpu_ms,thesis_cpu4_ms,middle_um,mean_um,largest_um,frozen,thesis_um,width_m,length_m,time_"
        "step_"
        "s,gravity,mass_kg,drag,damping,object,steps\n";
    const std::vector<Place> places = places_of(devices, thread_list(given));
    if (chosen("time"))
        rows += experiment_t(places, most, whole_option(given, "--steps", 1, 100000, 100),
                             whole_option(given, "--colliders", 0, 1000000, 0));
    if (chosen("stability"))
        rows += experiment_s(places.front(), stiffnesses(given, most),
                             whole_option(given, "--settle", 1, 1000000, 1800));
    finish_csv(csv, rows);
    return 0;
}

} // namespace

CommandSpec cloth_bench() {
    return {
        "cloth",
        "time of a step and quality of cloth, beside Bullet and a thesis of 2016",
        "Experiment T: the time of a step of 12 densities, 100 to 14,400 vertices, in both models; each "
        "time ends when the "
        "device has finished. Experiment S: how far vertices move in a step at rest, 12 stiffnesses, "
        "runs 01 and 02. The "
        "thesis' figures stand beside ours.\n"
        "Experiments hang and sphere: cloth of the rigid world, hung by two corners or laid over a "
        "sphere: time, stretch, rest and time by stage, beside Bullet. Experiment size: cost against "
        "vertices.\n"
        "Experiment sustained: 120 x 120 vertices without a pause for --seconds (600), a row a second, to "
        "see whether the hardware slows down.\n"
        "With --holds: cloth of the rigid world in trials that press it on "
        "itself; edges through triangles are counted exactly after each step, and any ends with exit code "
        "1. With --layers: time and pairs of layers at rest on each other.",
        {R"(
--experiment LIST   time, stability; or hang, sphere, size; or sustained; default: time,stability
--rows N            only the first N densities and stiffnesses
--steps N           timed, of experiment T; default: 100
--colliders N       far away, besides the sphere of experiment T; default: 0
--stiffness LIST    of experiment S, 50 to 600; default: all
--settle N          before experiment S measures; default: 1800
--device LIST       default: all, of hang, sphere, size and sustained: cpu; experiments S and sustained and
                    --holds take the first
--vertices LIST     a side, of hang, sphere and size; default: 32,64,128; of size up to 1024
--substeps LIST     of hang, sphere and size; default: 4
--bend X            N m, flexural rigidity in hang, sphere and size; default: 1e-5
--engine LIST       scree, bullet; of hang and sphere; default: scree
--iterations LIST   of Bullet, up to the first with a mean stretch below 1 %; default: 10,20,…,320
--svg FILE          a picture of hang, sphere and size
--holds LIST        trials: fifty (layers), towel, skirt, crumple or all
--seconds S         of each trial; default: 20; of sustained: 600
--detail X          of its meshes; default: 1
--turns N           of the towel; default: 10
--mesh FILE         in place of the skirt
--crumplings N      with seeds 1 to N; default: 100
--seed N            of one crumpling, in place of --crumplings
--layers LIST       vertices in 10 and in 50 layers; --settle (120) and --steps as above
--kernels           with --layers and size: time of each kernel
--no-self           size without cloth that collides with itself
)",
         threads_option, csv_option},
        run};
}

} // namespace scree::bench
