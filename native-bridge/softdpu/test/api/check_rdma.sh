#!/bin/sh
# Compiles the plain RDMA pairs against the SDK prefix and nothing else, then runs each operation with both ways to connect.
#   check_rdma.sh CC SDK_DIR rdma_pairs.c [link option...]
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
responder=
trap 'test -z "$responder" || kill "$responder" 2>/dev/null; rm -rf "$work"' EXIT
# shellcheck disable=SC2046 # flags are words
"$cc" -DDOCA_ALLOW_EXPERIMENTAL_API -Wall -Wextra -Werror -O2 "$@" -o "$work/pairs" "$program" \
	$(PKG_CONFIG_PATH=$sdk/host/lib/pkgconfig pkg-config --cflags --libs doca-rdma doca-common) \
	"-Wl,-rpath,$sdk/host/lib"

SOFTDPU_DIR=$work/meet
export SOFTDPU_DIR
for way in export manager; do
	for operation in read write write_imm send send_imm event; do
		mkdir "$work/$way.$operation"
		"$work/pairs" responder $operation $way "$work/$way.$operation" &
		responder=$!
		"$work/pairs" requester $operation $way "$work/$way.$operation"
		wait "$responder" || {
			echo "$operation by $way: the responder failed"
			exit 1
		}
		responder=
	done
done
test -z "$(ls -A "$work/meet")"
