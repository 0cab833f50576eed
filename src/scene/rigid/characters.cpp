// SPDX-License-Identifier: MIT
// characters.cpp — animated models of rigid scenes: from a file or the figure of the library, and the bodies that follow them.
#include "scene/files.h"
#include "scene/look.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/character_look.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scene/rotation.h"
#include "scree/model_file.h"
#include "scree/walking_figure.h"
#include "world/warnings.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::size_t most_characters = 1000;
constexpr double rise_seconds = 0.6;
constexpr std::string_view ups[] = {"y", "z"};

/// What tells whether two characters have the same model.
std::string source_of(const Fields& fields) {
    std::string text;
    for (const char* key : {"file", "figure", "clips", "scale", "textures"})
        if (const auto found = fields.find(key)) {
            text += std::string(key) + '\n';
            for (const json::Value& item : found->value().items) text += item.text + '\n';
            text += found->value().text + '\n';
        }
    return text;
}

std::shared_ptr<const SkinnedModel> read_model(const Fields& fields, const ShapeSources& sources) {
    const auto file = fields.find("file"), figure = fields.find("figure");
    if (file.has_value() == figure.has_value()) fields.field().fail("expected either \"file\" or \"figure\"");
    ModelFileOptions options;
    options.scale = fields.number("scale", 1, Range{0.0001, 10'000});
    const auto textures = fields.find("textures");
    if (textures) check_texture_folder(*textures);
    if (figure) {
        if (const auto clips = fields.find("clips")) clips->list();
        for (const char* key : {"clips", "scale", "textures"})
            if (fields.has(key)) fields.at(key).fail("expected a \"file\" with this");
        const Fields keys(*figure, format::figure);
        return std::make_shared<const SkinnedModel>(
            walking_figure(keys.number("height", 1.8f, Range{0.01, 100})));
    }
    return blamed(*file, [&] {
        const SceneFile found = find_file(*file, sources.options, sources.files);
        options.open = [&](const std::string& name) {
            return find_file(*file, folder_of(found.name) + name, sources.options, sources.files).bytes;
        };
        auto model = std::make_shared<SkinnedModel>(parse_model(found.bytes, found.name, options));
        std::vector<std::string> warnings;
        for (const std::string& text : model->warnings) warnings.push_back(found.name + ": " + text);
        if (textures) find_model_textures(*textures, *model, sources, warnings);
        for (const std::string& text : warnings) warn(text);
        fields.each("clips", [&](const Field& name) {
            const SceneFile clip = find_file(name, sources.options, sources.files);
            blamed(name, [&] {
                model->clips.push_back(parse_clip(clip.bytes, clip.name, *model, options));
                return 0;
            });
        });
        return std::shared_ptr<const SkinnedModel>(std::move(model));
    });
}

const ModelClip& named_clip(const Field& field, const SkinnedModel& model) {
    const std::string name = field.text();
    if (const ModelClip* clip = model.find_clip(name)) return *clip;
    std::string known;
    for (std::size_t i = 0; i < std::min<std::size_t>(model.clips.size(), 20); ++i)
        known += (i > 0 ? ", " : "") + json::quoted(model.clips[i].name);
    field.refuse(known.empty() ? "a clip, and the model has none" : "one of " + known);
}

} // namespace

void add_character_bodies(const Field& entry, SceneCharacter& character, RigidBodyList& list,
                          RigidScene& scene, std::optional<float> density) {
    const SkinnedModel& model = *character.model;
    CharacterBodiesDef def;
    def.shape.density = density.value_or(def.shape.density);
    character.capsules = blamed(entry, [&] { return fit_capsules(model, def.fit); });
    const CharacterPlace first = character_place(character, 0);
    const std::vector<Pose> joints = joint_poses(model, first.pose);
    // capsules of one character do not collide with one another
    const auto group = -static_cast<std::int32_t>(scene.characters.size()) - (1 << 20);
    double mass = 0;
    for (std::size_t k = 0; k < character.capsules.size(); ++k) {
        const BoneCapsule& capsule = character.capsules[k];
        const DPose place = capsule_place(capsule, joints, first.at);
        RigidShape shape;
        shape.parts.push_back({capsule.capsule, def.shape});
        shape.parts[0].definition.filter.group = group;
        RigidBodyDef body;
        body.body.type = BodyType::kinematic;
        body.body.position = place.position;
        body.body.rotation = narrow(place.rotation);
        if (!character.name.empty()) body.name = character.name + "." + model.joints[capsule.joint].name;
        const std::uint32_t number = list.add(entry, std::move(shape), std::move(body));
        if (k == 0) character.first_body = number;
        const double r = double{capsule.capsule.radius}, half = double{capsule.capsule.half_height};
        mass += double{def.shape.density} * 3.14159265358979 * r * r * (2 * half + 4 * r / 3);
    }
    for (std::size_t k = 0; k < character.capsules.size(); ++k) {
        if (character.capsules[k].parent < 0) continue;
        JointDef motion = capsule_joint(model, character.capsules, k, def);
        motion.drive = JointFriction{static_cast<float>(double{def.friction} * mass)};
        RigidJointDef joint;
        joint.type = motion.type;
        joint.first = character.first_body + static_cast<std::uint32_t>(k);
        joint.second = character.first_body + static_cast<std::uint32_t>(character.capsules[k].parent);
        joint.motion = std::make_shared<const JointDef>(motion);
        scene.joints.push_back(std::move(joint));
    }
}

SceneCharacter read_character(const Field& entry, RigidBodyList& bodies, RigidScene& scene,
                              const ShapeSources& sources, ModelList& models) {
    if (scene.characters.size() == most_characters) entry.fail("more than 1000 characters");
    const Fields fields(entry, format::character);
    SceneCharacter character;
    if (const auto name = fields.find("name")) character.name = name->text();
    std::shared_ptr<const SkinnedModel>& shared = models[source_of(fields)];
    if (!shared) shared = read_model(fields, sources);
    character.model = shared;
    const SkinnedModel& model = *character.model;
    if (const auto clip = fields.find("clip")) character.clip = named_clip(*clip, model);
    else if (!model.clips.empty()) character.clip = model.clips[0];
    if (const auto mixed = fields.find("blend")) {
        const Fields keys(*mixed, format::clip_blend);
        character.other = named_clip(keys.at("clip"), model);
        character.share = keys.at("share").number(Range{0, 1});
    }
    const bool stands = !fields.has("up") || fields.at("up").choice(ups) == 0;
    const Vec3 up = stands ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    if (!fields.has("root_motion") || fields.at("root_motion").flag()) {
        character.motion = blamed(entry, [&] { return take_root_motion(model, character.clip, {.up = up}); });
        if (character.other) take_root_motion(model, *character.other, {.up = up});
    }
    character.at.position = fields.vector("position", {});
    if (const auto rotation = fields.find("rotation")) character.at.rotation = wide(rotation->rotation());
    if (!stands) character.at.rotation = character.at.rotation * wide(*rotation_by_degrees({1, 0, 0}, -90));
    if (const auto speed = fields.find("speed")) character.speed = speed->number64(Range{-100, 100});
    if (const auto start = fields.find("start")) character.start = start->number64(Range{-1e6, 1e6});
    if (const auto paint = fields.find("paint")) character.paint = read_paint(*paint);
    const bool solid = !fields.has("bodies") || fields.at("bodies").flag();
    if (solid) {
        std::optional<float> density;
        if (fields.has("density")) density = fields.at("density").number(positive);
        add_character_bodies(entry, character, bodies, scene, density);
    }
    if (const auto falls = fields.find("falls")) {
        character.falls = falls->number64(not_negative);
        if (!solid) falls->fail("only a character with \"bodies\" falls");
    }
    if (const auto rises = fields.find("rises")) {
        character.rises = rises->number64(not_negative);
        if (!(character.rises > character.falls)) rises->refuse("a time after \"falls\"");
    }
    return character;
}

void follow_characters(const RigidScene& scene, World& world) {
    if (scene.characters.empty()) return;
    const std::vector<BodyId> bodies = world.bodies();
    const double dt = double{scene.time_step}, now = static_cast<double>(world.steps_done()) * dt,
                 next = static_cast<double>(world.steps_done() + 1) * dt;
    for (const SceneCharacter& character : scene.characters) {
        if (character.capsules.empty()) continue;
        const bool lies = now >= character.falls && now < character.rises;
        const BodyType type = lies ? BodyType::dynamic : BodyType::kinematic;
        if (world.type(bodies[character.first_body]) != type)
            for (std::size_t k = 0; k < character.capsules.size(); ++k)
                world.set_type(bodies[character.first_body + k], type);
        if (lies) continue;
        const CharacterPlace place = character_place(character, next);
        const std::vector<Pose> joints = joint_poses(*character.model, place.pose);
        // after it lay it comes back to its clip by and by
        const double left = character.rises + rise_seconds - now;
        const bool rises = now >= character.rises && left > dt;
        for (std::size_t k = 0; k < character.capsules.size(); ++k) {
            const BodyId body = bodies[character.first_body + k];
            DPose target = capsule_place(character.capsules[k], joints, place.at);
            Quat rotation = narrow(target.rotation);
            if (rises) {
                const DVec3 from = world.position(body);
                target.position = from + dt / left * (target.position - from);
                rotation = between(world.state(body).rotation, rotation, static_cast<float>(dt / left));
            }
            world.set_target(body, target.position, rotation, scene.time_step);
        }
    }
}

} // namespace scree
