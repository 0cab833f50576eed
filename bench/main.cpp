// SPDX-License-Identifier: MIT
// main.cpp — the program scree-bench, which `scree bench` starts: finds the benchmark.
#include "benchmarks.h"
#include "entry.h"
#include "options.h"
#include "scree/error.h"
#include "text.h"

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

using namespace scree;

struct Benchmark {
    std::string_view name;
    int (*run)(std::span<const std::string>);
    std::string_view help;
};

constexpr Benchmark benchmarks[] = {
    {"scenes", bench::scenes_bench, "steps of scenes of any kind"},
    {"granular", bench::granular_bench, "the granular world beside LAMMPS, LIGGGHTS and Bullet"},
    {"rigid", bench::rigid_bench, "the rigid world beside Bullet and ODE"},
    {"worlds", bench::worlds_bench, "thousands of small worlds at once"},
    {"churn", bench::churn_bench, "a pile whose bodies come and go, on one device or two in step"},
    {"seed4", bench::seed4_bench, "the experiments of Peres 2008, beside the figures of then"},
    {"kernels", bench::kernels_bench, "each kernel of a rigid step against the memory's speed"},
    {"plot", bench::plot_bench, "cost against size as a picture, from the CSV files of bench rigid"},
    {"render", bench::render_bench, "what drawing costs the CPU"},
};

int dispatch(const std::vector<std::string>& arguments) {
    std::string lines = "benchmarks:\n", usage;
    std::vector<std::string_view> names;
    for (const Benchmark& each : benchmarks) {
        if (!arguments.empty() && arguments.front() == each.name)
            return each.run(std::span(arguments).subspan(1));
        names.push_back(each.name);
        usage += (usage.empty() ? "" : "|") + std::string(each.name);
        lines += "  " + padded(each.name, 10) + std::string(each.help) + "\n";
    }
    lines += "\nscree bench NAME --help explains one of them. Columns and contracts: "
             "docs/manual/bench-granular.md and "
             "docs/manual/bench-rigid.md.";
    const CommandSpec command{
        .name = "bench",
        .positional = usage,
        .least = 1,
        .most = 1,
        .summary =
            "Measures speed together with the quality reached, beside other engines on the same scene.",
        .details = lines};
    if (!arguments.empty() && arguments.front() != "--help" && arguments.front() != "-h" &&
        !arguments.front().starts_with("-")) {
        const std::string near = near_name(arguments.front(), names);
        throw Error("\"" + printable(arguments.front()) + "\" is not a benchmark" +
                        (near.empty() ? "; expected " + usage : near),
                    "scree bench");
    }
    const Arguments given(command, arguments);
    return print_help(command);
}

} // namespace

int main(int count, char** words) { return enter(count, words, dispatch); }
