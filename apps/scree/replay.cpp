// SPDX-License-Identifier: MIT
// replay.cpp — `scree replay`: describes a recording, prints a frame as CSV, or runs the scene again and compares.

#include "record/replay.h"
#include "commands.h"
#include "output_file.h"
#include "progress.h"
#include "scene_arguments.h"
#include "scree/error.h"
#include "scree/recording.h"
#include "text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>

namespace scree {

namespace {

/// Of mass; of bodies whose rotation is not finite too.
Vec3 centre_of(const Frame& frame, std::size_t body) {
    return frame.appearance->bodies[body].centre == Vec3{} ? frame.pose(body).position : frame.centre(body);
}

std::string frame_csv(const Frame& frame) {
    std::string text = "body,shape,x,y,z,qs,qx,qy,qz,asleep,frozen\n";
    for (std::size_t i = 0; i < frame.appearance->body_count; ++i) {
        const Vec3 centre = centre_of(frame, i);
        const Quat rotation = frame.pose(i).rotation;
        text += std::to_string(i) + "," + std::to_string(frame.appearance->bodies[i].shape);
        for (const float value :
             {centre.x, centre.y, centre.z, rotation.s, rotation.x, rotation.y, rotation.z}) {
            // nine digits read back as the same float
            char number[32];
            std::snprintf(number, sizeof number, ",%.9g", static_cast<double>(value));
            text += number;
        }
        text += frame.has(i, Frame::asleep) ? ",1" : ",0";
        text += frame.has(i, Frame::frozen) ? ",1\n" : ",0\n";
    }
    return text;
}

void print_contents(RecordingReader& reader) {
    const RecordingHeader& header = reader.header();
    print_line("scene", header.scene + ": " + header.title);
    print_line("recorded", "by Scree " + header.scree_version + " on " + header.device);
    print_line("step", short_number(static_cast<double>(header.time_step)) + " s, a frame each " +
                           count_of(header.steps_per_frame, "step", "steps"));
    if (!header.files.empty()) {
        std::string names;
        for (const SceneFile& file : header.files) names += (names.empty() ? "" : ", ") + file.name;
        print_line("files", names);
    }
    const std::size_t frames = reader.frame_count();
    if (frames == 0) return print_line("frames", "none");
    const RecordingFrameInfo& last = reader.info(frames - 1);
    print_line("frames", count_text(frames) + ", steps " + std::to_string(reader.info(0).step) + " to " +
                             std::to_string(last.step) + ", " + short_number(last.time) + " s");
    print_line("hash", hash_text(last.state_hash) + " at the last frame");
}

void print_looks(RecordingReader& reader) {
    const Appearance& look = *reader.appearance(reader.frame_count() - 1);
    std::size_t particles = 0;
    for (const AppearanceShape& shape : look.shapes) particles += shape.particles.size();
    std::size_t others = 0; // surfaces of cloth have no parts
    for (std::size_t b = look.body_count; b < look.bodies.size(); ++b)
        others += !look.shapes[look.bodies[b].shape].shown().empty();
    print_line("shapes",
               count_text(look.shapes.size()) + " with " + count_of(particles, "particle", "particles"));
    print_line("bodies",
               count_text(look.body_count) + " in the last frame" +
                   (others > 0 ? ", and " + count_of(others, "obstacle or wall", "obstacles and walls")
                               : std::string()));
    if (!look.joints.empty()) print_line("joints", count_text(look.joints.size()));
    if (!look.meshes.empty()) print_line("meshes", count_text(look.meshes.size()));
    const std::string commands = reader.commands();
    if (!commands.empty())
        print_line("commands",
                   count_text(static_cast<std::size_t>(std::count(commands.begin(), commands.end(), '\n'))));
}

/// Names what cannot be read.
int report(const std::vector<RecordingDamage>& damages, const std::string& file) {
    for (const RecordingDamage& damage : damages)
        std::fprintf(stderr, "scree: %s: %s\n", printable(file).c_str(), damage.message().c_str());
    return damages.empty() ? exit_ok : exit_failed;
}

template <class T>
bool same_bits(const T& a, const T& b) {
    using Words = std::array<std::uint32_t, sizeof(T) / 4>;
    return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
}

/// "body 12 is the first whose pose differs", or that no pose differs. Recordings of version 1 hold centres of mass.
std::string first_difference(const Frame& recorded, const Frame& now, bool centres) {
    const std::uint32_t count = recorded.appearance->body_count, bodies = now.appearance->body_count;
    if (count != bodies)
        return "the recording has " + count_of(count, "body", "bodies") + ", this run " + count_text(bodies);
    for (std::size_t i = 0; i < bodies; ++i)
        if (!same_bits(recorded.pose(i).position, centres ? now.centre(i) : now.pose(i).position) ||
            !same_bits(recorded.pose(i).rotation, now.pose(i).rotation))
            return "body " + std::to_string(i) + " is the first whose pose differs";
    return "the poses are equal, the momenta are not";
}

struct Divergence {
    std::size_t frame = 0;
    std::string what;
};

/// Runs the scene again, with the commands, and returns the first frame that differs.
std::optional<Divergence> run_again(RecordingReader& reader, const Arguments& given,
                                    const std::string& file) {
    Replay replay(reader, file, read_place(given));
    Progress progress(reader.header().scene, reader.info(reader.frame_count() - 1).step);
    for (std::size_t i = 0; i < reader.frame_count(); ++i) {
        const RecordingFrameInfo& info = reader.info(i);
        if (!replay.matches(i)) {
            Frame now;
            replay.run().show(now);
            std::string what = "the recording has " + hash_text(info.state_hash) + ", this run " +
                               hash_text(replay.run().hash());
            try {
                what += "; " + first_difference(reader.read(i), now, reader.version() == 1);
            } catch (const Error&) {
                what += "; the frame's poses cannot be read";
            }
            progress.clear();
            return Divergence{i, what};
        }
        if (progress.due(info.step)) progress.show(info.step, "step " + std::to_string(info.step));
    }
    progress.clear();
    return std::nullopt;
}

int verify(RecordingReader& reader, const Arguments& given, const std::string& file) {
    if (reader.frame_count() == 0) throw Error("there are no frames to compare", file);
    const std::vector<RecordingDamage> damages = reader.check();
    const int readable = report(damages, file);
    for (const RecordingDamage& damage : damages)
        if (damage.first > damage.last) return readable; // without its commands it would take another course
    const auto step_of = [&](std::size_t frame) {
        return static_cast<unsigned long long>(reader.info(frame).step);
    };
    if (const auto found = run_again(reader, given, file)) {
        std::printf("DIVERGED at step %llu (frame %zu): %s\n", step_of(found->frame), found->frame,
                    found->what.c_str());
        return exit_failed;
    }
    std::printf("%s %s: equal hashes up to step %llu\n", readable == exit_ok ? "VERIFIED" : "DAMAGED",
                count_of(reader.frame_count(), "frame", "frames").c_str(), step_of(reader.frame_count() - 1));
    return readable;
}

int run(const Arguments& given) {
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
            write_file("--csv", *csv, text);
            std::printf("frame %zu is in %s\n", frame, csv->c_str());
        } else {
            std::fputs(text.c_str(), stdout);
        }
        return exit_ok;
    }
    const int readable = report(reader.check(), file);
    print_contents(reader);
    try {
        if (reader.frame_count() > 0) print_looks(reader);
    } catch (const Error&) {
        // named above
    }
    return readable;
}

} // namespace

CommandSpec replay_command() {
    return {"replay FILE",
            "describe a recording, or run it again and compare",
            R"(Describes a recording. --frame prints a frame as CSV; --verify runs the scene again
and names the first frame that differs.

Names unreadable frames, and then exits with 1.
The CSV has the columns body, shape, x, y, z, qs, qx, qy, qz, asleep, frozen.)",
            {R"(
--frame N           print frame N (the first is 0) as CSV
--csv FILE          write that CSV to a file; default: of the last frame
--verify            run the scene again and compare the state hash of each frame
)",
             device_options},
            run};
}

} // namespace scree
