#!/bin/sh
# Runs the pairs of plain C programs as two processes, with little data. Checks their output and the files that remain.
#   pairs.sh CASE FOLDER      FOLDER: where the programs were built
# Each case takes at most a minute, also if a program hangs. The script stops its programs by process id.
set -eu

case=$1
programs=$2
work=$(mktemp -d)
servers=

cleanup() {
	for pid in $servers; do
		kill -KILL "$pid" 2>/dev/null || :
	done
	rm -rf "$work"
}
trap cleanup EXIT
SOFTDPU_DIR=$work/meet
export SOFTDPU_DIR
unset DOCA_DEV_PCI DOCA_DEV_REP_PCI SOFTDPU_ROLE

die() {
	echo "$case: $*" >&2
	for file in "$work"/*.out "$work"/*.err; do
		[ ! -s "$file" ] || sed "s|^|${file##*/}: |" "$file" >&2
	done
	exit 1
}

# await WHAT COMMAND...: waits a bounded time until the command succeeds
await() {
	what=$1
	shift
	polls=0
	until "$@"; do
		polls=$((polls + 1))
		[ "$polls" -lt 600 ] || die "waited in vain for $what"
		sleep 0.05
	done
}

is_over() {
	! kill -0 "$1" 2>/dev/null || [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" = Z ]
}

# serve PROGRAM ARGUMENT...: starts a server, waits until it is ready, and sets server
serve() {
	program=$1
	shift
	rm -f "$work/server.out"
	"$programs/$program" serve --idle adaptive "$@" >"$work/server.out" 2>"$work/server.err" &
	server=$!
	servers="$servers $server"
	await "$program to be ready" grep -qs ready "$work/server.out"
}

# Stops the server, which must exit with status 0 and leave no files.
stop_server() {
	kill -TERM "$server"
	await "the server's end" is_over "$server"
	wait "$server" || die "the server ended with $?"
	[ -z "$(ls -A "$SOFTDPU_DIR")" ] || die "left over: $(ls "$SOFTDPU_DIR")"
}

# client PROGRAM ARGUMENT...: runs a client; output in client.out, errors in client.err
client() {
	program=$1
	shift
	timeout 60 "$programs/$program" client --idle adaptive "$@" >"$work/client.out" 2>"$work/client.err"
}

# fails STATUS WORDS: checks that the client ended with that status and one line with these words
fails() {
	[ "$status" -eq "$1" ] || die "status $status, not $1"
	grep -q "$2" "$work/client.err" || die "no word of $2"
	[ "$(wc -l <"$work/client.err")" -eq 1 ] || die "more than one line"
}

# printed LINES PATTERN: checks the number of lines of JSON, each with the pattern
printed() {
	[ "$(grep -c "^{.*$2.*}\$" "$work/client.out")" -eq "$1" ] || die "not $1 lines with $2"
}

# Stops the server, which must have printed no error.
stop_content_server() {
	stop_server
	[ ! -s "$work/server.err" ] || die 'the server complained'
}

ping_pair() {
	serve ping-c
	client ping-c --count 200 --size 64 --trials 3
	printed 3 '"count":200,"size":64,"p50_ns":[1-9]'
	client ping-c --count 5 --size 4080
	client ping-c --count 5 --idle event
	stop_content_server
}

data_pair() {
	serve data-c --blocks 300 --block-size 4000
	client data-c --verify --trials 3
	printed 3 '"blocks":300,"block_size":4000,.*"data_error":false'
	stop_content_server
	serve data-c --blocks 1 --block-size 1 --nul
	client data-c --verify
	stop_content_server
}

dma_pair() {
	serve dma-c --blocks 300 --block-size 4000
	client dma-c --verify --trials 3
	client dma-c --verify --parallel 16 --trials 2
	printed 2 '"blocks":300,"block_size":4000,"parallel":16,.*"data_error":false'
	stop_content_server
	serve dma-c --blocks 300 --block-size 4000 --dma-device 0000:81:00.0
	client dma-c --verify --dma-device 0000:03:00.0
	stop_content_server
}

has_copied_twice() {
	[ "$(grep -c '"blocks":20,.*"data_error":false' "$work/server.out")" -eq 2 ]
}

# Each process sees one side of the card.
separate_sides() {
	export SOFTDPU_ROLE=dpu
	serve ping-c
	SOFTDPU_ROLE=host client ping-c --count 10
	stop_content_server
	serve data-c --blocks 3 --block-size 100
	SOFTDPU_ROLE=host client data-c --verify
	stop_content_server
	serve dma-c --reverse --verify --parallel 4
	SOFTDPU_ROLE=host client dma-c --reverse --blocks 20 --block-size 5000 --trials 2
	await 'the server to print both copies' has_copied_twice # the client may end first
	stop_content_server
	serve dma-c --blocks 20 --block-size 5000
	SOFTDPU_ROLE=host client dma-c --verify --parallel 4
	stop_content_server
}

many_clients() {
	serve data-c --blocks 100 --block-size 10000
	clients=
	for i in 1 2 3 4; do
		timeout 60 "$programs/data-c" client --verify --idle adaptive --trials 3 >"$work/$i.out" 2>"$work/$i.err" &
		clients="$clients $!"
	done
	for pid in $clients; do
		wait "$pid" || die "a client ended with $?"
	done
	[ "$(cat "$work"/[1-4].out | grep -c '"data_error":false')" -eq 12 ] || die 'not twelve transfers'
	stop_content_server
}

# Lists the server's sockets by their inode numbers, which are unique.
sockets() {
	find "/proc/$server/fd" -lname 'socket:*' -printf '%l\n' 2>/dev/null | sort
}

# A new socket is the client's. The number of sockets is no criterion: sockets of the previous client may still be open.
is_connected() {
	sockets | comm -13 "$work/sockets" - | grep -q .
}

# connect PROGRAM ARGUMENT...: starts a client in the background, waits until it is connected, and sets victim
connect() {
	sockets >"$work/sockets"
	program=$1
	shift
	"$programs/$program" client --idle adaptive "$@" >"$work/client.out" 2>"$work/client.err" &
	victim=$!
	servers="$servers $victim"
	await 'a connection' is_connected
}

# Sets status.
victim_ends() {
	await 'the end of the client' is_over "$victim"
	status=0
	wait "$victim" || status=$?
}

# orphan PROGRAM: checks that the connected client ends after its server was killed
orphan() {
	kill -KILL "$server"
	victim_ends
	[ "$status" -eq 1 ] || die "$1 ended with $status"
	[ -s "$work/client.err" ] || die 'no reason given'
}

# A server continues after a client was killed; a client ends after its server was killed.
killed_peers() {
	serve ping-c
	connect ping-c --count 100000000
	kill -KILL "$victim"
	client ping-c --count 200
	connect ping-c --count 100000000
	orphan ping-c

	serve data-c --blocks 1000 --block-size 1000
	SOFTDPU_FAULTS='comch-post-recv:delay=20ms' connect data-c
	kill -KILL "$victim"
	client data-c --verify
	SOFTDPU_FAULTS='comch-post-recv:delay=20ms' connect data-c
	orphan data-c

	serve dma-c --blocks 1000 --block-size 1000
	SOFTDPU_FAULTS='dma-memcpy:delay=20ms' connect dma-c --parallel 4
	kill -KILL "$victim"
	client dma-c --verify
	SOFTDPU_FAULTS='dma-memcpy:delay=20ms' connect dma-c --parallel 4
	orphan dma-c
}

# A server that neither answers nor ends.
silent_peer() {
	serve ping-c
	connect ping-c --count 100000000 --timeout 1
	kill -STOP "$server"
	await "the client's time-out" is_over "$victim"
	kill -CONT "$server"
	status=0
	wait "$victim" || status=$?
	fails 1 'TIME_OUT'
	stop_server
}

# A server stops on SIGTERM while it has clients; the clients report that their transfer is incomplete.
signals() {
	serve ping-c
	connect ping-c --count 100000000
	stop_server
	victim_ends
	fails 1 'the server of "shoc-test" is gone'
	SOFTDPU_FAULTS='comch-producer-send:delay=50ms' serve data-c --blocks 1000 --block-size 1000
	connect data-c
	stop_server
	victim_ends
	[ "$status" -eq 1 ] || die "the client ended with $status"
}

refusals() {
	status=0
	client ping-c || status=$?
	fails 1 'no server "shoc-test"'
	serve ping-c --name other
	status=0
	client ping-c --name other --size 5000 || status=$?
	fails 1 'a message has at most'
	status=0
	client data-c --name other --timeout 1 || status=$? # the client waits for a geometry, the server for a ping
	fails 1 'TIME_OUT'
	stop_server
}

wrong_data() {
	serve dma-c --blocks 20 --block-size 4000
	status=0
	SOFTDPU_FAULTS='dma-memcpy:corrupt:nth=3' client dma-c --verify || status=$?
	fails 1 '1 of 20 blocks'
	printed 1 '"data_error":true'
	status=0
	SOFTDPU_FAULTS='dma-memcpy:fail:nth=3' client dma-c --verify || status=$?
	fails 1 'IO_FAILED'
	stop_server
}

served_number() {
	serve data-c --blocks 4 --block-size 1000 --clients 2
	client data-c --trials 2
	await 'the server to have had enough' is_over "$server"
	wait "$server"
}

tasks() {
	for kind in dma compress sha aes-gcm erasure-coding; do
		SOFTDPU_NULL=1 timeout 60 "$programs/tasks-c" --kind "$kind" --size 256 --count 2000 --trials 2 --idle adaptive >"$work/client.out"
		printed 2 "\"kind\":\"$kind\",\"window\":64,\"size\":256,\"count\":2000,.*\"ns_per_task\":[0-9.]*,"
		timeout 60 "$programs/tasks-c" --kind "$kind" --count 300 --window 7 --size 5120 >"$work/client.out"
	done
	status=0
	timeout 60 "$programs/tasks-c" --kind md5 2>"$work/client.err" >"$work/client.out" || status=$?
	fails 2 'md5'
	status=0
	SOFTDPU_FAULTS='dma-memcpy:fail:nth=9' timeout 60 "$programs/tasks-c" 2>"$work/client.err" >"$work/client.out" || status=$?
	fails 1 'IO_FAILED'
}

bare() {
	for kind in sha aes-gcm erasure-coding; do
		timeout 60 "$programs/bare-c" --kind "$kind" --size 4096 --trials 2 >"$work/client.out" 2>"$work/client.err"
		printed 2 "\"kind\":\"$kind\",\"size\":4096,.*\"data_rate_gibps\":[0-9]*[.][0-9]*[1-9]"
	done
	timeout 60 "$programs/bare-c" --kind process-vm --size 64 --count 1000 --trials 2 >"$work/client.out"
	printed 2 '"kind":"process-vm","size":64,"threads":1,.*"p50_ns":[1-9]'
	status=0
	"$programs/bare-c" --kind erasure-coding --size 1000 >"$work/client.out" 2>"$work/client.err" || status=$?
	fails 1 '1000 bytes'
	status=0
	PATH=/nonexistent "$programs/bare-c" >"$work/client.out" 2>"$work/client.err" || status=$?
	fails 1 'no result from: exec openssl'
}

rdma_pair() {
	serve rdma-c --connections 2 --memory 64K --message-size 4K
	client rdma-c --operation write --size 1001 --count 700 --parallel 5 --verify --trials 2
	printed 2 '"operation":"write","size":1001,"count":700,"parallel":5,.*"p50_ns":[1-9].*"verified":true,"data_error":false'
	client rdma-c --operation read --size 40K --count 20 --parallel 3 --verify
	printed 1 '"operation":"read","size":40960,.*"data_error":false'
	client rdma-c --operation write --size 64 --count 3 --parallel 8 --verify # fewer tasks than slots
	printed 1 '"operation":"write","size":64,"count":3,"parallel":8,.*"data_error":false'
	client rdma-c --operation read --size 64 --count 3 --parallel 8 --verify
	printed 1 '"operation":"read","size":64,"count":3,"parallel":8,.*"data_error":false'
	client rdma-c --operation send --size 1 --count 800 --parallel 64 --trials 2 # beyond the unhandled messages
	printed 2 '"operation":"send","size":1,"count":800'
	status=0
	client rdma-c --size 128K || status=$?
	fails 1 'the server allows 65536 for write'
	status=0
	client rdma-c --port 4792 || status=$?
	fails 1 'no server at 127.0.0.1 port 4792'
	status=0
	SOFTDPU_FAULTS='rdma-write:fail:nth=3' client rdma-c --count 16 --size 64 || status=$?
	[ "$status" -eq 1 ] || die "status $status after a failed task"
	grep -q IO_FAILED "$work/client.err" || die 'no word of IO_FAILED'
	status=0
	SOFTDPU_FAULTS='rdma-write:corrupt:nth=3' client rdma-c --verify --count 16 --size 4K || status=$? # each in its own place
	fails 1 'the content is wrong'
	stop_content_server
	serve rdma-c --connections 1 --memory 4K --clients 2
	client rdma-c --size 64 --count 10 --idle event
	client rdma-c --size 64 --count 10
	await 'the server to have had enough' is_over "$server"
	wait "$server"
	serve rdma-c --connections 1
	connect rdma-c --size 64 --count 100000000
	orphan rdma-c
}

# speaks SERVICE OPTION...: runs the C server with the C++ client, and the C++ server with the C client
speaks() {
	service=$1
	shift
	case $service in
	ping) arguments='--count 1' ;;
	*) arguments=--verify ;;
	esac
	serve "$service-c" "$@"
	timeout 60 "$programs/speaker-cpp" "$service" client >"$work/client.out" 2>"$work/client.err" || die 'the C++ client failed'
	stop_content_server
	rm -f "$work/server.out"
	"$programs/speaker-cpp" "$service" serve 20 5000 >"$work/server.out" 2>"$work/server.err" &
	server=$!
	servers="$servers $server"
	await 'the C++ server to be ready' grep -qs ready "$work/server.out"
	# shellcheck disable=SC2086 # options
	client "$service-c" $arguments
	await "the C++ server's end" is_over "$server"
	wait "$server" || die "the C++ server ended with $?"
}

cpp_pairs() {
	speaks ping
	speaks data --blocks 20 --block-size 5000
	speaks dma --blocks 20 --block-size 5000
}

# Both processes print the number of connections, and that all pings arrived.
idle() {
	"$programs/idle-c" --clients 20 --count 500 >"$work/idle.out" 2>"$work/idle.err" || die "idle-c failed"
	for side in server clients; do
		grep -q "\"side\":\"$side\",\"connections\":20,\"pings\":500," "$work/idle.out" || die "no line of the $side"
	done
}

no_fork() {
	status=0
	timeout 10 env LD_PRELOAD="$programs/libno-fork.so" "$programs/idle-c" 2>"$work/client.err" || status=$?
	fails 1 'fork: .*(11)'
}

# compress SIZE OPTION...: compresses that many bytes, which gzip restores
compress() {
	"$programs/textgen" "$1" >"$work/text"
	shift
	"$programs/compress-c" "$@" -f "$work/text" >"$work/client.out"
	printed 1 '"program":"compress-c",.*"seconds":[0-9.]*,'
	gzip -dc "$work/text.gz" | cmp - "$work/text" || die 'the restored file differs'
}

# A header of three blocks of 70000 bytes, and the blocks.
blocks_file() {
	printf '\003\000\000\000\160\021\001\000'
	"$programs/textgen" 210000
}

compress_files() {
	compress 0
	compress 1
	compress 1000000 -b 4K -p 7
	compress 300000 --block-size 256K --parallel 2
	status=0
	"$programs/compress-c" "$work/text" 2>"$work/client.err" || status=$?
	fails 1 'File exists'
	status=0
	SOFTDPU_FAULTS='compress-deflate:delay=100s:nth=2' timeout 20 "$programs/compress-c" --timeout 1 -b 4K -f "$work/text" \
		2>"$work/client.err" >"$work/client.out" || status=$?
	[ "$status" -eq 1 ] || die "status $status, not 1, after a task without an end"
	grep -q 'TIME_OUT.*compress task' "$work/client.err" || die 'no word of TIME_OUT' # the end of the context is late too
	[ ! -e "$work/text.gz.part" ] || die 'the incomplete file is left'
	blocks_file >"$work/blocks"
	"$programs/compress-blocks-c" --parallel 2 --trials 2 "$work/blocks" >"$work/client.out"
	printed 2 '"elapsed_us":[0-9.]*,"data_rate_gibps":[0-9.]*,"bytes_out":[1-9][0-9]*,"checksum":"[0-9a-f]*"'
	[ "$(sed 's/.*checksum//' "$work/client.out" | sort -u | wc -l)" -eq 1 ] || die 'two checksums'
	status=0
	SOFTDPU_FAULTS='compress-deflate:fail:nth=2' "$programs/compress-blocks-c" --parallel 2 "$work/blocks" 2>"$work/client.err" || status=$?
	fails 1 'IO_FAILED'
}

case $case in
fork) no_fork ;;
compress) compress_files ;;
cpp) cpp_pairs ;;
ping) ping_pair ;;
data) data_pair ;;
dma) dma_pair ;;
sides) separate_sides ;;
many) many_clients ;;
killed) killed_peers ;;
silent) silent_peer ;;
signal) signals ;;
refused) refusals ;;
wrong) wrong_data ;;
number) served_number ;;
tasks) tasks ;;
bare) bare ;;
rdma) rdma_pair ;;
idle) idle ;;
*) die 'no such case' ;;
esac
