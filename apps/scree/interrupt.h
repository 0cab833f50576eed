// SPDX-License-Identifier: MIT
// interrupt.h — ctrl-C as a question that long commands ask between two bites of work.
#pragma once

namespace scree {

/// Whether ctrl-C was pressed since the last guard began.
bool interrupted();

/// While it lives, ctrl-C only sets interrupted(); a second one ends the program.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    void (*before_)(int);
};

} // namespace scree
