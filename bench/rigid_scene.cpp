// SPDX-License-Identifier: MIT
// rigid_scene.cpp — the families of scenes by name, and the masses of what is in them.
#include "rigid_scene.h"

#include "options.h"
#include "rigid_piles.h"
#include "scree/error.h"
#include "text.h"

#include <algorithm>

namespace scree::bench {

std::size_t RigidScene::moving() const {
    return static_cast<std::size_t>(
        std::count_if(bodies.begin(), bodies.end(), [](const RigidBody& body) { return !body.fixed; }));
}

namespace {

constexpr double pi = 3.14159265358979323846;

/// about the part's own centre and axes
RigidMass mass_of(const RigidPart& part, double density, std::span<const Solid> solids) {
    const double x = part.size.x, y = part.size.y, z = part.size.z;
    switch (part.form) {
    case RigidForm::box: {
        const double mass = 8 * x * y * z * density;
        return {mass, {mass / 3 * (y * y + z * z), mass / 3 * (x * x + z * z), mass / 3 * (x * x + y * y)}};
    }
    case RigidForm::sphere: {
        const double mass = 4.0 / 3 * pi * x * x * x * density, i = 0.4 * mass * x * x;
        return {mass, {i, i, i}};
    }
    case RigidForm::capsule: {
        const double cylinder = 2 * pi * x * x * y * density, ball = 4.0 / 3 * pi * x * x * x * density;
        const double along = 0.5 * cylinder * x * x + 0.4 * ball * x * x;
        const double across =
            cylinder * (0.25 * x * x + y * y / 3) + ball * (0.4 * x * x + y * y + 0.75 * x * y);
        return {cylinder + ball, {across, along, across}};
    }
    case RigidForm::hull:
        break;
    }
    const Solid& solid = solids[part.hull];
    const DVec3 m = density * solid.second_moment;
    return {density * solid.volume, {m.y + m.z, m.x + m.z, m.x + m.y}};
}

} // namespace

RigidMass mass_of(const RigidBody& body, std::span<const Solid> solids) {
    RigidMass sum;
    for (const RigidPart& part : body.parts) {
        const RigidMass own = mass_of(part, body.density, solids);
        const DQuat turn = wide(part.rotation);
        const DVec3 at = wide(part.position);
        // the diagonal of the turned tensor; what is beside it cancels between the parts
        const DVec3 columns[] = {rotate(conjugate(turn), {1, 0, 0}), rotate(conjugate(turn), {0, 1, 0}),
                                 rotate(conjugate(turn), {0, 0, 1})};
        const auto about = [&](const DVec3& axis) {
            return own.inertia.x * axis.x * axis.x + own.inertia.y * axis.y * axis.y +
                   own.inertia.z * axis.z * axis.z;
        };
        const double square = dot(at, at);
        sum.mass += own.mass;
        sum.inertia = sum.inertia + DVec3{about(columns[0]) + own.mass * (square - at.x * at.x),
                                          about(columns[1]) + own.mass * (square - at.y * at.y),
                                          about(columns[2]) + own.mass * (square - at.z * at.z)};
    }
    return sum;
}

std::vector<Solid> solids_of(const RigidScene& scene) {
    std::vector<Solid> solids;
    for (const std::vector<Vec3>& points : scene.hulls) solids.push_back(solid_of(points));
    return solids;
}

std::span<const RigidFamily> rigid_families() {
    static const std::vector<RigidFamily> families{
        {"pyramid", "N boxes wide at its base, one deep", 1, 1000, pyramid, {40, 100}},
        {"boxes", "N boxes dropped into a container", 1, 1000000, pile_of_boxes, {4096, 20000}},
        {"wide", "N boxes dropped in 16 layers into a container", 1, 4000000, wide_pile_of_boxes, {}},
        {"spheres", "N spheres dropped into a container", 1, 1000000, pile_of_spheres, {8192}},
        {"capsules", "N capsules dropped into a container", 1, 1000000, pile_of_capsules, {4096}},
        {"hulls", "N polyhedra of 12 or 24 corners, dropped", 1, 1000000, pile_of_hulls, {2048}},
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

std::span<const std::string_view> rigid_builtin_names() {
    static constexpr std::string_view names[] = {"card-house",  "arch",          "ramp-stays",
                                                 "ramp-slides", "rolling-balls", "spinning-top"};
    return names;
}

RigidScene rigid_scene(const std::string& name, const std::string& option) {
    const auto builtin = rigid_builtin_names();
    if (std::find(builtin.begin(), builtin.end(), name) != builtin.end()) return builtin_scene(name);
    const std::size_t dash = name.rfind('-');
    std::string names;
    if (dash != std::string::npos)
        for (const RigidFamily& family : rigid_families()) {
            if (name.substr(0, dash) != family.name) continue;
            const std::optional<std::uint64_t> size = parse_whole(name.substr(dash + 1));
            if (!size || *size < family.least || *size > family.most)
                throw Error("\"" + printable(name) + "\" is not allowed; " + std::string(family.name) +
                                "-N with N from " + count_text(family.least) + " to " +
                                count_text(family.most) + " was expected",
                            option);
            RigidScene scene = family.make(static_cast<std::uint32_t>(*size));
            scene.name = name;
            return scene;
        }
    for (const RigidFamily& family : rigid_families()) names += std::string(family.name) + "-N, ";
    for (const std::string_view scene : builtin) names += std::string(scene) + ", ";
    throw Error("\"" + printable(name) + "\" is not a scene; " + names + "or all was expected", option);
}

std::vector<std::string> rigid_scene_names() {
    std::vector<std::string> names;
    for (const RigidFamily& family : rigid_families())
        for (std::uint32_t size : family.sizes)
            names.push_back(std::string(family.name) + "-" + std::to_string(size));
    names.insert(names.end(), rigid_builtin_names().begin(), rigid_builtin_names().end());
    return names;
}

} // namespace scree::bench
