// SPDX-License-Identifier: MIT
// view.cpp — `scree view`: a scene in a window, to look at and to touch.

#include "commands.h"
#include "options.h"
#include "scree/error.h"

#ifdef SCREE_HAS_VIEWER
#include "interrupt.h"
#include "scene_arguments.h"
#include "text.h"
#include "viewer/viewer.h"

#include <cstdio>
#include <random>
#endif

namespace scree {

#ifndef SCREE_HAS_VIEWER

int view_command(std::span<const std::string>) {
    throw Error(
        "this build has no viewer; build it with the renderer, GLFW and Dear ImGui (Debian: libglfw3-dev "
        "libimgui-dev)",
        "scree view");
}

#else

namespace {

CommandSpec view_spec() {
    CommandSpec command{
        .name = "view",
        .positional = "[SCENE|FILE]",
        .least = 0,
        .most = 1,
        .summary = "Opens a window on a built-in scene, a scene file or a recording: run, pause, step back, "
                   "pull and "
                   "shoot bodies,\n"
                   "change parameters, record. F1 shows all keys.",
        .details = "The physics runs on a thread of its own: it takes the same steps whether it is looked at "
                   "or not.\n"
                   "A key file has lines such as `pause = Space`; --keys print shows all of them.",
        .options = {
            {"--size", "WxH", "of the window; 1280x800 unless told"},
            {"--paused", "", "wait for Space"},
            {"--rate", "X", "seconds of the scene in a second; 1 unless told"},
            {"--tour", "SECONDS", "all scenes in turn, each for so long"},
            {"--colour-seed", "N|random", "colours of the bodies; random unless told, 0 with --script"},
            {"--keys", "FILE|print", "keys of your own"},
            {"--script", "FILE", "events from a file in place of hands (docs/manual/viewer.md)"},
            {"--gles", "", "draw with OpenGL ES 3.0 in place of OpenGL 4.5"}}};
    for (const OptionSpec& option : scene_options())
        if (option.name != "--steps") command.options.push_back(option);
    for (const OptionSpec& option : device_options()) command.options.push_back(option);
    return command;
}

std::string file_text(const std::string& option, const std::string& file) {
    std::FILE* in = std::fopen(file.c_str(), "rb");
    if (!in) throw Error("\"" + printable(file) + "\" cannot be opened", option);
    std::string text;
    char chunk[4096];
    while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, in)) text.append(chunk, got);
    std::fclose(in);
    return text;
}

/// A picture that is to be made again needs the same colours; people may have others each time.
std::uint32_t read_colour_seed(const Arguments& given) {
    const std::string text = given.text("--colour-seed").value_or(given.has("--script") ? "0" : "random");
    if (text == "random") return std::random_device()();
    const auto seed = parse_whole(text);
    if (!seed || *seed > 0xffffffffu)
        throw Error("\"" + printable(text) +
                        "\" is not allowed; random or a whole number from 0 to 4294967295 was expected",
                    "--colour-seed");
    return static_cast<std::uint32_t>(*seed);
}

/// Recordings begin with their own word; a scene file with a brace.
bool is_recording(const std::string& file) {
    std::FILE* in = std::fopen(file.c_str(), "rb");
    if (!in) return false;
    std::fclose(in);
    try {
        const RecordingReader reader(file);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

int view_command(std::span<const std::string> arguments) {
    const CommandSpec command = view_spec();
    const Arguments given(command, arguments);
    if (given.help()) return std::fputs(help_text(command).c_str(), stdout), exit_ok;

    view::ViewerOptions options;
    if (const auto keys = given.text("--keys")) {
        if (*keys == "print") return std::fputs(options.keys.text().c_str(), stdout), exit_ok;
        options.keys.read(file_text("--keys", *keys), *keys);
    }
    if (const auto size = given.text("--size")) {
        const std::size_t times = size->find('x');
        const auto width = times == std::string::npos ? std::nullopt : parse_whole(size->substr(0, times));
        const auto height = times == std::string::npos ? std::nullopt : parse_whole(size->substr(times + 1));
        if (!width || !height || *width < 64 || *height < 64 || *width > 16384 || *height > 16384)
            throw Error("\"" + printable(*size) +
                            "\" is not allowed; WIDTHxHEIGHT from 64x64 to 16384x16384 was expected",
                        "--size");
        options.width = static_cast<int>(*width);
        options.height = static_cast<int>(*height);
    }
    options.rate = given.number("--rate", 0.001, 1000).value_or(1);
    options.paused = given.has("--paused");
    options.colour_seed = read_colour_seed(given);
    if (const auto seconds = given.number("--tour", 0.1, 86400)) {
        options.tour = *seconds;
        options.scene = builtin_scenes().front().name;
    }
    options.gles = given.has("--gles");
    if (const auto script = given.text("--script")) {
        options.script = view::load_script(*script);
        options.scripted = true;
    }
    options.scene_options = read_scene_options(given);
    options.place = read_place(given);
    if (!given.positional().empty()) {
        const std::string& name = given.positional().front();
        if (is_recording(name)) {
            if (given.has("--tour"))
                throw Error("a recording is shown alone; a scene was expected with this option", "--tour");
            options.recording = name;
            options.scene = RecordingReader(name).header().scene;
        } else {
            find_scene(name, options.scene_options); // a bad name is told before a window opens
            options.scene = name;
        }
    }
    view::Viewer viewer(options);
    const InterruptGuard guard; // ctrl-C too ends a video or a recording in order
    viewer.run();
    return interrupted() ? exit_interrupted : exit_ok;
}

#endif

} // namespace scree
