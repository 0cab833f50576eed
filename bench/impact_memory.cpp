// SPDX-License-Identifier: MIT
// impact_memory.cpp — see impact_memory.h.
#include "impact_memory.h"

#include "collision/pair_map.h"
#include "impact_rooms.h"
#include "rigid/step_arena.h"
#include "scree/world.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <unordered_map>

namespace scree::bench {

namespace {

/// Bytes that an impact asks for: rows of a contact, pairs that began, lists of bodies that press each other.
constexpr std::array<std::size_t, 8> sizes{608, 32, 152, 1216, 24, 256, 64, 4096};
constexpr int rounds = 200'000;

/// The least of several runs: other programs only add to it. Nanoseconds for each of `count`.
template <class Run>
double least_ns(double count, const Run& run) {
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 7; ++k) {
        const Clock clock;
        run();
        best = std::min(best, clock.seconds());
    }
    return 1e9 * best / count;
}

struct Heap {
    static void* take(std::size_t size, std::size_t) { return ::operator new(size); }
    static void give_back(void* memory, std::size_t) { ::operator delete(memory); }
};

/// Takes all sizes and gives them back in the opposite order, as functions do that call each other.
template <class Memory>
void take_and_give(Memory& memory) {
    std::array<void*, sizes.size()> taken;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        taken[k] = memory.take(sizes[k], 8);
        *static_cast<volatile char*>(taken[k]) = 1;
    }
    for (std::size_t k = sizes.size(); k-- > 0;) memory.give_back(taken[k], sizes[k]);
}
template <class Memory>
double ns_of(Memory& memory) {
    return least_ns(double(rounds) * sizes.size(), [&] {
        for (int k = 0; k < rounds; ++k) take_and_give(memory);
    });
}

/// 500 pairs of which one ends and another begins, again and again.
template <class Begin, class End>
double ns_of_pairs(const Begin& begin, const End& end) {
    constexpr std::uint64_t held = 500, step = 0x9e3779b97f4a7c15u;
    for (std::uint64_t k = 0; k < held; ++k) begin((k + 1) * step);
    std::uint64_t next = held + 1;
    return least_ns(rounds, [&] {
        for (int k = 0; k < rounds; ++k, ++next) end((next - held) * step), begin(next * step);
    });
}

} // namespace

void memory_of_steps(Table& table) {
    std::printf("\nBM3-10: an allocation and its end, ns of the processor\n%-22s %9s %9s %9s\n", "", "heap",
                "own", "ratio");
    StepArena arena;
    Heap general;
    const double heap = ns_of(general);
    const double own = [&] {
        const StepArena::Scope scope(arena);
        return ns_of(arena);
    }();
    table.row("BM3-10 arena", "%9.2f %9.2f %9.2f", heap, own, heap / own);
    std::unordered_map<std::uint64_t, std::uint32_t> map;
    PairMap<std::uint32_t> table_of_pairs;
    const double nodes = ns_of_pairs([&](std::uint64_t key) { map.try_emplace(key, 0u); },
                                     [&](std::uint64_t key) { map.erase(key); });
    const double in_table = ns_of_pairs([&](std::uint64_t key) { table_of_pairs.add(key); },
                                        [&](std::uint64_t key) { table_of_pairs.remove(key); });
    table.row("BM3-10 pairs", "%9.2f %9.2f %9.2f", nodes, in_table, nodes / in_table);
    std::printf("\nBM3-10: memory of a world, kB\n%-22s %9s %9s %9s\n", "", "bodies", "solver", "total");
    for (const int bodies : {9, 100}) {
        RoomsWorld rooms =
            fly_in_rooms(rooms_of(bodies > 9 ? 8 : 1), bodies > 9 ? 8 : 1, bodies, 0.6f, one_thread());
        for (int k = 0; k < 120; ++k) rooms.world.step(1 / 60.0f);
        const WorldMemory memory = rooms.world.memory();
        table.row("BM3-10 world", "%9.0f %9.1f %9.1f", double(bodies),
                  static_cast<double>(memory.solver) / 1000, static_cast<double>(memory.total()) / 1000);
    }
}

} // namespace scree::bench
