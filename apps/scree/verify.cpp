// SPDX-License-Identifier: MIT
// verify.cpp — `scree verify`: one hash for a scene on every device, thread count and lane width.

#include "commands.h"
#include "device/cpu/cpu_device.h"
#include "output_file.h"
#include "progress.h"
#include "scene/run.h"
#include "scree/error.h"
#include "scree/scene.h"
#include "scree/version.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

namespace scree {

namespace {

// small, and between them: both modes, all obstacles, several shapes, sleeping, towers, piles, fast impacts; of bodies with shapes: all
// shapes, joints, forces, more contacts at a body than colours, large ratios of masses
constexpr const char* default_scenes[] = {
    "die",        "interlock-40", "tower-10",   "stream-300",   "stream-300-improved", "wedge-improved",
    "obstacles",  "shapes-zoo",   "sleepers",   "pyramid-10",   "stack-heavy-100",     "card-house",
    "arch",       "ramp-slides",  "boxes-pile", "hulls-pile",   "mixed-shapes",        "spheres-box-500",
    "molecule-6", "funnel-100",   "chain",      "spinning-top", "truck-gravel-1000",   "wrecking-ball"};
constexpr std::uint64_t default_steps = 300;

// devices that round their own way are compared before chaos has had time to grow
constexpr std::uint64_t many_bodies = 200'000, few_bodies = 1000; ///< of --all: so few of so many
constexpr std::uint64_t tolerance_steps = 60;
constexpr double tolerance = 1e-4; ///< m, and relative to coordinates greater than 1 m

struct Configuration {
    std::string device, threads, lanes;
    Place place;
    bool restores = false; ///< saves and restores the world half-way
    std::string name() const {
        return threads.empty() ? device
                               : device + ", " + threads + (threads == "1" ? " thread, " : " threads, ") +
                                     lanes + (lanes == "1" ? " lane" : " lanes");
    }
    bool suits(const Scene& scene) const { return kind_of(scene).scene_runs_on(scene, place.device()); }
};

struct Missing {
    std::string name, reason;
};

struct Outcome {
    std::uint64_t hash = 0;
    std::vector<Vec3> early; ///< positions after tolerance_steps
    bool good = true, ran = true;
    std::string verdict;
};

void add_cpu(std::vector<Configuration>& all, std::vector<Missing>& missing, int threads, int lanes) {
    Configuration configuration{"cpu", std::to_string(threads), std::to_string(lanes), {}};
    for (const Configuration& other : all)
        if (other.name() == configuration.name()) return;
    try {
        configuration.place = PlaceOptions{.threads = threads, .lanes = lanes};
        all.push_back(std::move(configuration));
    } catch (const Error& error) {
        missing.push_back({configuration.name(), error.what()});
    }
}

/// The devices whose names begin so.
void add_others(std::vector<Configuration>& all, std::vector<Missing>& missing, const std::string& name,
                const std::string& suffix = {}) {
    for (const DeviceReport& report : list_devices()) {
        if (report.name == "cpu" || !report.name.starts_with(name)) continue;
        if (!report.available) {
            if (suffix.empty()) missing.push_back({report.name, report.reason});
            continue;
        }
        try {
            all.push_back({report.name + suffix, "", "", report.name});
        } catch (const Error& error) {
            missing.push_back({report.name + suffix, error.what()});
        }
    }
}

/// The first one is what the others are compared with.
std::vector<Configuration> configurations(std::vector<Missing>& missing,
                                          const std::optional<std::string>& device) {
    std::vector<Configuration> all;
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (device) {
        add_cpu(all, missing, std::max(cores, 1), widest_lanes());
        add_others(all, missing, *device);
        add_others(all, missing, *device, ", again");
        if (all.size() == 1)
            throw Error(missing.empty() ? "there is no such device" : missing.front().reason,
                        "--device " + printable(*device));
        return all;
    }
    for (const int lanes : {1, 4, 8, 16}) add_cpu(all, missing, 1, lanes);
    if (all.empty()) throw Error(missing.front().reason, "cpu");
    const int widest = std::stoi(all.back().lanes);
    for (const int threads : {2, 4, 8, 16, std::max(cores, 16)})
        for (const int lanes : {1, widest}) add_cpu(all, missing, threads, lanes);
    Configuration restored = all.back();
    restored.device = "cpu, restored half-way";
    restored.restores = true;
    all.push_back(std::move(restored));
    add_others(all, missing, "");
    return all;
}

Outcome outcome_of(const Scene& scene, const Configuration& configuration) {
    const auto run = start_scene(scene, configuration.place);
    Outcome outcome;
    const auto steps = static_cast<std::uint64_t>(scene.steps), early = std::min(steps, tolerance_steps);
    if (configuration.restores) {
        run->step(steps / 2);
        const std::vector<std::byte> saved = run->save();
        run->step(1); // what comes after the saving must be forgotten
        run->restore(saved);
    } else {
        run->step(early);
        Frame frame;
        run->show(frame);
        for (std::size_t b = 0; b < frame.size(); ++b) outcome.early.push_back(frame.pose(b).position);
        outcome.early.insert(outcome.early.end(), frame.vertices.begin(), frame.vertices.end());
    }
    run->step(steps - run->steps_done());
    outcome.hash = run->hash();
    return outcome;
}

double largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    const auto differ = [&](float one, float other) {
        const double size = std::max(1.0, std::fabs(static_cast<double>(one)));
        const double difference = std::fabs(static_cast<double>(one) - static_cast<double>(other)) / size;
        most = difference <= most ? most : difference; // a NaN stays
    };
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        differ(a[i].x, b[i].x);
        differ(a[i].y, b[i].y);
        differ(a[i].z, b[i].z);
    }
    return most;
}

/// "54 particles"
std::string size_words(const Scene& scene) {
    const SceneSize size = kind_of(scene).size(scene);
    return count_of(size.items, size.one, size.many);
}

void judge(Outcome& outcome, const Outcome& reference, bool same_bits) {
    if (outcome.hash == reference.hash) {
        outcome.verdict = "equal";
    } else if (same_bits) {
        outcome.good = false;
        outcome.verdict = "DIFFERS";
    } else {
        const double difference = largest_difference(reference.early, outcome.early);
        outcome.good = difference <= tolerance;
        outcome.verdict = (outcome.good ? "own rounding, within " : "DIFFERS by ") +
                          short_number(difference) + " after " + std::to_string(tolerance_steps) + " steps";
    }
}

std::string markdown(std::span<const Scene> scenes, std::span<const Configuration> all,
                     std::span<const std::vector<Outcome>> outcomes, std::span<const Missing> missing) {
    std::string text = "State hashes of Scree " SCREE_VERSION ", written by `scree verify --table`.\n\n"
                       "| device | threads | lanes |";
    for (const Scene& scene : scenes)
        text += " " + scene.name + " (" + kind_of(scene).mode(scene) + ", " + size_words(scene) + ", " +
                count_of(static_cast<std::uint64_t>(scene.steps), "step", "steps") + ") |";
    text += "\n|---|---|---|";
    for (std::size_t i = 0; i < scenes.size(); ++i) text += "---|";
    for (std::size_t c = 0; c < all.size(); ++c) {
        text += "\n| " + all[c].device + " | " + all[c].threads + " | " + all[c].lanes + " |";
        for (std::size_t s = 0; s < scenes.size(); ++s) {
            const Outcome& outcome = outcomes[s][c];
            if (!outcome.ran) {
                text += " – |";
                continue;
            }
            text += " `" + hash_text(outcome.hash) + "`";
            if (outcome.verdict != "equal" && c > 0) text += " " + outcome.verdict;
            text += " |";
        }
    }
    text += "\n\n";
    // why a device is missing is a matter of the machine's folders, which do not belong into a document
    for (const DeviceReport& report : list_devices())
        text += "- " + report.name + ": " +
                (report.available ? report.description : "not present, not compared") + "\n";
    for (const Missing& one : missing)
        if (one.name.compare(0, 4, "cpu,") == 0) text += "- " + one.name + ": not compared\n";
    return text;
}

int run(const Arguments& given) {
    const auto steps = given.whole("--steps", 1, 1'000'000'000);
    std::vector<std::string> names = given.positional();
    if (given.has("--all"))
        for (const SceneInfo& scene : builtin_scenes()) names.push_back(scene.name);
    if (names.empty()) names.assign(std::begin(default_scenes), std::end(default_scenes));
    std::vector<Scene> scenes;
    for (const std::string& name : names) {
        scenes.push_back(find_scene(name));
        // all ways of all scenes: a crowd says no more than a group
        if (given.has("--all") && scenes.back().resizable &&
            kind_of(scenes.back()).size(scenes.back()).items > many_bodies)
            scenes.back() = find_scene(name, {.bodies = few_bodies});
        scenes.back().steps = static_cast<int>(steps.value_or(default_steps));
    }
    std::optional<OutputFile> table;
    if (const auto file = given.text("--table")) table.emplace("--table", *file);

    std::vector<Missing> missing;
    const std::vector<Configuration> all = configurations(missing, given.text("--device"));
    std::size_t width = 0;
    for (const Configuration& configuration : all) width = std::max(width, width_of(configuration.name()));

    std::vector<std::vector<Outcome>> outcomes(scenes.size());
    std::uint64_t done = 0, skipped = 0, differences = 0;
    Progress progress("verify", scenes.size() * all.size(), false);
    for (std::size_t s = 0; s < scenes.size(); ++s) {
        const Scene& scene = scenes[s];
        progress.clear();
        std::printf("%s, %s mode, %s, %s\n", scene.name.c_str(), kind_of(scene).mode(scene).c_str(),
                    size_words(scene).c_str(),
                    count_of(static_cast<std::uint64_t>(scene.steps), "step", "steps").c_str());
        for (const Configuration& configuration : all) {
            if (progress.due(done + skipped))
                progress.show(done + skipped, scene.name + " on " + configuration.name());
            if (!configuration.suits(scene)) {
                outcomes[s].emplace_back().ran = false;
                ++skipped;
                continue;
            }
            Outcome outcome = outcome_of(scene, configuration);
            if (outcomes[s].empty()) outcome.verdict = "compared with";
            else judge(outcome, outcomes[s].front(), configuration.place.report().same_bits);
            differences += !outcome.good;
            progress.clear();
            std::printf("  %s  %s  %s\n", padded(configuration.name(), width).c_str(),
                        hash_text(outcome.hash).c_str(), outcome.verdict.c_str());
            std::fflush(stdout);
            outcomes[s].push_back(std::move(outcome));
            ++done;
        }
    }
    progress.clear();
    for (const Missing& one : missing)
        std::printf("not compared: %s: %s\n", one.name.c_str(), one.reason.c_str());
    if (table) {
        table->finish(markdown(scenes, all, outcomes, missing));
        std::printf("table: %s\n", table->name().c_str());
    }
    const std::string runs =
        count_of(done, "run", "runs") + " of " + count_of(scenes.size(), "scene", "scenes");
    if (differences > 0) {
        std::printf("FAILED: %llu of %s differ\n", static_cast<unsigned long long>(differences),
                    runs.c_str());
        return exit_failed;
    }
    std::printf("OK: %s agree\n", runs.c_str());
    return exit_ok;
}

} // namespace

CommandSpec verify_command() {
    return {"verify [SCENE|FILE …]",
            "compare state hashes over devices, threads and lanes",
            R"(Runs scenes on the CPU at 1, 2, 4, 8 and all threads and at 1, 4, 8 and 16 lanes, and on every
other device, and compares the hashes of the last states. One more run saves and restores the
world half-way. Leaves out devices that a kind of scene does not run on.

Exits with 1 on any difference. A device whose division or square root is not correctly rounded
is compared by positions within a tolerance, and marked.)",
            {R"(
--all               every built-in scene
--device NAME       compare only the CPU with all threads and this device, run twice
--steps N           steps of each scene; default: 300
--table FILE        write the result as a Markdown table
)"},
            run};
}

} // namespace scree
