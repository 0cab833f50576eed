// SPDX-License-Identifier: MIT
// seed_solver.h — the seed's model once more, sequential and in double precision, for comparison.
#pragma once

#include "scree/granular.h"
#include "support/double_vector.h"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::test {

struct SeedBody {
    DVec3 position;
    DQuat rotation;
    DVec3 momentum, angular_momentum, angular_velocity;
    double mass = 1;
    DVec3 inertia; // principal moments
    std::vector<DVec3> offsets;
};

enum class Search { seed_grid, every_pair };

/// What the thesis' sequential program does, stage by stage; with the seed's grid its flaws are included.
class SeedSolver {
public:
    SeedSolver(const GranularSettings& settings, Search search) : settings_(settings), search_(search) {}

    void add(const GranularShape& shape, const GranularBodyDef& body);
    void step();
    void step(int count) {
        for (int i = 0; i < count; ++i) step();
    }

    const std::vector<SeedBody>& bodies() const { return bodies_; }
    const std::vector<DVec3>& particle_positions() const { return positions_; }
    const std::vector<DVec3>& particle_forces() const { return forces_; }
    /// particles that found their cell full, and that lay outside the usable cells, in the last step
    int dropped() const { return dropped_; }
    int unregistered() const { return unregistered_; }
    /// ordered pairs in contact in the last step, of different bodies and of one
    int contacts() const { return contacts_; }
    int own_contacts() const { return own_contacts_; }
    double mean_height() const;
    /// kinetic and of height
    double energy() const;

private:
    void place_particles();
    void update_grid();
    void update_forces();
    void update_momenta();
    void update_bodies();
    std::vector<int> candidates(std::size_t particle) const;
    std::array<int, 3> cell(DVec3 position) const;
    DVec3 contact_force(std::size_t i, std::size_t j);
    DVec3 boundary_force(std::size_t i) const;

    GranularSettings settings_;
    Search search_;
    std::vector<SeedBody> bodies_;
    std::vector<std::size_t> owner_; // body of each particle
    std::vector<DVec3> positions_, velocities_, forces_;
    std::vector<int> counts_;
    std::vector<std::array<int, 4>> slots_;
    int dropped_ = 0, unregistered_ = 0, contacts_ = 0, own_contacts_ = 0;
};

} // namespace scree::test
