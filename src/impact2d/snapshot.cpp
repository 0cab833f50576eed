// SPDX-License-Identifier: MIT
// snapshot.cpp — see snapshot.h. Each list of fields is written once and serves both ways.
#include "impact2d/snapshot.h"

#include "bytes/fields.h"
#include "bytes/seal.h"
#include "impact2d/checks.h"
#include "scree/error.h"
#include "text/checks.h"

#include <limits>

namespace scree::impact2d {
namespace {

constexpr bytes::Seal seal{"SCREESTG", 1};

template <class Io, class Mass>
void mass_field(Io& io, Mass& mass) {
    bool fixed = mass == std::numeric_limits<float>::infinity();
    io.flags(fixed);
    if (!fixed) io(mass);
    if constexpr (Io::reads)
        if (fixed) mass = std::numeric_limits<float>::infinity();
}

template <class Io, class Saved>
void fields(Io& io, Saved& s) {
    auto& set = s.settings;
    io(set.tolerance, set.restitution, set.response, set.max_passes, set.limit, set.overlap, set.bisection);
    io.flags(set.centre_walls, set.normal_at_start, set.plain_contacts, s.of_polygons);
    io.items(s.circles, 24, "circles", [&](auto& c) {
        io(c.position.x, c.position.y, c.velocity.x, c.velocity.y, c.radius);
        mass_field(io, c.mass);
    });
    io.items(s.polygons, 36, "polygons", [&](auto& p) {
        io(p.position.x, p.position.y, p.angle, p.velocity.x, p.velocity.y, p.angular_velocity, p.inertia);
        mass_field(io, p.mass);
        io.items(p.vertices, 8, "vertices", [&](auto& v) { io(v.x, v.y); });
    });
    io(s.time, s.steps, s.impacts);
}

/// As when they were made, but bodies may have gone far, and fast, since.
void check_contents(const Snapshot& s) {
    check(s.settings);
    if (s.of_polygons ? !s.circles.empty() : !s.polygons.empty())
        throw Error("the bodies are both circles and polygons", "snapshot");
    for (std::size_t k = 0; k < s.circles.size(); ++k) {
        StagedCircle c = under_way(s.circles[k]);
        c.position = {};
        check(c, s.settings, "circles[" + std::to_string(k) + "]");
    }
    for (std::size_t k = 0; k < s.polygons.size(); ++k)
        check(under_way(s.polygons[k]), "polygons[" + std::to_string(k) + "]");
    check_within(s.time, 0, 1e300, "time", "at least 0");
}

} // namespace

std::vector<std::byte> encode(const Snapshot& snapshot) {
    bytes::Bytes content;
    bytes::FieldWriter out(content);
    fields(out, snapshot);
    return bytes::sealed(seal, 0, content);
}

Snapshot decode(std::span<const std::byte> saved) {
    std::uint32_t unused = 0;
    bytes::FieldReader in(bytes::unsealed(seal, saved, unused), "snapshot");
    Snapshot s;
    fields(in, s);
    if (in.left() > 0) in.fail("there are more bytes than a world has");
    check_contents(s);
    return s;
}

} // namespace scree::impact2d
