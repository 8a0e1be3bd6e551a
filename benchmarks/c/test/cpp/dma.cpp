/*
 * The server exports its blocks with the device of its service; the client copies them with the device of its connection.
 */
#include "channel.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>

#include <doca_dma.h>

namespace {

constexpr std::uint32_t copies_in_flight = 4;

class Exporter final : public Service {
public:
	explicit Exporter(Geometry geometry) : geometry_{geometry} {}

	void opened(Channel &channel) override
	{
		const std::uint32_t head[] = {geometry_.blocks, geometry_.block_size};
		const void *descriptor;
		std::size_t length;
		std::string message{reinterpret_cast<const char *>(head), sizeof(head)};

		memory_ = std::make_unique<Memory>(channel.device(), geometry_.blocks, geometry_.block_size,
						   DOCA_ACCESS_FLAG_PCI_READ_WRITE);
		memory_->fill();
		check(doca_mmap_export_pci(memory_->map(), channel.device(), &descriptor, &length), "doca_mmap_export_pci");
		channel.send(message.append(static_cast<const char *>(descriptor), length));
	}

	void received(Channel &, std::string_view message) override
	{
		if (message != "done")
			throw std::runtime_error("\"done\" is expected");
		is_copied_ = true;
	}

	bool is_done() const override { return is_copied_; }

private:
	Geometry geometry_;
	std::unique_ptr<Memory> memory_;
	bool is_copied_ = false;
};

class Copier final : public Service {
public:
	void received(Channel &channel, std::string_view message) override
	{
		std::uint32_t head[2];
		void *address;
		std::size_t length;

		if (message.size() <= sizeof(head) || memory_ != nullptr)
			throw std::runtime_error("no offer");
		std::memcpy(head, message.data(), sizeof(head));
		message.remove_prefix(sizeof(head));
		memory_ = std::make_unique<Memory>(channel.device(), head[0], head[1], DOCA_ACCESS_FLAG_PCI_READ_WRITE);
		check(doca_mmap_create_from_export(nullptr, message.data(), message.size(), channel.device(), &remote_),
		      "doca_mmap_create_from_export");
		check(doca_mmap_get_memrange(remote_, &address, &length), "doca_mmap_get_memrange");
		remote_address_ = static_cast<std::uint8_t *>(address);
		check(doca_dma_create(channel.device(), &dma_), "doca_dma_create");
		check(doca_dma_task_memcpy_set_conf(dma_, on_end, on_end, copies_in_flight), "doca_dma_task_memcpy_set_conf");
		channel.start(doca_dma_as_ctx(dma_), this);
	}

	void turn(Channel &channel) override
	{
		while (memory_ != nullptr && begun_ < memory_->blocks() && begun_ - ended_ < copies_in_flight)
			copy();
		if (!has_said_ && memory_ != nullptr && ended_ == memory_->blocks()) {
			has_said_ = true;
			channel.send("done");
		}
		is_sent_ = has_said_ && channel.is_sent();
	}

	bool is_done() const override { return is_sent_; }
	bool is_right() const { return copied_ == memory_->blocks() && memory_->is_filled(); }

	void close(Channel &channel) override
	{
		if (dma_ != nullptr) {
			channel.stop(doca_dma_as_ctx(dma_));
			check(doca_dma_destroy(dma_), "doca_dma_destroy");
		}
		if (remote_ != nullptr)
			check(doca_mmap_destroy(remote_), "doca_mmap_destroy");
	}

private:
	void copy()
	{
		std::uint8_t *from = remote_address_ + std::size_t{memory_->block_size()} * begun_;
		doca_dma_task_memcpy *task;

		check(doca_dma_task_memcpy_alloc_init(dma_, memory_->full(remote_, from), memory_->empty(begun_), doca_data{}, &task),
		      "doca_dma_task_memcpy_alloc_init");
		check(doca_task_submit(doca_dma_task_memcpy_as_task(task)), "doca_task_submit");
		begun_++;
	}

	static void on_end(doca_dma_task_memcpy *task, doca_data, doca_data ctx_data)
	{
		auto &copier = *static_cast<Copier *>(ctx_data.ptr);
		auto *source = const_cast<doca_buf *>(doca_dma_task_memcpy_get_src(task));
		doca_buf *destination = doca_dma_task_memcpy_get_dst(task);

		copier.ended_++;
		copier.copied_ += doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS;
		doca_task_free(doca_dma_task_memcpy_as_task(task));
		doca_buf_dec_refcount(source, nullptr);
		doca_buf_dec_refcount(destination, nullptr);
	}

	std::unique_ptr<Memory> memory_;
	doca_mmap *remote_ = nullptr;
	std::uint8_t *remote_address_ = nullptr;
	doca_dma *dma_ = nullptr;
	std::uint32_t begun_ = 0, ended_ = 0, copied_ = 0;
	bool has_said_ = false, is_sent_ = false;
};

} // namespace

int run_dma(bool serves, Geometry geometry)
{
	return run_blocks<Exporter, Copier>("dma-test", serves, geometry);
}
