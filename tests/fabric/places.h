// SPDX-License-Identifier: MIT
// places.h — a world has the same state hash wherever it runs.
#pragma once

#include "scree/error.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <optional>

namespace scree::testing {

/// `make(place)` makes the world. A GPU takes part where there is one.
template <class Make>
void expect_same_bits_on_every_place(Make make, int steps) {
    const auto hash_on = [&](const Place& place) {
        World world = make(place);
        for (int i = 0; i < steps; ++i) world.step(1 / 60.0f);
        return world.hash();
    };
    const std::uint64_t first = hash_on(Place({.device = "cpu", .threads = 1, .lanes = 1}));
    for (const PlaceOptions& options :
         {PlaceOptions{.device = "cpu", .threads = 2},
          PlaceOptions{.device = "cpu", .threads = 3, .lanes = 4},
          PlaceOptions{.device = "cpu:kernels", .threads = 2}, PlaceOptions{.device = "cuda"}}) {
        std::optional<Place> place;
        try {
            place.emplace(options);
        } catch (const Error&) {
            ASSERT_EQ(options.device, "cuda");
            continue;
        }
        EXPECT_EQ(hash_on(*place), first) << options.device << " " << options.threads << " " << options.lanes;
    }
}

} // namespace scree::testing
