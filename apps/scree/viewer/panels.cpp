// SPDX-License-Identifier: MIT
// panels.cpp — the viewer's windows: toolbar, scenes, drawing, parameters, help, timeline, messages.
#include "viewer/viewer.h"

#include "scree/error.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace scree::view {
namespace {

const ImVec4 dim{0.55f, 0.58f, 0.63f, 1}, accent{0.96f, 0.66f, 0.32f, 1}, alarm{0.98f, 0.42f, 0.36f, 1};
constexpr ImGuiWindowFlags plain = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

float unit_size() { return ImGui::GetFontSize() / 15; } // lengths below are for a font of 15 pixels

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

enum class Press { no, brief, held };

/// Of the last button, which was `hit`: released soon, or down for half a second just now.
Press press_of(bool hit) {
    constexpr float long_enough = 0.5f;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive() && io.MouseDownDuration[0] >= long_enough &&
        io.MouseDownDurationPrev[0] < long_enough)
        return Press::held;
    return hit && io.MouseDownDurationPrev[0] < long_enough ? Press::brief : Press::no;
}

} // namespace

void Viewer::draw_gui(const DebugGeometry* debug) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    layout_ = lay_out(display.x, display.y, unit_size(),
                      {show_browser_, show_view_, show_parameters_, show_metrics_, timeline_ != nullptr});
    panels_.clear();
    items_.clear();
    if (debug) draw_labels(*debug);
    draw_toolbar();
    if (show_browser_) draw_browser();
    if (show_view_) draw_view_panel();
    if (show_metrics_) draw_metrics();
    if (show_parameters_) draw_parameters();
    if (timeline_) draw_timeline();
    draw_scene_actions();
    if (debug) draw_probe();
    draw_messages();
    if (show_help_) draw_help();
}

/// At its place in the layout, until somebody moves it; back there when the layout changes.
bool Viewer::begin_panel(const char* title, bool* open, const Area& area) {
    const auto [placed, is_new] = placed_.try_emplace(title, area);
    const ImGuiCond when = is_new || placed->second != area ? ImGuiCond_Always : ImGuiCond_Appearing;
    placed->second = area;
    ImGui::SetNextWindowPos({area.x, area.y}, when);
    ImGui::SetNextWindowSize({area.width, area.height}, when);
    const bool visible =
        ImGui::Begin(title, open, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    panels_[title] = {at.x, at.y, size.x, size.y};
    return visible;
}

void Viewer::mark(const std::string& name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (ImGui::IsItemVisible()) items_[name] = {0.5 * double{low.x + high.x}, 0.5 * double{low.y + high.y}};
}

void Viewer::draw_toolbar() {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({layout_.bar.width, layout_.bar.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##bar", nullptr, plain | ImGuiWindowFlags_NoScrollbar);
    // a press that lasts may do something else
    const auto button = [&](const char* label, Action action, bool on = false, Action held = Action::count) {
        if (on) ImGui::PushStyleColor(ImGuiCol_Text, accent);
        const bool hit = ImGui::Button(label);
        if (on) ImGui::PopStyleColor();
        const Press press = held == Action::count ? hit ? Press::brief : Press::no : press_of(hit);
        mark(std::string(info(action).name));
        tip(keys_, action);
        ImGui::SameLine();
        if (press != Press::no) act(press == Press::held ? held : action);
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
    button("<##slower", Action::slower, false, Action::real_time);
    ImGui::AlignTextToFramePadding();
    const std::string rate = rate_text(rate_);
    const float room = ImGui::CalcTextSize("full speed").x, taken = ImGui::CalcTextSize(rate.c_str()).x;
    const float x = ImGui::GetCursorPosX();
    ImGui::SetCursorPosX(x + (room - taken) / 2);
    ImGui::TextUnformatted(rate.c_str());
    ImGui::SameLine(x + room + ImGui::GetStyle().ItemSpacing.x);
    button(">##faster", Action::faster, false, Action::full_speed);
    gap();
    button("Prev", Action::previous_scene);
    button("Next", Action::next_scene);
    button("Tour", Action::tour, tour_ > 0);
    gap();
    if (layout_.two_rows) ImGui::NewLine();
    const float left = ImGui::GetCursorPosX(), right = draw_openers();
    draw_moment(left, right);
    panels_["bar"] = layout_.bar;
    ImGui::End();
    ImGui::PopStyleVar();
}

/// Which scene, when in it, and how many pictures a second, between two places of the bar.
void Viewer::draw_moment(float left, float right) {
    const Frame& frame = shown();
    char when[64] = "";
    const std::string busy = physics_.busy();
    if (frame.appearance && busy.empty())
        std::snprintf(when, sizeof when, "step %llu   %.2f s", static_cast<unsigned long long>(frame.step),
                      frame.time);
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.0f fps", fps_);
    const float space = ImGui::GetStyle().ItemSpacing.x;
    // the rate at the right, in front of it the time, and as much of the name as there is room for
    const float rate_at = right - space - ImGui::CalcTextSize("8888 fps").x;
    ImGui::SetCursorPosX(rate_at);
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(dim, "%s", rate);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("pictures a second; fewer while nothing moves");
    mark("fps");
    std::string name = !busy.empty()      ? busy + " …"
                       : timeline_        ? timeline_->file()
                       : frame.appearance ? frame.appearance->scene
                                          : "";
    float room = rate_at - left - space;
    const float needed = ImGui::CalcTextSize(when).x + space;
    const bool timed = room > needed;
    if (timed) room -= needed;
    if (ImGui::CalcTextSize(name.c_str()).x > room) {
        while (!name.empty() && ImGui::CalcTextSize((name + "…").c_str()).x > room) name.pop_back();
        name += "…";
    }
    ImGui::SameLine(left);
    ImGui::TextColored(busy.empty() ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : accent, "%s", name.c_str());
    if (frame.appearance && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", frame.appearance->title.c_str());
    if (!timed) return;
    ImGui::SameLine();
    ImGui::TextColored(dim, "%s", when);
}

/// What opens panels, at the right; returns where it begins.
float Viewer::draw_openers() {
    struct Opener {
        const char* label;
        bool* open;
    };
    const Opener openers[] = {{"Scenes", &show_browser_},
                              {"Drawing", &show_view_},
                              {"Parameters", &show_parameters_},
                              {"Metrics", &show_metrics_},
                              {"Help", &show_help_}};
    float width =
        ImGui::CalcTextSize("X").x + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x;
    for (const Opener& o : openers)
        width += ImGui::CalcTextSize(o.label).x + 2 * ImGui::GetStyle().FramePadding.x +
                 ImGui::GetStyle().ItemSpacing.x;
    const float left = std::max(layout_.bar.width - width - 4 * unit_size(), ImGui::GetCursorPosX());
    ImGui::SetCursorPosX(left);
    for (const Opener& o : openers) {
        if (*o.open) ImGui::PushStyleColor(ImGuiCol_Text, accent);
        const bool was = *o.open;
        if (ImGui::Button(o.label)) *o.open = !*o.open, send_wishes();
        mark(o.label);
        if (was) ImGui::PopStyleColor();
        ImGui::SameLine();
    }
    if (ImGui::Button("X##quit")) act(Action::quit);
    mark("quit");
    tip(keys_, Action::quit);
    ImGui::SameLine();
    return left;
}

/// Groups of scenes; those that the search finds.
void Viewer::draw_browser() {
    if (!begin_panel("Scenes", &show_browser_, layout_.scenes)) return ImGui::End();
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##search", "search", search_, sizeof search_);
    mark("search");
    ImGui::BeginChild("##scenes");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8 * unit_size(), 2 * unit_size()});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {2 * unit_size(), 1 * unit_size()});
    const auto found = [&](const SceneInfo& scene) {
        return search_[0] == 0 || contains_words(scene.name, search_) ||
               contains_words(scene.title, search_) || contains_words(scene.group, search_);
    };
    bool open = true;
    const std::string* group = nullptr;
    const bool another = std::exchange(listed_scene_, scene_) != scene_;
    for (const SceneInfo& scene : scenes_) {
        if (!found(scene)) continue;
        if (!group || *group != scene.group) {
            group = &scene.group;
            const bool current = std::any_of(scenes_.begin(), scenes_.end(), [&](const SceneInfo& s) {
                return s.name == scene_ && s.group == *group;
            });
            if (search_[0] != 0 || (another && current)) ImGui::SetNextItemOpen(true);
            ImGui::PushStyleColor(ImGuiCol_Text, accent);
            ImGui::PushStyleColor(ImGuiCol_Header, 0);
            open = ImGui::CollapsingHeader(group->c_str(), ImGuiTreeNodeFlags_DefaultOpen);
            ImGui::PopStyleColor(2);
        }
        if (!open) continue;
        ImGui::Indent(8 * unit_size());
        if (ImGui::Selectable(scene.name.c_str(), scene.name == scene_)) {
            timeline_.reset();
            load(scene.name);
            listed_scene_ = scene_; // it is where the hand is
        }
        if (another && scene.name == scene_) ImGui::SetScrollHereY();
        mark("scene " + scene.name);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", scene.title.c_str());
        ImGui::Unindent(8 * unit_size());
    }
    if (!group) ImGui::TextColored(dim, "no scene has this word");
    ImGui::PopStyleVar(2);
    ImGui::EndChild();
    ImGui::End();
}

void Viewer::draw_view_panel() {
    const float u = unit_size();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8 * u, 3 * u});
    if (begin_panel("Drawing", &show_view_, layout_.drawing)) {
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {6 * u, 2 * u});
        DebugDraw& debug = choices_.debug;
        const auto box = [&](const char* label, bool& flag, Action action) {
            ImGui::Checkbox(label, &flag);
            tip(keys_, action);
        };
        static constexpr const char* modes[] = {"orbit", "fly", "follow", "walk"};
        int mode = static_cast<int>(camera_.mode());
        ImGui::SetNextItemWidth(120 * u);
        if (ImGui::Combo("camera", &mode, modes, 4))
            act(mode == 0   ? Action::orbit
                : mode == 1 ? Action::fly
                : mode == 2 ? Action::follow
                            : Action::walk);
        if (const auto& look = shown().appearance; look && !look->cameras.empty()) {
            std::vector<const char*> names{"the first"};
            for (const AppearanceCamera& each : look->cameras) names.push_back(each.name.c_str());
            int at = static_cast<int>(std::min(scene_camera_, look->cameras.size()));
            ImGui::SetNextItemWidth(120 * u);
            if (ImGui::Combo("seen by", &at, names.data(), static_cast<int>(names.size())))
                go_camera(static_cast<std::size_t>(at));
        }
        static constexpr const char* wires[] = {"off", "only", "combined"};
        int wire = static_cast<int>(choices_.wireframe);
        ImGui::SetNextItemWidth(120 * u);
        if (ImGui::Combo("wireframe", &wire, wires, 3))
            choices_.wireframe = static_cast<render::Wireframe>(wire);
        static constexpr const char* shadings[] = {"the scene's", "physical", "Blinn-Phong"};
        int shading = choices_.shading ? 1 + static_cast<int>(*choices_.shading) : 0;
        ImGui::SetNextItemWidth(120 * u);
        if (ImGui::Combo("shading", &shading, shadings, 3))
            choices_.shading = shading ? std::optional(static_cast<Shading>(shading - 1)) : std::nullopt;
        static constexpr const char* visibilities[] = {"portals", "frustum", "none", "closed"};
        int visibility = static_cast<int>(choices_.visibility);
        ImGui::SetNextItemWidth(120 * u);
        if (ImGui::Combo("culling", &visibility, visibilities, 4))
            choices_.visibility = static_cast<render::Visibility>(visibility);
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
                {"names", {&debug.names, Action::draw_names}},
                {"cells", {&debug.cells, Action::draw_cells}},
                {"portals", {&debug.portals, Action::draw_portals}},
                {"detector", {&debug.detector, Action::draw_detector}}};
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
            ImGui::TableNextColumn();
            ImGui::Checkbox("leaks", &debug.leaks);
            ImGui::EndTable();
        }
        ImGui::PopStyleVar();
        send_wishes();
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void Viewer::draw_parameters() {
    const Frame& frame = physics_.frame();
    const bool visible = begin_panel("Parameters", &show_parameters_, layout_.parameters);
    if (visible && timeline_) {
        ImGui::TextWrapped("A recording is playing. Close it to change the scene's parameters.");
    } else if (visible && frame.facts) {
        const std::vector<Parameter> all = current_parameters();
        // names are as wide as they are, the rest is for the sliders
        float names = 0;
        for (const Parameter& p : all) names = std::max(names, ImGui::CalcTextSize(p.label.c_str()).x);
        const float wide = std::max(ImGui::GetContentRegionAvail().x - names - 2 * unit_size() -
                                        ImGui::GetStyle().ItemInnerSpacing.x,
                                    80 * unit_size());
        const float button = ImGui::GetFrameHeight(), gap = 2 * unit_size(), pair = 2 * (button + gap);
        // where it is computed
        if (devices_.empty()) devices_ = list_devices();
        ImGui::SetNextItemWidth(wide);
        if (ImGui::BeginCombo("Device", place_.device.c_str())) {
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
        ImGui::SetNextItemWidth(wide);
        if (ImGui::InputInt("Threads", &place_.threads, 1, 4, ImGuiInputTextFlags_EnterReturnsTrue) ||
            ImGui::IsItemDeactivatedAfterEdit()) {
            place_.threads = std::clamp(place_.threads, 0, 1024);
            physics_.move_to(place_);
        }
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("Threads of the CPU; 0: all cores.");
        ImGui::Separator();
        for (const Parameter& p : all) {
            ImGui::PushID(p.name.c_str());
            std::optional<std::string> wanted;
            // a flag has nothing more or less
            const bool steps = p.kind != Parameter::Kind::flag;
            for (const int way : {-1, 1}) {
                if (!steps) break;
                ImGui::PushButtonRepeat(true);
                if (ImGui::Button(way < 0 ? "-" : "+", {button, button})) wanted = p.nudged(way);
                ImGui::PopButtonRepeat();
                mark((way < 0 ? "minus " : "plus ") + p.name);
                ImGui::SameLine(0, gap);
            }
            ImGui::SetNextItemWidth(steps ? std::max(wide - pair, 40 * unit_size()) : wide);
            const std::string unit = p.unit.empty() ? "" : " " + p.unit;
            const auto slider_flags = ImGuiSliderFlags_AlwaysClamp |
                                      (p.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
            float f[3] = {static_cast<float>(p.number[0]), static_cast<float>(p.number[1]),
                          static_cast<float>(p.number[2])};
            int i[3] = {static_cast<int>(p.number[0]), static_cast<int>(p.number[1]),
                        static_cast<int>(p.number[2])};
            const auto least = static_cast<float>(p.least), most = static_cast<float>(p.most);
            switch (p.kind) {
            case Parameter::Kind::number:
                if (ImGui::SliderFloat(p.label.c_str(), f, least, most, ("%.4g" + unit).c_str(),
                                       slider_flags))
                    wanted = p.text(double{f[0]});
                break;
            case Parameter::Kind::whole:
                if (ImGui::SliderInt(p.label.c_str(), i, static_cast<int>(p.least), static_cast<int>(p.most),
                                     "%d", ImGuiSliderFlags_AlwaysClamp))
                    wanted = p.text(i[0]);
                break;
            case Parameter::Kind::flag: {
                bool flag = p.number[0] != 0;
                if (ImGui::Checkbox(p.label.c_str(), &flag)) wanted = p.text(flag ? 1 : 0);
                break;
            }
            case Parameter::Kind::choice:
                if (ImGui::BeginCombo(p.label.c_str(), p.choices[static_cast<std::size_t>(i[0])].c_str())) {
                    for (std::size_t k = 0; k < p.choices.size(); ++k)
                        if (ImGui::Selectable(p.choices[k].c_str(), static_cast<int>(k) == i[0]))
                            wanted = p.text(static_cast<double>(k));
                    ImGui::EndCombo();
                }
                break;
            case Parameter::Kind::vector:
                if (ImGui::DragFloat3(p.label.c_str(), f, 0.005f * most, least, most, "%.3g", slider_flags))
                    wanted = p.text(double{f[0]}, double{f[1]}, double{f[2]});
                break;
            case Parameter::Kind::whole3:
                if (ImGui::SliderInt3(p.label.c_str(), i, static_cast<int>(p.least), static_cast<int>(p.most),
                                      "%d", ImGuiSliderFlags_AlwaysClamp))
                    wanted = p.text(i[0], i[1], i[2]);
                break;
            }
            mark("setting " + p.name);
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s%s\n%s = %s in scene files", p.help.c_str(),
                                  p.unit.empty() ? "" : (" In " + p.unit + ".").c_str(), p.name.c_str(),
                                  p.value.c_str());
            if (wanted) change(p, *wanted);
            ImGui::PopID();
        }
        if (ImGui::Button("As the scene has them"))
            for (const Parameter& p : all)
                if (p.value != p.start) change(p, p.start);
    }
    ImGui::End();
}

/// What the scene's objects can do, in the scene's corner: a switch, and a button for each while it is on.
void Viewer::draw_scene_actions() {
    const auto& facts = physics_.frame().facts;
    if (timeline_ || !facts || facts->actions.empty()) return;
    ImGui::SetNextWindowPos({layout_.free.x, layout_.free.y});
    ImGui::Begin("##actions", nullptr, plain | ImGuiWindowFlags_AlwaysAutoResize);
    const bool on = objects();
    if (on) ImGui::PushStyleColor(ImGuiCol_Text, accent);
    if (ImGui::Button(on ? "Objects###objects" : "Pull###objects")) act(Action::objects);
    if (on) ImGui::PopStyleColor();
    mark("objects");
    tip(keys_, Action::objects);
    if (on) {
        ImGui::PushButtonRepeat(true); // held, it goes on
        for (const SceneRun::Action& action : facts->actions) {
            if (ImGui::Button(action.name.c_str())) physics_.command(Act{action.name});
            mark("action " + action.name);
        }
        ImGui::PopButtonRepeat();
    }
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    panels_["actions"] = {at.x, at.y, size.x, size.y};
    ImGui::End();
}

/// All keys, in as many columns as the window is wide enough for.
void Viewer::draw_help() {
    const std::vector<HelpLine> lines = help_lines(keys_);
    const float u = unit_size(), bar = layout_.bar.bottom(), display_x = layout_.bar.width,
                display_y = ImGui::GetIO().DisplaySize.y;
    float key_width = 0, help_width = 0;
    for (const HelpLine& line : lines) {
        key_width = std::max(key_width, ImGui::CalcTextSize(line.key.c_str()).x);
        help_width = std::max(help_width, ImGui::CalcTextSize(line.help.c_str()).x);
    }
    const float column = key_width + help_width + 36 * u, frame = 48 * u;
    const auto columns = static_cast<std::size_t>(std::clamp((display_x - frame) / column, 1.0f, 3.0f));
    ImGui::SetNextWindowPos({display_x / 2, (bar + display_y) / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(column * static_cast<float>(columns) + frame, display_x - 8 * u),
                              std::min(620 * u, display_y - bar - 8 * u)});
    ImGui::SetNextWindowBgAlpha(0.985f);
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8 * u, 3 * u});
    if (ImGui::Begin("Keys and mouse", &show_help_,
                     ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoSavedSettings)) {
        // groups stay whole, in columns of about equal height
        constexpr std::size_t heading = 2;
        std::size_t total = 0, at = 0;
        for (std::size_t k = 0; k < lines.size(); ++k)
            total += 1 + (k == 0 || lines[k].group != lines[k - 1].group ? heading : 0);
        for (std::size_t c = 0; c < columns; ++c) {
            const float left = ImGui::GetStyle().WindowPadding.x + static_cast<float>(c) * column;
            if (c > 0) ImGui::SameLine(left);
            ImGui::BeginGroup();
            std::size_t written = 0;
            while (at < lines.size()) {
                std::size_t end = at;
                while (end < lines.size() && lines[end].group == lines[at].group) ++end;
                const std::size_t needed = end - at + heading;
                if (written > 0 && c + 1 < columns && written + needed > total / columns + 3) break;
                if (written > 0) ImGui::Dummy({1, 6 * u});
                ImGui::TextColored(accent, "%s", std::string(group_title(lines[at].group)).c_str());
                for (; at < end; ++at) {
                    ImGui::TextColored(dim, "%s", lines[at].key.c_str());
                    ImGui::SameLine(key_width + 12 * u); // from the left of the group
                    ImGui::TextUnformatted(lines[at].help.c_str());
                }
                written += needed;
            }
            ImGui::EndGroup();
        }
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void Viewer::draw_timeline() {
    const float u = unit_size();
    const Area& area = layout_.timeline;
    ImGui::SetNextWindowPos({area.x, area.y});
    ImGui::SetNextWindowSize({area.width, area.height});
    ImGui::Begin("##timeline", nullptr, plain);
    panels_["timeline"] = area;
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
    mark("Play");
    ImGui::SameLine();
    if (ImGui::Button("Check")) check_ = std::make_unique<ReplayCheck>(timeline_->file(), place_);
    mark("Check");
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

/// The nearest first: they hide what is behind them, as bodies do.
void Viewer::draw_labels(const DebugGeometry& debug) {
    struct Shown {
        const DebugLabel* label;
        double distance;
        Area area;
    };
    const Eye eye = camera_.eye();
    std::vector<Shown> labels;
    for (const DebugLabel& label : debug.labels)
        if (const auto at = project(eye, size(), wide(label.at))) {
            const ImVec2 extent = ImGui::CalcTextSize(label.text.c_str());
            labels.push_back({&label,
                              length(wide(label.at) - eye.position),
                              {static_cast<float>(at->x), static_cast<float>(at->y), extent.x, extent.y}});
        }
    std::sort(labels.begin(), labels.end(),
              [](const Shown& a, const Shown& b) { return a.distance < b.distance; });
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    std::vector<Area> taken;
    constexpr std::size_t most = 300; // more cannot be read, and each is looked for among all bodies
    for (const Shown& label : labels) {
        if (taken.size() >= most) break;
        if (std::any_of(taken.begin(), taken.end(), [&](const Area& a) { return a.overlaps(label.area); }) ||
            !is_seen(shown(), eye.position, wide(label.label->at), label.label->body, choices_.particles))
            continue;
        taken.push_back(label.area);
        const ImVec2 place{label.area.x, label.area.y};
        list->AddText({place.x + 1, place.y + 1}, 0xc0000000u, label.label->text.c_str());
        list->AddText(place, 0xffffffffu, label.label->text.c_str());
    }
}

/// What is under the cursor, unless a panel is: beside it, within the scene.
void Viewer::draw_probe() {
    const Frame& frame = shown();
    const bool inside = cursor_.x >= 0 && cursor_.y >= 0 && cursor_.x < width_ && cursor_.y < height_;
    if (!inside || gui_->wants_mouse() || left_ || right_ || show_help_ || !frame.appearance) return;
    const auto picked = pick(frame, cursor_ray(), choices_.particles);
    if (!picked || picked->body >= frame.size()) return;
    const float u = unit_size();
    const std::string text = probe_text(frame, *picked);
    const ImVec2 words = ImGui::CalcTextSize(text.c_str()), padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 box{words.x + 2 * padding.x, words.y + 2 * padding.y}, display = ImGui::GetIO().DisplaySize;
    const Area& free = layout_.free;
    // right and below; on the other side of the cursor where it would leave the scene, and never out of the window
    const auto place = [](float cursor, float away, float extent, float end, float most) {
        const float at = cursor + away + extent > end ? cursor - away - extent : cursor + away;
        return std::clamp(at, 0.0f, std::max(most - extent, 0.0f));
    };
    ImGui::SetNextWindowPos({place(static_cast<float>(cursor_.x), 16 * u, box.x, free.right(), display.x),
                             place(static_cast<float>(cursor_.y), 14 * u, box.y, free.bottom(), display.y)});
    ImGui::SetNextWindowBgAlpha(0.82f);
    ImGui::BeginTooltip(); // above all panels
    ImGui::TextUnformatted(text.c_str());
    const ImVec2 at = ImGui::GetWindowPos();
    panels_["probe"] = {at.x, at.y, box.x, box.y};
    ImGui::EndTooltip();
}

void Viewer::draw_messages() {
    while (!messages_.empty() && messages_.front().until < now_) messages_.pop_front();
    if (messages_.empty()) return;
    const Area& free = layout_.free;
    ImGui::SetNextWindowPos({free.x + free.width / 2, free.bottom()}, ImGuiCond_Always, {0.5f, 1});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {free.width, free.height});
    ImGui::SetNextWindowBgAlpha(0.88f);
    ImGui::Begin("##messages", nullptr,
                 plain | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoScrollbar);
    ImGui::PushTextWrapPos(free.width - ImGui::GetStyle().WindowPadding.x);
    for (const Message& message : messages_) ImGui::TextUnformatted(message.text.c_str());
    ImGui::PopTextWrapPos();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    panels_["messages"] = {at.x, at.y, size.x, size.y};
    ImGui::End();
}

} // namespace scree::view
