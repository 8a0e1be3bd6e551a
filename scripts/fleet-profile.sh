# shellcheck shell=sh
# Where the processor time of `fleet-bench cpu --profile` goes. Source it in the folder of the measure. Set before: $java_home, and the
# function node_pids.
#
# The kernel counts the time of each thread. Its name tells the group of native threads, compilers, garbage collection, engines and the
# recorder. The time of the other Java threads in the kernel is the group `kernel`: sockets and files. The rest is divided by the samples
# of Java Flight Recorder. The group of a sample is the first row of this table that matches its topmost frame; if no row does, that of
# the next frame.
cat >groups <<-'ROWS'
	tls ^(sun\.security\.|com\.sun\.crypto\.|javax\.crypto\.|javax\.net\.ssl\.|.*\.(CountedSslEngine|FrameGuard|TLSActor))
	copies ^(java\.nio\.|jdk\.internal\.misc\.ScopedMemoryAccess|jdk\.internal\.misc\.Unsafe\.(copy|set)|java\.lang\.System\.arraycopy|java\.util\.Arrays\.copy|org\.apache\.pekko\.util\.ByteString)
	file ^(io\.dpuactors\.(file|gzip)\.|java\.util\.zip\.)
	serialisation ^(io\.dpuactors\.fleet\.(FleetSerializer|Wire)|org\.apache\.pekko\.(serialization|protobuf|remote\.serialization)\.)
	fleet ^io\.dpuactors\.
	delivery ^org\.apache\.pekko\.actor\.typed\.delivery\.
	cluster ^org\.apache\.pekko\.(cluster|coordination)\.
	artery ^org\.apache\.pekko\.remote\.
	streams ^(org\.apache\.pekko\.(stream|io)\.|sun\.nio\.ch\.)
	actors ^org\.apache\.pekko\.
ROWS

# threads PIDS...: for each thread of the processes a line of its number, seconds in user mode, seconds in the kernel, and name.
threads() {
	for pid in "$@"; do
		cat "/proc/$pid"/task/*/stat 2>/dev/null || :
	done | awk -v hz="$(getconf CLK_TCK)" '{ tid = $1; name = $0; sub(/^[^(]*\(/, "", name); sub(/\)[^)]*$/, "", name)
		sub(/.*\) /, ""); printf "%d %.2f %.2f %s\n", tid, $12 / hz, $13 / hz, name }'
}

# profile_begin: begins to record the nodes. Then set $recording for the JVM of the client, and run one client.
profile_begin() {
	for pid in $(node_pids); do
		"$java_home/bin/jcmd" "$pid" JFR.start name=fleet settings=profile >>jcmd.log
	done
	# shellcheck disable=SC2046 # a list of words
	threads $(node_pids) >nodes.begin
	: >client.begin
	: >client.end
	watch_client &
	watcher=$!
}

# watch_client: keeps the times of the client's threads, which end with it. The watch ends with profile_end, and with this script at the
# latest. The brackets hide the pattern from the search itself.
watch_client() {
	pid=
	while [ ! -e watched ] && kill -0 $$; do
		if [ -z "$pid" ]; then
			pid=$(grep -l "[f]ilename=$PWD/client.jfr" /proc/[0-9]*/cmdline 2>/dev/null | sed -n '1s|/proc/\([0-9]*\)/.*|\1|p') || :
		else
			threads "$pid" >client.now
			[ ! -s client.now ] || mv client.now client.end
		fi
		sleep 0.2
	done
}

# profile_end: ends the records of the nodes.
profile_end() {
	: >watched
	wait "$watcher"
	# shellcheck disable=SC2046 # a list of words
	threads $(node_pids) >nodes.end
	for pid in $(node_pids); do
		"$java_home/bin/jcmd" "$pid" JFR.stop name=fleet "filename=$PWD/node-$pid.jfr" >>jcmd.log
	done
}

# profile_of PROCESSES BYTES RECORDS...: a line for each group of `nodes` or `client`: PROCESSES, group, ns per byte, samples.
profile_of() {
	processes=$1 bytes=$2
	shift 2
	for record in "$@"; do
		"$java_home/bin/jfr" print --events jdk.ExecutionSample --stack-depth 64 "$record" || : >profile-failed
	done | awk -v processes="$processes" -v bytes="$bytes" '
		part == "groups" { group[++rows] = $1; pattern[rows] = $2; next }
		part == "begin" { user[$1] = $2; kernel[$1] = $3; next }
		part == "end" {
			inUser = $2 - user[$1]; inKernel = $3 - kernel[$1]
			sub(/^[^ ]+ [^ ]+ [^ ]+ /, "")
			kind = /^C[12] Compiler/ ? "compilers" : /^(VM Thread|GC Thread)/ ? "collector" : /^JFR / ? "recorder" : /^softdpu/ ? "device" : ""
			kind = kind == "" && /^dpu-engine/ ? "engine" : kind
			if (kind != "") seconds[kind] += inUser + inKernel
			else { java += inUser; seconds["kernel"] += inKernel }
			next
		}
		/^jdk.ExecutionSample/ { found = "other" }
		/stackTrace = \[/ { frames = 1; next }
		frames && $1 == "]" { frames = 0; samples[found]++; all++ }
		frames && found == "other" { for (i = 1; i <= rows; i++) if ($1 ~ pattern[i]) { found = group[i]; break } }
		END {
			if (all == 0) samples["other"] = all = 1
			for (name in samples) seconds[name] += java * samples[name] / all
			for (name in seconds) printf "%s %s %.3f %d\n", processes, name, seconds[name] * 1e9 / bytes, samples[name]
		}' part=groups groups part=begin "$processes.begin" part=end "$processes.end" part=samples - | sort -k 1,1 -k 3,3nr
	[ ! -e profile-failed ]
}

# profile_json: the lines of profile_of as a JSON object, with the ns per byte of each group.
profile_json() {
	awk '{ if ($1 != last) { printf "%s\"%s\": {", last == "" ? "{" : "}, ", $1; last = $1; comma = "" }
		printf "%s\"%s\": %s", comma, $2, $3; comma = ", " } END { print last == "" ? "{}" : "}}" }'
}
