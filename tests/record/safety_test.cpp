// SPDX-License-Identifier: MIT
// safety_test.cpp — what was recorded survives a full disk, an Error and the end of the process.

#include "record/sample_recording.h"

#include "support/file_size_limit.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

using namespace scree;
using namespace scree::testing;

namespace {

std::string add_frames_until_error(RecordingWriter& writer, std::uint64_t most) {
    const std::shared_ptr<const Appearance> look = sample_appearance(20);
    return test::error_message([&] {
        for (std::size_t i = 0; i < most; ++i)
            writer.add_frame(sample_frame(look, sample_step(i)), sample_hash(sample_step(i)));
    });
}

} // namespace

TEST(RecordingSafety, AFullDiskLeavesTheFramesWritten) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    std::uint64_t frames = 0;
    {
        RecordingWriter writer(file, sample_header());
        const FileSizeLimit limit(20000);
        const std::string message = add_frames_until_error(writer, 1000);
        frames = writer.frame_count();
        EXPECT_GT(frames, 10u);
        EXPECT_LT(frames, 1000u);
        EXPECT_NE(message.find("a.rec: the recording cannot be written further: "), std::string::npos)
            << message;
        EXPECT_NE(message.find("a.rec.partial has the first " + std::to_string(frames) + " frames"),
                  std::string::npos)
            << message;
        EXPECT_NE(add_frames_until_error(writer, 1), "no error"); // and no more are taken
    }
    EXPECT_FALSE(std::filesystem::exists(file));
    RecordingReader reader(file + ".partial");
    EXPECT_TRUE(reader.truncated());
    ASSERT_EQ(reader.frame_count(), frames);
    EXPECT_TRUE(reader.check().empty());
    for (std::size_t i = 0; i < frames; ++i) EXPECT_TRUE(is_sample_frame(reader, i, 20)) << i;
}

TEST(RecordingSafety, ADiskTooFullForTheIndexLeavesTheFramesToo) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    RecordingWriter writer(file, sample_header(), {.compression_level = 0});
    EXPECT_EQ(add_frames_until_error(writer, 5), "no error");
    const FileSizeLimit limit(writer.bytes_written() + 100);
    const std::string message = test::error_message([&] { writer.finish(); });
    EXPECT_TRUE(test::contains(message, "has the first 5 frames")) << message;
    EXPECT_EQ(RecordingReader(file + ".partial").frame_count(), 5u);
}

TEST(RecordingSafety, AProcessThatIsKilledLeavesTheFramesWritten) {
    TemporaryFolder folder;
    const std::string file = folder.file("k.rec");
    int done[2];
    ASSERT_EQ(pipe(done), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        RecordingWriter writer(file, sample_header());
        add_frames_until_error(writer, 50);
        writer.add_commands(sample_commands);
        const char byte = 1;
        if (write(done[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    close(done[1]);
    char byte = 0;
    ASSERT_EQ(read(done[0], &byte, 1), 1);
    close(done[0]);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));

    RecordingReader reader(file + ".partial");
    EXPECT_TRUE(reader.truncated());
    ASSERT_EQ(reader.frame_count(), 50u);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_TRUE(is_sample_frame(reader, i, 20)) << i;
    EXPECT_EQ(reader.commands(), sample_commands);
    EXPECT_EQ(test::error_message([&] { RecordingReader missing(file); }),
              file + " is not there, but " + file + ".partial is: it was not finished");
}

TEST(RecordingSafety, WithoutFinishTheFramesStay) {
    TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    { RecordingWriter writer(file, sample_header()); }
    EXPECT_EQ(folder.file_count(), 0u); // nothing to keep
    {
        RecordingWriter writer(file, sample_header());
        add_frames_until_error(writer, 3);
    }
    EXPECT_EQ(RecordingReader(file + ".partial").frame_count(), 3u);
    // what is left is not in the way of the next, nor touched by it
    write_sample(file, 1, 2);
    EXPECT_EQ(RecordingReader(file).frame_count(), 2u);
    EXPECT_EQ(RecordingReader(file + ".partial").frame_count(), 3u);
}
