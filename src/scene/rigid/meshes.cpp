// SPDX-License-Identifier: MIT
// meshes.cpp — reads meshes and height fields of a rigid scene, and makes the terrain of those without heights.
#include "scene/files.h"
#include "scene/rigid/parts.h"
#include "scene/setting.h"
#include "scree/decompose.h"
#include "scree/error.h"
#include "scree/mesh_file.h"

#include <algorithm>
#include <cmath>

namespace scree {

/// The triangles of the file of an object, not scaled.
TriangleMesh file_triangles(const Field& file, const ShapeSources& sources) {
    const SceneFile& found = find_file(file, sources.options, sources.files);
    // what a recording keeps is the file alone
    return parse_mesh(found.bytes, found.name,
                      {.max_triangles = Mesh::max_triangles, .external_files = false});
}

namespace {

constexpr std::size_t most_vertices = 10'000'000, most_side = 4096, most_points = 100'000;
constexpr Range scales{0.001, 1000};

Mesh made(const Field& field, const Fields& fields, const auto& make) {
    try {
        const Mesh mesh = make();
        const auto scale = fields.find("scale");
        return scale ? mesh.scaled(scale->vector(scales)) : mesh;
    } catch (const Error& error) {
        field.fail(error.what());
    }
}

std::vector<Vec3> scaled(std::vector<Vec3> points, Vec3 scale) {
    for (Vec3& p : points) p = {p.x * scale.x, p.y * scale.y, p.z * scale.z};
    return points;
}

/// The file of an object, if it names one; then it has none of the keys that say the same.
std::optional<Field> file_of(const Fields& fields, std::initializer_list<std::string_view> same) {
    auto file = fields.find("file");
    if (!file) return std::nullopt;
    static_cast<void>(file->text());
    for (const std::string_view key : same)
        if (const auto found = fields.find(key)) found->fail("expected a file or this, not both");
    return file;
}

/// A key that is needed where there is no file.
Field without_file(const Fields& fields, std::string_view key) {
    if (const auto found = fields.find(key)) return *found;
    fields.field().fail("the key \"" + std::string(key) + "\" is missing");
}

/// A number from 0 to 1 for each point of a lattice; the same everywhere.
double noise_at(std::int64_t column, std::int64_t row, std::uint32_t seed) {
    std::uint64_t h = static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15u ^
                      static_cast<std::uint64_t>(row) * 0xc2b2ae3d27d4eb4fu ^ seed;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return static_cast<double>(h >> 40) / (1 << 24);
}

/// Value noise: smooth between the points of the lattice.
double bumps_at(double x, double z, std::uint32_t seed) {
    const double column = std::floor(x), row = std::floor(z);
    const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
    const double u = smooth(x - column), v = smooth(z - row);
    const auto i = static_cast<std::int64_t>(column), j = static_cast<std::int64_t>(row);
    const double near = noise_at(i, j, seed) * (1 - u) + noise_at(i + 1, j, seed) * u;
    const double far = noise_at(i, j + 1, seed) * (1 - u) + noise_at(i + 1, j + 1, seed) * u;
    return near * (1 - v) + far * v;
}

} // namespace

Hull read_hull(const Field& one, const ShapeSources& sources) {
    const Fields fields(one, format::hull);
    const Vec3 scale = fields.vector("scale", {1, 1, 1}, scales);
    if (const auto file = file_of(fields, {"points"})) {
        return blamed(
            one, [&] { return Hull::from_points(scaled(file_triangles(*file, sources).vertices, scale)); });
    }
    const Field points = without_file(fields, "points");
    std::vector<Vec3> vertices(points.list(4, most_points));
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = points[i].vector();
    return blamed(points, [&] { return Hull::from_points(scaled(std::move(vertices), scale)); });
}

std::vector<Hull> read_convex_parts(const Field& one, const ShapeSources& sources) {
    const Fields fields(one, format::convex_parts);
    DecomposeOptions options;
    options.concavity = fields.number("concavity", options.concavity, Range{0.001, 1});
    options.max_parts = static_cast<int>(fields.integer("max_parts", options.max_parts, 1, 256));
    options.resolution = static_cast<int>(fields.integer("resolution", options.resolution, 8, 256));
    const Vec3 scale = fields.vector("scale", {1, 1, 1}, scales);
    return blamed(one, [&] {
        TriangleMesh mesh = file_triangles(fields.at("file"), sources);
        mesh.vertices = scaled(std::move(mesh.vertices), scale);
        return decompose(mesh, options);
    });
}

Mesh read_mesh(const Field& one, const ShapeSources& sources) {
    const Fields fields(one, format::rigid_mesh);
    MeshOptions options;
    if (const auto two = fields.find("two_sided")) options.two_sided = two->flag();
    if (const auto file = file_of(fields, {"vertices", "triangles"})) {
        const TriangleMesh mesh = blamed(one, [&] { return file_triangles(*file, sources); });
        return made(one, fields, [&] { return Mesh::from_triangles(mesh, options); });
    }
    const Field points = without_file(fields, "vertices"), triangles = without_file(fields, "triangles");
    std::vector<Vec3> vertices(points.list(3, most_vertices));
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = points[i].vector();
    std::vector<std::uint32_t> indices;
    for (std::size_t i = 0; i < triangles.list(1, Mesh::max_triangles); ++i) {
        const Field triangle = triangles[i];
        triangle.list(3, 3);
        for (std::size_t k = 0; k < 3; ++k)
            indices.push_back(static_cast<std::uint32_t>(
                triangle[k].integer(0, static_cast<std::int64_t>(vertices.size()) - 1)));
    }
    return made(one, fields, [&] { return Mesh::from_triangles(vertices, indices, options); });
}

Mesh read_height_field(const Field& one) {
    const Fields fields(one, format::height_field);
    HeightField field;
    const auto side = [&](const char* key) {
        return static_cast<std::uint32_t>(fields.at(key).integer(2, static_cast<std::int64_t>(most_side)));
    };
    field.columns = side("columns");
    field.rows = side("rows");
    field.spacing = fields.at("spacing").number(positive);
    const std::size_t points = std::size_t{field.columns} * field.rows;
    field.heights.resize(points);
    if (const auto heights = fields.find("heights")) {
        heights->list(points, points);
        for (std::size_t k = 0; k < points; ++k)
            field.heights[k] =
                (*heights)[k].value().kind == json::Kind::null ? std::nanf("") : (*heights)[k].number();
    }
    // a bowl about the middle, and bumps: on top of the heights
    const double bowl = fields.number("bowl", 0), bumps = fields.number("bumps", 0),
                 size = fields.number("bump_size", 4 * field.spacing, positive);
    const auto seed = static_cast<std::uint32_t>(fields.integer("seed", 1, 0, 0xffffffff));
    const double middle_x = 0.5 * (field.columns - 1), middle_z = 0.5 * (field.rows - 1),
                 reach = std::max(middle_x, middle_z);
    for (std::uint32_t row = 0; row < field.rows; ++row)
        for (std::uint32_t column = 0; column < field.columns; ++column) {
            const double x = (column - middle_x) / reach, z = (row - middle_z) / reach;
            double rise = bowl * (x * x + z * z);
            if (bumps != 0)
                rise += bumps * bumps_at(column * double{field.spacing} / size,
                                         row * double{field.spacing} / size, seed);
            field.heights[std::size_t{row} * field.columns + column] += static_cast<float>(rise);
        }
    return made(one, fields, [&] { return Mesh::from_heights(field); });
}

} // namespace scree
