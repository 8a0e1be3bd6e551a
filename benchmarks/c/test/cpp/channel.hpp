/*
 * A comch connection of either side, for C++ programs that work as SHOC's programs do. A server uses only a device of the DPU's
 * side, a client only one of the host's. One client, one thread; every error is an exception.
 */
#ifndef CHANNEL_HPP
#define CHANNEL_HPP

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <doca_buf_inventory.h>
#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_mmap.h>
#include <doca_pe.h>

/** Throws std::runtime_error unless the call has succeeded. */
void check(doca_error_t result, const char *operation);

class Channel;

/** Callbacks of a program for its connection. Channel::run() calls them. */
class Service {
public:
	virtual ~Service() = default;

	virtual void opened(Channel &) {}
	virtual void received(Channel &, std::string_view message) = 0;
	/** The peer has opened a consumer. */
	virtual void joined(Channel &, std::uint32_t) {}
	/** Called after each poll of the device. */
	virtual void turn(Channel &) {}
	/** Returns whether the work on the connection is complete. */
	virtual bool is_done() const = 0;
	/** Stops the contexts that depend on the connection. */
	virtual void close(Channel &) {}
};

class Channel {
public:
	/** Opens device and context; starts nothing before run(). */
	Channel(const std::string &name, bool serves, Service &service);
	Channel(const Channel &) = delete;
	Channel &operator=(const Channel &) = delete;
	~Channel();

	/**
	 * Serves one client, or is one, until the service is done. Throws if the peer disconnects before, or after 20 s without
	 * an end.
	 */
	void run();

	void send(std::string_view message);
	/** Returns whether all sent messages have completed. */
	bool is_sent() const { return sending_ == 0; }
	/** Connects a context of the service with the progress engine, and starts it. */
	void start(doca_ctx *ctx, void *user_data);
	/** Stops such a context, and waits until it is idle. */
	void stop(doca_ctx *ctx);

	doca_dev *device() const { return dev_; }
	doca_comch_connection *connection() const { return connection_; }

private:
	friend struct Events;

	bool progress();
	void disconnect();

	std::string name_;
	bool serves_;
	Service &service_;
	doca_dev *dev_ = nullptr;
	doca_dev_rep *rep_ = nullptr;
	doca_pe *pe_ = nullptr;
	doca_comch_server *server_ = nullptr;
	doca_comch_client *client_ = nullptr;
	doca_ctx *ctx_ = nullptr;
	doca_comch_connection *connection_ = nullptr;
	std::size_t sending_ = 0;
	bool is_gone_ = false;
};

/** Blocks in memory that is registered with a device, with an inventory for the buffers of its tasks. */
class Memory {
public:
	Memory(doca_dev *dev, std::uint32_t blocks, std::uint32_t block_size, std::uint32_t permissions);
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;
	~Memory();

	/** Block i has the byte i & 0xff everywhere. */
	void fill();
	bool is_filled() const;

	/** Returns a buffer that is full of a block. */
	doca_buf *full(std::uint32_t index) { return full(map_, block(index)); }
	/** Returns a buffer that is full of other memory of a block's size. */
	doca_buf *full(doca_mmap *map, std::uint8_t *address);
	/** Returns an empty buffer for a block. */
	doca_buf *empty(std::uint32_t index);

	std::uint8_t *block(std::uint32_t index) { return bytes_.data() + std::size_t{block_size_} * index; }
	std::uint32_t blocks() const { return blocks_; }
	std::uint32_t block_size() const { return block_size_; }
	doca_mmap *map() const { return map_; }
	doca_buf_inventory *inventory() const { return inventory_; }

private:
	std::uint32_t blocks_, block_size_;
	std::vector<std::uint8_t> bytes_;
	doca_mmap *map_ = nullptr;
	doca_buf_inventory *inventory_ = nullptr;
};

/** Geometry of the blocks of a server, unless the command line names another one. */
struct Geometry {
	std::uint32_t blocks = 256, block_size = 1 << 20;
};

/** Serves blocks, or receives and checks them; returns the exit status. */
template <class Server, class Client> int run_blocks(const char *name, bool serves, Geometry geometry)
{
	Server server{geometry};
	Client client;
	Channel channel{name, serves, serves ? static_cast<Service &>(server) : client};

	channel.run();
	if (serves)
		return 0;
	std::cout << (client.is_right() ? "right" : "wrong") << std::endl;
	return client.is_right() ? 0 : 1;
}

int run_ping(bool serves);
int run_data(bool serves, Geometry geometry);
int run_dma(bool serves, Geometry geometry);

#endif
