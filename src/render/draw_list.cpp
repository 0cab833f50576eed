// SPDX-License-Identifier: MIT
// draw_list.cpp — see draw_list.h.
#include "render/draw_list.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace scree::render {

namespace {

/// What the pool sorts by, the dearest to change first: pass, program, textures, raster, lights, mesh.
std::uint64_t sort_key(const RenderItem& item, MeshId mesh) {
    const DrawState& s = item.state;
    const std::uint64_t program = (s.albedo.value ? 1u : 0u) | (s.normal_map.value ? 2u : 0u);
    // masks are many; a hash keeps equal ones together, and what it confuses costs a state change, no more
    const std::uint64_t lights = (item.lights * 0x9e3779b97f4a7c15ull) >> 52;
    return std::uint64_t{s.transparent} << 63 | program << 61 | (s.albedo.value & 0xfffull) << 49 |
           (s.normal_map.value & 0xfffull) << 37 | std::uint64_t{s.two_sided} << 36 | lights << 24 |
           (mesh.value & 0xffffffull);
}

} // namespace

Frustum::Frustum(const Mat4& m) {
    for (int i = 0; i < 6; ++i) {
        const int row = i / 2;
        const float sign = i % 2 ? -1.0f : 1.0f;
        Quad& p = planes[static_cast<std::size_t>(i)];
        for (int c = 0; c < 4; ++c) p[static_cast<std::size_t>(c)] = m.at(3, c) + sign * m.at(row, c);
        const float size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        if (size > 0)
            for (float& c : p) c /= size;
    }
}

bool Frustum::sees(Vec3 c, float radius) const {
    for (const Quad& p : planes)
        if (p[0] * c.x + p[1] * c.y + p[2] * c.z + p[3] < -radius) return false;
    return true;
}

bool Frustum::holds(const Bounds& b, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
        const Quad& p = planes[i];
        // the corner that is farthest out
        if (p[0] * (p[0] > 0 ? b.low.x : b.high.x) + p[1] * (p[1] > 0 ? b.low.y : b.high.y) +
                p[2] * (p[2] > 0 ? b.low.z : b.high.z) + p[3] <
            0)
            return false;
    }
    return true;
}

DrawList::~DrawList() {
    if (instance_buffer_.value) backend_.destroy(instance_buffer_);
}

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
    }
    if (!changed && positions.revision() == position_revision_) return;
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

Bounds DrawList::bounds() {
    Bounds all;
    for (RenderItem& item : items_) {
        item.bounds = {};
        item.largest = 0;
        if (item.geometry->unbounded) continue;
        for (const std::uint32_t record : records_of(item)) {
            const std::uint32_t pose = instances_.pose_of(record);
            // the renderer's own poses may be scaled
            const float scale = pose & InstanceStore::own_pose ? instances_.pose(pose).scale : 1;
            item.bounds.add(instances_.pose_position(pose), instances_.reach(record) * scale);
            item.largest = std::max(item.largest, instances_.extent(record));
        }
        if (!item.bounds.empty()) all.add(item.bounds);
    }
    return all;
}

// roughly, in one pass over 256 distances: what is behind is not shaded when what is before it was drawn first
void DrawList::append_front_to_back(const std::vector<Seen>& seen) {
    float least = 1e30f, most = 0;
    for (const Seen& s : seen) least = std::min(least, s.distance), most = std::max(most, s.distance);
    constexpr std::size_t bins = 256;
    const float scale = most > least ? (bins - 1) / (most - least) : 0;
    std::array<std::uint32_t, bins + 1> start{};
    const auto bin = [&](const Seen& s) { return static_cast<std::size_t>((s.distance - least) * scale); };
    for (const Seen& s : seen) ++start[bin(s) + 1];
    for (std::size_t i = 1; i <= bins; ++i) start[i] += start[i - 1];
    const std::size_t first = ids_.size();
    ids_.resize(first + seen.size());
    for (const Seen& s : seen) ids_[first + start[bin(s)]++] = s.record;
}

void DrawList::gather(const View& view) {
    batches_.clear();
    casters_.clear();
    ids_.clear();
    visible_ = 0;
    const Frustum frustum(view.view_projection);
    // crowds are drawn coarser, up to three times the error
    const float tolerance =
        view.lod_error * std::clamp(std::sqrt(static_cast<float>(things_) / 10000), 1.0f, 3.0f);
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        RenderItem& item = items_[i];
        const GeometryNode& geometry = *item.geometry;
        const auto& levels = geometry.mesh.levels;
        const std::size_t level_count = view.lod ? std::min(levels.size(), most_levels) : 1;
        // square of the distance, for a size of 1, beyond which a level will do
        std::array<float, most_levels> beyond{};
        for (std::size_t l = 0; l < level_count; ++l) {
            const float d = levels[l].error * view.pixels_per_metre / tolerance;
            beyond[l] = d * d;
        }
        for (std::size_t l = 0; l < level_count; ++l) gathered_[l].clear();
        // of what is inside as a whole nothing needs to be looked at alone
        const bool test = view.cull && !geometry.unbounded && !frustum.holds(item.bounds);
        Bounds bounds = test ? Bounds{} : item.bounds;
        for (const std::uint32_t record : records_of(item)) {
            const std::uint32_t pose = instances_.pose_of(record);
            const Vec3 at = instances_.pose_position(pose);
            const float scale = pose & InstanceStore::own_pose ? instances_.pose(pose).scale : 1;
            const float reach = instances_.reach(record) * scale;
            if (test) {
                if (!frustum.sees(at, reach)) continue;
                bounds.add(at, reach);
            }
            std::size_t level = 0;
            const Vec3 d = at - view.eye;
            const float distance = std::sqrt(dot(d, d));
            if (level_count > 1) {
                // from the nearest point of it
                const float size = instances_.extent(record) * scale;
                const float away = std::max(distance - reach, 0.0f), square = away * away;
                while (level + 1 < level_count && square > beyond[level + 1] * size * size) ++level;
            }
            gathered_[level].push_back({record, distance});
        }
        item.centre = bounds.empty() ? Vec3{} : bounds.centre();
        item.radius = geometry.unbounded ? 1e30f : bounds.radius();
        for (std::size_t l = 0; l < level_count; ++l) {
            if (gathered_[l].empty()) continue;
            const auto count = static_cast<std::uint32_t>(gathered_[l].size());
            batches_.push_back({0, i, levels[l].mesh, static_cast<std::uint32_t>(ids_.size()), count});
            append_front_to_back(gathered_[l]);
            visible_ += count;
        }
    }
}

void DrawList::light(const LightList& lights, bool culling) {
    const LightMask everywhere = lights.everywhere();
    for (RenderItem& item : items_) {
        item.lights = (everywhere | item.state.lights) & lights.alive();
        if (culling) item.lights = lights.reaching(item.centre, item.radius, item.lights);
    }
    // the keys need the lights; equal keys of one mesh become one draw, so their records move together
    sorted_ = batches_;
    for (Batch& batch : sorted_) batch.key = sort_key(items_[batch.item], batch.mesh);
    std::sort(sorted_.begin(), sorted_.end(), [](const Batch& a, const Batch& b) {
        return a.key != b.key ? a.key < b.key : a.first < b.first;
    });
    for (Batch& batch : sorted_) {
        const auto first = static_cast<std::uint32_t>(ids_.size());
        if (sorted_.size() > 1) {
            ids_.resize(ids_.size() + batch.count);
            std::copy_n(ids_.begin() + batch.first, batch.count, ids_.begin() + first);
            batch.first = first;
        }
    }
}

DrawList::Range DrawList::gather_casters(const Mat4& matrix, bool orthographic, float texel,
                                         bool transparent_too) {
    const auto begin = static_cast<std::uint32_t>(casters_.size());
    const Frustum frustum(matrix);
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        const RenderItem& item = items_[i];
        const GeometryNode& geometry = *item.geometry;
        if (!geometry.casts_shadow || !item.state.casts_shadow || geometry.unbounded) continue;
        if (item.state.transparent && !transparent_too) continue;
        const auto& levels = geometry.mesh.levels;
        const std::size_t planes = orthographic ? 4 : 6;
        const bool test = !frustum.holds(item.bounds, planes);
        const auto first = static_cast<std::uint32_t>(ids_.size());
        const auto records = records_of(item);
        if (!test) ids_.insert(ids_.end(), records.begin(), records.end());
        for (const std::uint32_t record : records) {
            if (!test) break;
            const std::uint32_t pose = instances_.pose_of(record);
            const Vec3 at = instances_.pose_position(pose);
            float reach = instances_.reach(record);
            if (pose & InstanceStore::own_pose) reach *= instances_.pose(pose).scale;
            // what is nearer to the sun than the near plane casts shadows as well
            bool inside = true;
            for (std::size_t p = 0; p < planes && inside; ++p) {
                const Quad& q = frustum.planes[p];
                inside = q[0] * at.x + q[1] * at.y + q[2] * at.z + q[3] >= -reach;
            }
            if (inside) ids_.push_back(record);
        }
        const auto count = static_cast<std::uint32_t>(ids_.size()) - first;
        if (count == 0) continue;
        std::size_t level = 0;
        // of a crowd nobody sees the shadow of one: coarser, or millions of triangles would be spent on it
        const float crowd = count > 20000 ? 0.25f : count > 2000 ? 0.07f : 0.0f;
        while (level + 1 < levels.size() &&
               levels[level + 1].error * item.largest < std::max(0.5f * texel, crowd * item.largest))
            ++level;
        casters_.push_back({0, i, levels[level].mesh, first, count});
    }
    return {begin, static_cast<std::uint32_t>(casters_.size()) - begin};
}

DrawList::Range DrawList::gather_records(std::span<const std::uint32_t> records) {
    const auto begin = static_cast<std::uint32_t>(casters_.size());
    std::vector<std::uint32_t> wanted(records.begin(), records.end());
    std::sort(wanted.begin(), wanted.end());
    for (std::uint32_t i = 0; i < items_.size() && !wanted.empty(); ++i) {
        const auto first = static_cast<std::uint32_t>(ids_.size());
        for (const std::uint32_t record : records_of(items_[i]))
            if (std::binary_search(wanted.begin(), wanted.end(), record)) ids_.push_back(record);
        const auto count = static_cast<std::uint32_t>(ids_.size()) - first;
        if (count > 0) casters_.push_back({0, i, items_[i].geometry->mesh.levels[0].mesh, first, count});
    }
    return {begin, static_cast<std::uint32_t>(casters_.size()) - begin};
}

void DrawList::upload() {
    const std::size_t bytes = ids_.size() * 4;
    if (bytes > instance_bytes_ || instance_buffer_.value == 0) {
        if (instance_buffer_.value) backend_.destroy(instance_buffer_);
        instance_bytes_ = std::max<std::size_t>(bytes * 3 / 2, 4096);
        instance_buffer_ = backend_.create_buffer(BufferKind::vertices, instance_bytes_);
    }
    if (bytes > 0) backend_.update_buffer(instance_buffer_, 0, bytes_of(ids_));
}

bool DrawList::has(bool transparent) const {
    return std::any_of(batches_.begin(), batches_.end(), [&](const Batch& batch) {
        return items_[batch.item].state.transparent == transparent;
    });
}

struct DrawList::Applied {
    std::optional<std::uint32_t> program, albedo, normal_map, constants;
    std::optional<RasterState> raster;
};

void DrawList::apply(const RenderItem& item, bool transparent, const BodyPrograms& programs,
                     const RasterState& raster, ConstantPool& pool, Applied* before) {
    const DrawState& s = item.state;
    const std::size_t variant = (s.albedo.value ? 1u : 0u) | (s.normal_map.value ? 2u : 0u);
    const ProgramId program = (transparent ? programs.peel : programs.opaque)[variant];
    RasterState state = raster;
    if (s.two_sided) state.cull = Cull::none;
    Applied none;
    Applied& known = before ? *before : none;
    if (known.program != program.value) backend_.bind_program(program), known.program = program.value;
    if (known.raster != state) backend_.set_raster(state), known.raster = state;
    // without the pool everything is set, needed or not
    if ((!before || s.albedo.value) && known.albedo != s.albedo.value)
        backend_.bind_texture(albedo_unit, s.albedo), known.albedo = s.albedo.value;
    if ((!before || s.normal_map.value) && known.normal_map != s.normal_map.value)
        backend_.bind_texture(normal_unit, s.normal_map), known.normal_map = s.normal_map.value;
    if (known.constants != item.constants) pool.bind(item.constants), known.constants = item.constants;
}

void DrawList::draw_batch(const Batch& batch, std::uint32_t offset, std::uint32_t count, bool wire) {
    const MeshRange& range = meshes_.range(batch.mesh);
    std::size_t at = std::size_t{batch.first + offset} * 4;
    if (range.cluster_count > 0 && count >= cluster_size && !wire) {
        const std::uint32_t clusters = count / cluster_size;
        backend_.bind_instances(instance_buffer_, at, true);
        backend_.draw(
            {Primitive::triangles, range.first_cluster, range.cluster_count, clusters, cluster_size});
        at += std::size_t{clusters} * cluster_size * 4;
        count %= cluster_size;
        if (count == 0) return;
    }
    backend_.bind_instances(instance_buffer_, at);
    if (wire) backend_.draw({Primitive::lines, range.first_line, range.line_count, count});
    else backend_.draw({Primitive::triangles, range.first_index, range.index_count, count});
}

void DrawList::draw(DrawMode mode, bool transparent, const BodyPrograms& programs, const RasterState& raster,
                    ConstantPool& pool, bool wire, bool extra_pass) {
    const auto wanted = [&](const RenderItem& item) {
        return item.state.transparent == transparent && !(extra_pass && item.lights == 0);
    };
    switch (mode) {
    case DrawMode::tree:
        for (const Batch& batch : batches_) {
            const RenderItem& item = items_[batch.item];
            if (!wanted(item)) continue;
            for (std::uint32_t i = 0; i < batch.count; ++i) {
                apply(item, transparent, programs, raster, pool, nullptr);
                draw_batch(batch, i, 1, wire);
            }
        }
        break;
    case DrawMode::precached: {
        // batches of an item follow each other; lists in their order
        std::vector<std::uint32_t> first_of(items_.size() + 1, 0);
        for (const Batch& batch : batches_) ++first_of[batch.item + 1];
        for (std::size_t i = 1; i < first_of.size(); ++i) first_of[i] += first_of[i - 1];
        std::optional<std::pair<std::uint32_t, std::uint32_t>> current;
        for (const std::uint32_t i : order_) {
            const RenderItem& item = items_[i];
            if (!wanted(item) || first_of[i] == first_of[i + 1]) continue;
            // lights are found each frame: within a list they may differ
            const std::pair<std::uint32_t, std::uint32_t> list{item.list, item.constants};
            if (current != list) apply(item, transparent, programs, raster, pool, nullptr);
            current = list;
            for (std::uint32_t b = first_of[i]; b < first_of[i + 1]; ++b)
                draw_batch(batches_[b], 0, batches_[b].count, wire);
        }
        break;
    }
    case DrawMode::pooled: {
        Applied before;
        for (std::size_t b = 0; b < sorted_.size(); ++b) {
            const RenderItem& item = items_[sorted_[b].item];
            if (!wanted(item)) continue;
            apply(item, transparent, programs, raster, pool, &before);
            // neighbours of the same state and mesh lie side by side in the instance buffer
            Batch merged = sorted_[b];
            while (b + 1 < sorted_.size() && sorted_[b + 1].key == merged.key &&
                   sorted_[b + 1].mesh == merged.mesh &&
                   items_[sorted_[b + 1].item].constants == item.constants &&
                   items_[sorted_[b + 1].item].state.albedo == item.state.albedo &&
                   items_[sorted_[b + 1].item].state.normal_map == item.state.normal_map)
                merged.count += sorted_[++b].count;
            draw_batch(merged, 0, merged.count, wire);
        }
        break;
    }
    }
}

void DrawList::draw_range(Range range) {
    for (std::uint32_t i = range.first; i < range.first + range.count; ++i)
        draw_batch(casters_[i], 0, casters_[i].count, false);
}

} // namespace scree::render
