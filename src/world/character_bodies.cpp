// SPDX-License-Identifier: MIT
// character_bodies.cpp — see scree/character_bodies.h. + - * / and square roots only: the same bits on every machine.
#include "scree/character_bodies.h"

#include "scree/error.h"
#include "world/checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace scree {
namespace {

/// The direction in which points spread most: their covariance, squared until one direction is left.
DVec3 longest_axis(const std::vector<DVec3>& points, DVec3 centre) {
    double c[3][3] = {};
    for (const DVec3& p : points) {
        const DVec3 d = p - centre;
        const double v[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) c[i][j] += v[i] * v[j];
    }
    for (int round = 0; round < 12; ++round) {
        const double trace = c[0][0] + c[1][1] + c[2][2];
        if (!(trace > 0)) return {0, 1, 0};
        double square[3][3] = {};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k) square[i][j] += c[i][k] / trace * (c[k][j] / trace);
        std::copy(&square[0][0], &square[0][0] + 9, &c[0][0]);
    }
    int widest = 0;
    for (int i = 1; i < 3; ++i)
        if (c[i][i] > c[widest][widest]) widest = i;
    const DVec3 axis{c[0][widest], c[1][widest], c[2][widest]};
    return length(axis) > 0 ? normalized(axis) : DVec3{0, 1, 0};
}

/// The shortest turn from y.
Quat turn_from_y(DVec3 to) {
    if (to.y < -1 + 1e-12) return {1, 0, 0, 0};
    return narrow(normalized(DQuat{to.z, 0, -to.x, 1 + to.y}));
}

/// The shortest turn from z.
Quat turn_from_z(DVec3 to) {
    if (to.z < -1 + 1e-12) return {1, 0, 0, 0};
    return narrow(normalized(DQuat{-to.y, to.x, 0, 1 + to.z}));
}

/// The bone that moves a vertex most.
std::uint32_t strongest(const SkinnedModel& model, std::size_t vertex) {
    std::uint32_t best = model.first_weight[vertex];
    for (std::uint32_t w = best + 1; w < model.first_weight[vertex + 1]; ++w)
        if (model.weights[w].weight > model.weights[best].weight) best = w;
    return model.weights[best].bone;
}

double extent(const std::vector<DVec3>& points) {
    if (points.empty()) return 0;
    DVec3 low = points[0], high = low;
    for (const DVec3& p : points) low = min(low, p), high = max(high, p);
    return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

BoneCapsule around(const std::vector<DVec3>& points, double inside) {
    DVec3 low = points[0], high = low, mean;
    for (const DVec3& p : points) mean += p, low = min(low, p), high = max(high, p);
    const DVec3 axis = longest_axis(points, mean / static_cast<double>(points.size()));
    const DVec3 middle = 0.5 * (low + high);
    // the middle line: half-way across in two directions
    const DVec3 across =
        normalized(std::fabs(axis.x) < 0.7 ? cross(axis, DVec3{1, 0, 0}) : cross(axis, DVec3{0, 1, 0}));
    const DVec3 sides[] = {across, cross(axis, across), axis};
    double least[3], most[3];
    for (int k = 0; k < 3; ++k) {
        least[k] = most[k] = dot(points[0] - middle, sides[k]);
        for (const DVec3& p : points) {
            least[k] = std::min(least[k], dot(p - middle, sides[k]));
            most[k] = std::max(most[k], dot(p - middle, sides[k]));
        }
    }
    DVec3 centre = middle;
    for (int k = 0; k < 3; ++k) centre += 0.5 * (least[k] + most[k]) * sides[k];
    std::vector<double> distances;
    distances.reserve(points.size());
    for (const DVec3& p : points) distances.push_back(length(cross(p - centre, axis)));
    const auto nth = static_cast<std::ptrdiff_t>(inside * static_cast<double>(distances.size() - 1));
    std::nth_element(distances.begin(), distances.begin() + nth, distances.end());
    const double half = 0.5 * (most[2] - least[2]);
    const double radius = std::min(std::max(distances[static_cast<std::size_t>(nth)], 0.05 * half), half);
    BoneCapsule out;
    out.pose = {narrow(centre), turn_from_y(axis)};
    out.capsule = {static_cast<float>(std::max(half - radius, 0.02 * half)), static_cast<float>(radius)};
    return out;
}

} // namespace

std::vector<BoneCapsule> fit_capsules(const SkinnedModel& model, const CapsuleFit& fit) {
    check_within(double{fit.least_size}, 0, 1, "CapsuleFit::least_size", "0 to 1");
    check_within(double{fit.inside}, 0, 1, "CapsuleFit::inside", "0 to 1");
    check(model, "model");
    // vertices of each joint in its frame, without scale: that of the bind pose, which bones may each have their own
    std::vector<std::vector<DVec3>> points(model.joints.size());
    const std::vector<Affine> frames = joint_frames(model, rest_pose(model));
    const std::vector<Pose> poses = joint_poses(model, rest_pose(model));
    DVec3 low{1e300, 1e300, 1e300}, high = -low;
    for (std::size_t v = 0; v < model.mesh.vertices.size(); ++v) {
        const ModelBone& bone = model.bones[strongest(model, v)];
        const Vec3 at = apply(frames[bone.joint], apply(bone.inverse_bind, model.mesh.vertices[v]));
        points[bone.joint].push_back(apply_inverse(wide(poses[bone.joint]), wide(at)));
        low = min(low, wide(at)), high = max(high, wide(at));
    }
    const double least = double{fit.least_size} * std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    // small limbs go to the joint above; children first
    const auto parent_of = [&](std::size_t j) { return model.joints[j].parent; };
    for (std::size_t j = model.joints.size(); j-- > 0;) {
        if (points[j].empty() || (points[j].size() >= 8 && extent(points[j]) >= least) || parent_of(j) < 0)
            continue;
        const auto parent = static_cast<std::size_t>(parent_of(j));
        if (points[parent].empty()) continue; // nothing above that it could join
        for (const DVec3& p : points[j])
            points[parent].push_back(apply_inverse(wide(poses[parent]), apply(wide(poses[j]), p)));
        points[j].clear();
    }
    std::vector<BoneCapsule> out;
    std::vector<std::int32_t> capsule_of(model.joints.size(), -1);
    for (std::uint32_t j = 0; j < model.joints.size(); ++j) {
        if (points[j].size() < 8 || !(extent(points[j]) >= least) || !(extent(points[j]) > 0)) continue;
        BoneCapsule capsule = around(points[j], double{fit.inside});
        capsule.joint = j;
        for (std::int32_t up = parent_of(j); up >= 0 && capsule.parent < 0;
             up = parent_of(static_cast<std::size_t>(up)))
            capsule.parent = capsule_of[static_cast<std::size_t>(up)];
        capsule_of[j] = static_cast<std::int32_t>(out.size());
        out.push_back(capsule);
    }
    if (out.empty()) throw Error("no joint of the model moves enough vertices for a capsule", model.name);
    return out;
}

JointDef capsule_joint(const SkinnedModel& model, const std::vector<BoneCapsule>& capsules, std::size_t which,
                       const CharacterBodiesDef& def) {
    const BoneCapsule& mine = capsules[which];
    const BoneCapsule& theirs = capsules[static_cast<std::size_t>(mine.parent)];
    const std::vector<Pose> rest = joint_poses(model, rest_pose(model));
    const DPose first = wide(rest[mine.joint]) * wide(mine.pose),
                second = wide(rest[theirs.joint]) * wide(theirs.pose);
    const DVec3 anchor = wide(rest[mine.joint].position);
    // the limb's own direction, away from the joint
    const DVec3 along = first.position - anchor;
    const DVec3 axis = length(along) > 1e-6 ? normalized(along) : rotate(first.rotation, DVec3{0, 1, 0});
    const DPose frame{anchor, wide(turn_from_z(axis))};
    const DPose in_first = inverse(first) * frame, in_second = inverse(second) * frame;
    JointDef joint{.type = JointType::ball, .first = {}};
    joint.frames =
        std::array<JointFrame, 2>{JointFrame{in_first.position, narrow(normalized(in_first.rotation))},
                                  JointFrame{in_second.position, narrow(normalized(in_second.rotation))}};
    joint.limit = JointLimit{-def.twist, def.twist};
    joint.swing = def.swing;
    return joint;
}

DPose capsule_place(const BoneCapsule& capsule, const std::vector<Pose>& joints, const DPose& at) {
    DPose place = at * (wide(joints[capsule.joint]) * wide(capsule.pose));
    place.rotation = normalized(place.rotation);
    return place;
}

CharacterBodies make_character_bodies(World& world, const SkinnedModel& model, const ModelPose& pose,
                                      const CharacterBodiesDef& def) {
    check(def.shape);
    check(def.body);
    check_finite(def.position, "position");
    check_not_negative(def.friction, "friction");
    check_within(double{def.swing}, 0.01, 3, "swing", "0.01 to 3");
    check_within(double{def.twist}, 0, 3, "twist", "0 to 3");
    const DPose at{def.position, wide(unit_rotation(def.rotation, "rotation"))};
    CharacterBodies out;
    out.capsules = fit_capsules(model, def.fit);
    const std::vector<Pose> joints = joint_poses(model, pose);
    for (const BoneCapsule& capsule : out.capsules)
        check_finite(capsule_place(capsule, joints, at).position, "pose");

    BodyDef body = def.body;
    body.type = def.dynamic ? BodyType::dynamic : BodyType::kinematic;
    ShapeDef shape = def.shape;
    shape.position = {}, shape.rotation = {};
    float mass = 0, height = 0;
    for (const BoneCapsule& capsule : out.capsules) {
        const DPose place = capsule_place(capsule, joints, at);
        body.position = place.position;
        body.rotation = narrow(place.rotation);
        body.name = model.joints[capsule.joint].name;
        const BodyId id = world.create_body(body);
        if (shape.filter.group == 0) shape.filter.group = -static_cast<std::int32_t>(id.index) - 1;
        world.attach(id, capsule.capsule, shape);
        const double r = double{capsule.capsule.radius}, half = double{capsule.capsule.half_height};
        mass += static_cast<float>(double{shape.density} * 3.14159265358979 * r * r * (2 * half + 4 * r / 3));
        height += 2 * static_cast<float>(half + r);
        out.bodies.push_back(id);
    }
    for (std::size_t k = 0; k < out.capsules.size(); ++k) {
        if (out.capsules[k].parent < 0) continue;
        JointDef joint = capsule_joint(model, out.capsules, k, def);
        joint.first = out.bodies[k];
        joint.second = out.bodies[static_cast<std::size_t>(out.capsules[k].parent)];
        if (def.friction > 0)
            joint.drive =
                JointFriction{def.friction * mass * height / static_cast<float>(out.capsules.size())};
        out.joints.push_back(world.create_joint(joint));
    }
    return out;
}

void follow(World& world, const CharacterBodies& bodies, const SkinnedModel& model, const ModelPose& pose,
            const DPose& at, float dt) {
    const std::vector<Pose> joints = joint_poses(model, pose);
    for (std::size_t k = 0; k < bodies.bodies.size(); ++k) {
        const DPose place = capsule_place(bodies.capsules[k], joints, at);
        world.set_target(bodies.bodies[k], place.position, narrow(place.rotation), dt);
    }
}

void make_dynamic(World& world, const CharacterBodies& bodies) {
    for (const BodyId body : bodies.bodies) world.set_type(body, BodyType::dynamic);
}

void make_kinematic(World& world, const CharacterBodies& bodies) {
    for (const BodyId body : bodies.bodies) world.set_type(body, BodyType::kinematic);
}

void read_pose(const std::vector<DPose>& bodies, const std::vector<BoneCapsule>& capsules,
               const SkinnedModel& model, const DPose& at, ModelPose& pose) {
    std::vector<std::optional<DPose>> held(model.joints.size());
    for (std::size_t k = 0; k < capsules.size(); ++k)
        held[capsules[k].joint] = inverse(at) * (bodies[k] * inverse(wide(capsules[k].pose)));
    std::vector<Affine> frames(model.joints.size());
    std::vector<DQuat> turns(model.joints.size());
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const std::int32_t parent = model.joints[j].parent;
        const Affine above = parent < 0 ? Affine{} : frames[static_cast<std::size_t>(parent)];
        const DQuat turned = parent < 0 ? DQuat{} : turns[static_cast<std::size_t>(parent)];
        if (held[j]) {
            if (const std::optional<Affine> below = inverse(above))
                pose[j].position = apply(*below, narrow(held[j]->position));
            pose[j].rotation = narrow(normalized(conjugate(turned) * held[j]->rotation));
        }
        frames[j] = above * affine(pose[j]);
        turns[j] = turned * wide(pose[j].rotation);
    }
}

void read_pose(const World& world, const CharacterBodies& bodies, const SkinnedModel& model, const DPose& at,
               ModelPose& pose) {
    std::vector<DPose> places;
    places.reserve(bodies.bodies.size());
    for (const BodyId body : bodies.bodies)
        places.push_back({world.position(body), wide(world.state(body).rotation)});
    read_pose(places, bodies.capsules, model, at, pose);
}

} // namespace scree
