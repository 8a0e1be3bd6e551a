/* An importing process, as the exporter sees it. Service thread, but for the end of the service. */
#ifndef IMPORTER_H
#define IMPORTER_H

#include "export.h"
#include "sd_service.h"

struct importer {
	struct sd_watch watch;			/* first member */
	struct sd_job deadline;			/* of HELLO */
	struct importer *next;
	int fd;
	pid_t pid;
	struct guard_pass *pass;		/* NULL before HELLO */
};

/* Answer one packet. 0: the importer breaks the rules, or is gone. */
uint8_t importer_answer(struct importer *importer);
/* Whether there is room for one more importer that has greeted. */
uint8_t importer_may_greet(const struct importer *importer);

#endif
