// SPDX-License-Identifier: MIT
// fabrics.cpp — see fabrics.h.

#include "fabric/fabrics.h"

#include "kernels/fabric_words.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace scree {
namespace {

constexpr float no_tether = 1e18f;       // m; its square is finite
constexpr float air_density = 1.2f;      // kg/m^3
constexpr float largest_speed = 400;     // m/s, as of bodies
constexpr std::uint32_t inner_steps = 1; // of a cloth in a substep of the rigid world
constexpr int level_sweeps = 2;          // over the links of a level
constexpr std::uint32_t padding = 64;
constexpr int press_rounds = 1; // of contacts of parts in a substep

float bits(std::uint32_t word) { return std::bit_cast<float>(word); }
std::uint32_t padded(std::uint32_t count) { return (count + padding - 1) / padding * padding; }

/// Numbers of the constraints, colour by colour; `empty` fills each up to a multiple of the padding.
template <class Constraint>
std::vector<std::vector<std::pair<std::size_t, const Constraint*>>>
by_colour(std::span<const FabricSource> cloths, const std::vector<Constraint> FabricPlan::* list,
          const std::vector<std::uint32_t> FabricPlan::* colours, std::uint32_t FabricPlan::* count) {
    std::uint32_t most = 0;
    for (const FabricSource& each : cloths) most = std::max(most, each.plan->*count);
    std::vector<std::vector<std::pair<std::size_t, const Constraint*>>> all(most);
    for (std::size_t c = 0; c < cloths.size(); ++c) {
        const FabricPlan& plan = *cloths[c].plan;
        for (std::size_t k = 0; k < (plan.*list).size(); ++k)
            all[(plan.*colours)[k]].push_back({c, &(plan.*list)[k]});
    }
    return all;
}

} // namespace

Fabrics::Fabrics(std::shared_ptr<Device> device, std::uint64_t most_memory)
    : device_(std::move(device)), most_memory_(most_memory), self_(*device_, most_memory) {
    params_.farthest = farthest_vertex;
}

Fabrics::~Fabrics() {
    for (unsigned slot = 0; slot < body_position_slot; ++slot) device_->release(buffers_[slot]);
    for (Buffer& buffer : spare_) device_->release(buffer);
    for (Buffer& buffer : press_spare_) device_->release(buffer);
}

std::uint64_t Fabrics::bytes() const {
    std::uint64_t sum = 0;
    for (unsigned slot = 0; slot < body_position_slot; ++slot) sum += buffers_[slot].bytes;
    for (const Buffer& buffer : spare_) sum += buffer.bytes;
    for (const Buffer& buffer : press_spare_) sum += buffer.bytes;
    return sum + self_.bytes();
}

void Fabrics::reserve(Buffer& buffer, std::size_t words) {
    const std::size_t wanted =
        (std::max<std::size_t>(words, 1) + 4 * padding - 1) / (4 * padding) * 16 * padding;
    if (buffer.bytes >= wanted) return;
    device_->release(buffer);
    buffer = device_->allocate_within(most_memory_, bytes(), wanted);
    device_->fill(buffer, 0, wanted / 4);
}
void Fabrics::reserve(Slot slot, std::size_t words) { reserve(buffers_[slot], words); }

template <class Word>
void Fabrics::put(Slot slot, const std::vector<Word>& words) {
    static_assert(sizeof(Word) == 4);
    reserve(slot, words.size());
    if (!words.empty()) device_->upload(buffers_[slot], words.data(), 4 * words.size());
}

void Fabrics::put(std::span<const FabricSource> cloths) {
    std::vector<std::uint32_t> first{0};
    for (const FabricSource& each : cloths)
        first.push_back(first.back() + static_cast<std::uint32_t>(each.plan->mass.size()));
    const std::uint32_t n = first.back();
    params_.vertices = n;
    params_.airy = 0;
    tethered_ = false;
    bool frozen = false;

    std::vector<float> position, velocity, tether, cloth, triangle;
    std::vector<std::vector<std::uint32_t>> incident(n);
    std::vector<std::uint32_t> corners_of_all, cloth_of_vertex;
    std::vector<SelfCloth> skins;
    std::vector<float> rest;
    for (std::size_t c = 0; c < cloths.size(); ++c) {
        const ClothDef& def = *cloths[c].cloth;
        const FabricPlan& plan = *cloths[c].plan;
        position.insert(position.end(), cloths[c].position.begin(), cloths[c].position.end());
        velocity.insert(velocity.end(), cloths[c].velocity.begin(), cloths[c].velocity.end());
        std::size_t still = 0; // held, or frozen by a step before
        for (std::size_t w = 3; w < cloths[c].position.size(); w += 4) still += cloths[c].position[w] == 0;
        frozen = frozen || still > cloths[c].held;
        for (std::uint32_t v = 0; v < plan.mass.size(); ++v) {
            velocity[4 * std::size_t{first[c] + v} + 3] = bits(static_cast<std::uint32_t>(c));
            for (const FabricTether& each : plan.tethers[v]) {
                tether.push_back(bits(first[c] + each.vertex));
                tether.push_back(each.vertex == v ? no_tether : each.length);
                tethered_ = tethered_ || each.vertex != v;
            }
        }
        const ClothMaterial& m = def.material;
        cloth.insert(cloth.end(),
                     {m.thickness, m.friction, m.damping, largest_speed, def.wind.x, def.wind.y, def.wind.z,
                      def.pressure, bits(def.filter.category), bits(def.filter.mask),
                      bits(static_cast<std::uint32_t>(def.filter.group)), m.drag * 0.5f * air_density});
        skins.push_back({m.thickness, m.friction, def.self_collision});
        for (const Vec3& v : def.vertices) {
            rest.insert(rest.end(), {v.x, v.y, v.z});
            cloth_of_vertex.push_back(static_cast<std::uint32_t>(c));
        }
        params_.airy = params_.airy || m.drag > 0 || def.pressure != 0;
        for (const auto& corners : def.triangles) {
            const auto number = static_cast<std::uint32_t>(triangle.size() / 4);
            for (const std::uint32_t v : corners) {
                triangle.push_back(bits(first[c] + v));
                incident[first[c] + v].push_back(number);
                // what does not collide with cloth is not untangled either
                if (def.self_collision) corners_of_all.push_back(first[c] + v);
            }
            triangle.push_back(bits(def.surface_collision ? 1u : 0u));
        }
    }
    params_.triangles = static_cast<std::uint32_t>(triangle.size() / 4);
    reserve(gust_slot, triangle.size());
    reserve(gust_area_slot, params_.triangles);
    for (std::size_t c = 0; c < cloths.size(); ++c)
        for (const auto& ends : cloths[c].cloth->lines)
            triangle.insert(triangle.end(),
                            {bits(first[c] + ends[0]), bits(first[c] + ends[1]), bits(first[c] + ends[1]),
                             bits(cloths[c].cloth->surface_collision ? 1u : 0u)});
    params_.parts = std::any_of(cloths.begin(), cloths.end(),
                                [](const FabricSource& each) { return each.cloth->surface_collision; })
                        ? static_cast<std::uint32_t>(triangle.size() / 4)
                        : 0;
    params_.presses = 0;
    put_levels(cloths, first);
    // behind the vertices one that is held, for the places that a colour leaves empty; then the levels
    const std::size_t quads = levels_.empty() ? padded(n + 1) : levels_.back().first + levels_.back().count;
    position.resize(4 * quads);
    put(position_slot, position);
    put(velocity_slot, velocity);
    put(tether_slot, tether);
    put(cloth_slot, cloth);
    put(triangle_slot, triangle);
    std::vector<std::uint32_t> lists;
    std::uint32_t place = n + 1;
    for (const auto& list : incident) {
        lists.push_back(place);
        place += static_cast<std::uint32_t>(list.size());
    }
    lists.push_back(place);
    for (const auto& list : incident) lists.insert(lists.end(), list.begin(), list.end());
    lists.insert(lists.end(), padding, place); // lanes read past the end
    put(incident_slot, lists);

    std::vector<float> words;
    const auto edges =
        by_colour(cloths, &FabricPlan::edges, &FabricPlan::edge_colour, &FabricPlan::edge_colours);
    edges_.clear();
    for (const auto& of : edges) {
        const auto begin = static_cast<std::uint32_t>(words.size() / 4);
        for (const auto& [c, each] : of)
            words.insert(words.end(), {bits(first[c] + each->vertex[0]), bits(first[c] + each->vertex[1]),
                                       each->rest, each->compliance});
        while (words.size() / 4 % padding) words.insert(words.end(), {bits(n), bits(n), 0, 0});
        edges_.push_back({begin, static_cast<std::uint32_t>(words.size() / 4) - begin});
    }
    put(edge_slot, words);
    words.clear();
    const auto hinges =
        by_colour(cloths, &FabricPlan::hinges, &FabricPlan::hinge_colour, &FabricPlan::hinge_colours);
    hinges_.clear();
    for (const auto& of : hinges) {
        const auto begin = static_cast<std::uint32_t>(words.size() / 12);
        for (const auto& [c, each] : of) {
            for (const std::uint32_t v : each->vertex) words.push_back(bits(first[c] + v));
            words.insert(words.end(), each->weight.begin(), each->weight.end());
            words.insert(words.end(), {each->rest, each->compliance, 0, 0});
        }
        while (words.size() / 12 % padding)
            words.insert(words.end(), {bits(n), bits(n), bits(n), bits(n), 0, 0, 0, 0, 0, 0, 0, 0});
        hinges_.push_back({begin, static_cast<std::uint32_t>(words.size() / 12) - begin});
    }
    put(hinge_slot, words);
    plan_sweep();

    for (const Slot slot : {start_slot, air_slot, support_slot}) reserve(slot, 4 * quads);
    reserve(contact_slot, std::size_t{8} * FABRIC_SLOTS * n);
    reserve(patch_slot, std::size_t{FABRIC_PATCH_WORDS} * ((n + FABRIC_PATCH - 1) / FABRIC_PATCH));
    reserve(part_patch_slot,
            std::size_t{FABRIC_PATCH_WORDS} * ((params_.parts + FABRIC_PATCH - 1) / FABRIC_PATCH));
    reserve(counts_slot, FABRIC_COUNTS);
    device_->fill(buffers_[counts_slot], 0, FABRIC_COUNTS);
    if (frozen) device_->fill(buffers_[counts_slot], 1, 1, FABRIC_COUNT_FROZEN);
    put_pins({});
    params_.cloths = static_cast<std::uint32_t>(cloths.size());
    std::vector<std::uint32_t> pace(cloths.size());
    for (const SelfCloth& skin : skins) pace.push_back(skin.collides);
    put(pace_slot, pace);
    self_collides_ =
        std::any_of(skins.begin(), skins.end(), [](const SelfCloth& skin) { return skin.collides; });
    if (self_collides_) self_.set_mesh(corners_of_all, cloth_of_vertex, skins, rest);
}

void Fabrics::put_levels(std::span<const FabricSource> cloths, const std::vector<std::uint32_t>& first) {
    std::vector<const FabricPlan*> plans;
    for (const FabricSource& each : cloths) plans.push_back(each.plan);
    LevelArrays arrays = level_arrays(plans, first, first.back(), padding);
    levels_ = std::move(arrays.levels);
    params_.levels = arrays.first;
    put(mean_slot, arrays.mean);
    put(part_slot, arrays.part);
    put(link_slot, arrays.link);
    put(blend_slot, arrays.blend);
}

void Fabrics::put_vertices(std::span<const float> position, std::span<const float> velocity) {
    device_->upload(buffers_[position_slot], position.data(), 4 * position.size());
    device_->upload(buffers_[velocity_slot], velocity.data(), 4 * velocity.size());
    self_.moved();
}

void Fabrics::put_pins(std::span<const FabricPin> pins) {
    std::vector<float> words;
    for (const FabricPin& pin : pins)
        words.insert(words.end(),
                     {bits(pin.vertex), bits(pin.body), 0, 0, pin.point.x, pin.point.y, pin.point.z, 0});
    put(pin_slot, words);
    params_.pins = static_cast<std::uint32_t>(pins.size());
    const std::size_t entries = std::size_t{FABRIC_SLOTS} * params_.vertices + params_.pins;
    reserve(push_slot, 8 * entries);
    for (const Slot slot : {keys_slot, values_slot}) reserve(slot, entries);
    for (Buffer& buffer : spare_) reserve(buffer, entries);
}

void Fabrics::put_shapes(std::span<const std::uint32_t> table, std::span<const std::uint32_t> words) {
    put(shapes_slot, std::vector<std::uint32_t>(table.begin(), table.end()));
    put(shape_words_slot, std::vector<std::uint32_t>(words.begin(), words.end()));
    params_.shapes = static_cast<std::uint32_t>(table.size() / FABRIC_SHAPE_WORDS);
    reserve(shape_near_slot, std::size_t{4} * params_.shapes);
}

void Fabrics::put_beds(std::span<const Bed> beds) {
    std::vector<std::uint32_t> rows, bodies;
    std::vector<float> boxes;
    for (const Bed& bed : beds) {
        rows.insert(rows.end(),
                    {bed.bit, bed.filter.category, bed.filter.mask,
                     static_cast<std::uint32_t>(bed.filter.group),
                     static_cast<std::uint32_t>(boxes.size() / 8),
                     static_cast<std::uint32_t>(bed.boxes.size() / 2 - 1), bed.self_collides ? 1u : 0u, 0u});
        for (std::size_t k = 0; k < bed.boxes.size(); k += 2) {
            const Vec3 &low = bed.boxes[k], &high = bed.boxes[k + 1];
            boxes.insert(boxes.end(), {low.x, low.y, low.z, 2 * bed.thickness, high.x, high.y, high.z, 0});
        }
        for (const std::uint32_t b : bed.bodies) bodies.insert(bodies.end(), {bed.bit, b});
    }
    put(bed_slot, rows);
    put(bed_box_slot, boxes);
    put(bed_body_slot, bodies);
    params_.beds = static_cast<std::uint32_t>(beds.size());
    bed_bodies_ = static_cast<std::uint32_t>(bodies.size() / 2);
}

std::uint32_t Fabrics::disturbed(const FabricBodies& bodies, const Vec3& gravity, float dt, bool settling) {
    use(bodies);
    params_.gravity_x = gravity.x, params_.gravity_y = gravity.y, params_.gravity_z = gravity.z;
    params_.dt = dt;
    params_.settling = settling;
    reserve(counts_slot, FABRIC_COUNTS);
    device_->fill(buffers_[counts_slot], 0, 1, FABRIC_COUNT_NEAR);
    launch(KernelId::fabric_near, params_.shapes);
    if (!settling) {
        launch(KernelId::fabric_near_cloth, (params_.vertices + FABRIC_PATCH - 1) / FABRIC_PATCH);
        launch(KernelId::fabric_stirred, bed_bodies_);
    }
    std::uint32_t bits = 0;
    device_->download(&bits, buffers_[counts_slot], 4, 4 * FABRIC_COUNT_NEAR);
    return bits;
}

std::vector<float> Fabrics::paces() {
    std::vector<float> speeds(params_.cloths);
    device_->fill(buffers_[pace_slot], 0, params_.cloths);
    launch(KernelId::fabric_paces, (params_.vertices + FABRIC_PATCH - 1) / FABRIC_PATCH);
    device_->download(speeds.data(), buffers_[pace_slot], 4 * speeds.size());
    for (float& speed : speeds) speed = std::sqrt(speed);
    return speeds;
}

void Fabrics::launch(KernelId kernel, std::uint32_t items) {
    if (items) device_->launch(kernel, items, buffers_, &params_, sizeof params_);
}

void Fabrics::use(const FabricBodies& bodies) {
    buffers_[body_position_slot] = bodies.position;
    buffers_[body_rotation_slot] = bodies.rotation;
    buffers_[body_motion_slot] = bodies.motion;
    buffers_[body_inverse_slot] = bodies.inverse_mass;
    buffers_[body_free_slot] = bodies.free;
}

void Fabrics::begin_step(const FabricBodies& bodies, const Vec3& gravity, float dt) {
    use(bodies);
    params_.gravity_x = gravity.x, params_.gravity_y = gravity.y, params_.gravity_z = gravity.z;
    params_.dt = dt;
    if (params_.airy) {
        launch(KernelId::fabric_gust, params_.triangles);
        launch(KernelId::fabric_air, params_.vertices);
    }
    reserve(touched_slot, bodies.count);
    reserve(share_slot, bodies.count);
    device_->fill(buffers_[touched_slot], 0, bodies.count);
    device_->fill(buffers_[counts_slot], 0, 1, FABRIC_COUNT_PUSHES);
    params_.pushes = 0;
    params_.presses = 0;
    touching_ = params_.shapes != 0;
    if (touching_) {
        launch(KernelId::fabric_shape_near, params_.shapes);
        launch(KernelId::fabric_patches, (params_.vertices + FABRIC_PATCH - 1) / FABRIC_PATCH);
        launch(KernelId::fabric_find, params_.vertices);
        launch(KernelId::fabric_part_patches, (params_.parts + FABRIC_PATCH - 1) / FABRIC_PATCH);
    } else if (params_.pins) {
        device_->fill(buffers_[keys_slot], FABRIC_NONE, std::size_t{FABRIC_SLOTS} * params_.vertices);
    }
    launch(KernelId::fabric_pin_keys, params_.pins);
    if (touching_) find_presses();
    if (self_collides_) self_.begin_step(buffers_[position_slot], buffers_[velocity_slot], dt, gravity);
    if (!touching_ && !params_.pins) return;
    if (params_.presses) {
        reserve(loads_slot, std::size_t{params_.vertices} + bodies.count);
        sort_presses();
    }
    device_->download(&params_.pushes, buffers_[counts_slot], 4, 4 * FABRIC_COUNT_PUSHES);
    if (params_.pushes == 0) return;
    const std::uint32_t entries = FABRIC_SLOTS * params_.vertices + params_.pins;
    device_->sort(buffers_[keys_slot], buffers_[values_slot], spare_[0], spare_[1], entries, 32);
    launch(KernelId::fabric_shares, params_.pushes);
}

void Fabrics::find_presses() {
    for (;;) {
        device_->fill(buffers_[counts_slot], 0, 1, FABRIC_COUNT_PRESSES);
        launch(KernelId::fabric_part_find, params_.parts);
        device_->download(&params_.presses, buffers_[counts_slot], 4, 4 * FABRIC_COUNT_PRESSES);
        if (params_.presses <= params_.room) return;
        const std::uint32_t room = std::max(64u, params_.presses + params_.presses / 2);
        params_.room = 0; // until there is memory for all of them
        reserve(press_slot, std::size_t{4} * FABRIC_PRESS * room);
        reserve(press_push_slot, std::size_t{8} * room);
        reserve(press_bodies_slot, std::size_t{2} * room);
        reserve(press_body_of_slot, room);
        reserve(press_vertices_slot, std::size_t{6} * room);
        reserve(press_vertex_of_slot, std::size_t{3} * room);
        reserve(press_spare_[0], std::size_t{6} * room);
        reserve(press_spare_[1], std::size_t{3} * room);
        params_.room = room;
    }
}

void Fabrics::sort_presses() {
    device_->sort64(buffers_[press_bodies_slot], buffers_[press_body_of_slot], press_spare_[0],
                    press_spare_[1], params_.presses, 64);
    device_->sort64(buffers_[press_vertices_slot], buffers_[press_vertex_of_slot], press_spare_[0],
                    press_spare_[1], 3 * params_.presses, 64);
}

void Fabrics::plan_sweep() {
    stages_.clear();
    const auto add = [&](KernelId kernel, std::uint32_t first, std::uint32_t items) {
        if (items) stages_.push_back({kernel, first, items});
    };
    for (const LevelRange& level : levels_) add(KernelId::fabric_mean, level.first, level.count);
    for (std::size_t k = levels_.size(); k-- > 0;) {
        const LevelRange& level = levels_[k];
        for (int round = 0; round < level_sweeps; ++round)
            for (const ColourRange& colour : level.links)
                add(KernelId::fabric_link, colour.first, colour.count);
        add(KernelId::fabric_moved, level.first, level.count);
        add(KernelId::fabric_spread, k ? levels_[k - 1].first : 0,
            k ? levels_[k - 1].count : params_.vertices);
    }
    for (const ColourRange& colour : edges_) add(KernelId::fabric_stretch, colour.first, colour.count);
    for (const ColourRange& colour : hinges_) add(KernelId::fabric_bend, colour.first, colour.count);
    if (tethered_) add(KernelId::fabric_tether, 0, params_.vertices);

    std::vector<std::uint32_t> words;
    widest_ = 0;
    for (const Stage& stage : stages_) {
        words.insert(words.end(), {static_cast<std::uint32_t>(stage.kernel), stage.first, stage.items});
        widest_ = std::max(widest_, stage.items);
    }
    put(stages_slot, words);
}

void Fabrics::sweep() {
    if (stages_.empty() ||
        device_->sweep_cloth(buffers_, {params_, 0, static_cast<std::uint32_t>(stages_.size()), widest_}))
        return;
    for (const Stage& stage : stages_) {
        params_.first = stage.first;
        launch(stage.kernel, stage.items);
    }
}

void Fabrics::smaller_step() {
    const std::uint32_t n = params_.vertices;
    if (self_collides_) self_.begin_substep(buffers_[position_slot], params_.h);
    launch(KernelId::fabric_predict, n);
    params_.first = 0;
    launch(KernelId::fabric_hold, params_.pins);
    sweep();
    if (touching_) launch(KernelId::fabric_touch, n);
    if (params_.pushes) {
        params_.first = 1;
        launch(KernelId::fabric_hold, params_.pins);
        launch(KernelId::fabric_bodies, params_.pushes);
    }
    for (int k = 0; k < press_rounds && params_.presses; ++k) {
        launch(KernelId::fabric_press_mark, params_.presses);
        launch(KernelId::fabric_press, params_.presses);
        launch(KernelId::fabric_press_yield, 3 * params_.presses);
        launch(KernelId::fabric_press_bodies, params_.presses);
    }
    if (self_collides_) {
        self_.push(buffers_[position_slot], buffers_[start_slot], params_.h);
        self_.truncate(buffers_[position_slot], buffers_[start_slot],
                       touching_ ? buffers_[support_slot] : Buffer{});
    }
    launch(KernelId::fabric_finish, n);
    if (self_collides_) {
        buffers_[load_slot] = self_.load();
        launch(KernelId::fabric_load, n);
        params_.first = 2;
        if (touching_) launch(KernelId::fabric_bodies, params_.pushes);
    }
}

void Fabrics::substep(const FabricBodies& bodies, float h) {
    use(bodies);
    params_.h = h / static_cast<float>(inner_steps);
    params_.inverse_h = 1 / params_.h;
    params_.inverse_square = params_.inverse_h * params_.inverse_h;
    for (std::uint32_t k = 1; k <= inner_steps; ++k) {
        params_.since = params_.h * static_cast<float>(k);
        smaller_step();
    }
}

SelfCounters Fabrics::self_counters() { return self_collides_ ? self_.read_counters() : SelfCounters{}; }

bool Fabrics::frozen() const {
    std::uint32_t flag = 0;
    device_->download(&flag, buffers_[counts_slot], 4, 4 * FABRIC_COUNT_FROZEN);
    return flag != 0;
}

void Fabrics::download(std::uint32_t first, std::span<float> position, std::span<float> velocity) const {
    const std::size_t offset = 16 * std::size_t{first};
    device_->download(position.data(), buffers_[position_slot], 4 * position.size(), offset);
    device_->download(velocity.data(), buffers_[velocity_slot], 4 * velocity.size(), offset);
}

} // namespace scree
