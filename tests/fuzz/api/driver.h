// SPDX-License-Identifier: MIT
// driver.h — plays an input as calls on two worlds in lock step, at two places, and compares what they answer.
//
// docs/internals/fuzzing.md says how to run it, how to read a failure and how to add a call.
#pragma once

#include "fuzz/api/input.h"
#include "scree/place.h"

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::fuzz {

enum class Kind { rigid, granular };
constexpr std::array<std::string_view, 2> kind_names{"rigid", "granular"};

/// What the inputs did: to see that the calls of the alphabet are made, and that bodies touch and sleep.
struct Tally {
    std::uint64_t inputs = 0, steps = 0, touched = 0, slept = 0, awoke = 0, many = 0;
    std::uint64_t decided = 0,
                  misbehaved =
                      0; ///< answers of functions of the user; those that threw or called their world
    struct Calls {
        std::uint64_t made = 0, refused = 0; ///< refused: both worlds threw the same Error
    };
    std::map<std::string, Calls, std::less<>> calls; ///< by signature

    void add(const Tally& other);
    std::string report(Kind kind) const;
};

/// Two places that must give equal worlds.
using Places = std::array<Place, 2>;

/// What differed, or nothing. `calls` gets the calls as lines of C++, each before it is made.
std::optional<std::string> play(Kind kind, std::span<const std::uint8_t> input, const Places& places,
                                Tally& tally, std::ostream* calls = nullptr);

/// Signatures of the functions that an input can call, such as "World::wake(BodyId)".
std::vector<std::string_view> alphabet(Kind kind);

// one for each kind: rigid.cpp, granular.cpp
void play_rigid(std::span<const std::uint8_t> input, const Places& places, Tally& tally, std::ostream* calls);
void play_granular(std::span<const std::uint8_t> input, const Places& places, Tally& tally,
                   std::ostream* calls);
std::vector<std::string_view> rigid_alphabet();
std::vector<std::string_view> granular_alphabet();

} // namespace scree::fuzz
