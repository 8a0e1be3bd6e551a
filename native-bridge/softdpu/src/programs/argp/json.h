/* Parses JSON into a tree. The parser accepts C comments, because parameter files contain them. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdint.h>

enum json_type { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_BOOLEAN, JSON_NULL };

struct json {
	enum json_type type;
	char *key;				/**< name of an object's member, else NULL */
	char *text;				/**< strings: content in UTF-8; numbers, true, false, null: the source text; else NULL */
	struct json *first, *next;		/**< children of objects and arrays, in order */
};

/** Parses a text that ends with NUL. Returns NULL for invalid text or without memory; *line is the position. */
struct json *json_parse(const char *text, unsigned int *line);
void json_free(struct json *json);
/** Returns a member of an object, or NULL. */
const struct json *json_find(const struct json *object, const char *key);

#endif
