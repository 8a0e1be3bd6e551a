#!/bin/sh
# Compiles and runs a program from outside against one flavour of the SDK prefix, the way its README says: with pkg-config. The
# prefix is moved away first, because it may be installed anywhere.
#   check_sdk.sh CC SDK_DIR host|dpu PROGRAM.c [link option...]
set -eu

cc=$1
sdk=$2
flavour=$3
program=$4
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
flags=$(pkg-config --cflags --libs doca-common doca-argp doca-comch doca-compress doca-dma)

# shellcheck disable=SC2086 # flags are words
build() {
	"$cc" -Wall -Werror "$@" -o "$work/program" "$program" $flags "-Wl,-rpath,$work/prefix/lib"
}

build -DDOCA_ALLOW_EXPERIMENTAL_API "-DEXPECT_$flavour" "$@"
"$work/program"

# Experimental functions warn unless the program says that it knows.
if build "-DEXPECT_$flavour" "$@" 2>"$work/warnings"; then
	echo "experimental functions do not warn" >&2
	exit 1
fi
grep -q DOCA_ALLOW_EXPERIMENTAL_API "$work/warnings"

# What programs count on without asking comes with each header that declares functions.
for header in "$work"/prefix/include/*.h; do
	grep -Eq 'DOCA_(STABLE|EXPERIMENTAL)' "$header" || continue
	# shellcheck disable=SC2046 # flags are words
	"$cc" -Wall -Wextra -Werror -fsyntax-only "-DEXPECT_$flavour" "-DHEADER=<$(basename "$header")>" "$(dirname "$0")/lean.c" \
		$(pkg-config --cflags doca-common)
done

# Each header stands alone, in C++ as well.
for header in "$work"/prefix/include/*.h; do
	echo "#include <$(basename "$header")>" >"$work/header.c"
	# shellcheck disable=SC2046 # flags are words
	"$cc" -Wall -Wextra -Werror -fsyntax-only "$work/header.c" $(pkg-config --cflags doca-compress)
	if command -v c++ >/dev/null; then
		# shellcheck disable=SC2046 # flags are words
		c++ -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only "$work/header.c" $(pkg-config --cflags doca-compress)
	fi
done
