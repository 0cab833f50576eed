// SPDX-License-Identifier: MIT
// joint_types.h — what a type of joint is: a name, a check, and how it fills the rows that the solvers hold.
//
// A new type is a file like joint_hinge.cpp, an entry of JointType and of the list in joint_types.cpp. What the rows measure
// is told in kernels/rigid_rows.h; solvers, colours, sleep, snapshots and devices know rows only.
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

/// What a type makes of a definition. Rows are free unless filled: linear x, y, z, then angular x, y, z.
struct JointRows {
    Vec3 anchor[2]; ///< of the first and the second body, in the world
    Quat frame{};   ///< the joint's axes in the world, as the definition finds them
    LinearRows linear = LinearRows::axes;
    AngularRows angular = AngularRows::turn;
    std::array<JointRow, 6> row{};
};

struct JointKind {
    JointType type;
    std::string_view name;                ///< in scene files
    bool has_axis;                        ///< JointDef::axis counts, and is drawn
    void (*check)(const JointDef& joint); ///< throws Error; anchor and axis are finite
    JointRows (*fill)(const JointDef& joint, const Pose& first, const Pose& second);
};

extern const JointKind ball_joint, hinge_joint, fixed_joint;

bool is_known(JointType type);
const JointKind& kind_of(JointType type);
/// In the order of JointType.
std::span<const std::string_view> joint_names();
/// Names of all types, or of those with an axis: "ball, hinge or fixed".
std::string listed_joint_names(bool with_axis = false);

// for types ------------------------------------------------------------------------------------------------------------

/// The definition's anchor, with its point held.
JointRows held_point(const JointDef& joint);
/// The rotation that takes z to the axis by the shortest way.
Quat frame_along(const Vec3& axis);
void check_axis(const JointDef& joint);
inline void no_check(const JointDef&) {}

// for the world --------------------------------------------------------------------------------------------------------

/// Sets what the kernels know of rows (JointRecord::rows, bounded). Throws Error for rows that nobody can hold.
void put_rows(const JointRows& rows, JointRecord& record);
/// Of a record from outside.
void check_rows(const JointRecord& record);
/// How many rows of the word are bounded.
std::uint32_t bounded_rows(std::uint32_t rows);

} // namespace scree
