// SPDX-License-Identifier: MIT
// ahead_test.cpp — a call on a thread of its own: it runs beside its caller, and its errors come out of finish().
#include "view/ahead.h"

#include "scree/error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

namespace scree::view {
namespace {

using std::chrono::seconds;

TEST(Ahead, TheCallRunsWhileItsCallerGoesOn) {
    Ahead ahead;
    for (int again = 0; again < 3; ++again) {
        std::promise<void> drawn;
        std::future<void> waits = drawn.get_future();
        bool in_time = false;
        ahead.begin([&] { in_time = waits.wait_for(seconds(30)) == std::future_status::ready; });
        drawn.set_value(); // after begin() and before finish()
        ahead.finish();
        EXPECT_TRUE(in_time);
    }
}

TEST(Ahead, WithoutAThreadFinishMakesTheCall) {
    Ahead ahead(false);
    std::thread::id ran;
    ahead.begin([&] { ran = std::this_thread::get_id(); });
    EXPECT_EQ(ran, std::thread::id());
    ahead.finish();
    EXPECT_EQ(ran, std::this_thread::get_id());
    ran = {};
    ahead.finish(); // none was begun
    EXPECT_EQ(ran, std::thread::id());
    ahead.begin([] { throw std::runtime_error("a full disk"); });
    EXPECT_THROW(ahead.finish(), std::runtime_error);
}

TEST(Ahead, WhatTheCallThrowsComesOutOfFinishAndTheNextCallRuns) {
    Ahead ahead;
    ahead.begin([] { throw std::runtime_error("a full disk"); });
    try {
        ahead.finish();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()), "a full disk");
    }
    ahead.finish(); // once
    int calls = 0;
    ahead.begin([&] { ++calls; });
    ahead.finish();
    EXPECT_EQ(calls, 1);
}

TEST(Ahead, TwoCallsAtATimeAreRefused) {
    Ahead ahead;
    ahead.begin([] {});
    EXPECT_THROW(ahead.begin([] {}), Error);
    ahead.finish();
}

TEST(Ahead, WhoLeavesWaitsForTheCallUnderWay) {
    std::atomic<bool> ended = false;
    std::promise<void> begun;
    {
        Ahead ahead;
        ahead.begin([&] {
            begun.set_value();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            ended = true;
            throw std::runtime_error("nobody hears it");
        });
        begun.get_future().wait();
    }
    EXPECT_TRUE(ended);
}

} // namespace
} // namespace scree::view
