// SPDX-License-Identifier: MIT
// impact.h — hard discs and spheres that fly from impact to impact: no step, no penetration, exact times.
//
// Between impacts a particle flies freely; the time of the next impact is the root of a quadratic. Every particle keeps one
// pending event and its own local time, so that an impact costs the same in a world of a hundred and of a million particles
// (Alder & Wainwright 1959; Lubachevsky 1991; Paul 2007). Double precision; SI units; y is up; two dimensions are x and y.
//
//     ImpactWorld world({.dimensions = 2, .upper = {10, 10, 0}});
//     world.add({.position = {2, 5, 0}, .velocity = {1, 0, 0}, .radius = 0.5});
//     world.add({.position = {8, 5, 0}, .velocity = {-1, 0, 0}, .radius = 0.5});
//     world.step(3); // they meet after 2.5 s
#pragma once

#include "scree/math.h"
#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree {

enum class ImpactBorder {
    wall,    ///< two parallel walls
    periodic ///< what leaves on one side enters on the other
};

struct ImpactSettings {
    int dimensions = 3;            ///< 2: discs in the plane z = 0; 3: spheres
    DVec3 lower{}, upper{1, 1, 1}; ///< m, opposite corners of the box
    std::array<ImpactBorder, 3> borders{ImpactBorder::wall, ImpactBorder::wall, ImpactBorder::wall};
    DVec3 gravity{};             ///< m/s^2
    double restitution = 1;      ///< of particles, 0 … 1
    double wall_restitution = 1; ///< 0 … 1
    /// s. What keeps the number of impacts finite where restitution below 1 would crowd infinitely many into an instant: an impact is
    /// elastic if either particle had another one less than this before (Luding & McNamara 1998), and under gravity a particle
    /// leaves a wall or an infinite mass at least so fast that it is back after this time.
    double contact_time = 1e-6;
    /// Events after which a call of step() stops early and reports what is left. 0: no limit.
    std::uint64_t max_events = 100'000'000;
    bool list_impacts = false; ///< impacts() of each step
};

struct ImpactParticle {
    DVec3 position{}, velocity{}; ///< m, m/s
    double radius = 0.5;          ///< m
    double mass = 1; ///< kg; infinity: keeps its velocity in impacts with particles, and does not fall
};

/// One impact.
struct Impact {
    static constexpr std::uint32_t wall =
        0xfffffff0; ///< b of the wall at the lower end of x; + 1: upper; + 2: lower end of y; …

    double time = 0;
    std::uint32_t a = 0, b = 0; ///< particles, a < b; or b is a wall
    DVec3 point{}, normal{};    ///< of contact; from a to b
    double impulse = 0;         ///< N s, along the normal on b
};

/// What a call of step() did.
struct ImpactReport {
    std::uint64_t impacts = 0;      ///< of particles with particles
    std::uint64_t wall_impacts = 0; ///< of particles with walls
    std::uint64_t events = 0;       ///< these, and what only the search needs
    double left = 0;                ///< s of the step that max_events left over
};

struct ImpactMeasure {
    double kinetic_energy = 0, potential_energy = 0; ///< J, of particles with finite mass
    DVec3 momentum{};                                ///< kg m/s, of these
    /// Pa (N/m in two dimensions), from kinetic energy and the impacts of particles since the averages began: Clausius' virial
    double pressure = 0;
    double wall_pressure =
        0; ///< Pa (N/m), from the impulses on the walls since the averages began; 0 without walls
    double compressibility = 0; ///< the virial pressure over that of an ideal gas, N T / V
    double temperature = 0;     ///< J, m <v^2> / dimensions of the particles with finite mass: k T
    DVec3 centre{};             ///< m, mean place of the particles with finite mass
    DVec3 deviation{};          ///< m, standard deviation of their places
    double flatness = 0;  ///< <v^4> / <v^2>^2 of the components of velocities: 3 for Maxwell and Boltzmann's
    double max_speed = 0; ///< m/s
    double max_overlap = 0;                                  ///< m: the rounding of positions
    double packing = 0;                                      ///< share of the box that the particles fill
    std::uint64_t impacts = 0, wall_impacts = 0, events = 0; ///< since the world began
};

/// What a call of separate() did.
struct ImpactSeparation {
    std::uint32_t moved = 0; ///< particles
    double deepest = 0; ///< m, overlap before; of more than about 1,000 pairs a particle not all are compared
    double farthest = 0;      ///< m, that a particle was moved
    std::uint32_t passes = 0; ///< over those that may overlap; 0: none do
};

class ImpactWorld {
public:
    /// Throws Error when a setting is out of range; its where() names the setting. Of a place only the threads matter: impacts are on
    /// the CPU, and results are the same for any number of threads.
    explicit ImpactWorld(const ImpactSettings& settings = {}, const Place& place = {});
    ~ImpactWorld();
    ImpactWorld(ImpactWorld&&) noexcept;
    ImpactWorld& operator=(ImpactWorld&&) noexcept;

    const Place& place() const;
    const ImpactSettings& settings() const;
    /// Throws Error and changes nothing when a setting is out of range or a particle would be outside the walls.
    void change_settings(const ImpactSettings& settings);

    /// Returns the number of the new particle. Throws Error for a particle that is invalid or outside the walls; whether it
    /// overlaps another is found by the next step, which throws Error with the numbers and the depth. Depths up to 1e-9 of the
    /// distance of the centres are contact.
    std::uint32_t add(const ImpactParticle& particle);
    std::uint32_t particle_count() const;
    ImpactParticle particle(std::uint32_t index) const; ///< now
    /// Moves particles that overlap apart, until none does: each of two by the share of the other's mass, those of infinite mass not.
    /// What still overlaps after 100 passes moves by equal shares, as where a light one is at a wall. Velocities stay; what does not
    /// overlap and is not in the way stays where it is. Throws Error with the worst pair and its depth, and changes nothing, where no
    /// room is found, where more than 5,000 overlap one that is no larger, or where two of infinite mass overlap.
    ImpactSeparation separate();
    /// Finds the first events now, not in the next step. Throws Error if particles overlap.
    void prepare();
    void set_velocity(std::uint32_t index, DVec3 velocity);

    /// Processes every event of the next `seconds` in the order of time; equal times by the particles' numbers. Steps of any
    /// length give the same impacts. Throws Error if particles overlap that were added or whose settings changed.
    ImpactReport step(double seconds);
    double time() const;
    std::uint64_t steps_done() const;
    std::span<const Impact> impacts() const; ///< of the last step

    std::vector<DVec3> positions() const; ///< in the box
    std::vector<DVec3> velocities() const;
    ImpactMeasure measure() const;
    void begin_averages(); ///< of both pressures; they begin with the world otherwise

    /// The whole world as bytes. A restored world continues bit by bit like the saved one.
    std::vector<std::byte> save() const;
    /// Throws Error and changes nothing if the bytes are not a snapshot, are damaged or come from another version.
    void restore(std::span<const std::byte> saved);
    /// 64 bits over time, positions and velocities.
    std::uint64_t hash() const;
    std::uint64_t memory() const; ///< bytes

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
