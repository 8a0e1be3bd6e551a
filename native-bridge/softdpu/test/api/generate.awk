# Turns the tables of ../../../api into a C program that compiles only if the headers match them, and links only if the
# libraries export every function.
#   awk -f generate.awk functions.tsv enums.tsv structs.tsv callbacks.tsv > api_check.c
BEGIN {
	FS = "\t"
	print "/* Generated from the tables of the interface. */"
	print "#include <assert.h>\n#include <stddef.h>\n#include <string.h>"
	split("aes_gcm argp bitfield buf buf_array buf_inventory buf_pool clock comch comch_consumer comch_producer compat compress config ctx dev dma erasure_coding error graph log mmap mmap_advise pe rdma rdma_bridge sha sync_event types version", headers, " ")
	for (i = 1; i in headers; i++)
		print "#include \"doca_" headers[i] ".h\""
	print "#include \"check.h\"\n"
}

FNR == 1 {
	table = FILENAME
	sub(/.*\//, "", table)
	next
}

table == "functions.tsv" {
	# A pointer of the table's type, initialised with the function: another signature does not compile.
	printf "%s (*const check_function_%d)(%s) = %s;\n", $4, ++functions, $6, $5
	next
}

table == "enums.tsv" {
	printf "static_assert(%s == %s, \"%s\");\n", $2, $3, $2
	next
}

table == "callbacks.tsv" {
	pointer = $2 ~ /to function pointer/ ? "(*)" : ""
	printf "static_assert(__builtin_types_compatible_p(%s, %s %s(%s)), \"%s\");\n", $1, $3, pointer, $4, $1
	next
}

$2 == "struct" || $2 == "union" {
	type = $2 " " $3
	printf "static_assert(sizeof(%s) == %s, \"%s\");\n", type, $4, type
	printf "static_assert(offsetof(%s, %s) == %s, \"%s.%s\");\n", type, $6, $8, type, $6
	printf "static_assert(sizeof(((%s *)0)->%s) == %s, \"%s.%s\");\n", type, $6, $9, type, $6
	printf "static_assert(__builtin_types_compatible_p(__typeof__(((%s *)0)->%s), %s), \"%s.%s\");\n", type, $6, $7, type, $6
}

$2 == "typedef" {
	printf "static_assert(sizeof(%s) == %s && __builtin_types_compatible_p(%s, %s), \"%s\");\n", $3, $4, $3, $7, $3
}

$2 == "define" {
	printf "#ifndef %s\n#error %s is not defined\n#endif\n", $3, $3
	if ($7 ~ /^-?[0-9]+$/)
		printf "static_assert((%s) == %s, \"%s\");\n", $3, $7, $3
	else if ($7 ~ /^".*"$/)
		strings[$3] = $7
}

$2 == "opaque" {
	printf "extern struct %s *check_opaque_%s;\n", $3, $3
}

END {
	print "\nint main(void)\n{"
	for (name in strings)
		printf "\tCHECK(strcmp(%s, %s) == 0);\n", name, strings[name]
	for (i = 1; i <= functions; i++)
		printf "\tCHECK(check_function_%d != NULL);\n", i
	print "\treturn 0;\n}"
}
