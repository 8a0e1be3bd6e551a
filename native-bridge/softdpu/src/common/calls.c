/* The objects that strict mode and traces know, in a hash table by address, the first wrong call, and the ring of calls. */
#include "sd_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sd_host.h"

enum { FIRST_SIZE = 256, MAX_TEXT = 200, MAX_CALLS = 4096 };

/* An object that lives or was destroyed. A new object at the same address replaces it. */
struct known {
	const void *object;		/* NULL: the place is free */
	const char *kind;
	uint64_t number;		/* of the object in its run, from 1 */
	uint32_t host;
	uint8_t is_live;
};

/* One call, or several equal ones in a row. */
struct call {
	const char *function;
	const char *kind;		/* of the object; NULL: unknown */
	uint64_t number;
	uint64_t count;
};

_Atomic uint8_t sd_calls_modes;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *table;
static size_t size, num_known, num_live; /* size: 0, or a power of 2 */
static uint64_t last_number;
static char wrong[MAX_TEXT];
static struct call calls[MAX_CALLS];
static size_t first_call, num_calls;
static uint64_t num_dropped; /* calls after the ring was full */

/* Returns the place of an object, or the free place for it. The table has free places. */
static struct known *place_of(const struct known *places, size_t num_places, const void *object)
{
	uint64_t hash = (uint64_t)(uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15);
	size_t i = (size_t)(hash >> 32) & (num_places - 1);

	while (places[i].object != NULL && places[i].object != object)
		i = (i + 1) & (num_places - 1);
	return (struct known *)&places[i];
}

/* Returns a known object; NULL: it was created before strict mode, or there was no memory to know it. */
static struct known *find(const void *object)
{
	struct known *place = size == 0 ? NULL : place_of(table, size, object);

	return place == NULL || place->object == NULL ? NULL : place;
}

/* Keeps at least half of the places free. Returns 0 without memory. */
static uint8_t make_room(void)
{
	size_t larger = size == 0 ? FIRST_SIZE : 2 * size;
	struct known *places;

	if (2 * num_known < size)
		return 1;
	places = calloc(larger, sizeof(*places));
	if (places == NULL)
		return 0;
	for (size_t i = 0; i < size; i++) {
		if (table[i].object != NULL)
			*place_of(places, larger, table[i].object) = table[i];
	}
	free(table);
	table = places;
	size = larger;
	return 1;
}

static void forget_objects(void)
{
	free(table);
	table = NULL;
	size = num_known = num_live = 0;
	last_number = 0;
}

static void set_mode(enum sd_calls_mode mode, uint8_t enable)
{
	if (enable)
		atomic_fetch_or(&sd_calls_modes, mode);
	else
		atomic_fetch_and(&sd_calls_modes, (uint8_t)~mode);
}

void sd_calls_set_strict(uint8_t enable)
{
	pthread_mutex_lock(&lock);
	forget_objects();
	wrong[0] = '\0';
	set_mode(SD_CALLS_STRICT, enable);
	pthread_mutex_unlock(&lock);
}

void sd_calls_set_trace(uint8_t enable)
{
	pthread_mutex_lock(&lock);
	num_calls = 0;
	num_dropped = 0;
	set_mode(SD_CALLS_TRACED, enable);
	pthread_mutex_unlock(&lock);
}

/* Keeps a call of an object. The lock must be held. */
static void keep(const char *function, const struct known *known)
{
	struct call call = { function, known == NULL ? NULL : known->kind, known == NULL ? 0 : known->number, 1 };
	struct call *last = &calls[(first_call + num_calls + MAX_CALLS - 1) % MAX_CALLS];

	if ((atomic_load(&sd_calls_modes) & SD_CALLS_TRACED) == 0)
		return;
	if (num_dropped > 0 || num_calls == MAX_CALLS)
		num_dropped++; /* the order stays: later calls are dropped too until the ring is empty */
	else if (num_calls > 0 && last->function == function && last->kind == call.kind && last->number == call.number)
		last->count++;
	else
		calls[(first_call + num_calls++) % MAX_CALLS] = call;
}

/* Returns the text of the oldest call, or of the number of dropped calls. */
static const char *describe(char text[MAX_TEXT], const struct call *call)
{
	int len = snprintf(text, MAX_TEXT, "%s(", call->function);

	if (call->kind == NULL)
		len += snprintf(text + len, MAX_TEXT - (size_t)len, "?)");
	else
		len += snprintf(text + len, MAX_TEXT - (size_t)len, "%s#%llu)", call->kind, (unsigned long long)call->number);
	if (call->count > 1)
		snprintf(text + len, MAX_TEXT - (size_t)len, " x%llu", (unsigned long long)call->count);
	return text;
}

const char *sd_calls_take(void)
{
	static char text[MAX_TEXT];
	const char *taken = NULL;

	pthread_mutex_lock(&lock);
	if (num_calls > 0) {
		taken = describe(text, &calls[first_call]);
		first_call = (first_call + 1) % MAX_CALLS;
		num_calls--;
	} else if (num_dropped > 0) {
		snprintf(text, sizeof(text), "%llu more calls", (unsigned long long)num_dropped);
		num_dropped = 0;
		taken = text;
	}
	pthread_mutex_unlock(&lock);
	return taken;
}

void sd_calls_begin_run(void)
{
	pthread_mutex_lock(&lock);
	if (num_live == 0)
		forget_objects();
	wrong[0] = '\0';
	pthread_mutex_unlock(&lock);
}

const char *sd_calls_get_wrong(void)
{
	return wrong[0] == '\0' ? NULL : wrong;
}

void sd_calls_add(const char *kind, const void *object)
{
	pthread_mutex_lock(&lock);
	if (make_room()) {
		struct known *place = place_of(table, size, object);

		num_known += place->object == NULL;
		num_live += !place->is_live;
		*place = (struct known){ object, kind, ++last_number, sd_host_current(), 1 };
		keep("new", place);
	}
	pthread_mutex_unlock(&lock);
}

void sd_calls_move(const void *object, uint32_t host)
{
	struct known *known;

	pthread_mutex_lock(&lock);
	known = find(object);
	if (known != NULL)
		known->host = host;
	pthread_mutex_unlock(&lock);
}

void sd_calls_remove(const void *object)
{
	struct known *known;

	pthread_mutex_lock(&lock);
	known = find(object);
	if (known != NULL) {
		num_live -= known->is_live;
		known->is_live = 0;
	}
	pthread_mutex_unlock(&lock);
}

static void record(const char *function, const struct known *known)
{
	int len;

	if (wrong[0] != '\0')
		return;
	len = snprintf(wrong, sizeof(wrong), "%s(%s#%llu): ", function, known->kind, (unsigned long long)known->number);
	if (!known->is_live)
		snprintf(wrong + len, sizeof(wrong) - (size_t)len, "the object was destroyed");
	else
		snprintf(wrong + len, sizeof(wrong) - (size_t)len, "called in a turn of host %u, but the object belongs to host %u",
			 sd_host_current(), known->host);
}

uint8_t sd_calls_check(const char *function, const void *object)
{
	const struct known *known;
	uint8_t is_wrong;

	pthread_mutex_lock(&lock);
	known = find(object);
	keep(function, known);
	is_wrong = known != NULL && (atomic_load(&sd_calls_modes) & SD_CALLS_STRICT) != 0 &&
		   (!known->is_live || known->host != sd_host_current());
	if (is_wrong)
		record(function, known);
	pthread_mutex_unlock(&lock);
	return is_wrong;
}
