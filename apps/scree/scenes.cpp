// SPDX-License-Identifier: MIT
// scenes.cpp — `scree scenes`: the built-in scenes in groups, a line each.

#include "commands.h"
#include "scree/scene.h"
#include "text.h"

#include <algorithm>
#include <cstdio>

namespace scree {

namespace {

int run(const Arguments& given) {
    if (const auto name = given.text("--text")) {
        const std::string_view text = builtin_scene_text(*name);
        std::fwrite(text.data(), 1, text.size(), stdout);
        return exit_ok;
    }
    const auto scenes = builtin_scenes_by_group();
    std::size_t width = 0;
    for (const SceneInfo& scene : scenes) width = std::max(width, scene.name.size());
    const std::string* group = nullptr;
    for (const SceneInfo& scene : scenes) {
        if (!group || *group != scene.group) std::printf("%s%s\n", group ? "\n" : "", scene.group.c_str());
        group = &scene.group;
        std::printf("  %s  %s  %s\n", padded(scene.name, width).c_str(), padded(scene.kind, 8).c_str(),
                    scene.title.c_str());
    }
    return exit_ok;
}

} // namespace

CommandSpec scenes_command() {
    return {"scenes",
            "list the built-in scenes",
            "Lists the built-in scenes by what they show, a line each.\n\n"
            "--text prints a scene as JSON, to be changed and run as a file.",
            {"--text SCENE        print the JSON of one scene"},
            run};
}

} // namespace scree
