// SPDX-License-Identifier: MIT
// rigid_scene.cpp — rigid scenes from JSON to RigidScene.
#include "scene/rigid_scene.h"

#include "scene/rigid_bodies.h"
#include "scene/rigid_parts.h"
#include "scene/rigid_settings.h"
#include "world/checks.h"
#include "world/joint_types.h"

#include <utility>

namespace scree {
namespace {

void read_world(const Fields& document, Scene& scene, const SceneOptions& options) {
    if (auto world = document.find("world")) {
        Fields fields(*world, format::rigid_world);
        for (const RigidSetting& setting : rigid_settings_table())
            if (auto field = fields.find(setting.name)) read_setting(*scene.rigid, setting, *field);
    }
    for (const SettingChange& change : options.settings)
        apply_setting(scene, change.key, change.value, change.where);
    try {
        check(scene.rigid->settings); // what single values do not show, such as the sum of grid_bits
    } catch (const Error& error) {
        document.field().fail("world." + std::string(error.what()));
    }
}

MaterialList read_materials(const Fields& document) {
    MaterialList materials;
    if (auto list = document.find("materials"))
        for (std::size_t i = 0; i < list->list(); ++i) materials.read((*list)[i]);
    return materials;
}

void read_shapes(const Fields& document, RigidScene& scene, const MaterialList& materials) {
    auto list = document.find("shapes");
    if (!list) return;
    for (std::size_t i = 0; i < list->list(); ++i) {
        Field entry = (*list)[i];
        RigidShape shape = read_rigid_shape(entry, materials);
        for (const RigidShape& other : scene.shapes)
            if (other.name == shape.name)
                Fields(entry, format::rigid_shape).at("name").refuse("a name that no other shape has");
        scene.shapes.push_back(std::move(shape));
    }
}

RigidJointDef read_joint(const Field& entry, const RigidBodyList& bodies) {
    Fields fields(entry, format::joint);
    RigidJointDef joint;
    joint.type = static_cast<JointType>(fields.at("type").choice(joint_names()));
    joint.first = bodies.body(fields.at("first"));
    if (auto second = fields.find("second")) {
        joint.second = bodies.body(*second);
        if (*joint.second == joint.first) second->refuse("another body than \"first\"");
    }
    joint.anchor = fields.at("anchor").vector();
    if (auto axis = fields.find("axis")) {
        joint.axis = axis->vector();
        if (joint.axis == Vec3{}) axis->refuse("an axis longer than 0");
        if (!kind_of(joint.type).has_axis)
            axis->fail("only a joint of \"type\": \"" + listed_joint_names(true) + "\" has an axis");
    } else if (kind_of(joint.type).has_axis) {
        entry.fail("the key \"axis\" is missing");
    }
    if (auto collide = fields.find("collide")) joint.collide = collide->flag();
    return joint;
}

TimedForce read_force(const Field& entry, const RigidBodyList& bodies) {
    Fields fields(entry, format::force);
    TimedForce force;
    force.body = bodies.body(fields.at("body"));
    if (!fields.has("force") && !fields.has("torque")) entry.fail("\"force\" or \"torque\" was expected");
    force.force = fields.vector("force", {});
    force.torque = fields.vector("torque", {});
    if (auto from = fields.find("from")) force.from = from->number64(not_negative);
    if (auto until = fields.find("until")) {
        force.until = until->number64(not_negative);
        if (!(force.until > force.from)) until->refuse("a time after \"from\", " + shown(force.from) + ",");
    }
    return force;
}

} // namespace

void read_rigid_scene(const Fields& document, Scene& scene, const SceneOptions& options) {
    RigidScene& rigid = scene.rigid.emplace();
    read_world(document, scene, options);
    MaterialList materials = read_materials(document);
    read_shapes(document, rigid, materials);

    RigidBodyList bodies(scene, options, materials);
    auto list = document.find("bodies");
    if (list)
        for (std::size_t i = 0; i < list->list(); ++i) bodies.read((*list)[i]);
    bodies.finish(list ? *list : document.field());
    if (auto joints = document.find("joints"))
        for (std::size_t i = 0; i < joints->list(); ++i)
            rigid.joints.push_back(read_joint((*joints)[i], bodies));
    if (auto forces = document.find("forces"))
        for (std::size_t i = 0; i < forces->list(); ++i)
            rigid.forces.push_back(read_force((*forces)[i], bodies));
}

} // namespace scree
