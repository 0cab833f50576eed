// SPDX-License-Identifier: MIT
// mesh_rays.cpp — where rays meet a mesh: a tree of eight children a node, four triangles a leaf.
//
// The tree is the mesh's own, its levels taken three at a time, with the corners of a leaf's triangles beside each other. Floats
// with room for their rounding choose the leaves; the triangles are met in double precision, four at a time, so that what is met
// does not depend on the tree.

#include "collision/tree_walk.h"
#include "geometry/mesh_geometry.h"
#include "geometry/shape_parts.h"
#include "kernels/mesh_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace scree {

struct MeshRayTree {
    static constexpr std::uint32_t leaf = 0x80000000u, block_size = 4;

    struct Node {
        BoundsNode bounds;                       ///< not scaled
        std::array<std::uint32_t, 8> child = {}; ///< a node, or a block of triangles with the bit `leaf`
    };
    struct Block {
        float corner[3][3][block_size]; ///< not scaled: corner, axis, triangle; an empty place is NaN
        std::uint32_t triangle[block_size];
    };
    std::vector<Node> nodes; ///< the first is the root
    std::vector<Block> blocks;

    explicit MeshRayTree(const MeshGeometry& mesh) {
        nodes.reserve(mesh.node_count() / 4 + 1);
        blocks.reserve(mesh.triangle_count() / 2 + 1);
        if (mesh.node(0)[3]) {
            // one leaf
            const std::uint32_t root = 0;
            add_node(mesh, &root, 1);
        } else {
            open(mesh, 0);
        }
    }

private:
    static float side(const std::uint32_t* node, int axis) {
        return std::bit_cast<float>(node[4 + axis]) - std::bit_cast<float>(node[axis]);
    }
    static float surface(const std::uint32_t* node) {
        const float x = side(node, 0), y = side(node, 1), z = side(node, 2);
        return x * y + y * z + z * x;
    }
    /// Opens the largest of a node's descendants until there are eight.
    std::uint32_t open(const MeshGeometry& mesh, std::uint32_t n) {
        std::uint32_t part[8] = {n + 1, mesh.node(n)[7]};
        std::uint32_t parts = 2;
        while (parts < 8) {
            std::uint32_t widest = parts;
            for (std::uint32_t k = 0; k < parts; ++k)
                if (!mesh.node(part[k])[3] &&
                    (widest == parts || surface(mesh.node(part[k])) > surface(mesh.node(part[widest]))))
                    widest = k;
            if (widest == parts) break;
            const std::uint32_t opened = part[widest];
            part[widest] = opened + 1;
            part[parts++] = mesh.node(opened)[7];
        }
        return add_node(mesh, part, parts);
    }
    std::uint32_t add_node(const MeshGeometry& mesh, const std::uint32_t* part, std::uint32_t parts) {
        const auto at = static_cast<std::uint32_t>(nodes.size());
        nodes.emplace_back();
        for (std::uint32_t k = 0; k < 8; ++k) {
            const std::uint32_t* node = k < parts ? mesh.node(part[k]) : nullptr;
            for (int axis = 0; axis < 3; ++axis) {
                const float nothing = std::numeric_limits<float>::quiet_NaN();
                nodes[at].bounds.low[axis][k] = node ? std::bit_cast<float>(node[axis]) : nothing;
                nodes[at].bounds.high[axis][k] = node ? std::bit_cast<float>(node[4 + axis]) : nothing;
            }
            if (!node) continue;
            const std::uint32_t child = node[3] ? add_block(mesh, node[7], node[3]) : open(mesh, part[k]);
            nodes[at].child[k] = child;
        }
        return at;
    }
    std::uint32_t add_block(const MeshGeometry& mesh, std::uint32_t first, std::uint32_t count) {
        Block& block = blocks.emplace_back();
        for (std::uint32_t k = 0; k < block_size; ++k) {
            const std::uint32_t* words = mesh.triangle(first + std::min(k, count - 1));
            block.triangle[k] = first + k;
            for (int c = 0; c < 3; ++c) {
                const Vec3 v = mesh.vertices[words[c]];
                const float at[3] = {v.x, v.y, v.z};
                for (int axis = 0; axis < 3; ++axis)
                    block.corner[c][axis][k] = k < count ? at[axis] : std::numeric_limits<float>::quiet_NaN();
            }
        }
        return leaf | static_cast<std::uint32_t>(blocks.size() - 1);
    }
};

namespace {

/// A ray and triangles, watertight (Woop, Benthin and Wald 2013): neighbours compute the same bits for the edge they share.
class Shear {
public:
    Shear(const Ray& ray, const Vec3& scale) {
        const DVec3 m = absolute(ray.direction);
        z_ = m.x >= m.y && m.x >= m.z ? 0 : m.y >= m.z ? 1 : 2;
        x_ = (z_ + 1) % 3, y_ = (z_ + 2) % 3;
        const double d[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
        const double by[3] = {scale.x, scale.y, scale.z};
        const double o[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
        std::copy(by, by + 3, scale_), std::copy(o, o + 3, origin_);
        sx_ = d[x_] / d[z_], sy_ = d[y_] / d[z_], along_ = d[z_];
    }
    /// The distance of each triangle of a block that the line meets, NaN of the others.
    void meet(const MeshRayTree::Block& block, double* distance) const {
        constexpr std::uint32_t n = MeshRayTree::block_size;
        double px[3][n], py[3][n], pz[3][n];
        for (int c = 0; c < 3; ++c)
            for (std::uint32_t k = 0; k < n; ++k) {
                const double x = block.corner[c][x_][k] * scale_[x_] - origin_[x_],
                             y = block.corner[c][y_][k] * scale_[y_] - origin_[y_],
                             z = block.corner[c][z_][k] * scale_[z_] - origin_[z_];
                px[c][k] = x - sx_ * z, py[c][k] = y - sy_ * z, pz[c][k] = z;
            }
        for (std::uint32_t k = 0; k < n; ++k) {
            const double u = px[2][k] * py[1][k] - py[2][k] * px[1][k],
                         v = px[0][k] * py[2][k] - py[0][k] * px[2][k],
                         w = px[1][k] * py[0][k] - py[1][k] * px[0][k];
            const double low = std::min(std::min(u, v), w), high = std::max(std::max(u, v), w);
            const double sum = u + v + w;
            const double far = (u * pz[0][k] + v * pz[1][k] + w * pz[2][k]) / (sum * along_);
            // on one side of all three edges; 0 / 0 where the line lies in the triangle
            distance[k] = low < 0 && high > 0 ? std::numeric_limits<double>::quiet_NaN() : far;
        }
    }

private:
    int x_, y_, z_;
    double scale_[3], origin_[3], sx_, sy_, along_;
};

} // namespace

std::optional<RayHit> ray_hit_within(const Mesh& mesh, const Ray& ray, double most) {
    if (!mesh) return std::nullopt;
    const MeshGeometry& g = mesh.geometry();
    std::call_once(g.rays.made, [&] { g.rays.tree = std::make_shared<const MeshRayTree>(g); });
    const MeshRayTree& tree = *g.rays.tree;
    const Vec3 s = mesh.scale();

    // no farther than the mesh reaches
    const DVec3 low = scaled(wide(g.low), s), high = scaled(wide(g.high), s);
    const double end = std::min(most, length(0.5 * (low + high) - ray.origin) + length(high - low));
    const DVec3 inverse{1 / double{s.x}, 1 / double{s.y}, 1 / double{s.z}};
    const auto unscaled = [&](const DVec3& v) {
        return DVec3{v.x * inverse.x, v.y * inverse.y, v.z * inverse.z};
    };
    const DVec3 from = unscaled(ray.origin), way = unscaled(ray.direction * end);
    const LineKeys keys(from, from, narrow(way));
    const Shear shear(ray, s);

    std::optional<RayHit> best;
    float limit = 1; // share of `end`
    struct Entry {
        float key;
        std::uint32_t node;
    };
    Entry stack[8 * 64];
    std::uint32_t count = 0;
    stack[count++] = {0, 0};
    while (count > 0) {
        const Entry entry = stack[--count];
        if (!(entry.key <= limit)) continue;
        if (!(entry.node & MeshRayTree::leaf)) {
            const MeshRayTree::Node& node = tree.nodes[entry.node];
            float key[8];
            keys(node.bounds, key);
            // farthest first
            const std::uint32_t first = count;
            for (std::uint32_t child = 0; child < 8; ++child) {
                if (!(key[child] <= limit)) continue;
                std::uint32_t at = count++;
                for (; at > first && stack[at - 1].key < key[child]; --at) stack[at] = stack[at - 1];
                stack[at] = {key[child], node.child[child]};
            }
            continue;
        }
        const MeshRayTree::Block& block = tree.blocks[entry.node & ~MeshRayTree::leaf];
        double distance[MeshRayTree::block_size];
        shear.meet(block, distance);
        for (std::uint32_t k = 0; k < MeshRayTree::block_size; ++k) {
            if (!(distance[k] >= 0 && distance[k] <= most) || (best && distance[k] > best->distance))
                continue;
            const MeshTriangle triangle = triangle_of(mesh, block.triangle[k]);
            if (best && distance[k] == best->distance && triangle.number > best->sub_shape) continue;
            const DVec3 normal = triangle.normal();
            const bool behind = dot(normal, ray.direction) > 0;
            if (behind && !g.options.two_sided) continue;
            best = RayHit{distance[k], behind ? -normal : normal, triangle.number};
            limit = static_cast<float>(distance[k] / end) * (1 + tree_rounding);
        }
    }
    return best;
}

} // namespace scree
