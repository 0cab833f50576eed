// SPDX-License-Identifier: MIT
// house_test.cpp — the rules of the house: nothing above a kind names one, and folders of src include each other one way.
// compiled alone
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace scree {
namespace {

namespace fs = std::filesystem;
const fs::path root = SCREE_SOURCE_DIR;

std::vector<fs::path> sources(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
        const std::string ending = entry.path().extension().string();
        if (entry.is_regular_file() &&
            std::set<std::string>{".h", ".cpp", ".inl", ".cu", ".glsl"}.count(ending))
            files.push_back(entry.path());
    }
    return files;
}

TEST(House, NothingAboveAKindNamesOne) {
    // the folders of the kinds, the line that registers them, and what reads recordings from before there were kinds
    const std::regex allowed(
        "src/scene/(rigid|granular)/.*|src/scene/kinds\\.cpp|src/record/version1\\.(cpp|h)");
    const std::regex kind("\\b[Rr]igid|\\b[Gg]ranular", std::regex::optimize);
    for (const char* folder : {"src/scene", "src/record", "src/render", "src/view", "apps"})
        for (const fs::path& file : sources(folder)) {
            const std::string name = fs::relative(file, root).generic_string();
            if (std::regex_match(name, allowed)) continue;
            const std::string all = testing::file_bytes(file),
                              text = testing::lines_with("igid", all) + testing::lines_with("ranular", all);
            std::smatch found;
            EXPECT_FALSE(std::regex_search(text, found, kind))
                << name << " names a kind: " << found.str()
                << text.substr(found.position() + found.length(), 40);
        }
}

/// Which folders of src each folder includes.
std::map<std::string, std::set<std::string>> inclusions() {
    std::map<std::string, std::set<std::string>> all;
    const std::regex include("#include \"([a-z_]+)/[^\"]+\"");
    for (const fs::path& file : sources("src")) {
        const std::string folder = fs::relative(file, root / "src").begin()->string(),
                          text = testing::lines_with("#include", testing::file_bytes(file));
        all[folder];
        for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
            const std::string other = (*at)[1];
            if (other != folder && fs::is_directory(root / "src" / other)) all[folder].insert(other);
        }
    }
    return all;
}

TEST(House, APublicHeaderThatNamesErrorBringsIt) {
    std::map<std::string, std::string> text;
    for (const fs::path& file : sources("include/scree"))
        text[file.filename().string()] = testing::file_bytes(file.string());
    ASSERT_GT(text.size(), 20u);
    const std::regex include("#include \"scree/([a-z0-9_]+\\.h)\""), named("\\bError\\b");
    for (const auto& [header, own] : text) {
        if (!std::regex_search(own, named)) continue;
        std::set<std::string> brought{header};
        std::vector<std::string> open{header};
        while (!open.empty()) {
            const std::string& now = text[open.back()];
            open.pop_back();
            for (std::sregex_iterator at(now.begin(), now.end(), include), end; at != end; ++at)
                if (brought.insert((*at)[1]).second) open.push_back((*at)[1]);
        }
        EXPECT_TRUE(brought.count("error.h")) << header;
    }
}

TEST(House, FoldersIncludeEachOtherOneWay) {
    const auto all = inclusions();
    ASSERT_GT(all.size(), 10u);
    std::set<std::string> done;
    std::vector<std::string> way;
    const std::function<void(const std::string&)> visit = [&](const std::string& folder) {
        const auto before = std::find(way.begin(), way.end(), folder);
        if (before != way.end()) {
            std::string circle;
            for (auto at = before; at != way.end(); ++at) circle += *at + " includes ";
            ADD_FAILURE() << circle << folder;
            return;
        }
        if (done.count(folder)) return;
        way.push_back(folder);
        for (const std::string& other : all.at(folder)) visit(other);
        way.pop_back();
        done.insert(folder);
    };
    for (const auto& [folder, others] : all) visit(folder);
    // what must know nothing of the worlds above it
    for (const char* folder : {"kernels", "bytes", "text", "geometry"})
        for (const char* above : {"rigid", "world", "level", "granular", "scene", "record", "render", "view"})
            EXPECT_FALSE(all.count(folder) && all.at(folder).count(above)) << folder << " includes " << above;
}

} // namespace
} // namespace scree
