// SPDX-License-Identifier: MIT
// draw_list.cpp — see draw_list.h.
#include "render/draw_list.h"

#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace scree::render {

namespace {

/// What the pool sorts by, the dearest to change first: pass, program, textures, raster, lights, mesh.
std::uint64_t sort_key(const RenderItem& item, MeshId mesh) {
    const DrawState& s = item.state;
    const std::uint64_t program = body_variant(s);
    // masks are many; a hash keeps equal ones together, and what it confuses costs a state change, no more
    const std::uint64_t lights = (item.lights * 0x9e3779b97f4a7c15ull) >> 52;
    return std::uint64_t{s.transparent} << 63 | program << 61 | (s.albedo.value & 0xfffull) << 49 |
           (s.normal_map.value & 0xfffull) << 37 | std::uint64_t{s.two_sided} << 36 | lights << 24 |
           (mesh.value & 0xffffffull);
}

} // namespace

std::span<const std::uint32_t> DrawList::records_of(const RenderItem& item) const {
    return item.geometry->instanced ? std::span<const std::uint32_t>(item.geometry->records)
                                    : std::span(&item.single, 1);
}

void DrawList::analyse(const DescriptionTree& description, const PositionTree& positions) {
    const bool changed = description.revision() != description_revision_;
    if (changed) {
        for (const RenderItem& item : items_)
            if (item.single != no_record) {
                instances_.remove_pose(instances_.pose_of(item.single));
                instances_.remove_record(item.single);
            }
        items_.clear();
        things_ = 0;
        std::map<std::vector<const Technique*>, std::uint32_t> lists;
        for (const DescriptionId leaf : description.leaves()) {
            RenderItem item;
            item.leaf = leaf;
            item.geometry = &description.geometry(leaf);
            item.state = description.state(leaf);
            item.list = lists.try_emplace(description.path(leaf), static_cast<std::uint32_t>(lists.size()))
                            .first->second;
            items_.push_back(item);
            things_ +=
                item.geometry->instanced ? static_cast<std::uint32_t>(item.geometry->records.size()) : 1;
        }
        list_count_ = static_cast<std::uint32_t>(lists.size());
        order_.resize(items_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return items_[a].list < items_[b].list; });
        description_revision_ = description.revision();
        chunk_revision_ =
            ~std::uint64_t{0}; // theirs are made below, or with the next frame if something throws before
        ++flattenings_;
    }
    if (!changed && description.texture_revision() != texture_revision_)
        for (RenderItem& item : items_) item.state = description.state(item.leaf);
    texture_revision_ = description.texture_revision();
    if (changed || positions.revision() != position_revision_) place_singles(positions);
    const bool was_on_gpu = on_gpu_;
    choose_place();
    if (instances_.record_revision() != chunk_revision_ || on_gpu_ != was_on_gpu) make_chunks();
}

void DrawList::leave_gpu(const std::string& reason) {
    left_gpu_ = reason;
    gpu_.release();
}

void DrawList::choose_place() {
    if (!left_gpu_.empty() && instances_.shared())
        throw Error("poses that a world's device wrote are culled on the GPU alone: " + left_gpu_);
    constexpr std::uint32_t many = 20000;
    on_gpu_ =
        may_cull_on_gpu() && (instances_.shared() || culling_ == Culling::gpu ||
                              (culling_ == Culling::automatic && things_ >= many && !backend_.software()));
}

void DrawList::place_singles(const PositionTree& positions) {
    position_revision_ = positions.revision();
    for (RenderItem& item : items_) {
        const GeometryNode& geometry = *item.geometry;
        if (geometry.instanced) continue;
        const Transform at = positions.world(geometry.position);
        if (item.single == no_record) {
            Record record;
            record.pose = instances_.add_pose(at);
            record.place = geometry.offset.position;
            record.turn = geometry.offset.rotation;
            record.size = geometry.size;
            record.stretch = geometry.stretch;
            record.bevel = geometry.bevel;
            record.material = item.state.material;
            if (!record.material.colour) record.material.colour = Vec3{0.8f, 0.8f, 0.8f};
            item.single = instances_.add_record(record);
        } else {
            instances_.set_pose(instances_.pose_of(item.single), at);
        }
    }
}

void DrawList::make_chunks() {
    chunks_.clear();
    // set at the end: what throws on the way is made anew with the next frame
    chunk_revision_ = measured_revision_ = ~std::uint64_t{0};
    if (on_gpu_) {
        gpu_.begin_items();
        for (RenderItem& item : items_) {
            item.chunk_count = 0;
            item.largest = 0;
            for (const std::uint32_t record : records_of(item))
                item.largest = std::max(item.largest, instances_.extent(record));
            gpu_.add_item(records_of(item), !item.geometry->unbounded);
        }
        gpu_.end_items();
        chunk_revision_ = instances_.record_revision();
        return;
    }
    for (RenderItem& item : items_) {
        const auto records = records_of(item);
        item.first_chunk = static_cast<std::uint32_t>(chunks_.size());
        for (std::size_t first = 0; first < records.size(); first += chunk_size)
            chunks_.push_back(reader_.describe(records, static_cast<std::uint32_t>(first)));
        item.chunk_count = static_cast<std::uint32_t>(chunks_.size()) - item.first_chunk;
        item.largest = 0;
        for (const std::uint32_t record : records)
            item.largest = std::max(item.largest, instances_.extent(record));
    }
    chunk_revision_ = instances_.record_revision();
}

Bounds DrawList::bounds() {
    if (instances_.pose_revision() == measured_revision_) return bounds_;
    measured_revision_ = ~std::uint64_t{0};
    bounds_ = {};
    if (on_gpu_) {
        gpu_.measure(measured_);
        measured_revision_ = instances_.pose_revision();
        for (std::size_t i = 0; i < items_.size(); ++i) {
            RenderItem& item = items_[i];
            item.bounds = item.geometry->level ? item.geometry->level->bounds(item.geometry->level_part)
                                               : measured_[i];
            if (!item.bounds.empty()) bounds_.add(item.bounds);
        }
        return bounds_;
    }
    for (RenderItem& item : items_) {
        item.bounds = {};
        if (item.geometry->unbounded) continue;
        const auto records = records_of(item);
        for (Chunk& chunk : chunks_of(item)) {
            chunk.bounds = item.geometry->level ? item.geometry->level->bounds(item.geometry->level_part)
                                                : bounds_of(reader_.lanes(chunk, records));
            item.bounds.add(chunk.bounds);
        }
        if (!item.bounds.empty()) bounds_.add(item.bounds);
    }
    measured_revision_ = instances_.pose_revision();
    return bounds_;
}

std::uint32_t* DrawList::room_for(std::size_t count) {
    if (ids_.size() < id_count_ + count) ids_.resize((id_count_ + count) * 3 / 2);
    return ids_.data() + id_count_;
}

/// Squares of the distances, for a size of 1, beyond which a level will do; each at least that of the level before.
struct DrawList::Levels {
    std::size_t count = 1;
    std::array<float, most_levels> beyond{};
};

void DrawList::gather(const View& view) {
    batches_.clear();
    casters_.clear();
    ranges_.clear();
    id_count_ = 0;
    visible_ = 0;
    if (on_gpu_) {
        gpu_.begin_frame();
        visible_ = gpu_.seen_before();
    }
    hides_ = on_gpu_ && view.hide;
    if (hides_) main_hiding_ = hiding_view(view.view_projection, 0, view.width, view.height);
    const Frustum frustum(view.view_projection);
    // crowds are drawn coarser, up to three times the error
    const float tolerance =
        view.lod_error * std::clamp(std::sqrt(static_cast<float>(things_) / 10000), 1.0f, 3.0f);
    for (RenderItem& item : items_) {
        if (!item.geometry->drawn) {
            item.seen = 0;
            item.first_of_all = no_record;
            continue;
        }
        // the GPU's lists hold whole meshes: there levels are culled like everything else
        if (item.geometry->level && !on_gpu_) {
            gather_part(item, view, frustum);
            continue;
        }
        const auto& meshes = item.geometry->mesh.levels;
        Levels levels;
        levels.count = view.lod ? std::min(meshes.size(), most_levels) : 1;
        for (std::size_t l = 1; l < levels.count; ++l) {
            const float d = meshes[l].error * view.pixels_per_metre / tolerance;
            levels.beyond[l] = std::max(d * d, levels.beyond[l - 1]);
        }
        if (on_gpu_) gather_on_gpu(item, view, frustum, levels);
        else gather_item(item, view, frustum, levels);
    }
    if (on_gpu_) gpu_.end_main_view();
}

void DrawList::gather_on_gpu(RenderItem& item, const View& view, const Frustum& frustum,
                             const Levels& levels) {
    const auto records = records_of(item);
    const bool unbounded = item.geometry->unbounded;
    item.centre = item.bounds.empty() ? Vec3{} : item.bounds.centre();
    item.radius = unbounded ? 1e30f : item.bounds.radius();
    if (records.empty()) return;
    CullJob job;
    if (view.cull && !unbounded) {
        const Side side = frustum.side(item.bounds).side;
        if (side == Side::outside) return;
        if (side == Side::across) job.plane_count = 6;
    }
    job.planes = frustum.planes;
    job.eye = quad(view.eye);
    const Bins bins = bins_of(item, view.eye);
    job.bins = static_cast<std::uint32_t>(bins.count);
    job.nearest = bins.nearest;
    job.bin_scale = bins.scale;
    job.levels = static_cast<std::uint32_t>(levels.count);
    job.beyond = levels.beyond;
    std::array<MeshId, most_levels> meshes{};
    for (std::size_t l = 0; l < levels.count; ++l) meshes[l] = item.geometry->mesh.levels[l].mesh;
    const auto number = static_cast<std::uint32_t>(&item - items_.data());
    const bool hides = hides_ && may_hide(item) && !item.state.transparent;
    for (const Turn turn : {Turn::first, Turn::view}) {
        if (turn == Turn::view && !hides) break;
        if (hides) gpu_.hide(job, main_hiding_, turn);
        const GpuCulling::Lists lists = gpu_.add(number, job, std::span(meshes).first(levels.count), turn);
        for (std::uint32_t l = 0; l < levels.count; ++l)
            batches_.push_back({0,
                                number,
                                meshes[l],
                                lists.first + l * lists.stride,
                                static_cast<std::uint32_t>(records.size()),
                                lists.command + l,
                                {},
                                turn != Turn::first});
    }
}

/// Single things hide others and are never worth the question.
bool DrawList::may_hide(const RenderItem& item) const {
    return !item.geometry->unbounded && records_of(item).size() >= 64;
}

HidingView DrawList::hiding_view(const Mat4& matrix, std::uint32_t number, int width, int height) {
    return {matrix, width, height, number, gpu_.add_cells(width, height)};
}

DrawList::Bins DrawList::bins_of(const RenderItem& item, Vec3 eye) const {
    const std::size_t records = records_of(item).size();
    if (item.geometry->unbounded || item.bounds.empty()) return {};
    const DistanceRange range = distance_range(item.bounds, eye);
    Bins bins{std::clamp<std::size_t>(records / 4, 1, most_bins), range.nearest, 0};
    if (range.farthest > range.nearest)
        bins.scale = static_cast<float>(bins.count) / (range.farthest - range.nearest);
    return bins;
}

/// A part of a level: all of it counts for lights, so that the order of draws does not depend on what is seen.
void DrawList::gather_part(RenderItem& item, const View& view, const Frustum& frustum) {
    item.seen = 0;
    item.first_of_all = no_record;
    item.centre = item.bounds.empty() ? Vec3{} : item.bounds.centre();
    item.radius = item.bounds.radius();
    if (records_of(item).empty()) return;
    const GeometryNode& geometry = *item.geometry;
    const bool by_cells =
        std::find(view.levels.begin(), view.levels.end(), geometry.level) != view.levels.end();
    const IndexRange part = by_cells ? geometry.level->seen(geometry.level_part) : IndexRange{};
    if (by_cells ? part.count == 0 : view.cull && frustum.side(item.bounds).side == Side::outside) return;
    item.first_id = all_records(item);
    item.seen = 1;
    ++visible_;
    batches_.push_back({0, static_cast<std::uint32_t>(&item - items_.data()), geometry.mesh.levels[0].mesh,
                        item.first_id, 1, no_record, part});
}

namespace {

constexpr std::size_t most_looked_for = 4096; // beyond, chunks are looked for, and not each thing

bool seen_by(std::span<LevelView* const> levels, const Bounds& bounds) {
    return std::all_of(levels.begin(), levels.end(), [&](LevelView* level) { return level->sees(bounds); });
}

/// Sets `key` for things that no cell shows.
void mark_hidden(const ChunkLanes& lanes, std::span<LevelView* const> levels, std::int32_t key,
                 ChunkKeys& keys) {
    for (std::uint32_t i = 0; i < lanes.count; ++i) {
        if (keys[i] == key) continue;
        Bounds bounds;
        bounds.add({lanes.places[4 * i], lanes.places[4 * i + 1], lanes.places[4 * i + 2]}, lanes.reach[i]);
        if (!seen_by(levels, bounds)) keys[i] = key;
    }
}

} // namespace

// near before far, roughly: what is behind is not shaded when what is before it was drawn first
void DrawList::gather_item(RenderItem& item, const View& view, const Frustum& frustum, const Levels& levels) {
    const bool unbounded = item.geometry->unbounded;
    const auto records = records_of(item);
    const auto chunks = chunks_of(item);
    // chunks first: those outside are left out, the others say between which distances everything lies
    const bool test = view.cull && !unbounded && frustum.side(item.bounds).side != Side::inside;
    const bool rooms = !view.levels.empty() && !unbounded;
    sides_.assign(chunks.size(), {});
    std::size_t candidates = 0;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        if (test) sides_[c] = frustum.side(chunks[c].bounds);
        if (rooms && sides_[c].side != Side::outside && !seen_by(view.levels, chunks[c].bounds))
            sides_[c].side = Side::outside;
        if (sides_[c].side == Side::outside) continue;
        candidates += chunks[c].count;
    }
    // a key is level * bins + bin; what is not seen has the key after the last
    const Bins binned = bins_of(item, view.eye);
    const std::size_t bins = binned.count;
    const auto step = static_cast<std::int32_t>(bins);
    const auto unseen = static_cast<std::int32_t>(levels.count * bins);
    for (auto& table : places_) std::fill_n(table.begin(), unseen + 1, 0u);
    if (keys_.size() < candidates) keys_.resize(candidates * 3 / 2);
    Bounds seen_bounds;
    std::uint16_t* out = keys_.data();
    ChunkFloats distance;
    ChunkKeys keys;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        if (sides_[c].side == Side::outside) continue;
        const Chunk& chunk = chunks[c];
        const ChunkLanes lanes = reader_.lanes(chunk, records);
        distance_keys(lanes, view.eye, binned.nearest, binned.scale, static_cast<float>(bins - 1), distance,
                      keys);
        // levels that all or none of it has need no look at each; a little room for rounding
        const DistanceRange of = unbounded ? DistanceRange{0, 1e30f} : distance_range(chunk.bounds, view.eye);
        const float nearest = of.nearest * of.nearest * 0.999f, farthest = of.farthest * of.farthest * 1.001f;
        std::int32_t sure = 0;
        for (std::size_t l = 1; l < levels.count; ++l) {
            const float beyond = levels.beyond[l];
            if (farthest <= beyond * chunk.smallest * chunk.smallest) break;
            if (nearest > beyond * chunk.largest * chunk.largest) sure += step;
            else add_level(lanes, distance, beyond, step, keys);
        }
        const bool each = rooms && candidates <= most_looked_for;
        if (sides_[c].side == Side::across || each) {
            for (std::uint32_t i = 0; i < chunk.count; ++i) keys[i] += sure;
            sure = 0;
            mark_outside(lanes, frustum, sides_[c].across, unseen, keys);
            if (each) mark_hidden(lanes, view.levels, unseen, keys);
            seen_bounds.add(bounds_of(lanes, keys, unseen));
        } else {
            seen_bounds.add(chunk.bounds);
        }
        count_keys(std::span(keys).first(chunk.count), sure, out, places_);
        out += chunk.count;
    }
    const Bounds& bounds = test || rooms ? seen_bounds : item.bounds;
    item.centre = bounds.empty() ? Vec3{} : bounds.centre();
    item.radius = unbounded ? 1e30f : bounds.radius();

    // counts become places, levels become batches
    std::uint32_t* ids = room_for(candidates);
    std::uint32_t at = 0;
    const auto number = static_cast<std::uint32_t>(&item - items_.data());
    item.first_id = static_cast<std::uint32_t>(id_count_);
    for (std::size_t l = 0; l < levels.count; ++l) {
        const std::uint32_t before = at;
        for (std::size_t k = l * bins; k < (l + 1) * bins; ++k)
            for (auto& table : places_) at += std::exchange(table[k], at);
        if (at > before)
            batches_.push_back({0,
                                number,
                                item.geometry->mesh.levels[l].mesh,
                                item.first_id + before,
                                at - before,
                                no_record,
                                {}});
    }
    item.seen = at;
    for (auto& table : places_) at += std::exchange(table[static_cast<std::size_t>(unseen)], at);
    const std::uint16_t* key = keys_.data();
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        if (sides_[c].side == Side::outside) continue;
        place_by_key(records.subspan(chunks[c].first, chunks[c].count), key, places_, ids);
        key += chunks[c].count;
    }
    // what is not seen lies at the end
    id_count_ += item.seen;
    visible_ += item.seen;
    item.first_of_all = item.seen == records.size() ? item.first_id : no_record;
}

void DrawList::light(const LightList& lights, bool culling) {
    const LightMask everywhere = lights.everywhere();
    for (RenderItem& item : items_) {
        item.lights = (everywhere | item.state.lights) & lights.alive();
        if (culling) item.lights = lights.reaching(item.centre, item.radius, item.lights);
    }
    // groups: neighbours when sorted
    by_group_.resize(items_.size());
    std::iota(by_group_.begin(), by_group_.end(), 0u);
    std::sort(by_group_.begin(), by_group_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const RenderItem &one = items_[a], &other = items_[b];
        if (one.lights != other.lights) return one.lights < other.lights;
        // by bits: numbers that are none have an order, too
        const auto bits = [](const RenderItem& item) {
            return std::bit_cast<std::array<std::uint32_t, 4>>(item.state.window);
        };
        const auto first = bits(one), second = bits(other);
        return first != second ? first < second : a < b;
    });
    group_first_.clear();
    for (const std::uint32_t i : by_group_) {
        const RenderItem* last = group_first_.empty() ? nullptr : &items_[group_first_.back()];
        if (!last || last->lights != items_[i].lights || last->state.window != items_[i].state.window)
            group_first_.push_back(i);
        items_[i].group = static_cast<std::uint32_t>(group_first_.size() - 1);
    }
    // the keys need the lights; equal keys of one mesh become one draw, so their records move together
    sorted_ = batches_;
    for (Batch& batch : sorted_) batch.key = sort_key(items_[batch.item], batch.mesh);
    std::sort(sorted_.begin(), sorted_.end(), [&](const Batch& a, const Batch& b) {
        const std::uint32_t one = items_[a.item].group, other = items_[b.item].group;
        return a.key != b.key ? a.key < b.key : one != other ? one < other : a.first < b.first;
    });
    for (std::size_t b = 0; b < sorted_.size(); ++b) {
        Batch& batch = sorted_[b];
        if (batch.command != no_record) continue;
        const bool alone = (b == 0 || sorted_[b - 1].key != batch.key) &&
                           (b + 1 == sorted_.size() || sorted_[b + 1].key != batch.key);
        if (alone) continue;
        std::uint32_t* to = room_for(batch.count);
        std::copy_n(ids_.begin() + batch.first, batch.count, to);
        batch.first = static_cast<std::uint32_t>(id_count_);
        id_count_ += batch.count;
    }
    // neighbours of the same state and mesh lie side by side in the instance buffer now
    std::size_t kept = 0;
    for (const Batch& batch : sorted_) {
        Batch* last = kept > 0 ? &sorted_[kept - 1] : nullptr;
        const RenderItem& item = items_[batch.item];
        if (last && batch.command == no_record && last->command == no_record && last->key == batch.key &&
            last->mesh == batch.mesh && items_[last->item].group == item.group &&
            items_[last->item].state.albedo == item.state.albedo &&
            items_[last->item].state.normal_map == item.state.normal_map)
            last->count += batch.count;
        else sorted_[kept++] = batch;
    }
    sorted_.resize(kept);
}

/// Those of the item's records that are inside the first planes; returns how many.
std::uint32_t DrawList::append_inside(const RenderItem& item, const Frustum& frustum, std::size_t planes) {
    const auto records = records_of(item);
    std::uint32_t* to = room_for(records.size());
    ChunkKeys outside;
    for (const Chunk& chunk : chunks_of(item)) {
        const Against against = frustum.side(chunk.bounds, planes);
        if (against.side == Side::outside) continue;
        const auto these = records.subspan(chunk.first, chunk.count);
        if (against.side == Side::inside) {
            to = std::copy(these.begin(), these.end(), to);
            continue;
        }
        outside.fill(0);
        mark_outside(reader_.lanes(chunk, records), frustum, against.across, 1, outside);
        for (std::uint32_t i = 0; i < chunk.count; ++i) {
            *to = these[i];
            to += 1 - outside[i];
        }
    }
    const auto count = static_cast<std::uint32_t>(to - ids_.data() - static_cast<std::ptrdiff_t>(id_count_));
    id_count_ += count;
    return count;
}

namespace {

constexpr std::array<float, 3> crowd_errors{0.0f, 0.07f, 0.25f};
/// By how many there are; the twin is SCAN in shaders/cull.glsl.
std::size_t crowd_of(std::uint32_t count) { return count > 20000 ? 2 : count > 2000 ? 1 : 0; }

} // namespace

/// The coarsest that is good enough. Of a crowd nobody sees the shadow of one: coarser, or millions of triangles would be spent on it.
std::size_t DrawList::caster_level(const RenderItem& item, std::size_t crowd, float texel,
                                   bool orthographic) const {
    const auto& levels = item.geometry->mesh.levels;
    const float error = std::max(0.5f * texel, crowd_errors[crowd] * item.largest);
    std::size_t level = 0;
    for (; level + 1 < levels.size(); ++level) {
        // points have a size in the sun's map only
        const bool points = meshes_.range(levels[level + 1].mesh).points;
        const float most = points && crowd == 2 ? 1.1f * texel : error;
        if ((points && !orthographic) || levels[level + 1].error * item.largest >= most) break;
    }
    return level;
}

void DrawList::casters_on_gpu(std::uint32_t number, const Frustum& frustum, std::size_t planes, float texel,
                              const HidingView* hiding) {
    const RenderItem& item = items_[number];
    const auto count = static_cast<std::uint32_t>(records_of(item).size());
    const Side side = frustum.side(item.bounds, planes).side;
    if (count == 0 || side == Side::outside) return;
    CullJob job;
    job.planes = frustum.planes;
    job.plane_count = side == Side::across ? static_cast<std::uint32_t>(planes) : 0;
    job.casters = 1;
    // a command for each level that it may come to, which only the GPU knows
    std::array<MeshId, 3> meshes{};
    std::uint32_t commands = 0;
    std::size_t last = most_levels;
    for (std::size_t crowd = 0; crowd <= crowd_of(count); ++crowd) {
        const std::size_t level = caster_level(item, crowd, texel, planes == 4);
        if (level != last) meshes[commands++] = item.geometry->mesh.levels[level].mesh;
        last = level;
        job.level_for[crowd] = commands - 1;
    }
    // the corners of a point's square reach out
    if (meshes_.range(item.geometry->mesh.levels[last].mesh).points) job.slack = 0.1f * item.largest;
    const bool hides = hiding && may_hide(item);
    for (const Turn turn : {Turn::first, Turn::casters}) {
        if (turn == Turn::casters && !hides) break;
        if (hides) gpu_.hide(job, *hiding, turn);
        const GpuCulling::Lists lists = gpu_.add(number, job, std::span(meshes).first(commands), turn);
        for (std::uint32_t c = 0; c < commands; ++c)
            casters_.push_back(
                {0, number, meshes[c], lists.first, count, lists.command + c, {}, turn != Turn::first});
    }
}

/// Where all records of the item are in the instance buffer. Once is enough: often the view has them all, too, or another cascade.
std::uint32_t DrawList::all_records(RenderItem& item) {
    if (item.first_of_all != no_record) return item.first_of_all;
    const auto records = records_of(item);
    std::copy(records.begin(), records.end(), room_for(records.size()));
    item.first_of_all = static_cast<std::uint32_t>(id_count_);
    id_count_ += records.size();
    return item.first_of_all;
}

void DrawList::cast_part(std::uint32_t number, const Frustum& frustum, std::size_t planes, bool by_cells) {
    RenderItem& item = items_[number];
    const GeometryNode& geometry = *item.geometry;
    if (records_of(item).empty()) return;
    by_cells = by_cells && geometry.level->lit();
    const MeshRange& mesh = meshes_.range(geometry.mesh.levels[0].mesh);
    const IndexRange part = by_cells ? geometry.level->casting(geometry.level_part)
                                     : IndexRange{mesh.first_index, mesh.index_count};
    if (part.count == 0 || frustum.side(item.bounds, planes).side == Side::outside) return;
    casters_.push_back({0, number, geometry.mesh.levels[0].mesh, all_records(item), 1, no_record, part});
}

/// Of depths any order is as good: that in which one call draws most. They show no material: parts of a level that lie side by side in
/// the index buffer are one draw.
DrawList::Range DrawList::end_range(std::uint32_t begin) {
    const auto order = [&](const Batch& batch) {
        return std::tuple(batch.again, items_[batch.item].state.two_sided, !plain(batch),
                          meshes_.range(batch.mesh).points, batch.part.first, batch.item);
    };
    const auto follows = [&](const Batch& batch, const Batch& last) {
        const RenderItem &item = items_[batch.item], &before = items_[last.item];
        return batch.part.count > 0 && last.part.first + last.part.count == batch.part.first &&
               item.geometry->level == before.geometry->level &&
               item.state.two_sided == before.state.two_sided;
    };
    if (!on_gpu_) {
        std::sort(casters_.begin() + begin, casters_.end(),
                  [&](const Batch& a, const Batch& b) { return order(a) < order(b); });
        std::size_t kept = begin;
        for (std::size_t i = begin; i < casters_.size(); ++i)
            if (kept > begin && follows(casters_[i], casters_[kept - 1]))
                casters_[kept - 1].part.count += casters_[i].part.count;
            else casters_[kept++] = casters_[i];
        casters_.resize(kept);
    }
    const Range range{begin, static_cast<std::uint32_t>(casters_.size()) - begin};
    ranges_.push_back(range);
    return range;
}

DrawList::Range DrawList::gather_casters(const Mat4& matrix, bool orthographic, float texel, bool by_cells,
                                         bool transparent_too, const HidingView* hiding) {
    const auto begin = static_cast<std::uint32_t>(casters_.size());
    const Frustum frustum(matrix);
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        RenderItem& item = items_[i];
        const GeometryNode& geometry = *item.geometry;
        if (!geometry.casts_shadow || !item.state.casts_shadow || geometry.unbounded) continue;
        if (item.state.transparent && !transparent_too) continue;
        const std::size_t planes = orthographic ? 4 : 6;
        if (on_gpu_) {
            casters_on_gpu(i, frustum, planes, texel, hiding);
            continue;
        }
        if (geometry.level) {
            cast_part(i, frustum, planes, by_cells);
            continue;
        }
        const auto records = records_of(item);
        auto first = static_cast<std::uint32_t>(id_count_);
        auto count = static_cast<std::uint32_t>(records.size());
        if (frustum.side(item.bounds, planes).side != Side::inside) {
            count = append_inside(item, frustum, planes);
        } else {
            first = all_records(item);
        }
        if (count == 0) continue;
        const std::size_t level = caster_level(item, crowd_of(count), texel, orthographic);
        casters_.push_back({0, i, geometry.mesh.levels[level].mesh, first, count, no_record, {}});
    }
    return end_range(begin);
}

namespace {

/// How much of its bevel a thing has: 0 none, 1 all, 2 depends on where the eye is. The twin is world_position() in
/// shaders/instance.glsl.
std::uint32_t bevel_of(float bevel, float reach, float away, float pixels) {
    const float wide = bevel * pixels, near = std::max(away - reach, 0.0f), far = away + reach;
    return wide < 1.19f * near ? 0 : wide > 2.61f * far ? 1 : 2;
}

} // namespace

std::size_t DrawList::most_described() const {
    return 8 + 5 * items_.size() + 13 * std::min<std::size_t>(things_, most_compared);
}

bool DrawList::describe(Range range, bool by_cells, Vec3 eye, float pixels,
                        std::vector<std::uint32_t>& numbers) {
    const auto add = [&](std::uint64_t number) {
        numbers.push_back(static_cast<std::uint32_t>(number));
        numbers.push_back(static_cast<std::uint32_t>(number >> 32));
    };
    const auto add_floats = [&](std::span<const float> floats) {
        for (const float f : floats) numbers.push_back(std::bit_cast<std::uint32_t>(f));
    };
    add(description_revision_);
    add(instances_.record_revision());
    std::uint32_t things = 0;
    bool eye_matters = false;
    for (const Batch& batch : std::span(casters_).subspan(range.first, range.count)) {
        things += batch.count;
        if (on_gpu_ || things > most_compared) return false;
        const LevelView* level = items_[batch.item].geometry->level;
        // the frame's list of triangles has a level's faces anywhere: the version says which they are
        for (const std::uint32_t number :
             {batch.mesh.value, meshes_.range(batch.mesh).edits, batch.part.count,
              level && by_cells ? level->casting_version() : 0, batch.count})
            numbers.push_back(number);
        // they may lie in the order of the view
        const auto first = ids_.begin() + static_cast<std::ptrdiff_t>(batch.first);
        described_.assign(first, first + static_cast<std::ptrdiff_t>(batch.count));
        if (!std::is_sorted(described_.begin(), described_.end()))
            std::sort(described_.begin(), described_.end());
        for (const std::uint32_t record : described_) {
            const std::uint32_t pose = instances_.pose_of(record);
            numbers.push_back(record);
            const float* place = instances_.place(pose);
            add_floats({place, 4});
            add_floats({instances_.turn(pose), 4});
            const float bevel = instances_.record(record).bevel, scale = 1 + place[3];
            if (bevel <= 0) continue;
            numbers.push_back(bevel_of(bevel * scale, instances_.reach(record) * scale,
                                       length(instances_.pose_position(pose) - eye), pixels));
            eye_matters = eye_matters || numbers.back() == 2;
        }
    }
    if (eye_matters) add_floats(std::array{eye.x, eye.y, eye.z, pixels});
    return true;
}

DrawList::Range DrawList::gather_records(std::span<const std::uint32_t> records) {
    const auto begin = static_cast<std::uint32_t>(casters_.size());
    wanted_.assign(records.begin(), records.end());
    std::sort(wanted_.begin(), wanted_.end());
    for (std::uint32_t i = 0; i < items_.size() && !wanted_.empty(); ++i) {
        const auto first = static_cast<std::uint32_t>(id_count_);
        const auto all = records_of(items_[i]);
        std::uint32_t* to = room_for(all.size());
        if (on_gpu_)
            for (const std::uint32_t record : all)
                if (std::binary_search(wanted_.begin(), wanted_.end(), record)) *to++ = record;
        for (const Chunk& chunk : chunks_of(items_[i])) {
            if (chunk.straight) {
                const auto from = std::lower_bound(wanted_.begin(), wanted_.end(), chunk.first_record);
                to = std::copy(from, std::lower_bound(from, wanted_.end(), chunk.first_record + chunk.count),
                               to);
                continue;
            }
            for (const std::uint32_t record : all.subspan(chunk.first, chunk.count))
                if (std::binary_search(wanted_.begin(), wanted_.end(), record)) *to++ = record;
        }
        const auto count = static_cast<std::uint32_t>(to - ids_.data()) - first;
        id_count_ += count;
        if (count > 0)
            casters_.push_back({0, i, items_[i].geometry->mesh.levels[0].mesh, first, count, no_record, {}});
    }
    return end_range(begin);
}

} // namespace scree::render
