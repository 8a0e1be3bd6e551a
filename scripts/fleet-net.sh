# shellcheck shell=sh
# A fleet whose members have one network namespace each: a machine with its own network link. Needs root. fleet-bench sources this
# file. Set before: $dpu $nodes $port $member, the number of the nodes, their port and their options.

# One namespace per member, linked by a bridge: the client is member 0, the nodes follow.
net_up() {
	net=dpu-fleet-$$
	ip netns add $net
	ip -n $net link add bridge type bridge
	ip -n $net link set bridge up
	for i in $(seq 0 "$nodes"); do
		ip netns add "$net-$i"
		ip -n $net link add "port-$i" type veth peer name eth0 netns "$net-$i"
		ip -n $net link set "port-$i" master bridge up
		ip -n "$net-$i" addr add "$(address "$i")/24" dev eth0
		ip -n "$net-$i" link set eth0 up
		ip -n "$net-$i" link set lo up
	done
}

# shellcheck disable=SC2317 # called by the trap
net_down() {
	: >down
	cat node-*.pid 2>/dev/null | xargs -r kill 2>/dev/null || :
	wait
	for i in $(seq 0 "$nodes"); do
		ip netns del "$net-$i" 2>/dev/null || :
	done
	ip netns del "$net" 2>/dev/null || :
}

address() {
	echo 10.25.20.$(($1 + 1))
}

# The options that name all nodes.
joins() {
	for j in $(seq "$nodes"); do
		echo --join "$(address "$j"):$port"
	done
}

# keep_node I: runs a node in its namespace, and starts it again until the file `down` exists. Adds each status to the file `ended`.
keep_node() {
	until [ -e down ]; do
		# shellcheck disable=SC2046,SC2086 # lists of words
		(exec ip netns exec "$net-$1" $dpu fleet node --host "$(address "$1")" --port "$port" -Ddpu.fleet.node.state-dir= \
			$(joins) $member >>node.log 2>&1) &
		echo $! >"node-$1.pid"
		code=0
		wait $! || code=$?
		echo "$code" >>ended
	done
}

# cut_links: cuts the link of a random node for 30 s of each minute, until the file `over` exists.
cut_links() {
	while sleep 30 && [ ! -e over ]; do
		i=$(seq "$nodes" | shuf -n 1)
		ip -n "$net" link set "port-$i" down
		echo cut >>disturbed
		sleep 30
		ip -n "$net" link set "port-$i" up
	done
}
