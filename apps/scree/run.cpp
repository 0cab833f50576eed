// SPDX-License-Identifier: MIT
// run.cpp — `scree run`: a scene from its start to its last step, without a window.

#include "scene/run.h"
#include "commands.h"
#include "interrupt.h"
#include "output_file.h"
#include "progress.h"
#include "record/recorded_scene.h"
#include "run_plots.h"
#include "scene_arguments.h"
#include "scree/error.h"
#include "scree/recording.h"
#include "scree/scene.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace scree {

namespace {

std::string csv_heading(const SceneRun& run) {
    std::string row = "step,time";
    for (const MeasureInfo& measure : run.kind().measures())
        if (measure.column) row += "," + std::string(measure.name);
    return row + "\n";
}

std::string csv_row(const SceneRun& run) {
    const std::vector<Measured> all = run.measure();
    std::string row = std::to_string(run.steps_done()) + "," + exact_number(run.time());
    for (const MeasureInfo& measure : run.kind().measures())
        if (measure.column) row += "," + exact_number(value_of(all, measure.name));
    return row + "\n";
}

struct Outputs {
    std::optional<RecordingWriter> recording;
    std::optional<OutputFile> csv, plot;
    std::optional<RunPlots> curves;
    Frame frame; // its memory is used again
    std::string recording_name;
    std::uint64_t rows = 0;

    bool any() const { return recording || csv || plot; }

    void add(const SceneRun& run) {
        if (curves) curves->add(run);
        if (recording) {
            run.show(frame);
            recording->add_frame(frame, run.hash());
        }
        if (csv) {
            if (rows == 0) csv->write(csv_heading(run));
            csv->write(csv_row(run));
            ++rows;
        }
    }

    void finish() {
        if (recording) recording->finish();
        if (csv) csv->finish();
        if (plot) plot->finish(curves->page());
    }
};

/// `name` as one would have to write it to mean the same file; for telling whether two outputs are one.
std::filesystem::path place_of(const std::string& name) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(name, ignored);
}

void open_outputs(Outputs& outputs, const Arguments& given, const Scene& scene, const SceneOptions& options,
                  const std::string& scene_name, const DeviceReport& device, std::uint32_t every) {
    const auto record = given.text("--record"), csv = given.text("--csv"), plot = given.text("--plot");
    const std::pair<const char*, std::optional<std::string>> files[] = {
        {"--record", record}, {"--csv", csv}, {"--plot", plot}};
    for (const auto& [option, file] : files)
        for (const auto& [other, taken] : files) {
            if (other == option) break;
            if (file && taken && place_of(*file) == place_of(*taken))
                refuse_option(option, *file, std::string("a file other than that of ") + other);
        }
    for (const auto& [option, file] : files)
        if (file && std::filesystem::exists(scene_name) && place_of(*file) == place_of(scene_name))
            refuse_option(option, *file, "a file other than the scene");
    const auto precision = given.number("--vertex-precision", 1e-9, 1e3);
    if (precision && !record) throw Error("expected --record with this option", "--vertex-precision");
    if (record) {
        const RecordingOptions how{.vertex_precision = static_cast<float>(precision.value_or(0))};
        const RecordingHeader header =
            recording_header(scene, options, scene_name, device.name + ": " + device.description, every);
        try {
            outputs.recording.emplace(*record, header, how);
        } catch (const Error& error) {
            throw Error(error.what(), "--record");
        }
        outputs.recording_name = *record;
    }
    if (csv) outputs.csv.emplace("--csv", *csv);
    const std::vector<std::string> measures = given.all("--measure");
    if (!measures.empty() && !plot) throw Error("expected --plot with this option", "--measure");
    if (plot) {
        outputs.curves.emplace(scene.name + ": " + scene.title, kind_of(scene), measures);
        outputs.plot.emplace("--plot", *plot);
    }
}

/// Takes the steps and returns the seconds that they took; writing and measuring are not counted.
double simulate(SceneRun& run, Outputs& outputs, Progress& progress, std::uint64_t steps,
                std::uint32_t every) {
    double stepping = 0;
    const std::uint64_t line = std::max<std::uint64_t>(steps / 10, 1); // where plain lines are due
    std::uint64_t batch = 1;
    outputs.add(run);
    while (run.steps_done() < steps && !interrupted()) {
        const std::uint64_t done = run.steps_done();
        std::uint64_t count = std::min(batch, steps - done);
        count = std::min(count, line - done % line);
        if (outputs.any()) count = std::min<std::uint64_t>(count, every - done % every);

        const Stopwatch clock;
        run.step(count);
        const double took = clock.seconds();
        stepping += took;
        // long enough that the clock does not matter, short enough for a bar that moves
        if (took < 0.05 && count == batch && batch < (1u << 20)) batch *= 2;
        if (took > 0.2 && batch > 1) batch /= 2;

        const std::uint64_t now = run.steps_done();
        if (outputs.any() && (now % every == 0 || now == steps)) outputs.add(run);
        if (progress.due(now)) {
            const Stopwatch measuring;
            const std::string words = summary(run);
            progress.show(now,
                          "step " + std::to_string(now) + "/" + std::to_string(steps) + ", " +
                              short_number(run.time() / stepping) + "x real time, " + words,
                          measuring.seconds());
        }
    }
    return stepping;
}

void print_summary(const Scene& scene, const SceneRun& run, const Outputs& outputs, double stepping) {
    const auto steps = static_cast<double>(run.steps_done());
    const DeviceReport& device = run.place().report();
    const SceneSize size = run.size();

    print_line("scene", scene.name + ": " + scene.title);
    print_line("simulated", run.contents() + ", " + count_of(run.steps_done(), "step", "steps") + " of " +
                                short_number(time_step(scene)) + " s = " + short_number(run.time()) + " s");
    print_line("device", device.name + ": " + device.description);
    if (stepping > 0 && steps > 0)
        print_line("speed", short_number(stepping / steps * 1000) + " ms/step, " +
                                short_number(steps * static_cast<double>(size.items) / stepping / 1e6) +
                                " million " + std::string(size.one) + "-steps/s, " +
                                short_number(run.time() / stepping) + " times real time");
    print_line("state", summary(run));
    for (const std::string& warning : run.warnings()) print_line("warning", warning);
    print_line("hash",
               hash_text(run.hash()) +
                   (device.same_bits ? "" : " (this device rounds its own way: not comparable with others)"));
    if (outputs.recording)
        print_line("recording", outputs.recording_name + ", " +
                                    count_of(outputs.recording->frame_count(), "frame", "frames") + ", " +
                                    bytes_text(outputs.recording->bytes_written()));
    if (outputs.plot) print_line("plot", outputs.plot->name());
    if (outputs.csv) print_line("csv", outputs.csv->name() + ", " + count_of(outputs.rows, "row", "rows"));
}

/// Prints failed expectations; returns whether all hold.
bool meets_expectations(const Scene& scene, const SceneRun& run, bool quiet) {
    const bool hash = scene.expected_hash && run.place().report().same_bits;
    const std::size_t count = scene.expect.size() + (hash ? 1 : 0);
    if (scene.altered || count == 0) {
        if (!quiet && count > 0) print_line("expected", "not checked, since options change the scene");
        return true;
    }
    std::vector<Failure> failures = run.failures();
    if (!hash) std::erase_if(failures, [](const Failure& failure) { return failure.quantity == "hash"; });
    for (const Failure& failure : failures)
        std::fprintf(stderr, "scree: FAILED: %s\n", failure.message.c_str());
    if (!quiet)
        print_line("expected", failures.empty() ? count_of(count, "expectation holds", "expectations hold")
                                                : count_of(failures.size(), "expectation", "expectations") +
                                                      " of " + count_text(count) + " failed");
    return failures.empty();
}

int run(const Arguments& given) {
    const std::string& name = given.positional().front();
    const bool quiet = given.has("--hash");
    const auto every_given = given.whole("--every", 1, 1'000'000'000);
    const Scene scene = read_scene(given, name);
    const double per_frame = std::round(0.02 / time_step(scene));
    const auto every = static_cast<std::uint32_t>(
        every_given.value_or(static_cast<std::uint64_t>(std::clamp(per_frame, 1.0, 1e9))));

    const Place place = place_for(scene, read_place(given));
    Outputs outputs;
    open_outputs(outputs, given, scene, read_scene_options(given), name, place.report(), every);
    if (every_given && !outputs.any())
        throw Error("expected --record, --csv or --plot with this option", "--every");
    const auto running = start_scene(scene, place);

    if (outputs.curves) running->time_stages(true);

    const auto steps = static_cast<std::uint64_t>(scene.steps);
    double stepping = 0;
    {
        const InterruptGuard guard;
        Progress progress(scene.name, steps, !quiet);
        stepping = simulate(*running, outputs, progress, steps, every);
    }
    outputs.finish();

    if (quiet) std::puts(hash_text(running->hash()).c_str());
    else print_summary(scene, *running, outputs, stepping);
    if (running->steps_done() < steps) {
        std::fprintf(stderr, "scree: interrupted at step %llu of %llu\n",
                     static_cast<unsigned long long>(running->steps_done()),
                     static_cast<unsigned long long>(steps));
        return exit_interrupted;
    }
    return meets_expectations(scene, *running, quiet) ? exit_ok : exit_failed;
}

} // namespace

CommandSpec run_command() {
    return {"run SCENE|FILE",
            "simulate a scene without a window",
            R"(Simulates a built-in scene or a scene file, and prints a summary, the speed and the state hash.
Checks the scene's expectations if it has any.

The CSV has a row for each recorded step with its number, the time and the measures of the
scene's kind; units are SI. Existing files are replaced when the run is complete.)",
            {steps_option, scene_options, device_options, R"(
--hash              print only the hash of the last state
--record FILE       write a recording
--vertex-precision M  round recorded vertices of cloth to M metres or better, for a smaller file
--csv FILE          write measured quantities
--plot FILE.svg     draw energy, penetration, contacts and the times of stages over the run
--measure NAME…     only this column of the CSV in the plot; may be repeated
--every N           steps between frames and rows; default: 0.02 s
)"},
            run};
}

} // namespace scree
