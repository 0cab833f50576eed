// SPDX-License-Identifier: MIT
// record_and_replay.cpp — a run is recorded, and one of its frames is read back.
#include <scree/appearance.h>
#include <scree/granular.h>
#include <scree/recording.h>

#include <cstdio>
#include <filesystem>
#include <memory>

int main() {
    const std::string file = (std::filesystem::temp_directory_path() / "scree-example.scree").string();
    scree::GranularWorld world;
    const std::uint32_t cube = world.add_shape(scree::shapes::cube(0.2f));
    for (int i = 0; i < 5; ++i)
        world.create_body({.shape = cube, .position = {0, 2 + 2 * static_cast<float>(i), 0}});

    scree::Vec3 then{};
    scree::RecordingHeader header;
    header.title = "five cubes fall";
    header.time_step = world.settings().time_step;
    scree::RecordingWriter writer(file, header);
    scree::Frame frame{.appearance = std::make_shared<scree::Appearance>(scree::appearance_of(world))};
    for (std::uint64_t step = 0; step <= 100; ++step) {
        if (step > 0) world.step(1);
        scree::show(world, frame);
        writer.add_frame(frame, world.hash());
        if (step == 50) then = world.bodies()[4].position;
    }
    writer.finish(); // until then the file is called scree-example.scree.partial

    scree::RecordingReader reader(file);
    const scree::Frame read = reader.read(reader.frame_at_step(50));
    std::printf("\"%s\": %zu frames; at %.2f s the uppermost cube was at y = %.3f m\n",
                reader.header().title.c_str(), reader.frame_count(), read.time,
                static_cast<double>(read.pose(4).position.y));
    std::filesystem::remove(file);
    return read.pose(4).position == then && reader.frame_count() == 101 ? 0 : 1;
}
