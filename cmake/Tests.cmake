# SPDX-License-Identifier: MIT
# Tests.cmake — one executable from everything under tests/; ctest runs it in shards or once for each TEST.
find_package(GTest REQUIRED)
include(GoogleTest)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "/tests/(fuzz|consumer|springs)/")
if(SCREE_SANITIZE OR SCREE_VALIDATE)
    # they count allocations by an operator new of their own; sanitizers bring theirs, and the checks of a step allocate
    list(FILTER test_sources EXCLUDE REGEX "steady_state|steady_frame")
endif()
if(NOT SCREE_SANITIZE MATCHES "address")
    list(FILTER test_sources EXCLUDE REGEX "/support/keep_libraries")
endif()
if(NOT SCREE_VALIDATE)
    list(FILTER test_sources EXCLUDE REGEX "/rigid/validate_test")
endif()
if(NOT SCREE_HAS_RENDER)
    list(FILTER test_sources EXCLUDE REGEX "/tests/render/|/render_program_test")
endif()
if(SCREE_SANITIZE MATCHES "thread")
    # the driver's threads are not instrumented: what they hand over would look like races
    list(FILTER test_sources EXCLUDE REGEX "/tests/render/(look|golden|frame_loop|surface)_test|/render_program_test")
endif()
if(NOT TARGET scree_program)
    list(FILTER test_sources EXCLUDE REGEX "/tests/system/|/rigid_program_test")
endif()
if(SCREE_TEST_FILES)
    list(FILTER test_sources INCLUDE REGEX "${SCREE_TEST_FILES}")
endif()
if(NOT test_sources)
    return()
endif()

# calls on two worlds in lock step: for the fuzzers, for the tests, and as a program that needs no libFuzzer
include(ApiDriver)

# the judges of queries and of cloth compute a lot: they are optimised
add_library(scree_query_check OBJECT ${PROJECT_SOURCE_DIR}/bench/query_check.cpp ${PROJECT_SOURCE_DIR}/bench/cloth_trials.cpp)
scree_target(scree_query_check)
target_include_directories(scree_query_check PRIVATE src bench)
target_link_libraries(scree_query_check PRIVATE scree)

add_executable(scree_tests ${test_sources})
scree_target(scree_tests)
target_include_directories(scree_tests PRIVATE src tests bench)
target_link_libraries(scree_tests PRIVATE scree scree_query_check scree_api_driver scree_view GTest::gtest GTest::gtest_main Threads::Threads)
# tests are compiled more often than they run: one parse of GoogleTest, and no optimisation of what only compares
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(scree_tests PRIVATE <gtest/gtest.h>)
endif()
if(SCREE_SANITIZE MATCHES "address")
    # it is the library that is looked at; this halves the time of the build
    target_compile_options(scree_tests PRIVATE -fno-sanitize=all -g0)
endif()
target_compile_options(scree_tests PRIVATE -Wno-psabi -O0)
target_compile_definitions(scree_tests PRIVATE
    $<$<BOOL:${SCREE_HAS_OPENCL}>:SCREE_HAS_OPENCL=1>
    $<$<BOOL:${SCREE_HAS_ZSTD}>:SCREE_HAS_ZSTD=1>)
if(SCREE_SANITIZE)
    target_compile_definitions(scree_tests PRIVATE SCREE_SANITIZED=1)
endif()
if(CMAKE_BUILD_TYPE MATCHES "^(None|Debug)$")
    target_compile_definitions(scree_tests PRIVATE SCREE_SLOW_LIBRARY=1)
endif()
if(SCREE_HAS_RENDER)
    target_link_libraries(scree_tests PRIVATE scree_render)
    target_compile_definitions(scree_tests PRIVATE SCREE_HAS_RENDER=1)
endif()
if(SCREE_HAS_VIEWER)
    target_compile_definitions(scree_tests PRIVATE SCREE_HAS_VIEWER=1)
endif()
if(TARGET scree_program)
    # the programs as they are, and one more kind of scene beside them
    add_library(scree_springs OBJECT ${PROJECT_SOURCE_DIR}/tests/springs/springs.cpp)
    scree_target(scree_springs)
    target_include_directories(scree_springs PRIVATE src)
    target_link_libraries(scree_springs PRIVATE scree)
    foreach(program scree_program scree_bench)
        add_executable(${program}_springs $<TARGET_OBJECTS:${program}> $<TARGET_OBJECTS:scree_springs>)
        target_link_libraries(${program}_springs PRIVATE $<TARGET_PROPERTY:${program},LINK_LIBRARIES>)
        set_target_properties(${program}_springs PROPERTIES OUTPUT_NAME $<TARGET_FILE_BASE_NAME:${program}>
                              RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/springs)
        if(SCREE_SANITIZE)
            target_link_options(${program}_springs PRIVATE -fsanitize=${SCREE_SANITIZE})
        endif()
    endforeach()
    add_dependencies(scree_tests scree_program scree_bench scree_program_springs scree_bench_springs)
endif()
# paths go only to the files that use them, so that a compiler cache serves the others in every checkout
foreach(source ${test_sources})
    file(STRINGS ${source} uses REGEX "SCREE_SOURCE_DIR|SCREE_PROGRAM|system/program.h")
    if(uses)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS SCREE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
        if(TARGET scree_program)
            set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS SCREE_PROGRAM="$<TARGET_FILE:scree_program>"
                         SCREE_SPRINGS_PROGRAM="${PROJECT_BINARY_DIR}/springs/scree")
        endif()
    endif()
endforeach()
if(SCREE_TEST_SHARDS)
    # to start one (a sanitizer, a driver of OpenCL) takes longer than most tests take: a few processes share them
    math(EXPR last "${SCREE_TEST_SHARDS} - 1")
    foreach(shard RANGE ${last})
        add_test(NAME scree_tests.${shard} COMMAND scree_tests --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
        set_tests_properties(scree_tests.${shard} PROPERTIES TIMEOUT 1200 ENVIRONMENT
            "GTEST_TOTAL_SHARDS=${SCREE_TEST_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_FILTER=${SCREE_TEST_FILTER}")
    endforeach()
else()
    gtest_discover_tests(scree_tests NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTIES TIMEOUT 600)
endif()

# only an optimised build keeps inline functions out of the wide objects
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND EXISTS ${PROJECT_SOURCE_DIR}/src/device/cpu/lanes_16.cpp)
    add_test(NAME LaneObjects.ShareNoInlineFunctions
             COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-lanes $<TARGET_OBJECTS:scree> COMMAND_EXPAND_LISTS)
endif()
