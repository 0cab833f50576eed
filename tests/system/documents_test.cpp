// SPDX-License-Identifier: MIT
// documents_test.cpp — every link of the documents resolves, and every file that they or the sources name exists.
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace scree {
namespace {

namespace fs = std::filesystem;
using testing::file_bytes;
using testing::lines_with;
using testing::TemporaryFolder;

const fs::path root = SCREE_SOURCE_DIR;

std::vector<fs::path> documents() {
    std::vector<fs::path> files{root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"};
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    return files;
}

std::string without_code_blocks(const std::string& text) {
    std::istringstream lines(text);
    std::string rest;
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first != std::string::npos && line.compare(first, 3, "```") == 0) code = !code;
        else if (!code) rest += line + "\n";
    }
    return rest;
}

// how a heading is named behind a '#': lower case, blanks as hyphens, no punctuation
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const unsigned char c : heading) {
        if (c == ' ') anchor += '-';
        if (std::isalnum(c) || c == '-' || c == '_' || c >= 0x80)
            anchor += static_cast<char>(std::tolower(c));
    }
    return anchor;
}

std::set<std::string> anchors_in(const std::string& text) {
    std::istringstream lines(without_code_blocks(text));
    std::set<std::string> anchors;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t level = line.find_first_not_of('#');
        if (level != std::string::npos && level > 0 && line[level] == ' ')
            anchors.insert(anchor_of(line.substr(level + 1)));
    }
    return anchors;
}

// the first group of each match
std::vector<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex wanted(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator i(text.begin(), text.end(), wanted), end; i != end; ++i)
        found.push_back((*i)[1]);
    return found;
}

std::vector<std::string> links_in(const std::string& text) {
    std::vector<std::string> links = matches(without_code_blocks(text), R"(\]\(([^)\s]+)\))");
    std::erase_if(links, [](const std::string& link) { return link.find("://") != std::string::npos; });
    return links;
}

// what is wrong with a link of a document; empty when nothing is
std::string problem(const fs::path& document, const std::string& link) {
    const std::size_t hash = link.find('#');
    const std::string path = link.substr(0, hash);
    const fs::path target = path.empty() ? document : document.parent_path() / path;
    if (!fs::exists(target)) return "there is no " + path;
    if (hash == std::string::npos) return "";
    const std::string anchor = link.substr(hash + 1);
    return anchors_in(file_bytes(target.string())).count(anchor) == 0 ? "there is no heading #" + anchor : "";
}

TEST(Documents, EveryLinkResolves) {
    for (const fs::path& document : documents())
        for (const std::string& link : links_in(file_bytes(document.string()))) {
            const std::string wrong = problem(document, link);
            EXPECT_TRUE(wrong.empty()) << fs::relative(document, root) << ": " << link << ": " << wrong;
        }
}

TEST(Documents, EveryFileNamedExists) {
    for (const fs::path& document : documents())
        for (const std::string& file :
             matches(file_bytes(document.string()),
                     "`((?:src|include|apps|bench|tests|scripts|cmake|docs|scenes)/[A-Za-z0-9_./-]+)`"))
            EXPECT_TRUE(fs::exists(root / file)) << fs::relative(document, root) << ": " << file;
}

TEST(Documents, NoMergeWasLeftHalfDone) {
    for (const fs::path& document : documents()) {
        const std::string text = "\n" + file_bytes(document.string());
        for (const char* mark : {"\n<<<<<<< ", "\n>>>>>>> ", "\n=======\n"})
            EXPECT_EQ(text.find(mark), std::string::npos) << fs::relative(document, root) << ": " << mark + 1;
    }
}

TEST(Documents, EveryPageIsInTheTableOfContents) {
    std::set<fs::path> listed{root / "docs/README.md"};
    for (const std::string& link : links_in(file_bytes((root / "docs/README.md").string())))
        listed.insert((root / "docs" / link).lexically_normal());
    for (const fs::path& document : documents())
        EXPECT_TRUE(document.parent_path() == root || listed.count(document) == 1)
            << fs::relative(document, root);
}

TEST(Documents, SourcesNameDocumentsThatExist) {
    const std::set<std::string> endings{".h", ".cpp", ".cu", ".inl", ".glsl", ".cmake", ""};
    for (const char* folder : {"src", "include", "apps", "bench", "tests", "scripts", "cmake"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (!entry.is_regular_file() || endings.count(entry.path().extension().string()) == 0) continue;
            for (const std::string& page :
                 matches(lines_with("docs/", file_bytes(entry.path().string())), R"((docs/[a-z0-9/-]+\.md))"))
                EXPECT_TRUE(fs::exists(root / page)) << fs::relative(entry.path(), root) << ": " << page;
        }
}

TEST(Documents, BrokenLinksAreFound) {
    TemporaryFolder folder;
    const fs::path page = folder.file("page.md");
    const std::string text = "# One heading, of two\n[a](page.md) [b](gone.md) ![c](#one-heading-of-two)\n"
                             "```\n[in code](nowhere)\n```\n[d](page.md#two) [e](https://example.org)\n";
    std::ofstream(page) << text;
    std::vector<std::string> wrong;
    for (const std::string& link : links_in(text)) wrong.push_back(problem(page, link));
    EXPECT_EQ(wrong, (std::vector<std::string>{"", "there is no gone.md", "", "there is no heading #two"}));
}

TEST(Documents, ScreeHIncludesEveryPublicHeader) {
    const std::string all = file_bytes(root / "include" / "scree" / "scree.h");
    for (const auto& entry : fs::directory_iterator(root / "include" / "scree")) {
        const std::string name = entry.path().filename().string();
        if (name == "scree.h" || name == "gles.h") continue;
        bool reached = all.find("\"scree/" + name + "\"") != std::string::npos;
        for (const auto& other :
             fs::directory_iterator(root / "include" / "scree")) // or by a header that it includes
            reached |= other.path().filename() != "scree.h" && other.path().filename() != "gles.h" &&
                       file_bytes(other.path()).find("#include \"scree/" + name + "\"") != std::string::npos;
        EXPECT_TRUE(reached) << name;
    }
}

TEST(Documents, EveryRowOfResultsNamesItsCommit) {
    for (const auto& entry : fs::recursive_directory_iterator(root / "bench" / "results")) {
        if (entry.path().extension() != ".csv") continue;
        std::istringstream lines(file_bytes(entry.path()));
        for (std::string line; std::getline(lines, line);) {
            if (line.empty() || line.ends_with(",commit,date")) continue; // some files hold several tables
            const std::size_t date = line.rfind(','), commit = line.rfind(',', date - 1);
            const std::string hash = line.substr(commit + 1, date - commit - 1);
            EXPECT_EQ(line.substr(date + 1, 2), "20") << entry.path() << ": " << line;
            EXPECT_GE(hash.find_first_not_of("0123456789abcdef"), 7u) << entry.path() << ": " << line;
            // nobody else has that source
            EXPECT_EQ(hash.find("-dirty"), hash.npos) << entry.path() << ": " << line;
        }
    }
}

} // namespace
} // namespace scree
