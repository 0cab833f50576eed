// SPDX-License-Identifier: MIT
// cloth_trials.h — scenes in which cloth presses on itself, to be judged by an exact count of intersections after every step.
#pragma once

#include "fabric/self_contact.h"
#include "scree/world.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace scree::bench {

/// A world with cloth, and what moves in it.
struct ClothTrial {
    World world;
    std::vector<ClothId> cloths;
    /// Called before each step of dt seconds with the time at its end.
    std::function<void(World& world, double time, float dt)> drive;
};

/// Sizes of the trials; detail 1 is the usual one, vertices grow with its square.
ClothTrial fifty_layers(const Place& place, double detail, int layers = 50);
/// Twisted between two bodies that turn against each other by `turns` in all, in the first 0.75 of `seconds`.
ClothTrial twisted_towel(const Place& place, double detail, double turns, double seconds);
/// On a walking and turning figure of capsules. A mesh takes the place of the cone: its vertices nearest to its axis y are the waist.
ClothTrial skirt_on_figure(const Place& place, double detail, const std::string& mesh_file = {});
/// A sheet among six boxes that close in on it at random, again and again.
ClothTrial crumpled_sheet(const Place& place, double detail, std::uint32_t seed);
/// Square layers at their thickness above each other on the ground, about `vertices` in all: the scene of `bench cloth --layers`.
ClothTrial resting_layers(const Place& place, std::uint32_t vertices, std::uint32_t layers);

struct ClothHold {
    std::uint64_t vertices = 0, steps = 0;
    std::uint64_t intersections = 0, worst = 0; ///< over all steps; in one
    std::uint64_t bad_steps = 0;
    std::int64_t first_bad = -1;
    std::uint64_t stopped = 0, forced = 0; ///< as ClothContacts counts them
    double thinnest =
        1;         ///< m: least distance of parts that share no vertex, after any step; at most a thickness
    double ms = 0; ///< a step, without the count
    /// Largest after any step: of a cloth's edges, length / rest - 1 where that is positive and 0 elsewhere, their mean.
    double most_mean_stretch = 0;
    bool frozen = false;
    std::uint64_t hash = 0;
};

/// Runs the trial for so many steps of 1/60 s, or as long as goes_on(share done) is true, and counts intersections after each.
ClothHold hold(ClothTrial& trial, int steps, const std::function<bool(double)>& goes_on = {});

/// Edges that pass through triangles, of all cloths of the world together, exactly.
std::uint64_t intersections_of(const World& world);

/// Of cloth with cloth in the last step, more than World::cloth_contacts tells.
SelfCounters self_counters_of(World& world);
/// The queue that the cloths run on.
Device& cloth_device(World& world);

} // namespace scree::bench
