// SPDX-License-Identifier: MIT
// decompose.cpp — `scree decompose`: a mesh file as convex parts, in a file and a table.

#include "scree/decompose.h"
#include "commands.h"
#include "output_file.h"
#include "progress.h"
#include "scree/error.h"
#include "scree/mesh_file.h"
#include "stopwatch.h"
#include "text/words.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace scree {

namespace {

/// Whether the parts stand for a mesh that had to be made solid.
bool is_sound(const MeshReport& report) {
    return report.closed && report.flipped_edges == 0 && report.volume != 0;
}

int run(const Arguments& given) {
    const std::string& file = given.positional().front();
    DecomposeOptions options;
    options.concavity =
        static_cast<float>(given.number("--concavity", 0.001, 1).value_or(double{options.concavity}));
    options.max_parts = static_cast<int>(given.whole("--parts", 1, 256).value_or(32));
    options.max_vertices_per_part = static_cast<int>(given.whole("--vertices", 4, 128).value_or(64));
    options.resolution = static_cast<int>(given.whole("--resolution", 8, 256).value_or(64));
    options.threads = static_cast<int>(given.whole("--threads", 1, 1024).value_or(0));
    options.always_remesh = given.has("--remesh");
    MeshFileOptions reading;
    reading.scale = static_cast<float>(given.number("--scale", 1e-6, 1e6).value_or(1));
    std::optional<OutputFile> out; // before the work, so that a bad name costs nothing
    if (const auto name = given.text("-o")) out.emplace("-o", *name);

    TriangleMesh mesh = read_mesh(file, reading);
    repair(mesh);
    const MeshReport report = inspect(mesh);
    const DVec3 side = report.high - report.low;
    std::printf("%s: %s, %s, %s; %.4g x %.4g x %.4g m\n", file.c_str(),
                count_of(mesh.triangles.size(), "triangle", "triangles").c_str(),
                count_of(report.components, "component", "components").c_str(),
                is_sound(report) ? report.volume < 0 ? "closed, inside out" : "closed"
                                 : "not closed and oriented: remeshed",
                side.x, side.y, side.z);

    const Stopwatch watch;
    std::vector<Hull> parts;
    {
        Progress progress("cutting", 1000, false);
        options.progress = [&](std::size_t count, double done) {
            const auto shown = static_cast<std::uint64_t>(1000 * done);
            if (progress.due(shown)) progress.show(shown, std::to_string(count) + " parts");
        };
        parts = decompose(mesh, options);
    }
    const double seconds = watch.seconds();
    const DecomposeReport found = compare(mesh, parts);
    std::printf("\n  part  vertices  faces  volume m^3\n");
    for (std::size_t i = 0; i < parts.size(); ++i)
        std::printf("  %4zu  %8zu  %5zu  %10.4g\n", i, parts[i].vertices().size(), parts[i].faces().size(),
                    inspect(mesh_of(std::span(&parts[i], 1))).volume);
    std::printf("\n%s in %.2f s, volume %.4g m^3", count_of(parts.size(), "part", "parts").c_str(), seconds,
                found.parts_volume);
    if (found.mesh_volume > 0)
        std::printf(" (%+.1f %% of the mesh's), at most %.3g m beyond it",
                    100 * (found.parts_volume / found.mesh_volume - 1), found.outside);
    std::printf("; vertices at most %.3g m outside the parts\n", found.uncovered);
    if (out) {
        out->finish(obj_text(mesh_of(parts)));
        std::printf("written to %s\n", out->name().c_str());
    }
    return exit_ok;
}

} // namespace

CommandSpec decompose_command() {
    return {"decompose FILE",
            "cut a mesh into convex parts for a moving body",
            R"(Reads a mesh (.obj, .stl, .ply, .gltf, .glb), cuts it into convex parts and prints them.
The file that -o writes has one object for each part.)",
            {R"(
-o FILE             write the parts as an .obj file
--concavity X       largest distance between hull and surface, of the longest side; default: 0.03
--parts N           at most N parts; default: 32
--vertices N        at most N vertices a part, up to 128; default: 64
--resolution N      cells along the longest side of a mesh that must be remeshed; default: 64
--remesh            remesh a closed mesh too
--scale X           metres in a unit of the file; default: 1
--threads N         default: all cores; the result is the same
)"},
            run};
}

} // namespace scree
