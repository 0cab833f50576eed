// SPDX-License-Identifier: MIT
// staged_impact.h — circles, or turning convex polygons, that fly to the next impact in stages over arrays, on any device.
//
// After "GPUs: Rigid Body Simulation", Á. del Monte Freitas, Universidad Complutense de Madrid, 2007. A step is at most one unit of
// time: it ends at the first impact of any pair, found by bisection to a tolerance, and answers all pairs that meet then. All pairs are
// looked at, in single precision: for many discs ImpactWorld (scree/impact.h) is the better choice. No gravity, no friction.
//
//     const std::vector<StagedPolygon> bodies{{.vertices = regular_polygon(4, 1), .velocity = {0.2f, 0}},
//                                             {.vertices = regular_polygon(6, 1), .position = {4, 0}}};
//     StagedImpactWorld world(bodies);
//     while (world.time() < 20) world.step();
//
//     StagedImpactWorld fast(bodies, {}, "cuda"); // the same bits; or opencl, gles, {{.threads = 4}}
#pragma once

#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree {

struct Vec2 {
    float x = 0, y = 0;
};

/// How the impacts of one instant are answered.
enum class StagedResponse {
    together, ///< all contacts at once, so that each parts with its restitution
    summed ///< as printed: each contact from the velocities before, and the sum; wrong where a body has several
};

/// How the time of an impact of polygons is found.
enum class StagedBisection {
    passes,   ///< a halving a pass
    one_pass, ///< all halvings in one pass; the same times
    printed   ///< the pseudo-code with its errors, to compare
};

/// When polygons overlap.
enum class StagedOverlap {
    axes,     ///< when no edge separates them
    vertices, ///< as described: when a vertex of one is inside the other; misses shapes that cross
    one_way   ///< as printed: only vertices of the first in the second
};

/// The defaults are right; what the work printed otherwise is there to compare.
struct StagedImpactSettings {
    float tolerance = 0.005f; ///< of times in steps, and of contacts; 1e-6 to 0.1
    float restitution = 1;    ///< 0 … 1
    StagedResponse response = StagedResponse::together;
    int max_passes = 800; ///< of impacts answered together; StagedReport::settled tells whether they sufficed
    float limit = 10;     ///< circles: the room is the square from -limit to limit
    bool centre_walls =
        false; ///< circles, as printed: centres meet the walls, and bodies at a wall turn round
    bool normal_at_start = false; ///< circles, as printed: normals of the start of the step
    StagedOverlap overlap = StagedOverlap::axes;
    StagedBisection bisection = StagedBisection::passes;
    bool plain_contacts =
        false; ///< polygons, as printed: contacts are as near as the tolerance, at any speed
};

struct StagedCircle {
    Vec2 position{}, velocity{}; ///< velocities in units a step
    float radius = 0.5f;
    float mass = 1; ///< infinity: never moves
};

struct StagedPolygon {
    std::vector<Vec2> vertices; ///< 3 at least, convex, counter-clockwise, around the centre of mass
    Vec2 position{};            ///< of the centre of mass
    float angle = 0;            ///< rad
    Vec2 velocity{};
    float angular_velocity = 0; ///< rad a step
    float mass = 1;             ///< infinity: never moves nor turns
    float inertia = 0;          ///< moment of inertia, 1e-24 to 1e19; 0: of a homogeneous body of that mass
};

/// Vertices on a circle around the origin, the first on the x axis.
std::vector<Vec2> regular_polygon(int vertices, float radius);
/// Shifted so that the centre of mass is the origin.
std::vector<Vec2> centred_polygon(std::span<const Vec2> vertices);
/// Of a homogeneous convex polygon about the origin.
double polygon_inertia(std::span<const Vec2> vertices, double mass);

/// What a step did.
struct StagedReport {
    bool impact = false; ///< whether it ended at one
    double advanced = 0; ///< of time, 0 … 1
    int passes = 0;      ///< of answering the impacts
    bool settled = true; ///< whether each impact parts as it should, to 1e-5
};

struct StagedMeasure {
    double kinetic_energy = 0, angular_momentum = 0; ///< about the origin, of bodies with finite mass
    double momentum_x = 0, momentum_y = 0;
    std::uint32_t overlapping_pairs = 0;    ///< circles: deeper than the tolerance
    double max_overlap = 0;                 ///< of these pairs
    std::array<std::uint32_t, 2> deepest{}; ///< the bodies that overlap by this much, if any do
};

enum class StagedStage { boxes, candidates, bisection, minimum, impulses, advance, drawing, count };
using StagedTimes = std::array<double, static_cast<std::size_t>(StagedStage::count)>;

class StagedImpactWorld {
public:
    /// "auto" takes a GPU from this number of bodies on.
    static constexpr std::size_t gpu_from = 256;

    /// Throws Error that names the body and the field, for invalid bodies and settings. There must be a body. Bodies that overlap at the
    /// start are ignored until they part; measure() names the deepest pair. On gles the world draws and computes in an OpenGL context of
    /// its own.
    explicit StagedImpactWorld(std::span<const StagedCircle> circles,
                               const StagedImpactSettings& settings = {}, const Place& place = {});
    explicit StagedImpactWorld(std::span<const StagedPolygon> polygons,
                               const StagedImpactSettings& settings = {}, const Place& place = {});
    ~StagedImpactWorld();
    StagedImpactWorld(StagedImpactWorld&&) noexcept;
    StagedImpactWorld& operator=(StagedImpactWorld&&) noexcept;

    const StagedImpactSettings& settings() const;
    /// Throws Error and changes nothing when a setting is out of range or a circle would be outside the room.
    void change_settings(const StagedImpactSettings& settings);
    const Place& place() const;
    std::uint32_t body_count() const;
    bool of_polygons() const;

    /// To the first impact, which is answered, or by `longest`, above 0 and at most one unit of time.
    StagedReport step(double longest = 1);
    double time() const;
    std::uint64_t steps_done() const;
    std::uint64_t impacts() const; ///< steps that ended at one

    std::vector<StagedCircle> circles() const;   ///< now; empty in a world of polygons
    std::vector<StagedPolygon> polygons() const; ///< now; empty in a world of circles
    StagedMeasure measure() const;
    /// Throws Error unless the body has a finite mass and the velocities are finite. Circles do not turn.
    void set_velocity(std::uint32_t body, Vec2 velocity, float angular_velocity = 0);

    /// The whole world as bytes. A restored world continues bit by bit like the saved one, on any device with the same bits.
    std::vector<std::byte> save() const;
    /// Throws Error and changes nothing if the bytes are not a snapshot, are damaged or come from another version.
    void restore(std::span<const std::byte> saved);
    /// 64 bits over time, positions and velocities.
    std::uint64_t hash() const;
    std::uint64_t memory() const; ///< bytes of the arrays

    /// Draws the bodies filled, each in a colour of its own with two quarters darker, so that turns are seen, as the square from -half to
    /// half. On gles the vertex shader places them, and
    /// nothing is read back; elsewhere the host does. Throws Error unless `side` is 1 to 8192 pixels and half is positive.
    void draw(int side, float half);
    /// Of the last draw(): RGBA, rows from below; empty before.
    std::vector<std::uint8_t> image() const;

    /// Waits for the device after each stage, so that stages can be timed.
    void time_stages(bool on);
    StagedTimes stage_seconds() const;      ///< since time_stages(true)
    StagedTimes submission_seconds() const; ///< of these, until the calls returned: less on GPUs

    struct State; ///< in src/impact2d
    State& state() { return *state_; }

private:
    std::unique_ptr<State> state_;
};

} // namespace scree
