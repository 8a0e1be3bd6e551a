/* Memory of a hostile process that blocks every reader and writer. */
#ifndef UNREADABLE_H
#define UNREADABLE_H

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns memory whose page faults are never resolved. NULL: the system does not allow it. */
__attribute__((unused)) static uint8_t *unreadable_memory(size_t len)
{
	struct uffdio_register registration = { .range.len = len, .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };
	uint8_t *memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	if (memory == MAP_FAILED || fd < 0 || ioctl(fd, UFFDIO_API, &api) != 0)
		return NULL;
	registration.range.start = (uintptr_t)memory;
	return ioctl(fd, UFFDIO_REGISTER, &registration) == 0 ? memory : NULL;
}

#endif
