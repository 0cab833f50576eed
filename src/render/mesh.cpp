// SPDX-License-Identifier: MIT
// mesh.cpp — sharing vertices, tangents, the store; see mesh.h.
#include "render/mesh.h"

#include "render/linear.h"
#include "scree/error.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace scree::render {

MeshData indexed(std::span<const MeshVertex> corners) {
    const auto before = [](const MeshVertex& a, const MeshVertex& b) {
        return std::memcmp(&a, &b, sizeof(MeshVertex)) < 0;
    };
    std::map<MeshVertex, std::uint32_t, decltype(before)> known(before);
    MeshData mesh;
    for (const MeshVertex& corner : corners) {
        const auto [at, added] = known.try_emplace(corner, static_cast<std::uint32_t>(mesh.vertices.size()));
        if (added) mesh.vertices.push_back(corner);
        mesh.indices.push_back(at->second);
    }
    return mesh;
}

void add_tangents(MeshData& mesh) {
    const auto vector = [](const std::array<float, 3>& a) { return Vec3{a[0], a[1], a[2]}; };
    std::vector<Vec3> along(mesh.vertices.size()), across(mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const std::uint32_t n[3] = {mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
        const MeshVertex &a = mesh.vertices[n[0]], &b = mesh.vertices[n[1]], &c = mesh.vertices[n[2]];
        const Vec3 e1 = vector(b.position) - vector(a.position), e2 = vector(c.position) - vector(a.position);
        const float u1 = b.uv[0] - a.uv[0], v1 = b.uv[1] - a.uv[1], u2 = c.uv[0] - a.uv[0],
                    v2 = c.uv[1] - a.uv[1];
        const float area = u1 * v2 - u2 * v1;
        if (area == 0) continue;
        const Vec3 t = (e1 * v2 - e2 * v1) * (1 / area), s = (e2 * u1 - e1 * u2) * (1 / area);
        for (const std::uint32_t k : n) along[k] = along[k] + t, across[k] = across[k] + s;
    }
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        MeshVertex& v = mesh.vertices[i];
        const Vec3 n = vector(v.normal);
        Vec3 t = along[i] - n * dot(n, along[i]);
        if (dot(t, t) < 1e-12f) t = cross(n, std::abs(n.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
        t = normalized(t);
        v.tangent = {t.x, t.y, t.z, dot(cross(n, t), across[i]) < 0 ? -1.0f : 1.0f};
    }
}

MeshId MeshStore::add_all(std::span<const MeshData> meshes, bool deforms) {
    const std::size_t first = ranges_.size();
    for (const MeshData& mesh : meshes) {
        MeshRange range;
        range.first_vertex = static_cast<std::uint32_t>(vertices_.size());
        range.vertex_count = static_cast<std::uint32_t>(mesh.vertices.size());
        range.first_index = static_cast<std::uint32_t>(indices_.size());
        range.index_count = static_cast<std::uint32_t>(mesh.indices.size());
        range.points = mesh.points;
        // GLES 3.0 has no base vertex: the numbers say where the vertices lie in the whole buffer
        for (const std::uint32_t i : mesh.indices) indices_.push_back(range.first_vertex + i);
        vertices_.insert(vertices_.end(), mesh.vertices.begin(), mesh.vertices.end());
        ranges_.push_back(range);
    }
    for (std::size_t m = 0; m < meshes.size(); ++m) {
        add_edges(meshes[m], ranges_[first + m]);
        if (meshes[m].vertices.size() <= cluster_vertices && !deforms)
            add_clusters(meshes[m], ranges_[first + m]);
    }
    stale_ = true;
    return {static_cast<std::uint32_t>(first + 1)};
}

void MeshStore::add_edges(const MeshData& mesh, MeshRange& range) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    const auto& outlined = mesh.edges.empty() ? mesh.indices : mesh.edges;
    for (std::size_t i = 0; i + 2 < outlined.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k)
            edges.insert(std::minmax(outlined[i + k], outlined[i + (k + 1) % 3]));
    range.first_line = static_cast<std::uint32_t>(indices_.size());
    range.line_count = static_cast<std::uint32_t>(2 * edges.size());
    for (const auto& [a, b] : edges) {
        indices_.push_back(range.first_vertex + a);
        indices_.push_back(range.first_vertex + b);
    }
}

void MeshStore::add_clusters(const MeshData& mesh, MeshRange& range) {
    range.first_cluster = static_cast<std::uint32_t>(indices_.size());
    range.cluster_count = cluster_size * range.index_count;
    for (std::uint32_t copy = 0; copy < cluster_size; ++copy) {
        const auto first = static_cast<std::uint32_t>(vertices_.size());
        for (MeshVertex vertex : mesh.vertices) {
            vertex.copy = static_cast<float>(copy);
            vertices_.push_back(vertex);
        }
        for (const std::uint32_t i : mesh.indices) indices_.push_back(first + i);
    }
}

void MeshStore::deform(MeshId mesh, const Backend::DeformDef& def) {
    MeshRange& at = ranges_[mesh.value - 1];
    ++at.edits;
    ++edits_;
    auto changed = std::find_if(deformed_.begin(), deformed_.end(),
                                [&](const Deformed& each) { return each.mesh == mesh; });
    if (changed == deformed_.end()) {
        std::vector<float> insets;
        insets.reserve(std::size_t{3} * at.vertex_count);
        for (std::size_t i = 0; i < at.vertex_count; ++i)
            for (const float coordinate : vertices_[at.first_vertex + i].inset) insets.push_back(coordinate);
        const BufferId buffer =
            backend_.create_buffer(BufferKind::vertices, 4 * insets.size(), bytes_of(insets));
        changed = deformed_.insert(changed, {mesh, {}, {backend_, buffer}});
    }
    changed->def = def;
    changed->def.insets = changed->insets;
    changed->def.first_vertex = at.first_vertex;
    changed->def.count = at.vertex_count;
    changed->stale = true;
}

void MeshStore::end_deform(MeshId mesh) {
    std::erase_if(deformed_, [&](const Deformed& each) { return each.mesh == mesh; });
    std::erase_if(skinned_, [&](const Skinned& each) { return each.mesh == mesh; });
}

void MeshStore::bind_to_bones(MeshId mesh, std::span<const std::array<std::uint32_t, 4>> bones,
                              std::span<const std::array<float, 4>> weights) {
    end_deform(mesh);
    const MeshRange& at = ranges_[mesh.value - 1];
    const auto own = std::span(vertices_).subspan(at.first_vertex, at.vertex_count);
    std::vector<MeshVertex> rest(own.begin(), own.end());
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i].tangent = weights[i];
    Skinned& skinned = skinned_.emplace_back();
    skinned.mesh = mesh;
    const auto buffer = [&](std::span<const std::byte> bytes) {
        return Owned(backend_, backend_.create_buffer(BufferKind::vertices, bytes.size(), bytes));
    };
    skinned.rest = buffer(bytes_of(rest));
    skinned.bones_of = buffer(std::as_bytes(bones));
    skinned.def.rest = skinned.rest;
    skinned.def.bones_of = skinned.bones_of;
    skinned.def.first_vertex = at.first_vertex;
    skinned.def.count = at.vertex_count;
}

void MeshStore::follow(MeshId mesh, std::span<const std::array<float, 12>> bones,
                       const std::array<float, 3>& centre, float radius) {
    const auto skinned = std::find_if(skinned_.begin(), skinned_.end(),
                                      [&](const Skinned& each) { return each.mesh == mesh; });
    skinned->bones.assign(bones.begin(), bones.end());
    skinned->def.centre = centre;
    skinned->def.radius = radius;
    skinned->stale = bones_stale_ = true;
    ++ranges_[mesh.value - 1].edits;
    ++edits_;
}

void MeshStore::upload_bones() {
    constexpr std::size_t row = std::size_t{12} * Backend::bones_a_row;
    bone_texels_.clear();
    for (Skinned& each : skinned_) {
        const auto first = static_cast<std::uint32_t>(bone_texels_.size() / 12);
        each.stale = each.stale || each.def.first_bone != first;
        each.def.first_bone = first;
        for (const auto& bone : each.bones) bone_texels_.insert(bone_texels_.end(), bone.begin(), bone.end());
    }
    const auto rows = static_cast<int>((bone_texels_.size() + row - 1) / row);
    if (rows > backend_.max_texture_size())
        throw Error("there are more bones than the graphics driver's textures hold: " +
                    std::to_string(bone_texels_.size() / 12));
    bone_texels_.resize(static_cast<std::size_t>(rows) * row);
    if (rows > bone_rows_) {
        const int room = std::min(rows * 3 / 2, backend_.max_texture_size());
        bones_ = {backend_,
                  backend_.create_texture({TextureFormat::rgba32f, 3 * Backend::bones_a_row, room})};
        bone_rows_ = room;
    }
    if (rows > 0) backend_.update_texture(bones_, 0, rows, bytes_of(bone_texels_));
    bones_stale_ = false;
}

std::span<MeshVertex> MeshStore::edit(MeshId mesh) {
    end_deform(mesh);
    MeshRange& at = ranges_[mesh.value - 1];
    ++at.edits;
    ++edits_;
    const std::size_t end = std::size_t{at.first_vertex} + at.vertex_count;
    first_changed_ =
        last_changed_ > 0 ? std::min<std::size_t>(first_changed_, at.first_vertex) : at.first_vertex;
    last_changed_ = std::max(last_changed_, end);
    return std::span(vertices_).subspan(at.first_vertex, at.vertex_count);
}

std::uint32_t MeshStore::choose(MeshId mesh, std::uint32_t first, std::uint32_t count) {
    const auto place = static_cast<std::uint32_t>(indices_.size() + choice_.size());
    const auto from = indices_.begin() + static_cast<std::ptrdiff_t>(range(mesh).first_index + first);
    choice_.insert(choice_.end(), from, from + count);
    choice_stale_ = true;
    return place;
}

void MeshStore::reserve_choice(std::size_t indices) {
    choice_.reserve(indices);
    narrow_choice_.reserve(indices);
    if (indices <= choice_room_) return;
    choice_room_ = indices;
    stale_ = true;
}

std::size_t MeshStore::bytes() const {
    return vertices_.size() * sizeof(MeshVertex) +
           (indices_.size() + choice_room_) * MeshData::index_bytes(vertices_.size());
}

void MeshStore::upload() {
    const auto buffer = [&](BufferKind kind, std::size_t size, std::span<const std::byte> bytes) {
        return Owned(backend_, backend_.create_buffer(kind, size, bytes));
    };
    vertex_buffer_ = buffer(BufferKind::vertices, vertices_.size() * sizeof(MeshVertex), bytes_of(vertices_));
    wide_ = MeshData::index_bytes(vertices_.size()) == 4;
    const std::size_t room = indices_.size() + choice_room_;
    if (wide_) {
        index_buffer_ = buffer(BufferKind::indices, room * sizeof indices_[0], bytes_of(indices_));
    } else {
        std::vector<std::uint16_t> narrow(indices_.size());
        std::transform(indices_.begin(), indices_.end(), narrow.begin(),
                       [](std::uint32_t i) { return static_cast<std::uint16_t>(i); });
        index_buffer_ = buffer(BufferKind::indices, room * sizeof narrow[0], bytes_of(narrow));
    }
    stale_ = false;
    // the host's vertices are older
    for (Deformed& each : deformed_) each.stale = true;
    for (Skinned& each : skinned_) each.stale = true;
}

void MeshStore::upload_choice() {
    if (wide_) {
        backend_.update_buffer(index_buffer_, indices_.size() * sizeof choice_[0], bytes_of(choice_));
        return;
    }
    narrow_choice_.resize(choice_.size());
    std::transform(choice_.begin(), choice_.end(), narrow_choice_.begin(),
                   [](std::uint32_t i) { return static_cast<std::uint16_t>(i); });
    backend_.update_buffer(index_buffer_, indices_.size() * sizeof narrow_choice_[0],
                           bytes_of(narrow_choice_));
}

void MeshStore::bind() {
    if (choice_.size() > choice_room_) choice_room_ = choice_.size() * 3 / 2, stale_ = true;
    choice_stale_ = choice_stale_ || (stale_ && !choice_.empty());
    if (stale_) {
        upload();
    } else if (last_changed_ > 0) {
        backend_.update_buffer(
            vertex_buffer_, first_changed_ * sizeof(MeshVertex),
            std::as_bytes(std::span(vertices_).subspan(first_changed_, last_changed_ - first_changed_)));
        const auto overwrite = [&](auto& all) { // they may lie between meshes that were edited
            for (auto& each : all)
                each.stale = each.stale || (each.def.first_vertex < last_changed_ &&
                                            each.def.first_vertex + each.def.count > first_changed_);
        };
        overwrite(deformed_);
        overwrite(skinned_);
    }
    first_changed_ = last_changed_ = 0;
    // what throws is done again with the next picture
    if (choice_stale_ && !choice_.empty()) upload_choice();
    choice_stale_ = false;
    for (Deformed& each : deformed_) {
        if (each.stale) backend_.deform(vertex_buffer_, each.def);
        each.stale = false;
    }
    if (bones_stale_) upload_bones();
    for (Skinned& each : skinned_) {
        each.def.bones = bones_;
        if (each.stale && !each.bones.empty()) backend_.skin(vertex_buffer_, each.def);
        each.stale = false;
    }
    backend_.bind_vertices(VertexLayout::mesh, vertex_buffer_, index_buffer_, wide_);
}

} // namespace scree::render
