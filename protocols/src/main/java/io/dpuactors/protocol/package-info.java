/**
 * Messages between actors. Messages are immutable records; a request carries the {@code replyTo} of
 * its answer. This package has no threads and no native calls.
 *
 * <p>Messages of the communication channel's actors:
 *
 * <pre>
 *   ServerProtocol       ComchServer
 *   ConnectionProtocol     ComchConnection      of a server; ComchClient is the same on the other side
 *   ConnectionEvent          your behavior      receives the events of its connection
 *   ProducerProtocol         ComchProducer      fast path: sends buffers
 *   ConsumerProtocol         ComchConsumer      fast path: receives into buffers
 * </pre>
 */
@NullMarked
package io.dpuactors.protocol;

import org.jspecify.annotations.NullMarked;
