// SPDX-License-Identifier: MIT
// device_quarantine_test.cpp — a body that becomes non-finite is rolled back, frozen and reported alike on every device.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

/// A pyramid, a chain and sleepers, in which some bodies are pushed beyond what a float holds; one of them comes back.
class Struck {
public:
    explicit Struck(const WorldSettings& settings, const Place& place = {}) : world_(settings, place) {
        add_slab(world_, 20);
        cubes_ = add_pyramid(world_, 4);
        chain_ = add_chain(world_, 4, {8, 5, 0});
        run_steps(world_, 20);
    }
    void strike() {
        for (const BodyId victim : {cubes_[1], cubes_[5], chain_.links[2]}) {
            world_.set_mass(victim, MassProperties{.mass = 1e-30f, .inertia = {1e-30f, 1e-30f, 1e-30f}});
            world_.apply_force(victim, {1e38f, 0, 0});
        }
    }
    void revive() { world_.set_type(cubes_[5], BodyType::dynamic); }
    World& world() { return world_; }

private:
    World world_;
    std::vector<BodyId> cubes_;
    Chain chain_;
};

std::vector<std::uint32_t> indices(std::span<const BodyId> bodies) {
    std::vector<std::uint32_t> all;
    for (const BodyId body : bodies) all.push_back(body.index);
    return all;
}

class DeviceQuarantine : public testing::TestWithParam<std::string> {};

TEST_P(DeviceQuarantine, FreezesReportsAndRevivesAsOnTheCpu) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        WorldSettings settings = default_settings();
        settings.solver = solver;
        Struck cpu(settings), other(settings, on_device(GetParam()));
        for (int k = 0; k < 60; ++k) {
            for (Struck* each : {&cpu, &other}) {
                if (k == 10) each->strike();
                if (k == 30) each->revive();
                each->world().step(frame);
            }
            ASSERT_EQ(cpu.world().hash(), other.world().hash()) << "step " << k + 1;
            EXPECT_EQ(indices(cpu.world().quarantined()), indices(other.world().quarantined()));
            if (k == 10) {
                EXPECT_GE(cpu.world().quarantined().size(), 3u);
            }
            EXPECT_EQ(cpu.world().measure().frozen, other.world().measure().frozen);
        }
        EXPECT_TRUE(all_are_finite(other.world()));
        EXPECT_GE(other.world().measure().frozen, 2u);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceQuarantine, testing::ValuesIn(kernel_devices()), ParamName());

} // namespace
} // namespace scree::test
