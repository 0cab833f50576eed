// SPDX-License-Identifier: MIT
// rigid_text.h — rigid scenes written in tests.
#pragma once

#include "scree/rigid_scene.h"

#include <string>

namespace scree::testing {

/// A rigid scene of one step whose lines 2 … are `lines`; line 1 opens it.
inline std::string rigid_with(const std::string& lines) {
    return "{\"scree\": 1, \"kind\": \"rigid\", \"title\": \"t\", \"steps\": 1" +
           (lines.empty() ? "}" : ",\n" + lines + "}");
}

} // namespace scree::testing
