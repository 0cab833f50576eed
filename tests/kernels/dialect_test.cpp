// SPDX-License-Identifier: MIT
// dialect_test.cpp — every function of the dialect, for every compiler present: equal bits, right values.
// compiled alone
#include "device/cpu/cpu_device.h"
#include "device/opened.h"
#include "support/double_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace scree::test {
namespace {

using kernels::real4;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr double ulp_of_one = 1.0 / (1 << 23);

constexpr const char* function_names[] = {
#define SCREE_NAME(name) #name,
    PROBE_FUNCTIONS(SCREE_NAME)
#undef SCREE_NAME
};

/// What breaks arithmetic: zeros, denormals, the ends of the range, and where the functions change branch.
constexpr float edges[] = {0.0f,        -0.0f,           1e-45f,          -1e-45f,        1e-40f,
                           -5.9e-39f,   1.17549435e-38f, -1.1754942e-38f, 1e-20f,         1.0f,
                           -1.0f,       0.99999994f,     1.0000001f,      0.5f,           -0.5f,
                           0.41421357f, 0.7853982f,      1.5707964f,      3.1415927f,     -3.1415927f,
                           8192.0f,     -8193.0f,        88.0f,           88.1f,          -87.0f,
                           -87.1f,      8388608.0f,      -8388607.5f,     1e9f,           -1.5e9f,
                           1e20f,       -1e20f,          3.4028235e38f,   -3.4028235e38f, infinity,
                           -infinity,   nan_value};

struct Input {
    std::array<float, 4> a, b;
};

/// Every pair of edges, then random bits, then random numbers of the sizes that scenes have.
std::vector<Input> inputs() {
    std::vector<Input> list;
    constexpr std::size_t n = std::size(edges);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            const auto edge = [&](std::size_t steps) { return edges[(i + steps * (k + 1)) % n]; };
            list.push_back({{edges[i], edge(2), edge(3), edge(5)}, {edges[k], edge(7), edge(11), edge(13)}});
        }
    }
    std::mt19937 random(2024);
    const auto add = [&](int count, auto&& number) {
        for (int i = 0; i < count; ++i) {
            Input input;
            for (float& x : input.a) x = number();
            for (float& x : input.b) x = number();
            list.push_back(input);
        }
    };
    add(6000, [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); });
    for (const float size : {1e-3f, 1.0f, 30.0f, 1e4f}) {
        std::uniform_real_distribution<float> uniform(-size, size);
        add(3000, [&] { return uniform(random); });
    }
    return list;
}

std::vector<std::array<float, 4>> on_host(std::uint32_t function, const std::vector<Input>& list) {
    std::vector<std::array<float, 4>> results;
    for (const Input& input : list) {
        const real4 a{input.a[0], input.a[1], input.a[2], input.a[3]};
        const real4 b{input.b[0], input.b[1], input.b[2], input.b[3]};
        const real4 r = kernels::probe_value(function, a, b);
        results.push_back({r.x, r.y, r.z, r.w});
    }
    return results;
}

/// Runs probe_run on a device, whichever way it lays attributes out.
class Probe {
public:
    Probe(Device& device, const std::vector<Input>& list)
        : device_(device), count_(static_cast<std::uint32_t>(list.size())) {
        items_ = (count_ / device.padding() + 1) * device.padding();
        for (const auto input : {&Input::a, &Input::b}) {
            std::vector<float> words(std::size_t{4} * items_, 0.0f);
            for (std::size_t i = 0; i < count_; ++i)
                std::copy_n((list[i].*input).begin(), 4, words.begin() + static_cast<std::ptrdiff_t>(4 * i));
            Buffer& buffer = buffers_[input == &Input::a ? 0 : 1] = device.allocate(words.size() * 4);
            device.upload(buffer, words.data(), words.size() * 4);
        }
        buffers_[2] = device.allocate(std::size_t{16} * items_);
    }
    ~Probe() {
        for (Buffer& buffer : buffers_) device_.release(buffer);
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    std::vector<std::array<float, 4>> run(std::uint32_t function) {
        const kernels::ProbeParams params{function};
        device_.fill(buffers_[2], 0xdeadbeefu, std::size_t{4} * items_);
        device_.launch(KernelId::probe_run, count_, buffers_, &params, sizeof params);
        std::vector<std::array<float, 4>> results(count_);
        device_.download(results.data(), buffers_[2], results.size() * 16);
        return results;
    }

private:
    Device& device_;
    std::uint32_t count_, items_ = 0;
    std::array<Buffer, 3> buffers_;
};

/// NaN equals NaN: IEEE leaves open which one an operation gives.
bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

std::string text(const std::array<float, 4>& v) {
    char buffer[160];
    std::snprintf(buffer, sizeof buffer, "(%a %a %a %a)", static_cast<double>(v[0]),
                  static_cast<double>(v[1]), static_cast<double>(v[2]), static_cast<double>(v[3]));
    return buffer;
}

struct Target {
    const char* name;
    int lanes;
};

/// Why this machine cannot run the target; empty when it can, and then a failure to open it is a failure.
std::string why_missing(const Target& target) {
    if (target.lanes > 0) return lanes_missing(target.lanes);
    std::string reason = "not known";
    for (const DeviceReport& report : list_devices()) {
        if (!report.name.starts_with(target.name)) continue;
        if (report.available) return {};
        reason = report.reason;
    }
    return reason;
}

class DialectOn : public testing::TestWithParam<Target> {};

TEST_P(DialectOn, EveryFunctionGivesTheBitsOfOneLane) {
    const std::string reason = why_missing(GetParam());
    if (!reason.empty()) GTEST_SKIP() << reason;
    const Place place({.device = GetParam().name, .lanes = GetParam().lanes});
    const std::shared_ptr<Device> device = place.opened().queue();
    if (!device->report().same_bits)
        GTEST_SKIP() << device->report().description << " does not promise equal bits";

    const std::vector<Input> list = inputs();
    Probe probe(*device, list);
    for (std::uint32_t function = 0; function < kernels::PROBE_COUNT; ++function) {
        const auto expected = on_host(function, list);
        const auto found = probe.run(function);
        std::size_t different = 0, first = 0;
        for (std::size_t i = list.size(); i-- > 0;) {
            if (std::equal(expected[i].begin(), expected[i].end(), found[i].begin(), same_bits)) continue;
            ++different;
            first = i;
        }
        EXPECT_EQ(different, 0u) << function_names[function] << ", first for a " << text(list[first].a)
                                 << " b " << text(list[first].b) << ":\n  one lane " << text(expected[first])
                                 << "\n  here     " << text(found[first]);
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, DialectOn,
                         testing::Values(Target{"cpu", 1}, Target{"cpu", 4}, Target{"cpu", 8},
                                         Target{"cpu", 16}, Target{"opencl", 0}, Target{"cuda", 0},
                                         Target{"gles", 0}),
                         [](const testing::TestParamInfo<Target>& target) {
                             std::string name = target.param.name;
                             if (target.param.lanes > 0) name += std::to_string(target.param.lanes);
                             return name;
                         });

float largest(const std::array<float, 4>& numbers) {
    float most = 0;
    for (const float number : numbers) most = std::max(most, std::abs(number));
    return most;
}

/// OpenGL ES promises neither rounding nor denormal numbers. Software GL rounds as IEEE says and flushes denormals: it has equal bits for
/// numbers as scenes have them. Others come close.
TEST(DialectOnGles, EveryFunctionAgreesOnNumbersOfScenes) {
    const std::string reason = why_missing({"gles", 0});
    if (!reason.empty()) GTEST_SKIP() << reason;
    const Place place("gles");
    const std::shared_ptr<Device> device = place.opened().queue();
    const bool exact = device->report().description.find("llvmpipe") != std::string::npos;
    std::vector<Input> list = inputs();
    list.erase(list.begin(), list.end() - 12000);
    Probe probe(*device, list);
    for (std::uint32_t function = 0; function < kernels::PROBE_COUNT; ++function) {
        const auto expected = on_host(function, list);
        const auto found = probe.run(function);
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t c = 0; c < 4; ++c) {
                const float a = expected[i][c], b = found[i][c];
                const bool tiny = std::abs(a) < 1.2e-38f && std::abs(b) < 1.2e-38f;
                // a driver may fuse products and sums: as much as the rounding of the largest product or of the vector
                const float fused =
                    3e-7f * std::max(largest(list[i].a) * largest(list[i].b), largest(expected[i]));
                const bool near = std::abs(a - b) <= std::max(1e-3f * std::max(1.0f, std::abs(a)), fused);
                ASSERT_TRUE(same_bits(a, b) || tiny || (!exact && near))
                    << function_names[function] << " of " << text(list[i].a) << " " << text(list[i].b)
                    << ":\n  " << text(expected[i]) << "\n  " << text(found[i]);
            }
    }
}

// right values ----------------------------------------------------------------------------------------------

/// `count` numbers from low to high, evenly
template <class Check>
void sweep(float low, float high, int count, Check&& check) {
    for (int i = 0; i <= count; ++i)
        check(low + (high - low) * (static_cast<float>(i) / static_cast<float>(count)));
}

TEST(Dialect, SineAndCosineAreWithinAnUlpOfOne) {
    const auto check = [](float a) {
        ASSERT_NEAR(kernels::sine(a), std::sin(static_cast<double>(a)), ulp_of_one) << a;
        ASSERT_NEAR(kernels::cosine(a), std::cos(static_cast<double>(a)), ulp_of_one) << a;
    };
    sweep(-7.0f, 7.0f, 200'000, check);
    sweep(-8192.0f, 8192.0f, 200'000, check);
}

TEST(Dialect, SineKeepsSmallAngles) {
    for (const float a : {0.0f, 1e-45f, 1e-30f, -1e-10f, 1e-4f}) EXPECT_EQ(kernels::sine(a), a);
    EXPECT_EQ(kernels::cosine(0.0f), 1.0f);
}

TEST(Dialect, ArctangentIsWithinTwoUlpOfPi) {
    sweep(-3.14159f, 3.14159f, 100'000, [](float angle) {
        for (const float radius : {1e-30f, 0.01f, 1.0f, 1e30f}) {
            const float x = radius * std::cos(angle), y = radius * std::sin(angle);
            ASSERT_NEAR(kernels::arctangent2(y, x),
                        std::atan2(static_cast<double>(y), static_cast<double>(x)), 4 * ulp_of_one)
                << y << " " << x;
        }
    });
    EXPECT_EQ(kernels::arctangent2(0.0f, 0.0f), 0.0f);
}

TEST(Dialect, ExponentialIsWithinTwoUlp) {
    sweep(-87.0f, 88.0f, 400'000, [](float a) {
        const double exact = std::exp(static_cast<double>(a));
        ASSERT_NEAR(kernels::exponential(a) / exact, 1.0, 2 * ulp_of_one) << a;
    });
    EXPECT_EQ(kernels::exponential(0.0f), 1.0f);
    EXPECT_EQ(kernels::exponential(-87.5f), 0.0f);
    EXPECT_EQ(kernels::exponential(-infinity), 0.0f);
    EXPECT_EQ(kernels::exponential(1e9f), kernels::exponential(88.0f));
}

TEST(Dialect, LeastAndGreatestGiveTheSecondOfTwoThatDoNotCompare) {
    EXPECT_EQ(kernels::least(nan_value, 2.0f), 2.0f);
    EXPECT_TRUE(std::isnan(kernels::least(2.0f, nan_value)));
    EXPECT_EQ(kernels::greatest(nan_value, 2.0f), 2.0f);
    EXPECT_TRUE(std::isnan(kernels::greatest(2.0f, nan_value)));
    EXPECT_TRUE(std::signbit(kernels::least(0.0f, -0.0f)));
    EXPECT_FALSE(std::signbit(kernels::greatest(-0.0f, 0.0f)));
}

TEST(Dialect, RoundDownIsFloor) {
    for (const float a : edges) {
        if (std::fabs(a) <= 1e9f) {
            EXPECT_EQ(kernels::round_down(a), std::floor(a)) << a;
        }
    }
    sweep(-1000.0f, 1000.0f, 100'000, [](float a) { ASSERT_EQ(kernels::round_down(a), std::floor(a)) << a; });
}

TEST(Dialect, FinitenessAndMagnitudeMatchTheStandardLibrary) {
    for (const float a : edges) {
        EXPECT_EQ(kernels::is_finite(a), std::isfinite(a)) << a;
        EXPECT_TRUE(same_bits(kernels::magnitude(a), std::fabs(a))) << a;
    }
}

TEST(Dialect, UnitFallsBackWhereThereIsNoDirection) {
    const kernels::real3 up{0.0f, 1.0f, 0.0f};
    const kernels::real3 none = kernels::unit3({0.0f, 0.0f, 0.0f}, up);
    EXPECT_EQ(none.x, 0.0f);
    EXPECT_EQ(none.y, 1.0f);
    const kernels::real3 unit = kernels::unit3({3.0f, 0.0f, -4.0f}, up);
    EXPECT_NEAR(unit.x, 0.6f, ulp_of_one);
    EXPECT_NEAR(unit.z, -0.8f, ulp_of_one);
}

TEST(Dialect, ATurnedQuaternionTurnsVectorsAboutTheAxis) {
    // a quarter turn about z takes x to y
    const kernels::quat q =
        kernels::quat_turned(kernels::make_quat(1.0f, 0.0f, 0.0f, 0.0f), {0.0f, 0.0f, 1.57079633f}, 1.0f);
    const kernels::real3 turned = kernels::mat3_times(kernels::quat_matrix(q), {1.0f, 0.0f, 0.0f});
    EXPECT_NEAR(turned.x, 0.0f, 3 * ulp_of_one);
    EXPECT_NEAR(turned.y, 1.0f, 3 * ulp_of_one);
    EXPECT_NEAR(turned.z, 0.0f, 3 * ulp_of_one);
}

TEST(Dialect, QuaternionsAreWithinAMillionthOfDoublePrecision) {
    std::mt19937 random(8);
    const auto number = [&] { return static_cast<float>(random()) / 2147483648.0f - 1; };
    const auto one = [&] {
        const DQuat q = normalized(DQuat{.x = number(), .y = number(), .z = number(), .s = number()});
        return kernels::make_quat(static_cast<float>(q.s), static_cast<float>(q.x), static_cast<float>(q.y),
                                  static_cast<float>(q.z));
    };
    const auto exact = [](const kernels::quat& q) { return DQuat{.x = q.x, .y = q.y, .z = q.z, .s = q.s}; };
    const auto expect_near = [&](const kernels::quat& found, const DQuat& expected) {
        EXPECT_NEAR(found.s, expected.s, 1e-6);
        EXPECT_NEAR(found.x, expected.x, 1e-6);
        EXPECT_NEAR(found.y, expected.y, 1e-6);
        EXPECT_NEAR(found.z, expected.z, 1e-6);
    };
    for (int i = 0; i < 2000; ++i) {
        const kernels::quat a = one(), b = one();
        const DVec3 u{a.x, a.y, a.z}, v{b.x, b.y, b.z};
        const double as = a.s, bs = b.s;
        const DVec3 w = as * v + bs * u + cross(u, v);
        expect_near(kernels::quat_product(a, b), {.x = w.x, .y = w.y, .z = w.z, .s = as * bs - dot(u, v)});

        // half the angle about the axis, in the world's frame
        const kernels::real3 omega{20 * number(), 20 * number(), 20 * number()};
        const DVec3 spin{omega.x, omega.y, omega.z};
        const double half = 0.5 * length(spin) * double{0.01f};
        const DVec3 axis = (std::sin(half) / length(spin)) * spin;
        const DQuat turn{.x = axis.x, .y = axis.y, .z = axis.z, .s = std::cos(half)};
        const DVec3 t = turn.s * u + as * axis + cross(axis, u);
        expect_near(kernels::quat_turned(a, omega, 0.01f),
                    {.x = t.x, .y = t.y, .z = t.z, .s = turn.s * as - dot(axis, u)});

        const kernels::mat3 found = kernels::quat_matrix(a);
        const DMatrix expected = matrix(exact(a));
        const kernels::real3 rows[3] = {found.x, found.y, found.z};
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(rows[k].x, expected[k].x, 1e-6);
            EXPECT_NEAR(rows[k].y, expected[k].y, 1e-6);
            EXPECT_NEAR(rows[k].z, expected[k].z, 1e-6);
        }
    }
}

TEST(Dialect, AReferenceCellIsTruncatedPlaceOverDiameterAndZIsFastest) {
    kernels::GranularParams p{};
    p.reference = 1;
    p.grid_x = p.grid_y = p.grid_z = 12;
    p.cells = 12 * 12 * 12;
    p.cell_size = 0.4f;
    p.grid_min_x = -2;
    p.grid_min_y = -1;
    p.grid_min_z = -3;
    std::mt19937 random(20);
    const auto number = [&] { return static_cast<float>(random()) / 4294967296.0f; };
    int inside = 0;
    for (int i = 0; i < 5000; ++i) {
        // half a metre beyond the grid on each side
        const kernels::real3 x{-2.5f + 5.8f * number(), -1.5f + 5.8f * number(), -3.5f + 5.8f * number()};
        const double from[3] = {x.x + 2.0, x.y + 1.0, x.z + 3.0};
        int index[3];
        bool sure = true, registered = true;
        for (int k = 0; k < 3; ++k) {
            const double at = from[k] / double{0.4f};
            sure = sure && std::abs(at - std::round(at)) > 1e-4; // of rounding
            index[k] = static_cast<int>(std::trunc(at));
            registered = registered && index[k] >= 1 && index[k] <= 10;
        }
        if (!sure) continue;
        inside += registered;
        EXPECT_EQ(kernels::granular_key(x, p),
                  registered ? index[0] * 12 * 12 + index[1] * 12 + index[2] : 12 * 12 * 12);
    }
    EXPECT_GT(inside, 500);
}

TEST(Dialect, HashIsLowbias32) {
    EXPECT_EQ(kernels::hash_word(0u), 0u);
    EXPECT_EQ(kernels::hash_word(1u), 0x688990c0u);
    EXPECT_EQ(kernels::hash_word(0xffffffffu), 0x6768824au);
}

} // namespace
} // namespace scree::test
