// SPDX-License-Identifier: MIT
// grid_test.cpp — the neighbour search: every contact is found; the seed's grid loses just what it lost.
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scree::test {
namespace {

/// Linear springs and nothing moves: the force on a particle tells which neighbours were found.
GranularSettings searching(GranularMode mode) {
    GranularSettings settings = with_plain_steps(in_empty_space(seed_settings_in_room(3)));
    settings.mode = mode;
    settings.contact = ContactModel::linear;
    return settings;
}

std::vector<DVec3> spring_forces(const std::vector<ParticleState>& particles,
                                 const GranularSettings& settings) {
    std::vector<DVec3> forces(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        for (std::size_t j = 0; j < particles.size(); ++j) {
            if (particles[i].body == particles[j].body) continue;
            const DVec3 to = wide(particles[j].position) - wide(particles[i].position);
            const double reach =
                static_cast<double>(particles[i].radius) + static_cast<double>(particles[j].radius);
            const double l = length(to);
            if (l + settings.contact_epsilon < reach && l > 0) {
                forces[i] += -((settings.stiffness * (reach - l) / l) * to);
            }
        }
    }
    return forces;
}

/// Counts and forces against all pairs; `tolerance` is k times the rounding of positions there.
void expect_all_contacts_found(const GranularSettings& settings, const GranularShape& shape,
                               const std::vector<GranularBodyDef>& bodies, double tolerance = 1e-3) {
    GranularWorld world = world_of(settings, shape, bodies);
    const auto particles = world.particles();
    const ContactCount expected = count_contacts(particles, settings.contact_epsilon);
    ASSERT_EQ(expected.doubtful, 0u) << "choose another seed";
    ASSERT_GT(expected.touching, 0u) << "nothing to find";
    EXPECT_EQ(world.measure().contacts, expected.touching);
    EXPECT_EQ(world.measure().dropped, 0u);
    world.step();
    const auto forces = world.particle_forces();
    const auto springs = spring_forces(particles, settings);
    ASSERT_EQ(forces.size(), springs.size());
    for (std::size_t i = 0; i < forces.size(); ++i) {
        ASSERT_LT(length(wide(forces[i]) - springs[i]), tolerance + 1e-5 * length(springs[i]))
            << "particle " << i << " at " << particles[i].position.x << ' ' << particles[i].position.y << ' '
            << particles[i].position.z;
    }
}

// R2.21
TEST(GranularGrid, SeedGridFindsEveryContactOfSparseGrains) {
    for (std::uint32_t seed : {1u, 2u, 3u}) {
        expect_all_contacts_found(searching(GranularMode::reference), shapes::grain(0.2f),
                                  scattered(500, {-2.9, 0.1, -2.9}, {2.9, 5.5, 2.9}, seed));
    }
}

// R2.21
TEST(GranularGrid, ImprovedGridFindsEveryContactOfCrowdedGrains) {
    for (std::uint32_t seed : {1u, 2u, 3u}) {
        expect_all_contacts_found(searching(GranularMode::improved), shapes::grain(0.2f),
                                  scattered(600, {-1, -1, -1}, {1, 1, 1}, seed));
    }
}

// R2.21, R2.25
TEST(GranularGrid, BruteForceFindsEveryContactOfCrowdedGrains) {
    expect_all_contacts_found(searching(GranularMode::brute), shapes::grain(0.2f),
                              scattered(600, {-1, -1, -1}, {1, 1, 1}, 4));
}

// R2.21
TEST(GranularGrid, ImprovedGridFindsEveryContactOfCubes) {
    expect_all_contacts_found(searching(GranularMode::improved), shapes::cube(0.2f),
                              scattered(60, {-2, -2, -2}, {2, 2, 2}, 5));
}

// R2.21, R2.62
TEST(GranularGrid, ImprovedGridFindsContactsFarFromTheOrigin) {
    for (DVec3 centre : {DVec3{-1000, -1000, -1000}, DVec3{4000, -3000, 2000}, DVec3{0, 20000, 0}}) {
        expect_all_contacts_found(searching(GranularMode::improved), shapes::grain(0.2f),
                                  scattered(300, centre - DVec3{1, 1, 1}, centre + DVec3{1, 1, 1}, 6), 1);
    }
}

// R2.21, R2.62
TEST(GranularGrid, ImprovedGridFindsContactsInClustersFarApart) {
    // a hashed grid must not mix up cells that share a place in its table
    std::vector<GranularBodyDef> bodies;
    Random random(7);
    for (int cluster = 0; cluster < 40; ++cluster) {
        const DVec3 centre = random.in_box({-3000, -3000, -3000}, {3000, 3000, 3000});
        for (int i = 0; i < 8; ++i) {
            bodies.push_back(at(narrow(centre + random.in_box({-.3, -.3, -.3}, {.3, .3, .3}))));
        }
    }
    expect_all_contacts_found(searching(GranularMode::improved), shapes::grain(0.2f), bodies, 1);
}

// R2.21
TEST(GranularGrid, ContactsAcrossCellBordersAreFound) {
    // centres on multiples of the cell side, of half of it, and a hair to either side, negative ones too
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        std::vector<GranularBodyDef> bodies;
        for (int x = -2; x <= 2; ++x) {
            for (int y = 0; y <= 2; ++y) {
                for (int z = -2; z <= 2; ++z) {
                    const DVec3 corner{0.8 * x, 1 + 0.8 * y, 0.8 * z};
                    bodies.push_back(at(narrow(corner)));
                    const double s = 0.33;
                    switch ((x + y + z + 6) % 3) {
                    case 0:
                        bodies.push_back(at(narrow(corner + DVec3{s, 0, 0})));
                        break;
                    case 1:
                        bodies.push_back(at(narrow(corner - DVec3{0, s, 0})));
                        break;
                    default:
                        bodies.push_back(at(narrow(corner + DVec3{-0.19, 0.19, -0.19})));
                        break;
                    }
                }
            }
        }
        expect_all_contacts_found(searching(mode), shapes::grain(0.2f), bodies);
    }
}

// R2.21, R2.64
TEST(GranularGrid, GrainsOfVeryDifferentSizesFindEachOther) {
    for (GranularMode mode : {GranularMode::improved, GranularMode::brute}) {
        GranularWorld world(searching(mode), cpu());
        const float radii[] = {0.05f, 0.2f, 0.7f};
        std::uint32_t shape[3];
        for (int i = 0; i < 3; ++i) shape[i] = world.add_shape(shapes::grain(radii[i]));
        Random random(8);
        for (int i = 0; i < 300; ++i) {
            GranularBodyDef body = at(narrow(random.in_box({-2, -2, -2}, {2, 2, 2})));
            body.shape = shape[i % 3];
            world.create_body(body);
        }
        const ContactCount expected = count_contacts(world.particles(), world.settings().contact_epsilon);
        ASSERT_EQ(expected.doubtful, 0u);
        EXPECT_EQ(world.measure().contacts, expected.touching);
    }
}

// R2.25
TEST(GranularGrid, BruteForceMovesBodiesAsTheGridDoes) {
    GranularSettings settings = improved_settings();
    settings.world_size = 2.3f;
    settings.contact_memory = 12; // room for every spring: which is lost depends on the order of the search
    const auto bodies = tumbling_cubes(2.3f, 9);
    GranularWorld grid = world_of(settings, shapes::cube(0.2f), bodies);
    settings.mode = GranularMode::brute;
    GranularWorld brute = world_of(settings, shapes::cube(0.2f), bodies);
    grid.step(3);
    brute.step(3);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_LT(length(wide(grid.bodies()[i].position) - wide(brute.bodies()[i].position)), 1e-5);
        EXPECT_LT(length(wide(grid.bodies()[i].momentum) - wide(brute.bodies()[i].momentum)), 1e-4);
    }
}

/// How many particles all searches of a step look at: those in the cell of each and in the 26 around it.
struct SearchWork {
    std::uint64_t looked_at = 0, fullest_cell = 0;
};
SearchWork search_work(const std::vector<ParticleState>& particles) {
    const double cell = 2.0 * static_cast<double>(particles[0].radius) * (1 + 1.0 / 512);
    std::map<std::array<int, 3>, std::uint64_t> load;
    for (const ParticleState& particle : particles) {
        const auto along = [&](float x) {
            return static_cast<int>(std::floor(static_cast<double>(x) / cell));
        };
        ++load[{along(particle.position.x), along(particle.position.y), along(particle.position.z)}];
    }
    SearchWork work;
    for (const auto& [at, count] : load) {
        work.fullest_cell = std::max(work.fullest_cell, count);
        for (int k = 0; k < 27; ++k)
            if (const auto near = load.find({at[0] + k / 9 - 1, at[1] + k / 3 % 3 - 1, at[2] + k % 3 - 1});
                near != load.end())
                work.looked_at += count * near->second;
    }
    return work;
}

// R2.24
TEST(GranularGrid, TheWorkOfASearchGrowsAsTheNumberOfParticles) {
    const GranularSettings settings = with_plain_steps(in_empty_space(improved_settings()));
    const auto work_of = [&](int grains) {
        // a fifth more grains than cells, as in a pile at rest
        const double half = static_cast<double>(settings.particle_radius) * std::cbrt(grains / 1.2);
        GranularWorld world = world_of(settings, shapes::grain(settings.particle_radius),
                                       scattered(grains, {-half, 0, -half}, {half, 2 * half, half}, 3));
        const SearchWork work = search_work(world.particles());
        EXPECT_EQ(work.fullest_cell, world.measure().largest_cell); // these are the cells of the search
        return static_cast<double>(work.looked_at);
    };
    const double small = work_of(1000), large = work_of(64000);
    const double slope = std::log(large / small) / std::log(64.0);
    RecordProperty("slope", std::to_string(slope));
    RecordProperty("looked_at_of_each", std::to_string(large / 64000));
    EXPECT_GT(slope, 0.98);
    EXPECT_LT(slope, 1.06); // 1.039: a small pile has more surface
    // every pair: 500 for each
    EXPECT_LT(work_of(500), 0.1 * 500 * 500);
}

// kept lists widen the cells of a step on some devices; what is measured does not depend on them
TEST(GranularGrid, FullestCellDoesNotDependOnTheSkin) {
    GranularSettings settings = improved_settings();
    settings.world_size = 2.3f;
    const auto bodies = tumbling_cubes(2.3f, 9);
    settings.neighbour_skin = 0;
    GranularWorld plain = world_of(settings, shapes::cube(0.2f), bodies);
    settings.neighbour_skin = 1;
    GranularWorld listed = world_of(settings, shapes::cube(0.2f), bodies);
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(plain.measure().largest_cell, listed.measure().largest_cell);
        EXPECT_EQ(plain.measure().contacts, listed.measure().contacts);
        plain.step();
        listed.step();
        EXPECT_EQ(plain.hash(), listed.hash());
    }
}

/// Six grains in one cell of the seed's grid; only the first four can be registered.
std::vector<GranularBodyDef> six_in_a_cell(const GranularSettings& settings) {
    const DVec3 corner = wide(settings.grid_min) + 0.4 * DVec3{5, 5, 5};
    std::vector<GranularBodyDef> bodies;
    for (DVec3 p : {DVec3{.02, .02, .02}, DVec3{.38, .38, .02}, DVec3{.38, .02, .38}, DVec3{.02, .38, .38},
                    DVec3{.2, .2, .2}, DVec3{.3, .2, .15}}) {
        bodies.push_back(at(narrow(corner + p)));
    }
    return bodies;
}

// R2.22
TEST(GranularGrid, SeedGridKeepsFourParticlesACellAndCountsTheRest) {
    const GranularSettings settings = searching(GranularMode::reference);
    GranularWorld world = world_of(settings, shapes::grain(0.2f), six_in_a_cell(settings));
    EXPECT_EQ(world.measure().largest_cell, 6u);
    EXPECT_EQ(world.measure().dropped, 2u);
}

// R2.22
TEST(GranularGrid, DroppedParticleFeelsOthersButIsNotFelt) {
    const GranularSettings settings = searching(GranularMode::reference);
    const auto bodies = six_in_a_cell(settings);
    GranularWorld full = world_of(settings, shapes::grain(0.2f), bodies);
    GranularWorld four = world_of(settings, shapes::grain(0.2f), {bodies.begin(), bodies.begin() + 4});
    full.step();
    four.step();
    const auto with = full.particle_forces(), without = four.particle_forces();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(with[i], without[i]) << i;
    EXPECT_GT(length(wide(with[5])), 1);
}

// R2.22
TEST(GranularGrid, ImprovedGridLosesNoneHoweverFullACellIs) {
    GranularSettings settings = searching(GranularMode::improved);
    settings.contact_epsilon = 0;
    GranularWorld world =
        world_of(settings, shapes::grain(0.2f), scattered(300, {0, 0, 0}, {.1, .1, .1}, 10));
    const GranularMeasure measure = world.measure();
    EXPECT_EQ(measure.contacts, 300u * 299u);
    EXPECT_EQ(measure.dropped, 0u);
    world.step();
    const auto forces = world.particle_forces();
    for (Vec3 force : forces) EXPECT_GT(length(wide(force)), 0.1);
}

// R2.20, R2.23
TEST(GranularGrid, ParticlesInTheOuterLayerOrOutsideAreNotRegistered) {
    GranularSettings settings = searching(GranularMode::reference);
    settings.grid_cells = 10;
    settings.grid_min = {-2, -2, -2}; // usable: -1.6 … 1.6
    for (double inside : {-1.59, 1.59}) {
        for (double outside : {-1.61, 1.61, -2.5, 7.0}) {
            std::vector<GranularBodyDef> bodies{
                at(narrow(DVec3{inside, 0, 0})),  at(narrow(DVec3{0, inside, 0})),
                at(narrow(DVec3{0, 0, inside})),  at(narrow(DVec3{outside, 0, 0})),
                at(narrow(DVec3{0, outside, 0})), at(narrow(DVec3{0, 0, outside}))};
            GranularWorld world = world_of(settings, shapes::grain(0.2f), bodies);
            EXPECT_EQ(world.measure().unregistered, 3u) << inside << ' ' << outside;
        }
    }
}

// R2.23
TEST(GranularGrid, GrainsOutsideTheSeedGridPassThroughEachOther) {
    const GranularSettings settings = searching(GranularMode::reference);
    GranularWorld world = world_of(settings, shapes::grain(0.2f), resting_at({{0, 40, 0}, {0.2f, 40, 0}}));
    world.step();
    for (Vec3 force : world.particle_forces()) EXPECT_EQ(force, (Vec3{0, 0, 0}));
}

TEST(GranularGrid, ForcesAreZeroFromAChangeToTheNextStep) {
    GranularWorld world =
        world_of(improved_settings(), shapes::grain(0.2f), resting_at({{0, 1, 0}, {0.3f, 1, 0}}));
    world.step();
    EXPECT_NE(world.particle_forces()[0], (Vec3{}));
    world.create_body(at({5, 1, 0}));
    for (const Vec3& force : world.particle_forces()) EXPECT_EQ(force, (Vec3{}));
    world.step();
    EXPECT_NE(world.particle_forces()[0], (Vec3{}));
}

// R2.23: the one-sided force at the edge of the seed's grid
TEST(GranularGrid, GrainJustOutsideFeelsAGrainInsideThatDoesNotFeelIt) {
    GranularSettings settings = searching(GranularMode::reference);
    settings.grid_cells = 10;
    settings.grid_min = {-2, -2, -2};
    GranularWorld world = world_of(settings, shapes::grain(0.2f), resting_at({{1.5f, 0, 0}, {1.7f, 0, 0}}));
    world.step();
    const auto forces = world.particle_forces();
    EXPECT_EQ(forces[0], (Vec3{0, 0, 0}));
    EXPECT_NEAR(forces[1].x, 100 * 0.2, 1e-3);
}

// R2.23
TEST(GranularGrid, FarOutsideTheSeedGridNothingBreaks) {
    const GranularSettings settings = searching(GranularMode::reference);
    GranularWorld world =
        world_of(settings, shapes::grain(0.2f),
                 resting_at({{1e9f, 0, 0}, {0, -1e9f, 0}, {0, 0, 1e30f}, {-3e38f, 3e38f, 0}, {0, 1, 0}}));
    world.step(3);
    EXPECT_TRUE(all_finite(world));
    EXPECT_EQ(world.measure().unregistered, 4u);
}

// R2.62
TEST(GranularGrid, FarOutsideNothingBreaksInTheImprovedGridEither) {
    GranularWorld world = world_of(
        searching(GranularMode::improved), shapes::grain(0.2f),
        resting_at(
            {{1e9f, 0, 0}, {0, -1e9f, 0}, {0, 0, 1e30f}, {-3e38f, 3e38f, 0}, {0, 1, 0}, {0.3f, 1, 0}}));
    world.step(3);
    EXPECT_TRUE(all_finite(world));
    EXPECT_LT(world.bodies()[4].velocity().x, 0);
    EXPECT_GT(world.bodies()[5].velocity().x, 0);
}

// R2.62
TEST(GranularGrid, ImprovedWorldHasNoUnregisteredParticles) {
    GranularWorld world =
        world_of(improved_settings(), shapes::grain(0.2f), resting_at({{0, 400, 0}, {0.2f, 400, 0}}));
    EXPECT_EQ(world.measure().unregistered, 0u);
    world.step();
    EXPECT_LT(world.bodies()[0].velocity().x, 0);
    EXPECT_GT(world.bodies()[1].velocity().x, 0);
}

} // namespace
} // namespace scree::test
