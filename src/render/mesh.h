// SPDX-License-Identifier: MIT
// mesh.h — triangles with shared vertices, the meshes of the world's shapes, and the one large buffer they live in.
//
// A mesh is of unit size; a record (instances.h) sizes it: corner = position * size + (0, stretch * end, 0) + inset * bevel.
// So one capsule mesh serves all capsules, and edges are rounded by the same width on every box.
#pragma once

#include "render/backend.h"
#include "render/linear.h"
#include "scree/shape.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::render {

struct MeshVertex {
    std::array<float, 3> position{};
    float end =
        0; ///< -1 or 1 at the ends of a capsule, 2 on a face that turns to the eye, 3: a point, else 0
    std::array<float, 3> normal{};
    std::array<float, 3> inset{}; ///< inwards along the faces next to an edge; of a point the areas it shows
    std::array<float, 2> uv{};
    float copy = 0;                 ///< of a cluster: which of its instances
    std::array<float, 4> tangent{}; ///< along u; w is the sign of the bitangent
};
static_assert(sizeof(MeshVertex) == 68);

struct LineVertex {
    std::array<float, 3> position{};
    std::uint32_t colour = 0xffffffffu; ///< 0xAABBGGRR
};

struct MeshData {
    std::vector<MeshVertex> vertices;
    std::vector<std::uint32_t> indices; ///< three a triangle, counter-clockwise from outside
    bool points = false;                ///< one index each, in place of triangles
    std::vector<std::uint32_t>
        edges{}; ///< of triangles whose edges are drawn in place of these, three each; default: these

    /// Bytes of an index: 2 while all vertices can be numbered with 16 bits.
    static std::size_t index_bytes(std::size_t vertices) { return vertices <= 65536 ? 2 : 4; }
};

/// Triangles as three corners each, equal corners stored once.
MeshData indexed(std::span<const MeshVertex> corners);
/// Tangents along u for meshes that have uv and normals.
void add_tangents(MeshData& mesh);

namespace meshes {
/// An icosahedron subdivided `level` times, or an octahedron (-1), its corners moved out until the volume is a sphere's.
MeshData sphere(int level);
/// Two half spheres of `segments` around and a wall between; the ends carry `end`.
MeshData capsule(int segments);
/// With rounded edges (44 triangles) or plain (12).
MeshData box(bool bevel);
/// The three faces of a plain box that may be seen: the vertex shader puts each on the side of the eye.
MeshData facing_box();
/// A square as large as the shape looks: for shapes of a pixel or two. `areas` are those that a shape of unit size shows along x, y and z.
enum class PointForm {
    faces, ///< of a box: lit by the mean of its faces
    round  ///< as an ellipsoid: lit by the mean of its half
};
MeshData point(PointForm form, Vec3 areas);
/// Of a mesh of convex shape, of its size.
MeshData point_of(const MeshData& convex);
MeshData cylinder(int segments, bool bevel);
MeshData cone(int segments);
MeshData plane();
MeshData hull(const Hull& hull);
MeshData surface(const Mesh& mesh); ///< of triangles, not scaled; both sides where it has two
/// Vertices and faces of a Wavefront OBJ text, polygons as fans; without normals the faces are flat. Throws Error naming
/// the line.
MeshData from_obj(const std::string& text, const std::string& name);
} // namespace meshes

/// Small meshes are drawn so many at a time: drivers are slow with instances of a few vertices, software ones above all.
constexpr std::uint32_t cluster_size = 16;
constexpr std::size_t cluster_vertices = 100; ///< no larger ones

using MeshId = Id<Thing::mesh>;

/// Where a mesh lies in the store's buffers.
struct MeshRange {
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::uint32_t first_index = 0, index_count = 0;
    std::uint32_t first_line = 0, line_count = 0;       ///< indices of its edges, for wireframe
    std::uint32_t first_cluster = 0, cluster_count = 0; ///< the mesh cluster_size times over, if it is small
    bool points = false;
    std::uint32_t edits = 0; ///< of its vertices
    Primitive primitive() const { return points ? Primitive::points : Primitive::triangles; }
};

/// All meshes in one vertex and one index buffer, so that changing the mesh changes no state.
class MeshStore {
public:
    explicit MeshStore(Backend& backend) : backend_(backend) {}

    MeshId add(const MeshData& mesh, bool deforms = false) { return add_all({&mesh, 1}, deforms); }
    /// Several whose triangles lie side by side, so that neighbours can be drawn as one; returns the first, the others follow it.
    MeshId add_all(std::span<const MeshData> meshes, bool deforms = false);
    /// Of a mesh that deforms, for changing them: uploaded with the next bind.
    std::span<MeshVertex> edit(MeshId mesh);
    /// The same, with positions and normals from memory that a world's device wrote, until it is edited: `def` without its vertices and
    /// insets, which stay as they were edited last. Taken over with the next bind.
    void deform(MeshId mesh, const Backend::DeformDef& def);
    /// The memory of deform() is about to go; the mesh no longer follows bones.
    void end_deform(MeshId mesh);
    /// The same, with vertices that follow bones, until it is edited: as they are now (uv and insets stay), with four bones and weights each.
    /// Goes to the device once; then call follow() for each picture.
    void bind_to_bones(MeshId mesh, std::span<const std::array<std::uint32_t, 4>> bones,
                       std::span<const std::array<float, 4>> weights);
    /// Three rows of a matrix for each bone, and the ball about whose centre the vertices lie, for a radius of 1.
    void follow(MeshId mesh, std::span<const std::array<float, 12>> bones, const std::array<float, 3>& centre,
                float radius);
    const MeshRange& range(MeshId mesh) const { return ranges_[mesh.value - 1]; }
    /// The frame's own list of triangles, for meshes of which only a part is drawn: begins it.
    void begin_choice() { choice_.clear(); }
    /// Adds `count` of a mesh's indices; returns the place of the first for DrawRange, valid until a mesh is added.
    std::uint32_t choose(MeshId mesh, std::uint32_t first, std::uint32_t count);
    /// Room for so many indices.
    void reserve_choice(std::size_t indices);
    /// Uploads new meshes and the frame's list, and binds the buffers.
    void bind();
    std::uint64_t edits() const { return edits_; } ///< of meshes that deform
    std::size_t vertex_count() const { return vertices_.size(); }
    std::size_t bytes() const; ///< on the device

private:
    void add_edges(const MeshData& mesh, MeshRange& range);
    void add_clusters(const MeshData& mesh, MeshRange& range);
    void upload();
    void upload_choice();

    /// A mesh that a world's device deforms.
    struct Deformed {
        MeshId mesh{};
        Backend::DeformDef def;
        Owned<BufferId> insets;
        bool stale = false;
    };

    /// A mesh that follows bones.
    struct Skinned {
        MeshId mesh{};
        Backend::SkinDef def;
        Owned<BufferId> rest, bones_of;
        std::vector<std::array<float, 12>> bones;
        bool stale = false;
    };
    void upload_bones();

    Backend& backend_;
    std::vector<Deformed> deformed_;
    std::vector<Skinned> skinned_;
    Owned<TextureId> bones_;
    int bone_rows_ = 0;
    std::vector<float> bone_texels_;
    bool bones_stale_ = false;
    std::vector<MeshVertex> vertices_;
    std::vector<std::uint32_t> indices_;
    std::vector<std::uint32_t> choice_; ///< lies behind the indices in their buffer
    std::vector<std::uint16_t> narrow_choice_;
    std::size_t choice_room_ = 0; ///< on the device
    bool choice_stale_ = false;
    std::vector<MeshRange> ranges_;
    Owned<BufferId> vertex_buffer_, index_buffer_;
    bool stale_ = false, wide_ = false;
    std::uint64_t edits_ = 0;
    std::size_t first_changed_ = 0, last_changed_ = 0; ///< vertices
};

} // namespace scree::render
