// SPDX-License-Identifier: MIT
// keep_libraries.cpp — keeps shared libraries loaded until the process ends, in builds with the address sanitizer.
//
// Graphics drivers never free some of their memory. The report of such a leak names its library, and tests/support/lsan.supp
// suppresses it, only while that library is still loaded.

extern "C" __attribute__((visibility("default"))) int dlclose(void*) { return 0; }
