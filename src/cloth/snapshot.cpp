// SPDX-License-Identifier: MIT
// snapshot.cpp — see snapshot.h. Each list of fields is written once and serves both ways.
#include "cloth/snapshot.h"

#include "bytes/fields.h"
#include "bytes/seal.h"
#include "cloth/checks.h"
#include "cloth/grid.h"
#include "cloth/touch.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr bytes::Seal seal{"SCREECLO", 1};

template <class Io, class Settings>
void settings_fields(Io& io, Settings& s) {
    io(s.model, s.time_step, s.substeps, s.gravity, s.mass, s.drag, s.stiffness, s.damping, s.group_stiffness,
       s.group_damping, s.width, s.length, s.edges_x, s.edges_z, s.iterations, s.self_neighbours,
       s.radius_share, s.friction);
    io.flags(s.ground, s.physical_mass, s.bounded_damping, s.weighted_projection, s.predicted_neighbours,
             s.push_from_inside);
}

template <class Io, class Snapshot>
void snapshot_fields(Io& io, Snapshot& s) {
    settings_fields(io, s.settings);
    io.items(s.sheets, 32, "sheets", [&](auto& sheet) {
        io(sheet.position, sheet.rotation);
        bool named = sheet.pins.has_value();
        io.flags(named);
        if constexpr (Io::reads)
            if (named) sheet.pins.emplace();
        if (named) io.list(*sheet.pins, "pins");
    });
    io.items(s.colliders, 40, "colliders", [&](auto& c) { io(c.kind, c.position, c.size, c.velocity); });
    io.items(s.vertices, 8, "vertices", [&](auto& v) {
        io.list(v.position, "positions");
        io.list(v.last, "positions");
    });
    bool touched = s.touch.has_value();
    io.flags(touched);
    if constexpr (Io::reads)
        if (touched) s.touch.emplace();
    if (touched) {
        io(s.touch->x, s.touch->y, s.touch->slide_x, s.touch->slide_y);
        io.floats(s.touch->view_projection.data(), 16);
    }
    io(s.steps, s.steps_before, s.time_before);
}

void check_contents(const ClothSnapshot& s) {
    const auto fail = [](const char* what) { throw Error(what, "snapshot"); };
    check(s.settings);
    check_vertices(s.settings, s.sheets.size());
    for (const ClothSheetDef& sheet : s.sheets) check(sheet, s.settings);
    for (const ClothCollider& each : s.colliders) check(each);
    if (s.touch) check(*s.touch);
    if (s.vertices.size() != s.sheets.size()) fail("the vertices do not belong to the sheets");
    const std::size_t words = std::size_t{4} * facts_of(s.settings).vertices;
    for (const ClothVertices& v : s.vertices) {
        if (v.position.size() != words || v.last.size() != words)
            fail("the number of vertices is not that of the sheets");
        for (std::size_t i = 3; i < words; i += 4)
            for (const float held : {v.position[i], v.last[i]})
                if (held != 1 && held != 0 && held != -1) fail("a vertex is neither free nor held");
    }
}

} // namespace

std::vector<std::byte> encode_cloth(const ClothSnapshot& snapshot) {
    bytes::Bytes content;
    bytes::FieldWriter out(content);
    snapshot_fields(out, snapshot);
    return bytes::sealed(seal, 0, content);
}

ClothSnapshot decode_cloth(std::span<const std::byte> saved) {
    std::uint32_t unused = 0;
    bytes::FieldReader in(bytes::unsealed(seal, saved, unused), "snapshot");
    ClothSnapshot s;
    snapshot_fields(in, s);
    if (in.left() > 0) in.fail("there are more bytes than a world has");
    check_contents(s);
    return s;
}

} // namespace scree
