/*
 * A process that sends wrong packets to an exporter gets only the memory that was exported to it. The exporter continues, and
 * its other memory does not change.
 */
#include <dirent.h>
#include <errno.h>

#include "exporter.h"
#include "link.h"
#include "number.h"
#include "sd_random.h"

enum { ROUNDS = 3000, GREETINGS = 20 };

static struct exporter exporter;
static struct export_desc desc;

static int connect_link(void)
{
	char name[SD_RENDEZVOUS_NAME], scope[16], label[48];
	pid_t peer;
	int fd;

	snprintf(scope, sizeof(scope), "%u", desc.pid);
	snprintf(label, sizeof(label), "%llx-%llx", (unsigned long long)desc.cookie, (unsigned long long)desc.start_time);
	sd_rendezvous_name(name, "memory", scope, label);
	CHECK_OK(sd_rendezvous_connect(name, &fd, &peer));
	CHECK_EQ(peer, exporter.pid);
	return fd;
}

static void send_packet(int fd, const void *head, size_t head_len, const void *data, size_t len, int pass)
{
	struct iovec pieces[2] = { { (void *)(uintptr_t)head, head_len }, { (void *)(uintptr_t)data, len } };
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr message = { .msg_iov = pieces, .msg_iovlen = 2 };

	if (pass >= 0) {
		struct cmsghdr *header;

		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &pass, sizeof(int));
	}
	/* The exporter may have closed the connection. */
	CHECK(sendmsg(fd, &message, MSG_NOSIGNAL) >= 0 || errno == EPIPE || errno == ECONNRESET);
}

/* Receives the reply's status and its number of data bytes; -1: the exporter closed the connection. */
static int receive_reply(int fd, size_t *len)
{
	static uint8_t packet[sizeof(struct link_reply) + LINK_MAX_DATA + 1];
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	struct link_reply reply;
	ssize_t received;

	CHECK(poll(&wait, 1, EXPORTER_LIMIT_MS) == 1);
	received = recv(fd, packet, sizeof(packet), 0);
	if (received <= 0)
		return -1;
	CHECK((size_t)received >= sizeof(reply));
	memcpy(&reply, packet, sizeof(reply));
	CHECK(reply.magic == LINK_MAGIC);
	*len = (size_t)received - sizeof(reply);
	return (int)reply.status;
}

static int make_pass(size_t len, int seals)
{
	int fd = memfd_create("pass", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	CHECK(fd >= 0 && ftruncate(fd, (off_t)len) == 0 && fcntl(fd, F_ADD_SEALS, seals) == 0);
	return fd;
}

static int say_hello(int fd, uint64_t cookie, int pass)
{
	const struct link_request hello = { .magic = LINK_MAGIC, .verb = LINK_HELLO, .cookie = cookie };
	size_t len;
	int status;

	send_packet(fd, &hello, sizeof(hello), NULL, 0, pass);
	status = receive_reply(fd, &len);
	if (pass >= 0)
		close(pass);
	return status;
}

static int connect_and_greet(void)
{
	int fd = connect_link();

	CHECK_EQ(say_hello(fd, desc.cookie, make_pass(sizeof(struct guard_pass), F_SEAL_SHRINK | F_SEAL_GROW)), DOCA_SUCCESS);
	return fd;
}

static void hellos(void)
{
	int fd = connect_link();

	CHECK_EQ(say_hello(fd, desc.cookie + 1, make_pass(sizeof(struct guard_pass), F_SEAL_SHRINK)), -1);
	close(fd);
	fd = connect_link();
	CHECK_EQ(say_hello(fd, desc.cookie, -1), -1);
	close(fd);
	fd = connect_link();
	CHECK_EQ(say_hello(fd, desc.cookie, make_pass(sizeof(struct guard_pass), 0)), -1); /* could shrink during use */
	close(fd);
	fd = connect_link();
	CHECK_EQ(say_hello(fd, desc.cookie, make_pass(sizeof(struct guard_pass), F_SEAL_SHRINK)), -1); /* could grow */
	close(fd);
	fd = connect_link();
	CHECK_EQ(say_hello(fd, desc.cookie, make_pass(sizeof(struct guard_pass) - 1, F_SEAL_SHRINK | F_SEAL_GROW)), -1);
	close(fd);
	fd = connect_link();
	CHECK_EQ(say_hello(fd, desc.cookie, make_pass(sizeof(struct guard_pass) + 1, F_SEAL_SHRINK | F_SEAL_GROW)), -1);
	close(fd);
	fd = connect_and_greet();
	CHECK_EQ(say_hello(fd, desc.cookie, make_pass(sizeof(struct guard_pass), F_SEAL_SHRINK)), -1); /* second greeting */
	close(fd);
}

/* A HELLO with two descriptors. */
static void send_two(int fd, int pass)
{
	struct link_request hello = { .magic = LINK_MAGIC, .verb = LINK_HELLO, .cookie = desc.cookie };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { 0 };
	struct iovec piece = { &hello, sizeof(hello) };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	const int passes[2] = { pass, pass };

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(passes));
	memcpy(CMSG_DATA(&control.header), passes, sizeof(passes));
	CHECK_EQ(sendmsg(fd, &message, MSG_NOSIGNAL), sizeof(hello));
}

static int count_descriptors_of_exporter(void)
{
	char path[32];
	int count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)exporter.pid);
	folder = opendir(path);
	CHECK(folder != NULL);
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

/* Packets with more descriptors than the protocol has leave none in the exporter. */
static void descriptors(void)
{
	uint64_t until = rig_now_ms() + EXPORTER_LIMIT_MS;
	int before = count_descriptors_of_exporter();

	for (int i = 0; i < GREETINGS; i++) {
		int fd = connect_link(), pass = make_pass(sizeof(struct guard_pass), F_SEAL_SHRINK | F_SEAL_GROW);
		size_t len;

		send_two(fd, pass);
		(void)receive_reply(fd, &len);
		close(pass);
		close(fd);
	}
	while (count_descriptors_of_exporter() > before) {
		CHECK(rig_now_ms() < until);
		sched_yield();
	}
}

static struct link_request make_request(enum link_verb verb, uint64_t addr, uint64_t len)
{
	return (struct link_request){
		.magic = LINK_MAGIC,
		.verb = verb,
		.cookie = desc.cookie,
		.generation = desc.generation,
		.slot = desc.slot,
		.permissions = desc.permissions,
		.addr = addr,
		.len = len,
	};
}

static int ask(struct link_request request, size_t *len)
{
	static const uint8_t data[LINK_MAX_DATA + 1];
	int fd = connect_and_greet(), status;

	send_packet(fd, &request, sizeof(request), data,
		    request.verb == LINK_WRITE && request.len <= sizeof(data) ? request.len : 0, -1);
	status = receive_reply(fd, len);
	close(fd);
	return status;
}

static void refuse(struct link_request request)
{
	size_t len = 0;

	CHECK(ask(request, &len) != DOCA_SUCCESS);
	CHECK_EQ(len, 0);
}

#define ALTERED(request, change)                         \
	({                                               \
		struct link_request altered = (request); \
		altered.change;                          \
		altered;                                 \
	})

static void reads(void)
{
	struct link_request good = make_request(LINK_READ, desc.addr + desc.len - 100, 100);
	size_t len;

	CHECK_EQ(ask(good, &len), DOCA_SUCCESS);
	CHECK_EQ(len, 100);
	refuse(ALTERED(good, len += 1));
	refuse(ALTERED(good, len = 0));
	refuse(ALTERED(good, len = SIZE_MAX));
	refuse(ALTERED(good, len = LINK_MAX_DATA + 1));
	refuse(ALTERED(good, addr = desc.addr - 1));
	refuse(ALTERED(good, addr = 0));
	refuse(ALTERED(good, addr = UINT64_MAX));
	refuse(ALTERED(good, generation += 1));
	CHECK_EQ(ask(ALTERED(good, generation = 0), &len), -1);
	refuse(ALTERED(good, slot += 1));
	refuse(ALTERED(good, slot = UINT32_MAX));
	refuse(ALTERED(good, magic = 0));
	refuse(ALTERED(good, key = 1)); /* the export has another key */
	refuse(ALTERED(good, verb = 0));
	refuse(ALTERED(good, verb = 99));
	refuse(ALTERED(make_request(LINK_CHECK, desc.addr, desc.len), len += 1));
	CHECK_EQ(ask(make_request(LINK_CHECK, desc.addr, desc.len), &len), DOCA_SUCCESS);
}

static void writes(uint8_t may_write)
{
	struct link_request request = make_request(LINK_WRITE, desc.addr + desc.len - 100, 100);
	size_t len;

	if (may_write)
		CHECK_EQ(ask(request, &len), DOCA_SUCCESS);
	else
		refuse(request);
	refuse(ALTERED(request, len += 1));
	refuse(ALTERED(request, addr = desc.addr - 1));
	refuse(ALTERED(request, generation += 1));
	CHECK_EQ(ask(ALTERED(request, generation = 0), &len), -1);
	refuse(ALTERED(request, slot += 1));
	refuse(ALTERED(request, key = 1));
	refuse(ALTERED(request, len = LINK_MAX_DATA + 1));
}

/* The exporter refuses atomic changes of a map's memory, for every address, slot and generation. */
static void changes(void)
{
	size_t len;

	for (uint32_t change = NUMBER_SET; change <= NUMBER_SWAP + 1; change++) {
		struct link_request request = ALTERED(make_request(LINK_CHANGE, desc.addr, 8), change = change);

		refuse(request);
		refuse(ALTERED(request, addr += 8));
		refuse(ALTERED(request, addr = 0));
		refuse(ALTERED(request, generation += 1));
		CHECK_EQ(ask(ALTERED(request, generation = 0), &len), -1);
		refuse(ALTERED(request, slot = UINT32_MAX));
		refuse(ALTERED(request, key = 1));
	}
}

/* Without a greeting, and with packets of random length and content. */
static void noise(void)
{
	struct link_request request = make_request(LINK_READ, desc.addr, 8);
	uint8_t packet[200];
	uint64_t random = 11;
	size_t len;
	int fd = connect_link();

	send_packet(fd, &request, sizeof(request), NULL, 0, -1);
	CHECK_EQ(receive_reply(fd, &len), -1);
	close(fd);
	for (int i = 0; i < ROUNDS; i++) {
		size_t size = 1 + sd_random_next(&random) % sizeof(packet);

		fd = i % 2 ? connect_link() : connect_and_greet();
		for (size_t at = 0; at < size; at++)
			packet[at] = (uint8_t)sd_random_next(&random);
		if (i % 3 == 0)
			memcpy(packet, &request, sizeof(request) / 2);
		send_packet(fd, packet, size, NULL, 0, -1);
		close(fd);
	}
}

static void run(uint32_t permissions)
{
	exporter_start(&exporter);
	exporter_share(&exporter, permissions);
	exporter_command(&exporter, EXPORTER_FILL, 1);
	memcpy(&desc, exporter.desc, sizeof(desc));
	descriptors();
	hellos();
	reads();
	changes();
	CHECK_EQ(exporter_command(&exporter, EXPORTER_CHECK, 1), 0);
	writes((permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0);
	noise();
	CHECK_EQ(exporter_command(&exporter, EXPORTER_CHECK, 1) > 0, (permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0);
	exporter_quit(&exporter);
}

int main(int argc, char **argv)
{
	exporter_main(argc, argv);
	exporter_folder();
	run(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	run(DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
