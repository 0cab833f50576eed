// SPDX-License-Identifier: MIT
// sheets.cpp — see sheets.h.
#include "render/sheets.h"

#include "render/world_model.h"
#include "scree/error.h"

#include <algorithm>
#include <string>

namespace scree::render {

namespace {

/// Those of a mesh or of lines.
template <class Look>
std::span<const Vec3> vertices_of(const Look& look, const Frame& frame) {
    if (frame.vertices.size() < std::size_t{look.first_vertex} + look.vertex_count)
        throw Error("the frame has " + std::to_string(frame.vertices.size()) +
                        " vertices; expected vertices " + std::to_string(look.first_vertex) + " to " +
                        std::to_string(std::size_t{look.first_vertex} + look.vertex_count),
                    look.name);
    return std::span(frame.vertices).subspan(look.first_vertex, look.vertex_count);
}

void check_numbers(std::span<const std::uint32_t> numbers, std::size_t each, std::uint32_t count,
                   const std::string& where) {
    for (const std::uint32_t number : numbers)
        if (number >= count)
            throw Error("invalid vertex " + std::to_string(number) + ": expected less than " +
                            std::to_string(count),
                        where);
    if (numbers.size() % each != 0)
        throw Error("there are " + std::to_string(numbers.size()) + " numbers of vertices: expected " +
                        std::to_string(each) + " for each",
                    where);
}

struct Ball {
    Vec3 centre{};
    float radius = 1;
};

Ball around(const Bounds& bounds) {
    if (bounds.empty()) return {};
    return {bounds.centre(), std::max(1e-6f, bounds.radius())};
}

Ball around(std::span<const Vec3> vertices) {
    Bounds bounds;
    for (const Vec3& v : vertices) bounds.add(v);
    return around(bounds);
}

std::array<float, 3> array_of(Vec3 v) { return {v.x, v.y, v.z}; }

} // namespace

void paint(Material& material, const Paint& with) {
    if (with.colour) material.colour = with.colour;
    if (with.roughness) material.roughness = *with.roughness;
    if (with.metallic) material.metallic = *with.metallic;
    if (with.opacity) material.alpha = *with.opacity;
    if (!with.texture.empty()) material.pattern = pattern_of(with.texture);
    if (with.texture_size) material.unit = *with.texture_size;
}

void Sheets::build(const Frame& frame, DescriptionId opaque, DescriptionId transparent) {
    clear();
    for (const AppearanceMesh& mesh : frame.appearance->meshes) add(mesh, frame, opaque, transparent);
    for (const AppearanceLines& lines : frame.appearance->lines)
        check_numbers(lines.ends, 2, lines.vertex_count, lines.name);
}

void Sheets::add(const AppearanceMesh& look, const Frame& frame, DescriptionId opaque,
                 DescriptionId transparent) {
    const auto vertices = vertices_of(look, frame);
    check_numbers(look.triangles, 3, look.vertex_count, look.name);
    Material material;
    material.roughness = 0.8f;
    paint(material, look.paint);
    const auto same = [&](const Sheet& s) {
        return s.vertex_count == look.vertex_count && s.triangles == look.triangles;
    };
    Sheet sheet;
    if (const auto known = std::find_if(spare_.begin(), spare_.end(), same); known != spare_.end()) {
        sheet = std::move(*known);
        spare_.erase(known);
    } else {
        MeshData mesh;
        mesh.vertices.resize(look.vertex_count);
        mesh.indices = look.triangles;
        sheet.vertex_count = look.vertex_count;
        sheet.triangles = look.triangles;
        sheet.mesh = renderer_.meshes().add(mesh, true);
    }
    const Ball ball = around(vertices);
    const auto stored = renderer_.meshes().edit(sheet.mesh);
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[i].inset = array_of((vertices[i] - ball.centre) * (1 / ball.radius));
    material.unit /= ball.radius; // as the insets
    Record record;
    record.pose = sheet.pose = renderer_.instances().add_pose({});
    record.radius = 1;
    record.material = material;
    record.sheet = true;
    sheet.record = renderer_.instances().add_record(record);
    GeometryNode node;
    node.mesh.levels.push_back({sheet.mesh, 0});
    node.instanced = true;
    node.records = {sheet.record};
    sheet.leaf = renderer_.description().add_geometry(material.alpha < 1 ? transparent : opaque, node);
    sheets_.push_back(std::move(sheet));
}

void Sheets::clear() {
    for (Sheet& sheet : sheets_) {
        renderer_.description().remove(sheet.leaf);
        renderer_.instances().remove_record(sheet.record);
        renderer_.instances().remove_pose(sheet.pose);
        renderer_.meshes().end_deform(sheet.mesh);
        spare_.push_back(std::move(sheet));
    }
    sheets_.clear();
    renderer_.world_lines().clear();
    bounds_ = {};
}

// vertices are stored about the middle and for a radius of 1: pose and scale say the rest, so that culling knows the bounds
void Sheets::bend(const Sheet& sheet, std::span<const Vec3> vertices, std::span<const Vec3> normals) {
    const Ball ball = around(vertices);
    renderer_.instances().set_pose(sheet.pose, {ball.centre, {}, ball.radius});
    normals_.assign(vertices.size(), {});
    for (std::size_t t = 0; normals.empty() && t + 2 < sheet.triangles.size(); t += 3) {
        const std::uint32_t* n = sheet.triangles.data() + t;
        // as long as the triangle is large
        const Vec3 across = cross(vertices[n[1]] - vertices[n[0]], vertices[n[2]] - vertices[n[0]]);
        for (int k = 0; k < 3; ++k) normals_[n[k]] = normals_[n[k]] + across;
    }
    const auto stored = renderer_.meshes().edit(sheet.mesh);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        stored[i].position = array_of((vertices[i] - ball.centre) * (1 / ball.radius));
        stored[i].normal = array_of(!normals.empty()          ? normals[i]
                                    : length(normals_[i]) > 0 ? normalized(normals_[i])
                                                              : Vec3{0, 1, 0});
    }
}

SharedVertices* Sheets::share(const Appearance& look) {
    std::uint32_t room = 0;
    for (const AppearanceMesh& mesh : look.meshes)
        room = std::max(room, mesh.first_vertex + mesh.vertex_count);
    if (sheets_.empty() || !look.lines.empty()) return nullptr;
    if (!shared_memory_ || room > shared_.room) {
        for (const Sheet& sheet : sheets_) renderer_.meshes().end_deform(sheet.mesh);
        shared_memory_.reset();
        shared_memory_ = renderer_.backend().create_shared(32 * std::size_t{room});
        shared_ = {shared_memory_.get(), room};
    }
    if (!shared_memory_) return nullptr;
    renderer_.backend().end_reads(*shared_memory_); // the last picture's
    return &shared_;
}

void Sheets::take_shared(const Frame& frame) {
    const Appearance& look = *frame.appearance;
    if (!shared_memory_ || frame.vertex_bounds.size() != sheets_.size())
        throw Error("the vertices of this frame are not those of what is drawn", "world model");
    bounds_ = {};
    for (std::size_t i = 0; i < sheets_.size(); ++i) {
        const auto& [low, high] = frame.vertex_bounds[i];
        Bounds bounds;
        bounds.add(low);
        bounds.add(high);
        bounds_.add(low);
        bounds_.add(high);
        const Ball ball = around(bounds);
        renderer_.instances().set_pose(sheets_[i].pose, {ball.centre, {}, ball.radius});
        Backend::DeformDef def;
        def.from = shared_memory_.get();
        def.positions = 16 * std::size_t{look.meshes[i].first_vertex};
        def.normals = 16 * (std::size_t{shared_.room} + look.meshes[i].first_vertex);
        def.centre = array_of(ball.centre);
        def.radius = ball.radius;
        renderer_.meshes().deform(sheets_[i].mesh, def);
    }
}

void Sheets::update(const Frame& frame) {
    if (frame.vertices_shared) {
        take_shared(frame);
        return;
    }
    const Appearance& look = *frame.appearance;
    const bool known = !frame.normals.empty() && frame.normals.size() == frame.vertices.size();
    for (std::size_t i = 0; i < sheets_.size(); ++i) {
        const AppearanceMesh& mesh = look.meshes[i];
        bend(sheets_[i], vertices_of(mesh, frame),
             known ? std::span(frame.normals).subspan(mesh.first_vertex, mesh.vertex_count)
                   : std::span<const Vec3>{});
    }
    LineList& lines = renderer_.world_lines();
    lines.clear();
    for (const AppearanceLines& part : look.lines) {
        const auto vertices = vertices_of(part, frame);
        for (std::size_t i = 0; i + 1 < part.ends.size(); i += 2)
            lines.add(vertices[part.ends[i]], vertices[part.ends[i + 1]], pose_colour(part.colour));
    }
    bounds_ = {};
    for (const Vec3& v : frame.vertices) bounds_.add(v);
}

void Sheets::colour(std::uint32_t seed) {
    for (std::uint32_t i = 0; i < sheets_.size(); ++i)
        renderer_.instances().set_colour(sheets_[i].pose, pose_colour(palette_colour(i + 1, seed)));
}

} // namespace scree::render
