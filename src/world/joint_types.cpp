// SPDX-License-Identifier: MIT
// joint_types.cpp — see joint_types.h.

#include "world/joint_types.h"

#include "rigid/kernels.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "text/number_text.h"
#include "world/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {

namespace {

constexpr const JointKind* kinds[] = {&ball_joint,     &hinge_joint, &fixed_joint,    &slider_joint,
                                      &distance_joint, &wheel_joint, &six_axes_joint, &pose_joint,
                                      &gear_joint,     &rack_joint,  &pulley_joint}; // as in JointType

constexpr float widest_angle = 3.1101767f; // 0.99 pi

bool is_held(const JointRow& row) { return row.low == 0 && row.high == 0 && !(row.max_force > 0); }
bool is_free(const JointRow& row) {
    return row.low <= -row_unlimited && row.high >= row_unlimited && !(row.max_force > 0);
}

/// Whether the solvers' common formula is enough (kernels/rigid_rows.h).
bool is_common(std::uint32_t rows) {
    const std::uint32_t turns = rows & ROWS_TURNS;
    return (rows & ROWS_POINT) == ROWS_POINT && bounded_rows(rows) == 0 &&
           !(rows & (ROWS_LINE | ROWS_CONE | ROWS_GIMBAL | ROWS_BREAKS | ROWS_COUPLED)) &&
           (turns == 0 || turns == (rows & ROWS_TILT ? 24u : 56u));
}

void check(const JointRow& row) {
    for (const auto& [value, where] : {std::pair{row.low, "low"}, std::pair{row.high, "high"},
                                       std::pair{row.target, "target"}, std::pair{row.speed, "speed"}})
        check_finite(value, where);
    check_not_negative(row.hertz, "hertz");
    check_not_negative(row.damping, "damping");
    check_not_negative(row.max_force, "max_force");
    if (!(row.low <= row.high))
        throw Error("invalid value " + number_text(double{row.low}) + ": expected at most \"high\", " +
                        number_text(double{row.high}),
                    "low");
}

} // namespace

bool is_known(JointType type) { return static_cast<std::size_t>(type) < std::size(kinds); }

const JointKind& kind_of(JointType type) { return *kinds[static_cast<std::size_t>(type)]; }

std::span<const std::string_view> joint_names() {
    static const auto names = [] {
        std::array<std::string_view, std::size(kinds)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = kinds[k]->name;
        return all;
    }();
    return names;
}

std::string listed_joint_names(bool with_axis) {
    std::vector<std::string_view> names;
    for (const JointKind* kind : kinds)
        if (kind->has_axis() || !with_axis) names.push_back(kind->name);
    std::string text(names[0]);
    for (std::size_t k = 1; k < names.size(); ++k)
        text += (k + 1 < names.size() ? ", " : " or ") + std::string(names[k]);
    return text;
}

// parts of a definition ------------------------------------------------------------------------------------------------

namespace {

void check_force(float value, const std::string& where) {
    if (!(value >= 0)) refuse(double{value}, where, "a number that is not negative");
}

void check(const JointLimit& limit, const std::string& where) {
    for (const auto& [end, name] : {std::pair{limit.low, ".low"}, std::pair{limit.high, ".high"}})
        if (std::isnan(end)) refuse(double{end}, where + name, "a number");
    // no joint could come into such a range
    if (limit.low == unlimited) refuse(double{limit.low}, where + ".low", "a number below infinity");
    if (limit.high == -unlimited) refuse(double{limit.high}, where + ".high", "a number above -infinity");
    if (!(limit.low <= limit.high))
        throw Error("invalid value " + number_text(double{limit.low}) + ": expected at most \"high\", " +
                        number_text(double{limit.high}),
                    where + ".low");
}

void check(const JointDrive& drive, const std::string& where) {
    if (const auto* motor = std::get_if<JointMotor>(&drive)) {
        check_finite(motor->speed, where + ".speed");
        check_force(motor->max_force, where + ".max_force");
    } else if (const auto* spring = std::get_if<JointSpring>(&drive)) {
        check_positive(spring->hertz, where + ".hertz");
        check_not_negative(spring->damping_ratio, where + ".damping_ratio");
        check_finite(spring->target, where + ".target");
        check_force(spring->max_force, where + ".max_force");
    } else if (const auto* friction = std::get_if<JointFriction>(&drive)) {
        check_force(friction->max_force, where + ".max_force");
    } else if (drive.valueless_by_exception()) {
        throw Error("the drive is empty", where);
    }
}

/// `where` ends in a dot, or is empty.
void check(const JointAxis& axis, const std::string& where) {
    if (axis.limit) check(*axis.limit, where + "limit");
    check(axis.drive, where + "drive");
}

} // namespace

void check_parts(const JointDef& joint) {
    const JointKind& kind = kind_of(joint.type);
    const auto only = [&](std::uint32_t part, bool given, const char* name) {
        if (given && !(kind.uses & part))
            throw Error("a joint of type " + std::string(kind.name) + " has none", name);
    };
    only(uses_motion | uses_limit, joint.limit.has_value(), "limit");
    only(uses_motion, joint.drive.index() != 0, "drive");
    only(uses_swing, joint.swing.has_value(), "swing");
    only(uses_length, joint.length.has_value(), "length");
    only(uses_second_anchor, joint.second_anchor.has_value(), "second_anchor");
    only(uses_second_axis, joint.second_axis.has_value(), "second_axis");
    only(uses_ratio, joint.ratio != JointDef{}.ratio, "ratio");
    only(uses_ground, joint.ground != JointDef{}.ground, "ground");
    only(uses_axes, joint.axes != JointDef{}.axes, "axes");
    only(uses_pose, !(joint.pose == JointPose{}), "pose");
    only(uses_wheel, joint.steer != locked_axis, "steer");
    check_finite(joint.anchor, "anchor");
    check_finite(joint.axis, "axis");
    check_finite(joint.up, "up");
    if (joint.second_anchor) check_finite(*joint.second_anchor, "second_anchor");
    if (joint.second_axis) check_finite(*joint.second_axis, "second_axis");
    check_finite(joint.ratio, "ratio");
    for (const std::size_t k : {0u, 1u}) check_finite(joint.ground[k], "ground[" + std::to_string(k) + "]");
    if (joint.frames)
        for (const std::size_t k : {0u, 1u}) {
            const std::string where = "frames[" + std::to_string(k) + "]";
            check_finite((*joint.frames)[k].position, where + ".position");
            unit_rotation((*joint.frames)[k].rotation, where + ".rotation");
        }
    check(JointAxis{joint.limit, joint.drive}, "");
    if (joint.swing && !(*joint.swing >= 0)) refuse(double{*joint.swing}, "swing", "0 or more");
    if (joint.length) check_not_negative(*joint.length, "length");
    check(joint.suspension, "suspension.");
    check(joint.steer, "steer.");
    for (std::size_t k = 0; k < joint.axes.size(); ++k)
        check(joint.axes[k], "axes[" + std::to_string(k) + "].");
    check_finite(joint.pose.position, "pose.position");
    unit_rotation(joint.pose.rotation, "pose.rotation");
    check_positive(joint.pose.hertz, "pose.hertz");
    check_not_negative(joint.pose.damping_ratio, "pose.damping_ratio");
    check_force(joint.pose.max_force, "pose.max_force");
    check_force(joint.pose.max_torque, "pose.max_torque");
    for (const auto& [value, name] :
         {std::pair{joint.break_force, "break_force"}, std::pair{joint.break_torque, "break_torque"}})
        if (!(value > 0)) refuse(double{value}, name, "a number greater than 0");
}

JointRow row_of(const JointAxis& axis, bool angular, bool mirrored) {
    JointRow row;
    if (axis.limit) {
        const float most = angular ? widest_angle : row_unlimited;
        row.low = std::clamp(axis.limit->low, -most, most);
        row.high = std::clamp(axis.limit->high, -most, most);
        if (row.low == 0 && row.high == 0) return held_row;
    }
    if (const auto* motor = std::get_if<JointMotor>(&axis.drive)) {
        row.speed = motor->speed;
        row.max_force = std::min(motor->max_force, row_unlimited);
    } else if (const auto* spring = std::get_if<JointSpring>(&axis.drive)) {
        row.hertz = spring->hertz, row.damping = spring->damping_ratio, row.target = spring->target;
        row.max_force = std::min(spring->max_force, row_unlimited);
    } else if (const auto* friction = std::get_if<JointFriction>(&axis.drive)) {
        row.max_force = std::min(friction->max_force, row_unlimited);
    }
    if (mirrored) {
        std::swap(row.low, row.high);
        row.low = -row.low, row.high = -row.high;
        row.target = -row.target, row.speed = -row.speed;
    }
    return row;
}

// rows -----------------------------------------------------------------------------------------------------------------

JointRows held_point(const JointDef& joint) {
    JointRows rows{.anchor = {joint.anchor, joint.second_anchor.value_or(joint.anchor)}};
    rows.local = joint.frames;
    for (const std::size_t k : {0u, 1u, 2u}) rows.row[k] = held_row;
    return rows;
}

Quat frame_along(const Vec3& axis) {
    using namespace kernels;
    // by its largest part first: the square of a long or a short axis may not fit a float
    const float largest = greatest(magnitude(axis.x), greatest(magnitude(axis.y), magnitude(axis.z)));
    const real3 z = unit3(lane(axis) * (1 / largest), make_real3(0, 0, 1));
    if (z.z < -0.9999f) { // nearly opposite: half a turn about x, then the small rest
        const float s = 1 - z.z;
        const float scale = 1 / root(s * s + z.x * z.x + z.y * z.y);
        // (0, 1, 0, 0) after the rest that takes -z to the axis
        return scree::quat(
            quat_product(make_quat(s * scale, z.y * scale, -z.x * scale, 0), make_quat(0, 1, 0, 0)));
    }
    const float s = 1 + z.z;
    const float scale = 1 / root(s * s + z.x * z.x + z.y * z.y);
    return {.x = -z.y * scale, .y = z.x * scale, .z = 0, .s = s * scale};
}

Quat frame_along(const Vec3& axis, const Vec3& x) {
    const DVec3 w = normalized(wide(axis)), v = normalized(cross(w, wide(x))), u = cross(v, w);
    // the quaternion of a matrix with these columns, by its largest part
    const double xx = u.x, yy = v.y, zz = w.z;
    const double parts[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
    const auto largest = std::max_element(parts, parts + 4) - parts;
    DQuat q;
    if (largest == 0) q = {parts[0], u.y + v.x, u.z + w.x, v.z - w.y};
    else if (largest == 1) q = {u.y + v.x, parts[1], v.z + w.y, w.x - u.z};
    else if (largest == 2) q = {u.z + w.x, v.z + w.y, parts[2], u.y - v.x};
    else q = {v.z - w.y, w.x - u.z, u.y - v.x, parts[3]};
    return narrow(normalized(q));
}

void check_axis(const JointDef& joint) {
    if (joint.frames) return;
    const auto check = [](const Vec3& axis, const char* where) {
        const double square = dot(wide(axis), wide(axis));
        if (!(square > 1e-12))
            throw Error("invalid value " + number_text(std::sqrt(square)) +
                            ": expected a length other than 0",
                        where);
    };
    check(joint.axis, "axis");
    if (joint.second_axis) check(*joint.second_axis, "second_axis");
}

void check_ratio(const JointDef& joint) {
    if (!(std::abs(joint.ratio) >= 1e-4f && std::abs(joint.ratio) <= 1e4f))
        refuse(double{joint.ratio}, "ratio", "a size from 0.0001 to 10000");
}

JointRows coupled_rows(const JointDef& joint, CoupledRow kind, const JointLimit& range) {
    JointRows rows{.anchor = {joint.anchor, joint.second_anchor.value_or(joint.anchor)}};
    rows.local = joint.frames;
    rows.coupled = kind;
    rows.row[0].low = std::clamp(range.low, -row_unlimited, row_unlimited);
    rows.row[0].high = std::clamp(range.high, -row_unlimited, row_unlimited);
    return rows;
}

std::array<DVec3, 2> anchors_at(const JointDef& joint, const DPose& first, const DPose& second) {
    if (joint.frames)
        return {apply(first, (*joint.frames)[0].position), apply(second, (*joint.frames)[1].position)};
    return {joint.anchor, joint.second_anchor.value_or(joint.anchor)};
}

std::uint32_t bounded_rows(std::uint32_t rows) {
    return static_cast<std::uint32_t>(std::popcount(rows >> ROWS_BOUNDED & 63u));
}

void put_rows(const JointRows& rows, JointRecord& record) {
    std::uint32_t word = rows.angular == AngularRows::tilt     ? ROWS_TILT
                         : rows.angular == AngularRows::cone   ? ROWS_CONE
                         : rows.angular == AngularRows::gimbal ? ROWS_GIMBAL
                                                               : 0;
    if (rows.linear == LinearRows::line) word |= ROWS_LINE;
    word |= rows.coupled == CoupledRow::gear     ? ROWS_GEAR
            : rows.coupled == CoupledRow::rack   ? ROWS_RACK
            : rows.coupled == CoupledRow::pulley ? ROWS_PULLEY
                                                 : 0u;
    record.bounded.clear();
    for (std::uint32_t k = 0; k < rows.row.size(); ++k) {
        const JointRow& row = rows.row[k];
        // the row of a coupling is never held together with others
        if (is_held(row) && !(word & ROWS_COUPLED)) word |= 1u << (ROWS_HELD + k);
        else if (!is_free(row) || (k == 0 && (word & ROWS_COUPLED))) {
            word |= 1u << (ROWS_BOUNDED + k);
            record.bounded.push_back(row);
        }
    }
    if (record.break_force > 0 || record.break_torque > 0) word |= ROWS_BREAKS;
    if (!is_common(word)) word |= ROWS_SPECIAL;
    record.rows = word;
    check_rows(record);
}

void check_rows(const JointRecord& record) {
    const std::uint32_t rows = record.rows, held = rows & 63u, bounded = rows >> ROWS_BOUNDED & 63u;
    const auto refuse = [](const char* what) { throw Error(what, "rows"); };
    if (rows >= ROWS_END || (rows & ROWS_SPECIAL) != (is_common(rows) ? 0u : ROWS_SPECIAL))
        refuse("bits that are not known are set");
    if (held & bounded) refuse("a row is held and bounded");
    if (std::popcount(rows & (ROWS_TILT | ROWS_CONE | ROWS_GIMBAL)) > 1)
        refuse("angular rows measure several of a tilt, a cone and a gimbal");
    if (((rows & ROWS_BREAKS) != 0) != (record.break_force > 0 || record.break_torque > 0))
        refuse("whether the joint breaks is not clear");
    if ((rows & ROWS_LINE) && ((held | bounded) & 6u))
        refuse("a distance has one linear row; others are filled");
    if ((rows & ROWS_CONE) && (held & 16u)) refuse("the angular row y of a cone is held");
    const std::uint32_t others = ROWS_COUPLED | ROWS_BREAKS | ROWS_SPECIAL | 1u << ROWS_BOUNDED;
    if ((rows & ROWS_COUPLED) && (std::popcount(rows & ROWS_COUPLED) > 1 || (rows & ~others) || bounded != 1))
        refuse("a coupling has one row; others are filled");
    if (record.bounded.size() != bounded_rows(rows)) refuse("bounded rows are missing");
    for (const JointRow& row : record.bounded) check(row);
    check_not_negative(record.break_force, "break_force");
    check_not_negative(record.break_torque, "break_torque");
}

} // namespace scree
