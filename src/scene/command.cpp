// SPDX-License-Identifier: MIT
// command.cpp — the log of commands as text; see command.h.
#include "scene/command.h"

#include "scene/setting.h"
#include "scene/text_line.h"
#include "scree/error.h"

#include <sstream>

namespace scree {
namespace {

std::string words(Vec3 v) { return " " + decimal(v.x) + " " + decimal(v.y) + " " + decimal(v.z); }

Command read_command(TextLine& line) {
    const std::string name = line.word("a command");
    if (name == "grab") {
        const auto body = static_cast<std::uint32_t>(line.whole());
        return Grab{body, line.vector()};
    }
    if (name == "drag") return DragTo{line.vector()};
    if (name == "release") return Release{};
    if (name == "shoot") {
        Shoot shot;
        shot.position = line.vector();
        shot.velocity = line.vector();
        shot.radius = line.number();
        shot.mass = line.number();
        return shot;
    }
    if (name == "set") {
        const std::string key = line.word("a setting");
        return ChangeSetting{key, line.rest()};
    }
    if (name == "act") return Act{line.word("an action")};
    if (name == "walk") {
        Walk walk;
        walk.velocity = line.vector();
        walk.jump = line.whole() != 0;
        walk.crouch = line.more() && line.whole() != 0;
        return walk;
    }
    line.refuse("\"" + name + "\" is not a command; expected grab, drag, release, shoot, set, act or walk");
}

} // namespace

std::string log_text(std::span<const LoggedCommand> log) {
    std::string text;
    for (const LoggedCommand& entry : log) {
        text += std::to_string(entry.step);
        std::visit(Overloaded{
                       [&](const Grab& c) { text += " grab " + std::to_string(c.body) + words(c.point); },
                       [&](const DragTo& c) { text += " drag" + words(c.target); },
                       [&](const Release&) { text += " release"; },
                       [&](const Shoot& c) {
                           text += " shoot" + words(c.position) + words(c.velocity) + " " +
                                   decimal(c.radius) + " " + decimal(c.mass);
                       },
                       [&](const ChangeSetting& c) { text += " set " + c.name + " " + c.value; },
                       [&](const Act& c) { text += " act " + c.name; },
                       [&](const Walk& c) {
                           text +=
                               " walk" + words(c.velocity) + (c.jump ? " 1" : " 0") + (c.crouch ? " 1" : "");
                       },
                   },
                   entry.command);
        text += "\n";
    }
    return text;
}

std::vector<LoggedCommand> parse_log(const std::string& text, const std::string& where) {
    std::vector<LoggedCommand> log;
    std::istringstream lines(text);
    std::string content;
    for (int number = 1; std::getline(lines, content); ++number) {
        if (content.find_first_not_of(" \t\r") == std::string::npos) continue;
        TextLine line{std::istringstream(content), where + ":" + std::to_string(number)};
        const std::uint64_t step = line.whole();
        if (!log.empty() && step < log.back().step) line.refuse("the step is before that of the line above");
        log.push_back({step, read_command(line)});
        if (!line.rest().empty()) line.refuse("too many arguments");
    }
    return log;
}

} // namespace scree
