// SPDX-License-Identifier: MIT
// renderer.cpp — the public face; see renderer.h. The frame's parts are in prepare.cpp and passes.cpp.
#include "render/renderer_state.h"
#include "render/shape_meshes.h"

#include <chrono>

namespace scree::render {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

Renderer::Renderer(Backend& backend) : state_(std::make_unique<State>(backend)) {
    state_->programs.need({});
    for (const Shader shader : {Shader::shadow, Shader::background, Shader::tonemap})
        state_->programs(shader);
}
Renderer::~Renderer() = default;

Backend& Renderer::backend() { return state_->backend; }
MeshStore& Renderer::meshes() { return state_->meshes; }
InstanceStore& Renderer::instances() { return state_->instances; }
PositionTree& Renderer::positions() { return state_->positions; }
DescriptionTree& Renderer::description() { return state_->description; }
std::vector<LevelView*>& Renderer::levels() { return state_->levels; }
LightList& Renderer::lights() { return state_->lights; }
LineList& Renderer::lines() { return state_->lines; }
LineList& Renderer::world_lines() { return state_->world_lines; }
void Renderer::choose(Culling culling) { state_->list.choose(culling); }
bool Renderer::may_cull_on_gpu() const { return state_->list.may_cull_on_gpu(); }
const Bounds& Renderer::bounds() const { return state_->bounds; }
const FrameCounters& Renderer::counters() const { return state_->counters; }
void Renderer::outline(std::span<const std::uint32_t> records) {
    state_->outlined.assign(records.begin(), records.end());
}

const LodMesh& Renderer::sphere_mesh() { return shape_mesh(0); }
const LodMesh& Renderer::capsule_mesh() { return shape_mesh(1); }
const LodMesh& Renderer::box_mesh() { return shape_mesh(2); }
const LodMesh& Renderer::cylinder_mesh() { return shape_mesh(3); }
const LodMesh& Renderer::cone_mesh() { return shape_mesh(4); }
const LodMesh& Renderer::plane_mesh() { return shape_mesh(5); }

const LodMesh& Renderer::shape_mesh(int shape) {
    auto& known = state_->shape_meshes[static_cast<std::size_t>(shape)];
    if (!known) known = make_shape_mesh(state_->meshes, shape);
    return *known;
}

std::uint32_t Renderer::count_layers() {
    std::size_t seen = 0;
    while (seen < state_->layers && state_->backend.passed(seen)) ++seen;
    return static_cast<std::uint32_t>(seen);
}

Bounds Renderer::measure_bounds() {
    state_->cull([&] {
        state_->list.analyse(state_->description, state_->positions);
        state_->bounds = state_->list.bounds();
    });
    return state_->bounds;
}

TextureId Renderer::create_texture(int width, int height, std::span<const std::uint8_t> rgba, bool srgb) {
    if (width < 1 || height < 1 ||
        rgba.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)
        throw Error("a texture of " + std::to_string(width) + "x" + std::to_string(height) +
                        " needs four bytes a texel, " + std::to_string(rgba.size()) + " were given",
                    "texture");
    TextureDef def;
    def.format = srgb ? TextureFormat::srgb8_alpha8 : TextureFormat::rgba8;
    def.width = width, def.height = height;
    def.linear = def.mipmaps = def.repeat = true;
    const TextureId id = state_->backend.create_texture(def);
    state_->textures.emplace_back(state_->backend, id);
    state_->backend.update_texture(id, 0, height, std::as_bytes(rgba));
    return id;
}

void Renderer::precache(const FrameSettings& settings, int width, int height) {
    State& s = *state_;
    if (width < 1 || height < 1) return;
    const Bounds all = measure_bounds();
    s.reserve(settings);
    s.prepare(framing(all, static_cast<float>(width) / static_cast<float>(height)), settings, width, height);
    s.forget_shadows(); // nothing was drawn
    s.compile(settings);
    s.make_line_buffer();
}

void Renderer::draw(const Camera& camera, const FrameSettings& settings, TargetId target, int width,
                    int height) {
    State& s = *state_;
    s.counters = {};
    s.layers = 0;
    if (width < 1 || height < 1) return;
    const auto start = Clock::now();
    const BackendCounters before = s.backend.counters();
    s.backend.begin_time();

    s.prepare(camera, settings, width, height);
    s.counters.prepare_seconds = seconds_since(start);
    s.backend.end_stage(GpuStage::prepare);

    s.shadows_pass();
    s.backend.end_stage(GpuStage::shadows);
    s.opaque_pass(settings);
    s.backend.end_stage(GpuStage::surfaces);
    TextureId picture = s.targets.colour;
    const bool transparent = s.list.has(true) && settings.surfaces;
    if (settings.ambient_occlusion) {
        s.occlusion_pass(settings);
        picture = s.targets.composed_colour;
    } else if (transparent) {
        s.backend.resolve(s.targets.resolved, s.targets.composed, width, height, true, false);
        picture = s.targets.composed_colour;
    }
    s.backend.end_stage(GpuStage::occlusion);
    if (transparent) s.transparent_pass(settings);
    s.backend.end_stage(GpuStage::layers);
    if (s.outline_range.count > 0) s.mask_pass();
    s.tonemap_pass(settings, picture, target);
    s.backend.end_stage(GpuStage::screen);
    s.backend.end_time();
    s.counters.gpu_seconds = s.backend.gpu_seconds();
    s.counters.gpu_stages = s.backend.gpu_stages();
    s.counters.all = s.backend.counters() - before;
    // poses may have gone to the GPU before, when their bounds were asked for
    const BackendCounters moved = s.backend.counters() - std::exchange(s.moved_before, s.backend.counters());
    s.counters.all.uploaded = moved.uploaded;
    s.counters.all.downloaded = moved.downloaded;
    s.counters.all.shared = moved.shared;
    s.counters.leaves = static_cast<std::uint32_t>(s.list.items().size());
    s.counters.lists = s.list.lists();
    s.counters.flattenings = s.list.flattenings();
    s.counters.things = s.list.things();
    s.counters.visible = s.list.visible();
    s.counters.on_gpu = s.list.on_gpu();
    s.counters.shared = s.instances.shared();
    s.counters.submit_seconds = seconds_since(start);
}

} // namespace scree::render
