// SPDX-License-Identifier: MIT
// render.cpp — `scree render`: pictures and videos of a scene or a recording, without a window.

#include "commands.h"
#include "scene_arguments.h"
#include "scree/error.h"

#ifdef SCREE_HAS_RENDER
#include "interrupt.h"
#include "picture_queue.h"
#include "progress.h"
#include "render/camera.h"
#include "render/frame_loop.h"
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/image.h"
#include "render/renderer.h"
#include "render/world_model.h"
#include "render_show.h"
#include "scree/appearance.h"
#include "stopwatch.h"
#include "text.h"
#include "video_pipe.h"
#include "view/ahead.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <thread>
#include <utility>
#endif

namespace scree {

namespace {

#ifndef SCREE_HAS_RENDER

int run(const Arguments&) {
    throw Error(
        "this build has no renderer; build it with EGL, epoxy, libpng and libjpeg-turbo (Debian: libegl-dev "
        "libepoxy-dev libpng-dev libjpeg-dev)",
        "scree render");
}

#else

using render::Camera;

render::DrawMode read_mode(const Arguments& given) {
    const std::string name = given.text("--mode").value_or("pooled");
    if (name == "tree") return render::DrawMode::tree;
    if (name == "precached") return render::DrawMode::precached;
    if (name == "pooled") return render::DrawMode::pooled;
    refuse_option("--mode", name, "tree, precached or pooled");
}

render::Visibility read_visibility(const Arguments& given) {
    const std::string name = given.text("--visibility").value_or("portals");
    if (name == "portals") return render::Visibility::portals;
    if (name == "frustum") return render::Visibility::frustum;
    if (name == "none") return render::Visibility::none;
    if (name == "closed") return render::Visibility::closed;
    refuse_option("--visibility", name, "portals, frustum, none or closed");
}

std::optional<Shading> read_shading(const Arguments& given) {
    const auto name = given.text("--shading");
    if (!name) return {};
    const auto at = std::find(shading_names.begin(), shading_names.end(), *name);
    if (at == shading_names.end()) refuse_option("--shading", *name, "physical or blinn_phong");
    return static_cast<Shading>(at - shading_names.begin());
}

render::Culling read_culling(const Arguments& given) {
    const std::string name = given.text("--culling").value_or("auto");
    if (name == "auto") return render::Culling::automatic;
    if (name == "cpu") return render::Culling::cpu;
    if (name == "gpu") return render::Culling::gpu;
    refuse_option("--culling", name, "auto, cpu or gpu");
}

/// How poses come to the GPU.
struct PoseWay {
    std::string reason;    ///< why they are copied; empty: they are shared, once the model is built
    bool vertices = false; ///< of sheets were shared last
};

void print_stats(render::Renderer& renderer, const Camera& camera, const PoseWay& poses) {
    const render::FrameCounters& counters = renderer.counters();
    const auto vector = [](Vec3 v) {
        return short_number(double{v.x}) + "," + short_number(double{v.y}) + "," + short_number(double{v.z});
    };
    std::printf("%-10s eye=%s,target=%s,fov=%s\n", "camera", vector(camera.eye).c_str(),
                vector(camera.target).c_str(),
                short_number(double{camera.fov_y} * 180 / std::numbers::pi).c_str());
    const render::BackendCounters& all = counters.all;
    std::printf("%-10s %s of %s things in %s lists; %s draws, %s state changes, %s triangles, %s layers\n",
                "picture", count_text(counters.visible).c_str(), count_text(counters.things).c_str(),
                count_text(counters.lists).c_str(), count_text(all.draws).c_str(),
                count_text(all.state_changes()).c_str(), count_text(all.triangles).c_str(),
                count_text(renderer.count_layers()).c_str());
    if (counters.shared)
        std::printf("%-10s shared with the world's device: %s bytes by the GPU; %s bytes to it and %s from "
                    "it by the host\n",
                    "poses", count_text(all.shared).c_str(), count_text(all.uploaded).c_str(),
                    count_text(all.downloaded).c_str());
    else if (poses.vertices)
        std::printf("%-10s shared with the world's device: %s bytes by the GPU; %s bytes of all else to it\n",
                    "vertices", count_text(all.shared).c_str(), count_text(all.uploaded).c_str());
    else
        std::printf("%-10s copied (%s): %s bytes to the GPU\n", "poses",
                    !poses.reason.empty()        ? poses.reason.c_str()
                    : renderer.may_cull_on_gpu() ? "what is drawn deforms or carries lights"
                                                 : "the GPU does not find what is seen",
                    count_text(all.uploaded).c_str());
    std::printf(
        "%-10s on the %s%s\n", "culled", counters.on_gpu ? "GPU" : "CPU",
        counters.gpu_seconds > 0
            ? ("; a picture took the GPU " + short_number(counters.gpu_seconds * 1000) + " ms").c_str()
            : "");
    if (counters.gpu_seconds > 0) {
        std::string stages;
        for (std::size_t i = 0; i < counters.gpu_stages.size(); ++i)
            stages += (i > 0 ? ", " : "") + std::string(render::gpu_stage_names[i]) + " " +
                      short_number(counters.gpu_stages[i] * 1000);
        std::printf("%-10s %s ms\n", "GPU", stages.c_str());
    }
    if (counters.all_cells > 0)
        std::printf("%-10s %s of %s cells through %s portals; %s triangles without shadows\n", "level",
                    count_text(counters.cells).c_str(), count_text(counters.all_cells).c_str(),
                    count_text(counters.portals).c_str(), count_text(counters.surfaces.triangles).c_str());
    std::printf("%-10s %s ms to prepare, %s ms to submit\n", "CPU",
                short_number(counters.prepare_seconds * 1000).c_str(),
                short_number(counters.submit_seconds * 1000).c_str());
}

enum class OutputKind { picture, video, frames };

/// Where pictures go: one file, ffmpeg, or a folder.
class Output {
public:
    Output(const std::string& name, PictureSize size, int fps) : name_(name) {
        const auto ends = [&](const char* ending) { return name.ends_with(ending); };
        if (ends(".png")) kind_ = OutputKind::picture;
        else if (ends(".mp4")) kind_ = OutputKind::video;
        else if (ends("/") || std::filesystem::is_directory(name)) kind_ = OutputKind::frames;
        else refuse_option("-o", name, "FILE.png, FILE.mp4 or FOLDER/");
        if (kind_ == OutputKind::video && !program_on_path("ffmpeg")) {
            kind_ = OutputKind::frames;
            name_ = name.substr(0, name.size() - 4) + "-frames/";
            std::fprintf(stderr, "scree: ffmpeg is not installed: pictures go to %s instead of a video\n",
                         printable(name_).c_str());
        }
        std::error_code error;
        const std::filesystem::path folder = kind_ == OutputKind::frames
                                                 ? std::filesystem::path(name_)
                                                 : std::filesystem::path(name_).parent_path();
        if (kind_ == OutputKind::frames) std::filesystem::create_directories(folder, error);
        if (!folder.empty() && !std::filesystem::is_directory(folder))
            throw Error("\"" + printable(folder.string()) + "\" is not a writable folder", "-o");
        if (kind_ == OutputKind::video)
            video_ = std::make_unique<VideoPipe>("-o", name_, size.width, size.height, fps);
        // ffmpeg takes pictures in their order
        const unsigned threads = kind_ == OutputKind::frames ? std::thread::hardware_concurrency() : 1;
        queue_ = std::make_unique<PictureQueue>(
            threads, [this](const render::Image& image, std::uint64_t number) { write(image, number); });
    }
    OutputKind kind() const { return kind_; }
    const std::string& name() const { return name_; }
    std::uint64_t count() const { return count_; }
    void add(render::Image image) {
        queue_->add(std::move(image));
        ++count_;
    }
    void finish() {
        queue_->finish();
        if (video_) video_->finish();
    }

private:
    void write(const render::Image& image, std::uint64_t number) {
        if (kind_ == OutputKind::picture) {
            render::write_png(image, name_, 6);
        } else if (kind_ == OutputKind::frames) {
            char file[32];
            std::snprintf(file, sizeof file, "frame-%05llu.png", static_cast<unsigned long long>(number));
            render::write_png(image, (std::filesystem::path(name_) / file).string(), 2);
        } else {
            video_->add(image.rgba);
        }
    }

    std::string name_;
    OutputKind kind_ = OutputKind::picture;
    std::unique_ptr<VideoPipe> video_;
    std::uint64_t count_ = 0;
    std::unique_ptr<PictureQueue> queue_; // goes first: its threads write
};

/// Whether it is the name of one of the scene's cameras, no camera and no file. Pictures may go to a folder of that name.
bool is_camera_name(const std::string& told) {
    return told.find_first_of("=/") == std::string::npos &&
           (!std::filesystem::exists(told) || std::filesystem::is_directory(told));
}

/// A camera as told: a moment's, or a path; what is left out comes from `base`.
render::CameraPath read_path(const std::string& told, const Camera& base) {
    if (told.find('=') != std::string::npos && !std::filesystem::exists(told))
        return render::CameraPath({{0, render::parse_camera(told, base, "--camera")}});
    return render::load_camera_path(told, base);
}

/// Throws Error for mistakes that show before anything is simulated.
void check_camera(const std::string& told) {
    Camera base; // unlike any that is told, so that eye and target are not the same by chance
    base.eye = {1e9f, 1e9f, 1e9f};
    base.target = {-1e9f, -1e9f, -1e9f};
    read_path(told, base);
}

/// Moves the camera once a picture: as told, as the scene says, or so that what moves fills the picture, without jumping.
class CameraMan final : public render::Controller {
public:
    /// `named`: told is the name of one of the scene's cameras.
    CameraMan(Camera& camera, const render::WorldModel& model, std::optional<std::string> told, bool named,
              float aspect)
        : camera_(camera), model_(model), told_(std::move(told)), named_(named), aspect_(aspect) {}
    bool run(render::Renderer& renderer, const render::FrameTime& time) override {
        using namespace render;
        const std::optional<Camera> asked = model_.camera();
        if (!path_ && !asked) follow(time); // reads all poses
        if (told_ && !path_)
            path_ = named_ ? render::CameraPath({{0, model_.camera(*told_).value()}})
                           : read_path(*told_, asked.value_or(smooth_));
        camera_ = path_ ? path_->at(time.seconds) : asked.value_or(smooth_);
        fit_planes(camera_, renderer.measure_bounds());
        return true;
    }

private:
    /// Towards what fills the picture now, with a time constant of 0.8 s.
    void follow(const render::FrameTime& time) {
        using namespace render;
        Framing framing(aspect_);
        model_.frame(framing);
        const Camera now = framing.camera();
        const float share = time.frame == 0 ? 1 : static_cast<float>(1 - std::exp(-time.step / 0.8));
        smooth_.eye = smooth_.eye + (now.eye - smooth_.eye) * share;
        smooth_.target = smooth_.target + (now.target - smooth_.target) * share;
        smooth_.fov_y = now.fov_y;
    }

    Camera& camera_;
    const render::WorldModel& model_;
    std::optional<std::string> told_;
    bool named_;
    float aspect_;
    std::optional<render::CameraPath> path_;
    Camera smooth_;
};

/// Poses straight from the world's device where that is possible, else through the host; says once why not.
void update_model(Show& show, render::WorldModel& model, bool camera_told, PoseWay& poses) {
    if (poses.reason.empty()) try {
            SharedPoses* to = model.share(); // null before the first frame
            SharedVertices* vertices = to ? nullptr : model.share_vertices();
            const Frame* frame = nullptr;
            if (to && !camera_told && !model.camera())
                poses.reason = "the automatic camera looks at all poses";
            else if (to || vertices) {
                frame =
                    to ? show.shared_frame(*to, poses.reason) : show.shared_frame(*vertices, poses.reason);
                if (!poses.reason.empty()) throw Error(poses.reason);
            }
            poses.vertices = frame && vertices;
            if (frame) {
                model.update(*frame);
                return;
            }
        } catch (const Error& error) {
            poses.reason = error.what();
            std::fprintf(stderr, "scree: poses are copied through the host: %s\n",
                         printable(poses.reason).c_str());
        }
    model.update(show.frame());
}

/// One picture, after all steps.
void run_to_end(Show& show, const std::function<void()>& take) {
    Progress progress(show.name(), show.steps());
    while (show.done() < show.steps() && !interrupted()) {
        // small bites, so that the bar moves and ctrl-C is heard
        show.advance(std::min(show.steps(), show.done() + 5));
        if (progress.due(show.done()))
            progress.show(show.done(), "step " + std::to_string(show.done()) + "/" +
                                           std::to_string(show.steps()) + ", 0 pictures");
    }
    if (show.done() == show.steps()) take();
}

/// A picture each `every` steps. `take` calls what it is given when the frame of the last steps is ready to be drawn: the next are
/// taken meanwhile.
void run_film(Show& show, const Output& output, std::uint64_t every,
              const std::function<void(const std::function<void()>&)>& take) {
    Progress progress(show.name(), show.steps());
    view::Ahead ahead(show.may_run_ahead());
    while (true) {
        const std::uint64_t done = show.done(), next = std::min(show.steps(), (done / every + 1) * every);
        const bool more = done < show.steps() && !interrupted();
        take([&] {
            if (more) ahead.begin([&show, next] { show.advance(next); });
        });
        if (!more) return;
        ahead.finish();
        if (progress.due(show.done()))
            progress.show(show.done(), "step " + std::to_string(show.done()) + "/" +
                                           std::to_string(show.steps()) + ", " +
                                           count_of(output.count(), "picture", "pictures"));
    }
}

int run(const Arguments& given) {
    const PictureSize size = read_size(given, {1280, 720}, 1);
    const auto out = given.text("-o");
    if (!out) throw Error("expected FILE.png, FILE.mp4 or FOLDER/", "-o");
    const int fps = static_cast<int>(given.whole("--fps", 1, 240).value_or(30));
    constexpr std::array<std::uint64_t, 3> sample_choices{1, 2, 4};
    const int samples = static_cast<int>(given.one_of("--samples", sample_choices).value_or(4));
    const auto every_given = given.whole("--every", 1, 1'000'000'000);
    const auto told_camera = given.text("--camera");
    const bool named = told_camera && is_camera_name(*told_camera);
    if (told_camera && !named) check_camera(*told_camera);
    std::optional<render::HeadlessContext> context;
    if (on_gles(given)) context.emplace(render::GlChoice::gles);
    const auto show = open_show(given, given.positional().front());
    if (named) render::camera_named(*show->frame().appearance, *told_camera, "--camera");

    if (!context) context.emplace(given.has("--gles") ? render::GlChoice::gles : render::GlChoice::automatic);
    if (!context->fallback().empty()) std::fprintf(stderr, "scree: %s\n", context->fallback().c_str());
    const auto backend = render::make_gl_backend();
    render::PictureTarget target(*backend, size.width, size.height);
    render::Renderer renderer(*backend);
    render::ModelSettings model_settings;
    model_settings.particles = !given.has("--boxes");
    model_settings.skin_on_host = given.has("--copy-poses");
    model_settings.colour_seed =
        static_cast<std::uint32_t>(given.whole("--colour-seed", 0, 0xffffffffu).value_or(0));
    render::WorldModel model(renderer, model_settings);
    render::FrameSettings settings;
    settings.samples = samples;
    settings.mode = read_mode(given);
    renderer.choose(read_culling(given));
    settings.visibility = read_visibility(given);
    const std::optional<Shading> shading = read_shading(given);
    // from before the output exists until it is complete: a signal leaves a shorter video, never a broken one
    const InterruptGuard guard;
    Output output(*out, size, fps);

    const double per_picture = std::round(1 / (fps * show->time_step()));
    const std::uint64_t every =
        output.kind() == OutputKind::picture
            ? show->steps()
            : every_given.value_or(static_cast<std::uint64_t>(std::clamp(per_picture, 1.0, 1e9)));
    // the last pictures are still on their way from the GPU when the next is drawn
    std::size_t under_way = 0;
    const auto take_over = [&](std::size_t most) {
        for (; under_way > most; --under_way) {
            render::Image image{size.width, size.height, {}};
            image.rgba.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) *
                              4);
            target.end_read(image.rgba);
            output.add(std::move(image));
        }
    };

    Camera camera;
    render::FrameLoop loop(renderer);
    PoseWay poses;
    poses.reason = given.has("--copy-poses") ? "as asked for" : show->unshared();
    const auto update = [&](const render::FrameTime&) {
        update_model(*show, model, told_camera.has_value(), poses);
        model.light(settings.sky);
        settings.shading = shading.value_or(model.shading());
    };
    loop.on(render::Moment::start, update);
    loop.on(render::Moment::frame, update);
    loop.add(std::make_unique<CameraMan>(camera, model, told_camera, named,
                                         static_cast<float>(size.width) / static_cast<float>(size.height)));
    loop.on(render::Moment::drawn, [&](const render::FrameTime&) {
        target.begin_read();
        ++under_way;
        take_over(2);
    });
    const Stopwatch clock;
    loop.start(settings, size.width, size.height);
    const auto draw = [&] {
        loop.frame(show->time(), camera, settings, target.id(), size.width, size.height);
    };
    if (output.kind() == OutputKind::picture) run_to_end(*show, draw);
    else {
        std::function<void()> ready;
        loop.on(render::Moment::draw, [&](const render::FrameTime&) { ready(); });
        run_film(*show, output, every, [&](const std::function<void()>& then) {
            ready = then;
            draw();
        });
    }
    loop.finish();
    take_over(0);
    output.finish();
    const double seconds = clock.seconds();

    print_line("drawn", count_of(output.count(), "picture", "pictures") + ", " + std::to_string(size.width) +
                            "x" + std::to_string(size.height));
    print_line("with", backend->description());
    print_line("took", short_number(seconds) + " s");
    if (given.has("--stats")) print_stats(renderer, camera, poses);
    if (output.count() > 0) print_line("in", output.name());
    if (show->done() < show->steps()) {
        std::fprintf(stderr, "scree: interrupted at step %llu of %llu; %s\n",
                     static_cast<unsigned long long>(show->done()),
                     static_cast<unsigned long long>(show->steps()),
                     output.count() == 0 ? "no picture was made"
                                         : (printable(output.name()) + " has " +
                                            count_of(output.count(), "picture", "pictures") + " up to there")
                                               .c_str());
        return exit_interrupted;
    }
    return exit_ok;
}

#endif

} // namespace

CommandSpec render_command() {
    return {
        "render SCENE|FILE|RECORDING",
        "make a picture or a video of a scene or a recording",
        R"(Makes a picture of the last step (-o x.png), a video (-o x.mp4) or one picture after another (-o folder/)
of a scene or a recording. Needs no window.

Without --camera the scene's own camera is used, or all bodies that move fill the picture.
A camera is the name of one of the scene's "cameras", or eye=X,Y,Z,target=X,Y,Z,fov=DEGREES, or a file with a line
for each moment: time=SECONDS eye=… target=… fov=…)",
        {R"(
-o OUT              FILE.png, FILE.mp4 or FOLDER/
--size WxH          in pixels; default: 1280x720
--camera WHERE      a name, a text or a file; default: the scene's camera, or what moves fills the picture
--every N           steps between pictures; default: real time
--fps N             pictures a second of a video; default: 30
--samples N         samples a pixel: 1, 2 or 4; default: 4
--boxes             draw bodies of particles as boxes
--colour-seed N     seed of the bodies' colours; default: 0
--mode NAME         how the scene becomes draws: tree, precached or pooled; default: pooled
--culling NAME      where things outside the view are left out: auto, cpu or gpu; default: auto
--copy-poses        copy poses and vertices through the host even where a GPU could write them for the picture, or move the vertices of figures
--visibility NAME   what is left out as unseen: portals, frustum, none, or closed (as portals, but walls that are not
                    drawn, such as caulk, hide what is behind them: holes where one looks at one); default: portals
--shading NAME      physical or blinn_phong; default: the scene's, physical
--stats             print draws, state changes and triangles of the last picture, and the cells of a level
)",
         gles_option, steps_option, scene_options, device_options},
        run};
}

} // namespace scree
