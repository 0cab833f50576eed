// SPDX-License-Identifier: MIT
// bodies.cpp — see bodies.h. One instanced draw: a fan of corners for each body.
#include "device/gles/bodies.h"

#include "device/gles/context.h"
#include "scree/error.h"

namespace scree::gles {
namespace {

const char* const corner_source = R"(#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D place, motion, index_of, vertices;
uniform float inverse_half;
uniform int polygons, corners;
out vec3 colour;
out vec2 texture_at;
void main() {
    ivec2 body = ivec2(gl_InstanceID, 0);
    vec4 where = uintBitsToFloat(texelFetch(place, body, 0));
    vec2 local;
    float angle = 0.0;
    if (polygons != 0) {
        vec4 entry = uintBitsToFloat(texelFetch(index_of, body, 0));
        int k = min(gl_VertexID, int(entry.y) - 1);
        int item = int(entry.x) + k / 2;
        int wide = textureSize(vertices, 0).x;
        vec4 two = uintBitsToFloat(texelFetch(vertices, ivec2(item % wide, item / wide), 0));
        local = k % 2 == 0 ? two.xy : two.zw;
        angle = uintBitsToFloat(texelFetch(motion, body, 0)).x;
    } else {
        float turn = 6.28318531 * float(gl_VertexID) / float(corners);
        local = where.w * vec2(cos(turn), sin(turn));
    }
    texture_at = local;
    vec2 turned = vec2(local.x * cos(angle) - local.y * sin(angle), local.x * sin(angle) + local.y * cos(angle));
    gl_Position = vec4((turned + where.xy) * inverse_half, 0.0, 1.0);
    uint n = uint(gl_InstanceID);
    colour = vec3(uvec3(64u) + (n * uvec3(37u, 91u, 151u)) % 192u) / 255.0;
}
)";

const char* const shape_source = R"(#version 300 es
precision highp float;
in vec3 colour;
in vec2 texture_at;
out vec4 pixel;
void main() { // a quarter in two is darker
    pixel = vec4(texture_at.x * texture_at.y < 0.0 ? colour - 32.0 / 255.0 : colour, 1.0);
}
)";

} // namespace

struct Bodies::Target {
    ~Target() {
        const egl::Current current(state->context.handle);
        state->gl.DeleteFramebuffers(1, &framebuffer);
        state->gl.DeleteTextures(1, &texture);
    }
    std::shared_ptr<ContextState> state;
    GLuint texture = 0, framebuffer = 0;
    int side = 0;
};

Bodies::Bodies(const Context& context, const BodyStreams& streams, int most_corners)
    : state_(context.state()),
      streams_(streams),
      corners_(most_corners),
      program_(std::make_unique<Program>(context)) {
    for (const ShaderKind kind : {ShaderKind::vertex, ShaderKind::fragment}) {
        const auto shader = std::make_shared<Shader>(context, kind);
        shader->set_source(kind == ShaderKind::vertex ? corner_source : shape_source);
        if (!shader->compile()) throw Error("the driver does not compile it:\n" + shader->log(), "drawing");
        program_->attach(shader);
    }
    if (!program_->link()) throw Error("the driver does not link it:\n" + program_->log(), "drawing");
    int unit = 0;
    for (const char* name : {"place", "motion", "index_of", "vertices"}) program_->set(name, unit++);
    program_->set("polygons", streams.index ? 1 : 0);
    program_->set("corners", most_corners);
}

Bodies::~Bodies() = default;

void Bodies::draw(int side, float half) {
    const egl::Current current(state_->context.handle);
    const Calls& gl = state_->gl;
    if (!target_ || target_->side != side) {
        target_ = std::make_unique<Target>();
        target_->state = state_;
        target_->side = side;
        gl.GenTextures(1, &target_->texture);
        gl.ActiveTexture(GL_TEXTURE0);
        gl.BindTexture(GL_TEXTURE_2D, target_->texture);
        gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, side, side);
        gl.GenFramebuffers(1, &target_->framebuffer);
        gl.BindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target_->texture, 0);
    }
    program_->set("inverse_half", 1 / half);
    state_->use(program_->handle());
    GLenum unit = GL_TEXTURE0;
    for (const Stream* stream :
         {streams_.place, streams_.motion, streams_.index ? streams_.index : streams_.place,
          streams_.vertex ? streams_.vertex : streams_.place}) {
        gl.ActiveTexture(unit++);
        gl.BindTexture(GL_TEXTURE_2D, stream->read_id());
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer);
    gl.Viewport(0, 0, side, side);
    gl.ClearColor(0, 0, 0, 0);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    gl.DrawArraysInstanced(GL_TRIANGLE_FAN, 0, corners_, static_cast<GLsizei>(streams_.place->width()));
    state_->check("the drawing of bodies");
}

std::vector<std::uint8_t> Bodies::read() const {
    if (!target_) return {};
    const egl::Current current(state_->context.handle);
    const auto side = static_cast<std::size_t>(target_->side);
    std::vector<std::uint8_t> pixels(side * side * 4);
    state_->gl.BindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer);
    state_->gl.ReadPixels(0, 0, target_->side, target_->side, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    state_->check("the reading of an image");
    return pixels;
}

} // namespace scree::gles
