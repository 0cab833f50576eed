// SPDX-License-Identifier: MIT
// driver.cpp — see driver.h.
#include "fuzz/api/driver.h"

#include "fuzz/api/lockstep.h"
#include "rigid/crew.h"

#include <cstdio>

namespace scree::fuzz {

Lockstep::Sharing::Sharing() : before(Crew::waits_cost_nothing.exchange(true)) {}
Lockstep::Sharing::~Sharing() { Crew::waits_cost_nothing = before; }

void Tally::add(const Tally& other) {
    inputs += other.inputs, steps += other.steps, touched += other.touched;
    slept += other.slept, awoke += other.awoke, many += other.many;
    for (const auto& [name, of] : other.calls) {
        Calls& sum = calls[name];
        sum.made += of.made, sum.refused += of.refused;
    }
}

std::string Tally::report(Kind kind) const {
    const auto share = [&](std::uint64_t count) {
        return std::to_string(inputs ? 100 * count / inputs : 0) + "%";
    };
    std::string text = std::string(kind_names[static_cast<std::size_t>(kind)]) + ": " +
                       std::to_string(inputs) + " inputs, " + std::to_string(steps) +
                       " steps; bodies touched in " + share(touched) + " of the inputs, slept in " +
                       share(slept) + ", woke again in " + share(awoke);
    if (kind == Kind::rigid) text += "; Worlds in " + share(many);
    text += "\n       made    refused\n";
    std::uint64_t missing = 0;
    for (const std::string_view signature : alphabet(kind)) {
        const auto at = calls.find(signature);
        const Calls of = at == calls.end() ? Calls{} : at->second;
        char line[256];
        std::snprintf(line, sizeof line, "%11llu%11llu  ", static_cast<unsigned long long>(of.made),
                      static_cast<unsigned long long>(of.refused));
        text += line + std::string(signature) + "\n";
        missing += of.made == of.refused;
    }
    return text + std::to_string(alphabet(kind).size() - missing) + " of " +
           std::to_string(alphabet(kind).size()) + " functions answered at least once\n";
}

std::optional<std::string> play(Kind kind, std::span<const std::uint8_t> input, const Places& places,
                                Tally& tally, std::ostream* calls) {
    ++tally.inputs;
    try {
        (kind == Kind::rigid ? play_rigid : play_granular)(input, places, tally, calls);
    } catch (const Difference& difference) {
        return difference.text;
    }
    return std::nullopt;
}

std::vector<std::string_view> alphabet(Kind kind) {
    return kind == Kind::rigid ? rigid_alphabet() : granular_alphabet();
}

} // namespace scree::fuzz
