# The compression libraries of the software DPU, as target softdpu_codecs. The archives of these libraries become part of
# libdoca_compress, which then needs only libc at run time; without archives the shared libraries are used.
include_guard(GLOBAL)
find_package(PkgConfig QUIET)

add_library(softdpu_codecs INTERFACE)

# codec(<pkg-config module> <library> <header> <Debian package>)
function(codec module library header package)
	if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
		pkg_check_modules(${library}_PC QUIET ${module})
	endif()
	find_path(${library}_INCLUDE ${header} HINTS ${${library}_PC_INCLUDE_DIRS})
	find_library(${library}_ARCHIVE lib${library}.a HINTS ${${library}_PC_LIBRARY_DIRS})
	find_library(${library}_SHARED ${library} HINTS ${${library}_PC_LIBRARY_DIRS})
	if(NOT ${library}_INCLUDE OR (NOT ${library}_ARCHIVE AND NOT ${library}_SHARED))
		message(FATAL_ERROR "lib${library} is missing (${header}, lib${library}.a). "
			"On Debian and Ubuntu: apt-get install libdeflate-dev liblz4-dev libxxhash-dev "
			"(here: ${package}; for another architecture, ${package}:<architecture>)")
	endif()
	if(${library}_ARCHIVE)
		target_link_libraries(softdpu_codecs INTERFACE "${${library}_ARCHIVE}")
	else()
		message(STATUS "no archive of lib${library}: libdoca_compress will need the shared library where it runs")
		target_link_libraries(softdpu_codecs INTERFACE "${${library}_SHARED}")
	endif()
	target_include_directories(softdpu_codecs SYSTEM INTERFACE "${${library}_INCLUDE}")
endfunction()

codec(libdeflate deflate libdeflate.h libdeflate-dev)
codec(liblz4 lz4 lz4.h liblz4-dev)
codec(libxxhash xxhash xxhash.h libxxhash-dev)
