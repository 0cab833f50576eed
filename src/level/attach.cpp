// SPDX-License-Identifier: MIT
// attach.cpp — a level as a fixed body of a world.
#include "scree/level.h"
#include "scree/world.h"
#include "world/warnings.h"

namespace scree {

BodyId add_level(World& world, const Level& level, float scale, const ShapeDef& definition) {
    std::vector<std::string> left_out;
    const std::vector<LevelShape> shapes = level_shapes(level, scale, &left_out);
    for (const std::string& text : left_out) warn(text);
    const BodyId body = world.create_body({.type = BodyType::fixed});
    for (const LevelShape& shape : shapes) {
        ShapeDef one = definition;
        one.position = shape.position;
        world.attach(body, shape.geometry, one);
    }
    return body;
}

} // namespace scree
