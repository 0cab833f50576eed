// SPDX-License-Identifier: MIT
// churn_pile.h — one world of `scree bench churn`, driven by its own numbers: two piles of one seed live the same life.
#pragma once

#include "scene/rotation.h"
#include "scree/world.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::bench {

struct ChurnOptions {
    std::uint32_t bodies = 100'000;
    std::uint32_t changes = 10'000;      ///< bodies destroyed in a second, and as many created
    int seconds = 60;                    ///< of the world's time
    std::string device = "cpu", compare; ///< compare: the device that runs in step; empty: none
    int threads = 0;
    std::uint64_t seed = 1;
    bool new_hulls = false;
};

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
