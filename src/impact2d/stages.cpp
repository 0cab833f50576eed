// SPDX-License-Identifier: MIT
// stages.cpp — see stages.h: the tables, and the passes on devices of kernels.
#include "impact2d/stages.h"

#include "device/opened.h"
#include "impact2d/gles_stages.h"
#include "scree/error.h"

#include <algorithm>
#include <utility>

namespace scree::impact2d {

const Stage& stage(StageId id) {
    using enum Array;
    using enum StageId; // in this order
    static const std::array<Stage, stage_count> all{{
        {circle_bisect, {place, motion}, {pair}},
        {circle_advance_free, {place, motion}, {place, motion}},
        {circle_advance_summed, {place, motion, pair}, {place, motion}},
        {circle_change, {motion, pair, impulse}, {change}},
        {circle_impulse, {motion, pair, impulse, change}, {impulse, error}},
        {circle_advance_together, {place, motion, pair, impulse}, {place, motion}},
        {polygon_box, {place, motion, index, vertex}, {box}},
        {polygon_candidate, {index, box}, {candidate}},
        {polygon_bisect, {place, motion, index, vertex, candidate, pair}, {pair}},
        {polygon_bisect_wrong, {place, motion, index, vertex, candidate}, {pair}},
        {polygon_change, {index, pair, impulse}, {change}},
        {polygon_impulse, {place, motion, index, vertex, pair, impulse, change}, {impulse, error}},
        {polygon_advance_free, {place, motion}, {place, motion}},
        {polygon_advance_hit, {place, motion, index, pair, impulse}, {place, motion}},
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

DeviceStages::DeviceStages(std::shared_ptr<Device> device, const std::array<Extent, array_count>& extents,
                           std::uint64_t most_memory)
    : device_(std::move(device)), most_memory_(most_memory), extents_(extents) {
    try {
        for (std::size_t k = 0; k < array_count; ++k) {
            const auto array = static_cast<Array>(k);
            for (std::size_t side = 0; side < (layout(array).doubled ? 2u : 1u); ++side)
                buffers_[k][side] = zeros(words(array, extents_[k]));
        }
        // half the width and the height of the pairs, then half of that
        const Extent& pairs = extent(Array::pair);
        std::size_t width = pairs.width, height = pairs.height;
        for (Buffer& level : levels_) {
            width = (width + 1) / 2;
            height = (height + 1) / 2;
            level = zeros(width * height);
        }
    } catch (...) {
        release();
        throw;
    }
}

DeviceStages::~DeviceStages() { release(); }

void DeviceStages::release() {
    for (auto& sides : buffers_)
        for (Buffer& each : sides) device_->release(each);
    for (Buffer& level : levels_) device_->release(level);
}

Buffer DeviceStages::zeros(std::size_t count) {
    Buffer made = device_->allocate_within(most_memory_, bytes(), count * 4);
    device_->fill(made, 0, count);
    return made;
}

std::uint64_t DeviceStages::bytes() const {
    std::uint64_t sum = levels_[0].bytes + levels_[1].bytes;
    for (const auto& sides : buffers_) sum += sides[0].bytes + sides[1].bytes;
    return sum;
}

void DeviceStages::write(Array array, std::span<const float> given) {
    device_->upload(buffer(array), given.data(), given.size_bytes());
}

std::vector<float> DeviceStages::read(Array array) const {
    std::vector<float> all(words(array, extent(array)));
    device_->download(all.data(), buffer(array), all.size() * 4);
    return all;
}

kernels::ImpactView DeviceStages::view() const {
    kernels::ImpactView w{};
    const auto at = [&](Array array) { return static_cast<float*>(buffer(array).raw); };
    w.place = at(Array::place);
    w.motion = at(Array::motion);
    w.index = at(Array::index);
    w.vertex = at(Array::vertex);
    return w;
}

void DeviceStages::launch(KernelId kernel, std::uint32_t items, const ImpactParams& params,
                          const Buffer& level, const Buffer& level_out) {
    using enum Array;
    // in the order of IMPACT_BUFFERS
    const std::array buffers{
        buffer(place),     buffer(motion),    buffer(index),   buffer(vertex),     buffer(box),
        buffer(candidate), buffer(pair),      buffer(impulse), buffer(change),     level,
        buffer(place, 1),  buffer(motion, 1), buffer(pair, 1), buffer(impulse, 1), buffer(error),
        level_out};
    device_->launch(kernel, items, buffers, &params, sizeof params);
}

void DeviceStages::run(StageId id, const ImpactParams& params) {
    const Stage& pass = stage(id);
    const Extent& size = extent(pass.outputs[0]);
    launch(kernel_of(id), size.width * size.height, params, {}, {});
    for (const Array written : pass.outputs)
        if (layout(written).doubled) {
            auto& sides = buffers_[static_cast<std::size_t>(written)];
            std::swap(sides[0], sides[1]);
        }
}

float DeviceStages::least(Array array) {
    ImpactParams p{};
    p.level_width = static_cast<int>(extent(array).width);
    p.level_height = static_cast<int>(extent(array).height);
    p.level_words = layout(array).words;
    Buffer from = buffer(array);
    std::size_t side = 0;
    do {
        const int width = (p.level_width + 1) / 2, height = (p.level_height + 1) / 2;
        launch(KernelId::impact_least, static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height),
               p, from, levels_[side]);
        from = levels_[side];
        p.level_width = width;
        p.level_height = height;
        p.level_words = 1;
        side = 1 - side;
    } while (p.level_width > 1 || p.level_height > 1);
    float found = 0;
    device_->download(&found, from, sizeof found);
    return found;
}

Stages::Stages(const Place& place, const std::array<Extent, array_count>& extents) : extents_(extents) {
    if (place.device() == "gles") gles_ = open_gles_stages(extents);
    else device_ = std::make_unique<DeviceStages>(place.opened().queue(), extents, place.options().memory);
}

Stages::~Stages() = default;

void Stages::write(Array array, std::span<const float> given) {
    if (device_) device_->write(array, given);
    else gles_->write(array, given);
}
std::vector<float> Stages::read(Array array) const {
    return device_ ? device_->read(array) : gles_->read(array);
}
void Stages::run(StageId id, const ImpactParams& params) {
    if (device_) device_->run(id, params);
    else gles_->run(id, params);
}
float Stages::least(Array array) { return device_ ? device_->least(array) : gles_->least(array); }
void Stages::finish() {
    if (device_) device_->finish();
    else gles_->finish();
}

std::uint64_t Stages::bytes() const {
    if (device_) return device_->bytes();
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < array_count; ++k) {
        const auto array = static_cast<Array>(k);
        sum += words(array, extents_[k]) * (layout(array).doubled ? 8u : 4u);
    }
    return sum;
}

void Stages::draw(bool polygons, std::uint32_t bodies, int most_corners, int side, float half) {
    if (gles_) {
        gles_->draw(polygons, most_corners, side, half);
        return;
    }
    picture_.side = side;
    picture_.half = half;
    if (device_->on_host()) draw_on_host(device_->view(), polygons, bodies, picture_);
    else draw_on_host(copied_to_host(*this)->view(), polygons, bodies, picture_);
}
std::vector<std::uint8_t> Stages::image() const { return gles_ ? gles_->image() : picture_.pixels; }

std::unique_ptr<DeviceStages> copied_to_host(const Stages& stages) {
    constexpr Array kept[]{Array::place, Array::motion, Array::index, Array::vertex};
    std::array<Extent, array_count> extents; // the arrays of pairs stay where they are
    extents.fill({1, 1});
    for (const Array array : kept) {
        const auto k = static_cast<std::size_t>(array);
        extents[k] = stages.extents()[k];
    }
    auto host = std::make_unique<DeviceStages>(Place().opened().queue(), extents);
    for (const Array array : kept) host->write(array, stages.read(array));
    return host;
}

} // namespace scree::impact2d
