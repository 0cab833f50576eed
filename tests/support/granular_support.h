// SPDX-License-Identifier: MIT
// granular_support.h — worlds, scenes and questions that the granular tests are written with.
#pragma once

#include "scree/granular.h"
#include "support/double_vector.h"
#include "support/refused.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace scree::test {

// devices ---------------------------------------------------------------------------------------------------

/// The CPU device with these threads and lanes; one is opened for each choice and kept.
Place cpu(int threads = 1, int lanes = 0);

/// A device whose name begins so, or the reason why there is none that gives the CPU's bits.
struct FoundDevice {
    std::string name, reason;
};
FoundDevice find_device(const std::string& prefix);

// settings --------------------------------------------------------------------------------------------------

/// The thesis' program with its parameters.
GranularSettings seed_settings();
/// The same in a smaller room: walls at +-half_width, and a grid that just holds it.
GranularSettings seed_settings_in_room(float half_width);
/// The seed's grid made smaller, where a scene needs little room; small grids are quick to clear.
GranularSettings with_small_grid(GranularSettings settings, int cells);
/// What a user gets without asking.
GranularSettings improved_settings();
/// No gravity, no ground, no walls.
GranularSettings in_empty_space(GranularSettings settings);
/// One step per step, nobody sleeps, nobody is pushed out: forces can be foretold from positions.
GranularSettings with_plain_steps(GranularSettings settings);

// worlds ----------------------------------------------------------------------------------------------------

/// Reproducible numbers, the same with every standard library.
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    double between(double low, double high) { return low + (high - low) * (bits() / 4294967296.0); }
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
    DVec3 in_box(DVec3 low, DVec3 high) {
        const double x = between(low.x, high.x), y = between(low.y, high.y), z = between(low.z, high.z);
        return {x, y, z};
    }
    Quat rotation();

private:
    std::mt19937 engine_;
};

GranularWorld world_with(const GranularSettings& settings, const Place& place = cpu());
/// A world of one shape and these bodies; `shape` of each definition is set here.
GranularWorld world_of(const GranularSettings& settings, const GranularShape& shape,
                       std::vector<GranularBodyDef> bodies, const Place& place = cpu());

GranularBodyDef at(Vec3 position, Vec3 velocity = {});
std::vector<GranularBodyDef> resting_at(const std::vector<Vec3>& positions);

/// n cubes above each other, each shifted sideways by at most `jitter`.
std::vector<GranularBodyDef> column(int n, double jitter, std::uint32_t seed = 1);
/// The default formation: above each other, cycling over four places on the ground.
std::vector<GranularBodyDef> stream(int n);
/// Touching cubes, side x side in the plan.
std::vector<GranularBodyDef> block(int side, int layers);
/// B6: a cube at rest and one that is shot at it with speed u, off-centre by o.
std::vector<GranularBodyDef> shot(double u, double o, float mass = 1);
/// B9: a cube standing on its edge between two others.
std::vector<GranularBodyDef> wedge();
/// Cubes in random attitudes and motion, within +-half_width and above ground, overlapping here and there.
std::vector<GranularBodyDef> tumbling_cubes(float half_width, std::uint32_t seed);
/// `n` bodies at random places in a box, at rest.
std::vector<GranularBodyDef> scattered(int n, DVec3 low, DVec3 high, std::uint32_t seed);

void run(GranularWorld& world, double seconds);

// questions -------------------------------------------------------------------------------------------------

bool all_finite(const GranularWorld& world);
DVec3 total_momentum(const GranularWorld& world);
double kinetic_energy_per_body(const GranularWorld& world);
double mean_height(const GranularWorld& world);
double distance(const GranularBodyState& a, const GranularBodyState& b);
/// How far from vertical the nearest axis of a body is, as 1 - |cos|.
double tilt(const GranularBodyState& body);
/// Pairs of body centres closer than `reach`, both above `floor`.
int close_pairs(const GranularWorld& world, double reach, double floor);
/// The longest time, in seconds, that any pair of bodies stays interlocked while the world runs.
double longest_interlock(GranularWorld& world, double seconds);
/// A name for each stage of a world's way: its hash after every `every` steps.
std::vector<std::uint64_t> hashes(GranularWorld& world, int steps, int every);

/// Ordered pairs of particles of different bodies that touch, by looking at all of them; `doubtful` are those
/// too near to the limit for rounding to be sure.
struct ContactCount {
    std::uint64_t touching = 0, doubtful = 0;
};
ContactCount count_contacts(const std::vector<ParticleState>& particles, double epsilon);

/// Sanitizers make everything slow; the largest sizes are left to the other builds.
constexpr bool built_with_sanitizer() {
#ifdef SCREE_SANITIZED // the library is; the tests themselves may not be
    return true;
#else
    return false;
#endif
}

} // namespace scree::test
