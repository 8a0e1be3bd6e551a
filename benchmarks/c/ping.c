/*
 * ping-c serve | client: round trips of small messages.
 *
 * The client sends `ping`, the server answers `pong`. Larger messages begin with these four bytes; the server returns the other
 * bytes unchanged. The callback of each pong sends the next ping.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "report.h"

enum { WORD = 4 };

static const char usage[] =
	"usage: ping-c serve  [--name NAME] [--clients N] [--idle busy|adaptive|event] [--timeout S]\n"
	"                     [--device PCI] [--representor PCI]\n"
	"       ping-c client [--count N] [--size B] [--trials N] [--paced] [--name NAME] [--idle ...] [--timeout S] [--device PCI]";

struct ping {
	const struct options *options;
	uint64_t *times_ns; /* times of the round trips */
	uint64_t num_times;
	uint64_t begin_ns, end_ns, sent_ns;
	uint8_t *message;
};

/* --- the server's end --- */

static void welcome(struct peer *peer)
{
	peer_complete(peer); /* a client may disconnect at any time */
}

static void answer(struct peer *peer, const uint8_t *bytes, uint32_t len)
{
	const struct ping *ping = peer_shared(peer);

	if (len < WORD || len > peer_max_message(peer) || memcmp(bytes, "ping", WORD) != 0) {
		report_fault("a client said %u bytes that are no ping; its connection ends", len);
		peer_fail(peer);
		return;
	}
	memcpy(ping->message, "pong", WORD);
	memcpy(ping->message + WORD, bytes + WORD, len - WORD);
	peer_touch(peer);
	peer_send(peer, ping->message, len);
}

static const struct role server_role = { .opened = welcome, .received = answer };

/* --- the client's end --- */

static void send_ping(struct peer *peer, struct ping *ping)
{
	ping->sent_ns = engine_clock_ns();
	peer_send(peer, ping->message, (uint32_t)ping->options->size);
}

static void begin(struct peer *peer)
{
	struct ping *ping = peer_shared(peer);

	if (ping->options->size > peer_max_message(peer)) {
		report_fault("--size %llu: a message has at most %u bytes", (unsigned long long)ping->options->size,
			     peer_max_message(peer));
		peer_fail(peer);
		return;
	}
	ping->num_times = 0;
	memset(ping->times_ns, 0, ping->options->count * sizeof(ping->times_ns[0])); /* touches the pages before the measurement */
	memset(ping->message, '.', ping->options->size);
	memcpy(ping->message, "ping", WORD);
	ping->begin_ns = engine_clock_ns();
	send_ping(peer, ping);
}

/* An answer of four bytes only is accepted too. */
static bool is_answer(const struct ping *ping, const uint8_t *bytes, uint32_t len)
{
	return len >= WORD && memcmp(bytes, "pong", WORD) == 0 &&
	       (len <= WORD + 1 ||
		(len == ping->options->size && memcmp(bytes + WORD, ping->message + WORD, len - WORD) == 0));
}

static void take_pong(struct peer *peer, const uint8_t *bytes, uint32_t len)
{
	struct ping *ping = peer_shared(peer);

	ping->end_ns = engine_clock_ns();
	ping->times_ns[ping->num_times++] = ping->end_ns - ping->sent_ns;
	if (!is_answer(ping, bytes, len)) {
		report_fault("pong %llu of \"%s\": %u bytes that are no pong", (unsigned long long)ping->num_times,
			     ping->options->name, len);
		peer_fail(peer);
		return;
	}
	peer_touch(peer);
	if (ping->num_times < ping->options->count)
		send_ping(peer, ping);
	else
		peer_leave(peer);
}

static const struct role client_role = { .opened = begin, .received = take_pong };

/* --- the program --- */

static void set_defaults(struct options *options)
{
	options->idle = IDLE_BUSY;
	options->count = 10000;
	options->size = WORD;
}

static bool ping_close(void *shared)
{
	struct ping *ping = shared;

	free(ping->times_ns);
	free(ping->message);
	free(ping);
	return true;
}

static void *ping_open(const struct options *options, struct engine *engine, struct doca_dev *dev, bool serves)
{
	struct ping *ping = calloc(1, sizeof(*ping));
	uint32_t max_message = 0;

	(void)engine;
	if (ping == NULL ||
	    !report(doca_comch_cap_get_max_msg_size(doca_dev_as_devinfo(dev), &max_message), "doca_comch_cap_get_max_msg_size", "device")) {
		free(ping);
		return NULL;
	}
	ping->options = options;
	ping->message = malloc(max_message > options->size ? max_message : options->size);
	ping->times_ns = calloc(serves ? 1 : options->count, sizeof(*ping->times_ns));
	if (options->size < WORD)
		report_fault("--size %llu: a ping has %d bytes or more", (unsigned long long)options->size, WORD);
	else if (ping->message != NULL && ping->times_ns != NULL)
		return ping;
	else
		report(DOCA_ERROR_NO_MEMORY, "calloc", "%llu times", (unsigned long long)options->count);
	ping_close(ping);
	return NULL;
}

static const struct role *ping_role(const struct options *options, bool serves)
{
	(void)options;
	return serves ? &server_role : &client_role;
}

static bool print_times(void *shared)
{
	struct ping *ping = shared;

	report_begin();
	printf(",\"count\":%llu,\"size\":%llu", (unsigned long long)ping->num_times, (unsigned long long)ping->options->size);
	report_times(ping->times_ns, ping->num_times);
	printf(",\"elapsed_us\":%.3f", (double)(ping->end_ns - ping->begin_ns) / 1e3);
	return report_end();
}

int main(int argc, char **argv)
{
	static const char *const serve_options[] = { NULL };
	static const char *const client_options[] = { "count", "size", NULL };
	static const struct pair pair = {
		.program = "ping-c",
		.service = "shoc-test",
		.usage = usage,
		.serve_options = serve_options,
		.client_options = client_options,
		.defaults = set_defaults,
		.open = ping_open,
		.role = ping_role,
		.finish = print_times,
		.close = ping_close,
	};

	return pair_main(&pair, argc, argv);
}
