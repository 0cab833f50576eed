# SPDX-License-Identifier: MIT
# EmbedShaders.cmake — writes every src/render/shaders/*.glsl into one C++ file, so that the program carries its shaders.
#
# Included it defines scree_embed_shaders(file.cpp); run as a script (cmake -DSHADERS=folder -DOUT=file.cpp -P) it writes it.

set(SCREE_EMBED_SHADERS_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(scree_embed_shaders out_cpp)
    set(folder "${PROJECT_SOURCE_DIR}/src/render/shaders")
    file(GLOB files CONFIGURE_DEPENDS "${folder}/*.glsl")
    add_custom_command(
        OUTPUT "${out_cpp}"
        COMMAND "${CMAKE_COMMAND}" "-DSHADERS=${folder}" "-DOUT=${out_cpp}" -P "${SCREE_EMBED_SHADERS_SCRIPT}"
        DEPENDS ${files} "${SCREE_EMBED_SHADERS_SCRIPT}"
        COMMENT "Embedding shaders"
        VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE AND DEFINED SHADERS AND DEFINED OUT)
    file(GLOB files "${SHADERS}/*.glsl")
    list(SORT files)
    set(entries "")
    set(count 0)
    foreach(file IN LISTS files)
        get_filename_component(name "${file}" NAME)
        file(READ "${file}" text)
        string(APPEND entries "    {\"${name}\", R\"glsl(${text})glsl\"},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    file(WRITE "${OUT}.new" "// SPDX-License-Identifier: MIT
// Made from src/render/shaders/*.glsl by cmake/EmbedShaders.cmake; edit those.
#include \"render/shader_source.h\"

namespace scree::render {

const EmbeddedShader embedded_shaders[] = {
${entries}};
const int embedded_shader_count = ${count};

} // namespace scree::render
")
    file(RENAME "${OUT}.new" "${OUT}")
endif()
