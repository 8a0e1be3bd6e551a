/*
 * A program that includes one DOCA header, HEADER, and nothing of C's own: memory, strings, environment and integer types come along,
 * and so does the side of the card.
 */
#include HEADER

#if defined(DOCA_DMA_H_) && !defined(PRIu64)
#error doca_dma.h does not bring the formats of the integer types
#endif
#if defined(EXPECT_dpu) != defined(DOCA_ARCH_DPU)
#error the header does not tell the side of the card
#endif

int main(void)
{
	const char *name = getenv("HOME");
	uint64_t length = name == NULL ? 0 : strlen(name);
	uint8_t *copy = malloc(length + 1);

	if (copy == NULL)
		abort();
	memset(copy, 0, length + 1);
	free(copy);
	return EXIT_SUCCESS;
}
