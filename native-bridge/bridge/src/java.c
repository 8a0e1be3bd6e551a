/*
 * dpubridge_enter() by the name under which a JVM finds a native method by itself. What is called a million times a second shall
 * not go through a library that arranges arguments for any function: that costs more than a turn with nothing to do.
 * No header of a JDK is needed: the JVM's two pointers are not looked at.
 */
#include "bridge.h"

int32_t Java_io_dpuactors_bridge_jna_DpuBridgeTurn_enter(void *env, void *class, int64_t bridge, int32_t budget);

int32_t Java_io_dpuactors_bridge_jna_DpuBridgeTurn_enter(void *env, void *class, int64_t bridge, int32_t budget)
{
	(void)env;
	(void)class;
	return (int32_t)dpubridge_enter((struct dpubridge *)(uintptr_t)bridge, (uint32_t)budget);
}
