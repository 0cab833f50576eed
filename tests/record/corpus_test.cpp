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

void write_corpus() {
    std::filesystem::create_directories(corpus_file(""));
    write_sample(corpus_file("plain.rec"), 2, 3, {.key_frame_interval = 2, .compression_level = 0});
    write_sample(corpus_file("zstd.rec"), 5, 4, {.key_frame_interval = 2, .compression_level = 3});
    write_sample(corpus_file("empty.rec"), 0, 0, {.compression_level = 0});
    const std::string whole = file_bytes(corpus_file("plain.rec"));
    std::ofstream(corpus_file("cut.rec"), std::ios::binary) << whole.substr(0, whole.size() * 2 / 3);
}

void expect_sample(const std::string& name, std::size_t bodies, std::size_t frames) {
    RecordingReader reader(corpus_file(name));
    ASSERT_EQ(reader.frame_count(), frames) << name;
    for (std::size_t i = 0; i < frames; ++i)
        EXPECT_TRUE(is_sample_frame(reader.read(i), i, bodies)) << name << ", frame " << i;
}

} // namespace

TEST(RecordingCorpus, IsReadAsItWasWritten) {
    if (const char* write = std::getenv("SCREE_WRITE_CORPUS"); write && *write == '1') write_corpus();
    expect_sample("plain.rec", 2, 3);
    expect_sample("empty.rec", 0, 0);
    if (record::has_zstd()) expect_sample("zstd.rec", 5, 4);
    else EXPECT_THROW(RecordingReader(corpus_file("zstd.rec")), Error);
    const RecordingReader cut(corpus_file("cut.rec"));
    EXPECT_TRUE(cut.truncated());
    EXPECT_LT(cut.frame_count(), 3u);
    EXPECT_GT(cut.frame_count(), 0u);
}
