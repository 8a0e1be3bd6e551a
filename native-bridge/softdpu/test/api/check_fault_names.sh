#!/bin/sh
# Checks that softdpu.h lists the task types and allocations of fault plans that the sources have, and no others, and that the parser
# knows them.
#   check_fault_names.sh <softdpu.h> <folder of the sources>
set -eu
header=$1
sources=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

sed -n '/^ \* Task type:/,/^ \* Actions:/p' "$header" | grep -oE '\b[a-z0-9]+(-[a-z0-9]+)+\b' | sort >"$work/listed"
# Names of operations are in their records, or are the first argument of a macro for such a record. Programs never submit "second-report".
{
	find "$sources" -name '*.c' -exec grep -h -A1 'struct sd_task_operation .* = {$' {} + | grep '\.name = "'
	find "$sources" -name '*.c' -exec grep -hE '(OPERATION|_KIND)\("|sd_fault_c?alloc\("' {} +
} | sed 's/^[^"]*"\([^"]*\)".*/\1/' | grep -v '^second-report$' | sort -u >"$work/used"

if [ "$(grep -c '^alloc-' "$work/used")" -lt 5 ] || [ "$(grep -vc '^alloc-' "$work/used")" -lt 20 ]; then
	echo "$sources: this script does not find the names"
	exit 1
fi
if ! diff "$work/listed" "$work/used" >"$work/difference"; then
	sed -n "s|^<|$header: no source has|p; s|^>|$header does not list|p" "$work/difference"
	exit 1
fi
# A plan with a name that the parser does not know is refused.
while read -r name; do
	grep -q "\"$name\"" "$sources/config/fault_parse.c" || {
		echo "$sources/config/fault_parse.c does not know $name"
		exit 1
	}
done <"$work/used"
