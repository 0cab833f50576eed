// SPDX-License-Identifier: MIT
// gles.h — computing with OpenGL ES 3.0: shaders, programs, float streams, and kernels that are fragment passes over streams.
//
// There where the library was built with the gles device. Nothing beyond OpenGL ES 3.0 is used, so that WebGL 2 is the same: floats live
// in textures of integers, which every such driver can draw into and none rounds. A kernel draws one triangle over its output: each
// item is computed once. A pass never reads what it writes; a doubled stream has two textures that change places.
//
//     gles::Context context;
//     gles::Stream numbers(context, 4, 1, gles::Channels::one, gles::Buffers::doubled);
//     numbers.write(std::array{1.0f, 2.0f, 3.0f, 4.0f});
//     gles::Kernel square(context, {.inputs = {{"x", numbers}},
//                                   .outputs = {{"y", numbers}},
//                                   .body = "void compute(ivec2 at) { y = x(at) * x(at); }"});
//     square.run(); // numbers.read() is 1, 4, 9, 16
#pragma once

#include "scree/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree::gles {

struct ContextState; ///< in src/device/gles

/// What a driver can do; also what one needs of it.
struct Capabilities {
    int major = 3, minor = 0;    ///< version of OpenGL ES
    int texture_size = 1;        ///< largest side of a stream
    int inputs = 1, outputs = 1; ///< streams of a kernel
    int float_bits = 23;         ///< of the fraction of a float in fragment shaders
    std::string renderer{};      ///< its name
};

/// A context without a window. Objects of it keep it; use them on one thread at a time.
class Context {
public:
    /// Throws Error that says what is missing: EGL, a display, OpenGL ES 3.0, a function.
    Context();
    const Capabilities& capabilities() const;
    /// Throws Error that names what the driver has less of, with both numbers.
    void require(const Capabilities& least) const;
    void finish() const; ///< waits for the driver
    const std::shared_ptr<ContextState>& state() const { return state_; }

private:
    std::shared_ptr<ContextState> state_;
};

enum class ShaderKind { vertex, fragment };
/// Lengths count the terminator and are 0 where there is none. kind: 0 vertex, 1 fragment.
enum class ShaderQuery { kind, deleted, compiled, log_length, source_length };

class Shader {
public:
    explicit Shader(const Context& context, ShaderKind kind = ShaderKind::vertex); ///< without source
    /// Throws Error if the file cannot be read. Not compiled yet.
    Shader(const Context& context, const std::filesystem::path& file, ShaderKind kind = ShaderKind::vertex);
    ~Shader();
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;

    void set_source(const std::string& source);
    std::string source() const;
    bool compile(); ///< whether it succeeded
    bool compiled() const;
    std::string log() const; ///< the compiler's messages
    int query(ShaderQuery what) const;
    std::uint32_t handle() const { return handle_; }

private:
    std::shared_ptr<ContextState> state_;
    std::uint32_t handle_;
};

enum class ProgramQuery {
    deleted,
    linked,
    valid,
    log_length,
    shaders,
    attributes,
    uniforms,
    attribute_name_length,
    uniform_name_length
};

/// An active attribute or uniform.
struct Variable {
    std::string name;
    std::uint32_t type = 0; ///< as GL numbers it: 0x1406 is a float
    int size = 0;           ///< items, of an array
};

class Program {
public:
    explicit Program(const Context& context); ///< empty
    /// Ready for use. Throws Error with the driver's messages if it cannot be compiled or linked. OpenGL ES links nothing but pairs: a
    /// vertex shader alone gets a partner that draws nothing, a fragment shader alone one that covers the output with a triangle.
    Program(const Context& context, const std::filesystem::path& file, ShaderKind kind = ShaderKind::vertex);
    Program(const Context& context, const std::filesystem::path& vertex,
            const std::filesystem::path& fragment);
    ~Program(); ///< its shaders first, unless others hold them
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void attach(std::shared_ptr<Shader> shader); ///< throws Error if it is attached
    void detach(const Shader& shader);           ///< throws Error if it is not
    const std::vector<std::shared_ptr<Shader>>& shaders() const { return shaders_; }
    std::vector<std::uint32_t> shader_handles() const; ///< as the driver lists them
    bool link(); ///< whether it succeeded; forgets the locations of uniforms
    bool linked() const;
    bool validate();         ///< whether it can run now
    std::string log() const; ///< of the last operation
    std::uint32_t handle() const { return handle_; }
    int query(ProgramQuery what) const;

    void use() const;
    void disable() const; ///< no program is in use

    int location(const std::string& uniform) const; ///< -1: there is none
    /// By name: throws Error that names a uniform that does not exist. The location is looked up once after each link.
    template <class... Values>
    void set(const std::string& uniform, Values... values) {
        set(known(uniform), values...);
    }
    void set_matrix(const std::string& uniform, const float* values, bool transpose = false, int size = 4) {
        set_matrix(known(uniform), values, transpose, size);
    }
    /// By location.
    void set(int location, float x);
    void set(int location, float x, float y);
    void set(int location, float x, float y, float z);
    void set(int location, float x, float y, float z, float w);
    void set(int location, int x);
    void set(int location, int x, int y);
    void set(int location, int x, int y, int z);
    void set(int location, int x, int y, int z, int w);
    /// Of 2, 3 or 4 rows and columns, column by column unless transposed.
    void set_matrix(int location, const float* values, bool transpose = false, int size = 4);

    void set_attribute_location(const std::string& name, int location); ///< from the next link on
    int attribute_location(const std::string& name) const;              ///< -1: there is none
    Variable attribute(int index) const; ///< of the active ones; throws Error if there are fewer
    Variable uniform(int index) const;
    int lookups() const { return lookups_; } ///< of locations since the program was made

private:
    int known(const std::string& uniform);
    void make(std::span<const std::shared_ptr<Shader>> shaders);

    std::shared_ptr<ContextState> state_;
    std::uint32_t handle_;
    std::vector<std::shared_ptr<Shader>> shaders_;
    std::map<std::string, int, std::less<>> locations_;
    mutable int lookups_ = 0;
};

/// Floats of an item.
enum class Channels { one = 1, three = 3, four = 4 };
enum class Buffers { simple, doubled };

/// width x height items of one, three or four floats, row by row.
class Stream {
public:
    /// All 0. Throws Error if the driver has no textures of this size or no memory.
    Stream(const Context& context, std::uint32_t width, std::uint32_t height, Channels channels,
           Buffers buffers = Buffers::simple);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    std::uint32_t width() const { return width_; }
    std::uint32_t height() const { return height_; }
    Channels channels() const { return channels_; }
    std::size_t floats() const;

    /// Of the texture that is read; every bit arrives. Throws Error unless there are as many as floats().
    void write(std::span<const float> values);
    std::vector<float> read() const;

    std::uint32_t read_id() const { return textures_[0]; } ///< a texture's name in GL
    std::uint32_t write_id() const { return textures_[doubled_ ? 1 : 0]; }
    bool doubled() const { return doubled_; }
    void swap(); ///< what is read and what is written; nothing for a simple stream

private:
    std::shared_ptr<ContextState> state_;
    std::uint32_t width_, height_;
    Channels channels_;
    bool doubled_;
    std::uint32_t textures_[2]{};
};

/// A stream under the name that a kernel's source knows it by. It must live as long as the kernel runs.
struct NamedStream {
    NamedStream(std::string name_, Stream& stream_) : name(std::move(name_)), stream(&stream_) {}
    std::string name;
    Stream* stream;
};

/// GLSL ES 3.00 of a kernel. For each input NAME there is `vec4 NAME(ivec2 at)`, for each output a `vec4 NAME` to assign; what has fewer
/// channels leaves the others 0 or unused. The body defines `void compute(ivec2 at)`, which is called once for each item, and may
/// declare uniforms.
struct KernelSource {
    std::vector<NamedStream> inputs, outputs;
    std::string body;
    std::filesystem::path log{}; ///< a file for the driver's messages; empty: none
};
std::string fragment_source(const KernelSource& source); ///< the whole shader

class Kernel {
public:
    /// Throws Error with the driver's messages if it does not compile, or if outputs differ in size or are read by the same pass (a
    /// simple stream that is input and output).
    Kernel(const Context& context, const KernelSource& source);
    /// The same program over other streams, of the same names and channels.
    Kernel(const Kernel& like, const KernelSource& source);

    Program& program() { return *program_; } ///< for uniforms
    std::uint32_t width() const;             ///< of the outputs
    std::uint32_t height() const;

    void activate() const { program_->use(); }
    void deactivate() const { program_->disable(); }
    void prepare(); ///< streams and the size of the output; activates
    void run();     ///< prepares, computes every item of the outputs once, swaps those that are doubled

private:
    void check(const KernelSource& source) const;

    std::shared_ptr<ContextState> state_;
    std::shared_ptr<Program> program_;
    std::vector<NamedStream> inputs_, outputs_;
    std::shared_ptr<std::uint32_t> framebuffer_;
};

/// The least value of a stream by passes that each leave the least of 2 x 2 items: exact, any size. Of four channels the fourth counts.
class Minimum {
public:
    /// Throws Error for three channels. The stream must live as long.
    Minimum(const Context& context, Stream& stream);
    Minimum(const Context& context, const Minimum& like, Stream& stream); ///< with its programs
    ~Minimum();
    Minimum(Minimum&&) noexcept;
    float find(); ///< waits for the driver
    int passes() const;

private:
    void make(const Context& context, const Minimum* like);

    struct Levels;
    std::unique_ptr<Levels> levels_;
    Stream* source_;
};

} // namespace scree::gles
