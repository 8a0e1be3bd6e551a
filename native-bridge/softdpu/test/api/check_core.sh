#!/bin/sh
# Compiles the programs for DOCA Core against both variants of the SDK and runs them: graphs and caches on either side, and sync
# events between the host and the DPU; each side exports once.
#   check_core.sh CC SDK_DIR PROGRAM.c [link option...]
set -eu

cc=$1
sdk=$2
program=$3
shift 3

command -v pkg-config >/dev/null || {
	echo "skipped: no pkg-config" >&2
	exit 77
}
work=$(mktemp -d)
local=
trap 'test -z "$local" || kill "$local" 2>/dev/null; rm -rf "$work"' EXIT
for flavour in dpu host; do
	# shellcheck disable=SC2046 # flags are words
	"$cc" -Wall -Wextra -Werror -Wno-cast-function-type -O2 -DDOCA_ALLOW_EXPERIMENTAL_API "$@" -o "$work/$flavour" "$program" \
		$(PKG_CONFIG_PATH=$sdk/$flavour/lib/pkgconfig pkg-config --cflags --libs doca-dma doca-common) \
		"-Wl,-rpath,$sdk/$flavour/lib"
done

SOFTDPU_DIR=$work/meet
export SOFTDPU_DIR
mkfifo "$work/description"

# pair LOCAL REMOTE MODE UPDATE: runs the two sides of one event.
pair() {
	SOFTDPU_ROLE=$1 "$work/$1" local "$3" "$4" >"$work/description" &
	local=$!
	SOFTDPU_ROLE=$2 "$work/$2" remote "$3" "$4" <"$work/description"
	wait "$local"
	local=
}

for flavour in dpu host; do
	SOFTDPU_ROLE=$flavour "$work/$flavour" graph
	SOFTDPU_ROLE=$flavour "$work/$flavour" cache
done
for mode in sync async; do
	for update in add set; do
		pair host dpu $mode $update
		pair dpu host $mode $update
	done
done
test -z "$(ls -A "$work/meet")"
