// SPDX-License-Identifier: MIT
// render_compare.cpp — see render_compare.h.
#include "render_compare.h"

#ifdef SCREE_HAS_RENDER

#include "bench_options.h"
#include "render/camera.h"
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/image.h"
#include "render/renderer.h"
#include "render/world_model.h"
#include "scene/run.h"
#include "scree/appearance.h"
#include "scree/error.h"
#include "scree/scene.h"
#include "text.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace scree::bench {

namespace {

using namespace render;

constexpr int most_apart = 1; ///< of 255

/// A scene after its steps. The run stays, since a world may write its poses again.
struct Subject {
    std::string name;
    std::unique_ptr<SceneRun> run;
    Frame frame;
    std::vector<Image> expected; ///< by view: the CPU found what is seen
};

/// All of it as `scree render` shows it, and from so near that much is outside the view.
constexpr const char* views[] = {"whole", "near"};

struct Compared {
    std::string scene, way, view;
    ImageDifference apart;
};

/// A renderer of its own for each subject.
class Easel {
public:
    Easel(Backend& backend, const Frame& frame, int width, int height)
        : renderer_(backend), model_(renderer_), target_(backend, width, height) {
        model_.update(frame);
        settings_.shading = model_.shading();
        model_.light(settings_.sky);
    }
    void choose(Culling culling) { renderer_.choose(culling); }
    void update(const Frame& frame) { model_.update(frame); }
    WorldModel& model() { return model_; }
    bool culled_on_gpu() const { return renderer_.counters().on_gpu; }

    Image picture(std::size_t view) {
        const int width = target_.width(), height = target_.height();
        if (!whole_)
            whole_ = model_.camera().value_or(
                framing(model_.bounds(), static_cast<float>(width) / static_cast<float>(height)));
        Camera camera = *whole_;
        if (view == 1) camera.eye = camera.eye + (camera.target - camera.eye) * 0.8f;
        fit_planes(camera, renderer_.measure_bounds());
        renderer_.draw(camera, settings_, target_.id(), width, height);
        Image image{width, height, {}};
        image.rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
        target_.read(image.rgba);
        return image;
    }

private:
    Renderer renderer_;
    WorldModel model_;
    PictureTarget target_;
    FrameSettings settings_;
    std::optional<Camera> whole_;
};

class PictureComparison {
public:
    PictureComparison(int width, int height, std::string keep)
        : width_(width), height_(height), keep_(std::move(keep)) {
        std::printf("%-28s %-14s %-6s %8s %10s\n", "scene", "way", "view", "largest", "pixels, %");
    }
    /// With OpenGL 4.5: the pictures that others are compared with, and those of the GPU's lists.
    void draw_gl(Subject& subject) {
        const HeadlessContext& context = gl();
        if (context.gles()) throw Error("this machine has no OpenGL 4.5", "--compare");
        Easel easel(*backend_, subject.frame, width_, height_);
        easel.choose(Culling::cpu);
        for (std::size_t view = 0; view < std::size(views); ++view)
            subject.expected.push_back(easel.picture(view));
        if (!backend_->computes()) throw Error("this driver computes nothing", "--compare");
        easel.choose(Culling::gpu);
        // again: what was hidden in the picture before is known then
        for (const char* way : {"gpu", "gpu again"})
            for (std::size_t view = 0; view < std::size(views); ++view)
                add(subject, way, view, easel.picture(view), true);
        if (!easel.culled_on_gpu()) throw Error("the GPU has not found what is seen", subject.name);
        draw_shared(subject, easel);
    }
    void draw_gles(const Subject& subject) {
        if (!context_ || !context_->gles()) open(GlChoice::gles);
        Easel easel(*backend_, subject.frame, width_, height_);
        for (std::size_t view = 0; view < std::size(views); ++view)
            add(subject, "gles", view, easel.picture(view), false);
    }
    const std::vector<Compared>& rows() const { return rows_; }
    bool equal() const { return equal_; }

private:
    void draw_shared(Subject& subject, Easel& easel) {
        if (!subject.run->may_share()) return;
        SharedPoses* to = easel.model().share();
        if (!to) return; // it deforms, or carries lights
        Frame frame = subject.frame;
        std::string reason;
        if (!subject.run->show_shared(*to, frame, reason))
            throw Error("its poses cannot be shared: " + reason, subject.name);
        easel.update(frame);
        for (std::size_t view = 0; view < std::size(views); ++view)
            add(subject, "shared", view, easel.picture(view), true);
    }
    const HeadlessContext& gl() {
        if (!context_) open(GlChoice::automatic);
        return *context_;
    }
    void open(GlChoice choice) {
        backend_.reset();
        context_.reset(); // before the next: one is current
        context_.emplace(choice);
        backend_ = make_gl_backend();
    }
    void add(const Subject& subject, const char* way, std::size_t view, const Image& image, bool must_agree) {
        const ImageDifference apart = difference(subject.expected[view], image, most_apart);
        rows_.push_back({subject.name, way, views[view], apart});
        const bool differs = apart.largest > most_apart;
        equal_ = equal_ && !(must_agree && differs);
        if (!differs) return;
        std::printf("%-28s %-14s %-6s %8d %10.4f\n", subject.name.c_str(), way, views[view], apart.largest,
                    100 * apart.share_above);
        std::fflush(stdout);
        if (keep_.empty()) return;
        const std::string file = keep_ + "/" + subject.name + "-" + views[view] + "-";
        write_png(subject.expected[view], file + "cpu.png");
        write_png(image, file + way + ".png");
    }

    int width_, height_;
    std::string keep_;
    std::optional<HeadlessContext> context_; // before what draws
    std::unique_ptr<Backend> backend_;
    std::vector<Compared> rows_;
    bool equal_ = true;
};

/// On the CPU where its kind does not run on the device.
std::unique_ptr<SceneRun> start_on(const Scene& scene, const Place& place) {
    try {
        return start_scene(scene, place);
    } catch (const Error&) {
        return start_scene(scene, Place("cpu"));
    }
}

} // namespace

bool compare_pictures(const std::vector<std::string>& scenes, const Arguments& given, int width, int height,
                      std::string& csv) {
    const auto steps = given.whole("--steps", 0, 1'000'000).value_or(20);
    const std::string device = given.text("--device").value_or("cpu");
    const Place place(device.c_str());
    PictureComparison comparison(width, height, folder_name(given, "--keep"));
    std::vector<Subject> subjects;
    for (const std::string& name : scenes) {
        Subject subject{name, start_on(find_scene(name), place), {}, {}};
        subject.run->step(steps);
        subject.run->show(subject.frame);
        comparison.draw_gl(subject);
        subject.run.reset();
        if (!given.has("--no-gles")) subjects.push_back(std::move(subject));
    }
    for (const Subject& subject : subjects) comparison.draw_gles(subject);
    csv = "scene,device,steps,way,view,width,height,largest,share_above_1,mean\n";
    for (const Compared& row : comparison.rows())
        csv += row.scene + "," + device + "," + std::to_string(steps) + "," + row.way + "," + row.view + "," +
               std::to_string(width) + "," + std::to_string(height) + "," +
               std::to_string(row.apart.largest) + "," + exact_number(row.apart.share_above) + "," +
               exact_number(row.apart.mean) + "\n";
    std::printf("%zu scenes, %zu pictures compared\n", scenes.size(), comparison.rows().size());
    return comparison.equal();
}

} // namespace scree::bench

#endif
