// SPDX-License-Identifier: MIT
// viewer_input.cpp — reactions of the viewer to keys, mouse and touch.
#include "viewer/viewer.h"

#include "scree/error.h"

#include <algorithm>
#include <cmath>

namespace scree::view {

namespace {

constexpr double click_slack = 4; // pixels that a click may tremble

} // namespace

ViewSize Viewer::size() const {
    return {static_cast<double>(std::max(width_, 1)), static_cast<double>(std::max(height_, 1))};
}

Ray Viewer::cursor_ray() const { return ray_through(camera_.eye(), size(), cursor_); }

/// The GUI looks at each event before the next, however few pictures are drawn.
void Viewer::take(const InputEvent& event) {
    if (event.kind == InputEvent::Kind::button && (event.x != cursor_.x || event.y != cursor_.y)) {
        InputEvent move = event; // the GUI must know whose place it is before the button goes down
        move.kind = InputEvent::Kind::move;
        take(move);
    }
    const bool visible = width_ > 0 && height_ > 0;
    for (int looks = visible ? gui_->looks_before(event) : 0; looks > 0; --looks) {
        gui_->begin(width_, height_, 0);
        if (show_gui_) draw_gui(nullptr);
        gui_->skip();
    }
    gui_->feed(event);
    handle(event);
}

void Viewer::handle(const InputEvent& event) {
    switch (event.kind) {
    case InputEvent::Kind::key:
        handle_key(event);
        break;
    case InputEvent::Kind::button:
        handle_button(event);
        break;
    case InputEvent::Kind::move:
        handle_move({event.x, event.y}, event.shift);
        break;
    case InputEvent::Kind::wheel:
        if (!gui_->wants_mouse()) camera_.zoom(event.y);
        break;
    case InputEvent::Kind::finger:
        handle_finger(event);
        break;
    case InputEvent::Kind::size:
        width_ = static_cast<int>(event.x);
        height_ = static_cast<int>(event.y);
        break;
    case InputEvent::Kind::close:
        closing_ = true;
        break;
    default:
        break;
    }
}

void Viewer::handle_key(const InputEvent& event) {
    const auto action = keys_.find({event.code, event.shift, event.control, event.alt});
    if (!event.down) {
        // whatever the modifiers are by now
        for (const ActionInfo& known : actions())
            if (const auto chord = keys_.chord(known.action); chord && chord->key == event.code) {
                Held& held = held_[static_cast<std::size_t>(known.action)];
                if (held == Held::pressed) fly(1 / 60.0); // came and went between two pictures
                held = Held::no;
            }
        keys_down_.erase(event.code);
        return;
    }
    // a key that is held comes again and again: it counts once, unless its action is one to repeat
    const bool again = !keys_down_.insert(event.code).second;
    if (!again && !gui_->wants_keys() && act_by_key(event)) return;
    if (!action || gui_->wants_keys() || (again && !info(*action).repeats)) return;
    if (!info(*action).held) act(*action);
    else if (!again) held_[static_cast<std::size_t>(*action)] = Held::pressed;
}

/// A key of the scene's own actions goes before those of the viewer.
bool Viewer::act_by_key(const InputEvent& event) {
    const auto& facts = physics_.frame().facts;
    if (event.shift || event.control || event.alt || !facts) return false;
    for (const SceneRun::Action& action : facts->actions)
        if (action.key && action.key == event.code) {
            physics_.command(Act{action.name});
            return true;
        }
    return false;
}

void Viewer::handle_button(const InputEvent& event) {
    const auto button = static_cast<Button>(event.code);
    bool& down = button == Button::left ? left_ : button == Button::right ? right_ : middle_;
    if (event.down && gui_->wants_mouse()) return;
    if (event.down == down) return;
    down = event.down;
    if (button != Button::left) return;
    if (event.down) press_left(cursor_);
    else release_left(cursor_);
}

/// A body under the cursor is held; elsewhere the camera turns.
void Viewer::press_left(Pixel at) {
    pressed_at_ = at;
    moved_ = false;
    dragging_body_ = false;
    if (timeline_ || objects()) return;
    const Frame& frame = physics_.frame();
    const auto picked = pick(frame, cursor_ray(), choices_.particles);
    if (!picked || frame.appearance->bodies[picked->body].type != BodyType::dynamic) return;
    dragging_body_ = true;
    grabbed_point_ = picked->point;
    physics_.command(Grab{picked->body, picked->local});
}

void Viewer::release_left(Pixel) {
    if (dragging_body_) physics_.command(Release{});
    dragging_body_ = false;
    if (moved_) return;
    const auto picked = pick(shown(), cursor_ray(), choices_.particles);
    selected_.reset();
    if (picked) selected_ = picked->body;
}

void Viewer::handle_move(Pixel to, bool shift) {
    const double dx = to.x - cursor_.x, dy = to.y - cursor_.y;
    cursor_ = to;
    if (std::hypot(to.x - pressed_at_.x, to.y - pressed_at_.y) > click_slack) moved_ = true;
    if (left_ && dragging_body_) {
        // in the plane through the held point that faces the eye
        const Eye eye = camera_.eye();
        const Ray ray = cursor_ray();
        const double along = dot(ray.direction, eye.forward());
        if (moved_ && along > 1e-6) {
            const double distance = dot(grabbed_point_ - eye.position, eye.forward()) / along;
            physics_.command(DragTo{narrow(ray.at(distance))});
        }
    } else if (left_ || right_) {
        camera_.turn(dx, dy, size());
    } else if (middle_) {
        shift ? camera_.slide(dx, dy, size()) : camera_.pan(dx, dy, size());
    }
}

void Viewer::handle_finger(const InputEvent& event) {
    const Pixel at{event.x, event.y};
    const Gestures::Result result = !event.down   ? gestures_.up(event.code, at, now_)
                                    : event.moved ? gestures_.moved(event.code, at, now_)
                                                  : gestures_.down(event.code, at, now_);
    // one finger is the left button, for the windows as for the scene
    InputEvent mouse;
    if (result.pointer) {
        mouse.kind = InputEvent::Kind::move;
        mouse.x = result.pointer->x;
        mouse.y = result.pointer->y;
        take(mouse);
    }
    if (result.pressed || result.released) {
        mouse.kind = InputEvent::Kind::button;
        mouse.x = cursor_.x;
        mouse.y = cursor_.y;
        mouse.down = result.pressed;
        take(mouse);
    }
    if (result.slide_x != 0 || result.slide_y != 0) camera_.slide(result.slide_x, result.slide_y, size());
    if (result.zoom != 0) camera_.zoom(result.zoom);
    if (result.twist != 0) camera_.turn(result.twist * size().height / pi, 0, size());
    if (result.held && selected_) camera_.set_mode(CameraMode::follow);
}

void Viewer::fly(double seconds) {
    const auto key = [&](Action a) {
        Held& held = held_[static_cast<std::size_t>(a)];
        if (held == Held::no) return 0.0;
        held = Held::flown;
        return 1.0;
    };
    const double right = key(Action::right) - key(Action::left), up = key(Action::up) - key(Action::down),
                 forward = key(Action::forward) - key(Action::backward);
    if (camera_.mode() == CameraMode::walk) walk(right, up, forward);
    else if (right != 0 || up != 0 || forward != 0) camera_.move(right, up, forward, seconds);
}

/// Tells the player's wish whenever it changes.
void Viewer::walk(double right, double up, double forward) {
    const double speed = up < 0 ? 2 : 4.5; // m/s
    const double size = std::hypot(right, forward);
    const DVec3 way = size > 0 ? camera_.along_ground(right / size, forward / size) : DVec3{};
    const Walk wish{narrow(speed * way), up > 0, up < 0};
    if (wish == wish_ && !wish.jump) return;
    wish_ = wish;
    physics_.command(wish);
}

void Viewer::begin_walk() {
    const auto& facts = physics_.frame().facts;
    if (timeline_ || !facts || !facts->player) {
        say("nobody can walk here: the scene has no level with an info_player_start");
        return;
    }
    camera_.set_mode(CameraMode::walk);
    camera_.face(facts->player->yaw);
    camera_.stand(facts->player->eye);
    wish_ = {};
    physics_.command(wish_);
}

void Viewer::set_running(bool running) {
    running_ = running;
    physics_.run(running && !options_.picture_step); // else the loop itself steps
}

void Viewer::set_rate(double rate) {
    rate_ = rate == as_fast_as_possible ? rate : std::clamp(rate, 1 / 1024.0, 1024.0);
    physics_.set_rate(rate_);
}

void Viewer::go_scene(int direction) {
    if (scenes_.empty()) return;
    const auto count = static_cast<int>(scenes_.size());
    int at = direction > 0 ? -1 : count;
    for (int k = 0; k < count; ++k)
        if (scenes_[static_cast<std::size_t>(k)].name == scene_) at = k;
    timeline_.reset();
    load(scenes_[static_cast<std::size_t>(((at + direction) % count + count) % count)].name);
}

/// Seconds count while the scene runs: not while it is loaded, nor while somebody has paused to look.
void Viewer::go_on_tour(double seconds) {
    if (tour_ <= 0 || !running_ || timeline_ || !physics_.busy().empty()) return;
    tour_left_ -= seconds;
    if (tour_left_ > 0) return;
    tour_left_ = tour_;
    go_scene(1);
}

/// Keys 1 to 5 stand for scenes of one kind: they do nothing while another is shown.
void Viewer::load_formation(int number) {
    const std::string name(formation_scene(number));
    if (!shown().facts) return;
    for (const SceneInfo& scene : scenes_)
        if (scene.name == name && scene.kind == shown().facts->kind) {
            timeline_.reset();
            load(name);
            return;
        }
}

void Viewer::shoot() {
    const Frame& frame = physics_.frame();
    if (!frame.facts || timeline_) return;
    // as heavy as what is usual here, and fast enough to cross the view in half a second
    std::vector<float> masses;
    double reach = 0;
    for (const AppearanceBody& body : frame.appearance->bodies)
        if (body.type == BodyType::dynamic) {
            masses.push_back(body.mass);
            reach = std::max(reach, std::min(frame.appearance->shapes[body.shape].reach, 10.0));
        }
    Shoot shot;
    if (!masses.empty()) {
        std::nth_element(masses.begin(), masses.begin() + static_cast<std::ptrdiff_t>(masses.size() / 2),
                         masses.end());
        shot.mass = 4 * masses[masses.size() / 2];
        shot.radius = static_cast<float>(std::clamp(0.5 * reach, 0.02, 1.0));
    }
    const Eye eye = camera_.eye();
    const Ray ray = cursor_ray();
    shot.position = narrow(eye.position + 0.05 * camera_.distance() * ray.direction);
    shot.velocity = narrow(std::min(2.0 * camera_.distance(), 60.0) * ray.direction);
    physics_.command(shot);
}

bool Viewer::objects() const {
    const auto& facts = physics_.frame().facts;
    return object_mode_ && !timeline_ && facts && !facts->actions.empty();
}

/// Turns the scene's gravity by five degrees as the picture shows it.
void Viewer::tilt(double right, double away) {
    if (timeline_) return;
    const Eye eye = camera_.eye();
    const DVec3 ahead = normalized(cross({0, 1, 0}, eye.right()));
    for (const Parameter& p : current_parameters()) {
        if (p.name != "gravity") continue;
        // what hangs down swings to the right about the way ahead, and away about the right
        const Quaternion<double> turn =
            rotation_about(ahead, -right * pi / 36) * rotation_about(eye.right(), away * pi / 36);
        const DVec3 g = rotate(turn, DVec3{p.number[0], p.number[1], p.number[2]});
        change(p, p.text(g.x, g.y, g.z));
        return;
    }
    say("this scene has no gravity to tilt");
}

void Viewer::send_wishes() {
    const bool metrics = show_gui_ && show_metrics_;
    const Wishes wishes{choices_.debug.needs_contacts(), metrics, false, metrics, choices_.debug.tree,
                        choices_.debug.detector};
    if (wishes == wishes_) return;
    wishes_ = wishes;
    physics_.wish(wishes);
}

/// The flag that an action switches on and off; null if it does something else.
bool* Viewer::flag_of(Action action) {
    DebugDraw& debug = choices_.debug;
    switch (action) {
    case Action::scene_browser:
        return &show_browser_;
    case Action::particles:
        return &choices_.particles;
    case Action::shapes:
        return &choices_.surfaces;
    case Action::draw_bounds:
        return &debug.bounds;
    case Action::draw_contacts:
        return &debug.contacts;
    case Action::draw_normals:
        return &debug.normals;
    case Action::draw_forces:
        return &debug.forces;
    case Action::draw_features:
        return &debug.features;
    case Action::draw_joints:
        return &debug.joints;
    case Action::draw_centres:
        return &debug.centres;
    case Action::draw_velocities:
        return &debug.velocities;
    case Action::draw_tree:
        return &debug.tree;
    case Action::draw_sleep:
        return &debug.sleep;
    case Action::draw_islands:
        return &debug.islands;
    case Action::draw_colours:
        return &debug.graph_colours;
    case Action::draw_names:
        return &debug.names;
    case Action::draw_cells:
        return &debug.cells;
    case Action::draw_portals:
        return &debug.portals;
    case Action::draw_detector:
        return &debug.detector;
    case Action::metrics:
        return &show_metrics_;
    case Action::parameters:
        return &show_parameters_;
    case Action::help:
        return &show_help_;
    case Action::hide_ui:
        return &show_gui_;
    case Action::objects:
        return &object_mode_;
    default:
        return nullptr;
    }
}

void Viewer::toggle_recording() {
    if (timeline_) return;
    if (recording_) {
        physics_.stop_recording();
    } else {
        last_recording_ = output_name(".rec");
        physics_.record(last_recording_, 2);
    }
}

/// The last recording, or back to the live scene.
void Viewer::toggle_playing() {
    if (timeline_) {
        timeline_.reset();
        check_.reset();
        frame_all_ = true;
        load_ = no_load;
    } else if (last_recording_.empty()) {
        say("nothing was recorded yet");
    } else {
        physics_.stop_recording();
        physics_.wait(); // until it is whole
        set_running(false);
        play(last_recording_);
    }
}

void Viewer::toggle_video() {
    try {
        if (video_) {
            video_->finish();
            video_.reset();
            say("video in " + video_file_);
        } else if (!program_on_path("ffmpeg")) {
            say("ffmpeg is not installed: no video");
        } else {
            video_width_ = width_ / 2 * 2;
            video_height_ = height_ / 2 * 2;
            video_file_ = output_name(".mp4");
            video_ = std::make_unique<VideoPipe>("video", video_file_, video_width_, video_height_, 30);
            next_video_frame_ = now_;
            say("filming to " + video_file_);
        }
    } catch (const Error& error) {
        video_.reset();
        say(error.what());
    }
}

void Viewer::act(Action action) {
    if (bool* flag = flag_of(action)) *flag = !*flag;
    switch (action) {
    case Action::pause:
        if (timeline_) timeline_->play(!timeline_->playing());
        else set_running(!running_);
        break;
    case Action::step:
        if (timeline_) timeline_->play(false), timeline_->go(timeline_->at() + 1);
        else set_running(false), physics_.step();
        break;
    case Action::step_back:
        if (timeline_)
            timeline_->play(false),
                timeline_->go(timeline_->at() - std::min<std::size_t>(timeline_->at(), 1));
        else running_ = false, physics_.step_back();
        break;
    case Action::restart:
        if (timeline_) timeline_->go(0);
        else physics_.restart();
        break;
    case Action::slower:
        set_rate((rate_ == as_fast_as_possible ? 1 : rate_) / 2);
        break;
    case Action::faster:
        set_rate((rate_ == as_fast_as_possible ? 1 : rate_) * 2);
        break;
    case Action::real_time:
        set_rate(1);
        break;
    case Action::full_speed:
        set_rate(as_fast_as_possible);
        break;
    case Action::next_scene:
        go_scene(1);
        break;
    case Action::previous_scene:
        go_scene(-1);
        break;
    case Action::tour:
        tour_ = tour_left_ = tour_ > 0 ? 0 : options_.tour > 0 ? options_.tour : 10;
        if (tour_ > 0) timeline_.reset(), set_running(true);
        break;
    case Action::formation_1:
    case Action::formation_2:
    case Action::formation_3:
    case Action::formation_4:
    case Action::formation_5:
        load_formation(static_cast<int>(action) - static_cast<int>(Action::formation_1) + 1);
        break;
    case Action::shoot:
        shoot();
        break;
    case Action::select: {
        const auto picked = pick(shown(), cursor_ray(), choices_.particles);
        selected_.reset();
        if (picked) selected_ = picked->body;
        break;
    }
    case Action::release:
        if (dragging_body_) physics_.command(Release{});
        dragging_body_ = false;
        selected_.reset();
        show_help_ = false;
        if (camera_.mode() == CameraMode::follow) camera_.set_mode(CameraMode::orbit);
        break;
    case Action::tilt_left:
        tilt(-1, 0);
        break;
    case Action::tilt_right:
        tilt(1, 0);
        break;
    case Action::tilt_away:
        tilt(0, 1);
        break;
    case Action::tilt_near:
        tilt(0, -1);
        break;
    case Action::orbit:
        camera_.set_mode(CameraMode::orbit);
        break;
    case Action::fly:
        camera_.set_mode(CameraMode::fly);
        break;
    case Action::follow:
        if (selected_) camera_.set_mode(CameraMode::follow);
        else say("select a body to follow: click on it");
        break;
    case Action::walk:
        begin_walk();
        break;
    case Action::frame_all:
        if (shown().appearance) look_at_scene(shown());
        break;
    case Action::next_camera:
        if (const auto& look = shown().appearance) {
            if (look->cameras.empty()) say("this scene has one camera");
            else go_camera((scene_camera_ + 1) % (look->cameras.size() + 1));
        }
        break;
    case Action::wireframe:
        choices_.wireframe = choices_.wireframe == render::Wireframe::off    ? render::Wireframe::only
                             : choices_.wireframe == render::Wireframe::only ? render::Wireframe::combined
                                                                             : render::Wireframe::off;
        break;
    case Action::record:
        toggle_recording();
        break;
    case Action::play_recording:
        toggle_playing();
        break;
    case Action::screenshot:
        picture_wanted_ = output_name(".png");
        break;
    case Action::video:
        toggle_video();
        break;
    case Action::quit:
        closing_ = true;
        break;
    default:
        break;
    }
    send_wishes();
}

/// Looks from where a camera of the scene does, to go on from there.
void Viewer::go_camera(std::size_t number) {
    scene_camera_ = number;
    if (camera_.mode() == CameraMode::follow || camera_.mode() == CameraMode::walk)
        camera_.set_mode(CameraMode::orbit);
    look_at_scene(shown());
    say("camera: " + (number == 0 ? "the first" : shown().appearance->cameras[number - 1].name));
}

} // namespace scree::view
