// SPDX-License-Identifier: MIT
// debug_lines.cpp — see debug_lines.h.
#include "view/debug_lines.h"

#include "geometry/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace scree::view {
namespace {

namespace dc = debug_colours;

struct Drawing {
    DebugGeometry& out;
    std::size_t most;

    void line(DVec3 from, DVec3 to, Colour colour) const {
        if (!is_finite(from) || !is_finite(to)) return;
        if (out.lines.size() >= most) out.truncated = true;
        else out.lines.push_back({narrow(from), narrow(to), colour});
    }
    void point(DVec3 at, Colour colour) const {
        if (!is_finite(at)) return;
        if (out.points.size() >= most) out.truncated = true;
        else out.points.push_back({narrow(at), colour});
    }
    void label(DVec3 at, std::string text, std::optional<std::uint32_t> body = {}) const {
        constexpr std::size_t most_labels = 2'000; // more cannot be read
        if (!is_finite(at)) return;
        if (out.labels.size() >= std::min(most, most_labels)) out.truncated = true;
        else out.labels.push_back({narrow(at), std::move(text), body});
    }
    void box(const Bounds& b, Colour colour) const {
        const double x[2] = {b.low.x, b.high.x}, y[2] = {b.low.y, b.high.y}, z[2] = {b.low.z, b.high.z};
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                line({x[0], y[i], z[j]}, {x[1], y[i], z[j]}, colour);
                line({x[i], y[0], z[j]}, {x[i], y[1], z[j]}, colour);
                line({x[i], y[j], z[0]}, {x[i], y[j], z[1]}, colour);
            }
    }
    void arrow(DVec3 from, DVec3 along, Colour colour) const {
        const double size = length(along);
        if (!(size > 0)) return;
        const DVec3 tip = from + along, d = (1 / size) * along;
        const DVec3 side = normalized(cross(d, std::abs(d.y) < 0.9 ? DVec3{0, 1, 0} : DVec3{1, 0, 0}));
        line(from, tip, colour);
        for (const double s : {-0.08, 0.08}) line(tip, tip - 0.2 * along + (s * size) * side, colour);
    }
};

/// Sizes of marks: a part of the scene's.
double scene_size(const Appearance& looks) {
    return std::max(length(wide(looks.high) - wide(looks.low)), 1e-3);
}

void draw_bounds(const Frame& frame, const Drawing& d) {
    for (std::size_t b = 0; b < frame.size(); ++b) {
        if (frame.has(b, Frame::absent)) continue;
        const Pose pose = frame.pose(b);
        for (const AppearancePart& part : frame.appearance->shapes[frame.appearance->bodies[b].shape].parts)
            if (!is_plane(part.geometry))
                d.box(bounds_of(part.geometry, pose * part.pose),
                      frame.has(b, Frame::asleep) ? dc::sleeping_bounds : dc::bounds);
    }
}

/// a colour for each level
void draw_tree(const Frame& frame, const Drawing& d) {
    for (const TreeBox& box : frame.tree)
        d.box({wide(box.low), wide(box.high)}, number_colour(static_cast<std::uint32_t>(box.level)));
}

std::array<DVec3, 8> corners_of(const DetectorView::Box& box) {
    std::array<DVec3, 8> out;
    for (std::size_t k = 0; k < 8; ++k)
        out[k] = {k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y,
                  k & 4 ? box.high.z : box.low.z};
    return out;
}
void draw_corners(const std::array<DVec3, 8>& corners, const Drawing& d, Colour colour) {
    for (std::size_t k = 0; k < 8; ++k)
        for (const std::size_t bit : {1u, 2u, 4u})
            if (!(k & bit)) d.line(corners[k], corners[k | bit], colour);
}

/// Cells that something may enter, ways from their beginnings to their ends, and pairs: nearest points, or which two.
void draw_detector(const DetectorView& detector, const Drawing& d) {
    std::vector<bool> entered(detector.cells.size());
    for (const DetectorView::Way& way : detector.ways) {
        for (const std::uint32_t cell : way.cells)
            if (cell < entered.size()) entered[cell] = true;
        const std::array<DVec3, 8> first = corners_of(way.first), last = corners_of(way.last);
        draw_corners(first, d, dc::way);
        draw_corners(last, d, dc::way_end);
        for (std::size_t k = 0; k < 8; ++k) d.line(first[k], last[k], dc::way);
    }
    for (std::uint32_t c = 0; c < detector.cells.size(); ++c) {
        if (!entered[c]) continue;
        const CollisionCells::Cell& cell = detector.cells[c];
        // a little smaller, so that neighbours do not share edges
        const DVec3 in = min(DVec3{0.03, 0.03, 0.03}, (cell.high - cell.low) / 8);
        std::array<DVec3, 8> corners = corners_of({cell.low + in, cell.high - in});
        for (DVec3& corner : corners) corner = rotate(cell.rotation, corner);
        draw_corners(corners, d, number_colour(c));
    }
    for (const DetectorView::Pair& pair : detector.pairs) {
        const Colour colour = !pair.measured         ? dc::looked_at_pair
                              : pair.distance > 1e-3 ? dc::measured_pair
                                                     : dc::touching_pair;
        d.line(pair.from, pair.to, colour);
        if (pair.measured) d.point(pair.to, colour);
    }
}

/// from an entity to the outside
void draw_leaks(const Frame& frame, const Drawing& d) {
    for (const AppearanceLevel& level : frame.appearance->levels) {
        const Pose pose = frame.pose(level.body);
        for (std::size_t k = 0; k < level.leak.size(); ++k) {
            const DVec3 at = wide(apply(pose, level.leak[k]));
            d.point(at, dc::leak);
            if (k > 0) d.line(wide(apply(pose, level.leak[k - 1])), at, dc::leak);
        }
        if (!level.leak.empty()) d.label(wide(apply(pose, level.leak.front())), "a leak begins here");
    }
}

void draw_contacts(const Frame& frame, const DebugDraw& draw, const Drawing& d) {
    // the weight of a body of middling mass is drawn as long as a thirtieth of the scene
    const double size = scene_size(*frame.appearance);
    double mass = 0;
    std::size_t heavy = 0;
    for (const AppearanceBody& body : frame.appearance->bodies)
        if (body.mass > 0) mass += double{body.mass}, ++heavy;
    const double dt = frame.contact_seconds > 0 ? frame.contact_seconds : 1;
    const double weight = heavy > 0 ? mass / static_cast<double>(heavy) * 9.81 : 1;
    for (const ContactInfo& contact : frame.contacts) {
        const DVec3 normal = wide(contact.normal);
        for (int k = 0; k < contact.count; ++k) {
            const ContactPoint& point = contact.points[static_cast<std::size_t>(k)];
            const DVec3 at = wide(point.position);
            if (draw.contacts || draw.graph_colours)
                d.point(at, draw.graph_colours
                                ? (contact.colour == 255 ? rgb(90, 90, 90) : number_colour(contact.colour))
                            : point.separation > 0 ? dc::speculative
                                                   : dc::contact);
            if (draw.normals) d.line(at, at + (0.02 * size) * normal, dc::normal);
            if (draw.forces && point.normal_impulse > 0) {
                const double force = double{point.normal_impulse} / dt / weight;
                d.arrow(at, (size / 30 * std::min(force, 30.0)) * normal, dc::force);
            }
            if (draw.features) {
                char text[16];
                std::snprintf(text, sizeof text, "%x", point.feature);
                d.label(at, text);
            }
        }
    }
}

void draw_joints(const Frame& frame, const Drawing& d) {
    const double size = scene_size(*frame.appearance);
    for (const AppearanceJoint& joint : frame.appearance->joints) {
        const DPose first = wide(frame.pose(joint.first));
        const DVec3 a = apply(first, wide(joint.first_anchor));
        const DVec3 b = joint.second ? apply(wide(frame.pose(*joint.second)), wide(joint.second_anchor))
                                     : wide(joint.second_anchor);
        d.line(wide(frame.centre(joint.first)), a, dc::joint);
        if (joint.second) d.line(wide(frame.centre(*joint.second)), b, dc::joint);
        // how far they are apart: nothing, if all is well; a rope is drawn to its grounds
        if (joint.type != "pulley" || !joint.second) d.line(a, b, dc::force);
        d.point(a, dc::joint);
        if (joint.axis) {
            const DVec3 axis = (0.02 * size) * rotate(first.rotation, normalized(wide(*joint.axis)));
            d.line(a - axis, a + axis, dc::axis);
        }
    }
}

void draw_motion(const Frame& frame, const DebugDraw& draw, const Drawing& d) {
    const double size = scene_size(*frame.appearance);
    for (std::size_t b = 0; b < frame.size(); ++b) {
        if (frame.appearance->bodies[b].type == BodyType::fixed || frame.has(b, Frame::absent)) continue;
        const DVec3 centre = wide(frame.centre(b));
        if (draw.centres) {
            d.point(centre, dc::centre);
            const double arm = 0.01 * size;
            const DQuat turn = wide(frame.pose(b).rotation);
            d.line(centre, centre + rotate(turn, {arm, 0, 0}), rgb(240, 70, 70));
            d.line(centre, centre + rotate(turn, {0, arm, 0}), rgb(90, 220, 90));
            d.line(centre, centre + rotate(turn, {0, 0, arm}), rgb(90, 130, 255));
        }
        if (draw.velocities && !frame.velocity.empty() && !frame.has(b, Frame::asleep)) {
            // where it will be in a tenth of a second
            d.arrow(centre, 0.1 * wide(frame.velocity[b]), dc::velocity);
            d.line(centre, centre + (0.01 * size) * wide(frame.angular_velocity[b]), dc::spin);
        }
    }
}

} // namespace

DebugGeometry debug_geometry(const Frame& frame, const DebugDraw& draw, std::size_t most) {
    DebugGeometry geometry;
    if (!frame.appearance) return geometry;
    const Drawing d{geometry, most};
    if (draw.bounds) draw_bounds(frame, d);
    if (draw.tree) draw_tree(frame, d);
    if (draw.leaks) draw_leaks(frame, d);
    if (draw.detector && frame.detector) draw_detector(*frame.detector, d);
    if (draw.contacts || draw.normals || draw.forces || draw.features || draw.graph_colours)
        draw_contacts(frame, draw, d);
    if (draw.joints) draw_joints(frame, d);
    if (draw.centres || draw.velocities) draw_motion(frame, draw, d);
    if (draw.names)
        for (std::uint32_t b = 0; b < frame.appearance->body_count; ++b) {
            if (frame.has(b, Frame::absent)) continue;
            const std::string& name = frame.appearance->bodies[b].name;
            d.label(wide(frame.centre(b)), name.empty() ? std::to_string(b) : name, b);
        }
    if (frame.hold) {
        d.line(wide(frame.hold->point), wide(frame.hold->target), dc::hold);
        d.point(wide(frame.hold->target), dc::hold);
    }
    return geometry;
}

std::vector<std::uint32_t> islands(const Frame& frame) {
    const std::size_t count = frame.size();
    std::vector<std::uint32_t> parent(count);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t b) {
        while (parent[b] != b) b = parent[b] = parent[parent[b]];
        return b;
    };
    const auto moves = [&](std::uint32_t b) {
        return b < count && frame.appearance->bodies[b].type == BodyType::dynamic &&
               !frame.has(b, Frame::frozen);
    };
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        if (!moves(a) || !moves(b)) return;
        a = root(a), b = root(b);
        parent[std::max(a, b)] = std::min(a, b);
    };
    for (const ContactInfo& contact : frame.contacts)
        join(contact.first_body.index, contact.second_body.index);
    for (const AppearanceJoint& joint : frame.appearance->joints)
        if (joint.second) join(joint.first, *joint.second);
    std::vector<std::uint32_t> numbers(count, no_island), result(count, no_island);
    std::uint32_t next = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
        if (!moves(b)) continue;
        std::uint32_t& number = numbers[root(b)];
        if (number == no_island) number = next++;
        result[b] = number;
    }
    return result;
}

Colour number_colour(std::uint32_t number) {
    // the golden angle around the circle of hues
    const double hue = std::fmod(0.61803398875 * (number + 0.25), 1.0) * 6;
    const double value = number % 3 == 0 ? 0.95 : number % 3 == 1 ? 0.8 : 0.65;
    const auto channel = [&](double shift) {
        const double k = std::fmod(shift + hue, 6.0);
        const double c = value - value * 0.65 * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
        return static_cast<unsigned>(std::lround(255 * c));
    };
    return rgb(channel(5), channel(3), channel(1));
}

std::vector<Colour> body_colours(const Frame& frame, const DebugDraw& draw) {
    std::vector<Colour> colours;
    if (!frame.appearance || !(draw.sleep || draw.islands)) return colours;
    colours.resize(frame.size());
    std::vector<std::uint32_t> island;
    if (draw.islands) island = islands(frame);
    for (std::size_t b = 0; b < colours.size(); ++b) {
        const BodyType type = frame.appearance->bodies[b].type;
        if (frame.has(b, Frame::frozen)) colours[b] = rgb(230, 40, 40);
        else if (type == BodyType::fixed) colours[b] = rgb(150, 152, 156);
        else if (draw.islands)
            colours[b] = island[b] == no_island ? rgb(200, 200, 200) : number_colour(island[b]);
        else
            colours[b] = frame.has(b, Frame::asleep)   ? rgb(84, 96, 128)
                         : type == BodyType::kinematic ? rgb(80, 190, 190)
                                                       : rgb(240, 170, 70);
    }
    return colours;
}

} // namespace scree::view
