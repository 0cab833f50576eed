// SPDX-License-Identifier: MIT
// shader_source.h — the .glsl files that the library carries, put together for one compiler.
//
// A file holds both stages, between #ifdef VERTEX and #ifdef FRAGMENT; #include "file.glsl" is resolved here. Messages of the
// compiler name a source number, which is the place of the file in ProgramSource::files.
#pragma once

#include "render/backend.h"

#include <span>
#include <string>
#include <string_view>

namespace scree::render {

struct EmbeddedShader {
    const char* name;
    const char* text;
};
extern const EmbeddedShader embedded_shaders[];
extern const int embedded_shader_count;

/// `defines` become lines "#define X". Throws Error for an unknown file.
ProgramSource shader_source(std::string_view file, std::span<const std::string> defines, bool gles);

/// "0:12(5): error …" as "body.glsl:12: error …"; Mesa's and NVIDIA's spelling.
std::string readable_log(const std::string& log, std::span<const std::string> files);

} // namespace scree::render
