// SPDX-License-Identifier: MIT
// gui.h — Dear ImGui fed from InputEvents and drawn with OpenGL: its font and its looks.
#pragma once

#include "viewer/input.h"

#include <optional>

namespace scree::view {

class Window;

class Gui {
public:
    /// In the window's context. `scale`: 1, or 2 where pixels are small.
    Gui(Window& window, float scale);
    ~Gui();
    Gui(Gui&&) = delete; // nor copied

    /// Sizes of font and spacing; does nothing when it is so already.
    void set_scale(float scale);

    /// How many looks (begin, windows, skip or end) the GUI must take before this event can be fed. It sees the state of mouse
    /// and keys once a look, so a press and its release in one look would be nothing at all.
    int looks_before(const InputEvent& event) const;
    void feed(const InputEvent& event);
    /// Whether mouse or keys belong to a window of the GUI now.
    bool wants_mouse() const;
    bool wants_keys() const;
    void begin(int width, int height, double seconds);
    void skip(); ///< ends a look that is not drawn
    void end();  ///< draws over what is there

private:
    float scale_ = 0;
    std::optional<InputEvent::Kind> fed_; ///< since the last look
};

} // namespace scree::view
