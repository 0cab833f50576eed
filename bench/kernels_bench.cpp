// SPDX-License-Identifier: MIT
// kernels_bench.cpp — `scree bench kernels`: what each kernel of a rigid world's step takes, and what the memory would allow.
#include "bench_options.h"
#include "bench_scene.h"
#include "benchmarks.h"
#include "kernel_bytes.h"
#include "rigid/device_simulation.h"
#include "rigid/device_worlds.h"
#include "row.h"
#include "run_progress.h"
#include "scree/scene.h"
#include "stopwatch.h"
#include "text.h"
#include "traffic.h"
#include "world/state.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

namespace scree::bench {

namespace {

struct KernelsOptions {
    std::string scene, device;
    Solver solver = Solver::soft_step;
    std::optional<BroadPhase> broad_phase; ///< nothing: the scene's own
    int settle = 200, steps = 100;
};

struct Measured {
    std::string scene, device;
    int steps = 0;
    double wall_ms = 0;      ///< a step, without the clock of the kernels
    double bandwidth = 0;    ///< of a large copy, bytes a second, in and out
    double empty_launch = 0; ///< seconds that a launch of next to nothing seems to take
    StepSizes sizes;
    std::vector<KernelTime> kernels; ///< totals over the steps
};

KernelsOptions parse(const Arguments& given) {
    KernelsOptions options;
    const bool gpu = !missing_gpu();
    options.device = given.text("--device").value_or(gpu ? "cuda" : "cpu:kernels");
    if (options.device != "cpu:kernels" && !options.device.starts_with("cuda"))
        refuse_option("--device", options.device, "cuda, cuda:N or cpu:kernels");
    options.scene =
        given.text("--scene").value_or(options.device == "cpu:kernels" ? "wide-1000" : "wide-100000");
    options.solver = solver_option(given, Solver::soft_step);
    options.broad_phase = broad_phase_option(given);
    options.settle = whole_option(given, "--settle", 0, 1000000, 200);
    options.steps = whole_option(given, "--steps", 1, 1000000, 100);
    return options;
}

double empty_launch(Device& device) {
    Buffer buffer = device.allocate(256);
    constexpr int launches = 200;
    device.time_kernels(true);
    for (int k = 0; k < launches; ++k)
        device.fill(buffer, 0x01020304, 64, 0); // by a kernel, as no byte repeats
    const std::vector<KernelTime> times = device.kernel_times();
    device.time_kernels(false);
    device.release(buffer);
    return times.empty() ? 0 : times.front().seconds / launches;
}

/// What is measured: a world, and how it goes on by a step.
struct Subject {
    World world;
    std::function<void(World&)> step;
};

/// A family of bench rigid, or any scene of the program, such as truck-gravel.
Subject subject(const KernelsOptions& options) {
    WorldSettings settings;
    settings.solver = options.solver;
    settings.sleeping = false;
    settings.broad_phase = options.broad_phase.value_or(settings.broad_phase);
    const std::string family = options.scene.substr(0, options.scene.rfind('-'));
    const auto families = scene_families();
    const char last = options.scene.empty() ? ' ' : options.scene.back();
    if (last >= '0' && last <= '9' &&
        std::any_of(families.begin(), families.end(),
                    [&](const SceneFamily& f) { return f.name == family; })) {
        const BenchScene scene = find_bench_scene(options.scene, "--scene");
        return {make_world(scene, settings, options.device),
                [dt = scene.rigid.time_step](World& world) { world.step(dt); }};
    }
    Scene scene = find_scene(options.scene);
    if (!std::any_cast<RigidScene>(&scene.content))
        refuse_option("--scene", options.scene, "a scene of the rigid world");
    apply_setting(scene, "solver", options.solver == Solver::sor ? "sor" : "soft_step", "--solver");
    apply_setting(scene, "sleeping", "false", "--scene");
    if (options.broad_phase) {
        const auto number = static_cast<std::size_t>(*options.broad_phase);
        apply_setting(scene, "broad_phase", std::string(broad_phase_names[number]), "--broad-phase");
    }
    World world = build_rigid_world(scene, options.device);
    return {std::move(world), [scene = std::move(scene)](World& w) { step_scene(scene, w); }};
}

void run_steps(Subject& subject, int steps, RunProgress& progress, const std::string& what,
               StepSizes* sizes) {
    progress.begin(what);
    auto& simulation = dynamic_cast<DeviceSimulation&>(*WorldInside::of(subject.world).simulation).worlds();
    for (int i = 0; i < steps; ++i) {
        subject.step(subject.world);
        if (sizes) sizes->add(simulation.step_counts());
        progress.part(static_cast<double>(i + 1) / steps);
    }
    simulation.device().finish();
}

Measured measure(const KernelsOptions& options, RunProgress& progress) {
    Subject measured = subject(options);
    World& world = measured.world;
    Device& device = dynamic_cast<DeviceSimulation&>(*WorldInside::of(world).simulation).worlds().device();

    Measured result;
    result.scene = options.scene;
    result.device = device.report().name + ", " + device.report().description;
    result.steps = options.steps;
    result.bandwidth = copy_bandwidth(device);
    result.empty_launch = empty_launch(device);
    run_steps(measured, options.settle, progress, options.scene + ", settling", nullptr);
    const Stopwatch clock;
    run_steps(measured, options.steps, progress, options.scene + ", whole steps", nullptr);
    result.wall_ms = clock.ms() / options.steps;

    device.time_kernels(true);
    run_steps(measured, options.steps, progress, options.scene + ", by kernel", &result.sizes);
    result.kernels = device.kernel_times();
    device.time_kernels(false);
    result.sizes.divide(options.steps);
    result.sizes.bodies = world.body_count();
    result.sizes.shapes = world.shape_count();
    result.sizes.substeps = world.settings().substeps;
    result.sizes.iterations = world.settings().sor_iterations;
    std::sort(result.kernels.begin(), result.kernels.end(),
              [](const KernelTime& a, const KernelTime& b) { return a.seconds > b.seconds; });
    return result;
}

std::vector<std::vector<std::string>> table_of(const Measured& m) {
    std::vector<std::vector<std::string>> lines{
        {"kernel", "launches", "items", "us/step", "share", "MB in", "MB out", "GB/s", "of a copy"}};
    double total = 0, bytes = 0;
    for (const KernelTime& kernel : m.kernels) total += kernel.seconds / m.steps;
    for (const KernelTime& kernel : m.kernels) {
        const double launches = static_cast<double>(kernel.launches) / m.steps,
                     items = static_cast<double>(kernel.items) / m.steps, seconds = kernel.seconds / m.steps;
        const auto moved = moved_bytes(kernel.work, launches, items, m.sizes);
        const double rate = moved && seconds > 0 ? moved->all() / seconds : 0;
        bytes += moved ? moved->all() : 0;
        const auto number = [&](double value, const char* unit) {
            return moved ? number_text(value, 3) + unit : std::string("-");
        };
        lines.push_back({std::string(work_name(kernel.work)), number_text(launches, 3), number_text(items, 4),
                         number_text(1e6 * seconds, 4), number_text(100 * seconds / total, 3) + " %",
                         number(moved ? moved->read / 1e6 : 0, ""),
                         number(moved ? moved->written / 1e6 : 0, ""), number(rate / 1e9, ""),
                         number(m.bandwidth > 0 ? 100 * rate / m.bandwidth : 0, " %")});
    }
    lines.push_back({"all", "", "", number_text(1e6 * total, 4), "100 %", "", number_text(bytes / 1e6, 3),
                     number_text(bytes / total / 1e9, 3),
                     number_text(m.bandwidth > 0 ? 100 * bytes / total / m.bandwidth : 0, 3) + " %"});
    return lines;
}

std::string heading(const Measured& m) {
    const StepSizes& s = m.sizes;
    const auto count = [](double mean) { return count_text(static_cast<std::uint64_t>(mean + 0.5)); };
    return m.scene + " on " + m.device + "\nmean of " +
           count_of(static_cast<std::uint64_t>(m.steps), "step", "steps") + ": " + count(s.contacts()) +
           " contacts (" + count(s.touching[0]) + ", " + count(s.touching[1]) + " and " +
           count(s.touching[2]) + " with room for 1, 2 and 4 points), " + count(s.joints) + " joints, " +
           count(s.moved) + " shapes moved, " + count(s.found) + " new pairs\n" + number_text(m.wall_ms) +
           " ms a step without this clock; a copy moves " + number_text(m.bandwidth / 1e9) +
           " GB/s in and out; a launch of next to nothing seems to take " +
           number_text(1e6 * m.empty_launch, 3) + " us\n";
}

std::string csv_of(const Measured& m) {
    std::string text = "scene,device,steps,kernel,launches,items,us,bytes_in,bytes_out,copy_bytes_per_s\n";
    for (const KernelTime& kernel : m.kernels) {
        const double launches = static_cast<double>(kernel.launches) / m.steps,
                     items = static_cast<double>(kernel.items) / m.steps;
        const auto moved = moved_bytes(kernel.work, launches, items, m.sizes);
        text += m.scene + ',' + m.device.substr(0, m.device.find(',')) + ',' + std::to_string(m.steps) + ',' +
                std::string(work_name(kernel.work));
        for (double value : {launches, items, 1e6 * kernel.seconds / m.steps})
            text += ',' + number_text(value, 6);
        text += moved ? ',' + number_text(moved->read, 9) + ',' + number_text(moved->written, 9) : ",,";
        text += ',' + number_text(m.bandwidth, 6) + '\n';
    }
    return text;
}

int run(const Arguments& given) {
    const KernelsOptions options = parse(given);
    RunProgress progress(3);
    if (!given.has("--device"))
        if (const auto reason = missing_gpu())
            progress.note("the GPU's kernels run on the CPU instead: " + *reason);
    const auto csv = open_output(given, "--csv"), markdown = open_output(given, "--markdown");
    Measured measured;
    if (!progress.completes([&] { measured = measure(options, progress); })) return exit_interrupted;
    const auto table = table_of(measured);
    std::printf("%s\n%s", heading(measured).c_str(), table_text(table).c_str());
    finish_csv(csv, csv_of(measured));
    if (markdown) markdown->finish(heading(measured) + "\n" + markdown_text(table));
    return exit_ok;
}

} // namespace

CommandSpec kernels_bench() {
    return {
        "kernels",
        "each kernel of a rigid step against the memory's speed",
        R"(Measures every kernel that a step of a rigid world launches: how often, over how many items, how
long, and the bytes it has to move against what a copy moves in that time.

How the bytes are counted is said in bench/kernel_bytes.h.)",
        {R"(
--scene NAME        of bench rigid or of the program; default: wide-100000, or wide-1000 on the CPU
--device NAME       cuda, or cpu:kernels: the same kernels on the CPU; default: the GPU if there is one
--solver NAME       soft or sor; default: soft
--broad-phase NAME  tree, grid or brute; default: the scene's own
--settle N          untimed steps before; default: 200
--steps N           steps timed, once whole and once by kernel; default: 100
)",
         csv_option, markdown_option},
        run};
}

} // namespace scree::bench
