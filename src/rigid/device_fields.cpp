// SPDX-License-Identifier: MIT
// device_fields.cpp — fields of worlds on a device: what their kernel reads, and its launch.

#include "rigid/device_worlds.h"
#include "rigid/softness.h"

namespace scree {

using A = WorldArray;

/// Made anew when fields, bodies or shapes have changed; worlds without fields have no lists.
void DeviceWorlds::stage_fields() {
    fields_stale_ = false;
    std::vector<float> quads;
    std::vector<std::uint32_t> words;
    for (const Member& member : members_) {
        words.push_back(static_cast<std::uint32_t>(quads.size() / (4 * FIELD_QUADS)));
        if (member.world)
            quads.insert(quads.end(), member.world->fields.quads.begin(), member.world->fields.quads.end());
    }
    fields_ = static_cast<std::uint32_t>(quads.size() / (4 * FIELD_QUADS));
    words.push_back(fields_);
    if (!fields_) return;
    const std::size_t first = words.size();
    const std::uint32_t bodies = params_.bodies;
    words.resize(first + bodies + 1);
    for (std::uint32_t b = 0; b < bodies; ++b) {
        words[first + b] = static_cast<std::uint32_t>(words.size());
        const std::uint32_t world = b / stride_.bodies, base = world * stride_.shapes;
        if (!members_[world].world || members_[world].world->fields.quads.empty()) continue;
        const BodyRecord& record = body(b);
        if (!record.alive) continue;
        for (std::uint32_t s = record.first_shape; s != none; s = shape(base + s).next)
            if (!shape(base + s).definition.sensor) words.push_back(base + s);
    }
    words[first + bodies] = static_cast<std::uint32_t>(words.size());
    reserve(A::fields, quads.size());
    reserve(A::field_shapes, words.size());
    device_->upload(array(A::fields), quads.data(), 4 * quads.size());
    device_->upload(array(A::field_shapes), words.data(), 4 * words.size());
}

void DeviceWorlds::apply_fields() {
    if (fields_stale_) stage_fields();
    if (!fields_) return;
    rigid::WorldParams p = params_;
    p.first = static_cast<std::uint32_t>(members_.size()) + 1;
    p.count = substeps_of(settings());
    run(KernelId::world_fields, params_.bodies, p);
}

} // namespace scree
