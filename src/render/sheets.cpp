// SPDX-License-Identifier: MIT
// sheets.cpp — see sheets.h.
#include "render/sheets.h"

#include "render/world_model.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

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

Bounds bounds_of(std::span<const Vec3> vertices) {
    Bounds bounds;
    for (const Vec3& v : vertices) bounds.add(v);
    return bounds;
}

/// By bone, the vertices that follow it.
std::vector<Bounds> limbs_of(const AppearanceSkin& skin, std::size_t bones) {
    std::vector<Bounds> limbs(bones);
    for (std::size_t v = 0; v < skin.vertices.size(); ++v)
        for (std::size_t k = 0; k < 4; ++k)
            if (skin.weights[v][k] > 0) limbs[skin.bones[v][k]].add(skin.vertices[v]);
    return limbs;
}

/// A mean of what bones make of a vertex is between these: so all is within the boxes of the limbs as the bones move them.
Bounds moved(const std::vector<Bounds>& limbs, std::span<const Vec3> bones) {
    Bounds all;
    for (std::size_t b = 0; b < limbs.size(); ++b) {
        if (limbs[b].empty()) continue;
        const Vec3 *m = bones.data() + 4 * b, c = limbs[b].centre(), h = limbs[b].high - c;
        const Vec3 centre = c.x * m[0] + c.y * m[1] + c.z * m[2] + m[3];
        const auto reach = [&](float x, float y, float z) {
            return std::abs(x) * h.x + std::abs(y) * h.y + std::abs(z) * h.z;
        };
        const Vec3 half{reach(m[0].x, m[1].x, m[2].x), reach(m[0].y, m[1].y, m[2].y),
                        reach(m[0].z, m[1].z, m[2].z)};
        all.add(centre - half);
        all.add(centre + half);
    }
    return all;
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

void Sheets::build(const Frame& frame, DescriptionId opaque, DescriptionId transparent, bool on_host) {
    clear();
    on_host_ = on_host;
    for (const AppearanceMesh& mesh : frame.appearance->meshes) add(mesh, frame, opaque, transparent);
    for (const AppearanceLines& lines : frame.appearance->lines) {
        const auto vertices = vertices_of(lines, frame);
        check_numbers(lines.ends, 2, static_cast<std::uint32_t>(vertices.size()), lines.name);
    }
}

void Sheets::add(const AppearanceMesh& look, const Frame& frame, DescriptionId opaque,
                 DescriptionId transparent) {
    std::vector<Vec3> vertices, normals;
    find_vertices(look, frame, vertices, normals);
    const auto vertex_count = static_cast<std::uint32_t>(vertices.size());
    check_numbers(look.triangles, 3, vertex_count, look.name);
    if (!look.texture_places.empty() && look.texture_places.size() != look.triangles.size())
        throw Error("there are " + std::to_string(look.texture_places.size()) +
                        " texture coordinates: expected one for each of " +
                        std::to_string(look.triangles.size()) + " corners of triangles",
                    look.name);
    const auto picture = look.texture_places.empty()
                             ? std::nullopt
                             : pictures_.find({look.texture.name, look.texture.colours});
    static const std::vector<std::array<float, 2>> nowhere;
    const auto& places = picture ? look.texture_places : nowhere;
    Material material;
    material.roughness = 0.8f;
    paint(material, look.paint);
    if (picture) { // its colours are those of the picture
        if (!material.colour) material.colour = Vec3{1, 1, 1};
        material.pattern = Pattern::none;
    }
    const auto same = [&](const Sheet& s) {
        const bool same_skin = s.skin == look.skin || (s.skin && look.skin && *s.skin == *look.skin);
        return s.vertex_count == vertex_count && s.triangles == look.triangles &&
               s.texture_places == places && same_skin;
    };
    Sheet sheet;
    if (const auto known = std::find_if(spare_.begin(), spare_.end(), same); known != spare_.end()) {
        sheet = std::move(*known);
        spare_.erase(known);
    } else {
        sheet.vertex_count = vertex_count;
        sheet.skin = look.skin;
        sheet.triangles = look.triangles;
        sheet.texture_places = places;
        sheet.mesh = renderer_.meshes().add(mesh_of(sheet), true);
    }
    const Ball ball = around(bounds_of(vertices));
    const auto stored = renderer_.meshes().edit(sheet.mesh);
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[i].inset = array_of((vertices[sheet.vertex(i)] - ball.centre) * (1 / ball.radius));
    material.unit /= ball.radius; // as the insets
    if (sheet.skin) {
        sheet.limbs = limbs_of(*sheet.skin, look.vertex_count / 4);
        if (!on_host_) bind_to_bones(sheet);
    }
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
    DescriptionId under = material.alpha < 1 ? transparent : opaque;
    sheet.technique = {};
    if (picture)
        under = sheet.technique =
            renderer_.description().add_technique(under, level_texture(*picture, false));
    sheet.leaf = renderer_.description().add_geometry(under, node);
    sheets_.push_back(std::move(sheet));
}

MeshData Sheets::mesh_of(Sheet& sheet) const {
    MeshData mesh;
    if (sheet.texture_places.empty()) {
        mesh.vertices.resize(sheet.vertex_count);
        mesh.indices = sheet.triangles;
        return mesh;
    }
    std::map<std::tuple<std::uint32_t, float, float>, std::uint32_t> known;
    for (std::size_t i = 0; i < sheet.triangles.size(); ++i) {
        const auto& [u, v] = sheet.texture_places[i];
        const auto [at, is_new] =
            known.try_emplace({sheet.triangles[i], u, v}, static_cast<std::uint32_t>(mesh.vertices.size()));
        if (is_new) {
            sheet.corners.push_back(sheet.triangles[i]);
            mesh.vertices.emplace_back().uv = {u, v};
        }
        mesh.indices.push_back(at->second);
    }
    return mesh;
}

void Sheets::clear() {
    for (Sheet& sheet : sheets_) {
        renderer_.description().remove(sheet.leaf);
        if (sheet.technique.value) renderer_.description().remove(sheet.technique);
        renderer_.instances().remove_record(sheet.record);
        renderer_.instances().remove_pose(sheet.pose);
        renderer_.meshes().end_deform(sheet.mesh);
        spare_.push_back(std::move(sheet));
    }
    sheets_.clear();
    renderer_.world_lines().clear();
    bounds_ = {};
}

void Sheets::bind_to_bones(Sheet& sheet) {
    const auto stored = renderer_.meshes().edit(sheet.mesh);
    std::vector<std::array<std::uint32_t, 4>> bones;
    std::vector<std::array<float, 4>> weights;
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::uint32_t v = sheet.vertex(i);
        stored[i].position = array_of(sheet.skin->vertices[v]);
        stored[i].normal = array_of(sheet.skin->normals[v]);
        bones.push_back(sheet.skin->bones[v]);
        weights.push_back(sheet.skin->weights[v]);
    }
    renderer_.meshes().bind_to_bones(sheet.mesh, bones, weights);
}

void Sheets::follow(const Sheet& sheet, const Bounds& bounds, std::span<const Vec3> bones) {
    const Ball ball = around(bounds);
    renderer_.instances().set_pose(sheet.pose, {ball.centre, {}, ball.radius});
    bones_.clear();
    for (std::size_t b = 0; b + 3 < bones.size(); b += 4) {
        const Vec3 x = bones[b], y = bones[b + 1], z = bones[b + 2], at = bones[b + 3];
        bones_.push_back({x.x, y.x, z.x, at.x, x.y, y.y, z.y, at.y, x.z, y.z, z.z, at.z});
    }
    renderer_.meshes().follow(sheet.mesh, bones_, array_of(ball.centre), ball.radius);
}

// vertices are stored about the middle and for a radius of 1: pose and scale say the rest, so that culling knows the bounds
void Sheets::bend(const Sheet& sheet, const Bounds& bounds, std::span<const Vec3> vertices,
                  std::span<const Vec3> normals) {
    const Ball ball = around(bounds);
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
        const std::uint32_t v = sheet.vertex(i);
        stored[i].position = array_of((vertices[v] - ball.centre) * (1 / ball.radius));
        stored[i].normal = array_of(!normals.empty()          ? normals[v]
                                    : length(normals_[v]) > 0 ? normalized(normals_[v])
                                                              : Vec3{0, 1, 0});
    }
}

SharedVertices* Sheets::share(const Appearance& look) {
    std::uint32_t room = 0;
    for (const AppearanceMesh& mesh : look.meshes)
        room = std::max(room, mesh.first_vertex + mesh.vertex_count);
    const auto of_host = [](const Sheet& sheet) { return !sheet.corners.empty() || sheet.skin; };
    if (sheets_.empty() || !look.lines.empty() || std::any_of(sheets_.begin(), sheets_.end(), of_host))
        return nullptr;
    if (!shared_memory_ || room > shared_.room) {
        for (const Sheet& sheet : sheets_) renderer_.meshes().end_deform(sheet.mesh);
        shared_memory_.reset();
        shared_memory_ = renderer_.backend().create_shared(32 * std::size_t{room});
        shared_ = {shared_memory_.get(), room};
    }
    return shared_memory_ ? &shared_ : nullptr;
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
    bounds_ = {};
    bool all_seen = true; // all vertices of the frame are places
    for (std::size_t i = 0; i < sheets_.size(); ++i) {
        const AppearanceMesh& mesh = look.meshes[i];
        const auto vertices = vertices_of(mesh, frame);
        if (!mesh.skin) {
            const auto normals = known
                                     ? std::span(frame.normals).subspan(mesh.first_vertex, mesh.vertex_count)
                                     : std::span<const Vec3>{};
            bend(sheets_[i], bounds_of(vertices), vertices, normals);
            for (const Vec3& v : vertices) bounds_.add(v);
            continue;
        }
        all_seen = false;
        const Bounds bounds = moved(sheets_[i].limbs, vertices);
        if (on_host_) {
            find_vertices(mesh, frame, followed_, followed_normals_);
            bend(sheets_[i], bounds, followed_, followed_normals_);
        } else {
            follow(sheets_[i], bounds, vertices);
        }
        if (bounds.empty()) continue;
        bounds_.add(bounds.low);
        bounds_.add(bounds.high);
    }
    LineList& lines = renderer_.world_lines();
    lines.clear();
    for (const AppearanceLines& part : look.lines) {
        const auto vertices = vertices_of(part, frame);
        for (std::size_t i = 0; i + 1 < part.ends.size(); i += 2)
            lines.add(vertices[part.ends[i]], vertices[part.ends[i + 1]], pose_colour(part.colour));
        for (const Vec3& v : vertices) bounds_.add(v);
    }
    for (std::size_t i = 0; all_seen && i < frame.vertices.size(); ++i) bounds_.add(frame.vertices[i]);
}

void Sheets::colour(std::uint32_t seed) {
    for (std::uint32_t i = 0; i < sheets_.size(); ++i)
        renderer_.instances().set_colour(sheets_[i].pose, pose_colour(palette_colour(i + 1, seed)));
}

} // namespace scree::render
