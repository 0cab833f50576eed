# SPDX-License-Identifier: MIT
# Fuzzers.cmake — one libFuzzer program from each file of tests/fuzz; the corpus of NAME.cpp is tests/fuzz/corpus/NAME.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SCREE_FUZZ needs clang's libFuzzer; the compiler is ${CMAKE_CXX_COMPILER_ID}")
endif()

include(ApiDriver)
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp)
if(NOT SCREE_HAS_RENDER) # pictures are read by the renderer
    list(FILTER fuzz_sources EXCLUDE REGEX "/picture_fuzzer")
endif()
foreach(source IN LISTS fuzz_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    scree_target(${name})
    target_include_directories(${name} PRIVATE src tests)
    target_compile_definitions(${name} PRIVATE $<$<BOOL:${SCREE_HAS_ZSTD}>:SCREE_HAS_ZSTD=1>)
    target_link_libraries(${name} PRIVATE scree_api_driver scree)
    if(name STREQUAL "picture_fuzzer") # compiled with it, so that it is instrumented; needs no OpenGL
        target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/render/image_decode.cpp)
        target_link_libraries(${name} PRIVATE PNG::PNG JPEG::JPEG)
    endif()
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
