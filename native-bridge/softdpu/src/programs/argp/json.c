#include "json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32 };

struct reader {
	const char *at;
	unsigned int line, depth;
};

static struct json *read_value(struct reader *reader);

static void skip_comment(struct reader *reader)
{
	uint8_t is_line = reader->at[1] == '/';

	reader->at += 2;
	while (*reader->at != '\0' && !(is_line ? *reader->at == '\n' : strncmp(reader->at, "*/", 2) == 0)) {
		reader->line += *reader->at == '\n';
		reader->at++;
	}
	if (!is_line && *reader->at != '\0')
		reader->at += 2;
}

static void skip_space(struct reader *reader)
{
	for (;;) {
		if (*reader->at == '/' && (reader->at[1] == '/' || reader->at[1] == '*')) {
			skip_comment(reader);
		} else if (*reader->at != '\0' && strchr(" \t\r\n", *reader->at) != NULL) {
			reader->line += *reader->at == '\n';
			reader->at++;
		} else {
			return;
		}
	}
}

static uint8_t take(struct reader *reader, char c)
{
	skip_space(reader);
	if (*reader->at != c)
		return 0;
	reader->at++;
	return 1;
}

/*
 * Writes four hexadecimal digits as UTF-8. Returns the number of bytes, 0 if the digits are invalid. Does not combine surrogates.
 */
static size_t write_code(const char *digits, char *out)
{
	unsigned long code;
	char hex[5] = { 0 };

	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)digits[i]))
			return 0;
		hex[i] = digits[i];
	}
	code = strtoul(hex, NULL, 16);
	if (code == 0 || (code >= 0xd800 && code < 0xe000))
		return 0;
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | code >> 12);
	out[1] = (char)(0x80 | (code >> 6 & 0x3f));
	out[2] = (char)(0x80 | (code & 0x3f));
	return 3;
}

/* Reads the escape after a backslash. Returns the number of bytes written, 0 if the escape is invalid. */
static size_t read_escape(struct reader *reader, char *out)
{
	static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	char c = *++reader->at;
	const char *place = c == '\0' ? NULL : strchr(names, c);
	size_t len;

	if (place != NULL) {
		*out = meanings[place - names];
		reader->at++;
		return 1;
	}
	len = c == 'u' ? write_code(reader->at + 1, out) : 0;
	if (len > 0)
		reader->at += 5;
	return len;
}

/* Reads a string after its opening quote. A resolved escape is never longer than its source. */
static char *read_string(struct reader *reader)
{
	char *text = malloc(strlen(reader->at) + 1);
	size_t len = 0, part;

	while (text != NULL && *reader->at != '"') {
		if (*reader->at == '\\') {
			part = read_escape(reader, text + len);
		} else {
			text[len] = *reader->at;
			part = (unsigned char)*reader->at >= 0x20; /* a string contains no line end and no NUL */
			reader->at++;
		}
		if (part == 0) {
			free(text);
			return NULL;
		}
		len += part;
	}
	if (text != NULL) {
		text[len] = '\0';
		reader->at++;
	}
	return text;
}

static uint8_t is_number(const char *word, size_t len)
{
	char *end;

	if (len == 0 || (*word != '-' && !isdigit((unsigned char)*word)) || memchr(word, 'x', len) != NULL)
		return 0;
	(void)strtod(word, &end);
	return end == word + len;
}

/* Reads true, false, null or a number. */
static uint8_t read_word(struct reader *reader, struct json *json)
{
	size_t len = strcspn(reader->at, " \t\r\n,]}/");

	if ((len == 4 && memcmp(reader->at, "true", 4) == 0) || (len == 5 && memcmp(reader->at, "false", 5) == 0))
		json->type = JSON_BOOLEAN;
	else if (len == 4 && memcmp(reader->at, "null", 4) == 0)
		json->type = JSON_NULL;
	else if (is_number(reader->at, len))
		json->type = JSON_NUMBER;
	else
		return 0;
	json->text = strndup(reader->at, len);
	reader->at += len;
	return json->text != NULL;
}

static struct json *read_member(struct reader *reader, uint8_t has_key)
{
	struct json *json;
	char *key = NULL;

	if (has_key) {
		if (!take(reader, '"'))
			return NULL;
		key = read_string(reader);
		if (key == NULL || !take(reader, ':')) {
			free(key);
			return NULL;
		}
	}
	json = read_value(reader);
	if (json == NULL)
		free(key);
	else
		json->key = key;
	return json;
}

static uint8_t read_members(struct reader *reader, struct json *json, char end)
{
	struct json **place = &json->first;

	if (take(reader, end))
		return 1;
	do {
		*place = read_member(reader, end == '}');
		if (*place == NULL)
			return 0;
		place = &(*place)->next;
	} while (take(reader, ','));
	return take(reader, end);
}

static struct json *read_value(struct reader *reader)
{
	struct json *json = reader->depth < MAX_DEPTH ? calloc(1, sizeof(*json)) : NULL;
	uint8_t is_sound;

	if (json == NULL)
		return NULL;
	reader->depth++;
	if (take(reader, '{')) {
		json->type = JSON_OBJECT;
		is_sound = read_members(reader, json, '}');
	} else if (take(reader, '[')) {
		json->type = JSON_ARRAY;
		is_sound = read_members(reader, json, ']');
	} else if (take(reader, '"')) {
		json->type = JSON_STRING;
		json->text = read_string(reader);
		is_sound = json->text != NULL;
	} else {
		is_sound = read_word(reader, json);
	}
	reader->depth--;
	if (is_sound)
		return json;
	json_free(json);
	return NULL;
}

struct json *json_parse(const char *text, unsigned int *line)
{
	struct reader reader = { .at = text, .line = 1 };
	struct json *json = read_value(&reader);

	if (json != NULL) {
		skip_space(&reader);
		if (*reader.at != '\0') {
			json_free(json);
			json = NULL;
		}
	}
	*line = reader.line;
	return json;
}

void json_free(struct json *json)
{
	while (json != NULL) {
		struct json *next = json->next;

		json_free(json->first);
		free(json->key);
		free(json->text);
		free(json);
		json = next;
	}
}

const struct json *json_find(const struct json *object, const char *key)
{
	const struct json *member = object->type == JSON_OBJECT ? object->first : NULL;

	while (member != NULL && strcmp(member->key, key) != 0)
		member = member->next;
	return member;
}
