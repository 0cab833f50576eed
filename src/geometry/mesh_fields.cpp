// SPDX-License-Identifier: MIT
// mesh_fields.cpp — see mesh_fields.h.

#include "geometry/mesh_fields.h"

#include "scree/error.h"

namespace scree::bytes {

namespace {

template <class Io, class Vertices, class Indices, class Options>
void mesh_fields(Io& io, Vertices& vertices, Indices& indices, std::vector<std::uint32_t>& material_of,
                 Options& options) {
    io.list(vertices, "vertices");
    io.list(indices, "indices");
    io.flags(options.two_sided);
    io.items(options.materials, 32, "materials", [&](auto& m) {
        io(m.friction, m.restitution, m.rolling_resistance, m.surface_velocity, m.friction_rule,
           m.restitution_rule);
    });
    io.list(material_of, "materials of triangles");
}

} // namespace

void MeshTable::write(FieldWriter& out, const Mesh& mesh) {
    const auto [at, fresh] =
        numbers_.try_emplace(&mesh.geometry(), static_cast<std::uint32_t>(numbers_.size()));
    out(at->second);
    if (!fresh) return;
    const std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
    const std::vector<std::uint32_t> indices(mesh.indices().begin(), mesh.indices().end());
    std::vector<std::uint32_t> material_of(mesh.options().material_of.begin(),
                                           mesh.options().material_of.end());
    mesh_fields(out, vertices, indices, material_of, mesh.options());
}

Mesh MeshTable::read(FieldReader& in) {
    std::uint32_t number;
    in(number);
    if (number < meshes_.size()) return meshes_[number];
    if (number > meshes_.size()) in.fail("mesh " + std::to_string(number) + " does not exist");
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> indices, material_of;
    MeshOptions options;
    mesh_fields(in, vertices, indices, material_of, options);
    for (const std::uint32_t m : material_of) {
        if (m > 255) in.fail("a triangle has material " + std::to_string(m));
        options.material_of.push_back(static_cast<std::uint8_t>(m));
    }
    try {
        meshes_.push_back(Mesh::from_triangles(vertices, indices, options));
    } catch (const Error& error) {
        in.fail(std::string("a mesh cannot be made: ") + error.what());
    }
    return meshes_.back();
}

} // namespace scree::bytes
