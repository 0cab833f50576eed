// SPDX-License-Identifier: MIT
// walk_bench.cpp — a bot walks at random through levels from each player start, and bodies are thrown in: who is stuck, who fell through,
// what left through a wall. One thread; the same seed gives the same walk.
#include "bench_options.h"
#include "benchmarks.h"
#include "row.h"
#include "scree/error.h"
#include "scree/level_weld.h"
#include "scree/rigid_scene.h"
#include "stopwatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

/// A level with its cells, to tell inside from outside.
struct OpenedLevel {
    Scene scene;
    CompiledLevel level;
    float scale = level_scale;

    enum class Where { inside, solid, outside };
    Where where(DVec3 at) const {
        const double s = double{scale};
        const std::uint32_t cell = level.cells.cell_at({at.x / s, 0 - at.z / s, at.y / s});
        if (cell == LevelCells::solid) return Where::solid;
        return level.cells.cells[cell].outside ? Where::outside : Where::inside;
    }
};

OpenedLevel open_level(const std::string& name) {
    OpenedLevel place;
    if (name.ends_with(".map")) {
        std::ifstream in(name, std::ios::binary);
        if (!in) throw Error("cannot be read", name);
        std::ostringstream bytes;
        bytes << in.rdbuf();
        SceneOptions options;
        options.files = {{"level.map", bytes.str()}};
        place.scene = parse_scene(
            R"({"scree": 1, "kind": "rigid", "title": "a level", "steps": 1, "levels": [{"name": "level", "level": {"file": "level.map"}}]})",
            "level.json", options);
    } else {
        place.scene = find_scene(name);
    }
    for (const SceneFile& file : place.scene.files)
        if (file.name.ends_with(".map")) {
            Map map = parse_map(file.bytes, file.name);
            place.level = compile_closed(map);
        }
    if (place.level.cells.cells.empty()) throw Error("expected a level made from a .map file", name);
    return place;
}

struct Walked {
    double metres = 0, longest_stay = 0; ///< s within half a metre along the ground, whatever was tried
    DVec3 stuck_at{}, lost_at{};
    bool lost = false; ///< outside of the level, or in a wall
    std::uint64_t hash = 0;
};

/// Another direction every half to two seconds, and a jump now and then.
Walked walk(const OpenedLevel& place, std::size_t start, double seconds, std::uint64_t seed) {
    const RigidScene& scene = rigid_scene(place.scene);
    World world = build_rigid_world(scene, PlaceOptions{.device = "cpu", .threads = 1});
    SceneState state = begin_scene(scene);
    add_player(scene, world, state, start);
    std::mt19937_64 dice(seed + 1000 * start);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(dice() >> 11) / 9007199254740992.0;
    };
    Walked out;
    const double dt = double{scene.time_step};
    double until = 0, stays = 0;
    DVec3 place_of_stay = state.player->state().position, before = place_of_stay;
    for (double time = 0; time < seconds; time += dt) {
        if (time >= until) {
            const double angle = uniform(0, 2 * std::numbers::pi);
            state.wish = narrow(DVec3{4.5 * std::cos(angle), 0, 4.5 * std::sin(angle)});
            until = time + uniform(0.5, 2);
            if (uniform(0, 1) < 0.25) state.player->jump(4.2f);
        }
        step_scene(scene, world, state);
        const DVec3 at = state.player->state().position;
        out.metres += length(at - before);
        before = at;
        const DVec3 gone = at - place_of_stay;
        if (std::hypot(gone.x, gone.z) > 0.5) { // jumps lead nowhere
            place_of_stay = at;
            stays = time;
        } else if (time - stays > out.longest_stay) {
            out.longest_stay = time - stays;
            out.stuck_at = at;
        }
        const auto where = place.where(at + DVec3{0, 0.9, 0});
        if (where != OpenedLevel::Where::inside) {
            out.lost = true;
            out.lost_at = at;
            break;
        }
    }
    out.hash = world.hash();
    return out;
}

struct Thrown {
    std::size_t bodies = 0, outside = 0, in_walls = 0;
    double overlap = 0;
    DVec3 lost_at{};
    std::uint64_t hash = 0;
};

/// Balls and boxes from the starts, in all directions.
Thrown throw_bodies(const OpenedLevel& place, std::size_t count, double seconds, std::uint64_t seed,
                    const std::string& device) {
    const RigidScene& scene = rigid_scene(place.scene);
    World world = build_rigid_world(scene, PlaceOptions{.device = device, .threads = 1});
    SceneState state = begin_scene(scene);
    std::mt19937_64 dice(seed);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(dice() >> 11) / 9007199254740992.0;
    };
    std::vector<BodyId> thrown;
    std::vector<OpenedLevel::Where> worst; // of each body, of all steps
    Thrown out;
    const auto step = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            step_scene(scene, world, state);
            for (std::size_t k = 0; k < thrown.size(); ++k) {
                const DVec3 at = wide(world.state(thrown[k]).centre);
                const auto where = place.where(at);
                if (where <= worst[k]) continue;
                worst[k] = where;
                out.lost_at = at;
            }
        }
    };
    for (std::size_t k = 0; k < count; ++k) {
        // a few at a time, where there is room
        const LevelStart& start = scene.starts[k % scene.starts.size()];
        const double angle = uniform(0, 2 * std::numbers::pi), speed = uniform(5, 25);
        const BodyId body = world.create_body(
            {.position = start.feet + DVec3{0, 0.9, 0},
             .velocity = narrow(DVec3{speed * std::cos(angle), uniform(0, 12), speed * std::sin(angle)})});
        if (k % 2 == 0) world.attach(body, Sphere{0.25f});
        else world.attach(body, Box{0.2f, 0.25f, 0.3f});
        thrown.push_back(body);
        worst.push_back(OpenedLevel::Where::inside);
        if ((k + 1) % scene.starts.size() == 0) step(12);
    }
    step(static_cast<int>(seconds / double{scene.time_step}));
    out.bodies = thrown.size();
    for (const auto where : worst) {
        out.outside += where == OpenedLevel::Where::outside;
        out.in_walls += where == OpenedLevel::Where::solid;
    }
    out.overlap = world.measure().max_overlap;
    out.hash = world.hash();
    return out;
}

std::string at_text(DVec3 at) {
    return number_text(at.x, 4) + " " + number_text(at.y, 4) + " " + number_text(at.z, 4);
}

std::string hash_words(std::uint64_t hash) {
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

int run(const Arguments& given) {
    std::vector<std::string> names = given.all("--map");
    for (const std::string& scene : given.all("--scene")) names.push_back(scene);
    if (names.empty()) names = {"castle"};
    const auto seconds = static_cast<double>(whole_option<std::uint64_t>(given, "--seconds", 1, 100000, 60));
    const auto bodies = whole_option<std::uint64_t>(given, "--bodies", 0, 100000, 100);
    const auto most_starts = whole_option<std::uint64_t>(given, "--starts", 1, 1000, 1000);
    const auto seed = whole_option<std::uint64_t>(given, "--seed", 0, 1000000, 1);
    const std::string device = given.text("--device").value_or("cpu");
    TextTable walks{{"level", "start", "metres", "longest stay s", "where", "lost", "hash"}};
    TextTable throws{{"level", "bodies", "outside", "in walls", "largest overlap m", "hash"}};
    bool failed = false;
    for (const std::string& name : names) {
        const OpenedLevel place = open_level(name);
        const std::string title = std::filesystem::path(name).stem().string();
        const std::size_t starts = rigid_scene(place.scene).starts.size();
        if (starts == 0) {
            std::printf("%s has no player starts\n", title.c_str());
            continue;
        }
        for (std::size_t start = 0; start < std::min<std::size_t>(starts, most_starts); ++start) {
            const Walked one = walk(place, start, seconds, seed);
            walks.push_back({title, std::to_string(start), number_text(one.metres, 4),
                             number_text(one.longest_stay, 3), at_text(one.stuck_at),
                             one.lost ? at_text(one.lost_at) : "-", hash_words(one.hash)});
            failed = failed || one.lost || one.longest_stay > 15;
        }
        if (bodies == 0) continue;
        const Thrown one = throw_bodies(place, bodies, 8, seed, device);
        throws.push_back(
            {title, std::to_string(one.bodies),
             std::to_string(one.outside) + (one.outside + one.in_walls ? " " + at_text(one.lost_at) : ""),
             std::to_string(one.in_walls), number_text(one.overlap, 3), hash_words(one.hash)});
        failed = failed || one.outside + one.in_walls > 0;
    }
    std::printf("%s\n%s", table_text(walks).c_str(), table_text(throws).c_str());
    return failed ? exit_failed : exit_ok;
}

} // namespace

CommandSpec walk_bench() {
    return {"walk",
            "a bot in levels: stuck, fallen through, or out",
            "Walks at random through levels from each player start, and throws bodies in from there. Ends "
            "with 1 if the bot stayed\n"
            "within half a metre for more than 15 s, or if anybody is in a wall or outside of the level.",
            {R"(
--map FILE …        a .map file; may be given again
--scene NAME …      a scene with a level made from a map; default: castle
--seconds N         of each walk; default: 60
--starts N          at most, of each level; default: all
--bodies N          to throw; default: 100
--device NAME       of the thrown bodies; default: cpu
--seed N            default: 1
)"},
            run};
}

} // namespace scree::bench
