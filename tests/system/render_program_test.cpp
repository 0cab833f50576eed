// SPDX-License-Identifier: MIT
// render_program_test.cpp — `scree render` as a user runs it: pictures, videos, recordings, GL against GLES, bad input.
#include "program.h"

#include "render/image.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

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

TEST(RenderProgram, WithoutFfmpegPicturesAreWritten) {
    const TemporaryFolder folder;
    const Environment path("PATH", "/nowhere");
    const ProgramResult result = draw("stack", folder.file("x.mp4"), {"--every", "4"});
    ASSERT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.complained("ffmpeg is not installed")) << result;
    EXPECT_TRUE(std::filesystem::exists(folder.file("x-frames/frame-00001.png")));
}

TEST(RenderProgram, WithoutGl45ItFallsBackToGlesAndSaysSo) {
    const TemporaryFolder folder;
    const Environment old("MESA_GL_VERSION_OVERRIDE", "3.3");
    const ProgramResult result = draw("stack", folder.file("x.png"));
    ASSERT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.complained("there is no OpenGL 4.5")) << result;
    EXPECT_TRUE(result.said("OpenGL ES")) << result;
}

TEST(RenderProgram, WithoutADriverItSaysWhatIsMissing) {
    const TemporaryFolder folder;
    const Environment none("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json");
    const ProgramResult result = draw("stack", folder.file("x.png"));
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("EGL")) << result;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.png")));
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
        {{"render", "stack", "-o", out, "--fps", "0"}, "--fps"},
        {{"render", "stack", "-o", out, "--samples", "3"}, "--samples"},
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
