// SPDX-License-Identifier: MIT
// debug_test.cpp — lines, points, words and colours over a frame.
#include "view/debug_lines.h"

#include "level/map_texts.h"
#include "scene/granular/contacts.h"
#include "scree/collision_cells.h"
#include "scree/granular_scene.h"
#include "scree/place.h"
#include "support/temporary_folder.h"
#include "view/level_lines.h"
#include "view/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

namespace scree::view {
namespace {

Frame frame_of(const std::string& name, int steps) {
    Session session(find_scene(name), {}, name, {{.threads = 1}});
    for (int k = 0; k < steps; ++k) session.step();
    Frame frame;
    session.show(frame, {.contacts = true, .tree = true});
    return frame;
}

TEST(DebugLines, NothingIsDrawnUnlessAsked) {
    const DebugGeometry nothing = debug_geometry(frame_of("stack-10", 30), {});
    EXPECT_TRUE(nothing.lines.empty() && nothing.points.empty() && nothing.labels.empty());
    DebugDraw all;
    all.bounds = all.contacts = all.names = true;
    EXPECT_TRUE(debug_geometry(Frame{}, all).lines.empty());
}

TEST(DebugLines, ContactsLieWhereTheWorldSays) {
    const Frame frame = frame_of("stack-10", 60);
    std::size_t points = 0, pressed = 0;
    for (const ContactInfo& contact : frame.contacts)
        for (int k = 0; k < contact.count; ++k, ++points)
            pressed += contact.points[static_cast<std::size_t>(k)].normal_impulse > 0;
    ASSERT_GE(points, 36u);
    DebugDraw draw;
    draw.contacts = true;
    const DebugGeometry marks = debug_geometry(frame, draw);
    ASSERT_EQ(marks.points.size(), points);
    EXPECT_EQ(marks.points[0].at, frame.contacts[0].points[0].position);
    draw = {};
    draw.normals = true;
    const DebugGeometry normals = debug_geometry(frame, draw);
    ASSERT_EQ(normals.lines.size(), points);
    const DVec3 along = wide(normals.lines[0].to) - wide(normals.lines[0].from);
    EXPECT_NEAR(length(cross(along, wide(frame.contacts[0].normal))), 0, 1e-5);
    draw = {};
    draw.forces = true;
    EXPECT_EQ(debug_geometry(frame, draw).lines.size(), 3 * pressed);
    draw = {};
    draw.features = true;
    EXPECT_EQ(debug_geometry(frame, draw).labels.size(), points);
}

TEST(DebugLines, TheWayOutOfALeakingLevelIsDrawn) {
    auto look = std::make_shared<Appearance>();
    look->shapes = {appearance_of("hall", {})};
    look->bodies.push_back({.shape = 0, .type = BodyType::fixed});
    look->levels.emplace_back().leak = {{1, 1, 1}, {1, 3, 1}, {5, 3, 1}};
    Frame frame;
    frame.appearance = look;
    frame.resize(1);
    frame.set_pose(0, {{10, 0, 0}, {}});
    const DebugGeometry way = debug_geometry(frame, {});
    ASSERT_EQ(way.lines.size(), 2u);
    EXPECT_EQ(way.lines[0].from, (Vec3{11, 1, 1}));
    EXPECT_EQ(way.lines[1].to, (Vec3{15, 3, 1}));
    EXPECT_EQ(way.points.size(), 3u);
    ASSERT_EQ(way.labels.size(), 1u);
    EXPECT_EQ(way.labels[0].at, (Vec3{11, 1, 1}));
    EXPECT_TRUE(debug_geometry(frame, {.leaks = false}).lines.empty());
}

/// Three rooms in a row with doors, on a body that is turned and far from the origin.
struct Rooms {
    std::shared_ptr<CompiledLevel> level = std::make_shared<CompiledLevel>(
        compile_level(parse_map(testing::world(testing::room_grid(3, 1)), "rooms.map")));
    Pose pose{{10, 2, -5}, rotation_about({0, 1, 0}, 1.0f)};
    Frame frame;

    Rooms() {
        auto look = std::make_shared<Appearance>();
        look->shapes = {appearance_of("rooms", {})};
        look->bodies.push_back({.shape = 0, .type = BodyType::fixed});
        AppearanceLevel& one = look->levels.emplace_back();
        one.level = level;
        one.scale = level_scale;
        frame.appearance = look;
        frame.resize(1);
        frame.set_pose(0, pose);
    }
    DVec3 in_world(DVec3 at) const { return apply(wide(pose), from_map(at, double{level_scale})); }
    DebugGeometry from(DVec3 eye, DVec3 target, const DebugDraw& draw, std::size_t most = 10'000) const {
        DebugGeometry out;
        LevelLines().add(frame, draw, {in_world(eye), in_world(target), 0.7}, 1.5, out, most);
        return out;
    }
    static std::size_t count(const DebugGeometry& drawn, Colour colour) {
        return static_cast<std::size_t>(
            std::count_if(drawn.lines.begin(), drawn.lines.end(),
                          [&](const DebugLine& line) { return line.colour == colour; }));
    }
};

TEST(LevelLines, PortalsOfALevelAreDrawnAndThoseThatAreSeenThroughStandOut) {
    const Rooms rooms;
    const DebugDraw portals{.portals = true};
    const DVec3 eye{20, 64, 50};
    const DebugGeometry ahead = rooms.from(eye, {400, 64, 50}, portals);
    const DebugGeometry away = rooms.from(eye, {0, 64, 50}, portals);
    const DebugGeometry wall = rooms.from({-8, 64, 64}, {400, 64, 64}, portals); // the eye is in it
    EXPECT_GT(Rooms::count(ahead, debug_colours::seen_portal), 8u);
    EXPECT_EQ(Rooms::count(away, debug_colours::seen_portal), 0u);
    EXPECT_EQ(Rooms::count(wall, debug_colours::seen_portal), 0u);
    EXPECT_GT(Rooms::count(away, debug_colours::portal), 0u);
    EXPECT_EQ(away.lines.size(), wall.lines.size()); // all of them, in the dark colour
    // where they are: every edge of a portal between rooms is among the lines of those that are not seen through
    std::size_t edges = 0;
    for (std::size_t p = 0; p < rooms.level->cells.portals.size(); p += 2) {
        const LevelCells::Portal& portal = rooms.level->cells.portals[p];
        if (rooms.level->cells.cells[portal.from].outside) continue;
        const Vec3 corner = narrow(rooms.in_world(portal.corners[0]));
        EXPECT_TRUE(std::any_of(away.lines.begin(), away.lines.end(),
                                [&](const DebugLine& line) { return length(line.from - corner) < 1e-4f; }));
        edges += portal.corners.size();
    }
    EXPECT_EQ(away.lines.size(), edges);
    // through the first door alone, from beside it
    const DebugGeometry beside = rooms.from({64, 20, 50}, {136, 64, 50}, portals);
    EXPECT_GT(Rooms::count(beside, debug_colours::seen_portal), 0u);
    EXPECT_LT(Rooms::count(beside, debug_colours::seen_portal),
              Rooms::count(ahead, debug_colours::seen_portal));
    EXPECT_TRUE(rooms.from(eye, {400, 64, 50}, {}).lines.empty());
    const DebugGeometry few = rooms.from(eye, {400, 64, 50}, portals, 3);
    EXPECT_TRUE(few.lines.size() == 3 && few.truncated);
}

TEST(LevelLines, CellsOfALevelAreBoxesInColoursWhereTheyAreSeen) {
    const Rooms rooms;
    const auto& cells = rooms.level->cells;
    const std::size_t inside = static_cast<std::size_t>(std::count_if(
        cells.cells.begin(), cells.cells.end(), [](const auto& cell) { return !cell.outside; }));
    ASSERT_GE(inside, 3u);
    const DVec3 eye{20, 64, 50};
    const std::uint32_t here = cells.cell_at(eye);
    const DebugGeometry away = rooms.from(eye, {0, 64, 50}, {.cells = true}),
                        ahead = rooms.from(eye, {400, 64, 50}, {.cells = true});
    EXPECT_EQ(away.lines.size(), 12 * inside);
    EXPECT_EQ(ahead.lines.size(), 12 * inside);
    EXPECT_EQ(Rooms::count(away, debug_colours::unseen_cell), 12 * (inside - 1));
    EXPECT_EQ(Rooms::count(away, number_colour(here)), 12u);
    EXPECT_EQ(Rooms::count(ahead, debug_colours::unseen_cell), 0u); // through both doors
    ASSERT_EQ(ahead.labels.size(), 1u);
    EXPECT_EQ(ahead.labels[0].text, "cell " + std::to_string(here));
    const DebugGeometry wall = rooms.from({-8, 64, 64}, {400, 64, 64}, {.cells = true});
    EXPECT_EQ(wall.labels.at(0).text, "in a wall: nothing is left out");
    EXPECT_EQ(Rooms::count(wall, debug_colours::unseen_cell), 12 * inside);
    // a box is as large as its cell, less a unit on each side
    for (const DebugLine& line : away.lines)
        if (line.colour == number_colour(here))
            for (const Vec3& at : {line.from, line.to}) {
                const DVec3 in = apply(inverse(wide(rooms.pose)), wide(at)) / double{level_scale};
                const LevelCells::Cell& cell = cells.cells[here];
                EXPECT_NEAR(std::min(in.x - cell.low.x, cell.high.x - in.x), 1, 1e-3);
                EXPECT_NEAR(std::min(in.y - cell.low.z, cell.high.z - in.y), 1, 1e-3);
            }
}

TEST(DebugLines, ForcesGrowWithWhatTheyCarry) {
    const Frame frame = frame_of("stack-10", 200);
    DebugDraw draw;
    draw.forces = true;
    double low = 0, high = 0; // lengths at the foot and at the head of the stack
    const double middle = (double{frame.appearance->low.y} + frame.appearance->high.y) / 2;
    for (const DebugLine& line : debug_geometry(frame, draw).lines) {
        double& sum = double{line.from.y} < middle ? low : high;
        sum += length(wide(line.to) - wide(line.from));
    }
    EXPECT_GT(low, 1.5 * high);
}

/// A granular scene after some steps, and the world that went the same way.
struct Grains {
    GranularWorld world;
    Frame frame;
};
Grains grains_of(const std::string& name, int steps, bool sleeping = true) {
    Scene scene = find_scene(name);
    bool& sleeps = granular_scene(scene).settings.sleeping;
    sleeps = sleeps && sleeping;
    Session session(scene, {}, name, {{.threads = 1}});
    Grains grains{build_world(scene, {{.threads = 1}}), {}};
    for (int k = 0; k < steps; ++k) session.step();
    grains.world.step(steps);
    session.show(grains.frame, {.contacts = true});
    return grains;
}

TEST(GranularContacts, AreThePairsThatTheWorldCounts) {
    for (const char* name : {"tower-10-improved", "obstacles", "shapes-zoo", "tower-2"}) {
        SCOPED_TRACE(name);
        const Grains grains = grains_of(name, 100);
        std::uint64_t pairs = 0, surfaces = 0;
        double most = 0;
        for (const ContactInfo& contact : grains.frame.contacts) {
            ++(contact.first_body.index == no_body ? surfaces : pairs);
            most = std::max(most, double{-contact.points[0].separation});
            ASSERT_LT(contact.second_body.index, grains.frame.appearance->body_count);
            EXPECT_NE(contact.first_body.index, contact.second_body.index);
            EXPECT_NEAR(length(wide(contact.normal)), 1, 1e-5);
        }
        const GranularMeasure measure = grains.world.measure();
        EXPECT_GT(surfaces, 0u);
        if (grains.world.settings().mode == GranularMode::reference) { // whose grid loses some
            EXPECT_GE(2 * pairs, measure.contacts);
        } else {
            EXPECT_EQ(2 * pairs, measure.contacts);
            EXPECT_NEAR(most, measure.max_overlap, 1e-5); // with ground, walls and obstacles
        }
    }
}

TEST(GranularContacts, CarryTheWeightOfWhatRests) {
    // what sleeps stays as it was when it fell asleep, swinging perhaps
    const Frame frame = grains_of("tower-10-improved", 1500, false).frame;
    double weight = 0, ground = 0;
    for (std::size_t b = 0; b < frame.appearance->body_count; ++b)
        weight += 9.81 * double{frame.appearance->bodies[b].mass};
    for (const ContactInfo& contact : frame.contacts)
        if (contact.first_body.index == no_body && contact.normal.y > 0.99f)
            ground += double{contact.points[0].normal_impulse} / frame.contact_seconds;
    EXPECT_NEAR(ground / weight, 1, 0.01);
}

TEST(GranularContacts, AreDrawnAndMakeIslands) {
    Frame frame = grains_of("tower-10-improved", 100).frame;
    DebugDraw draw;
    draw.contacts = draw.forces = true;
    const DebugGeometry geometry = debug_geometry(frame, draw);
    EXPECT_GE(frame.contacts.size(), 9 * 10u);
    EXPECT_EQ(geometry.points.size(), frame.contacts.size());
    EXPECT_EQ(geometry.lines.size(), 3 * frame.contacts.size());
    const auto count = [&] {
        const auto all = islands(frame);
        std::set<std::uint32_t> numbers(all.begin(), all.end());
        numbers.erase(no_island); // of the ground
        return numbers.size();
    };
    EXPECT_EQ(count(), 1u);
    frame.contacts.clear();
    EXPECT_EQ(count(), 10u);
}

TEST(DebugLines, BoundsCentresVelocitiesAndNames) {
    const Frame frame = frame_of("stack-10", 10);
    const std::size_t bodies = frame.size();
    std::size_t moving = 0;
    for (const AppearanceBody& body : frame.appearance->bodies) moving += body.type == BodyType::dynamic;
    DebugDraw draw;
    draw.bounds = true;
    EXPECT_EQ(debug_geometry(frame, draw).lines.size() % 12, 0u);
    EXPECT_GE(debug_geometry(frame, draw).lines.size(), 12 * moving);
    draw = {};
    draw.centres = true;
    EXPECT_EQ(debug_geometry(frame, draw).points.size(), moving);
    draw = {};
    draw.names = true;
    EXPECT_EQ(debug_geometry(frame, draw).labels.size(), bodies);
    draw = {};
    draw.velocities = true;
    EXPECT_GT(debug_geometry(frame, draw).lines.size(), 0u);
    draw.bounds = true;
    const DebugGeometry few = debug_geometry(frame, draw, 10);
    EXPECT_EQ(few.lines.size(), 10u);
    EXPECT_TRUE(few.truncated);
}

TEST(DebugLines, TheTreeIsDrawnBoxByBox) {
    const Frame frame = frame_of("boxes-pile", 20);
    ASSERT_GT(frame.tree.size(), 64u); // of some 500 boxes, eight in a leaf
    DebugDraw draw;
    draw.tree = true;
    EXPECT_EQ(debug_geometry(frame, draw).lines.size(), 12 * frame.tree.size());
    int highest = 0;
    for (const TreeBox& box : frame.tree) highest = std::max(highest, box.level);
    EXPECT_GE(highest, 2);
}

TEST(DebugLines, WaysPairsAndCellsOfTheDetectorAreDrawn) {
    testing::TemporaryFolder folder;
    std::ofstream(folder.file("rooms.map")) << testing::world(testing::room_grid(3, 1));
    const auto frame_with = [&](const std::string& cells, const Wishes& wishes) {
        Session session(parse_scene(testing::impacts_in_rooms(cells), folder.file("scene.json")), {}, "rooms",
                        {{.threads = 1}});
        session.step();
        Frame frame;
        session.show(frame, wishes);
        return frame;
    };
    const auto count = [](const DebugGeometry& drawn, Colour colour) {
        return std::count_if(drawn.lines.begin(), drawn.lines.end(),
                             [&](const DebugLine& line) { return line.colour == colour; });
    };
    const DebugDraw draw{.detector = true};
    const Frame frame = frame_with(R"(, "collision_cells": 0)", {.detector = true});
    ASSERT_TRUE(frame.detector);
    const DetectorView& detector = *frame.detector;
    ASSERT_EQ(detector.ways.size(), 4u);
    ASSERT_GE(detector.cells.size(), 3u);
    EXPECT_EQ(detector.counters.cells, detector.cells.size());
    // the first ball flies through the door, on the way of 2/3 m that the second has, too
    const DetectorView::Way& way = detector.ways[0];
    EXPECT_GT(way.cells.size(), 1u);
    EXPECT_NEAR(way.last.low.x - way.first.low.x, 40 / 60.0, 1e-3);
    EXPECT_NEAR(way.first.low.x, 3.2, 1e-2);
    EXPECT_EQ(detector.ways[2].cells.size(), 1u);
    // a pair of balls that met; none of what is far from each other
    const auto near = std::find_if(detector.pairs.begin(), detector.pairs.end(),
                                   [&](const auto& pair) { return pair.second == detector.ways[3].shape; });
    ASSERT_NE(near, detector.pairs.end());
    EXPECT_EQ(near->first, detector.ways[2].shape);
    EXPECT_TRUE(near->measured);
    EXPECT_NEAR(near->distance, 0, 2e-4);
    EXPECT_NEAR(near->from.x, 1.25, 1e-3);
    EXPECT_LT(detector.ways[2].last.low.x - detector.ways[2].first.low.x, 0.02); // since they met
    const DebugGeometry drawn = debug_geometry(frame, draw);
    EXPECT_EQ(count(drawn, debug_colours::way), 4 * 20);
    EXPECT_EQ(count(drawn, debug_colours::way_end), 4 * 12);
    EXPECT_EQ(count(drawn, debug_colours::touching_pair), 1);
    std::set<std::uint32_t> entered;
    for (const DetectorView::Way& one : detector.ways) entered.insert(one.cells.begin(), one.cells.end());
    EXPECT_LT(entered.size(), detector.cells.size()); // the third room is nobody's
    std::ptrdiff_t boxes = 0;
    for (std::uint32_t c = 0; c < detector.cells.size(); ++c) boxes += count(drawn, number_colour(c));
    EXPECT_EQ(boxes, static_cast<std::ptrdiff_t>(12 * entered.size()));
    // what each stage left is told
    EXPECT_EQ(value_of(frame.counters, "cells"), static_cast<double>(detector.cells.size()));
    EXPECT_LT(value_of(frame.counters, "in common cells"), value_of(frame.counters, "all pairs"));
    EXPECT_GE(value_of(frame.counters, "distances"), 1);
    // nothing of it unless asked for, and the same state without cells
    EXPECT_TRUE(debug_geometry(frame, {}).lines.empty());
    const Frame plain = frame_with("", {.hash = true, .detector = true});
    EXPECT_TRUE(plain.detector->cells.empty());
    EXPECT_EQ(plain.hash, frame_with(R"(, "collision_cells": 40)", {.hash = true}).hash);
    EXPECT_FALSE(frame_of("stack-10", 2).detector);
}

TEST(DebugLines, JointsHangTogether) {
    const Frame frame = frame_of("chain", 100);
    ASSERT_FALSE(frame.appearance->joints.empty());
    DebugDraw draw;
    draw.joints = true;
    const DebugGeometry geometry = debug_geometry(frame, draw);
    EXPECT_EQ(geometry.points.size(), frame.appearance->joints.size());
    // the two anchors of every joint are one point, wherever the chain swings
    for (const DebugLine& line : geometry.lines)
        if (line.colour == debug_colours::force) {
            EXPECT_LT(length(wide(line.to) - wide(line.from)), 0.02);
        }
}

TEST(DebugLines, IslandsAreWhatTouches) {
    // four towers side by side
    const Frame frame = frame_of("stack-10", 60);
    const auto one = islands(frame);
    std::set<std::uint32_t> numbers(one.begin(), one.end());
    numbers.erase(no_island);
    EXPECT_EQ(numbers.size(), 1u);
    Frame apart = frame;
    apart.contacts.clear();
    const auto all = islands(apart);
    numbers = {all.begin(), all.end()};
    numbers.erase(no_island);
    EXPECT_EQ(numbers.size(), 10u);
    DebugDraw draw;
    draw.islands = true;
    const auto colours = body_colours(apart, draw);
    EXPECT_EQ(colours.size(), apart.size());
    EXPECT_GE(std::set<Colour>(colours.begin(), colours.end()).size(), 10u);
    EXPECT_TRUE(body_colours(apart, {}).empty());
}

TEST(DebugLines, GraphColoursNeverMeetAtABody) {
    const Frame frame = frame_of("pyramid-10", 30);
    std::set<std::pair<std::uint32_t, std::uint8_t>> taken;
    std::set<std::uint8_t> used;
    for (const ContactInfo& contact : frame.contacts) {
        if (contact.colour >= 32) continue;
        used.insert(contact.colour);
        for (const BodyId body : {contact.first_body, contact.second_body})
            if (frame.appearance->bodies[body.index].type == BodyType::dynamic) {
                EXPECT_TRUE(taken.insert({body.index, contact.colour}).second);
            }
    }
    EXPECT_GT(used.size(), 2u);
    EXPECT_EQ(static_cast<double>(used.size()), value_of(frame.counters, "colours"));
}

TEST(DebugLines, NumbersHaveColoursOfTheirOwn) {
    std::set<Colour> colours;
    for (std::uint32_t k = 0; k < 64; ++k) colours.insert(number_colour(k));
    EXPECT_EQ(colours.size(), 64u);
}

} // namespace
} // namespace scree::view
