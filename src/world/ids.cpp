// SPDX-License-Identifier: MIT
// ids.cpp — see ids.h.

#include "world/ids.h"

#include <atomic>

namespace scree {

std::uint32_t next_world_tag() {
    static std::atomic<std::uint32_t> worlds{0};
    return 1 + worlds.fetch_add(1, std::memory_order_relaxed) % 255;
}

void refuse_id(const char* kind, std::uint32_t index, std::uint32_t generation, std::uint32_t slots,
               std::uint32_t tag) {
    const std::string name = std::string(kind) + " " + std::to_string(index) + " of generation " +
                             std::to_string(generation & last_generation);
    if (generation == 0)
        throw Error("this id was never given to a " + std::string(kind) + " (index " + std::to_string(index) +
                        ", generation 0)",
                    kind);
    if (generation >> tag_shift != tag) throw Error(name + " belongs to another world", kind);
    if (index >= slots)
        throw Error(name + " does not exist; expected an index below " + std::to_string(slots), kind);
    throw Error(name + " was destroyed", kind);
}

} // namespace scree
