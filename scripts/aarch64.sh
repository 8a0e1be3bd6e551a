# shellcheck shell=sh
# Tests the native libraries for aarch64 on a machine of another architecture, under qemu-user. Source it after setup.sh.

# Tests that compute: qemu-user emulates everything that they use. Others count memory, or inspect processes.
aarch64_softdpu='aes_gcm_known_answers sha_known_answers compress_deflate compress_lists decompress_deflate decompress_lz4_block
decompress_lz4_stream dma_memcpy ec_recover'
aarch64_bridge='on_softdpu dma_on_softdpu'

# aarch64_test SOURCES BUILD LIBRARIES: cross-compiles the tests and runs them with the libraries of a folder, which are those of the
# jar. If a tool or the folder is missing, prints its name and runs nothing.
aarch64_test() {
	for aarch64_tool in aarch64-linux-gnu-gcc qemu-aarch64; do
		command -v "$aarch64_tool" >/dev/null || {
			echo "skipped: tests for aarch64: $aarch64_tool is not installed (Debian: gcc-aarch64-linux-gnu, qemu-user)"
			return 0
		}
	done
	[ -e "$3/libdpubridge.so" ] || {
		echo "skipped: tests for aarch64: the arm64 packages of the libraries are not installed (see docs/releasing.md)"
		return 0
	}
	aarch64_targets=
	for aarch64_name in $aarch64_softdpu; do
		aarch64_targets="$aarch64_targets softdpu_test_$aarch64_name"
	done
	for aarch64_name in $aarch64_bridge; do
		aarch64_targets="$aarch64_targets bridge_$aarch64_name"
	done
	# shellcheck disable=SC2086 # names of targets
	cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_TOOLCHAIN_FILE="$1/cmake/aarch64-linux-gnu.cmake" &&
		cmake --build "$2" --target $aarch64_targets &&
		cp "$3"/*.so "$2/lib" &&
		ctest --test-dir "$2" --output-on-failure --no-tests=error \
			-R "^(softdpu/test_($(echo $aarch64_softdpu | tr ' ' '|'))|bridge/($(echo $aarch64_bridge | tr ' ' '|')))\$"
}
