// SPDX-License-Identifier: MIT
// progress.cpp — see progress.h.

#include "progress.h"

#include "text.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

namespace scree {

namespace {

constexpr std::uint64_t lines_in_all = 10;

std::size_t terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string duration_text(double seconds) {
    if (seconds < 100) return std::to_string(static_cast<int>(seconds + 0.5)) + " s";
    if (seconds < 6000) return std::to_string(static_cast<int>(seconds / 60 + 0.5)) + " min";
    return short_number(seconds / 3600) + " h";
}

} // namespace

Progress::Progress(std::string what, std::uint64_t total, bool lines)
    : what_(std::move(what)),
      total_(std::max<std::uint64_t>(total, 1)),
      terminal_(isatty(STDERR_FILENO) == 1),
      lines_(lines),
      started_(Clock::now()),
      next_draw_(started_) {
    next_line_ = (total_ + lines_in_all - 1) / lines_in_all;
}

Progress::~Progress() { clear(); }

bool Progress::due(std::uint64_t done) const {
    return terminal_ ? Clock::now() >= next_draw_ : lines_ && done >= next_line_;
}

void Progress::show(std::uint64_t done, const std::string& detail, double cost_seconds) {
    const double spent = std::chrono::duration<double>(Clock::now() - started_).count();
    const double share = static_cast<double>(done) / static_cast<double>(total_);
    if (!terminal_) {
        if (!lines_) return;
        while (next_line_ <= done) next_line_ += std::max<std::uint64_t>(total_ / lines_in_all, 1);
        std::fprintf(stderr, "%s: %s\n", what_.c_str(), detail.c_str());
        return;
    }
    const double pause = std::max(0.1, 10 * cost_seconds);
    next_draw_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));

    constexpr int cells = 24;
    const int full = std::min(cells, static_cast<int>(share * cells));
    std::string line = what_ + " [" + std::string(static_cast<std::size_t>(full), '#') +
                       std::string(static_cast<std::size_t>(cells - full), '.') + "] " +
                       std::to_string(static_cast<int>(share * 100)) + " %  " + detail;
    if (done > 0 && done < total_ && spent > 1)
        line += "  " + duration_text(spent * (1 / share - 1)) + " left";
    // a line that wraps cannot be drawn over
    const std::size_t width = terminal_width();
    if (line.size() >= width) line.resize(width - 1);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::clear() {
    if (!drawn_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

} // namespace scree
