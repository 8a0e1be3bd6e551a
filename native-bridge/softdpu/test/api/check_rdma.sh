#!/bin/sh
# Compiles the plain RDMA programs against the SDK prefix and nothing else. Then runs each operation with each way to connect, and
# several connections of one context.
#   check_rdma.sh CC SDK_DIR rdma_pairs.c rdma_several.c [link option...]
set -eu

cc=$1
sdk=$2
pairs=$3
several=$4
shift 4

command -v pkg-config >/dev/null || {
	echo "skipped: no pkg-config" >&2
	exit 77
}
work=$(mktemp -d)
responder=
trap 'test -z "$responder" || kill "$responder" 2>/dev/null; rm -rf "$work"' EXIT
for program in "$pairs" "$several"; do
	# shellcheck disable=SC2046 # flags are words
	"$cc" -DDOCA_ALLOW_EXPERIMENTAL_API -Wall -Wextra -Werror -O2 "$@" -o "$work/$(basename "$program" .c)" "$program" \
		$(PKG_CONFIG_PATH=$sdk/host/lib/pkgconfig pkg-config --cflags --libs doca-rdma doca-common) \
		"-Wl,-rpath,$sdk/host/lib"
done

SOFTDPU_DIR=$work/meet
export SOFTDPU_DIR
for way in export dc manager; do
	for operation in read write write_imm send send_imm event; do
		mkdir "$work/$way.$operation"
		"$work/rdma_pairs" responder $operation $way "$work/$way.$operation" &
		responder=$!
		"$work/rdma_pairs" requester $operation $way "$work/$way.$operation"
		wait "$responder" || {
			echo "$operation by $way: the responder failed"
			exit 1
		}
		responder=
	done
done

# By export one sender has all connections; by manager each of several clients has one.
mkdir "$work/export.several" "$work/manager.several"
"$work/rdma_several" receiver export "$work/export.several" 8 &
responder=$!
"$work/rdma_several" sender export "$work/export.several" 8
wait "$responder"
"$work/rdma_several" receiver manager "$work/manager.several" 4 &
responder=$!
senders=
for number in 0 1 2 3; do
	"$work/rdma_several" sender manager "$work/manager.several" $number &
	senders="$senders $!"
done
for sender in $senders "$responder"; do
	wait "$sender"
done
responder=
test -z "$(ls -A "$work/meet")"
