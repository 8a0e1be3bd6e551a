/*
 * Build configuration for programs. doca_build_config.h has two variants, one per side of the card; the SDK prefix of the build
 * selects the variant.
 */
#ifndef DOCA_CONFIG_H_
#define DOCA_CONFIG_H_

#include "doca_build_config.h"

#endif
