/* Singly linked lists. A pointer to the last element is valid only while head is not NULL. */
#ifndef SD_LIST_H
#define SD_LIST_H

#include <stddef.h>

/** Appends an element; next is its link. */
#define SD_APPEND(head, tail, element, next)  \
	do {                                  \
		(element)->next = NULL;       \
		if ((head) == NULL)           \
			(head) = (element);   \
		else                          \
			(tail)->next = (element); \
		(tail) = (element);           \
	} while (0)

/** Removes an element, if the list has it; next is its link. The list has no pointer to its last element. */
#define SD_REMOVE(head, element, next)                                  \
	do {                                                            \
		__typeof__(&(head)) place_ = &(head);                   \
                                                                        \
		while (*place_ != NULL && *place_ != (element))         \
			place_ = &(*place_)->next;                      \
		if (*place_ != NULL)                                    \
			*place_ = (element)->next;                      \
	} while (0)

#endif
