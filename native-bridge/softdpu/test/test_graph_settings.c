/* Calls that graphs and instances accept in each state, and errors of the others; cycles; limits. */
#include "graph.h"

static struct graph_rig rig;

static doca_error_t nothing(void *cookie)
{
	(void)cookie;
	return DOCA_SUCCESS;
}

static void arguments(void)
{
	struct doca_graph *graph = graph_new(&rig, 1);
	struct doca_graph_node *node;
	struct doca_graph_instance *instance;
	union doca_data data;

	CHECK_ERROR(doca_graph_create(NULL, &graph), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_create(rig.rig.pe, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_start(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_set_conf(graph, NULL, graph_failed, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_set_conf(graph, graph_completed, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_set_conf(graph, graph_completed, graph_failed, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_get_user_data(graph, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_graph_get_user_data(graph, &data));
	CHECK(data.ptr == &rig);
	CHECK_ERROR(doca_graph_node_create_from_ctx(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_node_create_from_user(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_node_create_from_graph(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_add_dependency(graph, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_instance_create(NULL, &instance), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_instance_create(graph, &instance), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_instance_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_instance_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_graph_stop(graph)); /* already stopped */
	CHECK_OK(doca_graph_destroy(graph));
}

/* Conditions for the start of a graph; a graph keeps its engine in use. */
static void start(void)
{
	struct doca_graph *graph, *graph2;
	struct doca_graph_node *node;
	struct doca_dma *idle;
	struct doca_pe *pe;

	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_graph_create(pe, &graph));
	CHECK_ERROR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_graph_node_create_from_ctx(graph, rig.dma_ctx[0], &node), DOCA_ERROR_INVALID_VALUE); /* other engine */
	CHECK_ERROR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* empty */
	CHECK_OK(doca_graph_destroy(graph));
	CHECK_OK(doca_pe_destroy(pe));

	CHECK_OK(doca_graph_create(rig.rig.pe, &graph));
	graph_ctx_node(graph, rig.dma_ctx[0]);
	CHECK_ERROR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* no configuration */
	CHECK_OK(doca_graph_set_conf(graph, graph_completed, graph_failed, 1));
	CHECK_OK(doca_graph_start(graph));
	CHECK_OK(doca_graph_start(graph));
	CHECK_ERROR(doca_graph_destroy(graph), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_set_conf(graph, graph_completed, graph_failed, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_set_user_data(graph, (union doca_data){ 0 }), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_node_create_from_ctx(graph, rig.dma_ctx[0], &node), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_node_create_from_user(graph, nothing, &node), DOCA_ERROR_BAD_STATE);
	graph_destroy(graph);

	graph = graph_new(&rig, 1);
	graph_user_node(graph, nothing);
	CHECK_ERROR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* no context */
	CHECK_OK(doca_dma_create(rig.rig.dev, &idle));
	graph_ctx_node(graph, doca_dma_as_ctx(idle));
	CHECK_ERROR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* a context without an engine */
	CHECK_OK(doca_pe_connect_ctx(rig.rig.pe, doca_dma_as_ctx(idle)));
	CHECK_ERROR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* a context that is not RUNNING */
	graph2 = graph_new(&rig, 1);
	CHECK_ERROR(doca_graph_node_create_from_graph(graph2, graph, &node), DOCA_ERROR_BAD_STATE); /* not started */
	CHECK_ERROR(doca_graph_node_create_from_graph(graph, graph, &node), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_graph_destroy(graph));
	CHECK_OK(doca_graph_destroy(graph2));
	CHECK_OK(doca_dma_destroy(idle));
}

static void dependencies(void)
{
	struct doca_graph *graph = graph_new(&rig, 1), *other = graph_new(&rig, 1);
	struct doca_graph_node *nodes[8], *foreign = graph_ctx_node(other, rig.dma_ctx[0]);

	nodes[0] = graph_ctx_node(graph, rig.dma_ctx[0]);
	for (int i = 1; i < 8; i++)
		nodes[i] = graph_user_node(graph, nothing);
	CHECK_ERROR(doca_graph_add_dependency(graph, nodes[0], foreign), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_add_dependency(graph, nodes[0], nodes[0]), DOCA_ERROR_NOT_PERMITTED);
	for (int i = 0; i < 7; i++)
		CHECK_OK(doca_graph_add_dependency(graph, nodes[i], nodes[i + 1]));
	CHECK_OK(doca_graph_add_dependency(graph, nodes[0], nodes[7]));
	CHECK_OK(doca_graph_add_dependency(graph, nodes[0], nodes[7])); /* a repetition changes nothing */
	for (int from = 1; from < 8; from++)
		for (int to = 0; to < from; to++)
			CHECK_ERROR(doca_graph_add_dependency(graph, nodes[from], nodes[to]), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_graph_start(graph));
	CHECK_ERROR(doca_graph_add_dependency(graph, nodes[0], nodes[2]), DOCA_ERROR_BAD_STATE);
	graph_destroy(graph);
	CHECK_OK(doca_graph_destroy(other));
}

/* A graph within a graph within a graph: the outer ones keep the inner ones started, and no graph can contain itself. */
static void sub_graphs(void)
{
	struct doca_graph *inner = graph_new(&rig, 1), *middle = graph_new(&rig, 1), *outer = graph_new(&rig, 1);
	struct doca_graph_node *node;

	graph_ctx_node(inner, rig.dma_ctx[0]);
	CHECK_OK(doca_graph_start(inner));
	graph_graph_node(middle, inner);
	CHECK_OK(doca_graph_start(middle)); /* the context of the inner graph suffices */
	CHECK_ERROR(doca_graph_stop(inner), DOCA_ERROR_IN_USE);
	graph_graph_node(outer, middle);
	CHECK_OK(doca_graph_stop(middle));
	CHECK_ERROR(doca_graph_start(outer), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_graph_stop(inner));
	CHECK_ERROR(doca_graph_node_create_from_graph(inner, outer, &node), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_node_create_from_graph(inner, middle, &node), DOCA_ERROR_NOT_PERMITTED);
	/* The graphs can be destroyed in any order. */
	CHECK_OK(doca_graph_destroy(inner));
	CHECK_OK(doca_graph_destroy(outer));
	CHECK_OK(doca_graph_destroy(middle));
}

static void instances(void)
{
	struct doca_graph *graph = graph_new(&rig, 3), *inner = graph_new(&rig, 2);
	struct doca_graph_node *ctx_node = graph_ctx_node(graph, rig.dma_ctx[0]), *user_node = graph_user_node(graph, nothing);
	struct doca_graph_node *inner_node = graph_ctx_node(inner, rig.dma_ctx[1]), *graph_node;
	struct doca_graph_instance *all[3], *more, *inside, *other_inside;
	struct doca_task *task = graph_copy(&rig, 0, 0, 4096), *foreign = graph_copy(&rig, 1, 0, 8192);
	union doca_data data = { .u64 = 17 };

	CHECK_OK(doca_graph_start(inner));
	graph_node = graph_graph_node(graph, inner);
	CHECK_OK(doca_graph_start(graph));
	for (int i = 0; i < 3; i++)
		all[i] = graph_instance(graph);
	CHECK_ERROR(doca_graph_instance_create(graph, &more), DOCA_ERROR_NO_MEMORY);
	CHECK_ERROR(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_graph_instance_destroy(all[2]));
	CHECK_ERROR(doca_graph_instance_submit(all[2]), DOCA_ERROR_INVALID_VALUE);
	all[2] = graph_instance(graph);
	CHECK_OK(doca_graph_instance_set_user_data(all[0], data));
	CHECK_OK(doca_graph_instance_get_user_data(all[0], &data));
	CHECK_EQ(data.u64, 17);

	inside = graph_instance(inner);
	other_inside = graph_instance(inner);
	CHECK_ERROR(doca_graph_instance_set_ctx_node_data(all[0], user_node, task), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_instance_set_ctx_node_data(all[0], inner_node, task), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_instance_set_ctx_node_data(all[0], ctx_node, foreign), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_instance_set_ctx_node_data(all[0], ctx_node, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_graph_instance_set_user_node_data(all[0], ctx_node, NULL), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_instance_set_user_node_data(inside, user_node, NULL), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_instance_set_sub_graph_node_data(all[0], graph_node, all[1]), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_graph_instance_set_sub_graph_node_data(all[0], ctx_node, inside), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_graph_instance_set_user_node_data(all[0], user_node, NULL));

	/* Node data is missing, and the attempt has no effect. */
	CHECK_ERROR(doca_graph_instance_submit(all[0]), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_graph_instance_set_ctx_node_data(all[0], ctx_node, task));
	CHECK_ERROR(doca_graph_instance_submit(all[0]), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_graph_instance_set_sub_graph_node_data(all[0], graph_node, inside));
	CHECK_ERROR(doca_graph_instance_submit(all[0]), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_graph_instance_set_ctx_node_data(inside, inner_node, foreign));
	CHECK_OK(doca_graph_instance_destroy(inside));
	CHECK_ERROR(doca_graph_instance_submit(all[0]), DOCA_ERROR_INVALID_VALUE); /* the sub-instance was destroyed */
	CHECK_OK(doca_graph_instance_set_sub_graph_node_data(all[0], graph_node, other_inside));
	CHECK_OK(doca_graph_instance_set_ctx_node_data(other_inside, inner_node, foreign));

	CHECK_OK(doca_graph_instance_submit(all[0]));
	CHECK_ERROR(doca_graph_instance_submit(all[0]), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_graph_instance_submit(other_inside), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_graph_instance_destroy(all[0]), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_graph_instance_destroy(other_inside), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_graph_instance_set_user_data(all[0], data), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_graph_instance_set_ctx_node_data(all[0], ctx_node, task), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_instance_set_user_node_data(all[0], user_node, NULL), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_instance_set_sub_graph_node_data(all[0], graph_node, inside), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_graph_instance_set_sub_graph_node_data(all[1], graph_node, other_inside), DOCA_ERROR_NOT_PERMITTED);
	/* The instance owns its tasks. */
	CHECK_OK(doca_graph_instance_set_ctx_node_data(all[1], ctx_node, task));
	CHECK_ERROR(doca_graph_instance_submit(all[1]), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_task_try_submit(foreign), DOCA_ERROR_BAD_STATE);
	RIG_PROGRESS_UNTIL(rig.rig.pe, rig.completed == 1);
	CHECK_EQ(rig.failed, 0);
	CHECK(memcmp(rig.rig.memory, rig.rig.memory + 4096, GRAPH_LEN) == 0);
	CHECK(memcmp(rig.rig.memory, rig.rig.memory + 8192, GRAPH_LEN) == 0);

	for (int i = 0; i < 3; i++)
		CHECK_OK(doca_graph_instance_destroy(all[i]));
	CHECK_OK(doca_graph_instance_destroy(other_inside));
	graph_free_copy(task);
	graph_free_copy(foreign);
	graph_destroy(graph);
	graph_destroy(inner);
}

int main(void)
{
	graph_rig_open(&rig);
	arguments();
	start();
	dependencies();
	sub_graphs();
	instances();
	graph_rig_close(&rig);
	return 0;
}
