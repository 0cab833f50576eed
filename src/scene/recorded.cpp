// SPDX-License-Identifier: MIT
// recorded.cpp — see recorded.h.
#include "scene/recorded.h"

#include "scene/json.h"
#include "scene/parts.h"
#include "scene/rigid_bodies.h"
#include "scree/error.h"
#include "scree/version.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>

namespace scree {
namespace {

std::optional<std::uint64_t> whole(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

/// Empty when it cannot be read.
std::string file_bytes(const std::string& file) {
    std::string bytes;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), &std::fclose);
    char chunk[1 << 16];
    while (const std::size_t got = in ? std::fread(chunk, 1, sizeof chunk, in.get()) : 0)
        bytes.append(chunk, got);
    return bytes;
}

/// As find_scene finds it.
std::string scene_text(const std::string& name) {
    const auto builtin = builtin_scenes();
    const bool known = std::any_of(builtin.begin(), builtin.end(),
                                   [&](const SceneInfo& scene) { return scene.name == name; });
    return known ? std::string(builtin_scene_text(name)) : file_bytes(name);
}

std::vector<std::string> mesh_files(const std::string& text, const std::string& name) {
    std::vector<std::string> files;
    if (text.empty()) return files;
    const json::Value document = json::parse(text, name);
    if (const json::Value* shapes = document.find("shapes"))
        for (const json::Value& shape : shapes->items)
            if (const json::Value* mesh = shape.find("mesh"))
                if (const json::Value* file = mesh->find("file")) files.push_back(file->text);
    return files;
}

} // namespace

double time_step(const Scene& scene) {
    return static_cast<double>(scene.rigid ? scene.rigid->time_step : scene.settings.time_step);
}

std::string settings_text(const Scene& scene, const SceneOptions& options) {
    std::string text;
    if (options.bodies) text += "bodies = " + std::to_string(*options.bodies) + "\n";
    if (options.seed) text += "seed = " + std::to_string(*options.seed) + "\n";
    for (const std::string& name : setting_names(scene.kind()))
        text += name + " = " + setting_value(scene, name) + "\n";
    return text;
}

SceneOptions settings_from_text(const std::string& text, const std::string& where) {
    SceneOptions options;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        const std::size_t equals = line.find(" = ");
        if (equals == std::string::npos)
            throw Error(json::quoted(line) + " is not allowed; KEY = VALUE was expected",
                        where + ": settings");
        const std::string key = line.substr(0, equals), value = line.substr(equals + 3);
        if (key != "bodies" && key != "seed") {
            options.settings.push_back({key, value, where + ": settings: " + key});
            continue;
        }
        const std::optional<std::uint64_t> count = whole(value);
        if (!count) throw Error(json::quoted(value) + " is no whole number", where + ": settings: " + key);
        (key == "bodies" ? options.bodies : options.seed) = count;
    }
    return options;
}

RecordingHeader recording_header(const Scene& scene, const SceneOptions& options, const std::string& name,
                                 const std::string& device, std::uint32_t steps_per_frame) {
    RecordingHeader header;
    header.scene = name;
    header.title = scene.title;
    header.kind = scene.rigid ? "rigid" : "granular";
    header.scree_version = SCREE_VERSION;
    header.device = device;
    header.settings = settings_text(scene, options);
    header.time_step = static_cast<float>(time_step(scene));
    header.steps_per_frame = steps_per_frame;
    header.scene_text = scene_text(name);
    for (const std::string& file : mesh_files(header.scene_text, name))
        header.files.push_back({file, file_bytes(beside(name, file))});
    return header;
}

Scene recorded_scene(const RecordingHeader& header, const std::string& where) {
    SceneOptions options = settings_from_text(header.settings, where);
    if (header.scene_text.empty()) return find_scene(header.scene, options);
    for (const RecordedFile& file : header.files) options.files[file.name] = file.bytes;
    return parse_scene(header.scene_text, header.scene, options);
}

std::string recorded_commands(RecordingReader& reader, const std::string& file) {
    return reader.version() == 1 ? file_bytes(file + ".commands") : reader.commands();
}

// what it looks like -----------------------------------------------------------------------------------------

namespace {

/// In the frame of a body as the scene begins.
Vec3 local_point(const BodyDef& body, Vec3 point) {
    return narrow(apply_inverse(wide(Pose{body.position, body.rotation}), wide(point)));
}

/// What stands still is often a floor much larger than what happens on it: it counts when nothing moves.
void bound_bodies(Appearance& look, std::span<const Vec3> start) {
    Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};
    for (const bool fixed : {false, true}) {
        for (std::size_t i = 0; i < start.size(); ++i) {
            const AppearanceBody& body = look.bodies[i];
            const auto reach = static_cast<float>(look.shapes[body.shape].reach);
            if ((body.type == BodyType::fixed) != fixed || !std::isfinite(reach)) continue;
            low = min(low, start[i] - Vec3{reach, reach, reach});
            high = max(high, start[i] + Vec3{reach, reach, reach});
        }
        if (low.x <= high.x) break;
    }
    if (!(low.x <= high.x)) low = {-1, -1, -1}, high = {1, 1, 1};
    // of a stream of bodies that falls from the sky only its foot can be seen
    const Vec3 size = high - low;
    const float middle = std::max(std::min(size.x, size.y), std::min(std::max(size.x, size.y), size.z));
    if (size.y > 24 * middle) high.y = low.y + 24 * middle;
    look.low = low;
    look.high = high;
}

template <class AnyWorld>
void take(const Scene& scene, const AnyWorld& world, Frame& frame) {
    show(world, frame);
    const Appearance* look = frame.appearance.get();
    if (look && look->body_count == world.body_count() && look->bodies.size() == frame.size()) return;
    frame.appearance = appearance_of(scene, world);
    show(world, frame);
}

} // namespace

std::shared_ptr<const Appearance> appearance_of(const Scene& scene, const World& world) {
    auto look = std::make_shared<Appearance>(appearance_of(world));
    look->scene = scene.name;
    look->title = scene.title;
    const RigidScene& rigid = *scene.rigid;
    std::vector<Vec3> start;
    for (std::size_t i = 0; i < std::min(rigid.bodies.size(), look->bodies.size()); ++i) {
        look->bodies[i].name = rigid.bodies[i].name;
        look->shapes[look->bodies[i].shape].name = rigid.shapes[rigid.bodies[i].shape].name;
        start.push_back(rigid.bodies[i].body.position);
    }
    for (const RigidJointDef& joint : rigid.joints) {
        const BodyDef& first = rigid.bodies[joint.first].body;
        look->joints.push_back(
            {std::string(joint_types[static_cast<std::size_t>(joint.type)]), joint.first, joint.second,
             local_point(first, joint.anchor),
             joint.second ? local_point(rigid.bodies[*joint.second].body, joint.anchor) : joint.anchor,
             narrow(rotate(conjugate(wide(first.rotation)), wide(joint.axis)))});
    }
    bound_bodies(*look, start);
    return look;
}

std::shared_ptr<const Appearance> appearance_of(const Scene& scene, const GranularWorld& world) {
    auto look = std::make_shared<Appearance>(appearance_of(world));
    look->scene = scene.name;
    look->title = scene.title;
    std::vector<Vec3> start;
    for (const GranularBodyDef& body : scene.bodies) start.push_back(body.position);
    start.resize(std::min<std::size_t>(start.size(), look->body_count));
    bound_bodies(*look, start);
    return look;
}

void take_frame(const Scene& scene, const World& world, Frame& frame) { take(scene, world, frame); }
void take_frame(const Scene& scene, const GranularWorld& world, Frame& frame) { take(scene, world, frame); }

} // namespace scree
