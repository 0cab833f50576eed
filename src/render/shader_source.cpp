// SPDX-License-Identifier: MIT
// shader_source.cpp — see shader_source.h.
#include "render/shader_source.h"

#include "scree/error.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace scree::render {

namespace {

std::string_view text_of(std::string_view file) {
    for (int i = 0; i < embedded_shader_count; ++i)
        if (file == embedded_shaders[i].name) return embedded_shaders[i].text;
    throw Error("there is no such shader", std::string(file));
}

void append(std::string_view file, std::string& out, std::vector<std::string>& files) {
    // each file once
    if (std::find(files.begin(), files.end(), file) != files.end()) return;
    const std::size_t number = files.size();
    files.emplace_back(file);
    const auto mark = [&](int line) {
        out += "#line " + std::to_string(line) + " " + std::to_string(number) + "\n";
    };
    mark(1);
    std::istringstream in{std::string(text_of(file))};
    std::string line;
    for (int at = 1; std::getline(in, line); ++at) {
        constexpr std::string_view keyword = "#include \"";
        if (line.compare(0, keyword.size(), keyword) != 0) {
            out += line + "\n";
            continue;
        }
        const std::size_t end = line.find('"', keyword.size());
        append(std::string_view(line).substr(keyword.size(), end - keyword.size()), out, files);
        mark(at + 1);
    }
}

} // namespace

ProgramSource shader_source(std::string_view file, std::span<const std::string> defines, bool gles) {
    ProgramSource source;
    source.name = file;
    std::string body;
    append(file, body, source.files);
    std::string head = gles ? "#version 300 es\n"
                              "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
                              "precision highp sampler2DShadow;\nprecision highp usampler2D;\n"
                            : "#version 450 core\n";
    for (const std::string& define : defines) {
        head += "#define " + define + "\n";
        source.name += " " + define;
    }
    if (std::find(defines.begin(), defines.end(), "COMPUTE") != defines.end()) {
        source.compute = head + body;
        return source;
    }
    source.vertex = head + "#define VERTEX\n" + body;
    source.fragment = head + "#define FRAGMENT\n" + body;
    return source;
}

std::string readable_log(const std::string& log, std::span<const std::string> files) {
    std::istringstream in(log);
    std::string line, out;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '\0') continue;
        // NUMBER then ':' LINE '(' column ')' (Mesa) or '(' LINE ')' (NVIDIA)
        std::size_t at = 0;
        while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at]))) ++at;
        const std::size_t number_end = at;
        if (at > 0 && at + 1 < line.size() && (line[at] == ':' || line[at] == '(')) {
            const std::size_t file =
                static_cast<std::size_t>(std::stoul(line.substr(0, std::min<std::size_t>(number_end, 9))));
            std::size_t end = at + 1;
            while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
            if (file < files.size() && end > at + 1) {
                const std::string row = line.substr(at + 1, end - at - 1);
                std::size_t rest = line.find(':', end);
                rest = rest == std::string::npos ? end : rest + 1;
                out += files[file] + ":" + row + ":" + line.substr(rest) + "\n";
                continue;
            }
        }
        out += line + "\n";
    }
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

} // namespace scree::render
