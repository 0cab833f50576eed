// SPDX-License-Identifier: MIT
// entry.cpp — see entry.h.

#include "entry.h"

#include "scree/error.h"

#include <cstdio>
#include <exception>
#include <new>

namespace scree {

int enter(int count, char** words, int (*run)(const std::vector<std::string>& arguments)) {
    int code = exit_bad_input;
    try {
        code = run(std::vector<std::string>(words + (count > 0), words + count));
    } catch (const Error& error) {
        std::fprintf(stderr, "scree: %s\n", error.what());
    } catch (const std::bad_alloc&) {
        std::fputs("scree: there is not enough memory for this\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "scree: %s\n", error.what());
    }
    // a result that did not reach its reader is no result
    if (std::fflush(stdout) != 0 && code == exit_ok) {
        std::fputs("scree: standard output cannot be written\n", stderr);
        code = exit_bad_input;
    }
    return code;
}

} // namespace scree
