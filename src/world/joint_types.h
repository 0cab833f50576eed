// SPDX-License-Identifier: MIT
// joint_types.h — a type of joint: a name, a check, and a function that fills the solver's rows.
//
// A new type needs a file like joint_hinge.cpp, an entry in JointType and one in the list of joint_types.cpp.
// kernels/rigid_rows.h describes the rows; solvers, colours, sleep, snapshots and devices see only rows.
#pragma once

#include "rigid/storage.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace scree {

/// Linear rows: along the joint's axes, or the first is the distance between the anchors.
enum class LinearRows { axes, line };
/// Angular rows: a rotation; how z is tilted, and the twist about it; the angle between the z axes, and the twist.
enum class AngularRows { turn, tilt, cone };

constexpr JointRow held_row{.low = 0, .high = 0}, free_row{};

/// The rows of a definition: linear x, y, z, then angular x, y, z. Default: free.
struct JointRows {
    DVec3 anchor[2]; ///< of the first and the second body, in world coordinates
    Quat frame{};    ///< the joint's axes in world coordinates at creation
    LinearRows linear = LinearRows::axes;
    AngularRows angular = AngularRows::turn;
    std::array<JointRow, 6> row{};
};

struct JointKind {
    JointType type;
    std::string_view name;                ///< in scene files
    bool has_axis;                        ///< whether JointDef::axis is used, and drawn
    void (*check)(const JointDef& joint); ///< throws Error; anchor and axis are finite
    JointRows (*fill)(const JointDef& joint, const DPose& first, const DPose& second);
};

extern const JointKind ball_joint, hinge_joint, fixed_joint;

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
void check_axis(const JointDef& joint);
inline void no_check(const JointDef&) {}

// for the world --------------------------------------------------------------------------------------------------------

/// Sets JointRecord::rows and bounded, which the kernels read. Throws Error for impossible rows.
void put_rows(const JointRows& rows, JointRecord& record);
/// Checks a record from a snapshot.
void check_rows(const JointRecord& record);
/// Number of bounded rows in the word.
std::uint32_t bounded_rows(std::uint32_t rows);

} // namespace scree
