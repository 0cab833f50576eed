// SPDX-License-Identifier: MIT
// interrupt.cpp — see interrupt.h.

#include "interrupt.h"

#include <csignal>

namespace scree {

namespace {
volatile std::sig_atomic_t pressed = 0;
}

bool interrupted() { return pressed != 0; }

InterruptGuard::InterruptGuard() {
    pressed = 0;
    before_ = std::signal(SIGINT, [](int) {
        pressed = 1;
        std::signal(SIGINT, SIG_DFL);
    });
}

InterruptGuard::~InterruptGuard() { std::signal(SIGINT, before_); }

} // namespace scree
