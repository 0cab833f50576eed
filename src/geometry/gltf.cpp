// SPDX-License-Identifier: MIT
// gltf.cpp — the triangles of a glTF 2.0 file (Khronos): of all nodes of the scene, placed by the nodes' transforms; a part is a
// node. Skins, morph targets and animations are passed over: a skinned mesh has the vertices of its file.
// compiled alone
#include "geometry/gltf_document.h"
#include "geometry/mesh_text.h"

#include "scree/error.h"
#include "text/file_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace scree {
namespace {

using json::Kind;
using json::Value;

constexpr int most_nested_nodes = 256;

GltfMatrix operator*(const GltfMatrix& a, const GltfMatrix& b) {
    GltfMatrix out{};
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t k = 0; k < 4; ++k) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    return out;
}

DVec3 place(const GltfMatrix& m, DVec3 p) {
    return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
            m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

bool mirrors(const GltfMatrix& m) {
    return dot(cross(DVec3{m[0], m[1], m[2]}, DVec3{m[4], m[5], m[6]}), DVec3{m[8], m[9], m[10]}) < 0;
}

class GltfReader {
public:
    GltfReader(GltfDocument& document, MeshMaker& out) : document_(document), out_(&out) {}

    void read() {
        on_way_.assign(document_.items("nodes").size(), false);
        for (const std::size_t node : document_.root_nodes()) visit(node, gltf_identity, 0);
    }

private:
    GltfDocument& document_;
    MeshMaker* out_;
    std::vector<bool> on_way_; ///< nodes between the root and this one
    std::size_t visits_ = 0;

    std::vector<DVec3> positions_of(const Value& value) {
        const std::vector<double> numbers =
            document_.numbers_of(value, 3, "VEC3", out_->options().max_vertices);
        std::vector<DVec3> out(numbers.size() / 3);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        return out;
    }

    void visit(std::size_t index, const GltfMatrix& parent, int depth) {
        const Value& node = document_.items("nodes")[index];
        if (on_way_[index] || depth > most_nested_nodes)
            document_.fail(node, "the node is its own ancestor, or nested too deep");
        // each node has one parent, by the specification; a file that repeats them could grow without end
        if (++visits_ > document_.items("nodes").size())
            document_.fail(node, "a node is used more than once");
        on_way_[index] = true;
        const GltfMatrix here = parent * document_.transform(node);
        if (const Value* mesh = document_.find(node, "mesh", Kind::number)) {
            const Value& found =
                document_.items("meshes")[document_.number(*mesh, document_.items("meshes").size(), "mesh")];
            const std::string name = document_.name_of(node);
            out_->part(name.empty() ? document_.name_of(found) : name);
            if (const Value* primitives = document_.find(found, "primitives", Kind::array))
                for (const Value& primitive : primitives->items) add(primitive, here);
        }
        if (const Value* children = document_.find(node, "children", Kind::array))
            for (const Value& child : children->items)
                visit(document_.number(child, document_.items("nodes").size(), "child"), here, depth + 1);
        on_way_[index] = false;
    }

    void add(const Value& primitive, const GltfMatrix& m) {
        if (document_.size(primitive, "mode", 4) < 4) return; // points and lines
        const Value* attributes = document_.find(primitive, "attributes", Kind::object);
        if (!attributes || !attributes->find("POSITION")) return; // nothing to show, by the specification
        const std::vector<DVec3> positions =
            positions_of(document_.entry(*attributes, "POSITION", "accessors"));
        const auto triangles = document_.triangles_of(primitive, positions.size());
        out_->material(primitive.find("material")
                           ? document_.name_of(document_.entry(primitive, "material", "materials"))
                           : std::string());

        const auto first = static_cast<std::uint32_t>(out_->mesh().vertices.size());
        out_->expect_vertices(positions.size());
        for (const DVec3& p : positions) {
            const DVec3 at = place(m, p);
            if (!is_coordinate(at.x) || !is_coordinate(at.y) || !is_coordinate(at.z))
                document_.fail(primitive, "a vertex is not finite");
            out_->vertex(narrow(at));
        }
        const bool mirrored = mirrors(m);
        for (const auto& [a, b, c] : triangles)
            out_->triangle(first + a, first + (mirrored ? c : b), first + (mirrored ? b : c));
    }
};

} // namespace

void read_gltf(std::string_view bytes, MeshMaker& out) {
    GltfDocument::External external;
    if (out.options().external_files)
        external = [&](const std::string& name) {
            return file_text(path_beside(out.file(), name), out.options().max_bytes);
        };
    GltfDocument document(bytes, out.file(), std::move(external));
    GltfReader(document, out).read();
}

} // namespace scree
