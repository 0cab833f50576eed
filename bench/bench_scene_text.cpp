// SPDX-License-Identifier: MIT
// bench_scene_text.cpp — a benchmark's scene as a scene file (docs/manual/scenes.md), one body a line.
#include "bench_scene.h"
#include "scree/error.h"
#include "text.h"

#include <initializer_list>
#include <span>

namespace scree::bench {

namespace {

std::string list(std::initializer_list<float> numbers) {
    std::string text;
    for (const float number : numbers)
        add_text(text, text.empty() ? "[%.9g" : ", %.9g", static_cast<double>(number));
    return text + "]";
}
std::string list(const Vec3& v) { return list({v.x, v.y, v.z}); }
std::string list(const Quat& q) { return list({q.s, q.x, q.y, q.z}); }

std::string along_y(const char* name, float half_height, float radius) {
    std::string text;
    add_text(text, R"("%s": {"half_height": %.9g, "radius": %.9g})", name, static_cast<double>(half_height),
             static_cast<double>(radius));
    return text;
}

std::string geometry_text(const Geometry& geometry) {
    std::string text;
    if (const auto* box = std::get_if<Box>(&geometry))
        return "\"box\": {\"half_size\": " + list({box->x, box->y, box->z}) + "}";
    if (const auto* sphere = std::get_if<Sphere>(&geometry))
        add_text(text, "\"sphere\": {\"radius\": %.9g}", static_cast<double>(sphere->radius));
    else if (const auto* capsule = std::get_if<Capsule>(&geometry))
        text = along_y("capsule", capsule->half_height, capsule->radius);
    else if (const auto* cylinder = std::get_if<Cylinder>(&geometry))
        text = along_y("cylinder", cylinder->half_height, cylinder->radius);
    else if (const auto* cone = std::get_if<Cone>(&geometry))
        text = along_y("cone", cone->half_height, cone->radius);
    else
        for (const Vec3& point : std::get<Hull>(geometry).vertices())
            text += (text.empty() ? "\"hull\": {\"points\": [" : ", ") + list(point);
    return std::holds_alternative<Hull>(geometry) ? text + "]}" : text;
}

std::string shape_text(const RigidShape& shape, std::size_t number) {
    std::string text;
    add_text(text, R"({"name": "s%zu", "density": %.9g, "material": "m", "compound": [)", number,
             static_cast<double>(shape.parts.front().definition.density));
    for (const RigidShape::Part& part : shape.parts)
        text += (&part == shape.parts.data() ? "{" : ", {") + geometry_text(part.geometry) +
                ", \"position\": " + list(part.definition.position) +
                ", \"rotation\": " + list(part.definition.rotation) + "}";
    return text + "]}";
}

std::string body_text(const RigidBodyDef& body) {
    std::string density;
    if (body.density) add_text(density, ", \"density\": %.9g", static_cast<double>(*body.density));
    const char* type = is_fixed(body) ? R"(", "type": "fixed)" : "";
    return "{\"shape\": \"s" + std::to_string(body.shape) + type +
           "\", \"position\": " + list(narrow(body.body.position)) +
           ", \"rotation\": " + list(body.body.rotation) + ", \"velocity\": " + list(body.body.velocity) +
           ", \"angular_velocity\": " + list(body.body.angular_velocity) + density + "}";
}

std::string joint_text(const RigidJointDef& joint) {
    std::string motion;
    if (joint.motion) {
        motion = ", \"axis\": " + list(joint.axis);
        if (const auto& limit = joint.motion->limit)
            add_text(motion, ", \"limit\": {\"low\": %.9g, \"high\": %.9g}", static_cast<double>(limit->low),
                     static_cast<double>(limit->high));
        if (const auto swing = joint.motion->swing)
            add_text(motion, ", \"swing\": %.9g", static_cast<double>(*swing));
    }
    return std::string("{\"type\": \"") +
           (joint.type == JointType::ball    ? "ball"
            : joint.type == JointType::hinge ? "hinge"
                                             : "fixed") +
           "\", \"first\": " + std::to_string(joint.first) +
           ", \"second\": " + std::to_string(*joint.second) + ", \"anchor\": " + list(joint.anchor) + motion +
           "}";
}

} // namespace

std::string scene_text(const BenchScene& scene) {
    if (scene.special)
        throw Error("has what other engines do not know: expected a scene that can be a file", scene.name);
    const RigidScene& rigid = scene.rigid;
    std::string text = "{\n\"scree\": 1, \"kind\": \"rigid\",\n\"title\": \"" + scene.name +
                       "\",\n\"notes\": [\"contract " + scene.contract +
                       "\"],\n\"steps\": " + std::to_string(scene.steps) + ",\n";
    add_text(text, "\"world\": {\"time_step\": %.9g, \"gravity\": %s, \"sleeping\": false},\n",
             static_cast<double>(rigid.time_step), list(rigid.settings.gravity).c_str());
    add_text(text, "\"materials\": [{\"name\": \"m\", \"friction\": %.9g}],\n\"shapes\": [",
             static_cast<double>(scene.friction()));
    for (std::size_t i = 0; i < rigid.shapes.size(); ++i)
        text += (i > 0 ? ",\n" : "\n") + shape_text(rigid.shapes[i], i);
    text += "\n],\n\"bodies\": [";
    for (const RigidBodyDef& body : rigid.bodies)
        text += (&body == rigid.bodies.data() ? "\n" : ",\n") + body_text(body);
    text += "\n]";
    if (!rigid.joints.empty()) text += ",\n\"joints\": [";
    for (const RigidJointDef& joint : rigid.joints)
        text += (&joint == rigid.joints.data() ? "\n" : ",\n") + joint_text(joint);
    return text + (rigid.joints.empty() ? "\n}\n" : "\n]\n}\n");
}

} // namespace scree::bench
