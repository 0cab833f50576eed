// SPDX-License-Identifier: MIT
// gles_device.cpp — see gles_device.h.
//
// A buffer is a texture of four 32-bit integers a texel, 1024 texels a row: sixteen bytes lie in a texel, and a kernel's attribute of
// four words is one. Integers, because every OpenGL ES 3.0 can draw into them, and because nothing on the way touches their bits.
#include "device/gles/gles_device.h"

#include "device/gles/calls.h"
#include "device/gles/egl.h"
#include "device/gles/program.h"
#include "device/trial.h"
#include "scree/error.h"
#include "scree/shared_poses.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace scree::gles {

namespace {

constexpr std::size_t texel = 16; // bytes
constexpr std::size_t row_bytes = texel * row_items;

/// What Buffer::raw points to.
struct Texture {
    GLuint texture = 0, framebuffer = 0;
    std::size_t rows = 0;
};
Texture& texture_of(const Buffer& buffer) { return *static_cast<Texture*>(buffer.raw); }

struct Program {
    GLuint program = 0;
    std::size_t output = 0;
};

/// What the context that is current was asked for so far, if it is of OpenGL ES. Contexts wait for each other only where they are told to.
class Fence {
public:
    explicit Fence(const Calls& gl) : gl_(gl) {
        if (!egl::current_gles()) return;
        sync_ = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl_.Flush();
    }
    ~Fence() {
        if (sync_) gl_.DeleteSync(sync_);
    }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;

    /// In the context that is current by now; false: it shares no objects with that one.
    bool wait() const {
        if (!sync_) return true;
        if (!gl_.IsSync(sync_)) return false;
        gl_.WaitSync(sync_, 0, GL_TIMEOUT_IGNORED);
        return true;
    }

private:
    const Calls& gl_;
    GLsync sync_ = nullptr;
};

class GlesDevice final : public Device {
public:
    explicit GlesDevice(DeviceReport report, egl::Handle shared = {});
    ~GlesDevice() override;
    GlesDevice(const GlesDevice&) = delete;
    GlesDevice& operator=(const GlesDevice&) = delete;

    const DeviceReport& report() const override { return report_; }
    std::unique_ptr<Device> another() const override {
        return std::make_unique<GlesDevice>(report_, shares_ ? context_.handle : egl::Handle{});
    }
    std::uint32_t padding() const override { return 1; }

    Buffer allocate(std::size_t bytes) override;
    void release(Buffer& buffer) override;
    void upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) override;
    void download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset) override;
    void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override;
    void fill(const Buffer& buffer, std::uint32_t value, std::size_t words, std::size_t first_word) override;
    void copy_to_shared(GraphicsBuffer& memory, std::span<const SharedCopy> parts) override;

    void launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers, const void* params,
                std::size_t params_bytes) override;
    void sort(const Buffer&, const Buffer&, const Buffer&, const Buffer&, std::uint32_t, int) override {
        throw Error("there is no sort on this device", "device gles");
    }
    void sort64(const Buffer&, const Buffer&, const Buffer&, const Buffer&, std::uint32_t, int) override {
        throw Error("there is no sort on this device", "device gles");
    }
    void exclusive_scan(const Buffer&, const Buffer&, std::uint32_t) override {
        throw Error("there is no scan on this device", "device gles");
    }
    void finish() override {
        const egl::Current current(context_.handle);
        gl_.Finish();
    }

    void time_stages(bool on) override {
        timing_ = on;
        stage_ = -1;
        seconds_ = {};
    }
    void mark(int stage) override;
    std::array<double, 16> stage_seconds() override { return seconds_; }

    std::string renderer() const {
        const egl::Current current(context_.handle);
        return std::string(reinterpret_cast<const char*>(gl_.GetString(GL_RENDERER))) + ", " +
               reinterpret_cast<const char*>(gl_.GetString(GL_VERSION));
    }

private:
    /// Calls `part(x, y, width, height, bytes before it)` for the rectangles that make up texels first … first + count - 1.
    template <class Part>
    static void each_part(std::size_t first, std::size_t count, Part part) {
        std::size_t done = 0;
        while (done < count) {
            const std::size_t at = first + done, x = at % row_items;
            const bool whole_rows = x == 0 && count - done >= row_items;
            const std::size_t width = whole_rows ? row_items : std::min(row_items - x, count - done);
            const std::size_t height = whole_rows ? (count - done) / row_items : 1;
            part(static_cast<GLint>(x), static_cast<GLint>(at / row_items), static_cast<GLsizei>(width),
                 static_cast<GLsizei>(height), done * texel);
            done += width * height;
        }
    }
    /// For destructors. A display that the program has ended, such as a window's, took all objects with it.
    template <class Call>
    void release_objects(Call call) {
        try {
            const egl::Current current(context_.handle);
            call();
        } catch (const Error&) {}
    }
    void write_texels(const Texture& to, std::size_t first, std::size_t count, const std::byte* from);
    void read_texels(const Texture& from, std::size_t first, std::size_t count, std::byte* to);
    const Program& program(KernelId kernel);
    GLuint compiled(GLenum kind, const std::string& source, KernelId kernel);
    void check(const char* what);

    OwnedContext context_;
    bool shares_; ///< its objects are those of another context, too
    Calls gl_;
    DeviceReport report_;
    GLint most_rows_ = 0;
    GLuint uniforms_ = 0;
    Texture nothing_; ///< in the place of empty buffers
    std::map<KernelId, Program> programs_;
    bool timing_ = false;
    int stage_ = -1;
    std::chrono::steady_clock::time_point since_;
    std::array<double, 16> seconds_{};
};

GlesDevice::GlesDevice(DeviceReport report, egl::Handle shared)
    : context_(shared),
      shares_(shared),
      gl_(within(context_, [] { return Calls(); })),
      report_(std::move(report)) {
    {
        const egl::Current current(context_.handle);
        gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most_rows_);
        gl_.GenBuffers(1, &uniforms_);
    }
    Buffer one = allocate(texel);
    nothing_ = texture_of(one);
    delete static_cast<Texture*>(one.raw);
    traffic_ = {};
}

GlesDevice::~GlesDevice() {
    release_objects([&] {
        gl_.DeleteTextures(1, &nothing_.texture);
        gl_.DeleteFramebuffers(1, &nothing_.framebuffer);
        gl_.DeleteBuffers(1, &uniforms_);
        for (const auto& [kernel, made] : programs_) gl_.DeleteProgram(made.program);
    });
}

void GlesDevice::check(const char* what) {
    const GLenum code = gl_.GetError();
    if (code != GL_NO_ERROR)
        throw Error(std::string(what) + " failed with " +
                        (code == GL_OUT_OF_MEMORY ? "GL_OUT_OF_MEMORY" : "GL error " + std::to_string(code)),
                    "device " + report_.name);
}

// memory ----------------------------------------------------------------------------------------------------

Buffer GlesDevice::allocate(std::size_t bytes) {
    if (bytes == 0) return {};
    const std::size_t rows = (bytes + row_bytes - 1) / row_bytes;
    if (rows > static_cast<std::size_t>(most_rows_))
        throw Error("a buffer of " + std::to_string(bytes) +
                        " bytes was asked for; the largest that the device allows has " +
                        std::to_string(static_cast<std::size_t>(most_rows_) * row_bytes),
                    "device " + report_.name);
    const egl::Current current(context_.handle);
    auto made = std::make_unique<Texture>();
    made->rows = rows;
    gl_.GenTextures(1, &made->texture);
    gl_.BindTexture(GL_TEXTURE_2D, made->texture);
    gl_.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32UI, row_items, static_cast<GLsizei>(rows));
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl_.GenFramebuffers(1, &made->framebuffer);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, made->framebuffer);
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, made->texture, 0);
    if (const GLenum status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
        gl_.GetError() != GL_NO_ERROR || status != GL_FRAMEBUFFER_COMPLETE) {
        gl_.DeleteFramebuffers(1, &made->framebuffer);
        gl_.DeleteTextures(1, &made->texture);
        throw Error("not enough memory for a buffer of " + std::to_string(bytes) + " bytes",
                    "device " + report_.name);
    }
    traffic_.allocated += bytes;
    return {made.release(), bytes};
}

void GlesDevice::release(Buffer& buffer) {
    if (buffer.raw) {
        const std::unique_ptr<Texture> gone(static_cast<Texture*>(buffer.raw));
        release_objects([&] {
            gl_.DeleteFramebuffers(1, &gone->framebuffer);
            gl_.DeleteTextures(1, &gone->texture);
        });
        traffic_.allocated -= buffer.bytes;
    }
    buffer = {};
}

void GlesDevice::write_texels(const Texture& to, std::size_t first, std::size_t count,
                              const std::byte* from) {
    gl_.ActiveTexture(GL_TEXTURE0);
    gl_.BindTexture(GL_TEXTURE_2D, to.texture);
    each_part(first, count, [&](GLint x, GLint y, GLsizei width, GLsizei height, std::size_t before) {
        gl_.TexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                          from + before);
    });
}

void GlesDevice::read_texels(const Texture& from, std::size_t first, std::size_t count, std::byte* to) {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, from.framebuffer);
    each_part(first, count, [&](GLint x, GLint y, GLsizei width, GLsizei height, std::size_t before) {
        gl_.ReadPixels(x, y, width, height, GL_RGBA_INTEGER, GL_UNSIGNED_INT, to + before);
    });
}

void GlesDevice::upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return;
    const egl::Current current(context_.handle);
    const std::size_t first = offset / texel, count = (offset + bytes + texel - 1) / texel - first;
    if (offset % texel == 0 && bytes % texel == 0) {
        write_texels(texture_of(to), first, count, static_cast<const std::byte*>(from));
    } else { // texels are written whole
        std::vector<std::byte> whole(count * texel);
        read_texels(texture_of(to), first, count, whole.data());
        std::memcpy(whole.data() + offset % texel, from, bytes);
        write_texels(texture_of(to), first, count, whole.data());
    }
    check("an upload");
    traffic_.uploaded += bytes;
    ++traffic_.uploads;
}

void GlesDevice::download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return;
    const egl::Current current(context_.handle);
    const std::size_t first = offset / texel, count = (offset + bytes + texel - 1) / texel - first;
    if (offset % texel == 0 && bytes % texel == 0) {
        read_texels(texture_of(from), first, count, static_cast<std::byte*>(to));
    } else {
        std::vector<std::byte> whole(count * texel);
        read_texels(texture_of(from), first, count, whole.data());
        std::memcpy(to, whole.data() + offset % texel, bytes);
    }
    check("a download");
    traffic_.downloaded += bytes;
    ++traffic_.downloads;
}

void GlesDevice::copy(const Buffer& to, const Buffer& from, std::size_t bytes) {
    const DeviceTraffic kept = traffic_;
    std::vector<std::byte> words(bytes);
    download(words.data(), from, bytes, 0);
    upload(to, words.data(), bytes, 0);
    traffic_ = kept;
}

void GlesDevice::fill(const Buffer& buffer, std::uint32_t value, std::size_t words, std::size_t first_word) {
    const DeviceTraffic kept = traffic_;
    const std::vector<std::uint32_t> all(words, value);
    upload(buffer, all.data(), 4 * words, 4 * first_word);
    traffic_ = kept;
}

void GlesDevice::copy_to_shared(GraphicsBuffer& memory, std::span<const SharedCopy> parts) {
    if (!shares_)
        throw Error(
            "the device shares no objects with the renderer's context: expected a place that was opened with "
            "share_graphics while that context was current",
            "device " + report_.name);
    const Fence drawn(gl_);
    const egl::Current current(context_.handle);
    if (!drawn.wait())
        throw Error(
            "the context that is current shares no objects with the device: expected a place that was "
            "opened with share_graphics while that context was current",
            "device " + report_.name);
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, memory.gl_name());
    for (const SharedCopy& part : parts) {
        // into the buffer that is bound: a pointer is an offset
        auto* to = reinterpret_cast<std::byte*>(part.offset); // NOLINT(performance-no-int-to-ptr)
        read_texels(texture_of(part.from), 0, (part.bytes + texel - 1) / texel, to);
    }
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    check("a copy into memory of the renderer");
    gl_.Finish(); // other contexts see it from then on
}

// work ------------------------------------------------------------------------------------------------------

GLuint GlesDevice::compiled(GLenum kind, const std::string& source, KernelId kernel) {
    const GLuint shader = gl_.CreateShader(kind);
    const char* text = source.c_str();
    gl_.ShaderSource(shader, 1, &text, nullptr);
    gl_.CompileShader(shader);
    GLint done = 0;
    gl_.GetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done) return shader;
    const std::string log = shader_log(gl_, shader);
    gl_.DeleteShader(shader);
    throw Error("the driver does not compile " + std::string(kernel_names[static_cast<std::size_t>(kernel)]) +
                    ":\n" + log,
                "device " + report_.name);
}

const Program& GlesDevice::program(KernelId kernel) {
    const auto found = programs_.find(kernel);
    if (found != programs_.end()) return found->second;
    Program made{gl_.CreateProgram(), offered(kernel).output};
    for (const auto& [kind, source] : {std::pair{GLenum{GL_VERTEX_SHADER}, vertex_source()},
                                       std::pair{GLenum{GL_FRAGMENT_SHADER}, fragment_source(kernel)}}) {
        const GLuint shader = compiled(kind, source, kernel);
        gl_.AttachShader(made.program, shader);
        gl_.DeleteShader(shader); // when the program goes
    }
    gl_.LinkProgram(made.program);
    GLint done = 0;
    gl_.GetProgramiv(made.program, GL_LINK_STATUS, &done);
    if (!done) {
        throw Error("the driver does not link " +
                        std::string(kernel_names[static_cast<std::size_t>(kernel)]) + ":\n" +
                        program_log(gl_, made.program),
                    "device " + report_.name);
    }
    gl_.UseProgram(made.program);
    for (std::size_t k = 0; k < kernel_buffer_counts[static_cast<std::size_t>(kernel)]; ++k) {
        const GLint place = gl_.GetUniformLocation(made.program, ("buffer" + std::to_string(k)).c_str());
        if (place >= 0) gl_.Uniform1i(place, static_cast<GLint>(k));
    }
    // a kernel that reads no parameter has no block
    const GLuint block = gl_.GetUniformBlockIndex(made.program, "Given");
    if (block != GL_INVALID_INDEX) gl_.UniformBlockBinding(made.program, block, 0);
    return programs_.emplace(kernel, made).first->second;
}

void GlesDevice::launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers,
                        const void* params, std::size_t params_bytes) {
    const auto index = static_cast<std::size_t>(kernel);
    if (kernel >= KernelId::count)
        throw Error("kernel " + std::to_string(index) + " does not exist", "device " + report_.name);
    if (!offered(kernel).family)
        throw Error(std::string(kernel_names[index]) + " does not run on OpenGL ES",
                    "device " + report_.name);
    if (buffers.size() != kernel_buffer_counts[index] || params_bytes != kernel_params_bytes[index])
        throw Error("got " + std::to_string(buffers.size()) + " buffers and " + std::to_string(params_bytes) +
                        " bytes of parameters; expected " + std::to_string(kernel_buffer_counts[index]) +
                        " and " + std::to_string(kernel_params_bytes[index]),
                    kernel_names[index]);
    if (items == 0) return;
    const egl::Current current(context_.handle);
    const Program& used = program(kernel);
    gl_.UseProgram(used.program);
    for (std::size_t k = 0; k < buffers.size(); ++k) {
        if (k == used.output) continue;
        gl_.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(k));
        gl_.BindTexture(GL_TEXTURE_2D, buffers[k].raw ? texture_of(buffers[k]).texture : nothing_.texture);
    }
    // std140 lays scalars out as C does, and rounds the whole up to 16 bytes
    std::vector<std::byte> block((params_bytes + 15) / 16 * 16);
    std::memcpy(block.data(), params, params_bytes);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_);
    gl_.BufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(block.size()), block.data(), GL_STREAM_DRAW);

    const Texture& output = texture_of(buffers[used.output]);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, output.framebuffer);
    gl_.Viewport(0, 0, row_items, static_cast<GLsizei>(output.rows));
    gl_.Enable(GL_SCISSOR_TEST);
    each_part(0, items, [&](GLint x, GLint y, GLsizei width, GLsizei height, std::size_t) {
        gl_.Scissor(x, y, width, height);
        gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    });
    gl_.Disable(GL_SCISSOR_TEST);
    check(kernel_names[index]);
    ++traffic_.launches;
}

void GlesDevice::mark(int stage) {
    if (!timing_) return;
    finish(); // OpenGL ES 3.0 has no timers of its own
    const auto now = std::chrono::steady_clock::now();
    if (stage_ >= 0)
        seconds_[static_cast<std::size_t>(stage_)] += std::chrono::duration<double>(now - since_).count();
    stage_ = stage;
    since_ = now;
}

/// Opened once: the driver, and whether its arithmetic is IEEE's.
DeviceReport described() {
    DeviceReport report;
    report.name = "gles";
    report.description = "OpenGL ES 3.0";
    try {
        GlesDevice trial(report);
        report.description = trial.renderer();
        report.same_bits = arithmetic_agrees(trial);
        report.available = true;
    } catch (const std::exception& error) {
        report.reason = error.what();
    }
    return report;
}

const DeviceReport& known() {
    static const DeviceReport report = described();
    return report;
}

} // namespace
} // namespace scree::gles

namespace scree {

std::vector<DeviceReport> list_gles_devices() { return {gles::known()}; }

std::unique_ptr<Device> open_gles_device(bool share_graphics) {
    const DeviceReport& report = gles::known();
    if (!report.available) throw Error(report.reason, "device gles");
    const egl::Handle shared = share_graphics ? egl::current_gles() : egl::Handle{};
    if (share_graphics && !shared)
        throw Error(
            "no context of OpenGL ES is current on this thread through EGL: expected the one that draws",
            "share_graphics");
    return std::make_unique<gles::GlesDevice>(report, shared);
}

} // namespace scree
