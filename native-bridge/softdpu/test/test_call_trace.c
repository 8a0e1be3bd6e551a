/* The trace of calls has the calls of a program in their order; equal calls in a row are one, and a full ring counts the others. */
#include "rig.h"

enum { RING = 4096 };

static void next_is(const char *expected)
{
	const char *text = softdpu_take_call();

	if (text == NULL || strcmp(text, expected) != 0) {
		fprintf(stderr, "call: %s, not %s\n", text == NULL ? "none" : text, expected);
		exit(1);
	}
}

static void begin(void)
{
	CHECK_OK(softdpu_set_strict(0)); /* the numbers restart */
	CHECK_OK(softdpu_set_call_trace(1));
	CHECK(softdpu_take_call() == NULL);
}

static void is_for_inline_execution(void)
{
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	CHECK_ERROR(softdpu_set_call_trace(1), DOCA_ERROR_BAD_STATE);
	CHECK_OK(softdpu_set_call_trace(0));
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
}

static void calls_are_in_their_order(void)
{
	struct doca_pe *one, *two;

	begin();
	CHECK_OK(doca_pe_create(&one));
	CHECK_OK(doca_pe_create(&two));
	for (int i = 0; i < 3; i++)
		CHECK_EQ(doca_pe_progress(one), 0);
	CHECK_EQ(doca_pe_progress(two), 0);
	CHECK_EQ(doca_pe_progress(one), 0);
	CHECK_OK(doca_pe_destroy(one));
	CHECK_OK(doca_pe_destroy(two));
	next_is("new(pe#1)");
	next_is("new(pe#2)");
	next_is("doca_pe_progress(pe#1) x3");
	next_is("doca_pe_progress(pe#2)");
	next_is("doca_pe_progress(pe#1)");
	next_is("doca_pe_destroy(pe#1)");
	next_is("doca_pe_destroy(pe#2)");
	CHECK(softdpu_take_call() == NULL);
	CHECK(softdpu_get_wrong_call() == NULL); /* strict mode is off */
}

static void objects_before_the_trace_have_no_number(void)
{
	struct doca_pe *pe;

	CHECK_OK(softdpu_set_call_trace(0));
	CHECK_OK(softdpu_set_strict(0));
	CHECK_OK(doca_pe_create(&pe));
	begin();
	CHECK_OK(doca_pe_destroy(pe));
	next_is("doca_pe_destroy(?)");
	CHECK(softdpu_take_call() == NULL);
}

static void a_full_ring_counts_the_other_calls(void)
{
	struct doca_pe *one, *two;

	begin();
	CHECK_OK(doca_pe_create(&one));
	CHECK_OK(doca_pe_create(&two));
	for (int i = 0; i < RING / 2; i++) {
		CHECK_EQ(doca_pe_progress(one), 0);
		CHECK_EQ(doca_pe_progress(two), 0);
	}
	for (int i = 0; i < RING; i++)
		CHECK(softdpu_take_call() != NULL);
	next_is("2 more calls");
	CHECK(softdpu_take_call() == NULL);
	CHECK_OK(doca_pe_destroy(one));
	next_is("doca_pe_destroy(pe#1)"); /* the ring has room again */
	CHECK_OK(softdpu_set_call_trace(0));
	CHECK_OK(doca_pe_destroy(two));
	CHECK(softdpu_take_call() == NULL);
}

int main(void)
{
	is_for_inline_execution();
	calls_are_in_their_order();
	objects_before_the_trace_have_no_number();
	a_full_ring_counts_the_other_calls();
	return 0;
}
