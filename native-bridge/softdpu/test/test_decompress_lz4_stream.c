/* The blocks of an LZ4 frame without the frame's header, as a frame writer produces them, with every combination of flags. */
#include <endian.h>
#include <libdeflate.h>
#include <lz4frame.h>
#include <xxhash.h>

#include "codec.h"

enum { AT = 1 << 20, BACK = 2 << 20, ROOM = 1 << 20, CONTENT = 300000, END_MARK = 4 };

/* Writes a frame of the first len bytes to AT; its header has *header bytes. Returns the whole length. */
static size_t make_frame(struct rig *rig, size_t len, int is_linked, int has_checksum, size_t *header)
{
	LZ4F_preferences_t preferences = { 0 };
	size_t produced;

	preferences.frameInfo.blockSizeID = LZ4F_max64KB;
	preferences.frameInfo.blockMode = is_linked ? LZ4F_blockLinked : LZ4F_blockIndependent;
	preferences.frameInfo.blockChecksumFlag = has_checksum ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
	produced = LZ4F_compressFrame(rig->memory + AT, ROOM, rig->memory, len, &preferences);
	CHECK(!LZ4F_isError(produced));
	*header = LZ4F_headerSize(rig->memory + AT, produced);
	codec_has_block_checksum = (uint8_t)has_checksum;
	codec_are_blocks_independent = (uint8_t)!is_linked;
	return produced;
}

static struct codec_result decompress(struct rig *rig, size_t from, size_t to, size_t room)
{
	struct doca_buf *src = rig_source(rig, AT + from, to - from), *dst = rig_room(rig, BACK, room);
	struct codec_result result = codec_decompress_lz4_stream(rig, src, dst);

	rig_drop(src);
	rig_drop(dst);
	return result;
}

static void check_content(struct rig *rig, struct codec_result result, size_t len)
{
	CHECK_OK(result.status);
	CHECK_EQ(result.produced, len);
	CHECK(memcmp(rig->memory, rig->memory + BACK, len) == 0);
	CHECK(result.crc == libdeflate_crc32(0, rig->memory, len));
	CHECK(result.checksum == htobe32(XXH32(rig->memory, len, 0)));
}

static void one_combination(struct rig *rig, int is_linked, int has_checksum)
{
	size_t header, frame = make_frame(rig, CONTENT, is_linked, has_checksum, &header);

	check_content(rig, decompress(rig, header, frame, CONTENT), CONTENT);
	check_content(rig, decompress(rig, header, frame - END_MARK, ROOM), CONTENT); /* the end mark may be missing */
	memset(rig->memory + AT + frame, 0xee, 4);
	check_content(rig, decompress(rig, header, frame + 4, ROOM), CONTENT); /* a content checksum is ignored */
	CODEC_CHECK_FAILS(decompress(rig, header, frame, CONTENT - 1));
	CODEC_CHECK_FAILS(decompress(rig, header, frame - END_MARK - 1, ROOM)); /* cut in the last block */
	CODEC_CHECK_FAILS(decompress(rig, header, frame - 1, ROOM)); /* cut in the end mark */
}

static void block_checksum_is_checked(struct rig *rig)
{
	size_t header, frame = make_frame(rig, CONTENT, 0, 1, &header);

	rig->memory[AT + frame - END_MARK - 1] ^= 1;
	CODEC_CHECK_FAILS(decompress(rig, header, frame, ROOM));
}

static void uncompressed_blocks(struct rig *rig)
{
	uint64_t random = 7;
	size_t header, frame;

	for (size_t i = 0; i < CONTENT; i++)
		rig->memory[i] = (uint8_t)((random = random * 6364136223846793005u + 1442695040888963407u) >> 56);
	frame = make_frame(rig, CONTENT, 1, 1, &header);
	check_content(rig, decompress(rig, header, frame, CONTENT), CONTENT);
	CODEC_CHECK_FAILS(decompress(rig, header, frame, CONTENT - 1));
}

static void only_an_end_mark(struct rig *rig)
{
	memset(rig->memory + AT, 0, 4);
	check_content(rig, decompress(rig, 0, 4, ROOM), 0);
}

static void flags_of_a_task(struct rig *rig)
{
	struct doca_compress_task_decompress_lz4_stream *task;
	struct doca_buf *buf = rig_room(rig, 0, 64);
	union doca_data none = { 0 };

	CHECK_OK(doca_compress_task_decompress_lz4_stream_alloc_init(rig->compress, 1, 0, buf, buf, none, &task));
	CHECK_EQ(doca_compress_task_decompress_lz4_stream_get_has_block_checksum(task), 1);
	CHECK_EQ(doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(task), 0);
	doca_compress_task_decompress_lz4_stream_set_has_block_checksum(task, 0);
	doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(task, 1);
	CHECK_EQ(doca_compress_task_decompress_lz4_stream_get_has_block_checksum(task), 0);
	CHECK_EQ(doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(task), 1);
	doca_task_free(doca_compress_task_decompress_lz4_stream_as_task(task));
	rig_drop(buf);
}

int main(void)
{
	struct rig rig;

	codec_open(&rig);
	for (int combination = 0; combination < 4; combination++)
		one_combination(&rig, combination & 1, combination >> 1);
	block_checksum_is_checked(&rig);
	only_an_end_mark(&rig);
	flags_of_a_task(&rig);
	uncompressed_blocks(&rig);
	rig_close(&rig);
	return 0;
}
