// SPDX-License-Identifier: MIT
// stream.cpp — streams and kernels of scree/gles.h.
//
// A float lies in a texture as its bits: one channel as R32UI, three and four as RGBA32UI, since nothing draws into RGB32UI.
#include "device/gles/context.h"
#include "device/gles/program.h"
#include "scree/error.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>

namespace scree::gles {

// streams ---------------------------------------------------------------------------------------------------

Stream::Stream(const Context& context, std::uint32_t width, std::uint32_t height, Channels channels,
               Buffers buffers)
    : state_(context.state()),
      width_(width),
      height_(height),
      channels_(channels),
      doubled_(buffers == Buffers::doubled) {
    const auto most = static_cast<std::uint32_t>(context.capabilities().texture_size);
    for (const std::uint32_t side : {width, height})
        if (side == 0 || side > most)
            throw Error("invalid value " + std::to_string(side) + ": expected 1 to " + std::to_string(most),
                        "size of a stream");
    const egl::Current current(state_->context.handle);
    const Calls& gl = state_->gl;
    const GLsizei count = doubled_ ? 2 : 1;
    gl.GenTextures(count, textures_);
    gl.ActiveTexture(GL_TEXTURE0);
    for (GLsizei k = 0; k < count; ++k) {
        gl.BindTexture(GL_TEXTURE_2D, textures_[k]);
        gl.TexStorage2D(GL_TEXTURE_2D, 1, channels == Channels::one ? GL_R32UI : GL_RGBA32UI,
                        static_cast<GLsizei>(width), static_cast<GLsizei>(height));
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            gl.TexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
        for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            gl.TexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    }
    if (gl.GetError() != GL_NO_ERROR) {
        gl.DeleteTextures(count, textures_);
        throw Error("not enough memory for a stream of " + std::to_string(width) + " x " +
                        std::to_string(height),
                    "device gles");
    }
    const std::vector<float> nothing(floats());
    for (GLsizei k = 0; k < count; ++k) {
        write(nothing);
        swap();
    }
}

Stream::~Stream() {
    const egl::Current current(state_->context.handle);
    state_->gl.DeleteTextures(doubled_ ? 2 : 1, textures_);
}

std::size_t Stream::floats() const {
    return static_cast<std::size_t>(width_) * height_ * static_cast<std::size_t>(channels_);
}

void Stream::write(std::span<const float> values) {
    if (values.size() != floats())
        throw Error("got " + std::to_string(values.size()) + " floats; expected " + std::to_string(floats()),
                    "stream");
    std::vector<float> wide;
    const float* from = values.data();
    if (channels_ == Channels::three) {
        wide.resize(values.size() / 3 * 4);
        for (std::size_t k = 0; k < values.size() / 3; ++k)
            std::memcpy(&wide[4 * k], &values[3 * k], 3 * sizeof(float));
        from = wide.data();
    }
    const egl::Current current(state_->context.handle);
    state_->gl.ActiveTexture(GL_TEXTURE0);
    state_->gl.BindTexture(GL_TEXTURE_2D, textures_[0]);
    state_->gl.TexSubImage2D(
        GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(width_), static_cast<GLsizei>(height_),
        channels_ == Channels::one ? GL_RED_INTEGER : GL_RGBA_INTEGER, GL_UNSIGNED_INT, from);
    state_->check("the writing of a stream");
}

std::vector<float> Stream::read() const {
    const egl::Current current(state_->context.handle);
    const Calls& gl = state_->gl;
    gl.BindFramebuffer(GL_FRAMEBUFFER, state_->reader);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures_[0], 0);
    // four words an item is what every driver can give
    std::vector<float> wide(static_cast<std::size_t>(width_) * height_ * 4);
    gl.ReadPixels(0, 0, static_cast<GLsizei>(width_), static_cast<GLsizei>(height_), GL_RGBA_INTEGER,
                  GL_UNSIGNED_INT, wide.data());
    state_->check("the reading of a stream");
    if (channels_ == Channels::four) return wide;
    const auto each = static_cast<std::size_t>(channels_);
    std::vector<float> values(floats());
    for (std::size_t k = 0; k < values.size() / each; ++k)
        std::memcpy(&values[each * k], &wide[4 * k], each * sizeof(float));
    return values;
}

void Stream::swap() {
    if (doubled_) std::swap(textures_[0], textures_[1]);
}

// kernels ---------------------------------------------------------------------------------------------------

std::string fragment_source(const KernelSource& source) {
    std::string text = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                       "precision highp usampler2D;\n";
    std::string clear, keep;
    for (const NamedStream& input : source.inputs) {
        const bool one = input.stream->channels() == Channels::one;
        text += "uniform usampler2D " + input.name + "_words;\nvec4 " + input.name + "(ivec2 at) { return " +
                (one ? "vec4(uintBitsToFloat(texelFetch(" + input.name + "_words, at, 0).x), 0.0, 0.0, 0.0)"
                     : "uintBitsToFloat(texelFetch(" + input.name + "_words, at, 0))") +
                "; }\n";
    }
    for (std::size_t k = 0; k < source.outputs.size(); ++k) {
        const std::string& name = source.outputs[k].name;
        // invariant: what makes the result is not rearranged, so that it is the same in every program
        text += "invariant layout(location = " + std::to_string(k) + ") out highp uvec4 " + name +
                "_kept;\nvec4 " + name + ";\n";
        clear += "    " + name + " = vec4(0.0);\n";
        keep += "    " + name + "_kept = floatBitsToUint(" + name + ");\n";
    }
    return text + source.body + "\nvoid main() {\n" + clear + "    compute(ivec2(gl_FragCoord.xy));\n" +
           keep + "}\n";
}

void Kernel::check(const KernelSource& source) const {
    const Capabilities& has = state_->capabilities;
    const auto refuse = [](const std::string& what) { throw Error(what, "kernel"); };
    if (source.outputs.empty()) refuse("there is no output");
    if (source.outputs.size() > static_cast<std::size_t>(has.outputs))
        refuse(std::to_string(source.outputs.size()) + " outputs; the driver has at most " +
               std::to_string(has.outputs));
    if (source.inputs.size() > static_cast<std::size_t>(has.inputs))
        refuse(std::to_string(source.inputs.size()) + " inputs; the driver has at most " +
               std::to_string(has.inputs));
    std::set<std::string> names;
    for (const auto* list : {&source.inputs, &source.outputs})
        for (const NamedStream& each : *list) {
            if (!names.insert(each.name).second) refuse("two streams are called \"" + each.name + "\"");
            // the source has these names with more behind them, and GLSL reserves names with two underscores in a row
            if (each.name.empty() || each.name.back() == '_' || each.name.starts_with("gl_") ||
                each.name.find("__") != std::string::npos)
                refuse("invalid name of a stream \"" + each.name +
                       "\": expected one without gl_ in front, _ at the end or __");
        }
    for (const NamedStream& output : source.outputs) {
        const Stream& first = *source.outputs[0].stream;
        if (output.stream->width() != first.width() || output.stream->height() != first.height())
            refuse("the output \"" + output.name + "\" differs in size from \"" + source.outputs[0].name +
                   "\"");
        for (const NamedStream& input : source.inputs)
            if (input.stream == output.stream && !output.stream->doubled())
                refuse("the simple stream \"" + output.name +
                       "\" is read and written; expected a doubled one");
    }
}

Kernel::Kernel(const Context& context, const KernelSource& source)
    : state_(context.state()), inputs_(source.inputs), outputs_(source.outputs) {
    check(source);
    program_ = std::make_shared<Program>(context);
    std::string messages;
    bool built = true;
    for (const ShaderKind kind : {ShaderKind::vertex, ShaderKind::fragment}) {
        const auto shader = std::make_shared<Shader>(context, kind);
        shader->set_source(kind == ShaderKind::vertex ? vertex_source() : fragment_source(source));
        built = shader->compile() && built;
        messages += shader->log();
        program_->attach(shader);
    }
    built = built && program_->link();
    messages += program_->log();
    if (!source.log.empty()) std::ofstream(source.log) << messages;
    if (!built) throw Error("the driver does not build it:\n" + messages, "kernel");
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
        const int place = program_->location(inputs_[k].name + "_words"); // -1: not used by the source
        if (place >= 0) program_->set(place, static_cast<int>(k));
    }
    const egl::Current current(state_->context.handle);
    framebuffer_ =
        std::shared_ptr<std::uint32_t>(new std::uint32_t(0), [state = state_](std::uint32_t* gone) {
            const egl::Current again(state->context.handle);
            state->gl.DeleteFramebuffers(1, gone);
            delete gone;
        });
    state_->gl.GenFramebuffers(1, framebuffer_.get());
}

Kernel::Kernel(const Kernel& like, const KernelSource& source)
    : state_(like.state_),
      program_(like.program_),
      inputs_(source.inputs),
      outputs_(source.outputs),
      framebuffer_(like.framebuffer_) {
    check(source);
    const auto same = [](const NamedStream& a, const NamedStream& b) {
        return a.name == b.name && a.stream->channels() == b.stream->channels();
    };
    if (!std::equal(inputs_.begin(), inputs_.end(), like.inputs_.begin(), like.inputs_.end(), same) ||
        !std::equal(outputs_.begin(), outputs_.end(), like.outputs_.begin(), like.outputs_.end(), same))
        throw Error("the streams differ in names or channels from those of the kernel it is like", "kernel");
}

std::uint32_t Kernel::width() const { return outputs_[0].stream->width(); }
std::uint32_t Kernel::height() const { return outputs_[0].stream->height(); }

void Kernel::prepare() {
    const egl::Current current(state_->context.handle);
    const Calls& gl = state_->gl;
    state_->use(program_->handle());
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
        gl.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(k));
        gl.BindTexture(GL_TEXTURE_2D, inputs_[k].stream->read_id());
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, *framebuffer_);
    std::vector<GLenum> targets;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
        targets.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(k));
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, targets.back(), GL_TEXTURE_2D, outputs_[k].stream->write_id(),
                                0);
    }
    gl.DrawBuffers(static_cast<GLsizei>(targets.size()), targets.data());
    if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Error("the driver cannot draw into the outputs", "kernel");
    gl.Viewport(0, 0, static_cast<GLsizei>(width()), static_cast<GLsizei>(height()));
}

void Kernel::run() {
    const egl::Current current(state_->context.handle);
    prepare();
    state_->gl.DrawArrays(GL_TRIANGLES, 0, 3);
    state_->check("a kernel");
    for (const NamedStream& output : outputs_) output.stream->swap();
}

} // namespace scree::gles
