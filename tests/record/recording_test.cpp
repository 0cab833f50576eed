// SPDX-License-Identifier: MIT
// recording_test.cpp — recordings keep every bit, seek, survive cuts and notice damage.

#include "record/format.h"
#include "record/sample_recording.h"

#include "support/refused.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

using namespace scree;
using namespace scree::testing;

using test::contains;
using test::error_message;

TEST(Recording, KeepsTheHeader) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 5, 3);
    const RecordingReader reader(folder.file("a.rec"));
    const RecordingHeader expected = sample_header();
    const RecordingHeader& header = reader.header();
    EXPECT_EQ(reader.version(), 2u);
    EXPECT_EQ(header.scene, expected.scene);
    EXPECT_EQ(header.title, expected.title);
    EXPECT_EQ(header.kind, expected.kind);
    EXPECT_EQ(header.scree_version, expected.scree_version);
    EXPECT_EQ(header.device, expected.device);
    EXPECT_EQ(header.settings, expected.settings);
    EXPECT_EQ(header.time_step, expected.time_step);
    EXPECT_EQ(header.steps_per_frame, expected.steps_per_frame);
    EXPECT_EQ(header.scene_text, expected.scene_text);
    EXPECT_EQ(header.files, expected.files);
}

TEST(Recording, KeepsTheAppearance) {
    TemporaryFolder folder;
    const std::shared_ptr<const Appearance> look = rich_appearance();
    Frame frame = sample_frame(look, 1);
    frame.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 0, 0}, {3, 0, -0.0f}, {4, 1e-40f, 0}};
    {
        RecordingWriter writer(folder.file("a.rec"), sample_header());
        writer.add_frame(frame, 0);
        frame.step = 2, frame.vertices[3].z = 0.5f;
        writer.add_frame(frame, 0);
        writer.finish();
    }
    RecordingReader reader(folder.file("a.rec"));
    const std::shared_ptr<const Appearance> read = reader.appearance(0);
    EXPECT_EQ(record::encode(*read), record::encode(*look)); // each field of it
    EXPECT_EQ(read->shapes[3].name, "all kinds");
    EXPECT_EQ(std::get<Capsule>(read->shapes[3].parts[1].geometry).radius, 0.25f);
    EXPECT_EQ(read->shapes[3].parts[1].pose, look->shapes[3].parts[1].pose);
    EXPECT_EQ(read->shapes[3].reach, look->shapes[3].reach);
    EXPECT_TRUE(std::isinf(read->shapes[4].reach));
    const auto hull = [](const Appearance& from, std::size_t part) {
        return std::get<Hull>(from.shapes[3].parts[part].geometry);
    };
    EXPECT_EQ(hull(*read, 5).faces(), hull(*look, 5).faces());
    EXPECT_EQ(&hull(*read, 5).geometry(), &hull(*read, 6).geometry()); // one, as before
    const auto mesh = [](const Appearance& from, std::size_t part) {
        return std::get<Mesh>(from.shapes[3].parts[part].geometry);
    };
    EXPECT_EQ(mesh(*read, 8).scale(), (Vec3{1, 2, 3}));
    EXPECT_TRUE(mesh(*read, 7).options().two_sided);
    EXPECT_TRUE(std::ranges::equal(mesh(*read, 7).indices(), mesh(*look, 7).indices()));
    EXPECT_EQ(&mesh(*read, 7).geometry(), &mesh(*read, 8).geometry());
    EXPECT_EQ(read->shapes[3].drawn.size(), 2u);
    EXPECT_EQ(&std::get<Mesh>(read->shapes[3].drawn[0].geometry).geometry(), &mesh(*read, 7).geometry());
    EXPECT_EQ(read->shapes[3].drawn[1].pose, look->shapes[3].drawn[1].pose);
    EXPECT_EQ(read->bodies[1].paint, look->bodies[1].paint);
    EXPECT_EQ(read->bodies[1].name, "kind of all");
    EXPECT_EQ(read->joints[0].second, 1u);
    EXPECT_FALSE(read->joints[1].second);
    EXPECT_EQ(read->meshes[0].triangles, look->meshes[0].triangles);
    EXPECT_EQ(read->lights[1].position, (Vec3{1, 5, 1}));
    EXPECT_EQ(read->camera->fov, 60);
    EXPECT_EQ(read->ground.shown, false);
    EXPECT_EQ(read->ground.paint, look->ground.paint);
    EXPECT_EQ(read->sky.zenith, look->sky.zenith);
    EXPECT_FALSE(read->sky.horizon);
    EXPECT_EQ(read->sky.strength, 0.5f);
    // vertices are kept to the bit, as differences too, and both frames share what they look like
    const Frame first = reader.read(0), second = reader.read(1);
    EXPECT_FALSE(reader.info(1).key);
    EXPECT_EQ(first.appearance, second.appearance);
    EXPECT_EQ(second.vertices, frame.vertices);
    EXPECT_EQ(first.vertices[3].z, 0);
    EXPECT_TRUE(std::signbit(second.vertices[5].z));
}

TEST(Recording, KeepsThePicturesOfSurfaces) {
    const auto look = rich_appearance();
    look->meshes.push_back(look->meshes[0]);
    look->meshes.push_back(look->meshes[0]);
    const auto picture = std::make_shared<const std::string>(1000, 'p');
    const std::vector<std::array<float, 2>> places{{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1.5f, -2}};
    for (const std::size_t m : {1u, 2u}) {
        look->meshes[m].texture = {"skin.png", picture, {}};
        look->meshes[m].texture_places = places;
    }
    const auto bytes = record::encode(*look);
    EXPECT_LT(bytes.size(), record::encode(*rich_appearance()).size() + 1500); // once for both
    const Appearance read = record::decode_appearance(bytes, "look");
    EXPECT_FALSE(read.meshes[0].texture.colours);
    EXPECT_TRUE(read.meshes[0].texture_places.empty());
    EXPECT_EQ(read.meshes[1].texture.name, "skin.png");
    ASSERT_TRUE(read.meshes[1].texture.colours);
    EXPECT_EQ(*read.meshes[1].texture.colours, *picture);
    EXPECT_EQ(read.meshes[1].texture.colours, read.meshes[2].texture.colours);
    EXPECT_EQ(read.meshes[2].texture_places, places);
    look->meshes[2].texture_places.pop_back();
    const auto wrong = record::encode(*look);
    EXPECT_NE(test::error_message([&] {
                  record::decode_appearance(wrong, "look");
              }).find("mesh 2 has texture coordinates for other triangles"),
              std::string::npos);
}

TEST(Recording, KeepsSkinsAndTheBonesThatMoveThem) {
    const auto look = rich_appearance();
    auto skin = std::make_shared<AppearanceSkin>();
    for (int v = 0; v < 300; ++v) {
        skin->vertices.push_back({static_cast<float>(v), 0.5f, -1});
        skin->normals.push_back({0, 1, 0});
        skin->bones.push_back({0, 1, 0, 0});
        skin->weights.push_back({0.25f, 0.75f, 0, 0});
    }
    for (const std::uint32_t first : {7u, 15u}) {
        look->meshes.push_back(
            {.name = "arm", .first_vertex = first, .vertex_count = 8, .triangles = {0, 299, 2}});
        look->meshes.back().skin = skin;
    }
    const auto bytes = record::encode(*look);
    EXPECT_LT(bytes.size(), record::encode(*rich_appearance()).size() + 300 * 56 + 200); // once for both
    const Appearance read = record::decode_appearance(bytes, "look");
    EXPECT_FALSE(read.meshes[0].skin);
    ASSERT_TRUE(read.meshes[1].skin);
    EXPECT_EQ(*read.meshes[1].skin, *skin);
    EXPECT_EQ(read.meshes[1].skin, read.meshes[2].skin);
    const auto refused = [&](const std::function<void(AppearanceSkin&, AppearanceMesh&)>& spoil) {
        Appearance bad = *look;
        auto changed = std::make_shared<AppearanceSkin>(*skin);
        spoil(*changed, bad.meshes[2]);
        bad.meshes[2].skin = changed;
        const auto wrong = record::encode(bad);
        return test::error_message([&] { record::decode_appearance(wrong, "look"); });
    };
    EXPECT_TRUE(test::contains(refused([](auto& s, auto&) { s.bones[5][2] = 2; }),
                               "vertex 5 follows bone 2; there are 2"));
    EXPECT_TRUE(test::contains(refused([](auto& s, auto&) { s.weights.pop_back(); }), "299 of weights"));
    EXPECT_TRUE(test::contains(refused([](auto&, auto& mesh) { mesh.triangles[0] = 300; }), "mesh 2 has"));
    EXPECT_TRUE(test::contains(refused([](auto& s, auto&) { s.vertices[0].x = std::nanf(""); }), "finite"));
}

TEST(Recording, RefusesChoicesThatDoNotFitIntoTheirBytes) {
    const auto look = rich_appearance();
    const auto bytes = record::encode(*look);
    look->shading = static_cast<Shading>(2);
    auto wrong = record::encode(*look);
    ASSERT_EQ(bytes.size(), wrong.size());
    const auto at = std::mismatch(bytes.begin(), bytes.end(), wrong.begin()).second - wrong.begin();
    const auto message = [&] {
        return test::error_message([&] { record::decode_appearance(wrong, "look"); });
    };
    EXPECT_TRUE(contains(message(), "the shading is of no known kind"));
    // 257, of which a byte would keep 1
    wrong[static_cast<std::size_t>(at)] = wrong[static_cast<std::size_t>(at) + 1] = 1;
    EXPECT_TRUE(contains(message(), "choice 257 is not known")) << message();
}

TEST(Recording, WritesAnAppearanceOnlyWhenItChanges) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    RecordingWriter writer(file, sample_header());
    const std::shared_ptr<const Appearance> first = sample_appearance(2), second = sample_appearance(3);
    writer.add_frame(sample_frame(first, 1), 0);
    writer.add_frame(sample_frame(sample_appearance(2), 2), 0); // another one that is equal
    writer.add_frame(sample_frame(second, 3), 0);
    writer.add_frame(sample_frame(second, 4), 0);
    writer.finish();
    const std::string bytes = file_bytes(file);
    std::size_t looks = 0;
    for (std::size_t at = 0; (at = bytes.find("LOOK", at)) != std::string::npos; ++at) ++looks;
    EXPECT_EQ(looks, 2u);
    RecordingReader reader(file);
    EXPECT_EQ(reader.read(0).appearance, reader.appearance(1));
    EXPECT_EQ(reader.appearance(2), reader.read(3).appearance);
    EXPECT_NE(reader.appearance(0), reader.appearance(3));
    EXPECT_TRUE(reader.info(2).key);
    EXPECT_FALSE(reader.info(1).key || reader.info(3).key);
}

TEST(Recording, KeepsCommandsAsTheyCome) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    const std::shared_ptr<const Appearance> look = sample_appearance(1);
    RecordingWriter writer(file, sample_header());
    writer.add_commands("");
    writer.add_commands("0 release\n1 drag 1 2 3\n");
    writer.add_frame(sample_frame(look, 5), 0);
    writer.add_commands("5 set gravity [0, -1, 0]");
    const std::string all = "0 release\n1 drag 1 2 3\n5 set gravity [0, -1, 0]\n";
    EXPECT_EQ(RecordingReader(file + ".partial").commands(), all); // a crash leaves them
    writer.finish();
    EXPECT_EQ(RecordingReader(file).commands(), all);
    write_sample(file, 1, 1);
    EXPECT_EQ(RecordingReader(file).commands(), "");
}

TEST(Recording, KeepsEveryBitOfEveryFrame) {
    TemporaryFolder folder;
    for (const int level : {0, 1, 3}) {
        const std::string file = folder.file("a.rec");
        write_sample(file, 40, 50, {.key_frame_interval = 8, .compression_level = level});
        RecordingReader reader(file);
        EXPECT_FALSE(reader.truncated());
        EXPECT_EQ(reader.message(), "");
        ASSERT_EQ(reader.frame_count(), 50u);
        for (std::size_t i = 0; i < 50; ++i) {
            EXPECT_EQ(reader.info(i).key, i % 8 == 0) << i;
            EXPECT_TRUE(is_sample_frame(reader, i, 40)) << "frame " << i << ", level " << level;
        }
    }
}

TEST(Recording, RoundsVerticesOnRequestAndTakesLessSpace) {
    const TemporaryFolder folder;
    const auto look = std::make_shared<Appearance>();
    look->meshes.push_back({.name = "sheet", .first_vertex = 0, .vertex_count = 300, .triangles = {0, 1, 2}});
    look->meshes.push_back({.name = "arm", .first_vertex = 300, .vertex_count = 4, .triangles = {}});
    look->meshes[1].skin = std::make_shared<AppearanceSkin>();
    const Vec3 bone{0.0123456f, 1.2345678f, -3.3333333f};
    const auto write = [&](const std::string& name, float precision) {
        RecordingWriter out(folder.file(name), {}, {.vertex_precision = precision});
        for (std::uint64_t step = 0; step < 20; ++step) {
            Frame frame{.step = step, .appearance = look};
            for (int i = 0; i < 300; ++i) {
                const float x = static_cast<float>(i) * 0.0371f;
                frame.vertices.push_back({x, std::sin(x + 0.01f * static_cast<float>(step)), -1e6f});
            }
            frame.vertices.resize(304, bone);
            out.add_frame(frame, step);
        }
        out.finish();
        return std::filesystem::file_size(folder.file(name));
    };
    const auto exact = write("exact.rec", 0), rounded = write("rounded.rec", 1e-3f);
    EXPECT_LT(rounded, 0.7 * static_cast<double>(exact));

    RecordingReader a(folder.file("exact.rec")), b(folder.file("rounded.rec"));
    double largest = 0;
    for (std::size_t k = 0; k < a.frame_count(); ++k) {
        const Frame one = a.read(k), other = b.read(k);
        EXPECT_EQ(other.vertices[302], bone);
        for (std::size_t i = 0; i < 300; ++i) {
            largest = std::max(largest, double{length(one.vertices[i] - other.vertices[i])});
            // 1/1024 m is the largest power of two below a millimetre
            EXPECT_EQ(std::remainder(other.vertices[i].x, 0x1p-10f), 0);
        }
    }
    EXPECT_GT(largest, 1e-4);
    EXPECT_LT(largest, 1e-3);
    EXPECT_EQ(b.read(0).vertices[0].z, -1e6f); // a float of that size is coarser
}

TEST(Recording, SeeksToAnyFrameInAnyOrder) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 10, 60, {.key_frame_interval = 7});
    RecordingReader reader(folder.file("a.rec"));
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        const std::size_t frame = random() % 60;
        ASSERT_TRUE(is_sample_frame(reader, frame, 10)) << frame;
    }
    EXPECT_EQ(reader.frame_at_step(0), 0u);
    EXPECT_EQ(reader.frame_at_step(sample_step(13)), 13u);
    EXPECT_EQ(reader.frame_at_step(sample_step(13) + 1), 13u);
    EXPECT_EQ(reader.frame_at_step(1'000'000), 59u);
}

TEST(Recording, FollowsAWorldThatGrows) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    RecordingWriter writer(file, sample_header());
    for (std::uint64_t step = 1; step <= 6; ++step)
        writer.add_frame(sample_frame(sample_appearance(step / 2), step), 0);
    EXPECT_EQ(writer.frame_count(), 6u);
    writer.finish();
    RecordingReader reader(file);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(reader.read(i).size(), (i + 1) / 2 + 1);
        EXPECT_EQ(reader.read(i).appearance->body_count, (i + 1) / 2);
    }
}

TEST(Recording, WithoutFramesIsStillARecording) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 0, 0);
    RecordingReader reader(folder.file("a.rec"));
    EXPECT_FALSE(reader.truncated());
    EXPECT_EQ(reader.frame_count(), 0u);
    EXPECT_TRUE(
        contains(error_message([&] { reader.read(0); }), "frame 0 does not exist; there are 0 frames"));
}

TEST(Recording, TakesLittleForBodiesAtRest) {
    TemporaryFolder folder;
    Frame frame = sample_frame(sample_appearance(1000), 1);
    RecordingWriter writer(folder.file("a.rec"), sample_header(),
                           {.key_frame_interval = 1000, .compression_level = 0});
    writer.add_frame(frame, 0);
    const std::uint64_t before = writer.bytes_written();
    for (frame.step = 2; frame.step <= 101; ++frame.step) writer.add_frame(frame, 0);
    EXPECT_EQ(writer.bytes_written() - before, 100u * (64 + 16));
    writer.finish();
}

TEST(Recording, CutAnywherePlaysUpToTheCut) {
    TemporaryFolder folder;
    const std::size_t frames = 6, bodies = 4;
    write_sample(folder.file("a.rec"), bodies, frames, {.key_frame_interval = 3});
    const std::string whole = file_bytes(folder.file("a.rec"));
    std::size_t played_before = 0, headers_lost = 0;
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        std::unique_ptr<RecordingReader> reader;
        try {
            reader = std::make_unique<RecordingReader>(reader_of(whole.substr(0, cut)));
        } catch (const Error& error) {
            ASSERT_EQ(played_before, 0u) << "cut at " << cut << ": " << error.what();
            ++headers_lost;
            continue;
        }
        ASSERT_TRUE(reader->truncated()) << cut;
        ASSERT_TRUE(contains(reader->message(), "memory")) << reader->message();
        ASSERT_TRUE(
            contains(reader->message(), std::to_string(reader->frame_count()) + " frames before that"));
        ASSERT_GE(reader->frame_count(), played_before);
        ASSERT_LE(reader->frame_count(), frames);
        played_before = reader->frame_count();
        for (std::size_t i = 0; i < played_before; ++i)
            ASSERT_TRUE(is_sample_frame(*reader, i, bodies)) << "cut at " << cut << ", frame " << i;
    }
    EXPECT_EQ(played_before, frames);
    EXPECT_GT(headers_lost, 16u + 64u);
    EXPECT_FALSE(reader_of(whole).truncated());
}

TEST(Recording, NoticesEveryFlippedBitOrPlaysTheSame) {
    TemporaryFolder folder;
    const std::size_t frames = 5, bodies = 4;
    write_sample(folder.file("a.rec"), bodies, frames, {.key_frame_interval = 3});
    const std::string whole = file_bytes(folder.file("a.rec"));
    std::size_t noticed = 0;
    for (std::size_t byte = 0; byte < whole.size(); ++byte)
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
            try {
                RecordingReader reader = reader_of(damaged);
                noticed += reader.truncated();
                ASSERT_TRUE(reader.truncated() || reader.frame_count() == frames);
                for (std::size_t i = 0; i < reader.frame_count(); ++i)
                    ASSERT_TRUE(is_sample_frame(reader, i, bodies)) << byte << '.' << bit << ", frame " << i;
                ASSERT_TRUE(reader.truncated() || reader.commands() == sample_commands);
            } catch (const Error&) {
                ++noticed;
            }
        }
    // not one goes by unnoticed: each byte is under a checksum or is compared
    EXPECT_EQ(noticed, whole.size() * 8);
}

TEST(Recording, DamageInOneFrameNamesItsOffsetAndSparesTheOthers) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 4, 9, {.key_frame_interval = 3, .compression_level = 0});
    std::string bytes = file_bytes(folder.file("a.rec"));
    const std::size_t second = bytes.find("DIFF");
    ASSERT_NE(second, std::string::npos);
    bytes[second + 70] = static_cast<char>(bytes[second + 70] ^ 1);
    RecordingReader reader = reader_of(bytes);
    EXPECT_FALSE(reader.truncated());
    EXPECT_EQ(error_message([&] { reader.read(1); }),
              "memory: offset " + std::to_string(second) + ": the chunk does not match its checksum");
    EXPECT_NE(error_message([&] { reader.read(2); }), "no error"); // builds on the damaged one
    EXPECT_TRUE(is_sample_frame(reader, 0, 4));
    for (std::size_t i = 3; i < 9; ++i) EXPECT_TRUE(is_sample_frame(reader, i, 4));
}

TEST(Recording, CheckNamesWhatCannotBeRead) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 4, 9, {.key_frame_interval = 3, .compression_level = 0});
    const std::string whole = file_bytes(folder.file("a.rec"));
    EXPECT_TRUE(reader_of(whole).check().empty());
    const auto damaged = [&](std::size_t at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        std::string messages;
        for (const RecordingDamage& damage : reader_of(bytes).check()) messages += damage.message() + "\n";
        return messages;
    };
    const auto said = [](const std::string& frames, std::size_t offset) {
        return frames + " cannot be read: checksum error at byte " + std::to_string(offset) + "\n";
    };
    const std::size_t key = whole.find("KEYF", whole.find("KEYF") + 4), last = whole.rfind("DIFF"),
                      look = whole.find("LOOK"), commands = whole.find("CMND");
    // what builds on a damaged frame is damaged too, up to the next key frame
    EXPECT_EQ(damaged(key + 70), said("frames 3 to 5", key));
    EXPECT_EQ(damaged(last + 70), said("frame 8", last));
    EXPECT_EQ(damaged(look + 70), said("frames 0 to 8", look));
    EXPECT_EQ(damaged(commands + 70), said("the commands", commands));
    EXPECT_EQ(damaged(last + 30),
              "frame 8 cannot be read: the chunk's header does not match its checksum at byte " +
                  std::to_string(last) + "\n");
}

TEST(Recording, DamageAndAMissingEndAreBothNamed) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 4, 9, {.key_frame_interval = 3, .compression_level = 0});
    std::string bytes = file_bytes(folder.file("a.rec"));
    const std::size_t second = bytes.find("DIFF");
    bytes[second + 70] = static_cast<char>(bytes[second + 70] ^ 1);
    RecordingReader reader = reader_of(bytes.substr(0, bytes.size() - 8));
    EXPECT_TRUE(reader.truncated());
    ASSERT_EQ(reader.frame_count(), 9u);
    const auto damages = reader.check();
    ASSERT_EQ(damages.size(), 1u);
    EXPECT_EQ(damages[0].first, 1u);
    EXPECT_EQ(damages[0].last, 2u);
    EXPECT_TRUE(is_sample_frame(reader, 8, 4));
}

TEST(Recording, RefusesWhatIsNone) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 1, 1);
    std::string bytes = file_bytes(folder.file("a.rec"));
    EXPECT_EQ(error_message([] { reader_of("hello"); }),
              "memory: this is not a recording: 5 bytes are too few");
    EXPECT_EQ(error_message([] { reader_of(std::string(100, 'x')); }),
              "memory: this is not a recording: it does not begin with SCREEREC");
    for (const char version : {'\0', '\3'}) {
        bytes[8] = version;
        EXPECT_EQ(error_message([&] { reader_of(bytes); }),
                  "memory: format version " + std::to_string(int{version}) +
                      " cannot be read; this build of Scree reads versions 1 to 2");
    }
    EXPECT_EQ(error_message([&] { RecordingReader missing(folder.file("none.rec")); }),
              folder.file("none.rec") + ": there is no such file");
    EXPECT_EQ(error_message([&] { RecordingReader reader(folder.file("")); }),
              folder.file("") + ": cannot be read: this is a folder; expected a file");
}

TEST(Recording, RefusesToUnpackMoreThanTheLimit) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 100, 1);
    RecordingReader reader(folder.file("a.rec"), {.chunk_bytes = 1000});
    EXPECT_TRUE(contains(error_message([&] { reader.read(0); }), "at most 1000 are accepted"));
}

TEST(RecordingWriter, ReplacesAnOlderFileOnlyInTheEnd) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    write_sample(file, 2, 2);
    RecordingWriter writer(file, sample_header());
    EXPECT_EQ(RecordingReader(file).frame_count(), 2u);
    writer.finish();
    EXPECT_EQ(RecordingReader(file).frame_count(), 0u);
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(RecordingWriter, TwoOfOneNameDoNotMix) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    RecordingWriter first(file, sample_header()), second(file, sample_header());
    const Frame frame = sample_frame(sample_appearance(1), 0);
    first.add_frame(frame, 1);
    second.add_frame(frame, 2);
    first.finish();
    EXPECT_EQ(RecordingReader(file).info(0).state_hash, 1u);
    second.finish();
    EXPECT_EQ(RecordingReader(file).info(0).state_hash, 2u);
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(RecordingWriter, NamesAPathThatCannotBeWritten) {
    TemporaryFolder folder;
    const std::string file = folder.file("no/such/folder/a.rec");
    const std::string message = error_message([&] { RecordingWriter writer(file, sample_header()); });
    EXPECT_TRUE(contains(message, file + ": the recording cannot be written")) << message;
    const std::string directory =
        error_message([&] { RecordingWriter writer(folder.file("."), sample_header()); });
    EXPECT_TRUE(contains(directory, "this is a folder")) << directory;
    EXPECT_EQ(folder.file_count(), 0u);
}

TEST(RecordingWriter, RefusesFramesThatDoNotFit) {
    TemporaryFolder folder;
    RecordingWriter writer(folder.file("a.rec"), sample_header());
    Frame frame = sample_frame(rich_appearance(), 5);
    frame.vertices.resize(7);
    writer.add_frame(frame, 0);
    const auto refused = [&](const Frame& given, const std::string& why) {
        const std::string message = error_message([&] { writer.add_frame(given, 0); });
        EXPECT_TRUE(contains(message, why)) << message;
    };
    refused(frame, "step 5 is not after step 5");
    frame.step = 6;
    Frame other = frame;
    other.time = std::numeric_limits<double>::infinity();
    refused(other, "not finite");
    other = frame;
    other.resize(3);
    refused(other, "has 3 poses; its appearance has 4 bodies");
    other = frame;
    other.vertices.pop_back();
    refused(other, "has 6 vertices; its appearance has 7");
    other = frame;
    other.appearance = nullptr;
    refused(other, "has no appearance");
    other = frame;
    other.shared = true;
    refused(other, "step 6 is in a renderer's memory");
    other = frame;
    other.vertices_shared = true;
    refused(other, "step 6 is in a renderer's memory");
    const auto changed = [&](const std::function<void(Appearance&)>& change) {
        const auto look = rich_appearance();
        change(*look);
        other = frame;
        other.appearance = look;
        return other;
    };
    refused(changed([](Appearance& look) { look.bodies[1].shape = 5; }), "body 1 has a shape that does not");
    refused(changed([](Appearance& look) { look.joints[0].second = 3; }), "joint 0 has a body");
    refused(changed([](Appearance& look) { look.meshes[0].triangles[0] = 4; }), "mesh 0 has triangles");
    refused(changed([](Appearance& look) { look.lines[0].ends.pop_back(); }), "line set 0 has lines");
    refused(changed([](Appearance& look) { look.shapes[3].parts[0].geometry = Sphere{-1}; }), "negative");
    refused(changed([](Appearance& look) { look.up.x = std::nanf(""); }), "a number is not finite");
    refused(changed([](Appearance& look) { look.shapes[0].parts[0].geometry = Hull(); }), "without geometry");
    writer.finish();
    EXPECT_EQ(RecordingReader(folder.file("a.rec")).frame_count(), 1u);
    refused(frame, "finished");
    EXPECT_TRUE(contains(error_message([&] { writer.add_commands("1 release"); }), "finished"));
    EXPECT_TRUE(contains(error_message([&] { writer.finish(); }), "finished"));
}

TEST(RecordingWriter, RefusesLightsOfBodiesWhereThereAreNone) {
    TemporaryFolder folder;
    RecordingWriter writer(folder.file("a.rec"), sample_header());
    auto look = std::make_shared<Appearance>();
    look->lights.push_back({.position = Vec3{}, .body = 0});
    Frame frame;
    frame.appearance = look;
    EXPECT_TRUE(contains(error_message([&] { writer.add_frame(frame, 0); }),
                         "light 0 has a body that does not exist"));
}

TEST(RecordingWriter, RefusesOptionsOutOfRange) {
    TemporaryFolder folder;
    const auto message = [&](RecordingOptions options) {
        return error_message([&] { RecordingWriter writer(folder.file("a.rec"), sample_header(), options); });
    };
    EXPECT_EQ(message({.key_frame_interval = 0}), "key_frame_interval: invalid value 0: expected 1 or more");
    EXPECT_EQ(message({.compression_level = 20}), "compression_level: invalid value 20: expected 0 to 19");
    EXPECT_EQ(message({.vertex_precision = -1}),
              "vertex_precision: invalid value -1: expected 0 or a length from 1e-9 to 1000 m");
    EXPECT_NE(message({.vertex_precision = NAN}), "");
    EXPECT_EQ(folder.file_count(), 0u);
}
