// SPDX-License-Identifier: MIT
// seed_grid.cpp — see seed_grid.h.

#include "collision/seed_grid.h"

#include "device/cpu/radix_sort.h"
#include "scree/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

namespace scree {

namespace {

// a little above the root of two: the surplus outweighs the rounding of everything computed here in double
constexpr double enlargement = 1.4142136;
constexpr std::uint32_t phantom = 0x80000000u;

// objects or entries that a worker takes at a time; cells of a crowd are large, so there are many chunks
constexpr std::size_t grain = 64;
std::size_t chunks_of(std::size_t count) { return (count + grain - 1) / grain; }

/// work(chunk, begin, end); what is handed on is one pointer, for which std::function takes no memory
template <class Work>
void each_chunk(TaskSystem& tasks, std::size_t count, const Work& work) {
    const auto one = [&](int chunk) {
        const std::size_t c = static_cast<std::size_t>(chunk), begin = grain * c;
        work(c, begin, std::min(begin + grain, count));
    };
    tasks.run(static_cast<int>(chunks_of(count)), [&one](int chunk) { one(chunk); });
}

bool is_bounded(std::uint8_t extent) { return extent == static_cast<std::uint8_t>(Extent::bounded); }
bool is_plane(std::uint8_t extent) { return extent == static_cast<std::uint8_t>(Extent::plane); }

// a whole number modulo 2^bits; exact however large it is
std::uint32_t wrapped(double index, int bits) {
    const double range = static_cast<double>(std::uint64_t{1} << bits);
    return static_cast<std::uint32_t>(index - std::floor(index / range) * range);
}

unsigned label_of(const std::array<std::uint32_t, 3>& index) {
    return 1 + (index[0] & 1) + 2 * (index[1] & 1) + 4 * (index[2] & 1);
}

void check_bits(const std::array<int, 3>& bits) {
    for (const int b : bits)
        if (b < 0 || b > 32) throw Error(std::to_string(b) + " bits for an axis; 0 to 32 fit", "grid_bits");
    const int all = bits[0] + bits[1] + bits[2];
    if (all > 32) throw Error(std::to_string(all) + " bits for the three axes; 32 fit", "grid_bits");
}

} // namespace

std::uint32_t SeedGridFrame::id(const std::array<std::uint32_t, 3>& index) const {
    const std::uint64_t x = index[0], y = std::uint64_t{index[1]} << bits[0],
                        z = std::uint64_t{index[2]} << (bits[0] + bits[1]);
    return static_cast<std::uint32_t>(x | y | z);
}

SeedCells seed_cells(const SeedGridFrame& frame, const float* sphere) {
    const double from[3] = {double{sphere[0]} - double{frame.origin.x},
                            double{sphere[1]} - double{frame.origin.y},
                            double{sphere[2]} - double{frame.origin.z}};
    const double reach = enlargement * double{sphere[3]};
    std::array<std::uint32_t, 3> home, beside;
    double distance[3]; // squared, to the nearer neighbour along the axis
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int bits = frame.bits[axis];
        const double at = from[axis] / frame.cell;
        const double index = std::floor(at);
        const double below = (at - index) * frame.cell, above = frame.cell - below;
        const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
        home[axis] = wrapped(index, bits);
        // a cell is at least three times as wide as the enlarged radius: the farther neighbour is out of reach
        beside[axis] = (below < above ? home[axis] - 1 : home[axis] + 1) & all;
        const double nearer = below < above ? below : above;
        distance[axis] = nearer * nearer;
    }
    SeedCells cells;
    unsigned mask = 0;
    // bit i of `moved`: the neighbour along axis i; 0 is the home
    for (unsigned moved = 0; moved < 8; ++moved) {
        std::array<std::uint32_t, 3> index = home;
        double apart = 0;
        bool exists = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if ((moved >> axis & 1) == 0) continue;
            index[axis] = beside[axis];
            apart += distance[axis];
            if (frame.bits[axis] == 0) exists = false; // one cell is all there is
        }
        if (moved != 0 && (!exists || apart > reach * reach)) continue;
        const auto next = static_cast<std::size_t>(cells.count++);
        const unsigned label = label_of(index);
        cells.id[next] = frame.id(index);
        cells.label[next] = static_cast<std::uint8_t>(label);
        mask |= seed_label_bit(label);
    }
    cells.control = seed_control(cells.label[0], mask);
    return cells;
}

void SeedGrid::prepare(const SeedGridInput& input) {
    check_bits(input.bits);
    if (!std::isfinite(input.cell))
        throw Error("invalid value " + std::to_string(input.cell) + ": expected a finite number",
                    "grid_cell");
    for (const float at : {input.origin.x, input.origin.y, input.origin.z})
        if (!std::isfinite(at))
            throw Error("invalid value " + std::to_string(at) + ": expected a finite number", "grid_origin");
    const auto n = static_cast<std::uint32_t>(input.body.size());
    assert(input.spheres.size() == 4 * std::size_t{n} && input.unbounded.size() == n);
    object_.resize(n);
    bounded_ = 0;
    std::uint32_t back = n;
    double largest = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (!is_bounded(input.unbounded[i])) {
            object_[--back] = i;
            continue;
        }
        object_[bounded_++] = i;
        const float* sphere = input.spheres.data() + 4 * std::size_t{i};
        for (int k = 0; k < 4; ++k)
            if (!std::isfinite(sphere[k]))
                throw Error("the sphere of object " + std::to_string(i) +
                                " is not finite: " + std::to_string(sphere[k]),
                            "grid");
        if (sphere[3] < 0)
            throw Error("the sphere of object " + std::to_string(i) +
                            " has a negative radius: " + std::to_string(sphere[3]),
                        "grid");
        largest = std::max(largest, double{sphere[3]});
    }
    const double least = 1.5 * 2 * enlargement * largest;
    frame_.cell = std::max(least, double{input.cell});
    if (!(frame_.cell > 0)) frame_.cell = 1; // points only
    frame_.origin = input.origin;
    frame_.bits = input.bits;
}

void SeedGrid::make_entries(TaskSystem& tasks, const SeedGridInput& input) {
    prepare(input);
    control_.resize(bounded_);
    cell_.resize(bounded_);
    entry_.resize(bounded_);
    const std::size_t chunks = chunks_of(bounded_);
    if (phantoms_.size() < chunks) phantoms_.resize(chunks);
    each_chunk(tasks, bounded_, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        Phantoms& mine = phantoms_[chunk];
        mine.cell.clear();
        mine.entry.clear();
        for (std::size_t k = begin; k < end; ++k) {
            const auto i = static_cast<std::uint32_t>(k);
            const SeedCells cells = seed_cells(frame_, input.spheres.data() + 4 * std::size_t{object_[i]});
            control_[i] = cells.control;
            cell_[i] = cells.id[0];
            entry_[i] = i;
            for (std::size_t other = 1; other < static_cast<std::size_t>(cells.count); ++other) {
                mine.cell.push_back(cells.id[other]);
                mine.entry.push_back(i | phantom);
            }
        }
    });
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const Phantoms& of = phantoms_[chunk];
        cell_.insert(cell_.end(), of.cell.begin(), of.cell.end());
        entry_.insert(entry_.end(), of.entry.begin(), of.entry.end());
    }
    const std::size_t count = cell_.size();
    spare_cell_.resize(count);
    spare_entry_.resize(count);
    radix_sort(tasks, cell_.data(), entry_.data(), spare_cell_.data(), spare_entry_.data(),
               static_cast<std::uint32_t>(count), input.bits[0] + input.bits[1] + input.bits[2], histogram_);
}

template <class Test>
void SeedGrid::walk(const SeedGridInput& input, std::size_t begin, std::size_t stop, Test test) const {
    const std::size_t count = cell_.size();
    // a cell that began before belongs to who has its first entry
    while (begin > 0 && begin < stop && cell_[begin] == cell_[begin - 1]) ++begin;
    while (begin < stop) {
        std::size_t homes = begin, end = begin;
        while (homes < count && cell_[homes] == cell_[begin] && (entry_[homes] & phantom) == 0) ++homes;
        for (end = homes; end < count && cell_[end] == cell_[begin];) ++end;
        for (std::size_t h = begin; h < homes; ++h) {
            const std::uint32_t one = entry_[h], first = object_[one];
            for (std::size_t other = h + 1; other < end; ++other) {
                const std::uint32_t two = entry_[other] & ~phantom, second = object_[two];
                if (input.body[first] == input.body[second]) continue;
                if (other >= homes && !seed_tests(control_[one], control_[two])) continue;
                test(first, second);
            }
        }
        begin = end;
    }
}

template <class Find>
void SeedGrid::find_in_chunks(TaskSystem& tasks, std::size_t count, std::vector<ProxyPair>& out,
                              const Find& find) {
    if (tasks.workers() == 1) {
        find(0, count, out);
        return;
    }
    const std::size_t chunks = chunks_of(count);
    if (found_.size() < chunks) found_.resize(chunks);
    each_chunk(tasks, count, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        found_[chunk].clear();
        find(begin, end, found_[chunk]);
    });
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        out.insert(out.end(), found_[chunk].begin(), found_[chunk].end());
}

void SeedGrid::pairs(TaskSystem& tasks, const SeedGridInput& input, std::vector<ProxyPair>& out) {
    make_entries(tasks, input);
    const float* spheres = input.spheres.data();
    const auto near = [&](std::uint32_t a, std::uint32_t b) {
        return spheres_overlap(spheres + 4 * std::size_t{a}, spheres + 4 * std::size_t{b});
    };
    find_in_chunks(tasks, cell_.size(), out,
                   [&](std::size_t begin, std::size_t end, std::vector<ProxyPair>& mine) {
                       walk(input, begin, end, [&](std::uint32_t a, std::uint32_t b) {
                           if (near(a, b)) mine.push_back(ordered(a, b));
                       });
                   });
    find_in_chunks(tasks, bounded_, out,
                   [&](std::size_t begin, std::size_t end, std::vector<ProxyPair>& mine) {
                       for (std::size_t i = begin; i < end; ++i)
                           for (std::size_t k = object_.size(); k > bounded_; --k) {
                               const std::uint32_t a = object_[i], b = object_[k - 1];
                               if (input.body[a] == input.body[b]) continue;
                               if (is_plane(input.unbounded[b]) || near(a, b)) mine.push_back(ordered(a, b));
                           }
                   });
}

void SeedGrid::candidates(TaskSystem& tasks, const SeedGridInput& input, std::vector<ProxyPair>& out) {
    make_entries(tasks, input);
    find_in_chunks(
        tasks, cell_.size(), out, [&](std::size_t begin, std::size_t end, std::vector<ProxyPair>& mine) {
            walk(input, begin, end, [&](std::uint32_t a, std::uint32_t b) { mine.push_back(ordered(a, b)); });
        });
}

std::size_t SeedGrid::memory() const {
    std::size_t chunks =
        phantoms_.capacity() * sizeof(Phantoms) + found_.capacity() * sizeof(std::vector<ProxyPair>);
    for (const Phantoms& of : phantoms_) chunks += 4 * (of.cell.capacity() + of.entry.capacity());
    for (const std::vector<ProxyPair>& of : found_) chunks += of.capacity() * sizeof(ProxyPair);
    return chunks +
           (object_.capacity() + cell_.capacity() + entry_.capacity() + spare_cell_.capacity() +
            spare_entry_.capacity() + histogram_.capacity()) *
               sizeof(std::uint32_t) +
           control_.capacity() * sizeof(std::uint16_t);
}

} // namespace scree
