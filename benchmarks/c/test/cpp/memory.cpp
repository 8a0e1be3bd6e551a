#include "channel.hpp"

#include <algorithm>

/* Buffers in addition to the source and the destination of each block. */
static constexpr std::size_t spare_buffers = 16;

Memory::Memory(doca_dev *dev, std::uint32_t blocks, std::uint32_t block_size, std::uint32_t permissions)
	: blocks_{blocks}, block_size_{block_size}, bytes_(std::size_t{blocks} * block_size, 0xff)
{
	check(doca_mmap_create(&map_), "doca_mmap_create");
	check(doca_mmap_set_memrange(map_, bytes_.data(), bytes_.size()), "doca_mmap_set_memrange");
	check(doca_mmap_set_permissions(map_, permissions), "doca_mmap_set_permissions");
	check(doca_mmap_add_dev(map_, dev), "doca_mmap_add_dev");
	check(doca_mmap_start(map_), "doca_mmap_start");
	check(doca_buf_inventory_create(2 * std::size_t{blocks} + spare_buffers, &inventory_), "doca_buf_inventory_create");
	check(doca_buf_inventory_start(inventory_), "doca_buf_inventory_start");
}

Memory::~Memory()
{
	if (inventory_ != nullptr)
		doca_buf_inventory_destroy(inventory_);
	if (map_ != nullptr)
		doca_mmap_destroy(map_);
}

doca_buf *Memory::full(doca_mmap *map, std::uint8_t *address)
{
	doca_buf *buffer;

	check(doca_buf_inventory_buf_get_by_data(inventory_, map, address, block_size_, &buffer), "doca_buf_inventory_buf_get_by_data");
	return buffer;
}

doca_buf *Memory::empty(std::uint32_t index)
{
	doca_buf *buffer;

	check(doca_buf_inventory_buf_get_by_addr(inventory_, map_, block(index), block_size_, &buffer),
	      "doca_buf_inventory_buf_get_by_addr");
	return buffer;
}

void Memory::fill()
{
	for (std::uint32_t i = 0; i < blocks_; i++)
		std::fill_n(block(i), block_size_, static_cast<std::uint8_t>(i));
}

bool Memory::is_filled() const
{
	for (std::size_t i = 0; i < bytes_.size(); i++)
		if (bytes_[i] != static_cast<std::uint8_t>(i / block_size_))
			return false;
	return true;
}
