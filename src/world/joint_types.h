// SPDX-License-Identifier: MIT
// joint_types.h — a type of joint: a name, a check, and a function that fills the solver's rows.
//
// A new type needs a file like joint_hinge.cpp, an entry in JointType and one in the list of joint_types.cpp.
// kernels/rigid_rows.h describes the rows; solvers, colours, sleep, snapshots and devices see only rows.
#pragma once

#include "rigid/storage.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scree {

/// Linear rows: along the joint's axes, or the first is the distance between the anchors.
enum class LinearRows { axes, line };
/// Angular rows: a rotation; how z is tilted, and the twist about it; the angle between the z axes, and the twist; turns about x,
/// y and z one after the other.
enum class AngularRows { turn, tilt, cone, gimbal };
/// Of couplings row 0 is the only one, and is what the two bodies have together (kernels/rigid_coupling.h).
enum class CoupledRow { no, gear, rack, pulley };

constexpr JointRow held_row{.low = 0, .high = 0}, free_row{};

/// The rows of a definition: linear x, y, z, then angular x, y, z. Default: free.
struct JointRows {
    DVec3 anchor[2];                    ///< of the first and the second body, in world coordinates
    Quat frame{};                       ///< the joint's axes in world coordinates at creation
    std::optional<Quat> second_frame{}; ///< those of the second body, where they differ
    LinearRows linear = LinearRows::axes;
    AngularRows angular = AngularRows::turn;
    CoupledRow coupled = CoupledRow::no;
    std::array<JointRow, 6> row{};
    /// of the first and the second body, in their frames, in place of the above
    std::optional<std::array<JointFrame, 2>> local{};
    Quat turned{}; ///< then both frames are turned by this, about their own axes
    /// rows measure the first body in the second one's frame; otherwise the second in the first one's
    bool reversed = false;
};

// parts of a definition that only some types use
constexpr std::uint32_t uses_axis = 1, uses_motion = 2, uses_swing = 4, uses_length = 8, uses_axes = 16,
                        uses_pose = 32, uses_wheel = 64, uses_limit = 128, uses_second_anchor = 256,
                        uses_second_axis = 512, uses_ratio = 1024, uses_ground = 2048;

struct JointKind {
    JointType type;
    std::string_view name; ///< in scene files
    std::uint32_t uses;
    void (*check)(const JointDef& joint); ///< throws Error; all parts are sound by themselves
    /// At creation, and when the definition changes; then poses, anchors and axes are not known, and not read
    JointRows (*fill)(const JointDef& joint);
    std::uint32_t coordinate; ///< the row that JointState::coordinate and `limit` are of
    /// At creation: completes the definition that the joint keeps. Throws Error for bodies that are in no place for it
    void (*complete)(JointDef& joint, const DPose& first, const DPose& second) = nullptr;
    bool has_axis() const { return uses & uses_axis; }
};

extern const JointKind ball_joint, hinge_joint, fixed_joint, slider_joint, distance_joint, wheel_joint,
    six_axes_joint, pose_joint, gear_joint, rack_joint, pulley_joint;

bool is_known(JointType type);
const JointKind& kind_of(JointType type);
/// In the order of JointType.
std::span<const std::string_view> joint_names();
/// Names of all types, or of those with an axis: "ball, hinge or fixed".
std::string listed_joint_names(bool with_axis = false);

// for types ------------------------------------------------------------------------------------------------------------

/// The definition's anchor, with the linear rows held.
JointRows held_point(const JointDef& joint);
/// The shortest rotation from z to the axis.
Quat frame_along(const Vec3& axis);
/// z along an axis, x as near to another as that allows.
Quat frame_along(const Vec3& axis, const Vec3& x);
void check_axis(const JointDef& joint);
/// The rows of a coupling, which keeps its row 0 in a range.
JointRows coupled_rows(const JointDef& joint, CoupledRow kind, const JointLimit& range);
void check_ratio(const JointDef& joint);
/// Where the anchors are at creation: of the first and the second body.
std::array<DVec3, 2> anchors_at(const JointDef& joint, const DPose& first, const DPose& second);
inline void no_check(const JointDef&) {}
/// A row of the first body against the second; `mirrored` where rows measure the second against the first.
JointRow row_of(const JointAxis& axis, bool angular, bool mirrored = false);

// for the world --------------------------------------------------------------------------------------------------------

/// Throws Error for parts that are wrong by themselves, or that this type does not use.
void check_parts(const JointDef& joint);
/// Sets JointRecord::rows and bounded, which the kernels read. Throws Error for impossible rows.
void put_rows(const JointRows& rows, JointRecord& record);
/// Checks a record from a snapshot.
void check_rows(const JointRecord& record);
/// Number of bounded rows in the word.
std::uint32_t bounded_rows(std::uint32_t rows);

} // namespace scree
