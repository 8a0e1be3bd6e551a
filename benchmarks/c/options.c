#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 24 };

enum option_form { FORM_TEXT, FORM_FLAG, FORM_NUMBER, FORM_BYTES, FORM_WORD };

struct option_word {
	const char *word;
	uint64_t value;
};

struct option_row {
	const char *name;
	enum option_form form;
	size_t offset;
	uint64_t min, max;
	const struct option_word *words;
};

static const struct option_word idle_words[] = {
	{ "busy", IDLE_BUSY }, { "adaptive", IDLE_ADAPTIVE }, { "event", IDLE_EVENT }, { NULL, 0 }
};

#define TEXT(name, member) { name, FORM_TEXT, offsetof(struct options, member), 0, 0, NULL }
#define FLAG(name, member) { name, FORM_FLAG, offsetof(struct options, member), 0, 0, NULL }
#define NUMBER(name, member, min, max) { name, FORM_NUMBER, offsetof(struct options, member), min, max, NULL }
#define BYTES(name, member, min, max) { name, FORM_BYTES, offsetof(struct options, member), min, max, NULL }
#define WORD(name, member, words) { name, FORM_WORD, offsetof(struct options, member), 0, 0, words }

static const struct option_row rows[] = {
	TEXT("device", device),
	TEXT("representor", representor),
	TEXT("dma-device", dma_device),
	TEXT("name", name),
	TEXT("out", out),
	WORD("idle", idle, idle_words),
	TEXT("kind", kind),
	TEXT("operation", kind),
	TEXT("host", host),
	NUMBER("port", port, 1, UINT16_MAX),
	NUMBER("timeout", timeout_s, 1, 86400),
	NUMBER("trials", trials, 1, 1000000),
	NUMBER("clients", clients, 1, UINT32_MAX),
	NUMBER("count", count, 1, 1000000000),
	BYTES("size", size, 1, 1u << 30),
	BYTES("message-size", size, 1, 1u << 30),
	NUMBER("blocks", blocks, 1, 1u << 20),
	NUMBER("connections", blocks, 1, UINT16_MAX),
	BYTES("block-size", block_size, 1, 1u << 30),
	BYTES("memory", block_size, 8, 1u << 30),
	NUMBER("parallel", parallel, 1, 1024),
	NUMBER("window", window, 1, 1024),
	FLAG("verify", verify),
	FLAG("nul", nul),
	FLAG("reverse", reverse),
	FLAG("paced", paced),
	FLAG("force", force),
};

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

void options_begin(struct options *options)
{
	memset(options, 0, sizeof(*options));
	options->device = from_environment("DOCA_DEV_PCI");
	options->representor = from_environment("DOCA_DEV_REP_PCI");
	options->timeout_s = 30;
	options->trials = 1;
}

static _Noreturn void refuse(const char *usage, const char *name, const char *value)
{
	if (name != NULL)
		fprintf(stderr, "--%s: not possible: %s\n", name, value);
	fprintf(stderr, "%s\n", usage);
	exit(2);
}

_Noreturn void options_refuse(const char *usage)
{
	refuse(usage, NULL, NULL);
}

/* Parses digits, and for bytes one of K, M, G for the powers of 1024. */
static bool parse_number(const struct option_row *row, const char *text, uint64_t *value)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (errno != 0 || end == text || *text == '-' || *value > row->max)
		return false;
	unit = row->form == FORM_BYTES && *end != '\0' ? strchr(units, *end) : NULL;
	if (unit != NULL) {
		*value <<= 10 * (unit - units + 1);
		end++;
	}
	return *end == '\0' && *value >= row->min && *value <= row->max;
}

static bool parse_word(const struct option_row *row, const char *text, uint64_t *value)
{
	const struct option_word *word = row->words;

	while (word->word != NULL && strcmp(word->word, text) != 0)
		word++;
	*value = word->value;
	return word->word != NULL;
}

static bool store(struct options *options, const struct option_row *row, const char *text)
{
	void *at = (char *)options + row->offset;

	switch (row->form) {
	case FORM_TEXT:
		*(const char **)at = text;
		return true;
	case FORM_FLAG:
		*(bool *)at = true;
		return true;
	case FORM_WORD:
		return parse_word(row, text, at);
	case FORM_NUMBER:
	case FORM_BYTES:
		return parse_number(row, text, at);
	}
	return false;
}

static const struct option_row *find_row(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	abort(); /* the program names an option that does not exist */
}

/* The first letter of a long option is also its short form. */
static void add_letter(char *letters, const struct option *option)
{
	char *end = letters + strlen(letters);

	if (strchr(letters, option->name[0]) == NULL)
		sprintf(end, "%c%s", option->name[0], option->has_arg ? ":" : "");
}

static int find_letter(const struct option *table, int count, int letter)
{
	int i = 1;

	while (i < count && table[i].name[0] != letter)
		i++;
	return i;
}

void options_parse(struct options *options, int argc, char **argv, const char *const *names, const char *usage)
{
	struct option table[MAX_OPTIONS] = { { .name = "help", .val = 'h' } };
	char letters[2 * MAX_OPTIONS + 2] = "h";
	int count = 1, which = 0, option;
	bool has_file = false;

	for (; *names != NULL && count < MAX_OPTIONS - 1; names++) {
		if (strcmp(*names, "FILE") == 0) {
			has_file = true;
			continue;
		}
		table[count] = (struct option){ .name = *names, .has_arg = find_row(*names)->form != FORM_FLAG };
		add_letter(letters, &table[count++]);
	}
	while ((option = getopt_long(argc, argv, letters, table, &which)) != -1) {
		if (option == 'h') {
			puts(usage);
			exit(0);
		}
		if (option != 0)
			which = find_letter(table, count, option);
		if (which == count)
			refuse(usage, NULL, NULL);
		if (!store(options, find_row(table[which].name), optarg))
			refuse(usage, table[which].name, optarg);
	}
	if (optind + has_file != argc)
		refuse(usage, NULL, NULL);
	options->file = has_file ? argv[optind] : NULL;
}

bool options_wait_for_turn(const struct options *options)
{
	int c = '\n';

	while (options->paced && (c = getchar()) != '\n' && c != EOF)
		;
	return c == '\n';
}
