/* Build configuration of the host variant: programs that run on the card's host. */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_HOST 1

#endif
