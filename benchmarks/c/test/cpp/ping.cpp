/* A server answers one ping with a pong and closes the connection; a client sends one ping and waits for the pong. */
#include "channel.hpp"

#include <iostream>
#include <stdexcept>

namespace {

class Ping final : public Service {
public:
	void opened(Channel &channel) override { channel.send("ping"); }

	void received(Channel &, std::string_view message) override
	{
		if (message != "pong")
			throw std::runtime_error("no pong");
		std::cout << message << std::endl;
		is_answered_ = true;
	}

	bool is_done() const override { return is_answered_; }

private:
	bool is_answered_ = false;
};

class Pong final : public Service {
public:
	void received(Channel &channel, std::string_view message) override
	{
		std::cout << message << std::endl;
		channel.send("pong");
		is_answered_ = true;
	}

	void turn(Channel &channel) override { is_sent_ = is_answered_ && channel.is_sent(); }
	bool is_done() const override { return is_sent_; }

private:
	bool is_answered_ = false, is_sent_ = false;
};

} // namespace

int run_ping(bool serves)
{
	Ping ping;
	Pong pong;
	Channel channel{"shoc-test", serves, serves ? static_cast<Service &>(pong) : ping};

	channel.run();
	return 0;
}
