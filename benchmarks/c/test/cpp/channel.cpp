#include "channel.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace {

constexpr std::uint32_t send_tasks = 32;
constexpr auto limit = std::chrono::seconds{20};

/* Opens the device that the environment names, or the first of this side. */
doca_dev *open_device(bool serves)
{
	const char *address = std::getenv("DOCA_DEV_PCI");
	doca_devinfo **list;
	std::uint32_t count;
	doca_dev *dev = nullptr;

	check(doca_devinfo_create_list(&list, &count), "doca_devinfo_create_list");
	for (std::uint32_t i = 0; i < count && dev == nullptr; i++) {
		std::uint8_t is_equal = address == nullptr;

		if (address != nullptr)
			doca_devinfo_is_equal_pci_addr(list[i], address, &is_equal);
		if (is_equal && (serves ? doca_comch_cap_server_is_supported(list[i]) : doca_comch_cap_client_is_supported(list[i])) ==
					DOCA_SUCCESS)
			check(doca_dev_open(list[i], &dev), "doca_dev_open");
	}
	doca_devinfo_destroy_list(list);
	if (dev == nullptr)
		throw std::runtime_error("no device of this side");
	return dev;
}

doca_dev_rep *open_representor(doca_dev *dev)
{
	doca_devinfo_rep **list;
	std::uint32_t count;
	doca_dev_rep *rep = nullptr;

	check(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count), "doca_devinfo_rep_create_list");
	if (count > 0)
		check(doca_dev_rep_open(list[0], &rep), "doca_dev_rep_open");
	doca_devinfo_rep_destroy_list(list);
	if (rep == nullptr)
		throw std::runtime_error("no representor");
	return rep;
}

} // namespace

void check(doca_error_t result, const char *operation)
{
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		throw std::runtime_error(std::string{operation} + ": " + doca_error_get_name(result));
}

/* The callbacks of DOCA. The channel is the user data of its context. */
struct Events {
	static Channel &of(doca_ctx *ctx)
	{
		doca_data data = {};

		doca_ctx_get_user_data(ctx, &data);
		return *static_cast<Channel *>(data.ptr);
	}

	static Channel &of(doca_comch_connection *connection)
	{
		doca_comch_client *client = doca_comch_client_get_client_ctx(connection);

		return of(client != nullptr ? doca_comch_client_as_ctx(client) :
					      doca_comch_server_as_ctx(doca_comch_server_get_server_ctx(connection)));
	}

	static void open(Channel &channel, doca_comch_connection *connection)
	{
		if (channel.connection_ != nullptr)
			return;
		channel.connection_ = connection;
		channel.service_.opened(channel);
	}

	static void connected(doca_comch_event_connection_status_changed *, doca_comch_connection *connection, std::uint8_t successful)
	{
		if (successful)
			open(of(connection), connection);
	}

	static void disconnected(doca_comch_event_connection_status_changed *, doca_comch_connection *connection, std::uint8_t)
	{
		Channel &channel = of(connection);

		channel.is_gone_ |= channel.connection_ == connection;
	}

	static void received(doca_comch_event_msg_recv *, std::uint8_t *bytes, std::uint32_t length, doca_comch_connection *connection)
	{
		Channel &channel = of(connection);

		open(channel, connection);
		channel.service_.received(channel, {reinterpret_cast<const char *>(bytes), length});
	}

	static void joined(doca_comch_event_consumer *, doca_comch_connection *connection, std::uint32_t id)
	{
		Channel &channel = of(connection);

		channel.service_.joined(channel, id);
	}

	static void left(doca_comch_event_consumer *, doca_comch_connection *, std::uint32_t) {}

	static void sent(doca_comch_task_send *task, doca_data, doca_data ctx_data)
	{
		static_cast<Channel *>(ctx_data.ptr)->sending_--;
		doca_task_free(doca_comch_task_send_as_task(task));
	}

	static void changed(const doca_data data, doca_ctx *, doca_ctx_states, doca_ctx_states next)
	{
		Channel &channel = *static_cast<Channel *>(data.ptr);
		doca_comch_connection *connection;

		if (channel.client_ == nullptr)
			return;
		if (next == DOCA_CTX_STATE_RUNNING &&
		    doca_comch_client_get_connection(channel.client_, &connection) == DOCA_SUCCESS)
			open(channel, connection);
		channel.is_gone_ |= next == DOCA_CTX_STATE_STOPPING || next == DOCA_CTX_STATE_IDLE;
	}
};

Channel::Channel(const std::string &name, bool serves, Service &service)
	: name_{name}, serves_{serves}, service_{service}, dev_{open_device(serves)}
{
	doca_data data = {};

	data.ptr = this;
	check(doca_pe_create(&pe_), "doca_pe_create");
	if (serves) {
		rep_ = open_representor(dev_);
		check(doca_comch_server_create(dev_, rep_, name.c_str(), &server_), "doca_comch_server_create");
		ctx_ = doca_comch_server_as_ctx(server_);
		check(doca_comch_server_task_send_set_conf(server_, Events::sent, Events::sent, send_tasks), "task_send_set_conf");
		check(doca_comch_server_event_msg_recv_register(server_, Events::received), "event_msg_recv_register");
		check(doca_comch_server_event_connection_status_changed_register(server_, Events::connected, Events::disconnected),
		      "event_connection_status_changed_register");
		check(doca_comch_server_event_consumer_register(server_, Events::joined, Events::left), "event_consumer_register");
	} else {
		check(doca_comch_client_create(dev_, name.c_str(), &client_), "doca_comch_client_create");
		ctx_ = doca_comch_client_as_ctx(client_);
		check(doca_comch_client_task_send_set_conf(client_, Events::sent, Events::sent, send_tasks), "task_send_set_conf");
		check(doca_comch_client_event_msg_recv_register(client_, Events::received), "event_msg_recv_register");
		check(doca_comch_client_event_consumer_register(client_, Events::joined, Events::left), "event_consumer_register");
	}
	check(doca_pe_connect_ctx(pe_, ctx_), "doca_pe_connect_ctx");
	check(doca_ctx_set_user_data(ctx_, data), "doca_ctx_set_user_data");
	check(doca_ctx_set_state_changed_cb(ctx_, Events::changed), "doca_ctx_set_state_changed_cb");
}

Channel::~Channel()
{
	if (server_ != nullptr)
		doca_comch_server_destroy(server_);
	if (client_ != nullptr)
		doca_comch_client_destroy(client_);
	if (pe_ != nullptr)
		doca_pe_destroy(pe_);
	if (rep_ != nullptr)
		doca_dev_rep_close(rep_);
	doca_dev_close(dev_);
}

bool Channel::progress()
{
	bool is_busy = doca_pe_progress(pe_) != 0;

	if (!is_busy)
		std::this_thread::sleep_for(std::chrono::microseconds{100});
	return is_busy;
}

void Channel::send(std::string_view message)
{
	doca_comch_task_send *task;

	if (serves_)
		check(doca_comch_server_task_send_alloc_init(server_, connection_, message.data(),
							     static_cast<std::uint32_t>(message.size()), &task),
		      "doca_comch_server_task_send_alloc_init");
	else
		check(doca_comch_client_task_send_alloc_init(client_, connection_, message.data(),
							     static_cast<std::uint32_t>(message.size()), &task),
		      "doca_comch_client_task_send_alloc_init");
	check(doca_task_submit(doca_comch_task_send_as_task(task)), "doca_task_submit");
	sending_++;
}

void Channel::start(doca_ctx *ctx, void *user_data)
{
	doca_data data = {};

	data.ptr = user_data;
	check(doca_pe_connect_ctx(pe_, ctx), "doca_pe_connect_ctx");
	check(doca_ctx_set_user_data(ctx, data), "doca_ctx_set_user_data");
	check(doca_ctx_start(ctx), "doca_ctx_start");
}

void Channel::stop(doca_ctx *ctx)
{
	auto deadline = std::chrono::steady_clock::now() + limit;
	doca_ctx_states state;

	do {
		doca_ctx_stop(ctx);
		progress();
		check(doca_ctx_get_state(ctx, &state), "doca_ctx_get_state");
		if (std::chrono::steady_clock::now() > deadline)
			throw std::runtime_error("a context does not stop");
	} while (state != DOCA_CTX_STATE_IDLE);
}

void Channel::disconnect()
{
	doca_error_t result;

	if (!serves_ || connection_ == nullptr || is_gone_)
		return;
	while ((result = doca_comch_server_disconnect(server_, connection_)) == DOCA_ERROR_AGAIN || result == DOCA_ERROR_IN_USE)
		progress();
	check(result, "doca_comch_server_disconnect");
}

void Channel::run()
{
	bool was_opened = false;
	auto deadline = std::chrono::steady_clock::now() + limit;

	check(doca_ctx_start(ctx_), "doca_ctx_start");
	if (serves_)
		std::cout << "ready" << std::endl;
	while (!service_.is_done() && !is_gone_) {
		progress();
		service_.turn(*this);
		if (!was_opened && connection_ != nullptr) {
			was_opened = true;
			deadline = std::chrono::steady_clock::now() + limit;
		}
		if ((was_opened || !serves_) && std::chrono::steady_clock::now() > deadline)
			throw std::runtime_error("no end within 20 s");
	}
	bool is_done = service_.is_done();
	service_.close(*this);
	disconnect();
	stop(ctx_);
	if (!is_done)
		throw std::runtime_error("the peer of \"" + name_ + "\" left before the end");
}
