#!/bin/sh
# Checks the direction of the sources: each folder includes and calls only the folders of its row in a table, which are earlier rows.
# No two files call each other, directly or through others.
#   check_direction.sh <nm> <table> <folder of the sources> <object file>...
set -eu
nm=$1
table=$2
sources=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# <including file> <included header>
(cd "$sources" && find . -name '*.[ch]' -exec grep -H '^#include "' {} +) |
	sed -n 's|^\./\([^:]*\):#include "\(.*\)".*|\1 \2|p' >"$work/includes"
(cd "$sources" && find . -name '*.[ch]') | sed 's|^\./||' >"$work/files"
"$nm" -A -P "$@" >"$work/symbols"

awk -v edges="$work/edges" '
function folder(file) { return match(file, "/[^/]*$") ? substr(file, 1, RSTART - 1) : "" }
function fail(text) { print text; failed = 1 }
function check(from, to, why) {
	if (folder(from) != folder(to) && !((folder(from), folder(to)) in may))
		fail("src/" from " may not know src/" folder(to) ": " why)
}
FILENAME ~ /direction.tsv$/ {
	if ($0 ~ /^#/)
		next
	count = split($0, row, /[\t ]+/)
	for (i = 2; i <= count; i++) {
		if (row[i] != "" && !(row[i] in known))
			fail(row[1] " comes before " row[i] " in the table")
		may[row[1], row[i]] = 1
	}
	known[row[1]] = 1
	next
}
FILENAME ~ /files$/ {
	if (!(folder($1) in known))
		fail("src/" $1 ": its folder is not in the table")
	name = $1
	sub(".*/", "", name)
	place[folder($1), name] = $1
	if (!(name in anywhere))
		anywhere[name] = $1
	next
}
FILENAME ~ /includes$/ {
	sub(".*/", "", $2)
	if (!((folder($1), $2) in place) && $2 in anywhere)
		check($1, anywhere[$2], "it includes " $2)
	next
}
{
	file = $1
	if (!sub(".*\\.dir/(\\./)?src/", "", file))
		next
	sub("\\.o:$", "", file)
	if ($3 == "U")
		uses[file, $2] = 1
	else if ($3 ~ /[A-TV-Z]/)
		home[$2] = file
	num_symbols++
}
END {
	for (pair in uses) {
		split(pair, part, SUBSEP)
		to = home[part[2]]
		if (to == "" || to == part[1])
			continue
		check(part[1], to, "it calls " part[2])
		print part[1], to >edges
	}
	if (num_symbols == 0)
		fail("the object files define nothing")
	exit failed
}' "$table" "$work/files" "$work/includes" "$work/symbols"

if ! tsort "$work/edges" >/dev/null 2>"$work/circles"; then
	sed 's/^tsort: //' "$work/circles"
	echo "these files call each other in a circle"
	exit 1
fi
