// SPDX-License-Identifier: MIT
// build.cpp — from a granular scene to its world.
#include "scene/granular/kind.h"
#include "scree/error.h"
#include "scree/granular_scene.h"

#include <new>
#include <string>

namespace scree {

GranularWorld build_world(const Scene& heading, const Place& place) {
    const GranularScene& scene = granular_scene(heading);
    // a value changed after loading, or too large for the device: add the path of the entry
    std::string list = "world";
    std::size_t index = 0;
    try {
        GranularWorld world(scene.settings, place.expecting(particle_count(scene)));
        list = "shapes";
        for (index = 0; index < scene.shapes.size(); ++index) world.add_shape(scene.shapes[index]);
        list = "bodies";
        for (index = 0; index < scene.bodies.size(); ++index) world.create_body(scene.bodies[index]);
        list = "obstacles";
        for (index = 0; index < scene.obstacles.size(); ++index) world.add_obstacle(scene.obstacles[index]);
        return world;
    } catch (const Error& error) {
        const std::string entry = list == "world" ? list : list + "[" + std::to_string(index) + "]";
        throw Error(error.what(), heading.file + ": " + entry);
    } catch (const std::bad_alloc&) {
        throw Error("there is not enough memory for " + std::to_string(scene.bodies.size()) + " bodies",
                    heading.file);
    }
}

} // namespace scree
