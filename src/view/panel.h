// SPDX-License-Identifier: MIT
// panel.h — the settings of a world as a list of things to slide, tick and choose, made from the tables that scene files are
// read with: a setting that a scene may have is in the panel, with the same limits.
#pragma once

#include "scene/command.h"
#include "view/frame.h"

#include <optional>
#include <string>
#include <vector>

namespace scree::view {

struct Parameter {
    enum class Kind { number, whole, flag, choice, vector, whole3 } kind = Kind::number;
    std::string name;
    std::string value;          ///< as in a scene file
    double least = 0, most = 1; ///< of a slider: within the setting's limits
    bool logarithmic = false;
    bool least_allowed = true; ///< whether `least` itself is
    std::vector<std::string> choices;
    double number[3] = {0, 0, 0}; ///< the value in numbers; of a choice its index, of a flag 0 or 1

    /// As a scene file has it, within the limits whatever is given.
    std::string text(double x, double y = 0, double z = 0) const;
    /// One step up or down within the limits: what plus and minus do (R1.25).
    std::string nudged(int direction) const;
};

/// In the order of the settings. `start` is the scene as loaded: sliders reach some times its values.
std::vector<Parameter> parameters(const Scene& now, const Scene& start);

} // namespace scree::view
