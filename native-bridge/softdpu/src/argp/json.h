/* A JSON text as a tree. Comments as in C are allowed, since parameter files carry them. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdint.h>

enum json_type { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_BOOLEAN, JSON_NULL };

struct json {
	enum json_type type;
	char *key;				/**< of an object's member, else NULL */
	char *text;				/**< strings: content in UTF-8; numbers, true, false, null: as written; else NULL */
	struct json *first, *next;		/**< children of objects and arrays, in order */
};

/** The tree of a text that ends with NUL; NULL: it is none, or memory is used up, and *line is where. */
struct json *json_parse(const char *text, unsigned int *line);
void json_free(struct json *json);
/** A member of an object; NULL. */
const struct json *json_find(const struct json *object, const char *key);

#endif
