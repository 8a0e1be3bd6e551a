/* Build configuration of the DPU flavour: programs that run on the card itself. */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_DPU 1

#endif
