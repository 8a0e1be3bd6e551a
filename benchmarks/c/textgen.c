/*
 * textgen BYTES[K|M|G] [SEED]
 *
 * Writes that many bytes of text-like data to stdout: sentences of made-up words, drawn by Zipf's law from a vocabulary, and
 * some numbers. The same arguments produce the same bytes on every machine. Deflate reduces them to a little less than half.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUM_WORDS 4096u
#define WORD_ROOM 20u
#define NUM_DRAWS (1u << 20)
#define LINE_BYTES 72u
#define CHUNK_BYTES (1u << 20)
#define TAIL_ROOM 64u

static char words[NUM_WORDS][WORD_ROOM];
static uint8_t lengths[NUM_WORDS];
/* A uniform draw from this table is a Zipf draw of a word. */
static uint16_t draws[NUM_DRAWS];
static uint64_t random_state;

/* splitmix64 */
static uint64_t next_random(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void make_words(void)
{
	static const char *const onsets[] = { "b", "c", "d", "f", "g", "h",  "l",  "m",	 "n",  "p",
					      "r", "s", "t", "v", "w", "st", "tr", "th", "ch", "" };
	static const char *const vowels[] = { "a", "e", "e", "i", "o", "u", "ai", "ea" };
	static const char *const codas[] = { "", "", "n", "r", "s", "t", "l", "nd" };

	for (uint32_t i = 0; i < NUM_WORDS; i++) {
		/* Frequent words are short: "b" + "ea" + "nd" is the longest syllable, three of them fit. */
		uint32_t syllables = 1 + (i > 64) + (i > 1024 && next_random() % 2 == 0);
		size_t len = 0;

		for (uint32_t s = 0; s < syllables; s++) {
			uint64_t r = next_random();

			len += (size_t)snprintf(words[i] + len, WORD_ROOM - len, "%s%s%s", onsets[r % 20],
						vowels[(r >> 16) % 8], codas[(r >> 32) % (s + 1 == syllables ? 8 : 3)]);
		}
		lengths[i] = (uint8_t)(len < WORD_ROOM ? len : WORD_ROOM - 1);
	}
}

/* Uses integer arithmetic only, so that every machine computes the same table. */
static void make_draws(void)
{
	uint64_t total = 0;
	uint64_t sum = 0;
	uint32_t filled = 0;

	for (uint32_t i = 0; i < NUM_WORDS; i++)
		total += (UINT64_C(1) << 40) / (i + 3);
	for (uint32_t i = 0; i < NUM_WORDS; i++) {
		uint32_t until;

		sum += (UINT64_C(1) << 40) / (i + 3);
		until = i + 1 == NUM_WORDS ? NUM_DRAWS : (uint32_t)(sum / (total / NUM_DRAWS));
		while (filled < until && filled < NUM_DRAWS)
			draws[filled++] = (uint16_t)i;
	}
}

/* Writes one word with its separators, at most TAIL_ROOM bytes. Returns the number of bytes. */
static size_t put_word(char *at, size_t *column, int *words_left)
{
	uint64_t r = next_random();
	uint16_t word = draws[r % NUM_DRAWS];
	char *begin = at;

	if (*words_left == 0) {
		*at++ = '.';
		*words_left = 4 + (int)((r >> 24) % 20);
	}
	*at++ = *column > LINE_BYTES ? '\n' : ' ';
	*column = at[-1] == '\n' ? 0 : *column + 1;
	if ((r >> 40) % 64 == 0)
		at += snprintf(at, 24, "%u", (unsigned int)((r >> 46) % 10000));
	else {
		memcpy(at, words[word], lengths[word]);
		if (begin[0] == '.')
			at[0] = (char)(at[0] - 'a' + 'A');
		at += lengths[word];
	}
	--*words_left;
	*column += (size_t)(at - begin);
	return (size_t)(at - begin);
}

static int write_text(uint64_t bytes)
{
	static char chunk[CHUNK_BYTES + TAIL_ROOM];
	size_t column = 0;
	int words_left = 8;

	while (bytes > 0) {
		size_t filled = 0;
		size_t len = bytes < CHUNK_BYTES ? (size_t)bytes : CHUNK_BYTES;

		while (filled < len)
			filled += put_word(chunk + filled, &column, &words_left);
		if (fwrite(chunk, 1, len, stdout) != len)
			break;
		bytes -= len;
	}
	if (bytes == 0 && fflush(stdout) == 0)
		return 0;
	fprintf(stderr, "textgen: %s\n", strerror(errno));
	return 1;
}

static uint64_t parse_bytes(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 10);

	if (*end == 'K' || *end == 'M' || *end == 'G')
		value <<= *end == 'K' ? 10 : *end == 'M' ? 20 : 30, end++;
	if (end == text || *end != '\0' || *text == '-') {
		fprintf(stderr, "usage: textgen BYTES[K|M|G] [SEED]\n");
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	uint64_t bytes = argc == 2 || argc == 3 ? parse_bytes(argv[1]) : parse_bytes("");

	random_state = argc == 3 ? parse_bytes(argv[2]) : 1;
	make_words();
	make_draws();
	return write_text(bytes);
}
