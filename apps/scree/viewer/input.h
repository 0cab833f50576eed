// SPDX-License-Identifier: MIT
// input.h — input events of keyboard, mouse and touch, from a window or a script.
#pragma once

#include <cstdint>

namespace scree::view {

enum class Button { left, right, middle };

struct InputEvent {
    enum class Kind { key, text, button, move, wheel, size, close, finger } kind = Kind::move;
    int code = 0;       ///< key (GLFW's number), button or finger
    bool down = false;  ///< key, button: pressed; finger: touches
    bool moved = false; ///< finger: was down before
    bool shift = false, control = false, alt = false;
    double x = 0, y = 0;         ///< pixels from the upper left; wheel: clicks; size: pixels
    std::uint32_t character = 0; ///< text
};

} // namespace scree::view
