// SPDX-License-Identifier: MIT
// height_field.cpp — height fields: made as meshes, and changed in a rectangle.

#include "geometry/mesh_builder.h"

#include "kernels/mesh_words.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace scree {

namespace {

bool is_hole(const HeightField& field, std::size_t cell) {
    const std::size_t a = cell / (field.columns - 1) * field.columns + cell % (field.columns - 1);
    for (const std::size_t v : {a, a + 1, a + field.columns, a + field.columns + 1})
        if (std::isnan(field.heights[v])) return true;
    return false;
}

/// Along one side.
float place_of(std::uint32_t number, std::uint32_t count, float spacing) {
    return -0.5f * static_cast<float>(count - 1) * spacing + static_cast<float>(number) * spacing;
}

Vec3 vertex_of(const HeightField& field, std::uint32_t column, std::uint32_t row) {
    const float height = field.heights[std::size_t{row} * field.columns + column];
    return {place_of(column, field.columns, field.spacing), std::isnan(height) ? 0 : height,
            place_of(row, field.rows, field.spacing)};
}

void check_field(const HeightField& field) {
    if (field.columns < 2 || field.rows < 2)
        throw Error("the field has " + std::to_string(field.columns) + " columns and " +
                        std::to_string(field.rows) + " rows; expected two of each at least",
                    "columns");
    const std::uint64_t points = std::uint64_t{field.columns} * field.rows;
    const std::uint64_t cells = std::uint64_t{field.columns - 1} * (field.rows - 1);
    if (2 * cells > Mesh::max_triangles)
        throw Error("the field has " + std::to_string(2 * cells) + " triangles; expected at most " +
                        std::to_string(Mesh::max_triangles),
                    "columns");
    if (field.heights.size() != points)
        throw Error("there are " + std::to_string(field.heights.size()) + " heights; expected " +
                        std::to_string(points),
                    "heights");
    check_positive(field.spacing, "spacing");
}

std::shared_ptr<MeshGeometry> mesh_of(const HeightField& field, const MeshOptions& options) {
    const std::size_t points = field.heights.size();
    std::vector<Vec3> vertices;
    vertices.reserve(points);
    for (std::uint32_t row = 0; row < field.rows; ++row)
        for (std::uint32_t column = 0; column < field.columns; ++column)
            vertices.push_back(vertex_of(field, column, row));
    const std::size_t cells = std::size_t{field.columns - 1} * (field.rows - 1);
    std::vector<std::uint32_t> indices;
    indices.reserve(6 * cells);
    std::size_t cell = 0;
    for (std::uint32_t row = 0; row + 1 < field.rows; ++row)
        for (std::uint32_t column = 0; column + 1 < field.columns; ++column) {
            const std::uint32_t a = row * field.columns + column, b = a + 1, c = a + field.columns, d = c + 1;
            // one without area keeps the numbers of the others
            if (is_hole(field, cell++)) indices.insert(indices.end(), {a, a, a, a, a, a});
            else indices.insert(indices.end(), {a, c, b, b, c, d});
        }
    return build_mesh(std::move(vertices), std::move(indices), options, field);
}

/// Changes a part of a field's mesh whose triangles with an area stay the same ones: vertices, edges and bounds.
class Refit {
public:
    /// first and last cells whose corners changed
    Refit(MeshGeometry& mesh, std::uint32_t first_column, std::uint32_t first_row, std::uint32_t last_column,
          std::uint32_t last_row)
        : mesh_(mesh) {
        const HeightField& field = *mesh.field;
        // edges of the cells around see them as well
        column_[0] = first_column > 0 ? first_column - 1 : 0;
        row_[0] = first_row > 0 ? first_row - 1 : 0;
        column_[1] = std::min(last_column + 1, field.columns - 2);
        row_[1] = std::min(last_row + 1, field.rows - 2);
        low_x_ = place_of(column_[0], field.columns, field.spacing);
        low_z_ = place_of(row_[0], field.rows, field.spacing);
        high_x_ = place_of(column_[1] + 1, field.columns, field.spacing);
        high_z_ = place_of(row_[1] + 1, field.rows, field.spacing);
    }

    void run() {
        visit(0);
        write_head(mesh_);
    }

private:
    std::uint32_t* words_of_node(std::uint32_t n) { return &mesh_.words[MESH_HEAD + 8 * std::size_t{n}]; }
    std::uint32_t* words_of_triangle(std::uint32_t t) {
        return &mesh_.words[MESH_HEAD + 8 * (std::size_t{mesh_.words[2]} + t)];
    }

    void visit(std::uint32_t n) {
        std::uint32_t* node = words_of_node(n);
        const auto number = [&](std::size_t k) { return std::bit_cast<float>(node[k]); };
        if (number(0) > high_x_ || number(4) < low_x_ || number(2) > high_z_ || number(6) < low_z_) return;
        Vec3 low, high;
        if (node[3]) {
            low = high = mesh_.vertices[words_of_triangle(node[7])[0]];
            for (std::uint32_t t = node[7]; t < node[7] + node[3]; ++t) {
                update_edges(t);
                for (std::size_t k = 0; k < 3; ++k) {
                    const Vec3& p = mesh_.vertices[words_of_triangle(t)[k]];
                    low = narrow(min(wide(low), wide(p)));
                    high = narrow(max(wide(high), wide(p)));
                }
            }
        } else {
            visit(n + 1);
            visit(node[7]);
            const std::uint32_t *left = words_of_node(n + 1), *right = words_of_node(node[7]);
            const auto corner = [](const std::uint32_t* of, std::size_t k) {
                return DVec3{std::bit_cast<float>(of[k]), std::bit_cast<float>(of[k + 1]),
                             std::bit_cast<float>(of[k + 2])};
            };
            low = narrow(min(corner(left, 0), corner(right, 0)));
            high = narrow(max(corner(left, 4), corner(right, 4)));
        }
        put_bounds(node, low, high);
    }

    void update_edges(std::uint32_t t) {
        std::uint32_t* own = words_of_triangle(t);
        const HeightField& field = *mesh_.field;
        const std::uint32_t cell = (own[3] & MESH_NUMBER) / 2, column = cell % (field.columns - 1),
                            row = cell / (field.columns - 1);
        if (column < column_[0] || column > column_[1] || row < row_[0] || row > row_[1]) return;
        for (std::uint32_t e = 0; e < 3; ++e) {
            if (own[4 + e] == ~0u) continue;
            const std::uint32_t* other = words_of_triangle(own[4 + e]);
            std::uint32_t their = 0;
            while (other[4 + their] != t) ++their;
            const std::uint32_t kind = edge_kind(mesh_, own, e, other, their);
            own[3] = (own[3] & ~(3u << (24 + 2 * e))) | kind << (24 + 2 * e);
        }
    }

    MeshGeometry& mesh_;
    std::uint32_t column_[2], row_[2]; // cells whose edges may be other ones
    float low_x_, low_z_, high_x_, high_z_;
};

} // namespace

Mesh Mesh::from_heights(const HeightField& field, const MeshOptions& options) {
    check_field(field);
    return Mesh(mesh_of(field, options), {1, 1, 1});
}

const HeightField* Mesh::height_field() const {
    return *this && geometry().field ? &*geometry().field : nullptr;
}

Mesh Mesh::with_heights(const HeightPatch& patch) const {
    const HeightField* field = height_field();
    if (!field) throw Error("the mesh is no height field; expected one made by Mesh::from_heights", "mesh");
    const auto check_side = [](std::uint32_t first, std::uint32_t count, std::uint32_t most,
                               const char* where) {
        if (count == 0 || first >= most || count > most - first)
            throw Error("the rectangle begins at " + std::to_string(first) + " and has " +
                            std::to_string(count) + "; expected a part of the field's " +
                            std::to_string(most),
                        where);
    };
    check_side(patch.column, patch.columns, field->columns, "columns");
    check_side(patch.row, patch.rows, field->rows, "rows");
    const std::size_t points = std::size_t{patch.columns} * patch.rows;
    if (patch.heights.size() != points)
        throw Error("there are " + std::to_string(patch.heights.size()) + " heights; expected " +
                        std::to_string(points),
                    "heights");
    for (std::size_t k = 0; k < points; ++k)
        if (!std::isnan(patch.heights[k]) && !(std::abs(patch.heights[k]) <= 1e8f))
            refuse(patch.heights[k], "heights[" + std::to_string(k) + "]",
                   "finite heights of at most 1e8, or NaN for a hole");

    auto mesh = std::make_shared<MeshGeometry>(geometry());
    HeightField& now = *mesh->field;
    std::uint32_t* vertex = &mesh->words[MESH_HEAD + 8 * (std::size_t{mesh->words[2]} + mesh->words[1])];
    for (std::uint32_t row = 0; row < patch.rows; ++row)
        for (std::uint32_t column = 0; column < patch.columns; ++column) {
            const std::size_t v = std::size_t{patch.row + row} * now.columns + patch.column + column;
            now.heights[v] = patch.heights[std::size_t{row} * patch.columns + column];
            mesh->vertices[v] = vertex_of(now, patch.column + column, patch.row + row);
            put_vector(vertex + 4 * v, mesh->vertices[v]);
        }
    const std::uint32_t first_column = patch.column > 0 ? patch.column - 1 : 0,
                        first_row = patch.row > 0 ? patch.row - 1 : 0,
                        last_column = std::min(patch.column + patch.columns - 1, now.columns - 2),
                        last_row = std::min(patch.row + patch.rows - 1, now.rows - 2);
    // other holes, or triangles that became too thin: then the tree is another one
    const auto spans = [](const MeshGeometry& of, std::size_t t) {
        const std::uint32_t* corner = &of.indices[3 * t];
        return spans_area(of.vertices[corner[0]], of.vertices[corner[1]], of.vertices[corner[2]]);
    };
    for (std::uint32_t row = first_row; row <= last_row; ++row)
        for (std::uint32_t column = first_column; column <= last_column; ++column) {
            const std::size_t cell = std::size_t{row} * (now.columns - 1) + column;
            bool same = is_hole(now, cell) == is_hole(*field, cell);
            for (const std::size_t t : {2 * cell, 2 * cell + 1})
                same = same && spans(*mesh, t) == spans(geometry(), t);
            if (!same) return Mesh(mesh_of(now, options()), scale());
        }
    Refit(*mesh, first_column, first_row, last_column, last_row).run();
    return Mesh(std::move(mesh), scale());
}

} // namespace scree
