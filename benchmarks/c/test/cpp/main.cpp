/*
 * speaker-cpp ping|data|dma serve|client [BLOCKS BLOCK_SIZE]
 *
 * One end of a service, written as SHOC's programs are. The other end can be ./dpu or a plain C program. A server prints `ready`,
 * serves one client and ends. BLOCKS and BLOCK_SIZE are for the servers of data and dma.
 */
#include "channel.hpp"

#include <exception>
#include <iostream>

int main(int argc, char **argv)
{
	const std::string service = argc > 2 ? argv[1] : "", side = argc > 2 ? argv[2] : "";
	Geometry geometry;

	try {
		if (argc == 5)
			geometry = {static_cast<std::uint32_t>(std::stoul(argv[3])), static_cast<std::uint32_t>(std::stoul(argv[4]))};
		if (side == "serve" || side == "client") {
			if (service == "ping")
				return run_ping(side == "serve");
			if (service == "data")
				return run_data(side == "serve", geometry);
			if (service == "dma")
				return run_dma(side == "serve", geometry);
		}
	} catch (const std::exception &e) {
		std::cerr << "speaker-cpp: " << e.what() << std::endl;
		return 1;
	}
	std::cerr << "usage: speaker-cpp ping|data|dma serve|client [BLOCKS BLOCK_SIZE]" << std::endl;
	return 2;
}
