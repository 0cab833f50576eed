// SPDX-License-Identifier: MIT
// arrays.cpp — see arrays.h.
#include "cloth/arrays.h"

#include "cloth/collider_words.h"
#include "cloth/grid.h"
#include "cloth/touch.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace scree {
namespace {

/// beyond this a vertex counts as exploded, as if it were not finite
constexpr float farthest = 1e6f;

kernels::ClothParams params_of(const ClothSettings& s, const ClothFacts& f, float substep) {
    kernels::ClothParams p{};
    p.vertices = f.vertices;
    p.self_neighbours = static_cast<std::uint32_t>(s.self_neighbours);
    p.bounded_damping = s.bounded_damping;
    p.weighted_projection = s.weighted_projection;
    p.push_from_inside = s.push_from_inside;
    p.ground = s.ground;
    p.sweep = !s.predicted_neighbours;
    p.inverse_step = 1.0f / substep;
    p.step_square = substep * substep;
    p.gravity_x = s.gravity.x;
    p.gravity_y = s.gravity.y;
    p.gravity_z = s.gravity.z;
    p.inverse_mass = 1.0f / f.vertex_mass;
    p.drag = s.drag / (s.physical_mass ? s.mass : f.vertex_mass);
    p.rest_x = f.rest_x;
    p.rest_z = f.rest_z;
    p.rest_across = f.rest_across;
    p.radius = f.radius;
    p.ground_height = 0;
    const bool springs = s.model == ClothModel::mass_spring;
    const auto stiffness = [&](float share) {
        return springs ? s.stiffness * share : std::clamp(s.stiffness * share * 0.0005f, 0.0f, 1.0f);
    };
    p.axis_stiffness = stiffness(s.group_stiffness.x);
    p.diagonal_stiffness = stiffness(s.group_stiffness.y);
    p.second_stiffness = stiffness(s.group_stiffness.z);
    p.axis_damping = s.damping * s.group_damping.x;
    p.diagonal_damping = s.damping * s.group_damping.y;
    p.second_damping = s.damping * s.group_damping.z;
    // at most six springs act along one direction, each on both ends
    p.damping_limit = f.vertex_mass / (12 * substep);
    p.friction = s.friction;
    p.farthest = farthest;
    return p;
}

} // namespace

ClothArrays::ClothArrays(std::shared_ptr<Device> device, std::uint64_t most_memory)
    : device_(std::move(device)), most_memory_(most_memory) {}

ClothArrays::~ClothArrays() {
    for (Buffers& sheet : sheets_)
        for (Buffer& buffer : sheet) device_->release(buffer);
    for (Buffer& buffer : shared_) device_->release(buffer);
}

std::uint64_t ClothArrays::bytes() const {
    std::uint64_t sum = 0;
    for (const Buffer& buffer : shared_) sum += buffer.bytes;
    for (const Buffers& sheet : sheets_)
        for (const Buffer& buffer : sheet) sum += buffer.bytes;
    return sum;
}

void ClothArrays::resize(Buffer& buffer, std::size_t items) {
    const std::size_t padding = device_->padding();
    const std::size_t wanted = (std::max<std::size_t>(items, 1) + padding - 1) / padding * padding * 16;
    if (buffer.bytes == wanted) return;
    device_->release(buffer);
    buffer = device_->allocate_within(most_memory_, bytes(), wanted);
    device_->fill(buffer, 0, wanted / 4);
}

void ClothArrays::put(Buffer& buffer, const std::vector<float>& words) {
    resize(buffer, words.size() / 4);
    if (!words.empty()) device_->upload(buffer, words.data(), words.size() * 4);
}

void ClothArrays::upload_neighbours(const ClothFacts& facts) {
    // vertices behind the last one, which lanes compute, are neighbours of themselves
    const std::uint32_t padding = device_->padding();
    const std::uint32_t items = (facts.vertices + padding - 1) / padding * padding;
    std::array<std::vector<float>, 3> words;
    for (auto& list : words) list.reserve(std::size_t{4} * items);
    for (std::uint32_t i = 0; i < items; ++i) {
        std::array<ClothNeighbour, 12> all;
        if (i < facts.vertices) all = neighbours_of(facts, i);
        else all.fill({i, 0});
        for (std::size_t k = 0; k < 12; ++k) words[k / 4].push_back(std::bit_cast<float>(all[k].vertex));
    }
    put(shared_[axis], words[0]);
    put(shared_[diagonal], words[1]);
    put(shared_[second], words[2]);
}

void ClothArrays::upload(const ClothSettings& settings, int substeps,
                         const std::vector<ClothVertices>& sheets) {
    const ClothFacts facts = facts_of(settings);
    // neighbours depend on the lines alone
    const bool same_grid = facts.lines_x == facts_.lines_x && facts.lines_z == facts_.lines_z;
    facts_ = facts;
    model_ = settings.model;
    substeps_ = substeps;
    iterations_ = settings.iterations;
    substep_ = settings.time_step / static_cast<float>(substeps);
    params_ = params_of(settings, facts, substep_);
    if (!same_grid || shared_[axis].bytes == 0) upload_neighbours(facts);
    for (std::size_t k = sheets.size(); k < sheets_.size(); ++k)
        for (Buffer& buffer : sheets_[k]) device_->release(buffer);
    sheets_.resize(sheets.size());
    for (std::size_t k = 0; k < sheets.size(); ++k) {
        put(sheets_[k][position], sheets[k].position);
        put(sheets_[k][last], sheets[k].last);
        resize(sheets_[k][next], facts.vertices);
        resize(sheets_[k][normal], facts.vertices);
    }
    normals_known_ = false;
}

void ClothArrays::upload_colliders(const std::vector<ClothCollider>& colliders) {
    put(shared_[collider], collider_words(colliders, substep_, params_));
}

void ClothArrays::download(std::vector<ClothVertices>& sheets) const {
    for (std::size_t k = 0; k < sheets.size(); ++k) {
        device_->download(sheets[k].position.data(), sheets_[k][position], sheets[k].position.size() * 4);
        device_->download(sheets[k].last.data(), sheets_[k][last], sheets[k].last.size() * 4);
    }
}

void ClothArrays::need_normals() {
    if (normals_known_) return;
    for (Buffers& sheet : sheets_) launch(KernelId::cloth_normals, sheet, facts_.vertices);
    normals_known_ = true;
}

std::vector<Vec3> ClothArrays::download_normals() {
    std::vector<Vec3> all;
    std::vector<float> words(std::size_t{4} * facts_.vertices);
    need_normals();
    for (Buffers& sheet : sheets_) {
        device_->download(words.data(), sheet[normal], words.size() * 4);
        for (std::size_t i = 0; i < words.size(); i += 4)
            all.push_back({words[i], words[i + 1], words[i + 2]});
    }
    return all;
}

void ClothArrays::write_vertices(SharedVertices& to) {
    const std::size_t each = std::size_t{facts_.vertices}, all = each * sheets_.size();
    if (all > to.room || !to.memory || to.memory->bytes() < 32 * std::size_t{to.room})
        throw Error("the renderer has room for " + std::to_string(to.room) + " vertices; expected " +
                        std::to_string(all),
                    "vertices");
    need_normals();
    std::vector<Device::SharedCopy> parts;
    for (std::size_t k = 0; k < sheets_.size(); ++k) {
        parts.push_back({sheets_[k][position], 16 * each, 16 * each * k});
        parts.push_back({sheets_[k][normal], 16 * each, 16 * (to.room + each * k)});
    }
    device_->copy_to_shared(*to.memory, parts);
}

ClothArrays::Buffers ClothArrays::complete(const Buffers& sheet) const {
    Buffers all = shared_;
    for (const Slot slot : own) all[slot] = sheet[slot];
    return all;
}

void ClothArrays::launch(KernelId kernel, Buffers& sheet, std::uint32_t items) {
    const Buffers all = complete(sheet);
    device_->launch(kernel, items, all, &params_, sizeof params_);
}

void ClothArrays::take_next(Buffers& sheet, Slot replaced) {
    const Buffer free = sheet[replaced];
    if (replaced == last) sheet[last] = sheet[position];
    sheet[position] = sheet[next];
    sheet[next] = free;
}

/// From (position, last) to the next position, which is then position; last is where the substep began.
void ClothArrays::move(Buffers& sheet) {
    const std::uint32_t n = facts_.vertices;
    launch(model_ == ClothModel::mass_spring ? KernelId::cloth_swing : KernelId::cloth_predict, sheet, n);
    take_next(sheet, last);
    if (model_ == ClothModel::mass_spring) return;
    for (int k = params_.sweep ? 1 : 0; k < iterations_; ++k) {
        launch(KernelId::cloth_project, sheet, n);
        take_next(sheet, position);
    }
}

void ClothArrays::run_step(std::vector<ClothCollider>& colliders, const std::optional<ClothTouch>& touch) {
    const bool moving = std::any_of(colliders.begin(), colliders.end(),
                                    [](const ClothCollider& c) { return c.velocity != Vec3{}; });
    for (int k = 0; k < substeps_; ++k) {
        if (moving) {
            for (ClothCollider& each : colliders) each.position += each.velocity * substep_;
            upload_colliders(colliders);
        }
        params_.touched = 0;
        if (touch && k == 0) set_touch(params_, *touch);
        device_->mark(static_cast<int>(ClothStage::motion));
        for (Buffers& sheet : sheets_) move(sheet);
        device_->mark(static_cast<int>(ClothStage::collision));
        for (Buffers& sheet : sheets_) {
            launch(KernelId::cloth_collide, sheet, facts_.vertices);
            take_next(sheet, position);
        }
    }
    device_->mark(static_cast<int>(ClothStage::normals));
    for (Buffers& sheet : sheets_) launch(KernelId::cloth_normals, sheet, facts_.vertices);
    device_->mark(-1);
    normals_known_ = true;
}

std::array<float, 4> ClothArrays::reduce(KernelId first, KernelId further, Buffers& sheet) {
    resize(shared_[survey_in], facts_.vertices);
    resize(shared_[survey_out], facts_.vertices);
    launch(first, sheet, facts_.vertices);
    std::uint32_t items = facts_.vertices;
    while (items > 1) {
        std::swap(shared_[survey_in], shared_[survey_out]);
        params_.survey_items = items;
        items = (items + CLOTH_SURVEY_ITEMS - 1) / CLOTH_SURVEY_ITEMS;
        launch(further, sheet, items);
    }
    std::array<float, 4> left{};
    device_->download(left.data(), shared_[survey_out], sizeof left);
    return left;
}

ClothSurvey ClothArrays::survey() {
    ClothSurvey sum;
    sum.bottom = sheets_.empty() ? 0 : 1e300;
    const double step = double{substep_} * substeps_;
    double moved = 0;
    for (Buffers& sheet : sheets_) {
        const auto words = reduce(KernelId::cloth_survey_start, KernelId::cloth_survey, sheet);
        sum.max_jitter = std::max(sum.max_jitter, double{words[0]} * step);
        moved += double{words[1]} * step;
        sum.bottom = std::min(sum.bottom, double{words[2]});
        sum.frozen += static_cast<std::uint32_t>(words[3]);
    }
    if (!sheets_.empty()) sum.mean_jitter = moved / static_cast<double>(facts_.vertices * sheets_.size());
    return sum;
}

std::vector<std::array<Vec3, 2>> ClothArrays::extents() {
    std::vector<std::array<Vec3, 2>> all;
    for (Buffers& sheet : sheets_) {
        const auto corner = [&](float sign) {
            params_.extent_sign = sign;
            const auto most = reduce(KernelId::cloth_extent_start, KernelId::cloth_extent, sheet);
            return Vec3{most[0] * sign, most[1] * sign, most[2] * sign};
        };
        const Vec3 low = corner(-1);
        all.push_back({low, corner(1)});
    }
    return all;
}

} // namespace scree
