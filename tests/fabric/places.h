// SPDX-License-Identifier: MIT
// places.h — a world has the same state hash wherever it runs.
#pragma once

#include "scree/error.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <vector>

namespace scree::testing {

/// With threads, without SIMD lanes, by kernels, and on a GPU where there is one.
inline std::vector<Place> places_to_compare() {
    std::vector<Place> places{Place({.device = "cpu", .threads = 2}),
                              Place({.device = "cpu", .threads = 3, .lanes = 4}),
                              Place({.device = "cpu:kernels", .threads = 2})};
    try {
        places.emplace_back(PlaceOptions{.device = "cuda"});
    } catch (const Error&) {
        // there is none
    }
    return places;
}

/// `make(place)` makes the world. A GPU takes part where there is one.
template <class Make>
void expect_same_bits_on_every_place(Make make, int steps) {
    const auto hash_on = [&](const Place& place) {
        World world = make(place);
        for (int i = 0; i < steps; ++i) world.step(1 / 60.0f);
        return world.hash();
    };
    const std::uint64_t first = hash_on(Place({.device = "cpu", .threads = 1, .lanes = 1}));
    for (const Place& place : places_to_compare())
        EXPECT_EQ(hash_on(place), first)
            << place.device() << " " << place.options().threads << " " << place.options().lanes;
}

} // namespace scree::testing
