// SPDX-License-Identifier: MIT
// render_show.h — what `scree render` draws: a scene that is stepped, or the frames of a recording.
#pragma once

#include "options.h"
#include "scree/appearance.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scree {

struct SharedPoses;
struct SharedVertices;

/// Whether worlds run on OpenGL ES: then they share objects with the renderer's context, which comes first.
bool on_gles(const Arguments& given);

/// What moves: a scene that is stepped, or the frames of a recording.
class Show {
public:
    virtual ~Show() = default;
    virtual std::uint64_t steps() const = 0; ///< the last one to be shown
    virtual std::uint64_t done() const = 0;
    virtual double time() const = 0;
    virtual double time_step() const = 0;
    virtual void advance(std::uint64_t to_step) = 0;
    /// Whether advance() may run on another thread, while what frame() gave is drawn; nothing else may be called in between.
    virtual bool may_run_ahead() const = 0;
    virtual const Frame& frame() = 0; ///< as it is now, until frame() is called again
    /// Why its poses cannot be shared with the renderer; empty: they may.
    virtual std::string unshared() const { return "a recording is in the host's memory"; }
    /// The same with the poses in the renderer's memory; null, with the reason, where that is impossible now.
    virtual const Frame* shared_frame(SharedPoses&, std::string&) { return nullptr; }
    virtual const Frame* shared_frame(SharedVertices&, std::string&) { return nullptr; } ///< of sheets
    virtual std::string name() const = 0;
};

/// Throws Error naming the option, the scene or the file.
std::unique_ptr<Show> open_show(const Arguments& given, const std::string& name);

} // namespace scree
