// SPDX-License-Identifier: MIT
// panels.cpp — the viewer's windows: toolbar, scenes, drawing, parameters, help, timeline, messages.
#include "viewer/viewer.h"

#include "scree/error.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace scree::view {
namespace {

const ImVec4 dim{0.55f, 0.58f, 0.63f, 1}, accent{0.96f, 0.66f, 0.32f, 1}, alarm{0.98f, 0.42f, 0.36f, 1};
constexpr ImGuiWindowFlags plain = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

float unit_size() { return ImGui::GetFontSize() / 15; } // lengths below are for a font of 15 pixels
/// In a window that is too narrow for one, the toolbar has two rows.
bool is_narrow() { return ImGui::GetIO().DisplaySize.x < 1160 * unit_size(); }
float bar_height() { return std::round((is_narrow() ? 80 : 46) * unit_size()); }

/// A window of the viewer at its place until somebody moves it.
bool begin_window(const char* title, bool* open, float x, float y, float width, float height) {
    ImGui::SetNextWindowPos({x, y}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize({width, height}, ImGuiCond_FirstUseEver);
    return ImGui::Begin(title, open, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
}

bool contains_words(std::string_view text, std::string_view word) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::search(text.begin(), text.end(), word.begin(), word.end(),
                       [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

std::string rate_text(double rate) {
    if (rate == as_fast_as_possible) return "full speed";
    char text[32];
    if (rate >= 1) std::snprintf(text, sizeof text, "%gx", rate);
    else std::snprintf(text, sizeof text, "1/%gx", 1 / rate);
    return text;
}

void tip(const KeyMap& keys, Action action) {
    if (!ImGui::IsItemHovered()) return;
    const auto chord = keys.chord(action);
    ImGui::SetTooltip("%s%s%s", std::string(info(action).help).c_str(), chord ? "  " : "",
                      chord ? chord_text(*chord).c_str() : "");
}

} // namespace

void Viewer::draw_gui(const DebugGeometry& debug) {
    draw_labels(debug);
    draw_toolbar();
    if (show_browser_) draw_browser();
    if (show_view_) draw_view_panel();
    if (show_metrics_) draw_metrics();
    if (show_parameters_) draw_parameters();
    if (timeline_) draw_timeline();
    draw_probe();
    draw_messages();
    if (show_help_) draw_help();
}

void Viewer::draw_toolbar() {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({display.x, bar_height()});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##bar", nullptr, plain | ImGuiWindowFlags_NoScrollbar);
    const auto button = [&](const char* label, Action action, bool on = false) {
        if (on) ImGui::PushStyleColor(ImGuiCol_Text, accent);
        const bool hit = ImGui::Button(label);
        if (on) ImGui::PopStyleColor();
        tip(keys_, action);
        ImGui::SameLine();
        if (hit) act(action);
    };
    const auto gap = [] {
        ImGui::Dummy({6 * unit_size(), 1});
        ImGui::SameLine();
    };
    const bool going = timeline_ ? timeline_->playing() : running_;
    button(going ? "Pause###run" : " Run ###run", Action::pause, going);
    button("Back", Action::step_back);
    button("Step", Action::step);
    button("Restart", Action::restart);
    gap();
    button("<##slower", Action::slower);
    ImGui::AlignTextToFramePadding();
    const std::string rate = rate_text(rate_);
    const float room = ImGui::CalcTextSize("full speed").x, taken = ImGui::CalcTextSize(rate.c_str()).x;
    const float x = ImGui::GetCursorPosX();
    ImGui::SetCursorPosX(x + (room - taken) / 2);
    ImGui::TextUnformatted(rate.c_str());
    ImGui::SameLine(x + room + ImGui::GetStyle().ItemSpacing.x);
    button(">##faster", Action::faster);
    gap();
    button("Prev", Action::previous_scene);
    button("Next", Action::next_scene);
    button("Tour", Action::tour, tour_ > 0);
    gap();
    if (is_narrow()) {
        ImGui::NewLine();
        draw_openers();
        gap();
        draw_moment();
    } else {
        draw_moment();
        draw_openers();
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

/// Which scene, and when in it.
void Viewer::draw_moment() {
    const Frame& frame = shown();
    ImGui::AlignTextToFramePadding();
    const std::string busy = physics_.busy();
    if (!busy.empty()) ImGui::TextColored(accent, "%s …", busy.c_str());
    else if (frame.appearance)
        ImGui::Text("%s", timeline_ ? timeline_->file().c_str() : frame.appearance->scene.c_str());
    ImGui::SameLine();
    if (frame.appearance && busy.empty()) {
        ImGui::TextColored(dim, "step %llu   %.2f s", static_cast<unsigned long long>(frame.step),
                           frame.time);
        ImGui::SameLine();
    }
}

/// What opens windows: on the right where there is room.
void Viewer::draw_openers() {
    struct Opener {
        const char* label;
        bool* open;
    };
    const Opener openers[] = {{"Scenes", &show_browser_},
                              {"Drawing", &show_view_},
                              {"Parameters", &show_parameters_},
                              {"Metrics", &show_metrics_},
                              {"Help", &show_help_}};
    float width = 0;
    for (const Opener& o : openers)
        width += ImGui::CalcTextSize(o.label).x + 2 * ImGui::GetStyle().FramePadding.x +
                 ImGui::GetStyle().ItemSpacing.x;
    const float right = ImGui::GetIO().DisplaySize.x - width;
    if (!is_narrow() && right > ImGui::GetCursorPosX()) ImGui::SetCursorPosX(right - 4 * unit_size());
    for (const Opener& o : openers) {
        if (*o.open) ImGui::PushStyleColor(ImGuiCol_Text, accent);
        const bool was = *o.open;
        if (ImGui::Button(o.label)) *o.open = !*o.open, send_wishes();
        if (was) ImGui::PopStyleColor();
        ImGui::SameLine();
    }
}

void Viewer::draw_browser() {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float u = unit_size(), top = bar_height() + 8 * u;
    if (begin_window("Scenes", &show_browser_, 8 * u, top, 250 * u, std::max(120 * u, display.y * 0.45f))) {
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##search", "search", search_, sizeof search_);
        ImGui::BeginChild("##scenes");
        for (const SceneInfo& scene : scenes_) {
            if (search_[0] != 0 && !contains_words(scene.name, search_) &&
                !contains_words(scene.title, search_))
                continue;
            if (ImGui::Selectable(scene.name.c_str(), scene.name == scene_)) {
                timeline_.reset();
                load(scene.name);
            }
            if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", scene.title.c_str());
        }
        ImGui::EndChild();
    }
    ImGui::End();
}

void Viewer::draw_view_panel() {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float u = unit_size(), top = bar_height() + 8 * u;
    const float below = top + std::max(120 * u, display.y * 0.45f) + 8 * u;
    if (begin_window("Drawing", &show_view_, 8 * u, below, 250 * u, display.y - below - 8 * u)) {
        DebugDraw& debug = choices_.debug;
        const auto box = [&](const char* label, bool& flag, Action action) {
            ImGui::Checkbox(label, &flag);
            tip(keys_, action);
        };
        static constexpr const char* modes[] = {"orbit", "fly", "follow"};
        int mode = static_cast<int>(camera_.mode());
        ImGui::SetNextItemWidth(120 * u);
        if (ImGui::Combo("camera", &mode, modes, 3))
            act(mode == 0 ? Action::orbit : mode == 1 ? Action::fly : Action::follow);
        static constexpr const char* wires[] = {"off", "only", "combined"};
        int wire = static_cast<int>(choices_.wireframe);
        ImGui::SetNextItemWidth(120 * u);
        if (ImGui::Combo("wireframe", &wire, wires, 3))
            choices_.wireframe = static_cast<render::Wireframe>(wire);
        if (ImGui::BeginTable("##toggles", 2)) {
            const std::pair<const char*, std::pair<bool*, Action>> boxes[] = {
                {"shapes", {&choices_.surfaces, Action::shapes}},
                {"particles", {&choices_.particles, Action::particles}},
                {"contacts", {&debug.contacts, Action::draw_contacts}},
                {"forces", {&debug.forces, Action::draw_forces}},
                {"normals", {&debug.normals, Action::draw_normals}},
                {"features", {&debug.features, Action::draw_features}},
                {"bounds", {&debug.bounds, Action::draw_bounds}},
                {"tree", {&debug.tree, Action::draw_tree}},
                {"joints", {&debug.joints, Action::draw_joints}},
                {"centres", {&debug.centres, Action::draw_centres}},
                {"velocities", {&debug.velocities, Action::draw_velocities}},
                {"sleep", {&debug.sleep, Action::draw_sleep}},
                {"islands", {&debug.islands, Action::draw_islands}},
                {"colours", {&debug.graph_colours, Action::draw_colours}},
                {"names", {&debug.names, Action::draw_names}}};
            for (const auto& [label, what] : boxes) {
                ImGui::TableNextColumn();
                box(label, *what.first, what.second);
            }
            ImGui::TableNextColumn();
            ImGui::Checkbox("shadows", &choices_.shadows);
            ImGui::TableNextColumn();
            ImGui::Checkbox("occlusion", &choices_.occlusion);
            ImGui::TableNextColumn();
            ImGui::Checkbox("smooth", &choices_.smooth);
            ImGui::EndTable();
        }
        send_wishes();
    }
    ImGui::End();
}

void Viewer::draw_parameters() {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float u = unit_size(), top = bar_height() + 8 * u;
    const Frame& frame = physics_.frame();
    if (begin_window("Parameters", &show_parameters_, std::max(8 * u, display.x - (300 + 16 + 330) * u), top,
                     330 * u, 0.7f * display.y) &&
        frame.facts && !timeline_) {
        // where it is computed
        if (devices_.empty()) devices_ = list_devices();
        ImGui::SetNextItemWidth(150 * u);
        if (ImGui::BeginCombo("device", place_.device.c_str())) {
            for (const DeviceReport& device : devices_) {
                if (!device.available) continue;
                if (ImGui::Selectable(device.name.c_str(), device.name == place_.device)) {
                    place_.device = device.name;
                    physics_.move_to(place_);
                }
                if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", device.description.c_str());
            }
            ImGui::EndCombo();
        }
        ImGui::SetNextItemWidth(150 * u);
        if (ImGui::InputInt("threads (0: all)", &place_.threads, 1, 4,
                            ImGuiInputTextFlags_EnterReturnsTrue) ||
            ImGui::IsItemDeactivatedAfterEdit()) {
            place_.threads = std::clamp(place_.threads, 0, 1024);
            physics_.move_to(place_);
        }
        ImGui::Separator();
        for (const Parameter& p : parameters(frame.facts->settings)) {
            ImGui::PushID(p.name.c_str());
            ImGui::SetNextItemWidth(150 * u);
            std::optional<std::string> wanted;
            const auto slider_flags = ImGuiSliderFlags_AlwaysClamp |
                                      (p.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
            float f[3] = {static_cast<float>(p.number[0]), static_cast<float>(p.number[1]),
                          static_cast<float>(p.number[2])};
            int i[3] = {static_cast<int>(p.number[0]), static_cast<int>(p.number[1]),
                        static_cast<int>(p.number[2])};
            const auto least = static_cast<float>(p.least), most = static_cast<float>(p.most);
            switch (p.kind) {
            case Parameter::Kind::number:
                if (ImGui::SliderFloat(p.name.c_str(), f, least, most, "%.4g", slider_flags))
                    wanted = p.text(double{f[0]});
                break;
            case Parameter::Kind::whole:
                if (ImGui::SliderInt(p.name.c_str(), i, static_cast<int>(p.least), static_cast<int>(p.most),
                                     "%d", ImGuiSliderFlags_AlwaysClamp))
                    wanted = p.text(i[0]);
                break;
            case Parameter::Kind::flag: {
                bool flag = p.number[0] != 0;
                if (ImGui::Checkbox(p.name.c_str(), &flag)) wanted = p.text(flag ? 1 : 0);
                break;
            }
            case Parameter::Kind::choice:
                if (ImGui::BeginCombo(p.name.c_str(), p.choices[static_cast<std::size_t>(i[0])].c_str())) {
                    for (std::size_t k = 0; k < p.choices.size(); ++k)
                        if (ImGui::Selectable(p.choices[k].c_str(), static_cast<int>(k) == i[0]))
                            wanted = p.text(static_cast<double>(k));
                    ImGui::EndCombo();
                }
                break;
            case Parameter::Kind::vector:
                if (ImGui::DragFloat3(p.name.c_str(), f, 0.005f * most, least, most, "%.3g", slider_flags))
                    wanted = p.text(double{f[0]}, double{f[1]}, double{f[2]});
                break;
            case Parameter::Kind::whole3:
                if (ImGui::SliderInt3(p.name.c_str(), i, static_cast<int>(p.least), static_cast<int>(p.most),
                                      "%d", ImGuiSliderFlags_AlwaysClamp))
                    wanted = p.text(i[0], i[1], i[2]);
                break;
            }
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s%s", p.help.c_str(),
                                  p.unit.empty() ? "" : (" (" + p.unit + ")").c_str());
            if (wanted) physics_.command(ChangeSetting{p.name, *wanted});
            ImGui::PopID();
        }
        if (ImGui::Button("as the scene has them"))
            for (const Parameter& p : parameters(frame.facts->settings))
                if (p.value != p.start) physics_.command(ChangeSetting{p.name, p.start});
    }
    ImGui::End();
}

void Viewer::draw_help() {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float u = unit_size();
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(1100 * u, display.x - 20 * u), std::min(600 * u, display.y - 60 * u)});
    ImGui::SetNextWindowBgAlpha(0.985f);
    ImGui::SetNextWindowFocus();
    if (ImGui::Begin("Keys and mouse", &show_help_,
                     ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoSavedSettings)) {
        // groups stay whole, in three columns of about equal height
        const std::vector<HelpLine> lines = help_lines(keys_);
        constexpr std::size_t columns = 3, heading = 2;
        std::size_t total = 0;
        for (std::size_t k = 0; k < lines.size(); ++k)
            total += 1 + (k == 0 || lines[k].group != lines[k - 1].group ? heading : 0);
        const float width = ImGui::GetContentRegionAvail().x / columns;
        std::size_t at = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            if (column > 0) ImGui::SameLine();
            ImGui::BeginChild(static_cast<ImGuiID>(column + 1), {width - 8 * u, 0});
            std::size_t written = 0;
            while (at < lines.size()) {
                std::size_t end = at;
                while (end < lines.size() && lines[end].group == lines[at].group) ++end;
                const std::size_t needed = end - at + heading;
                if (written > 0 && column + 1 < columns && written + needed > total / columns + 3) break;
                if (written > 0) ImGui::Spacing();
                ImGui::TextColored(accent, "%s", std::string(group_title(lines[at].group)).c_str());
                for (; at < end; ++at) {
                    ImGui::TextColored(dim, "%s", lines[at].key.c_str());
                    ImGui::SameLine(100 * u);
                    ImGui::TextUnformatted(lines[at].help.c_str());
                }
                written += needed;
            }
            ImGui::EndChild();
        }
    }
    ImGui::End();
}

void Viewer::draw_timeline() {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float u = unit_size(), left = 266 * u, height = 84 * u;
    ImGui::SetNextWindowPos({left, display.y - height - 8 * u});
    const float right = (show_metrics_ ? 316 : 8) * u;
    ImGui::SetNextWindowSize({std::max(300 * u, display.x - left - right), height});
    ImGui::Begin("##timeline", nullptr, plain);
    const auto frames = timeline_->frame_count();
    auto at = static_cast<int>(timeline_->at());
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderInt("##at", &at, 0, static_cast<int>(frames) - 1, "frame %d",
                         ImGuiSliderFlags_AlwaysClamp)) {
        timeline_->play(false);
        try {
            timeline_->go(static_cast<std::size_t>(at));
        } catch (const Error& error) {
            say(error.what());
        }
    }
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (ImGui::Button(timeline_->playing() ? "Pause" : "Play")) act(Action::pause);
    ImGui::SameLine();
    if (ImGui::Button("Check")) check_ = std::make_unique<ReplayCheck>(timeline_->file(), place_);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("run the scene again and compare with the recording");
    ImGui::SameLine();
    if (ImGui::Button("Close")) act(Action::play_recording);
    if (check_) {
        const auto progress = check_->progress();
        ImGui::SameLine();
        if (!progress.message.empty()) ImGui::TextColored(alarm, "%s", progress.message.c_str());
        else if (progress.diverged) {
            ImGui::TextColored(alarm, "DIVERGED at frame %zu (step %llu)", *progress.diverged,
                               static_cast<unsigned long long>(timeline_->step_of(*progress.diverged)));
            const float share =
                frames > 1 ? static_cast<float>(*progress.diverged) / static_cast<float>(frames - 1) : 0;
            const float x = low.x + share * (high.x - low.x);
            ImGui::GetWindowDrawList()->AddRectFilled({x - 1.5f * u, low.y}, {x + 1.5f * u, high.y},
                                                      ImGui::GetColorU32(alarm));
        } else if (progress.done) ImGui::TextColored({0.5f, 0.85f, 0.55f, 1}, "the same, frame by frame");
        else ImGui::TextColored(dim, "compared %zu of %zu", progress.compared, progress.frames);
    }
    ImGui::End();
}

void Viewer::draw_labels(const DebugGeometry& debug) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    for (const DebugLabel& label : debug.labels)
        if (const auto at = project(camera_.eye(), size(), wide(label.at))) {
            const ImVec2 place{static_cast<float>(at->x), static_cast<float>(at->y)};
            list->AddText({place.x + 1, place.y + 1}, 0xc0000000u, label.text.c_str());
            list->AddText(place, 0xffffffffu, label.text.c_str());
        }
}

void Viewer::draw_probe() {
    const Frame& frame = shown();
    if (!under_cursor_ || !frame.appearance || under_cursor_->body >= frame.size()) return;
    const float u = unit_size();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const std::string text = probe_text(frame, *under_cursor_);
    const ImVec2 wanted = ImGui::CalcTextSize(text.c_str());
    const float x = std::min(static_cast<float>(cursor_.x) + 18 * u, display.x - wanted.x - 30 * u);
    const float y = std::min(static_cast<float>(cursor_.y) + 14 * u, display.y - wanted.y - 30 * u);
    ImGui::SetNextWindowPos({x, y});
    ImGui::SetNextWindowBgAlpha(0.82f);
    ImGui::Begin("##probe", nullptr, plain | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
    ImGui::TextUnformatted(text.c_str());
    ImGui::End();
}

void Viewer::draw_messages() {
    while (!messages_.empty() && messages_.front().until < now_) messages_.pop_front();
    if (messages_.empty()) return;
    const float u = unit_size();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y - (timeline_ ? 104 : 16) * u}, ImGuiCond_Always,
                            {0.5f, 1});
    ImGui::SetNextWindowBgAlpha(0.88f);
    ImGui::Begin("##messages", nullptr,
                 plain | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
    for (const Message& message : messages_) {
        ImGui::PushTextWrapPos(0.6f * display.x);
        ImGui::TextUnformatted(message.text.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::End();
}

} // namespace scree::view
