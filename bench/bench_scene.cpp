// SPDX-License-Identifier: MIT
// bench_scene.cpp — the families of scenes by name, and scenes as worlds and files.
#include "bench_scene.h"

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

World make_world(const BenchScene& scene, WorldSettings settings, const Place& place) {
    settings.gravity = scene.rigid.settings.gravity;
    RigidScene built = scene.rigid;
    built.settings = settings;
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
         {50, 100, 200, 400, 800, 1600}}};
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
