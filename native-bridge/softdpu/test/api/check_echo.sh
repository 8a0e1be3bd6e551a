#!/bin/sh
# Compiles the plain echo program against both variants of the SDK prefix and nothing else, then runs it between a DPU and a host.
#   check_echo.sh CC SDK_DIR comch_echo.c [link option...]
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
server=
trap 'test -z "$server" || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
for flavour in dpu host; do
	# shellcheck disable=SC2046 # flags are words
	"$cc" -Wall -Wextra -Werror -O2 "$@" -o "$work/$flavour" "$program" \
		$(PKG_CONFIG_PATH=$sdk/$flavour/lib/pkgconfig pkg-config --cflags --libs doca-comch doca-common) \
		"-Wl,-rpath,$sdk/$flavour/lib"
done

SOFTDPU_DIR=$work/meet
export SOFTDPU_DIR
mkfifo "$work/ready"
SOFTDPU_ROLE=dpu "$work/dpu" server >"$work/ready" &
server=$!
read -r word <"$work/ready"
test "$word" = ready
SOFTDPU_ROLE=host "$work/host" client 1000 100
wait "$server"
server=
test -z "$(ls -A "$work/meet")"
