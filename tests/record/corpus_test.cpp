// SPDX-License-Identifier: MIT
// corpus_test.cpp — the fuzzer's committed recordings are what this build would write, or can at least read.
//
// SCREE_WRITE_CORPUS=1 writes them anew, after a change of the format.

#include "record/format.h"
#include "record/sample_recording.h"

#include "scree/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace scree;
using namespace scree::testing;

namespace {

std::string corpus_file(const std::string& name) {
    return (std::filesystem::path(SCREE_SOURCE_DIR) / "tests/fuzz/corpus/recording_fuzzer" / name).string();
}

/// A world that deforms and grows.
void write_rich(const std::string& file) {
    RecordingWriter writer(file, sample_header(), {.compression_level = 0});
    const auto look = rich_appearance();
    for (std::uint64_t step = 0; step < 3; ++step) {
        Frame frame = sample_frame(step < 2 ? look : sample_appearance(4), step);
        frame.vertices.resize(7, {0, static_cast<float>(step), 1});
        writer.add_frame(frame, step);
    }
    writer.add_commands(sample_commands);
    writer.finish();
}

void write_corpus() {
    std::filesystem::create_directories(corpus_file(""));
    write_sample(corpus_file("v2-plain.rec"), 2, 3, {.key_frame_interval = 2, .compression_level = 0});
    write_sample(corpus_file("v2-zstd.rec"), 5, 4, {.key_frame_interval = 2, .compression_level = 3});
    write_sample(corpus_file("v2-empty.rec"), 0, 0, {.compression_level = 0});
    write_rich(corpus_file("v2-rich.rec"));
    const std::string whole = file_bytes(corpus_file("v2-plain.rec"));
    std::ofstream(corpus_file("v2-cut.rec"), std::ios::binary) << whole.substr(0, whole.size() * 2 / 3);
}

void expect_sample(const std::string& name, std::size_t bodies, std::size_t frames) {
    RecordingReader reader(corpus_file(name));
    ASSERT_EQ(reader.frame_count(), frames) << name;
    for (std::size_t i = 0; i < frames; ++i)
        EXPECT_TRUE(is_sample_frame(reader, i, bodies)) << name << ", frame " << i;
}

} // namespace

TEST(RecordingCorpus, IsReadAsItWasWritten) {
    if (const char* write = std::getenv("SCREE_WRITE_CORPUS"); write && *write == '1') write_corpus();
    // those without a version in their names are of version 1
    for (const std::string version : {"", "v2-"}) {
        expect_sample(version + "plain.rec", 2, 3);
        expect_sample(version + "empty.rec", 0, 0);
        if (record::has_zstd()) expect_sample(version + "zstd.rec", 5, 4);
        else EXPECT_THROW(RecordingReader(corpus_file(version + "zstd.rec")), Error);
        const RecordingReader cut(corpus_file(version + "cut.rec"));
        EXPECT_EQ(cut.version(), version.empty() ? 1u : 2u);
        EXPECT_TRUE(cut.truncated());
        EXPECT_LT(cut.frame_count(), 3u);
        EXPECT_GT(cut.frame_count(), 0u);
    }
    RecordingReader rich(corpus_file("v2-rich.rec"));
    EXPECT_TRUE(rich.check().empty());
    EXPECT_EQ(rich.read(1).vertices.size(), 7u);
}
