/* Build configuration of the DPU variant: programs that run on the card. */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_DPU 1

#endif
