/**
 * Messages of the communication channel's actors: servers, connections, clients, producers and
 * consumers.
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
package io.dpuactors.protocol.comch;

import org.jspecify.annotations.NullMarked;
