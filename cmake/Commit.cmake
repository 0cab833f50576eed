# SPDX-License-Identifier: MIT
# Commit.cmake — run at every build: writes the commit to OUT, which changes only when the commit does.
#
# cmake -DSOURCE=folder -DOUT=file.cpp -P Commit.cmake
set(commit "")
if(EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git -C ${SOURCE} describe --always --dirty OUTPUT_VARIABLE commit ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(commit STREQUAL "")
    set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
#include "build_commit.h"
const char* const scree::bench::build_commit = "@commit@";
]] @ONLY)
