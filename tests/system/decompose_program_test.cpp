// SPDX-License-Identifier: MIT
// decompose_program_test.cpp — `scree decompose` from outside.
#include "scree/mesh_file.h"
#include "support/meshes.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <fstream>

namespace scree {
namespace {

using namespace testing;

TEST(DecomposeProgram, WritesAPartForEachBoxOfAnL) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("l.obj")) << obj_text(l_shape());
    const ProgramResult done =
        run_program({"decompose", folder.file("l.obj"), "-o", folder.file("parts.obj")});
    EXPECT_EQ(done.code, 0) << done;
    EXPECT_TRUE(done.said("20 triangles, 1 component, closed; 2 x 2 x 1 m")) << done;
    EXPECT_TRUE(done.said("2 parts in")) << done;
    EXPECT_TRUE(done.said("volume 3 m^3 (+0.0 % of the mesh's)") || done.said("volume 3 m^3 (-0.0 %"))
        << done;
    const TriangleMesh parts = read_mesh(folder.file("parts.obj"));
    EXPECT_EQ(parts.parts, (std::vector<std::string>{"part_0", "part_1"}));
    EXPECT_EQ(parts.vertices.size(), 16u);
    EXPECT_NEAR(inspect(parts).volume, 3, 1e-5);
}

TEST(DecomposeProgram, RefusesBadFilesAndOptions) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("bad.obj")) << "v 0 0 0\nf 1 2 3\n";
    const ProgramResult bad =
        run_program({"decompose", folder.file("bad.obj"), "-o", folder.file("parts.obj")});
    EXPECT_EQ(bad.code, 2);
    EXPECT_TRUE(bad.complained("bad.obj:2: face names vertex 2; the file has 1 vertices")) << bad;
    EXPECT_EQ(folder.file_count(), 1u); // nothing was written
    EXPECT_EQ(run_program({"decompose", folder.file("none.stl")}).code, 2);
    EXPECT_EQ(run_program({"decompose", folder.file("bad.obj"), "--parts", "0"}).code, 2);
}

} // namespace
} // namespace scree
