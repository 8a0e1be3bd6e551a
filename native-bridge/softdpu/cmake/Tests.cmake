# The tests of the software DPU: one program per promise (test/test_*.c), which may include the library's internal headers.
# Other tests compare the headers and the built libraries with the tables of the interface (test/api).
include_guard(GLOBAL)

add_library(softdpu_tests INTERFACE)
target_include_directories(softdpu_tests INTERFACE test src/common src/rendezvous src/config src/card src/device src/tunnel src/memory src/progress
	src/transform)
target_compile_definitions(softdpu_tests INTERFACE _GNU_SOURCE)
get_property(softdpu_libraries GLOBAL PROPERTY SOFTDPU_LIBRARIES)
# Codecs and libcrypto: references that do not depend on the software DPU.
target_link_libraries(softdpu_tests INTERFACE ${softdpu_libraries} softdpu_codecs OpenSSL::Crypto)

tests_of(softdpu softdpu_tests)
# These tests run all parts by several paths, and wait for time limits.
set_tests_properties(softdpu/test_export_table softdpu/test_rdma_addresses softdpu/test_rdma_churn softdpu/test_rdma_largest
	softdpu/test_rdma_manager softdpu/test_rdma_manager_peers softdpu/test_rdma_manager_blocks softdpu/test_rdma_processes
	softdpu/test_rdma_table PROPERTIES TIMEOUT 300)

set(api "${CMAKE_CURRENT_SOURCE_DIR}/../api")
set(api_test "${CMAKE_CURRENT_SOURCE_DIR}/test/api")
set(api_tables "${api}/functions.tsv" "${api}/enums.tsv" "${api}/structs.tsv" "${api}/callbacks.tsv")
set(api_source "${CMAKE_CURRENT_BINARY_DIR}/api_check.c")
find_program(AWK awk REQUIRED)

add_custom_command(OUTPUT "${api_source}"
	COMMAND ${AWK} -f "${api_test}/generate.awk" ${api_tables} > "${api_source}"
	DEPENDS ${api_tables} "${api_test}/generate.awk"
	COMMENT "Turning the tables of the interface into a program")
add_executable(softdpu_api_check "${api_source}")
target_compile_options(softdpu_api_check PRIVATE -O0)
target_link_libraries(softdpu_api_check PRIVATE softdpu_tests)
add_test(NAME softdpu/api_headers COMMAND softdpu_api_check)

set(null_source "${CMAKE_CURRENT_BINARY_DIR}/api_null.c")
set(null_tables "${api_test}/null_exceptions.tsv" "${api}/callbacks.tsv" "${api}/functions.tsv")
add_custom_command(OUTPUT "${null_source}"
	COMMAND ${AWK} -f "${api_test}/generate_null.awk" ${null_tables} > "${null_source}"
	DEPENDS ${null_tables} "${api_test}/generate_null.awk" "${api_test}/null_arguments.h"
	COMMENT "Turning the table of functions into calls with NULL")
add_executable(softdpu_api_null "${null_source}")
target_compile_options(softdpu_api_null PRIVATE -O0)
target_include_directories(softdpu_api_null PRIVATE "${api_test}")
target_link_libraries(softdpu_api_null PRIVATE softdpu_tests)
add_test(NAME softdpu/api_null COMMAND softdpu_api_null)
set_tests_properties(softdpu/api_null PROPERTIES TIMEOUT 120)

list(TRANSFORM softdpu_libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE softdpu_files)
add_test(NAME softdpu/api_symbols COMMAND "${api_test}/check_symbols.sh" "${api}/functions.tsv" ${softdpu_files})

list(TRANSFORM softdpu_libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE softdpu_objects)
add_test(NAME softdpu/direction COMMAND "${api_test}/check_direction.sh" "${CMAKE_NM}" "${api_test}/direction.tsv"
	"${CMAKE_CURRENT_SOURCE_DIR}/src" ${softdpu_objects} COMMAND_EXPAND_LISTS)

add_test(NAME softdpu/fault_names COMMAND "${api_test}/check_fault_names.sh" "${CMAKE_CURRENT_SOURCE_DIR}/include/softdpu.h"
	"${CMAKE_CURRENT_SOURCE_DIR}/src")

if(SANITIZE)
	set(sanitize_option "-fsanitize=${SANITIZE}")
endif()
if(NOT CMAKE_CROSSCOMPILING)
	add_test(NAME softdpu/sdk_echo COMMAND "${api_test}/check_echo.sh" ${CMAKE_C_COMPILER} "${SOFTDPU_SDK}"
		"${CMAKE_CURRENT_SOURCE_DIR}/test/comch_echo.c" ${sanitize_option})
	set_tests_properties(softdpu/sdk_echo PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
	add_test(NAME softdpu/sdk_rdma COMMAND "${api_test}/check_rdma.sh" ${CMAKE_C_COMPILER} "${SOFTDPU_SDK}"
		"${CMAKE_CURRENT_SOURCE_DIR}/test/rdma_pairs.c" "${CMAKE_CURRENT_SOURCE_DIR}/test/rdma_several.c" ${sanitize_option})
	set_tests_properties(softdpu/sdk_rdma PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
	add_test(NAME softdpu/sdk_core COMMAND "${api_test}/check_core.sh" ${CMAKE_C_COMPILER} "${SOFTDPU_SDK}"
		"${CMAKE_CURRENT_SOURCE_DIR}/test/core_programs.c" ${sanitize_option})
	set_tests_properties(softdpu/sdk_core PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
endif()
foreach(flavour host dpu)
	if(NOT CMAKE_CROSSCOMPILING)
		add_test(NAME softdpu/sdk_${flavour} COMMAND "${api_test}/check_sdk.sh" ${CMAKE_C_COMPILER} "${SOFTDPU_SDK}"
			${flavour} "${api_test}" ${sanitize_option})
		set_tests_properties(softdpu/sdk_${flavour} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
	endif()
endforeach()
