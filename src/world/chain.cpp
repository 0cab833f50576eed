// SPDX-License-Identifier: MIT
// chain.cpp — see scree/chain.h.

#include "scree/chain.h"

#include "scree/error.h"
#include "world/checks.h"

#include <cmath>
#include <string>

namespace scree {

namespace {

constexpr double most_links = 100'000;

/// Turns the y axis to a unit vector the short way.
Quat along(const DVec3& d) {
    if (d.y < -0.999999) return {1, 0, 0, 0};
    return narrow(normalized(DQuat{d.z, 0, -d.x, 1 + d.y}));
}

/// Where the links begin and end.
std::vector<DVec3> cut(std::span<const DVec3> line, float longest) {
    if (line.size() < 2) throw Error(std::to_string(line.size()) + " points; expected at least 2", "line");
    for (const DVec3& point : line) check_finite(point, "line");
    std::vector<DVec3> ends{line[0]};
    for (std::size_t k = 1; k < line.size(); ++k) {
        const DVec3 way = line[k] - line[k - 1];
        const double size = length(way);
        if (!(size > 1e-6))
            throw Error("points " + std::to_string(k - 1) + " and " + std::to_string(k) + " coincide",
                        "line");
        const double parts = longest > 0 ? std::ceil(size / double{longest} - 1e-6) : 1;
        if (static_cast<double>(ends.size()) + parts > most_links)
            throw Error("more than 100000 links", "link_length");
        for (double n = 1; n <= parts; ++n)
            ends.push_back(n < parts ? line[k - 1] + way * (n / parts) : line[k]);
    }
    return ends;
}

void check(const World& world, const ChainDef& chain) {
    check_positive(chain.radius, "radius");
    check_not_negative(chain.link_length, "link_length");
    check(chain.shape);
    check(chain.body);
    check(JointDef{.type = chain.joint, .first = {}});
    for (const BodyId end : {chain.first_body, chain.last_body})
        if (end != BodyId{} && !world.alive(end)) (void)world.type(end); // throws what is wrong with it
}

} // namespace

Chain make_chain(World& world, std::span<const DVec3> line, const ChainDef& def) {
    check(world, def);
    const std::vector<DVec3> ends = cut(line, def.link_length);
    Chain chain;
    BodyDef body = def.body;
    body.name.clear();
    ShapeDef shape = def.shape;
    shape.position = {}, shape.rotation = {};
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        const DVec3 way = ends[k + 1] - ends[k];
        const auto size = static_cast<float>(length(way));
        body.position = ends[k] + way * 0.5;
        body.rotation = along(normalized(way));
        chain.links.push_back(world.create_body(body));
        const float half = 0.5f * size - def.radius;
        if (half > 0.05f * size) world.attach(chain.links.back(), Capsule{half, def.radius}, shape);
        else world.attach(chain.links.back(), Sphere{std::min(def.radius, 0.5f * size)}, shape);
    }
    const auto join = [&](BodyId first, BodyId second, const DVec3& at) {
        chain.joints.push_back(
            world.create_joint({.type = def.joint, .first = first, .second = second, .anchor = at}));
    };
    const auto hold = [&](BodyId link, Chain::End end, BodyId other, const DVec3& at) {
        if (other != BodyId{}) join(link, other, at);
        else if (end == Chain::held) join(link, {}, at);
    };
    hold(chain.links.front(), def.first, def.first_body, ends.front());
    for (std::size_t k = 0; k + 1 < chain.links.size(); ++k)
        join(chain.links[k], chain.links[k + 1], ends[k + 1]);
    hold(chain.links.back(), def.last, def.last_body, ends.back());
    return chain;
}

} // namespace scree
