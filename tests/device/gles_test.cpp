// SPDX-License-Identifier: MIT
// gles_test.cpp — shaders, programs, streams and kernels of scree/gles.h, and impacts in stages by them against the CPU's.
#include "device/gles/context.h"
#include "impact2d/scenes.h"
#include "impact2d/world.h"
#include "scree/gles.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

namespace scree {
namespace {

using namespace gles;
using impact2d::Array;
using impact2d::StageId;
using test::error_message;

const char* const plain_vertex = "#version 300 es\nin vec4 corner;\nin float weight;\nuniform mat4 view;\n"
                                 "void main() { gl_Position = view * corner * weight; }\n";
const char* const plain_fragment =
    "#version 300 es\nprecision highp float;\nuniform float one;\nuniform vec4 four;\nuniform ivec2 whole;\n"
    "uniform float list[3];\nout vec4 colour;\n"
    "void main() { colour = four * one + vec4(whole, 0, 0) + list[2]; }\n";

class Gles : public testing::Test {
protected:
    void SetUp() override {
        try {
            context.emplace();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
    }
    std::filesystem::path file(const char* name, const std::string& text) {
        const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
        std::ofstream(path) << text;
        return path;
    }
    std::vector<std::uint32_t> bits(const std::vector<float>& values) {
        std::vector<std::uint32_t> all;
        for (const float v : values) all.push_back(std::bit_cast<std::uint32_t>(v));
        return all;
    }

    std::optional<Context> context;
};

// shaders and programs --------------------------------------------------------------------------------------

TEST_F(Gles, AShaderIsCompiledFromItsSource) {
    Shader shader(*context); // a vertex shader
    EXPECT_NE(shader.handle(), 0u);
    EXPECT_EQ(shader.query(ShaderQuery::kind), 0);
    EXPECT_EQ(shader.query(ShaderQuery::source_length), 0);
    EXPECT_EQ(shader.query(ShaderQuery::log_length), 0);
    EXPECT_FALSE(shader.compiled());
    shader.set_source("#version 300 es\nvoid main() { nonsense; }\n");
    EXPECT_FALSE(shader.compile());
    EXPECT_NE(shader.log().find("nonsense"), std::string::npos);
    EXPECT_EQ(shader.query(ShaderQuery::log_length), static_cast<int>(shader.log().size()) + 1);
    shader.set_source(plain_vertex);
    EXPECT_EQ(shader.source(), plain_vertex);
    EXPECT_EQ(shader.query(ShaderQuery::source_length),
              static_cast<int>(std::string(plain_vertex).size()) + 1);
    EXPECT_TRUE(shader.compile());
    EXPECT_TRUE(shader.compiled());
    EXPECT_EQ(shader.query(ShaderQuery::deleted), 0);

    Shader fragment(*context, file("plain.frag", plain_fragment), ShaderKind::fragment);
    EXPECT_EQ(fragment.query(ShaderQuery::kind), 1);
    EXPECT_FALSE(fragment.compiled());
    EXPECT_TRUE(fragment.compile());
    EXPECT_NE(error_message([&] { Shader(*context, "nowhere.frag"); }).find("nowhere.frag"),
              std::string::npos);
}

TEST_F(Gles, AProgramIsLinkedFromItsShaders) {
    Program program(*context, file("plain.vert", plain_vertex), file("plain.frag", plain_fragment));
    EXPECT_TRUE(program.linked());
    EXPECT_TRUE(program.validate());
    EXPECT_EQ(program.query(ProgramQuery::valid), 1);
    EXPECT_EQ(program.query(ProgramQuery::shaders), 2);
    EXPECT_EQ(program.shader_handles().size(), 2u);
    EXPECT_EQ(program.query(ProgramQuery::attributes), 2);
    EXPECT_EQ(program.query(ProgramQuery::uniforms), 5);
    EXPECT_EQ(program.query(ProgramQuery::uniform_name_length), 8); // "list[0]" and the terminator
    EXPECT_EQ(program.query(ProgramQuery::attribute_name_length), 7);
    EXPECT_EQ(program.query(ProgramQuery::log_length),
              static_cast<int>(program.log().size() + !program.log().empty()));

    std::vector<std::string> names;
    for (int k = 0; k < 5; ++k) {
        const Variable v = program.uniform(k);
        names.push_back(v.name);
        if (v.name == "one") {
            EXPECT_EQ(v.type, 0x1406u);
        }
        if (v.name == "list[0]") {
            EXPECT_EQ(v.size, 3);
        }
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"four", "list[0]", "one", "view", "whole"}));
    EXPECT_NE(error_message([&] { program.uniform(5); }).find("has 5"), std::string::npos);
    EXPECT_NE(program.attribute(0).name, program.attribute(1).name);

    // one alone gets a partner
    Program vertex(*context, file("plain.vert", plain_vertex));
    EXPECT_TRUE(vertex.linked());
    EXPECT_EQ(vertex.query(ProgramQuery::attributes), 2);
    Program fragment(*context, file("plain.frag", plain_fragment), ShaderKind::fragment);
    EXPECT_TRUE(fragment.linked());
    EXPECT_EQ(fragment.query(ProgramQuery::uniforms), 4);
    EXPECT_EQ(Program(*context).query(ProgramQuery::shaders), 0);

    // locations of attributes hold from the next link on
    program.set_attribute_location("weight", 6);
    ASSERT_TRUE(program.link());
    EXPECT_EQ(program.attribute_location("weight"), 6);
    EXPECT_EQ(program.attribute_location("nothing"), -1);

    const std::string broken = error_message([&] {
        Program(*context, file("bad.vert", "#version 300 es\nvoid main() { nonsense; }"),
                file("plain.frag", plain_fragment));
    });
    EXPECT_NE(broken.find("nonsense"), std::string::npos);
}

TEST_F(Gles, ShadersAreAttachedAndGoWithTheirProgram) {
    const auto vertex = std::make_shared<Shader>(*context),
               fragment = std::make_shared<Shader>(*context, ShaderKind::fragment);
    vertex->set_source(plain_vertex);
    fragment->set_source(plain_fragment);
    vertex->compile();
    fragment->compile();
    {
        Program program(*context);
        EXPECT_FALSE(program.linked());
        program.attach(vertex);
        program.attach(fragment);
        EXPECT_NE(error_message([&] { program.attach(vertex); }), "");
        program.detach(*vertex);
        EXPECT_NE(error_message([&] { program.detach(*vertex); }), "");
        EXPECT_FALSE(program.link()); // there is no vertex shader
        EXPECT_NE(program.log(), "");
        program.attach(vertex);
        EXPECT_TRUE(program.link());
        EXPECT_EQ(vertex.use_count(), 2); // the program holds them
        program.use();
        program.disable();
    }
    EXPECT_EQ(vertex.use_count(), 1);
    EXPECT_TRUE(vertex->compiled()); // and others may hold them longer
}

TEST_F(Gles, UniformsAreSetByNameAndByLocation) {
    Stream out(*context, 1, 1, Channels::four);
    Kernel kernel(*context, {.inputs = {},
                             .outputs = {{"y", out}},
                             .body = "uniform float f1; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4;\n"
                                     "uniform int i1; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;\n"
                                     "uniform mat2 m2; uniform mat3 m3; uniform mat4 m4;\n"
                                     "void compute(ivec2 at) {\n"
                                     "  y = vec4(f1 + f2.y + f3.z + f4.w, float(i1 + i2.y + i3.z + i4.w),\n"
                                     "    m2[0][1] + m3[0][1], m4[0][1]);\n}\n"});
    Program& p = kernel.program();
    p.set("f1", 1.0f);
    p.set("f2", 0.0f, 20.0f);
    p.set("f3", 0.0f, 0.0f, 300.0f);
    p.set(p.location("f4"), 0.0f, 0.0f, 0.0f, 4000.0f);
    p.set("i1", 5);
    p.set("i2", 0, 60);
    p.set("i3", 0, 0, 700);
    p.set(p.location("i4"), 0, 0, 0, 8000);
    const std::array<float, 16> matrix{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    p.set_matrix("m2", matrix.data(), false, 2);
    p.set_matrix("m3", matrix.data(), true, 3);
    p.set_matrix("m4", matrix.data());
    kernel.run();
    EXPECT_EQ(out.read(), (std::vector<float>{4321, 8765, 1 + 3, 1}));
    p.set_matrix("m4", matrix.data(), true);
    kernel.run();
    EXPECT_EQ(out.read()[3], 4);

    // a name is looked up once, and again after a link
    const int before = p.lookups();
    for (int k = 0; k < 10; ++k) p.set("f1", 2.0f);
    EXPECT_EQ(p.lookups(), before);
    ASSERT_TRUE(p.link());
    p.set("f1", 3.0f);
    EXPECT_EQ(p.lookups(), before + 1);
    EXPECT_EQ(p.location("nothing"), -1);
    EXPECT_NE(error_message([&] { p.set("nothing", 1.0f); }).find("\"nothing\""), std::string::npos);
    EXPECT_NE(error_message([&] { p.set_matrix("m4", matrix.data(), false, 5); }).find("2, 3 or 4"),
              std::string::npos);
}

TEST_F(Gles, CapabilitiesAreAskedFor) {
    const Capabilities& has = context->capabilities();
    EXPECT_GE(has.major, 3);
    EXPECT_GE(has.texture_size, 2048);
    EXPECT_GE(has.outputs, 4);
    EXPECT_GE(has.float_bits, 23);
    context->require({.texture_size = 2048, .inputs = 16, .outputs = 4});
    const auto lacks = [&](const Capabilities& wanted, const char* what) {
        const std::string message = error_message([&] { context->require(wanted); });
        EXPECT_NE(message.find(what), std::string::npos) << message;
    };
    lacks({.major = 9}, "expected at least 90");
    lacks({.texture_size = 1 << 30}, "largest texture");
    lacks({.outputs = 1000}, "outputs");
    lacks({.float_bits = 52}, "bits");
    EXPECT_NE(error_message([&] { Stream(*context, 1u << 30, 1, Channels::one); }).find("expected 1 to"),
              std::string::npos);
}

// streams and kernels ---------------------------------------------------------------------------------------

TEST_F(Gles, StreamsKeepEveryBit) {
    std::mt19937 random(3);
    for (const Channels channels : {Channels::one, Channels::three, Channels::four}) {
        Stream stream(*context, 7, 5, channels);
        EXPECT_EQ(stream.read(), std::vector<float>(stream.floats()));
        std::vector<float> values(stream.floats());
        for (float& v : values)
            v = std::bit_cast<float>(static_cast<std::uint32_t>(random())); // NaN, denormals, all
        stream.write(values);
        EXPECT_EQ(bits(stream.read()), bits(values));
        EXPECT_NE(error_message([&] { stream.write(std::array{1.0f}); }).find("expected"), std::string::npos);
    }
}

TEST_F(Gles, ASimpleStreamDoesNotSwap) {
    Stream simple(*context, 2, 1, Channels::one), twice(*context, 2, 1, Channels::one, Buffers::doubled);
    EXPECT_EQ(simple.read_id(), simple.write_id());
    const std::uint32_t id = simple.read_id();
    simple.swap();
    EXPECT_EQ(simple.read_id(), id);
    const std::uint32_t from = twice.read_id(), to = twice.write_id();
    EXPECT_NE(from, to);
    twice.write(std::array{1.0f, 2.0f});
    twice.swap();
    EXPECT_EQ(twice.read_id(), to);
    EXPECT_EQ(twice.write_id(), from);
    EXPECT_EQ(twice.read(), (std::vector<float>{0, 0}));
    twice.swap();
    EXPECT_EQ(twice.read(), (std::vector<float>{1, 2}));
}

TEST_F(Gles, AKernelComputesEachItemOfItsOutputs) {
    Stream table(*context, 2, 1, Channels::four), count(*context, 9, 4, Channels::one, Buffers::doubled),
        where(*context, 9, 4, Channels::three);
    table.write(std::array<float, 8>{1, 2, 3, 4, 5, 6, 7, 8});
    const std::filesystem::path log = std::filesystem::path(testing::TempDir()) / "kernel.log";
    std::filesystem::remove(log);
    Kernel kernel(*context, {.inputs = {{"table", table}, {"before", count}},
                             .outputs = {{"after", count}, {"place", where}},
                             .body = "uniform float step;\nvoid compute(ivec2 at) {\n"
                                     "  after = before(at) + step;\n"
                                     "  place = vec4(vec2(at), table(ivec2(at.x % 2, 0)).w, 0.0);\n}\n",
                             .log = log});
    EXPECT_TRUE(std::filesystem::exists(log));
    EXPECT_EQ(kernel.width(), 9u); // of the outputs, whatever the inputs have
    EXPECT_EQ(kernel.height(), 4u);
    kernel.program().set("step", 1.5f);
    kernel.activate();
    kernel.prepare();
    kernel.deactivate();
    for (int k = 0; k < 3; ++k) kernel.run(); // the doubled stream is swapped after each
    EXPECT_EQ(count.read(), std::vector<float>(36, 4.5f));
    const std::vector<float> found = where.read();
    for (std::size_t k = 0; k < 36; ++k) {
        EXPECT_EQ(found[3 * k], static_cast<float>(k % 9));
        EXPECT_EQ(found[3 * k + 1], static_cast<float>(k / 9));
        EXPECT_EQ(found[3 * k + 2], k % 9 % 2 == 0 ? 4 : 8);
    }
}

TEST_F(Gles, APassComputesEachItemOnce) {
    Stream items(*context, 9, 4, Channels::one);
    Kernel computes(
        *context,
        {.inputs = {}, .outputs = {{"y", items}}, .body = "void compute(ivec2 at) { y = vec4(1.0); }"}),
        marks(*context,
              {.inputs = {}, .outputs = {{"y", items}}, .body = "void compute(ivec2 at) { y = vec4(7.0); }"});
    // a stencil counts how often each item is drawn
    const Calls& gl = context->state()->gl;
#define SCREE_CALL(name) reinterpret_cast<decltype(&::name)>(egl::function(#name))
    const auto attach = SCREE_CALL(glFramebufferRenderbuffer);
    const auto func = SCREE_CALL(glStencilFunc);
    const auto op = SCREE_CALL(glStencilOp);
    GLuint counts = 0;
    {
        const egl::Current current(context->state()->context.handle);
        SCREE_CALL(glGenRenderbuffers)(1, &counts);
        SCREE_CALL(glBindRenderbuffer)(GL_RENDERBUFFER, counts);
        SCREE_CALL(glRenderbufferStorage)(GL_RENDERBUFFER, GL_STENCIL_INDEX8, 9, 4);
        for (Kernel* kernel : {&computes, &marks}) {
            kernel->prepare(); // binds its framebuffer
            attach(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, counts);
        }
        gl.Clear(GL_STENCIL_BUFFER_BIT);
        gl.Enable(GL_STENCIL_TEST);
    }
#undef SCREE_CALL
    const auto pass = [&](Kernel& kernel, GLenum where, GLint count, GLenum then) {
        const egl::Current current(context->state()->context.handle);
        func(where, count, 0xff);
        op(GL_KEEP, GL_KEEP, then);
        kernel.run();
    };
    pass(computes, GL_ALWAYS, 0, GL_INCR);
    pass(marks, GL_EQUAL, 1, GL_KEEP); // where one was counted
    EXPECT_EQ(items.read(), std::vector<float>(36, 7));
    pass(computes, GL_ALWAYS, 0, GL_INCR);
    pass(marks, GL_EQUAL, 1, GL_KEEP); // now there are two everywhere
    EXPECT_EQ(items.read(), std::vector<float>(36, 1));
    gl.Disable(GL_STENCIL_TEST);
}

TEST_F(Gles, BadKernelsAreRefused) {
    Stream a(*context, 2, 2, Channels::one), b(*context, 3, 2, Channels::one);
    const auto refused = [&](const KernelSource& source, const char* what) {
        const std::string message = error_message([&] { Kernel(*context, source); });
        EXPECT_NE(message.find(what), std::string::npos) << message;
    };
    const std::string fine = "void compute(ivec2 at) { y = vec4(1.0); }";
    refused({.inputs = {{"x", a}}, .outputs = {}, .body = fine}, "no output");
    refused({.inputs = {{"x", a}}, .outputs = {{"y", a}}, .body = fine}, "read and written");
    refused({.inputs = {}, .outputs = {{"y", a}, {"z", b}}, .body = fine}, "differs in size");
    refused({.inputs = {{"y", b}}, .outputs = {{"y", a}}, .body = fine}, "two streams");
    for (const char* name : {"", "y_", "y__z", "gl_y"})
        refused({.inputs = {}, .outputs = {{name, a}}, .body = fine}, "invalid name of a stream");
    const std::filesystem::path log = std::filesystem::path(testing::TempDir()) / "refused.log";
    std::filesystem::remove(log);
    refused({.inputs = {}, .outputs = {{"y", a}}, .body = "void compute(ivec2 at) { nonsense; }", .log = log},
            "nonsense");
    std::ifstream written(log);
    const std::string messages{std::istreambuf_iterator<char>(written), {}};
    EXPECT_NE(messages.find("nonsense"), std::string::npos) << messages;
}

TEST_F(Gles, TheLeastOfAnySizeIsExact) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> value(3, 100);
    std::optional<Minimum> first;
    for (const auto& [width, height] : {std::pair{64u, 64u}, {17u, 33u}, {5u, 3u}, {2u, 2u}, {1u, 1u}}) {
        Stream stream(*context, width, height, Channels::four);
        std::vector<float> values(stream.floats(), -7); // the fourth channel counts
        float least = 1000;
        for (std::size_t k = 3; k < values.size(); k += 4) least = std::min(least, values[k] = value(random));
        stream.write(values);
        if (!first) first.emplace(*context, stream);
        Minimum minimum(*context, *first, stream);
        EXPECT_EQ(minimum.find(), least);
        if (width == 64) {
            EXPECT_EQ(minimum.passes(), 6);
        }
    }
    Stream three(*context, 2, 2, Channels::three);
    EXPECT_NE(error_message([&] { Minimum(*context, three); }).find("one or four"), std::string::npos);
}

// impacts in stages -----------------------------------------------------------------------------------------

/// Both worlds through the same steps; all arrays are compared after each.
void expect_twins(StagedImpactWorld& cpu, StagedImpactWorld& gles, int steps, std::span<const Array> arrays) {
    for (int step = 0; step < steps; ++step) {
        const StagedReport a = cpu.step(), b = gles.step();
        ASSERT_NEAR(a.advanced, b.advanced, 1e-6) << "step " << step;
        EXPECT_EQ(a.impact, b.impact);
        for (const Array array : arrays) {
            const std::vector<float> one = cpu.state().stages->read(array),
                                     two = gles.state().stages->read(array);
            ASSERT_EQ(one.size(), two.size());
            for (std::size_t k = 0; k < one.size(); ++k)
                ASSERT_NEAR(one[k], two[k], 1e-4f)
                    << impact2d::layout(array).name << "[" << k << "], step " << step;
        }
    }
    // drawn alike but for pixels on the rims
    constexpr int side = 200;
    cpu.draw(side, 8);
    gles.draw(side, 8);
    const std::vector<std::uint8_t> a = cpu.image(), b = gles.image();
    ASSERT_EQ(a.size(), std::size_t{side} * side * 4);
    ASSERT_EQ(b.size(), a.size());
    int different = 0, filled = 0;
    for (std::size_t k = 0; k < a.size(); k += 4) {
        filled += b[k + 3] == 255;
        different += !std::equal(a.begin() + static_cast<std::ptrdiff_t>(k),
                                 a.begin() + static_cast<std::ptrdiff_t>(k) + 4,
                                 b.begin() + static_cast<std::ptrdiff_t>(k));
    }
    EXPECT_GT(filled, side * side / 8);
    EXPECT_LT(different, filled / 50);
    EXPECT_GT(cpu.impacts(), static_cast<std::uint64_t>(steps) / 2);
    EXPECT_EQ(cpu.impacts(), gles.impacts());
}

TEST_F(Gles, CirclesFlyAsOnTheCpu) {
    const impact2d::CircleScene scene = impact2d::circle_scene(30);
    StagedImpactWorld cpu(scene.circles, {.limit = scene.limit}),
        gles(scene.circles, {.limit = scene.limit}, "gles");
    const Array arrays[] = {Array::pair,   Array::impulse, Array::error,
                            Array::change, Array::place,   Array::motion};
    expect_twins(cpu, gles, 60, arrays);
}

TEST_F(Gles, PolygonsFlyAsOnTheCpu) {
    const std::vector<StagedPolygon> bodies = impact2d::polygon_scene(20);
    StagedImpactWorld cpu(bodies), gles(bodies, {}, "gles");
    const Array arrays[] = {Array::box,    Array::candidate, Array::pair,  Array::impulse,
                            Array::change, Array::place,     Array::motion};
    expect_twins(cpu, gles, 40, arrays);
    gles.time_stages(true);
    for (int k = 0; k < 3; ++k) gles.step();
    const StagedTimes all = gles.stage_seconds(), submitted = gles.submission_seconds();
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_GE(all[k], submitted[k]);
    EXPECT_GT(all[static_cast<std::size_t>(StagedStage::bisection)], 0);
}

} // namespace
} // namespace scree
