/* The exporter's record of an importing process. Service thread, except at the end of the service. */
#ifndef IMPORTER_H
#define IMPORTER_H

#include "export.h"
#include "sd_service.h"

struct importer {
	struct sd_watch watch;			/* first member */
	struct sd_job deadline;			/* deadline of HELLO */
	struct importer *next;
	int fd;
	pid_t pid;
	uint8_t is_greeted;			/* HELLO was answered */
	struct guard_pass *pass;		/* NULL before HELLO, and for a process of another host */
};

/*
 * Answers one packet. Returns 0 if the packet is invalid or the importer has ended. may_greet: returns true if the limit of
 * greeted importers permits one more.
 */
uint8_t importer_answer(struct importer *importer, uint8_t (*may_greet)(const struct importer *importer));

#endif
