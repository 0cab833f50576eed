// SPDX-License-Identifier: MIT
// pile.cpp — see pile.h.
#include "pile.h"
#include "scree/granular_scene.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::bench {

namespace {

struct Tiling {
    int side = 1;             ///< tiles along x and along z
    std::uint64_t bodies = 1; ///< in a tile
};

Tiling tiling_for(std::uint64_t count, std::uint64_t most_in_tile) {
    int least = 1;
    while (count / (static_cast<std::uint64_t>(least) * static_cast<std::uint64_t>(least)) > most_in_tile)
        ++least;
    // rather somewhat smaller tiles than another count
    for (int side = least; side <= 2 * least; ++side) {
        const auto tiles = static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side);
        if (count % tiles == 0) return {side, count / tiles};
    }
    const auto tiles = static_cast<std::uint64_t>(least) * static_cast<std::uint64_t>(least);
    return {least, std::max<std::uint64_t>((count + tiles / 2) / tiles, 1)};
}

void advance(GranularWorld& world, int steps, RunProgress& progress) {
    for (int done = 0; done < steps;) {
        const int chunk = std::min(steps - done, 50);
        world.step(chunk);
        done += chunk;
        progress.part(static_cast<double>(done) / steps);
    }
}

/// how deep particles sink into the side walls, on average over those that touch
float wall_overlap(const GranularWorld& world) {
    const float wall = world.settings().world_size;
    double sum = 0;
    std::uint64_t touching = 0;
    for (const ParticleState& particle : world.particles())
        for (float coordinate : {particle.position.x, particle.position.z}) {
            const float overlap = std::abs(coordinate) + particle.radius - wall;
            if (overlap <= 0) continue;
            sum += overlap;
            ++touching;
        }
    return touching > 0 ? static_cast<float>(sum / static_cast<double>(touching)) : 0;
}

// reflection in the plane x = 0 (or z = 0): vectors lose the sign of that component, rotations of the other two
GranularBodyDef mirrored(GranularBodyDef body, bool in_x, bool in_z) {
    const float x = in_x ? -1.0f : 1.0f, z = in_z ? -1.0f : 1.0f;
    const auto reflect = [&](Vec3& v) { v.x *= x, v.z *= z; };
    const auto turn = [&](auto& v) { v.x *= z, v.y *= x * z, v.z *= x; };
    reflect(body.position);
    reflect(body.velocity);
    turn(body.rotation);
    turn(body.angular_velocity);
    return body;
}

} // namespace

std::vector<GranularBodyDef> bodies_of(const GranularWorld& world) {
    std::vector<GranularBodyDef> bodies;
    const std::span<const GranularBodyState> states = world.bodies();
    bodies.reserve(states.size());
    for (const GranularBodyState& state : states)
        bodies.push_back({state.shape, state.position, state.rotation, state.velocity(),
                          state.angular_velocity, state.mass});
    return bodies;
}

Scene settled_pile(const std::string& name, std::uint64_t count, std::uint64_t most_in_tile,
                   const Place& place, RunProgress& progress) {
    const Tiling tiling = tiling_for(count, most_in_tile);
    SceneOptions options;
    options.bodies = tiling.bodies;
    Scene scene = find_scene(name, options);
    // a sleeping pile would not be a pile that is simulated
    granular_scene(scene).settings.sleeping = false;
    float pitch = 2 * granular_scene(scene).settings.world_size;
    {
        GranularWorld world = build_world(scene, place);
        advance(world, scene.steps, progress);
        granular_scene(scene).bodies = bodies_of(world);
        pitch += wall_overlap(world);
    }
    if (tiling.side == 1) return scene;

    const std::vector<GranularBodyDef> tile = std::move(granular_scene(scene).bodies);
    granular_scene(scene).bodies.clear();
    granular_scene(scene).bodies.reserve(tile.size() * static_cast<std::size_t>(tiling.side * tiling.side));
    for (int row = 0; row < tiling.side; ++row)
        for (int column = 0; column < tiling.side; ++column)
            for (const GranularBodyDef& body : tile) {
                GranularBodyDef placed = mirrored(body, row % 2 == 1, column % 2 == 1);
                placed.position.x +=
                    pitch * (static_cast<float>(row) - 0.5f * static_cast<float>(tiling.side - 1));
                placed.position.z +=
                    pitch * (static_cast<float>(column) - 0.5f * static_cast<float>(tiling.side - 1));
                granular_scene(scene).bodies.push_back(placed);
            }
    granular_scene(scene).settings.world_size += 0.5f * pitch * static_cast<float>(tiling.side - 1);

    // the seams come to rest; large piles have the same share of seam and get fewer steps, for time's sake
    GranularWorld world = build_world(scene, place);
    advance(world, static_cast<int>(std::clamp<std::uint64_t>(200000000 / world.particle_count(), 20, 200)),
            progress);
    granular_scene(scene).bodies = bodies_of(world);
    return scene;
}

} // namespace scree::bench
