// SPDX-License-Identifier: MIT
// scene_name.h — scenes as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace scree::view {

/// "stack-10" as GoogleTest wants names: stack_10.
struct SceneName {
    template <class T>
    std::string operator()(const ::testing::TestParamInfo<T>& scene) const {
        std::string name = scene.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};

} // namespace scree::view
