// SPDX-License-Identifier: MIT
// compile.cpp — `scree compile`: what a map holds, its tree and portals, and whether it leaks.

#include "commands.h"
#include "output_file.h"
#include "scree/error.h"
#include "scree/level_tree.h"
#include "stopwatch.h"
#include "text/number_text.h"
#include "text/words.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace scree {

namespace {

constexpr std::size_t most_warnings = 20;

PlaneChoice choice_of(const Arguments& given) {
    const std::string name = given.text("--choice").value_or("both");
    if (name == "cuts") return PlaneChoice::cuts;
    if (name == "balance") return PlaneChoice::balance;
    if (name == "both") return PlaneChoice::both;
    throw Error("invalid value \"" + name + "\": expected cuts, balance or both", "--choice");
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
    std::printf("leaves     %zu solid, %zu empty; %.1f %% of the volume solid\n", count,
                tree.leaves.size() - count, 100 * solid / all);
    std::printf("portals    %zu\n", tree.portals.size());
}

/// The way out, told and written.
int report_leak(const Map& map, const LevelLeak& leak, std::optional<OutputFile>& out) {
    const MapEntity& entity = map.entities[leak.entity];
    std::string way;
    for (const DVec3& at : leak.path) {
        char text[80];
        std::snprintf(text, sizeof text, "%s(%.6g %.6g %.6g)", way.empty() ? "" : " ", at.x, at.y, at.z);
        if (way.size() < 400) way += text;
    }
    const std::string through =
        leak.portals.empty() ? "is outside of the level"
                             : "has a way out through " + count_of(leak.portals.size(), "portal", "portals") +
                                   ", the narrowest " + number_text(leak.narrowest) + " units wide";
    std::fprintf(stderr, "scree: LEAK: entity %u (%s) in line %u %s\nscree: LEAK: %s\n", leak.entity,
                 std::string(entity.classname()).c_str(), entity.place.line, through.c_str(), way.c_str());
    if (out) {
        out->finish(lin_text(leak));
        std::printf("way out    written to %s\n", out->name().c_str());
    }
    return exit_failed;
}

int run(const Arguments& given) {
    LevelTreeOptions options;
    options.choice = choice_of(given);
    LevelOptions making;
    making.patch_error = given.number("--patch-error", 0.001, 1000).value_or(making.patch_error);
    std::optional<OutputFile> lin;
    if (const auto name = given.text("--lin")) lin.emplace("--lin", *name);

    Stopwatch watch;
    const Map map = read_map(given.positional().front());
    const double read = watch.seconds();
    const Level level = build_level(map, making);
    const double made = watch.seconds();
    for (std::size_t i = 0; i < std::min(level.warnings.size(), most_warnings); ++i)
        std::fprintf(stderr, "scree: warning: %s\n", level.warnings[i].c_str());
    if (level.warnings.size() > most_warnings)
        std::fprintf(stderr, "scree: warning: %zu more\n", level.warnings.size() - most_warnings);
    print_level(map, level);
    const double before = watch.seconds();
    const LevelTree tree = build_tree(map, level, options);
    const double divided = watch.seconds();
    print_tree(tree);
    std::printf("took       %.1f ms reading, %.1f ms polyhedra, %.1f ms tree and portals\n", 1000 * read,
                1000 * (made - read), 1000 * (divided - before));
    if (const auto leak = find_leak(map, tree)) return report_leak(map, *leak, lin);
    std::printf("leaks      none\n");
    return exit_ok;
}

} // namespace

CommandSpec compile_command() {
    return {
        "compile LEVEL.map",
        "check a level of a map editor: brushes, tree, portals, leaks",
        R"(Reads a .map file of Quake's family, makes polyhedra of its brushes, divides the space into solid and
empty leaves with portals between them, and prints what it found. Ends with 1 if an entity has a way to the
outside of the level. Writes no level yet: scenes and programs read the .map file itself.)",
        {R"(
--lin FILE          where to write the way out of a level that leaks, as editors show it
--choice NAME       dividing planes: cuts (fewest cut brushes), balance or both; default: both
--patch-error X     how far triangles may be from a curved patch, in units; default: 1
)"},
        run};
}

} // namespace scree
