// SPDX-License-Identifier: MIT
// api_fuzz_test.cpp — the committed inputs of the API fuzzers give the same at every place, and their alphabet is complete.
#include "fuzz/api/driver.h"
#include "fuzz/api/impacts.h"
#include "fuzz/api/minimise.h"
#include "support/rigid_support.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;
using scree::testing::file_bytes;

const fs::path root = SCREE_SOURCE_DIR;
constexpr Kind kinds[] = {Kind::rigid, Kind::granular};

std::vector<fs::path> corpus(Kind kind) {
    const std::string name(kind_names[static_cast<std::size_t>(kind)]);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(root / "tests/fuzz/corpus" / (name + "_api_fuzzer")))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

Bytes input_of(const fs::path& file) {
    const std::string bytes = file_bytes(file.string());
    return {bytes.begin(), bytes.end()};
}

Tally play_corpus(const Places& places) {
    Tally tally;
    for (const Kind kind : kinds)
        for (const fs::path& file : corpus(kind)) {
            const auto difference = play(kind, input_of(file), places, tally);
            EXPECT_FALSE(difference) << fs::relative(file, root) << ": " << *difference
                                     << "\nscree_api_fuzz --print FILE shows the calls";
        }
    return tally;
}

TEST(ApiFuzz, TheCorpusGivesTheSameWithTheKernelsOfAGpu) {
    const Places places{Place({.threads = 1}), Place({.device = "cpu:kernels", .threads = 1})};
    Tally tally = play_corpus(places);
    // and it is worth playing
    EXPECT_GT(tally.touched, tally.inputs / 2);
    EXPECT_GT(tally.slept, tally.inputs / 5);
    // a function that came since the corpus was made is called by inputs of chance
    Random random(1);
    for (const Kind kind : kinds)
        for (int k = 0; k < 120; ++k) {
            const Bytes input = random_input(random);
            const auto difference = play(kind, input, places, tally);
            EXPECT_FALSE(difference) << "input " << k << ": " << *difference;
        }
    EXPECT_GT(tally.decided, 1000u);
    EXPECT_GT(tally.misbehaved, 50u);
    for (const Kind kind : kinds)
        for (const std::string_view signature : alphabet(kind)) {
            const auto of = tally.calls.find(signature);
            EXPECT_TRUE(of != tally.calls.end() && of->second.made > of->second.refused)
                << "no input calls " << signature;
        }
}

TEST(ApiFuzz, TheCorpusGivesTheSameWithTwoThreads) {
    const test::SplitSmallWorlds split;
    play_corpus({Place({.threads = 1}), Place({.threads = 2})});
}

TEST(ApiFuzz, TheCorpusGivesTheSameWithOtherLanes) {
    play_corpus({Place({.threads = 1, .lanes = 1}), Place({.threads = 1})});
}

TEST(ApiFuzz, WorldsOfImpactsKeepTheirWordWhateverIsCalled) {
    ImpactCalls all; // it aborts where they do not
    const auto add = [&](const ImpactCalls& one) {
        all.calls += one.calls;
        all.refused += one.refused;
        all.impacts += one.impacts;
        all.batches += one.batches;
    };
    for (const auto& entry : fs::directory_iterator(root / "tests/fuzz/corpus/impact_api_fuzzer"))
        add(play_impacts(input_of(entry.path())));
    Random random(3);
    for (int k = 0; k < 300; ++k) add(play_impacts(random_input(random)));
    EXPECT_GT(all.refused, 100);
    EXPECT_GT(all.calls, 2 * all.refused);
    EXPECT_GT(all.impacts, 100u);
    EXPECT_GT(all.batches, 100u) << "no event was computed ahead of its turn";
}

TEST(ApiFuzz, ADifferenceIsFoundAndMadeSmall) {
    // another input in a place of its own is none; so this is about the driver's own eyes: an input whose calls count
    Random random(3);
    const Bytes input = random_input(random);
    const auto steps = [](const Bytes& bytes) {
        Tally tally;
        play(Kind::rigid, bytes, {Place({.threads = 1}), Place({.threads = 1})}, tally);
        return tally.steps;
    };
    ASSERT_GT(steps(input), 3u);
    const Bytes small = minimised(input, [&](const Bytes& bytes) { return steps(bytes) >= 3; }, 60);
    EXPECT_GE(steps(small), 3u);
    EXPECT_LE(records_of(small), 3u);
}

// the alphabet -----------------------------------------------------------------------------------------------------

/// The parameter without its name, its default value, const and references.
std::string type_of(std::string parameter) {
    parameter = std::regex_replace(parameter, std::regex("\\s*=.*$"), "");
    parameter = std::regex_replace(parameter, std::regex("&"), " ");
    parameter = std::regex_replace(parameter, std::regex("^\\s*const\\s+"), "");
    parameter = std::regex_replace(parameter, std::regex("\\s+"), " ");
    parameter = std::regex_replace(parameter, std::regex("^ | $"), "");
    return std::regex_replace(parameter, std::regex("^(.*[^ ]) [a-z_]+$"), "$1");
}

std::string types_of(const std::string& parameters) {
    std::string types, parameter;
    std::istringstream in(parameters);
    while (std::getline(in, parameter, ',')) types += (types.empty() ? "" : ", ") + type_of(parameter);
    return types;
}

/// "function(types)" for each function of no class whose first parameter is a World.
std::set<std::string> functions_on_worlds(std::string text) {
    text = std::regex_replace(text, std::regex("//[^\n]*"), "");
    std::set<std::string> functions;
    const std::regex function(R"(\n[A-Za-z_:<>]+ ([a-z_]+)\(((const )?World& [^()]*)\)\s*;)");
    for (std::sregex_iterator at(text.begin(), text.end(), function), end; at != end; ++at)
        functions.insert((*at)[1].str() + "(" + types_of((*at)[2]) + ")");
    return functions;
}

/// "Class::function(types)" for each public function but the destructor.
std::set<std::string> functions_of(const std::string& name, std::string text) {
    text = std::regex_replace(text, std::regex("//[^\n]*"), "");
    const std::size_t begin = text.find("class " + name + " {"), public_at = text.find("public:", begin);
    EXPECT_NE(begin, std::string::npos) << name;
    text = text.substr(public_at, text.find("private:", public_at) - public_at);
    std::set<std::string> functions;
    const std::regex function(
        R"((~?\b[A-Za-z_]+|operator=|operator\[\])\s*\(([^()]*)\)\s*(const|noexcept)?\s*;)");
    for (std::sregex_iterator at(text.begin(), text.end(), function), end; at != end; ++at) {
        if ((*at)[1].str()[0] == '~') continue;
        functions.insert(name + "::" + (*at)[1].str() + "(" + types_of((*at)[2]) + ")");
    }
    return functions;
}

std::set<std::string> public_functions(Kind kind) {
    const auto of = [](const char* name, const char* header) {
        return functions_of(name, file_bytes((root / "include/scree" / header).string()));
    };
    if (kind == Kind::granular) return of("GranularWorld", "granular.h");
    std::set<std::string> functions = of("World", "world.h");
    functions.merge(of("Worlds", "worlds.h"));
    functions.merge(of("Rollback", "rollback.h"));
    functions.merge(of("Character", "character.h"));
    for (const char* header : {"chain.h", "character_bodies.h", "decompose.h", "ragdoll.h"}) {
        const std::set<std::string> free =
            functions_on_worlds(file_bytes((root / "include/scree" / header).string()));
        EXPECT_FALSE(free.empty()) << header;
        functions.insert(free.begin(), free.end());
    }
    return functions;
}

TEST(ApiFuzz, EveryPublicFunctionIsInTheAlphabet) {
    for (const Kind kind : kinds) {
        const std::vector<std::string_view> rows = alphabet(kind);
        const std::set<std::string> named(rows.begin(), rows.end()), there = public_functions(kind);
        EXPECT_EQ(named.size(), rows.size()) << "a row is there twice";
        EXPECT_GT(there.size(), 25u);
        for (const std::string& function : there)
            EXPECT_EQ(named.count(function), 1u)
                << function << " has no row in tests/fuzz/api; docs/internals/fuzzing.md says how to add one";
        for (const std::string& function : named)
            EXPECT_EQ(there.count(function), 1u) << function << " is not declared";
    }
}

TEST(ApiFuzz, FunctionsAreFoundInHeaders) {
    EXPECT_EQ(
        functions_of("A", "class A {\npublic:\n    explicit A(const B& b = {}, int = 3); // c(d)\n    ~A();\n"
                          "    std::span<const int> of(std::span<const std::byte> bytes, C c) const;\n"
                          "    A(A&&) noexcept;\nprivate:\n    void no();\n};"),
        (std::set<std::string>{"A::A(B, int)", "A::of(std::span<const std::byte>, C)", "A::A(A)"}));
}

} // namespace
} // namespace scree::fuzz
