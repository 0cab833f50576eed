# SPDX-License-Identifier: MIT
# EmbedScenes.cmake — writes every scenes/*.json, and the maps and models beside them, into one C++ file, so that the
# program carries its scenes.
#
#   include(EmbedScenes)
#   scree_embed_scenes(${CMAKE_CURRENT_BINARY_DIR}/embedded_scenes.cpp)
#   add_library(... ${CMAKE_CURRENT_BINARY_DIR}/embedded_scenes.cpp)
#
# The file is remade when a scene changes; a new scene is noticed by the next build. The file also works as a
# script: cmake -DSCENES=folder -DOUT=file.cpp -P EmbedScenes.cmake

set(SCREE_EMBED_SCENES_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(scree_embed_scenes out_cpp)
    set(folder "${PROJECT_SOURCE_DIR}/scenes")
    file(GLOB files CONFIGURE_DEPENDS "${folder}/*.json" "${folder}/*.map" "${folder}/*.md5*" "${folder}/*.obj")
    add_custom_command(
        OUTPUT "${out_cpp}"
        COMMAND "${CMAKE_COMMAND}" "-DSCENES=${folder}" "-DOUT=${out_cpp}" -P "${SCREE_EMBED_SCENES_SCRIPT}"
        DEPENDS ${files} "${SCREE_EMBED_SCENES_SCRIPT}"
        COMMENT "Embedding scenes"
        VERBATIM)
endfunction()

function(scree_write_embedded_scenes folder out_cpp)
    file(GLOB files "${folder}/*.json")
    set(entries "")
    set(count 0)
    foreach(file IN LISTS files)
        get_filename_component(name "${file}" NAME)
        string(REGEX REPLACE "\\.json$" "" name "${name}")
        file(READ "${file}" text)
        if(text MATCHES "\\)scene\"")
            message(FATAL_ERROR "${file}: )scene\" would end the raw string it is put into")
        endif()
        list(APPEND names "${name}")
        set(text_of_${name} "${text}")
        math(EXPR count "${count} + 1")
    endforeach()
    list(SORT names COMPARE STRING)
    foreach(name IN LISTS names)
        string(APPEND entries "    {\"${name}\", R\"scene(${text_of_${name}})scene\"},\n")
    endforeach()
    file(GLOB maps "${folder}/*.map" "${folder}/*.md5*" "${folder}/*.obj")
    list(SORT maps COMPARE STRING)
    list(LENGTH maps map_count)
    set(map_entries "")
    foreach(file IN LISTS maps)
        get_filename_component(name "${file}" NAME)
        # a list in CMake ends elements at brackets, which Valve's format is full of: the text stays one string
        file(READ "${file}" text)
        if(text MATCHES "\\)scene\"")
            message(FATAL_ERROR "${file}: )scene\" would end the raw string it is put into")
        endif()
        string(APPEND map_entries "    {\"${name}\", R\"scene(${text})scene\"},\n")
    endforeach()
    file(WRITE "${out_cpp}.new" "// SPDX-License-Identifier: MIT
// Made from scenes/*.json, scenes/*.map, scenes/*.md5* and scenes/*.obj by cmake/EmbedScenes.cmake; edit those.
#include \"scene/embedded.h\"

namespace scree {

const EmbeddedScene embedded_scenes[] = {
${entries}};
const int embedded_scene_count = ${count};
const EmbeddedFile embedded_files[] = {
${map_entries}};
const int embedded_file_count = ${map_count};

} // namespace scree
")
    file(RENAME "${out_cpp}.new" "${out_cpp}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE AND DEFINED SCENES AND DEFINED OUT)
    scree_write_embedded_scenes("${SCENES}" "${OUT}")
endif()
