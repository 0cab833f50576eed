// SPDX-License-Identifier: MIT
// obstacles.cpp — reads an obstacle of a scene file.
#include "scene/granular/format.h"
#include "scene/granular/parts.h"
#include "scene/look.h"
#include "scene/rotation.h"

namespace scree {
namespace {

Obstacle read_plane(const Fields& fields) {
    Obstacle plane;
    plane.kind = Obstacle::Kind::plane;
    plane.position = fields.at("point").vector();
    Field normal = fields.at("normal");
    normal.vector();
    std::optional<Quat> turn =
        rotation_from_y({normal[0].number64(), normal[1].number64(), normal[2].number64()});
    if (!turn) normal.refuse("a normal longer than 0");
    plane.rotation = *turn;
    return plane;
}

} // namespace

Obstacle read_obstacle(const Field& entry, Paint& paint) {
    Fields kinds(entry, format::obstacle);
    Field one = kinds.only_one();
    std::string_view kind = kinds.key_of(one);
    bool box = kind == "box";
    Fields fields(one, box ? format::box : kind == "plane" ? format::plane : format::sphere);
    if (auto given = fields.find("paint")) paint = read_paint(*given);
    if (kind == "plane") return read_plane(fields);

    Obstacle obstacle;
    obstacle.kind = box ? Obstacle::Kind::box : Obstacle::Kind::sphere;
    if (box) {
        obstacle.size = fields.at("half_size").vector(positive);
    } else {
        float radius = fields.at("radius").number(positive);
        obstacle.size = {radius, radius, radius};
    }
    obstacle.position = fields.at("position").vector();
    if (auto rotation = fields.find("rotation")) obstacle.rotation = rotation->rotation();
    obstacle.velocity = fields.vector("velocity", {});
    obstacle.angular_velocity = fields.vector("angular_velocity", {});
    obstacle.mass = fields.number("mass", 0, not_negative);
    return obstacle;
}

} // namespace scree
