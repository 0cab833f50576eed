// SPDX-License-Identifier: MIT
// churn_test.cpp — `scree bench churn`: bodies come and go in every step, and the bits stay those of the CPU.
#ifdef SCREE_PROGRAM
#include "system/program.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

using testing::ProgramResult;
using testing::run_program;

std::vector<std::string> churn(std::vector<std::string> more) {
    std::vector<std::string> arguments{"bench", "churn", "--bodies", "300", "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(Churn, ADeviceKeepsTheBitsOfTheCpuWhileBodiesComeAndGo) {
    const ProgramResult result = run_program(
        churn({"--changes", "300", "--seconds", "2", "--device", "cpu:kernels", "--compare", "cpu"}));
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("OK: the bits of both devices are the same")) << result;
    // a line for each device and second, with the hash; some of the joints made are left
    EXPECT_TRUE(result.said("   2 s  cpu:kernels ")) << result;
    EXPECT_TRUE(result.said("   2 s  cpu ")) << result;
    EXPECT_FALSE(result.said(" 0 joints")) << result;
}

TEST(Churn, ManyChangesAStepAndHullsOfTheirOwnAreTheSameToo) {
    const ProgramResult result =
        run_program(churn({"--changes", "6000", "--seconds", "1", "--device", "cpu:kernels", "--compare",
                           "cpu", "--seed", "7", "--new-hulls"}));
    EXPECT_EQ(result.code, 0) << result;
}

TEST(Churn, TheSeedDecidesWhatHappens) {
    const auto hash = [](const char* seed) {
        const ProgramResult result =
            run_program(churn({"--changes", "60", "--seconds", "1", "--seed", seed}));
        EXPECT_EQ(result.code, 0) << result;
        return result.line("   1 s  cpu").substr(0, 16);
    };
    const std::string one = hash("1");
    EXPECT_EQ(one.size(), 16u);
    EXPECT_EQ(one, hash("1"));
    EXPECT_NE(one, hash("2"));
}

TEST(Churn, WhatCannotBeIsRefused) {
    const ProgramResult few = run_program({"bench", "churn", "--bodies", "16", "--changes", "960"});
    EXPECT_EQ(few.code, 2) << few;
    EXPECT_TRUE(
        few.complained("--changes: invalid value \"960\": expected fewer changes in a step than there are"))
        << few;
    EXPECT_NE(run_program(churn({"--device", "opencl"})).code, 0);
}

} // namespace
} // namespace scree
#endif
