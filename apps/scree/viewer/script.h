// SPDX-License-Identifier: MIT
// script.h — drives the viewer by a file; its events take the same path as those of the window.
//
//     # one command a line
//     load pyramid-10            key Ctrl+R             keydown W / keyup W
//     steps 120                  move 640 360           press left / release left
//     frames 3                   drag 640 360 700 300   wheel 2
//     screenshot out.png         type towers            click 30 200 [right]
//     state out.txt              resize 800 600         finger 1 down|move|up 10 20
//     lose_context               close                  fine (draws as well as it can)
//     click_on Next              drag_on 40 0 setting substeps (items of panels)
//     fps 3 (pictures a second; events keep coming 60 times a second)
//     unseen (draws nothing but screenshots and videos, to save time)
#pragma once

#include "viewer/input.h"

#include <string>
#include <vector>

namespace scree::view {

struct ScriptCommand {
    enum class Kind {
        load,
        steps,
        frames,
        screenshot,
        state,
        resize,
        lose_context,
        fine,
        fps,
        unseen,
        event,
        on_item ///< events from the middle of the item `text`
    } kind = Kind::frames;
    std::string text;
    int count = 1, width = 0, height = 0;
    std::vector<InputEvent> events; ///< of a hand, 1/60 s apart
    int line = 0;
};

/// Throws Error naming file and line.
std::vector<ScriptCommand> load_script(const std::string& file);

} // namespace scree::view
