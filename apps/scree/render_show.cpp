// SPDX-License-Identifier: MIT
// render_show.cpp — see render_show.h.
#include "render_show.h"

#include "scene/run.h"
#include "scene_arguments.h"
#include "scree/error.h"
#include "scree/recording.h"
#include "scree/scene.h"
#include "text.h"

#include <cstdio>
#include <filesystem>

namespace scree {

bool on_gles(const Arguments& given) { return given.text("--device") == "gles"; }

namespace {

class SceneShow final : public Show {
public:
    // OpenGL ES runs on the thread that draws
    SceneShow(const Arguments& given, const std::string& name)
        : scene_(read_scene(given, name)), ahead_(!on_gles(given)) {
        run_ = start_scene(scene_, read_place(given, on_gles(given)));
    }
    std::uint64_t steps() const override { return static_cast<std::uint64_t>(scene_.steps); }
    std::uint64_t done() const override { return run_->steps_done(); }
    double time() const override { return run_->time(); }
    double time_step() const override { return scree::time_step(scene_); }
    void advance(std::uint64_t to_step) override {
        if (to_step > run_->steps_done()) run_->step(to_step - run_->steps_done());
    }
    bool may_run_ahead() const override { return ahead_; }
    const Frame& frame() override {
        run_->show(frame_);
        return frame_;
    }
    std::string unshared() const override {
        return run_->may_share() || run_->may_share_vertices() ? "" : "the world is in the host's memory";
    }
    const Frame* shared_frame(SharedPoses& to, std::string& reason) override {
        return run_->show_shared(to, frame_, reason) ? &frame_ : nullptr;
    }
    const Frame* shared_frame(SharedVertices& to, std::string& reason) override {
        return run_->may_share_vertices() && run_->show_shared(to, frame_, reason) ? &frame_ : nullptr;
    }
    std::string name() const override { return scene_.name; }

private:
    Scene scene_;
    std::unique_ptr<SceneRun> run_;
    Frame frame_;
    bool ahead_;
};

class RecordingShow final : public Show {
public:
    RecordingShow(const Arguments& given, const std::string& file) : reader_(file), file_(file) {
        for (const char* option : {"--dt", "--bodies", "--seed", "--set", "--device", "--threads", "--lanes"})
            if (given.has(option))
                throw Error("a recording is shown as it is; expected a scene with this option", option);
        if (reader_.truncated()) std::fprintf(stderr, "scree: warning: %s\n", reader_.message().c_str());
        if (reader_.frame_count() == 0) throw Error("there are no frames", file);
        last_ = reader_.info(reader_.frame_count() - 1).step;
        last_ = given.whole("--steps", 1, last_ > 0 ? last_ : 1).value_or(last_);
        advance(0);
    }
    std::uint64_t steps() const override { return last_; }
    std::uint64_t done() const override { return done_; }
    double time() const override { return next_.time; }
    double time_step() const override { return static_cast<double>(reader_.header().time_step); }
    void advance(std::uint64_t to_step) override {
        next_ = reader_.read(reader_.frame_at_step(to_step));
        done_ = to_step;
    }
    bool may_run_ahead() const override { return true; }
    const Frame& frame() override {
        frame_ = next_;
        return frame_;
    }
    std::string name() const override { return std::filesystem::path(file_).filename().string(); }

private:
    RecordingReader reader_;
    std::string file_;
    Frame frame_, next_; ///< that is drawn, and that was read last
    std::uint64_t last_ = 0, done_ = 0;
};

} // namespace

std::unique_ptr<Show> open_show(const Arguments& given, const std::string& name) {
    if (is_recording(name)) return std::make_unique<RecordingShow>(given, name);
    return std::make_unique<SceneShow>(given, name);
}

} // namespace scree
