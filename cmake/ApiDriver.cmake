# SPDX-License-Identifier: MIT
# ApiDriver.cmake — the library that plays inputs as calls (tests/fuzz/api), and the program scree_api_fuzz.
include_guard(GLOBAL)

file(GLOB api_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/api/*.cpp)
list(FILTER api_sources EXCLUDE REGEX "/main\\.cpp$")
add_library(scree_api_driver STATIC ${api_sources})
add_executable(scree_api_fuzz ${PROJECT_SOURCE_DIR}/tests/fuzz/api/main.cpp)
target_link_libraries(scree_api_driver PUBLIC scree)
target_link_libraries(scree_api_fuzz PRIVATE scree_api_driver)
foreach(target scree_api_driver scree_api_fuzz)
    scree_target(${target})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/tests)
endforeach()
if(TARGET scree_cuda)
    add_dependencies(scree_api_fuzz scree_cuda)
endif()
