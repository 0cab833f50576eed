// SPDX-License-Identifier: MIT
// mesh_fuzzer.cpp — any bytes as a mesh file: an Error or a mesh that holds what it promises, whatever the format; then as a
// surface and in convex parts.
//
// The first byte picks the format; the rest is the file.
#include "scree/decompose.h"
#include "scree/error.h"
#include "scree/mesh.h"
#include "scree/mesh_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

/// As a surface to collide with, and as parts of a moving body.
void use(const scree::TriangleMesh& mesh, unsigned how) {
    using namespace scree;
    if (mesh.triangles.size() > 400) return;
    try {
        const Mesh surface = Mesh::from_triangles(mesh, {.two_sided = how % 2 == 1, .threads = 1});
        if (surface.dropped() >= surface.triangles()) std::abort();
    } catch (const Error&) { // coordinates that are too large, or no area
    }
    const DecomposeOptions options{.max_parts = 1 + static_cast<int>(how % 8),
                                   .planes_per_axis = 3,
                                   .resolution = 8,
                                   .max_work = 100'000,
                                   .threads = 1};
    const std::vector<Hull> parts = decompose(mesh, options);
    if (parts.empty() || parts.size() > static_cast<std::size_t>(options.max_parts)) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scree;
    if (size == 0) return 0;
    MeshFileOptions options;
    options.format = static_cast<MeshFormat>(1 + data[0] % 4);
    options.max_triangles = options.max_vertices = 20'000;
    options.external_files = false;
    try {
        TriangleMesh mesh = parse_mesh({reinterpret_cast<const char*>(data) + 1, size - 1}, "fuzz", options);
        if (mesh.triangles.empty() || mesh.triangles.size() > options.max_triangles) std::abort();
        check_mesh(mesh, "read");
        inspect(mesh);
        repair(mesh);
        const MeshReport report = inspect(mesh);
        if (report.degenerate_triangles > 0) std::abort();
        if (!mesh.triangles.empty()) parse_mesh(obj_text(mesh), "again.obj");
        use(mesh, data[0] / 4);
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
