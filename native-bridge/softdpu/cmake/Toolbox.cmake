# Compiler settings that all native parts share. Options:
#   WERROR    warnings are errors (ON)
#   SANITIZE  "address,undefined" or "thread": instrument everything with these sanitizers ("")
include_guard(GLOBAL)

option(WERROR "treat warnings as errors" ON)
set(SANITIZE "" CACHE STRING "sanitizers, as in -fsanitize=: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

add_compile_options(-Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow)
if(WERROR)
	add_compile_options(-Werror)
endif()
if(SANITIZE)
	# -O1 halves the time of the compiler.
	add_compile_options(-fsanitize=${SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1)
	add_link_options(-fsanitize=${SANITIZE})
endif()

# One CTest program per test/test_*.c of the calling directory; status 77 means skipped.
#   tests_of(<prefix> <target>...)   the targets are linked to every program
function(tests_of prefix)
	file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/test/test_*.c")
	foreach(source IN LISTS sources)
		get_filename_component(name "${source}" NAME_WE)
		set(program "${prefix}_${name}")
		add_executable(${program} "${source}")
		# The programs are compiled more often than they run.
		target_compile_options(${program} PRIVATE -O0)
		target_link_libraries(${program} PRIVATE ${ARGN} Threads::Threads)
		add_test(NAME ${prefix}/${name} COMMAND ${program})
		set_tests_properties(${prefix}/${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
	endforeach()
endfunction()
