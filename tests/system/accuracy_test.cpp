// SPDX-License-Identifier: MIT
// accuracy_test.cpp — `scree bench accuracy`: its motions come close to the known answers, and closer with smaller steps.
#ifdef SCREE_PROGRAM

#include "system/csv_rows.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <map>

namespace scree::testing {

TEST(AccuracyBench, ErrorsFallWithTheStep) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "accuracy", "--scene", "boxes-complex,dzhanibekov,pendulum,top,rolling,orbit",
                     "--finest", "1000", "--csv", folder.file("a.csv")});
    EXPECT_EQ(result.code, 0) << result;
    std::map<std::string, double> error;
    for (const CsvRow& row : rows_of(folder.file("a.csv")))
        error[row.at("scene") + " " + row.at("quantity") + " " + row.at("dt") + " " + row.at("substeps")] =
            std::atof(row.at("error").c_str());
    EXPECT_EQ(error.size(), 6u * (3 + 3 + 2 + 2 + 2 + 2));
    for (const char* quantity :
         {"boxes-complex energy J", "boxes-complex relative angular momentum", "dzhanibekov energy J",
          "pendulum energy J", "pendulum relative period", "top tilt rad", "orbit radius m"})
        for (const char* substeps : {" 1", " 4"}) {
            const std::string name = quantity;
            EXPECT_LT(error[name + " 0.00100000000" + substeps],
                      0.5 * error[name + " 0.0166666667" + substeps])
                << name << substeps;
        }
    EXPECT_LT(error["boxes-complex energy J 0.00100000000 1"], 1e-4);
    EXPECT_LT(error["rolling slip m/s 0.0166666667 4"], 6e-4);
}

TEST(AccuracyBench, PilesFarOutAreAsAtTheOrigin) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "accuracy", "--scene", "far", "--piles", "1", "--csv", folder.file("f.csv")});
    EXPECT_EQ(result.code, 0) << result;
    std::map<std::string, std::map<std::string, double>> found;
    for (const CsvRow& row : rows_of(folder.file("f.csv")))
        found[row.at("scene")][row.at("quantity")] = std::atof(row.at("error").c_str());
    ASSERT_EQ(found.size(), 5u);
    for (const auto& [quantity, value] : found["far-0km"])
        EXPECT_NEAR(found["far-100.0km"][quantity], value, 0.05 * value) << quantity;
    EXPECT_EQ(run_program({"bench", "accuracy", "--scene", "nothing"}).code, 2);
}

} // namespace scree::testing

#endif
