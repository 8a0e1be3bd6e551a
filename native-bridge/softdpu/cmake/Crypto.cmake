# OpenSSL's libcrypto for hashes and ciphers, as target OpenSSL::Crypto. The libraries use the system's shared libcrypto.so.3, so the
# distribution updates it.
include_guard(GLOBAL)

find_package(OpenSSL 3.0 QUIET COMPONENTS Crypto)
if(NOT TARGET OpenSSL::Crypto)
	message(FATAL_ERROR "libcrypto 3 is missing (openssl/evp.h, libcrypto.so). "
		"On Debian and Ubuntu: apt-get install libssl-dev (for another architecture, libssl-dev:<architecture>)")
endif()
