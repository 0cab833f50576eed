// SPDX-License-Identifier: MIT
// replay.cpp — `scree replay`: what a recording holds, one frame as CSV, or the scene run again and compared.

#include "commands.h"
#include "options.h"
#include "output_file.h"
#include "progress.h"
#include "scene_arguments.h"
#include "scene_run.h"
#include "scree/error.h"
#include "scree/recording.h"
#include "scree/scene.h"
#include "text.h"

#include <array>
#include <bit>
#include <cstdio>
#include <optional>

namespace scree {

namespace {

CommandSpec replay_spec() {
    CommandSpec command{
        .name = "replay",
        .positional = "FILE",
        .least = 1,
        .most = 1,
        .summary = "Says what a recording holds. With --frame prints that frame as CSV; with --verify runs "
                   "the scene\n"
                   "again and names the first frame that differs.",
        .details = "The CSV has the columns body, shape, x, y, z, qs, qx, qy, qz, asleep, frozen.",
        .options = {{"--frame", "N", "print frame N (the first is 0) as CSV"},
                    {"--csv", "FILE", "write that CSV to a file; the last frame unless told"},
                    {"--verify", "", "run the scene again and compare the state hash of each frame"}}};
    for (const OptionSpec& option : device_options()) command.options.push_back(option);
    return command;
}

std::string frame_csv(const RecordingFrame& frame) {
    std::string text = "body,shape,x,y,z,qs,qx,qy,qz,asleep,frozen\n";
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const RecordedBody& body = frame.bodies[i];
        text += std::to_string(i) + "," + std::to_string(body.shape);
        for (const float value : {body.position.x, body.position.y, body.position.z, body.rotation.s,
                                  body.rotation.x, body.rotation.y, body.rotation.z}) {
            // nine digits read back as the same float
            char number[32];
            std::snprintf(number, sizeof number, ",%.9g", static_cast<double>(value));
            text += number;
        }
        text += body.asleep ? ",1" : ",0";
        text += body.frozen ? ",1\n" : ",0\n";
    }
    return text;
}

void print_contents(RecordingReader& reader) {
    const RecordingHeader& header = reader.header();
    const auto line = [](const char* label, const std::string& text) {
        std::printf("%-10s %s\n", label, printable(text).c_str());
    };
    line("scene", header.scene + ": " + header.title);
    line("recorded", "by Scree " + header.scree_version + " on " + header.device);
    line("step", short_number(static_cast<double>(header.time_step)) + " s, a frame each " +
                     count_of(header.steps_per_frame, "step", "steps"));
    std::size_t particles = 0;
    for (const GranularShape& shape : header.shapes) particles += shape.particles.size();
    line("shapes", count_text(header.shapes.size()) + " with " +
                       count_of(particles, "particle", "particles") + ", " +
                       count_of(header.obstacles.size(), "obstacle", "obstacles"));
    const std::size_t frames = reader.frame_count();
    if (frames > 0) {
        const RecordingFrameInfo& last = reader.info(frames - 1);
        line("frames", count_text(frames) + ", steps " + std::to_string(reader.info(0).step) + " to " +
                           std::to_string(last.step) + ", " + short_number(last.time) + " s");
        line("bodies", count_text(reader.read(frames - 1).bodies.size()) + " in the last frame");
        line("hash", hash_text(last.state_hash) + " at the last frame");
    } else {
        line("frames", "none");
    }
}

template <class T>
bool same_bits(const T& a, const T& b) {
    using Words = std::array<std::uint32_t, sizeof(T) / 4>;
    return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
}

/// "body 12 is the first whose pose differs", or that no pose differs.
std::string first_difference(const RecordingFrame& frame, std::span<const RecordedPose> bodies) {
    if (frame.bodies.size() != bodies.size())
        return "the recording has " + count_of(frame.bodies.size(), "body", "bodies") + ", this run " +
               count_text(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (!same_bits(frame.bodies[i].position, bodies[i].position) ||
            !same_bits(frame.bodies[i].rotation, bodies[i].rotation))
            return "body " + std::to_string(i) + " is the first whose pose differs";
    return "the poses are equal, the momenta are not";
}

int verify(RecordingReader& reader, const Arguments& given, const std::string& file) {
    const RecordingHeader& header = reader.header();
    if (reader.frame_count() == 0) throw Error("there are no frames to compare", file);
    const Scene scene = find_scene(header.scene, settings_from_text(header.settings, file));
    const auto run = start_scene(scene, read_place(given));
    Progress progress(scene.name, reader.info(reader.frame_count() - 1).step);

    for (std::size_t i = 0; i < reader.frame_count(); ++i) {
        const RecordingFrameInfo& info = reader.info(i);
        if (run->steps_done() < info.step) run->step(info.step - run->steps_done());
        if (run->hash() != info.state_hash) {
            progress.clear();
            std::printf("DIVERGED at step %llu (frame %zu): the recording has %s, this run %s; %s\n",
                        static_cast<unsigned long long>(info.step), i, hash_text(info.state_hash).c_str(),
                        hash_text(run->hash()).c_str(),
                        first_difference(reader.read(i), run->poses()).c_str());
            return exit_failed;
        }
        if (progress.due(info.step)) progress.show(info.step, "step " + std::to_string(info.step));
    }
    progress.clear();
    std::printf("VERIFIED %s: equal hashes up to step %llu\n",
                count_of(reader.frame_count(), "frame", "frames").c_str(),
                static_cast<unsigned long long>(run->steps_done()));
    return exit_ok;
}

} // namespace

int replay_command(std::span<const std::string> arguments) {
    const CommandSpec command = replay_spec();
    const Arguments given(command, arguments);
    if (given.help()) return std::fputs(help_text(command).c_str(), stdout), exit_ok;

    const std::string& file = given.positional().front();
    RecordingReader reader(file);
    if (reader.truncated()) std::fprintf(stderr, "scree: warning: %s\n", reader.message().c_str());
    if (given.has("--verify")) return verify(reader, given, file);

    if (given.has("--frame") || given.has("--csv")) {
        if (reader.frame_count() == 0) throw Error("there are no frames", file);
        const std::uint64_t last = reader.frame_count() - 1;
        const auto frame = static_cast<std::size_t>(given.whole("--frame", 0, last).value_or(last));
        const std::string text = frame_csv(reader.read(frame));
        if (const auto csv = given.text("--csv")) {
            OutputFile out("--csv", *csv);
            out.write(text);
            out.finish();
            std::printf("frame %zu is in %s\n", frame, csv->c_str());
        } else {
            std::fputs(text.c_str(), stdout);
        }
        return exit_ok;
    }
    print_contents(reader);
    return exit_ok;
}

} // namespace scree
