// SPDX-License-Identifier: MIT
// panel.h — the settings of a world as sliders, check boxes and choices, made from the setting tables of scene files, with the
// same limits.
#pragma once

#include "scene/command.h"
#include "view/frame.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::view {

struct Parameter {
    enum class Kind { number, whole, flag, choice, vector, whole3 } kind = Kind::number;
    std::string name, label;  ///< as in a scene file; to be read by people
    std::string value, start; ///< as in a scene file; start: as loaded
    std::string unit, help;
    double least = 0, most = 1; ///< of a slider: within the setting's limits
    bool logarithmic = false;
    bool least_allowed = true; ///< whether `least` itself is allowed
    bool bounded = false;      ///< a vector whose components stay between `least` and `most`
    std::vector<std::string> choices;
    double number[3] = {0, 0, 0}; ///< numeric value; index of a choice; 0 or 1 of a flag

    /// Another value, as text() writes it.
    void take(const std::string& text);
    /// As in a scene file, clamped to the limits.
    std::string text(double x, double y = 0, double z = 0) const;
    /// One step up or down within the limits, for the plus and minus buttons (R1.25).
    std::string nudged(int direction) const;
};

/// In the order of the settings. The ranges of sliders are multiples of the scene's initial values.
std::vector<Parameter> parameters(std::span<const SettingState> settings);

} // namespace scree::view
