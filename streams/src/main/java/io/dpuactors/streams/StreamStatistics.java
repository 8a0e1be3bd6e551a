package io.dpuactors.streams;

/**
 * Counters of a stream that has ended.
 *
 * @param elementsIn elements that arrived from upstream
 * @param bytesIn their bytes
 * @param elementsOut elements that went downstream
 * @param bytesOut their bytes
 * @param busyRetries requests that were sent again because the context was busy
 */
public record StreamStatistics(
    long elementsIn, long bytesIn, long elementsOut, long bytesOut, long busyRetries) {}
