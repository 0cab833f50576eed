# SPDX-License-Identifier: MIT
# ScreeTarget.cmake — the flags of everything that is compiled here.

# Equal bits need IEEE arithmetic as written: no fused multiply-add, no fast-math. errno after sqrt is dropped, because
# keeping it stops the compilers from vectorising.
function(scree_target target)
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow)
    if(SCREE_PLAIN_REST AND NOT target STREQUAL "scree")
        target_compile_options(${target} PRIVATE -O0)
    endif()
    if(SCREE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
        # false alarms on std::string (GCC bugs 105651 and 105329), in g++ 13 on std::vector::insert
        target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
    endif()
    if(EMSCRIPTEN)
        target_compile_options(${target} PRIVATE -msimd128 -fexceptions
                               "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/wasm_bit_cast.h")
    elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        # libstdc++ 12 calls its own deprecated functions in stable_sort, and clang blames the caller
        target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
    endif()
    if(SCREE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${SCREE_SANITIZE} -fno-sanitize-recover=all
                               -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE -fsanitize=${SCREE_SANITIZE})
        if(SCREE_SANITIZE MATCHES "address.*undefined")
            # they took two thirds of the time of compiling kernels; what is accessed out of bounds the address sanitizer finds
            target_compile_options(${target} PRIVATE -fno-sanitize=object-size,pointer-overflow)
        endif()
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # instrumented code confuses the flow analysis behind it
            target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
        endif()
    endif()
    if(SCREE_FUZZ AND target MATCHES "^scree$|_fuzzer$")
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# Code that only prepares, prints and asks the library to compute: a third of the compile time for nothing a user would notice.
function(scree_cold target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# The same for files of a target that is otherwise optimised: scene files are read and written, not stepped, here.
function(scree_cold_sources)
    # g++ 13 refuses what -O3 has precompiled and parses the headers again; at -O1 it sees uninitialised parts of variants
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>
                 $<$<CXX_COMPILER_ID:GNU>:-Wno-error=invalid-pch> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()

# scree_together(RESULT files...): half the time of a small file is the templates that it shares with its neighbours, so eight files of
# a folder (or as many as SCREE_TOGETHER says) become one, which includes them; RESULT is what to compile. A file whose names meet
# another's, or that defines macros for headers, has a line "// compiled alone". clang-tidy looks at single files (scripts/check-style).
function(scree_together result)
    if(NOT SCREE_PRECOMPILE OR CMAKE_CXX_COMPILER_LAUNCHER)
        set(${result} ${ARGN} PARENT_SCOPE)
        return()
    endif()
    set(compiled "")
    set(folder "")
    set(size ${SCREE_TOGETHER})
    if(NOT size)
        set(size 8)
    endif()
    foreach(source IN LISTS ARGN)
        get_filename_component(next ${source} DIRECTORY)
        if(NOT next STREQUAL folder)
            set(folder ${next})
            set(count 0)
        endif()
        math(EXPR group "${count} / ${size}")
        math(EXPR count "${count} + 1")
        file(STRINGS ${source} alone REGEX "^// compiled alone" LIMIT_INPUT 2000)
        if(alone)
            list(APPEND compiled ${source})
            continue()
        endif()
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
        string(REPLACE "/" "_" name ${name}_${group})
        list(APPEND compiled ${CMAKE_CURRENT_BINARY_DIR}/together/${name}.cpp)
        set(text_${name} "${text_${name}}#include \"${source}\"\n")
        set(names ${names} ${name})
    endforeach()
    list(REMOVE_DUPLICATES compiled)
    list(REMOVE_DUPLICATES names)
    foreach(name IN LISTS names)
        set(whole ${CMAKE_CURRENT_BINARY_DIR}/together/${name}.cpp)
        file(CONFIGURE OUTPUT ${whole} CONTENT "${text_${name}}" @ONLY)
        # a constant of one file and a variable of the next; and to g++ all of it is a header's
        set_property(SOURCE ${whole} APPEND PROPERTY COMPILE_OPTIONS -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endforeach()
    set(${result} ${compiled} PARENT_SCOPE)
endfunction()

# Half the time of a small file is the headers of the standard library and of worlds and scenes: they are parsed once for a target.
# What a file of the library forgets to include shows clang-tidy, which does without (scripts/check-style). A compiler cache keeps
# objects, and does not see through these.
function(scree_precompile target)
    if(SCREE_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <cstdio> <cstring>
                                  <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string>
                                  <string_view> <thread> <utility> <variant> <vector>
                                  <scree/scene.h> <scree/world.h> <scree/worlds.h>)
    endif()
endfunction()

# The lane files hold the same kernels at 1, 4, 8 and 16 lanes; which one runs is decided at run time, so only they may
# use wider instructions than the rest. Never -mfma: contraction would change the bits.
function(scree_lane_flags)
    set(cpu src/device/cpu)
    set(wide_8 "")
    set(wide_16 "")
    if(NOT EMSCRIPTEN AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        set(wide_8 -mavx2)
        set(wide_16 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
    endif()
    set(quiet "")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        set(quiet -Wno-maybe-uninitialized -Wno-uninitialized) # false alarms in the AVX-512 intrinsics (GCC bug 105593)
    endif()
    set(by_calls "")
    if(SCREE_SANITIZE MATCHES "address")
        # checks as calls: written out they take minutes to compile in functions as large as these
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            set(by_calls --param=asan-instrumentation-with-call-threshold=0)
        else()
            set(by_calls -mllvm -asan-instrumentation-with-call-threshold=0)
        endif()
    endif()
    if(SCREE_FUZZ)
        # what is fuzzed are readers: no input is interesting for the kernels' branches
        list(APPEND by_calls -fno-sanitize=fuzzer-no-link)
    endif()
    set_source_files_properties(${cpu}/pipeline_kernels.cpp PROPERTIES COMPILE_OPTIONS "${quiet};${by_calls}"
                                SKIP_PRECOMPILE_HEADERS ON)
    foreach(lanes 1 4 8 16)
        set_source_files_properties(${cpu}/lanes_${lanes}.cpp PROPERTIES COMPILE_OPTIONS
                                    "-Wno-psabi;${quiet};${wide_${lanes}}" SKIP_PRECOMPILE_HEADERS ON)
        set_source_files_properties(src/rigid/lanes/rigid_lanes_${lanes}.cpp PROPERTIES COMPILE_OPTIONS
                                    "-Wno-psabi;${quiet};${by_calls};${wide_${lanes}}" SKIP_PRECOMPILE_HEADERS ON)
    endforeach()
endfunction()
