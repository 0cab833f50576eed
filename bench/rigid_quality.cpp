// SPDX-License-Identifier: MIT
// rigid_quality.cpp — see rigid_quality.h.
#include "rigid_quality.h"

#include "rigid_mass.h"
#include "rigid_overlap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scree::bench {

namespace {

struct BodyPart {
    PlacedPart part;
    std::uint32_t body = 0;
    bool fixed = false;
    Filter filter;
};

/// as World does it
bool may_collide(const Filter& a, const Filter& b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

bool finite(const RigidPose& p) {
    const double numbers[] = {p.position.x,        p.position.y, p.position.z,         p.rotation.s,
                              p.rotation.x,        p.rotation.y, p.rotation.z,         p.velocity.x,
                              p.velocity.y,        p.velocity.z, p.angular_velocity.x, p.angular_velocity.y,
                              p.angular_velocity.z};
    return std::all_of(std::begin(numbers), std::end(numbers), [](double n) { return std::isfinite(n); });
}

bool inside(const BenchScene& scene, const DVec3& p) {
    return p.x >= scene.low.x && p.y >= scene.low.y && p.z >= scene.low.z && p.x <= scene.high.x &&
           p.y <= scene.high.y && p.z <= scene.high.z;
}

PlacedPart placed(const RigidShape::Part& part, const RigidPose& pose, const Solids& solids) {
    PlacedPart place;
    const DQuat turn = wide(pose.rotation);
    place.centre = pose.position + rotate(turn, wide(part.definition.position));
    place.rotation = turn * wide(part.definition.rotation);
    if (const auto* box = std::get_if<Box>(&part.geometry)) {
        place.core = PlacedPart::Core::box;
        place.half = {box->x, box->y, box->z};
    } else if (const auto* sphere = std::get_if<Sphere>(&part.geometry)) {
        place.radius = sphere->radius;
    } else if (const auto* capsule = std::get_if<Capsule>(&part.geometry)) {
        place.half = rotate(place.rotation, {0, capsule->half_height, 0});
        place.radius = capsule->radius;
    } else {
        place.core = PlacedPart::Core::hull;
        place.solid = &solids[std::get<Hull>(part.geometry)];
    }
    place.bound();
    return place;
}

/// Parts in the columns of a grid over x and z. A column is as wide as the widest part that moves, so that what begins in one
/// can touch only what begins in it or beside it; fixed parts that are wider stand apart.
class Columns {
public:
    explicit Columns(const std::vector<BodyPart>& parts) {
        for (const BodyPart& each : parts)
            if (!each.fixed) width_ = std::max(width_, wide(each));
        width_ *= 1 + 1e-9; // rounding puts nothing a column further
        for (const BodyPart& each : parts) {
            if (wide(each) > width_) wider_.push_back(&each);
            else entries_.push_back({column(each), &each});
        }
        std::sort(entries_.begin(), entries_.end(),
                  [](const Entry& a, const Entry& b) { return a.column < b.column; });
    }

    /// calls `pair` once for each two that may touch and are not both fixed
    template <class Pair>
    void each_pair(Pair pair) const {
        for (const BodyPart* large : wider_)
            for (const Entry& entry : entries_) pair(*large, *entry.part);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const auto [x, z] = entries_[i].column;
            for (std::size_t j = i + 1; j < entries_.size() && entries_[j].column == entries_[i].column; ++j)
                pair(*entries_[i].part, *entries_[j].part);
            // half of the neighbours: the others find this one
            for (const auto& beside : {Column{x, z + 1}, {x + 1, z - 1}, {x + 1, z}, {x + 1, z + 1}})
                for (auto at = std::lower_bound(entries_.begin(), entries_.end(), beside,
                                                [](const Entry& e, const Column& c) { return e.column < c; });
                     at != entries_.end() && at->column == beside; ++at)
                    pair(*entries_[i].part, *at->part);
        }
    }

private:
    using Column = std::pair<std::int64_t, std::int64_t>;
    struct Entry {
        Column column;
        const BodyPart* part;
    };
    static double wide(const BodyPart& each) {
        return std::max(each.part.high.x - each.part.low.x, each.part.high.z - each.part.low.z);
    }
    Column column(const BodyPart& each) const {
        const auto of = [&](double at) {
            return width_ > 0 ? static_cast<std::int64_t>(std::clamp(std::floor(at / width_), -1e15, 1e15))
                              : 0;
        };
        return {of(each.part.low.x), of(each.part.low.z)};
    }

    double width_ = 0;
    std::vector<Entry> entries_;
    std::vector<const BodyPart*> wider_;
};

/// the depths of all pairs that overlap, in order
std::vector<double> overlaps(const std::vector<BodyPart>& parts, const BenchScene& scene) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (const RigidJointDef& joint : scene.rigid.joints)
        joined.push_back(std::minmax(joint.first, *joint.second));
    std::sort(joined.begin(), joined.end());
    std::vector<double> depths;
    Columns(parts).each_pair([&](const BodyPart& one, const BodyPart& other) {
        const PlacedPart &a = one.part, &b = other.part;
        if (a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y ||
            a.low.z > b.high.z || b.low.z > a.high.z)
            return;
        if (one.body == other.body || (one.fixed && other.fixed)) return;
        if (!may_collide(one.filter, other.filter)) return;
        const std::pair<std::uint32_t, std::uint32_t> pair = std::minmax(one.body, other.body);
        if (std::binary_search(joined.begin(), joined.end(), pair)) return;
        if (const double depth = overlap(a, b); depth > 0) depths.push_back(depth);
    });
    std::sort(depths.begin(), depths.end());
    return depths;
}

double joint_error(const BenchScene& scene, const RigidJointDef& joint, std::span<const RigidPose> poses) {
    const auto anchor = [&](std::uint32_t body, std::size_t side) {
        const BodyDef& start = scene.rigid.bodies[body].body;
        const DVec3 local =
            joint.motion && joint.motion->frames
                ? (*joint.motion->frames)[side].position
                : apply_inverse(DPose{start.position, wide(start.rotation)}, wide(joint.anchor));
        return apply(DPose{poses[body].position, wide(poses[body].rotation)}, local);
    };
    return length(anchor(joint.first, 0) - anchor(*joint.second, 1));
}

/// that of a special scene's bodies is not known: they need not be centred
double kinetic_energy(const BenchScene& scene, const RigidBodyDef& body, const RigidPose& pose,
                      const Solids& solids) {
    if (scene.special) return std::numeric_limits<double>::quiet_NaN();
    const RigidMass mass = mass_of(scene, body, solids);
    const DVec3 v = wide(pose.velocity),
                w = rotate(conjugate(wide(pose.rotation)), wide(pose.angular_velocity));
    return 0.5 * mass.mass * dot(v, v) +
           0.5 * (mass.inertia.x * w.x * w.x + mass.inertia.y * w.y * w.y + mass.inertia.z * w.z * w.z);
}

} // namespace

std::vector<RigidPose> first_poses(const BenchScene& scene) {
    std::vector<RigidPose> poses;
    for (const RigidBodyDef& def : scene.rigid.bodies) {
        const BodyDef& body = def.body;
        poses.push_back({body.position, body.rotation, body.velocity, body.angular_velocity});
    }
    return poses;
}

RigidQuality measure(const BenchScene& scene, std::span<const RigidPose> poses, int steps) {
    RigidQuality quality;
    const Solids solids(scene);
    std::vector<BodyPart> parts;
    std::vector<bool> sound(poses.size());
    std::size_t moving = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const RigidBodyDef& body = scene.rigid.bodies[i];
        if (!scene.present(i, steps)) continue;
        const bool fixed = is_fixed(body);
        const RigidPose& pose = poses[i];
        sound[i] = finite(pose);
        if (!fixed && (!sound[i] || !inside(scene, pose.position))) ++quality.escaped;
        if (!sound[i]) continue;
        for (const RigidShape::Part& part : scene.parts(body))
            if (!std::holds_alternative<Cylinder>(part.geometry) &&
                !std::holds_alternative<Cone>(part.geometry) && !std::holds_alternative<Mesh>(part.geometry))
                parts.push_back({placed(part, pose, solids), static_cast<std::uint32_t>(i), fixed,
                                 part.definition.filter});
        if (fixed) continue;
        ++moving;
        const DVec3 v = wide(pose.velocity);
        quality.mean_height_m += pose.position.y;
        quality.mean_speed += length(v);
        if (length(v) > restless_speed) ++quality.restless;
        quality.kinetic_j += kinetic_energy(scene, body, pose, solids);
        if (scene.stands)
            quality.drift_mm = std::max(quality.drift_mm, 1e3 * length(pose.position - body.body.position));
    }
    if (moving > 0) {
        quality.mean_height_m /= static_cast<double>(moving);
        quality.mean_speed /= static_cast<double>(moving);
    }
    std::size_t joints = 0;
    for (const RigidJointDef& joint : scene.rigid.joints) {
        // six axes leave the anchors free
        if (!sound[joint.first] || !sound[*joint.second] || joint.type == JointType::six_axes) continue;
        const double error = 1e3 * joint_error(scene, joint, poses);
        quality.joint_mm = std::max(quality.joint_mm, error);
        quality.mean_joint_mm += error;
        ++joints;
    }
    if (joints > 0) quality.mean_joint_mm /= static_cast<double>(joints);

    const std::vector<double> depths = overlaps(parts, scene);
    quality.contacts = depths.size();
    if (!depths.empty()) {
        const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(depths.size())));
        quality.max_overlap_mm = 1e3 * depths.back();
        quality.p99_overlap_mm = 1e3 * depths[std::clamp<std::size_t>(rank, 1, depths.size()) - 1];
        quality.mean_overlap_mm =
            1e3 * std::accumulate(depths.begin(), depths.end(), 0.0) / static_cast<double>(depths.size());
    }
    return quality;
}

} // namespace scree::bench
