# shellcheck shell=sh
# Builds with Maven, one build at a time, and installs the programs of ./dpu. Source it after setup.sh, with $root set.
#
#   apps/target/dpu/lib/*.jar         the programs; a build replaces the whole folder, because programs may be running
#   apps/target/dpu/native/*.so       the native libraries of these jars, so that programs need not unpack them
#   apps/target/dpu/stamp             older than any source that requires a new build
#   apps/target/dpu/classes-*.jsa     class-data archive per JDK; it reduces the start time by a third

home=$root/apps/target/dpu
home_new=$root/apps/target/dpu.new
home_old=$root/apps/target/dpu.old

# Returns whether the programs exist and no source is newer. The comparison includes folders: deleting a file changes their time.
build_is_fresh() {
	[ -e "$home/stamp" ] || return 1
	[ -z "$(find "$root/pom.xml" "$root/.mvn" "$root/native-bridge/"* "$root"/*/pom.xml "$root"/*/src \
		\( -name target -o -name test \) -prune -o -newer "$home/stamp" -print -quit)" ]
}

# build_locked COMMAND...: runs a function while no other build of this checkout runs.
build_locked() {
	if ! mkdir -p "$root/target" 2>/dev/null || ! [ -w "$root/target" ]; then
		say "This checkout needs a build, but $(id -un) may not write to $root (build it as its owner)"
		exit 1
	fi
	exec 9>"$root/target/build.lock"
	if ! flock -n 9; then
		say "Waiting for another build of this checkout to end"
		flock 9
	fi
	build_status=0
	"$@" || build_status=$?
	exec 9>&-
	return "$build_status"
}

# build_native JARS FOLDER: unpacks the native libraries of this machine from the jars of a folder into a new folder. Both paths
# are absolute.
build_native() {
	build_machine=linux-$(uname -m | sed 's/_/-/')
	build_work=$2.unpacked
	mkdir "$2" "$build_work"
	for build_jar in "$1"/dpu-native-bridge-*.jar "$1"/jna-*.jar; do
		(cd "$build_work" && "$java_home/bin/jar" xf "$build_jar" "$build_machine" "com/sun/jna/$build_machine") || return 1
	done
	mv "$build_work/$build_machine"/*.so "$build_work/com/sun/jna/$build_machine"/*.so "$2" || return 1
	rm -r "$build_work"
}

# build_maven ARGS...: runs Maven with ARGS and installs the programs if it succeeds. Requires the lock. Maven inherits the lock:
# when a signal ends this shell, the next build waits for the end of Maven.
build_maven() {
	rm -rf "$home_new"
	mkdir -p "$home_new"
	: >"$home_new/stamp"
	(cd "$root" && exec env JAVA_HOME="$java_home" mvn -B -ntp -Dstyle.color=never -Dmaven.wagon.http.retryHandler.count=3 \
		"-Ddpu.home=$home_new" "$@") || return 1
	build_native "$home_new/lib" "$home_new/native" || return 1
	rm -rf "$home_old"
	if [ -e "$home" ]; then
		mv "$home" "$home_old"
	fi
	mv "$home_new" "$home"
}

# Prints the causes of a failure from a build's log, without progress, stack traces and colours (Maven always resets colours).
build_causes() {
	sed "s/$(printf '\033')\[[0-9;]*m//g" | grep -Ev '^\[INFO\]|^[[:space:]]+at |^\[ERROR\] *$|^\[[0-9]+/[0-9]+\]|\[Help 1\] http|To see the full|Re-run Maven|For more information|After correcting|mvn <args>' |
		tail -n 40
}

build_if_stale() {
	# Another process may have built while this one waited for the lock.
	build_is_fresh && return
	say "Building (the first build takes one or two minutes; log: $root/target/build.log)"
	build_maven -Dmaven.test.skip=true -Dspotless.check.skip=true -Ddpu.warnings=-nowarn package >"$root/target/build.log" 2>&1 </dev/null || {
		build_causes <"$root/target/build.log" >&2
		say "The build failed; complete log: $root/target/build.log"
		return 1
	}
}
