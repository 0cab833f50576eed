// SPDX-License-Identifier: MIT
// build.cpp — from a Scene to a world.
#include "scree/scene.h"

#include <new>

namespace scree {

std::size_t particle_count(const Scene& scene) {
    std::size_t count = 0;
    for (const GranularBodyDef& body : scene.bodies) count += scene.shapes[body.shape].particles.size();
    return count;
}

Place place_for(const Scene& scene, const Place& place) {
    return scene.rigid ? place.expecting(scene.rigid->bodies.size()).decided(World::gpu_from)
                       : place.expecting(particle_count(scene)).decided(GranularWorld::gpu_from);
}

GranularWorld build_world(const Scene& scene, const Place& place) {
    if (scene.rigid) throw Error("this is a rigid scene; a granular one was expected", scene.file);
    // what the world refuses was changed after loading, or its size does not fit the device: say which entry
    // it is
    std::string list = "world";
    std::size_t index = 0;
    try {
        GranularWorld world(scene.settings, place_for(scene, place));
        list = "shapes";
        for (index = 0; index < scene.shapes.size(); ++index) world.add_shape(scene.shapes[index]);
        list = "bodies";
        for (index = 0; index < scene.bodies.size(); ++index) world.create_body(scene.bodies[index]);
        list = "obstacles";
        for (index = 0; index < scene.obstacles.size(); ++index) world.add_obstacle(scene.obstacles[index]);
        return world;
    } catch (const Error& error) {
        std::string entry = list == "world" ? list : list + "[" + std::to_string(index) + "]";
        throw Error(error.what(), scene.file + ": " + entry);
    } catch (const std::bad_alloc&) {
        throw Error("there is not enough memory for " + std::to_string(scene.bodies.size()) + " bodies",
                    scene.file);
    }
}

} // namespace scree
