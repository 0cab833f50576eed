// SPDX-License-Identifier: MIT
// frame_constants.h — the constant blocks as the shaders lay them out (std140: everything here is made of four floats).
#pragma once

#include "render/backend.h"
#include "render/linear.h"
#include "render/technique.h"

#include <array>
#include <cstdint>

namespace scree::render {

using Quad = std::array<float, 4>;
inline Quad quad(Vec3 v, float w = 0) { return {v.x, v.y, v.z, w}; }

/// shaders/frame.glsl, block Frame.
struct FrameConstants {
    Mat4 view, projection, view_projection, inverse_projection, inverse_view;
    std::array<Mat4, 4> cascades;
    Quad cascade_texel{};
    Quad eye{}, sun{}, sun_colour{}, zenith{}, horizon{}, ground{};
    std::array<Quad, 9> irradiance{};
    Quad viewport{}, shadow{}, occlusion{}, fog{}, shading{};
};
static_assert(sizeof(FrameConstants) == 9 * 64 + 21 * 16);

/// Block Draw.
struct DrawConstants {
    Mat4 matrix;
    std::uint32_t lights_low = 0, lights_high = 0, flags = 0, light = 0;
    Quad extra{};
    TextureWindow window{};
};
static_assert(sizeof(DrawConstants) == 112);

enum DrawFlags : std::uint32_t {
    draw_base_only = 1,
    draw_one_light = 2,
    draw_tiles = 4,
    draw_first_layer = 8,
    draw_wire = 16,
    draw_shadows = 32
};

/// Block Lights.
struct LightConstants {
    Quad place{}, colour{}, direction{};
};
struct LightsConstants {
    std::array<LightConstants, max_lights> list;
};
static_assert(sizeof(LightsConstants) == max_lights * 48);

/// Draw constants of a frame in one buffer: filled while preparing, uploaded once, bound by place.
class ConstantPool {
public:
    explicit ConstantPool(Backend& backend) : backend_(backend) {}

    /// From one place to the next: drivers ask for multiples of up to 256.
    static constexpr std::uint32_t step = 256;
    void clear() { bytes_.clear(); }
    /// Room for so many, here and on the device.
    void reserve(std::size_t count) {
        bytes_.reserve(count * step);
        make_buffer(count * step);
    }
    /// Returns its place.
    std::uint32_t add(const DrawConstants& constants) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + step);
        const auto* from = reinterpret_cast<const std::byte*>(&constants);
        std::copy(from, from + sizeof constants, bytes_.begin() + static_cast<std::ptrdiff_t>(at));
        return static_cast<std::uint32_t>(at);
    }
    void upload() {
        if (bytes_.size() > size_) make_buffer(bytes_.size() * 2);
        backend_.update_buffer(buffer_, 0, bytes_of(bytes_));
    }
    void bind(std::uint32_t place) {
        backend_.bind_constants(draw_slot, buffer_, place, sizeof(DrawConstants));
    }

private:
    void make_buffer(std::size_t size) {
        if (size <= size_) return;
        buffer_ = {backend_, backend_.create_buffer(BufferKind::constants, size)};
        size_ = size;
    }

    Backend& backend_;
    Owned<BufferId> buffer_;
    std::size_t size_ = 0;
    std::vector<std::byte> bytes_;
};

} // namespace scree::render
