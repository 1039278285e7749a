# Install and export, so that find_package(mabkit) gives mabkit::mabkit.
include(CMakePackageConfigHelpers)

install(TARGETS mabkit EXPORT mabkit-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/mabkit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT mabkit-targets
  NAMESPACE mabkit::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mabkit)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/mabkit-config.cmake.in ${PROJECT_BINARY_DIR}/mabkit-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mabkit)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mabkit-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mabkit-config.cmake
              ${PROJECT_BINARY_DIR}/mabkit-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mabkit)
if(TARGET mabkit_cli)
  install(TARGETS mabkit_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET mabkit_fbx_import)
  install(TARGETS mabkit_fbx_import DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
