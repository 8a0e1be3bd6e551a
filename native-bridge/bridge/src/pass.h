/*
 * One pass over the queue of a pool that has patience: each entry is taken out once, and put behind the others if it stays, so that all
 * are in their order when the pass ends. An order that is refused for the moment stays, and holds up no other. Owner's thread.
 */
#ifndef BRIDGE_PASS_H
#define BRIDGE_PASS_H

struct bridge_pool;

/** Submit what may go now, in time that is linear in the number of entries. Nobody else changes the queue meanwhile. */
void bridge_pass(struct bridge_pool *pool);

#endif
