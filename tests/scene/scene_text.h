// SPDX-License-Identifier: MIT
// scene_text.h — scenes written in tests: short, with one line to a fact.
#pragma once

#include "scree/granular_scene.h"
#include "support/refused.h"

#include <string>

namespace scree::testing {

/// A scene whose lines 2 … are `lines`; line 1 opens it.
inline std::string scene_with(const std::string& lines) {
    return "{\"scree\": 1, \"title\": \"t\", \"steps\": 1,\n" + lines + "}";
}

/// The same with a shape "c" (the seed's cube), which stands on line 2.
inline std::string scene_with_cube(const std::string& lines) {
    return scene_with("\"shapes\": [{\"name\": \"c\", \"cube\": {}}],\n" + lines);
}

/// The message that `text` is refused with; "no error" when it is accepted.
inline std::string refusal(const std::string& text, const SceneOptions& options = {}) {
    return test::error_message([&] { parse_scene(text, "a.json", options); });
}

} // namespace scree::testing
