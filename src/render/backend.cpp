// SPDX-License-Identifier: MIT
// backend.cpp — counting, the same for every back end; see backend.h.
#include "render/backend.h"

#include <algorithm>
#include <array>

namespace scree::render {

namespace {

constexpr std::uint64_t BackendCounters::* all_counters[] = {
    &BackendCounters::passes,           &BackendCounters::programs,   &BackendCounters::rasters,
    &BackendCounters::textures,         &BackendCounters::constants,  &BackendCounters::vertices,
    &BackendCounters::instance_offsets, &BackendCounters::draws,      &BackendCounters::instances,
    &BackendCounters::triangles,        &BackendCounters::points,     &BackendCounters::corners,
    &BackendCounters::uploaded,         &BackendCounters::downloaded, &BackendCounters::shared,
    &BackendCounters::dispatches,       &BackendCounters::created,    &BackendCounters::destroyed};
static_assert(sizeof all_counters / sizeof all_counters[0] ==
              sizeof(BackendCounters) / sizeof(std::uint64_t));

} // namespace

BackendCounters operator-(BackendCounters a, const BackendCounters& b) {
    for (const auto counter : all_counters) a.*counter -= b.*counter;
    return a;
}

BackendCounters& operator+=(BackendCounters& a, const BackendCounters& b) {
    for (const auto counter : all_counters) a.*counter += b.*counter;
    return a;
}

BufferId Backend::create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data) {
    counters_.uploaded += data.size();
    ++counters_.created;
    return do_create_buffer(kind, bytes, data);
}

void Backend::update_buffer(BufferId buffer, std::size_t offset, std::span<const std::byte> data) {
    counters_.uploaded += data.size();
    do_update_buffer(buffer, offset, data);
}

TextureId Backend::create_texture(const TextureDef& texture) {
    ++counters_.created;
    return do_create_texture(texture);
}

void Backend::update_texture(TextureId texture, int first_row, int rows, std::span<const std::byte> data) {
    counters_.uploaded += data.size();
    do_update_texture(texture, first_row, rows, data);
}

void Backend::begin_pass(const PassDef& pass) {
    ++counters_.passes;
    do_begin_pass(pass);
}

void Backend::bind_program(ProgramId program) {
    ++counters_.programs;
    do_bind_program(program);
}

void Backend::set_raster(const RasterState& state) {
    ++counters_.rasters;
    do_set_raster(state);
}

void Backend::bind_texture(int unit, TextureId texture) {
    ++counters_.textures;
    do_bind_texture(unit, texture);
}

void Backend::bind_constants(int slot, BufferId buffer, std::size_t offset, std::size_t bytes) {
    ++counters_.constants;
    do_bind_constants(slot, buffer, offset, bytes);
}

void Backend::bind_vertices(VertexLayout layout, BufferId vertices, BufferId indices, bool wide) {
    ++counters_.vertices;
    do_bind_vertices(layout, vertices, indices, wide);
}

void Backend::bind_instances(BufferId buffer, std::size_t offset, bool cluster) {
    ++counters_.instance_offsets;
    do_bind_instances(buffer, offset, cluster);
}

void Backend::draw(const DrawRange& range) {
    ++counters_.draws;
    counters_.instances += std::uint64_t{range.instances} * range.things;
    count(range.primitive, std::uint64_t{range.count} * range.instances);
    do_draw(range);
}

void Backend::draw_many(Primitive primitive, BufferId buffer, std::size_t first,
                        std::span<const DrawCommand> list) {
    ++counters_.draws;
    for (const DrawCommand& command : list) {
        counters_.instances += command.instances;
        count(primitive, std::uint64_t{command.count} * command.instances);
    }
    do_draw_indirect(primitive, buffer, first * sizeof(DrawCommand), static_cast<std::uint32_t>(list.size()));
}

void Backend::count(Primitive primitive, std::uint64_t corners) {
    counters_.corners += corners;
    if (primitive == Primitive::triangles) counters_.triangles += corners / 3;
    if (primitive == Primitive::points) counters_.points += corners;
}

void Backend::dispatch(std::uint32_t groups) {
    if (groups == 0) return;
    ++counters_.dispatches;
    do_dispatch(groups);
}

void Backend::fill(TextureId texture, int width, int height) {
    ++counters_.dispatches;
    do_fill(texture, static_cast<std::uint32_t>((width + 7) / 8 * ((height + 7) / 8)));
}

void Backend::draw_indirect(Primitive primitive, BufferId commands, std::size_t offset,
                            std::uint32_t number) {
    ++counters_.draws;
    do_draw_indirect(primitive, commands, offset, number);
    for (std::uint32_t i = 0; count_indirect_ && i < number; ++i) {
        std::array<std::uint32_t, 2> command{}; // indices, instances
        do_read_buffer(commands, offset + std::size_t{i} * 20, std::as_writable_bytes(std::span(command)));
        count(primitive, std::uint64_t{command[0]} * command[1]);
    }
}

void Backend::read_buffer(BufferId buffer, std::size_t offset, std::span<std::byte> to) {
    counters_.downloaded += to.size();
    do_read_buffer(buffer, offset, to);
}

bool Backend::read_shared(const GraphicsBuffer& from, std::span<std::byte> to) {
    if (!do_read_shared(from, to)) return false;
    counters_.downloaded += to.size();
    return true;
}

void Backend::copy_to_texture(TextureId texture, int first_row, int rows, const GraphicsBuffer& from,
                              std::size_t offset, std::size_t bytes) {
    counters_.shared += bytes;
    do_copy_to_texture(texture, first_row, rows, from, offset);
}

void Backend::begin_read_pixels(TargetId target, int width, int height) {
    read_.emplace_back(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    read_pixels(target, width, height, read_.back());
}

bool Backend::end_read_pixels(std::span<std::uint8_t> rgba) {
    if (read_.empty()) return false;
    std::copy_n(read_.front().begin(), std::min(rgba.size(), read_.front().size()), rgba.begin());
    read_.pop_front();
    return true;
}

void Backend::resolve(TargetId from, TargetId to, int width, int height, bool colour, bool depth) {
    ++counters_.passes;
    do_resolve(from, to, width, height, colour, depth);
}

} // namespace scree::render
