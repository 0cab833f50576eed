// SPDX-License-Identifier: MIT
// float_dice.h — random floats, the same with every standard library.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <random>

namespace scree::test {

class FloatDice {
public:
    explicit FloatDice(unsigned seed) : engine_(seed) {}
    /// Not of std's distributions, which differ between libraries.
    float between(float low, float high) {
        return low + (high - low) * (static_cast<float>(engine_() >> 8) / 16777216.0f);
    }
    Vec3 point(float reach) {
        return {between(-reach, reach), between(-reach, reach), between(-reach, reach)};
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

private:
    std::mt19937 engine_;
};

} // namespace scree::test
