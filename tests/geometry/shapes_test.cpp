// SPDX-License-Identifier: MIT
// shapes_test.cpp — the list of shapes is complete, and what a shape's file says of its sizes fits together.
#include "geometry/shapes.h"

#include "scree/appearance.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace scree {
namespace {

TEST(ShapeKinds, EveryIndexGivesAShapeWithANameAndSizesOfItsOwn) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < std::variant_size_v<Geometry>; ++i) {
        std::optional<Geometry> geometry = geometry_of_index(i);
        ASSERT_TRUE(geometry);
        EXPECT_EQ(geometry->index(), i);
        EXPECT_TRUE(names.insert(geometry_name(*geometry)).second);
        std::set<SizePlace> places;
        each_size(*geometry, [&](const char* name, SizePlace place, float& size) {
            EXPECT_TRUE(places.insert(place).second) << name;
            size = 2 + static_cast<float>(place);
        });
        if (places.empty()) continue;
        EXPECT_NEAR(double{radius_of(*geometry)}, reach_of(*geometry), 1e-6) << geometry_name(*geometry);
        EXPECT_GE(thickness_of(*geometry), 2) << geometry_name(*geometry);
        EXPECT_LE(bounds_of(*geometry).high.y, reach_of(*geometry)) << geometry_name(*geometry);
    }
    EXPECT_FALSE(geometry_of_index(std::variant_size_v<Geometry>));
}

} // namespace
} // namespace scree
