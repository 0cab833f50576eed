// SPDX-License-Identifier: MIT
// viewer.h — the interactive viewer: physics on its own thread, a scene drawn, windows over it, events that change them.
#pragma once

#include "video_pipe.h"
#include "view/actions.h"
#include "view/camera.h"
#include "view/layout.h"
#include "view/panel.h"
#include "view/physics_thread.h"
#include "view/pick.h"
#include "view/timeline.h"
#include "view/timer.h"
#include "viewer/gui.h"
#include "viewer/scene_view.h"
#include "viewer/script.h"
#include "viewer/window.h"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace scree::view {

struct ViewerOptions {
    std::string scene = "pyramid-40";
    SceneOptions scene_options;
    Place place;
    std::string recording; ///< to play in place of the scene
    int width = 1280, height = 800;
    bool gles = false, paused = false;
    double rate = 1;
    bool picture_step = false; ///< one for each picture, as long as the mean of the first ten pictures
    double tour = 0;           ///< seconds for each scene; 0: stay
    std::uint32_t colour_seed = 0;
    KeyMap keys;
    std::vector<ScriptCommand> script; ///< without hands: ends with the last command
    bool scripted = false;
};

/// What is shown over time: the last few seconds of a quantity.
class Trace {
public:
    void add(double value) { values_[at_++ % values_.size()] = static_cast<float>(value); }
    const float* data() const { return values_.data(); }
    int size() const { return static_cast<int>(values_.size()); }
    int offset() const { return static_cast<int>(at_ % values_.size()); }
    float most() const;
    double last() const { return double{values_[(at_ + values_.size() - 1) % values_.size()]}; }

private:
    std::array<float, 240> values_{};
    std::size_t at_ = 0;
};

class Viewer {
public:
    explicit Viewer(const ViewerOptions& options);
    ~Viewer();
    /// Until the window is closed, the script ends or a signal comes.
    void run();

private:
    // viewer.cpp
    void open_graphics();
    float scale() const; ///< of fonts and panels
    void frame_loop(double seconds);
    void suspend(bool hidden);
    void count_picture(double seconds);
    void set_picture_step();
    void step_once_a_picture();
    std::vector<Parameter> current_parameters(); ///< with changes that the physics has not shown yet
    void change(const Parameter& parameter, const std::string& value);
    void load(const std::string& name);
    void play(const std::string& file);
    const Frame& shown() const;
    void say(const std::string& text);
    void take_frames(double seconds);
    void trace(const Frame& frame);
    void look_at_scene(const Frame& frame); ///< into the plots
    void capture();
    std::string output_name(const char* ending) const;
    void write_picture(const std::string& file);
    void write_state(const std::string& file);
    bool next_script_command(std::vector<InputEvent>& events);

    // viewer_input.cpp
    void take(const InputEvent& event);
    void handle(const InputEvent& event);
    void handle_key(const InputEvent& event);
    bool act_by_key(const InputEvent& event); ///< whether the scene has an action for it
    void handle_button(const InputEvent& event);
    void handle_move(Pixel to, bool shift);
    void handle_finger(const InputEvent& event);
    void act(Action action);
    bool* flag_of(Action action);
    void toggle_recording();
    void toggle_playing();
    void toggle_video();
    void press_left(Pixel at);
    void release_left(Pixel at);
    void go_scene(int direction);
    void go_camera(std::size_t number);
    void go_on_tour(double seconds);
    void set_running(bool running);
    void set_rate(double rate);
    void shoot();
    void tilt(double right, double away);
    bool objects() const; ///< whether the mouse is for objects
    void load_formation(int number);
    void fly(double seconds);
    void walk(double right, double up, double forward);
    void begin_walk();
    void send_wishes();
    Ray cursor_ray() const;
    ViewSize size() const;

    // panels.cpp, metrics_panel.cpp
    void draw_gui(const DebugGeometry* debug); ///< null: a look at input that is not drawn
    bool begin_panel(const char* title, bool* open, const Area& area);
    void mark(const std::string& name); ///< scripts find the last item by this name
    void draw_toolbar();
    void draw_moment(float left, float right);
    float draw_openers();
    void draw_browser();
    void draw_view_panel();
    void draw_parameters();
    void draw_metrics();
    void draw_live_metrics(const Frame& frame);
    void draw_recording_metrics();
    void draw_picture_metrics();
    void draw_help();
    void draw_timeline();
    void draw_scene_actions();
    void draw_labels(const DebugGeometry& debug);
    void draw_probe();
    void draw_messages();

    ViewerOptions options_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<SceneView> view_;
    std::unique_ptr<Gui> gui_;
    PhysicsThread physics_;
    CameraControl camera_;
    std::size_t scene_camera_ = 0; ///< 0: the scene's own, or what shows everything; then its others
    Walk wish_;                    ///< the last that was sent
    Gestures gestures_;
    DrawChoices choices_;
    Wishes wishes_;
    KeyMap keys_;
    std::vector<SceneInfo> scenes_;
    std::vector<DeviceReport> devices_; ///< looked up when the panel is first open

    std::string scene_; ///< as it was asked for
    bool frame_all_ = true;
    bool running_ = false, suspended_ = false; ///< suspended: was running when the window became hidden
    bool lose_context_ = false;                ///< a script says that the context is lost
    int contexts_ = 0;                         ///< opened so far
    double rate_ = 1;
    double tour_ = 0, tour_left_ = 0; ///< s for each scene, 0 without a tour; s left for this one
    static constexpr std::uint64_t no_load = ~std::uint64_t{0};
    std::uint64_t load_ = no_load; ///< of the scene that the camera has framed; 0: a recording
    std::uint64_t taken_ = 0;      ///< number of the newest frame that was taken
    PlaceOptions place_;           ///< as chosen

    std::optional<std::uint32_t> selected_;
    Pixel cursor_{-1, -1}, pressed_at_{}; ///< outside until the mouse has come
    bool left_ = false, right_ = false, middle_ = false, dragging_body_ = false, moved_ = false;
    DVec3 grabbed_point_{};
    enum class Held : std::uint8_t { no, pressed, flown }; ///< pressed: has not acted yet
    std::array<Held, static_cast<std::size_t>(Action::count)> held_{};
    std::set<int> keys_down_;
    Timer timer_;
    struct Change {
        std::string value;
        double until = 0; ///< real time: a refused one is forgotten
    };
    std::map<std::string, Change> changes_; ///< by setting: those under way
    double now_ = 0;
    int width_ = 0, height_ = 0; ///< pixels of the window, as it said last

    bool object_mode_ = false; ///< the scene's objects have buttons, and nothing is pulled
    bool step_wanted_ = false; ///< of this scene, see ViewerOptions::picture_step
    bool show_browser_ = true, show_view_ = true, show_parameters_ = false, show_metrics_ = true,
         show_help_ = false, show_gui_ = true;
    char search_[64] = {};
    std::string listed_scene_; ///< that the list has been scrolled to
    Layout layout_;
    std::map<std::string, Area> placed_, panels_; ///< by title: where the layout put them, where they are
    std::map<std::string, Pixel> items_;          ///< middles, of the last look
    double fps_ = 0, fps_seconds_ = 0;
    int fps_pictures_ = 0;
    std::unique_ptr<Timeline> timeline_;
    std::unique_ptr<ReplayCheck> check_;
    std::string last_recording_;
    bool recording_ = false;
    std::unique_ptr<VideoPipe> video_;
    std::string video_file_;
    int video_width_ = 0, video_height_ = 0;
    double next_video_frame_ = 0;
    std::optional<std::string> picture_wanted_;

    struct Message {
        std::string text;
        double until = 0;
    };
    std::deque<Message> messages_;
    Trace step_ms_, frame_ms_, contacts_, energy_, overlap_;
    std::vector<Trace> stage_ms_;
    std::uint64_t traced_step_ = 0;
    bool closing_ = false;
    std::size_t script_at_ = 0;
    int script_wait_ = 0, script_fps_ = 60;
    bool unseen_ = false; ///< nobody looks at the window: only pictures that are wanted are drawn
    std::vector<InputEvent> script_events_; ///< left of the command under way
};

} // namespace scree::view
