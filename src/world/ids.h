// SPDX-License-Identifier: MIT
// ids.h — slots and generations behind BodyId, ShapeId and JointId.
//
// The tag in a generation (rigid/storage.h) detects ids of another world. It has no effect on motion or hash.
#pragma once

#include "rigid/storage.h"
#include "scree/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// Four words a quad and four quads a body still fit the kernels' 32-bit indices.
constexpr std::uint32_t most_slots = 1u << 27;

/// 1 … 255 in turn; worlds with the same tag cannot tell their ids apart.
std::uint32_t next_world_tag();

/// Throws Error with the reason why the id is invalid.
[[noreturn]] void refuse_id(const char* kind, std::uint32_t index, std::uint32_t generation,
                            std::uint32_t slots, std::uint32_t tag);

template <class Id, class Record>
bool names_living(Id id, const std::vector<Record>& records) {
    return id.index < records.size() && records[id.index].alive &&
           records[id.index].generation == id.generation;
}

template <class Id, class Record>
std::uint32_t checked_index(Id id, const std::vector<Record>& records, std::uint32_t tag, const char* kind) {
    if (!names_living(id, records))
        refuse_id(kind, id.index, id.generation, static_cast<std::uint32_t>(records.size()), tag);
    return id.index;
}

/// Takes a freed slot with its next generation, or a new one at the end; its record is default-constructed.
template <class Record>
std::uint32_t take_slot(std::vector<Record>& records, std::vector<std::uint32_t>& free, std::uint32_t tag,
                        const char* kind) {
    std::uint32_t slot, generation = tag << tag_shift;
    if (free.empty()) {
        if (records.size() >= most_slots)
            throw Error("there are " + std::to_string(records.size()) + " already; no more are possible",
                        kind);
        slot = static_cast<std::uint32_t>(records.size());
        records.emplace_back();
    } else {
        slot = free.back();
        free.pop_back();
        generation = records[slot].generation;
        records[slot] = Record{};
    }
    records[slot].generation = generation + 1;
    records[slot].alive = true;
    return slot;
}

/// A slot whose generations are used up is never taken again.
template <class Record>
void free_slot(std::vector<Record>& records, std::vector<std::uint32_t>& free, std::uint32_t slot) {
    const std::uint32_t generation = records[slot].generation;
    records[slot] = Record{};
    records[slot].generation = generation;
    if ((generation & last_generation) < last_generation) free.push_back(slot);
}

} // namespace scree
