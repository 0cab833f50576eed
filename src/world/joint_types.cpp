// SPDX-License-Identifier: MIT
// joint_types.cpp — see joint_types.h.

#include "world/joint_types.h"

#include "rigid/kernels.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "text/number_text.h"
#include "world/checks.h"

#include <bit>
#include <cmath>

namespace scree {

namespace {

constexpr const JointKind* kinds[] = {&ball_joint, &hinge_joint, &fixed_joint}; // as in JointType

bool is_held(const JointRow& row) { return row.low == 0 && row.high == 0 && !(row.max_force > 0); }
bool is_free(const JointRow& row) {
    return row.low <= -row_unlimited && row.high >= row_unlimited && !(row.max_force > 0);
}

/// Whether the solvers' common formula is enough (kernels/rigid_rows.h).
bool is_common(std::uint32_t rows) {
    const std::uint32_t turns = rows & ROWS_TURNS;
    return (rows & ROWS_POINT) == ROWS_POINT && bounded_rows(rows) == 0 &&
           !(rows & (ROWS_LINE | ROWS_CONE)) && (turns == 0 || turns == (rows & ROWS_TILT ? 24u : 56u));
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
        if (kind->has_axis || !with_axis) names.push_back(kind->name);
    std::string text(names[0]);
    for (std::size_t k = 1; k < names.size(); ++k)
        text += (k + 1 < names.size() ? ", " : " or ") + std::string(names[k]);
    return text;
}

JointRows held_point(const JointDef& joint) {
    JointRows rows{.anchor = {joint.anchor, joint.anchor}};
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

void check_axis(const JointDef& joint) {
    const double square = double{joint.axis.x} * joint.axis.x + double{joint.axis.y} * joint.axis.y +
                          double{joint.axis.z} * joint.axis.z;
    if (!(square > 1e-12))
        throw Error("invalid value " + number_text(std::sqrt(square)) + ": expected a length other than 0",
                    "axis");
}

std::uint32_t bounded_rows(std::uint32_t rows) {
    return static_cast<std::uint32_t>(std::popcount(rows >> ROWS_BOUNDED & 63u));
}

void put_rows(const JointRows& rows, JointRecord& record) {
    std::uint32_t word = rows.angular == AngularRows::tilt   ? ROWS_TILT
                         : rows.angular == AngularRows::cone ? ROWS_CONE
                                                             : 0;
    if (rows.linear == LinearRows::line) word |= ROWS_LINE;
    record.bounded.clear();
    for (std::uint32_t k = 0; k < rows.row.size(); ++k) {
        const JointRow& row = rows.row[k];
        if (is_held(row)) word |= 1u << (ROWS_HELD + k);
        else if (!is_free(row)) {
            word |= 1u << (ROWS_BOUNDED + k);
            record.bounded.push_back(row);
        }
    }
    if (!is_common(word)) word |= ROWS_SPECIAL;
    record.rows = word;
    check_rows(record);
}

void check_rows(const JointRecord& record) {
    const std::uint32_t rows = record.rows, held = rows & 63u, bounded = rows >> ROWS_BOUNDED & 63u;
    const auto refuse = [](const char* what) { throw Error(what, "rows"); };
    if (rows >= 2 * ROWS_SPECIAL || (rows & ROWS_SPECIAL) != (is_common(rows) ? 0u : ROWS_SPECIAL))
        refuse("bits that are not known are set");
    if (held & bounded) refuse("a row is held and bounded");
    if ((rows & ROWS_TILT) && (rows & ROWS_CONE)) refuse("angular rows measure both a tilt and a cone");
    if ((rows & ROWS_LINE) && ((held | bounded) & 6u))
        refuse("a distance has one linear row; others are filled");
    if ((rows & ROWS_CONE) && ((held | bounded) & 16u)) refuse("a cone has no angular row y; it is filled");
    if (record.bounded.size() != bounded_rows(rows)) refuse("bounded rows are missing");
    for (const JointRow& row : record.bounded) check(row);
}

} // namespace scree
