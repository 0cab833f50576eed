// SPDX-License-Identifier: MIT
// interrupt.cpp — see interrupt.h.

#include "interrupt.h"

#include <csignal>

namespace scree {

namespace {

volatile std::sig_atomic_t pressed = 0;

void remember(int) {
    pressed = 1;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

} // namespace

bool interrupted() { return pressed != 0; }

InterruptGuard::InterruptGuard() {
    pressed = 0;
    before_interrupt_ = std::signal(SIGINT, remember);
    before_terminate_ = std::signal(SIGTERM, remember);
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, before_interrupt_);
    std::signal(SIGTERM, before_terminate_);
}

} // namespace scree
