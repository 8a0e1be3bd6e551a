# Turns the tables of the interface into a C program that calls every function once per pointer parameter, with NULL for it.
# All other pointers point to zeroes: a function must check for NULL before it reads any object.
#   awk -f generate_null.awk null_exceptions.tsv callbacks.tsv functions.tsv > api_null.c
BEGIN {
	FS = "\t"
	print "/* Generated from the tables of the interface. */"
	split("aes_gcm argp buf buf_array buf_inventory buf_pool clock comch comch_consumer comch_producer compress ctx dev dma erasure_coding error graph log mmap mmap_advise pe rdma rdma_bridge sha sync_event types", headers, " ")
	for (i = 1; i in headers; i++)
		print "#include \"doca_" headers[i] ".h\""
	print "#include \"null_arguments.h\"\n"
}

FNR == 1 {
	table = FILENAME
	sub(/.*\//, "", table)
	next
}

table == "null_exceptions.tsv" {
	exceptions[$1 " " $2] = $3
	if ($4 == "")
		fail("no reason for " $1 " " $2)
	next
}

table == "callbacks.tsv" {
	callbacks[$1] = 1
	next
}

$3 == "INLINE" {
	next
}

{
	count = split($6, parameters, /, */)
	for (i = 1; i <= count; i++)
		parse(i)
	for (i = 1; i <= count; i++)
		if (is_pointer[i])
			test($5, $4, i)
}

# Type and name of a parameter: "const struct doca_buf *src", "uint8_t mac[6]", "doca_x_cb_t".
function parse(i,    text)
{
	text = parameters[i]
	if (text == "void" || text == "...") {
		is_pointer[i] = 0
		value[i] = ""
		return
	}
	name[i] = text
	sub(/\[[^\]]*\]$/, "", name[i])
	sub(/^.*[ *]/, "", name[i])
	type[i] = text
	if (sub(/[A-Za-z_0-9]+\[[^\]]*\]$/, "*", type[i]) == 0)
		sub(/ *[A-Za-z_0-9]+$/, "", type[i])
	is_pointer[i] = type[i] ~ /\*$/ || type[i] in callbacks
	if (type[i] in callbacks)
		value[i] = "(" type[i] ")callback"
	else if (is_pointer[i])
		value[i] = "(" type[i] ")zeroes"
	else if (type[i] == "va_list")
		value[i] = "no_arguments"
	else
		value[i] = "(" type[i] "){ 0 }"
}

function test(function_name, returned, nth,    i, arguments, key, call)
{
	key = function_name " " name[nth]
	used[key] = 1
	if (key in exceptions && exceptions[key] == "optional")
		return
	for (i = 1; i <= count; i++)
		if (value[i] != "")
			arguments = arguments (i == 1 ? "" : ", ") (i == nth ? "(" type[i] ")0" : value[i])
	call = function_name "(" arguments ")"
	if (key in exceptions)
		call = "null_error(" call ", " exceptions[key] ")"
	else if (returned == "doca_error_t")
		call = "null_error(" call ", DOCA_ERROR_INVALID_VALUE)"
	else if (returned == "union doca_data")
		call = "null_zero(" call ".u64)"
	else if (returned != "void")
		call = "null_zero((uint64_t)" call ")"
	printf "static void case_%d(va_list no_arguments)\n{\n\t(void)no_arguments;\n\t%s;\n}\n\n", ++cases, call
	labels[cases] = function_name "(" name[nth] " = NULL)"
}

function fail(text)
{
	print text > "/dev/stderr"
	is_bad = 1
	exit 1
}

END {
	for (key in exceptions)
		if (!(key in used) && !is_bad)
			fail("no such parameter: " key)
	if (is_bad)
		exit 1
	print "static const struct null_case null_cases[] = {"
	for (i = 1; i <= cases; i++)
		printf "\t{ \"%s\", case_%d },\n", labels[i], i
	print "};\n\nint main(void)\n{\n\treturn null_run_all(null_cases, sizeof(null_cases) / sizeof(null_cases[0]));\n}"
}
