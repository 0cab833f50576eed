// SPDX-License-Identifier: MIT
// gui.cpp — see gui.h.
#include "viewer/gui.h"

#include "viewer/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace scree::view {
namespace {

/// A font made for screens, where the system has one; Dear ImGui's own is small and coarse.
void load_font(ImGuiIO& io, float scale) {
    static constexpr const char* files[] = {
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    };
    static const ImWchar glyphs[] = {0x20, 0xff, 0x2013, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212, 0};
    for (const char* file : files) {
        std::error_code ignored;
        if (std::filesystem::exists(file, ignored) &&
            io.Fonts->AddFontFromFileTTF(file, std::round(15 * scale), nullptr, glyphs))
            return;
    }
    ImFontConfig config;
    config.SizePixels = std::round(13 * scale);
    io.Fonts->AddFontDefault(&config);
}

void dark_and_quiet(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = {};
    ImGui::StyleColorsDark();
    style.WindowRounding = 6;
    style.ChildRounding = style.FrameRounding = style.GrabRounding = style.PopupRounding = 4;
    style.WindowBorderSize = style.FrameBorderSize = 0;
    style.WindowPadding = {12, 10};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 6};
    style.ScrollbarSize = 11;
    style.GrabMinSize = 9;
    style.WindowTitleAlign = {0.02f, 0.5f};
    style.WindowMenuButtonPosition = ImGuiDir_None;
    const ImVec4 ink{0.87f, 0.88f, 0.90f, 1}, dim{0.50f, 0.53f, 0.58f, 1},
        paper{0.082f, 0.090f, 0.106f, 0.93f}, field{0.145f, 0.157f, 0.184f, 1}, hover{0.20f, 0.22f, 0.26f, 1},
        press{0.25f, 0.28f, 0.33f, 1}, accent{0.93f, 0.58f, 0.22f, 1};
    ImVec4* c = style.Colors;
    c[ImGuiCol_Text] = ink;
    c[ImGuiCol_TextDisabled] = dim;
    c[ImGuiCol_WindowBg] = c[ImGuiCol_PopupBg] = paper;
    c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] =
        c[ImGuiCol_TitleBgCollapsed] = {0.105f, 0.115f, 0.135f, 0.97f};
    c[ImGuiCol_FrameBg] = field;
    c[ImGuiCol_FrameBgHovered] = hover;
    c[ImGuiCol_FrameBgActive] = press;
    c[ImGuiCol_Button] = field;
    c[ImGuiCol_ButtonHovered] = hover;
    c[ImGuiCol_ButtonActive] = press;
    c[ImGuiCol_Header] = {0.93f, 0.58f, 0.22f, 0.24f};
    c[ImGuiCol_HeaderHovered] = hover;
    c[ImGuiCol_HeaderActive] = press;
    c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_PlotLines] = accent;
    c[ImGuiCol_SliderGrabActive] = c[ImGuiCol_PlotHistogram] = {1, 0.70f, 0.36f, 1};
    c[ImGuiCol_PlotLinesHovered] = ink;
    c[ImGuiCol_Separator] = {0.22f, 0.24f, 0.28f, 1};
    c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
    c[ImGuiCol_ScrollbarGrab] = press;
    c[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
    c[ImGuiCol_NavHighlight] = accent;
    c[ImGuiCol_TextSelectedBg] = {0.93f, 0.58f, 0.22f, 0.35f};
    style.ScaleAllSizes(scale);
}

Window* clipboard_window = nullptr;
std::string clipboard_text;

} // namespace

Gui::Gui(Window& window, float scale) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // nothing is written that nobody asked for
    io.BackendPlatformName = "scree";
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    static constexpr std::pair<int, int> keys[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
                                                   {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                                   {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                                   {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                                   {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                                   {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                                   {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                                   {ImGuiKey_Home, GLFW_KEY_HOME},
                                                   {ImGuiKey_End, GLFW_KEY_END},
                                                   {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                                   {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                                   {ImGuiKey_Space, GLFW_KEY_SPACE},
                                                   {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                                   {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                                   {ImGuiKey_A, GLFW_KEY_A},
                                                   {ImGuiKey_C, GLFW_KEY_C},
                                                   {ImGuiKey_V, GLFW_KEY_V},
                                                   {ImGuiKey_X, GLFW_KEY_X},
                                                   {ImGuiKey_Y, GLFW_KEY_Y},
                                                   {ImGuiKey_Z, GLFW_KEY_Z}};
    for (const auto& [ours, theirs] : keys) io.KeyMap[ours] = theirs;
    clipboard_window = &window;
    io.GetClipboardTextFn = [](void*) {
        clipboard_text = clipboard_window->clipboard();
        return clipboard_text.c_str();
    };
    io.SetClipboardTextFn = [](void*, const char* text) { clipboard_window->set_clipboard(text); };
    ImGui_ImplOpenGL3_Init(window.gles() ? "#version 300 es" : "#version 450 core");
    set_scale(scale);
}

Gui::~Gui() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    clipboard_window = nullptr;
}

void Gui::set_scale(float scale) {
    if (scale == scale_) return;
    scale_ = scale;
    ImGuiIO& io = ImGui::GetIO();
    io.Fonts->Clear();
    load_font(io, scale);
    dark_and_quiet(scale);
    ImGui_ImplOpenGL3_DestroyDeviceObjects(); // made again, with this font, by the next look
}

int Gui::looks_before(const InputEvent& event) const {
    using Kind = InputEvent::Kind;
    if (!fed_) return 0;
    if (event.kind == *fed_ && (event.kind == Kind::move || event.kind == Kind::text)) return 0;
    // a field that a click has opened asks for keys one look later
    return event.kind == Kind::key || event.kind == Kind::text ? 2 : 1;
}

void Gui::feed(const InputEvent& event) {
    ImGuiIO& io = ImGui::GetIO();
    fed_ = event.kind;
    switch (event.kind) {
    case InputEvent::Kind::key:
        if (event.code >= 0 && event.code < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[event.code] = event.down;
        // what an event says of modifiers is about the moment before it; the keys themselves are always right
        io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
        io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
        io.KeyAlt = io.KeysDown[GLFW_KEY_LEFT_ALT] || io.KeysDown[GLFW_KEY_RIGHT_ALT];
        break;
    case InputEvent::Kind::text:
        io.AddInputCharacter(event.character);
        break;
    case InputEvent::Kind::button:
        io.MouseDown[event.code] = event.down;
        break;
    case InputEvent::Kind::move:
        io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
        break;
    case InputEvent::Kind::wheel:
        io.MouseWheelH += static_cast<float>(event.x);
        io.MouseWheel += static_cast<float>(event.y);
        break;
    default:
        break;
    }
}

bool Gui::wants_mouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Gui::wants_keys() const { return ImGui::GetIO().WantTextInput; }

void Gui::begin(int width, int height, double seconds) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DeltaTime = static_cast<float>(std::clamp(seconds, 1e-4, 1.0));
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    fed_.reset();
}

void Gui::skip() { ImGui::EndFrame(); }

void Gui::end() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

} // namespace scree::view
