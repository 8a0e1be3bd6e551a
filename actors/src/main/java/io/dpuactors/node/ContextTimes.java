package io.dpuactors.node;

/**
 * Deadlines in the lifecycle of a context, in nanoseconds.
 *
 * @param startNs from doca_ctx_start to RUNNING
 * @param drainNs from Stop until tasks in flight are flushed
 * @param stopNs from doca_ctx_stop to IDLE
 */
public record ContextTimes(long startNs, long drainNs, long stopNs) {}
