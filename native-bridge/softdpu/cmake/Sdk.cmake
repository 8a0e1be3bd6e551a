# The SDK prefix, in two variants: ${SOFTDPU_SDK}/host and ${SOFTDPU_SDK}/dpu, each with include/, lib/ and lib/pkgconfig.
# The two folders differ in doca_build_config.h. A program is compiled against one of them with
#   PKG_CONFIG_PATH=.../sdk/dpu/lib/pkgconfig cc prog.c $(pkg-config --cflags --libs doca-common doca-compress)
include_guard(GLOBAL)
include(GNUInstallDirs)

set(SOFTDPU_SDK "${CMAKE_BINARY_DIR}/sdk" CACHE PATH "where the SDK prefixes are laid out")
file(GLOB sdk_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/*.h")
file(GLOB sdk_pc CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/pkgconfig/*.pc")
get_property(sdk_libraries GLOBAL PROPERTY SOFTDPU_LIBRARIES)

function(sdk_flavour flavour)
	set(prefix "${SOFTDPU_SDK}/${flavour}")
	set(config "${CMAKE_CURRENT_SOURCE_DIR}/sdk/${flavour}/doca_build_config.h")
	set(stamp "${CMAKE_CURRENT_BINARY_DIR}/sdk-${flavour}.stamp")
	set(copies)
	foreach(name IN LISTS sdk_libraries)
		list(APPEND copies
			COMMAND ${CMAKE_COMMAND} -E copy_if_different "$<TARGET_FILE:${name}>" "${prefix}/lib/$<TARGET_SONAME_FILE_NAME:${name}>"
			COMMAND ${CMAKE_COMMAND} -E create_symlink "$<TARGET_SONAME_FILE_NAME:${name}>" "${prefix}/lib/$<TARGET_LINKER_FILE_NAME:${name}>")
	endforeach()
	add_custom_command(OUTPUT "${stamp}"
		COMMAND ${CMAKE_COMMAND} -E make_directory "${prefix}/include" "${prefix}/lib/pkgconfig"
		COMMAND ${CMAKE_COMMAND} -E copy_if_different ${sdk_headers} "${config}" "${prefix}/include"
		COMMAND ${CMAKE_COMMAND} -E copy_if_different ${sdk_pc} "${prefix}/lib/pkgconfig"
		${copies}
		COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
		DEPENDS ${sdk_headers} ${sdk_pc} "${config}" ${sdk_libraries}
		COMMENT "Laying out the ${flavour} flavour of the SDK"
		VERBATIM)
	set(sdk_stamps ${sdk_stamps} "${stamp}" PARENT_SCOPE)

	install(FILES ${sdk_headers} "${config}" DESTINATION ${flavour}/include COMPONENT sdk EXCLUDE_FROM_ALL)
	install(FILES ${sdk_pc} DESTINATION ${flavour}/lib/pkgconfig COMPONENT sdk EXCLUDE_FROM_ALL)
	install(TARGETS ${sdk_libraries} LIBRARY DESTINATION ${flavour}/lib COMPONENT sdk EXCLUDE_FROM_ALL)
endfunction()

sdk_flavour(host)
sdk_flavour(dpu)
add_custom_target(sdk ALL DEPENDS ${sdk_stamps})
