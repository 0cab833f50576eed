// SPDX-License-Identifier: MIT
// compile.cpp — `scree compile`: a map to a level of cells and portals, what it holds, and whether it leaks.

#include "commands.h"
#include "level_top_view.h"
#include "output_file.h"
#include "progress.h"
#include "scree/error.h"
#include "scree/level_file.h"
#include "scree/level_weld.h"
#include "stopwatch.h"
#include "text/number_text.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace scree {

namespace {

constexpr std::size_t most_warnings = 20;

PlaneChoice choice_of(const Arguments& given) {
    const std::string name = given.text("--choice").value_or("both");
    if (name == "cuts") return PlaneChoice::cuts;
    if (name == "balance") return PlaneChoice::balance;
    if (name == "both") return PlaneChoice::both;
    if (name == "drawing") return PlaneChoice::drawing;
    throw Error("invalid value \"" + name + "\": expected cuts, balance, both or drawing", "--choice");
}

CellMerge merge_of(const Arguments& given) {
    const std::string name = given.text("--cells").value_or("rooms");
    if (name == "leaves") return CellMerge::none;
    if (name == "convex") return CellMerge::convex;
    if (name == "rooms") return CellMerge::rooms;
    throw Error("invalid value \"" + name + "\": expected leaves, convex or rooms", "--cells");
}

void print_level(const Map& map, const Level& level) {
    std::size_t brushes = 0, patches = 0, triangles = 0;
    for (const MapEntity& entity : map.entities) {
        brushes += entity.brushes.size();
        patches += entity.patches.size();
    }
    for (const LevelPatch& patch : level.patches) triangles += patch.triangles.size();
    const auto solid = std::count_if(level.brushes.begin(), level.brushes.end(),
                                     [](const LevelBrush& brush) { return brush.solid; });
    std::printf("%s: %s format, %s, %s, %s, %s\n", map.file.c_str(), std::string(name_of(map.format)).c_str(),
                count_of(map.entities.size(), "entity", "entities").c_str(),
                count_of(brushes, "brush", "brushes").c_str(), count_of(patches, "patch", "patches").c_str(),
                count_of(map.materials.size(), "texture", "textures").c_str());
    std::printf("brushes    %zu closed, %td of them solid; %zu left out, %zu faces left out\n",
                level.brushes.size(), solid, level.dropped_brushes, level.dropped_faces);
    std::printf("patches    %zu of %s; %zu left out\n", level.patches.size(),
                count_of(triangles, "triangle", "triangles").c_str(), level.dropped_patches);
    std::printf("lights     %zu\n", level.lights.size());
}

void print_tree(const LevelTree& tree) {
    double solid = 0, all = 0;
    std::size_t count = 0;
    for (const LevelTree::Leaf& leaf : tree.leaves) {
        all += leaf.volume;
        if (!leaf.solid) continue;
        solid += leaf.volume;
        ++count;
    }
    std::printf("tree       of %u brushes: %s, depth %u, brushes cut %u times\n", tree.structural,
                count_of(tree.nodes.size(), "node", "nodes").c_str(), tree.depth, tree.cut_brushes);
    const DVec3 size = tree.high - tree.low;
    std::printf(
        "leaves     %zu solid, %zu empty; %.1f %% of the volume solid; all are the bounds' volume to %.1g\n",
        count, tree.leaves.size() - count, 100 * solid / all,
        std::fabs(all / (size.x * size.y * size.z) - 1));
    std::printf("           %zu portals between them\n", tree.portals.size());
}

/// Leaves that no player gets to, with the reason.
void print_reach(const Map& map, const LevelTree& tree) {
    const LevelReach reach = find_reach(map, tree);
    std::size_t closed = 0;
    for (const LevelReach::Pocket& pocket : reach.pockets) closed += pocket.leaves;
    std::printf("reached    %u empty leaves from %s, %u more by teleport; %u outside, %zu in %s\n",
                reach.walked, count_of(reach.starts, "player start", "player starts").c_str(),
                reach.teleported, reach.outside, closed,
                count_of(reach.pockets.size(), "closed room", "closed rooms").c_str());
    for (std::size_t i = 0; i < std::min(reach.pockets.size(), most_warnings); ++i) {
        const LevelReach::Pocket& one = reach.pockets[i];
        const std::string holds = one.entity
                                      ? "; it holds " + std::string(map.entities[*one.entity].classname()) +
                                            " of line " + std::to_string(map.entities[*one.entity].place.line)
                                      : "";
        std::printf(
            "           no portal leads to (%.6g %.6g %.6g) … (%.6g %.6g %.6g), %s of %.6g cubic units%s\n",
            one.low.x, one.low.y, one.low.z, one.high.x, one.high.y, one.high.z,
            count_of(one.leaves, "leaf", "leaves").c_str(), one.volume, holds.c_str());
    }
}

void print_cells(const LevelCells& cells) {
    std::size_t inner = 0, portals = 0, faces = 0;
    for (const LevelCells::Cell& cell : cells.cells) {
        if (cell.outside) continue;
        ++inner;
        portals += cell.portals.size();
        faces += cell.faces.size();
    }
    std::printf("cells      %zu inside with %zu portals and %zu faces; %zu outside\n", inner, portals / 2,
                faces, cells.cells.size() - inner);
}

/// The two brushes of a gap, by where they are in the file.
std::string sides_of(const Map& map, const Level& level, const LevelLeak& leak) {
    if (!leak.brushes[0] || !leak.brushes[1]) return "";
    const auto place = [&](std::uint32_t b) {
        const LevelBrush& brush = level.brushes[b];
        return "brush " + std::to_string(brush.brush) + " of entity " + std::to_string(brush.entity) +
               " (line " + std::to_string(map.entities[brush.entity].brushes[brush.brush].place.line) + ")";
    };
    return ", between " + place(*leak.brushes[0]) + " and " + place(*leak.brushes[1]);
}

void print_leak(const Map& map, const Level& level, const LevelLeak& leak, const char* kind) {
    const MapEntity& entity = map.entities[leak.entity];
    std::string way;
    for (const DVec3& at : leak.path) {
        char text[80];
        std::snprintf(text, sizeof text, "%s(%.6g %.6g %.6g)", way.empty() ? "" : " ", at.x, at.y, at.z);
        if (way.size() < 400) way += text;
    }
    const std::string through =
        leak.portals.empty()
            ? "is outside of the level"
            : "has a way out through " + count_of(leak.portals.size(), "portal", "portals") +
                  (leak.brushes[0] ? "; the narrowest gap is " + number_text(leak.narrowest) + " units wide" +
                                         sides_of(map, level, leak)
                                   : ", which passes between no two brushes");
    std::fprintf(stderr, "scree: %s: entity %u (%s) in line %u %s\nscree: %s: %s\n", kind, leak.entity,
                 std::string(entity.classname()).c_str(), entity.place.line, through.c_str(), kind,
                 way.c_str());
}

/// The way out, told and written.
int report_leak(const Map& map, const Level& level, const LevelLeak& leak, std::optional<OutputFile>& out) {
    print_leak(map, level, leak, "LEAK");
    if (out) {
        out->finish(lin_text(leak));
        std::printf("way out    written to %s\n", out->name().c_str());
    }
    return exit_failed;
}

void print_welds(const std::vector<MapWeld>& welds) {
    std::printf("welded     %s\n", count_of(welds.size(), "face", "faces").c_str());
    for (std::size_t i = 0; i < std::min(welds.size(), most_warnings); ++i)
        std::fprintf(
            stderr,
            "scree: welded: the face in line %u was moved by up to %s units into the plane of line %u\n",
            welds[i].moved.line, number_text(welds[i].distance).c_str(), welds[i].onto.line);
    if (welds.size() > most_warnings)
        std::fprintf(stderr, "scree: welded: %zu more\n", welds.size() - most_warnings);
}

LevelCellOptions options_of(const Arguments& given) {
    LevelCellOptions options;
    options.tree.choice = choice_of(given);
    options.merge = merge_of(given);
    options.openness = given.number("--openness", 0.01, 1000).value_or(options.openness);
    options.tree.stop_brushes =
        static_cast<std::uint32_t>(given.whole("--stop-brushes", 0, 1000).value_or(0));
    options.tree.stop_depth = static_cast<std::uint32_t>(given.whole("--stop-depth", 0, 10000).value_or(0));
    options.tree.stop_cost = static_cast<std::uint32_t>(given.whole("--stop-cost", 0, 1000000).value_or(0));
    options.tree.stop_size = given.number("--stop-size", 0, 1e6).value_or(0);
    options.tree.threads = static_cast<int>(given.whole("--threads", 1, 1024).value_or(0));
    if (const auto most = given.whole("--max-nodes", 1, 1 << 30))
        options.tree.max_nodes = static_cast<std::uint32_t>(*most);
    return options;
}

/// Where the top view looks from: four numbers.
LevelCamera camera_of(const Arguments& given) {
    const std::string text = given.text("--eye").value_or("");
    std::istringstream in(text);
    LevelCamera camera;
    double turn = 0;
    if (!(in >> camera.eye.x >> camera.eye.y >> camera.eye.z >> turn) || !(in >> std::ws).eof())
        throw Error("invalid value \"" + text + "\": expected \"X Y Z DEGREES\"", "--eye");
    const double angle = turn * 3.14159265358979323846 / 180;
    camera.forward = {std::cos(angle), std::sin(angle), 0};
    return camera;
}

/// Files that were asked for, opened before anything runs.
struct Outputs {
    explicit Outputs(const Arguments& given) {
        const auto open = [&](const char* option, std::optional<OutputFile>& out) {
            if (const auto name = given.text(option)) out.emplace(option, *name);
        };
        open("-o", level), open("--bsp", bsp), open("--grf", grf), open("--lin", lin);
        open("--top-view", top);
        if (top) camera = camera_of(given);
    }
    void write(const CompiledLevel& compiled) {
        const auto put = [](std::optional<OutputFile>& out, std::string_view text) {
            out->finish(text);
            std::printf("written    %s, %s\n", out->name().c_str(),
                        count_of(text.size(), "byte", "bytes").c_str());
        };
        if (level) {
            const std::vector<std::byte> bytes = encode_level(compiled);
            put(level, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        if (bsp) put(bsp, bsp_text(compiled.cells));
        if (grf) put(grf, grf_text(graph_of(compiled)));
        if (top) put(top, top_view_svg(compiled, camera));
    }
    std::optional<OutputFile> level, bsp, grf, lin, top;
    LevelCamera camera;
};

/// A map and what was made of it.
struct Made {
    Map map;
    CompileReport report{};
    CompiledLevel level{};
};

int run(const Arguments& given) {
    LevelCellOptions options = options_of(given);
    LevelOptions making;
    making.patch_error = given.number("--patch-error", 0.001, 1000).value_or(making.patch_error);
    Outputs outputs(given);

    // shares of the whole by stage, as they are for levels of a few hundred to ten thousand brushes
    Progress progress(given.positional().front(), 1000, false);
    const char* before = nullptr;
    options.tree.progress = [&](const char* stage, double share) {
        constexpr std::pair<std::string_view, std::pair<int, int>> parts[] = {
            {"tree", {0, 600}}, {"portals", {600, 750}}, {"cells", {750, 850}}, {"faces", {850, 1000}}};
        for (const auto& [name, part] : parts) {
            if (name != stage) continue;
            const auto done = static_cast<std::uint64_t>(part.first + share * (part.second - part.first));
            if (stage != before || progress.due(done)) progress.show(done, stage);
        }
        before = stage;
    };
    const Stopwatch watch;
    Made made{read_map(given.positional().front())};
    const double read = watch.seconds();
    const auto reach = given.number("--weld", 0, 1);
    if (reach && *reach > 0) print_welds(weld(made.map, *reach));
    RoundingGaps gaps;
    made.level = reach ? compile_level(made.map, making, options, &made.report)
                       : compile_closed(made.map, making, options, &gaps, &made.report);
    progress.clear();
    const auto& [map, report, compiled] = made;
    if (gaps.leak) {
        print_leak(map, compiled.level, *gaps.leak, "gap of rounded numbers");
        print_welds(gaps.welds);
    }
    const std::vector<std::string>& warnings = compiled.level.warnings;
    for (std::size_t i = 0; i < std::min(warnings.size(), most_warnings); ++i)
        std::fprintf(stderr, "scree: warning: %s\n", warnings[i].c_str());
    if (warnings.size() > most_warnings)
        std::fprintf(stderr, "scree: warning: %zu more\n", warnings.size() - most_warnings);
    print_level(map, compiled.level);
    print_tree(report.tree);
    // brushes that are left in leaves close ways that the tree shows
    if (!options.tree.stops_early()) print_reach(map, report.tree);
    print_cells(compiled.cells);
    std::printf("took       %.1f ms reading, %.1f polyhedra, %.1f tree and portals, %.1f cells, %.1f faces\n",
                1000 * read, 1000 * report.polyhedra, 1000 * report.tree_and_portals, 1000 * report.merging,
                1000 * report.faces);
    outputs.write(compiled);
    if (report.leak) return report_leak(map, compiled.level, *report.leak, outputs.lin);
    std::printf("leaks      none\n");
    return exit_ok;
}

} // namespace

CommandSpec compile_command() {
    return {
        "compile LEVEL.map",
        "compile a level of a map editor: brushes, tree, cells, portals, leaks",
        R"(Reads a .map file of Quake's family, makes polyhedra of its brushes, divides the space into solid and
empty leaves, merges these to cells with portals between them, and prints what it found. Ends with 1 if an
entity has a way to the outside of the level; files are written all the same.)",
        {R"(
-o FILE             where to write the level (.scl), for scree::read_level
--bsp FILE          where to write the tree of planes, as XML
--grf FILE          where to write cells and portals, as XML
--lin FILE          where to write the way out of a level that leaks, as editors show it
--top-view FILE     where to draw the level from above (.svg), with what is seen from --eye through its portals
--eye "X Y Z DEG"   a place in the map, and the direction of view from the x axis
--cells NAME        leaves (not merged), convex or rooms (large cells, with portals at doors); default: rooms
--openness X        rooms: share of a cell's width from which an opening is no door; default: 0.5
--choice NAME       dividing planes: cuts (fewest cut brushes), balance, both, or drawing (even by faces and
                    lights); default: both
--threads N         CPU threads; the level is the same. Default: all cores
--weld X            first put faces into one plane that are nowhere farther apart than X units; 0: never. Default: only
                    where the map leaks and rounded decimals account for the gap
--stop-brushes N    do not divide regions of at most N brushes; default: 0
--stop-depth N      nor at this depth; default: 0, any depth
--stop-size X       nor those that are at most so long; default: 0
--stop-cost N       nor those that cost at most so much to draw: a face 1, a light 8; default: 0
--max-nodes N       refuse a map whose tree has more nodes; default: 1000000
--patch-error X     how far triangles may be from a curved patch, in units; default: 1
)"},
        run};
}

} // namespace scree
