# shellcheck shell=sh
# Runs functions as tests and counts them. Source it after setting $work, an empty folder, and $suite, the name of the tests.
#
#   try NAME FUNCTION     runs the function in a new folder, $work/NAME. The first failing command fails it
#   try_end [FILE]        writes the JUnit file; status 1 after a failure

cases=
total=0
failed=0

try() {
	total=$((total + 1))
	mkdir "$work/$1"
	# Not in a condition: `set -e` has no effect there.
	set +e
	(
		set -eux
		cd "$work/$1"
		"$2"
	) >"$work/$1.log" 2>&1 </dev/null
	try_status=$?
	set -e
	if [ "$try_status" -eq 0 ]; then
		echo "ok      $1"
		cases="$cases<testcase name=\"$1\" classname=\"$suite\"/>"
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
		sed 's/^/        /' "$work/$1.log"
		cases="$cases<testcase name=\"$1\" classname=\"$suite\"><failure/></testcase>"
	fi
}

try_end() {
	[ -z "${1:-}" ] || printf '<testsuite name="%s" tests="%d" failures="%d" errors="0" skipped="0">%s</testsuite>\n' \
		"$suite" "$total" "$failed" "$cases" >"$1"
	[ "$failed" -eq 0 ]
}
