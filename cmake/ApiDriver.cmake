# SPDX-License-Identifier: MIT
# ApiDriver.cmake — the library that plays inputs as calls (tests/fuzz/api), and the program scree_api_fuzz.
include_guard(GLOBAL)

file(GLOB api_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/api/*.cpp)
list(FILTER api_sources EXCLUDE REGEX "/main\\.cpp$")
# built where something uses them: tests of calls, fuzzers, or somebody who asks for the program
add_library(scree_api_driver STATIC EXCLUDE_FROM_ALL ${api_sources})
add_executable(scree_api_fuzz EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/fuzz/api/main.cpp)
target_link_libraries(scree_api_driver PUBLIC scree)
target_include_directories(scree_api_driver PRIVATE ${PROJECT_SOURCE_DIR}/src) # to split small worlds among threads
target_link_libraries(scree_api_fuzz PRIVATE scree_api_driver)
foreach(target scree_api_driver scree_api_fuzz)
    scree_target(${target})
    # it is the library that works and is looked at; this takes long to optimise and to instrument
    target_compile_options(${target} PRIVATE -O0)
    if(SCREE_SANITIZE MATCHES "address")
        target_compile_options(${target} PRIVATE -fno-sanitize=all -g0)
    endif()
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/tests)
endforeach()
if(TARGET scree_cuda)
    add_dependencies(scree_api_fuzz scree_cuda)
endif()
