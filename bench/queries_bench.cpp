// SPDX-License-Identifier: MIT
// queries_bench.cpp — questions a second about a pile of boxes (scree/query.h): one at a time, and in a batch on all threads.
#include "bench_options.h"
#include "benchmarks.h"
#include "device_rays.h"
#include "query_check.h"
#include "ray_peers.h"
#include "run_progress.h"
#include "scree/error.h"
#include "scree/query.h"
#include "scree/warning.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

struct Options {
    std::uint32_t bodies = 4096, queries = 200'000, checks = 0;
    int steps = 60;
    std::vector<std::string> devices;
    std::vector<int> threads;
};

class Dice {
public:
    float between(float low, float high) {
        state_ = state_ * 1664525u + 1013904223u;
        return low + (high - low) * static_cast<float>(state_ >> 8) / 16777216.0f;
    }

private:
    std::uint32_t state_ = 1;
};

/// Boxes of half a metre in loose layers, which fall onto each other; the width of the ground.
float build(World& world, std::uint32_t bodies) {
    std::uint32_t side = 1;
    while (side * side * side < bodies) ++side;
    const float width = 0.6f * static_cast<float>(side);
    world.attach(world.create_body({.type = BodyType::fixed}), Box{width, 0.5f, width},
                 {.position = {0, -0.5f, 0}});
    Dice dice;
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const auto at = [&](std::uint32_t n) {
            return 0.6f * (static_cast<float>(n) - 0.5f * static_cast<float>(side)) +
                   dice.between(-0.04f, 0.04f);
        };
        const float x = at(k % side), z = at(k / side % side);
        const BodyId body =
            world.create_body({.position = {x, 0.3f + 0.6f * static_cast<float>(k / side / side), z}});
        world.attach(body, Box{0.25f, 0.25f, 0.25f});
    }
    return width;
}

struct Rate {
    const char* kind;
    double single = 0, batch = 0; ///< a second
    std::uint64_t hits = 0;
    bool equal = true; ///< a batch to single questions
    std::optional<double> update =
        {}; ///< s, of the first question after a step, if this kind needs more for it
};

/// `one(k)` asks a question and returns its hit; `all(results)` asks them all.
template <class One, class All>
Rate measure(const char* kind, std::uint32_t queries, const One& one, const All& all) {
    Rate rate{kind};
    std::vector<QueryHit> results(queries), singles(queries / 4 + 1);
    Stopwatch clock;
    for (std::uint32_t k = 0; k < singles.size() && k < queries; ++k) singles[k] = one(k);
    rate.single = static_cast<double>(singles.size()) / clock.seconds();
    clock = {};
    all(std::span(results));
    rate.batch = queries / clock.seconds();
    for (const QueryHit& hit : results) rate.hits += hit ? 1 : 0;
    for (std::uint32_t k = 0; k < singles.size() && k < queries; ++k)
        rate.equal = rate.equal && singles[k] == results[k];
    return rate;
}

/// Rays and their hits in the memory of the device (World::cast_device_rays).
Rate measure_there(World& world, const std::vector<RayCast>& rays) {
    Rate rate{"device"};
    DeviceRays there(world, rays);
    const auto cast = [&](std::size_t count) {
        const Stopwatch clock;
        there.cast<QueryHit>(count);
        return clock.seconds();
    };
    cast(1);
    world.step(1 / 60.0f);
    static_cast<void>(world.quarantined()); // fetches all from a device
    rate.update = cast(1);
    rate.batch = static_cast<double>(rays.size()) / std::min(cast(rays.size()), cast(rays.size()));
    std::vector<QueryHit> expected(rays.size());
    world.cast_rays(rays, expected);
    const std::vector<QueryHit> hits = there.results<QueryHit>();
    for (const QueryHit& hit : hits) rate.hits += hit ? 1 : 0;
    rate.equal = hits == expected;
    return rate;
}

struct Result {
    double update_seconds = 0; ///< of the first question after a step
    std::vector<Rate> rates;
    bool all_equal() const {
        return std::all_of(rates.begin(), rates.end(), [](const Rate& rate) { return rate.equal; });
    }
};

Result measure(const Options& options, const Place& place, RunProgress& progress) {
    World world({}, place);
    const float width = build(world, options.bodies);
    for (int s = 0; s < options.steps; ++s) {
        world.step(1 / 60.0f);
        progress.part(0.5 * s / options.steps);
    }
    Dice dice;
    std::vector<RayCast> rays;
    std::vector<ShapeCast> casts;
    std::vector<PointQuery> points;
    for (std::uint32_t k = 0; k < options.queries; ++k) {
        const auto spot = [&] {
            return Vec3{dice.between(-width, width), dice.between(0, width), dice.between(-width, width)};
        };
        const Vec3 from = spot(), way = spot() - from;
        rays.push_back({DVec3(from), way == Vec3{} ? Vec3{1, 0, 0} : way});
        casts.push_back({Sphere{0.2f}, DVec3(from), {}, rays.back().translation});
        points.push_back({DVec3(from), 1});
    }
    Result result;
    world.cast_ray(rays[0]); // builds the tree
    world.step(1 / 60.0f);
    static_cast<void>(world.quarantined()); // fetches all from a device
    Stopwatch clock;
    world.cast_ray(rays[0]);
    result.update_seconds = clock.seconds();
    const auto of = [](const std::optional<QueryHit>& hit) { return hit.value_or(QueryHit{}); };
    result.rates.push_back(measure(
        "ray", options.queries, [&](std::uint32_t k) { return of(world.cast_ray(rays[k])); },
        [&](std::span<QueryHit> out) { world.cast_rays(rays, out); }));
    progress.part(0.7);
    result.rates.push_back(measure(
        "cast", options.queries, [&](std::uint32_t k) { return of(world.cast_shape(casts[k])); },
        [&](std::span<QueryHit> out) { world.cast_shapes(casts, out); }));
    progress.part(0.9);
    result.rates.push_back(measure(
        "point", options.queries, [&](std::uint32_t k) { return of(world.closest_point(points[k])); },
        [&](std::span<QueryHit> out) { world.closest_points(points, out); }));
    result.rates.push_back(measure_there(world, rays));
    return result;
}

/// Throws Error where one of `options` is given beside `mode`, to which it means nothing.
void refuse_beside(const Arguments& given, const char* mode, std::initializer_list<const char*> options) {
    for (const char* option : options)
        if (given.has(mode) && given.has(option))
            throw Error(std::string("means nothing to ") + mode + ": expected one of the two", option);
}

Options options_of(const Arguments& given) {
    refuse_beside(given, "--peers", {"--check", "--bodies", "--steps", "--device"});
    refuse_beside(given, "--check", {"--bodies", "--queries", "--steps"});
    Options options;
    options.checks = whole_option(given, "--check", 1, 100'000'000, 0u);
    options.bodies = whole_option(given, "--bodies", 1, 1'000'000, options.bodies);
    options.queries = whole_option(given, "--queries", 1, 100'000'000, options.queries);
    options.steps = whole_option(given, "--steps", 0, 1'000'000, options.steps);
    options.devices = option_list(given, "--device");
    options.threads = given.has("--threads") ? thread_list(given)
                      : given.has("--peers") ? std::vector{1}
                                             : std::vector{0}; // all cores
    if (options.devices.empty()) options.devices = {"cpu"};
    return options;
}

/// Prints the lines of a place and returns them as rows of the CSV.
std::string report(const Options& options, const Place& place, const Result& result) {
    std::string rows;
    for (const Rate& rate : result.rates) {
        const double update = rate.update.value_or(result.update_seconds);
        std::printf("%-14s %7d  %-6s %10.3f %12.0f %12.0f %10llu  %s\n", place.device().c_str(),
                    place.threads(), rate.kind, 1e3 * update, rate.single, rate.batch,
                    static_cast<unsigned long long>(rate.hits), rate.equal ? "yes" : "NO");
        char row[256];
        std::snprintf(row, sizeof row, "%s,%d,%u,%u,%s,%.4f,%.0f,%.0f,%llu,%d\n", place.device().c_str(),
                      place.threads(), options.bodies, options.queries, rate.kind, 1e3 * update, rate.single,
                      rate.batch, static_cast<unsigned long long>(rate.hits), rate.equal);
        rows += row;
    }
    std::fflush(stdout);
    return rows;
}

constexpr const char* compared_columns =
    "engine,kind,scene,threads,device,asked,per_s,hits,unclear,differ\n"; ///< of --peers and --check

/// The same rays through other engines: well where none hits something else in one ray of a hundred.
struct Race {
    std::vector<PeerRate> rates;
    bool all_equal() const {
        return std::all_of(rates.begin(), rates.end(), [&](const PeerRate& rate) {
            const auto own = std::find_if(rates.begin(), rates.end(), [&](const PeerRate& each) {
                return each.engine == "scree" && each.targets == rate.targets;
            });
            return 100 * (std::max(rate.hits, own->hits) - std::min(rate.hits, own->hits)) <= rate.rays;
        });
    }
};

int race(const Arguments& given, const Options& options) {
    const auto measure = [&](const Place& place, RunProgress& progress) {
        Race race;
        for (const auto& targets : {ball_targets(options.queries), pile_targets(4096, options.queries)}) {
            const std::vector<PeerRate> rates = race_rays(targets, place);
            race.rates.insert(race.rates.end(), rates.begin(), rates.end());
            progress.part(0.5);
        }
        return race;
    };
    const auto report = [](const Place& place, const Race& race) {
        std::string rows;
        for (const PeerRate& rate : race.rates) {
            std::printf("%-14s %7d  %-16s %12.0f %10llu %8llu\n", rate.targets.c_str(), place.threads(),
                        rate.engine.c_str(), rate.rays_per_second, static_cast<unsigned long long>(rate.hits),
                        static_cast<unsigned long long>(rate.differ));
            char row[256];
            std::snprintf(row, sizeof row, "%s,ray closest,%s,%d,%s,%llu,%.0f,%llu,,%llu\n",
                          rate.engine.c_str(), rate.targets.c_str(), place.threads(), place.device().c_str(),
                          static_cast<unsigned long long>(rate.rays), rate.rays_per_second,
                          static_cast<unsigned long long>(rate.hits),
                          static_cast<unsigned long long>(rate.differ));
            rows += row;
        }
        std::fflush(stdout);
        return rows;
    };
    std::printf("%-14s %7s  %-16s %12s %10s %8s\n", "scene", "threads", "engine", "rays/s", "hits", "differ");
    return measure_at(places_of({"cpu"}, options.threads), given, compared_columns,
                      count_of(options.queries, "ray", "rays"), measure, report);
}

/// Answers against brute force.
struct Checks {
    std::vector<QueryCheck> kinds;
    bool all_equal() const {
        return std::all_of(kinds.begin(), kinds.end(), [](const QueryCheck& kind) { return kind.equal(); });
    }
};

int check(const Arguments& given, const Options& options) {
    const auto measure = [&](const Place& place, RunProgress& progress) {
        return Checks{check_queries(place, 1, options.checks, [&](double done) { progress.part(done); })};
    };
    const auto report = [](const Place& place, const Checks& checks) {
        std::string rows;
        for (const QueryCheck& kind : checks.kinds) {
            const auto asked = static_cast<unsigned long long>(kind.asked),
                       agreed = static_cast<unsigned long long>(kind.agreed),
                       unclear = static_cast<unsigned long long>(kind.unclear),
                       hits = static_cast<unsigned long long>(kind.hits);
            std::printf("%-14s  %-14s %10llu %10llu %8llu %10llu  %s\n", place.device().c_str(),
                        kind.kind.c_str(), asked, agreed, unclear, hits, kind.first.c_str());
            char row[256];
            std::snprintf(row, sizeof row, "brute force,%s,every shape,%d,%s,%llu,,%llu,%llu,%llu\n",
                          kind.kind.c_str(), place.threads(), place.device().c_str(), asked, hits, unclear,
                          asked - agreed - unclear);
            rows += row;
        }
        std::fflush(stdout);
        return rows;
    };
    set_warning_handler([](const std::string&) {}); // bodies are strewn at random, below planes too
    std::printf("%-14s  %-14s %10s %10s %8s %10s  %s\n", "device", "kind", "asked", "agreed", "unclear",
                "hits", "first difference");
    const int code = measure_at(places_of(options.devices, options.threads), given, compared_columns,
                                count_of(options.checks, "question of each kind", "questions of each kind"),
                                measure, report);
    set_warning_handler({});
    return code;
}

int run(const Arguments& given) {
    const Options options = options_of(given);
    if (given.has("--check")) return check(given, options);
    if (given.has("--peers")) return race(given, options);
    std::printf("%-14s %7s  %-6s %10s %12s %12s %10s  %s\n", "device", "threads", "kind", "update ms",
                "single 1/s", "batch 1/s", "hits", "equal");
    return measure_at(
        places_of(options.devices, options.threads), given,
        "device,threads,bodies,queries,kind,update_ms,single_per_s,batch_per_s,hits,equal\n",
        count_of(options.bodies, "box", "boxes"),
        [&](const Place& place, RunProgress& progress) { return measure(options, place, progress); },
        [&](const Place& place, const Result& result) { return report(options, place, result); });
}

} // namespace

CommandSpec queries_bench() {
    return {"queries",
            "rays, casts and nearest points a second",
            "Asks random questions about a pile of boxes, one at a time and in a batch, and compares the "
            "answers.",
            {R"(
--bodies N          boxes in the pile; default: 4096
--queries N         of each kind; default: 200000
--steps N           of 1/60 s before the questions; default: 60
--peers             instead: the same rays through Embree and Bullet, which takes one thread alone: a ball
                    of 100,000 triangles, and 4096 boxes
--check N           instead: ask N of each kind in worlds of every shape and compare with brute force;
                    100000 take a few minutes
--device LIST       default: cpu; not of --peers
--threads LIST      CPU threads; default: all cores, of --peers 1
)",
             csv_option},
            run};
}

} // namespace scree::bench
