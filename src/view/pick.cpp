// SPDX-License-Identifier: MIT
// pick.cpp — rays against the world's geometries; see pick.h.
#include "view/pick.h"

#include "scene/settings.h"
#include "view/looks.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace scree::view {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The part of a ray inside something convex, bounded by one surface after another.
struct Span {
    double enter = -infinity, leave = infinity;
    DVec3 normal{};

    void enter_at(double distance, DVec3 outward) {
        if (distance > enter) enter = distance, normal = outward;
    }
    void leave_at(double distance) { leave = std::min(leave, distance); }
    /// Keeps what lies where dot(outward, x) <= offset.
    void cut(DVec3 outward, double offset, const Ray& ray) {
        const double speed = dot(outward, ray.direction), gap = offset - dot(outward, ray.origin);
        if (speed < 0) enter_at(gap / speed, outward);
        else if (speed > 0) leave_at(gap / speed);
        else if (gap < 0) leave = -infinity;
    }
    std::optional<RayHit> hit() const {
        if (!(enter <= leave) || enter < 0 || enter == -infinity) return std::nullopt;
        return RayHit{enter, normal};
    }
};

/// Roots of a t² + 2 b t + c, smaller first, without cancellation; nothing when there are none.
std::optional<std::pair<double, double>> roots(double a, double b, double c) {
    const double d = b * b - a * c;
    if (!(d >= 0) || a == 0) return std::nullopt;
    const double q = -(b + std::copysign(std::sqrt(d), b));
    double first = q / a, second = q != 0 ? c / q : first;
    if (first > second) std::swap(first, second);
    return std::pair{first, second};
}

std::optional<RayHit> hit_box(const Box& box, const Ray& ray) {
    Span span;
    span.cut({1, 0, 0}, box.x, ray);
    span.cut({-1, 0, 0}, box.x, ray);
    span.cut({0, 1, 0}, box.y, ray);
    span.cut({0, -1, 0}, box.y, ray);
    span.cut({0, 0, 1}, box.z, ray);
    span.cut({0, 0, -1}, box.z, ray);
    return span.hit();
}

/// The mantle of an endless cylinder along y.
bool cut_mantle(Span& span, double radius, const Ray& ray) {
    const DVec3 o = ray.origin, d = ray.direction;
    const double a = d.x * d.x + d.z * d.z, c = o.x * o.x + o.z * o.z - radius * radius;
    if (a < 1e-300) return c <= 0; // along the axis
    const auto t = roots(a, o.x * d.x + o.z * d.z, c);
    if (!t) return false;
    const DVec3 at = ray.at(t->first);
    span.enter_at(t->first, normalized(DVec3{at.x, 0, at.z}));
    span.leave_at(t->second);
    return true;
}

std::optional<RayHit> hit_cylinder(const Cylinder& cylinder, const Ray& ray) {
    Span span;
    if (!cut_mantle(span, cylinder.radius, ray)) return std::nullopt;
    span.cut({0, 1, 0}, cylinder.half_height, ray);
    span.cut({0, -1, 0}, cylinder.half_height, ray);
    return span.hit();
}

std::optional<RayHit> hit_capsule(const Capsule& capsule, const Ray& ray) {
    // the nearest entry of its three parts, unless the ray begins inside one of them
    const double h = capsule.half_height, r = capsule.radius;
    const DVec3 o = ray.origin, onto{0, std::clamp(o.y, -h, h), 0};
    if (length(o - onto) < r) return std::nullopt;
    std::optional<RayHit> best = ray_hit_sphere({0, h, 0}, r, ray);
    for (const auto& other :
         {ray_hit_sphere({0, -h, 0}, r, ray), hit_cylinder({capsule.half_height, capsule.radius}, ray)})
        if (other && (!best || other->distance < best->distance)) best = other;
    return best;
}

std::optional<RayHit> hit_cone(const Cone& cone, const Ray& ray) {
    // x² + z² = k² (h - y)² for y <= h, and the base at -h
    const double h = cone.half_height, k = cone.radius / (2 * h);
    const DVec3 o = ray.origin, d = ray.direction;
    std::optional<RayHit> best;
    const auto offer = [&](double t, DVec3 normal) {
        if (t >= 0 && dot(normal, d) < 0 && (!best || t < best->distance))
            best = RayHit{t, normalized(normal)};
    };
    if (d.y > 0) {
        const double t = (-h - o.y) / d.y;
        const DVec3 at = ray.at(t);
        if (at.x * at.x + at.z * at.z <= double{cone.radius} * cone.radius) offer(t, {0, -1, 0});
    }
    const double w = h - o.y;
    const double a = d.x * d.x + d.z * d.z - k * k * d.y * d.y, b = o.x * d.x + o.z * d.z + k * k * w * d.y,
                 c = o.x * o.x + o.z * o.z - k * k * w * w;
    const auto side = [&](double t) {
        const DVec3 at = ray.at(t);
        if (at.y <= h && at.y >= -h) offer(t, {at.x, k * k * (h - at.y), at.z});
    };
    if (const auto t = roots(a, b, c)) {
        side(t->first);
        side(t->second);
    } else if (a == 0 && b != 0) {
        side(-c / (2 * b));
    }
    return best;
}

std::optional<RayHit> hit_hull(const Hull& hull, const Ray& ray) {
    Span span;
    const std::span<const Vec3> v = hull.vertices();
    for (const std::vector<std::uint32_t>& face : hull.faces()) {
        // Newell's normal: right for any polygon, however thin its corners
        DVec3 normal{};
        for (std::size_t i = 0; i < face.size(); ++i)
            normal = normal + cross(wide(v[face[i]]), wide(v[face[(i + 1) % face.size()]]));
        normal = normalized(normal);
        span.cut(normal, dot(normal, wide(v[face[0]])), ray);
    }
    return span.hit();
}

} // namespace

std::optional<RayHit> ray_hit_sphere(DVec3 centre, double radius, const Ray& ray) {
    const DVec3 o = ray.origin - centre;
    const double c = dot(o, o) - radius * radius;
    if (c < 0) return std::nullopt;
    const auto t = roots(dot(ray.direction, ray.direction), dot(o, ray.direction), c);
    if (!t || t->first < 0) return std::nullopt;
    return RayHit{t->first, normalized(o + t->first * ray.direction)};
}

std::optional<RayHit> ray_hit(const Geometry& geometry, const Ray& ray) {
    return std::visit(Overloaded{
                          [&](const Sphere& s) { return ray_hit_sphere({}, s.radius, ray); },
                          [&](const Capsule& c) { return hit_capsule(c, ray); },
                          [&](const Box& b) { return hit_box(b, ray); },
                          [&](const Cylinder& c) { return hit_cylinder(c, ray); },
                          [&](const Cone& c) { return hit_cone(c, ray); },
                          [&](const Plane&) {
                              Span span;
                              span.cut({0, 1, 0}, 0, ray);
                              return span.hit();
                          },
                          [&](const Hull& h) { return hit_hull(h, ray); },
                      },
                      geometry);
}

std::optional<Picked> pick(const Frame& frame, const Ray& ray, bool particles) {
    if (!frame.looks) return std::nullopt;
    const Looks& looks = *frame.looks;
    std::optional<Picked> best;
    const std::size_t count = std::min(frame.bodies.size(), looks.bodies.size());
    for (std::uint32_t b = 0; b < count; ++b) {
        if (frame.bodies[b].absent) continue;
        const ShapeLook& shape = looks.shapes[looks.bodies[b].shape];
        const Pose& pose = frame.bodies[b].pose;
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
        for (std::uint32_t k = 0; k < shape.parts.size(); ++k) {
            const Pose& own = shape.parts[k].pose;
            if (looks.bodies[b].type == BodyType::fixed && is_glass(shape.parts[k].geometry, pose * own))
                continue;
            const Ray inner{apply_inverse(wide(own), local.origin),
                            rotate(conjugate(wide(own.rotation)), local.direction)};
            if (const auto hit = ray_hit(shape.parts[k].geometry, inner))
                offer(k, *hit, rotate(wide(own.rotation), hit->normal));
        }
    }
    return best;
}

const char* geometry_name(const Geometry& geometry) {
    constexpr const char* names[] = {"sphere", "capsule", "box", "cylinder", "cone", "plane", "hull"};
    return names[geometry.index()];
}

std::string probe_text(const Frame& frame, const Picked& picked) {
    const BodyLook& look = frame.looks->bodies[picked.body];
    const BodyPose& body = frame.bodies[picked.body];
    const ShapeLook& shape = frame.looks->shapes[look.shape];
    std::string text = "body " + std::to_string(picked.body);
    if (!look.name.empty()) text += " \"" + look.name + "\"";
    text += "\n";
    if (shape.particles.empty()) {
        text += geometry_name(shape.parts[picked.part].geometry);
        if (shape.parts.size() > 1)
            text += ", part " + std::to_string(picked.part) + " of " + std::to_string(shape.parts.size());
    } else {
        text += std::to_string(shape.particles.size()) +
                (shape.particles.size() == 1 ? " particle" : " particles");
    }
    if (!shape.name.empty()) text += " (" + shape.name + ")";
    char line[160];
    if (look.type == BodyType::dynamic) {
        std::snprintf(line, sizeof line, "\n%.4g kg, %.3g m/s, %.3g rad/s", double{look.mass},
                      length(wide(body.velocity)), length(wide(body.angular_velocity)));
        text += line;
    } else {
        text += look.type == BodyType::fixed ? "\nfixed" : "\nkinematic";
    }
    if (body.frozen) text += "\nfrozen: it became non-finite";
    else if (body.asleep) text += "\nasleep";
    std::snprintf(line, sizeof line, "\nat %.3f, %.3f, %.3f", picked.point.x, picked.point.y, picked.point.z);
    return text + line;
}

} // namespace scree::view
