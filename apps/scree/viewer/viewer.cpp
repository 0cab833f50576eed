// SPDX-License-Identifier: MIT
// viewer.cpp — the viewer's loop; see viewer.h.
#include "viewer/viewer.h"

#include "interrupt.h"
#include "render/image.h"
#include "scree/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>

namespace scree::view {
namespace {

const DebugGeometry no_debug;

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

float Trace::most() const { return *std::max_element(values_.begin(), values_.end()); }

Viewer::Viewer(const ViewerOptions& options)
    : options_(options), physics_(options.place), keys_(options.keys), place_(options.place.options()) {
    scenes_ = builtin_scenes_by_group();
    rate_ = options.rate;
    open_graphics();
    if (!window_->fallback().empty()) say(window_->fallback());
    // a program that draws pays for each pixel
    if (view_->software()) choices_.occlusion = choices_.smooth = false;
    // in a small window the scene comes first
    if (static_cast<float>(width_) < 900 * scale()) show_browser_ = show_metrics_ = false;
    show_view_ = show_browser_ && static_cast<float>(height_) >= 800 * scale();
    physics_.set_rate(rate_);
    if (!options.recording.empty()) play(options.recording);
    load(options.scene);
    tour_ = tour_left_ = options.tour;
    set_running(!options.paused && (!options.scripted || tour_ > 0));
    send_wishes();
}

Viewer::~Viewer() {
    gui_.reset();
    view_.reset();
}

void Viewer::open_graphics() {
    ++contexts_;
    gui_.reset();
    view_.reset();
    // the old window goes last: some displays end with their last window
    const std::unique_ptr<Window> old = std::move(window_);
    window_ = std::make_unique<Window>(options_.width, options_.height, "Scree", options_.gles);
    view_ = std::make_unique<SceneView>(options_.colour_seed);
    width_ = window_->width();
    height_ = window_->height();
    gui_ = std::make_unique<Gui>(*window_, scale());
}

/// As the display says; a window that is very high is on a display with small pixels that does not say so.
float Viewer::scale() const {
    return std::max(window_->scale(), std::floor(static_cast<float>(height_) / 300) / 4);
}

void Viewer::say(const std::string& text) {
    messages_.push_back({text, now_ + 6});
    if (messages_.size() > 6) messages_.pop_front();
    if (options_.scripted) std::fprintf(stderr, "scree: %s\n", text.c_str());
}

void Viewer::load(const std::string& name) {
    scene_ = name;
    selected_.reset();
    dragging_body_ = false;
    frame_all_ = true;
    recording_ = false;
    step_wanted_ = options_.picture_step;
    changes_.clear();
    physics_.load(name, name == options_.scene ? options_.scene_options : SceneOptions{});
    window_->set_title("Scree: " + name);
}

void Viewer::play(const std::string& file) {
    try {
        timeline_ = std::make_unique<Timeline>(file);
        check_.reset();
        selected_.reset();
        frame_all_ = true;
        if (!timeline_->warning().empty()) say(timeline_->warning());
    } catch (const Error& error) {
        say(error.what());
    }
}

const Frame& Viewer::shown() const { return timeline_ ? timeline_->frame() : physics_.frame(); }

/// The newest frame, and what follows from it.
void Viewer::take_frames(double seconds) {
    physics_.update();
    const Frame& live = physics_.frame();
    for (const std::string& message : physics_.messages()) say(message);
    // by number: PhysicsThread::wait updates, too
    const bool fresh = std::exchange(taken_, live.number) != live.number;
    if (fresh) {
        if (!options_.picture_step) running_ = live.pace.running;
        recording_ = live.recording;
    }
    if (timeline_) timeline_->advance(seconds * (rate_ == as_fast_as_possible ? 1 : rate_));
    const Frame& frame = shown();
    if (!frame.appearance) return;
    const std::uint64_t load = frame.facts ? frame.facts->load : 0;
    if (load != load_) {
        // another scene, or the same from its beginning
        if (frame_all_ && (timeline_ || physics_.busy().empty())) {
            if (camera_.mode() == CameraMode::walk) camera_.set_mode(CameraMode::orbit);
            scene_camera_ = 0;
            look_at_scene(frame);
            frame_all_ = false;
            if (frame.facts && frame.facts->player) say("press U to walk through this level");
            stage_ms_.assign(frame.facts ? frame.facts->stage_names.size() : 0, {});
            step_ms_ = contacts_ = energy_ = overlap_ = {};
        }
        load_ = load;
    }
    if (selected_ && *selected_ >= frame.size()) selected_.reset();
    if (selected_) camera_.follow(wide(frame.centre(*selected_)));
    if (camera_.mode() == CameraMode::walk)
        for (std::size_t b = std::min(frame.size(), frame.appearance->bodies.size()); b-- > 0;)
            if (frame.appearance->bodies[b].name == "player") {
                // a little below the top, as high as it is now
                const auto& parts = frame.appearance->shapes[frame.appearance->bodies[b].shape].parts;
                const auto* capsule = parts.empty() ? nullptr : std::get_if<Capsule>(&parts[0].geometry);
                const double top = capsule ? capsule->half_height + capsule->radius : 0.875;
                camera_.stand(wide(frame.pose(b).position) + DVec3{0, top - 0.155, 0});
                break;
            }
    if (fresh && !timeline_) trace(live);
}

void Viewer::trace(const Frame& frame) {
    if (!frame.facts || frame.step == traced_step_) return;
    traced_step_ = frame.step;
    stage_ms_.resize(frame.facts->stage_names.size());
    step_ms_.add(1000 * frame.pace.step_seconds);
    contacts_.add(value_of(frame.counters, "contacts"));
    for (std::size_t k = 0; k < std::min(stage_ms_.size(), frame.stage_seconds.size()); ++k)
        stage_ms_[k].add(1000 * frame.stage_seconds[k]);
    if (frame.measures.empty()) return;
    energy_.add(value_of(frame.measures, "kinetic_energy"));
    overlap_.add(1000 * value_of(frame.measures, "max_overlap"));
}

/// As the scene says, or so that everything is in view.
void Viewer::look_at_scene(const Frame& frame) {
    const std::vector<AppearanceCamera>& others = frame.appearance->cameras;
    const AppearanceCamera* camera = frame.appearance->camera ? &*frame.appearance->camera : nullptr;
    if (scene_camera_ > 0 && scene_camera_ <= others.size()) camera = &others[scene_camera_ - 1];
    if (camera) {
        camera_.look(wide(camera->eye), wide(camera->target), double{camera->fov});
        return;
    }
    camera_.frame(wide(frame.appearance->low), wide(frame.appearance->high), size().aspect());
}

void Viewer::frame_loop(double seconds) {
    fly(seconds);
    go_on_tour(seconds);
    take_frames(seconds);
    const Frame& frame = shown();
    const int width = width_, height = height_;
    suspend(width <= 0 || height <= 0);
    if (width <= 0 || height <= 0) { // minimised: only events are waited for
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return;
    }
    if (window_->lost() || std::exchange(lose_context_, false)) {
        say("the graphics context was lost; here is a new one");
        open_graphics();
        return;
    }
    if (unseen_ && !picture_wanted_ && !video_) {
        gui_->set_scale(scale());
        gui_->begin(width, height, seconds);
        if (show_gui_) draw_gui(&no_debug);
        gui_->skip();
        return;
    }
    timer_.stamp("picture", seconds_now());
    const DebugGeometry debug = view_->draw(frame, camera_.eye(), choices_, selected_, width, height);
    gui_->set_scale(scale());
    gui_->begin(width, height, seconds);
    if (show_gui_) draw_gui(&debug);
    gui_->end();
    frame_ms_.add(1000 * timer_.since("picture", seconds_now()).value_or(0));
    capture();
    window_->swap();
}

/// Pauses while nobody can look, unless a recording is made, and goes on after that.
void Viewer::suspend(bool hidden) {
    if (hidden && running_ && !recording_ && taken_ != 0) {
        suspended_ = true;
        set_running(false);
    } else if (!hidden && std::exchange(suspended_, false)) {
        set_running(true);
    }
}

/// Pictures a second, of the last half second.
void Viewer::count_picture(double seconds) {
    fps_seconds_ += seconds;
    ++fps_pictures_;
    if (fps_seconds_ < 0.5 && fps_ > 0) return;
    fps_ = fps_pictures_ / fps_seconds_;
    fps_seconds_ = fps_pictures_ = 0;
}

std::vector<Parameter> Viewer::current_parameters() {
    const auto& facts = physics_.frame().facts;
    std::vector<Parameter> all;
    if (facts) all = parameters(facts->settings);
    for (Parameter& p : all)
        if (const auto change = changes_.find(p.name); change != changes_.end()) {
            if (change->second.value == p.value || seconds_now() > change->second.until)
                changes_.erase(change);
            else p.take(change->second.value);
        }
    return all;
}

void Viewer::change(const Parameter& parameter, const std::string& value) {
    physics_.command(ChangeSetting{parameter.name, value});
    changes_[parameter.name] = {value, seconds_now() + 1};
}

/// Once for each scene, when ten pictures are known.
void Viewer::set_picture_step() {
    if (!step_wanted_ || !timer_.fixed_step() || timeline_ || !physics_.busy().empty()) return;
    for (const Parameter& p : current_parameters()) {
        step_wanted_ = false;
        if (p.name == "time_step") change(p, p.text(*timer_.fixed_step()));
    }
}

/// The thesis' loop: events, timer, input, then objects, collisions and cloth in one step, then the picture.
void Viewer::step_once_a_picture() {
    if (!options_.picture_step || !running_ || suspended_ || timeline_ || !physics_.busy().empty()) return;
    timer_.stamp("step", seconds_now());
    physics_.step();
    physics_.wait();
    if (physics_.frame().pace.failed) running_ = false; // as the physics does that runs by the clock
}

void Viewer::run() {
    double last = seconds_now();
    now_ = last;
    timer_.start(now_);
    while (!closing_ && !interrupted()) {
        // scripts see time pass evenly, so that their pictures are the same each time
        const double now = seconds_now();
        const double seconds = options_.scripted ? 1.0 / script_fps_ : std::clamp(now - last, 1e-4, 0.25);
        count_picture(options_.scripted ? seconds : std::max(now - last, 1e-4));
        last = now;
        // when nothing moves there is nothing to draw either: ten pictures a second, and one for every event
        const bool moving = running_ || options_.scripted || video_ || picture_wanted_ ||
                            !physics_.busy().empty() || (timeline_ && timeline_->playing()) ||
                            (check_ && !check_->progress().done) ||
                            std::any_of(held_.begin(), held_.end(), [](Held h) { return h != Held::no; });
        std::vector<InputEvent> events = window_->events(moving ? 0 : 0.1);
        timer_.stamp("events", seconds_now());
        now_ += seconds;
        timer_.pass(now_);
        set_picture_step();
        timer_.stamp("input", seconds_now());
        if (options_.scripted) {
            // a real mouse has no business in a script
            std::erase_if(events, [](const InputEvent& e) { return e.kind != InputEvent::Kind::size; });
            if (!next_script_command(events)) break;
        }
        for (const InputEvent& event : events) take(event);
        step_once_a_picture();
        frame_loop(seconds);
    }
    if (video_) act(Action::video);
    if (recording_) {
        physics_.stop_recording();
        physics_.wait();
    }
}

// scripts ------------------------------------------------------------------------------------------------------------

/// What the script does in this frame; false at its end.
bool Viewer::next_script_command(std::vector<InputEvent>& events) {
    if (script_wait_ > 0) return --script_wait_, true;
    if (picture_wanted_) return true;
    // a hand does not wait for pictures: where they are few, several events come between two of them
    int room = std::max(1, 60 / script_fps_);
    const auto take_events = [&] {
        for (; room > 0 && !script_events_.empty(); --room) {
            events.push_back(script_events_.front());
            script_events_.erase(script_events_.begin());
        }
    };
    take_events();
    while (room > 0 && script_at_ < options_.script.size() && !options_.script[script_at_].events.empty()) {
        const ScriptCommand& command = options_.script[script_at_];
        script_events_ = command.events;
        if (command.kind == ScriptCommand::Kind::on_item) {
            const auto item = items_.find(command.text);
            if (item == items_.end())
                throw Error("there is no item \"" + command.text + "\" to be seen",
                            "line " + std::to_string(command.line));
            for (InputEvent& event : script_events_) event.x += item->second.x, event.y += item->second.y;
        }
        ++script_at_;
        take_events();
    }
    if (room < std::max(1, 60 / script_fps_)) return true;
    if (script_at_ >= options_.script.size()) return false;
    const ScriptCommand& command = options_.script[script_at_++];
    switch (command.kind) {
    case ScriptCommand::Kind::load:
        load(command.text);
        physics_.wait();
        script_wait_ = 1;
        break;
    case ScriptCommand::Kind::steps:
        for (int k = 0; k < command.count; ++k) { // each is seen by the plots
            physics_.step();
            physics_.wait();
            trace(physics_.frame());
        }
        break;
    case ScriptCommand::Kind::frames:
        script_wait_ = command.count - 1;
        break;
    case ScriptCommand::Kind::screenshot:
        physics_.wait();
        picture_wanted_ = command.text;
        break;
    case ScriptCommand::Kind::state:
        physics_.wait();
        take_frames(0);
        write_state(command.text);
        break;
    case ScriptCommand::Kind::resize: {
        if (command.width > 0 && command.height > 0) window_->resize(command.width, command.height);
        InputEvent event;
        event.kind = InputEvent::Kind::size;
        event.x = command.width;
        event.y = command.height;
        events.push_back(event);
        script_wait_ = 3; // the server needs a moment
        break;
    }
    case ScriptCommand::Kind::lose_context:
        lose_context_ = true;
        break;
    case ScriptCommand::Kind::fine:
        choices_.occlusion = choices_.smooth = choices_.shadows = true;
        break;
    case ScriptCommand::Kind::unseen:
        unseen_ = true;
        break;
    case ScriptCommand::Kind::fps:
        script_fps_ = command.count;
        break;
    case ScriptCommand::Kind::event:
    case ScriptCommand::Kind::on_item:
        break; // taken above
    }
    return true;
}

void Viewer::write_state(const std::string& file) {
    const Frame& frame = shown();
    std::FILE* out = std::fopen(file.c_str(), "wb");
    if (!out) throw Error("this file cannot be written", file);
    const Eye eye = camera_.eye();
    std::fprintf(out, "scene = %s\nstep = %llu\nrunning = %d\nrate = %g\nbodies = %zu\n",
                 frame.appearance ? frame.appearance->scene.c_str() : "",
                 static_cast<unsigned long long>(frame.step), running_ ? 1 : 0, rate_,
                 frame.appearance ? std::size_t{frame.appearance->body_count} : 0);
    std::fprintf(out,
                 "selected = %d\nheld = %d\ncamera = %d\neye = %.3f %.3f %.3f\ntarget = %.3f %.3f %.3f\n",
                 selected_ ? static_cast<int>(*selected_) : -1,
                 frame.hold ? static_cast<int>(frame.hold->body) : -1, static_cast<int>(camera_.mode()),
                 eye.position.x, eye.position.y, eye.position.z, eye.target.x, eye.target.y, eye.target.z);
    std::fprintf(out, "particles = %d\nwireframe = %d\nhelp = %d\ngui = %d\nwindow = %d %d\nthreads = %d\n",
                 choices_.particles ? 1 : 0, static_cast<int>(choices_.wireframe), show_help_ ? 1 : 0,
                 show_gui_ ? 1 : 0, width_, height_, place_.threads);
    std::fprintf(out, "recording = %d\ntimeline = %d\ntour = %g\ncolour_seed = %lu\n", recording_ ? 1 : 0,
                 timeline_ ? static_cast<int>(timeline_->at()) : -1, tour_,
                 static_cast<unsigned long>(options_.colour_seed));
    std::fprintf(out, "scene_camera = %zu\ncontexts = %d\n", scene_camera_, contexts_);
    std::fprintf(out, "search = %s\nfps = %.1f\nobjects = %d\n", search_, fps_, objects() ? 1 : 0);
    const double now = seconds_now();
    for (const char* stamp : {"events", "input", "step", "picture"})
        if (const auto since = timer_.since(stamp, now))
            std::fprintf(out, "since %s = %.9f\n", stamp, *since);
    std::fprintf(out, "clock = %.6f\npasses = %llu\nfixed_step = %.6f\n", timer_.total(),
                 static_cast<unsigned long long>(timer_.passes()), timer_.fixed_step().value_or(0));
    for (const auto& [title, area] : panels_)
        std::fprintf(out, "panel %s = %g %g %g %g\n", title.c_str(), double{area.x}, double{area.y},
                     double{area.width}, double{area.height});
    for (const auto& [name, at] : items_) std::fprintf(out, "item %s = %g %g\n", name.c_str(), at.x, at.y);
    for (const Measured& counter : frame.counters)
        std::fprintf(out, "counter %s = %.0f\n", std::string(counter.name).c_str(), counter.value);
    if (check_) {
        check_->wait();
        const auto progress = check_->progress();
        std::fprintf(out, "compared = %zu\ndiverged = %d\n", progress.compared,
                     progress.diverged ? static_cast<int>(*progress.diverged) : -1);
    }
    if (frame.facts && !timeline_) {
        for (const Parameter& p : parameters(frame.facts->settings))
            std::fprintf(out, "%s = %s\n", p.name.c_str(), p.value.c_str());
        physics_.wish({.hash = true});
        physics_.wait();
        if (physics_.frame().hash)
            std::fprintf(out, "hash = %016llx\n", static_cast<unsigned long long>(*physics_.frame().hash));
        physics_.wish(wishes_);
    }
    std::fclose(out);
}

// pictures -----------------------------------------------------------------------------------------------------------

std::string Viewer::output_name(const char* ending) const {
    std::string name = scene_;
    for (char& c : name)
        if (c == '/' || c == '\\' || c == '.') c = '-';
    // the first number that is free
    for (int number = 1;; ++number) {
        const std::string file = "scree-" + name + "-" + std::to_string(number) + ending;
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored) || number == 9999) return file;
    }
}

void Viewer::write_picture(const std::string& file) {
    render::Image image;
    image.width = width_;
    image.height = height_;
    image.rgba = view_->pixels(image.width, image.height);
    render::write_png(image, file);
}

/// After everything is drawn, before it is shown.
void Viewer::capture() {
    try {
        if (picture_wanted_) {
            const std::string file = *std::exchange(picture_wanted_, {});
            write_picture(file);
            if (!options_.scripted) say("picture in " + file);
        }
        if (!video_) return;
        if (width_ / 2 * 2 != video_width_ || height_ / 2 * 2 != video_height_) {
            say("the window changed its size: the video ends");
            act(Action::video);
            return;
        }
        if (now_ < next_video_frame_) return;
        next_video_frame_ = std::max(next_video_frame_ + 1 / 30.0, now_ - 0.1);
        // ffmpeg wants even sizes: a last odd column or row stays out
        const int width = width_;
        const std::vector<std::uint8_t> rgba = view_->pixels(width, height_);
        std::vector<std::uint8_t> even;
        even.reserve(static_cast<std::size_t>(4 * video_width_ * video_height_));
        for (int y = 0; y < video_height_; ++y) {
            const auto row = rgba.begin() + static_cast<std::ptrdiff_t>(4) * y * width;
            even.insert(even.end(), row, row + 4 * video_width_);
        }
        video_->add(even);
    } catch (const Error& error) {
        say(error.what());
        video_.reset();
        if (options_.scripted) throw;
    }
}

} // namespace scree::view
