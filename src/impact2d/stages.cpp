// SPDX-License-Identifier: MIT
// stages.cpp — see stages.h: the tables, and the passes on the CPU.
#include "impact2d/stages.h"

#include "impact2d/gles_stages.h"
#include "scree/error.h"

#include <algorithm>

namespace scree::impact2d {

const Stage& stage(StageId id) {
    using enum Array;
    // in the order of SCREE_IMPACT_STAGES
    static const std::array<Stage, stage_count> all{{
        {"circle_bisect", {place, motion}, {pair}},
        {"circle_advance_free", {place, motion}, {place, motion}},
        {"circle_advance_summed", {place, motion, pair}, {place, motion}},
        {"circle_change", {motion, pair, impulse}, {change}},
        {"circle_impulse", {motion, pair, impulse, change}, {impulse, error}},
        {"circle_advance_together", {place, motion, pair, impulse}, {place, motion}},
        {"polygon_box", {place, motion, index, vertex}, {box}},
        {"polygon_candidate", {index, box}, {candidate}},
        {"polygon_bisect", {place, motion, index, vertex, candidate, pair}, {pair}},
        {"polygon_bisect_wrong", {place, motion, index, vertex, candidate}, {pair}},
        {"polygon_change", {index, pair, impulse}, {change}},
        {"polygon_impulse", {place, motion, index, vertex, pair, impulse, change}, {impulse, error}},
        {"polygon_advance_free", {place, motion}, {place, motion}},
        {"polygon_advance_hit", {place, motion, index, pair, impulse}, {place, motion}},
    }};
    return all[static_cast<std::size_t>(id)];
}

const ArrayLayout& layout(Array array) {
    static constexpr ArrayLayout all[]{
        {"place", "place_out", 4, false, true}, {"motion", "motion_out", 4, false, true},
        {"index", "index", 4, false, false},    {"vertex", "vertex", 4, false, false},
        {"box", "box", 4, false, false},        {"candidate", "candidate", 1, true, false},
        {"pair", "pair_out", 4, true, true},    {"impulse", "impulse_out", 4, true, true},
        {"change", "change", 4, false, false},  {"error", "error_out", 4, true, false},
    };
    return all[static_cast<std::size_t>(array)];
}

std::array<Extent, array_count> extents(bool polygons, std::uint32_t bodies, std::uint32_t vertex_items) {
    constexpr std::uint32_t most = 16384;
    if (bodies > most)
        throw Error("invalid value " + std::to_string(bodies) + ": expected at most " + std::to_string(most) +
                        " bodies, all of whose pairs are kept",
                    "bodies");
    std::array<Extent, array_count> all{};
    for (std::size_t k = 0; k < array_count; ++k) {
        const bool pairs = layout(static_cast<Array>(k)).pairs;
        all[k] = {bodies, pairs ? bodies : 1};
    }
    all[static_cast<std::size_t>(Array::vertex)] = {std::min(vertex_items, most),
                                                    (vertex_items + most - 1) / most};
    if (!polygons)
        for (const Array unused : {Array::index, Array::vertex, Array::box, Array::candidate})
            all[static_cast<std::size_t>(unused)] = {1, 1};
    return all;
}

namespace {

std::size_t words(Array array, const Extent& extent) {
    return static_cast<std::size_t>(extent.width) * extent.height *
           static_cast<std::size_t>(layout(array).words);
}

} // namespace

CpuStages::CpuStages(const std::array<Extent, array_count>& extents) : extents_(extents) {
    for (std::size_t k = 0; k < array_count; ++k) {
        const auto array = static_cast<Array>(k);
        for (std::size_t side = 0; side < (layout(array).doubled ? 2u : 1u); ++side)
            arrays_[k][side].resize(words(array, extents_[k]));
    }
}

void CpuStages::write(Array array, std::span<const float> given) {
    std::vector<float>& to = arrays_[static_cast<std::size_t>(array)][0];
    std::copy(given.begin(), given.end(), to.begin());
}

std::vector<float> CpuStages::read(Array array) const { return arrays_[static_cast<std::size_t>(array)][0]; }

kernels::ImpactView CpuStages::view() {
    kernels::ImpactView w{};
    const auto at = [&](Array array, std::size_t side) {
        return arrays_[static_cast<std::size_t>(array)][side].data();
    };
    w.place = at(Array::place, 0);
    w.motion = at(Array::motion, 0);
    w.index = at(Array::index, 0);
    w.vertex = at(Array::vertex, 0);
    w.box = at(Array::box, 0);
    w.candidate = at(Array::candidate, 0);
    w.pair = at(Array::pair, 0);
    w.impulse = at(Array::impulse, 0);
    w.change = at(Array::change, 0);
    w.place_out = at(Array::place, 1);
    w.motion_out = at(Array::motion, 1);
    w.pair_out = at(Array::pair, 1);
    w.impulse_out = at(Array::impulse, 1);
    w.error_out = at(Array::error, 0);
    return w;
}

void CpuStages::run(StageId id, const ImpactParams& params) {
    const kernels::ImpactView w = view();
    const Stage& pass = stage(id);
    const Extent& extent = extents_[static_cast<std::size_t>(pass.outputs[0])];
    const std::uint32_t items = extent.width * extent.height;
    switch (id) {
#define SCREE_CASE(name)                                                                                     \
    case StageId::name:                                                                                      \
        for (std::uint32_t item = 0; item < items; ++item) kernels::name(item, w, params);                   \
        break;
        SCREE_IMPACT_STAGES(SCREE_CASE)
#undef SCREE_CASE
    case StageId::count:
        break;
    }
    for (const Array written : pass.outputs)
        if (layout(written).doubled)
            std::swap(arrays_[static_cast<std::size_t>(written)][0],
                      arrays_[static_cast<std::size_t>(written)][1]);
}

float CpuStages::least(Array array) {
    kernels::ImpactView w{};
    ImpactParams p{};
    p.level_width = static_cast<int>(extents_[static_cast<std::size_t>(array)].width);
    p.level_height = static_cast<int>(extents_[static_cast<std::size_t>(array)].height);
    p.level_words = layout(array).words;
    w.level = arrays_[static_cast<std::size_t>(array)][0].data();
    std::size_t side = 0;
    do {
        const int width = (p.level_width + 1) / 2, height = (p.level_height + 1) / 2;
        const auto items = static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height);
        levels_[side].resize(std::max<std::size_t>(levels_[side].size(), items));
        w.level_out = levels_[side].data();
        for (std::uint32_t item = 0; item < items; ++item) kernels::impact_least(item, w, p);
        w.level = w.level_out;
        p.level_width = width;
        p.level_height = height;
        p.level_words = 1;
        side = 1 - side;
    } while (p.level_width > 1 || p.level_height > 1);
    return w.level[0];
}

Stages::Stages(const std::string& device, const std::array<Extent, array_count>& extents) {
    if (device == "cpu") cpu_ = std::make_unique<CpuStages>(extents);
    else if (device == "gles") gles_ = open_gles_stages(extents);
    else throw Error("invalid value \"" + device + "\": expected cpu or gles", "device");
}

Stages::~Stages() = default;

void Stages::write(Array array, std::span<const float> given) {
    if (cpu_) cpu_->write(array, given);
    else gles_->write(array, given);
}
std::vector<float> Stages::read(Array array) const { return cpu_ ? cpu_->read(array) : gles_->read(array); }
void Stages::run(StageId id, const ImpactParams& params) {
    if (cpu_) cpu_->run(id, params);
    else gles_->run(id, params);
}
float Stages::least(Array array) { return cpu_ ? cpu_->least(array) : gles_->least(array); }
void Stages::finish() {
    if (gles_) gles_->finish();
}
void Stages::draw(bool polygons, std::uint32_t bodies, int most_corners, int side, float half) {
    if (gles_) {
        gles_->draw(polygons, most_corners, side, half);
        return;
    }
    picture_.side = side;
    picture_.half = half;
    draw_on_host(cpu_->view(), polygons, bodies, picture_);
}
std::vector<std::uint8_t> Stages::image() const { return gles_ ? gles_->image() : picture_.pixels; }

} // namespace scree::impact2d
