// SPDX-License-Identifier: MIT
// polyhedron_test.cpp — brushes to polyhedra: exact whatever the coordinates, closed, or left out with a warning.
#include "level/exact_plane.h"
#include "level/map_texts.h"
#include "scree/level.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

namespace scree {
namespace {

using namespace testing;

Level built(const std::string& solids) { return build_level(parse_map(world(solids), "a.map")); }

/// Each edge belongs to two faces that run through it in opposite directions, and Euler's formula holds.
void expect_closed(const LevelBrush& brush) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const LevelFace& face : brush.faces) {
        ASSERT_GE(face.corners.size(), 3u);
        EXPECT_EQ(face.corners.size(), face.coordinates.size());
        for (std::size_t k = 0; k < face.corners.size(); ++k)
            ++edges[{face.corners[k], face.corners[(k + 1) % face.corners.size()]}];
    }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(edges.count({edge.second, edge.first}));
    }
    EXPECT_EQ(brush.vertices.size() + brush.faces.size(), edges.size() / 2 + 2);
}

/// A prism or a pyramid over a ring of whole numbers that is convex: points of a parabola and its mirror image.
std::vector<DVec3> ring(int half) {
    std::vector<DVec3> out;
    for (int i = -half; i <= half; ++i) out.push_back({16.0 * i, 1.0 * i * i, 0});
    for (int i = half; i-- > -half + 1;) out.push_back({16.0 * i, 2.0 * half * half - 1.0 * i * i, 0});
    return out; // counter-clockwise seen from above
}

TEST(Polyhedron, ACubeHasEightVerticesAndSixFaces) {
    const Level level = built(box({-32, 0, 8}, {32, 16, 9}));
    ASSERT_EQ(level.brushes.size(), 1u);
    const LevelBrush& brush = level.brushes[0];
    expect_closed(brush);
    EXPECT_EQ(brush.vertices.size(), 8u);
    EXPECT_EQ(brush.faces.size(), 6u);
    EXPECT_EQ(brush.volume, 64 * 16);
    EXPECT_EQ(brush.low, (DVec3{-32, 0, 8}));
    EXPECT_EQ(brush.high, (DVec3{32, 16, 9}));
    EXPECT_EQ(brush.faces[0].normal, (DVec3{-1, 0, 0}));
    EXPECT_TRUE(level.warnings.empty());
}

TEST(Polyhedron, AWedgeAPrismAndAPyramid) {
    std::vector<PlanePoints> wedge = box_planes({0, 0, 0}, {64, 64, 64});
    wedge[5] = {DVec3{0, 0, 64}, {0, 64, 64}, {64, 0, 0}}; // slopes from the top at x = 0 to the floor
    wedge.erase(wedge.begin() + 1);                        // so that nothing stands at x = 64
    const std::vector<DVec3> base = ring(4);
    std::vector<PlanePoints> prism{{DVec3{0, 0, 96}, {0, 1, 96}, {1, 0, 96}},
                                   {DVec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    std::vector<PlanePoints> pyramid{prism[1]};
    for (std::size_t i = 0; i < base.size(); ++i) {
        const DVec3 a = base[i], b = base[(i + 1) % base.size()];
        prism.push_back({a, b, a + DVec3{0, 0, 1}});
        std::swap(prism.back()[0], prism.back()[1]);
        pyramid.push_back({b, a, DVec3{3, 17, 80}});
    }
    const Level level = built(brush(wedge) + brush(prism) + brush(pyramid));
    ASSERT_EQ(level.brushes.size(), 3u) << (level.warnings.empty() ? "" : level.warnings[0]);
    for (const LevelBrush& one : level.brushes) expect_closed(one);
    EXPECT_EQ(level.brushes[0].vertices.size(), 6u);
    EXPECT_EQ(level.brushes[0].volume, 64 * 64 * 64 / 2);
    EXPECT_EQ(level.brushes[1].vertices.size(), 2 * base.size());
    EXPECT_EQ(level.brushes[2].vertices.size(), base.size() + 1); // all sides meet in one point
    EXPECT_NEAR(level.brushes[2].volume, level.brushes[1].volume * 80 / 96 / 3, 1e-9);
    EXPECT_TRUE(level.warnings.empty());
}

TEST(Polyhedron, SixteenSidesMeetInOnePointOrDoNotByOneStepOfTheGrid) {
    // far from the origin
    const std::vector<DVec3> base = ring(4);
    const DVec3 far{1000000, -999000, 123456};
    for (const double lift : {0.0, 1.0 / (1 << 24)}) {
        std::vector<PlanePoints> planes{{far, far + DVec3{1, 0, 0}, far + DVec3{0, 1, 0}}};
        for (std::size_t i = 0; i < base.size(); ++i) {
            const DVec3 a = far + base[i], b = far + base[(i + 1) % base.size()];
            planes.push_back({b, a, far + DVec3{3, 17, 80 + (i == 5 ? lift : 0)}});
        }
        const Level level = built(brush(planes));
        ASSERT_EQ(level.brushes.size(), 1u);
        expect_closed(level.brushes[0]);
        EXPECT_EQ(level.brushes[0].vertices.size() > base.size() + 1, lift > 0);
    }
}

TEST(Polyhedron, PlanesThatBoundNothingAreLeftOutByName) {
    std::vector<PlanePoints> planes = box_planes({0, 0, 0}, {64, 64, 64});
    planes.push_back({DVec3{65, 0, 0}, {65, 0, 1}, {65, 1, 0}});   // beside
    planes.push_back({DVec3{64, 5, 5}, {64, 5, 9}, {64, 7.5, 5}}); // the same plane by other points
    planes.push_back({DVec3{0, 0, 0}, {1, 1, 1}, {2, 2, 2}});      // no plane
    const Level level = built(brush(planes));
    ASSERT_EQ(level.brushes.size(), 1u);
    expect_closed(level.brushes[0]);
    EXPECT_EQ(level.brushes[0].faces.size(), 6u);
    EXPECT_EQ(level.dropped_faces, 3u);
    ASSERT_EQ(level.warnings.size(), 3u);
    EXPECT_EQ(level.warnings[0],
              "a.map:12:1: a face without a plane, because its points are on a line; left out of brush 0 "
              "of entity 0 (worldspawn)");
    EXPECT_EQ(
        level.warnings[1],
        "a.map:10:1: a face that does not touch its brush; left out of brush 0 of entity 0 (worldspawn)");
    EXPECT_EQ(level.warnings[2],
              "a.map:11:1: a face in the plane of another one; left out of brush 0 of entity 0 (worldspawn)");
}

TEST(Polyhedron, BrushesWithoutVolumeOrWithoutEndAreLeftOutByName) {
    std::vector<PlanePoints> flat = box_planes({0, 0, 0}, {64, 64, 0}),
                             inside_out = box_planes({64, 64, 64}, {0, 0, 0}),
                             open = box_planes({0, 0, 0}, {64, 64, 64});
    open.pop_back();
    const Level level = built(brush(flat) + brush(inside_out) + brush(open));
    EXPECT_TRUE(level.brushes.empty());
    EXPECT_EQ(level.dropped_brushes, 3u);
    ASSERT_EQ(level.warnings.size(), 4u);
    EXPECT_EQ(level.warnings[0], "a.map:3:1: brush 0 of entity 0 (worldspawn) has no volume; left out");
    EXPECT_EQ(level.warnings[1], "a.map:11:1: brush 1 of entity 0 (worldspawn) has no volume; left out");
    EXPECT_EQ(level.warnings[2],
              "a.map:19:1: brush 2 of entity 0 (worldspawn) is not closed by its faces; left out");
    EXPECT_EQ(level.warnings[3], "a.map: no brush and no patch has been made");
}

TEST(Polyhedron, FiveHundredFaces) {
    std::vector<PlanePoints> planes;
    for (int i = 0; i < 500; ++i) { // evenly on a sphere
        const double z = 1 - (2 * i + 1) / 500.0, angle = 2.399963 * i, r = std::sqrt(1 - z * z);
        planes.push_back(plane_at({r * std::cos(angle), r * std::sin(angle), z}, 256));
    }
    const Level level = built(brush(planes));
    ASSERT_EQ(level.brushes.size(), 1u);
    expect_closed(level.brushes[0]);
    EXPECT_EQ(level.brushes[0].faces.size(), 500u);
    EXPECT_EQ(level.brushes[0].vertices.size(), 996u); // three faces at each
    EXPECT_NEAR(level.brushes[0].volume, 4 / 3.0 * 3.14159265 * 256 * 256 * 256, 1.2e6);
}

TEST(Polyhedron, TurnedBoxesAreClosedWhateverTheRounding) {
    std::mt19937 dice(7);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 60; ++i) {
        // three axes at right angles, and points rounded to 0 to 5 decimals
        const DVec3 u = normalized(DVec3{normal(dice), normal(dice), normal(dice)});
        const DVec3 v = normalized(cross(u, DVec3{normal(dice), normal(dice), normal(dice)})),
                    w = cross(u, v);
        const double steps = std::pow(10, i % 6);
        std::vector<PlanePoints> planes;
        for (const DVec3& n : {u, v, w})
            for (const double sign : {-1.0, 1.0}) {
                PlanePoints plane = plane_at(sign * n, 96);
                for (DVec3& p : plane)
                    p = {std::round(p.x * steps) / steps, std::round(p.y * steps) / steps,
                         std::round(p.z * steps) / steps};
                planes.push_back(plane);
            }
        const Level level = built(brush(planes));
        ASSERT_EQ(level.brushes.size(), 1u);
        expect_closed(level.brushes[0]);
        EXPECT_NEAR(level.brushes[0].volume, 192.0 * 192 * 192, 400000 / steps);
    }
}

TEST(Polyhedron, TheSameMapGivesTheSameBitsEverywhere) {
    std::vector<PlanePoints> planes =
        box_planes({-23.42562584220408, -87.4, -16.1}, {23.9, 86.559600438419, 15.7});
    for (std::size_t i = 0; i < 6; ++i)
        planes[i][2] += 0.1 * static_cast<double>(i + 1) * DVec3{0.3, -0.2, 0.5};
    const Level level = built(brush(planes, "wall 4.9504166 0 17 0.8660254 1"));
    ASSERT_EQ(level.brushes.size(), 1u);
    expect_closed(level.brushes[0]);
    std::uint64_t hash = 14695981039346656037u;
    const auto add = [&](double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    };
    for (const DVec3& vertex : level.brushes[0].vertices) add(vertex.x), add(vertex.y), add(vertex.z);
    for (const LevelFace& face : level.brushes[0].faces)
        for (const auto& [u, v] : face.coordinates) add(u), add(v);
    EXPECT_EQ(hash, 4581279507868243490u);
}

TEST(ExactPlane, ACornerIsExactlyOnEveryPlaneThroughItAndOffByOneStep) {
    std::mt19937 dice(3);
    std::uniform_int_distribution<int> at(-1000000, 1000000);
    const auto point = [&] { return DVec3{1.0 * at(dice), 1.0 * at(dice), 1.0 * at(dice)}; };
    for (int i = 0; i < 200; ++i) {
        const DVec3 centre = point();
        const auto through = [&](DVec3 p) {
            const DVec3 a = point(), b = point();
            return *plane_through({p.x, p.y, p.z, a.x, a.y, a.z, b.x, b.y, b.z});
        };
        const ExactPlane p = through(centre), q = through(centre), r = through(centre), s = through(centre);
        const auto corner = corner_of(p, q, r);
        ASSERT_TRUE(corner);
        EXPECT_EQ(position_of(*corner), centre);
        EXPECT_EQ(side_of(s, *corner), 0);
        // a plane across x one step of the grid to either side
        const auto step = static_cast<std::int64_t>(centre.x * level_grid);
        EXPECT_EQ(side_of(plane_across(0, true, step + 1), *corner), -1);
        EXPECT_EQ(side_of(plane_across(0, true, step), *corner), 0);
        EXPECT_EQ(side_of(plane_across(0, true, step - 1), *corner), 1);
    }
}

TEST(WideInteger, ObeysTheRulesOfArithmetic) {
    std::mt19937_64 dice(1);
    for (int i = 0; i < 500; ++i) {
        WideInteger a(static_cast<std::int64_t>(dice())), b(static_cast<std::int64_t>(dice()) >> (i % 64));
        for (int k = 0; k < i % 4; ++k) {
            a = a * WideInteger(static_cast<std::int64_t>(dice()));
            b = b * WideInteger(static_cast<std::int64_t>(dice())) - a;
        }
        EXPECT_TRUE((a + b) * (a - b) == a * a - b * b);
        EXPECT_EQ((a - b).sign(), -(b - a).sign());
        EXPECT_EQ((a - a).sign(), 0);
        const WideInteger twice = a * WideInteger(std::int64_t{1} << 40);
        EXPECT_TRUE(twice.without_zeros(40) == a);
        EXPECT_NEAR(twice.to_double() / a.to_double(), 1099511627776.0, 1e-3);
    }
    EXPECT_EQ(WideInteger(-9007199254740993).to_double(), -9007199254740992.0);
    EXPECT_EQ(WideInteger(-5).to_double(), -5);
}

} // namespace
} // namespace scree
