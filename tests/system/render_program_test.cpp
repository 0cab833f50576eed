// SPDX-License-Identifier: MIT
// render_program_test.cpp — `scree render` as a user runs it: pictures, videos, recordings, GL against GLES, bad input.
#include "program.h"

#include "render/image.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace scree::testing {
namespace {

using render::Image;
using render::read_png;

/// An environment variable for as long as this lives.
class Environment {
public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) before_ = old, was_set_ = true;
        setenv(name, value, 1);
    }
    ~Environment() {
        if (was_set_) setenv(name_, before_.c_str(), 1);
        else unsetenv(name_);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* name_;
    std::string before_;
    bool was_set_ = false;
};

ProgramResult draw(const std::string& scene, const std::string& out, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"render", scene, "-o", out, "--size", "160x90", "--steps", "4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
}

TEST(RenderProgram, MakesAPictureOfTheSizeAskedFor) {
    const TemporaryFolder folder;
    const ProgramResult result = draw("pyramid-10", folder.file("x.png"));
    ASSERT_EQ(result.code, 0) << result;
    const Image image = read_png(folder.file("x.png"));
    EXPECT_EQ(image.width, 160);
    EXPECT_EQ(image.height, 90);
    // something is in the middle that differs from the corner
    const auto middle = image.pixel(80, 55), corner = image.pixel(2, 85);
    EXPECT_GT(std::abs(int{middle[0]} - corner[0]) + std::abs(int{middle[1]} - corner[1]) +
                  std::abs(int{middle[2]} - corner[2]),
              20);
}

TEST(RenderProgram, GlAndGlesGiveTheSamePicture) {
    const TemporaryFolder folder;
    for (const char* scene : {"mixed-shapes", "funnel-100"}) {
        ASSERT_EQ(draw(scene, folder.file("gl.png")).code, 0);
        const ProgramResult gles = draw(scene, folder.file("gles.png"), {"--gles"});
        ASSERT_EQ(gles.code, 0) << gles;
        EXPECT_TRUE(gles.said("OpenGL ES")) << gles;
        const auto d = difference(read_png(folder.file("gl.png")), read_png(folder.file("gles.png")), 2);
        EXPECT_LE(d.mean, 0.1) << scene;
        EXPECT_LE(d.share_above, 0.005) << scene;
    }
}

TEST(RenderProgram, ClothOnOpenGlEsIsDrawnFromItsBuffers) {
    const TemporaryFolder folder;
    const ProgramResult shared = draw("v-pb-3", folder.file("a.png"), {"--device", "gles", "--stats"});
    ASSERT_EQ(shared.code, 0) << shared;
    EXPECT_TRUE(shared.said("vertices   shared with the world's device")) << shared;
    const ProgramResult copied =
        draw("v-pb-3", folder.file("b.png"), {"--device", "gles", "--stats", "--copy-poses"});
    EXPECT_TRUE(copied.said("copied (as asked for)")) << copied;
    EXPECT_LE(difference(read_png(folder.file("a.png")), read_png(folder.file("b.png"))).largest, 1);
}

TEST(RenderProgram, PosesAreSharedWhereTheWorldsDeviceCanWriteThem) {
    const TemporaryFolder folder;
    const auto picture = [&](const std::string& file, std::vector<std::string> more) {
        more.insert(more.end(), {"--device", "cpu:kernels", "--stats"});
        return draw("mixed-shapes", folder.file(file), more);
    };
    const ProgramResult shared = picture("a.png", {});
    ASSERT_EQ(shared.code, 0) << shared;
    if (shared.said("OpenGL ES")) GTEST_SKIP() << "no compute shaders";
    EXPECT_TRUE(shared.said("poses      shared with the world's device")) << shared;
    EXPECT_TRUE(shared.said("culled     on the GPU")) << shared;
    const ProgramResult copied = picture("b.png", {"--copy-poses"});
    EXPECT_TRUE(copied.said("poses      copied (as asked for)")) << copied;
    EXPECT_LE(difference(read_png(folder.file("a.png")), read_png(folder.file("b.png"))).largest, 1);
    // OpenGL ES 3.0 does not compute
    const ProgramResult gles = picture("d.png", {"--gles"});
    EXPECT_TRUE(gles.said("poses      copied (the GPU does not find what is seen)")) << gles;
    const ProgramResult host = draw("mixed-shapes", folder.file("c.png"), {"--device", "cpu", "--stats"});
    EXPECT_TRUE(host.said("poses      copied (the world is in the host's memory)")) << host;
}

TEST(RenderProgram, AFolderGetsOnePictureAfterAnother) {
    const TemporaryFolder folder;
    const ProgramResult result = draw("stack", folder.file("frames/"), {"--every", "2"});
    ASSERT_EQ(result.code, 0) << result;
    for (const char* name : {"frames/frame-00000.png", "frames/frame-00001.png", "frames/frame-00002.png"})
        EXPECT_EQ(read_png(folder.file(name)).width, 160) << name;
    EXPECT_TRUE(result.said("3 pictures")) << result;
}

TEST(RenderProgram, MakesAVideoWhenFfmpegIsThere) {
    if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    const TemporaryFolder folder;
    const ProgramResult result = draw("stack", folder.file("x.mp4"), {"--every", "1"});
    ASSERT_EQ(result.code, 0) << result;
    const std::string bytes = file_bytes(folder.file("x.mp4"));
    EXPECT_GT(bytes.size(), 1000u);
    EXPECT_EQ(bytes.substr(4, 4), "ftyp");
}

/// Pictures of a video that ffmpeg can read to its end; -1 when it cannot.
int pictures_in(const TemporaryFolder& folder, const std::string& video) {
    const std::string command = "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
                                "stream=nb_read_frames -of csv=p=0 '" +
                                folder.file(video) + "' >'" + folder.file("count") + "' 2>&1";
    if (std::system(command.c_str()) != 0) return -1;
    return std::atoi(file_bytes(folder.file("count")).c_str());
}

/// What the message says of a video that ended early.
int pictures_said(const std::string& text) {
    const std::size_t at = text.find("x.mp4 has ");
    return at == std::string::npos ? -2 : std::atoi(text.c_str() + at + 10);
}

TEST(RenderProgram, CtrlCLeavesAShorterVideo) {
    if (std::system("ffprobe -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    const TemporaryFolder folder;
    // the terminal's ctrl-C reaches every program of the command, ffmpeg too unless it is kept out of it
    const ProgramResult result = run_on_terminal({"render", "stack", "-o", folder.file("x.mp4"), "--size",
                                                  "160x90", "--steps", "1000000", "--every", "1"},
                                                 "pictures", "\x03");
    EXPECT_EQ(result.code, 130) << result;
    EXPECT_TRUE(result.said("interrupted at step")) << result;
    EXPECT_GE(pictures_in(folder, "x.mp4"), 1) << result;
    EXPECT_EQ(pictures_in(folder, "x.mp4"), pictures_said(result.out)) << result;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.mp4.partial")));
}

TEST(RenderProgram, ARequestToEndLeavesAShorterVideoOrNothing) {
    if (std::system("ffprobe -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    const TemporaryFolder folder;
    const auto end_soon = [&](const std::string& out, const std::string& when) {
        const std::string command =
            "cd '" + folder.file("") + "' && { '" SCREE_PROGRAM "' render stack -o " + out +
            " --size 160x90 --steps 100000000 --every 1 >out 2>err & } ; pid=$!; while ! " + when +
            "; do sleep 0.1; done; kill -TERM $pid; wait $pid";
        const int status = std::system(command.c_str());
        return ProgramResult{WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_bytes(folder.file("out")),
                             file_bytes(folder.file("err"))};
    };
    const ProgramResult video = end_soon("x.mp4", "test -e x.mp4.partial");
    EXPECT_EQ(video.code, 130) << video;
    EXPECT_GE(pictures_in(folder, "x.mp4"), 1) << video;
    EXPECT_EQ(pictures_in(folder, "x.mp4"), pictures_said(video.err)) << video;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.mp4.partial")));

    // a picture is of the last step, which did not come
    const ProgramResult picture = end_soon("x.png", "sleep 2");
    EXPECT_NE(picture.code, 0) << picture;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.png")));
    EXPECT_FALSE(picture.said("x.png")) << picture;
}

TEST(RenderProgram, AVideoThatFailsLeavesNothing) {
    const TemporaryFolder folder;
    // an ffmpeg that breaks off
    std::ofstream(folder.file("ffmpeg")) << "#!/bin/sh\nhead -c 1000 >/dev/null\nexit 3\n";
    std::filesystem::permissions(folder.file("ffmpeg"), std::filesystem::perms::owner_all);
    const Environment path("PATH", (folder.file("") + ":/usr/bin:/bin").c_str());
    const ProgramResult result = draw("stack", folder.file("x.mp4"), {"--every", "1"});
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("ffmpeg")) << result;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.mp4")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.mp4.partial")));
}

TEST(RenderProgram, ColoursAreTheSameUnlessAnotherSeedIsGiven) {
    const TemporaryFolder folder;
    const auto picture = [&](const char* name, std::vector<std::string> more) {
        const ProgramResult result = draw("towers-2x2", folder.file(name), std::move(more));
        EXPECT_EQ(result.code, 0) << result;
        return read_png(folder.file(name));
    };
    const Image first = picture("a.png", {}), again = picture("b.png", {}),
                zero = picture("c.png", {"--colour-seed", "0"}),
                other = picture("d.png", {"--colour-seed", "12"});
    EXPECT_EQ(difference(first, again).largest, 0);
    EXPECT_EQ(difference(first, zero).largest, 0);
    EXPECT_GT(difference(first, other, 16).share_above, 0.005);
}

TEST(RenderProgram, WithoutFfmpegPicturesAreWritten) {
    const TemporaryFolder folder;
    const Environment path("PATH", "/nowhere");
    const ProgramResult result = draw("stack", folder.file("x.mp4"), {"--every", "4"});
    ASSERT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.complained("ffmpeg is not installed")) << result;
    EXPECT_TRUE(std::filesystem::exists(folder.file("x-frames/frame-00001.png")));
}

/// A picture in another environment, and whether there is one.
std::pair<ProgramResult, bool> draw_where(const char* variable, const char* value) {
    const TemporaryFolder folder;
    const Environment changed(variable, value);
    const ProgramResult result = draw("stack", folder.file("x.png"));
    return {result, std::filesystem::exists(folder.file("x.png"))};
}

TEST(RenderProgram, WithoutGl45ItFallsBackToGlesAndSaysSo) {
    const auto [result, drawn] = draw_where("MESA_GL_VERSION_OVERRIDE", "3.3");
    ASSERT_EQ(result.code, 0) << result;
    if (!result.said("Mesa")) GTEST_SKIP() << "only drivers of Mesa take their version from the environment";
    EXPECT_TRUE(drawn);
    EXPECT_TRUE(result.complained("there is no OpenGL 4.5")) << result;
    EXPECT_TRUE(result.said("OpenGL ES")) << result;
}

TEST(RenderProgram, WithoutADriverItSaysWhatIsMissing) {
    const auto [result, drawn] = draw_where("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json");
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("EGL")) << result;
    EXPECT_FALSE(drawn);
}

TEST(RenderProgram, ShowsARecording) {
    const TemporaryFolder folder;
    ASSERT_EQ(
        run_program({"run", "stack", "--steps", "10", "--record", folder.file("r.rec"), "--every", "5"}).code,
        0);
    const ProgramResult result =
        run_program({"render", folder.file("r.rec"), "-o", folder.file("x.png"), "--size", "64x36"});
    ASSERT_EQ(result.code, 0) << result;
    EXPECT_EQ(read_png(folder.file("x.png")).width, 64);
}

TEST(RenderProgram, PicturesOfAFilmAreThoseOfTheirSteps) {
    // the next steps are taken while a picture is drawn
    const TemporaryFolder folder;
    const std::string recording = folder.file("r.rec");
    ASSERT_EQ(run_program({"run", "pyramid-10", "--steps", "12", "--record", recording, "--every", "4"}).code,
              0);
    const auto drawn = [&](const std::string& what, const std::string& out, std::vector<std::string> more) {
        std::vector<std::string> arguments{"render", what,    "-o",       folder.file(out),
                                           "--size", "64x36", "--camera", "eye=6,5,9,target=0,2,0"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProgramResult result = run_program(arguments);
        EXPECT_EQ(result.code, 0) << result;
    };
    drawn("pyramid-10", "live/", {"--steps", "12", "--every", "4"});
    drawn(recording, "recorded/", {"--every", "4"});
    for (int k = 1; k <= 3; ++k) {
        const std::string name = "frame-0000" + std::to_string(k) + ".png";
        drawn("pyramid-10", name, {"--steps", std::to_string(4 * k)});
        const render::Image alone = read_png(folder.file(name));
        EXPECT_EQ(read_png(folder.file("live/" + name)).rgba, alone.rgba) << k;
        EXPECT_EQ(read_png(folder.file("recorded/" + name)).rgba, alone.rgba) << k;
    }
    EXPECT_NE(read_png(folder.file("live/frame-00001.png")).rgba,
              read_png(folder.file("live/frame-00003.png")).rgba);
}

TEST(RenderProgram, AFilmOfADamagedRecordingEndsWithItsError) {
    const TemporaryFolder folder;
    const std::string file = folder.file("r.rec");
    ASSERT_EQ(run_program({"run", "pyramid-10", "--steps", "20", "--record", file, "--every", "1"}).code, 0);
    std::string bytes = file_bytes(file);
    bytes[bytes.size() * 2 / 3] ^= 0x55;
    std::ofstream(file, std::ios::binary) << bytes;
    const ProgramResult result =
        run_program({"render", file, "-o", folder.file("frames/"), "--size", "64x36", "--every", "1"});
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("the chunk does not match its checksum")) << result;
    EXPECT_GT(file_bytes(folder.file("frames/frame-00000.png")).size(), 0u); // up to there there are pictures
}

TEST(RenderProgram, ACameraCanBeGivenInWordsOrAsAFile) {
    const TemporaryFolder folder;
    ASSERT_EQ(draw("stack", folder.file("a.png"), {"--camera", "eye=4,3,6,target=0,1,0,fov=40"}).code, 0);
    std::ofstream(folder.file("path.txt"))
        << "# from the front to the side\ntime=0 eye=4,3,6 target=0,1,0 fov=40\n"
           "time=5 eye=8,3,0 target=0,1,0\n";
    ASSERT_EQ(draw("stack", folder.file("b.png"), {"--camera", folder.file("path.txt")}).code, 0);
    // four steps after the start it is almost where it began
    EXPECT_LT(difference(read_png(folder.file("a.png")), read_png(folder.file("b.png"))).mean, 6);
}

TEST(RenderProgram, ACameraOfTheSceneIsTakenByItsName) {
    const TemporaryFolder folder;
    ASSERT_EQ(draw("v-pb-5", folder.file("a.png"), {"--camera", "top"}).code, 0);
    ASSERT_EQ(draw("v-pb-5", folder.file("b.png"), {"--camera", "eye=0,14,0.1,target=0,2,0,fov=45"}).code, 0);
    ASSERT_EQ(draw("v-pb-5", folder.file("c.png"), {"--camera", "side"}).code, 0);
    EXPECT_LE(difference(read_png(folder.file("a.png")), read_png(folder.file("b.png"))).largest, 1);
    EXPECT_GT(difference(read_png(folder.file("a.png")), read_png(folder.file("c.png"))).mean, 3);
}

TEST(RenderProgram, PicturesMayGoToAFolderThatIsCalledAsTheirCamera) {
    const TemporaryFolder folder;
    const std::string command = "cd '" + folder.file("") +
                                "' && '" SCREE_PROGRAM
                                "' render v-pb-5 -o top/ --camera top --size 32x18 --steps 1 >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(std::system(command.c_str()), 0); // now it is there
}

TEST(RenderProgram, ShadingIsTheScenesOrAsAskedFor) {
    const TemporaryFolder folder;
    ASSERT_EQ(draw("v-pb-5", folder.file("a.png"), {}).code, 0);
    ASSERT_EQ(draw("v-pb-5", folder.file("b.png"), {"--shading", "blinn_phong"}).code, 0);
    ASSERT_EQ(draw("v-pb-5", folder.file("c.png"), {"--shading", "physical"}).code, 0);
    EXPECT_LE(difference(read_png(folder.file("a.png")), read_png(folder.file("b.png"))).largest, 1);
    EXPECT_GT(difference(read_png(folder.file("a.png")), read_png(folder.file("c.png"))).largest, 8);
}

TEST(RenderProgram, BadInputIsOneLineThatNamesIt) {
    const TemporaryFolder folder;
    const std::string out = folder.file("x.png");
    const struct {
        std::vector<std::string> arguments;
        const char* says;
    } cases[] = {
        {{"render", "stack", "-o", out, "--size", "0x90"}, "--size"},
        {{"render", "stack", "-o", out, "--size", "99999x90"}, "16384"},
        {{"render", "stack", "-o", out, "--size", "big"}, "--size"},
        {{"render", "stack"}, "-o"},
        {{"render", "stack", "-o", folder.file("x.bmp")}, "FILE.png"},
        {{"render", "stack", "-o", "/nowhere/x.png"}, "/nowhere"},
        {{"render", "no-such-scene", "-o", out}, "no-such-scene"},
        {{"render", "stack", "-o", out, "--steps", "1", "--camera", "eye=1,2"}, "three numbers"},
        {{"render", "stack", "-o", out, "--steps", "1", "--camera", "eye=0,0,0,target=0,0,0"}, "same point"},
        {{"render", "stack", "-o", out, "--steps", "1", "--camera", "nose=1"}, "nose"},
        {{"render", "stack", "-o", out, "--steps", "1", "--camera", "/nowhere/path"}, "/nowhere/path"},
        {{"render", "stack", "-o", out, "--steps", "1", "--camera", "front"}, "a scene with \"cameras\""},
        {{"render", "v-pb-5", "-o", out, "--camera", "front"}, "one of side, top"},
        // before anything of the scene
        {{"render", "no-such-scene", "-o", out, "--camera", "/nowhere/path"}, "/nowhere/path"},
        {{"render", "stack", "-o", out, "--fps", "0"}, "--fps"},
        {{"render", "stack", "-o", out, "--samples", "3"}, "--samples"},
        {{"render", "stack", "-o", out, "--colour-seed", "red"}, "--colour-seed"},
        {{"render", "stack", "-o", out, "--shading", "flat"}, "blinn_phong"},
        {{"render", "stack", "-o", out, "--mode", "fast"}, "pooled"}};
    for (const auto& bad : cases) {
        const ProgramResult result = run_program(bad.arguments);
        EXPECT_EQ(result.code, 2) << result;
        EXPECT_TRUE(result.complained(bad.says)) << bad.says << "\n" << result;
        EXPECT_FALSE(std::filesystem::exists(out));
    }
}

} // namespace
} // namespace scree::testing
