#include "process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATE_FIELD = 3, START_TIME_FIELD = 22 };

/* Parses the fields after the name, beginning with the state. The name may contain any character. */
static uint64_t parse(char *stat)
{
	char *field = strrchr(stat, ')');

	if (field == NULL || field[1] != ' ' || field[2] == 'Z' || field[2] == 'X')
		return 0;
	field += 2;
	for (int i = STATE_FIELD; i < START_TIME_FIELD; i++) {
		field = strchr(field, ' ');
		if (field == NULL)
			return 0;
		field++;
	}
	return strtoull(field, NULL, 10);
}

uint64_t process_start_time(pid_t pid)
{
	char path[40], text[1024];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	return parse(text);
}
