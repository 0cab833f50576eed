// SPDX-License-Identifier: MIT
// material_name_test.cpp — what names of textures say, with names that occur in maps of Quake's family.
#include "level/material_name.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(MaterialNames, OfToolsClipAndCaulkAreNotDrawn) {
    for (const char* name : {"clip",
                             "CLIP",
                             "common/clip",
                             "textures/common/playerclip",
                             "common/weapclip",
                             "common/botclip",
                             "common/caulk",
                             "textures/common/nodraw",
                             "common/nodrawnonsolid",
                             "common/invisible",
                             "NULL",
                             "skip",
                             "hint",
                             "hintskip",
                             "TRIGGER",
                             "common/trigger",
                             "AAATRIGGER",
                             "*waterskip",
                             "!lavaskip",
                             "waterskip"})
        EXPECT_TRUE(draws_nothing(name)) << name;
    for (const char* name : {"paperclip", "clip/brick", "caulk_wall", "med_rock10b", "*water0", "!lava",
                             "*teleport", "sky4", "common/slick", "", "/", "triggered"})
        EXPECT_FALSE(draws_nothing(name)) << name;
}

TEST(MaterialNames, StandForTheSkyByAWholePart) {
    for (const char* name :
         {"sky", "SKY4", "Sky", "sky1", "sky_dev", "sky_dev_day", "sky5_blu", "sky_galx", "sky-night",
          "skies/nitesky", "skies/heaven", "textures/skies/clear", "unit1_sky/sky", "e1u1\\sky2", "sky/dome"})
        EXPECT_TRUE(marks_sky(name)) << name;
    for (const char* name : {"skyline/brick", "skylight", "whisky", "skyscraper1", "husky_fur",
                             "sky_lab/brick", "skies", "brick", "", "blue_sky_painting"})
        EXPECT_FALSE(marks_sky(name)) << name;
}

} // namespace
} // namespace scree
