// SPDX-License-Identifier: MIT
// gles_stages.cpp — see gles_stages.h. A pass is a kernel of the same source as the CPU's.
#include "impact2d/gles_stages.h"

#include "scree/error.h"

#if SCREE_HAS_GLES
#include "device/gles/bodies.h"
#include "device/gles/impact_source.h"

#include <map>
#include <optional>

namespace scree::impact2d {
namespace {

/// A pass, and the parameters that its program has.
struct Pass {
    gles::Kernel kernel;
    std::optional<ImpactParams> set;
    std::map<std::string, int> places; ///< locations of uniforms

    int place(const char* name) {
        const auto found = places.find(name);
        if (found != places.end()) return found->second;
        return places[name] = kernel.program().location(std::string("given.") + name);
    }
};

void give(Pass& pass, const ImpactParams& params) {
    const auto one = [&](const char* name, auto before, auto now) {
        if (pass.set && before == now) return;
        const int place = pass.place(name); // -1: the kernel does not use it
        if (place >= 0) pass.kernel.program().set(place, now);
    };
    const ImpactParams before = pass.set.value_or(ImpactParams{});
#define SCREE_GIVE(name) one(#name, before.name, params.name);
    IMPACT_PARAMS(SCREE_GIVE, SCREE_GIVE)
#undef SCREE_GIVE
    pass.set = params;
}

gles::Channels channels(Array array) {
    return layout(array).words == 1 ? gles::Channels::one : gles::Channels::four;
}

} // namespace

struct GlesStages::Streams {
    gles::Context context;
    std::array<std::unique_ptr<gles::Stream>, array_count> all;
    std::map<StageId, Pass> passes;
    std::map<Array, gles::Minimum> minima;
    std::unique_ptr<gles::Bodies> bodies;

    Pass& pass(StageId id) {
        const auto found = passes.find(id);
        if (found != passes.end()) return found->second;
        std::vector<gles::NamedStream> inputs, outputs;
        for (const Array a : stage(id).inputs) inputs.emplace_back(layout(a).name, stream(a));
        for (const Array a : stage(id).outputs) outputs.emplace_back(layout(a).out_name, stream(a));
        Pass made{gles::Kernel(context, gles::impact_source(name_of(id), inputs, outputs)), {}, {}};
        made.kernel.program().set("to_width", static_cast<int>(made.kernel.width()));
        return passes.emplace(id, std::move(made)).first->second;
    }
    gles::Stream& stream(Array array) { return *all[static_cast<std::size_t>(array)]; }
};

GlesStages::GlesStages(const std::array<Extent, array_count>& extents)
    : streams_(std::make_unique<Streams>()) {
    for (std::size_t k = 0; k < array_count; ++k) {
        const auto array = static_cast<Array>(k);
        streams_->all[k] = std::make_unique<gles::Stream>(
            streams_->context, extents[k].width, extents[k].height, channels(array),
            layout(array).doubled ? gles::Buffers::doubled : gles::Buffers::simple);
    }
}

GlesStages::~GlesStages() = default;

void GlesStages::write(Array array, std::span<const float> words) { streams_->stream(array).write(words); }
std::vector<float> GlesStages::read(Array array) const { return streams_->stream(array).read(); }

void GlesStages::run(StageId id, const ImpactParams& params) {
    Pass& pass = streams_->pass(id);
    give(pass, params);
    pass.kernel.run();
}

float GlesStages::least(Array array) {
    std::map<Array, gles::Minimum>& minima = streams_->minima;
    auto found = minima.find(array);
    if (found == minima.end()) {
        gles::Stream& of = streams_->stream(array);
        found =
            minima.empty()
                ? minima.emplace(array, gles::Minimum(streams_->context, of)).first
                : minima.emplace(array, gles::Minimum(streams_->context, minima.begin()->second, of)).first;
    }
    return found->second.find();
}

void GlesStages::finish() { streams_->context.finish(); }

void GlesStages::draw(bool polygons, int most_corners, int side, float half) {
    Streams& s = *streams_;
    if (!s.bodies)
        s.bodies = std::make_unique<gles::Bodies>(
            s.context,
            gles::BodyStreams{&s.stream(Array::place), &s.stream(Array::motion),
                              polygons ? &s.stream(Array::index) : nullptr,
                              polygons ? &s.stream(Array::vertex) : nullptr},
            most_corners);
    s.bodies->draw(side, half);
}

std::vector<std::uint8_t> GlesStages::image() const {
    return streams_->bodies ? streams_->bodies->read() : std::vector<std::uint8_t>{};
}

std::unique_ptr<GlesStages> open_gles_stages(const std::array<Extent, array_count>& extents) {
    return std::make_unique<GlesStages>(extents);
}

} // namespace scree::impact2d

#else

namespace scree::impact2d {

struct GlesStages::Streams {};
GlesStages::~GlesStages() = default;
void GlesStages::write(Array, std::span<const float>) {}
std::vector<float> GlesStages::read(Array) const { return {}; }
void GlesStages::run(StageId, const ImpactParams&) {}
float GlesStages::least(Array) { return 0; }
void GlesStages::finish() {}
void GlesStages::draw(bool, int, int, float) {}
std::vector<std::uint8_t> GlesStages::image() const { return {}; }

std::unique_ptr<GlesStages> open_gles_stages(const std::array<Extent, array_count>&) {
    throw Error("the library was built without OpenGL ES", "device gles");
}

} // namespace scree::impact2d

#endif
