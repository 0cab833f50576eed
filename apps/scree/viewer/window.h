// SPDX-License-Identifier: MIT
// window.h — a window with a GL context, through GLFW.
#pragma once

#include "viewer/input.h"

#include <string>
#include <vector>

struct GLFWwindow;

namespace scree::view {

class Window {
public:
    /// OpenGL 4.5, else OpenGL ES 3.0. Throws Error when there is no display or neither of the two.
    Window(int width, int height, const std::string& title, bool gles = false);
    ~Window();
    Window(Window&&) = delete; // nor copied

    /// What happened since the last call; waits for something for at most `seconds`.
    std::vector<InputEvent> events(double seconds);
    /// As if it had happened.
    void post(const InputEvent& event) { events_.push_back(event); }
    void swap();
    void resize(int width, int height);
    void set_title(const std::string& title);
    int width() const { return width_; } ///< pixels; 0 when it is minimised
    int height() const { return height_; }
    float scale() const; ///< of the display: 1, or 2 where pixels are small
    bool gles() const { return gles_; }
    /// Why GLES was taken although GL was looked for; empty when it was not.
    const std::string& fallback() const { return fallback_; }
    /// The driver was reset: everything that was made in this context is gone.
    bool lost() const;
    std::string clipboard() const;
    void set_clipboard(const std::string& text);

private:
    friend struct Callbacks;
    GLFWwindow* window_ = nullptr;
    std::vector<InputEvent> events_;
    int width_ = 0, height_ = 0;
    bool gles_ = false;
    std::string fallback_;
    double density_ = 1; // pixels for each of the system's units
};

} // namespace scree::view
