// SPDX-License-Identifier: MIT
// walking_figure.cpp — see scree/walking_figure.h. The joints are those of the ragdoll's plan, with feet; the mesh is tubes around them,
// whose rings follow two joints near a bend. The walk begins with the feet: one on the ground stays where it stands; thighs and shins follow.
#include "scree/walking_figure.h"

#include "scene/rotation.h"
#include "text/checks.h"
#include "world/ragdoll_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree {
namespace {

constexpr std::size_t around = 14;              // vertices of a ring
constexpr double pelvis = 0.5;                  // its height over ground, for a figure of height 1
constexpr double step = 0.36, on_ground = 0.62; // the way of a foot on the ground, and its share of the cycle
constexpr DVec3 left{1, 0, 0}, forth{0, 0, 1}, up{0, 1, 0};

// after the root, the parts of the plan in their order, then the feet
constexpr std::uint32_t root = 0, plan = 1, left_foot = plan + Ragdoll::parts, right_foot = left_foot + 1;
constexpr std::uint32_t of(Ragdoll::Part part) { return plan + static_cast<std::uint32_t>(part); }

enum Cloth : std::uint32_t { skin_colour, shirt, trousers, shoes };

/// A ring of a tube: an ellipse, the joint it follows, and how far it follows the next one.
struct Ring {
    double at;   ///< along the tube
    double x, z; ///< half-widths
    std::uint32_t joint, next;
    double share = 0;
    double forward = 0; ///< of its centre
};

class FigureMaker {
public:
    explicit FigureMaker(float height) : height_(double{height}) {}

    SkinnedModel make() {
        add_joints();
        model_.mesh.materials = {"skin", "shirt", "trousers", "shoes"};
        model_.colours = {Vec3{0.86f, 0.66f, 0.54f}, Vec3{0.62f, 0.2f, 0.18f}, Vec3{0.2f, 0.25f, 0.36f},
                          Vec3{0.16f, 0.13f, 0.12f}};
        add_body();
        for (const int side : {1, -1}) {
            add_arm(side);
            add_leg(side);
        }
        model_.normals = smooth_normals(model_.mesh);
        model_.clips = {walk(), stand()};
        model_.name = "walking figure";
        check(model_, model_.name);
        return std::move(model_);
    }

private:
    double height_;
    SkinnedModel model_;
    std::vector<DVec3> places_; ///< of the joints, for a height of 1

    void add_joint(const std::string& name, std::int32_t parent, DVec3 place) {
        const DVec3 above = parent < 0 ? DVec3{} : places_[static_cast<std::size_t>(parent)];
        const auto joint = static_cast<std::uint32_t>(model_.joints.size());
        model_.joints.push_back({name, parent, {narrow(height_ * (place - above)), {}}});
        model_.bones.push_back({joint, Affine{.position = narrow(-(height_ * place))}});
        places_.push_back(place);
    }

    void add_joints() {
        add_joint("root", -1, {});
        for (const RagdollPart& part : ragdoll_plan)
            add_joint(part.name, part.on < 0 ? 0 : part.on + static_cast<std::int32_t>(plan),
                      wide(part.joint) + pelvis * up);
        for (const int side : {1, -1})
            add_joint(side > 0 ? "left_foot" : "right_foot",
                      static_cast<std::int32_t>(side > 0 ? of(Ragdoll::left_shin) : of(Ragdoll::right_shin)),
                      {0.055 * side, 0.035, 0});
    }

    /// A closed tube along `axis` through rings; its ellipses lie along x and `other`.
    void tube(Cloth cloth, DVec3 origin, DVec3 axis, DVec3 other, const std::vector<Ring>& rings) {
        TriangleMesh& mesh = model_.mesh;
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        const auto count = static_cast<std::uint32_t>(around);
        const auto end = static_cast<std::uint32_t>(rings.size()) * count;
        for (const Ring& ring : rings)
            for (std::size_t k = 0; k < around; ++k) {
                const auto [sine, cosine] = of_degrees(360.0 * static_cast<double>(k) / around);
                const DVec3 centre = origin + ring.at * axis + ring.forward * other;
                vertex(centre + ring.x * cosine * left + ring.z * sine * other, ring);
            }
        vertex(origin + rings.front().at * axis + rings.front().forward * other, rings.front());
        vertex(origin + rings.back().at * axis + rings.back().forward * other, rings.back());
        // which way round is outside
        const bool turned = dot(cross(left, other), axis) * (rings.back().at - rings.front().at) < 0;
        const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            mesh.triangles.push_back({first + a, first + (turned ? c : b), first + (turned ? b : c)});
            mesh.triangle_materials.push_back(cloth);
        };
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t next = (k + 1) % count;
            for (std::uint32_t r = 0; r + count < end; r += count) {
                triangle(r + k, r + next, r + count + next);
                triangle(r + k, r + count + next, r + count + k);
            }
            triangle(end, next, k);
            triangle(end + 1, end - count + k, end - count + next);
        }
    }

    void vertex(DVec3 at, const Ring& ring) {
        if (model_.first_weight.empty()) model_.first_weight.push_back(0);
        model_.mesh.vertices.push_back(narrow(height_ * at));
        const auto share = static_cast<float>(ring.share);
        if (share < 1) model_.weights.push_back({ring.joint, 1 - share});
        if (share > 0) model_.weights.push_back({ring.next, share});
        model_.first_weight.push_back(static_cast<std::uint32_t>(model_.weights.size()));
    }

    void add_body() {
        const std::uint32_t hip = of(Ragdoll::pelvis), chest = of(Ragdoll::chest), head = of(Ragdoll::head);
        tube(trousers, {}, up, forth,
             {{0.425, 0.03, 0.03, hip, chest},
              {0.435, 0.075, 0.06, hip, chest},
              {0.47, 0.1, 0.07, hip, chest},
              {0.51, 0.1, 0.07, hip, chest, 0.1},
              {0.535, 0.094, 0.066, hip, chest, 0.25}});
        tube(shirt, {}, up, forth,
             {{0.515, 0.098, 0.07, hip, chest, 0.12},
              {0.55, 0.094, 0.067, hip, chest, 0.4},
              {0.58, 0.095, 0.068, hip, chest, 0.75},
              {0.62, 0.104, 0.074, hip, chest, 1},
              {0.68, 0.118, 0.078, hip, chest, 1},
              {0.73, 0.125, 0.074, hip, chest, 1},
              {0.77, 0.12, 0.064, hip, chest, 1},
              {0.8, 0.085, 0.052, chest, head, 0},
              {0.815, 0.045, 0.04, chest, head, 0.1}});
        tube(skin_colour, {}, up, forth,
             {{0.8, 0.034, 0.034, chest, head, 0.1},
              {0.825, 0.031, 0.032, chest, head, 0.5},
              {0.85, 0.032, 0.036, chest, head, 1, 0.004},
              {0.862, 0.046, 0.05, chest, head, 1, 0.012},
              {0.885, 0.056, 0.064, chest, head, 1, 0.01},
              {0.92, 0.061, 0.073, chest, head, 1, 0.006},
              {0.95, 0.056, 0.067, chest, head, 1, 0.002},
              {0.972, 0.044, 0.053, chest, head, 1},
              {0.986, 0.028, 0.034, chest, head, 1},
              {0.993, 0.011, 0.013, chest, head, 1}});
    }

    void add_arm(int side) {
        const std::uint32_t chest = of(Ragdoll::chest),
                            upper = of(side > 0 ? Ragdoll::left_upper_arm : Ragdoll::right_upper_arm),
                            lower = of(side > 0 ? Ragdoll::left_lower_arm : Ragdoll::right_lower_arm);
        const DVec3 origin{0.135 * side, 0, 0};
        tube(shirt, origin, up, forth,
             {{0.805, 0.02, 0.024, chest, upper, 0.5},
              {0.795, 0.036, 0.04, chest, upper, 0.6},
              {0.77, 0.04, 0.044, chest, upper, 0.85},
              {0.73, 0.037, 0.041, chest, upper, 1},
              {0.67, 0.034, 0.036, chest, upper, 1},
              {0.63, 0.031, 0.034, upper, lower, 0.2},
              {0.6, 0.03, 0.033, upper, lower, 0.5},
              {0.57, 0.03, 0.032, upper, lower, 0.8},
              {0.53, 0.029, 0.03, upper, lower, 1},
              {0.475, 0.025, 0.025, upper, lower, 1},
              {0.468, 0.02, 0.02, upper, lower, 1}});
        tube(skin_colour, origin, up, forth,
             {{0.475, 0.017, 0.02, upper, lower, 1},
              {0.455, 0.018, 0.026, upper, lower, 1},
              {0.43, 0.019, 0.033, upper, lower, 1},
              {0.405, 0.016, 0.031, upper, lower, 1},
              {0.385, 0.011, 0.022, upper, lower, 1}});
    }

    void add_leg(int side) {
        const std::uint32_t hip = of(Ragdoll::pelvis),
                            thigh = of(side > 0 ? Ragdoll::left_thigh : Ragdoll::right_thigh),
                            shin = of(side > 0 ? Ragdoll::left_shin : Ragdoll::right_shin),
                            foot = side > 0 ? left_foot : right_foot;
        const DVec3 origin{0.055 * side, 0, 0};
        tube(trousers, origin, up, forth,
             {{0.485, 0.045, 0.055, hip, thigh, 0.3},
              {0.46, 0.052, 0.062, hip, thigh, 0.6},
              {0.43, 0.054, 0.063, hip, thigh, 0.9},
              {0.38, 0.052, 0.058, hip, thigh, 1},
              {0.32, 0.046, 0.05, hip, thigh, 1},
              {0.27, 0.041, 0.045, thigh, shin, 0.2},
              {0.24, 0.04, 0.044, thigh, shin, 0.5},
              {0.21, 0.039, 0.043, thigh, shin, 0.8},
              {0.16, 0.039, 0.043, thigh, shin, 1},
              {0.09, 0.035, 0.038, thigh, shin, 1},
              {0.05, 0.034, 0.037, thigh, shin, 1},
              {0.045, 0.026, 0.028, thigh, shin, 1}});
        tube(shoes, origin + 0.024 * up, forth, up,
             {{-0.035, 0.012, 0.01, shin, foot, 1},
              {-0.03, 0.025, 0.022, shin, foot, 1},
              {-0.01, 0.029, 0.024, shin, foot, 1, 0.006},
              {0.02, 0.03, 0.024, shin, foot, 1, 0.003},
              {0.06, 0.032, 0.02, shin, foot, 1, -0.004},
              {0.095, 0.03, 0.015, shin, foot, 1, -0.009},
              {0.112, 0.02, 0.01, shin, foot, 1, -0.013},
              {0.116, 0.008, 0.005, shin, foot, 1, -0.015}});
    }

    // clips ---------------------------------------------------------------------------------------------------------

    static Quat about(DVec3 axis, double degrees) { return *rotation_by_degrees(axis, degrees); }

    /// About x, by the angle that has this cosine and sine; less than half a turn.
    static DQuat about_left(double cosine, double sine) {
        const double half = std::sqrt(0.5 * (1 + cosine));
        return {sine / (2 * half), 0, 0, half};
    }

    /// Where an ankle is at a part of the cycle, from 0 to 1, for a height of 1: on the ground it goes back evenly, then forward in the air.
    struct Ankle {
        double z, y, pitch; ///< degrees; positive: heel up
    };
    static Ankle ankle(double part) {
        if (part < on_ground) {
            const double u = part / on_ground, first = std::max(0.0, 1 - u / 0.15),
                         last = std::max(0.0, (u - 0.65) / 0.35);
            // the toes go down after the heel, the heel goes up over the toes
            return {step * (0.5 - u), 0.035 + 0.009 * first + 0.032 * last * last,
                    -14 * first + 20 * last * last};
        }
        const double v = (part - on_ground) / (1 - on_ground), w = 1 - v,
                     slope = -step * (1 - on_ground) / on_ground, ease = v * v * (3 - 2 * v);
        return {step * (ease - 0.5) + slope * (v * w * w - v * v * w),
                0.035 + 0.032 * (1 - ease) + 0.009 * ease + 0.13 * v * w * w + 0.5 * v * v * w * w,
                20 - 34 * ease + 60 * v * w * w * w};
    }

    /// Thigh, shin and foot in the plane of x = 0, for a hip at this height over ground.
    static void pose_leg(ModelPose& pose, bool is_left, double part, double hip) {
        constexpr double upper = 0.22, lower = 0.205;
        const Ankle at = ankle(part - std::floor(part));
        const double z = at.z, y = at.y - hip;
        const double reach = std::min(std::sqrt(z * z + y * y), upper + lower - 1e-4);
        // by the law of cosines; the knee is in front
        const double along = (upper * upper + reach * reach - lower * lower) / (2 * upper * reach),
                     across = std::sqrt(std::max(0.0, 1 - along * along)), size = std::sqrt(z * z + y * y);
        const double thigh_z = (along * z - across * y) / size, thigh_y = (along * y + across * z) / size;
        const double shin_z = (reach * z / size - upper * thigh_z) / lower,
                     shin_y = (reach * y / size - upper * thigh_y) / lower;
        const DQuat thigh = normalized(about_left(-thigh_y, -thigh_z)),
                    shin = normalized(about_left(-shin_y, -shin_z));
        pose[of(is_left ? Ragdoll::left_thigh : Ragdoll::right_thigh)].rotation = narrow(thigh);
        pose[of(is_left ? Ragdoll::left_shin : Ragdoll::right_shin)].rotation =
            narrow(conjugate(thigh) * shin);
        pose[is_left ? left_foot : right_foot].rotation =
            narrow(normalized(conjugate(shin) * wide(about(left, at.pitch))));
    }

    static void pose_arm(ModelPose& pose, bool is_left, double swing, double bend) {
        pose[of(is_left ? Ragdoll::left_upper_arm : Ragdoll::right_upper_arm)].rotation =
            about(forth, is_left ? 4 : -4) * about(left, swing);
        pose[of(is_left ? Ragdoll::left_lower_arm : Ragdoll::right_lower_arm)].rotation = about(left, -bend);
    }

    ModelClip walk() const {
        constexpr int keys = 48;
        std::vector<ModelPose> poses;
        for (int k = 0; k <= keys; ++k) {
            const double part = static_cast<double>(k) / keys, phase = 360 * part;
            ModelPose pose = rest_pose(model_);
            // lowest when both feet are on the ground
            const double down = 0.036 + 0.006 * of_degrees(2 * phase).cosine;
            pose_leg(pose, true, part, pelvis - 0.04 - down);
            pose_leg(pose, false, part + 0.5, pelvis - 0.04 - down);
            const double swing = of_degrees(phase + 15).cosine;
            pose_arm(pose, true, 22 * swing, 20 - 9 * swing);
            pose_arm(pose, false, -22 * swing, 20 + 9 * swing);
            pose[of(Ragdoll::chest)].rotation = about(up, 6 * swing) * about(left, 3);
            pose[of(Ragdoll::head)].rotation = about(up, -5 * swing) * about(left, -2);
            pose[of(Ragdoll::pelvis)].position.y -= static_cast<float>(height_ * down);
            // as fast as the feet on the ground go back
            pose[root].position.z = static_cast<float>(height_ * step / on_ground * part);
            poses.push_back(std::move(pose));
        }
        return clip_of("walk", 1.1f, poses);
    }

    ModelClip stand() const {
        constexpr int keys = 16;
        std::vector<ModelPose> poses;
        for (int k = 0; k <= keys; ++k) {
            const double breath = of_degrees(360.0 * k / keys).sine;
            ModelPose pose = rest_pose(model_);
            pose[of(Ragdoll::chest)].rotation = about(left, 1.2 * breath);
            pose[of(Ragdoll::head)].rotation = about(up, 6 * of_degrees(360.0 * k / keys + 50).sine);
            pose_arm(pose, true, 1.5 * breath, 8);
            pose_arm(pose, false, 1.5 * breath, 8);
            poses.push_back(std::move(pose));
        }
        return clip_of("stand", 4, poses);
    }

    ModelClip clip_of(const char* name, float seconds, const std::vector<ModelPose>& poses) const {
        ModelClip clip;
        clip.name = name;
        clip.duration = seconds;
        for (std::uint32_t j = 0; j < model_.joints.size(); ++j) {
            ModelTrack turns{j, TrackPath::rotation, TrackMode::linear, {}, {}},
                moves{j, TrackPath::position, TrackMode::linear, {}, {}};
            for (std::size_t k = 0; k < poses.size(); ++k) {
                const auto time = seconds * static_cast<float>(k) / static_cast<float>(poses.size() - 1);
                const JointPlace& at = poses[k][j];
                turns.times.push_back(time);
                turns.values.insert(turns.values.end(),
                                    {at.rotation.x, at.rotation.y, at.rotation.z, at.rotation.s});
                moves.times.push_back(time);
                moves.values.insert(moves.values.end(), {at.position.x, at.position.y, at.position.z});
            }
            if (j == root || j == of(Ragdoll::pelvis)) clip.tracks.push_back(std::move(moves));
            clip.tracks.push_back(std::move(turns));
        }
        return clip;
    }
};

} // namespace

SkinnedModel walking_figure(float height) {
    check_within(double{height}, 0.01, 100, "height", "0.01 to 100");
    return FigureMaker(height).make();
}

} // namespace scree
