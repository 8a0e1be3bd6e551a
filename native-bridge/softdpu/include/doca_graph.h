/*
 * Graphs: tasks, callbacks and other graphs that run in an order.
 *
 * A graph has nodes and dependencies between them. A started graph runs through its instances: each has a separate task, cookie
 * or instance for every node. A submitted instance first runs its roots (nodes without parents). Every other node runs when all
 * its parents have ended, and the instance ends after its last node. The first failure fails the instance: no further node
 * starts, and the instance ends when the running nodes have ended. Progress calls the graph's callbacks at the end. The
 * callbacks of its tasks, and of graphs that run as its nodes, are not called. A submitted instance owns its tasks: they cannot
 * be submitted or freed. A context with a full queue delays an instance but does not fail it. A submitted instance cannot be
 * cancelled.
 *
 * Destruction order: instances, tasks, stop, destroy, contexts. The contexts of a graph must be on the graph's progress engine
 * and RUNNING.
 *
 * Thread: the thread of the progress engine. A NULL argument is INVALID_VALUE.
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

/** Called from progress when an instance ended. The program owns the instance again: it submits or destroys it. */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *instance, union doca_data instance_user_data,
					   union doca_data graph_user_data);
/**
 * Executes a user node, from progress; cookie is the instance's cookie for the node. A result other than SUCCESS fails the
 * instance.
 */
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *cookie);

/** @name Life */
/** @{ */
/** Creates a graph without nodes on an engine. The engine stays in use until the graph is destroyed. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);
/** Destroys the graph with its nodes. BAD_STATE: started. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_destroy(struct doca_graph *graph);
/** Sets the callbacks for success and failure of instances, and the largest number of instances. BAD_STATE: started. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_conf(struct doca_graph *graph, doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances);
/** Sets the value that callbacks receive. BAD_STATE: started. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data *user_data);
/**
 * Starts the graph, so that it can have instances; does nothing if it is started. BAD_STATE: no configuration; no context node
 * in the graph or its sub-graphs; a context that is not RUNNING or is on another engine; a sub-graph that is not started.
 * NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_start(struct doca_graph *graph);
/** Stops the graph; does nothing if it is stopped. IN_USE: it has instances, or it is a node of a started graph. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_stop(struct doca_graph *graph);
/** @} */

/** @name Nodes; they have the lifetime of their graph. BAD_STATE: started; NO_MEMORY */
/** @{ */
/** Adds a node that runs a task of this context. INVALID_VALUE: the context is on another engine. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx *ctx, struct doca_graph_node **node);
/** Adds a node that calls a function of the program. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph, doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node);
/**
 * Adds a node that runs an instance of sub_graph. INVALID_VALUE: sub_graph is on another engine; BAD_STATE: it is not started;
 * NOT_PERMITTED: it is this graph, or contains this graph as a node.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph, struct doca_graph *sub_graph,
					       struct doca_graph_node **node);
/**
 * Makes node `to` run after node `from` has ended. INVALID_VALUE: a node of another graph; NOT_PERMITTED: `from` already runs
 * after `to`.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to);
/** @} */

/** @name Instances */
/** @{ */
/** Creates an instance. BAD_STATE: the graph is not started; NO_MEMORY: all instances are allocated. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_create(const struct doca_graph *graph, struct doca_graph_instance **graph_instance);
/** Destroys an instance. IN_USE: submitted. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);
/**
 * Sets the task of a context node. BAD_STATE: submitted; NOT_PERMITTED: a node of another graph or kind, or a task of another
 * context.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
						   struct doca_task *task);
/** Sets the cookie of a user node; NULL is allowed and the default. Errors as above. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
						    void *cookie);
/**
 * Sets the instance of a sub-graph node. Errors as above; NOT_PERMITTED also: an instance of another graph, or a submitted
 * instance.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *graph_instance,
							 struct doca_graph_node *node,
							 struct doca_graph_instance *sub_graph_instance);
/** Sets the value that callbacks of this instance receive. IN_USE: submitted. */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance, union doca_data user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_get_user_data(const struct doca_graph_instance *graph_instance, union doca_data *user_data);
/**
 * Submits the instance. INVALID_VALUE: a node lacks its task or instance; IN_USE: this instance, one of its tasks or one of its
 * instances is submitted.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
