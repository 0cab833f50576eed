// SPDX-License-Identifier: MIT
// level_file_test.cpp — compiled levels written and read again, and files that are not levels.
#include "bytes/fields.h"
#include "bytes/seal.h"
#include "level/level_fields.h"
#include "level/map_texts.h"
#include "scree/error.h"
#include "scree/level_file.h"
#include "scree/level_visibility.h"
#include "support/refused.h"
#include "support/temporary_folder.h"
#include "text/mapped_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <thread>
#if defined(__linux__)
#include <sys/stat.h>
#endif

namespace scree {
namespace {

using namespace testing;

/// Rooms with a patch, lights, a model and names that XML must not be confused by.
CompiledLevel hall() {
    std::string patch = "{\npatchDef2\n{\ncurve\n( 3 3 0 0 0 )\n(\n";
    for (const double x : {10, 40, 70}) {
        patch += "(";
        for (const double y : {10, 40, 70})
            patch += " ( " + number(x) + " " + number(y) + " " + (x == 40 ? "60" : "10") + " 0.1 0.2 )";
        patch += " )\n";
    }
    const std::string text =
        world(room_grid(2, 2) + box({20, 90, 0}, {40, 110.1, 30}, "a<b&'c> 0 0 0 1 1") + patch +
              ")\n}\n}\n") +
        "{ \"classname\" \"light\" \"origin\" \"60 60 100\" \"light\" \"250\" \"_color\" \"1 0.9 0.7\" }\n" +
        "{ \"classname\" \"misc_model\" \"origin\" \"200 60 10\" \"model\" \"chairs/<old>.md3\" }\n";
    return compile_level(parse_map(text, "a.map"));
}

std::string as_text(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(LevelFile, TheBinaryHoldsEverythingAndIsTheSameEachTime) {
    const CompiledLevel level = hall();
    const std::vector<std::byte> bytes = encode_level(level);
    EXPECT_EQ(as_text(bytes), as_text(encode_level(hall())));
    const CompiledLevel read = decode_level(bytes, "hall.scl");
    EXPECT_EQ(as_text(encode_level(read)), as_text(bytes));
    EXPECT_EQ(read.level.file, "hall.scl");
    EXPECT_EQ(read.level.materials, level.level.materials);
    EXPECT_EQ(read.level.brushes.size(), level.level.brushes.size());
    EXPECT_EQ(read.level.patches[0].triangles, level.level.patches[0].triangles);
    EXPECT_EQ(read.level.lights[0].colour, (DVec3{1, 0.9, 0.7}));
    EXPECT_EQ(read.entities, level.entities);
    // and is used like the one that was compiled
    LevelVisibility a(level), b(read);
    const LevelCamera camera{.eye = {60, 40, 60}, .forward = {1, 0.4, 0}};
    a.look(camera), b.look(camera);
    EXPECT_TRUE(a.counters().located);
    EXPECT_EQ(a.faces(), b.faces());
    EXPECT_EQ(a.cells(), b.cells());
}

TEST(LevelFile, IsWrittenWholeOrNotAtAllAndReadAgain) {
    const TemporaryFolder folder;
    const std::string file = folder.file("hall.scl");
    const CompiledLevel level = hall();
    write_level(file, level);
    EXPECT_EQ(folder.file_count(), 1u); // nothing half written is left
    EXPECT_EQ(file_bytes(file), as_text(encode_level(level)));
    const CompiledLevel read = read_level(file);
    EXPECT_EQ(read.level.file, file);
    EXPECT_EQ(as_text(encode_level(read)), as_text(encode_level(level)));
    // over an old file too
    const CompiledLevel other = compile_level(parse_map(world(room_grid(1, 1)), "b.map"));
    write_level(file, other);
    EXPECT_EQ(file_bytes(file), as_text(encode_level(other)));
    EXPECT_EQ(folder.file_count(), 1u);
    // where it cannot be written or read, with the reason
    const std::string nowhere = folder.file("no/hall.scl");
    EXPECT_EQ(test::error_message([&] { write_level(nowhere, level); }),
              nowhere + ": cannot be written: No such file or directory");
    EXPECT_EQ(test::error_place([&] { read_level(nowhere); }), nowhere);
    std::filesystem::create_directory(folder.file("folder"));
    EXPECT_EQ(test::error_message([&] { write_level(folder.file("folder"), level); }),
              folder.file("folder") + ": cannot be written: Is a directory");
    EXPECT_EQ(folder.file_count(), 2u);
    std::filesystem::resize_file(file, 100);
    EXPECT_NE(
        test::error_message([&] { read_level(file); }).find("hall.scl: 68 bytes follow the header; expected"),
        std::string::npos);
}

TEST(LevelFile, HoldsNeitherLightMapsNorSetsOfVisibleCells) {
    const auto compiled = [](const char* light, int columns) {
        return compile_level(parse_map(world(room_grid(columns, 2)) +
                                           "{ \"classname\" \"light\" \"origin\" \"" + light +
                                           "\" \"light\" \"250\" }\n",
                                       "a.map"));
    };
    // a light elsewhere in its room changes its place and its key, and nothing that would be light on walls
    const std::string here = as_text(encode_level(compiled("60 60 90", 2))),
                      there = as_text(encode_level(compiled("62 61 92", 2)));
    ASSERT_EQ(here.size(), there.size());
    std::size_t differ = 0;
    for (std::size_t i = 0; i < here.size(); ++i) differ += here[i] != there[i];
    EXPECT_GT(differ, 0u);
    EXPECT_LE(differ, 3 * sizeof(double) + std::string("62 61 92").size() + sizeof(std::uint64_t));
    // sets of visible cells would grow with the square of the rooms
    const auto size = [&](int columns) { return encode_level(compiled("60 60 90", columns)).size(); };
    const std::size_t few = size(2), more = size(4), most = size(8);
    EXPECT_NEAR(static_cast<double>(most - more), 2.0 * static_cast<double>(more - few),
                0.1 * static_cast<double>(most - more));
    // what is seen is found from portals when it is asked for: without them it is the eye's cell alone
    CompiledLevel level = compiled("60 60 90", 2);
    const LevelCamera camera{.eye = {60, 40, 60}, .forward = {1, 0.4, 0}};
    LevelVisibility open(level);
    open.look(camera);
    EXPECT_GT(open.counters().cells, 1u);
    for (LevelCells::Cell& cell : level.cells.cells) cell.portals.clear();
    LevelVisibility closed(level);
    closed.look(camera);
    EXPECT_EQ(closed.counters().cells, 1u);
}

TEST(LevelFile, KeepsTheWayOutOfALevelThatLeaksAndReadsFilesFromBefore) {
    const std::string rooms = room_grid(2, 1);
    const std::string start = "{ \"classname\" \"info_player_start\" \"origin\" \"64 64 32\" }\n";
    const CompiledLevel level =
        compile_level(parse_map(world(rooms.substr(0, rooms.rfind("{"))) + start, "a.map"));
    ASSERT_GE(level.leak.size(), 2u);
    const std::vector<std::byte> bytes = encode_level(level);
    EXPECT_EQ(decode_level(bytes, "a.scl").leak, level.leak);
    // versions 1, which has no way out, and 2
    for (const std::uint32_t version : {1u, 2u}) {
        bytes::Bytes content;
        bytes::FieldWriter out(content);
        level_fields::fields(out, level, version);
        const std::vector<std::byte> old = bytes::sealed({"screelev", version, ""}, 0, content);
        CompiledLevel expected = level;
        if (version == 1) expected.leak.clear();
        EXPECT_EQ(as_text(encode_level(decode_level(old, "old.scl"))), as_text(encode_level(expected)));
        content.push_back(0);
        EXPECT_EQ(test::error_message(
                      [&] { decode_level(bytes::sealed({"screelev", version, ""}, 0, content), "x.scl"); }),
                  "x.scl: there are more bytes than a level has");
    }
    CompiledLevel far = level;
    far.leak[1].y = 1e9;
    EXPECT_EQ(test::error_message([&] { decode_level(encode_level(far), "x.scl"); }),
              "x.scl: a coordinate is farther than 67108864 units from 0");
}

TEST(LevelFile, TheBinaryIsRefusedWithAReasonIfAnythingIsWrong) {
    const std::vector<std::byte> bytes = encode_level(hall());
    const auto message = [](const std::vector<std::byte>& from) {
        return test::error_message([&] { decode_level(from, "x.scl"); });
    };
    EXPECT_EQ(message({}), "x.scl: these bytes are not a compiled level of scree");
    std::vector<std::byte> other = bytes;
    other[8] = std::byte{9};
    EXPECT_EQ(message(other), "x.scl: unknown version 9: expected version 3");
    other = bytes;
    other.back() ^= std::byte{1};
    EXPECT_EQ(message(other), "x.scl: the bytes do not match their checksum");
    other = bytes;
    other.pop_back();
    EXPECT_NE(message(other).find("bytes follow the header; expected"), std::string::npos);
    // indices that lead nowhere
    const auto refused = [&](auto&& change) {
        CompiledLevel level = hall();
        change(level);
        return message(encode_level(level));
    };
    EXPECT_EQ(refused([](CompiledLevel& l) { l.cells.cells[0].faces.push_back({9999, 0}); }).substr(0, 41),
              "x.scl: the brush 9999 is named, but there");
    EXPECT_EQ(refused([](CompiledLevel& l) { l.cells.nodes.back().children[0] = 0; }),
              "x.scl: a node of the tree comes before its parent");
    EXPECT_EQ(refused([](CompiledLevel& l) { l.cells.portals[0].to = l.cells.portals[0].from; }),
              "x.scl: a portal and its twin do not lead to each other");
    EXPECT_NE(
        refused([](CompiledLevel& l) { l.level.patches[0].triangles[0][1] = 500; }).find("the vertex 500"),
        std::string::npos);
    EXPECT_EQ(refused([](CompiledLevel& l) { l.level.brushes[0].vertices[0].x = 0.0 / 0.0; }),
              "x.scl: a number is not finite");
    // what would keep its readers busy, or end their stack
    EXPECT_EQ(
        refused([](CompiledLevel& l) { l.cells.nodes[0].children[0] = l.cells.nodes[0].children[1] = 1; }),
        "x.scl: a node of the tree has two parents");
    EXPECT_EQ(refused([](CompiledLevel& l) {
                  const std::uint32_t leaf = LevelCells::leaf_bit;
                  l.cells.nodes.assign(10'002, {{0, 0, 1}, 0, {leaf, leaf}});
                  for (std::uint32_t i = 0; i < 10'001; ++i) l.cells.nodes[i].children[0] = i + 1;
              }),
              "x.scl: the tree is deeper than 10000 nodes");
    const std::string far = "x.scl: a coordinate is farther than 67108864 units from 0";
    EXPECT_EQ(refused([](CompiledLevel& l) { l.level.brushes[0].vertices[0].x = 1e9; }), far);
    EXPECT_EQ(refused([](CompiledLevel& l) { l.level.brushes[0].low.y = -1e9; }), far);
    EXPECT_EQ(refused([](CompiledLevel& l) { l.level.patches[0].vertices[0].z = 1e9; }), far);
    EXPECT_EQ(refused([](CompiledLevel& l) { l.cells.portals[0].corners[0].x = 1e300; }), far);
    EXPECT_EQ(refused([](CompiledLevel& l) { l.cells.cells[0].high.x = 1e9; }), far);
}

TEST(LevelFile, FilesOfEarlierBuildsAreRead) {
    // what version 2 and version 1 wrote, without their headers
    const std::filesystem::path corpus =
        std::filesystem::path(SCREE_SOURCE_DIR) / "tests/fuzz/corpus/level_file_fuzzer";
    for (const auto& [name, version] : {std::pair{"scl", 1u}, {"scl_leak", 2u}}) {
        const std::string content = file_bytes((corpus / name).string());
        const CompiledLevel level = decode_level(
            bytes::sealed({"screelev", version}, 0, {content.begin(), content.end()}), "old.scl");
        EXPECT_FALSE(level.level.brushes.empty());
        EXPECT_FALSE(level.cells.portals.empty());
        EXPECT_EQ(level.leak.empty(), version == 1);
        bytes::Bytes again;
        bytes::FieldWriter out(again);
        level_fields::fields(out, level, version);
        EXPECT_EQ(std::string(again.begin(), again.end()), content);
    }
}

TEST(LevelFile, AnyChangedWordMakesAnErrorOrALevelThatIsWrittenTheSame) {
    const std::vector<std::byte> bytes = encode_level(hall());
    std::mt19937 dice(4);
    std::size_t refused = 0, read = 0;
    for (std::size_t at = bytes::seal_bytes; at + 4 <= bytes.size();
         at += at < 400 ? 4 : 4 * (1 + dice() % 9))
        for (const std::uint32_t value : {0u, 1u, 0x7fffffffu, 0xffffffffu}) {
            std::vector<std::byte> changed = bytes;
            std::memcpy(changed.data() + at, &value, sizeof value);
            bytes::seal_in_place({"screelev", 3, "", true}, 0, changed);
            try {
                ASSERT_EQ(as_text(encode_level(decode_level(changed, "x.scl"))), as_text(changed)) << at;
                ++read;
            } catch (const Error&) {
                ++refused;
            }
        }
    EXPECT_GT(refused, 1000u);
    EXPECT_GT(read, 1000u);
    // more and less than the arrays have
    std::vector<std::byte> longer = bytes;
    longer.resize(bytes.size() + 8);
    bytes::seal_in_place({"screelev", 3, "", true}, 0, longer);
    EXPECT_EQ(test::error_message([&] { decode_level(longer, "x.scl"); }),
              "x.scl: there are more bytes than a level has");
    for (const std::size_t size : {std::size_t{32}, std::size_t{40}, std::size_t{168}, bytes.size() / 2}) {
        std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        bytes::seal_in_place({"screelev", 3, "", true}, 0, part);
        EXPECT_THROW(decode_level(part, "x.scl"), Error) << size;
    }
}

#if defined(__linux__)
TEST(LevelFile, IsMappedAndAPipeIsRead) {
    const TemporaryFolder folder;
    const std::string file = folder.file("hall.scl"), pipe = folder.file("pipe");
    write_level(file, hall());
    const MappedFile mapped(file, std::size_t{1} << 20);
    EXPECT_TRUE(mapped.mapped());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()),
              file_bytes(file));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] {
        std::ofstream out(pipe, std::ios::binary);
        out << file_bytes(file);
    });
    const CompiledLevel read = read_level(pipe);
    writer.join();
    EXPECT_EQ(as_text(encode_level(read)), file_bytes(file));
    // while it is mapped another one takes its place, and the bytes stay
    write_level(file, compile_level(parse_map(world(room_grid(1, 1)), "b.map")));
    EXPECT_EQ(mapped.bytes().size(), encode_level(hall()).size());
    EXPECT_EQ(as_text({mapped.bytes().begin(), mapped.bytes().end()}), as_text(encode_level(hall())));
}
#endif

TEST(LevelFile, ThePartitionAloneFindsCellsAndIsWrittenAgainTheSame) {
    const CompiledLevel level = hall();
    const std::string text = bsp_text(level.cells);
    const LevelCells read = parse_bsp(text, "hall.bsp");
    EXPECT_EQ(bsp_text(read), text);
    std::mt19937 dice(1);
    std::uniform_real_distribution<double> place(-80, 360);
    for (int i = 0; i < 5000; ++i) {
        const DVec3 at{place(dice), place(dice), place(dice)};
        EXPECT_EQ(read.cell_at(at), level.cells.cell_at(at));
    }
}

TEST(LevelFile, TheGraphAloneHasGeometryLightsModelsAndPortalsAndIsWrittenAgainTheSame) {
    const CompiledLevel level = hall();
    const std::string text = grf_text(graph_of(level));
    const LevelGraph read = parse_grf(text, "hall.grf");
    EXPECT_EQ(grf_text(read), text);
    ASSERT_EQ(read.cells.size(), level.cells.cells.size());
    EXPECT_EQ(read.portals.size(), level.cells.portals.size());
    EXPECT_EQ(read.textures, level.level.materials);
    const LevelGraph::Cell& first = read.cells[level.cells.cell_at({60, 60, 100})];
    ASSERT_EQ(first.lights.size(), 1u);
    EXPECT_EQ(first.lights[0].intensity, 250);
    EXPECT_EQ(first.patches.size(), 1u);
    EXPECT_FALSE(first.volumes.empty());
    const LevelGraph::Cell& second = read.cells[level.cells.cell_at({200, 60, 10})];
    ASSERT_EQ(second.models.size(), 1u);
    EXPECT_EQ(second.models[0].file, "chairs/<old>.md3");
    for (const LevelGraph::Volume& volume : first.volumes)
        for (const LevelGraph::Face& face : volume.faces)
            for (const LevelGraph::Vertex& corner : face.corners)
                EXPECT_NEAR(dot(face.normal, corner.at), face.distance, 1e-9);
}

TEST(LevelFile, BrokenXmlIsRefusedWithItsLine) {
    const auto bsp = [](const std::string& text) {
        return test::error_message([&] { parse_bsp(text, "a.bsp"); });
    };
    EXPECT_EQ(bsp(""), "a.bsp:1: expected <bsp> with a tree");
    EXPECT_EQ(bsp("<bsp cells=\"0\">\n<leaf cell=\"0\"/></bsp>"),
              "a.bsp:2: the cell 0 is named, but there are 0");
    EXPECT_EQ(bsp("<bsp cells=\"0\">\n<nod/>"), "a.bsp:2: unknown element <nod>");
    EXPECT_EQ(bsp("<bsp cells=\"0\">\n<solid/>"), "a.bsp:2: the element 'bsp' is not closed");
    EXPECT_EQ(bsp("<bsp cells=\"0\"><node id=\"0\" plane=\"0 0 1\">"),
              "a.bsp:1: the attribute 'plane' is '0 0 1': expected 4 numbers");
    EXPECT_EQ(bsp("<bsp cells=\"0\"><node id=\"0\" plane=\"0 0 1 0\"><front><solid/><solid/>"),
              "a.bsp:1: <solid> is not the one child of <front> or <back>");
    const auto grf = [](const std::string& text) {
        return test::error_message([&] { parse_grf(text, "a.grf"); });
    };
    EXPECT_EQ(grf("<graph texels=\"1\">\n<portal/>"), "a.grf:2: <portal> in <graph>: expected in <cell>");
    EXPECT_EQ(grf("<graph texels=\"1\">\n<!-- <x> -->\n<texture id=\"1\" name=\"\"/>"),
              "a.grf:3: textures are not numbered from 0");
    // whatever is cut off is refused
    const CompiledLevel level = hall();
    const std::string whole = bsp_text(level.cells), graph = grf_text(graph_of(level));
    for (std::size_t i = 1; i < 40; ++i) {
        EXPECT_NE(bsp(whole.substr(0, i * (whole.size() - 3) / 40)), "");
        EXPECT_NE(grf(graph.substr(0, i * (graph.size() - 3) / 40)), "");
    }
}

} // namespace
} // namespace scree
