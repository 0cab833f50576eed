// SPDX-License-Identifier: MIT
// main.cpp — the program scree-bench, which `scree bench` starts: its benchmarks.
#include "benchmarks.h"

namespace {

using namespace scree;

int run(const std::vector<std::string>& arguments) {
    using namespace bench;
    static constexpr CommandMaker* benchmarks[] = {
        scenes_bench,  granular_bench, rigid_bench,  worlds_bench,   churn_bench,   seed4_bench,
        kernels_bench, plot_bench,     render_bench, accuracy_bench, queries_bench, rollback_bench,
        joints_bench,  cloth_bench,    impact_bench, level_bench,    walk_bench};
    return dispatch(
        {"scree bench", "NAME", "benchmark",
         "Measures speed together with the quality reached, beside other engines on the same scene.\n\n",
         "scree bench NAME --help explains one of them. Columns and contracts: "
         "docs/manual/bench-granular.md\n"
         "and docs/manual/bench-rigid.md. Every CSV names the commit of the build and the day in its last "
         "columns.\n",
         benchmarks},
        arguments);
}

} // namespace

int main(int count, char** words) { return enter(count, words, run); }
