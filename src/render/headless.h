// SPDX-License-Identifier: MIT
// headless.h — a GL context without a window, through EGL.
#pragma once

#include <memory>
#include <string>

namespace scree::render {

enum class GlChoice {
    automatic, ///< GL 4.5, else GLES 3.0
    gl,
    gles
};

/// Current on the thread that made it, until it goes.
class HeadlessContext {
public:
    /// Throws Error when there is no EGL, no display or no context of the kind asked for.
    explicit HeadlessContext(GlChoice choice = GlChoice::automatic);
    ~HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

    bool gles() const;
    /// Why GLES was taken although GL was looked for; empty when it was not.
    const std::string& fallback() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree::render
