#!/bin/sh
# Compares the exports of the built libraries with the table of functions. Each function must be in the version node of its
# stability; the only other exports are softdpu_* and sd_*, in separate nodes.
#   check_symbols.sh functions.tsv libdoca_common.so libdoca_compress.so ...
set -eu
LC_ALL=C
export LC_ALL

table=$1
shift
wanted=$(mktemp)
found=$(mktemp)
trap 'rm -f "$wanted" "$found"' EXIT

for library in "$@"; do
	name=$(basename "$library" | sed 's/^lib//; s/\.so.*//')
	awk -F '\t' -v name="$name" '
		$2 == name && $3 == "STABLE" { print $5 "@@DOCA_2" }
		$2 == name && $3 == "EXPERIMENTAL" { print $5 "@@EXPERIMENTAL" }' "$table" | sort >"$wanted"
	test -s "$wanted" || {
		echo "the table knows no function of $name" >&2
		exit 1
	}
	# Kind A are the version nodes themselves.
	nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' |
		grep -Ev '^(softdpu_[a-z0-9_]+@@SOFTDPU|sd_[a-z0-9_]+@@SOFTDPU_PRIVATE)$' | sort >"$found" || true
	diff -u --label "the table" --label "$name exports" "$wanted" "$found" || {
		echo "$library does not export what the table says (- missing, + surplus)" >&2
		exit 1
	}
	echo "$name: $(wc -l <"$wanted") functions"
done
