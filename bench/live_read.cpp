// SPDX-License-Identifier: MIT
// live_read.cpp — see live_read.h.
#include "live_read.h"

#include "bench_options.h"
#include "live_world.h"
#include "row.h"
#include "stopwatch.h"
#include "text.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace scree::bench {

namespace {

constexpr std::size_t alone = 0, and_read = 1, beside = 2, ways = 3;
constexpr std::array<const char*, ways> way_names{"step", "step and positions()",
                                                  "positions() beside the step"};

struct Times {
    std::vector<double> ms; ///< of each step with what is read
    std::uint64_t downloaded = 0;
};

/// Equal worlds take their steps in turn, so that noise hits all alike.
std::array<Times, ways> measure(const std::string& scene, std::optional<std::uint64_t> bodies,
                                const std::string& device, int frames, std::uint32_t& count) {
    std::array<std::unique_ptr<LiveWorld>, ways> worlds;
    for (auto& world : worlds) world = make_live_world(scene, bodies, device, "--scene");
    count = worlds[alone]->body_count();
    constexpr int warm = 10;
    std::array<Times, ways> times;
    for (int i = 0; i < frames + warm; ++i)
        for (std::size_t way = 0; way < ways; ++way) {
            LiveWorld& world = *worlds[way];
            const std::uint64_t before = world.downloaded();
            const Stopwatch clock;
            if (way == beside && !world.begin_read()) continue;
            world.step();
            if (way == and_read) world.read();
            if (way == beside) world.end_read();
            const double seconds = clock.seconds();
            if (i < warm) continue;
            times[way].ms.push_back(1000 * seconds);
            times[way].downloaded = world.downloaded() - before;
        }
    return times;
}

} // namespace

std::string measure_read(const Arguments& given, int frames) {
    const auto bodies = given.whole("--bodies", 1, 100'000'000);
    std::vector<std::string> scenes = option_list(given, "--scene"), devices = option_list(given, "--device");
    if (devices.empty()) devices = {"cuda"};
    std::string csv = "scene,bodies,device,way,frames,mean_ms,p99_ms,more_than_step_ms,downloaded_bytes\n";
    TextTable lines{{"scene", "device", "way", "ms", "p99", "more than the step", "bytes to the host"}};
    for (const std::string& scene : scenes)
        for (const std::string& device : devices) {
            std::uint32_t count = 0;
            const auto times = measure(scene, bodies, device, frames, count);
            const double step = summarise(times[alone].ms).mean_ms;
            for (std::size_t way = 0; way < ways; ++way) {
                if (times[way].ms.empty()) continue;
                const StepTime time = summarise(times[way].ms);
                lines.push_back({scene, device, way_names[way], number_text(time.mean_ms),
                                 number_text(time.p99_ms), number_text(time.mean_ms - step),
                                 count_text(times[way].downloaded)});
                csv += scene + "," + std::to_string(count) + "," + device + "," + way_names[way] + "," +
                       std::to_string(frames) + "," + exact_number(time.mean_ms) + "," +
                       exact_number(time.p99_ms) + "," + exact_number(time.mean_ms - step) + "," +
                       std::to_string(times[way].downloaded) + "\n";
            }
        }
    std::printf("%s", table_text(lines).c_str());
    return csv;
}

} // namespace scree::bench
