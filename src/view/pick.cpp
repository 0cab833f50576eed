// SPDX-License-Identifier: MIT
// pick.cpp — see pick.h.
#include "view/pick.h"

#include "render/glass.h"

#include <algorithm>
#include <cstdio>

namespace scree::view {

bool is_glass(const Geometry& geometry, const Pose& pose) {
    return render::is_wall(geometry, rotate(conjugate(pose.rotation), Vec3{0, 1, 0}));
}

namespace {

/// The nearest triangle of a deforming mesh, from either side (Möller and Trumbore 1997).
void pick_surface(const AppearanceMesh& mesh, const Frame& frame, const Ray& ray,
                  std::optional<Picked>& best) {
    std::vector<Vec3> followed, normals;
    if (mesh.skin) find_vertices(mesh, frame, followed, normals);
    const Vec3* vertices = mesh.skin ? followed.data() : frame.vertices.data() + mesh.first_vertex;
    const auto vertex = [&](std::uint32_t k) { return wide(vertices[k]); };
    const Pose pose = frame.pose(*mesh.body);
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const DVec3 a = vertex(mesh.triangles[t]);
        const DVec3 ab = vertex(mesh.triangles[t + 1]) - a, ac = vertex(mesh.triangles[t + 2]) - a;
        const DVec3 across = cross(ray.direction, ac);
        const double volume = dot(ab, across);
        if (volume == 0) continue;
        const DVec3 from = ray.origin - a, along = cross(from, ab);
        const double u = dot(from, across) / volume, v = dot(ray.direction, along) / volume;
        const double distance = dot(ac, along) / volume;
        if (u < 0 || v < 0 || u + v > 1 || !(distance > 0) || (best && distance >= best->distance)) continue;
        const DVec3 normal = cross(ab, ac), point = ray.at(distance);
        best = Picked{*mesh.body,
                      0,
                      distance,
                      point,
                      (dot(normal, ray.direction) > 0 ? -1 : 1) / length(normal) * normal,
                      narrow(apply_inverse(wide(pose), point))};
    }
}

/// The nearest line of a rope or net that the ray passes by less than a hundredth of its way: some pixels.
void pick_lines(const AppearanceLines& lines, const Frame& frame, const Ray& ray,
                std::optional<Picked>& best) {
    constexpr double reach = 0.01;
    const auto vertex = [&](std::uint32_t k) { return wide(frame.vertices[lines.first_vertex + k]); };
    const Pose pose = frame.pose(*lines.body);
    for (std::size_t i = 0; i + 1 < lines.ends.size(); i += 2) {
        const DVec3 a = vertex(lines.ends[i]), ab = vertex(lines.ends[i + 1]) - a, from = a - ray.origin;
        // where the line, seen along the ray, comes nearest to it
        const DVec3 side = ab - ray.direction * dot(ab, ray.direction),
                    off = from - ray.direction * dot(from, ray.direction);
        const double size = dot(side, side);
        const double share = size > 0 ? std::clamp(-dot(off, side) / size, 0.0, 1.0) : 0;
        const DVec3 point = a + ab * share;
        const double distance = dot(point - ray.origin, ray.direction);
        if (!(distance > 0) || (best && distance >= best->distance)) continue;
        if (length(point - ray.at(distance)) > reach * distance) continue;
        best = Picked{
            *lines.body, 0, distance, point, -1.0 * ray.direction, narrow(apply_inverse(wide(pose), point))};
    }
}

std::optional<Picked> pick_solid(const Frame& frame, const Ray& ray, bool particles) {
    if (!frame.appearance) return std::nullopt;
    const Appearance& look = *frame.appearance;
    std::optional<Picked> best;
    for (std::uint32_t b = 0; b < look.body_count; ++b) {
        if (frame.has(b, Frame::absent)) continue;
        const AppearanceShape& shape = look.shapes[look.bodies[b].shape];
        const Pose pose = frame.pose(b);
        // most bodies are far from the ray
        const DVec3 to = wide(pose.position) - ray.origin;
        const double along = dot(to, ray.direction);
        if (std::isfinite(shape.reach)) {
            const double reach2 = shape.reach * shape.reach;
            if (dot(to, to) - along * along > reach2 * (1 + 1e-9) || along < -shape.reach) continue;
            if (best && along - shape.reach > best->distance) continue;
        }
        const Ray local{apply_inverse(wide(pose), ray.origin),
                        rotate(conjugate(wide(pose.rotation)), ray.direction)};
        const auto offer = [&](std::uint32_t part, const RayHit& hit, DVec3 normal) {
            if (best && hit.distance >= best->distance) return;
            best = Picked{b,
                          part,
                          hit.distance,
                          ray.at(hit.distance),
                          rotate(wide(pose.rotation), normal),
                          narrow(local.at(hit.distance))};
        };
        if (particles && !shape.particles.empty()) {
            for (std::uint32_t k = 0; k < shape.particles.size(); ++k)
                if (const auto hit =
                        ray_hit_sphere(wide(shape.particles[k].offset), shape.particles[k].radius, local))
                    offer(k, *hit, hit->normal);
            continue;
        }
        const std::vector<AppearancePart>& parts = shape.shown();
        for (std::uint32_t k = 0; k < parts.size(); ++k) {
            const Pose& own = parts[k].pose;
            if (look.bodies[b].type == BodyType::fixed && is_glass(parts[k].geometry, pose * own)) continue;
            const Ray inner{apply_inverse(wide(own), local.origin),
                            rotate(conjugate(wide(own.rotation)), local.direction)};
            if (const auto hit = ray_hit(parts[k].geometry, inner))
                offer(k, *hit, rotate(wide(own.rotation), hit->normal));
        }
    }
    for (const AppearanceMesh& mesh : look.meshes)
        if (mesh.body && frame.vertices.size() >= std::size_t{mesh.first_vertex} + mesh.vertex_count)
            pick_surface(mesh, frame, ray, best);
    return best;
}

} // namespace

std::optional<Picked> pick(const Frame& frame, const Ray& ray, bool particles) {
    std::optional<Picked> best = pick_solid(frame, ray, particles);
    if (!frame.appearance) return best;
    for (const AppearanceLines& lines : frame.appearance->lines)
        if (lines.body && frame.vertices.size() >= std::size_t{lines.first_vertex} + lines.vertex_count)
            pick_lines(lines, frame, ray, best);
    return best;
}

bool is_seen(const Frame& frame, DVec3 eye, DVec3 point, std::optional<std::uint32_t> own, bool particles) {
    const double distance = length(point - eye);
    if (!(distance > 0)) return true;
    const auto hit = pick_solid(frame, {eye, (1 / distance) * (point - eye)}, particles);
    // a contact point lies a little below both surfaces
    return !hit || hit->body == own || hit->distance > 0.99 * distance;
}

std::string probe_text(const Frame& frame, const Picked& picked) {
    const AppearanceBody& look = frame.appearance->bodies[picked.body];
    const AppearanceShape& shape = frame.appearance->shapes[look.shape];
    std::string text = "body " + std::to_string(picked.body);
    if (!look.name.empty()) text += " \"" + look.name + "\"";
    text += "\n";
    if (shape.shown().empty() && shape.particles.empty()) {
        text += "surface";
    } else if (shape.particles.empty()) {
        const std::vector<AppearancePart>& parts = shape.shown();
        text += geometry_name(parts[picked.part].geometry);
        if (parts.size() > 1)
            text += ", part " + std::to_string(picked.part) + " of " + std::to_string(parts.size());
    } else {
        text += std::to_string(shape.particles.size()) +
                (shape.particles.size() == 1 ? " particle" : " particles");
    }
    if (!shape.name.empty()) text += " (" + shape.name + ")";
    char line[160];
    if (look.type == BodyType::dynamic) {
        std::snprintf(line, sizeof line, "\n%.4g kg", double{look.mass});
        text += line;
        if (picked.body < frame.velocity.size()) {
            std::snprintf(line, sizeof line, ", %.3g m/s, %.3g rad/s",
                          length(wide(frame.velocity[picked.body])),
                          length(wide(frame.angular_velocity[picked.body])));
            text += line;
        }
    } else {
        text += look.type == BodyType::fixed ? "\nfixed" : "\nkinematic";
    }
    if (frame.has(picked.body, Frame::frozen)) text += "\nfrozen: it became non-finite";
    else if (frame.has(picked.body, Frame::asleep)) text += "\nasleep";
    std::snprintf(line, sizeof line, "\nat %.3f, %.3f, %.3f", picked.point.x, picked.point.y, picked.point.z);
    return text + line;
}

} // namespace scree::view
