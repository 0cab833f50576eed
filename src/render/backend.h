// SPDX-License-Identifier: MIT
// backend.h — the thin layer under the renderer: buffers, textures, programs, targets and draws. Only implementations
// use a graphics API (gl_backend.cpp); recording_backend.cpp records the calls for tests.
//
// Commands execute at once and are not filtered: the renderer avoids redundant state changes. This class counts all commands, so
// counts are equal on all back ends.
#pragma once

#include "scree/shared_poses.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree::render {

enum class Thing { buffer, texture, program, target, mesh };

/// A value of 0 is nothing; of a target it is the window.
template <Thing>
struct Id {
    std::uint32_t value = 0;
    friend bool operator==(Id, Id) = default;
};
using BufferId = Id<Thing::buffer>;
using TextureId = Id<Thing::texture>;
using ProgramId = Id<Thing::program>;
using TargetId = Id<Thing::target>;

enum class BufferKind { vertices, indices, constants, storage };

enum class TextureFormat { rgba8, srgb8_alpha8, r8, rgba16f, rgba32f, rg32ui, depth32f };

struct TextureDef {
    TextureFormat format = TextureFormat::rgba8;
    int width = 1, height = 1;
    int samples = 1;     ///< more than 1: only to draw into
    bool depths = false; ///< several samples that bind_depths() may bind; only where computes()
    bool linear = false, mipmaps = false, repeat = false;
    bool compare = false; ///< a depth texture that answers "nearer than?"
};

/// The shaders of one program, put together by shader_source.h: two, or one that computes.
struct ProgramSource {
    std::string name; ///< for messages
    std::string vertex, fragment;
    std::string compute{};
    std::vector<std::string> files;      ///< the names behind the source numbers of the compiler's messages
    std::vector<const char*> captured{}; ///< outputs of the vertex shader that are kept, one after the other
};

enum class Depth { off, less, less_equal, equal };
enum class Cull { none, back, front };
enum class Blend {
    off,
    alpha, ///< over the target
    over,  ///< the same for colours that are multiplied with their alpha already
    add,   ///< colour; alpha stays
    under  ///< under the target: see gl_backend.cpp
};

struct RasterState {
    Depth depth = Depth::less;
    bool depth_write = true;
    bool colour_write = true;
    Cull cull = Cull::back;
    Blend blend = Blend::off;
    float slope_bias = 0, constant_bias = 0; ///< polygon offset
    friend bool operator==(const RasterState&, const RasterState&) = default;
};

struct PassDef {
    TargetId target{};
    int x = 0, y = 0, width = 0, height = 0; ///< viewport; clearing keeps to it
    bool clear_colour = false, clear_depth = false;
    float colour[4] = {0, 0, 0, 0};
    float depth = 1;
};

/// The attributes of a vertex.
enum class VertexLayout {
    none, ///< nothing: the shader makes it from gl_VertexID
    mesh, ///< MeshVertex, and one or 16 record numbers of 32 bits for each instance
    line  ///< LineVertex
};

enum class Primitive { triangles, lines, points };

struct DrawRange {
    Primitive primitive = Primitive::triangles;
    std::uint32_t first = 0, count = 0; ///< indices, or vertices where there are none
    std::uint32_t instances = 1;
    std::uint32_t things = 1; ///< in an instance; for counting
};

/// A draw of indexed triangles as GPUs read it from a buffer; instances count from the first that is bound.
struct DrawCommand {
    std::uint32_t count = 0, instances = 0, first = 0, unused = 0, first_instance = 0;
};
static_assert(sizeof(DrawCommand) == 20);

/// Stages of a picture whose times the GPU tells.
enum class GpuStage { prepare, shadows, surfaces, occlusion, layers, screen, count };
inline constexpr const char* gpu_stage_names[] = {"prepare",   "shadows", "surfaces",
                                                  "occlusion", "layers",  "screen"};
using GpuTimes = std::array<double, static_cast<std::size_t>(GpuStage::count)>; ///< seconds

/// How often each command was issued.
struct BackendCounters {
    std::uint64_t passes = 0, programs = 0, rasters = 0, textures = 0, constants = 0, vertices = 0,
                  instance_offsets = 0;
    std::uint64_t draws = 0, instances = 0;
    std::uint64_t triangles = 0, points = 0, corners = 0; ///< corners: vertices submitted, one for each index
    std::uint64_t uploaded = 0;                           ///< bytes
    std::uint64_t downloaded = 0;                         ///< bytes of buffers; pictures aside
    std::uint64_t shared = 0; ///< bytes that a world's device had written, copied by the GPU
    std::uint64_t dispatches = 0;
    std::uint64_t created = 0; ///< buffers, textures, programs and targets
    std::uint64_t destroyed = 0;
    std::uint64_t state_changes() const {
        return programs + rasters + textures + constants + vertices + instance_offsets;
    }
};
BackendCounters operator-(BackendCounters a, const BackendCounters& b);
BackendCounters& operator+=(BackendCounters& a, const BackendCounters& b);

/// Functions of every back end, declared once; `how` is "= 0" or "override".
#define SCREE_BACKEND_COMMANDS(how)                                                                          \
    virtual BufferId do_create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data)   \
        how;                                                                                                 \
    virtual void do_update_buffer(BufferId buffer, std::size_t offset, std::span<const std::byte> data) how; \
    virtual TextureId do_create_texture(const TextureDef& texture) how;                                      \
    virtual void do_update_texture(TextureId texture, int first_row, int rows,                               \
                                   std::span<const std::byte> data) how;                                     \
    virtual ProgramId do_create_program(const ProgramSource& source) how;                                    \
    virtual TargetId do_create_target(std::span<const TextureId> colours, TextureId depth) how;              \
    virtual void do_destroy(BufferId buffer) how;                                                            \
    virtual void do_destroy(TextureId texture) how;                                                          \
    virtual void do_destroy(ProgramId program) how;                                                          \
    virtual void do_destroy(TargetId target) how;                                                            \
    virtual void do_begin_pass(const PassDef& pass) how;                                                     \
    virtual void do_bind_program(ProgramId program) how;                                                     \
    virtual void do_set_raster(const RasterState& state) how;                                                \
    virtual void do_bind_texture(int unit, TextureId texture) how;                                           \
    virtual void do_bind_constants(int slot, BufferId buffer, std::size_t offset, std::size_t bytes) how;    \
    virtual void do_bind_vertices(VertexLayout layout, BufferId vertices, BufferId indices, bool wide) how;  \
    virtual void do_bind_instances(BufferId buffer, std::size_t offset, bool cluster) how;                   \
    virtual void do_draw(const DrawRange& range) how;                                                        \
    virtual void do_resolve(TargetId from, TargetId to, int width, int height, bool colour, bool depth) how;

class Backend {
public:
    virtual ~Backend() = default;

    virtual const std::string& description() const = 0; ///< API, version and hardware, in words
    virtual bool gles() const = 0;
    virtual int max_samples() const = 0;
    virtual int max_texture_size() const = 0;

    // things. Creating throws Error when the driver refuses; a program's Error names shader file and line. -------------
    BufferId create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data = {});
    /// The buffer must be large enough; the rest of it stays.
    void update_buffer(BufferId buffer, std::size_t offset, std::span<const std::byte> data);
    void destroy(BufferId buffer) {
        ++counters_.destroyed;
        do_destroy(buffer);
    }
    TextureId create_texture(const TextureDef& texture);
    /// Rows of the texture's width in the texture's format (rgba16f takes floats); mipmaps are made anew.
    void update_texture(TextureId texture, int first_row, int rows, std::span<const std::byte> data);
    void destroy(TextureId texture) {
        ++counters_.destroyed;
        do_destroy(texture);
    }
    ProgramId create_program(const ProgramSource& source) {
        ++counters_.created;
        return do_create_program(source);
    }
    void destroy(ProgramId program) {
        ++counters_.destroyed;
        do_destroy(program);
    }
    /// `depth` may be nothing.
    TargetId create_target(std::span<const TextureId> colours, TextureId depth) {
        ++counters_.created;
        return do_create_target(colours, depth);
    }
    void destroy(TargetId target) {
        ++counters_.destroyed;
        do_destroy(target);
    }

    // commands ---------------------------------------------------------------------------------------------------------
    void begin_pass(const PassDef& pass);
    void bind_program(ProgramId program);
    void set_raster(const RasterState& state);
    void bind_texture(int unit, TextureId texture);
    void bind_constants(int slot, BufferId buffer, std::size_t offset, std::size_t bytes);
    /// `wide`: indices of 32 bits in place of 16.
    void bind_vertices(VertexLayout layout, BufferId vertices, BufferId indices, bool wide);
    /// Where the record numbers of the next draw's instances begin, in bytes; one for each instance, or a cluster of 16.
    void bind_instances(BufferId buffer, std::size_t offset, bool cluster = false);
    void draw(const DrawRange& range);
    /// False where a call draws one range (OpenGL ES 3.0).
    virtual bool draws_many() const { return false; }
    /// `list` in one call, one after the other; it lies in `buffer` from command `first` on.
    void draw_many(Primitive primitive, BufferId buffer, std::size_t first,
                   std::span<const DrawCommand> list);
    /// Copies colour and/or depth of equal size; several samples become one.
    void resolve(TargetId from, TargetId to, int width, int height, bool colour, bool depth);

    // shaders that compute, and draws whose numbers they write; only where computes() ---------------------------------------
    /// Whether shaders can read and write buffers of BufferKind::storage.
    virtual bool computes() const { return false; }
    /// Whether the host's processor draws.
    virtual bool software() const { return false; }
    virtual void bind_storage(int, BufferId) {}
    /// A depth texture as numbers, not compared, to hiding_unit.
    virtual void bind_depths(TextureId) {}
    /// Runs `groups` of the program that is bound; whatever follows sees what they wrote. A group finds its number as
    /// y * dispatch_row + x.
    void dispatch(std::uint32_t groups);
    static constexpr std::uint32_t dispatch_row = 32768;
    /// Runs the program that is bound, of shaders/pixels.glsl, for each pixel of a texture of its format.
    void fill(TextureId texture, int width, int height);
    /// `count` commands, five words each: indices, instances, first index, 0, first instance.
    void draw_indirect(Primitive primitive, BufferId commands, std::size_t offset, std::uint32_t count);
    /// Counts what indirect draws draw: reads each command back, which waits for the GPU.
    void count_indirect(bool on) { count_indirect_ = on; }
    /// Waits for the GPU.
    void read_buffer(BufferId buffer, std::size_t offset, std::span<std::byte> to);

    // memory that a world's device writes --------------------------------------------------------------------------------
    /// Null where there is none. Throws Error when memory is short.
    virtual std::unique_ptr<GraphicsBuffer> create_shared(std::size_t) { return nullptr; }
    /// Rows of the texture's width and format, from that memory on; rgba32f or rgba8. Binds a program and storage of its own.
    void copy_to_texture(TextureId texture, int first_row, int rows, const GraphicsBuffer& from,
                         std::size_t offset, std::size_t bytes);

    /// The first bytes of it, for the host; waits for the GPU. False where that is impossible.
    bool read_shared(const GraphicsBuffer& from, std::span<std::byte> to);

    /// MeshVertices that deform, made from what a world's device wrote: positions and normals of four floats each, from these bytes of `from`
    /// on; the buffer `insets` has three floats a vertex. Vertices lie about `centre`, for a radius of 1. Binds a program of its own.
    struct DeformDef {
        const GraphicsBuffer* from = nullptr;
        std::size_t positions = 0, normals = 0; ///< bytes
        BufferId insets{};
        std::uint32_t first_vertex = 0, count = 0; ///< of the mesh, in the buffer of all
        std::array<float, 3> centre{};
        float radius = 1;
    };
    void deform(BufferId vertices, const DeformDef& def) {
        counters_.shared += 32 * std::uint64_t{def.count};
        do_deform(vertices, def);
    }

    /// MeshVertices that follow bones, made from a mesh as it was bound. Vertices lie about `centre`, for a radius of 1. Binds a program of
    /// its own.
    struct SkinDef {
        BufferId rest{};     ///< MeshVertices with four weights in place of the tangent
        BufferId bones_of{}; ///< numbers of four bones for each, of 32 bits
        TextureId bones{};   ///< rgba32f: three rows of a matrix for each bone, bones_a_row bones in a row
        std::uint32_t first_bone = 0;
        std::uint32_t first_vertex = 0, count = 0; ///< of the mesh, in the buffer of all
        std::array<float, 3> centre{};
        float radius = 1;
    };
    static constexpr int bones_a_row = 64;
    void skin(BufferId vertices, const SkinDef& def) { do_skin(vertices, def); }

    /// Whether any fragment passed between the two, by a number from 0 on; passed() waits for the answer.
    virtual void begin_query(std::size_t number) = 0;
    virtual void end_query() = 0;
    virtual bool passed(std::size_t number) = 0;
    /// The GPU leaves out what is cleared and drawn between the two unless a fragment passed, and nobody waits. False where it cannot
    /// (OpenGL ES 3.0): nothing is begun then.
    virtual bool begin_if_passed(std::size_t) { return false; }
    virtual void end_if_passed() {}
    /// The GPU's own time for what is queued between the two, known some frames later: seconds of the last that is, 0 while none
    /// is and where the API cannot tell (OpenGL ES 3.0).
    virtual void begin_time() {}
    /// What was queued since the last stage ended, or since begin_time(), was of this stage.
    virtual void end_stage(GpuStage) {}
    virtual void end_time() {}
    virtual double gpu_seconds() const { return 0; }
    virtual GpuTimes gpu_stages() const { return {}; }
    /// RGBA of 8 bits each, rows from the top.
    virtual void read_pixels(TargetId target, int width, int height, std::span<std::uint8_t> rgba) = 0;
    /// Starts to read the same without waiting; end_read_pixels() gives the oldest that was begun, and waits for it. False: there is none.
    virtual void begin_read_pixels(TargetId target, int width, int height);
    virtual bool end_read_pixels(std::span<std::uint8_t> rgba);
    virtual void finish() = 0;

    const BackendCounters& counters() const { return counters_; }

protected:
    SCREE_BACKEND_COMMANDS(= 0)
    virtual void do_dispatch(std::uint32_t) {}
    virtual void do_fill(TextureId, std::uint32_t) {}
    virtual void do_draw_indirect(Primitive, BufferId, std::size_t, std::uint32_t) {}
    virtual void do_read_buffer(BufferId, std::size_t, std::span<std::byte>) {}
    virtual void do_copy_to_texture(TextureId, int, int, const GraphicsBuffer&, std::size_t) {}
    virtual void do_deform(BufferId, const DeformDef&) {}
    virtual void do_skin(BufferId, const SkinDef&) {}
    virtual bool do_read_shared(const GraphicsBuffer&, std::span<std::byte>) { return false; }

private:
    void count(Primitive primitive, std::uint64_t corners);

    BackendCounters counters_;
    bool count_indirect_ = false;
    std::deque<std::vector<std::uint8_t>> read_; ///< by begin_read_pixels
};

/// Owns a buffer, texture, program or target, or nothing.
template <class ThingId>
class Owned {
public:
    Owned() = default;
    Owned(Backend& backend, ThingId id) : backend_(&backend), id_(id) {}
    Owned(Owned&& other) noexcept { *this = std::move(other); }
    Owned& operator=(Owned&& other) noexcept {
        std::swap(backend_, other.backend_);
        std::swap(id_, other.id_);
        return *this;
    }
    ~Owned() {
        if (id_.value) backend_->destroy(id_);
    }
    explicit operator bool() const { return id_.value != 0; }
    operator ThingId() const { return id_; }

private:
    Backend* backend_ = nullptr;
    ThingId id_{};
};

/// The bytes of an array, as buffers and textures take them.
template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& array) {
    return std::as_bytes(std::span<const T>(array));
}

// Names that every program may use, and the places they are bound to. The shaders declare them by these names.
inline constexpr const char* constant_block_names[] = {"Frame", "Lights", "Draw"};
enum ConstantSlot { frame_slot = 0, lights_slot = 1, draw_slot = 2 };
inline constexpr const char* sampler_names[] = {
    "pose_positions",   "pose_rotations", "pose_colours", "records",      "looks",      "shadow_map",
    "light_shadow_map", "light_tiles",    "albedo_map",   "normal_map",   "colour_map", "depth_map",
    "occlusion_map",    "layer_map",      "mask_map",     "hiding_depths"};
enum TextureUnit {
    pose_position_unit,
    pose_rotation_unit,
    pose_colour_unit,
    record_unit,
    look_unit,
    shadow_unit,
    light_shadow_unit,
    light_tile_unit,
    albedo_unit,
    normal_unit,
    colour_unit,
    depth_unit,
    occlusion_unit,
    layer_unit,
    mask_unit,
    hiding_unit,
    texture_units
};

} // namespace scree::render
