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

void GpuCulling::grow(Owned<BufferId>& buffer, std::size_t& size, std::size_t bytes) {
    if (buffer && bytes <= size) return;
    const std::size_t room = std::max<std::size_t>(bytes + bytes / 2, 256);
    buffer = {backend_, backend_.create_buffer(BufferKind::storage, room)};
    size = room; // what is refused leaves the old buffer and its size
}

void GpuCulling::release() {
    for (Owned<BufferId>* buffer : {&totals_, &job_buffer_, &bound_buffer_, &listed_buffer_, &size_buffer_,
                                    &counts_, &ids_, &commands_, &result_buffer_})
        *buffer = {};
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
    jobs_.clear();
    groups_ = outs_ = slots_ = main_jobs_ = keys_ = counts_used_ = 0;
}

GpuCulling::Lists GpuCulling::add(std::uint32_t number, CullJob job, std::span<const MeshId> meshes) {
    const Item& item = items_[number];
    job.first_listed = item.first;
    job.count = item.count;
    job.first_group = groups_;
    job.groups = groups_of(item.count);
    job.first_out = outs_;
    job.stride = (item.count + cluster_size - 1) / cluster_size * cluster_size;
    job.first_command = slots_;
    job.commands = static_cast<std::uint32_t>(meshes.size());
    job.result =
        item_results * static_cast<std::uint32_t>(items_.size()) + static_cast<std::uint32_t>(jobs_.size());
    for (std::size_t c = 0; c < meshes.size(); ++c) {
        const MeshRange& range = meshes_.range(meshes[c]);
        job.triangles[c] = {range.first_index, range.index_count, range.first_cluster, range.cluster_count};
        job.lines[c] = {range.first_line, range.line_count, 0, 0};
    }
    job.keys = job.casters ? 1 : 2 * job.levels * job.bins;
    job.first_key = keys_;
    job.first_count = counts_used_;
    keys_ += job.keys;
    counts_used_ += job.keys * job.groups;
    groups_ += job.groups;
    outs_ += job.levels * job.stride;
    slots_ += job.commands;
    jobs_.push_back(job);
    return {job.first_command, job.first_out, job.stride};
}

void GpuCulling::run() {
    main_before_ = main_jobs_;
    if (jobs_.empty()) return;
    grow(counts_, counts_size_, 4 * std::size_t{counts_used_});
    grow(totals_, totals_size_, 4 * std::size_t{keys_});
    grow(ids_, ids_size_, 4 * std::size_t{outs_});
    grow(commands_, commands_size_, command_bytes * commands_each * slots_);
    grow(result_buffer_, results_size_, 4 * (item_results * items_.size() + jobs_.size()));
    send_jobs(job_buffer_, job_size_, jobs_, groups_);
    bind();
    backend_.bind_storage(0, job_buffer_);
    backend_.bind_storage(3, counts_);
    backend_.bind_storage(4, ids_);
    backend_.bind_storage(5, commands_);
    backend_.bind_storage(7, totals_);
    backend_.bind_program(programs_(Shader::cull_count));
    backend_.dispatch(groups_);
    backend_.bind_program(programs_(Shader::cull_sum));
    backend_.dispatch(keys_);
    backend_.bind_program(programs_(Shader::cull_scan));
    backend_.dispatch(static_cast<std::uint32_t>(jobs_.size()));
    backend_.bind_program(programs_(Shader::cull_place));
    backend_.dispatch(groups_);
}

} // namespace scree::render
