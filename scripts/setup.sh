# shellcheck shell=sh
# Finds the tools of the build and the programs, and installs missing ones if it may. Source it from a script at the root.
#
#   setup_java              finds a JDK 17 or later: sets java_home, java_release (17) and java_version (17.0.15+6-Debian...)
#   setup_tools COMMAND...  finds all build tools and these commands. If one is missing, installs the tools of the build and
#                           of ./check (as root), or exits with status 2 and prints the command that installs them

say() {
	printf '%s\n' "$*" >&2
}

# Takes the JDK in $1 if it is new enough. The function reads the release file, which is faster than starting a JVM.
setup_takes_java() {
	[ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
	java_version=
	while IFS='=' read -r setup_key setup_value; do
		setup_value=${setup_value#\"}
		setup_value=${setup_value%\"}
		case $setup_key in
		JAVA_RUNTIME_VERSION) java_version=$setup_value ;;
		JAVA_VERSION) java_version=${java_version:-$setup_value} ;;
		esac
	done <"$1/release"
	java_release=${java_version%%[!0-9]*}
	[ -n "$java_release" ] && [ "$java_release" -ge 17 ] || return 1
	java_home=$1
}

setup_java() {
	java_home=
	if [ -n "${JAVA_HOME:-}" ]; then
		setup_takes_java "$JAVA_HOME" && return
		say "JAVA_HOME=$JAVA_HOME is not a JDK 17 or later; searching for another JDK"
	fi
	if setup_javac=$(command -v javac); then
		setup_javac=$(readlink -f -- "$setup_javac")
		setup_takes_java "${setup_javac%/bin/javac}" && return
	fi
	for setup_home in /usr/lib/jvm/*; do
		setup_takes_java "$setup_home" && return
	done
	return 1
}

setup_has_header() {
	if command -v cc >/dev/null 2>&1; then
		printf '#include <%s>\n' "$1" | cc -E -x c -o /dev/null - 2>/dev/null
	else
		[ -e "/usr/include/$1" ]
	fi
}

setup_has_library() {
	for setup_library in /usr/lib/"$1" /usr/lib64/"$1" /usr/lib/*/"$1" /usr/local/lib/"$1"; do
		[ ! -e "$setup_library" ] || return 0
	done
	return 1
}

setup_has_maven() {
	command -v mvn >/dev/null 2>&1 || return 1
	# "Apache Maven 3.8.7", possibly in bold: the colour codes end in 'm' and hold no dot.
	setup_maven=$(JAVA_HOME=${java_home:-${JAVA_HOME:-}} mvn -B -version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')
	[ "$(printf '3.6.3\n%s\n' "$setup_maven" | sort -V | head -n 1)" = 3.6.3 ]
}

# Returns whether the JDK can draw text. Some systems do not install the required libraries and fonts by default.
setup_can_draw() {
	[ -e /etc/fonts/fonts.conf ] || return 1
	! ldd "$java_home/lib/libfontmanager.so" 2>/dev/null | grep -v libjvm | grep -q 'not found'
}

setup_misses() {
	setup_missing="$setup_missing, $1"
	shift
	setup_packages="$setup_packages $*"
}

setup_find_missing() {
	setup_missing=
	setup_packages=
	setup_java || setup_misses 'a JDK (17 or later)' jdk
	setup_has_maven || setup_misses 'Maven (3.6.3 or later)' maven
	command -v cc >/dev/null 2>&1 || setup_misses 'a C compiler' gcc
	setup_has_header stdio.h || setup_misses 'the C library headers' libc6-dev
	command -v cmake >/dev/null 2>&1 || setup_misses CMake cmake
	command -v ninja >/dev/null 2>&1 || setup_misses Ninja ninja-build
	command -v pkg-config >/dev/null 2>&1 || setup_misses pkg-config pkg-config
	setup_has_header libdeflate.h || setup_misses libdeflate libdeflate-dev
	setup_has_header lz4.h || setup_misses LZ4 liblz4-dev
	setup_has_header xxhash.h || setup_misses xxHash libxxhash-dev
	setup_has_header openssl/evp.h || setup_misses libcrypto libssl-dev
	for setup_command in "$@"; do
		case $setup_command in
		plots)
			[ -n "${java_home:-}" ] && setup_can_draw ||
				setup_misses 'libraries and fonts for plots' libfreetype6 libharfbuzz0b libfontconfig1
			continue
			;;
		isal)
			setup_has_library libisal.so.2 || setup_misses ISA-L libisal2
			continue
			;;
		isal-dev)
			setup_has_header isa-l/igzip_lib.h || setup_misses "ISA-L's headers" libisal-dev
			continue
			;;
		flock) setup_package=util-linux ;;
		timeout) setup_package=coreutils ;;
		objdump) setup_package=binutils ;;
		*) setup_package=$setup_command ;;
		esac
		command -v "$setup_command" >/dev/null 2>&1 || setup_misses "$setup_command" "$setup_package"
	done
	setup_missing=${setup_missing#, }
	setup_packages=${setup_packages# }
	[ -z "$setup_missing" ]
}

# The name of the JDK's package differs between releases. JDK 17 is first, because most tests run with it.
setup_name_jdk() {
	for setup_jdk in openjdk-17-jdk-headless openjdk-21-jdk-headless default-jdk-headless; do
		if apt-cache show "$setup_jdk" >/dev/null 2>&1; then
			break
		fi
	done
	case " $setup_packages " in
	*' jdk '*) setup_packages="$setup_jdk${setup_packages#jdk}" ;;
	esac
}

setup_apt() {
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -q "$@" </dev/null >>"$setup_log" 2>&1
}

setup_install() {
	mkdir -p "$root/target"
	setup_log=$root/target/setup.log
	: >"$setup_log"
	# A new machine or image has no package lists; old lists name removed files.
	if ! apt-cache show libdeflate-dev >/dev/null 2>&1; then
		say "Fetching the package lists"
		setup_apt update || say "apt-get update failed; continuing with the present package lists"
	fi
	setup_name_jdk
	say "Installing $setup_packages (log: $setup_log)"
	# shellcheck disable=SC2086 # a list of words
	setup_apt install -y --no-install-recommends $setup_packages ||
		{ setup_apt update && setup_apt install -y --no-install-recommends $setup_packages; } || {
		tail -n 20 "$setup_log" >&2
		say "These packages could not be installed: $setup_packages"
		exit 2
	}
}

# All commands that scripts of this checkout pass to setup_tools, so that every script prints the same install command. 'plots'
# stands for the libraries and fonts with which the JDK draws, 'isal' for the library of erasure coding and of fast deflate, 'isal-dev'
# for its headers, which one test compares with the software DPU.
setup_commands='flock timeout git objdump shellcheck g++ plots isal isal-dev'

setup_tools() {
	setup_find_missing "$@" && return
	# shellcheck disable=SC2086 # a list of words
	setup_find_missing $setup_commands || :
	if ! command -v apt-get >/dev/null 2>&1; then
		say "Missing: $setup_missing. Install them and try again."
		exit 2
	fi
	if [ "$(id -u)" -ne 0 ]; then
		setup_name_jdk
		say "Missing: $setup_missing. Run:"
		say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $setup_packages"
		exit 2
	fi
	setup_install
	hash -r
	setup_find_missing "$@" || {
		say "Still missing after the installation: $setup_missing"
		exit 2
	}
}
