// SPDX-License-Identifier: MIT
// self_search_test.cpp — candidates and intersections of cloth against all pairs, for triangles of all sizes.
#include "fabric/self_support.h"
#include "geometry/triangle_distance.h"

#include <gtest/gtest.h>

#include <set>

namespace scree {
namespace {

using testing::SelfBench;
using testing::SelfMesh;

/// Triangles without common vertices, from 1 mm to 1 m, a few far away, at random places of a box.
SelfMesh soup(std::uint32_t seed, int triangles, float box) {
    SelfMesh mesh;
    mesh.cloths = {{0.002f, 0.3f, true}, {0.004f, 0.1f, true}, {0.002f, 0.3f, false}};
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> any(-1, 1), size(-3, 0);
    for (int t = 0; t < triangles; ++t) {
        const float wide = std::pow(10.0f, size(random)), far = t % 50 == 0 ? 1000.0f : box;
        const float x = far * any(random), y = far * any(random), z = far * any(random);
        const auto of = static_cast<std::uint32_t>(t % 10 == 0 ? 2 : t % 2);
        for (int k = 0; k < 3; ++k) {
            const float dx = wide * any(random), dy = wide * any(random), dz = wide * any(random);
            mesh.triangles.push_back(mesh.add_vertex(x + dx, y + dy, z + dz, of));
        }
    }
    return mesh;
}

DVec3 at(const std::vector<float>& x, std::uint32_t v) { return {x[4 * v], x[4 * v + 1], x[4 * v + 2]}; }

/// by the ends of each, and where neither is nearest the point between the lines
double edge_distance(DVec3 a, DVec3 b, DVec3 c, DVec3 d) {
    const auto to_edge = [](DVec3 p, DVec3 q, DVec3 r) { return distance_to_triangle(p, q, r, r); };
    double least = std::min({to_edge(a, c, d), to_edge(b, c, d), to_edge(c, a, b), to_edge(d, a, b)});
    const DVec3 u = b - a, v = d - c, r = a - c;
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), det = uu * vv - uv * uv;
    if (det > 0) {
        const double s = (uv * dot(v, r) - vv * dot(u, r)) / det, t = (uu * dot(v, r) - uv * dot(u, r)) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, length(r + s * u - t * v));
    }
    return least;
}

/// compares the list with all pairs; how many are to be in it
std::size_t check_list(const SelfMesh& mesh, const SelfPairs& found) {
    std::set<std::array<std::uint32_t, 5>> listed;
    for (std::size_t k = 0; k < found.vertices.size(); ++k) {
        const auto& v = found.vertices[k];
        EXPECT_TRUE(listed.insert({found.edges[k], v[0], v[1], v[2], v[3]}).second) << "listed twice";
    }
    // a vertex and a triangle keep their thickness, two edges half of it
    const auto reach = [&](std::initializer_list<std::uint32_t> vertices, float share) {
        float most = 0;
        for (const std::uint32_t v : vertices)
            most = std::max(most, found.listed[4 * v + 3] + share * mesh.cloths[mesh.cloth[v]].thickness);
        return double{most};
    };
    const auto collides = [&](std::uint32_t v) { return mesh.cloth[v] != 2; };
    std::size_t expected = 0;
    const auto check = [&](double distance, double within, const std::array<std::uint32_t, 5>& pair) {
        const bool is = listed.count(pair) != 0;
        if (distance < within) {
            ++expected;
            EXPECT_TRUE(is) << "not listed: " << pair[1] << " " << pair[2] << " " << pair[3] << " "
                            << pair[4];
        } else if (distance > 1.001 * within + 1e-4) {
            EXPECT_FALSE(is) << "listed in vain";
        }
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const std::uint32_t a = mesh.triangles[t], b = mesh.triangles[t + 1], c = mesh.triangles[t + 2];
        for (std::uint32_t v = 0; v < mesh.vertices(); ++v)
            if (v != a && v != b && v != c && collides(v) && collides(a))
                check(distance_to_triangle(at(found.listed, v), at(found.listed, a), at(found.listed, b),
                                           at(found.listed, c)),
                      reach({v}, 0.5f) + reach({a, b, c}, 0.5f), {0, v, a, b, c});
    }
    const std::vector<std::uint32_t> edges = mesh.edges();
    for (std::size_t e = 0; e < edges.size(); e += 2)
        for (std::size_t f = e + 2; f < edges.size(); f += 2) {
            const std::uint32_t a = edges[e], b = edges[e + 1], c = edges[f], d = edges[f + 1];
            if (a == c || a == d || b == c || b == d || !collides(a) || !collides(c)) continue;
            check(edge_distance(at(found.listed, a), at(found.listed, b), at(found.listed, c),
                                at(found.listed, d)),
                  reach({a, b}, 0.25f) + reach({c, d}, 0.25f), {1, a, b, c, d});
        }
    return expected;
}

TEST(SelfSearch, FindsEveryPairWithinReachOnce) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        const SelfMesh mesh = soup(seed, 250, 0.15f);
        SelfBench bench(mesh);
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> any(-1, 1);
        for (std::size_t v = 0; v < bench.velocity.size(); ++v) bench.velocity[v] = 0.3f * any(random);
        bench.begin_step(1.0f / 60);
        bench.substep(bench.now, 1.0f / 600, 0);
        EXPECT_GT(check_list(mesh, bench.contact().read_pairs()), 300u);
    }
}

TEST(SelfSearch, AddsThePairsOfAFewVerticesThatGoFar) {
    std::size_t pairs = 0, lists = 0, added = 0;
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        const SelfMesh mesh = soup(seed, 250, 0.15f);
        SelfBench bench(mesh);
        bench.begin_step(1.0f / 60);
        bench.substep(bench.now, 1.0f / 600, 0);
        std::size_t before = check_list(mesh, bench.contact().read_pairs());
        for (std::uint32_t round = 0; round < 2; ++round) {
            std::vector<float> to = bench.now;
            for (std::size_t v = 7 * round + seed; v < mesh.vertices(); v += 197)
                to[4 * v + round] += 0.0008f * static_cast<float>(1 + v % 3);
            bench.substep(to, 1.0f / 600, 0);
            const std::size_t now = check_list(mesh, bench.contact().read_pairs());
            EXPECT_GE(now, before);
            pairs += now - before;
            before = now;
        }
        lists += bench.contact().counters().lists;
        added += bench.contact().counters().added;
    }
    EXPECT_GT(pairs, 20u);
    // of eight times one made a new list
    EXPECT_EQ(added, 7u);
    EXPECT_EQ(lists, 5u);
}

TEST(SelfSearch, CountsTheIntersectionsThatAreThere) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        SelfMesh mesh = soup(seed, 400, 0.4f);
        for (std::uint32_t& of : mesh.cloth) of = 0; // all collide
        SelfBench bench(mesh);
        const std::uint64_t exact = bench.intersections();
        EXPECT_GT(exact, 100u);
        EXPECT_EQ(bench.own_intersections(), exact);
        // the count with a grid is that of all pairs
        const std::vector<std::uint32_t> edges = mesh.edges();
        const auto point = [&](std::uint32_t v) {
            return ExactPoint{bench.now[4 * v], bench.now[4 * v + 1], bench.now[4 * v + 2]};
        };
        std::uint64_t all = 0;
        for (std::size_t e = 0; e < edges.size(); e += 2)
            for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
                if (edges[e] / 3 != mesh.triangles[t] / 3 &&
                    edge_meets_triangle(point(edges[e]), point(edges[e + 1]), point(mesh.triangles[t]),
                                        point(mesh.triangles[t + 1]), point(mesh.triangles[t + 2])))
                    ++all;
        EXPECT_EQ(exact, all);
    }
}

} // namespace
} // namespace scree
