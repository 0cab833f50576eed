// SPDX-License-Identifier: MIT
// param_name.h — parameters of tests as parts of the tests' names.
#pragma once

#include "scree/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace scree::test {

/// "stack-10" and "cpu:kernels" as GoogleTest wants names: stack_10, cpu_kernels.
inline std::string word_of(std::string name) {
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}

/// The name of a test whose parameter is a text.
struct ParamName {
    template <class T>
    std::string operator()(const ::testing::TestParamInfo<T>& tested) const {
        return word_of(tested.param);
    }
};

/// Names of all built-in scenes.
inline std::vector<std::string> builtin_names() {
    std::vector<std::string> names;
    for (const SceneInfo& scene : builtin_scenes()) names.push_back(scene.name);
    return names;
}

/// Every body of a built-in scene, or a thousand where they are too many for a test.
inline SceneOptions few_bodies(const std::string& name) {
    SceneOptions options;
    if (name == "million") options.bodies = 1000;
    return options;
}

} // namespace scree::test
