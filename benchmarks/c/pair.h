/*
 * Programs of which one process serves and another is its client: `NAME serve [OPTION...]`, `NAME client [OPTION...]`.
 */
#ifndef PAIR_H
#define PAIR_H

#include "card.h"
#include "channel.h"
#include "options.h"

/** What a program is made of. All functions are called on the one thread, outside of progress. */
struct pair {
	const char *program;
	const char *service; /* default of --name */
	const char *usage;
	const char *const *serve_options; /* with a NULL at the end; those that all have are added */
	const char *const *client_options;
	/** Set defaults, before options are taken. */
	void (*defaults)(struct options *options);
	/** Open what all connections share. dev is the server's or client's device. NULL on failure, which was printed. */
	void *(*open)(const struct options *options, struct engine *engine, struct doca_dev *dev, bool serves);
	/** The role of this end. */
	const struct role *(*role)(const struct options *options, bool serves);
	/** After each trial of a client that went well: print its line. False when the result is wrong or could not be written. */
	bool (*finish)(void *shared);
	/** False when something would not go; printed. */
	bool (*close)(void *shared);
};

/** The whole program; its exit status. */
int pair_main(const struct pair *pair, int argc, char **argv);

#endif
