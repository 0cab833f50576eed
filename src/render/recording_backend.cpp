// SPDX-License-Identifier: MIT
// recording_backend.cpp — see recording_backend.h.
#include "render/recording_backend.h"

#include <algorithm>
#include <cstring>

namespace scree::render {

namespace {

std::size_t texel_bytes(TextureFormat format) {
    switch (format) {
    case TextureFormat::r8:
        return 1;
    case TextureFormat::rgba8:
    case TextureFormat::srgb8_alpha8:
    case TextureFormat::depth32f:
        return 4;
    case TextureFormat::rg32ui:
        return 8;
    case TextureFormat::rgba16f: // given as floats
    case TextureFormat::rgba32f:
        return 16;
    }
    return 0;
}

} // namespace

RecordingBackend::Call& RecordingBackend::add(Call::Kind kind, std::uint32_t what, std::uint64_t detail) {
    last_ = {};
    last_.kind = kind;
    last_.what = what;
    last_.detail = detail;
    if (!keep_) return last_;
    calls_.push_back(last_);
    return calls_.back();
}

void RecordingBackend::read_pixels(TargetId, int, int, std::span<std::uint8_t> rgba) {
    std::fill(rgba.begin(), rgba.end(), std::uint8_t{0});
}

BufferId RecordingBackend::do_create_buffer(BufferKind, std::size_t bytes, std::span<const std::byte> data) {
    buffers_.emplace_back(bytes);
    std::copy(data.begin(), data.end(), buffers_.back().begin());
    return {static_cast<std::uint32_t>(buffers_.size())};
}

void RecordingBackend::do_update_buffer(BufferId buffer, std::size_t offset,
                                        std::span<const std::byte> data) {
    std::copy(data.begin(), data.end(),
              buffers_.at(buffer.value - 1).begin() + static_cast<std::ptrdiff_t>(offset));
}

TextureId RecordingBackend::do_create_texture(const TextureDef& texture) {
    // what is only drawn into holds nothing here
    textures_.push_back({texture, {}});
    return {static_cast<std::uint32_t>(textures_.size())};
}

void RecordingBackend::do_update_texture(TextureId id, int first_row, int rows,
                                         std::span<const std::byte> data) {
    Texture& texture = textures_.at(id.value - 1);
    const std::size_t row = texel_bytes(texture.def.format) * static_cast<std::size_t>(texture.def.width);
    const std::size_t end = row * static_cast<std::size_t>(first_row + rows);
    if (texture.bytes.size() < end) texture.bytes.resize(end);
    std::copy_n(data.begin(), row * static_cast<std::size_t>(rows),
                texture.bytes.begin() +
                    static_cast<std::ptrdiff_t>(row * static_cast<std::size_t>(first_row)));
}

ProgramId RecordingBackend::do_create_program(const ProgramSource&) { return {++programs_}; }
TargetId RecordingBackend::do_create_target(std::span<const TextureId>, TextureId) { return {++targets_}; }
void RecordingBackend::do_destroy(BufferId buffer) { buffers_.at(buffer.value - 1) = {}; }
void RecordingBackend::do_destroy(TextureId texture) { textures_.at(texture.value - 1) = {}; }
void RecordingBackend::do_destroy(ProgramId) {}
void RecordingBackend::do_destroy(TargetId) {}

void RecordingBackend::do_begin_pass(const PassDef& pass) { add(Call::Kind::pass, pass.target.value); }
void RecordingBackend::do_bind_program(ProgramId program) { add(Call::Kind::program, program.value); }
void RecordingBackend::do_set_raster(const RasterState& state) { add(Call::Kind::raster, 0).state = state; }
void RecordingBackend::do_bind_texture(int unit, TextureId texture) {
    add(Call::Kind::texture, texture.value, static_cast<std::uint64_t>(unit));
}
void RecordingBackend::do_bind_constants(int slot, BufferId buffer, std::size_t offset, std::size_t) {
    add(Call::Kind::constants, buffer.value, static_cast<std::uint64_t>(slot) << 32 | offset);
}
void RecordingBackend::do_bind_vertices(VertexLayout layout, BufferId vertices, BufferId, bool) {
    add(Call::Kind::vertices, vertices.value, static_cast<std::uint64_t>(layout));
}
void RecordingBackend::do_bind_instances(BufferId buffer, std::size_t offset, bool) {
    add(Call::Kind::instances, buffer.value, offset);
}
void RecordingBackend::do_draw(const DrawRange& range) { add(Call::Kind::draw, 0).range = range; }
void RecordingBackend::do_draw_indirect(Primitive primitive, BufferId commands, std::size_t offset,
                                        std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        DrawCommand command;
        std::memcpy(&command, contents(commands).data() + offset + i * sizeof command, sizeof command);
        add(Call::Kind::draw, 0).range = {primitive, command.first, command.count, command.instances};
    }
}
void RecordingBackend::do_resolve(TargetId from, TargetId to, int, int, bool, bool) {
    add(Call::Kind::resolve, from.value, to.value);
}

} // namespace scree::render
