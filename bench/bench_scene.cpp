// SPDX-License-Identifier: MIT
// bench_scene.cpp — the families of scenes by name, and scenes as worlds and files.
#include "bench_scene.h"

#include "box3d_scenes.h"
#include "options.h"
#include "rigid_piles.h"
#include "scree/error.h"
#include "text.h"

#include <algorithm>
#include <optional>

namespace scree::bench {

std::size_t BenchScene::moving() const {
    return static_cast<std::size_t>(std::count_if(rigid.bodies.begin(), rigid.bodies.end(),
                                                  [](const RigidBodyDef& body) { return !is_fixed(body); }));
}

WorldSettings settings_of(const BenchScene& scene, WorldSettings settings) {
    const WorldSettings& own = scene.rigid.settings;
    settings.gravity = own.gravity;
    settings.substeps = own.substeps;
    if (scene.own_settings) {
        settings.sleeping = own.sleeping;
        settings.sleep_speed = own.sleep_speed;
    }
    return settings;
}

World make_world(const BenchScene& scene, WorldSettings settings, const Place& place) {
    if (!scene.lives.empty() || !scene.paths.empty())
        throw Error("bodies that come and go or are driven: expected a scene without them", scene.name);
    RigidScene built = scene.rigid;
    built.settings = settings_of(scene, settings);
    return build_rigid_world(built, place, scene.name);
}

std::span<const SceneFamily> scene_families() {
    static const std::vector<SceneFamily> families{
        {"pyramid", "N boxes wide at its base, one deep", 1, 1000, pyramid, {40, 100}},
        {"boxes", "N boxes dropped into a container", 1, 1000000, pile_of_boxes, {4096, 20000}},
        {"wide", "N boxes dropped in 16 layers into a container", 1, 4000000, wide_pile_of_boxes, {}},
        {"spheres", "N spheres dropped into a container", 1, 1000000, pile_of_spheres, {8192}},
        {"capsules", "N capsules dropped into a container", 1, 1000000, pile_of_capsules, {4096}},
        {"hulls", "N polyhedra of 12 or 24 corners, dropped", 1, 1000000, pile_of_hulls, {2048}},
        {"mixed", "N bodies of seven kinds, dropped into a container", 1, 1000000, pile_of_all, {20000}},
        {"ragdolls", "N of 11 capsules and 10 ball joints", 1, 100000, ragdolls, {200}},
        {"drum", "N cubes of 0.25 m let loose in a turning drum", 1, 1000000, drum, {}},
        {"stack", "N boxes on each other", 1, 1000, stack, {10, 20}},
        {"stack-heavy", "10 boxes, the uppermost N times as heavy", 1, 100000, heavy_stack, {100, 1000}},
        {"seed-spheres",
         "N spheres of 1 m in an open box 40 m wide (Peres 2008)",
         1,
         1000000,
         seed_spheres,
         {50, 200, 500, 1000, 2000, 3000, 4000, 8000, 12000, 16000}},
        {"molecule",
         "N x N x N spheres held by fixed joints, turning (Peres 2008)",
         2,
         64,
         molecule,
         {4, 6, 8, 10, 12, 14, 16, 18}},
        {"funnel",
         "N actors of three crossed capsules into a funnel (Peres 2008)",
         1,
         100000,
         funnel,
         {50, 100, 200, 400, 800, 1600}},
        {"ragdolls-limits", "the same with limits: hinges and cones", 1, 100000, ragdolls_with_limits, {200}},
        {"box3d-joint-grid", "N x N spheres held by ball joints", 2, 1000, box3d_joint_grid, {60, 100}},
        {"box3d-large-pyramid", "N boxes wide at its base", 1, 1000, box3d_large_pyramid, {100}},
        {"box3d-many-pyramids", "N x N pyramids of 10 rows", 2, 100, box3d_many_pyramids, {14}},
        {"box3d-rain", "ragdolls onto N x N meshes", 1, 64, box3d_rain, {10}},
        {"box3d-washer", "N x N x N cubes in a turning drum", 1, 64, box3d_washer, {20}},
        {"box3d-trees", "50 falling trees on a mesh of N cm cells", 5, 1000, box3d_trees, {25, 50, 100}},
        {"box3d-junkyard", "N layers of 441 rocks and a pusher", 1, 200, box3d_junkyard, {24}},
        {"box3d-convex-pile", "N layers of 64 polyhedra", 1, 1000, box3d_convex_pile, {80}},
        {"box3d-large-world", "100 spheres onto N x N fixed boxes", 10, 1000, box3d_large_world, {1000}}};
    return families;
}

std::span<const std::string_view> builtin_names() {
    static constexpr std::string_view names[] = {"card-house",  "arch",          "ramp-stays",
                                                 "ramp-slides", "rolling-balls", "spinning-top"};
    return names;
}

BenchScene find_bench_scene(const std::string& name, const std::string& option) {
    const auto builtin = builtin_names();
    if (std::find(builtin.begin(), builtin.end(), name) != builtin.end()) return builtin_scene(name);
    const std::size_t dash = name.rfind('-');
    std::string names;
    if (dash != std::string::npos)
        for (const SceneFamily& family : scene_families()) {
            if (name.substr(0, dash) != family.name) continue;
            const std::optional<std::uint64_t> size = parse_whole(name.substr(dash + 1));
            if (!size || *size < family.least || *size > family.most)
                throw Error("invalid value \"" + printable(name) + "\": expected " +
                                std::string(family.name) + "-N with N from " + count_text(family.least) +
                                " to " + count_text(family.most),
                            option);
            BenchScene scene = family.make(static_cast<std::uint32_t>(*size));
            scene.name = name;
            return scene;
        }
    for (const SceneFamily& family : scene_families()) names += std::string(family.name) + "-N, ";
    for (const std::string_view scene : builtin) names += std::string(scene) + ", ";
    throw Error("invalid value \"" + printable(name) + "\": expected " + names + "or all", option);
}

std::vector<std::string> bench_scene_names() {
    std::vector<std::string> names;
    for (const SceneFamily& family : scene_families())
        for (std::uint32_t size : family.sizes)
            names.push_back(std::string(family.name) + "-" + std::to_string(size));
    names.insert(names.end(), builtin_names().begin(), builtin_names().end());
    return names;
}

} // namespace scree::bench
