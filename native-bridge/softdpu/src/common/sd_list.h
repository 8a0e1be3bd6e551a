/* Singly linked lists with a pointer to the last element, which is valid only while head is not NULL. */
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

#endif
