// SPDX-License-Identifier: MIT
// mesh_fields.cpp — see mesh_fields.h.

#include "geometry/mesh_fields.h"

#include "scree/error.h"

#include <bit>
#include <utility>

namespace scree::bytes {

namespace {

/// What a mesh was made from.
struct Source {
    std::vector<Vec3> vertices; // none of a height field
    std::vector<std::uint32_t> indices, material_of;
    MeshOptions options;
    bool is_field = false;
    HeightField field;
    std::vector<std::uint32_t> heights; // bits: NaN is a hole
};

template <class Io, class AnySource>
void mesh_fields(Io& io, AnySource& of) {
    auto& options = of.options;
    io.list(of.vertices, "vertices");
    io.list(of.indices, "indices");
    io.flags(options.two_sided, of.is_field);
    if (of.is_field) {
        io(of.field.columns, of.field.rows, of.field.spacing);
        io.list(of.heights, "heights");
    }
    io.items(options.materials, 32, "materials", [&](auto& m) {
        io(m.friction, m.restitution, m.rolling_resistance, m.surface_velocity, m.friction_rule,
           m.restitution_rule);
    });
    io.list(of.material_of, "materials of triangles");
}

} // namespace

void MeshTable::write(FieldWriter& out, const Mesh& mesh) {
    const auto [at, fresh] =
        numbers_.try_emplace(&mesh.geometry(), static_cast<std::uint32_t>(numbers_.size()));
    out(at->second);
    if (!fresh) return;
    Source source;
    source.options = mesh.options();
    source.material_of.assign(mesh.options().material_of.begin(), mesh.options().material_of.end());
    if (const HeightField* field = mesh.height_field()) {
        source.is_field = true;
        source.field = {.columns = field->columns, .rows = field->rows, .spacing = field->spacing};
        source.heights.reserve(field->heights.size());
        for (const float height : field->heights)
            source.heights.push_back(std::bit_cast<std::uint32_t>(height));
    } else {
        source.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
        source.indices.assign(mesh.indices().begin(), mesh.indices().end());
    }
    mesh_fields(out, std::as_const(source));
}

Mesh MeshTable::read(FieldReader& in) {
    std::uint32_t number;
    in(number);
    if (number < meshes_.size()) return meshes_[number];
    if (number > meshes_.size()) in.fail("mesh " + std::to_string(number) + " does not exist");
    Source source;
    mesh_fields(in, source);
    for (const std::uint32_t m : source.material_of) {
        if (m > 255) in.fail("a triangle has material " + std::to_string(m));
        source.options.material_of.push_back(static_cast<std::uint8_t>(m));
    }
    try {
        if (source.is_field) {
            for (const std::uint32_t height : source.heights)
                source.field.heights.push_back(std::bit_cast<float>(height));
            meshes_.push_back(Mesh::from_heights(source.field, source.options));
        } else {
            meshes_.push_back(Mesh::from_triangles(source.vertices, source.indices, source.options));
        }
    } catch (const Error& error) {
        in.fail(std::string("a mesh cannot be made: ") + error.what());
    }
    return meshes_.back();
}

} // namespace scree::bytes
