// SPDX-License-Identifier: MIT
// gl_backend.cpp — see gl_backend.h. The calls are those that GL 4.5 core and GLES 3.0 share.
#include "render/gl_backend.h"

#include "render/mesh.h"
#include "render/shader_source.h"
#include "scree/error.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>

namespace scree::render {

namespace {

struct Format {
    GLenum internal, format, type;
};

constexpr Format gl_formats[] = {{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
                                 {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
                                 {GL_R8, GL_RED, GL_UNSIGNED_BYTE},
                                 {GL_RGBA16F, GL_RGBA, GL_FLOAT},
                                 {GL_RGBA32F, GL_RGBA, GL_FLOAT},
                                 {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT},
                                 {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT}};
const Format& gl_format(TextureFormat format) { return gl_formats[static_cast<std::size_t>(format)]; }

GLenum gl_primitive(Primitive primitive) {
    return primitive == Primitive::triangles ? GL_TRIANGLES
           : primitive == Primitive::lines   ? GL_LINES
                                             : GL_POINTS;
}

void set_enabled(GLenum what, bool on) { on ? glEnable(what) : glDisable(what); }

const void* offset_pointer(std::size_t offset) {
    return reinterpret_cast<const void*>(offset); // NOLINT(performance-no-int-to-ptr): OpenGL takes it so
}

/// Memory of the driver that a world's device may write.
class GlShared final : public GraphicsBuffer {
public:
    explicit GlShared(std::size_t bytes) : bytes_(bytes) {
        glGenBuffers(1, &name_);
        glBindBuffer(GL_COPY_WRITE_BUFFER, name_);
        while (glGetError() != GL_NO_ERROR) {}
        glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
        if (glGetError() == GL_NO_ERROR) return;
        glDeleteBuffers(1, &name_);
        throw Error("the graphics driver has no memory for a buffer of " + std::to_string(bytes) + " bytes");
    }
    ~GlShared() override {
        registration.reset();
        glDeleteBuffers(1, &name_);
    }
    GlShared(const GlShared&) = delete;
    GlShared& operator=(const GlShared&) = delete;
    std::uint32_t gl_name() const override { return name_; }
    std::size_t bytes() const override { return bytes_; }
    void* map() override {
        glBindBuffer(GL_COPY_WRITE_BUFFER, name_);
        return glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes_),
                                GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    }
    void unmap() override {
        glBindBuffer(GL_COPY_WRITE_BUFFER, name_);
        glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    }

private:
    GLuint name_ = 0;
    std::size_t bytes_;
};

class GlBackend final : public Backend {
public:
    GlBackend();
    ~GlBackend() override;

    const std::string& description() const override { return description_; }
    bool gles() const override { return gles_; }
    int max_samples() const override { return max_samples_; }
    int max_texture_size() const override { return max_texture_size_; }
    void begin_query(std::size_t number) override;
    void end_query() override { glEndQuery(GL_ANY_SAMPLES_PASSED); }
    bool passed(std::size_t number) override;
    bool begin_if_passed(std::size_t number) override;
    void end_if_passed() override { glEndConditionalRender(); }
    void begin_time() override;
    void end_stage(GpuStage stage) override;
    void end_time() override;
    double gpu_seconds() const override { return gpu_seconds_; }
    GpuTimes gpu_stages() const override { return gpu_stages_; }
    void read_pixels(TargetId target, int width, int height, std::span<std::uint8_t> rgba) override;
    void begin_read_pixels(TargetId target, int width, int height) override;
    bool end_read_pixels(std::span<std::uint8_t> rgba) override;
    void finish() override { glFinish(); }
    bool draws_many() const override { return !gles_; }
    bool computes() const override { return computes_; }
    bool software() const override { return software_; }
    void bind_storage(int slot, BufferId buffer) override {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(slot), buffer.value);
    }
    void bind_depths(TextureId texture) override {
        glTextureBarrier(); // it may still be the target
        glActiveTexture(GL_TEXTURE0 + hiding_unit);
        glBindTexture(texture_target(texture), texture.value);
        glBindSampler(hiding_unit, plain_sampler_);
    }
    std::unique_ptr<GraphicsBuffer> create_shared(std::size_t bytes) override {
        return std::make_unique<GlShared>(bytes);
    }

protected:
    SCREE_BACKEND_COMMANDS(override)
    void do_dispatch(std::uint32_t groups) override;
    void do_fill(TextureId texture, std::uint32_t groups) override;
    void do_draw_indirect(Primitive primitive, BufferId commands, std::size_t offset,
                          std::uint32_t count) override;
    void do_read_buffer(BufferId buffer, std::size_t offset, std::span<std::byte> to) override;
    void do_copy_to_texture(TextureId texture, int first_row, int rows, const GraphicsBuffer& from,
                            std::size_t offset) override;
    void do_deform(BufferId vertices, const DeformDef& def) override;
    void do_skin(BufferId vertices, const SkinDef& def) override;
    ProgramId capturing(const char* shader);
    void capture(BufferId vertices, std::uint32_t first, std::uint32_t count);
    bool do_read_shared(const GraphicsBuffer& from, std::span<std::byte> to) override;

private:
    // textures and buffers by their GL name: what was asked for, and where it belongs
    struct Texture {
        TextureDef def;
        bool renderbuffer = false;
    };
    template <class T>
    static T& slot(std::vector<T>& list, std::uint32_t name) {
        if (list.size() <= name) list.resize(name + 1);
        return list[name];
    }
    GLuint compile(const ProgramSource& source, GLenum stage, const std::string& text);
    GLenum texture_target(TextureId texture) const {
        return textures_[texture.value].def.samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    }

    std::string description_;
    bool gles_ = false, computes_ = false, software_ = false;
    int max_samples_ = 1, max_texture_size_ = 2048;
    GLuint arrays_[3] = {};
    std::vector<GLuint> queries_ = std::vector<GLuint>(8); ///< by number: enough for the usual layers
    std::array<ProgramId, 2> copies_{};                    ///< from a buffer to a texture: quads, colours
    ProgramId deform_{}, skin_{};
    GLuint deform_array_ = 0, skin_array_ = 0;
    GLuint plain_sampler_ = 0; ///< reads depths that others compare
    struct
        TimeQuery { ///< of a picture: when it began and when each stage ended, in the order in which they did
        std::array<GLuint, 1 + static_cast<std::size_t>(GpuStage::count)> names{};
        std::array<GpuStage, static_cast<std::size_t>(GpuStage::count)> stages{};
        std::size_t ended = 0;
        bool under_way = false;
    };
    std::array<TimeQuery, 4> times_{}; ///< taken in turn
    std::size_t next_time_ = 0;
    bool timing_ = false;
    double gpu_seconds_ = 0;
    GpuTimes gpu_stages_{};
    struct Pixels {
        GLuint buffer = 0;
        std::size_t row = 0;
        int height = 0;
    };
    std::deque<Pixels> pixels_; ///< on their way to the host
    std::vector<GLuint> idle_pixels_;
    std::vector<GLenum> buffer_targets_;
    std::vector<Texture> textures_, renderbuffers_;
    VertexLayout layout_ = VertexLayout::none;
    bool wide_ = false;
};

// ids of renderbuffers have this bit, so that they share TextureId with textures
constexpr std::uint32_t renderbuffer_bit = 0x40000000u;

GlBackend::GlBackend() {
    gles_ = !epoxy_is_desktop_gl();
    const int version = epoxy_gl_version();
    if (version < (gles_ ? 30 : 45))
        throw Error("the context is " + std::string(gles_ ? "OpenGL ES " : "OpenGL ") +
                    std::to_string(version / 10) + "." + std::to_string(version % 10) +
                    "; expected OpenGL 4.5 or OpenGL ES 3.0");
    if (gles_ && version < 32 && !epoxy_has_gl_extension("GL_EXT_color_buffer_float") &&
        !epoxy_has_gl_extension("GL_EXT_color_buffer_half_float"))
        throw Error("this OpenGL ES cannot draw into float textures; expected GL_EXT_color_buffer_float");
    const auto text = [](GLenum what) {
        return std::string(reinterpret_cast<const char*>(glGetString(what)));
    };
    description_ = text(GL_VERSION) + ", " + text(GL_RENDERER);
    if (!gles_) description_ = "OpenGL " + description_;
    const std::string renderer = text(GL_RENDERER);
    for (const char* name : {"llvmpipe", "softpipe", "SwiftShader"})
        software_ = software_ || renderer.find(name) != std::string::npos;
    GLint blocks = 0;
    if (!gles_) glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &blocks);
    computes_ = blocks >= 10;
    if (computes_) {
        glGenSamplers(1, &plain_sampler_);
        glSamplerParameteri(plain_sampler_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glSamplerParameteri(plain_sampler_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glGetIntegerv(GL_MAX_SAMPLES, &max_samples_);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_texture_size_);
    for (TimeQuery& time : times_) glGenQueries(static_cast<GLsizei>(time.names.size()), time.names.data());
    glGenQueries(static_cast<GLsizei>(queries_.size()), queries_.data());
    glGenVertexArrays(3, arrays_);
    if (!gles_) glEnable(GL_PROGRAM_POINT_SIZE); // always on in OpenGL ES
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
}

GlBackend::~GlBackend() {
    glDeleteQueries(static_cast<GLsizei>(queries_.size()), queries_.data());
    if (computes_) glDeleteSamplers(1, &plain_sampler_);
    for (TimeQuery& time : times_)
        glDeleteQueries(static_cast<GLsizei>(time.names.size()), time.names.data());
    for (const Pixels& pixels : pixels_) glDeleteBuffers(1, &pixels.buffer);
    for (const GLuint buffer : idle_pixels_) glDeleteBuffers(1, &buffer);
    glDeleteVertexArrays(3, arrays_);
    for (const ProgramId copy : copies_)
        if (copy.value) glDeleteProgram(copy.value);
    if (deform_.value) glDeleteProgram(deform_.value);
    glDeleteVertexArrays(1, &deform_array_);
    if (skin_.value) glDeleteProgram(skin_.value);
    glDeleteVertexArrays(1, &skin_array_);
}

void GlBackend::begin_time() {
    if (gles()) return;
    for (TimeQuery& time : times_) {
        GLuint ready = 0;
        if (time.under_way) glGetQueryObjectuiv(time.names[time.ended], GL_QUERY_RESULT_AVAILABLE, &ready);
        if (!ready) continue;
        const auto stamp = [&](std::size_t number) {
            GLuint64 nanoseconds = 0;
            glGetQueryObjectui64v(time.names[number], GL_QUERY_RESULT, &nanoseconds);
            return nanoseconds;
        };
        const GLuint64 first = stamp(0);
        GLuint64 last = first;
        gpu_stages_ = {};
        for (std::size_t i = 0; i < time.ended; ++i) {
            const GLuint64 now = stamp(i + 1);
            gpu_stages_[static_cast<std::size_t>(time.stages[i])] = 1e-9 * static_cast<double>(now - last);
            last = now;
        }
        gpu_seconds_ = 1e-9 * static_cast<double>(last - first);
        time.under_way = false;
    }
    // a GPU that is four frames behind is not asked again
    TimeQuery& next = times_[next_time_];
    timing_ = !next.under_way;
    if (!timing_) return;
    next.ended = 0;
    glQueryCounter(next.names[0], GL_TIMESTAMP);
}

void GlBackend::end_stage(GpuStage stage) {
    TimeQuery& time = times_[next_time_];
    if (!timing_ || time.ended == time.stages.size()) return;
    time.stages[time.ended++] = stage;
    glQueryCounter(time.names[time.ended], GL_TIMESTAMP);
}

void GlBackend::end_time() {
    if (!timing_) return;
    times_[next_time_].under_way = true;
    next_time_ = (next_time_ + 1) % times_.size();
    timing_ = false;
}

void GlBackend::begin_query(std::size_t number) {
    while (queries_.size() <= number) glGenQueries(1, &queries_.emplace_back());
    glBeginQuery(GL_ANY_SAMPLES_PASSED, queries_[number]);
}

bool GlBackend::passed(std::size_t number) {
    GLuint any = 0;
    glGetQueryObjectuiv(queries_[number], GL_QUERY_RESULT, &any);
    return any != 0;
}

bool GlBackend::begin_if_passed(std::size_t number) {
    if (gles_) return false;
    glBeginConditionalRender(queries_[number], GL_QUERY_WAIT); // the GPU waits
    return true;
}

BufferId GlBackend::do_create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    const GLenum target = kind == BufferKind::constants ? GL_UNIFORM_BUFFER
                          : kind == BufferKind::indices ? GL_ELEMENT_ARRAY_BUFFER
                          : kind == BufferKind::storage ? GL_COPY_WRITE_BUFFER
                                                        : GL_ARRAY_BUFFER;
    slot(buffer_targets_, name) = target;
    // the index binding is part of a vertex array: use none of ours
    glBindVertexArray(arrays_[0]);
    glBindBuffer(target, name);
    glBufferData(target, static_cast<GLsizeiptr>(std::max<std::size_t>(bytes, 16)), nullptr, GL_DYNAMIC_DRAW);
    if (!data.empty()) glBufferSubData(target, 0, static_cast<GLsizeiptr>(data.size()), data.data());
    if (glGetError() == GL_OUT_OF_MEMORY) {
        glDeleteBuffers(1, &name);
        throw Error("the graphics driver has no memory for a buffer of " + std::to_string(bytes) + " bytes");
    }
    return {name};
}

void GlBackend::do_update_buffer(BufferId buffer, std::size_t offset, std::span<const std::byte> data) {
    if (data.empty()) return;
    const GLenum target = buffer_targets_[buffer.value];
    if (target == GL_ELEMENT_ARRAY_BUFFER) glBindVertexArray(arrays_[0]);
    glBindBuffer(target, buffer.value);
    glBufferSubData(target, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(data.size()), data.data());
}

TextureId GlBackend::do_create_texture(const TextureDef& def) {
    const Format format = gl_format(def.format);
    GLuint name = 0;
    if (def.samples > 1 && def.depths) {
        glGenTextures(1, &name);
        glActiveTexture(GL_TEXTURE0 + texture_units);
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, name);
        glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, def.samples, format.internal, def.width,
                                  def.height, GL_TRUE);
        slot(textures_, name) = {def, false};
    } else if (def.samples > 1) {
        // GLES 3.0 has no multisampled textures; nothing reads these but resolve()
        glGenRenderbuffers(1, &name);
        glBindRenderbuffer(GL_RENDERBUFFER, name);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, def.samples, format.internal, def.width,
                                         def.height);
        slot(renderbuffers_, name) = {def, true};
    } else {
        glGenTextures(1, &name);
        glActiveTexture(GL_TEXTURE0 + texture_units);
        glBindTexture(GL_TEXTURE_2D, name);
        int levels = 1;
        if (def.mipmaps)
            for (int size = std::max(def.width, def.height); size > 1; size /= 2) ++levels;
        glTexStorage2D(GL_TEXTURE_2D, levels, format.internal, def.width, def.height);
        const bool linear = def.linear || def.compare;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                        def.mipmaps ? GL_LINEAR_MIPMAP_LINEAR
                        : linear    ? GL_LINEAR
                                    : GL_NEAREST);
        const GLint wrap = def.repeat ? GL_REPEAT : GL_CLAMP_TO_EDGE;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
        if (def.compare) {
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
        }
        slot(textures_, name) = {def, false};
    }
    const TextureId made{def.samples > 1 && !def.depths ? name | renderbuffer_bit : name};
    if (glGetError() == GL_OUT_OF_MEMORY) {
        do_destroy(made);
        throw Error("the graphics driver has no memory for a texture of " + std::to_string(def.width) + "x" +
                    std::to_string(def.height));
    }
    return made;
}

void GlBackend::do_update_texture(TextureId texture, int first_row, int rows,
                                  std::span<const std::byte> data) {
    const TextureDef& def = textures_[texture.value].def;
    const Format format = gl_format(def.format);
    glActiveTexture(GL_TEXTURE0 + texture_units);
    glBindTexture(GL_TEXTURE_2D, texture.value);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, first_row, def.width, rows, format.format, format.type, data.data());
    if (def.mipmaps) glGenerateMipmap(GL_TEXTURE_2D);
}

GLuint GlBackend::compile(const ProgramSource& source, GLenum stage, const std::string& text) {
    const GLuint shader = glCreateShader(stage);
    const char* lines = text.c_str();
    glShaderSource(shader, 1, &lines, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    GLint size = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &size);
    std::string log(static_cast<std::size_t>(std::max(size, 1)), '\0');
    glGetShaderInfoLog(shader, size, nullptr, log.data());
    glDeleteShader(shader);
    throw Error("the graphics driver cannot compile this shader (" +
                std::string(stage == GL_VERTEX_SHADER     ? "vertex"
                            : stage == GL_FRAGMENT_SHADER ? "fragment"
                                                          : "compute") +
                " stage of " + source.name + ", " + description_ + "):\n" + readable_log(log, source.files));
}

ProgramId GlBackend::do_create_program(const ProgramSource& source) {
    std::vector<GLuint> shaders;
    if (source.compute.empty()) {
        shaders.push_back(compile(source, GL_VERTEX_SHADER, source.vertex));
        shaders.push_back(compile(source, GL_FRAGMENT_SHADER, source.fragment));
    } else {
        shaders.push_back(compile(source, GL_COMPUTE_SHADER, source.compute));
    }
    const GLuint program = glCreateProgram();
    for (const GLuint shader : shaders) glAttachShader(program, shader);
    const char* attributes[] = {"in_position", "in_normal",   "in_inset",    "in_uv",      "in_tangent",
                                "in_records0", "in_records1", "in_records2", "in_records3"};
    for (GLuint i = 0; i < 9; ++i) glBindAttribLocation(program, i, attributes[i]);
    if (!source.captured.empty())
        glTransformFeedbackVaryings(program, static_cast<GLsizei>(source.captured.size()),
                                    source.captured.data(), GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    for (const GLuint shader : shaders) glDeleteShader(shader);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[4096] = {};
        glGetProgramInfoLog(program, sizeof log, nullptr, log);
        glDeleteProgram(program);
        throw Error("the graphics driver cannot link the shaders of " + source.name + ":\n" +
                    readable_log(log, source.files));
    }
    for (GLuint i = 0; i < std::size(constant_block_names); ++i) {
        const GLuint block = glGetUniformBlockIndex(program, constant_block_names[i]);
        if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, i);
    }
    glUseProgram(program);
    for (int i = 0; i < texture_units; ++i) {
        const GLint location = glGetUniformLocation(program, sampler_names[i]);
        if (location >= 0) glUniform1i(location, i);
    }
    return {program};
}

TargetId GlBackend::do_create_target(std::span<const TextureId> colours, TextureId depth) {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    const auto attach = [this](GLenum point, TextureId texture) {
        if (texture.value & renderbuffer_bit)
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER,
                                      texture.value ^ renderbuffer_bit);
        else glFramebufferTexture2D(GL_FRAMEBUFFER, point, texture_target(texture), texture.value, 0);
    };
    std::vector<GLenum> points;
    for (const TextureId colour : colours) {
        points.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(points.size()));
        attach(points.back(), colour);
    }
    if (depth.value) attach(GL_DEPTH_ATTACHMENT, depth);
    if (points.empty()) {
        points.push_back(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    glDrawBuffers(static_cast<GLsizei>(points.size()), points.data());
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        glDeleteFramebuffers(1, &name);
        char text[16];
        std::snprintf(text, sizeof text, "0x%x", status);
        throw Error("the graphics driver cannot draw into this kind of target (status " + std::string(text) +
                    ")");
    }
    return {name};
}

void GlBackend::do_destroy(BufferId buffer) { glDeleteBuffers(1, &buffer.value); }
void GlBackend::do_destroy(TextureId texture) {
    const GLuint name = texture.value & ~renderbuffer_bit;
    if (texture.value & renderbuffer_bit) glDeleteRenderbuffers(1, &name);
    else glDeleteTextures(1, &name);
}
void GlBackend::do_destroy(ProgramId program) { glDeleteProgram(program.value); }
void GlBackend::do_destroy(TargetId target) { glDeleteFramebuffers(1, &target.value); }
void GlBackend::do_bind_program(ProgramId program) { glUseProgram(program.value); }

void GlBackend::do_begin_pass(const PassDef& pass) {
    glBindFramebuffer(GL_FRAMEBUFFER, pass.target.value);
    glViewport(pass.x, pass.y, pass.width, pass.height);
    if (!pass.clear_colour && !pass.clear_depth) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(pass.x, pass.y, pass.width, pass.height);
    if (pass.clear_colour) {
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glClearColor(pass.colour[0], pass.colour[1], pass.colour[2], pass.colour[3]);
    }
    if (pass.clear_depth) {
        glDepthMask(GL_TRUE);
        glClearDepthf(pass.depth);
    }
    glClear((pass.clear_colour ? GL_COLOR_BUFFER_BIT : 0u) | (pass.clear_depth ? GL_DEPTH_BUFFER_BIT : 0u));
    glDisable(GL_SCISSOR_TEST);
}

void GlBackend::do_set_raster(const RasterState& state) {
    set_enabled(GL_DEPTH_TEST, state.depth != Depth::off || state.depth_write);
    glDepthFunc(state.depth == Depth::less         ? GL_LESS
                : state.depth == Depth::less_equal ? GL_LEQUAL
                : state.depth == Depth::equal      ? GL_EQUAL
                                                   : GL_ALWAYS);
    glDepthMask(state.depth_write ? GL_TRUE : GL_FALSE);
    const GLboolean colour = state.colour_write ? GL_TRUE : GL_FALSE;
    glColorMask(colour, colour, colour, colour);
    set_enabled(GL_CULL_FACE, state.cull != Cull::none);
    if (state.cull != Cull::none) glCullFace(state.cull == Cull::back ? GL_BACK : GL_FRONT);
    set_enabled(GL_BLEND, state.blend != Blend::off);
    switch (state.blend) {
    case Blend::off:
        break;
    case Blend::alpha:
        glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        break;
    case Blend::over:
        glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        break;
    case Blend::add:
        glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, GL_ONE);
        break;
    // colours arrive multiplied with their alpha, the nearest first; the target's alpha is what still shines through
    case Blend::under:
        glBlendFuncSeparate(GL_DST_ALPHA, GL_ONE, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
        break;
    }
    set_enabled(GL_POLYGON_OFFSET_FILL, state.slope_bias != 0 || state.constant_bias != 0);
    glPolygonOffset(state.slope_bias, state.constant_bias);
}

void GlBackend::do_bind_texture(int unit, TextureId texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture.value);
}

void GlBackend::do_bind_constants(int slot, BufferId buffer, std::size_t offset, std::size_t bytes) {
    glBindBufferRange(GL_UNIFORM_BUFFER, static_cast<GLuint>(slot), buffer.value,
                      static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(bytes));
}

void GlBackend::do_bind_vertices(VertexLayout layout, BufferId vertices, BufferId indices, bool wide) {
    layout_ = layout;
    wide_ = wide;
    glBindVertexArray(arrays_[static_cast<int>(layout)]);
    if (layout == VertexLayout::none) return;
    glBindBuffer(GL_ARRAY_BUFFER, vertices.value);
    if (layout == VertexLayout::mesh) {
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices.value);
        constexpr struct {
            GLint size;
            std::size_t offset;
        } parts[] = {{4, offsetof(MeshVertex, position)},
                     {3, offsetof(MeshVertex, normal)},
                     {3, offsetof(MeshVertex, inset)},
                     {3, offsetof(MeshVertex, uv)}, // and the copy
                     {4, offsetof(MeshVertex, tangent)}};
        for (GLuint i = 0; i < std::size(parts); ++i) {
            glEnableVertexAttribArray(i);
            glVertexAttribPointer(i, parts[i].size, GL_FLOAT, GL_FALSE, sizeof(MeshVertex),
                                  offset_pointer(parts[i].offset));
        }
        for (GLuint i = 5; i < 9; ++i) glVertexAttribDivisor(i, 1);
        glEnableVertexAttribArray(5);
    } else {
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(LineVertex), offset_pointer(0));
        glEnableVertexAttribArray(1);
        glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(LineVertex),
                              offset_pointer(offsetof(LineVertex, colour)));
    }
}

void GlBackend::do_bind_instances(BufferId buffer, std::size_t offset, bool cluster) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer.value);
    if (!cluster) {
        glVertexAttribIPointer(5, 1, GL_UNSIGNED_INT, 4, offset_pointer(offset));
        for (GLuint i = 6; i < 9; ++i) glDisableVertexAttribArray(i);
        return;
    }
    for (GLuint i = 0; i < 4; ++i) {
        glEnableVertexAttribArray(5 + i);
        glVertexAttribIPointer(5 + i, 4, GL_UNSIGNED_INT, 4 * cluster_size, offset_pointer(offset + 16 * i));
    }
}

void GlBackend::do_draw(const DrawRange& range) {
    const GLenum primitive = gl_primitive(range.primitive);
    const auto count = static_cast<GLsizei>(range.count), instances = static_cast<GLsizei>(range.instances);
    if (layout_ == VertexLayout::mesh)
        glDrawElementsInstanced(primitive, count, wide_ ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT,
                                offset_pointer(std::size_t{range.first} * (wide_ ? 4 : 2)), instances);
    else glDrawArraysInstanced(primitive, static_cast<GLint>(range.first), count, instances);
}

void GlBackend::do_dispatch(std::uint32_t groups) {
    const std::uint32_t rows = (groups + dispatch_row - 1) / dispatch_row;
    glDispatchCompute(std::min(groups, dispatch_row), rows, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                    GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void GlBackend::do_fill(TextureId texture, std::uint32_t groups) {
    glBindImageTexture(0, texture.value, 0, GL_FALSE, 0, GL_WRITE_ONLY,
                       gl_format(textures_[texture.value].def.format).internal);
    do_dispatch(groups);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                    GL_FRAMEBUFFER_BARRIER_BIT);
}

void GlBackend::do_draw_indirect(Primitive primitive, BufferId commands, std::size_t offset,
                                 std::uint32_t count) {
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands.value);
    glMultiDrawElementsIndirect(gl_primitive(primitive), wide_ ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT,
                                offset_pointer(offset), static_cast<GLsizei>(count), 0);
}

void GlBackend::do_read_buffer(BufferId buffer, std::size_t offset, std::span<std::byte> to) {
    glBindBuffer(GL_COPY_READ_BUFFER, buffer.value);
    glGetBufferSubData(GL_COPY_READ_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(to.size()),
                       to.data());
}

bool GlBackend::do_read_shared(const GraphicsBuffer& from, std::span<std::byte> to) {
    if (gles_) return false; // which has no such call; nothing culls on the GPU there
    while (glGetError() != GL_NO_ERROR) {}
    glBindBuffer(GL_COPY_READ_BUFFER, from.gl_name());
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(to.size()), to.data());
    return glGetError() == GL_NO_ERROR;
}

void GlBackend::do_copy_to_texture(TextureId texture, int first_row, int rows, const GraphicsBuffer& from,
                                   std::size_t offset) {
    const TextureDef& def = textures_[texture.value].def;
    const bool colours = def.format == TextureFormat::rgba8;
    if (!computes_ || (!colours && def.format != TextureFormat::rgba32f))
        throw Error("textures of this format cannot be filled from a buffer");
    ProgramId& program = copies_[colours];
    if (!program.value) {
        const std::string defines[] = {"COMPUTE", colours ? "COLOURS" : "QUADS"};
        program = do_create_program(shader_source("copy.glsl", defines, gles_));
    }
    const auto texels = static_cast<std::uint32_t>(rows) * static_cast<std::uint32_t>(def.width);
    glUseProgram(program.value);
    glUniform3ui(0, static_cast<GLuint>(offset / (colours ? 4 : 16)), texels, static_cast<GLuint>(first_row));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, from.gl_name());
    do_fill(texture, (texels + 127) / 128);
}

/// A program whose vertex shader makes MeshVertices.
ProgramId GlBackend::capturing(const char* shader) {
    ProgramSource source = shader_source(shader, {}, gles_);
    source.captured = {"out_position", "out_normal", "out_inset", "out_uv", "out_tangent"};
    return do_create_program(source);
}

/// Runs it for vertices of the buffer.
void GlBackend::capture(BufferId vertices, std::uint32_t first, std::uint32_t count) {
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, vertices.value,
                      static_cast<GLintptr>(first * sizeof(MeshVertex)),
                      static_cast<GLsizeiptr>(count * sizeof(MeshVertex)));
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}

void GlBackend::do_deform(BufferId vertices, const DeformDef& def) {
    if (!deform_.value) {
        deform_ = capturing("deform.glsl");
        glGenVertexArrays(1, &deform_array_);
    }
    glUseProgram(deform_.value);
    glUniform4f(glGetUniformLocation(deform_.value, "ball"), def.centre[0], def.centre[1], def.centre[2],
                1 / def.radius);
    glBindVertexArray(deform_array_);
    const auto attribute = [](GLuint place, GLint size, GLuint buffer, std::size_t offset) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glEnableVertexAttribArray(place);
        glVertexAttribPointer(place, size, GL_FLOAT, GL_FALSE, 0, offset_pointer(offset));
    };
    attribute(0, 4, def.from->gl_name(), def.positions);
    attribute(1, 4, def.from->gl_name(), def.normals);
    attribute(2, 3, def.insets.value, 0);
    capture(vertices, def.first_vertex, def.count);
}

void GlBackend::do_skin(BufferId vertices, const SkinDef& def) {
    if (!skin_.value) {
        skin_ = capturing("skin.glsl");
        glGenVertexArrays(1, &skin_array_);
    }
    const auto place = [&](const char* name) { return glGetUniformLocation(skin_.value, name); };
    glUseProgram(skin_.value);
    glUniform4f(place("ball"), def.centre[0], def.centre[1], def.centre[2], 1 / def.radius);
    glUniform1i(place("first_bone"), static_cast<GLint>(def.first_bone));
    glUniform1i(place("bones"), texture_units);
    glActiveTexture(GL_TEXTURE0 + texture_units);
    glBindTexture(GL_TEXTURE_2D, def.bones.value);
    glBindVertexArray(skin_array_);
    glBindBuffer(GL_ARRAY_BUFFER, def.rest.value);
    const auto attribute = [](GLuint at, GLint size, std::size_t offset) {
        glEnableVertexAttribArray(at);
        glVertexAttribPointer(at, size, GL_FLOAT, GL_FALSE, sizeof(MeshVertex), offset_pointer(offset));
    };
    attribute(0, 4, offsetof(MeshVertex, position));
    attribute(1, 3, offsetof(MeshVertex, normal));
    attribute(2, 3, offsetof(MeshVertex, inset));
    attribute(3, 3, offsetof(MeshVertex, uv));
    attribute(4, 4, offsetof(MeshVertex, tangent));
    glBindBuffer(GL_ARRAY_BUFFER, def.bones_of.value);
    glEnableVertexAttribArray(5);
    glVertexAttribIPointer(5, 4, GL_UNSIGNED_INT, 0, nullptr);
    capture(vertices, def.first_vertex, def.count);
}

void GlBackend::do_resolve(TargetId from, TargetId to, int width, int height, bool colour, bool depth) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from.value);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to.value);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    if (colour) glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    if (depth) glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

void GlBackend::read_pixels(TargetId target, int width, int height, std::span<std::uint8_t> rgba) {
    // what was begun before stays for its own end
    begin_read_pixels(target, width, height);
    std::rotate(pixels_.begin(), pixels_.end() - 1, pixels_.end());
    end_read_pixels(rgba);
}

void GlBackend::begin_read_pixels(TargetId target, int width, int height) {
    Pixels pixels;
    pixels.row = 4 * static_cast<std::size_t>(width);
    pixels.height = height;
    if (idle_pixels_.empty()) glGenBuffers(1, &idle_pixels_.emplace_back());
    pixels.buffer = idle_pixels_.back();
    idle_pixels_.pop_back();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, pixels.buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(pixels.row * static_cast<std::size_t>(height)),
                 nullptr, GL_STREAM_READ);
    glBindFramebuffer(GL_FRAMEBUFFER, target.value);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    pixels_.push_back(pixels);
}

bool GlBackend::end_read_pixels(std::span<std::uint8_t> rgba) {
    if (pixels_.empty()) return false;
    const Pixels pixels = pixels_.front();
    pixels_.pop_front();
    idle_pixels_.push_back(pixels.buffer);
    const auto height = static_cast<std::size_t>(pixels.height);
    const std::size_t bytes = pixels.row * height;
    if (rgba.size() < bytes) throw Error("the memory for a picture is too small");
    glBindBuffer(GL_PIXEL_PACK_BUFFER, pixels.buffer);
    const auto* from = static_cast<const std::uint8_t*>(
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT));
    // GL's rows begin at the bottom
    for (std::size_t y = 0; from && y < height; ++y)
        std::copy_n(from + pixels.row * (height - 1 - y), pixels.row,
                    rgba.begin() + static_cast<std::ptrdiff_t>(pixels.row * y));
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (!from) throw Error("the graphics driver does not give the picture");
    return true;
}

} // namespace

std::unique_ptr<Backend> make_gl_backend() { return std::make_unique<GlBackend>(); }

} // namespace scree::render
