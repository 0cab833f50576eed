// SPDX-License-Identifier: MIT
// granular_scenes_test.cpp — granular scenes, drawn: the same pictures wherever they run.
#include "render/stage.h"

#include "scene/run.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace scree::render::testing {
namespace {

/// Where granular worlds have the same bits.
std::vector<PlaceOptions> places() {
    std::vector<PlaceOptions> all{{.threads = 1, .lanes = 1}, {.threads = 3}};
    for (const DeviceReport& report : list_devices())
        if (report.available && report.same_bits && report.name != "cpu")
            all.push_back({.device = report.name});
    return all;
}

/// Two moments of a scene.
std::vector<Image> pictures_of(Stage& stage, const std::string& scene, const PlaceOptions& place,
                               bool particles) {
    WorldModel model(stage.renderer, {.particles = particles});
    const auto run = start_scene(find_scene(scene), Place(place));
    Frame frame;
    std::vector<Image> pictures;
    for (const int steps : {1, 39}) {
        run->step(static_cast<std::uint64_t>(steps));
        run->show(frame);
        model.update(frame);
        model.light(stage.settings.sky);
        pictures.push_back(stage.picture(framing(model.bounds(), 16 / 9.0f)));
    }
    return pictures;
}

TEST(GranularScenes, LookTheSameOnEveryDevice) {
    Stage stage(160, 90);
    for (const std::string scene : {"shapes-zoo", "wedge"})
        for (const bool particles : {true, false}) {
            std::vector<Image> first;
            for (const PlaceOptions& place : places()) {
                const std::vector<Image> pictures = pictures_of(stage, scene, place, particles);
                if (first.empty()) first = pictures;
                for (std::size_t k = 0; k < first.size(); ++k)
                    EXPECT_TRUE(pictures[k].rgba == first[k].rgba)
                        << scene << " on " << place.device << (particles ? ", particles, " : ", boxes, ")
                        << k;
            }
            EXPECT_GT(difference(first[0], first[1], 24).share_above, 0.001) << scene << ": nothing moved";
        }
}

} // namespace
} // namespace scree::render::testing
