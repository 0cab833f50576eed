// SPDX-License-Identifier: MIT
// renderer.h — draws a scene graph: shadows, opaque, ambient occlusion, transparent, outline, tone map.
//
//     HeadlessContext context;                       // or a window's context
//     auto backend = make_gl_backend();
//     Renderer renderer(*backend);
//     WorldModel model(renderer);                    // world_model.h
//     model.update(frame);                           // scree/appearance.h
//     renderer.draw(camera, {}, target, width, height);
#pragma once

#include "render/backend.h"
#include "render/camera.h"
#include "render/instances.h"
#include "render/lights.h"
#include "render/mesh.h"
#include "render/scene_graph.h"
#include "render/sky.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::render {

/// How the description tree becomes draws. All give the same picture.
enum class DrawMode {
    tree,      ///< leaf by leaf and thing by thing, with all state each time
    precached, ///< flattened once into lists of equal state; state once a list, instances together
    pooled     ///< the lists' visible part sorted each frame by a 64-bit key; only differences of state
};

enum class Wireframe {
    off,
    only,    ///< edges in the complement of the surface's colour, no surfaces
    combined ///< edges over surfaces
};

/// Where records are culled and given their levels of detail. Both give the same picture.
enum class Culling {
    automatic, ///< on the GPU from 20,000 things on, unless it is software; and where the world's device wrote the poses
    cpu, ///< poses that the world's device wrote are on the GPU all the same
    gpu  ///< where the back end can
};

/// What is left out because it cannot be seen. All but `closed` give the same picture.
enum class Visibility {
    portals, ///< what is outside the view, or not seen through the portals of a level
    frustum, ///< what is outside the view
    none,    ///< nothing
    closed ///< as `portals`, where walls that are not drawn hide what is behind them: holes where one looks at one
};

inline bool by_cells(Visibility visibility) {
    return visibility == Visibility::portals || visibility == Visibility::closed;
}

/// How passes over the whole picture are made (ambient occlusion, tone map): the same within a step of 255.
enum class ScreenPasses {
    automatic, ///< computed where shaders compute and a GPU draws
    drawn,
    computed ///< where shaders compute
};

struct FrameSettings {
    DrawMode mode = DrawMode::pooled;
    Sky sky{};
    float exposure = 1;
    int samples = 4; ///< of MSAA; 1 for none
    bool sun_shadows = true;
    int shadow_size = 2048;    ///< texels of a cascade's side
    int cascades = 3;          ///< 1 … 4
    float shadow_distance = 0; ///< m; 0: from the scene's bounds
    bool ambient_occlusion = true;
    float occlusion_radius = 0; ///< m; 0 takes it from the scene's bounds
    int transparent_layers = 8; ///< most that are peeled
    bool light_culling = true;
    bool one_light_a_pass = false; ///< additive passes as before shaders could loop; for comparing
    Shading shading = Shading::physical;
    bool lod = true;
    float lod_error =
        0.35f; ///< pixels that a silhouette may be off; up to three times as much for 90,000 things and more
    Visibility visibility = Visibility::portals;
    Wireframe wireframe = Wireframe::off;
    ScreenPasses screen_passes = ScreenPasses::automatic;
    bool surfaces = true;
    Vec3 outline_colour{1, 0.55f, 0.05f}; ///< sRGB
    float outline_width = 2.5f;           ///< pixels
    bool background = true;               ///< the sky behind everything; else `clear_colour`
    Vec3 clear_colour{0, 0, 0};           ///< linear
    float haze = 1;                       ///< how much the ground fades into the horizon
};

/// Statistics of the last frame.
struct FrameCounters {
    BackendCounters all;                   ///< of the whole frame; bytes since the last one
    BackendCounters surfaces;              ///< of the opaque and transparent passes alone
    std::uint32_t leaves = 0, lists = 0;   ///< in the tree; after flattening
    std::uint32_t flattenings = 0;         ///< since the renderer was made
    std::uint32_t things = 0, visible = 0; ///< single things; those in the view
    bool on_gpu = false;                   ///< culled there; `visible` is of the frame before then
    bool shared = false;                   ///< the world's device wrote the poses
    std::uint32_t all_cells = 0;           ///< of the levels
    std::uint32_t cells = 0, portals = 0;  ///< seen; looked through: 0 where cells were of no use
    double prepare_seconds = 0;            ///< CPU: culling, LOD, sorting, uploads
    double gpu_seconds = 0;                ///< of a picture some frames ago; 0 where it is not known
    GpuTimes gpu_stages{};                 ///< of that picture
    double submit_seconds = 0;             ///< CPU: everything, until the last call returned
};

/// Lines on top of the scene, for one frame: contacts, bounds, joints …
class LineList {
public:
    /// Colour 0xAABBGGRR; `over`: seen through everything.
    void add(Vec3 from, Vec3 to, std::uint32_t colour, bool over = false);
    void box(const Bounds& bounds, std::uint32_t colour, bool over = false);
    void cross(Vec3 centre, float size, std::uint32_t colour, bool over = false);
    void clear();
    std::span<const LineVertex> within() const { return within_; }
    std::span<const LineVertex> over() const { return over_; }

private:
    std::vector<LineVertex> within_, over_;
};

class Renderer {
public:
    /// Compiles its shaders: throws Error naming shader file and line when the driver refuses one.
    explicit Renderer(Backend& backend);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    Backend& backend();
    MeshStore& meshes();
    InstanceStore& instances();
    PositionTree& positions();
    DescriptionTree& description();
    LightList& lights();
    /// Those whose parts are in the description tree: WorldModel's.
    std::vector<LevelView*>& levels();
    LineList& lines();
    /// Those of the world that is drawn: WorldModel's.
    LineList& world_lines();

    /// Meshes of the world's shapes from fine to coarse, made once.
    const LodMesh& sphere_mesh();
    const LodMesh& capsule_mesh();
    const LodMesh& box_mesh();
    const LodMesh& cylinder_mesh();
    const LodMesh& cone_mesh();
    const LodMesh& plane_mesh();
    /// Textures to hang on a TextureTechnique; rgba rows from the top, mipmaps made.
    TextureId create_texture(int width, int height, std::span<const std::uint8_t> rgba, bool srgb);

    /// Sets the outlined records and leaves; empty: none.
    void outline(std::span<const std::uint32_t> records);

    /// From the next draw or measure_bounds() on.
    void choose(Culling culling);
    /// False without compute shaders, and when the GPU had no memory for culling: the CPU culls then.
    bool may_cull_on_gpu() const;

    /// Bounds of all visible records without ground planes; computed at each draw.
    const Bounds& bounds() const;
    /// For a first framing before anything was drawn.
    Bounds measure_bounds();

    /// Makes beforehand everything that frames of these settings and this size may need: programs, targets, buffers and
    /// memory for all that is in the trees now, wherever the camera looks. As long as no tree grows, the frames that follow
    /// ask neither the heap nor the back end for anything new.
    void precache(const FrameSettings& settings, int width, int height);
    /// Into `target`, which is an 8-bit one or the window; size 0 draws nothing. Lines are kept until cleared.
    void draw(const Camera& camera, const FrameSettings& settings, TargetId target, int width, int height);
    const FrameCounters& counters() const;
    /// Transparent layers of the last picture; waits for the GPU, which alone knows.
    std::uint32_t count_layers();

private:
    struct State;
    const LodMesh& shape_mesh(int shape);
    std::unique_ptr<State> state_;
};

/// An 8-bit target to draw into and read back.
class PictureTarget {
public:
    /// Throws Error for sizes that are not 1 … the largest texture.
    PictureTarget(Backend& backend, int width, int height);
    TargetId id() const { return target_; }
    int width() const { return width_; }
    int height() const { return height_; }
    void read(std::span<std::uint8_t> rgba) { backend_.read_pixels(target_, width_, height_, rgba); }
    /// Without waiting; end_read() gives the oldest that was begun, false: there is none.
    void begin_read() { backend_.begin_read_pixels(target_, width_, height_); }
    bool end_read(std::span<std::uint8_t> rgba) { return backend_.end_read_pixels(rgba); }

private:
    Backend& backend_;
    int width_, height_;
    Owned<TextureId> colour_;
    Owned<TargetId> target_;
};

} // namespace scree::render
