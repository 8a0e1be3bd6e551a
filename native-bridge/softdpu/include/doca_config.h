/*
 * Build configuration that programs may ask for. doca_build_config.h comes in two flavours, one per side of the card;
 * the SDK prefix that a program is compiled against decides which one it sees.
 */
#ifndef DOCA_CONFIG_H_
#define DOCA_CONFIG_H_

#include "doca_build_config.h"

#endif
