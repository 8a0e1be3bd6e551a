/*
 * A program that includes only one DOCA header, HEADER, and no C header. The header must supply memory, strings, environment,
 * integer types, assert() and the side of the card.
 */
#include HEADER

#if (defined(DOCA_DMA_H_) || defined(DOCA_COMPRESS_H_)) && !defined(PRIu64)
#error the header does not bring the formats of the integer types
#endif
#if defined(DOCA_ERROR_H_) && (!defined(doca_likely) || !defined(doca_unlikely))
#error the header does not bring the marks of likely and unlikely conditions
#endif
#if defined(DOCA_ARGP_H_) && !defined(DOCA_DEVINFO_PCI_ADDR_SIZE)
#error doca_argp.h does not bring devices
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
	assert(copy[length] == 0);
	free(copy);
	return EXIT_SUCCESS;
}
