// SPDX-License-Identifier: MIT
// chain.h — chains and ropes: capsules along a line of points, each joined to the next.
//
//     const DVec3 line[] = {{0, 10, 0}, {5, 8, 0}, {10, 10, 0}};
//     Chain bridge = make_chain(world, line, {.radius = 0.05f, .link_length = 0.25f, .first = Chain::held, .last = Chain::held});
#pragma once

#include "scree/world.h"

#include <span>
#include <vector>

namespace scree {

struct Chain {
    std::vector<BodyId> links;
    std::vector<JointId> joints; ///< from end to end; those that hold the ends are the first and the last

    enum End {
        loose,
        held ///< joined to the world where it is
    };
};

struct ChainDef {
    float radius = 0.05f; ///< m, of the links; those shorter than they are thick become balls
    /// m: the line's parts are cut into equal links no longer than this; 0: each part is one link
    float link_length = 0;
    JointType joint = JointType::ball; ///< or fixed, for a stiff rod
    Chain::End first = Chain::loose, last = Chain::loose;
    BodyId first_body{}, last_body{}; ///< joined to the ends, at the line's ends
    ShapeDef shape{};                 ///< density, material and filter of the links; its pose is not used
    /// of every link: damping, speed limits and the like; pose and name are not used
    BodyDef body{.angular_damping = 0.5f};
};

/// Throws Error for fewer than two points, points that are not finite or coincide, or more than 100,000 links. Nothing is added to
/// the world then.
Chain make_chain(World& world, std::span<const DVec3> line, const ChainDef& chain = {});

} // namespace scree
