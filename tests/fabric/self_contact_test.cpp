// SPDX-License-Identifier: MIT
// self_contact_test.cpp — cloth that touches cloth: nothing passes through, pushes keep momentum, bits are equal everywhere.
#include "fabric/self_support.h"
#include "scree/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree {
namespace {

using Point = ExactPoint;
using testing::SelfBench;
using testing::SelfMesh;

constexpr float h = 1.0f / 600;

/// Where the next substep of a vertex that nobody stops would end, for velocities that change at random.
class RandomMotion {
public:
    explicit RandomMotion(std::uint32_t seed) : random_(seed) {}

    /// all vertices, smoothly: a wave of random direction, and noise
    std::vector<float> next(SelfBench& bench, float wave, float noise) {
        std::vector<float> to = bench.now;
        std::uniform_real_distribution<float> any(-1, 1);
        const Point k{30 * any(random_), 30 * any(random_), 30 * any(random_)},
            d{any(random_), any(random_), any(random_)};
        const float phase = 3 * any(random_);
        for (std::size_t v = 0; v < to.size(); v += 4) {
            const float at = std::sin(k[0] * to[v] + k[1] * to[v + 1] + k[2] * to[v + 2] + phase);
            for (std::size_t c = 0; c < 3; ++c) {
                const float move = wave * at * d[c] + noise * any(random_);
                bench.velocity[v + c] = move / h;
                if (to[v + 3] > 0) to[v + c] += move;
            }
        }
        return to;
    }

private:
    std::mt19937 random_;
};

TEST(Intersections, ASheetThroughAnotherIsCountedExactly) {
    SelfMesh mesh;
    mesh.add_sheet(2, 1.0f, {0, 0, 0});
    const std::uint32_t a = mesh.add_vertex(0.6f, -1, 0.3f, 0), b = mesh.add_vertex(0.6f, 1, 0.3f, 0),
                        c = mesh.add_vertex(5, 1, 0.3f, 0);
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
    // a b goes through one triangle, a c passes through the sheet's border triangle or its edges
    EXPECT_GE(count_intersections(mesh.triangles, mesh.edges(), mesh.position), 1u);
    EXPECT_TRUE(edge_meets_triangle({0.25f, -1, 0.25f}, {0.25f, 0, 0.25f}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}));
    EXPECT_FALSE(
        edge_meets_triangle({0.25f, -1, 0.25f}, {0.25f, -1e-40f, 0.25f}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}));
    EXPECT_FALSE(edge_meets_triangle({1, -1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}));
    // in one plane
    EXPECT_TRUE(edge_meets_triangle({-1, 0, 0.2f}, {1, 0, 0.2f}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}));
    EXPECT_FALSE(edge_meets_triangle({-1, 0, 0.2f}, {-0.1f, 0, 0.2f}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}));
}

TEST(SelfContact, ACrumpledSheetNeverPassesThroughItself) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        SelfMesh mesh;
        mesh.add_sheet(10, 0.01f, {0.3f, 0.2f, -0.1f}, {0.002f, 0.3f, true});
        SelfBench bench(mesh);
        RandomMotion motion(seed);
        // seeds differ in how wild the motion is: up to three edges a substep
        const float wave = 0.004f * static_cast<float>(1 + seed % 3),
                    noise = seed % 2 ? 0.0f : 0.01f * static_cast<float>(seed);
        for (int round = 0; round < 120; ++round) {
            const std::vector<float> to = motion.next(bench, wave, noise);
            if (round % 10 == 0) bench.begin_step(10 * h);
            bench.substep(to, h, seed < 3 ? 1 : 0);
            ASSERT_EQ(bench.intersections(), 0u) << "seed " << seed << ", round " << round;
        }
        EXPECT_GT(bench.contact().read_counters().truncated, 0u);
        EXPECT_EQ(bench.contact().counters().forced, 0u);
    }
}

TEST(SelfContact, LayersThrownAtEachOtherStayApart) {
    for (std::uint32_t seed = 0; seed < 2; ++seed) {
        SelfBench bench(testing::stack(5, 8, 0.01f, 0.004f, {0.002f, 0.2f, true}));
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> any(-1, 1);
        for (int round = 0; round < 120; ++round) {
            // odd layers rise, even ones fall, by up to 3 mm a substep
            const float speed = 0.003f * (0.5f + 0.5f * any(random)) * (round / 30 % 2 ? -1.0f : 1.0f);
            std::vector<float> to = bench.now;
            for (std::size_t v = 0; v < bench.mesh().vertices(); ++v) {
                const float move = bench.mesh().cloth[v] % 2 ? speed : -speed;
                to[4 * v + 1] += move;
                to[4 * v] += 0.001f * any(random);
                bench.velocity[4 * v + 1] = move / h;
            }
            if (round % 10 == 0) bench.begin_step(10 * h);
            bench.substep(to, h, 1);
            ASSERT_EQ(bench.intersections(), 0u) << "seed " << seed << ", round " << round;
        }
    }
}

TEST(SelfContact, RoundingDoesNotWearSmallGapsAway) {
    // A corner of a sheet some nanometres above a slanted triangle slides along it until a wall stops the sheet on its way. Coordinates
    // are rounded by up to 30 nm.
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(-1, 1);
    int tried = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Vec3 n = normalized(Vec3{any(random), any(random), any(random)});
        const Vec3 along = normalized(cross(n, Vec3{any(random), any(random), any(random)}));
        const Vec3 across = cross(n, along), corner{0.4f + 0.1f * any(random), 0.4f, 0.4f};
        SelfMesh mesh;
        const auto add = [&](std::uint32_t cloth, std::array<Vec3, 3> points) {
            mesh.cloths.push_back({0.002f, 0.2f, true});
            for (const Vec3& x : points) mesh.triangles.push_back(mesh.add_vertex(x.x, x.y, x.z, cloth));
        };
        const Vec3 low = corner - n * 2e-8f, wall = corner + along * 5e-5f;
        add(0, {low - along * 0.03f, low + along * 0.03f - across * 0.02f,
                low + along * 0.03f + across * 0.02f});
        add(1, {corner, corner + n * 0.03f + across * 0.01f, corner + n * 0.03f - across * 0.01f});
        add(2, {wall + n * 0.01f - across * 0.02f, wall + n * 0.01f + across * 0.02f, wall + n * 0.04f});
        SelfBench bench(mesh);
        if (bench.intersections() != 0) continue; // rounded to the other side
        ++tried;
        std::vector<float> to = bench.now;
        for (std::size_t v = 3; v < 6; ++v) {
            to[4 * v] += 1e-4f * along.x;
            to[4 * v + 1] += 1e-4f * along.y;
            to[4 * v + 2] += 1e-4f * along.z;
        }
        bench.begin_step(h);
        bench.substep(to, h, 0);
        ASSERT_EQ(bench.intersections(), 0u) << "trial " << trial;
    }
    EXPECT_GT(tried, 100);
}

TEST(SelfContact, WhatFallsTogetherIsNotStopped) {
    // a tight stack at 20 m/s: 33 mm a substep, with layers 2 mm apart
    SelfBench bench(testing::stack(5, 8, 0.01f, 0.002f, {0.001f, 0.2f, true}));
    for (std::size_t v = 1; v < bench.velocity.size(); v += 4) bench.velocity[v] = -20;
    const std::vector<float> before = bench.now;
    bench.begin_step(10 * h);
    for (int k = 0; k < 10; ++k) {
        std::vector<float> to = bench.now;
        for (std::size_t v = 1; v < to.size(); v += 4) to[v] -= 20 * h;
        bench.substep(to, h, 1);
    }
    for (std::size_t v = 1; v < bench.now.size(); v += 4)
        EXPECT_NEAR(bench.now[v] - before[v], -200 * h, 1e-4);
    EXPECT_EQ(bench.contact().read_counters().truncated, 0u);
}

TEST(SelfContact, PushesKeepTheThicknessAndTheMomentum) {
    SelfMesh mesh = testing::stack(2, 9, 0.01f, 0.003f, {0.002f, 0.5f, true});
    std::mt19937 random(7);
    std::uniform_real_distribution<float> mass(0.2f, 5);
    for (std::size_t v = 3; v < mesh.position.size(); v += 4) mesh.position[v] = mass(random);
    SelfBench bench(mesh);
    bench.begin_step(h);
    std::vector<float> to = bench.now;
    for (std::size_t v = 0; v < mesh.vertices(); ++v)
        if (mesh.cloth[v] == 1) {
            to[4 * v] += 0.0007f;
            to[4 * v + 1] -= 0.0019f;
        }
    bench.substep(to, h, 1, false);
    EXPECT_GT(bench.contact().read_counters().touching, 50u);
    double change[3] = {}, size = 0;
    for (std::size_t v = 0; v < to.size(); v += 4)
        for (std::size_t c = 0; c < 3; ++c) {
            const double move = (double{bench.now[v + c]} - double{to[v + c]}) / double{to[v + 3]};
            change[c] += move;
            size += std::abs(move);
        }
    EXPECT_GT(size, 1e-3);
    for (const double each : change) EXPECT_NEAR(each, 0, 1e-5 * size); // rounding of the positions

    // more pushes come nearer to the thickness
    bench.now = mesh.position;
    bench.substep(to, h, 60, false);
    for (std::size_t v = 0; v < mesh.vertices(); ++v)
        if (mesh.cloth[v] == 1 && std::hypot(mesh.position[4 * v], mesh.position[4 * v + 2]) < 0.035f) {
            EXPECT_GT(bench.now[4 * v + 1], 0.0012f) << v;
        }
}

TEST(SelfContact, FrictionSlowsASlidingSheet) {
    float slid[2];
    for (const int rough : {0, 1}) {
        SelfMesh mesh = testing::stack(2, 9, 0.01f, 0.0019f, {0.002f, rough ? 1.0f : 0.0f, true});
        for (std::size_t v = 0; v < mesh.vertices(); ++v)
            if (mesh.cloth[v] == 0) mesh.position[4 * v + 3] = 0;
        SelfBench bench(mesh);
        for (std::size_t v = 81; v < 162; ++v) bench.velocity[4 * v] = 0.0002f / h;
        bench.begin_step(10 * h);
        for (int k = 0; k < 10; ++k) {
            std::vector<float> to = bench.now;
            for (std::size_t v = 0; v < mesh.vertices(); ++v)
                if (mesh.cloth[v] == 1) {
                    to[4 * v] += 0.0002f;
                    to[4 * v + 1] -= 0.0005f;
                }
            bench.substep(to, h, 4);
        }
        double sum = 0;
        for (std::size_t v = 81; v < 162; ++v) sum += bench.now[4 * v] - mesh.position[4 * v];
        slid[rough] = static_cast<float>(sum / 81);
    }
    EXPECT_GT(slid[0], 0.0018f);
    EXPECT_LT(slid[1], 0.3f * slid[0]);
}

TEST(SelfContact, EveryDeviceGivesTheSameBits) {
    std::vector<float> first;
    for (const auto& [device, threads] :
         {std::pair{"cpu", 1}, std::pair{"cpu", 2}, std::pair{"cpu:kernels", 2}}) {
        SelfBench bench(testing::stack(5, 12, 0.01f, 0.003f, {0.002f, 0.3f, true}), device, threads);
        RandomMotion motion(5);
        for (int round = 0; round < 40; ++round) {
            const std::vector<float> to = motion.next(bench, 0.001f, 0.0005f);
            if (round % 10 == 0) bench.begin_step(10 * h);
            bench.substep(to, h, 2);
        }
        if (first.empty()) first = bench.now;
        EXPECT_EQ(std::memcmp(first.data(), bench.now.data(), 4 * first.size()), 0)
            << device << " " << threads;
        EXPECT_GT(bench.contact().read_counters().lists, 1u);
    }
}

TEST(SelfContact, NothingAndASingleTriangleMoveFreely) {
    {
        SelfBench bench(SelfMesh{});
        bench.begin_step(h);
        bench.substep({}, h, 1);
        EXPECT_EQ(bench.own_intersections(), 0u);
    }
    SelfMesh mesh;
    mesh.cloths.push_back({});
    for (const float x : {0.0f, 1.0f, 0.3f}) mesh.add_vertex(x, 0, x * x, 0);
    mesh.triangles = {0, 1, 2};
    SelfBench bench(mesh);
    std::vector<float> to = bench.now;
    for (std::size_t v = 1; v < to.size(); v += 4) to[v] += 0.02f, bench.velocity[v] = 0.02f / h;
    bench.begin_step(h);
    bench.substep(to, h, 1);
    EXPECT_EQ(bench.now, to);
}

TEST(SelfContact, PositionsThatAreNotFiniteAreLeftOut) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    SelfMesh mesh = testing::stack(2, 6, 0.01f, 0.003f, {});
    SelfBench bench(mesh);
    bench.begin_step(10 * h);
    for (int round = 0; round < 10; ++round) {
        std::vector<float> to = bench.now;
        for (std::size_t v = 1; v < to.size(); v += 4) to[v] += v < 36 * 4 ? 0.002f : -0.002f;
        to[4 * 7] = nan;
        to[4 * 40 + 1] = std::numeric_limits<float>::infinity();
        bench.substep(to, h, 1);
        for (const float x : bench.now) ASSERT_TRUE(std::isfinite(x));
        ASSERT_EQ(bench.intersections(), 0u);
    }
    EXPECT_GT(bench.contact().read_counters().broken, 0u);
    // a vertex that starts nowhere: its neighbours go on, the others do not meet
    bench.now[4 * 7] = nan;
    bench.begin_step(10 * h);
    std::vector<float> to = bench.now;
    for (std::size_t v = 1; v < to.size(); v += 4) to[v] += v < 36 * 4 ? 0.004f : -0.004f;
    bench.substep(to, h, 1);
    EXPECT_EQ(bench.intersections(), 0u);
    for (std::size_t v = 0; v < bench.now.size(); ++v)
        if (v / 4 != 7) {
            ASSERT_TRUE(std::isfinite(bench.now[v])) << v;
        }
}

TEST(SelfContact, CoincidentSheetsAreReportedAndNotFrozen) {
    SelfMesh mesh = testing::stack(1, 6, 0.01f, 0, {});
    mesh.add_sheet(6, 0.01f, {-0.025f, 0, -0.025f});
    SelfBench bench(mesh);
    EXPECT_GT(bench.own_intersections(), 0u);
    for (std::size_t v = 36; v < 72; ++v) bench.velocity[4 * v + 1] = 0.001f / h;
    bench.begin_step(10 * h);
    for (int round = 0; round < 10; ++round) {
        std::vector<float> to = bench.now;
        for (std::size_t v = 36; v < 72; ++v) to[4 * v + 1] += 0.001f;
        bench.substep(to, h, 1);
        for (const float x : bench.now) ASSERT_TRUE(std::isfinite(x));
        if (round == 0) {
            EXPECT_GT(bench.contact().counters().intersections, 0u);
        }
    }
    for (std::size_t v = 36; v < 72; ++v) EXPECT_GT(bench.now[4 * v + 1], 0.005f);
    EXPECT_EQ(bench.own_intersections(), 0u);
}

TEST(SelfContact, AnIntersectionAtTheStartComesApartAndThenHolds) {
    // the second sheet is 1 mm above the first but for its middle, which hangs through it
    SelfMesh mesh;
    mesh.add_sheet(8, 0.01f, {0, 0, 0});
    mesh.add_sheet(8, 0.01f, {0.003f, 0.001f, 0.002f});
    mesh.position[4 * (64 + 27) + 1] = -0.004f;
    SelfBench bench(mesh);
    EXPECT_EQ(bench.own_intersections(), bench.intersections());
    EXPECT_GT(bench.intersections(), 0u);
    bench.velocity[4 * (64 + 27) + 1] = 0.0005f / h;
    for (int step = 0; step < 3; ++step) {
        bench.begin_step(10 * h);
        for (int round = 0; round < 10; ++round) {
            std::vector<float> to = bench.now;
            to[4 * (64 + 27) + 1] += 0.0005f;
            bench.substep(to, h, 0);
        }
    }
    EXPECT_EQ(bench.intersections(), 0u);
    EXPECT_GT(bench.now[4 * (64 + 27) + 1], 0.0f);
    bench.contact().moved();
    for (int step = 0; step < 3; ++step) {
        bench.begin_step(10 * h);
        EXPECT_EQ(step == 0 ? 0u : bench.contact().counters().intersections, 0u);
        for (int round = 0; round < 10; ++round) {
            std::vector<float> to = bench.now;
            to[4 * (64 + 27) + 1] -= 0.002f;
            bench.substep(to, h, 0);
            ASSERT_EQ(bench.intersections(), 0u);
        }
    }
}

TEST(SelfContact, BadMeshesAreRefused) {
    const Place place("cpu");
    const std::shared_ptr<Device> device = place.opened().queue();
    SelfContact contact(*device);
    const std::vector<std::uint32_t> cloth(3, 0);
    const std::vector<float> rest(9, 0.0f);
    const SelfCloth fine;
    const auto set = [&](std::vector<std::uint32_t> triangles, SelfCloth of) {
        contact.set_mesh(triangles, cloth, std::span(&of, 1), rest);
    };
    EXPECT_NO_THROW(set({0, 1, 2}, fine));
    EXPECT_THROW(set({0, 1, 3}, fine), Error);
    EXPECT_THROW(set({0, 1}, fine), Error);
    EXPECT_THROW(set({0, 1, 2}, {0.0f, 0.3f, true}), Error);
    EXPECT_THROW(set({0, 1, 2}, {std::nanf(""), 0.3f, true}), Error);
    EXPECT_THROW(set({0, 1, 2}, {0.001f, -1, true}), Error);
    SelfContact small(*device, 1000);
    EXPECT_THROW(small.set_mesh(std::vector<std::uint32_t>{0, 1, 2}, cloth, std::span(&fine, 1), rest),
                 Error);
}

} // namespace
} // namespace scree
