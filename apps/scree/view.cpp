// SPDX-License-Identifier: MIT
// view.cpp — `scree view`: a scene in a window, with interaction.

#include "commands.h"
#include "scene_arguments.h"
#include "scree/error.h"

#ifdef SCREE_HAS_VIEWER
#include "interrupt.h"
#include "text.h"
#include "text/file_text.h"
#include "viewer/viewer.h"

#include <cstdio>
#include <random>
#endif

namespace scree {

namespace {

#ifndef SCREE_HAS_VIEWER

int run(const Arguments&) {
    throw Error(
        "this build has no viewer; build it with the renderer, GLFW and Dear ImGui (Debian: libglfw3-dev "
        "libimgui-dev)",
        "scree view");
}

#else

/// A picture that is to be made again needs the same colours; people may have others each time.
std::uint32_t read_colour_seed(const Arguments& given) {
    const std::string text = given.text("--colour-seed").value_or(given.has("--script") ? "0" : "random");
    if (text == "random") return std::random_device()();
    const auto seed = parse_whole(text);
    if (!seed || *seed > 0xffffffffu)
        refuse_option("--colour-seed", text, "random or an integer from 0 to 4294967295");
    return static_cast<std::uint32_t>(*seed);
}

int run(const Arguments& given) {
    view::ViewerOptions options;
    if (const auto keys = given.text("--keys")) {
        if (*keys == "print") return std::fputs(options.keys.text().c_str(), stdout), exit_ok;
        options.keys.read(file_text(*keys), *keys);
    }
    const PictureSize size = read_size(given, {options.width, options.height}, 64);
    options.width = size.width;
    options.height = size.height;
    options.rate = given.number("--rate", 0.001, 1000).value_or(1);
    options.paused = given.has("--paused");
    options.picture_step = given.has("--picture-step");
    options.colour_seed = read_colour_seed(given);
    if (const auto seconds = given.number("--tour", 0.1, 86400)) {
        options.tour = *seconds;
        options.scene = builtin_scenes_by_group().front().name;
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
                throw Error("a recording is shown alone; expected a scene with this option", "--tour");
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

} // namespace

CommandSpec view_command() {
    return {
        "view [SCENE|FILE]",
        "show a scene in a window and interact with it",
        R"(Opens a window on a built-in scene, a scene file or a recording: run, pause, step back, pull and shoot bodies,
change parameters, record. F1 shows all keys.

Physics runs on its own thread; drawing does not change its steps.
A key file has lines such as `pause = Space`; --keys print shows all of them.)",
        {R"(
--size WxH          of the window; default: 1280x800
--paused            start paused; Space starts
--rate X            simulated seconds a second; default: 1
--picture-step      one step for each picture, as long as the mean of the first ten pictures
--tour SECONDS      show all scenes in turn, each for this long
--colour-seed N|random  seed of the bodies' colours; default: random, with --script 0
--keys FILE|print   read key bindings from a file, or print them
--script FILE       read input events from a file (docs/manual/viewer.md)
)",
         gles_option, scene_options, device_options},
        run};
}

} // namespace scree
