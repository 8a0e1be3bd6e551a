# shellcheck shell=sh
# Starts a program of this checkout as a short-lived JVM. To be sourced after build.sh and archive.sh, with $root, and a JDK found.

main_class=io.dpuactors.apps.Dpu

# Every jar by name and in order: a class-data archive is only good for exactly the class path it was made with.
launch_class_path() {
	class_path=
	for launch_jar in "$home"/lib/*.jar; do
		class_path=$class_path:$launch_jar
	done
	class_path=${class_path#:}
}

# Options that need a newer JDK than 17, and that silence warnings about what JNA and Pekko do on purpose.
launch_options_for_release() {
	release_options=
	if [ "$java_release" -ge 22 ]; then
		release_options=--enable-native-access=ALL-UNNAMED
	fi
	if [ "$java_release" -ge 23 ]; then
		release_options="$release_options --sun-misc-unsafe-memory-access=allow"
	fi
}

# What ends soon starts in half the time with the first compiler only, and compressing a gigabyte takes no longer. One thread of it,
# which works when nobody else does: what it compiles in the 50 ms that a short transfer takes is not worth the device's time.
# Nor do blocks pass Java that go in batches, however many: the second compiler would only take processors from the device.
# What lives longer otherwise, or measures, gets both compilers: a round trip of ping then takes two thirds. (All measured.) The JVM
# lets only root set the priority without a warning.
short_options="-XX:TieredStopAtLevel=1 -XX:CICompilerCount=1"
if [ "$(id -u)" -eq 0 ]; then
	short_options="$short_options -XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=19"
fi

# From tell to tell a message of Pekko passes more frames than the second compiler puts into one: a single task then takes 7 % less.
long_options=-XX:MaxInlineLevel=25

launch_compilers() {
	compilers=$short_options
	case "${1:-} ${2:-}" in
	"serve data" | "serve dma" | "client data" | "client dma") ;;
	"serve "* | "bench "* | "bench-tasks "* | "experiment "*) compilers=$long_options ;;
	"client "*)
		for launch_word in "$@"; do
			case $launch_word in
			--trials | --trials=* | --count | --count=*) compilers=$long_options ;;
			esac
		done
		;;
	esac
}

# The JVM takes the encoding of names and of its output from the locale: ASCII where none is set, or one that is not installed.
# C.UTF-8 is always installed. A locale that names another encoding stays.
launch_locale() {
	case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
	'' | C | POSIX | *.[Uu][Tt][Ff]8* | *.[Uu][Tt][Ff]-8*)
		LC_ALL=C.UTF-8
		export LC_ALL
		;;
	esac
}

launch() {
	launch_locale
	launch_class_path
	launch_options_for_release
	launch_compilers "$@"
	archive=$home/classes-$java_version.jsa
	if [ ! -e "$archive" ] && [ -w "$home" ]; then
		build_locked archive_make "$archive"
	fi
	usable_archive=
	if [ -s "$archive" ]; then
		usable_archive=$archive
	fi
	config=
	if [ -e "$root/application.conf" ]; then
		config=$root/application.conf
	fi
	# What the caller wants comes last and wins. An archive that does not fit after all is no news for anybody, and the JVM
	# would tell it on stdout: its own log stays silent.
	# shellcheck disable=SC2086 # options are words
	exec "$java_home/bin/java" -XX:+UseSerialGC $compilers -Xmx256m -Xshare:auto -Xlog:disable $release_options \
		${usable_archive:+"-XX:SharedArchiveFile=$usable_archive"} ${config:+"-Dconfig.file=$config"} "-Ddpu.root=$root" \
		"-Ddpu.short-options=$short_options" ${DPU_JAVA_OPTS:-} \
		-cp "$class_path" "$main_class" "$@"
}
