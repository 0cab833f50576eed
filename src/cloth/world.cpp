// SPDX-License-Identifier: MIT
// world.cpp — ClothWorld: what a user may say, and which copy of the vertices is the newer one.
#include "scree/cloth.h"

#include "bytes/state_hash.h"
#include "cloth/arrays.h"
#include "cloth/checks.h"
#include "cloth/grid.h"
#include "cloth/measure.h"
#include "cloth/snapshot.h"
#include "cloth/touch.h"
#include "device/opened.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Substeps that keep the springs stable: Verlet needs dt^2 lambda < 4, and the largest eigenvalue of the grid of twelve springs is
/// 10.1 k / m.
int chosen_substeps(const ClothSettings& s) {
    if (s.substeps != 0) return s.substeps;
    if (s.model == ClothModel::position_based) return 1;
    const double share = double{std::max({s.group_stiffness.x, s.group_stiffness.y, s.group_stiffness.z})};
    const double fastest = std::sqrt(10.1 * double{s.stiffness} * share / double{facts_of(s).vertex_mass});
    return static_cast<int>(std::clamp(std::ceil(double{s.time_step} * fastest / 1.2), 1.0, 10000.0));
}

bool same_sheets(const ClothSettings& a, const ClothSettings& b) {
    return a.width == b.width && a.length == b.length && a.edges_x == b.edges_x && a.edges_z == b.edges_z;
}

} // namespace

ClothSettings reference_cloth() {
    ClothSettings s;
    s.substeps = 1;
    s.iterations = 1;
    s.friction = 0;
    s.radius_share = 0.5f;
    s.physical_mass = s.bounded_damping = s.weighted_projection = false;
    s.predicted_neighbours = s.push_from_inside = false;
    return s;
}

struct ClothWorld::State {
    State(const ClothSettings& s, const Place& where)
        : settings(s),
          place(where.decided(gpu_from)),
          arrays(place.opened().queue(), place.options().memory) {}

    ClothSettings settings;
    Place place; ///< decided
    ClothArrays arrays;
    std::vector<ClothSheetDef> sheets;
    std::vector<ClothCollider> colliders;
    std::vector<ClothVertices> vertices; ///< by sheet
    std::vector<Vec3> positions;         ///< of all sheets, as the user sees them
    std::optional<ClothTouch> touch;
    std::uint64_t steps = 0;
    std::uint64_t steps_before = 0; ///< taken with other time steps
    double time_before = 0;         ///< s that they made
    bool host_newer = true;         ///< upload before the next step
    bool colliders_newer = true;
    bool device_newer = false; ///< download before the next look

    int substeps() const { return chosen_substeps(settings); }
    float substep() const { return settings.time_step / static_cast<float>(substeps()); }
    void to_host() {
        if (!device_newer) return;
        arrays.download(vertices);
        device_newer = false;
    }
    void to_device() {
        if (host_newer) {
            to_host();
            arrays.upload(settings, substeps(), vertices);
        }
        if (host_newer || colliders_newer) arrays.upload_colliders(colliders);
        host_newer = colliders_newer = false;
    }
    void changed() {
        to_host();
        host_newer = true;
    }
    ClothVertices start_of(const ClothSheetDef& sheet) const {
        ClothVertices v;
        for (const Vec3& x : start_positions(sheet, settings))
            v.position.insert(v.position.end(), {x.x, x.y, x.z, 1.0f});
        for (const std::uint32_t pin : pins_of(sheet, facts_of(settings)))
            v.position[std::size_t{4} * pin + 3] = 0;
        v.last = v.position;
        return v;
    }
    void lay_out() {
        vertices.clear();
        for (const ClothSheetDef& sheet : sheets) vertices.push_back(start_of(sheet));
        device_newer = false;
        host_newer = true;
    }
    std::uint32_t checked(std::uint32_t vertex, std::uint32_t count) const {
        if (vertex >= count) refuse(vertex, "vertex", "less than " + std::to_string(count));
        return vertex;
    }
    template <class Call> // with a sheet's vertices and the place of a vertex' words
    void each(Call call) {
        for (ClothVertices& v : vertices)
            for (std::size_t i = 0; i < v.position.size(); i += 4) call(v, i);
    }
};

ClothWorld::ClothWorld(const ClothSettings& settings, const Place& place) {
    check(settings);
    state_ = std::make_unique<State>(settings, place);
}
ClothWorld::~ClothWorld() = default;
ClothWorld::ClothWorld(ClothWorld&&) noexcept = default;
ClothWorld& ClothWorld::operator=(ClothWorld&&) noexcept = default;

const ClothSettings& ClothWorld::settings() const { return state_->settings; }
const Place& ClothWorld::place() const { return state_->place; }
Device& ClothWorld::device() const { return state_->arrays.device(); }

void ClothWorld::change_settings(const ClothSettings& settings) {
    check(settings);
    for (const ClothSheetDef& sheet : state_->sheets) check(sheet, settings);
    check_vertices(settings, state_->sheets.size());
    const double now = time();
    const bool kept = same_sheets(settings, state_->settings);
    const float before = state_->substep();
    state_->changed();
    state_->settings = settings;
    state_->steps_before = state_->steps;
    state_->time_before = now;
    if (!kept) return state_->lay_out();
    // velocities live in the history: it follows the length of a substep
    const float scale = state_->substep() / before;
    if (scale == 1) return;
    state_->each([scale](ClothVertices& v, std::size_t i) {
        for (std::size_t k = i; k < i + 3; ++k)
            v.last[k] = v.position[k] - (v.position[k] - v.last[k]) * scale;
    });
}

std::uint32_t ClothWorld::add_sheet(const ClothSheetDef& sheet) {
    check(sheet, state_->settings);
    check_vertices(state_->settings, state_->sheets.size() + 1);
    state_->changed();
    state_->sheets.push_back(sheet);
    state_->sheets.back().rotation = unit_rotation(sheet.rotation, "rotation");
    state_->vertices.push_back(state_->start_of(state_->sheets.back()));
    return static_cast<std::uint32_t>(state_->sheets.size() - 1);
}

std::uint32_t ClothWorld::sheet_count() const { return static_cast<std::uint32_t>(state_->sheets.size()); }
const ClothSheetDef& ClothWorld::sheet(std::uint32_t index) const {
    if (index >= state_->sheets.size())
        throw Error(std::to_string(index) + " is not a sheet of this world", "sheet");
    return state_->sheets[index];
}
ClothFacts ClothWorld::facts() const { return facts_of(state_->settings); }
std::uint32_t ClothWorld::vertex_count() const { return facts().vertices * sheet_count(); }
std::uint32_t ClothWorld::body_count() const {
    return static_cast<std::uint32_t>(state_->colliders.size()) + sheet_count();
}

std::array<ClothNeighbour, 12> ClothWorld::neighbours(std::uint32_t vertex) const {
    return neighbours_of(facts(), state_->checked(vertex, facts().vertices));
}
std::vector<std::uint32_t> ClothWorld::triangles() const { return triangles_of(facts()); }

std::uint32_t ClothWorld::add_collider(const ClothCollider& collider) {
    constexpr std::size_t most_colliders = 65536;
    check(collider);
    if (state_->colliders.size() == most_colliders)
        throw Error(std::to_string(most_colliders + 1) + " colliders are too many; at most " +
                        std::to_string(most_colliders) + " are possible",
                    "colliders");
    state_->colliders.push_back(collider);
    state_->colliders_newer = true;
    return static_cast<std::uint32_t>(state_->colliders.size() - 1);
}

void ClothWorld::set_collider(std::uint32_t index, const ClothCollider& collider) {
    if (index >= state_->colliders.size())
        throw Error(std::to_string(index) + " is not a collider of this world", "collider");
    check(collider);
    state_->colliders[index] = collider;
    state_->colliders_newer = true;
}

std::span<const ClothCollider> ClothWorld::colliders() const { return state_->colliders; }

void ClothWorld::touch(const ClothTouch& touch) {
    check(touch);
    state_->touch = touch;
}

void ClothWorld::pull(std::uint32_t vertex, Vec3 force) {
    check_finite(force, "force");
    state_->checked(vertex, vertex_count());
    state_->changed();
    ClothVertices& sheet = state_->vertices[vertex / facts().vertices];
    const std::size_t i = std::size_t{4} * (vertex % facts().vertices);
    if (!(sheet.position[i + 3] > 0)) return;
    // what the force adds to the velocity in a step, as history
    const Vec3 moved = force * (state_->settings.time_step * state_->substep() / facts().vertex_mass);
    sheet.last[i] -= moved.x, sheet.last[i + 1] -= moved.y, sheet.last[i + 2] -= moved.z;
}

void ClothWorld::step(int count) {
    if (count < 0)
        throw Error("invalid value " + std::to_string(count) + ": expected an integer of at least 0",
                    "step count");
    if (count == 0) return;
    state_->to_device();
    for (int k = 0; k < count; ++k) {
        state_->arrays.run_step(state_->colliders, state_->touch);
        state_->touch.reset();
        ++state_->steps;
    }
    state_->device_newer = true;
}

std::uint64_t ClothWorld::steps_done() const { return state_->steps; }
double ClothWorld::time() const {
    return state_->time_before +
           static_cast<double>(state_->steps - state_->steps_before) * double{state_->settings.time_step};
}
int ClothWorld::substeps() const { return state_->substeps(); }

void ClothWorld::reset() {
    state_->lay_out();
    state_->touch.reset();
    state_->steps = state_->steps_before = 0;
    state_->time_before = 0;
}

std::span<const Vec3> ClothWorld::positions() const {
    state_->to_host();
    state_->positions.clear();
    state_->each([this](const ClothVertices& v, std::size_t i) {
        state_->positions.push_back({v.position[i], v.position[i + 1], v.position[i + 2]});
    });
    return state_->positions;
}

std::vector<Vec3> ClothWorld::velocities() const {
    state_->to_host();
    std::vector<Vec3> all;
    const float step = state_->substep();
    state_->each([&](const ClothVertices& v, std::size_t i) {
        const Vec3 x{v.position[i], v.position[i + 1], v.position[i + 2]},
            y{v.last[i], v.last[i + 1], v.last[i + 2]};
        all.push_back((x - y) / step);
    });
    return all;
}

std::vector<Vec3> ClothWorld::normals() const {
    state_->to_device();
    return state_->arrays.download_normals();
}

bool ClothWorld::frozen(std::uint32_t vertex) const {
    state_->checked(vertex, vertex_count());
    state_->to_host();
    const std::uint32_t each = facts().vertices;
    return state_->vertices[vertex / each].position[std::size_t{4} * (vertex % each) + 3] < 0;
}

void ClothWorld::set_vertices(std::span<const Vec3> positions, std::span<const Vec3> velocities) {
    const std::size_t count = vertex_count();
    for (const std::size_t given : {positions.size(), velocities.size()})
        if (given != count)
            throw Error("there are " + std::to_string(given) + " vectors: expected one for each of " +
                            std::to_string(count) + " vertices",
                        "vertices");
    for (std::size_t k = 0; k < count; ++k) {
        check_finite(positions[k], "positions[" + std::to_string(k) + "]");
        check_finite(velocities[k], "velocities[" + std::to_string(k) + "]");
    }
    state_->changed();
    std::size_t k = 0;
    const float step = state_->substep();
    state_->each([&](ClothVertices& v, std::size_t i) {
        const Vec3 x = positions[k], before = x - velocities[k] * step;
        const float held = v.position[i + 3] == 0 ? 0.0f : 1.0f;
        const Vec3 history = held == 0 ? x : before;
        const float now[] = {x.x, x.y, x.z, held}, then[] = {history.x, history.y, history.z, held};
        std::copy_n(now, 4, v.position.begin() + static_cast<std::ptrdiff_t>(i));
        std::copy_n(then, 4, v.last.begin() + static_cast<std::ptrdiff_t>(i));
        ++k;
    });
}

std::vector<std::byte> ClothWorld::save() const {
    state_->to_host();
    return encode_cloth({state_->settings, state_->sheets, state_->colliders, state_->vertices, state_->touch,
                         state_->steps, state_->steps_before, state_->time_before});
}

void ClothWorld::restore(std::span<const std::byte> saved) {
    ClothSnapshot kept = decode_cloth(saved);
    state_->settings = kept.settings;
    state_->sheets = std::move(kept.sheets);
    state_->colliders = std::move(kept.colliders);
    state_->vertices = std::move(kept.vertices);
    state_->touch = kept.touch;
    state_->steps = kept.steps;
    state_->steps_before = kept.steps_before;
    state_->time_before = kept.time_before;
    state_->device_newer = false; // what it holds is not wanted any more
    state_->host_newer = true;
}

std::uint64_t ClothWorld::hash() const {
    state_->to_host();
    StateHash hash;
    for (const ClothVertices& v : state_->vertices) {
        for (const float word : v.position) hash.add(word);
        for (const float word : v.last) hash.add(word);
    }
    for (const ClothCollider& c : state_->colliders)
        for (const Vec3& each : {c.position, c.size, c.velocity})
            for (const float word : {each.x, each.y, each.z}) hash.add(word);
    return hash.value();
}

ClothMeasure ClothWorld::measure() const {
    state_->to_host();
    return measure_cloth(state_->settings, state_->substeps(), state_->vertices, state_->colliders);
}

ClothSurvey ClothWorld::survey() const {
    state_->to_device();
    return state_->arrays.survey();
}

std::vector<std::array<Vec3, 2>> ClothWorld::extents() const {
    state_->to_device();
    return state_->arrays.extents();
}

void ClothWorld::write_vertices(SharedVertices& to) const {
    state_->to_device();
    state_->arrays.write_vertices(to);
}

std::uint64_t ClothWorld::memory() const {
    state_->to_device();
    return state_->arrays.bytes();
}

void ClothWorld::time_stages(bool on) { device().time_stages(on); }

std::array<double, cloth_stage_names.size()> ClothWorld::stage_seconds() const {
    const auto all = device().stage_seconds();
    std::array<double, cloth_stage_names.size()> stages{};
    std::copy_n(all.begin(), stages.size(), stages.begin());
    return stages;
}

} // namespace scree
