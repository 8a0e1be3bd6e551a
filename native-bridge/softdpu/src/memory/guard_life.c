/*
 * Sign of life of an exporting process. An importer must not write into the memory of another program that has the process id now.
 * A system call per access would take longer than the copy of a small block.
 *
 * The kernel keeps a list of the robust futexes of each thread. When a thread ends, the kernel replaces the thread's id in these words
 * by FUTEX_OWNER_DIED. That happens before another program can have the process id: all threads end before a process id is free, and
 * all others end before exec() replaces the program. So the service thread holds one such word on the board. glibc's robust mutexes
 * use the same list, and the service thread locks none.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard.h"

void guard_live(struct guard_board *board)
{
	static struct robust_list word;		/* the list's only entry; a process has one service thread at a time */
	static struct robust_list_head list = { .list = { &word } };
	static __thread uint8_t is_set;

	if (is_set)
		return;
	word.next = &list.list;
	list.futex_offset = (long)((char *)&board->life - (char *)&word);
	is_set = syscall(SYS_set_robust_list, &list, sizeof(list)) == 0;
	atomic_store(&board->life, is_set ? (uint32_t)syscall(SYS_gettid) : 0);
}

uint32_t guard_life(const struct guard_board *board)
{
	uint32_t life = atomic_load(&board->life);

	return (life & FUTEX_OWNER_DIED) != 0 ? 0 : life;
}

uint8_t guard_lives(const struct guard_board *board, uint32_t life)
{
	return atomic_load(&board->life) == life;
}
