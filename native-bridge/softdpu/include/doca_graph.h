/*
 * Graphs: tasks, callbacks and other graphs that run in an order.
 *
 * A graph is nodes and dependencies between them. It is started, and then run through its instances: each has its own task, cookie or
 * instance for every node. A submitted instance runs its roots (nodes without parents) first, every other node when all its parents
 * have ended, and ends when nothing is left. The first failure fails it: no node begins any more, and it ends when those that run have
 * ended. Its end is told to the graph's callbacks from progress; the callbacks of its tasks are not called, nor those of graphs that
 * run as its nodes. A submitted instance has its tasks to itself: they cannot be submitted or freed. A context that takes nothing at
 * the moment delays an instance and does not fail it. Nothing ends a submitted instance before its time.
 *
 * Order of the end: instances, tasks, stop, destroy, contexts. The contexts of a graph are on the graph's progress engine and run.
 *
 * Thread: that of the progress engine. A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_GRAPH_H_
#define DOCA_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_pe;
struct doca_task;

struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;

/** Called by progress when an instance has ended. It belongs to the program again: submit it anew, or destroy it. */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *instance, union doca_data instance_user_data,
					   union doca_data graph_user_data);
/** What a user node does, from progress; cookie is the instance's for the node. Other than SUCCESS: the instance fails. */
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *cookie);

/** @name Life */
/** @{ */
/** A graph without nodes on an engine, which stays in use. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);
/** With its nodes. BAD_STATE: started. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_destroy(struct doca_graph *graph);
/** Who is called when an instance succeeded or failed, and how many instances there may be. BAD_STATE: started. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_conf(struct doca_graph *graph, doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances);
/** BAD_STATE: started. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data *user_data);
/** Ready for instances; nothing happens to a started graph. BAD_STATE: no configuration, no node of a context in it or in a graph of
 *  its, a context that does not run or is on another engine, a graph of its that is not started; NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_start(struct doca_graph *graph);
/** Nothing happens to a stopped graph. IN_USE: it has instances, or a started graph has it as a node. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_stop(struct doca_graph *graph);
/** @} */

/** @name Nodes, which live as long as their graph. BAD_STATE: started; NO_MEMORY */
/** @{ */
/** A node that runs a task of this context. INVALID_VALUE: the context is on another engine. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx *ctx, struct doca_graph_node **node);
/** A node that calls the program. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph, doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node);
/** A node that runs an instance of a graph. INVALID_VALUE: that is on another engine; BAD_STATE: it is not started;
 *  NOT_PERMITTED: it is this graph, or has it as a node. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph, struct doca_graph *sub_graph,
					       struct doca_graph_node **node);
/** to runs after from has ended. INVALID_VALUE: not of this graph; NOT_PERMITTED: from runs after to already. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to);
/** @} */

/** @name Instances */
/** @{ */
/** BAD_STATE: the graph is not started; NO_MEMORY: all its instances are out. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_create(const struct doca_graph *graph, struct doca_graph_instance **graph_instance);
/** IN_USE: submitted. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);
/** What the node's turn is to do. BAD_STATE: submitted; NOT_PERMITTED: a node of another graph or kind, or a task of another context. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
						   struct doca_task *task);
/** cookie may be NULL, which it is by default. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
						    void *cookie);
/** NOT_PERMITTED also: an instance of another graph, or one that is submitted. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *graph_instance,
							 struct doca_graph_node *node,
							 struct doca_graph_instance *sub_graph_instance);
/** IN_USE: submitted. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance, union doca_data user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_get_user_data(const struct doca_graph_instance *graph_instance, union doca_data *user_data);
/** Run. INVALID_VALUE: a node has no task, or no instance; IN_USE: submitted, or a task or an instance of its is. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
