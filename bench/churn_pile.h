// SPDX-License-Identifier: MIT
// churn_pile.h — one world of `scree bench churn`, driven by its own numbers: two piles of one seed live the same life.
#pragma once

#include "churn.h"
#include "scene/rotation.h"
#include "scree/world.h"

#include <vector>

namespace scree::bench {

class ChurnPile {
public:
    ChurnPile(const ChurnOptions& options, const std::string& device);

    /// Destroys `count` bodies chosen at random and creates as many above the pile.
    void change(std::uint32_t count);
    void step() { world_.step(1 / 60.0f); }
    /// How many of the remembered dead ids some function of the world still takes.
    std::uint32_t dead_ids_taken();
    const World& world() const { return world_; }

private:
    void create();
    void create_pair();
    BodyId add(Vec3 position, const Geometry& geometry);
    Geometry stone();

    World world_;
    Random random_;
    bool new_hulls_;
    double half_width_ = 0, top_ = 0; ///< m
    std::vector<Hull> stones_;
    std::vector<BodyId> living_;
    std::vector<BodyId> dead_; ///< the last few
    std::size_t next_dead_ = 0;
};

} // namespace scree::bench
