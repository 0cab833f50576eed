// SPDX-License-Identifier: MIT
// churn.cpp — reads the command line of `scree bench churn`, runs it and says what it found.
// compiled alone

#include "bench_options.h"
#include "benchmarks.h"
#include "churn_pile.h"
#include "row.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace scree::bench {

namespace {

constexpr int steps_a_second = 60;
constexpr double most_growth = 1.5; // buffers grow by half

/// A pile, and what its calls cost since the last line.
struct Churned {
    Churned(const ChurnOptions& options, const std::string& device) : pile(options, device) {}

    void advance(std::uint32_t changes) {
        const Stopwatch clock;
        pile.change(changes);
        const double between = clock.seconds();
        pile.step();
        changing += between;
        stepping += clock.seconds() - between;
    }
    /// what the world and its device hold
    std::uint64_t memory() const {
        const World& world = pile.world();
        return std::max(world.memory().total(), world.traffic().allocated);
    }

    ChurnPile pile;
    double changing = 0, stepping = 0; ///< s
    std::uint64_t uploaded = 0;        ///< until the last line
    std::uint64_t held = 0;            ///< bytes, after the first part of the run
};

void print_line(int second, const std::string& device, Churned& one, std::uint64_t hash) {
    const World& world = one.pile.world();
    const WorldTraffic traffic = world.traffic();
    std::printf(
        "%4d s  %-12s %s  %9u contacts %7u joints  change %7.3f ms  step %8.3f ms  up %8.1f KiB  holds "
        "%7.1f MiB\n",
        second, device.c_str(), hash_text(hash).c_str(), world.counters().contacts, world.joint_count(),
        1e3 * one.changing / steps_a_second, 1e3 * one.stepping / steps_a_second,
        static_cast<double>(traffic.uploaded - one.uploaded) / 1024 / steps_a_second,
        mebibytes(one.memory()));
    std::fflush(stdout);
    one.uploaded = traffic.uploaded;
    one.changing = one.stepping = 0;
}

ChurnOptions options_of(const Arguments& given) {
    ChurnOptions options;
    options.bodies = whole_option(given, "--bodies", 16, 100'000'000, options.bodies);
    options.changes = whole_option(given, "--changes", 0, 1'000'000'000, options.changes);
    options.seconds = whole_option(given, "--seconds", 1, 1'000'000, options.seconds);
    options.device = given.text("--device").value_or(options.device);
    options.compare = given.text("--compare").value_or("");
    options.threads = whole_option(given, "--threads", 1, 1024, 0);
    options.seed = whole_option(given, "--seed", 0, ~std::uint64_t{0}, options.seed);
    options.new_hulls = given.has("--new-hulls");
    if (options.changes / steps_a_second >= options.bodies)
        refuse_option("--changes", std::to_string(options.changes),
                      "fewer changes in a step than there are bodies");
    return options;
}

int run(const Arguments& given) {
    const ChurnOptions options = options_of(given);
    Churned one(options, options.device);
    std::unique_ptr<Churned> other;
    if (!options.compare.empty()) other = std::make_unique<Churned>(options, options.compare);
    const int interval = std::max(1, options.seconds / 6);
    bool good = true;
    for (int step = 1; step <= options.seconds * steps_a_second; ++step) {
        // so many in a second, whatever 60 leaves over
        const std::uint64_t all = options.changes,
                            k = static_cast<std::uint64_t>((step - 1) % steps_a_second);
        const auto now =
            static_cast<std::uint32_t>(all * (k + 1) / steps_a_second - all * k / steps_a_second);
        one.advance(now);
        if (other) {
            other->advance(now);
            const std::uint64_t hashes[] = {one.pile.world().hash(), other->pile.world().hash()};
            if (hashes[0] != hashes[1]) {
                std::printf("FAILED: step %d: %s on %s, %s on %s\n", step, hash_text(hashes[0]).c_str(),
                            options.device.c_str(), hash_text(hashes[1]).c_str(), options.compare.c_str());
                return exit_failed;
            }
        }
        if (step % steps_a_second) continue;
        const int second = step / steps_a_second;
        for (Churned* each : {&one, other.get()}) {
            if (!each) continue;
            const std::string& device = each == &one ? options.device : options.compare;
            print_line(second, device, *each, each->pile.world().hash());
            if (const std::uint32_t taken = each->pile.dead_ids_taken()) {
                std::printf("FAILED: %u ids of destroyed bodies are taken on %s\n", taken, device.c_str());
                good = false;
            }
            if (second % interval) continue;
            if (each->held == 0) each->held = each->memory();
            if (static_cast<double>(each->memory()) > most_growth * static_cast<double>(each->held)) {
                std::printf("FAILED: memory on %s grew from %.1f to %.1f MiB\n", device.c_str(),
                            mebibytes(each->held), mebibytes(each->memory()));
                good = false;
            }
        }
    }
    if (good) std::printf("OK: %s\n", other ? "the bits of both devices are the same" : "done");
    return good ? exit_ok : exit_failed;
}

} // namespace

CommandSpec churn_bench() {
    return {
        "churn",
        "a pile whose bodies come and go, on one device or two in step",
        R"(A pile of boxes at 60 steps a second in which bodies of all kinds come and go: hash, times and memory every second.

Exits with 1 when the hashes of two devices differ, when memory grows by more than a half after
the first sixth of the run, or when the id of a destroyed body is taken for a living one.)",
        {R"(
--bodies N          in the pile; default: 100000
--changes N         destroyed in a second, and as many created; default: 10000
--seconds N         of the world's time; default: 60
--device NAME       cuda, or cpu:kernels, which runs a GPU's steps; default: cpu
--compare NAME      a second device that runs in step; the hash of every step is compared
--threads N         CPU threads; default: all cores
--seed N            random seed; default: 1
--new-hulls         every stone has a hull of its own, in place of eight that are shared
)"},
        run};
}

} // namespace scree::bench
