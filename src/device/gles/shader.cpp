// SPDX-License-Identifier: MIT
// shader.cpp — shaders and programs of scree/gles.h.
#include "device/gles/context.h"
#include "device/gles/program.h"
#include "scree/error.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace scree::gles {
namespace {

std::string file_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error("the file cannot be read", file.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

// shaders ---------------------------------------------------------------------------------------------------

Shader::Shader(const Context& context, ShaderKind kind) : state_(context.state()), handle_(0) {
    const egl::Current current(state_->context.handle);
    handle_ = state_->gl.CreateShader(kind == ShaderKind::vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
    state_->check("the making of a shader");
}

Shader::Shader(const Context& context, const std::filesystem::path& file, ShaderKind kind)
    : Shader(context, kind) {
    set_source(file_text(file));
}

Shader::~Shader() {
    const egl::Current current(state_->context.handle);
    state_->gl.DeleteShader(handle_);
}

void Shader::set_source(const std::string& source) {
    const egl::Current current(state_->context.handle);
    const char* text = source.c_str();
    state_->gl.ShaderSource(handle_, 1, &text, nullptr);
}

std::string Shader::source() const {
    const int length = query(ShaderQuery::source_length);
    const egl::Current current(state_->context.handle);
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    state_->gl.GetShaderSource(handle_, length + 1, nullptr, text.data());
    return text.substr(0, text.find('\0'));
}

bool Shader::compile() {
    {
        const egl::Current current(state_->context.handle);
        state_->gl.CompileShader(handle_);
    }
    return compiled();
}

bool Shader::compiled() const { return query(ShaderQuery::compiled) != 0; }

std::string Shader::log() const {
    const egl::Current current(state_->context.handle);
    return shader_log(state_->gl, handle_);
}

int Shader::query(ShaderQuery what) const {
    static constexpr GLenum names[] = {GL_SHADER_TYPE, GL_DELETE_STATUS, GL_COMPILE_STATUS,
                                       GL_INFO_LOG_LENGTH, GL_SHADER_SOURCE_LENGTH};
    const egl::Current current(state_->context.handle);
    GLint value = 0;
    state_->gl.GetShaderiv(handle_, names[static_cast<std::size_t>(what)], &value);
    if (what == ShaderQuery::kind) return value == GL_FRAGMENT_SHADER ? 1 : 0;
    return value;
}

// programs --------------------------------------------------------------------------------------------------

Program::Program(const Context& context) : state_(context.state()), handle_(0) {
    const egl::Current current(state_->context.handle);
    handle_ = state_->gl.CreateProgram();
    state_->check("the making of a program");
}

Program::Program(const Context& context, const std::filesystem::path& file, ShaderKind kind)
    : Program(context) {
    const bool vertex = kind == ShaderKind::vertex;
    const auto partner =
        std::make_shared<Shader>(context, vertex ? ShaderKind::fragment : ShaderKind::vertex);
    partner->set_source(vertex ? "#version 300 es\nvoid main() {}\n" : vertex_source());
    const std::shared_ptr<Shader> all[] = {std::make_shared<Shader>(context, file, kind), partner};
    make(all);
}

Program::Program(const Context& context, const std::filesystem::path& vertex,
                 const std::filesystem::path& fragment)
    : Program(context) {
    const std::shared_ptr<Shader> all[] = {std::make_shared<Shader>(context, vertex),
                                           std::make_shared<Shader>(context, fragment, ShaderKind::fragment)};
    make(all);
}

void Program::make(std::span<const std::shared_ptr<Shader>> shaders) {
    for (const std::shared_ptr<Shader>& shader : shaders) {
        if (!shader->compile())
            throw Error("the driver does not compile the shader:\n" + shader->log(), "program");
        attach(shader);
    }
    if (!link()) throw Error("the driver does not link the program:\n" + log(), "program");
}

Program::~Program() {
    shaders_.clear();
    const egl::Current current(state_->context.handle);
    if (state_->used == handle_) state_->use(0);
    state_->gl.DeleteProgram(handle_);
}

void Program::attach(std::shared_ptr<Shader> shader) {
    const auto same = [&](const std::shared_ptr<Shader>& other) { return other == shader; };
    if (std::any_of(shaders_.begin(), shaders_.end(), same))
        throw Error("shader " + std::to_string(shader->handle()) + " is attached already", "program");
    const egl::Current current(state_->context.handle);
    state_->gl.AttachShader(handle_, shader->handle());
    shaders_.push_back(std::move(shader));
}

void Program::detach(const Shader& shader) {
    const auto same = [&](const std::shared_ptr<Shader>& other) { return other.get() == &shader; };
    const auto found = std::find_if(shaders_.begin(), shaders_.end(), same);
    if (found == shaders_.end())
        throw Error("shader " + std::to_string(shader.handle()) + " is not attached", "program");
    const egl::Current current(state_->context.handle);
    state_->gl.DetachShader(handle_, shader.handle());
    shaders_.erase(found);
}

std::vector<std::uint32_t> Program::shader_handles() const {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(query(ProgramQuery::shaders)));
    const egl::Current current(state_->context.handle);
    if (!all.empty())
        state_->gl.GetAttachedShaders(handle_, static_cast<GLsizei>(all.size()), nullptr, all.data());
    return all;
}

bool Program::link() {
    locations_.clear();
    {
        const egl::Current current(state_->context.handle);
        state_->gl.LinkProgram(handle_);
    }
    return linked();
}

bool Program::linked() const { return query(ProgramQuery::linked) != 0; }

bool Program::validate() {
    {
        const egl::Current current(state_->context.handle);
        state_->gl.ValidateProgram(handle_);
    }
    return query(ProgramQuery::valid) != 0;
}

std::string Program::log() const {
    const egl::Current current(state_->context.handle);
    return program_log(state_->gl, handle_);
}

int Program::query(ProgramQuery what) const {
    static constexpr GLenum names[] = {GL_DELETE_STATUS,
                                       GL_LINK_STATUS,
                                       GL_VALIDATE_STATUS,
                                       GL_INFO_LOG_LENGTH,
                                       GL_ATTACHED_SHADERS,
                                       GL_ACTIVE_ATTRIBUTES,
                                       GL_ACTIVE_UNIFORMS,
                                       GL_ACTIVE_ATTRIBUTE_MAX_LENGTH,
                                       GL_ACTIVE_UNIFORM_MAX_LENGTH};
    const egl::Current current(state_->context.handle);
    GLint value = 0;
    state_->gl.GetProgramiv(handle_, names[static_cast<std::size_t>(what)], &value);
    return value;
}

void Program::use() const {
    const egl::Current current(state_->context.handle);
    state_->use(handle_);
    state_->check("the use of a program");
}

void Program::disable() const {
    const egl::Current current(state_->context.handle);
    state_->use(0);
}

// uniforms and attributes -----------------------------------------------------------------------------------

int Program::location(const std::string& uniform) const {
    const egl::Current current(state_->context.handle);
    ++lookups_;
    return state_->gl.GetUniformLocation(handle_, uniform.c_str());
}

int Program::known(const std::string& uniform) {
    const auto found = locations_.find(uniform);
    if (found != locations_.end()) return found->second;
    const int place = location(uniform);
    if (place < 0) throw Error("there is no uniform \"" + uniform + "\" in use", "program");
    return locations_.emplace(uniform, place).first->second;
}

namespace {

/// Calls with the program in use, and then the one that was.
template <class Call>
void with_program(ContextState& state, GLuint program, Call call) {
    const egl::Current current(state.context.handle);
    const GLuint before = state.used;
    state.use(program);
    call(state.gl);
    state.check("the setting of a uniform");
    state.use(before);
}

} // namespace

#define SCREE_SETTER(call, ...)                                                                              \
    with_program(*state_, handle_, [&](const Calls& gl) { gl.call(location, __VA_ARGS__); })
void Program::set(int location, float x) { SCREE_SETTER(Uniform1f, x); }
void Program::set(int location, float x, float y) { SCREE_SETTER(Uniform2f, x, y); }
void Program::set(int location, float x, float y, float z) { SCREE_SETTER(Uniform3f, x, y, z); }
void Program::set(int location, float x, float y, float z, float w) { SCREE_SETTER(Uniform4f, x, y, z, w); }
void Program::set(int location, int x) { SCREE_SETTER(Uniform1i, x); }
void Program::set(int location, int x, int y) { SCREE_SETTER(Uniform2i, x, y); }
void Program::set(int location, int x, int y, int z) { SCREE_SETTER(Uniform3i, x, y, z); }
void Program::set(int location, int x, int y, int z, int w) { SCREE_SETTER(Uniform4i, x, y, z, w); }

void Program::set_matrix(int location, const float* values, bool transpose, int size) {
    if (size < 2 || size > 4)
        throw Error("invalid value " + std::to_string(size) + ": expected 2, 3 or 4", "size of a matrix");
    const GLboolean turned = transpose ? GL_TRUE : GL_FALSE;
    if (size == 2) SCREE_SETTER(UniformMatrix2fv, 1, turned, values);
    else if (size == 3) SCREE_SETTER(UniformMatrix3fv, 1, turned, values);
    else SCREE_SETTER(UniformMatrix4fv, 1, turned, values);
}
#undef SCREE_SETTER

void Program::set_attribute_location(const std::string& name, int location) {
    const egl::Current current(state_->context.handle);
    state_->gl.BindAttribLocation(handle_, static_cast<GLuint>(location), name.c_str());
    state_->check("the setting of an attribute's location");
}

int Program::attribute_location(const std::string& name) const {
    const egl::Current current(state_->context.handle);
    return state_->gl.GetAttribLocation(handle_, name.c_str());
}

namespace {

template <class Ask>
Variable variable(int index, int count, int name_length, const char* what, Ask ask) {
    if (index < 0 || index >= count)
        throw Error("invalid value " + std::to_string(index) + ": the program has " + std::to_string(count),
                    what);
    Variable found;
    std::string name(static_cast<std::size_t>(name_length) + 1, '\0');
    GLenum type = 0;
    ask(static_cast<GLuint>(index), name_length + 1, &found.size, &type, name.data());
    found.type = type;
    found.name = name.substr(0, name.find('\0'));
    return found;
}

} // namespace

Variable Program::attribute(int index) const {
    const egl::Current current(state_->context.handle);
    return variable(index, query(ProgramQuery::attributes), query(ProgramQuery::attribute_name_length),
                    "attribute", [&](GLuint k, GLsizei most, GLint* size, GLenum* type, char* name) {
                        state_->gl.GetActiveAttrib(handle_, k, most, nullptr, size, type, name);
                    });
}

Variable Program::uniform(int index) const {
    const egl::Current current(state_->context.handle);
    return variable(index, query(ProgramQuery::uniforms), query(ProgramQuery::uniform_name_length), "uniform",
                    [&](GLuint k, GLsizei most, GLint* size, GLenum* type, char* name) {
                        state_->gl.GetActiveUniform(handle_, k, most, nullptr, size, type, name);
                    });
}

} // namespace scree::gles
