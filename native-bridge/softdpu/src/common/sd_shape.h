/*
 * Public functions that differ only in names, types and one expression. Each macro defines one function. In expressions, object is
 * the first argument, and value is the second one. A NULL object or result is INVALID_VALUE, or returns none, or has no effect.
 */
#ifndef SD_SHAPE_H
#define SD_SHAPE_H

#include "doca_error.h"

/** Reads a property. */
#define SD_GETTER(function, object_type, value_type, expression)  \
	doca_error_t function(object_type *object, value_type *value) \
	{                                                         \
		if (object == NULL || value == NULL)              \
			return DOCA_ERROR_INVALID_VALUE;          \
		*value = (expression);                            \
		return DOCA_SUCCESS;                              \
	}

/** Returns a part of an object, or NULL. */
#define SD_PART(function, object_type, part_type, member)         \
	part_type *function(object_type *object)                  \
	{                                                         \
		return object == NULL ? NULL : &object->member;   \
	}

/** Returns a property, or none. */
#define SD_PROPERTY(function, object_type, value_type, none, expression) \
	value_type function(object_type *object)                  \
	{                                                         \
		return object == NULL ? none : (expression);      \
	}

/** Sets a property. */
#define SD_SETTER(function, object_type, value_type, member)      \
	void function(object_type *object, value_type value)      \
	{                                                         \
		if (object != NULL)                               \
			object->member = value;                   \
	}

/** Sets a property. INVALID_VALUE: value is not valid; refusal: the property may not change now. */
#define SD_STORE_IF(function, object_type, value_type, is_valid, may_change, refusal, member)   \
	doca_error_t function(object_type *object, value_type value)                            \
	{                                                                                       \
		if (object == NULL || !(is_valid))                                              \
			return DOCA_ERROR_INVALID_VALUE;                                        \
		if (!(may_change))                                                              \
			return refusal;                                                         \
		object->member = value;                                                         \
		return DOCA_SUCCESS;                                                            \
	}

/** Sets a property at any time, to any value. */
#define SD_STORE(function, object_type, value_type, member) \
	SD_STORE_IF(function, object_type, value_type, 1, 1, DOCA_ERROR_BAD_STATE, member)

/** Answers that every card supports something. */
#define SD_PRESENT(function, object_type)                         \
	doca_error_t function(object_type *object)                \
	{                                                         \
		return object == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS; \
	}

/** @name Functions that no card supports: with valid arguments they return NOT_SUPPORTED */
/** @{ */
#define SD_ABSENT(function, object_type)                          \
	doca_error_t function(object_type *object)                \
	{                                                         \
		return object == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED; \
	}
/** second_type: a pointer. */
#define SD_ABSENT_POINTER(function, object_type, second_type)     \
	doca_error_t function(object_type *object, second_type second) \
	{                                                         \
		return object == NULL || second == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED; \
	}
#define SD_ABSENT_NUMBER(function, object_type)                   \
	doca_error_t function(object_type *object, uint32_t number) \
	{                                                         \
		(void)number;                                     \
		return object == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED; \
	}
/** @} */

#endif
