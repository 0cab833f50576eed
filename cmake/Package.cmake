# SPDX-License-Identifier: MIT
# Package.cmake — what `cmake --install` puts where: find_package(scree) and scree.pc included.
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
install(TARGETS scree EXPORT screeTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/scree/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/scree OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# a static library passes what it needs on to whoever links it
get_target_property(scree_type scree TYPE)
set(SCREE_PACKAGE_OPENCL OFF)
set(SCREE_PACKAGE_ZSTD OFF)
set(link_needs "")
if(NOT EMSCRIPTEN)
    set(link_needs "-pthread")
    foreach(library IN LISTS CMAKE_DL_LIBS)
        string(APPEND link_needs " -l${library}")
    endforeach()
    if(SCREE_HAS_OPENCL)
        string(APPEND link_needs " -lOpenCL")
    endif()
    if(SCREE_HAS_ZSTD)
        string(APPEND link_needs " -lzstd")
    endif()
endif()
if(scree_type STREQUAL "STATIC_LIBRARY")
    set(SCREE_PACKAGE_OPENCL ${SCREE_HAS_OPENCL})
    set(SCREE_PACKAGE_ZSTD ${SCREE_HAS_ZSTD})
    set(SCREE_PC_LIBS "${link_needs}")
    set(SCREE_PC_LIBS_PRIVATE "")
else()
    set(SCREE_PC_LIBS "")
    set(SCREE_PC_LIBS_PRIVATE "${link_needs}")
endif()

install(EXPORT screeTargets NAMESPACE scree:: DESTINATION ${config_dir})
if(TARGET scree_render)
    # an export of its own, read when the component is asked for: the physics needs no graphics
    install(TARGETS scree_render EXPORT screeRenderTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT screeRenderTargets NAMESPACE scree:: DESTINATION ${config_dir})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/render DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree-render
            FILES_MATCHING PATTERN "*.h" PATTERN shaders EXCLUDE)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/screeConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/package/screeConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/screeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/screeConfig.cmake ${PROJECT_BINARY_DIR}/package/screeConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindZstd.cmake
        DESTINATION ${config_dir})

# the prefix is found from where scree.pc lies: `cmake --install --prefix` may differ from the configured one
file(RELATIVE_PATH SCREE_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/scree.pc.in ${PROJECT_BINARY_DIR}/package/scree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
