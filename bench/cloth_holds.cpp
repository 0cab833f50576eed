// SPDX-License-Identifier: MIT
// cloth_holds.cpp — `bench cloth --holds` and `--layers`: whether cloth stays free of intersections, and what that costs.
// compiled alone

#include "cloth_holds.h"

#include "bench_options.h"
#include "cloth_trials.h"
#include "run_progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

namespace scree::bench {
namespace {

std::string formatted(const char* format, auto... values) {
    char text[320];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

struct Named {
    std::string name;
    std::function<ClothTrial()> make;
};

} // namespace

void print_kernels(Device& device, int steps) {
    std::vector<KernelTime> times = device.kernel_times();
    device.time_kernels(false);
    std::sort(times.begin(), times.end(),
              [](const KernelTime& a, const KernelTime& b) { return a.seconds > b.seconds; });
    double all = 0, self = 0;
    std::uint64_t launches = 0, self_launches = 0;
    std::printf("  %-24s %12s %14s %10s\n", "kernel", "launches", "items a step", "us a step");
    for (const KernelTime& each : times) {
        const std::string name(work_name(each.work));
        all += each.seconds;
        launches += each.launches;
        if (name.starts_with("self_")) {
            self += each.seconds;
            self_launches += each.launches;
        }
        std::printf("  %-24s %12.1f %14.0f %10.1f\n", name.c_str(),
                    static_cast<double>(each.launches) / steps, static_cast<double>(each.items) / steps,
                    1e6 * each.seconds / steps);
    }
    std::printf("  %-24s %12.1f %14s %10.1f\n  %-24s %12.1f %14s %10.1f\n", "all",
                static_cast<double>(launches) / steps, "", 1e6 * all / steps, "of cloth with cloth",
                static_cast<double>(self_launches) / steps, "", 1e6 * self / steps);
}

std::string cloth_holds(const Arguments& given, const std::vector<Place>& places, int& code) {
    const Place& place = places.front();
    const double seconds = given.number("--seconds", 0.01, 10000).value_or(20);
    const double detail = given.number("--detail", 0.05, 100).value_or(1);
    const double turns = given.number("--turns", 0, 1000).value_or(10);
    const auto crumplings = whole_option<std::uint32_t>(given, "--crumplings", 1, 1000000, 100);
    const auto seed = whole_option<std::uint32_t>(given, "--seed", 0, 1000000, 0);
    const std::string mesh = given.text("--mesh").value_or("");
    const std::vector<std::string> chosen =
        choose_from(given, "--holds", {"fifty", "towel", "skirt", "crumple"});
    const int steps = std::max(1, static_cast<int>(seconds * 60 + 0.5));
    std::vector<Named> trials;
    for (const std::string& name : chosen) {
        if (name == "fifty") trials.push_back({name, [&] { return fifty_layers(place, detail); }});
        if (name == "towel")
            trials.push_back({name, [&] { return twisted_towel(place, detail, turns, seconds); }});
        if (name == "skirt") trials.push_back({name, [&] { return skirt_on_figure(place, detail, mesh); }});
        if (name != "crumple") continue;
        const std::uint32_t first = seed ? seed : 1, last = seed ? seed : crumplings;
        for (std::uint32_t k = first; k <= last; ++k)
            trials.push_back({"crumple " + std::to_string(k),
                              [&place, detail, k] { return crumpled_sheet(place, detail, k); }});
    }
    std::printf("edges through triangles, counted exactly after each step; %s\n"
                "%-12s %9s %7s %14s %7s %10s %10s %11s %8s %12s %12s %8s\n",
                place.device().c_str(), "trial", "vertices", "steps", "intersections", "worst", "bad steps",
                "first bad", "stopped", "forced", "mean stretch", "thinnest mm", "ms/step");
    std::string csv;
    bool held = true;
    RunProgress progress(static_cast<int>(trials.size()));
    const auto run = [&](const Named& each) {
        ClothTrial trial = each.make();
        progress.begin(each.name);
        const ClothHold h = hold(trial, steps, [&](double share) {
            try {
                progress.part(share);
            } catch (const Interrupted&) {
                return false;
            }
            return true;
        });
        const bool cut = h.steps < static_cast<std::uint64_t>(steps);
        progress.clear();
        held = held && h.intersections == 0 && !h.frozen;
        std::printf("%-12s %9llu %7llu %14llu %7llu %10llu %10lld %11llu %8llu %12.4f %12.6f %8.3f%s%s\n",
                    each.name.c_str(), static_cast<unsigned long long>(h.vertices),
                    static_cast<unsigned long long>(h.steps),
                    static_cast<unsigned long long>(h.intersections),
                    static_cast<unsigned long long>(h.worst), static_cast<unsigned long long>(h.bad_steps),
                    static_cast<long long>(h.first_bad), static_cast<unsigned long long>(h.stopped),
                    static_cast<unsigned long long>(h.forced), h.most_mean_stretch, 1e3 * h.thinnest, h.ms,
                    h.frozen ? "  frozen" : "", cut ? "  interrupted" : "");
        std::fflush(stdout);
        csv += formatted(
            "%s,%s,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%.5f,%.3e,%.4f,%016llx\n", each.name.c_str(),
            place.device().c_str(), static_cast<unsigned long long>(h.vertices),
            static_cast<unsigned long long>(h.steps), static_cast<unsigned long long>(h.intersections),
            static_cast<unsigned long long>(h.worst), static_cast<unsigned long long>(h.bad_steps),
            static_cast<unsigned long long>(h.stopped), static_cast<unsigned long long>(h.forced),
            h.most_mean_stretch, h.thinnest, h.ms, static_cast<unsigned long long>(h.hash));
        if (cut) throw Interrupted{};
    };
    const bool complete = progress.completes([&] { std::for_each(trials.begin(), trials.end(), run); });
    code = !complete ? exit_interrupted : held ? exit_ok : exit_failed;
    return "trial,device,vertices,steps,intersections,worst,bad_steps,stopped,forced,most_mean_stretch,"
           "thinnest_m,ms,hash\n" +
           csv;
}

std::string cloth_layers(const Arguments& given, const std::vector<Place>& places) {
    const int settle = whole_option(given, "--settle", 0, 1000000, 120);
    const int steps = whole_option(given, "--steps", 1, 100000, 100);
    const bool kernels = given.has("--kernels");
    std::string csv = "device,threads,vertices,layers,ms,worst_ms,candidates,near,touching,limiting,stopped,"
                      "lists,launches,downloads,megabytes,intersections,hash\n";
    std::printf("layers at rest on each other; %d steps of 1/60 s after %d; pairs a vertex; launches, "
                "downloads, lists, additions to lists and searches a step\n"
                "%-12s %9s %7s %9s %9s %10s %7s %9s %9s %7s %9s %9s %7s %7s %8s %9s %13s  %s\n",
                steps, settle, "device", "vertices", "layers", "ms/step", "worst", "candidates", "near",
                "touching", "limiting", "stopped", "launches", "downloads", "lists", "added", "searches",
                "MB", "intersections", "hash");
    for (const Place& place : places)
        for (const std::uint64_t vertices : count_list(given, "--layers", 100'000'000))
            for (const std::uint32_t layers : {10u, 50u}) {
                ClothTrial trial = resting_layers(place, static_cast<std::uint32_t>(vertices), layers);
                World& world = trial.world;
                for (int k = 0; k < settle; ++k) world.step(1.0f / 60);
                if (settle == 0) world.step(1.0f / 60);
                Device& device = cloth_device(world);
                device.finish();
                const DeviceTraffic before = device.traffic();
                const SelfCounters first = self_counters_of(world);
                double worst = 0;
                const auto now = [] { return std::chrono::steady_clock::now(); };
                const auto begin = now();
                for (int k = 0; k < steps; ++k) {
                    const auto one = now();
                    world.step(1.0f / 60);
                    device.finish();
                    worst = std::max(worst, std::chrono::duration<double>(now() - one).count());
                }
                const double ms = 1e3 * std::chrono::duration<double>(now() - begin).count() / steps;
                const DeviceTraffic after = device.traffic();
                const SelfCounters c = self_counters_of(world);
                std::uint64_t n = 0;
                for (const ClothId id : trial.cloths) n += world.vertices(id).size();
                const auto each = [n](std::uint64_t count) {
                    return static_cast<double>(count) / static_cast<double>(n);
                };
                const auto a_step = [steps](std::uint64_t count) {
                    return static_cast<double>(count) / steps;
                };
                const std::uint64_t bad = n <= 2'000'000 ? intersections_of(world) : 0;
                const std::string name =
                    place.device() == "cpu" ? "cpu x" + std::to_string(place.threads()) : place.device();
                std::printf(
                    "%-12s %9llu %7u %9.3f %9.3f %10.2f %7.2f %9.2f %9.2f %7.3f %9.1f %9.1f %7.2f "
                    "%7.2f %8.2f %9.1f %13llu  %016llx\n",
                    name.c_str(), static_cast<unsigned long long>(n), layers, ms, 1e3 * worst,
                    each(c.candidates), each(c.near), each(c.touching), each(c.limiting), each(c.truncated),
                    a_step(after.launches - before.launches), a_step(after.downloads - before.downloads),
                    a_step(c.lists - first.lists), a_step(c.added - first.added),
                    a_step(c.searches - first.searches), 1e-6 * static_cast<double>(world.memory().cloths),
                    static_cast<unsigned long long>(bad), static_cast<unsigned long long>(world.hash()));
                csv += formatted(
                    "%s,%d,%llu,%u,%.4f,%.4f,%.3f,%.3f,%.3f,%.3f,%.4f,%.3f,%.1f,%.1f,%.2f,%llu,"
                    "%016llx\n",
                    place.device().c_str(), place.threads(), static_cast<unsigned long long>(n), layers, ms,
                    1e3 * worst, each(c.candidates), each(c.near), each(c.touching), each(c.limiting),
                    each(c.truncated), a_step(c.lists - first.lists),
                    a_step(after.launches - before.launches), a_step(after.downloads - before.downloads),
                    1e-6 * static_cast<double>(world.memory().cloths), static_cast<unsigned long long>(bad),
                    static_cast<unsigned long long>(world.hash()));
                std::fflush(stdout);
                if (!kernels) continue;
                device.time_kernels(true);
                for (int k = 0; k < steps; ++k) world.step(1.0f / 60);
                print_kernels(device, steps);
            }
    return csv;
}

} // namespace scree::bench
