// SPDX-License-Identifier: MIT
// gui.h — Dear ImGui fed from InputEvents and drawn with OpenGL: its font and its looks.
#pragma once

#include "viewer/input.h"

#include <string>

namespace scree::view {

class Window;

class Gui {
public:
    /// In the window's context. `scale`: 1, or 2 where pixels are small.
    Gui(Window& window, float scale);
    ~Gui();
    Gui(Gui&&) = delete; // nor copied

    void feed(const InputEvent& event);
    /// Whether mouse or keys belong to a window of the GUI now.
    bool wants_mouse() const;
    bool wants_keys() const;
    void begin(int width, int height, double seconds);
    void end(); ///< draws over what is there

private:
    std::string clipboard_;
};

} // namespace scree::view
