// SPDX-License-Identifier: MIT
// program_test.cpp — the program from outside: exit codes, messages, files.

#ifdef SCREE_PROGRAM

#include "scree/scene.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

using scree::testing::file_bytes;
using scree::testing::ProgramResult;
using scree::testing::run_on_terminal;
using scree::testing::run_program;
using scree::testing::run_verify;
using scree::testing::TemporaryFolder;

namespace {

bool is_hash(const std::string& text) {
    return text.size() == 16 && std::all_of(text.begin(), text.end(), [](char c) {
               return std::isdigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'f');
           });
}

std::size_t line_count(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Bad input: exit code 2, nothing on standard output, one line that holds all of `parts`.
void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_EQ(result.out, "") << result;
    EXPECT_EQ(line_count(result.err), 1u) << result;
    for (const std::string& part : parts) EXPECT_TRUE(result.complained(part)) << part << "\n" << result;
}

} // namespace

TEST(Program, SaysHowItIsUsed) {
    const ProgramResult help = run_program({"--help"});
    EXPECT_EQ(help.code, 0);
    for (const std::string command : {"run", "scenes", "devices", "verify", "bench", "replay", "decompose"}) {
        EXPECT_TRUE(help.said("\n  " + command + " ")) << help;
        const ProgramResult of_command = run_program({command, "--help"});
        EXPECT_EQ(run_program({"help", command}).out, of_command.out);
        EXPECT_EQ(of_command.code, 0) << of_command;
        EXPECT_TRUE(of_command.said("usage: scree " + command)) << of_command;
    }
    const ProgramResult nothing = run_program({});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_TRUE(nothing.complained("usage: scree COMMAND")) << nothing;
    const ProgramResult version = run_program({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_EQ(version.out.compare(0, 6, "scree "), 0) << version;
}

TEST(Program, LinksNoOtherEngine) {
    FILE* tool = popen("ldd '" SCREE_PROGRAM "' 2>/dev/null", "r");
    ASSERT_NE(tool, nullptr);
    std::string needs;
    for (char line[512]; std::fgets(line, sizeof line, tool) != nullptr;) needs += line;
    if (pclose(tool) != 0) GTEST_SKIP() << "there is no ldd";
    EXPECT_NE(needs.find("libstdc++"), std::string::npos) << needs;
    for (const std::string library : {"libBullet", "libLinearMath", "libode"})
        EXPECT_EQ(needs.find(library), std::string::npos) << needs;
}

TEST(Program, StartsTheBenchmarksBesideIt) {
    const ProgramResult help = run_program({"bench", "--help"});
    EXPECT_EQ(help.code, 0) << help;
    EXPECT_TRUE(help.said("\n  rigid ")) << help;
    const ProgramResult rigid = run_program({"bench", "rigid", "--help"});
    EXPECT_TRUE(rigid.said("usage: scree bench rigid [options]")) << rigid;
    EXPECT_TRUE(rigid.said("\n  --quality FILE…     measure results")) << rigid;
    EXPECT_EQ(run_program({"help", "bench", "rigid"}).out, rigid.out);
    EXPECT_EQ(run_program({"bench", "help", "rigid"}).out, rigid.out);
    expect_refused({"bench", "rigit"}, {"rigit", "did you mean rigid?"});
    expect_refused({"bench"}, {"scree bench --help"});
}

TEST(Program, SaysWhereTheBenchmarksShouldBe) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(SCREE_PROGRAM, folder.file("scree"));
    const std::string command =
        "PATH=/usr/bin '" + folder.file("scree") + "' bench rigid 2>'" + folder.file("err") + "'";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
    EXPECT_NE(file_bytes(folder.file("err")).find("scree-bench is not installed"), std::string::npos)
        << file_bytes(folder.file("err"));
}

TEST(Program, ListsScenes) {
    const ProgramResult result = run_program({"scenes"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("stream-300 ")) << result;
    EXPECT_GT(line_count(result.out), 10u);
    // in groups, with a title each
    for (const scree::SceneInfo& scene : scree::builtin_scenes()) {
        const std::size_t group = result.out.find(scene.group + "\n"),
                          name = result.out.find("  " + scene.name + " ");
        ASSERT_NE(group, std::string::npos) << scene.group;
        ASSERT_NE(name, std::string::npos) << scene.name;
        EXPECT_LT(group, name);
        EXPECT_EQ(result.out.substr(group, name - group).find("\n\n"), std::string::npos) << scene.name;
        EXPECT_NE(result.out.find(scene.title, name), std::string::npos) << scene.title;
    }
    const ProgramResult text = run_program({"scenes", "--text", "die"});
    EXPECT_EQ(text.code, 0) << text;
    EXPECT_TRUE(text.said("\"title\"")) << text;
    expect_refused({"scenes", "--text", "dye"}, {"dye"});
}

TEST(Program, ListsDevices) {
    const ProgramResult result = run_program({"devices"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.line("cpu").find("yes"), std::string::npos) << result;
    // those that are missing are listed with a reason
    EXPECT_TRUE(result.said("\ncuda")) << result;
    EXPECT_TRUE(result.said("\nopencl")) << result;
}

TEST(Program, RunsASceneAndSaysWhatHappened) {
    const ProgramResult result = run_program({"run", "interlock-5", "--device", "cpu"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.line("simulated").find("2 bodies of 1 shape, 54 particles, 100 steps"),
              std::string::npos)
        << result;
    EXPECT_NE(result.line("speed").find("particle-steps/s"), std::string::npos) << result;
    EXPECT_TRUE(is_hash(result.line("hash"))) << result;
    EXPECT_EQ(result.line("expected"), "4 expectations hold") << result;
    EXPECT_TRUE(result.complained("interlock-5: step 10/100, ")) << result; // plain lines, not a bar
    EXPECT_FALSE(result.complained("\r")) << result;

    const ProgramResult hash =
        run_program({"run", "interlock-5", "--device=cpu", "--threads=1", "--lanes=1", "--hash"});
    EXPECT_EQ(hash.code, 0) << hash;
    EXPECT_EQ(hash.out, result.line("hash") + "\n") << hash;
    EXPECT_EQ(hash.err, "") << hash;
}

TEST(Program, DrawsABarOnATerminal) {
    const ProgramResult result = run_on_terminal({"run", "tower-3", "--steps", "300", "--device", "cpu"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("\r\033[Ktower-3 [")) << result;
    EXPECT_TRUE(result.said("x real time, kinetic energy ")) << result;
    EXPECT_TRUE(result.said("\r\033[Kscene ")) << result; // gone before the summary
}

TEST(Program, KeepsWhatIsDoneWhenInterrupted) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("a.rec");
    const ProgramResult result = run_on_terminal(
        {"run", "stream-300", "--bodies", "20", "--steps", "100000000", "--record", rec}, "step ", "\x03");
    EXPECT_EQ(result.code, 130) << result;
    EXPECT_TRUE(result.said("interrupted at step ")) << result;
    EXPECT_EQ(folder.file_count(), 1u);
    const ProgramResult info = run_program({"replay", rec});
    EXPECT_EQ(info.code, 0) << info;
    EXPECT_EQ(info.err, "") << info;
}

TEST(Program, PlotsARun) {
    const TemporaryFolder folder;
    for (const char* scene : {"stack-10", "tower-2"}) {
        const std::string file = folder.file(std::string(scene) + ".svg");
        const ProgramResult result = run_program({"run", scene, "--steps", "60", "--plot", file});
        EXPECT_EQ(result.code, 0) << result;
        EXPECT_EQ(result.line("plot"), file) << result;
        const std::string svg = file_bytes(file);
        for (const char* word : {"kinetic energy", "largest overlap", "contacts", "Stages of a step",
                                 "potential", "sum", "time, s", scene})
            EXPECT_NE(svg.find(word), std::string::npos) << word;
        // a curve for each column of the CSV, the sum of the energies, one a stage; axes without "nan"
        std::size_t curves = 0;
        for (std::size_t at = 0; (at = svg.find("<polyline", at)) != std::string::npos; ++at) ++curves;
        EXPECT_EQ(curves, std::string(scene) == "tower-2" ? 9u + 1 + 6 : 12u + 1 + 8);
        EXPECT_EQ(svg.find("nan"), std::string::npos);
        EXPECT_EQ(svg.compare(svg.size() - 7, 7, "</svg>\n"), 0);
    }
}

TEST(Program, PlotsSumsOnlyOfWhatIsPartOfASum) {
    // a total is one already, and a temperature is no energy of the whole
    const TemporaryFolder folder;
    const std::string file = folder.file("a.svg");
    const ProgramResult result = run_program({"run", "impact-billiard", "--steps", "60", "--plot", file});
    EXPECT_EQ(result.code, 0) << result;
    const std::string svg = file_bytes(file);
    EXPECT_EQ(svg.find(">sum<"), std::string::npos);
    EXPECT_NE(svg.find(">temperature k T<"), std::string::npos); // the title of its own plot
    const std::size_t begin = svg.find(">kinetic energy<"), end = svg.find(">momentum<");
    ASSERT_LT(begin, end);
    const std::string energies = svg.substr(begin, end - begin);
    EXPECT_NE(energies.find(">kinetic_energy<"), std::string::npos);
    EXPECT_NE(energies.find(">total_energy<"), std::string::npos);
    EXPECT_EQ(energies.find(">temperature<"), std::string::npos);
}

TEST(Program, PlotsTheMeasuresThatAreAskedFor) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.svg");
    const ProgramResult result = run_program({"run", "impact-billiard", "--steps", "60", "--plot", file,
                                              "--measure", "impacts", "--measure", "kinetic_energy"});
    EXPECT_EQ(result.code, 0) << result;
    const std::string svg = file_bytes(file);
    std::size_t curves = 0;
    for (std::size_t at = 0; (at = svg.find("<polyline", at)) != std::string::npos; ++at) ++curves;
    EXPECT_EQ(curves, 2u);
    expect_refused({"run", "die", "--plot", file, "--measure", "temperature"},
                   {"--measure: ", "temperature", "one of kinetic_energy"});
    expect_refused({"run", "die", "--measure", "kinetic_energy"}, {"--measure: ", "--plot"});
}

TEST(Program, TakesANumberOfCubes) {
    // what the seed's program took as its only argument
    const ProgramResult result = run_program({"run", "stream-300", "--bodies", "20", "--steps", "30"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.line("simulated").find("20 bodies of 1 shape, 540 particles, 30 steps"),
              std::string::npos)
        << result;
    EXPECT_NE(result.line("expected").find("not checked"), std::string::npos) << result;
}

TEST(Program, FailsWhenTheSceneIsNotAsExpected) {
    const TemporaryFolder folder;
    const std::string file = folder.file("falls.json");
    std::ofstream(file) << R"({"scree": 1, "title": "a grain falls", "steps": 10,
        "shapes": [{"name": "grain", "grain": {}}], "bodies": [{"shape": "grain", "position": [0, 5, 0]}],
        "expect": {"top": {"min": 100}}})";
    const ProgramResult result = run_program({"run", file});
    EXPECT_EQ(result.code, 1) << result;
    EXPECT_TRUE(result.complained("FAILED: falls: top is 4.9")) << result;
}

TEST(Program, WritesARecordingAndACsv) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("a.rec"), csv = folder.file("a.csv"),
                      frame = folder.file("frame.csv");
    const ProgramResult result =
        run_program({"run", "die", "--steps", "25", "--every", "10", "--record", rec, "--csv", csv});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.line("recording").find("a.rec, 4 frames"), std::string::npos) << result;
    EXPECT_EQ(folder.file_count(), 2u);
    const std::string rows = file_bytes(csv);
    EXPECT_EQ(
        rows.compare(0, 83,
                     "step,time,kinetic_energy,potential_energy,max_overlap,contacts,top,max_speed,asleep"),
        0);
    EXPECT_NE(rows.find(",own_contacts,largest_cell\n"), std::string::npos) << rows;
    EXPECT_EQ(line_count(rows), 5u) << rows; // heading, steps 0, 10, 20, 25
    EXPECT_NE(rows.find("\n25,0.2"), std::string::npos) << rows;

    const ProgramResult info = run_program({"replay", rec});
    EXPECT_EQ(info.code, 0) << info;
    EXPECT_EQ(info.line("frames").compare(0, 18, "4, steps 0 to 25, "), 0) << info;
    EXPECT_EQ(info.line("hash"), result.line("hash") + " at the last frame") << info;
    const ProgramResult dump = run_program({"replay", rec, "--frame", "0"});
    EXPECT_EQ(dump.out.compare(0, 42, "body,shape,x,y,z,qs,qx,qy,qz,asleep,frozen"), 0) << dump;
    EXPECT_EQ(run_program({"replay", rec, "--frame", "0", "--csv", frame}).code, 0);
    EXPECT_EQ(file_bytes(frame), dump.out);
    expect_refused({"replay", rec, "--frame", "4"}, {"--frame", "\"4\"", "from 0 to 3"});
}

TEST(Program, VerifiesARecordingByRunningItAgain) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("a.rec"), other = folder.file("b.rec");
    ASSERT_EQ(run_program({"run", "stream-300", "--bodies", "8", "--steps", "120", "--set", "stiffness=150",
                           "--dt", "0.008", "--record", rec})
                  .code,
              0);
    const ProgramResult same = run_program({"replay", rec, "--verify"});
    EXPECT_EQ(same.code, 0) << same;
    EXPECT_TRUE(same.said("VERIFIED")) << same;

    // the same frames under settings that were not theirs
    std::string bytes = file_bytes(rec);
    ASSERT_EQ(run_program({"run", "stream-300", "--bodies", "8", "--steps", "120", "--set", "gravity=0,-9,0",
                           "--dt", "0.008", "--record", other})
                  .code,
              0);
    const std::string wrong = file_bytes(other);
    const auto first_frame = [](const std::string& text) { return text.find("KEYF"); };
    const std::string mixed = wrong.substr(0, first_frame(wrong)) + bytes.substr(first_frame(bytes));
    std::ofstream(other, std::ios::binary) << mixed;
    const ProgramResult differs = run_program({"replay", other, "--verify"});
    EXPECT_EQ(differs.code, 1) << differs;
    EXPECT_TRUE(differs.said("DIVERGED at step 2 (frame 1)") || differs.said("DIVERGED at step 3 (frame 1)"))
        << differs;
    EXPECT_TRUE(differs.said("body 0 is the first whose pose differs")) << differs;
}

TEST(Program, PlaysACutOffRecording) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("a.rec");
    ASSERT_EQ(run_program({"run", "die", "--steps", "50", "--every", "5", "--record", rec}).code, 0);
    const std::string bytes = file_bytes(rec);
    std::ofstream(rec, std::ios::binary) << bytes.substr(0, bytes.size() * 3 / 4);
    const ProgramResult result = run_program({"replay", rec});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.complained("warning: ") && result.complained("frames before that can be read"))
        << result;
    std::ofstream(rec, std::ios::binary) << bytes.substr(0, 40);
    expect_refused({"replay", rec}, {rec});
}

TEST(Program, NamesDamagedFramesOfARecording) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("a.rec");
    ASSERT_EQ(run_program({"run", "die", "--steps", "100", "--every", "1", "--record", rec}).code, 0);
    std::string bytes = file_bytes(rec);
    std::size_t key = bytes.find("KEYF");
    for (int i = 0; i < 2; ++i) key = bytes.find("KEYF", key + 4); // the key frames are 0, 32, 64, 96
    for (std::size_t i = 0; i < 4; ++i) bytes[key + 64 + i] = 'x';
    std::ofstream(rec, std::ios::binary) << bytes;
    const std::string named = "frames 64 to 95 cannot be read: checksum error at byte " + std::to_string(key);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"replay", rec}, {"replay", rec, "--verify"}}) {
        const ProgramResult result = run_program(command);
        EXPECT_EQ(result.code, 1) << result;
        EXPECT_TRUE(result.complained(named)) << result;
        EXPECT_FALSE(result.said("VERIFIED")) << result;
    }
    EXPECT_EQ(run_program({"replay", rec, "--frame", "64"}).code, 2);
    EXPECT_EQ(run_program({"replay", rec, "--frame", "96"}).code, 0);
}

TEST(Program, VerifiesARecordingWhoseSceneIsGone) {
    const TemporaryFolder folder;
    const std::string scene = folder.file("mine.json"), rec = folder.file("a.rec"),
                      mesh = folder.file("m.obj");
    std::ofstream(mesh) << "v -1 -1 -1\nv 1 -1 -1\nv 0 -1 1\nv 0 1 0\nf 1 2 3\nf 2 1 4\nf 3 2 4\nf 1 3 4\n";
    std::ofstream(scene) << R"({"scree": 1, "title": "a tetrahedron falls", "steps": 20,
        "shapes": [{"name": "mesh", "mesh": {"file": "m.obj", "radius": 0.2}}],
        "bodies": [{"shape": "mesh", "position": [0, 5, 0]}]})";
    ASSERT_EQ(run_program({"run", scene, "--record", rec}).code, 0);
    std::filesystem::remove(scene);
    std::filesystem::remove(mesh);
    const ProgramResult result = run_program({"replay", rec, "--verify"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("VERIFIED")) << result;
    EXPECT_EQ(run_program({"replay", rec}).line("files"), "m.obj");
}

TEST(Program, SaysThatARecordingWasNotFinished) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("k.rec");
    ASSERT_EQ(run_program({"run", "die", "--steps", "20", "--every", "1", "--record", rec}).code, 0);
    const std::string bytes = file_bytes(rec);
    std::filesystem::remove(rec);
    std::ofstream(rec + ".partial", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    expect_refused({"replay", rec}, {"k.rec is not there, but ", "k.rec.partial is: it was not finished"});
    EXPECT_EQ(run_program({"replay", rec + ".partial"}).code, 0);
}

TEST(Program, VerifyComparesHashes) {
    const auto [result, text] = run_verify({"interlock-5", "die", "--steps", "50"});
    EXPECT_TRUE(result.said("cpu, 1 thread, 1 lane")) << result;
    for (const char* threads : {"1 thread", "2 threads", "4 threads", "8 threads", "16 threads"})
        EXPECT_TRUE(result.said(std::string("cpu, ") + threads + ", ")) << result;
    EXPECT_TRUE(result.said("OK: ")) << result;
    EXPECT_NE(text.find("| device | threads | lanes | interlock-5 (reference, 54 particles, 50 steps) |"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("| cpu | 2 | 1 | `"), std::string::npos) << text;
}

TEST(Program, RefusesBadCommandLines) {
    expect_refused({"rum"}, {"\"rum\" is not a command", "did you mean run?"});
    expect_refused({"run"}, {"SCENE|FILE is missing"});
    expect_refused({"run", "die", "stack"}, {"\"stack\" is one argument too many"});
    expect_refused({"run", "die", "--step", "5"}, {"--step: ", "not known", "--steps"});
    expect_refused({"run", "die", "--steps"}, {"--steps: a value is missing"});
    expect_refused({"run", "die", "--steps", "--hash"}, {"--steps: a value is missing"});
    expect_refused({"run", "die", "--hash=3"}, {"--hash: ", "expected no value"});
    expect_refused({"run", "die", "--steps", "5", "--steps", "6"}, {"--steps: ", "twice"});
    expect_refused({"scenes", "die"}, {"\"die\" is one argument too many"});
}

TEST(Program, RefusesBadNumbers) {
    for (const std::string value : {"0", "-1", "1.5", "ten", "nan", "", "99999999999999999999"})
        expect_refused({"run", "die", "--steps", value},
                       {"--steps: invalid value \"" + value + "\"", "an integer"});
    for (const std::string value : {"0", "-0.01", "nan", "inf", "1e999", "fast"})
        expect_refused({"run", "die", "--dt", value}, {"--dt: invalid value ", value, "expected"});
    expect_refused({"run", "stream-300", "--bodies", "0"}, {"--bodies: invalid value \"0\""});
    expect_refused({"run", "stream-300", "--bodies", "1000000000"},
                   {"--bodies: invalid value \"1000000000\""});
    expect_refused({"run", "die", "--bodies", "5"},
                   {"--bodies: invalid value \"5\"", "die has none or several"});
    expect_refused({"run", "die", "--seed", "x"}, {"--seed: invalid value \"x\""});
    expect_refused({"run", "die", "--threads", "0"}, {"--threads: invalid value \"0\"", "from 1 to"});
    expect_refused({"run", "die", "--lanes", "3"}, {"--lanes: invalid value \"3\": expected 1, 4, 8 or 16"});
    expect_refused({"run", "die", "--every", "0", "--csv", "x.csv"}, {"--every: invalid value \"0\""});
    expect_refused({"run", "die", "--every", "5"}, {"--every: "});
    expect_refused({"verify", "--steps", "0"}, {"--steps: invalid value \"0\""});
}

TEST(Program, RefusesBadSettings) {
    expect_refused({"run", "die", "--set", "stiffness"},
                   {"--set: invalid value \"stiffness\": expected KEY=VALUE"});
    expect_refused({"run", "die", "--set", "stifness=3"}, {"--set stifness=3", "not known", "stiffness"});
    expect_refused({"run", "die", "--set", "stiffness=-3"},
                   {"--set stiffness=-3", "invalid value -3", "greater than 0"});
    expect_refused({"run", "die", "--set", "stiffness=nan"}, {"--set stiffness=nan", "invalid value"});
    expect_refused({"run", "die", "--set", "mode=fast"}, {"--set mode=fast", "improved"});
}

TEST(Program, RefusesUnknownScenesDevicesAndFiles) {
    const TemporaryFolder folder;
    expect_refused({"run", "stream-30"}, {"stream-30", "stream-300"});
    expect_refused({"run", folder.file("none.json")}, {"none.json"});
    expect_refused({"run", "die", "--device", "abacus"}, {"--device", "abacus"});
    expect_refused({"run", "die", "--device", "cpu:3"}, {"--device", "cpu:3"});
    expect_refused({"verify", "no-such-scene"}, {"no-such-scene"});
    expect_refused({"replay", folder.file("none.rec")}, {"none.rec", "there is no such file"});
    std::ofstream(folder.file("text.rec")) << "this is no recording at all";
    expect_refused({"replay", folder.file("text.rec")}, {"text.rec", "this is not a recording"});
}

TEST(Program, RefusesOutputsThatCannotBeWritten) {
    const TemporaryFolder folder;
    const std::string missing = folder.file("no/such/folder/out");
    expect_refused({"run", "die", "--record", missing}, {"--record: ", missing});
    expect_refused({"run", "die", "--csv", missing}, {"--csv: ", missing});
    expect_refused({"run", "die", "--csv", folder.file(".")}, {"--csv: ", "is a folder"});
    expect_refused({"run", "die", "--csv", ""}, {"--csv: "});
    expect_refused({"run", "die", "--plot", missing}, {"--plot: ", missing});
    expect_refused({"run", "die", "--plot", folder.file("x"), "--csv", folder.file("x")},
                   {"--plot: ", "--csv"});
    expect_refused({"run", "die", "--csv", folder.file("x"), "--record", folder.file("x")},
                   {"--csv: ", "--record"});
    expect_refused({"verify", "die", "--table", missing}, {"--table: ", missing});
    EXPECT_EQ(folder.file_count(), 0u);
    // a bad option beside a good output leaves no output
    expect_refused({"run", "die", "--csv", folder.file("a.csv"), "--device", "abacus"}, {"abacus"});
    EXPECT_EQ(folder.file_count(), 0u);
}

TEST(Program, DoesNotWriteOverTheSceneItReads) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.json");
    const std::string text = run_program({"scenes", "--text", "die"}).out;
    std::ofstream(file) << text;
    expect_refused({"run", file, "--csv", file}, {"--csv: ", "expected a file other than the scene"});
    EXPECT_EQ(file_bytes(file), text);
}

#endif
