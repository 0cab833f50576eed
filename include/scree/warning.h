// SPDX-License-Identifier: MIT
// warning.h — warnings: calls that are allowed, but hardly what was meant.
//
//     scree::set_warning_handler([](const std::string& text) { my_log.add(text); });
//
// A World warns once of a step longer than a second, and once of a body that is below a fixed plane or has been falling for ten
// seconds. It looks for such bodies now and then, on "cpu" only. It warns of cloth that begins with edges through triangles of cloth,
// and again every 256 steps while it has not come apart. With Solver::impact it warns once of bodies that overlap. A scene or
// add_level warns of what it leaves out of a level. Warnings change nothing: what the handler throws comes out of step when it is
// complete.
#pragma once

#include <functional>
#include <string>

namespace scree {

/// Takes the warnings of all worlds, on the thread that steps or reads. Default, and for an empty function: lines on stderr.
void set_warning_handler(std::function<void(const std::string&)> handler);

} // namespace scree
