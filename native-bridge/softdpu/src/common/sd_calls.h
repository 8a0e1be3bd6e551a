/*
 * Strict mode: calls on destroyed objects, and calls outside the turn of the object's host. See softdpu_set_strict(). Functions that
 * create, start, stop or destroy objects, submit tasks or progress an engine take part. Other functions do not. A ring keeps their names
 * for traces; see softdpu_set_call_trace().
 *
 * While both modes are off, each of the functions below costs one branch. Thread: any.
 */
#ifndef SD_CALLS_H
#define SD_CALLS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum sd_calls_mode {
	SD_CALLS_STRICT = 1,	/**< calls are checked */
	SD_CALLS_TRACED = 2	/**< calls are kept */
};

/** Modes that are on. */
extern _Atomic uint8_t sd_calls_modes;

/** Switches strict mode, and forgets all objects and the wrong call. */
void sd_calls_set_strict(uint8_t enable);
/** Switches the trace, and forgets all calls. */
void sd_calls_set_trace(uint8_t enable);
/** Removes the oldest call and returns its text, which is valid until the next call of this function; NULL: none. */
const char *sd_calls_take(void);
/** Forgets the wrong call and, if no object is alive, the destroyed ones. */
void sd_calls_begin_run(void);
/** Returns the text of the first wrong call; NULL: none. The text is valid until the next run. */
const char *sd_calls_get_wrong(void);

/** @name The same as the functions below, while a mode is on */
/** @{ */
uint8_t sd_calls_check(const char *function, const void *object);
void sd_calls_add(const char *kind, const void *object);
void sd_calls_move(const void *object, uint32_t host);
void sd_calls_remove(const void *object);
/** @} */

static inline uint8_t sd_calls_is_on(void)
{
	return __builtin_expect(atomic_load_explicit(&sd_calls_modes, memory_order_relaxed) != 0, 0);
}

/**
 * Notes a call of the program, and returns whether the call must be refused with BAD_STATE. Call this before any access to the object,
 * whose memory may be free.
 */
static inline uint8_t sd_calls_refuse(const char *function, const void *object)
{
	return sd_calls_is_on() && object != NULL && sd_calls_check(function, object);
}

/** Notes a new object of the calling thread's host. kind: a constant, such as "dma". */
static inline void sd_calls_created(const char *kind, const void *object)
{
	if (sd_calls_is_on())
		sd_calls_add(kind, object);
}

/** Notes that an object belongs to another host. */
static inline void sd_calls_moved(const void *object, uint32_t host)
{
	if (sd_calls_is_on())
		sd_calls_move(object, host);
}

/** Notes the end of an object. */
static inline void sd_calls_destroyed(const void *object)
{
	if (sd_calls_is_on())
		sd_calls_remove(object);
}

#endif
