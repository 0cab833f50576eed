// SPDX-License-Identifier: MIT
// mesh_fuzzer.cpp — any bytes as a mesh file: an Error or a mesh that holds what it promises, whatever the format.
//
// The first byte picks the format; the rest is the file.
#include "scree/error.h"
#include "scree/mesh_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

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
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
