# shellcheck shell=sh
# Makes the class-data archive of this build and this JDK. Runs of most programs record the classes: one file, and one client of
# each service. launch.sh sources this file and sets $class_path and $release_options.

# archive_record NAME ARGUMENT...: replaces this shell by a program and records its classes. A failed program records fewer.
archive_record() {
	archive_name=$1
	shift
	# shellcheck disable=SC2086 # options are words
	exec timeout 180 "$java_home/bin/java" -XX:DumpLoadedClassList="$archive_work/$archive_name.classes" -XX:+UseSerialGC \
		-XX:TieredStopAtLevel=1 -Xlog:disable $release_options -cp "$class_path" "$main_class" "$@" \
		>"$archive_work/$archive_name.log" 2>&1 </dev/null
}

# archive_record_pair SERVICE [SERVER'S ARGUMENT...] -- [CLIENT'S ARGUMENT...]: runs a server, and a client when the server is ready.
archive_record_pair() {
	archive_service=$1
	shift
	archive_words=
	while [ "$1" != -- ]; do
		archive_words="$archive_words $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	(archive_record "serve-$archive_service" serve "$archive_service" $archive_words) &
	archive_server=$!
	trap 'kill "$archive_server" 2>/dev/null' EXIT
	trap 'exit 1' HUP INT TERM
	until grep -qs '^serving' "$archive_work/serve-$archive_service.log"; do
		kill -0 "$archive_server" 2>/dev/null || return 0
		[ -d "$archive_work" ] || return 0 # an interrupted build has removed it; the signal does not reach this job
		sleep 0.1
	done
	(archive_record "client-$archive_service" client "$archive_service" "$@")
}

# Runs each command for files once. A command whose input is the output of another one follows it.
archive_record_files() {
	(archive_record compress compress --force -o "$archive_work/file.gz" "$root/LICENSE")
	(archive_record decompress decompress -o "$archive_work/file" "$archive_work/file.gz") &
	(archive_record hash hash "$root/LICENSE") &
	{
		(archive_record encode ec encode --data 2 --parity 1 -o "$archive_work/parts" "$root/LICENSE")
		(archive_record recover ec recover -o "$archive_work/recovered" "$archive_work/parts")
	} &
	(archive_record key key -o "$archive_work/key")
	(archive_record encrypt encrypt -k "$archive_work/key" -o "$archive_work/file.dpe" "$root/LICENSE")
	(archive_record decrypt decrypt -k "$archive_work/key" -o "$archive_work/decrypted" "$archive_work/file.dpe")
	wait
}

archive_record_all() {
	mkdir -m 700 "$archive_work/softdpu"
	SOFTDPU_DIR=$archive_work/softdpu
	export SOFTDPU_DIR
	archive_record_files &
	(archive_record_pair ping -- --count 100) &
	(archive_record_pair data --blocks 4 --) &
	(archive_record_pair dma --blocks 4 --) &
	(archive_record_pair compress -- --force -o "$archive_work/sent.gz" "$root/LICENSE") &
	wait
}

# archive_build FILE: makes the archive. Call it in a subshell: it sets traps and exits.
archive_build() {
	archive_work=$(mktemp -d)
	trap 'rm -rf "$archive_work"' EXIT
	trap 'exit 1' HUP INT TERM
	(archive_record_all)
	# Newer JDKs append a number to each class. The lambdas of the main class would link picocli.CommandLine, a class in an old
	# format, and the archive takes such a class only unlinked.
	sed -e 's/ id: [0-9]*$//' -e '/^@lambda-proxy io\/dpuactors\/apps\/Dpu /d' "$archive_work"/*.classes | LC_ALL=C sort -u \
		>"$archive_work/all"
	[ -s "$archive_work/all" ] || return
	timeout 600 "$java_home/bin/java" -Xshare:dump -XX:SharedClassListFile="$archive_work/all" \
		-XX:SharedArchiveFile="$1" -XX:+UseG1GC -Xlog:disable -cp "$class_path"
}

# archive_make FILE: makes the archive once. An empty file records a failure; programs then start without an archive, but
# slower. (JDK 17 cannot use an archive whose class path contains a space.)
archive_make() {
	[ -e "$1" ] && return
	say "Recording the classes of the programs, so that they start faster (once per build)"
	(archive_build "$1.new") >/dev/null 2>&1 </dev/null 9>&- || :
	[ -s "$1.new" ] || : >"$1.new"
	mv -f "$1.new" "$1"
}
