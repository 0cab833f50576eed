// SPDX-License-Identifier: MIT
// seed4_bench.cpp — `scree bench seed4`: settles each scene once and times the same steps of it on every device.
#include "bench_options.h"
#include "bench_scene.h"
#include "benchmarks.h"
#include "row.h"
#include "run_progress.h"
#include "scree/rigid_scene.h"
#include "seed4.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace scree::bench {

namespace {

constexpr int first_steps =
    3; // after a world is restored, before the clock starts: lists and arrays find their sizes

struct Contender {
    std::string device;
    int threads;
    BroadPhase broad_phase;
};

std::vector<Contender> contenders(const SeedExperiment& experiment, const Seed4Options& options) {
    std::vector<Contender> list;
    for (const std::string& device : options.devices) {
        if (device != "cpu") {
            list.push_back({device, 1, BroadPhase::tree});
            continue;
        }
        for (const int threads : options.threads) {
            list.push_back({device, threads, BroadPhase::tree});
            if (experiment.measure != SeedMeasure::collision) continue;
            list.push_back({device, threads, BroadPhase::grid});
            list.push_back({device, threads, BroadPhase::brute});
        }
    }
    return list;
}

void run_steps(World& world, float dt, int steps, RunProgress& progress) {
    for (int i = 0; i < steps; ++i) {
        world.step(dt);
        progress.part(static_cast<double>(i + 1) / steps);
    }
}

/// The state that every contender starts from; it is the same wherever it was reached. The soft step makes it, whatever solver
/// is timed: ten iterations of the SOR do not carry a deep pile, which would be timed while it is squeezed.
std::vector<std::byte> settled(const BenchScene& scene, const Seed4Options& options, int steps,
                               RunProgress& progress) {
    const auto gpu = std::find_if(options.devices.begin(), options.devices.end(),
                                  [](const std::string& name) { return name.starts_with("cuda"); });
    const int most_threads = *std::max_element(options.threads.begin(), options.threads.end());
    const Place place({.device = gpu == options.devices.end() ? "cpu" : *gpu, .threads = most_threads});
    World world = make_world(scene, {.solver = Solver::soft_step, .sleeping = false}, place);
    run_steps(world, scene.rigid.time_step, steps, progress);
    return world.save();
}

/// The settings with those of --set.
WorldSettings changed(const WorldSettings& settings, const std::vector<std::string>& changes) {
    Scene scene;
    scene.kind = "rigid";
    scene.content.emplace<RigidScene>().settings = settings;
    for (const std::string& change : changes) {
        const std::size_t equals = change.find('=');
        if (equals == std::string::npos || equals == 0) refuse_option("--set", change, "KEY=VALUE");
        apply_setting(scene, change.substr(0, equals), change.substr(equals + 1), "--set");
    }
    return rigid_scene(scene).settings;
}

SeedRow measure(const Contender& contender, const SeedExperiment& experiment, const SeedFigure& figure,
                float dt, int steps, const Seed4Options& options, std::span<const std::byte> start,
                RunProgress& progress) {
    const Solver solver = options.solver;
    World world = World::restore(start, {{.device = contender.device, .threads = contender.threads}});
    WorldSettings settings = world.settings();
    settings.broad_phase = contender.broad_phase;
    settings.solver = solver;
    world.change_settings(changed(settings, options.settings));
    for (int i = 0; i < first_steps; ++i) world.step(dt);

    world.time_stages(true);
    const Stopwatch clock;
    run_steps(world, dt, steps, progress);
    const auto seconds = world.stage_seconds(); // waits for the device
    const double wall = clock.ms();

    const auto of = [&](std::initializer_list<WorldStage> stages) {
        double sum = 0;
        for (const WorldStage stage : stages) sum += seconds[static_cast<std::size_t>(stage)];
        return 1e3 * sum / steps;
    };
    SeedRow row;
    row.experiment = experiment.name;
    row.device = contender.device;
    row.broad_phase =
        contender.device == "cpu" ? broad_phase_names[static_cast<int>(contender.broad_phase)] : "own";
    row.solver = solver == Solver::sor ? "sor" : "soft";
    row.threads = contender.threads;
    row.steps = steps;
    row.size = figure.size;
    row.actors = figure.actors;
    row.shapes = world.shape_count();
    row.joints = world.joint_count();
    row.collision_ms = of({WorldStage::bounds, WorldStage::pairs, WorldStage::narrow});
    row.solver_ms = of({WorldStage::graph, WorldStage::prepare, WorldStage::solve});
    row.total_ms = wall / steps;
    const WorldMeasure state = world.measure();
    row.contacts = state.contacts;
    row.rows = 3 * state.points + 6 * row.joints; // all joints of these scenes are fixed ones
    row.joint_mm = 1e3 * state.joint_error;
    row.overlap_mm = 1e3 * state.max_overlap;
    row.p99_overlap_mm = 1e3 * state.p99_overlap;
    row.hash = world.hash();
    return row;
}

std::string sentences(const std::vector<std::string>& lines, const std::string& before) {
    std::string text;
    for (const std::string& line : lines) text += before + line + "\n";
    return text;
}

/// said on the terminal at once, and kept for the Markdown file
class Report {
public:
    void table(const std::string& title, const TextTable& lines) {
        std::printf("\n%s\n%s", title.c_str(), table_text(lines).c_str());
        markdown_ += "\n## " + title + "\n\n" + markdown_text(lines);
    }
    void list(const std::vector<std::string>& lines) {
        if (lines.empty()) return;
        std::printf("%s", sentences(lines, "  ").c_str());
        markdown_ += "\n" + sentences(lines, "- ");
    }
    const std::string& markdown() const { return markdown_; }

private:
    std::string markdown_;
};

} // namespace

int run_count(const SeedExperiment& experiment, const Seed4Options& options) {
    const auto sizes = std::count_if(experiment.figures.begin(), experiment.figures.end(),
                                     [&](const SeedFigure& figure) { return figure.actors <= options.most; });
    return static_cast<int>(sizes) * (1 + static_cast<int>(contenders(experiment, options).size()));
}

std::vector<SeedRow> run_experiment(const SeedExperiment& experiment, const Seed4Options& options,
                                    RunProgress& progress) {
    const int settle = options.settle >= 0 ? options.settle : experiment.settle;
    const int steps = options.steps > 0 ? options.steps : experiment.steps;
    std::vector<SeedRow> rows;
    for (const SeedFigure& figure : experiment.figures) {
        if (figure.actors > options.most) continue;
        const std::string name = std::string(experiment.family) + "-" + std::to_string(figure.size);
        const BenchScene scene = find_bench_scene(name, "--experiments");
        progress.begin(name + ", settling");
        const std::vector<std::byte> start = settled(scene, options, settle, progress);
        for (const Contender& contender : contenders(experiment, options)) {
            progress.begin(name + ", " + contender.device);
            SeedRow best;
            for (int repeat = 0; repeat < options.repeats; ++repeat) {
                const SeedRow row = measure(contender, experiment, figure, scene.rigid.time_step, steps,
                                            options, start, progress);
                if (repeat == 0 || row.total_ms < best.total_ms) best = row;
            }
            rows.push_back(best);
        }
    }
    return rows;
}

namespace {

/// what all experiments found
struct Findings {
    Report report;
    std::vector<SeedRow> rows;
    std::vector<TransferRow> transfers;
    std::vector<std::string> differ;
};

bool wanted(const Seed4Options& options, std::string_view name) {
    return std::find(options.experiments.begin(), options.experiments.end(), name) !=
           options.experiments.end();
}

void leave_out_missing(Seed4Options& options) {
    const auto reason = missing_gpu();
    if (!reason) return;
    const auto gone = std::remove_if(options.devices.begin(), options.devices.end(),
                                     [](const std::string& name) { return name.starts_with("cuda"); });
    if (gone != options.devices.end()) std::fprintf(stderr, "bench: cuda is left out: %s\n", reason->c_str());
    options.devices.erase(gone, options.devices.end());
}

void run_all(const Seed4Options& options, Findings& found, RunProgress& progress) {
    for (const SeedExperiment& experiment : seed_experiments()) {
        if (!wanted(options, experiment.name) || options.devices.empty()) continue;
        const std::vector<SeedRow> own = run_experiment(experiment, options, progress);
        progress.clear();
        found.report.table(std::string(experiment.name) + ": " + std::string(experiment.title),
                           seed_table(experiment, own));
        found.report.list(crossovers(experiment, own));
        found.report.list(seed_targets(own));
        const std::vector<std::string> here = different_bits(own);
        found.differ.insert(found.differ.end(), here.begin(), here.end());
        found.rows.insert(found.rows.end(), own.begin(), own.end());
        std::fflush(stdout);
    }
    if (!wanted(options, "transfer")) return;
    found.transfers = run_transfers(options, progress);
    progress.clear();
    if (found.transfers.empty()) progress.note("nothing is sent anywhere without a device of its own memory");
    else found.report.table("Lists to the device and states back", transfer_table(found.transfers));
}

void choose_devices(Seed4Options& options, const Arguments& given) {
    options.devices = option_list(given, "--device");
    if (options.devices.empty()) options.devices = {"cpu", "cuda"};
    for (const std::string& name : options.devices)
        if (name != "cpu" && name != "cpu:kernels" && !name.starts_with("cuda"))
            refuse_option("--device", name, "cpu, cuda, cuda:N or cpu:kernels");
    options.threads = thread_list(given);
}

Seed4Options parse(const Arguments& given) {
    Seed4Options options;
    std::vector<std::string> known;
    for (const SeedExperiment& experiment : seed_experiments()) known.emplace_back(experiment.name);
    known.emplace_back("transfer");
    options.experiments = choose_from(given, "--experiments", known);
    if (options.experiments.empty()) options.experiments = known;
    choose_devices(options, given);
    options.solver = solver_option(given, Solver::sor);
    options.settings = given.all("--set");
    changed({}, options.settings); // refuses what is wrong
    options.most = given.whole("--most", 1, 1000000).value_or(1000000);
    options.settle = whole_option(given, "--settle", 0, 1000000, options.settle);
    options.steps = whole_option(given, "--steps", 1, 1000000, 0);
    options.repeats = whole_option(given, "--repeat", 1, 1000, 3);
    return options;
}

int run(const Arguments& given) {
    Seed4Options options = parse(given);
    const auto csv = open_output(given, "--csv"), markdown = open_output(given, "--markdown");
    leave_out_missing(options);
    int runs = wanted(options, "transfer") ? transfer_count(options) : 0;
    for (const SeedExperiment& experiment : seed_experiments())
        if (wanted(options, experiment.name)) runs += run_count(experiment, options);
    RunProgress progress(runs);
    Findings found;
    const bool complete = progress.completes([&] { run_all(options, found, progress); });
    found.report.list(found.differ);
    finish_csv(csv, seed_csv(found.rows));
    if (csv && !found.transfers.empty()) {
        std::filesystem::path beside(csv->name());
        beside.replace_extension();
        write_file("--csv", beside.string() + "-transfer.csv", with_commit(transfer_csv(found.transfers)));
    }
    if (markdown) markdown->finish("# The experiments of Peres 2008\n" + found.report.markdown());
    return !complete ? exit_interrupted : found.differ.empty() ? exit_ok : exit_failed;
}

} // namespace

CommandSpec seed4_bench() {
    return {"seed4",
            "the experiments of Peres 2008, beside the figures of then",
            R"(Runs the experiments of Peres 2008 on the CPU and on the GPU, beside the figures of then.

experiments:
  B1        50 to 16,000 spheres at rest in a box: all stages
  B2        cubes of 4 to 18 spheres along an edge, held by fixed joints: the solver
  B3        50 to 1,600 actors of three capsules in a funnel: collision, by tree, grid and brute
            force on the CPU
  transfer  lists of bodies, shapes and joints to the device and states back

What is measured is explained in docs/manual/bench-rigid.md. Results of transfers are in FILE-transfer.csv.)",
            {R"(
--experiments LIST  from the list above; default: all
--device LIST       cpu, cuda, cpu:kernels; default: cpu and cuda
--solver NAME       sor (the dissertation's) or soft; default: sor
--set KEY=VALUE …   a setting of the timed steps, as in scene files: sor_on_chip=true
--most N            leaves out scenes of more actors, and longer lists
--settle N          steps before the clock starts, in place of the experiment's own
--steps N           steps timed, in place of the experiment's own
--repeat N          of the timed steps, all from the same state; the fastest counts; default: 3
)",
             threads_option, csv_option, markdown_option},
            run};
}

} // namespace scree::bench
