/* The server sends the geometry and block after block; the client posts one receive at a time. */
#include "channel.hpp"

#include <memory>
#include <sstream>
#include <stdexcept>

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

namespace {

class Sender final : public Service {
public:
	explicit Sender(Geometry geometry) : geometry_{geometry} {}

	void opened(Channel &channel) override
	{
		memory_ = std::make_unique<Memory>(channel.device(), geometry_.blocks, geometry_.block_size,
						   DOCA_ACCESS_FLAG_PCI_READ_WRITE);
		memory_->fill();
		channel.send(std::to_string(geometry_.blocks) + " " + std::to_string(geometry_.block_size));
	}

	void received(Channel &, std::string_view) override { throw std::runtime_error("a message is not expected"); }

	void joined(Channel &channel, std::uint32_t id) override
	{
		consumer_ = id;
		check(doca_comch_producer_create(channel.connection(), &producer_), "doca_comch_producer_create");
		check(doca_comch_producer_task_send_set_conf(producer_, on_end, on_end, 1), "producer_task_send_set_conf");
		channel.start(doca_comch_producer_as_ctx(producer_), this);
	}

	/* Submits the next block, or the one that the device refused with AGAIN. */
	void turn(Channel &) override
	{
		doca_comch_producer_task_send *task;

		if (producer_ == nullptr || is_sending_ || sent_ == memory_->blocks())
			return;
		check(doca_comch_producer_task_send_alloc_init(producer_, memory_->full(sent_), nullptr, 0, consumer_, &task),
		      "doca_comch_producer_task_send_alloc_init");
		doca_error_t result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
		is_sending_ = result == DOCA_SUCCESS;
		if (is_sending_)
			return;
		release(task);
		if (result != DOCA_ERROR_AGAIN)
			check(result, "doca_task_submit");
	}

	bool is_done() const override { return memory_ != nullptr && sent_ == memory_->blocks(); }

	void close(Channel &channel) override
	{
		if (producer_ == nullptr)
			return;
		channel.stop(doca_comch_producer_as_ctx(producer_));
		check(doca_comch_producer_destroy(producer_), "doca_comch_producer_destroy");
	}

private:
	static void release(doca_comch_producer_task_send *task)
	{
		auto *buffer = const_cast<doca_buf *>(doca_comch_producer_task_send_get_buf(task));

		doca_task_free(doca_comch_producer_task_send_as_task(task));
		doca_buf_dec_refcount(buffer, nullptr);
	}

	static void on_end(doca_comch_producer_task_send *task, doca_data, doca_data ctx_data)
	{
		auto &sender = *static_cast<Sender *>(ctx_data.ptr);

		sender.is_sending_ = false;
		sender.sent_ += doca_task_get_status(doca_comch_producer_task_send_as_task(task)) == DOCA_SUCCESS;
		release(task);
	}

	Geometry geometry_;
	std::unique_ptr<Memory> memory_;
	doca_comch_producer *producer_ = nullptr;
	std::uint32_t consumer_ = 0, sent_ = 0;
	bool is_sending_ = false;
};

class Receiver final : public Service {
public:
	void received(Channel &channel, std::string_view message) override
	{
		std::istringstream geometry{std::string{message}};
		std::uint32_t blocks, block_size;

		if (!(geometry >> blocks >> block_size) || memory_ != nullptr)
			throw std::runtime_error("no geometry");
		memory_ = std::make_unique<Memory>(channel.device(), blocks, block_size, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
		check(doca_comch_consumer_create(channel.connection(), memory_->map(), &consumer_), "doca_comch_consumer_create");
		check(doca_comch_consumer_task_post_recv_set_conf(consumer_, on_end, on_end, 1), "consumer_task_post_recv_set_conf");
		channel.start(doca_comch_consumer_as_ctx(consumer_), this);
	}

	void turn(Channel &) override
	{
		doca_ctx_states state;

		if (consumer_ == nullptr || is_posted_ || received_ == memory_->blocks())
			return;
		check(doca_ctx_get_state(doca_comch_consumer_as_ctx(consumer_), &state), "doca_ctx_get_state");
		if (state == DOCA_CTX_STATE_RUNNING)
			post();
	}

	bool is_done() const override { return memory_ != nullptr && received_ == memory_->blocks(); }
	bool is_right() const { return is_done() && memory_->is_filled(); }

	void close(Channel &channel) override
	{
		if (consumer_ == nullptr)
			return;
		channel.stop(doca_comch_consumer_as_ctx(consumer_));
		check(doca_comch_consumer_destroy(consumer_), "doca_comch_consumer_destroy");
	}

private:
	void post()
	{
		doca_comch_consumer_task_post_recv *task;

		check(doca_comch_consumer_task_post_recv_alloc_init(consumer_, memory_->empty(received_), &task),
		      "consumer_task_post_recv_alloc_init");
		check(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)), "doca_task_submit");
		is_posted_ = true;
	}

	static void on_end(doca_comch_consumer_task_post_recv *task, doca_data, doca_data ctx_data)
	{
		auto &receiver = *static_cast<Receiver *>(ctx_data.ptr);
		doca_buf *buffer = doca_comch_consumer_task_post_recv_get_buf(task);

		receiver.is_posted_ = false;
		receiver.received_ += doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task)) == DOCA_SUCCESS;
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
		doca_buf_dec_refcount(buffer, nullptr);
	}

	std::unique_ptr<Memory> memory_;
	doca_comch_consumer *consumer_ = nullptr;
	std::uint32_t received_ = 0;
	bool is_posted_ = false;
};

} // namespace

int run_data(bool serves, Geometry geometry)
{
	return run_blocks<Sender, Receiver>("shoc-data-test", serves, geometry);
}
