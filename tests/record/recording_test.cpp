// SPDX-License-Identifier: MIT
// recording_test.cpp — recordings keep every bit, seek, survive cuts and notice damage.

#include "record/sample_recording.h"

#include "scree/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace scree;
using namespace scree::testing;

namespace {

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(Recording, KeepsTheHeader) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 5, 3);
    const RecordingReader reader(folder.file("a.rec"));
    const RecordingHeader expected = sample_header();
    const RecordingHeader& header = reader.header();
    EXPECT_EQ(header.scene, expected.scene);
    EXPECT_EQ(header.title, expected.title);
    EXPECT_EQ(header.scree_version, expected.scree_version);
    EXPECT_EQ(header.device, expected.device);
    EXPECT_EQ(header.settings, expected.settings);
    EXPECT_EQ(header.time_step, expected.time_step);
    EXPECT_EQ(header.steps_per_frame, expected.steps_per_frame);
    ASSERT_EQ(header.shapes.size(), 2u);
    EXPECT_EQ(header.shapes[0].name, "pair");
    EXPECT_EQ(header.shapes[0].half_size, expected.shapes[0].half_size);
    EXPECT_EQ(header.shapes[0].unit_inertia, expected.shapes[0].unit_inertia);
    ASSERT_EQ(header.shapes[0].particles.size(), 2u);
    EXPECT_EQ(header.shapes[0].particles[1].offset, expected.shapes[0].particles[1].offset);
    EXPECT_EQ(header.shapes[0].particles[1].radius, 0.25f);
    EXPECT_EQ(header.shapes[0].particles[1].outward, expected.shapes[0].particles[1].outward);
    ASSERT_EQ(header.obstacles.size(), 1u);
    EXPECT_EQ(header.obstacles[0].kind, Obstacle::Kind::box);
    EXPECT_EQ(header.obstacles[0].position, expected.obstacles[0].position);
    EXPECT_EQ(header.obstacles[0].size, expected.obstacles[0].size);
    EXPECT_EQ(header.obstacles[0].mass, 7.0f);
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
            EXPECT_TRUE(is_sample_frame(reader.read(i), i, 40)) << "frame " << i << ", level " << level;
        }
    }
}

TEST(Recording, SeeksToAnyFrameInAnyOrder) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 10, 60, {.key_frame_interval = 7});
    RecordingReader reader(folder.file("a.rec"));
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        const std::size_t frame = random() % 60;
        ASSERT_TRUE(is_sample_frame(reader.read(frame), frame, 10)) << frame;
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
        writer.add_frame(step, 0.01, sample_bodies(step / 2, step), 0);
    EXPECT_EQ(writer.frame_count(), 6u);
    writer.finish();
    RecordingReader reader(file);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(reader.read(i).bodies.size(), (i + 1) / 2);
        EXPECT_TRUE(reader.read(i).obstacles.empty());
    }
}

TEST(Recording, WithoutFramesIsStillARecording) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 0, 0);
    RecordingReader reader(folder.file("a.rec"));
    EXPECT_FALSE(reader.truncated());
    EXPECT_EQ(reader.frame_count(), 0u);
    EXPECT_TRUE(contains(message_of([&] { reader.read(0); }), "frame 0 does not exist; there are 0 frames"));
}

TEST(Recording, TakesLittleForBodiesAtRest) {
    TemporaryFolder folder;
    const auto bodies = sample_bodies(1000, 1);
    RecordingWriter writer(folder.file("a.rec"), sample_header(),
                           {.key_frame_interval = 1000, .compression_level = 0});
    writer.add_frame(1, 0, bodies, 0);
    const std::uint64_t before = writer.bytes_written();
    for (std::uint64_t step = 2; step <= 101; ++step) writer.add_frame(step, 0, bodies, 0);
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
            ASSERT_TRUE(is_sample_frame(reader->read(i), i, bodies)) << "cut at " << cut << ", frame " << i;
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
                    ASSERT_TRUE(is_sample_frame(reader.read(i), i, bodies))
                        << byte << '.' << bit << ", frame " << i;
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
    EXPECT_EQ(message_of([&] { reader.read(1); }),
              "memory: offset " + std::to_string(second) + ": the chunk does not match its checksum");
    EXPECT_NE(message_of([&] { reader.read(2); }), ""); // builds on the damaged one
    EXPECT_TRUE(is_sample_frame(reader.read(0), 0, 4));
    for (std::size_t i = 3; i < 9; ++i) EXPECT_TRUE(is_sample_frame(reader.read(i), i, 4));
}

TEST(Recording, RefusesWhatIsNone) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 1, 1);
    std::string bytes = file_bytes(folder.file("a.rec"));
    EXPECT_EQ(message_of([] { reader_of("hello"); }), "memory: this is no recording: 5 bytes are too few");
    EXPECT_EQ(message_of([] { reader_of(std::string(100, 'x')); }),
              "memory: this is no recording: it does not begin with SCREEREC");
    bytes[8] = 2;
    EXPECT_EQ(message_of([&] { reader_of(bytes); }),
              "memory: format version 2 cannot be read; this build of Scree reads version 1");
    EXPECT_EQ(message_of([&] { RecordingReader missing(folder.file("none.rec")); }),
              folder.file("none.rec") + ": the file cannot be opened");
}

TEST(Recording, RefusesToUnpackMoreThanTheLimit) {
    TemporaryFolder folder;
    write_sample(folder.file("a.rec"), 100, 1);
    RecordingReader reader(folder.file("a.rec"), {.chunk_bytes = 1000});
    EXPECT_TRUE(contains(message_of([&] { reader.read(0); }), "at most 1000 are accepted"));
}

TEST(RecordingWriter, LeavesNothingWithoutFinish) {
    TemporaryFolder folder;
    {
        RecordingWriter writer(folder.file("a.rec"), sample_header());
        writer.add_frame(0, 0, sample_bodies(3, 0), 0);
        EXPECT_EQ(folder.file_count(), 1u);
        // what a crash would leave can be played
        RecordingReader reader(folder.file("a.rec.partial"));
        EXPECT_TRUE(reader.truncated());
        EXPECT_EQ(reader.frame_count(), 1u);
    }
    EXPECT_EQ(folder.file_count(), 0u);
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
    first.add_frame(0, 0, sample_bodies(1, 0), 1);
    second.add_frame(0, 0, sample_bodies(1, 0), 2);
    first.finish();
    EXPECT_EQ(RecordingReader(file).info(0).state_hash, 1u);
    second.finish();
    EXPECT_EQ(RecordingReader(file).info(0).state_hash, 2u);
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(RecordingWriter, NamesAPathThatCannotBeWritten) {
    TemporaryFolder folder;
    const std::string file = folder.file("no/such/folder/a.rec");
    const std::string message = message_of([&] { RecordingWriter writer(file, sample_header()); });
    EXPECT_TRUE(contains(message, file + ": the recording cannot be written")) << message;
    const std::string directory =
        message_of([&] { RecordingWriter writer(folder.file("."), sample_header()); });
    EXPECT_TRUE(contains(directory, "this is a folder")) << directory;
    EXPECT_EQ(folder.file_count(), 0u);
}

TEST(RecordingWriter, RefusesFramesThatDoNotFit) {
    TemporaryFolder folder;
    RecordingWriter writer(folder.file("a.rec"), sample_header());
    auto bodies = sample_bodies(2, 5);
    writer.add_frame(5, 0.05, bodies, 0);
    EXPECT_TRUE(
        contains(message_of([&] { writer.add_frame(5, 0.05, bodies, 0); }), "step 5 is not after step 5"));
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(contains(message_of([&] { writer.add_frame(6, infinite, bodies, 0); }), "not finite"));
    const std::vector<Obstacle> obstacles(2);
    EXPECT_TRUE(
        contains(message_of([&] { writer.add_frame(6, 0, bodies, 0, obstacles); }), "the header has 1"));
    bodies[1].shape = 2;
    EXPECT_TRUE(contains(message_of([&] { writer.add_frame(6, 0, bodies, 0); }),
                         "bodies[1].shape: 2 is not allowed"));
    writer.finish();
    EXPECT_EQ(RecordingReader(folder.file("a.rec")).frame_count(), 1u);
    EXPECT_TRUE(contains(message_of([&] { writer.add_frame(7, 0, {}, 0); }), "finished"));
    EXPECT_TRUE(contains(message_of([&] { writer.finish(); }), "finished"));
}

TEST(RecordingWriter, RefusesOptionsOutOfRange) {
    TemporaryFolder folder;
    const auto message = [&](RecordingOptions options) {
        return message_of([&] { RecordingWriter writer(folder.file("a.rec"), sample_header(), options); });
    };
    EXPECT_EQ(message({.key_frame_interval = 0}),
              "key_frame_interval: 0 is not allowed; 1 or more was expected");
    EXPECT_EQ(message({.compression_level = 20}),
              "compression_level: 20 is not allowed; 0 to 19 was expected");
    EXPECT_EQ(folder.file_count(), 0u);
}
