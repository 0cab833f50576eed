// SPDX-License-Identifier: MIT
// device_test.cpp — every device against plain host code: buffers, sort, scan, timing.
#include "device/opened.h"
#include "kernels/host_params.h"
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace scree::test {
namespace {

using Words = std::vector<std::uint32_t>;

/// The sizes at which tiles, groups and digits begin and end.
std::vector<std::uint32_t> sizes() {
    std::vector<std::uint32_t> list{0, 1, 2, 3, 255, 256, 257};
    for (std::uint32_t k : {10u, 12u, 16u, 17u}) {
        for (std::uint32_t d : {0u, 1u, 2u}) list.push_back((1u << k) - 1 + d);
    }
    return list;
}

constexpr std::uint32_t ten_million = 10'000'000;

/// Device memory that goes back when the test ends.
class Memory {
public:
    Memory(Device& device, std::size_t bytes)
        : device_(device), buffer_(device.allocate(std::max<std::size_t>(bytes, 4))) {}
    template <class T>
    Memory(Device& device, const std::vector<T>& content) : Memory(device, content.size() * sizeof(T)) {
        if (!content.empty()) device_.upload(buffer_, content.data(), content.size() * sizeof(T));
    }
    ~Memory() { device_.release(buffer_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    operator const Buffer&() const { return buffer_; }
    template <class T>
    std::vector<T> read(std::size_t count) const {
        std::vector<T> content(count);
        if (count > 0) device_.download(content.data(), buffer_, count * sizeof(T));
        return content;
    }

private:
    Device& device_;
    Buffer buffer_;
};

struct Choice {
    const char* name;
    int threads, lanes;
};

/// One run of the tests for each way to open a device; a device that is not here is skipped with its reason.
class EveryDevice : public testing::TestWithParam<Choice> {
protected:
    void SetUp() override {
        PlaceOptions options{GetParam().name, GetParam().threads, GetParam().lanes};
        if (options.device != "cpu") {
            std::string reason = "not known";
            bool found = false;
            for (const DeviceReport& report : list_devices()) {
                if (found || report.name.rfind(options.device, 0) != 0) continue;
                found = report.available;
                if (found) options.device = report.name;
                reason = report.reason;
            }
            if (!found) GTEST_SKIP() << reason;
        }
        device_ = Place(options).opened().queue();
    }
    Device& device() { return *device_; }

    template <class Key>
    void expect_sorted(std::vector<Key> keys, int bits);

private:
    std::shared_ptr<Device> device_;
};

INSTANTIATE_TEST_SUITE_P(Devices, EveryDevice,
                         testing::Values(Choice{"cpu", 1, 1}, Choice{"cpu", 1, 0}, Choice{"cpu", 4, 0},
                                         Choice{"opencl", 0, 0}, Choice{"cuda", 0, 0}),
                         [](const testing::TestParamInfo<Choice>& choice) {
                             const Choice& c = choice.param;
                             return std::string(c.name) +
                                    (c.threads ? "_" + std::to_string(c.threads) + "_threads" : "") +
                                    (c.lanes ? "_" + std::to_string(c.lanes) + "_lanes" : "");
                         });

Words random_words(std::size_t count, std::uint32_t seed, std::uint32_t mask = ~0u) {
    Random random(seed);
    Words words(count);
    for (std::uint32_t& word : words) word = random.bits() & mask;
    return words;
}

// buffers ---------------------------------------------------------------------------------------------------

TEST_P(EveryDevice, ReturnsWhatWasUploaded) {
    for (std::uint32_t n : sizes()) {
        const Words words = random_words(n, n + 1);
        EXPECT_EQ(Memory(device(), words).read<std::uint32_t>(n), words) << n;
    }
}

TEST_P(EveryDevice, UploadsAndDownloadsAtAnOffset) {
    Words words = random_words(100, 1);
    const Memory memory(device(), words);
    const Words part{7, 8, 9};
    device().upload(memory, part.data(), 12, 40);
    std::copy(part.begin(), part.end(), words.begin() + 10);
    EXPECT_EQ(memory.read<std::uint32_t>(100), words);
    Words tail(5);
    device().download(tail.data(), memory, 20, 36);
    EXPECT_EQ(tail, Words(words.begin() + 9, words.begin() + 14));
}

TEST_P(EveryDevice, FillsOnlyTheWordsAskedFor) {
    for (std::uint32_t n : {1u, 3u, 257u, 65537u}) {
        Words words = random_words(n + 2, 2);
        const Memory memory(device(), words);
        device().fill(memory, 0xdeadbeef, n, 1);
        std::fill(words.begin() + 1, words.end() - 1, 0xdeadbeef);
        EXPECT_EQ(memory.read<std::uint32_t>(n + 2), words) << n;
    }
}

TEST_P(EveryDevice, CountsItsTraffic) {
    const DeviceTraffic before = device().traffic();
    {
        const Memory memory(device(), Words(100, 1));
        memory.read<std::uint32_t>(50);
        const DeviceTraffic after = device().traffic();
        EXPECT_EQ(after.uploaded, before.uploaded + 400);
        EXPECT_EQ(after.downloaded, before.downloaded + 200);
        EXPECT_EQ(after.uploads, before.uploads + 1);
        EXPECT_EQ(after.downloads, before.downloads + 1);
        EXPECT_GE(after.allocated, before.allocated + 400);
    }
    EXPECT_EQ(device().traffic().allocated, before.allocated);
}

TEST_P(EveryDevice, NamesTheSizeItCannotAllocate) {
    constexpr std::size_t bytes = std::size_t{1} << 50;
    const std::string message = error_message([&] {
        Buffer buffer = device().allocate(bytes);
        device().release(buffer);
    });
    EXPECT_TRUE(contains(message, "1125899906842624")) << message;
    // and goes on
    EXPECT_EQ(Memory(device(), Words{1, 2, 3}).read<std::uint32_t>(3), (Words{1, 2, 3}));
}

TEST_P(EveryDevice, ReleasesAnEmptyBufferWithoutHarm) {
    Buffer empty;
    device().release(empty);
    Buffer twice = device().allocate(64);
    device().release(twice);
    EXPECT_EQ(twice.raw, nullptr);
    EXPECT_EQ(twice.bytes, 0u);
    device().release(twice);
}

// sort ------------------------------------------------------------------------------------------------------

/// Sorts keys with their first places as values. The result is right when every place occurs once and brings its key,
/// and (key, place) rises throughout: sorted, and stable.
template <class Key>
void EveryDevice::expect_sorted(std::vector<Key> keys, int bits) {
    SCOPED_TRACE(std::to_string(keys.size()) + " keys, " + std::to_string(bits) + " bits");
    const auto count = static_cast<std::uint32_t>(keys.size());
    Words places(count);
    std::iota(places.begin(), places.end(), 0u);
    const Memory on_keys(device(), keys), on_places(device(), places),
        spare_keys(device(), keys.size() * sizeof(Key)), spare_places(device(), places.size() * 4);
    if constexpr (sizeof(Key) == 4) {
        device().sort(on_keys, on_places, spare_keys, spare_places, count, bits);
    } else {
        device().sort64(on_keys, on_places, spare_keys, spare_places, count, bits);
    }
    const std::vector<Key> sorted = on_keys.read<Key>(count);
    places = on_places.read<std::uint32_t>(count);
    const Key mask =
        bits >= static_cast<int>(8 * sizeof(Key)) ? ~Key{0} : static_cast<Key>((Key{1} << bits) - 1);
    std::vector<char> seen(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        ASSERT_LT(places[i], count) << "at " << i;
        ASSERT_FALSE(seen[places[i]]) << "place " << places[i] << " occurs twice";
        seen[places[i]] = 1;
        ASSERT_EQ(sorted[i], keys[places[i]]) << "at " << i;
        if (i == 0) continue;
        const Key before = sorted[i - 1] & mask, now = sorted[i] & mask;
        ASSERT_TRUE(before < now || (before == now && places[i - 1] < places[i])) << "at " << i;
    }
}

std::vector<std::uint64_t> random_keys64(std::size_t count, std::uint32_t seed,
                                         std::uint64_t mask = ~std::uint64_t{0}) {
    Random random(seed);
    std::vector<std::uint64_t> keys(count);
    for (std::uint64_t& key : keys) {
        const std::uint64_t high = random.bits();
        key = ((high << 32) | random.bits()) & mask;
    }
    return keys;
}

TEST_P(EveryDevice, SortsRandomKeysOfEverySize) {
    for (std::uint32_t n : sizes()) expect_sorted(random_words(n, n + 10), 32);
}

TEST_P(EveryDevice, SortsRandom64BitKeysOfEverySize) {
    for (std::uint32_t n : sizes()) expect_sorted(random_keys64(n, n + 11), 64);
}

TEST_P(EveryDevice, SortIsStableAmongFewDistinctKeys) {
    for (std::uint32_t n : {257u, 4096u, 65537u}) {
        expect_sorted(random_words(n, 12, 3), 32);
        expect_sorted(random_keys64(n, 12, 0x8000000000000001u), 64);
    }
}

TEST_P(EveryDevice, SortsShortKeysInFewerBits) {
    for (int bits : {1, 2, 7, 8, 9, 12, 16, 17, 23, 24, 31}) {
        expect_sorted(random_words(5000, 13, (1u << bits) - 1), bits);
    }
    for (int bits : {1, 8, 31, 32, 33, 40, 47, 63}) {
        expect_sorted(random_keys64(5000, 13, (std::uint64_t{1} << bits) - 1), bits);
    }
}

TEST_P(EveryDevice, SortLooksAtTheLowBitsOnly) {
    for (int bits : {1, 5, 8, 12, 20}) expect_sorted(random_words(5000, 14), bits);
    for (int bits : {5, 8, 33, 50}) expect_sorted(random_keys64(5000, 14), bits);
}

TEST_P(EveryDevice, SortsAdversarialKeys) {
    constexpr std::uint32_t n = 70001;
    Words equal(n, 0x80000001u), rising(n), falling(n), ends(n), sawtooth(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        rising[i] = i;
        falling[i] = n - i;
        ends[i] = i % 2 ? 0xffffffffu : 0;
        sawtooth[i] = i % 256 << 24;
    }
    for (const Words& keys : {equal, rising, falling, ends, sawtooth}) {
        expect_sorted(keys, 32);
        expect_sorted(std::vector<std::uint64_t>(keys.begin(), keys.end()), 64);
    }
}

TEST_P(EveryDevice, SortsMillionsOfKeys) {
    if (built_with_sanitizer()) GTEST_SKIP() << "too slow under sanitizers";
    if (GetParam().lanes == 1) GTEST_SKIP() << "lanes do not matter to the sort";
    // ten million on a GPU; on the CPU two, shared by threads, once
    const bool gpu = std::string(GetParam().name) == "cuda";
    expect_sorted(random_words(gpu ? ten_million : ten_million / (GetParam().threads > 1 ? 5 : 10), 15), 32);
}

// scan, timing ----------------------------------------------------------------------------------------------

void expect_scanned(Device& device, const Words& words, bool in_place) {
    const auto count = static_cast<std::uint32_t>(words.size());
    Words expected(count);
    std::exclusive_scan(words.begin(), words.end(), expected.begin(), 0u);
    const Memory in(device, words), out(device, words.size() * 4);
    device.exclusive_scan(in, in_place ? in : out, count);
    EXPECT_TRUE((in_place ? in : out).read<std::uint32_t>(count) == expected) << count;
    EXPECT_TRUE(in_place || in.read<std::uint32_t>(count) == words) << "the input is kept";
}

TEST_P(EveryDevice, ScansEverySizeModuloTwoToThe32) {
    for (std::uint32_t n : sizes()) expect_scanned(device(), random_words(n, n + 20), false);
}

TEST_P(EveryDevice, ScansInPlace) {
    for (std::uint32_t n : sizes()) expect_scanned(device(), random_words(n, n + 21, 15), true);
}

TEST_P(EveryDevice, ScansTenMillionWords) {
    if (built_with_sanitizer()) GTEST_SKIP() << "too slow under sanitizers";
    expect_scanned(device(), random_words(ten_million, 22, 7), false);
}

TEST_P(EveryDevice, TimesNothingUntilAsked) {
    device().time_stages(false);
    device().mark(2);
    const Memory words(device(), Words(1000, 1));
    device().exclusive_scan(words, words, 1000);
    device().mark(-1);
    for (double seconds : device().stage_seconds()) EXPECT_EQ(seconds, 0);
}

TEST_P(EveryDevice, TimesTheStageThatWasMarked) {
    device().time_stages(true);
    const Memory words(device(), Words(100000, 1));
    device().mark(3);
    device().exclusive_scan(words, words, 100000);
    device().mark(-1);
    device().finish();
    const auto seconds = device().stage_seconds();
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        if (i == 3) {
            EXPECT_GT(seconds[i], 0);
        } else {
            EXPECT_EQ(seconds[i], 0) << i;
        }
    }
    device().time_stages(false);
}

/// OpenCL does not time kernels and says so by an empty list.
KernelTime time_of(const std::vector<KernelTime>& all, Work work) {
    for (const KernelTime& each : all)
        if (each.work == work) return each;
    return {};
}

TEST_P(EveryDevice, CountsAndTimesWhatRanByKernel) {
    if (std::string(GetParam().name) == "opencl") GTEST_SKIP() << "does not time kernels";
    const Memory words(device(), Words(1000, 1)), values(device(), Words(1000, 2)), spare(device(), 4000),
        more(device(), 4000);
    device().time_kernels(true);
    for (int k = 0; k < 3; ++k) device().fill(spare, 0x01020304, 100, 0);
    device().sort(words, values, spare, more, 1000, 32);
    device().exclusive_scan(words, more, 1000);
    device().copy(more, words, 4000);
    const kernels::ProbeParams probe{0};
    device().launch(KernelId::probe_run, 64, std::array<Buffer, 3>{words, values, spare}, &probe,
                    sizeof probe);
    const std::vector<KernelTime> times = device().kernel_times();
    EXPECT_EQ(time_of(times, Work::fill).launches, 3u);
    EXPECT_EQ(time_of(times, Work::fill).items, 300u);
    EXPECT_EQ(time_of(times, Work::sort).items, 4000u); // keys times passes
    EXPECT_EQ(time_of(times, Work::scan).items, 1000u);
    EXPECT_EQ(time_of(times, Work::copy).items, 1000u);
    EXPECT_EQ(time_of(times, work_of(KernelId::probe_run)).launches, 1u);
    for (const KernelTime& each : times) EXPECT_GT(each.seconds, 0) << work_name(each.work);
    EXPECT_EQ(times.size(), 5u);
    device().time_kernels(false);
}

TEST_P(EveryDevice, TimesNoKernelsUntilAsked) {
    device().time_kernels(true);
    device().time_kernels(false);
    const Memory words(device(), Words(1000, 1));
    device().exclusive_scan(words, words, 1000);
    EXPECT_TRUE(device().kernel_times().empty());
}

} // namespace
} // namespace scree::test
