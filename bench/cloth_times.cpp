// SPDX-License-Identifier: MIT
// cloth_times.cpp — see cloth_times.h.
// compiled alone

#include "cloth_times.h"

#include "cloth_seconds.h"
#include "interrupt.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace scree::bench {
namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Those of a place and a model, in the order of their sizes.
std::vector<ClothTime> series(const std::vector<ClothTime>& times, const std::string& place,
                              const std::string& model) {
    std::vector<ClothTime> some;
    for (const ClothTime& t : times)
        if (t.place == place && t.model == model) some.push_back(t);
    return some;
}

/// The range of the speed-up over another series, where both have a size of 2,500 vertices or more.
std::string speed_up(const std::vector<ClothTime>& slow, const std::vector<ClothTime>& fast) {
    double least = 1e300, most = 0;
    for (std::size_t k = 0; k < std::min(slow.size(), fast.size()); ++k) {
        if (slow[k].vertices < 2500) continue;
        least = std::min(least, slow[k].ms / fast[k].ms);
        most = std::max(most, slow[k].ms / fast[k].ms);
    }
    if (most == 0) return {};
    char text[96];
    std::snprintf(text, sizeof text, ", %.2f to %.2f times cpu x1 from 2500 vertices on", least, most);
    return text;
}

/// The size from which on all are faster than four threads.
std::string crossover(const std::vector<ClothTime>& four, const std::vector<ClothTime>& other) {
    if (four.empty() || four.size() != other.size()) return {};
    std::size_t from = other.size();
    while (from > 0 && other[from - 1].ms < four[from - 1].ms) --from;
    if (from == other.size()) return ", never faster than cpu x4";
    char text[96];
    std::snprintf(text, sizeof text, ", faster than cpu x4 from %.0f vertices on (thesis: 4900)",
                  other[from].vertices);
    return text;
}

} // namespace

ClothFit fit_of(const std::vector<ClothTime>& times) {
    const auto n = static_cast<double>(times.size());
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (const ClothTime& t : times) x += t.vertices / n, y += t.ms / n;
    for (const ClothTime& t : times) {
        xx += (t.vertices - x) * (t.vertices - x);
        xy += (t.vertices - x) * (t.ms - y);
        yy += (t.ms - y) * (t.ms - y);
    }
    if (xx == 0 || yy == 0) return {0, 1};
    return {1e3 * xy / xx, xy * xy / (xx * yy)};
}

std::string summary_of(const std::vector<ClothTime>& times) {
    std::string lines, last;
    for (const ClothTime& t : times) {
        if (t.place + t.model == last) continue;
        last = t.place + t.model;
        const std::vector<ClothTime> own = series(times, t.place, t.model);
        const ClothFit fit = fit_of(own);
        char text[160];
        std::snprintf(text, sizeof text, "%-10s %-15s %.5f µs a vertex, R² %.4f", t.place.c_str(),
                      t.model.c_str(), fit.us_per_vertex, fit.r_squared);
        lines += text;
        if (t.place.starts_with("cpu x")) {
            if (t.place != "cpu x1") lines += speed_up(series(times, "cpu x1", t.model), own);
        } else {
            lines += crossover(series(times, "cpu x4", t.model), own);
        }
        lines += "\n";
    }
    return lines;
}

std::string place_name(const Place& place) {
    return place.device() == "cpu" ? "cpu x" + std::to_string(place.threads()) : place.device();
}

std::string sustained_steps(const Place& place, double seconds) {
    ClothSettings s = reference_cloth();
    s.edges_x = s.edges_z = 118;
    ClothWorld world(s, place);
    world.add_sheet();
    world.add_collider({ClothCollider::Kind::sphere, {0, 5, -3.5f}, {2, 2, 2}, {}});
    world.step(10);
    std::printf("sustained: %u vertices, position based, without a pause on %s; a line a second\n%8s %8s "
                "%9s %9s %9s\n",
                world.vertex_count(), place_name(place).c_str(), "s", "steps", "mean ms", "least ms",
                "most ms");
    std::string csv = "experiment,device,vertices,second,steps,mean_ms,least_ms,most_ms\n";
    const InterruptGuard guard; // ctrl-C leaves the rows so far
    const double start = seconds_now();
    for (int second = 1; second - 1 < seconds && !interrupted(); ++second) {
        double sum = 0, least = 1e300, most = 0;
        int steps = 0;
        const double end = std::min(static_cast<double>(second), seconds);
        do {
            const double ms = 1e3 * seconds_of(world, 1);
            sum += ms, least = std::min(least, ms), most = std::max(most, ms), ++steps;
        } while (seconds_now() - start < end);
        char row[192];
        std::snprintf(row, sizeof row, "sustained,%s,%u,%d,%d,%.6f,%.6f,%.6f\n", place_name(place).c_str(),
                      world.vertex_count(), second, steps, sum / steps, least, most);
        csv += row;
        std::printf("%8d %8d %9.4f %9.4f %9.4f\n", second, steps, sum / steps, least, most);
    }
    return csv;
}

} // namespace scree::bench
