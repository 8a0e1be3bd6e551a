/* The streams that the library passes to ISA-L have the layout of its header, where that is installed. */
#include "../src/compress/isal_stream.h"
#include "check.h"

#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
#include <stddef.h>

#define SAME_PLACE(own, own_field, theirs, field) \
	CHECK_EQ(offsetof(struct own, own_field), offsetof(struct theirs, field))
#define DEFLATER(own_field, field) SAME_PLACE(sd_isal_deflater, own_field, isal_zstream, field)
#define INFLATER(own_field, field) SAME_PLACE(sd_isal_inflater, own_field, inflate_state, field)

int main(void)
{
	DEFLATER(next_in, next_in);
	DEFLATER(avail_in, avail_in);
	DEFLATER(next_out, next_out);
	DEFLATER(avail_out, avail_out);
	DEFLATER(level, level);
	DEFLATER(level_memory_size, level_buf_size);
	DEFLATER(level_memory, level_buf);
	DEFLATER(end_of_stream, end_of_stream);
	DEFLATER(hist_bits, hist_bits);
	DEFLATER(state, internal_state);
	INFLATER(next_out, next_out);
	INFLATER(avail_out, avail_out);
	INFLATER(next_in, next_in);
	INFLATER(avail_in, avail_in);
	INFLATER(state, lit_huff_code);
	CHECK(offsetof(struct sd_isal_deflater, memory) >= sizeof(struct isal_zstream));
	CHECK(sizeof(struct sd_isal_inflater) >= sizeof(struct inflate_state));
	CHECK(ISAL_LEVEL_MEMORY == ISAL_DEF_LVL1_DEFAULT);
	return 0;
}
#else
int main(void)
{
	SKIP("no isa-l/igzip_lib.h (install libisal-dev)");
}
#endif
