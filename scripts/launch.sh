# shellcheck shell=sh
# Starts a program of a checkout or of an installed release as a short-lived JVM. Source it after archive.sh. Set before:
#   $root $home $java_home $java_release   folders of the project and of lib and native; the runtime and its version (17)
#   $archive                               file of the class-data archive; made if its folder is writable
#   build_locked FUNCTION...               runs a function in one process at a time

main_class=io.dpuactors.apps.Dpu

# Lists every jar by name, in order: a class-data archive is valid only for class paths that begin with that of its creation. The
# jars of Pekko Streams come last, and for bench, simulate and fleet commands only; those of Pekko Cluster for fleet commands only. Each adds a
# reference.conf, which every start would read.
launch_class_path() {
	class_path=
	launch_streams=
	launch_cluster=
	for launch_jar in "$home"/lib/*.jar; do
		case ${launch_jar##*/} in
		pekko-stream* | pekko-protobuf* | reactive-streams-* | ssl-config-core*) launch_streams=$launch_streams:$launch_jar ;;
		pekko-cluster* | pekko-coordination* | pekko-distributed-data* | pekko-pki* | pekko-remote* | agrona-* | asn-one-*)
			launch_cluster=$launch_cluster:$launch_jar
			;;
		*) class_path=$class_path:$launch_jar ;;
		esac
	done
	class_path=${class_path#:}
	case ${1:-} in
	bench | simulate) class_path=$class_path$launch_streams ;;
	fleet) class_path=$class_path$launch_streams$launch_cluster ;;
	esac
}

# Options for JDKs after 17. The options silence warnings about intended calls by JNA and Pekko.
launch_options_for_release() {
	release_options=
	if [ "$java_release" -ge 22 ]; then
		release_options=--enable-native-access=ALL-UNNAMED
	fi
	if [ "$java_release" -ge 23 ]; then
		release_options="$release_options --sun-misc-unsafe-memory-access=allow"
	fi
}

# Short programs get only the first compiler: they start in half the time, and compressing a gigabyte takes no longer. The compiler has
# one thread at low priority: compilation during a short transfer of 50 ms would only take processor time from the device.
# The same holds for transfers in batches: their blocks do not pass through Java, and the second compiler would only use processors.
# Other long programs and measurements get both compilers: a round trip of ping then takes two thirds of the time. (All measured.)
# Nodes of a fleet run long, and only the second compiler uses the processor's AES instructions, which members with TLS need.
# Only root can set the priority without a warning of the JVM.
# Clients of a fleet keep the normal priority: with low priority on a busy machine, the interpreter still took two fifths of their
# processor time after 2 GiB. (Measured.)
first_compiler="-XX:TieredStopAtLevel=1 -XX:CICompilerCount=1 -XX:-UsePerfData"
short_options=$first_compiler
if [ "$(id -u)" -eq 0 ]; then
	short_options="$short_options -XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=19"
fi

# A Pekko message passes more stack frames than the second compiler inlines by default. With this limit a task takes 7 % less time.
long_options=-XX:MaxInlineLevel=25

# Classes of Pekko Cluster pass the JVM's first two limits of metadata, each with a collection of the whole heap.
fleet_options=-XX:MetaspaceSize=64m

launch_compilers() {
	compilers=$short_options
	case "${1:-} ${2:-}" in
	"serve data" | "serve dma" | "client data" | "client dma") ;;
	"serve "* | "fleet node" | "fleet up" | "bench "* | "bench-tasks "* | "experiment "* | "simulate "*) compilers=$long_options ;;
	"fleet "*)
		compilers=$first_compiler
		case " $* " in
		*" -Ddpu.fleet.tls-dir="*) compilers=$long_options ;;
		*)
			if grep -qs '^[^#]*tls-dir"* *[=:] *"*[^" ]' "$root/application.conf"; then
				compilers=$long_options
			fi
			;;
		esac
		;;
	"client "*)
		for launch_word in "$@"; do
			case $launch_word in
			--trials | --trials=* | --count | --count=*) compilers=$long_options ;;
			esac
		done
		;;
	esac
	if [ "${1:-}" = fleet ]; then
		compilers="$compilers $fleet_options"
	fi
}

# The JVM takes the encoding of names and of its output from the locale: ASCII if the locale is unset or not installed. C.UTF-8 is
# always installed. This function keeps a locale with another encoding.
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
	if [ ! -e "$archive" ] && [ -w "${archive%/*}" ]; then
		build_locked archive_make "$archive"
	fi
	launch_class_path "$@"
	usable_archive=
	if [ -s "$archive" ]; then
		usable_archive=$archive
	fi
	config=
	if [ -e "$root/application.conf" ]; then
		config=$root/application.conf
	fi
	# The caller's options come last and override the others. The JVM's log stays off: it would report an unsuitable archive on
	# stdout.
	# shellcheck disable=SC2086 # options are words
	exec "$java_home/bin/java" -XX:+UseSerialGC $compilers -Xmx256m -Xshare:auto -Xlog:disable $release_options \
		${usable_archive:+"-XX:SharedArchiveFile=$usable_archive"} ${config:+"-Dconfig.file=$config"} "-Ddpu.root=$root" "-Ddpu.program=${program:-$0}" \
		"-Ddpu.short-options=$short_options" "-Ddpu.native=$home/native" "-Djna.boot.library.path=$home/native" \
		"-Djna.platform.library.path=$home/native" ${DPU_JAVA_OPTS:-} \
		-cp "$class_path" "$main_class" "$@"
}
