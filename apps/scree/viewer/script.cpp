// SPDX-License-Identifier: MIT
// script.cpp — see script.h.
#include "viewer/script.h"

#include "scene/text_line.h"
#include "scree/error.h"
#include "text/file_text.h"
#include "view/actions.h"

#include <algorithm>
#include <sstream>

namespace scree::view {
namespace {

using Kind = ScriptCommand::Kind;

InputEvent key_event(const Chord& chord, bool down) {
    InputEvent event;
    event.kind = InputEvent::Kind::key;
    event.code = chord.key;
    event.down = down;
    event.shift = chord.shift;
    event.control = chord.control;
    event.alt = chord.alt;
    return event;
}

InputEvent pointer_event(InputEvent::Kind kind, double x, double y) {
    InputEvent event;
    event.kind = kind;
    event.x = x;
    event.y = y;
    return event;
}

int read_button(TextLine& line) {
    const std::string name = line.word("left, right or middle");
    if (name == "left") return 0;
    if (name == "right") return 1;
    if (name == "middle") return 2;
    line.refuse("\"" + name + "\" is not a button; expected left, right or middle");
}

InputEvent button_event(int button, bool down, double x, double y) {
    InputEvent event = pointer_event(InputEvent::Kind::button, x, y);
    event.code = button;
    event.down = down;
    return event;
}

constexpr double far = 100'000; // pixels

struct Pointer {
    double x = 0, y = 0;
};

void add_click(std::vector<InputEvent>& events, Pointer at, int button) {
    events.push_back(pointer_event(InputEvent::Kind::move, at.x, at.y));
    events.push_back(button_event(button, true, at.x, at.y));
    events.push_back(button_event(button, false, at.x, at.y));
}

void add_drag(std::vector<InputEvent>& events, Pointer from, Pointer to, int button) {
    events.push_back(pointer_event(InputEvent::Kind::move, from.x, from.y));
    events.push_back(button_event(button, true, from.x, from.y));
    for (int k = 1; k <= 8; ++k)
        events.push_back(pointer_event(InputEvent::Kind::move, from.x + (to.x - from.x) * k / 8,
                                       from.y + (to.y - from.y) * k / 8));
    events.push_back(button_event(button, false, to.x, to.y));
}

void read_events(const std::string& name, TextLine& line, Pointer& at, std::vector<InputEvent>& events) {
    const auto place = [&] {
        at.x = line.number(-far, far);
        at.y = line.number(-far, far);
    };
    if (name == "key" || name == "keydown" || name == "keyup") {
        const std::string text = line.word("a key");
        const auto chord = parse_chord(text);
        if (!chord) line.refuse("\"" + text + "\" is not a key");
        // as hands do it: modifiers first, and they go last
        const std::pair<bool, int> modifiers[] = {
            {chord->shift, 340}, {chord->control, 341}, {chord->alt, 342}};
        if (name != "keyup") {
            for (const auto& [used, key] : modifiers)
                if (used) events.push_back(key_event({key}, true));
            events.push_back(key_event(*chord, true));
        }
        if (name != "keydown") {
            events.push_back(key_event(*chord, false));
            for (const auto& [used, key] : modifiers)
                if (used) events.push_back(key_event({key}, false));
        }
    } else if (name == "move") {
        place();
        events.push_back(pointer_event(InputEvent::Kind::move, at.x, at.y));
    } else if (name == "press" || name == "release") {
        events.push_back(button_event(read_button(line), name == "press", at.x, at.y));
    } else if (name == "click") {
        place();
        add_click(events, at, line.more() ? read_button(line) : 0);
    } else if (name == "drag") {
        place();
        const Pointer from = at;
        place();
        add_drag(events, from, at, line.more() ? read_button(line) : 0);
    } else if (name == "wheel") {
        InputEvent event = pointer_event(InputEvent::Kind::wheel, 0, line.number(-1000, 1000));
        events.push_back(event);
    } else if (name == "type") {
        for (const char c : line.some_rest()) {
            InputEvent event;
            event.kind = InputEvent::Kind::text;
            event.character = static_cast<unsigned char>(c);
            events.push_back(event);
        }
    } else if (name == "finger") {
        InputEvent event;
        event.kind = InputEvent::Kind::finger;
        event.code = static_cast<int>(line.number(0, 9));
        const std::string what = line.word("down, move or up");
        if (what != "down" && what != "move" && what != "up") line.refuse("expected down, move or up");
        event.down = what != "up";
        event.moved = what == "move";
        event.x = line.number(-far, far);
        event.y = line.number(-far, far);
        events.push_back(event);
    } else if (name == "close") {
        events.push_back(pointer_event(InputEvent::Kind::close, 0, 0));
    } else {
        line.refuse("\"" + name + "\" is not a command of a script");
    }
}

} // namespace

std::vector<ScriptCommand> load_script(const std::string& file) {
    std::vector<ScriptCommand> script;
    std::istringstream lines(file_text(file));
    std::string content;
    Pointer at;
    for (int number = 1; std::getline(lines, content); ++number) {
        content = content.substr(0, content.find('#'));
        TextLine line{std::istringstream(content), file + ":" + std::to_string(number)};
        if (!line.more()) continue;
        const std::string name = line.word("a command");
        ScriptCommand command;
        command.line = number;
        if (name == "load") command.kind = Kind::load, command.text = line.some_rest();
        else if (name == "screenshot") command.kind = Kind::screenshot, command.text = line.some_rest();
        else if (name == "state") command.kind = Kind::state, command.text = line.some_rest();
        else if (name == "steps")
            command.kind = Kind::steps, command.count = static_cast<int>(line.number(1, 1e6));
        else if (name == "frames")
            command.kind = Kind::frames, command.count = static_cast<int>(line.number(1, 1e6));
        else if (name == "lose_context") command.kind = Kind::lose_context;
        else if (name == "fine") command.kind = Kind::fine;
        else if (name == "unseen") command.kind = Kind::unseen;
        else if (name == "fps")
            command.kind = Kind::fps, command.count = static_cast<int>(line.number(1, 1000));
        else if (name == "click_on") {
            command.kind = Kind::on_item, command.text = line.some_rest();
            add_click(command.events, {}, 0);
        } else if (name == "hold_on") {
            command.kind = Kind::on_item;
            const auto pictures = static_cast<std::size_t>(line.number(1, 1e4));
            command.text = line.some_rest();
            add_click(command.events, {}, 0);
            // the button stays down: an event a picture
            command.events.insert(command.events.end() - 1, pictures,
                                  pointer_event(InputEvent::Kind::move, 0, 0));
        } else if (name == "drag_on") {
            command.kind = Kind::on_item;
            const double dx = line.number(-far, far), dy = line.number(-far, far);
            command.text = line.some_rest();
            add_drag(command.events, {}, {dx, dy}, 0);
        } else if (name == "resize") {
            command.kind = Kind::resize;
            command.width = static_cast<int>(line.number(0, 16384));
            command.height = static_cast<int>(line.number(0, 16384));
        } else {
            command.kind = Kind::event;
            read_events(name, line, at, command.events);
        }
        if (line.more()) line.refuse("too many arguments");
        script.push_back(std::move(command));
    }
    return script;
}

} // namespace scree::view
