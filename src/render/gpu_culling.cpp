// SPDX-License-Identifier: MIT
// gpu_culling.cpp — see gpu_culling.h.
#include "render/gpu_culling.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace scree::render {

namespace {

constexpr std::uint32_t group_size = chunk_size;
constexpr std::uint32_t item_results = 8; ///< words: low and 0, high and 0

std::uint32_t groups_of(std::uint32_t count) { return (count + group_size - 1) / group_size; }

float from_ordered(std::uint32_t word) {
    return std::bit_cast<float>(word & 0x80000000u ? word ^ 0x80000000u : ~word);
}

} // namespace

bool GpuCulling::grow(Owned<BufferId>& buffer, std::size_t& size, std::size_t bytes) {
    if (buffer && bytes <= size) return false;
    const std::size_t room = std::max<std::size_t>(bytes + bytes / 2, 256);
    buffer = {backend_, backend_.create_buffer(BufferKind::storage, room)};
    size = room; // what is refused leaves the old buffer and its size
    return true;
}

void GpuCulling::release() {
    for (Owned<BufferId>* buffer : {&totals_, &shown_, &cells_, &bound_buffer_, &listed_buffer_,
                                    &size_buffer_, &counts_, &ids_, &commands_, &result_buffer_})
        *buffer = {};
    for (Set& set : sets_) set.buffer = {};
    main_jobs_ = main_before_ = 0;
}

void GpuCulling::begin_items() {
    items_.clear();
    listed_.clear();
    bound_jobs_.clear();
    bound_groups_ = 0;
}

void GpuCulling::add_item(std::span<const std::uint32_t> records, bool bounded) {
    const Item item{static_cast<std::uint32_t>(listed_.size()), static_cast<std::uint32_t>(records.size()),
                    bounded};
    listed_.insert(listed_.end(), records.begin(), records.end());
    if (bounded && item.count > 0) {
        CullJob job;
        job.first_listed = item.first;
        job.count = item.count;
        job.first_group = bound_groups_;
        job.groups = groups_of(item.count);
        job.result = item_results * static_cast<std::uint32_t>(items_.size());
        bound_groups_ += job.groups;
        bound_jobs_.push_back(job);
    }
    items_.push_back(item);
}

void GpuCulling::end_items() {
    std::uint32_t records = 0;
    for (const std::uint32_t record : listed_) records = std::max(records, record + 1);
    record_room_ = records;
    sizes_.assign(2 * std::size_t{records}, 0);
    for (const std::uint32_t record : listed_) {
        sizes_[2 * std::size_t{record}] = instances_.reach(record);
        sizes_[2 * std::size_t{record} + 1] = instances_.extent(record);
    }
    grow(listed_buffer_, listed_size_, 4 * listed_.size());
    grow(size_buffer_, sizes_size_, 4 * sizes_.size());
    backend_.update_buffer(listed_buffer_, 0, bytes_of(listed_));
    backend_.update_buffer(size_buffer_, 0, bytes_of(sizes_));
    send_jobs(bound_buffer_, bound_size_, bound_jobs_, bound_groups_);
    main_jobs_ = main_before_ = 0;
}

void GpuCulling::send_jobs(Owned<BufferId>& buffer, std::size_t& size, const std::vector<CullJob>& jobs,
                           std::uint32_t groups) {
    const std::uint32_t head[4] = {static_cast<std::uint32_t>(jobs.size()), groups, 0, 0};
    job_bytes_.resize(sizeof head + jobs.size() * sizeof(CullJob));
    std::memcpy(job_bytes_.data(), head, sizeof head);
    if (!jobs.empty())
        std::memcpy(job_bytes_.data() + sizeof head, jobs.data(), jobs.size() * sizeof(CullJob));
    grow(buffer, size, job_bytes_.size());
    backend_.update_buffer(buffer, 0, bytes_of(job_bytes_));
}

void GpuCulling::bind() {
    instances_.bind();
    backend_.bind_storage(1, listed_buffer_);
    backend_.bind_storage(2, size_buffer_);
    backend_.bind_storage(6, result_buffer_);
    if (shown_) backend_.bind_storage(8, shown_);
    if (cells_) backend_.bind_storage(9, cells_);
}

void GpuCulling::measure(std::vector<Bounds>& bounds) {
    bounds.assign(items_.size(), {});
    const std::size_t first = item_results * items_.size();
    // the numbers of the frame before lie behind
    grow(result_buffer_, results_size_, 4 * (first + main_jobs_));
    results_.assign(first + main_jobs_, 0);
    for (std::size_t i = 0; i < items_.size(); ++i)
        std::fill_n(results_.begin() + static_cast<std::ptrdiff_t>(item_results * i), 3, 0xffffffffu);
    if (first > 0) backend_.update_buffer(result_buffer_, 0, std::as_bytes(std::span(results_).first(first)));
    bind();
    backend_.bind_program(programs_(Shader::cull_bounds));
    backend_.bind_storage(0, bound_buffer_);
    backend_.dispatch(bound_groups_);
    if (results_.empty()) return;
    backend_.read_buffer(result_buffer_, 0, std::as_writable_bytes(std::span(results_)));
    seen_before_ = 0;
    for (std::size_t j = 0; j < main_before_; ++j) seen_before_ += results_[first + j];
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const std::uint32_t* words = results_.data() + item_results * i;
        if (!items_[i].bounded || words[0] == 0xffffffffu) continue;
        bounds[i] = {{from_ordered(words[0]), from_ordered(words[1]), from_ordered(words[2])},
                     {from_ordered(words[4]), from_ordered(words[5]), from_ordered(words[6])}};
    }
}

void GpuCulling::begin_frame() {
    for (Set& set : sets_) {
        set.jobs.clear();
        set.groups = set.keys = set.counts = 0;
    }
    outs_ = slots_ = main_jobs_ = cells_used_ = 0;
}

void GpuCulling::hide(CullJob& job, const HidingView& view, Turn turn) const {
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column)
            job.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
                view.matrix.at(row, column);
    job.size = {static_cast<float>(view.width), static_cast<float>(view.height)};
    job.turn = turn == Turn::first ? 1 : 2;
    job.first_hidden = view.number * record_room_;
    job.first_cell = view.first_cell;
}

std::uint32_t GpuCulling::add_cells(int width, int height) {
    const auto cells = [&](int side) {
        return static_cast<std::uint32_t>((width + side - 1) / side * ((height + side - 1) / side));
    };
    return std::exchange(cells_used_, cells_used_ + cells(2) + cells(8) + cells(32));
}

void GpuCulling::take_depths(TextureId depths, bool several_samples, int width, int height) {
    backend_.bind_program(programs_(several_samples ? Shader::cull_depths_samples : Shader::cull_depths));
    backend_.bind_depths(depths);
    backend_.bind_storage(9, cells_);
    backend_.dispatch(static_cast<std::uint32_t>((width + 31) / 32 * ((height + 31) / 32)));
}

GpuCulling::Lists GpuCulling::add(std::uint32_t number, CullJob job, std::span<const MeshId> meshes,
                                  Turn turn) {
    const Item& item = items_[number];
    Set& set = sets_[static_cast<std::size_t>(turn)];
    job.first_listed = item.first;
    job.count = item.count;
    job.first_group = set.groups;
    job.groups = groups_of(item.count);
    job.first_out = outs_;
    job.stride = (item.count + cluster_size - 1) / cluster_size * cluster_size;
    job.first_command = slots_;
    job.commands = static_cast<std::uint32_t>(meshes.size());
    // the first turn counts what the others draw, too
    job.result = turn == Turn::first ? item_results * static_cast<std::uint32_t>(items_.size()) +
                                           static_cast<std::uint32_t>(set.jobs.size())
                                     : 0xffffffffu;
    for (std::size_t c = 0; c < meshes.size(); ++c) {
        const MeshRange& range = meshes_.range(meshes[c]);
        job.triangles[c] = {range.first_index, range.index_count, range.first_cluster, range.cluster_count};
        job.lines[c] = {range.first_line, range.line_count, 0, 0};
    }
    job.keys = (job.casters ? 1 : 2 * job.levels * job.bins) + (job.turn ? 1 : 0);
    job.first_key = set.keys;
    job.first_count = set.counts;
    set.keys += job.keys;
    set.counts += job.keys * job.groups;
    set.groups += job.groups;
    outs_ += job.levels * job.stride;
    slots_ += job.commands;
    set.jobs.push_back(job);
    return {job.first_command, job.first_out, job.stride};
}

void GpuCulling::run(Turn turn) {
    Set& set = sets_[static_cast<std::size_t>(turn)];
    if (turn == Turn::first) {
        main_before_ = main_jobs_;
        std::uint32_t counts = 0, keys = 0;
        for (Set& each : sets_) {
            counts = std::max(counts, each.counts);
            keys = std::max(keys, each.keys);
            grow(each.buffer, each.size, 16 + each.jobs.size() * sizeof(CullJob));
        }
        grow(counts_, counts_size_, 4 * std::size_t{counts});
        grow(totals_, totals_size_, 4 * std::size_t{keys});
        grow(ids_, ids_size_, 4 * std::size_t{outs_});
        grow(commands_, commands_size_, command_bytes * commands_each * slots_);
        grow(result_buffer_, results_size_, 4 * (item_results * items_.size() + set.jobs.size()));
        // what is noted there is a guess. Any number gives the same picture, but for two things whose depths are equal to the last bit:
        // there the one that is drawn first is seen, so the first picture has all of them in the order of the CPU
        if (cells_used_ > 0) {
            if (grow(shown_, shown_size_, 4 * std::size_t{most_hiding_views} * record_room_)) {
                const std::vector<std::uint32_t> all(shown_size_ / 4, 1);
                backend_.update_buffer(shown_, 0, bytes_of(all));
            }
            grow(cells_, cells_size_, 4 * std::size_t{cells_used_});
        }
    }
    if (set.jobs.empty()) return;
    send_jobs(set.buffer, set.size, set.jobs, set.groups);
    bind();
    backend_.bind_storage(0, set.buffer);
    backend_.bind_storage(3, counts_);
    backend_.bind_storage(4, ids_);
    backend_.bind_storage(5, commands_);
    backend_.bind_storage(7, totals_);
    backend_.bind_program(programs_(Shader::cull_count));
    backend_.dispatch(set.groups);
    backend_.bind_program(programs_(Shader::cull_sum));
    backend_.dispatch(set.keys);
    backend_.bind_program(programs_(Shader::cull_scan));
    backend_.dispatch(static_cast<std::uint32_t>(set.jobs.size()));
    backend_.bind_program(programs_(Shader::cull_place));
    backend_.dispatch(set.groups);
}

} // namespace scree::render
