/* Buffers are chained to lists and split from them; every element reports its position. */
#include "objects.h"

enum { NUM = 6 };

static uint8_t memory[100];
static struct doca_buf *bufs[NUM];

/* Checks that the list consists of exactly these buffers, given by index. */
static void check_list(const int *indexes, uint32_t count)
{
	struct doca_buf *at = bufs[indexes[0]], *last;
	uint32_t len, i;
	uint8_t answer;

	CHECK_OK(doca_buf_get_list_len(at, &len));
	CHECK_EQ(len, count);
	for (i = 0; i < count; i++) {
		CHECK(at == bufs[indexes[i]]);
		CHECK_OK(doca_buf_is_in_list(at, &answer));
		CHECK_EQ(answer, count > 1);
		CHECK_OK(doca_buf_is_first_in_list(at, &answer));
		CHECK_EQ(answer, i == 0);
		CHECK_OK(doca_buf_is_last_in_list(at, &answer));
		CHECK_EQ(answer, i == count - 1);
		CHECK_OK(doca_buf_get_last_in_list(at, &last));
		CHECK(last == bufs[indexes[count - 1]]);
		if (i > 0)
			CHECK_ERROR(doca_buf_get_list_len(at, &len), DOCA_ERROR_NOT_PERMITTED);
		CHECK_OK(doca_buf_get_next_in_list(at, &at));
	}
	CHECK(at == NULL);
}

#define CHECK_LIST(...)                                                              \
	do {                                                                         \
		const int indexes[] = { __VA_ARGS__ };                               \
		check_list(indexes, sizeof(indexes) / sizeof(indexes[0]));           \
	} while (0)

static void test_chain(void)
{
	CHECK_LIST(0);
	CHECK_OK(doca_buf_chain_list(bufs[0], bufs[1]));
	CHECK_OK(doca_buf_chain_list(bufs[2], bufs[3]));
	CHECK_OK(doca_buf_chain_list(bufs[0], bufs[2]));
	CHECK_LIST(0, 1, 2, 3);
	CHECK_ERROR(doca_buf_chain_list_tail(bufs[0], bufs[2], bufs[4]), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_chain_list_tail(bufs[0], bufs[3], bufs[4]));
	CHECK_LIST(0, 1, 2, 3, 4);
	CHECK_ERROR(doca_buf_chain_list(bufs[0], bufs[0]), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_chain_list(bufs[0], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_chain_list(bufs[2], bufs[5]), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_inc_refcount(bufs[5], NULL));
	CHECK_ERROR(doca_buf_chain_list(bufs[0], bufs[5]), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_dec_refcount(bufs[5], NULL));
	CHECK_ERROR(doca_buf_chain_list(NULL, bufs[5]), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_chain_list(bufs[0], NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_chain_list_tail(bufs[0], NULL, bufs[5]), DOCA_ERROR_INVALID_VALUE);
	CHECK_LIST(0, 1, 2, 3, 4);
	CHECK_LIST(5);
}

static void test_unchain(void)
{
	uint16_t count;

	CHECK_ERROR(doca_buf_unchain_list(bufs[0], bufs[5]), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_unchain_list(bufs[0], bufs[0]), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_unchain_list(bufs[1], bufs[3]), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_unchain_list(bufs[0], NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_inc_refcount(bufs[0], NULL));
	CHECK_OK(doca_buf_unchain_list(bufs[0], bufs[3]));
	CHECK_LIST(0, 1, 2);
	CHECK_LIST(3, 4);
	CHECK_OK(doca_buf_get_refcount(bufs[3], &count));
	CHECK_EQ(count, 1);
	CHECK_OK(doca_buf_dec_refcount(bufs[0], &count));
	CHECK_EQ(count, 2);
	CHECK_OK(doca_buf_unchain_list(bufs[3], bufs[4]));
	CHECK_LIST(3);
	CHECK_LIST(4);
	CHECK_OK(doca_buf_unchain_list(bufs[0], bufs[1]));
	CHECK_LIST(0);
	CHECK_LIST(1, 2);
	CHECK_OK(doca_buf_chain_list(bufs[1], bufs[0])); /* in another order */
	CHECK_LIST(1, 2, 0);
}

int main(void)
{
	static const int heads[] = { 1, 3, 4, 5 };
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_mmap *map = start_map(dev, memory, sizeof(memory));
	struct doca_buf_inventory *inventory = start_inventory(NUM);
	size_t i;

	for (i = 0; i < NUM; i++)
		CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 10, &bufs[i]));
	test_chain();
	test_unchain();
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		CHECK_OK(doca_buf_dec_refcount(bufs[heads[i]], NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
