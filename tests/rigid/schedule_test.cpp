// SPDX-License-Identifier: MIT
// schedule_test.cpp — the stages of a solver's step and their order.
#include "rigid/records.h"
#include "rigid/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace scree::test {
namespace {

/// Operations, with their colours unless these are 0.
std::string text(const rigid::Schedule& schedule) {
    const std::map<rigid::StageOperation, std::string> names{
        {rigid::STAGE_PREPARE, "prepare"},   {rigid::STAGE_VELOCITY, "velocity"},
        {rigid::STAGE_WARM, "warm"},         {rigid::STAGE_SOLVE, "solve"},
        {rigid::STAGE_RELAX, "relax"},       {rigid::STAGE_BOUNCE, "bounce"},
        {rigid::STAGE_POSITION, "position"}, {rigid::STAGE_STORE, "store"},
        {rigid::STAGE_SOR_BEGIN, "begin"},   {rigid::STAGE_SOR_ASSEMBLE, "assemble"},
        {rigid::STAGE_SOR_FORCES, "forces"}, {rigid::STAGE_SOR_INIT, "init"},
        {rigid::STAGE_SOR_JOINTS, "joints"}, {rigid::STAGE_SOR_CONTACTS, "contacts"},
        {rigid::STAGE_SOR_BOTH, "both"},     {rigid::STAGE_SOR_STUDY, "study"},
        {rigid::STAGE_SOR_STORE, "store"},   {rigid::STAGE_APPLY, "apply"},
        {rigid::STAGE_SOR_GROUPS, "groups"}, {rigid::STAGE_SOR_ASKED, "asked"},
        {rigid::STAGE_SOR_CHECK, "check"}};
    std::string all;
    each_stage(schedule, [&](std::uint32_t at, std::uint32_t) {
        const std::uint32_t stage = schedule.stages[at], colour = rigid::stage_colour(stage);
        all += (all.empty() ? "" : " ") + names.at(rigid::stage_operation(stage));
        if (colour) all += std::to_string(colour);
    });
    return all;
}

std::string stages(const ScheduleFacts& facts) { return text(KeptSchedule().of(facts)); }

TEST(Schedule, ASoftStepGoesColourByColourInEachSubstep) {
    EXPECT_EQ(stages({.rounds = 2, .joint_colours = 2, .contact_colours = 12}),
              "prepare velocity solve1 solve2 solve3 position relax1 relax2 relax3"
              " velocity solve1 solve2 solve3 position relax1 relax2 relax3 store");
}

TEST(Schedule, ImpulsesAreAppliedAgainInTheFirstSubstepOnly) {
    EXPECT_EQ(stages({.rounds = 3, .contact_colours = 2, .warm = true}),
              "prepare velocity warm1 solve1 position relax1 velocity solve1 position relax1"
              " velocity solve1 position relax1 store");
}

TEST(Schedule, TheOverflowComesLastAndIsApplied) {
    EXPECT_EQ(stages({.rounds = 1, .contact_colours = 2, .overflow = true}),
              "prepare velocity solve1 solve32 apply position relax1 relax32 apply store");
}

TEST(Schedule, OnlyContactsBounce) {
    EXPECT_EQ(stages({.rounds = 1, .joint_colours = 2, .contact_colours = 4, .extras = true}),
              "prepare velocity solve1 solve2 position relax1 relax2 bounce2 store");
}

TEST(Schedule, AnIterationOfTheSorHasJointsBeforeContacts) {
    EXPECT_EQ(stages({.solver = Solver::sor, .rounds = 2, .joint_colours = 6, .contact_colours = 6}),
              "begin assemble forces init joints1 joints2 contacts1 contacts2"
              " joints1 joints2 contacts1 contacts2 store");
}

TEST(Schedule, AWorldWithoutConstraintsIteratesOverNothing) {
    EXPECT_EQ(stages({.solver = Solver::sor, .rounds = 10}), "begin assemble forces init store");
    EXPECT_EQ(stages({.rounds = 2}), "prepare velocity position velocity position store");
}

TEST(Schedule, EveryColourFits) {
    constexpr std::uint32_t all = 0xffffffffu;
    KeptSchedule kept;
    ScheduleFacts facts{.rounds = 4, .joint_colours = all, .contact_colours = all, .overflow = true};
    facts.warm = facts.extras = true;
    EXPECT_LE(kept.of(facts).count, SCHEDULE_MOST);
    facts.warm = facts.extras = false;
    facts.solver = Solver::sor;
    facts.study = true;
    EXPECT_LE(kept.of(facts).count, SCHEDULE_MOST);
}

} // namespace
} // namespace scree::test
