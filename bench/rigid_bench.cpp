// SPDX-License-Identifier: MIT
// rigid_bench.cpp — `scree bench rigid`: engines take turns on each scene, so that noise hits all alike.
#include "bench_options.h"
#include "benchmarks.h"
#include "bullet_boxes.h"
#include "rigid_engine.h"
#include "rigid_result.h"
#include "rigid_rows.h"
#include "rigid_stages.h"
#include "row.h"
#include "run_progress.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

namespace scree::bench {

std::span<const RigidEngine> rigid_engines() {
    static constexpr auto always = [](int) -> std::optional<std::string> { return std::nullopt; };
    static constexpr RigidEngine engines[] = {
        {"scree", "the soft-step solver with default settings", scree_version, always, true, build_scree},
        {"scree-sor", "the projected SOR with default settings", scree_version, always, true,
         build_scree_sor},
        {"scree-cuda", "the soft-step solver on the first GPU", scree_version, scree_cuda_missing, true,
         build_scree_cuda},
        {"scree-cuda-grid", "the same, pairs always found by the grid", scree_version, scree_cuda_missing,
         true, build_scree_cuda_grid},
        {"bullet", "Bullet's sequential impulses, 10 iterations", bullet_version, rigid_bullet_missing, false,
         build_bullet},
        {"ode", "the Open Dynamics Engine's QuickStep, 20 iterations", ode_version, ode_missing, false,
         build_ode}};
    return engines;
}

namespace {

struct RigidOptions {
    std::vector<std::string> scenes, engines;
    std::vector<int> threads;
    int repeats = 3;
    int steps = 0;    ///< 0: the scene's own
    int substeps = 0; ///< 0: the scene's own
    bool stages = false;
    bool sleep = true;                ///< one more run of each, until everything sleeps
    std::vector<std::string> results; ///< files to measure in place of running anything
    std::string scene_folder, result_folder;
    std::string svg;
};

void choose_scenes(RigidOptions& options, const Arguments& given) {
    for (const std::string& name : option_list(given, "--scene")) {
        if (name == "all") options.scenes = bench_scene_names();
        // a scene that cannot be made is refused before anything runs
        else if (find_bench_scene(name, "--scene").rigid.bodies.size() > 0) options.scenes.push_back(name);
    }
    if (options.scenes.empty()) options.scenes = {"pyramid-40", "boxes-4096", "spheres-8192", "ragdolls-200"};
}

/// The scenes and the engines, for the help.
std::string choices() {
    constexpr std::size_t column = 24; // the longest name and a space
    std::string details = "scenes:\n";
    for (const SceneFamily& family : scene_families())
        details +=
            "  " + padded(std::string(family.name) + "-N", column) + std::string(family.summary) + "\n";
    for (const std::string_view name : builtin_names())
        details += "  " + padded(name, column) + find_scene(std::string(name)).title + "\n";
    details += "\nengines:\n";
    for (const RigidEngine& engine : rigid_engines())
        details += "  " + padded(engine.name, column) + std::string(engine.summary) + "\n";
    return details;
}

RigidOptions parse(const Arguments& given) {
    RigidOptions options;
    choose_scenes(options, given);
    std::vector<std::string> engines;
    for (const RigidEngine& engine : rigid_engines()) engines.emplace_back(engine.name);
    options.engines = choose_from(given, "--engines", engines);
    if (options.engines.empty()) options.engines = {"scree", "bullet", "ode"};
    options.threads = thread_list(given);
    options.repeats = whole_option(given, "--repeat", 1, 1000, 3);
    options.steps = whole_option(given, "--steps", 2, 100000000, 0);
    options.substeps = whole_option(given, "--substeps", 1, 1000, 0);
    options.stages = given.has("--stages");
    options.sleep = !given.has("--no-sleep");
    options.results = given.all("--quality");
    options.scene_folder = folder_name(given, "--dump-scenes");
    options.result_folder = folder_name(given, "--dump-results");
    options.svg = output_name(given, "--svg");
    return options;
}

/// an engine on a number of threads, and what its repeats gave
struct Contender {
    const RigidEngine* engine = nullptr;
    int threads = 1;
    std::vector<double> falling, settled; ///< mean of each repeat
    double falling_p99_ms = 0, p99_ms = 0, first_ms = 0, worst_ms = 0;
    std::vector<RigidPose> poses;
    RigidMemory memory;
    double sleep_steps = std::numeric_limits<double>::quiet_NaN(); ///< as in RigidRow
    StageColumn stages; ///< its stages are of the repeat that is fastest in the half
};

std::vector<Contender> contenders(const RigidOptions& options, RunProgress& progress) {
    std::vector<Contender> list;
    for (const RigidEngine& engine : rigid_engines()) {
        if (std::find(options.engines.begin(), options.engines.end(), engine.name) == options.engines.end())
            continue;
        for (int threads : options.threads) {
            if (const auto reason = engine.missing(threads)) progress.note(*reason);
            else {
                list.emplace_back();
                list.back().engine = &engine;
                list.back().threads = threads;
            }
        }
    }
    return list;
}

std::vector<double> time_steps(const RigidRun& run, int steps, double part_from, RunProgress& progress) {
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
        const Stopwatch clock;
        run.step();
        times.push_back(clock.ms());
        progress.part(part_from + 0.5 * i / steps);
    }
    return times;
}

double largest(const std::vector<double>& times) {
    return times.empty() ? 0 : *std::max_element(times.begin(), times.end());
}

void run_once(Contender& contender, const BenchScene& scene, int steps, bool stages, RunProgress& progress) {
    const RigidRun run = contender.engine->build(scene, contender.threads, false);
    stages = stages && run.stages;
    if (stages) run.stages();
    std::vector<double> times = time_steps(run, steps / 2, 0, progress);
    const double first_ms = times.front();
    // the largest is that of the steps after the first, which sets the world up
    std::vector<double> first_half(times.begin() + 1, times.end());
    const double worst = largest(first_half);
    if (scene.first_step_counts || first_half.empty()) first_half.push_back(first_ms);
    const StepTime falling = summarise(first_half);
    const StageSeconds falling_stages = stages ? run.stages() : StageSeconds{};
    const std::vector<double> second_half = time_steps(run, steps - steps / 2, 0.5, progress);
    const StepTime settled = summarise(second_half);
    const StageSeconds settled_stages = stages ? run.stages() : StageSeconds{};
    if (contender.settled.empty() ||
        settled.mean_ms < *std::min_element(contender.settled.begin(), contender.settled.end())) {
        contender.p99_ms = settled.p99_ms;
        contender.stages.settled = settled_stages;
    }
    if (contender.falling.empty() ||
        falling.mean_ms < *std::min_element(contender.falling.begin(), contender.falling.end())) {
        contender.first_ms = first_ms;
        contender.falling_p99_ms = falling.p99_ms;
        contender.stages.falling = falling_stages;
    }
    const double slowest = std::max(worst, largest(second_half));
    contender.worst_ms = contender.falling.empty() ? slowest : std::min(contender.worst_ms, slowest);
    // what is slow in every repeat is slow by itself, not by other programs
    times.insert(times.end(), second_half.begin(), second_half.end());
    std::vector<double>& least = contender.stages.step_ms;
    if (least.empty()) least = times;
    for (std::size_t i = 0; i < times.size(); ++i) least[i] = std::min(least[i], times[i]);
    contender.falling.push_back(falling.mean_ms);
    contender.settled.push_back(settled.mean_ms);
    contender.poses = run.poses();
    if (run.memory) contender.memory = run.memory();
}

double steps_to_sleep(const Contender& contender, const BenchScene& scene, int steps, RunProgress& progress) {
    const RigidRun run = contender.engine->build(scene, contender.threads, true);
    for (int i = 1; i <= steps; ++i) {
        run.step();
        if (run.asleep()) return i;
        progress.part(static_cast<double>(i) / steps);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

RigidRow row_of(const BenchScene& scene, int steps) {
    RigidRow row;
    row.contract = scene.contract;
    row.scene = scene.name;
    row.steps = steps;
    row.bodies = scene.moving();
    row.joints = scene.rigid.joints.size();
    return row;
}

RigidRow row_of(const Contender& contender, const BenchScene& scene, int steps) {
    RigidRow row = row_of(scene, steps);
    row.engine = contender.engine->name;
    row.version = contender.engine->version();
    row.threads = contender.threads;
    row.repeats = static_cast<int>(contender.falling.size());
    const auto [falling, slowest_falling] =
        std::minmax_element(contender.falling.begin(), contender.falling.end());
    const auto [settled, slowest_settled] =
        std::minmax_element(contender.settled.begin(), contender.settled.end());
    row.falling_ms = *falling;
    row.falling_spread = *slowest_falling / *falling;
    row.settled_ms = *settled;
    row.settled_spread = *slowest_settled / *settled;
    row.falling_p99_ms = contender.falling_p99_ms;
    row.p99_ms = contender.p99_ms;
    row.worst_ms = contender.worst_ms;
    row.first_ms = contender.first_ms;
    row.quality = measure(scene, contender.poses, steps);
    row.memory = contender.memory;
    row.sleep_steps = contender.sleep_steps;
    return row;
}

void print_stages(const std::vector<Contender>& list, const BenchScene& scene) {
    std::vector<StageColumn> columns;
    for (const Contender& contender : list) {
        if (contender.stages.settled.empty()) continue;
        columns.push_back(contender.stages);
        columns.back().title =
            std::string(contender.engine->name) + " " + std::to_string(contender.threads) + "T";
    }
    if (!columns.empty()) std::printf("%s", stages_text(scene.name, columns).c_str());
}

void dump_result(const RigidOptions& options, const RigidRow& row, const std::vector<RigidPose>& poses) {
    const RigidResult result{row.scene,      row.engine,     row.version, row.threads, row.steps,
                             row.falling_ms, row.settled_ms, row.p99_ms,  poses};
    write_file("--dump-results",
               std::filesystem::path(options.result_folder) /
                   (row.scene + "." + row.engine + "." + std::to_string(row.threads) + ".result"),
               result_text(result));
}

void run_scene(const RigidOptions& options, const BenchScene& scene, std::vector<Contender> list,
               std::vector<RigidRow>& rows, RunProgress& progress) {
    const int steps = options.steps > 0 ? options.steps : scene.steps;
    std::erase_if(list, [&](const Contender& contender) {
        const bool left_out = scene.special && !contender.engine->special;
        if (left_out) progress.note(std::string(contender.engine->name) + " does not run " + scene.name);
        return left_out;
    });
    // after the repeats one more run, which is not timed
    for (int repeat = 0; repeat < options.repeats + (options.sleep ? 1 : 0); ++repeat)
        for (Contender& contender : list) {
            progress.begin(scene.name + ", " + std::string(contender.engine->name) + ", " +
                           count_of(static_cast<std::uint64_t>(contender.threads), "thread", "threads"));
            if (repeat < options.repeats) run_once(contender, scene, steps, options.stages, progress);
            else contender.sleep_steps = steps_to_sleep(contender, scene, steps, progress);
        }
    progress.clear();
    for (const Contender& contender : list) {
        rows.push_back(row_of(contender, scene, steps));
        if (!options.result_folder.empty()) dump_result(options, rows.back(), contender.poses);
    }
    if (options.stages) print_stages(list, scene);
}

std::vector<RigidRow> measured_results(const RigidOptions& options) {
    std::vector<RigidRow> rows;
    for (const std::string& file : options.results) {
        const RigidResult result = read_result(file);
        const BenchScene scene = find_bench_scene(result.scene, file);
        RigidRow row = row_of(scene, result.steps);
        row.engine = result.engine;
        row.version = result.version;
        row.threads = result.threads;
        row.repeats = 1;
        row.falling_ms = result.falling_ms;
        row.settled_ms = result.settled_ms;
        row.p99_ms = result.p99_ms;
        row.quality = measure(scene, result.poses, result.steps);
        rows.push_back(row);
    }
    return rows;
}

void draw(const std::string& name, const std::vector<RigidRow>& rows) {
    std::filesystem::path stem(name);
    if (stem.extension() == ".svg") stem.replace_extension();
    write_file("--svg", stem.string() + "-bodies.svg", svg_text(time_against_bodies(rows)));
    write_file("--svg", stem.string() + "-threads.svg", svg_text(time_against_threads(rows)));
    write_file("--svg", stem.string() + "-quality.svg", svg_text(time_against_overlap(rows)));
    std::printf("plots in %s-bodies.svg, -threads.svg and -quality.svg\n", stem.string().c_str());
}

BenchScene chosen_scene(const RigidOptions& options, const std::string& name) {
    BenchScene scene = find_bench_scene(name, "--scene");
    if (options.substeps > 0) scene.rigid.settings.substeps = options.substeps;
    return scene;
}

int dump_scenes(const RigidOptions& options) {
    for (const std::string& name : options.scenes)
        write_file("--dump-scenes", std::filesystem::path(options.scene_folder) / (name + ".json"),
                   scene_text(find_bench_scene(name, "--scene")));
    std::printf("%s in %s\n", count_of(options.scenes.size(), "scene", "scenes").c_str(),
                options.scene_folder.c_str());
    return exit_ok;
}

int run(const Arguments& given) {
    const RigidOptions options = parse(given);
    if (!options.scene_folder.empty()) return dump_scenes(options);
    const auto csv = open_output(given, "--csv");
    std::vector<RigidRow> rows;
    bool complete = true;
    if (!options.results.empty()) rows = measured_results(options);
    else {
        const std::size_t runs = options.scenes.size() * options.engines.size() * options.threads.size();
        RunProgress progress(static_cast<int>(runs) * (options.repeats + (options.sleep ? 1 : 0)));
        complete = progress.completes([&] {
            const std::vector<Contender> list = contenders(options, progress);
            for (const std::string& name : options.scenes)
                run_scene(options, chosen_scene(options, name), list, rows, progress);
        });
    }
    std::printf("%s", rigid_table(rows).c_str());
    finish_csv(csv, rigid_csv(rows));
    if (!options.svg.empty()) draw(options.svg, rows);
    return complete ? exit_ok : exit_interrupted;
}

} // namespace

CommandSpec rigid_bench() {
    return {
        "rigid",
        "the rigid world beside Bullet and ODE",
        "Measures the rigid world beside other engines: time of a step and quality of the result.\n\n" +
            choices() +
            "\nContracts, columns and the formats of the files are explained in docs/manual/bench-rigid.md.",
        {R"(
--scene LIST        from the list above, with a size for N, or all
--engines LIST      from the list above, or all; default: scree, bullet, ode
--repeat N          runs of each, engines taking turns; the fastest counts; default: 3
--steps N           steps in place of the scene's own
--substeps N        of scree in place of the scene's own
--stages            also what a step of scree spends its time on, and its slowest step
--no-sleep          without the run that counts steps until everything sleeps
--svg FILE          draw FILE-bodies.svg, FILE-threads.svg and FILE-quality.svg
--dump-scenes FOLDER    write scene files for other programs, run nothing
--dump-results FOLDER   write the final state of each engine's last run
--quality FILE…     measure results that other programs wrote, run nothing
)",
         threads_option, csv_option},
        run};
}

} // namespace scree::bench
