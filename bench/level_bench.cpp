// SPDX-License-Identifier: MIT
// level_bench.cpp — compiling levels, time by stage against brushes; and what portals keep along a walk, against the picture's
// pyramid alone (scree/level_cells.h, scree/level_visibility.h). One thread.
#include "bench_options.h"
#include "benchmarks.h"
#include "level_characters.h"
#include "level_looks.h"
#include "level_pictures.h"
#include "rooms_text.h"
#include "row.h"
#include "scree/error.h"
#include "scree/level_file.h"
#include "scree/level_visibility.h"
#include "stopwatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::size_t inner_cells(const LevelCells& cells) {
    return static_cast<std::size_t>(std::count_if(cells.cells.begin(), cells.cells.end(),
                                                  [](const auto& cell) { return !cell.outside; }));
}

/// One line of the first table: the fastest of several times.
std::vector<std::string> compile_line(const std::string& name, const Map& map, std::uint64_t repeats,
                                      CompiledLevel& level) {
    CompileReport best;
    double total = 1e300;
    for (std::uint64_t i = 0; i < repeats; ++i) {
        CompileReport report;
        const double begin = processor_ms();
        level = compile_level(map, {}, {}, &report);
        const double took = processor_ms() - begin;
        if (took < total) total = took, best = std::move(report);
    }
    const Stopwatch clock;
    const std::vector<std::byte> bytes = encode_level(level);
    const double encoded = 1000 * clock.seconds();
    decode_level(bytes, name);
    const double decoded = 1000 * clock.seconds() - encoded;
    std::size_t empty = 0;
    for (const LevelTree::Leaf& leaf : best.tree.leaves) empty += !leaf.solid;
    const auto ms = [](double seconds) { return number_text(1000 * seconds, 3); };
    return {name,
            std::to_string(level.level.brushes.size()),
            ms(best.polyhedra),
            ms(best.tree_and_portals),
            ms(best.merging),
            ms(best.faces),
            number_text(total, 3),
            number_text(decoded, 2),
            std::to_string(empty),
            std::to_string(inner_cells(level.cells)),
            std::to_string(level.cells.portals.size() / 2)};
}

/// A walk from cell to cell through their portals, looking ahead. Every second place is in a portal's plane.
std::vector<LevelCamera> walk(const LevelCells& cells, std::uint64_t frames) {
    std::vector<LevelCamera> path;
    std::mt19937 dice(7);
    std::vector<std::uint32_t> starts;
    for (std::uint32_t c = 0; c < cells.cells.size(); ++c)
        if (!cells.cells[c].outside && !cells.cells[c].portals.empty()) starts.push_back(c);
    if (starts.empty()) return path;
    const auto centre = [](const LevelCells::Portal& portal) {
        DVec3 sum{};
        for (const DVec3& corner : portal.corners) sum += corner / static_cast<double>(portal.corners.size());
        return sum;
    };
    std::uint32_t cell = starts[dice() % starts.size()], last = 0xffffffffu;
    for (std::uint64_t step = 0; path.size() < frames && step < 50 * frames; ++step) {
        if (step % 50 == 0) cell = starts[dice() % starts.size()], last = 0xffffffffu;
        const std::vector<std::uint32_t>& portals = cells.cells[cell].portals;
        std::uint32_t next = portals[dice() % portals.size()];
        if (last != 0xffffffffu && next == cells.portals[last].twin && portals.size() > 1) continue;
        const DVec3 to = centre(cells.portals[next]);
        if (last != 0xffffffffu) {
            const DVec3 from = centre(cells.portals[last]);
            DVec3 forward = to - from;
            forward.z /= 2;
            if (std::hypot(forward.x, forward.y) > 1)
                for (const double share : {0.0, 0.5}) {
                    const DVec3 eye = from + share * (to - from);
                    if (cells.cell_at(eye) != LevelCells::solid)
                        path.push_back({.eye = eye, .forward = forward, .tan_x = 0.8, .tan_y = 0.5});
                }
        }
        cell = cells.portals[next].to;
        last = next;
    }
    if (path.size() > frames) path.resize(frames);
    return path;
}

struct Kept {
    double cells = 0, triangles = 0, portals = 0, ms = 0, located = 0;
};

/// One line of the second table: means over the walk.
std::vector<std::string> sight_line(const std::string& name, const CompiledLevel& level,
                                    std::uint64_t frames) {
    const std::vector<LevelCamera> path = walk(level.cells, frames);
    std::vector<std::vector<bool>> inner(level.level.brushes.size());
    for (std::size_t b = 0; b < inner.size(); ++b) inner[b].resize(level.level.brushes[b].faces.size());
    for (const LevelCells::Cell& cell : level.cells.cells)
        for (const LevelCells::Face& face : cell.faces)
            if (!cell.outside) inner[face.brush][face.face] = true;
    LevelVisibility sight(level);
    std::array<Kept, 3> kept{}; // as LevelCulling counts
    double inner_pyramid = 0;
    for (const LevelCulling culling : {LevelCulling::portals, LevelCulling::frustum, LevelCulling::none}) {
        Kept& sum = kept[static_cast<std::size_t>(culling)];
        for (const LevelCamera& camera : path) {
            const Stopwatch clock;
            sight.look(camera, culling);
            sum.ms += 1000 * clock.seconds();
            sum.cells += sight.counters().cells;
            sum.triangles += sight.counters().triangles;
            sum.portals += sight.counters().portals_tested;
            sum.located += sight.counters().located;
            if (culling != LevelCulling::frustum) continue;
            for (const LevelCells::Face& face : sight.faces())
                if (inner[face.brush][face.face])
                    inner_pyramid += static_cast<double>(
                        level.level.brushes[face.brush].faces[face.face].corners.size() - 2);
            for (const std::uint32_t p : sight.patches())
                inner_pyramid += static_cast<double>(level.level.patches[p].triangles.size());
        }
    }
    const double n = std::max<double>(1, static_cast<double>(path.size()));
    const auto mean = [&](double sum, int digits = 3) { return number_text(sum / n, digits); };
    return {name,
            std::to_string(path.size()),
            mean(kept[0].located * 100, 3),
            std::to_string(inner_cells(level.cells)),
            mean(kept[0].cells),
            mean(kept[2].triangles, 4),
            mean(kept[1].triangles, 4),
            mean(inner_pyramid, 4),
            mean(kept[0].triangles, 4),
            number_text(inner_pyramid / std::max(1.0, kept[0].triangles), 2),
            mean(kept[0].portals),
            mean(1000 * kept[0].ms),
            mean(1000 * kept[1].ms)};
}

/// The mean of what is drawn along a walk, and the time to find it.
std::pair<double, double> walked(const CompiledLevel& level, std::uint64_t frames) {
    LevelVisibility sight(level);
    const std::vector<LevelCamera> path = walk(level.cells, frames);
    double triangles = 0;
    const Stopwatch clock;
    for (const LevelCamera& camera : path) {
        sight.look(camera);
        triangles += sight.counters().triangles;
    }
    const double n = std::max<double>(1, static_cast<double>(path.size()));
    return {triangles / n, 1000 * clock.seconds() / n};
}

/// A line for each way to choose the plane that divides.
void choice_lines(const std::string& name, const Map& map, std::uint64_t repeats, std::uint64_t frames,
                  std::uint64_t shown, TextTable& table) {
    for (const auto& [choice, title] : {std::pair{PlaneChoice::cuts, "cuts"},
                                        {PlaneChoice::balance, "balance"},
                                        {PlaneChoice::both, "both"},
                                        {PlaneChoice::drawing, "drawing"}}) {
        LevelCellOptions options;
        options.tree.choice = choice;
        const auto level = std::make_shared<CompiledLevel>();
        CompileReport report;
        double tree = 1e300, all = 1e300;
        for (std::uint64_t i = 0; i < repeats; ++i) {
            const double begin = processor_ms();
            *level = compile_level(map, {}, options, &report);
            all = std::min(all, processor_ms() - begin);
            tree = std::min(tree, 1000 * report.tree_and_portals);
        }
        const LevelTree& made = report.tree;
        const auto solid = std::count_if(made.leaves.begin(), made.leaves.end(),
                                         [](const LevelTree::Leaf& leaf) { return leaf.solid; });
        const auto [triangles, look_ms] = walked(*level, frames);
        table.push_back({name, title, std::to_string(level->level.brushes.size()),
                         std::to_string(made.nodes.size()), std::to_string(made.depth),
                         std::to_string(made.cut_brushes), std::to_string(solid),
                         std::to_string(made.leaves.size() - static_cast<std::size_t>(solid)),
                         std::to_string(made.portals.size()), std::to_string(inner_cells(level->cells)),
                         std::to_string(level->cells.portals.size() / 2), number_text(tree, 3),
                         number_text(all, 3), number_text(triangles, 4), number_text(1000 * look_ms, 3)});
        if (shown == 0) table.back().emplace_back("-");
        else table.back().push_back(picture_line(name, level, walk(level->cells, shown), 640, 360)[7]);
    }
}

std::string csv_of(const TextTable& table) {
    std::string out;
    for (const auto& line : table) {
        for (std::size_t i = 0; i < line.size(); ++i) out += (i > 0 ? "," : "") + line[i];
        out += '\n';
    }
    return out;
}

int run(const Arguments& given) {
    std::vector<std::uint64_t> sizes = count_list(given, "--brushes", 100000);
    if (sizes.empty()) sizes = {100, 300, 1000, 3000, 10000};
    const auto repeats = whole_option<std::uint64_t>(given, "--repeat", 1, 100, 3);
    const auto frames = whole_option<std::uint64_t>(given, "--frames", 1, 100000, 400);
    const auto shown = whole_option<std::uint64_t>(given, "--pictures", 0, 10000, 0);
    const auto csv = open_output(given, "--csv");
    if (given.has("--looks")) {
        const auto pictures_each = whole_option<std::uint64_t>(given, "--frames", 1, 100000, 30);
        TextTable looks{look_columns()};
        std::vector<std::uint64_t> lights = count_list(given, "--lights", 64);
        if (lights.empty()) lights = {1};
        for (const std::uint64_t times : count_list(given, "--looks", 1000))
            for (const std::uint64_t count : lights)
                for (auto& line : look_lines(times, count, pictures_each, given.has("--gl")))
                    looks.push_back(std::move(line));
        std::printf("%s", table_text(looks).c_str());
        finish_csv(csv, csv_of(looks));
        return exit_ok;
    }
    if (given.has("--characters")) {
        TextTable characters{character_columns()};
        for (auto& line :
             character_lines(given.text("--model").value_or(""), given.text("--clip").value_or(""),
                             count_list(given, "--characters", 10000),
                             whole_option<std::uint64_t>(given, "--frames", 1, 100000, 30)))
            characters.push_back(std::move(line));
        std::printf("%s", table_text(characters).c_str());
        finish_csv(csv, csv_of(characters));
        return exit_ok;
    }
    if (given.has("--choices")) {
        TextTable choices{{"level", "choice", "brushes", "nodes", "depth", "cuts", "solid leaves",
                           "empty leaves", "tree portals", "cells inside", "portals", "tree and portals ms",
                           "all processor ms", "triangles", "look us", "picture ms"}};
        for (const std::uint64_t size : sizes)
            choice_lines("rooms-" + std::to_string(size), RoomsText(RoomsText::side_for(size)).map(), repeats,
                         frames, shown, choices);
        for (const std::string& file : given.all("--map"))
            choice_lines(std::filesystem::path(file).stem().string(), read_map(file), repeats, frames, shown,
                         choices);
        std::printf("%s", table_text(choices).c_str());
        finish_csv(csv, csv_of(choices));
        return exit_ok;
    }
    TextTable pictures{picture_columns()};
    TextTable compiling{{"level", "brushes", "polyhedra ms", "tree and portals ms", "cells ms", "faces ms",
                         "all processor ms", "load ms", "leaves", "cells inside", "portals"}};
    TextTable sight{{"level", "frames", "located %", "cells", "cells seen", "triangles", "in the pyramid",
                     "of inner faces", "by portals", "times fewer", "portals tested", "portals us",
                     "pyramid us"}};
    const auto measure = [&](const std::string& name, const Map& map, bool look) {
        const auto level = std::make_shared<CompiledLevel>();
        compiling.push_back(compile_line(name, map, repeats, *level));
        if (look) sight.push_back(sight_line(name, *level, frames));
        if (look && shown > 0)
            pictures.push_back(picture_line(name, level, walk(level->cells, shown), 640, 360));
    };
    for (const std::uint64_t size : sizes)
        measure("rooms-" + std::to_string(size), RoomsText(RoomsText::side_for(size)).map(), size <= 3000);
    for (const std::string& file : given.all("--map"))
        measure(std::filesystem::path(file).stem().string(), read_map(file), true);
    std::printf("%s\n%s", table_text(compiling).c_str(), table_text(sight).c_str());
    if (shown > 0) std::printf("\n%s", table_text(pictures).c_str());
    finish_csv(csv, csv_of(compiling));
    return exit_ok;
}

} // namespace

CommandSpec level_bench() {
    return {
        "level",
        "compiling levels, and what portals leave to draw",
        "Compiles generated rooms and .map files: time by stage. Then walks through them from portal to "
        "portal "
        "and\ncompares the cells and triangles that are seen through portals with those of the picture's "
        "pyramid "
        "alone.\n\"of inner faces\" leaves out of the pyramid what only shows on the outside of the level.",
        {R"(
--brushes LIST      of generated levels; default: 100,300,1000,3000,10000
--map FILE …        a .map file too; may be given again
--frames N          of a walk; default: 400
--pictures N        of the walk are drawn, 640 x 360: triangles and time of a picture without culling, with
                    the frustum alone and with portals, and pixels that differ; then with walls that are not
                    drawn closed (scree render --visibility closed); default: 0
--repeat N          of compiling, of which the fastest counts; default: 3
--choices           in place of all that: each level with each way to choose dividing planes; cuts, leaves, portals,
                    times, and triangles along the walk
--looks LIST        in place of all that: so many times 307 meshes of 2,677 triangles below 20 techniques, 30 frames
                    drawn object by object, in cached lists and in a pool; calls taken, not drawn
--characters LIST   in place of all that: so many animated characters between frames of their clips, by vertices along
                    lines and by joints along arcs, 30 pictures; ms, and how far vertices are off in 1/1000 of the
                    height, with all frames of the clip, every second and every fourth
--model FILE        of --characters: .md5mesh, .gltf or .glb; default: the library's walking figure
--clip NAME         of --characters: an .md5anim file, or a clip of the model; default: its first
--gl                of --looks: drawn by the driver of this machine
--lights LIST       of --looks: lights, at most 64; default: 1
)",
         csv_option},
        run};
}

} // namespace scree::bench
