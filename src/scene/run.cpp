// SPDX-License-Identifier: MIT
// run.cpp — parts common to all runs; see run.h.
#include "scene/run.h"

#include "bytes/byte_order.h"
#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace scree {
namespace {

/// Bounds of the moving bodies, or of all finite bodies if none moves.
void bound(Appearance& look, const Frame& frame) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    DVec3 low{infinity, infinity, infinity}, high = -low;
    const auto widen = [&](Vec3 at, double reach) {
        if (!std::isfinite(reach)) return;
        low = min(low, wide(at) - DVec3{reach, reach, reach});
        high = max(high, wide(at) + DVec3{reach, reach, reach});
    };
    std::vector<Vec3> vertices, of_mesh, normals; // bones of figures are no places
    for (const AppearanceMesh& mesh : look.meshes) {
        find_vertices(mesh, frame, of_mesh, normals);
        vertices.insert(vertices.end(), of_mesh.begin(), of_mesh.end());
    }
    for (const AppearanceLines& lines : look.lines) {
        const auto of_lines = std::span(frame.vertices).subspan(lines.first_vertex, lines.vertex_count);
        vertices.insert(vertices.end(), of_lines.begin(), of_lines.end());
    }
    // fixed bodies are often floors much larger than the scene
    for (const bool fixed : {false, true}) {
        for (std::uint32_t b = 0; b < look.body_count; ++b)
            if ((look.bodies[b].type == BodyType::fixed) == fixed)
                widen(frame.pose(b).position, look.shapes[look.bodies[b].shape].reach);
        for (const Vec3& vertex : vertices) widen(vertex, 0);
        if (low.x <= high.x) break;
    }
    if (!(low.x <= high.x)) low = {-1, -1, -1}, high = {1, 1, 1};
    // of a stream of bodies that falls from the sky only its foot can be seen
    const DVec3 size = high - low;
    const double middle =
        size.x + size.y + size.z - std::max({size.x, size.y, size.z}) - std::min({size.x, size.y, size.z});
    if (size.y > 24 * middle) high.y = low.y + 24 * middle;
    look.low = narrow(low);
    look.high = narrow(high);
}

} // namespace

double value_of(std::span<const Measured> measures, std::string_view name) {
    for (const Measured& one : measures)
        if (one.name == name) return one.value;
    return std::numeric_limits<double>::quiet_NaN();
}

std::string SceneRun::device_words() const {
    const DeviceReport& report = place_.report();
    return report.name + ": " + report.description;
}

// saved runs: the kind's name, the settings as text, then the world ----------------------------------------------------

std::vector<std::byte> SceneRun::save() const {
    bytes::Bytes heading;
    bytes::ByteSink out(heading);
    std::string settings;
    for (const Setting& setting : kind_.settings())
        settings +=
            std::string(setting.name) + " = " + value_text(setting, setting.get(scene_.content)) + "\n";
    out.text(std::string(kind_.name()));
    out.text(settings);
    const std::vector<std::byte> world = save_world();
    std::vector<std::byte> saved(heading.size() + world.size());
    std::memcpy(saved.data(), heading.data(), heading.size());
    if (!world.empty()) std::memcpy(saved.data() + heading.size(), world.data(), world.size());
    return saved;
}

void SceneRun::restore(std::span<const std::byte> saved) {
    const std::string where = "saved scene";
    bytes::ByteSource in({reinterpret_cast<const std::uint8_t*>(saved.data()), saved.size()}, where);
    if (const std::string kind = in.text(); kind != kind_.name())
        throw Error("invalid kind " + json::quoted(kind) + ": expected " + json::quoted(kind_.name()), where);
    const std::string text = in.text();
    restore_world(saved.subspan(saved.size() - in.left()), place_);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        const std::size_t equals = line.find(" = ");
        if (equals != std::string::npos)
            kind_.apply(scene_, line.substr(0, equals), line.substr(equals + 3), where);
    }
    look_changed();
}

void SceneRun::move_to(const Place& place) {
    const Place there = place_for(scene_, place);
    restore_world(save_world(), there);
    place_ = there;
}

void SceneRun::act(const std::string& action) {
    throw Error("a " + std::string(kind_.name()) + " scene has no action \"" + action + "\"", "act");
}

void SceneRun::walk(const Walk&) {
    throw Error("nobody can walk in a " + std::string(kind_.name()) + " scene", "walk");
}

void SceneRun::change_setting(const std::string& name, const std::string& value) {
    const Setting& setting = known_setting(kind_.settings(), name, name);
    const SettingValue before = setting.get(scene_.content);
    kind_.apply(scene_, name, value, name);
    try {
        settings_changed();
    } catch (...) {
        setting.set(scene_.content, before);
        throw;
    }
    if (shows(setting)) look_changed();
}

// measures and expectations --------------------------------------------------------------------------------------------

double SceneRun::quantity(const Expectation& expectation) const {
    return value_of(measure(), expectation.quantity);
}

std::vector<Failure> SceneRun::failures() const {
    return compare(
        scene_, [&] { return hash(); }, [&] { return measure(); },
        [&](const Expectation& expected) { return quantity(expected); });
}

std::vector<Failure> compare(const Scene& scene, const std::function<std::uint64_t()>& hash,
                             const std::function<std::vector<Measured>()>& measure,
                             const std::function<double(const Expectation&)>& requested) {
    if (scene.expect.empty() && !scene.expected_hash) return {};
    const std::vector<Measured> all = measure();
    std::vector<Failure> failures;
    const std::vector<std::string> known = expectation_names(scene.kind);
    for (const Expectation& expected : scene.expect) {
        if (std::find(known.begin(), known.end(), expected.quantity) == known.end())
            throw Error("this quantity is not known" + format::suggestion(expected.quantity, known),
                        scene.name + ": " + expected.quantity);
        double value = value_of(all, expected.quantity);
        if (std::isnan(value)) value = requested(expected);
        if (value >= expected.least && value <= expected.most) continue; // NaN fails
        const Range range{expected.least, expected.most};
        const std::string words =
            expected.least == expected.most ? " " + shown(expected.least) : " a value" + range.words();
        failures.push_back({expected.quantity, scene.name + ": " + expected.quantity + " is " + shown(value) +
                                                   "; expected" + words});
    }
    if (!scene.expected_hash) return failures;
    if (const std::uint64_t found = hash(); found != *scene.expected_hash)
        failures.push_back({"hash", scene.name + ": hash is " + hash_text(found) + "; expected " +
                                        hash_text(*scene.expected_hash)});
    return failures;
}

double largest_distance(std::span<const Vec3> now, std::span<const Vec3> start) {
    double most = 0;
    for (std::size_t i = 0; i < std::min(now.size(), start.size()); ++i)
        most = std::max(most, length(wide(now[i]) - wide(start[i])));
    return most;
}

double widest(std::span<const Vec3> points) {
    float most = 0;
    for (const Vec3& point : points) most = std::max({most, std::abs(point.x), std::abs(point.z)});
    return double{most};
}

// drawing --------------------------------------------------------------------------------------------------------------

std::shared_ptr<const Appearance> SceneRun::appearance() const {
    if (appearance_) return appearance_;
    auto fresh = std::make_shared<Appearance>(look());
    fresh->scene = scene_.name;
    fresh->title = scene_.title;
    fresh->camera = scene_.look.camera;
    fresh->cameras = scene_.look.cameras;
    // the scene's own first: some of the last ones may be too many
    fresh->lights.insert(fresh->lights.begin(), scene_.look.lights.begin(), scene_.look.lights.end());
    fresh->ground = scene_.look.ground;
    fresh->shading = scene_.look.shading;
    const AppearanceSky found = std::exchange(fresh->sky, scene_.look.sky);
    if (fresh->sky.fog == 0) { // that of a level
        fresh->sky.fog = found.fog;
        if (!fresh->sky.fog_colour) fresh->sky.fog_colour = found.fog_colour;
    }
    Frame frame;
    frame.appearance = fresh;
    show_poses(frame, false);
    bound(*fresh, frame);
    appearance_ = std::move(fresh);
    return appearance_;
}

void SceneRun::show(Frame& frame, bool velocities) const {
    frame.appearance = appearance();
    frame.normals.clear();
    frame.vertices_shared = false;
    show_poses(frame, velocities);
}

namespace {

/// Runs `show`, which sets `shared`; false with the reason where that is refused.
template <class Show>
bool shown(const Show& show, bool& shared, std::string& reason) {
    try {
        show();
        return true;
    } catch (const Error& error) {
        reason = error.what();
        shared = false;
        return false;
    }
}

} // namespace

bool SceneRun::show_shared(SharedPoses& to, Frame& frame, std::string& reason) const {
    reason.clear();
    if (!frame.appearance || frame.appearance != appearance()) return false;
    return shown([&] { show_poses_shared(to, frame); }, frame.shared, reason);
}

bool SceneRun::show_shared(SharedVertices& to, Frame& frame, std::string& reason) const {
    reason.clear();
    if (!frame.appearance || frame.appearance != appearance()) return false;
    return shown([&] { show_vertices_shared(to, frame); }, frame.vertices_shared, reason);
}

void SceneRun::show_poses_shared(SharedPoses&, Frame&) const {
    throw Error("worlds of this kind are drawn from the host's memory", "poses");
}

void SceneRun::show_vertices_shared(SharedVertices&, Frame&) const {
    throw Error("worlds of this kind are drawn from the host's memory", "vertices");
}

} // namespace scree
