/**
 * @file softdpu.h
 * @brief Control of the software DPU: what a program can ask of this library and of no other DOCA library.
 *
 * The presence of softdpu_version() in a process tells that doca_* is the software DPU and not hardware.
 * Every setting has an environment variable that is read once, at the first use of the library:
 *
 * | variable               | values                            | default                  | setter                     |
 * |------------------------|-----------------------------------|--------------------------|----------------------------|
 * | SOFTDPU_EXECUTION      | threads, inline                   | threads                  | softdpu_set_execution()    |
 * | SOFTDPU_THREADS        | 1 to 64 hardware threads          | online CPUs, at most 8   | softdpu_set_threads()      |
 * | SOFTDPU_SEED           | 64-bit number, decimal or 0x hex  | 1                        | softdpu_set_seed()         |
 * | SOFTDPU_NULL           | 0, 1                              | 0                        | softdpu_set_null()         |
 * | SOFTDPU_DEFLATE_LEVEL  | 1 (fast) to 12 (small)            | 1                        | softdpu_set_deflate_level()|
 * | SOFTDPU_PROFILE        | full, bluefield2, bluefield3      | full                     | softdpu_set_profile()      |
 * | SOFTDPU_ROLE           | host, dpu, both: side of the card | both                     |                            |
 * | SOFTDPU_TIMING         | 0, 1                              | 0                        | softdpu_set_timing()       |
 * | SOFTDPU_MAX_CLIENTS    | 1 to 65536 clients of one comch server, in profile full; others keep 512 | 512 | softdpu_set_max_clients() |
 * | SOFTDPU_NO_PROCESS_VM  | 0, 1: as quirk no-direct-copy, for imported memory | 0       |                            |
 * | SOFTDPU_FAULTS         | a fault plan, see below           | none                     | softdpu_faults_set()       |
 * | SOFTDPU_QUIRKS         | a list of quirks, see below       | none                     | softdpu_quirks_set()       |
 * | SOFTDPU_DIR            | folder where processes meet       | $XDG_RUNTIME_DIR/softdpu, else /tmp/softdpu-<uid> |   |
 *
 * A variable that cannot be understood is logged, and every doca_ctx_start() answers DOCA_ERROR_INITIALIZATION: a run
 * with other settings than the ones asked for would prove nothing.
 *
 * Thread: any, for every function here. Setters need that no context of the process is started, else
 * DOCA_ERROR_BAD_STATE; the fault plan and the clock may be changed at any time.
 */
#ifndef SOFTDPU_H
#define SOFTDPU_H

#include <stdint.h>

#include "doca_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where tasks are executed. */
enum softdpu_execution {
	/** On hardware threads of this process, asynchronously, in real time. */
	SOFTDPU_EXECUTION_THREADS = 0,
	/** Inside doca_pe_progress(), in an order drawn from the seed, on a virtual clock: the same seed and the same calls
	 *  give the same order, times and faults. */
	SOFTDPU_EXECUTION_INLINE = 1
};

/** Version of the software DPU, "major.minor.patch"; a constant. */
const char *softdpu_version(void);

/** @name Settings */
/** @{ */
/** INVALID_VALUE for an unknown mode. */
doca_error_t softdpu_set_execution(enum softdpu_execution execution);
enum softdpu_execution softdpu_get_execution(void);

/** Begin a reproducible run: draws start over from this seed, the virtual clock and the fault plan's counters from 0. */
doca_error_t softdpu_set_seed(uint64_t seed);
uint64_t softdpu_get_seed(void);

/** Number of hardware threads, 1 to 64; INVALID_VALUE otherwise. */
doca_error_t softdpu_set_threads(uint32_t threads);
uint32_t softdpu_get_threads(void);

/** 1: execution does nothing and succeeds at once, results are 0. This measures the rig instead of the device. */
doca_error_t softdpu_set_null(uint8_t enable);
uint8_t softdpu_get_null(void);

/** Effort of deflate compression, 1 to 12; INVALID_VALUE otherwise. */
doca_error_t softdpu_set_deflate_level(int level);
int softdpu_get_deflate_level(void);

/** 1: DMA takes the time that it takes on a card of the profile: a latency, a number of channels that work side by side, and a rate of
 *  each. 0: as fast as this machine can. The numbers show the shape, they are not measurements. */
doca_error_t softdpu_set_timing(uint8_t enable);
uint8_t softdpu_get_timing(void);

/** Clients that one comch server accepts in profile full, 1 to 65536; INVALID_VALUE otherwise. A process needs a descriptor for each, and
 *  memory for the receive queue. The profiles of cards keep their limit of 512. */
doca_error_t softdpu_set_max_clients(uint32_t clients);
uint32_t softdpu_get_max_clients(void);

/** What the card can do: "full", "bluefield2" or "bluefield3"; NOT_FOUND for another name. */
doca_error_t softdpu_set_profile(const char *name);
/** Name of the profile in use; a constant. */
const char *softdpu_get_profile(void);
/** @} */

/**
 * @name Fault plan
 *
 * Rules separated by ';', each `<task type>:<action>[=<argument>][:<selector>]...`, blanks around any part allowed:
 *
 *     compress-deflate:fail=IO_FAILED:nth=3 ; *:delay=2ms:every=10 ; decompress-lz4-block:again=4:first=1
 *
 * Task type: `*` or a name: compress-deflate, decompress-deflate, decompress-lz4-block, decompress-lz4-stream, dma-memcpy,
 * comch-send, comch-post-recv, comch-producer-send, sync-event-get, sync-event-notify-set, sync-event-notify-add, sync-event-wait-eq,
 * sync-event-wait-neq, mmap-advise-invalidate-cache. Allocations have names as well, which `*` does not mean: alloc-task, alloc-buf and
 * alloc-map `fail` (default NO_MEMORY) and do nothing else.
 *
 * Actions:
 *  - `fail[=ERROR_NAME]`: the task is not executed and ends with that error, default IO_FAILED.
 *  - `delay=<number>ns|us|ms|s`: the task is executed, its completion comes that much later on the device's clock. It comes after all:
 *    a stopped context waits for it. (Tasks that are still queued when their context stops are flushed instead.)
 *  - `again[=count]`: submission answers DOCA_ERROR_AGAIN, count times in a row for the task type, default 1; the rule's selectors do not
 *    see the refused repetitions.
 *  - `corrupt`: the task succeeds, one bit of its output is wrong; the checksums are those of the right output.
 *  - `lost`: the device goes away when the task executes: the task fails, all started contexts of the same device move to STOPPING by
 *    themselves. They cannot be started again (INITIALIZATION); new contexts can.
 *
 * Selectors, all of which must agree; none means always: `nth=N` (the Nth submission, from 1), `every=N` (each Nth), `first=N` (the first N),
 * `p=<0..1>` (probability, drawn from the seed). Every rule counts the submissions of its task type by itself; several rules that
 * fire at once add up (the first `fail` names the error, delays are summed).
 */
/** @{ */
/** What a fault plan has done since it was set. */
struct softdpu_fault_counters {
	uint64_t submissions;		/**< that the plan was asked about */
	uint64_t failed;
	uint64_t delayed;		/**< executed, and complete later: what a stop still flushes is not counted */
	uint64_t again;
	uint64_t corrupted;
	uint64_t lost;
};

/** Replace the fault plan, counters from 0. INVALID_VALUE, with the reason in the log, leaves the old plan as it was. */
doca_error_t softdpu_faults_set(const char *plan);
/** No faults from now on; also takes back the refusal to start that an unreadable SOFTDPU_FAULTS causes. */
void softdpu_faults_clear(void);
void softdpu_faults_get_counters(struct softdpu_fault_counters *counters);
/** @} */

/**
 * @name Quirks
 * What real devices and SDKs were seen to do; programs should survive each. Names separated by commas:
 *
 *  - `Q1`: nobody is woken when a comch consumer becomes RUNNING; a later progress finds it.
 *  - `Q2`: a comch consumer or producer that is IDLE and not destroyed blocks the disconnect and the stop of its parent (IN_USE).
 *  - `Q3`: a comch client cannot be stopped (IN_USE) in the turn in which a consumer of it became IDLE, even if that is destroyed.
 *  - `Q4`: doca_comch_server_disconnect() answers AGAIN three times before it does anything.
 *  - `Q5`: the submission of a comch producer is answered AGAIN once more after the consumer has posted a buffer. (It always is
 *    while none is posted.)
 *  - `Q9`: every doca_dev_open() gives a device of its own: a map and a context must use the same one.
 *  - `Q11`: a comch server without connection callbacks, or a client or server without send tasks, does not start (BAD_CONFIG).
 *  - `Q14`: a DMA context that has nothing to do stops asynchronously all the same (IN_PROGRESS).
 *  - `Q22`: programs may release buffers and message memory while their task is in flight. Always so here; the name is accepted.
 *  - `no-direct-copy`: the system forbids processes to reach into each other's memory, data goes through sockets.
 */
/** @{ */
/** Replace the list of quirks; "" for none. INVALID_VALUE, with the reason in the log, leaves the old list as it was. */
doca_error_t softdpu_quirks_set(const char *list);
/** @} */

/** @name Clock */
/** @{ */
/** Nanoseconds on the device's clock: since an arbitrary point ("threads") or since the seed was set ("inline"). */
uint64_t softdpu_clock_now(void);
/** Inline execution: 1 = time stands still but for softdpu_clock_advance(); 0 (default) = it jumps to the next thing to do. */
void softdpu_clock_set_manual(uint8_t manual);
/** Move the virtual clock; engines that sleep are woken. BAD_STATE unless execution is inline. */
doca_error_t softdpu_clock_advance(uint64_t ns);
/** @} */

struct doca_comch_client;

/** Why the last start of a comch client, which has returned to IDLE by itself, did not connect: NOT_FOUND: there is no such server; FULL: the server
 *  has as many clients as it takes; TIME_OUT: it did not answer; CONNECTION_ABORTED: it refused. SUCCESS: there was no such failure;
 *  INVALID_VALUE: client is NULL. Thread: that of the client's progress engine. */
doca_error_t softdpu_comch_client_get_failure(const struct doca_comch_client *client);

/** Live objects of this process; all 0 when a program has cleaned up. */
struct softdpu_census {
	int64_t devices;		/**< doca_dev_open() without doca_dev_close() */
	int64_t representors;
	int64_t engines;
	int64_t contexts;		/**< graphs count as such */
	int64_t tasks;			/**< tasks and batches allocated and not freed */
	int64_t tasks_in_flight;
	int64_t maps;
	int64_t inventories;
	int64_t pools;
	int64_t buffers;		/**< out of their inventory or pool */
	int64_t hardware_threads;
};

void softdpu_census(struct softdpu_census *census);

#ifdef __cplusplus
}
#endif

#endif
