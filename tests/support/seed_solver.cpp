// SPDX-License-Identifier: MIT
// seed_solver.cpp — see seed_solver.h.
#include "support/seed_solver.h"

#include <algorithm>

namespace scree::test {

void SeedSolver::add(const GranularShape& shape, const GranularBodyDef& def) {
    SeedBody body;
    body.position = wide(def.position);
    body.rotation = normalized(wide(def.rotation));
    body.mass = def.mass;
    body.momentum = body.mass * wide(def.velocity);
    body.inertia = body.mass * wide(shape.unit_inertia);
    body.angular_velocity = wide(def.angular_velocity);
    body.angular_momentum = rotated_diagonal(matrix(body.rotation), body.inertia, body.angular_velocity);
    for (const ShapeParticle& particle : shape.particles) {
        body.offsets.push_back(wide(particle.offset));
        owner_.push_back(bodies_.size());
    }
    bodies_.push_back(body);
    place_particles();
}

void SeedSolver::step() {
    update_grid();
    update_forces();
    update_momenta();
    update_bodies();
    place_particles();
}

void SeedSolver::place_particles() {
    positions_.clear();
    velocities_.clear();
    for (const SeedBody& body : bodies_) {
        const DMatrix r = matrix(body.rotation);
        for (DVec3 offset : body.offsets) {
            const DVec3 arm = r * offset;
            positions_.push_back(body.position + arm);
            velocities_.push_back((1 / body.mass) * body.momentum + cross(body.angular_velocity, arm));
        }
    }
}

std::array<int, 3> SeedSolver::cell(DVec3 p) const {
    const double side = 2.0 * settings_.particle_radius;
    const DVec3 from = p - wide(settings_.grid_min);
    const auto index = [side](double x) {
        return static_cast<int>(std::clamp(std::trunc(x / side), -1e6, 1e6));
    };
    return {index(from.x), index(from.y), index(from.z)};
}

void SeedSolver::update_grid() {
    dropped_ = unregistered_ = 0;
    if (search_ == Search::every_pair) return;
    const int m = settings_.grid_cells;
    const auto cells =
        static_cast<std::size_t>(m) * static_cast<std::size_t>(m) * static_cast<std::size_t>(m);
    counts_.assign(cells, 0);
    slots_.resize(cells);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const auto c = cell(positions_[i]);
        if (std::any_of(c.begin(), c.end(), [m](int x) { return x < 1 || x > m - 2; })) {
            ++unregistered_;
            continue;
        }
        const auto flat = static_cast<std::size_t>((c[0] * m + c[1]) * m + c[2]);
        const int slot = counts_[flat]++;
        if (slot < 4) {
            slots_[flat][static_cast<std::size_t>(slot)] = static_cast<int>(i);
        } else {
            ++dropped_;
        }
    }
}

std::vector<int> SeedSolver::candidates(std::size_t particle) const {
    std::vector<int> found;
    if (search_ == Search::every_pair) {
        for (std::size_t j = 0; j < positions_.size(); ++j) found.push_back(static_cast<int>(j));
        return found;
    }
    const int m = settings_.grid_cells;
    auto c = cell(positions_[particle]);
    for (int& x : c) x = std::clamp(x, 1, m - 2);
    for (int x = c[0] - 1; x <= c[0] + 1; ++x) {
        for (int y = c[1] - 1; y <= c[1] + 1; ++y) {
            for (int z = c[2] - 1; z <= c[2] + 1; ++z) {
                const auto flat = static_cast<std::size_t>((x * m + y) * m + z);
                const auto filled = static_cast<std::size_t>(std::min(counts_[flat], 4));
                found.insert(found.end(), slots_[flat].begin(),
                             slots_[flat].begin() + static_cast<std::ptrdiff_t>(filled));
            }
        }
    }
    return found;
}

DVec3 SeedSolver::contact_force(std::size_t i, std::size_t j) {
    const double diameter = 2.0 * settings_.particle_radius;
    const DVec3 to = positions_[j] - positions_[i];
    const double distance = length(to);
    if (distance + settings_.contact_epsilon >= diameter || distance == 0) return {};
    ++(owner_[i] == owner_[j] ? own_contacts_ : contacts_);
    return -((settings_.stiffness * (diameter - distance) / distance) * to) +
           settings_.damping * (velocities_[j] - velocities_[i]);
}

DVec3 SeedSolver::boundary_force(std::size_t i) const {
    const double r = settings_.particle_radius, w = settings_.world_size, k = settings_.stiffness;
    const DVec3 p = positions_[i];
    DVec3 force;
    bool touches = false;
    if (settings_.ground && p.y - r < 0) {
        force.y += k * (r - p.y);
        touches = true;
    }
    const auto wall = [&](double x, double& f) {
        if (x - r < -w) {
            f += k * (-w - x + r);
            touches = true;
        } else if (x + r > w) {
            f += k * (w - x - r);
            touches = true;
        }
    };
    if (settings_.walls) {
        wall(p.x, force.x);
        wall(p.z, force.z);
    }
    if (touches) force += -(settings_.damping * velocities_[i]);
    return force;
}

void SeedSolver::update_forces() {
    contacts_ = own_contacts_ = 0;
    forces_.assign(positions_.size(), {});
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        for (int j : candidates(i)) {
            if (static_cast<std::size_t>(j) != i) forces_[i] += contact_force(i, static_cast<std::size_t>(j));
        }
        forces_[i] += boundary_force(i);
    }
}

void SeedSolver::update_momenta() {
    std::size_t i = 0;
    const double dt = settings_.time_step;
    for (SeedBody& body : bodies_) {
        DVec3 force = body.mass * wide(settings_.gravity), torque;
        for (std::size_t l = 0; l < body.offsets.size(); ++l, ++i) {
            force += forces_[i];
            torque += cross(positions_[i] - body.position, forces_[i]);
        }
        const double limit = body.mass * settings_.terminal_velocity;
        const DVec3 p = body.momentum + dt * force;
        body.momentum = {std::clamp(p.x, -limit, limit), std::clamp(p.y, -limit, limit),
                         std::clamp(p.z, -limit, limit)};
        body.angular_momentum += dt * torque;
    }
}

void SeedSolver::update_bodies() {
    const double dt = settings_.time_step;
    for (SeedBody& body : bodies_) {
        const DVec3 inverse{1 / body.inertia.x, 1 / body.inertia.y, 1 / body.inertia.z};
        body.angular_velocity = rotated_diagonal(matrix(body.rotation), inverse, body.angular_momentum);
        body.position += (dt / body.mass) * body.momentum;
        const double speed = length(body.angular_velocity);
        if (speed > 0) body.rotation = turn(body.angular_velocity, speed * dt) * body.rotation;
        if (std::abs(norm2(body.rotation) - 1) > 1e-5) body.rotation = normalized(body.rotation);
    }
}

double SeedSolver::mean_height() const {
    double sum = 0;
    for (const SeedBody& body : bodies_) sum += body.position.y;
    return sum / static_cast<double>(bodies_.size());
}

double SeedSolver::energy() const {
    double sum = 0;
    for (const SeedBody& body : bodies_) {
        sum += dot(body.momentum, body.momentum) / (2 * body.mass);
        sum += dot(body.angular_momentum, body.angular_velocity) / 2;
        sum -= body.mass * dot(wide(settings_.gravity), body.position);
    }
    return sum;
}

} // namespace scree::test
