// SPDX-License-Identifier: MIT
// shapes_test.cpp — the built-in shapes, mass properties, voxelised meshes and .obj files.
#include "geometry/obj.h"
#include "granular/voxelise.h"

#include "scree/granular.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace scree {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

std::array<double, 3> triple(const Vec3& v) { return {double(v.x), double(v.y), double(v.z)}; }

double length(const Vec3& v) { return scree::length(wide(v)); }

std::array<double, 3> centre_of_mass(const std::vector<ShapeParticle>& particles) {
    std::array<double, 3> sum{};
    double total = 0;
    for (const ShapeParticle& p : particles) {
        const double m = std::pow(double(p.radius), 3);
        total += m;
        for (std::size_t k = 0; k < 3; ++k) sum[k] += m * triple(p.offset)[k];
    }
    for (double& s : sum) s /= total;
    return sum;
}

// of 1 kg about the origin, written as the sum of m (|x|^2 1 - x x^T) and each particle's own part
Matrix inertia(const std::vector<ShapeParticle>& particles, double own) {
    Matrix out{};
    double total = 0;
    for (const ShapeParticle& p : particles) {
        const auto x = triple(p.offset);
        const double m = std::pow(double(p.radius), 3);
        const double square =
            x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + own * double(p.radius) * double(p.radius);
        total += m;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) out[i][j] += m * ((i == j ? square : 0) - x[i] * x[j]);
    }
    for (auto& row : out)
        for (double& e : row) e /= total;
    return out;
}

// the shape's axes are principal, its moments are the tensor's, and it is balanced
void expect_principal(const GranularShape& shape, double own) {
    const Matrix t = inertia(shape.particles, own);
    const double trace = t[0][0] + t[1][1] + t[2][2];
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(triple(shape.unit_inertia)[i], t[i][i], 1e-6 * trace) << shape.name << " axis " << i;
        EXPECT_NEAR(centre_of_mass(shape.particles)[i], 0, 1e-6 * std::sqrt(trace))
            << shape.name << " axis " << i;
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_NEAR(i == j ? 0 : t[i][j], 0, 2e-6 * trace) << shape.name << " " << i << j;
    }
}

double determinant(const Matrix& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

void expect_error(const std::function<void()>& call, const std::vector<std::string>& parts) {
    const std::string text = test::error_message(call);
    for (const std::string& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

/// As shapes::from_mesh takes it.
struct FlatMesh {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles; ///< three indices each
};

FlatMesh box_mesh(Vec3 centre, Vec3 half) {
    FlatMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back({centre.x + (i & 4 ? half.x : -half.x), centre.y + (i & 2 ? half.y : -half.y),
                                 centre.z + (i & 1 ? half.z : -half.z)});
    mesh.triangles = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                      2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    return mesh;
}

// an octahedron, each face cut into four `levels` times and pushed out to the unit sphere
FlatMesh sphere_mesh(int levels) {
    FlatMesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    for (int level = 0; level < levels; ++level) {
        std::map<std::array<std::uint32_t, 2>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [it, fresh] = middles.insert({{std::min(a, b), std::max(a, b)}, 0});
            if (fresh) {
                const Vec3 p = mesh.vertices[a], q = mesh.vertices[b];
                const Vec3 m{p.x + q.x, p.y + q.y, p.z + q.z};
                const float l = float(length(m));
                it->second = std::uint32_t(mesh.vertices.size());
                mesh.vertices.push_back({m.x / l, m.y / l, m.z / l});
            }
            return it->second;
        };
        std::vector<std::uint32_t> finer;
        for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
            const std::uint32_t a = mesh.triangles[i], b = mesh.triangles[i + 1], c = mesh.triangles[i + 2];
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
        }
        mesh.triangles = finer;
    }
    return mesh;
}

GranularShape filled(const FlatMesh& mesh, float radius) {
    return shapes::from_mesh("mesh", radius, mesh.vertices, mesh.triangles);
}

constexpr const char* tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// R2.1, R2.2
TEST(Shapes, CubeIsTwentySevenSpheresWithZFastest) {
    for (const float r : {0.2f, 0.1f, 0.37f}) {
        const GranularShape cube = shapes::cube(r);
        ASSERT_EQ(cube.particles.size(), 27u);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                for (int e = 0; e < 3; ++e) {
                    const ShapeParticle& p = cube.particles[std::size_t(9 * a + 3 * b + e)];
                    EXPECT_EQ(p.offset.x, 2.0f * r * float(a - 1));
                    EXPECT_EQ(p.offset.y, 2.0f * r * float(b - 1));
                    EXPECT_EQ(p.offset.z, 2.0f * r * float(e - 1));
                    EXPECT_EQ(p.radius, r);
                }
    }
    EXPECT_FLOAT_EQ(2 * shapes::cube(0.2f).half_size.x, 1.2f);
}

// R2.6
TEST(Shapes, CubeHasTheInertiaOfTheSolidCube) {
    const GranularShape cube = shapes::cube(0.2f);
    const double side = 6 * double(0.2f);
    for (const double i : triple(cube.unit_inertia)) EXPECT_NEAR(i, side * side / 6, 1e-7);
}

// R2.6
TEST(Shapes, CuboidHasTheInertiaOfTheSolidCuboid) {
    const GranularShape cuboid = shapes::cuboid(0.25f, 2, 5, 3);
    ASSERT_EQ(cuboid.particles.size(), 30u);
    EXPECT_EQ(cuboid.half_size, (Vec3{0.5f, 1.25f, 0.75f}));
    EXPECT_NEAR(cuboid.unit_inertia.x, (2.5 * 2.5 + 1.5 * 1.5) / 12, 1e-6);
    EXPECT_NEAR(cuboid.unit_inertia.y, (1.0 * 1.0 + 1.5 * 1.5) / 12, 1e-6);
    EXPECT_NEAR(cuboid.unit_inertia.z, (1.0 * 1.0 + 2.5 * 2.5) / 12, 1e-6);
    // 2/3 r^2: the cells around the spheres make up the solid
    expect_principal(cuboid, 2.0 / 3.0);
}

TEST(Shapes, CuboidPointsOutwardOnItsSurfaceOnly) {
    const GranularShape cube = shapes::cube(0.2f);
    EXPECT_EQ(cube.particles[13].outward, Vec3{});
    EXPECT_EQ(cube.particles[4].outward, (Vec3{-1, 0, 0}));
    EXPECT_EQ(cube.particles[14].outward, (Vec3{0, 0, 1}));
    EXPECT_NEAR(cube.particles[26].outward.x, 1 / std::sqrt(3.0), 1e-7);
    for (std::size_t i = 0; i < 27; ++i)
        EXPECT_NEAR(length(cube.particles[i].outward), i == 13 ? 0 : 1, 1e-6) << i;
    // a plate one sphere thick has no up or down
    EXPECT_EQ(shapes::cuboid(0.2f, 3, 1, 3).particles[4].outward, Vec3{});
}

// R2.64
TEST(Shapes, EveryShapeIsBalancedAndAligned) {
    EXPECT_EQ(shapes::cube(0.2f, 2).particles.size(), 8u);
    expect_principal(shapes::cube(0.2f, 2), 2.0 / 3.0);
    expect_principal(shapes::grain(0.3f), 2.0 / 5.0);
    expect_principal(shapes::capsule(0.2f, 5), 2.0 / 5.0);
    expect_principal(shapes::capsule(0.2f, 7, 1.5f), 2.0 / 5.0);
    expect_principal(shapes::desk(0.2f), 2.0 / 3.0);
    for (const double c : centre_of_mass(shapes::ball(0.1f, 1).particles)) EXPECT_NEAR(c, 0, 1e-6);
}

TEST(Shapes, GrainIsASolidSphere) {
    const GranularShape grain = shapes::grain(0.5f);
    ASSERT_EQ(grain.particles.size(), 1u);
    EXPECT_EQ(grain.half_size, (Vec3{0.5f, 0.5f, 0.5f}));
    for (const double i : triple(grain.unit_inertia)) EXPECT_NEAR(i, 0.4 * 0.25, 1e-7);
    EXPECT_EQ(shapes::ball(0.5f, 0.5f).particles.size(), 1u);
}

TEST(Shapes, BallIsRoundAndHasNoHoles) {
    for (const float r : {0.4f, 0.25f, 0.1f, 0.07f}) {
        const GranularShape ball = shapes::ball(r, 1);
        double reach = 0;
        for (const ShapeParticle& p : ball.particles) {
            reach = std::max(reach, length(p.offset) + double(p.radius));
            const bool surface = length(p.offset) + double(r) > 1 - 1e-5;
            EXPECT_NEAR(length(p.outward), surface ? 1 : 0, 1e-6);
        }
        EXPECT_NEAR(reach, 1, 1e-6);
        // in any direction a surface particle is within 1.5 radii of where its centre would be
        for (int i = 0; i < 500; ++i) {
            const double up = 1 - (2 * i + 1) / 500.0, turn = 2.399963 * i, across = std::sqrt(1 - up * up);
            const std::array<double, 3> at{across * std::cos(turn), up, across * std::sin(turn)};
            double nearest = 10;
            for (const ShapeParticle& p : ball.particles) {
                const auto x = triple(p.offset);
                nearest = std::min(nearest,
                                   std::hypot(x[0] - at[0] * (1 - double(r)), x[1] - at[1] * (1 - double(r)),
                                              x[2] - at[2] * (1 - double(r))));
            }
            EXPECT_LT(nearest, 1.5 * double(r)) << "radius " << r << " direction " << i;
        }
        EXPECT_NEAR(ball.unit_inertia.x, 0.4, 1e-6);
    }
}

TEST(Shapes, CapsuleIsARowAlongX) {
    const GranularShape capsule = shapes::capsule(0.5f, 4);
    ASSERT_EQ(capsule.particles.size(), 4u);
    EXPECT_EQ(capsule.particles[0].offset, (Vec3{-1.5f, 0, 0}));
    EXPECT_EQ(capsule.half_size, (Vec3{2, 0.5f, 0.5f}));
    EXPECT_EQ(capsule.particles[0].outward, (Vec3{-1, 0, 0}));
    EXPECT_NEAR(capsule.unit_inertia.x, 0.4 * 0.25, 1e-6);
    EXPECT_NEAR(capsule.unit_inertia.y, 0.4 * 0.25 + (1.5 * 1.5 + 0.5 * 0.5) / 2, 1e-6);
}

TEST(Shapes, BananaLiesOnAnArcOfTouchingSpheres) {
    const float bend = 1.2f;
    const GranularShape banana = shapes::capsule(0.2f, 7, bend);
    ASSERT_EQ(banana.particles.size(), 7u);
    std::array<double, 2> first{}, last{};
    for (std::size_t i = 0; i + 1 < 7; ++i) {
        const auto p = triple(banana.particles[i].offset), q = triple(banana.particles[i + 1].offset);
        EXPECT_NEAR(std::hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]), 0.4, 1e-6);
        EXPECT_NEAR(p[2], 0, 1e-6);
        if (i == 0) first = {q[0] - p[0], q[1] - p[1]};
        last = {q[0] - p[0], q[1] - p[1]};
    }
    // six chords of an arc of 1.2 turn by five sixths of it
    const double turned = std::atan2(last[1], last[0]) - std::atan2(first[1], first[0]);
    EXPECT_NEAR(turned, double(bend) * 5 / 6, 1e-5);
    EXPECT_EQ(banana.name, "banana");
    // bent all the way round the ends touch
    const GranularShape ring = shapes::capsule(0.2f, 8, float(2 * 3.14159265 * 7 / 8));
    const auto p = triple(ring.particles.front().offset), q = triple(ring.particles.back().offset);
    EXPECT_NEAR(std::hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]), 0.4, 1e-5);
}

TEST(Shapes, DeskStandsUprightOnFourLegs) {
    const GranularShape desk = shapes::desk(0.1f);
    EXPECT_EQ(desk.particles.size(), 9u * 5u + 4u * 4u);
    float lowest = 0;
    for (const ShapeParticle& p : desk.particles) lowest = std::min(lowest, p.offset.y);
    int feet = 0;
    for (const ShapeParticle& p : desk.particles)
        if (p.offset.y < lowest + 0.01f) {
            ++feet;
            EXPECT_EQ(p.outward, (Vec3{0, -1, 0}));
        }
    EXPECT_EQ(feet, 4);
}

TEST(Shapes, FromParticlesFindsPrincipalAxesOfATurnedSet) {
    // four unequal spheres without any symmetry, far from the origin
    const std::vector<ShapeParticle> set{{{10, 20, 30}, 0.5f, {}},
                                         {{11, 20.5f, 30}, 0.25f, {}},
                                         {{10.5f, 21, 30.5f}, 0.4f, {}},
                                         {{9.5f, 20, 31.5f}, 0.3f, {}}};
    const GranularShape shape = shapes::from_particles("set", set);
    expect_principal(shape, 2.0 / 5.0);

    // the moments are the roots of the characteristic polynomial of the tensor in the old frame
    std::vector<ShapeParticle> centred = set;
    const auto c = centre_of_mass(set);
    for (ShapeParticle& p : centred)
        p.offset = {float(p.offset.x - c[0]), float(p.offset.y - c[1]), float(p.offset.z - c[2])};
    for (const double moment : triple(shape.unit_inertia)) {
        Matrix t = inertia(centred, 2.0 / 5.0);
        for (std::size_t k = 0; k < 3; ++k) t[k][k] -= moment;
        EXPECT_NEAR(determinant(t), 0, 1e-6);
    }
    // a rigid motion: distances and handedness are kept
    const auto triangle = [](const std::vector<ShapeParticle>& s) {
        Matrix m{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) m[i][k] = triple(s[i + 1].offset)[k] - triple(s[0].offset)[k];
        return m;
    };
    EXPECT_NEAR(determinant(triangle(shape.particles)), determinant(triangle(set)), 1e-5);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto a = triple(set[i].offset), b = triple(set[j].offset);
            const auto p = triple(shape.particles[i].offset), q = triple(shape.particles[j].offset);
            EXPECT_NEAR(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]),
                        std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 1e-5);
        }
}

TEST(Shapes, FromParticlesLeavesAnAlignedSetAsItIs) {
    const GranularShape cube = shapes::cube(0.2f);
    std::vector<ShapeParticle> bare = cube.particles;
    for (ShapeParticle& p : bare) p.outward = {};
    const GranularShape again = shapes::from_particles("again", bare);
    for (std::size_t i = 0; i < 27; ++i) {
        EXPECT_EQ(again.particles[i].offset, cube.particles[i].offset) << i;
        // the estimate agrees with the faces of the lattice
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(triple(again.particles[i].outward)[k], triple(cube.particles[i].outward)[k], 1e-6)
                << i;
    }
    EXPECT_EQ(again.half_size.x, cube.half_size.x);
}

TEST(Shapes, FromParticlesKeepsOutwardDirectionsItIsGiven) {
    const GranularShape shape =
        shapes::from_particles("pair", {{{-1, 0, 0}, 0.5f, {0, 3, 0}}, {{1, 0, 0}, 0.5f, {}}});
    EXPECT_EQ(shape.particles[0].outward, (Vec3{0, 1, 0}));
    EXPECT_EQ(shape.particles[1].outward, Vec3{});
}

TEST(Shapes, SizesThatAreNotPositiveAreRefused) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    for (const float r : {0.0f, -1.0f, nan, inf}) {
        expect_error([r] { shapes::cube(r); }, {"radius", "greater than 0"});
        expect_error([r] { shapes::grain(r); }, {"radius"});
        expect_error([r] { shapes::capsule(r, 3); }, {"radius"});
        expect_error([r] { shapes::desk(r); }, {"radius"});
        expect_error([r] { shapes::ball(r, 1); }, {"particle_radius"});
        expect_error([r] { shapes::ball(0.1f, r); }, {"ball_radius"});
        expect_error([r] { filled(box_mesh({}, {1, 1, 1}), r); }, {"radius"});
        expect_error([r] { shapes::from_particles("p", {{{}, 1, {}}, {{}, r, {}}}); },
                     {"'p'", "particle 1 radius"});
    }
    expect_error([] { shapes::cube(0.2f, 0); }, {"cube spheres per side: invalid value 0"});
    expect_error([] { shapes::cuboid(0.2f, 1, -2, 1); }, {"along y: invalid value -2"});
    expect_error([] { shapes::cuboid(0.2f, 1000, 1000, 1000); }, {"1e+09 particles", "10000000"});
    expect_error([] { shapes::ball(0.001f, 1); }, {"particles are too many"});
    expect_error([] { shapes::ball(1, 0.5f); }, {"ball_radius: invalid value 0.5"});
    expect_error([] { shapes::capsule(0.2f, 0); }, {"capsule spheres: invalid value 0"});
    expect_error([] { shapes::capsule(0.2f, 8, 6.2f); }, {"capsule bend: invalid value 6.2", "5.49779"});
    expect_error([] { shapes::from_particles("none", {}); }, {"shape 'none'", "no particles"});
    expect_error([nan] { shapes::from_particles("p", {{{0, nan, 0}, 1, {}}}); },
                 {"particle 0 offset: invalid value nan"});
    expect_error([] { shapes::cube(1e-30f); }, {"shape 'cuboid'", "out of range"});
    expect_error([] { shapes::from_particles("p", {{{}, 1e30f, {}}}); }, {"shape 'p'", "out of range"});
}

// R2.64
TEST(Shapes, CubeMeshFillsAsTheCube) {
    const GranularShape cube = shapes::cube(0.2f);
    // anywhere in space, and inside out
    for (const Vec3 centre : {Vec3{}, Vec3{3, -2, 5}, Vec3{100, 0, 0}}) {
        FlatMesh mesh = box_mesh(centre, {0.6f, 0.6f, 0.6f});
        const GranularShape shape = filled(mesh, 0.2f);
        std::reverse(mesh.triangles.begin(), mesh.triangles.end());
        ASSERT_EQ(filled(mesh, 0.2f).particles.size(), 27u);
        ASSERT_EQ(shape.particles.size(), 27u);
        for (std::size_t i = 0; i < 27; ++i)
            EXPECT_EQ(shape.particles[i].offset, cube.particles[i].offset) << i;
        EXPECT_NEAR(shape.unit_inertia.y, cube.unit_inertia.y, 1e-6);
    }
}

// R2.64
TEST(Shapes, SphereMeshIsFilledToItsVolume) {
    const FlatMesh mesh = sphere_mesh(4);
    for (const float r : {0.1f, 0.05f, 0.02f}) {
        const GranularShape shape = filled(mesh, r);
        const double volume = double(shape.particles.size()) * std::pow(2 * double(r), 3);
        EXPECT_NEAR(volume, 4.18879, 4.18879 * 0.6 * double(r) + 0.01) << r;
        EXPECT_NEAR(shape.unit_inertia.x, 0.4, 0.8 * double(r)) << r;
        for (const ShapeParticle& p : shape.particles) {
            EXPECT_LT(length(p.offset), 1);
            // what points outward points away from the centre
            const double out = double(p.offset.x) * p.outward.x + double(p.offset.y) * p.outward.y +
                               double(p.offset.z) * p.outward.z;
            EXPECT_GE(out, 0.5 * length(p.offset) * length(p.outward));
        }
    }
}

// a point is inside exactly when its distance says so, although many lines pass through vertices and edges
TEST(Shapes, LatticeLinesThroughVerticesAndEdgesLeaveNoCracks) {
    // the octahedron |x| + |y| + |z| < 1, whose edges and vertices lie on lines of the lattice
    const FlatMesh octahedron = sphere_mesh(0);
    for (const float r : {1.0f / 9, 1.0f / 15, 0.03f}) {
        const std::vector<Vec3> points = fill_mesh(r, octahedron.vertices, octahedron.triangles, "");
        const int n = int(std::floor(1 / double(r) + 0.5));
        std::size_t inside = 0, edge = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k) {
                    const int sum =
                        std::abs(2 * i - n + 1) + std::abs(2 * j - n + 1) + std::abs(2 * k - n + 1);
                    const double d = sum * double(r) - 1;
                    inside += d < -1e-6;
                    edge += std::fabs(d) <= 1e-6;
                }
        EXPECT_GE(points.size(), inside) << r;
        EXPECT_LE(points.size(), inside + edge) << r;
        for (const Vec3& p : points) EXPECT_LE(std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z), 1.00001f);
    }
}

// the winding number of the mesh around a point, from the solid angles of its triangles
// (Van Oosterom and Strackee 1983)
double winding_number(const FlatMesh& mesh, const std::array<double, 3>& at) {
    const auto dot = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    double sum = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
        Matrix p{};
        std::array<double, 3> l{};
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t c = 0; c < 3; ++c)
                p[k][c] = triple(mesh.vertices[mesh.triangles[i + k]])[c] - at[c];
            l[k] = std::sqrt(dot(p[k], p[k]));
        }
        sum += std::atan2(determinant(p), l[0] * l[1] * l[2] + dot(p[0], p[1]) * l[2] +
                                              dot(p[1], p[2]) * l[0] + dot(p[2], p[0]) * l[1]);
    }
    return sum / (2 * 3.14159265358979);
}

TEST(Shapes, PointsInsideALumpyMeshAreThoseItWindsAround) {
    FlatMesh mesh = sphere_mesh(2);
    std::mt19937 random(7);
    for (Vec3& v : mesh.vertices) {
        const float s = 0.5f + float(random() % 1024) / 1024;
        v = {v.x * s, 0.7f * v.y * s, v.z * s};
    }
    Vec3 least = mesh.vertices[0], most = least;
    for (const Vec3& v : mesh.vertices) {
        least = {std::min(least.x, v.x), std::min(least.y, v.y), std::min(least.z, v.z)};
        most = {std::max(most.x, v.x), std::max(most.y, v.y), std::max(most.z, v.z)};
    }
    const float r = 0.06f;
    const auto low = triple(least), high = triple(most);
    std::array<int, 3> n{};
    for (std::size_t k = 0; k < 3; ++k) n[k] = int(std::floor((high[k] - low[k]) / (2 * double(r)) + 0.5));

    // the points of the whole lattice in the order of fill_mesh
    std::vector<Vec3> expected;
    for (int i = 0; i < n[0]; ++i)
        for (int j = 0; j < n[1]; ++j)
            for (int k = 0; k < n[2]; ++k) {
                const Vec3 p{r * float(2 * i - n[0] + 1), r * float(2 * j - n[1] + 1),
                             r * float(2 * k - n[2] + 1)};
                const auto x = triple(p);
                if (std::fabs(
                        winding_number(mesh, {x[0] + (low[0] + high[0]) / 2, x[1] + (low[1] + high[1]) / 2,
                                              x[2] + (low[2] + high[2]) / 2})) > 0.5)
                    expected.push_back(p);
            }
    EXPECT_GT(expected.size(), 500u);
    EXPECT_EQ(fill_mesh(r, mesh.vertices, mesh.triangles, ""), expected);
}

TEST(Shapes, OverlappingMeshesFillTheirUnion) {
    FlatMesh mesh = box_mesh({}, {0.6f, 0.6f, 0.6f});
    const FlatMesh second = box_mesh({0.4f, 0, 0}, {0.6f, 0.6f, 0.6f});
    for (const std::uint32_t v : second.triangles) mesh.triangles.push_back(v + 8);
    mesh.vertices.insert(mesh.vertices.end(), second.vertices.begin(), second.vertices.end());
    EXPECT_EQ(filled(mesh, 0.2f).particles.size(), 36u);
}

TEST(Shapes, VerticesAtTheSamePlaceAreJoined) {
    const FlatMesh shared = box_mesh({}, {0.6f, 0.6f, 0.6f});
    FlatMesh soup;
    for (const std::uint32_t v : shared.triangles) {
        soup.triangles.push_back(std::uint32_t(soup.vertices.size()));
        soup.vertices.push_back(shared.vertices[v]);
    }
    EXPECT_EQ(filled(soup, 0.2f).particles.size(), 27u);
}

TEST(Shapes, BadMeshesAreRefused) {
    const FlatMesh box = box_mesh({}, {0.6f, 0.6f, 0.6f});
    FlatMesh bad = box;
    bad.triangles.resize(bad.triangles.size() - 3);
    expect_error([&] { filled(bad, 0.2f); }, {"mesh 'mesh'", "open at the edge between vertices", "0.6"});

    bad = box;
    std::swap(bad.triangles[0], bad.triangles[1]);
    expect_error([&] { filled(bad, 0.2f); }, {"face opposite ways", "edge between vertices"});

    bad = box;
    bad.triangles[5] = 8;
    expect_error([&] { filled(bad, 0.2f); }, {"triangle 1 names vertex 8", "8 vertices"});

    bad = box;
    bad.triangles.pop_back();
    expect_error([&] { filled(bad, 0.2f); }, {"invalid number of indices 35"});

    bad = box;
    bad.vertices[3].y = std::numeric_limits<float>::quiet_NaN();
    expect_error([&] { filled(bad, 0.2f); }, {"vertex 3", "not finite"});

    expect_error([&] { filled({}, 0.2f); }, {"no triangles"});
    expect_error([&] { filled(box_mesh({}, {0.6f, 0, 0.6f}), 0.2f); }, {"no volume"});
    expect_error([&] { filled(box, 0.001f); }, {"radius 0.001 is too small", "10000000"});
    expect_error([&] { filled(box_mesh({}, {1e30f, 1, 1}), 1e-30f); }, {"is too small"});

    // a thin plate at a slope of 2 slips between the points
    FlatMesh plate = box_mesh({}, {0.8f, 1, 0.8f});
    for (Vec3& v : plate.vertices) v.y = 2 * v.x + 0.01f * v.y;
    expect_error([&] { filled(plate, 0.2f); }, {"too thin for particle radius 0.2"});
}

TEST(ObjFile, ReadsTrianglesQuadsPolygonsAndEveryFormOfIndex) {
    const TriangleMesh mesh =
        parse_obj("# a comment\r\nmtllib a.mtl\no thing\n"
                  "v 0 0 0\nv 1.5e0 -.25 +2. 1.0\nv 1 1 0 # corner\nv 0 1 0\nv -1 .5 0\n"
                  "vt 0 0\nvn 0 0 1\ns off\n\n"
                  "f 1 2 3\nf 1/1 2/1 3/1 4/1\nf 1//1 2//1 \\\n 3//1 4//1 5//1\nf -5/1/1 -4/1/1 -1/1/1",
                  "a.obj");
    ASSERT_EQ(mesh.vertices.size(), 5u);
    EXPECT_EQ(mesh.vertices[1], (Vec3{1.5f, -0.25f, 2}));
    EXPECT_EQ(mesh.triangles,
              (std::vector<std::array<std::uint32_t, 3>>{
                  {0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 1, 4}}));
}

TEST(ObjFile, NumbersHaveTheBitsOfTheStandardLibrary) {
    for (const char* text :
         {"0.1", "-3.14159274", "1e-7", "123456789.123", "0.6000000238418579", "1.17549435e-38", "3.0e37",
          "00000000000000000000001.5", "0.000000000000000000000001"}) {
        const TriangleMesh mesh = parse_obj(std::string("v ") + text + " 0 0\nf 1 1 1\n", "a.obj");
        EXPECT_EQ(mesh.vertices[0].x, std::strtof(text, nullptr)) << text;
    }
}

TEST(ObjFile, ErrorsNameFileAndLine) {
    const auto parse = [](const char* text) { return [text] { parse_obj(text, "bad.obj"); }; };
    expect_error(parse("v 0 0 0\nv 1 x 0\n"), {"bad.obj:2: 'x' is not a coordinate"});
    expect_error(parse("v nan 0 0\n"), {"bad.obj:1: 'nan'"});
    expect_error(parse("v 0 0 1e39\n"), {"bad.obj:1: '1e39'"});
    expect_error(parse("v 0 1e 0\n"), {"bad.obj:1: '1e'"});
    expect_error(parse("v 0 0\n"), {"bad.obj:1: vertex with 2 numbers"});
    expect_error(parse("v 0 0 0\nf 1 1\n"), {"bad.obj:2: face with 2 corners"});
    expect_error(parse("v 0 0 0\n\nf 1 1 0\n"), {"bad.obj:3: face names vertex 0"});
    expect_error(parse("v 0 0 0\nf 1 1 2\n# end\n"), {"bad.obj:2: face names vertex 2; the file has 1"});
    expect_error(parse("v 0 0 0\nf -1 -1 -2\n"), {"bad.obj:2: face names vertex -2; only 1"});
    expect_error(parse("v 0 0 0\nf 1 1 1.5\n"), {"bad.obj:2: '1.5' is not a corner"});
    expect_error(parse("v 0 0 0\nf 1 1 99999999999\n"), {"bad.obj:2: face names vertex 99999999999"});
    expect_error(parse("f 1 \\\n2 /3\n"), {"bad.obj:2: '/3'"});
    expect_error(parse("solid cube\n"), {"bad.obj:1: 'solid' is not a statement"});
    expect_error(parse(""), {"bad.obj: holds no faces"});
    expect_error([] { shapes::from_obj("does/not/exist.obj", 0.1f); },
                 {"does/not/exist.obj: cannot be opened"});
    expect_error([] { shapes::from_obj(".", 0.1f); }, {".: cannot be read"});
}

TEST(ObjFile, ShapeFromFileIsNamedAfterIt) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir());
    const std::string good = (folder / "tetra.v1.obj").string(), open = (folder / "open.obj").string();
    const auto write = [](const std::string& file, const std::string& text) {
        std::FILE* f = std::fopen(file.c_str(), "wb");
        ASSERT_NE(f, nullptr);
        std::fwrite(text.data(), 1, text.size(), f);
        std::fclose(f);
    };
    write(good, tetrahedron);
    write(open, std::string(tetrahedron).substr(0, std::string(tetrahedron).rfind("f 2")));

    const GranularShape shape = shapes::from_obj(good, 0.01f);
    EXPECT_EQ(shape.name, "tetra.v1");
    EXPECT_NEAR(double(shape.particles.size()) * 8e-6, 1.0 / 6, 0.01);
    expect_principal(shape, 2.0 / 3.0);
    expect_error([&] { shapes::from_obj(open, 0.1f); }, {open + ": the mesh is open at the edge"});
    std::filesystem::remove(good);
    std::filesystem::remove(open);
}

} // namespace
} // namespace scree
