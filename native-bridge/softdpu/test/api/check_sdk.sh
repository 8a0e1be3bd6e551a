#!/bin/sh
# Compiles and runs the external programs of a folder (outside*.c) against one variant of the SDK prefix with pkg-config, as its
# README describes. The script first moves the prefix, because it may be installed anywhere.
#   check_sdk.sh CC SDK_DIR host|dpu FOLDER [link option...]
set -eu

cc=$1
sdk=$2
flavour=$3
folder=$4
shift 4

command -v pkg-config >/dev/null || {
	echo "skipped: no pkg-config" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$sdk/$flavour" "$work/prefix"

PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs doca-common doca-argp doca-comch doca-compress doca-dma doca-rdma doca-sha doca-aes-gcm \
	doca-erasure-coding)

# shellcheck disable=SC2086 # flags are words
build() {
	"$cc" -Wall -Werror "-DEXPECT_$flavour" "$@" -o "$work/program" "$program" $flags "-Wl,-rpath,$work/prefix/lib"
}

for program in "$folder"/outside*.c; do
	build -DDOCA_ALLOW_EXPERIMENTAL_API "$@"
	status=0
	"$work/program" || status=$?
	case $status in
	0) ;;
	77) echo "skipped: $program finds no device for its tasks" >&2 ;;
	*) exit 1 ;;
	esac

	# Experimental functions cause warnings unless the program defines DOCA_ALLOW_EXPERIMENTAL_API.
	if build "$@" 2>"$work/warnings"; then
		echo "experimental functions do not warn" >&2
		exit 1
	fi
	grep -q DOCA_ALLOW_EXPERIMENTAL_API "$work/warnings"
done

# Each header that declares functions includes the C headers that programs rely on.
for header in "$work"/prefix/include/*.h; do
	grep -Eq 'DOCA_(STABLE|EXPERIMENTAL)' "$header" || continue
	# shellcheck disable=SC2046 # flags are words
	"$cc" -Wall -Wextra -Werror -fsyntax-only "-DEXPECT_$flavour" "-DHEADER=<$(basename "$header")>" "$(dirname "$0")/lean.c" \
		$(pkg-config --cflags doca-common)
done

# Each header compiles alone, also in the oldest C and the newest C++ that programs use.
stands_alone() {
	# shellcheck disable=SC2046 # flags are words
	"$@" -Wall -Wextra -Werror -fsyntax-only "$work/header.c" $(pkg-config --cflags doca-compress)
}
for header in "$work"/prefix/include/*.h; do
	printf '#include <%s>\nextern int not_empty;\n' "$(basename "$header")" >"$work/header.c"
	stands_alone "$cc" -std=c99 -pedantic
	stands_alone "$cc" -std=gnu11
	if command -v c++ >/dev/null; then
		stands_alone c++ -x c++ -std=c++11 -pedantic
		stands_alone c++ -x c++ -std=c++20 -pedantic
	fi
done
