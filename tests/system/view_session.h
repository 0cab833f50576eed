// SPDX-License-Identifier: MIT
// view_session.h — scree view on a display of its own, moved by a script; the states and pictures that it wrote.
#pragma once

#include "system/program.h"

#if defined(SCREE_HAS_VIEWER) && defined(SCREE_PROGRAM)

#include "render/image.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

namespace scree::testing {

inline bool has_xvfb() { return std::system("command -v xvfb-run >/dev/null 2>&1") == 0; }

#define NEEDS_A_DISPLAY()                                                                                    \
    if (!has_xvfb()) GTEST_SKIP() << "xvfb-run is not installed"

struct Session {
    TemporaryFolder folder;
    ProgramResult result;

    std::string file(const std::string& name) const { return folder.file(name); }
    /// What the script's `state NAME` wrote.
    std::map<std::string, std::string> state(const std::string& name) const {
        std::map<std::string, std::string> values;
        std::istringstream lines(file_bytes(file(name)));
        for (std::string line; std::getline(lines, line);)
            if (const std::size_t equals = line.find(" = "); equals != std::string::npos)
                values[line.substr(0, equals)] = line.substr(equals + 3);
        return values;
    }
    render::Image picture(const std::string& name) const { return render::read_png(file(name)); }
};

/// Runs a script in which @ stands for the session's folder.
inline void view(Session& session, std::string script, const std::string& options) {
    for (std::size_t at = 0; (at = script.find('@', at)) != std::string::npos;)
        script.replace(at, 1, session.folder.file(""));
    std::FILE* out = std::fopen(session.file("script").c_str(), "wb");
    ASSERT_TRUE(out);
    std::fputs(script.c_str(), out);
    std::fclose(out);
    // in the session's folder, where recordings go
    const std::string command =
        "cd '" + session.folder.file("") +
        "' && timeout 500 xvfb-run -a -s '-screen 0 3840x2160x24 +extension GLX' '" SCREE_PROGRAM
        "' view --script '" +
        session.file("script") + "' --threads 1 " + options + " >'" + session.file("out") + "' 2>'" +
        session.file("err") + "' </dev/null";
    const int status = std::system(command.c_str());
    session.result = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_bytes(session.file("out")),
                      file_bytes(session.file("err"))};
    EXPECT_EQ(session.result.code, 0) << session.result;
}

inline constexpr const char* small = "--size 480x320";

/// How many pixels differ clearly within a part of the picture.
inline double change(const render::Image& a, const render::Image& b) {
    return render::difference(a, b, 24).share_above;
}

inline int colours(const render::Image& image) {
    std::map<std::uint32_t, int> seen;
    for (int y = 0; y < image.height; y += 2)
        for (int x = 0; x < image.width; x += 2) {
            const auto p = image.pixel(x, y);
            ++seen[static_cast<std::uint32_t>(p[0] / 16 << 8 | p[1] / 16 << 4 | p[2] / 16)];
        }
    return static_cast<int>(seen.size());
}

/// Entries of the states that a session wrote, by name of the state.
inline void expect_states(const Session& session,
                          const std::map<std::string, std::map<std::string, std::string>>& expected) {
    for (const auto& [name, entries] : expected) {
        auto state = session.state(name);
        for (const auto& [key, value] : entries) EXPECT_EQ(state[key], value) << key << " of state " << name;
    }
}

} // namespace scree::testing

#endif
