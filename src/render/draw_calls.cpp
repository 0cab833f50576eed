// SPDX-License-Identifier: MIT
// draw_calls.cpp — how batches become draws; see draw_list.h.
#include "render/draw_list.h"

#include <algorithm>
#include <optional>

namespace scree::render {

void DrawList::make_buffer(Owned<BufferId>& buffer, std::size_t& size, BufferKind kind, std::size_t bytes) {
    if (bytes <= size && buffer) return;
    const std::size_t room = std::max<std::size_t>(bytes, 4096);
    buffer = {backend_, backend_.create_buffer(kind, room)};
    size = room;
}

bool DrawList::plain(const Batch& batch) const {
    return batch.command == no_record &&
           (batch.count < cluster_size || meshes_.range(batch.mesh).cluster_count == 0);
}

DrawCommand DrawList::command_of(const Batch& batch) const {
    const MeshRange& range = meshes_.range(batch.mesh);
    const bool part = batch.part.count > 0;
    return {part ? batch.part.count : range.index_count, batch.count,
            part ? batch.part.first : range.first_index, 0, batch.first};
}

template <class Same>
void DrawList::join(std::span<Batch> batches, const Same& same) {
    for (std::size_t i = 0; i < batches.size();) {
        std::size_t end = i + 1;
        const auto fits = [&](const Batch& other) {
            return plain(other) &&
                   meshes_.range(other.mesh).points == meshes_.range(batches[i].mesh).points &&
                   same(batches[i], other);
        };
        if (plain(batches[i]))
            while (end < batches.size() && fits(batches[end])) ++end;
        batches[i].calls = static_cast<std::uint32_t>(end - i);
        batches[i].first_call = static_cast<std::uint32_t>(commands_.size());
        if (end > i + 1)
            for (std::size_t k = i; k < end; ++k) {
                if (k > i) batches[k].calls = 0;
                commands_.push_back(command_of(batches[k]));
            }
        i = end;
    }
}

void DrawList::upload() {
    commands_.clear();
    if (backend_.draws_many()) {
        join(std::span(sorted_), [&](const Batch& a, const Batch& b) {
            const RenderItem &one = items_[a.item], &other = items_[b.item];
            return one.group == other.group && one.state.transparent == other.state.transparent &&
                   one.state.two_sided == other.state.two_sided && one.state.albedo == other.state.albedo &&
                   one.state.normal_map == other.state.normal_map;
        });
        for (const Range& range : ranges_)
            join(std::span(casters_).subspan(range.first, range.count), [&](const Batch& a, const Batch& b) {
                return items_[a.item].state.two_sided == items_[b.item].state.two_sided;
            });
    }
    const std::size_t bytes = id_count_ * sizeof ids_[0], calls = commands_.size() * sizeof commands_[0];
    if (bytes > instance_bytes_ || !instance_buffer_)
        make_buffer(instance_buffer_, instance_bytes_, BufferKind::vertices, bytes * 3 / 2);
    if (on_gpu_) gpu_.run();
    if (bytes > 0)
        backend_.update_buffer(instance_buffer_, 0, std::as_bytes(std::span(ids_).first(id_count_)));
    if (calls == 0) return;
    if (calls > command_bytes_)
        make_buffer(command_buffer_, command_bytes_, BufferKind::storage, calls * 3 / 2);
    backend_.update_buffer(command_buffer_, 0, bytes_of(commands_));
}

void DrawList::reserve(std::size_t views, std::size_t outlined) {
    std::size_t largest = 0, chunks = 0, levels = 0;
    for (const RenderItem& item : items_) {
        largest = std::max(largest, records_of(item).size());
        chunks = std::max<std::size_t>(chunks, item.chunk_count);
        levels += (on_gpu_ ? 2 : 1) * std::min(item.geometry->mesh.levels.size(), most_levels);
    }
    // the view, once more where batches become one draw, each view of depth, what is outlined
    const std::size_t ids = (on_gpu_ ? 0 : things_ * (2 + views)) + std::max<std::size_t>(outlined, largest);
    if (ids_.size() < ids) ids_.resize(ids);
    if (keys_.size() < largest) keys_.resize(largest);
    sides_.reserve(chunks);
    batches_.reserve(levels);
    sorted_.reserve(levels);
    const std::size_t casters =
        items_.size() * (views * (on_gpu_ ? 6 : 1) + 1); // of the GPU: up to three levels, two turns
    casters_.reserve(casters);
    ranges_.reserve(views + 1);
    if (backend_.draws_many() && !on_gpu_) {
        commands_.reserve(levels + casters);
        make_buffer(command_buffer_, command_bytes_, BufferKind::storage,
                    (levels + casters) * sizeof commands_[0]);
    }
    by_group_.reserve(items_.size());
    group_first_.reserve(items_.size());
    batch_of_.reserve(items_.size() + 1);
    wanted_.reserve(outlined);
    described_.reserve(std::min<std::size_t>(largest, most_compared));
    make_buffer(instance_buffer_, instance_bytes_, BufferKind::vertices, ids * sizeof ids_[0]);
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
    const ProgramId program = (transparent ? programs.peel : programs.opaque)[body_variant(s)];
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
    if (batch.command != no_record) {
        const bool clusters = range.cluster_count > 0 && !wire;
        const std::size_t command = GpuCulling::commands_each * std::size_t{batch.command} + (wire ? 2 : 0);
        backend_.bind_instances(gpu_.ids(), std::size_t{batch.first} * 4, clusters);
        backend_.draw_indirect(wire ? Primitive::lines : range.primitive(), gpu_.commands(),
                               command * GpuCulling::command_bytes, clusters ? 2 : 1);
        return;
    }
    std::size_t at = std::size_t{batch.first + offset} * 4;
    if (range.cluster_count > 0 && count >= cluster_size && !wire) {
        const std::uint32_t clusters = count / cluster_size;
        backend_.bind_instances(instance_buffer_, at, true);
        backend_.draw({range.primitive(), range.first_cluster, range.cluster_count, clusters, cluster_size});
        at += std::size_t{clusters} * cluster_size * 4;
        count %= cluster_size;
        if (count == 0) return;
    }
    backend_.bind_instances(instance_buffer_, at);
    if (wire) backend_.draw({Primitive::lines, range.first_line, range.line_count, count});
    else if (batch.part.count > 0)
        backend_.draw({Primitive::triangles, batch.part.first, batch.part.count, count});
    else backend_.draw({range.primitive(), range.first_index, range.index_count, count});
}

void DrawList::draw_joined(const Batch& batch) {
    backend_.bind_instances(instance_buffer_, 0);
    backend_.draw_many(meshes_.range(batch.mesh).primitive(), command_buffer_, batch.first_call,
                       std::span(commands_).subspan(batch.first_call, batch.calls));
}

void DrawList::draw(DrawMode mode, bool transparent, const BodyPrograms& programs, const RasterState& raster,
                    ConstantPool& pool, bool wire, bool extra_pass, Batches which) {
    const auto wanted = [&](const RenderItem& item) {
        return item.state.transparent == transparent && !(extra_pass && item.lights == 0);
    };
    const auto now = [&](const Batch& batch) {
        return which == Batches::all || batch.again == (which == Batches::again);
    };
    switch (mode) {
    case DrawMode::tree:
        for (const Batch& batch : batches_) {
            const RenderItem& item = items_[batch.item];
            if (!wanted(item) || !now(batch)) continue;
            const std::uint32_t draws = batch.command == no_record ? batch.count : 1;
            for (std::uint32_t i = 0; i < draws; ++i) {
                apply(item, transparent, programs, raster, pool, nullptr);
                draw_batch(batch, i, 1, wire);
            }
        }
        break;
    case DrawMode::precached: {
        // batches of an item follow each other; lists in their order
        auto& first_of = batch_of_;
        first_of.assign(items_.size() + 1, 0);
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
                if (now(batches_[b])) draw_batch(batches_[b], 0, batches_[b].count, wire);
        }
        break;
    }
    case DrawMode::pooled: {
        Applied before;
        for (const Batch& batch : sorted_) {
            const RenderItem& item = items_[batch.item];
            if (!wanted(item) || !now(batch) || (batch.calls == 0 && !wire)) continue;
            apply(item, transparent, programs, raster, pool, &before);
            if (batch.calls > 1 && !wire) draw_joined(batch);
            else draw_batch(batch, 0, batch.count, wire);
        }
        break;
    }
    }
}

void DrawList::draw_range(Range range, const RasterState& raster, Batches which) {
    std::optional<Cull> bound;
    for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
        if (which != Batches::all && casters_[i].again != (which == Batches::again)) continue;
        RasterState state = raster;
        if (items_[casters_[i].item].state.two_sided) state.cull = Cull::none;
        if (bound != state.cull) backend_.set_raster(state);
        bound = state.cull;
        if (casters_[i].calls > 1) {
            draw_joined(casters_[i]);
            i += casters_[i].calls - 1;
        } else {
            draw_batch(casters_[i], 0, casters_[i].count, false);
        }
    }
}

} // namespace scree::render
