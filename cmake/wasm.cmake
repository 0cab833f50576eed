# SPDX-License-Identifier: MIT
# wasm.cmake — the toolchain file for WebAssembly: finds Emscripten and takes over its own.
find_program(SCREE_EMXX em++ HINTS $ENV{EMSDK}/upstream/emscripten $ENV{EMSCRIPTEN_ROOT})
if(NOT SCREE_EMXX)
    message(FATAL_ERROR "em++ was not found: install Emscripten (Debian: emscripten) or set EMSDK")
endif()
get_filename_component(SCREE_EMXX_REAL ${SCREE_EMXX} REALPATH)
get_filename_component(SCREE_EMXX_DIR ${SCREE_EMXX_REAL} DIRECTORY)

# Debian keeps Emscripten's JavaScript modules where only Debian's own node looks
if(IS_DIRECTORY /usr/share/nodejs AND NOT DEFINED ENV{NODE_PATH})
    set(ENV{NODE_PATH} /usr/share/nodejs)
endif()

foreach(root ${SCREE_EMXX_DIR} /usr/share/emscripten)
    if(EXISTS ${root}/cmake/Modules/Platform/Emscripten.cmake)
        include(${root}/cmake/Modules/Platform/Emscripten.cmake)
        return()
    endif()
endforeach()
message(FATAL_ERROR "Emscripten's CMake files were not found beside ${SCREE_EMXX_REAL}")
