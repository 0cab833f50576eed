// SPDX-License-Identifier: MIT
// case_grains.cpp — a settled pile of single grains: Scree beside LAMMPS and LIGGGHTS, the engines taking turns.
#include "cases.h"
#include "dem_peers.h"
#include "pile.h"
#include "scree/error.h"
#include "scree/granular_scene.h"
#include "targets.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

namespace scree::bench {

namespace {

constexpr int block = 25, warm_up = 2 * block;
constexpr std::uint64_t most_in_tile = 30000;

std::vector<std::uint64_t> sizes(const BenchOptions& options) {
    return options.bodies.empty() ? std::vector<std::uint64_t>{100000} : options.bodies;
}

int steps_of(const BenchOptions& options) {
    // whole blocks, since the peers print their clock once a block
    return std::max((options.steps > 0 ? options.steps : 500) / block, 1) * block;
}

/// one engine in one configuration, run once a turn
struct Contender {
    Row row;
    std::function<void(Contender&)> run;
    std::vector<std::vector<double>> repeats;
    bool failed = false;
};

Contender scree_contender(BenchRun& bench, const Scene& scene, const Target& target) {
    Contender contender;
    contender.row.engine = "scree";
    contender.row.threads = target.threads;
    contender.row.device = target.name;
    contender.run = [&bench, &scene, target](Contender& self) {
        GranularWorld world = build_world(scene, target.place);
        world.step(warm_up);
        self.repeats.push_back(time_steps(world, steps_of(bench.options), block, bench.progress));
        self.row = scree_row("granular-grains-1", scene.name, target, world);
        self.row.quality = measure(sphere_pile(world));
    };
    return contender;
}

/// The neighbour list's skin decides a peer's speed; each gets the best of four for this pile.
double best_skin(DemPeer peer, const Scene& scene, int ranks) {
    const double radius = granular_scene(scene).shapes.front().particles.front().radius;
    double best = 0, least = 0;
    for (double share : {0.05, 0.1, 0.2, 0.4}) {
        DemRun run{
            .ranks = ranks, .warm_up = block, .steps = 4 * block, .block = block, .skin = share * radius};
        const double ms = summarise(run_peer(peer, scene, run).block_ms).mean_ms;
        if (best == 0 || ms < least) {
            best = run.skin;
            least = ms;
        }
    }
    return best;
}

Contender peer_contender(BenchRun& bench, const Scene& scene, DemPeer peer, int ranks) {
    Contender contender;
    Row& row = contender.row;
    row.contract = "granular-grains-1";
    row.engine = peer_name(peer);
    row.device = "cpu";
    row.threads = ranks;
    row.scene = scene.name;
    row.bodies = row.particles = granular_scene(scene).bodies.size();
    DemRun run{
        .ranks = ranks, .warm_up = warm_up, .steps = steps_of(bench.options), .block = block, .skin = 0};
    contender.run = [&scene, peer, run](Contender& self) mutable {
        if (run.skin == 0) run.skin = best_skin(peer, scene, run.ranks);
        DemResult result = run_peer(peer, scene, run);
        self.row.version = result.version;
        self.row.quality = measure(result.pile);
        self.repeats.push_back(std::move(result.block_ms));
    };
    return contender;
}

std::vector<std::pair<DemPeer, int>> peers(const BenchOptions& options) {
    std::vector<std::pair<DemPeer, int>> list;
    for (int ranks : options.threads) {
        if (options.lammps) list.emplace_back(DemPeer::lammps, ranks);
        if (options.liggghts) list.emplace_back(DemPeer::liggghts, ranks);
    }
    return list;
}

void print_table(const std::vector<Contender>& contenders) {
    std::vector<std::vector<std::string>> lines{{"engine", "device", "threads", "ms/step", "p99",
                                                 "Mparticle-steps/s", "time / scree", "overlap mean mm",
                                                 "max mm", "contacts", "kinetic J", "height m"}};
    for (const Contender& contender : contenders) {
        const Row& row = contender.row;
        if (contender.failed || !row.quality) continue;
        // against Scree on as many threads
        const auto rival = std::find_if(contenders.begin(), contenders.end(), [&](const Contender& other) {
            return other.row.engine == "scree" && other.row.threads == row.threads &&
                   other.row.device == row.device;
        });
        const double ratio = rival != contenders.end() ? row.mean_ms / rival->row.mean_ms : 0;
        const Quality& q = *row.quality;
        lines.push_back({row.engine, row.device, std::to_string(row.threads), number_text(row.mean_ms),
                         number_text(row.p99_ms), number_text(particle_steps_per_second(row) / 1e6),
                         ratio > 0 ? number_text(ratio, 3) : "-", number_text(q.mean_overlap_mm),
                         number_text(q.max_overlap_mm), number_text(q.coordination),
                         number_text(q.kinetic_j, 3), number_text(q.mean_height_m)});
    }
    std::fputs(table_text(lines).c_str(), stdout);
}

} // namespace

int grains_runs(const BenchOptions& options) {
    const int contenders = static_cast<int>(peers(options).size()) + target_count(options);
    return static_cast<int>(sizes(options).size()) * (1 + contenders * options.repeat);
}

void grains_case(BenchRun& bench) {
    const BenchOptions& options = bench.options;
    for (std::uint64_t size : sizes(options)) {
        bench.progress.begin("grains: settling " + count_text(size));
        const Scene scene =
            settled_pile("grains", size, most_in_tile, preparing_place(options), bench.progress);

        std::vector<Contender> contenders;
        for (const Target& target : targets(options))
            contenders.push_back(scree_contender(bench, scene, target));
        for (const auto& [peer, ranks] : peers(options)) {
            if (const auto reason = peer_missing(peer, ranks)) bench.progress.note(*reason);
            else contenders.push_back(peer_contender(bench, scene, peer, ranks));
        }
        for (int turn = 0; turn < options.repeat; ++turn)
            for (Contender& contender : contenders) {
                if (contender.failed) continue;
                bench.progress.begin(
                    "grains: " + contender.row.engine + ", " + contender.row.device + ", " +
                    count_of(static_cast<std::uint64_t>(contender.row.threads), "thread", "threads"));
                try {
                    contender.run(contender);
                } catch (const Error& error) {
                    if (contender.row.engine == "scree") throw;
                    bench.progress.note(contender.row.engine + " is left out: " + error.what());
                    contender.failed = true;
                }
            }
        for (Contender& contender : contenders) {
            if (contender.failed) continue;
            const StepTime time = summarise_repeats(contender.repeats);
            contender.row.mean_ms = time.mean_ms;
            contender.row.p99_ms = time.p99_ms;
            contender.row.steps = static_cast<std::uint64_t>(steps_of(options) * options.repeat);
            bench.rows.push_back(contender.row);
        }
        bench.progress.clear();
        std::printf("\ngrains: a settled pile of %s grains, equal physics, %d steps, %s each\n",
                    count_text(granular_scene(scene).bodies.size()).c_str(), steps_of(options),
                    count_of(static_cast<std::uint64_t>(options.repeat), "run", "runs").c_str());
        print_table(contenders);
    }
}

} // namespace scree::bench
