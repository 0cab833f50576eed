// SPDX-License-Identifier: MIT
// rigid_support.h — structures, piles and questions that the tests of the rigid world are written with.
//
// Lengths are metres, y is up, floors have their upper side at y = 0.
#pragma once

#include "rigid/crew.h"
#include "scree/world.h"
#include "support/double_vector.h"
#include "support/param_name.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::test {

constexpr float frame = 1 / 60.0f;

/// Everything as a user gets it.
WorldSettings default_settings();
WorldSettings without_sleep(WorldSettings settings = default_settings());
WorldSettings in_space(WorldSettings settings = without_sleep());
/// The CPU with these threads and lanes; lanes that this machine does not have are left out of `available_lanes`.
Place on(int threads, int lanes = 0);
std::vector<int> available_lanes();
/// Each number of lanes, on one thread; 4 of them on three threads, which on fewer cores wait for each other most of the time.
std::vector<Place> places_of_all_lanes();
/// Those that take the steps of a GPU: "cpu:kernels", and the GPUs there are.
std::vector<std::string> kernel_devices();
std::vector<std::string> all_devices();     ///< "cpu" too, first
Place on_device(const std::string& device); ///< with one thread of the host

/// Reproducible numbers, the same with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
    double between(double low, double high);
    Vec3 in_box(Vec3 low, Vec3 high);
    Quat rotation();

private:
    std::uint64_t state_;
};

// structures ------------------------------------------------------------------------------------------------

BodyId add_floor(World& world, const Material& material = {});
/// A static box with its upper side at y = 0.
BodyId add_slab(World& world, float half_width, const Material& material = {});
BodyId add(World& world, const Geometry& geometry, Vec3 position, const ShapeDef& shape = {},
           BodyDef body = {});
/// A static box without a lid: inner half width and height of its walls.
BodyId add_container(World& world, float half_width, float height);

/// Cubes of 1 m: rows of base, base - 1 … 1.
std::vector<BodyId> add_pyramid(World& world, int base, Vec3 middle = {});
/// Cubes of 1 m; the last weighs `top` times as much as each of the others.
std::vector<BodyId> add_stack(World& world, int count, float top = 1);
/// Tents of cards and flat cards upon them; the feet stand above the tops of the tents below.
std::vector<BodyId> add_card_house(World& world, int levels);
/// Half a circle of equal wedges on its two ends.
std::vector<BodyId> add_arch(World& world, int stones, float friction = 0.6f);
/// n x n x n balls of radius 1, joined to their neighbours along the axes by fixed joints; the middle is at the origin.
struct Molecule {
    std::vector<BodyId> balls;
    std::vector<JointId> joints;
};
Molecule add_molecule(World& world, int n);
/// Capsules in a row along x, hanging by ball joints from the world at `from`.
struct Chain {
    std::vector<BodyId> links;
    std::vector<JointId> joints;
};
Chain add_chain(World& world, int links, Vec3 from);

enum class Kind { boxes, spheres, capsules, hulls, mixed, compounds };
/// Bodies about half a metre in size in a lattice with a little disorder, `columns` x `columns` in the plan, lowest at y.
std::vector<BodyId> add_pile(World& world, Kind kind, int count, int columns = 4, float y = 1,
                             std::uint32_t seed = 1, const Material& material = {});
/// An irregular stone.
Hull pebble(std::uint32_t seed, float radius);

// running ---------------------------------------------------------------------------------------------------

/// A measured figure in the test's report.
void report(const char* name, double value);
void run_steps(World& world, int steps, float dt = frame);
void run_for(World& world, double seconds, float dt = frame);
/// Steps until everything sleeps; -1 when it does not within `seconds`.
int steps_until_asleep(World& world, double seconds);
/// The hash after every `every` of so many steps.
std::vector<std::uint64_t> hashes_of(World& world, int steps, int every = 50);

// questions -------------------------------------------------------------------------------------------------

DVec3 position(const World& world, BodyId body);
DVec3 velocity(const World& world, BodyId body);
double height(const World& world, BodyId body);
double speed(const World& world, BodyId body);
/// How far the body's own y is from the world's, in degrees.
double tilt_degrees(const World& world, BodyId body);
std::vector<DVec3> positions(const World& world, const std::vector<BodyId>& bodies);
double largest_move(const World& world, const std::vector<BodyId>& bodies, const std::vector<DVec3>& since);
bool all_are_finite(const World& world);
bool all_asleep(const World& world, const std::vector<BodyId>& bodies);
double energy(const World& world);
/// Limits of the mean speed, m/s, and of the largest overlap, m.
void expect_at_rest(const World& world, double mean_speed, double max_overlap);
Quat about(DVec3 axis, double degrees);

/// Worlds of a test are so small that one thread would do all of the solver.
struct SplitSmallWorlds {
    SplitSmallWorlds() { Crew::waits_cost_nothing = true; }
    ~SplitSmallWorlds() { Crew::waits_cost_nothing = false; }
    SplitSmallWorlds(const SplitSmallWorlds&) = delete;
};

} // namespace scree::test
