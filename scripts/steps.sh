# shellcheck shell=sh
# Runs named steps in order, each with a time limit and a log. Counts the tests in the JUnit files that they write. Source it
# after setup.sh, from a script that runs one step when it is called with --step NAME...
#
#   steps_begin FOLDER                     sets the folder of the logs
#   step NAME SECONDS REPORTS ARGUMENT...  calls the script with --step ARGUMENT... for at most SECONDS, then counts the tests
#                                          in the files that match REPORTS (patterns, relative to $root; '' for none). Removes
#                                          older files first. SIGKILL follows SIGTERM after $STEPS_KILL_AFTER seconds (20)
#   steps_not_run NAME...                  records steps without a result; steps_end prints them
#   steps_end                              prints the table and the total; status 1 after a failure

steps_begin() {
	steps_folder=$1
	rm -rf "$steps_folder"
	mkdir -p "$steps_folder"
	: >"$steps_folder/table"
	steps_passed=0
	steps_failed=0
	steps_skipped=0
	steps_missing=
	steps_red=
	steps_green=
	steps_plain=
	if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
		steps_red=$(printf '\033[31m')
		steps_green=$(printf '\033[32m')
		steps_plain=$(printf '\033[0m')
	fi
	steps_process=
	trap 'steps_stop 130' INT
	trap 'steps_stop 143' TERM HUP
}

# timeout forwards the signal to its process group.
steps_stop() {
	trap - INT TERM HUP
	[ -z "$steps_process" ] || kill -TERM "$steps_process" 2>/dev/null || :
	say "check: interrupted"
	exit "$1"
}

# Prints the JUnit files of these patterns. A pattern without a file counts as none: its module has not run.
steps_reports() {
	# shellcheck disable=SC2086 # the shell expands the patterns; the project's paths contain no spaces
	for steps_report in $1; do
		[ ! -e "$steps_report" ] || cat "$steps_report"
	done
}

# Adds up the attributes of the suites: sets found_passed, found_failed, found_skipped.
steps_count() {
	found_passed=0
	found_failed=0
	found_skipped=0
	# shellcheck disable=SC2154 # the caller sets root
	steps_counts=$(cd "$root" && steps_reports "$1" | awk '
		function number(name) {
			return match($0, "[ \t\n]" name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0
		}
		BEGIN { RS = ">" }
		/<testsuite[ \t\n]/ {
			failed += number("failures") + number("errors")
			skipped += number("skipped") + number("disabled")
			all += number("tests")
		}
		END { print all - failed - skipped, failed + 0, skipped + 0 }')
	# shellcheck disable=SC2086 # three numbers
	set -- $steps_counts
	found_passed=$1
	found_failed=$2
	found_skipped=$3
}

# Prints the lines of a log that report a failure, each line once. Maven marks them by [ERROR], perhaps behind a colour; other lines of
# its log are often the expected errors of tests that pass. A log without a marked line prints all lines with an error.
steps_causes() {
	steps_all=$(sed 's/\x1b\[[0-9;]*m//g' "$1")
	steps_lines='error:|FAILED|\*\*\*|Errors while running|^not finished after|: .* is .*, not |(Error|Exception): |^In .* line [0-9]+:|^(ninja|CMake Error)'
	case $steps_all in *'[ERROR] '*) steps_lines='^\[ERROR\]|^not finished after' ;; esac
	printf '%s\n' "$steps_all" | grep -aE "$steps_lines" |
		grep -avE '\*\*\*Skipped|^\[ERROR\] *$|self fork JVM|Help 1|full stack trace|Re-run Maven|For more information|After correcting|mvn <args>|See /|See dump' |
		awk '!seen[$0]++' | head -n 30
}

steps_not_run() {
	for steps_name in "$@"; do
		steps_missing="$steps_missing, $steps_name"
	done
}

step() {
	step_name=$1
	step_limit=$2
	step_reports=$3
	shift 3
	step_log=$steps_folder/$step_name.log
	step_status=0
	step_began=$(date +%s)
	printf '%-12s ' "$step_name"
	# A step that fails early has no results, and those of an earlier run must not count.
	# shellcheck disable=SC2086 # the shell expands the patterns
	(cd "$root" && rm -f $step_reports)
	timeout --kill-after="${STEPS_KILL_AFTER:-20}" "$step_limit" "$0" --step "$@" >"$step_log" 2>&1 </dev/null &
	steps_process=$!
	wait "$steps_process" || step_status=$?
	steps_process=
	step_seconds=$(($(date +%s) - step_began))
	steps_count "$step_reports"
	step_result=ok
	step_color=$steps_green
	if [ "$step_status" -ne 0 ]; then
		step_result=FAILED
		step_color=$steps_red
		# 137: timeout had to kill the step, unless the step ended before its limit.
		if [ "$step_status" -eq 124 ] || { [ "$step_status" -eq 137 ] && [ "$step_seconds" -ge "$step_limit" ]; }; then
			echo "not finished after $step_limit s" >>"$step_log"
		fi
		[ -z "$step_reports" ] || [ $((found_passed + found_failed)) -gt 0 ] || steps_not_run "$step_name"
		# A failed step without a failed test counts as one failure: it did not compile, hung, or crashed.
		[ "$found_failed" -gt 0 ] || found_failed=1
	fi
	steps_passed=$((steps_passed + found_passed))
	steps_failed=$((steps_failed + found_failed))
	steps_skipped=$((steps_skipped + found_skipped))
	printf '%s%-6s%s %4d s\n' "$step_color" "$step_result" "$steps_plain" "$step_seconds"
	printf '%-12s %-7s %7d %7d %8d %8d\n' "$step_name" "$step_result" "$found_passed" "$found_failed" "$found_skipped" \
		"$step_seconds" >>"$steps_folder/table"
	if [ "$step_status" -ne 0 ]; then
		printf '    causes:\n'
		steps_causes "$step_log" | sed 's/^/    /'
		printf '    end of the log:\n'
		# Omits CTest's lines about passed tests.
		grep -Ev '^ +Start +[0-9]+: |[.]+   Passed ' "$step_log" | tail -n 50 | sed 's/^/    /'
		printf '    complete log: %s\n' "$step_log"
	fi
}

steps_end() {
	printf '\n%-12s %-7s %7s %7s %8s %8s\n' step result passed failed skipped seconds
	cat "$steps_folder/table"
	steps_sum="$steps_passed passed, $steps_failed failed"
	[ "$steps_skipped" -eq 0 ] || steps_sum="$steps_sum, $steps_skipped skipped"
	[ -z "$steps_missing" ] || steps_sum="$steps_sum; not run: ${steps_missing#, }"
	printf '\n%s\n' "$steps_sum"
	[ "$steps_failed" -eq 0 ]
}
