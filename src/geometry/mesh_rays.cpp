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
#include <cstring>
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

using namespace ray_kernels;

typedef float Floats __attribute__((vector_size(4 * MeshRayTree::block_size)));
typedef double Doubles __attribute__((vector_size(8 * MeshRayTree::block_size)));

/// The distance of each triangle of a block that the line meets, negative or NaN of the others.
inline void meet(const MeshRayTree::Block& block, const RayShear& shear, const double* scale,
                 const double* origin, double* distance, double* behind) {
    const std::uint32_t axis[3] = {shear.x, shear.y, shear.z};
    Doubles corner[3][3], far, back;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            Floats at;
            std::memcpy(&at, block.corner[c][axis[k]], sizeof at);
            corner[c][k] = __builtin_convertvector(at, Doubles) * scale[axis[k]] - origin[axis[k]];
        }
    shear_meet(shear.sx, shear.sy, shear.along, corner[0], corner[1], corner[2], &far, &back);
    std::memcpy(distance, &far, sizeof far);
    std::memcpy(behind, &back, sizeof back);
}

struct MeshMet {
    double distance = -1; ///< negative: nothing
    bool behind = false;
    std::uint32_t triangle = 0, number = 0;
};

inline MeshMet walk(const MeshRayTree& tree, const MeshGeometry& mesh, const Vec3& by, const RayLine& line,
                    double most) {
    double end = most;
    const LineWay way = query_mesh_way(line, kernel_vector(wide(by)), kernel_vector(wide(mesh.low)),
                                       kernel_vector(wide(mesh.high)), &end);
    const RayShear shear = shear_of(line.direction);
    const double scale[3] = {by.x, by.y, by.z};
    const double origin[3] = {line.origin.x, line.origin.y, line.origin.z};

    MeshMet best;
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
            node_keys(way, node.bounds, key);
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
        double distance[MeshRayTree::block_size], behind[MeshRayTree::block_size];
        meet(block, shear, scale, origin, distance, behind);
        for (std::uint32_t k = 0; k < MeshRayTree::block_size; ++k) {
            if (!(distance[k] >= 0 && distance[k] <= most) ||
                (best.distance >= 0 && distance[k] > best.distance))
                continue;
            if (behind[k] > 0 && !mesh.options.two_sided) continue;
            const std::uint32_t number = mesh.triangle(block.triangle[k])[3] & MESH_NUMBER;
            if (distance[k] == best.distance && number > best.number) continue;
            best = {distance[k], behind[k] > 0, block.triangle[k], number};
            limit = static_cast<float>(distance[k] / end) * (1 + LINE_ROUNDING);
        }
    }
    return best;
}

// the same in wider instructions, which give the same bits
#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx2"), gnu::flatten]] MeshMet walk_wide(const MeshRayTree& tree, const MeshGeometry& mesh,
                                                        const Vec3& by, const RayLine& line, double most) {
    return walk(tree, mesh, by, line, most);
}
bool has_wide() { return __builtin_cpu_supports("avx2"); }
#else
constexpr auto walk_wide = walk;
bool has_wide() { return false; }
#endif

} // namespace

ray_kernels::RayEntry mesh_entry(const Mesh& mesh, const ray_kernels::RayLine& line, double most) {
    if (!mesh) return no_entry();
    static const bool wide = has_wide();
    const MeshGeometry& g = mesh.geometry();
    std::call_once(g.rays.made, [&] { g.rays.tree = std::make_shared<const MeshRayTree>(g); });
    const MeshMet met = wide ? walk_wide(*g.rays.tree, g, mesh.scale(), line, most)
                             : walk(*g.rays.tree, g, mesh.scale(), line, most);
    if (!(met.distance >= 0)) return no_entry();
    const MeshTriangle triangle = triangle_of(mesh, met.triangle);
    const real3 front = triangle_front(kernel_vector(triangle.corner[0]), kernel_vector(triangle.corner[1]),
                                       kernel_vector(triangle.corner[2]));
    return {true, met.distance, met.behind ? -front : front, met.number};
}

} // namespace scree
