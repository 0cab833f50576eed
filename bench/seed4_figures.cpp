// SPDX-License-Identifier: MIT
// seed4_figures.cpp — the tables of M. A. Peres, dissertation, UFMS 2008, chapter of experiments: Core 2 Duo E6300, one
// core, and GeForce 8800 GTX; 10 iterations; ms. "ODE" of the dissertation (integration) is part of our solver stage.
#include "seed4.h"

namespace scree::bench {

namespace {

// size, actors, rows; CPU collision, LCP + ODE, total; GPU the same; brute force
constexpr SeedFigure spheres[] = {{50, 50, 156, 0.21, 0.37, 0.58, 2.05, 2.20, 4.25, 0},
                                  {200, 200, 948, 0.66, 0.99, 1.65, 2.23, 2.70, 4.93, 0},
                                  {500, 500, 3819, 2.02, 6.06, 8.08, 2.70, 3.76, 6.46, 0},
                                  {1000, 1000, 8151, 4.55, 12.17, 16.72, 3.46, 7.14, 10.60, 0},
                                  {2000, 2000, 15276, 9.86, 25.59, 35.45, 4.82, 13.61, 18.43, 0},
                                  {3000, 3000, 23805, 15.68, 40.98, 56.66, 6.01, 20.98, 26.99, 0},
                                  {4000, 4000, 32370, 19.50, 53.59, 73.09, 7.19, 27.14, 34.33, 0},
                                  {8000, 8000, 66507, 44.08, 116.75, 160.83, 12.71, 75.99, 88.70, 0},
                                  {12000, 12000, 103023, 68.55, 181.54, 250.09, 19.92, 128.28, 148.20, 0},
                                  {16000, 16000, 139092, 92.11, 240.71, 332.82, 25.16, 188.19, 213.35, 0}};

// the LCP alone, without assembling the joints' rows
constexpr SeedFigure molecules[] = {
    {4, 64, 864, 0, 1.11, 0, 0, 3.81, 0, 0},        {6, 216, 3240, 0, 4.15, 0, 0, 4.27, 0, 0},
    {8, 512, 8064, 0, 10.54, 0, 0, 6.49, 0, 0},     {10, 1000, 16200, 0, 21.52, 0, 0, 12.98, 0, 0},
    {12, 1728, 28512, 0, 37.82, 0, 0, 22.95, 0, 0}, {14, 2744, 45864, 0, 62.26, 0, 0, 40.38, 0, 0},
    {16, 4096, 69120, 0, 91.58, 0, 0, 62.31, 0, 0}, {18, 5832, 99144, 0, 132.15, 0, 0, 101.72, 0, 0}};

// broad and narrow phase; the CPU's with its grid
constexpr SeedFigure funnels[] = {
    {50, 50, 0, 1.36, 0, 0, 2.77, 0, 0, 2.93},       {100, 100, 0, 3.72, 0, 0, 4.18, 0, 0, 7.56},
    {200, 200, 0, 9.54, 0, 0, 5.66, 0, 0, 19.95},    {400, 400, 0, 26.72, 0, 0, 8.25, 0, 0, 58.83},
    {800, 800, 0, 62.78, 0, 0, 11.43, 0, 0, 172.56}, {1600, 1600, 0, 133.16, 0, 0, 18.15, 0, 0, 574.12}};

// the second of the rows is printed as 1000 too and can only be 10000
constexpr SeedTransfer transfers[] = {
    {"bodies", 50, 0.53}, {"bodies", 1000, 0.58}, {"bodies", 4000, 0.97}, {"bodies", 16000, 2.31},
    {"shapes", 50, 0.07}, {"shapes", 1000, 0.16}, {"shapes", 4000, 0.49}, {"shapes", 16000, 1.53},
    {"rows", 1000, 0.08}, {"rows", 10000, 0.53},  {"rows", 40000, 1.95},  {"rows", 100000, 4.60},
    {"states", 50, 0.45}, {"states", 1000, 0.52}, {"states", 4000, 0.72}, {"states", 16000, 1.51}};

} // namespace

std::span<const SeedExperiment> seed_experiments() {
    // The pile comes to rest first, and is timed before ten iterations of the SOR let it sink; the actors are in the funnel while
    // the clock runs.
    static constexpr SeedExperiment experiments[] = {
        {"B1", "seed-spheres", "spheres at rest in a box", SeedMeasure::total, 600, 20, spheres},
        {"B2", "molecule", "a cube of spheres held by fixed joints", SeedMeasure::solver, 20, 100, molecules},
        {"B3", "funnel", "actors of three capsules in a funnel", SeedMeasure::collision, 60, 120, funnels}};
    return experiments;
}

std::span<const SeedTransfer> seed_transfers() { return transfers; }

} // namespace scree::bench
