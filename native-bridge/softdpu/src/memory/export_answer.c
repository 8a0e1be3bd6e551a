/* Answers the requests of importers in the exporting process. Service thread. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "doca_types.h"
#include "importer.h"
#include "link.h"
#include "number.h"
#include "sd_tunnel.h"

static uint8_t reply(struct importer *importer, doca_error_t status, const void *data, size_t len, int fd)
{
	struct link_reply head = { .magic = LINK_MAGIC, .status = (uint32_t)status };

	return link_send(importer->fd, &head, sizeof(head), data, len, fd);
}

/* The importer accesses memory directly, and its pass shows that. */
static uint8_t take_pass(struct importer *importer, int pass_fd)
{
	importer->pass = guard_map(pass_fd, sizeof(*importer->pass));
	if (importer->pass == NULL)
		return 0;
	if (export_add_pass(importer->pass) == DOCA_SUCCESS)
		return 1;
	munmap(importer->pass, sizeof(*importer->pass));
	importer->pass = NULL;
	return 0;
}

/* An importer of another host has no pass: this process executes all its accesses. */
static uint8_t answer_hello(struct importer *importer, const struct link_request *request, int pass_fd,
			    uint8_t (*may_greet)(const struct importer *importer))
{
	int board_fd = -1;

	if (importer->is_greeted || request->cookie != export_identity()->cookie || !may_greet(importer))
		return 0;
	if (pass_fd < 0 && !sd_tunnel_is_on())
		return 0;
	if (pass_fd >= 0 && (!take_pass(importer, pass_fd) || export_board(&board_fd) == NULL))
		return 0;
	export_show_life();
	importer->is_greeted = 1;
	return reply(importer, DOCA_SUCCESS, NULL, 0, board_fd);
}

static uint8_t answer_check(struct importer *importer, const struct link_request *request)
{
	const struct export claim = {
		.slot = request->slot,
		.generation = request->generation,
		.addr = request->addr,
		.len = request->len,
		.permissions = request->permissions,
		.key = request->key,
	};

	return reply(importer, export_is_valid_as(&claim) ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND, NULL, 0, -1);
}

static struct export_access access_of(const struct link_request *request)
{
	return (struct export_access){
		.slot = request->slot,
		.generation = request->generation,
		.key = request->key,
		.addr = request->addr,
		.len = request->len,
	};
}

/* An RDMA peer accesses memory by a connection. Only this process knows if that is still open. */
static uint8_t may_enter(const struct link_request *request, uint32_t rdma_permission)
{
	return request->key == 0 || export_connection_permits(request->via, rdma_permission);
}

static uint8_t is_granted(const struct link_request *request, uint32_t pci_permissions, uint32_t rdma_permission)
{
	const struct export_access access = access_of(request);

	return request->len > 0 && request->len <= LINK_MAX_DATA && may_enter(request, rdma_permission) &&
	       export_grants(&access, request->key == 0 ? pci_permissions : rdma_permission);
}

/*
 * Sends exported memory without an intermediate copy. If the program has unmapped the memory, the request fails without a
 * crash.
 */
static uint8_t answer_read(struct importer *importer, const struct link_request *request)
{
	unsigned int hold = guard_enter(export_own_pass(), request->generation);
	uint8_t is_sent = 0;

	if (is_granted(request, DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_ACCESS_FLAG_RDMA_READ))
		is_sent = reply(importer, DOCA_SUCCESS, (const void *)(uintptr_t)request->addr, request->len, -1);
	guard_leave(export_own_pass(), hold);
	return is_sent || reply(importer, DOCA_ERROR_IO_FAILED, NULL, 0, -1);
}

/* The packet is still in the socket. This function receives its data directly into the exported memory, or drops the data. */
static uint8_t answer_write(struct importer *importer, const struct link_request *peeked)
{
	unsigned int hold = guard_enter(export_own_pass(), peeked->generation);
	doca_error_t status = DOCA_ERROR_IO_FAILED;
	struct link_request request;
	size_t len = 0;
	int received;

	if (is_granted(peeked, DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_ACCESS_FLAG_RDMA_WRITE))
		len = peeked->len;
	received = link_receive(importer->fd, &request, sizeof(request), (void *)(uintptr_t)peeked->addr, &len, NULL);
	if (received > 0 && len > 0 && len == peeked->len)
		status = DOCA_SUCCESS;
	guard_leave(export_own_pass(), hold);
	return (received > 0 || errno == EFAULT) && reply(importer, status, NULL, 0, -1);
}

/*
 * The number may belong to an event that the program is destroying. The hold makes the withdrawal of the export wait for this
 * change.
 */
static uint8_t answer_change(struct importer *importer, const struct link_request *request)
{
	const struct number_change change = { (enum number_verb)request->change, request->operand, request->compared };
	const struct export_access access = access_of(request);
	unsigned int hold = guard_enter(export_own_pass(), request->generation);
	uint32_t permission = request->change == NUMBER_SET ? DOCA_ACCESS_FLAG_RDMA_WRITE : DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	uint8_t is_granted = request->change <= NUMBER_SWAP && may_enter(request, permission) && export_grants_change(&access);
	uint64_t before = 0;

	if (is_granted)
		before = number_apply((void *)(uintptr_t)request->addr, &change);
	guard_leave(export_own_pass(), hold);
	if (!is_granted)
		return reply(importer, DOCA_ERROR_IO_FAILED, NULL, 0, -1);
	number_changed();
	return reply(importer, DOCA_SUCCESS, &before, sizeof(before), -1);
}

/* Answers a request without data. */
static uint8_t answer(struct importer *importer, uint8_t (*may_greet)(const struct importer *importer))
{
	struct link_request request;
	uint8_t is_answered = 0;
	size_t len = 0;
	int fd = -1;

	if (link_receive(importer->fd, &request, sizeof(request), NULL, &len, &fd) <= 0)
		return 0;
	if (request.verb == LINK_HELLO)
		is_answered = answer_hello(importer, &request, fd, may_greet);
	else if (request.verb == LINK_CHECK && importer->is_greeted)
		is_answered = answer_check(importer, &request);
	else if (request.verb == LINK_READ && importer->is_greeted)
		is_answered = answer_read(importer, &request);
	else if (request.verb == LINK_CHANGE && importer->is_greeted)
		is_answered = answer_change(importer, &request);
	if (fd >= 0)
		close(fd);
	return is_answered;
}

uint8_t importer_answer(struct importer *importer, uint8_t (*may_greet)(const struct importer *importer))
{
	struct link_request request;
	ssize_t len = recv(importer->fd, &request, sizeof(request), MSG_PEEK);

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return 1;
	if (len != sizeof(request) || request.magic != LINK_MAGIC)
		return 0;
	/* No export has generation 0. A hold of 0 reserves nothing, and its end would release the hold of another thread. */
	if (request.generation == 0 && request.verb >= LINK_READ)
		return 0;
	return request.verb == LINK_WRITE && importer->is_greeted ? answer_write(importer, &request) :
											   answer(importer, may_greet);
}
