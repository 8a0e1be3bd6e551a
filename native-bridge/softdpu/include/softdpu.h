/**
 * @file softdpu.h
 * @brief Control of the software DPU: functions that only this library has.
 *
 * The symbol softdpu_version() identifies the software DPU: a process without it uses real hardware.
 * Every setting has an environment variable. The library reads them once, at its first use, and SOFTDPU_DIR at each use:
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
 * | SOFTDPU_MAX_CLIENTS    | 1 to 65536, profile full only     | 512                      | softdpu_set_max_clients()  |
 * | SOFTDPU_NO_PROCESS_VM  | 0, 1: as quirk no-direct-copy, for imported memory | 0       |                            |
 * | SOFTDPU_RDMA_PATH      | auto, direct, unix, tcp           | auto                     |                            |
 * | SOFTDPU_RDMA_KEY       | key file of RDMA over TCP, mode 0600 | none: TCP is off      |                            |
 * | SOFTDPU_RDMA_ADDRESS   | own address for RDMA over TCP     | 127.0.0.1                |                            |
 * | SOFTDPU_FAULTS         | a fault plan, see below           | none                     | softdpu_faults_set()       |
 * | SOFTDPU_QUIRKS         | a list of quirks, see below       | none                     | softdpu_quirks_set()       |
 * | SOFTDPU_DIR            | rendezvous folder of the processes | $XDG_RUNTIME_DIR/softdpu, else /tmp/softdpu-<uid> |  |
 *
 * The library logs an invalid variable, and every doca_ctx_start() then returns DOCA_ERROR_INITIALIZATION. A run with other
 * settings than requested would prove nothing. softdpu_get_problem() returns the reason. An unusable SOFTDPU_DIR only prevents
 * work with other processes.
 *
 * Thread: any, for every function of this header without another rule. Setters require that no context of the process is started,
 * else they return DOCA_ERROR_BAD_STATE. The fault plan, the quirks and the clock may be changed at any time.
 */
#ifndef SOFTDPU_H
#define SOFTDPU_H

#include <stdint.h>

#include "doca_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Place where tasks are executed. */
enum softdpu_execution {
	/** On hardware threads of this process, asynchronously, in real time. */
	SOFTDPU_EXECUTION_THREADS = 0,
	/**
	 * Inside doca_pe_progress(), in a random order from the seed, on a virtual clock. The same seed and the same calls give
	 * the same order, times and faults.
	 */
	SOFTDPU_EXECUTION_INLINE = 1
};

/** Returns the version of the software DPU, "major.minor.patch"; a constant. */
const char *softdpu_version(void);

/** Returns one line with the first invalid environment variable and the reason: `SOFTDPU_THREADS is "abc": it must be a number
 * from 1 to 64`. The text stays valid. Returns NULL if all variables are valid, or if
 *  softdpu_faults_set() or softdpu_faults_clear() replaced the plan of an invalid SOFTDPU_FAULTS. The library does not log invalid
 *  variables if the program calls this before any other function of the library. This function also checks
 *  SOFTDPU_DIR, at its first call, and creates a missing folder. Without this call, the library checks SOFTDPU_DIR at its use. */
const char *softdpu_get_problem(void);

/** @name Settings */
/** @{ */
/** Sets the place of execution. INVALID_VALUE: unknown mode. */
doca_error_t softdpu_set_execution(enum softdpu_execution execution);
enum softdpu_execution softdpu_get_execution(void);

/** Starts a reproducible run: random numbers restart from this seed, the virtual clock and the fault plan's counters from 0. */
doca_error_t softdpu_set_seed(uint64_t seed);
uint64_t softdpu_get_seed(void);

/** Sets the number of hardware threads, 1 to 64; INVALID_VALUE otherwise. */
doca_error_t softdpu_set_threads(uint32_t threads);
uint32_t softdpu_get_threads(void);

/** 1: tasks succeed at once without work, and their results are 0. This mode measures the rig instead of the device. */
doca_error_t softdpu_set_null(uint8_t enable);
uint8_t softdpu_get_null(void);

/** Sets the effort of deflate compression, 1 to 12; INVALID_VALUE otherwise. */
doca_error_t softdpu_set_deflate_level(int level);
int softdpu_get_deflate_level(void);

/**
 * 1: DMA takes the time of a card of the profile: a latency, a number of parallel channels, and a rate per channel. 0: DMA runs
 * at full speed of this machine. The numbers show the shape; they are not measurements.
 */
doca_error_t softdpu_set_timing(uint8_t enable);
uint8_t softdpu_get_timing(void);

/**
 * Sets the number of clients that one comch server accepts in profile full, 1 to 65536; INVALID_VALUE otherwise. A process
 * needs a descriptor and memory for the receive queue per client. The profiles of cards keep their limit of 512.
 */
doca_error_t softdpu_set_max_clients(uint32_t clients);
uint32_t softdpu_get_max_clients(void);

/** Sets the capabilities of the card: "full", "bluefield2" or "bluefield3"; NOT_FOUND for another name. */
doca_error_t softdpu_set_profile(const char *name);
/** Returns the name of the current profile; a constant. */
const char *softdpu_get_profile(void);
/** @} */

/**
 * @name Fault plan
 *
 * A plan is a list of at most 64 rules, separated by ';'. Each rule is `<task type>:<action>[=<argument>][:<selector>]...`; blanks around
 * any part are allowed:
 *
 *     compress-deflate:fail=IO_FAILED:nth=3 ; *:delay=2ms:every=10 ; decompress-lz4-block:again=4:first=1
 *
 * Task type: `*` or one of these names: compress-deflate, decompress-deflate, decompress-lz4-block, decompress-lz4-stream,
 * dma-memcpy, sha-hash, sha-partial-hash, aes-gcm-encrypt, aes-gcm-decrypt, ec-create, ec-recover, ec-update, ec-galois-mul,
 * rdma-read, rdma-write, rdma-write-imm, rdma-send, rdma-send-imm, rdma-receive, rdma-atomic-cmp-swp, rdma-atomic-fetch-add,
 * rdma-event-get, rdma-event-notify-set, rdma-event-notify-add, comch-send, comch-post-recv, comch-producer-send, sync-event-get,
 * sync-event-notify-set, sync-event-notify-add, sync-event-wait-eq, sync-event-wait-neq, mmap-advise-invalidate-cache.
 *
 * Allocations also have names, which `*` does not match: alloc-task, alloc-buf, alloc-map, alloc-key (of AES-GCM), alloc-matrix
 * (of erasure coding), alloc-pool (buffer pool or inventory), alloc-engine, alloc-context, alloc-start (start of a context) and
 * alloc-packet (comch packets other than messages). These faults support only `fail` (default NO_MEMORY).
 *
 * Actions:
 *  - `fail[=ERROR_NAME]`: the task is not executed and ends with that error, default IO_FAILED.
 *  - `delay=<number>ns|us|ms|s`: the task is executed, and its completion is delayed by this time on the device's clock.
 *    A stopped context waits for a delayed completion. (A stop flushes tasks that are still queued.)
 *  - `again[=count]`: submission returns DOCA_ERROR_AGAIN, count times in a row for the task type, default 1.
 *    The rule's selectors do not count the refused repetitions.
 *  - `corrupt`: the task succeeds with one wrong bit in its output; the checksums are those of the correct output.
 *  - `lost`: the device is lost when the task executes: the task fails, and all started contexts of the same device move
 *    to STOPPING. These contexts cannot be started again (INITIALIZATION); new contexts can.
 *  - `twice`: the completion is reported twice: the callback runs again, somewhat later, unless the program has freed or submitted
 *    the task by then. The second report counts as a task in flight. Tasks of graphs are reported once.
 *
 * The task type `rdma-link` is the link of an RDMA connection; `*` does not match it. Each task of a connection is one submission.
 *  - `delay=<time>`: as above.
 *  - `drop[=count]`: the link loses this many packets of the task, and repeats each one 10 ms later. After 7 repetitions the task
 *    ends with IO_FAILED, and its connection ends. Default: it loses all packets.
 *  - `down`: the task ends with IO_FAILED, and all connections of its context end. New connections find the link up again.
 *
 * The task type `comch-link` is the link of a connection of the communication channel; `*` does not match it. Each packet, such as
 * a message, is one submission. Blocks of producers use shared memory instead.
 *  - `delay=<time>`: the packet leaves later by this time, and later packets of its side of the connection leave after it. The
 *    task of a message ends when its packet leaves. Packets that have not left when the connection ends are lost.
 *  - `down`: the packet is lost, and both sides see the end of the connection. A message ends with CONNECTION_RESET. New
 *    connections find the link up again.
 *
 * The task type `ctx-event` is the report of a context's state to the state callback; `*` does not match it. Each change of the state
 * of a context with a callback is one submission. The state changes at once, and doca_ctx_get_state() returns the new one.
 *  - `delay=<time>`: doca_pe_progress() calls the callback later by this time, and the context's later reports follow in their order.
 *    A report that waits keeps the notification handle readable, except with a manual clock. The destruction of the context drops it.
 *  - `lost`: the callback is not called.
 *  - `twice`: doca_pe_progress() calls the callback again, before the context's later reports.
 *
 * Selectors: `nth=N` (the Nth submission, from 1), `every=N` (each Nth), `first=N` (the first N), `p=<0..1>` (probability,
 * drawn from the seed). A rule fires if all its selectors match; a rule without selectors always fires. Each rule counts the
 * submissions of its task type separately. Rules that fire together are combined: the first `fail` sets the error, delays are
 * summed.
 */
/** @{ */
/** Counters of a fault plan since it was set, or since the last softdpu_set_seed(). */
struct softdpu_fault_counters {
	uint64_t submissions;		/**< submissions that the plan checked */
	uint64_t failed;
	uint64_t delayed;		/**< delayed packets, reports of states, and executed tasks that no stop flushes */
	uint64_t again;
	uint64_t corrupted;
	uint64_t lost;
	uint64_t doubled;		/**< submissions whose completion is reported twice, if the program keeps the task */
};

/**
 * Replaces the fault plan and resets its counters. INVALID_VALUE: the plan is invalid, the log has the reason, and the old plan
 * stays in force.
 */
doca_error_t softdpu_faults_set(const char *plan);
/** Removes the fault plan. Also clears the start error that an unreadable SOFTDPU_FAULTS causes. */
void softdpu_faults_clear(void);
/** Does nothing if counters is NULL. */
void softdpu_faults_get_counters(struct softdpu_fault_counters *counters);
/**
 * Returns the number of rules of the fault plan. fired receives how often each of the first rules has fired since the plan was set,
 * or since the last softdpu_set_seed(). A repeated refusal of `again` counts once.
 *
 * @param fired NULL: only the number of rules is wanted
 * @param capacity length of fired; a plan has at most 64 rules
 */
uint32_t softdpu_faults_get_fired(uint64_t *fired, uint32_t capacity);
/** @} */

/**
 * @name Quirks
 * Observed behavior of real devices and SDKs that programs should handle. Names separated by commas:
 *
 *  - `Q1`: no notification is sent when a comch consumer becomes RUNNING; a later progress reports it.
 *  - `Q2`: an IDLE comch consumer or producer that is not destroyed blocks the disconnect and the stop of its parent (IN_USE).
 *  - `Q3`: a comch client cannot be stopped (IN_USE) in the turn in which one of its consumers became IDLE, even if
 *    it is destroyed.
 *  - `Q4`: doca_comch_server_disconnect() returns AGAIN three times before it disconnects.
 *  - `Q5`: the submission of a comch producer returns AGAIN one more time after the consumer posted a buffer. (It always
 *    does while none is posted.)
 *  - `Q9`: each doca_dev_open() returns a separate device: a map and a context must use the same one.
 *  - `Q10`: doca_rdma_addr_create() returns SUCCESS and the address NULL for an invalid address.
 *  - `Q11`: a comch server without connection callbacks, or a client or server without send tasks, does not start (BAD_CONFIG).
 *  - `Q14`: a DMA context without tasks in flight also stops asynchronously (IN_PROGRESS).
 *  - `Q22`: programs may release buffers and message memory while their task is in flight. Always active; the name is accepted.
 *  - `no-direct-copy`: the system forbids access to the memory of other processes; data goes through sockets.
 */
/** @{ */
/**
 * Replaces the list of quirks; "" for none. INVALID_VALUE: the list is invalid, the log has the reason, and the old list stays
 * in force.
 */
doca_error_t softdpu_quirks_set(const char *list);
/** @} */

/** @name Clock */
/** @{ */
/** Returns nanoseconds on the device's clock: since an arbitrary point ("threads") or since the seed was set ("inline"). */
uint64_t softdpu_clock_now(void);
/**
 * Sets the virtual clock of inline execution. 1: only softdpu_clock_advance() moves it; 0 (default): it jumps to the next due
 * action.
 */
void softdpu_clock_set_manual(uint8_t manual);
/** Moves the virtual clock and wakes sleeping engines. BAD_STATE unless execution is inline. */
doca_error_t softdpu_clock_advance(uint64_t ns);
/**
 * Inline execution: returns the virtual time of the next execution or delayed completion of a task, delayed packet, late report of a
 * state, or end of a wait of an RDMA connection, over all progress engines except those of killed hosts; UINT64_MAX: none. A program
 * with a manual clock advances the clock to this time, then calls doca_pe_progress(). While the clock is not manual, waits of RDMA
 * connections pass in short steps, and the next one counts.
 * Thread: the one thread of all progress engines.
 */
uint64_t softdpu_clock_get_next(void);
/** @} */

/**
 * @name Hosts
 * A process may play several hosts, each with its own progress engines. The death of a host is the death of its process in the eyes
 * of its peers; the process that plays the host continues.
 */
/** @{ */
/**
 * Makes the calling thread act for a host from now on, and returns its previous host; at first 0. Progress engines belong to the host
 * of the thread that creates them, and contexts to the host of their engine. Exported memory and exported sync events belong
 * to the host of the thread that exports them. Later calls for an object do not move the object to another host.
 */
uint32_t softdpu_enter_host(uint32_t host);
/**
 * Kills a host, as SIGKILL does to the process of a peer:
 *
 *  - Connections of its comch servers and clients end without a goodbye, and its consumers and producers with them. Packets that have
 *    not left are lost. The names of its servers are free.
 *  - Its RDMA connections end, and its ports accept no requests.
 *  - Its exports end. Tasks of importers that access them fail with IO_FAILED; new imports are INVALID_VALUE.
 *
 * All objects of the host stay, so that the program can destroy them. Its started contexts fail in the next doca_pe_progress()
 * of their engine: their tasks end, they move to STOPPING, then to IDLE. Until that call, softdpu_clock_get_next() ignores the engine.
 * Afterwards contexts can start again, as on a host that was restarted. A map that was exported before must stop before the
 * next export, and an event must be destroyed; until then their exports are NOT_PERMITTED.
 *
 * NOT_FOUND: the host has no progress engine; BAD_STATE: a callback of one of its engines runs.
 * Thread: that of all progress engines of the host.
 */
doca_error_t softdpu_kill_host(uint32_t host);
/** @} */

/**
 * @name Strict mode
 * DOCA's rules that a real device does not check: a thread uses only its own objects, and no destroyed object. The turn of a
 * host lasts from softdpu_enter_host() to the next one. An object belongs to the host that created it, and a connected context and
 * its tasks belong to the host of their engine.
 *
 * Strict mode checks these functions: destroy, start and stop of all objects except devices, instances of graphs, and objects of
 * argp, clocks and arrays; doca_pe_progress(), doca_pe_connect_ctx(), doca_task_submit() and its variants, doca_task_free(),
 * doca_buf_dec_refcount() and doca_comch_server_disconnect(). Strict mode does not check doca_sync_event_start() and
 * doca_sync_event_stop(). It does not know objects that were created before it, and accepts them.
 */
/** @{ */
/**
 * 1: the functions above refuse objects that are destroyed or belong to another host, with BAD_STATE (doca_pe_progress(): 0). They
 * do not access the object. 0 (default): they do not check. Both forget the wrong call and all objects. BAD_STATE: execution is not
 * inline.
 */
doca_error_t softdpu_set_strict(uint8_t enable);
/**
 * Returns the first refused call since softdpu_set_strict() or softdpu_set_seed(), such as `doca_dma_destroy(dma#4): the object was
 * destroyed`. The number is that of the object's creation. NULL: none. The text is valid until the next of these two calls.
 */
const char *softdpu_get_wrong_call(void);
/** @} */

/**
 * @name Trace of calls
 * A ring of 4096 calls of the functions of strict mode, for traces of a simulation.
 */
/** @{ */
/** 1: the ring keeps calls from now on; 0 (default): it is off. Both empty the ring. BAD_STATE: execution is not inline. */
doca_error_t softdpu_set_call_trace(uint8_t enable);
/**
 * Removes the oldest call and returns its text: `doca_task_submit(dma-memcpy#9)`. Several equal calls in a row are one:
 * `doca_pe_progress(pe#1) x3`. A new object is a call too: `new(dma#4)`; numbers as in softdpu_get_wrong_call(), and `?` for objects that
 * were created before the trace and strict mode. After the calls of a full ring: `12 more calls`. NULL: the ring is empty. The text is valid
 * until the next call of this function.
 */
const char *softdpu_take_call(void);
/** @} */

struct doca_comch_client;

/**
 * Returns the reason why the last start of a comch client failed to connect, after which the client returned to IDLE.
 * NOT_FOUND: no such server; FULL: the server has its largest number of clients; TIME_OUT: no answer;
 * CONNECTION_ABORTED: the server refused; NO_MEMORY: no memory for the request of this process; NOT_PERMITTED: another user owns
 * the server, or the rendezvous folder is not private; OPERATING_SYSTEM: a system call failed, and the log names it; SUCCESS: no
 * such failure; INVALID_VALUE: client is NULL.
 * Thread: the thread of the client's progress engine.
 */
doca_error_t softdpu_comch_client_get_failure(const struct doca_comch_client *client);

/** Live objects of this process; all 0 after a complete cleanup. */
struct softdpu_census {
	int64_t devices;		/**< doca_dev_open() without doca_dev_close() */
	int64_t representors;
	int64_t engines;
	int64_t contexts;		/**< contexts, graphs included */
	int64_t tasks;			/**< tasks that are allocated and not freed */
	int64_t tasks_in_flight;
	int64_t maps;
	int64_t inventories;
	int64_t pools;
	int64_t buffers;		/**< buffers that are allocated from an inventory or pool */
	int64_t hardware_threads;	/**< and other threads of the library, such as that of its sockets */
};

/** Does nothing if census is NULL. */
void softdpu_census(struct softdpu_census *census);

#ifdef __cplusplus
}
#endif

#endif
