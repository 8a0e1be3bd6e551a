# The tests of the software DPU: one program per promise (test/test_*.c), which may look into the library's own headers.
include_guard(GLOBAL)

add_library(softdpu_tests INTERFACE)
target_include_directories(softdpu_tests INTERFACE test src/common src/device src/memory src/progress)
target_compile_definitions(softdpu_tests INTERFACE _GNU_SOURCE)
target_link_libraries(softdpu_tests INTERFACE doca_compress doca_common softdpu_codecs)

tests_of(softdpu softdpu_tests)
