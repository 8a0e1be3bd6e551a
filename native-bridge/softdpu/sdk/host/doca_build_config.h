/* Build configuration of the host flavour: programs that run on the machine that the card is plugged into. */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_HOST 1

#endif
