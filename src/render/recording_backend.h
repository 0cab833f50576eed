// SPDX-License-Identifier: MIT
// recording_backend.h — a back end that draws nothing and keeps the calls: for tests and for measuring the CPU's share.
#pragma once

#include "render/backend.h"

#include <string>
#include <vector>

namespace scree::render {

class RecordingBackend : public Backend {
public:
    struct Call {
        enum class Kind {
            pass,
            program,
            raster,
            texture,
            constants,
            vertices,
            instances,
            draw,
            resolve
        } kind;
        std::uint32_t what = 0;   ///< id of the target, program, texture or buffer
        std::uint64_t detail = 0; ///< unit, slot or offset
        DrawRange range{};        ///< of a draw
        RasterState state{};      ///< of a raster call
    };
    /// `keep`: whether calls are kept; counters count in any case. `many`: as OpenGL 4.5, of which a call draws many ranges.
    explicit RecordingBackend(bool keep = true, bool many = false) : keep_(keep), many_(many) {}

    const std::vector<Call>& calls() const { return calls_; }
    void forget() { calls_.clear(); }
    /// The bytes of a buffer, and of the rows of a texture as they were given.
    const std::vector<std::byte>& contents(BufferId buffer) const { return buffers_.at(buffer.value - 1); }
    const std::vector<std::byte>& contents(TextureId texture) const {
        return textures_.at(texture.value - 1).bytes;
    }

    const std::string& description() const override { return description_; }
    bool gles() const override { return false; }
    int max_samples() const override { return 4; }
    int max_texture_size() const override { return 16384; }
    bool draws_many() const override { return many_; }
    void begin_query(std::size_t) override {}
    void end_query() override {}
    bool passed(std::size_t) override { return false; }
    void read_pixels(TargetId, int, int, std::span<std::uint8_t> rgba) override;
    void finish() override {}

protected:
    SCREE_BACKEND_COMMANDS(override)
    /// Kept as one draw for each command.
    void do_draw_indirect(Primitive primitive, BufferId commands, std::size_t offset,
                          std::uint32_t count) override;

private:
    struct Texture {
        TextureDef def;
        std::vector<std::byte> bytes;
    };
    Call& add(Call::Kind kind, std::uint32_t what, std::uint64_t detail = 0);

    std::string description_ = "recording";
    bool keep_, many_;
    std::vector<Call> calls_;
    Call last_{};
    std::vector<std::vector<std::byte>> buffers_;
    std::vector<Texture> textures_;
    std::uint32_t programs_ = 0, targets_ = 0;
};

} // namespace scree::render
