/*
 * Every loss of as many blocks as there is redundancy, for up to 12 blocks in total. With a Cauchy matrix all losses are recovered.
 * With a Vandermonde matrix, 160 of the 8,100 losses that include data cannot be recovered; their matrices are refused.
 */
#include "ec.h"

enum { MOST = 12, LEN = EC_LEAST, LOSSES = 8100, SINGULAR = 160 };

struct stripe {
	uint32_t data, rdnc;
	uint8_t blocks[MOST][LEN];
};

/* Fills the data blocks with the rig's memory, and computes the redundancy. */
static void encode(struct coder *coder, const struct doca_ec_matrix *coding, struct stripe *stripe)
{
	struct rig *rig = &coder->rig;

	CHECK_OK(ec_create(coder, coding, rig_source(rig, 0, stripe->data * LEN), rig_room(rig, EC_AT, stripe->rdnc * LEN)));
	memcpy(stripe->blocks, rig->memory, stripe->data * LEN);
	memcpy(stripe->blocks[stripe->data], rig->memory + EC_AT, stripe->rdnc * LEN);
}

/* Recovers the blocks of a set of bits. Returns whether the loss can be recovered. */
static int recover(struct coder *coder, struct doca_ec_matrix *coding, const struct stripe *stripe, uint32_t lost)
{
	uint8_t *available = coder->rig.memory + EC_AT, *back = coder->rig.memory + EC_BACK;
	uint32_t missing[MOST], num_missing = 0, num_available = 0;
	struct doca_ec_matrix *matrix;
	doca_error_t result;

	for (uint32_t i = 0; i < stripe->data + stripe->rdnc; i++) {
		if (lost >> i & 1)
			missing[num_missing++] = i;
		else
			memcpy(available + LEN * num_available++, stripe->blocks[i], LEN);
	}
	CHECK_EQ(num_available, stripe->data);
	result = doca_ec_matrix_create_recover(coder->ec, coding, missing, num_missing, &matrix);
	if (result != DOCA_SUCCESS) {
		CHECK_ERROR(result, DOCA_ERROR_INVALID_VALUE);
		return 0;
	}
	CHECK_OK(ec_recover(coder, matrix, rig_source(&coder->rig, EC_AT, stripe->data * LEN),
			    rig_room(&coder->rig, EC_BACK, num_missing * LEN)));
	for (uint32_t i = 0; i < num_missing; i++)
		CHECK(memcmp(back + LEN * i, stripe->blocks[missing[i]], LEN) == 0);
	CHECK_OK(doca_ec_matrix_destroy(matrix));
	return 1;
}

static void all_losses(struct coder *coder, enum doca_ec_matrix_type type)
{
	int losses = 0, singular = 0;

	for (uint32_t total = 2; total <= MOST; total++) {
		for (uint32_t rdnc = 1; rdnc < total; rdnc++) {
			struct stripe stripe = { .data = total - rdnc, .rdnc = rdnc };
			struct doca_ec_matrix *coding = ec_matrix(coder, type, stripe.data, rdnc);

			encode(coder, coding, &stripe);
			for (uint32_t lost = 0; lost < 1u << total; lost++) {
				int is_data_lost = (lost & ((1u << stripe.data) - 1)) != 0;

				if (__builtin_popcount(lost) != (int)rdnc)
					continue;
				losses += is_data_lost;
				singular += !recover(coder, coding, &stripe, lost);
			}
			CHECK_OK(doca_ec_matrix_destroy(coding));
		}
	}
	CHECK_EQ(losses, LOSSES);
	CHECK_EQ(singular, type == DOCA_EC_MATRIX_TYPE_CAUCHY ? 0 : SINGULAR);
}

/* Fewer missing blocks than redundancy: the first available blocks are used. */
static void smaller_losses(struct coder *coder)
{
	struct stripe stripe = { .data = 5, .rdnc = 3 };
	struct doca_ec_matrix *coding = ec_matrix(coder, DOCA_EC_MATRIX_TYPE_CAUCHY, 5, 3), *matrix;
	uint32_t missing[] = { 3 };

	encode(coder, coding, &stripe);
	memcpy(coder->rig.memory + EC_AT, stripe.blocks, 3 * LEN);
	memcpy(coder->rig.memory + EC_AT + 3 * LEN, stripe.blocks[4], 2 * LEN); /* the last data, the first redundancy */
	CHECK_OK(doca_ec_matrix_create_recover(coder->ec, coding, missing, 1, &matrix));
	CHECK_OK(ec_recover(coder, matrix, rig_source(&coder->rig, EC_AT, 5 * LEN), rig_room(&coder->rig, EC_BACK, LEN)));
	CHECK(memcmp(coder->rig.memory + EC_BACK, stripe.blocks[3], LEN) == 0);
	CHECK_OK(doca_ec_matrix_destroy(matrix));
	CHECK_OK(doca_ec_matrix_destroy(coding));
}

static void test(struct coder *coder)
{
	all_losses(coder, DOCA_EC_MATRIX_TYPE_CAUCHY);
	all_losses(coder, DOCA_EC_MATRIX_TYPE_VANDERMONDE);
	smaller_losses(coder);
}

int main(void)
{
	struct coder coder;

	ec_require_isal();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	ec_open(&coder, 1);
	test(&coder);
	ec_close(&coder);
	return 0;
}
