// SPDX-License-Identifier: MIT
// attach_parts.cpp — the parts of a decomposed mesh as shapes of one body.
#include "scree/decompose.h"
#include "scree/error.h"
#include "scree/world.h"

#include <string>

namespace scree {

std::vector<ShapeId> attach_parts(World& world, BodyId body, std::span<const Hull> parts,
                                  const ShapeDef& def) {
    // before the first one is attached
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parts[i]) throw Error("part " + std::to_string(i) + " is an empty hull", "attach_parts");
    std::vector<ShapeId> out;
    for (const Hull& part : parts) out.push_back(world.attach(body, part, def));
    return out;
}

} // namespace scree
