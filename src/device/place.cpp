// SPDX-License-Identifier: MIT
// place.cpp — opens places and decides "auto".

#include "scree/place.h"

#include "device/cpu/cpu_device.h"
#include "device/opened.h"
#include "device/plugin.h"
#include "scree/error.h"

#include <algorithm>
#include <utility>

namespace scree {

namespace {

std::shared_ptr<const Place::Opened> open(const PlaceOptions& options) {
    constexpr int most_threads = 1024;
    if (options.threads < 0 || options.threads > most_threads)
        throw Error("invalid value " + std::to_string(options.threads) + ": expected 0 (all cores) to " +
                        std::to_string(most_threads),
                    "threads");
    if (options.ranges_per_thread < 0 || options.ranges_per_thread > 64)
        throw Error("invalid value " + std::to_string(options.ranges_per_thread) +
                        ": expected 0 (as many as even out the work) to 64",
                    "ranges_per_thread");
    const int lanes = checked_lanes(options.lanes);
    if (options.tasks) {
        if (options.tasks->workers() < 1)
            throw Error("the task system has " + std::to_string(options.tasks->workers()) +
                            " workers: expected 1 or more",
                        "tasks");
        const std::shared_ptr<TaskSystem> foreign(options.tasks, [](TaskSystem*) {});
        return std::make_shared<Place::Opened>(options, lanes, foreign, nullptr);
    }
    const auto pool = std::make_shared<ThreadPool>(options.threads);
    return std::make_shared<Place::Opened>(options, lanes, pool, pool.get());
}

const std::shared_ptr<const Place::Opened>& standard_place() {
    static const std::shared_ptr<const Place::Opened> place = open({});
    return place;
}

} // namespace

Place::Opened::Opened(const PlaceOptions& chosen, int lanes_, std::shared_ptr<TaskSystem> tasks_,
                      ThreadPool* pool_)
    : options(chosen), lanes(lanes_), tasks(std::move(tasks_)), pool(pool_) {
    if (options.device == "auto") {
        if (options.share_graphics)
            throw Error("invalid value true with device \"auto\": expected device \"gles\"",
                        "share_graphics");
        choices = std::make_shared<Choices>();
        report.name = "auto";
        report.description = "the CPU, or a GPU for worlds for which it is faster";
        report.available = report.same_bits = true;
    } else {
        device_ = open_device(options, tasks, lanes);
        report = device_->report();
    }
}

Place::Place() : opened_(standard_place()) {}
Place::Place(const PlaceOptions& options) : opened_(open(options)) {}
Place::Place(const char* device) : Place(PlaceOptions{.device = device ? device : "cpu"}) {}

const PlaceOptions& Place::options() const { return opened_->options; }
const std::string& Place::device() const { return opened_->report.name; }
const DeviceReport& Place::report() const { return opened_->report; }
int Place::threads() const { return opened_->tasks->workers(); }
int Place::lanes() const { return opened_->lanes; }

Place Place::expecting(std::size_t items) const {
    if (!opened_->choices || items <= opened_->options.expected_items) return *this;
    PlaceOptions options = opened_->options;
    options.expected_items = items;
    const auto more = std::make_shared<Opened>(options, opened_->lanes, opened_->tasks, opened_->pool);
    more->choices = opened_->choices;
    return Place(more);
}

Place Place::decided(std::size_t gpu_from) const {
    if (!opened_->choices) return *this;
    PlaceOptions options = opened_->options;
    options.device = auto_device(options.expected_items, gpu_from, list_cuda_devices);
    const std::lock_guard lock(opened_->choices->mutex);
    std::shared_ptr<const Opened>& choice = opened_->choices->by_name[options.device];
    if (!choice) choice = std::make_shared<Opened>(options, opened_->lanes, opened_->tasks, opened_->pool);
    return Place(choice);
}

std::string auto_device(std::size_t items, std::size_t gpu_from,
                        const std::function<std::vector<DeviceReport>()>& present) {
    if (items < gpu_from) return "cpu";
    for (const DeviceReport& report : present())
        if (report.available && report.name.starts_with("cuda")) return report.name;
    return "cpu";
}

} // namespace scree
