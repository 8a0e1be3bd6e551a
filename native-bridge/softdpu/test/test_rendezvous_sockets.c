/*
 * One server per name, which processes of the same user reach. The socket of a dead server is replaced, that of a live one
 * never.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "rendezvous.h"
#include "sd_rendezvous.h"

static char name[SD_RENDEZVOUS_NAME];

static void check_names(void)
{
	char other[SD_RENDEZVOUS_NAME], again[SD_RENDEZVOUS_NAME];

	sd_rendezvous_name(name, "comch", "0000:81:00.0", "a/../b name that is rather long, longer than a file name may want");
	sd_rendezvous_name(again, "comch", "0000:81:00.0", "a/../b name that is rather long, longer than a file name may want");
	CHECK(strcmp(name, again) == 0);
	CHECK(strlen(name) < SD_RENDEZVOUS_NAME - 1);
	CHECK(strchr(name, '/') == NULL && name[0] != '.');
	sd_rendezvous_name(other, "comch", "0000:81:00.1", "a/../b name that is rather long, longer than a file name may want");
	CHECK(strcmp(name, other) != 0);
	sd_rendezvous_name(other, "comch", "0000:81:00.0", "a/../b name that is rather long, longer than a file name may wanT");
	CHECK(strcmp(name, other) != 0);
	sd_rendezvous_name(again, "comc", "h0000:81:00.0", "a/../b name that is rather long, longer than a file name may wanT");
	CHECK(strcmp(again, other) != 0);
}

static void check_one_server(void)
{
	struct sd_listener listener, second;
	int ours, theirs;
	pid_t peer;

	CHECK_ERROR(sd_rendezvous_connect(name, &ours, &peer), DOCA_ERROR_NOT_FOUND);
	CHECK_OK(sd_rendezvous_listen(&listener, name));
	CHECK_ERROR(sd_rendezvous_listen(&second, name), DOCA_ERROR_ALREADY_EXIST);
	CHECK_ERROR(sd_rendezvous_accept(&listener, &ours, &peer), DOCA_ERROR_AGAIN);
	CHECK_OK(sd_rendezvous_connect(name, &theirs, &peer));
	CHECK_EQ(peer, getpid());
	CHECK_OK(sd_rendezvous_accept(&listener, &ours, &peer));
	CHECK_EQ(peer, getpid());
	CHECK_EQ(send(theirs, "packet", 6, 0), 6);
	CHECK_EQ(recv(ours, (char[16]){ 0 }, 16, 0), 6);
	CHECK_EQ(fcntl(ours, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	CHECK_EQ(fcntl(theirs, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	close(ours);
	close(theirs);
	sd_rendezvous_close(&listener);
	sd_rendezvous_close(&listener);
	CHECK_EQ(count_entries(own_folder), 0);
	CHECK_ERROR(sd_rendezvous_connect(name, &theirs, &peer), DOCA_ERROR_NOT_FOUND);
}

/* A killed server leaves its files behind. */
static void leave_stale_socket(void)
{
	int status, pipe_fds[2];
	char byte;
	pid_t child;

	CHECK(pipe(pipe_fds) == 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		struct sd_listener listener;

		CHECK_OK(sd_rendezvous_listen(&listener, name));
		CHECK_EQ(write(pipe_fds[1], "!", 1), 1);
		pause();
	}
	close(pipe_fds[1]);
	CHECK_EQ(read(pipe_fds[0], &byte, 1), 1);
	close(pipe_fds[0]);
	CHECK(kill(child, SIGKILL) == 0);
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(count_entries(own_folder), 2);
}

static void check_recovery(void)
{
	struct sd_listener listener;
	pid_t peer, child;
	int fd, status;

	leave_stale_socket();
	CHECK_ERROR(sd_rendezvous_connect(name, &fd, &peer), DOCA_ERROR_NOT_FOUND);
	CHECK_OK(sd_rendezvous_listen(&listener, name));
	CHECK_OK(sd_rendezvous_connect(name, &fd, &peer));
	close(fd);
	child = fork(); /* inherits the descriptors, but is not the server */
	CHECK(child >= 0);
	if (child == 0) {
		sd_rendezvous_close(&listener);
		_exit(0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_OK(sd_rendezvous_connect(name, &fd, &peer));
	close(fd);
	sd_rendezvous_close(&listener);
}

/* A server that was killed. Its child lives until the returned descriptor is closed. */
static int leave_name_to_child(void)
{
	int status, report[2], life[2];
	char byte;
	pid_t server;

	CHECK(pipe(report) == 0 && pipe(life) == 0);
	server = fork();
	CHECK(server >= 0);
	if (server == 0) {
		struct sd_listener listener;

		close(life[1]);
		CHECK_OK(sd_rendezvous_listen(&listener, name));
		if (fork() == 0) {
			CHECK_EQ(listener.fd, -1);
			CHECK_EQ(write(report[1], "!", 1), 1);
			_exit(read(life[0], &byte, 1) == 0 ? 0 : 1);
		}
		pause();
	}
	close(report[1]);
	close(life[0]);
	CHECK_EQ(read(report[0], &byte, 1), 1);
	close(report[0]);
	CHECK(kill(server, SIGKILL) == 0);
	CHECK_EQ(waitpid(server, &status, 0), server);
	return life[1];
}

static void check_child_of_dead_server(void)
{
	struct sd_listener listener;
	int life = leave_name_to_child();
	pid_t peer;
	int fd;

	CHECK_ERROR(sd_rendezvous_connect(name, &fd, &peer), DOCA_ERROR_NOT_FOUND);
	CHECK_OK(sd_rendezvous_listen(&listener, name));
	sd_rendezvous_close(&listener);
	close(life);
}

int main(void)
{
	int before;

	make_own_folder();
	before = count_descriptors();
	check_names();
	check_one_server();
	check_recovery();
	check_child_of_dead_server();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
