# SPDX-License-Identifier: MIT
# EmbedKernels.cmake — the kernel files as one string each: scree_opencl_source, scree_glsl_source, and both with _impact.
#
# Included from a CMakeLists it defines scree_embed_kernels(); run as a script (cmake -P) it writes the .cpp.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(SCREE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

    # scree_embed_kernels(LANGUAGE OUTPUT_VARIABLE file...) — for opencl, glsl, or either with _impact; files are names in src/kernels, in the order they are
    # to be compiled
    function(scree_embed_kernels language output)
        # the glob makes a file that appears or goes re-run the configuration
        file(GLOB present CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/*.h)
        set(sources "")
        foreach(name IN LISTS ARGN)
            set(file ${PROJECT_SOURCE_DIR}/src/kernels/${name})
            if(file IN_LIST present)
                list(APPEND sources ${file})
            else()
                message(WARNING "src/kernels/${name} is listed in ${language}_sources.cmake but does not exist")
            endif()
        endforeach()
        set(generated ${PROJECT_BINARY_DIR}/generated/${language}_source.cpp)
        set(list ${PROJECT_SOURCE_DIR}/src/kernels/${language}_sources.cmake)
        if(NOT EXISTS ${list}) # both programs of a language are in one
            string(REPLACE "_impact" "" list ${list})
        endif()
        add_custom_command(
            OUTPUT ${generated}
            COMMAND ${CMAKE_COMMAND} "-DSOURCES=${sources}" "-DOUTPUT=${generated}" -DLANGUAGE=${language} -P ${SCREE_EMBED_SCRIPT}
            DEPENDS ${sources} ${SCREE_EMBED_SCRIPT} ${list}
            COMMENT "Embedding the ${language} kernels"
            VERBATIM)
        set_source_files_properties(${generated} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
        set(${output} ${generated} PARENT_SCOPE)
    endfunction()
    return()
endif()

# an include or a pragma becomes an empty line, so that a driver's message names the line of the file
set(text "")
foreach(file IN LISTS SOURCES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} content)
    string(REGEX REPLACE "(^|\n)[ \t]*#[ \t]*(include|pragma once)[^\n]*" "\\1" content "${content}")
    if(LANGUAGE MATCHES "^glsl")
        # see dialect_glsl.h; and drivers are asked to read ASCII only
        string(REGEX REPLACE "//[^\n]*" "" content "${content}")
        string(REGEX REPLACE "typedef struct ([a-zA-Z0-9_]+) ([a-zA-Z0-9_]+);" "#define \\2 \\1" content "${content}")
        string(REGEX REPLACE "\\((i32|u32|f32)\\)([a-zA-Z_.][a-zA-Z0-9_.]*)" "\\1(\\2)" content "${content}")
        # a program may leave out files that it does not need: drivers compile all that is there
        get_filename_component(short ${file} NAME_WE)
        string(APPEND text "#ifndef WITHOUT_${short}\n${content}\n#endif\n")
    else()
        string(APPEND text "#line 1 \"${name}\"\n${content}\n")
    endif()
endforeach()

# compilers limit the length of one literal; pieces end at a line's end
set(piece_length 15000)
set(literals "")
string(LENGTH "${text}" left)
while(left GREATER 0)
    set(take ${left})
    if(left GREATER piece_length)
        string(SUBSTRING "${text}" 0 ${piece_length} piece)
        string(FIND "${piece}" "\n" take REVERSE)
        math(EXPR take "${take} + 1")
    endif()
    string(SUBSTRING "${text}" 0 ${take} piece)
    string(SUBSTRING "${text}" ${take} -1 text)
    string(APPEND literals "\n    R\"kernels(${piece})kernels\"")
    string(LENGTH "${text}" left)
endwhile()
if(literals STREQUAL "")
    set(literals " \"\"")
endif()

file(WRITE ${OUTPUT}.part
     "// Made by cmake/EmbedKernels.cmake from src/kernels; edit those.\n"
     "extern const char* const scree_${LANGUAGE}_source;\n"
     "const char* const scree_${LANGUAGE}_source =${literals};\n")
file(RENAME ${OUTPUT}.part ${OUTPUT})
