// SPDX-License-Identifier: MIT
// window.cpp — see window.h.
#include "viewer/window.h"

#include "scree/error.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace scree::view {
namespace {

std::string last_glfw_error;
int windows = 0; // that are open

void remember_error(int, const char* text) { last_glfw_error = text ? text : "no reason given"; }

GLFWwindow* try_open(int width, int height, const std::string& title, bool gles) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CLIENT_API, gles ? GLFW_OPENGL_ES_API : GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, gles ? 3 : 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, gles ? 0 : 5);
    if (gles) glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    else glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); // the renderer has its own
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (!window) {
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
        window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    }
    return window;
}

} // namespace

struct Callbacks {
    static Window& of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }
    static void modify(InputEvent& event, int mods) {
        event.shift = (mods & GLFW_MOD_SHIFT) != 0;
        event.control = (mods & GLFW_MOD_CONTROL) != 0;
        event.alt = (mods & GLFW_MOD_ALT) != 0;
    }
    static void key(GLFWwindow* window, int code, int, int action, int mods) {
        InputEvent event;
        event.kind = InputEvent::Kind::key;
        event.code = code;
        event.down = action != GLFW_RELEASE;
        modify(event, mods);
        if (code != GLFW_KEY_UNKNOWN) of(window).post(event);
    }
    static void text(GLFWwindow* window, unsigned character) {
        InputEvent event;
        event.kind = InputEvent::Kind::text;
        event.character = character;
        of(window).post(event);
    }
    static void button(GLFWwindow* window, int which, int action, int mods) {
        if (which > GLFW_MOUSE_BUTTON_MIDDLE) return;
        InputEvent event;
        event.kind = InputEvent::Kind::button;
        event.code = which; // left, right, middle in GLFW too
        event.down = action == GLFW_PRESS;
        modify(event, mods);
        place(window, event);
        of(window).post(event);
    }
    static void place(GLFWwindow* window, InputEvent& event) {
        glfwGetCursorPos(window, &event.x, &event.y);
        event.x *= of(window).density_;
        event.y *= of(window).density_;
    }
    static void post(GLFWwindow* window, InputEvent::Kind kind, double x = 0, double y = 0) {
        InputEvent event;
        event.kind = kind;
        event.x = x;
        event.y = y;
        of(window).post(event);
    }
    static void move(GLFWwindow* window, double x, double y) {
        const double density = of(window).density_;
        post(window, InputEvent::Kind::move, x * density, y * density);
    }
    static void wheel(GLFWwindow* window, double x, double y) { post(window, InputEvent::Kind::wheel, x, y); }
    static void size(GLFWwindow* window, int width, int height) {
        Window& w = of(window);
        w.width_ = width;
        w.height_ = height;
        int units = 0;
        glfwGetWindowSize(window, &units, nullptr);
        if (units > 0 && width > 0) w.density_ = static_cast<double>(width) / units;
        post(window, InputEvent::Kind::size, width, height);
    }
    /// X11 leaves a minimised window its size.
    static void minimise(GLFWwindow* window, int minimised) {
        const Window& w = of(window);
        post(window, InputEvent::Kind::size, minimised ? 0 : w.width_, minimised ? 0 : w.height_);
    }
    static void close(GLFWwindow* window) { post(window, InputEvent::Kind::close); }
};

Window::Window(int width, int height, const std::string& title, bool gles) {
    glfwSetErrorCallback(remember_error);
    if (!glfwInit())
        throw Error(
            "there is no display to open a window on (" + last_glfw_error +
            "); scree render makes pictures without one, and xvfb-run gives a program a display of its own");
    gles_ = gles;
    window_ = try_open(width, height, title, gles_);
    if (!window_ && !gles_) {
        fallback_ = "no OpenGL 4.5 (" + last_glfw_error + "): drawing with OpenGL ES 3.0";
        gles_ = true;
        window_ = try_open(width, height, title, true);
    }
    if (!window_) {
        const std::string reason = last_glfw_error;
        if (windows == 0) glfwTerminate();
        throw Error("neither OpenGL 4.5 nor OpenGL ES 3.0 is to be had in a window (" + reason + ")");
    }
    ++windows;
    glfwSetWindowUserPointer(window_, this);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    glfwSetKeyCallback(window_, Callbacks::key);
    glfwSetCharCallback(window_, Callbacks::text);
    glfwSetMouseButtonCallback(window_, Callbacks::button);
    glfwSetCursorPosCallback(window_, Callbacks::move);
    glfwSetScrollCallback(window_, Callbacks::wheel);
    glfwSetFramebufferSizeCallback(window_, Callbacks::size);
    glfwSetWindowIconifyCallback(window_, Callbacks::minimise);
    glfwSetWindowCloseCallback(window_, Callbacks::close);
    glfwGetFramebufferSize(window_, &width_, &height_);
    Callbacks::size(window_, width_, height_);
}

Window::~Window() {
    glfwDestroyWindow(window_);
    if (--windows == 0) glfwTerminate();
}

std::vector<InputEvent> Window::events(double seconds) {
    if (seconds > 0) glfwWaitEventsTimeout(seconds);
    else glfwPollEvents();
    return std::exchange(events_, {});
}

void Window::swap() { glfwSwapBuffers(window_); }
void Window::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

float Window::scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 1.0f, 4.0f);
}

bool Window::lost() const {
    using Status = unsigned (*)();
    static const auto status = reinterpret_cast<Status>(glfwGetProcAddress("glGetGraphicsResetStatus"));
    const int robust = glfwGetWindowAttrib(window_, GLFW_CONTEXT_ROBUSTNESS);
    return robust == GLFW_LOSE_CONTEXT_ON_RESET && status && status() != 0;
}

std::string Window::clipboard() const {
    const char* text = glfwGetClipboardString(window_);
    return text ? text : "";
}
void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(window_, text.c_str()); }

} // namespace scree::view
