// SPDX-License-Identifier: MIT
// body_shape_test.cpp — shapes as the world sees them: numbering, inertia, and new ones of a user's.
#include "support/granular_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

/// Mass properties of equal-density spheres, computed here once more: per kilogram of the whole.
struct MassProperties {
    DVec3 centre;
    DMatrix inertia; // about the centre
};

MassProperties mass_properties(const std::vector<ShapeParticle>& particles) {
    MassProperties out{};
    double total = 0;
    for (const ShapeParticle& p : particles) {
        const double m = std::pow(p.radius, 3);
        total += m;
        out.centre += m * wide(p.offset);
    }
    out.centre = (1 / total) * out.centre;
    for (const ShapeParticle& p : particles) {
        const double m = std::pow(p.radius, 3) / total, r = p.radius;
        const DVec3 a = wide(p.offset) - out.centre;
        const double diagonal = m * (dot(a, a) + 0.4 * r * r);
        out.inertia[0] += DVec3{diagonal - m * a.x * a.x, -m * a.x * a.y, -m * a.x * a.z};
        out.inertia[1] += DVec3{-m * a.y * a.x, diagonal - m * a.y * a.y, -m * a.y * a.z};
        out.inertia[2] += DVec3{-m * a.z * a.x, -m * a.z * a.y, diagonal - m * a.z * a.z};
    }
    return out;
}

void expect_principal_frame(const GranularShape& shape, double tolerance = 1e-4) {
    const MassProperties found = mass_properties(shape.particles);
    EXPECT_LT(length(found.centre), tolerance);
    const double scale = found.inertia[0].x + found.inertia[1].y + found.inertia[2].z;
    EXPECT_NEAR(found.inertia[0].y / scale, 0, tolerance);
    EXPECT_NEAR(found.inertia[0].z / scale, 0, tolerance);
    EXPECT_NEAR(found.inertia[1].z / scale, 0, tolerance);
}

std::vector<ShapeParticle> lattice(int a, int b, int c, float radius) {
    std::vector<ShapeParticle> particles;
    for (int i = 0; i < a; ++i) {
        for (int j = 0; j < b; ++j) {
            for (int k = 0; k < c; ++k) {
                const float d = 2 * radius;
                particles.push_back(
                    {{d * static_cast<float>(i), d * static_cast<float>(j), d * static_cast<float>(k)},
                     radius,
                     {}});
            }
        }
    }
    return particles;
}

std::vector<ShapeParticle> hook() {
    std::vector<ShapeParticle> particles;
    for (int i = 0; i < 5; ++i) particles.push_back({{0.3f * static_cast<float>(i), 0, 0}, 0.2f, {}});
    for (int i = 1; i < 3; ++i) particles.push_back({{0, 0.3f * static_cast<float>(i), 0.1f}, 0.1f, {}});
    return particles;
}

// R2.1
TEST(GranularShapes, CubeHasTwentySevenTouchingSpheres) {
    const GranularShape cube = shapes::cube(0.2f);
    ASSERT_EQ(cube.particles.size(), 27u);
    for (const ShapeParticle& particle : cube.particles) {
        EXPECT_EQ(particle.radius, 0.2f);
        for (float x : {particle.offset.x, particle.offset.y, particle.offset.z}) {
            EXPECT_TRUE(x == 0 || std::abs(std::abs(x) - 0.4f) < 1e-7f) << x;
        }
    }
}

// R2.1
TEST(GranularShapes, CubeSideIsSixRadii) {
    const GranularShape cube = shapes::cube(0.2f);
    EXPECT_FLOAT_EQ(2 * cube.half_size.x, 1.2f);
    EXPECT_FLOAT_EQ(2 * cube.half_size.y, 1.2f);
    EXPECT_FLOAT_EQ(2 * cube.half_size.z, 1.2f);
}

// R2.2
TEST(GranularShapes, CubeParticlesRunAlongZFirst) {
    const GranularShape cube = shapes::cube(0.2f);
    for (int l = 0; l < 27; ++l) {
        const DVec3 expected = 0.4 * DVec3{l / 9 - 1.0, l % 9 / 3 - 1.0, l % 3 - 1.0};
        EXPECT_LT(length(wide(cube.particles[static_cast<std::size_t>(l)].offset) - expected), 1e-6) << l;
    }
}

// R2.2
TEST(GranularShapes, ParticlesOfAWorldAreNumberedBodyByBody) {
    GranularWorld world =
        world_of(seed_settings(), shapes::cube(0.2f), resting_at({{0, 5, 0}, {3, 5, 0}, {6, 5, 0}}));
    const auto particles = world.particles();
    ASSERT_EQ(particles.size(), 81u);
    for (std::size_t p = 0; p < particles.size(); ++p) {
        EXPECT_EQ(particles[p].body, p / 27);
        const std::size_t l = p % 27;
        EXPECT_NEAR(particles[p].position.x,
                    3.0 * static_cast<double>(p / 27) + 0.4 * (static_cast<double>(l / 9) - 1), 1e-5);
        EXPECT_NEAR(particles[p].position.y, 5 + 0.4 * (static_cast<double>(l % 9 / 3) - 1), 1e-5);
        EXPECT_NEAR(particles[p].position.z, 0.4 * (static_cast<double>(l % 3) - 1), 1e-5);
    }
}

// R2.6
TEST(GranularShapes, CubeHasTheInertiaOfTheSolidCube) {
    const GranularShape cube = shapes::cube(0.2f);
    for (float moment : {cube.unit_inertia.x, cube.unit_inertia.y, cube.unit_inertia.z}) {
        EXPECT_NEAR(1 / moment, 6 / (1.2 * 1.2), 1e-5);
    }
}

// R2.6
TEST(GranularShapes, CuboidHasTheInertiaOfTheSolidCuboid) {
    const GranularShape cuboid = shapes::cuboid(0.25f, 2, 3, 4);
    const double w = 1.0, h = 1.5, q = 2.0;
    EXPECT_NEAR(cuboid.unit_inertia.x, (h * h + q * q) / 12, 1e-5);
    EXPECT_NEAR(cuboid.unit_inertia.y, (w * w + q * q) / 12, 1e-5);
    EXPECT_NEAR(cuboid.unit_inertia.z, (w * w + h * h) / 12, 1e-5);
}

// R2.64
TEST(GranularShapes, CuboidHasOneSphereForEachPlaceOfItsLattice) {
    EXPECT_EQ(shapes::cuboid(0.1f, 2, 3, 4).particles.size(), 24u);
    EXPECT_EQ(shapes::cube(0.1f, 2).particles.size(), 8u);
    EXPECT_EQ(shapes::cube(0.1f, 5).particles.size(), 125u);
    EXPECT_EQ(shapes::grain(0.1f).particles.size(), 1u);
    EXPECT_EQ(shapes::capsule(0.1f, 6).particles.size(), 6u);
}

// R2.64
TEST(GranularShapes, GrainTurnsLikeASolidSphere) {
    const GranularShape grain = shapes::grain(0.3f);
    EXPECT_NEAR(grain.unit_inertia.x, 0.4 * 0.09, 1e-6);
    EXPECT_EQ(grain.particles[0].offset, (Vec3{0, 0, 0}));
}

// R2.64
TEST(GranularShapes, EveryShapeHasItsCentreOfMassAtTheOriginAndPrincipalAxes) {
    for (const GranularShape& shape :
         {shapes::cube(0.2f), shapes::cube(0.2f, 2), shapes::cuboid(0.2f, 1, 2, 5), shapes::grain(0.2f),
          shapes::ball(0.1f, 0.5f), shapes::capsule(0.2f, 5), shapes::capsule(0.2f, 7, 2.0f),
          shapes::desk(0.1f)}) {
        SCOPED_TRACE(shape.name);
        EXPECT_FALSE(shape.particles.empty());
        expect_principal_frame(shape);
        for (float moment : {shape.unit_inertia.x, shape.unit_inertia.y, shape.unit_inertia.z})
            EXPECT_GT(moment, 0);
    }
}

// R2.64
TEST(GranularShapes, ParticlesOfEveryShapeLieInItsBoundingBox) {
    for (const GranularShape& shape :
         {shapes::cube(0.2f, 4), shapes::cuboid(0.2f, 1, 2, 5), shapes::ball(0.1f, 0.5f),
          shapes::capsule(0.2f, 7, 2.0f), shapes::desk(0.1f)}) {
        SCOPED_TRACE(shape.name);
        for (const ShapeParticle& p : shape.particles) {
            EXPECT_LE(std::abs(p.offset.x), shape.half_size.x);
            EXPECT_LE(std::abs(p.offset.y), shape.half_size.y);
            EXPECT_LE(std::abs(p.offset.z), shape.half_size.z);
        }
    }
}

// R2.64
TEST(GranularShapes, BallStaysWithinItsRadius) {
    const GranularShape ball = shapes::ball(0.1f, 0.5f);
    EXPECT_GT(ball.particles.size(), 20u);
    for (const ShapeParticle& p : ball.particles) EXPECT_LE(length(wide(p.offset)) + p.radius, 0.5 + 0.05);
}

// R2.64
TEST(GranularShapes, BananaIsBentAndACapsuleIsStraight) {
    const auto ends = [](const GranularShape& shape) {
        return length(wide(shape.particles.front().offset) - wide(shape.particles.back().offset));
    };
    const GranularShape straight = shapes::capsule(0.2f, 7), banana = shapes::capsule(0.2f, 7, 2.0f);
    EXPECT_LT(ends(banana), 0.95 * ends(straight));
    for (std::size_t i = 0; i + 1 < banana.particles.size(); ++i) {
        const double step = length(wide(banana.particles[i + 1].offset) - wide(banana.particles[i].offset));
        const double straight_step =
            length(wide(straight.particles[1].offset) - wide(straight.particles[0].offset));
        EXPECT_NEAR(step, straight_step, 0.15 * straight_step);
    }
}

// R2.28, R2.64
TEST(GranularShapes, ParticleSetIsMovedToItsCentreAndPrincipalAxes) {
    const GranularShape shape = shapes::from_particles("hook", hook());
    EXPECT_EQ(shape.name, "hook");
    ASSERT_EQ(shape.particles.size(), hook().size());
    expect_principal_frame(shape);
}

// R2.28, R2.64
TEST(GranularShapes, MovingAParticleSetKeepsItRigid) {
    const std::vector<ShapeParticle> before = hook();
    const GranularShape shape = shapes::from_particles("hook", before);
    ASSERT_EQ(shape.particles.size(), before.size());
    const auto at_place = [](const std::vector<ShapeParticle>& set, std::size_t i) {
        return wide(set[i].offset);
    };
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(shape.particles[i].radius, before[i].radius);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NEAR(length(at_place(shape.particles, i) - at_place(shape.particles, j)),
                        length(at_place(before, i) - at_place(before, j)), 1e-5);
        }
    }
    // no mirror image: a triple product keeps its sign
    const auto triple = [&](const std::vector<ShapeParticle>& set) {
        return dot(at_place(set, 4) - at_place(set, 0),
                   cross(at_place(set, 5) - at_place(set, 0), at_place(set, 6) - DVec3{} - at_place(set, 2)));
    };
    EXPECT_NEAR(triple(shape.particles), triple(before), 1e-4);
}

// R2.28, R2.64
TEST(GranularShapes, ParticleSetHasTheInertiaOfItsSpheres) {
    const GranularShape shape = shapes::from_particles("hook", hook());
    const DMatrix inertia = mass_properties(shape.particles).inertia;
    EXPECT_NEAR(shape.unit_inertia.x, inertia[0].x, 1e-4);
    EXPECT_NEAR(shape.unit_inertia.y, inertia[1].y, 1e-4);
    EXPECT_NEAR(shape.unit_inertia.z, inertia[2].z, 1e-4);
}

// R2.6: 5.733 M r^2 for the 27 spheres against 6 M r^2 for the solid cube
TEST(GranularShapes, LatticeOfSpheresTurnsMoreEasilyThanTheSolidCube) {
    const GranularShape shape = shapes::from_particles("lattice", lattice(3, 3, 3, 0.2f));
    EXPECT_NEAR(shape.unit_inertia.x, 5.733 * 0.04, 1e-4);
    EXPECT_NEAR(shape.unit_inertia.y, 5.733 * 0.04, 1e-4);
    EXPECT_NEAR(shape.unit_inertia.z, 5.733 * 0.04, 1e-4);
}

// R2.28
TEST(GranularShapes, ShapeMadeByAUserFallsAndComesToRestLikeAnyOther) {
    GranularShape tripod;
    tripod.name = "tripod";
    tripod.particles = {{{0.4f, -0.1f, 0}, 0.1f, {}},
                        {{-0.2f, -0.1f, 0.35f}, 0.1f, {}},
                        {{-0.2f, -0.1f, -0.35f}, 0.1f, {}},
                        {{0, 0.3f, 0}, 0.1f, {}}};
    tripod = shapes::from_particles("tripod", tripod.particles);
    GranularWorld world = world_of(improved_settings(), tripod, {at({0, 1, 0})});
    run(world, 15); // three springs with little damping bounce for long
    EXPECT_TRUE(all_finite(world));
    EXPECT_LT(world.measure().max_speed, 0.05);
    for (const ParticleState& particle : world.particles()) EXPECT_GT(particle.position.y, 0);
}

// R2.64
TEST(GranularShapes, EveryShapeFallsOnTheGroundAndStaysAboveIt) {
    for (const GranularShape& shape :
         {shapes::cube(0.2f, 2), shapes::ball(0.1f, 0.4f), shapes::capsule(0.2f, 5, 1.5f),
          shapes::cuboid(0.2f, 1, 2, 4), shapes::desk(0.1f)}) {
        SCOPED_TRACE(shape.name);
        GranularBodyDef body = at({0, 2, 0});
        body.rotation = narrow(turn({1, 0.3, 0.2}, 0.3));
        GranularWorld world = world_of(improved_settings(), shape, {body});
        run(world, 3);
        EXPECT_TRUE(all_finite(world));
        for (const ParticleState& particle : world.particles()) EXPECT_GT(particle.position.y, 0);
    }
}

// R2.64
TEST(GranularShapes, BodiesOfDifferentShapesShareAWorld) {
    GranularWorld world(improved_settings(), cpu());
    const std::uint32_t grain = world.add_shape(shapes::grain(0.1f)),
                        cube = world.add_shape(shapes::cube(0.2f)),
                        bar = world.add_shape(shapes::cuboid(0.1f, 1, 1, 7));
    GranularBodyDef body = at({0, 3, 0});
    for (std::uint32_t shape : {cube, grain, bar, grain}) {
        body.shape = shape;
        body.position.x += 2;
        world.create_body(body);
    }
    EXPECT_EQ(world.particle_count(), 27u + 1 + 7 + 1);
    const auto particles = world.particles();
    const std::vector<std::size_t> firsts{0, 27, 28, 35};
    for (std::uint32_t b = 0; b < 4; ++b) EXPECT_EQ(particles[firsts[b]].body, b);
    EXPECT_FLOAT_EQ(particles[27].position.x, 4.0f);
    EXPECT_EQ(particles[35].radius, 0.1f);
}

// R2.64
TEST(GranularShapes, SizesThatAreNotPositiveAreErrors) {
    const float nan = std::nanf("");
    for (float bad : {0.0f, -1.0f, nan, HUGE_VALF}) {
        EXPECT_THROW(shapes::cube(bad), Error) << bad;
        EXPECT_THROW(shapes::cube(bad, 3), Error) << bad;
        EXPECT_THROW(shapes::cuboid(bad, 1, 1, 1), Error) << bad;
        EXPECT_THROW(shapes::grain(bad), Error) << bad;
        EXPECT_THROW(shapes::ball(bad, 1), Error) << bad;
        EXPECT_THROW(shapes::ball(0.1f, bad), Error) << bad;
        EXPECT_THROW(shapes::capsule(bad, 3), Error) << bad;
        EXPECT_THROW(shapes::desk(bad), Error) << bad;
    }
    for (int bad : {0, -3}) {
        EXPECT_THROW(shapes::cube(0.1f, bad), Error) << bad;
        EXPECT_THROW(shapes::cuboid(0.1f, bad, 1, 1), Error) << bad;
        EXPECT_THROW(shapes::cuboid(0.1f, 1, bad, 1), Error) << bad;
        EXPECT_THROW(shapes::cuboid(0.1f, 1, 1, bad), Error) << bad;
        EXPECT_THROW(shapes::capsule(0.1f, bad), Error) << bad;
    }
    EXPECT_THROW(shapes::capsule(0.1f, 3, nan), Error);
}

// R2.64
TEST(GranularShapes, BadParticleSetsAreErrors) {
    const float nan = std::nanf("");
    EXPECT_THROW(shapes::from_particles("none", {}), Error);
    EXPECT_THROW(shapes::from_particles("nan", {{{nan, 0, 0}, 0.1f, {}}}), Error);
    EXPECT_THROW(shapes::from_particles("inf", {{{0, HUGE_VALF, 0}, 0.1f, {}}}), Error);
    EXPECT_THROW(shapes::from_particles("flat", {{{0, 0, 0}, 0, {}}}), Error);
    EXPECT_THROW(shapes::from_particles("inside out", {{{0, 0, 0}, -0.1f, {}}}), Error);
    EXPECT_THROW(shapes::from_particles("nan radius", {{{0, 0, 0}, nan, {}}}), Error);
}

} // namespace
} // namespace scree::test
