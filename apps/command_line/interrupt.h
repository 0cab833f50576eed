// SPDX-License-Identifier: MIT
// interrupt.h — ctrl-C and SIGTERM as a flag, which long commands poll.
#pragma once

namespace scree {

/// Whether SIGINT or SIGTERM came since the last guard began.
bool interrupted();

/// While it lives, SIGINT and SIGTERM only set interrupted(); a second one ends the program.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(InterruptGuard&&) = delete; // nor copied

private:
    void (*before_interrupt_)(int);
    void (*before_terminate_)(int);
};

} // namespace scree
