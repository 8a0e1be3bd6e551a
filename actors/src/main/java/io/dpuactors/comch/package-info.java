/**
 * The actors of the communication channel; {@code io.dpuactors.protocol} defines their messages.
 *
 * <pre>
 *   ComchServer              one doca_comch_server
 *     ComchConnection        one of its connections
 *       your behavior        serves the connection
 *       ComchProducer        fast path: sends buffers
 *       ComchConsumer        fast path: receives into buffers
 *   ComchClient              one doca_comch_client and its connection, with the same children
 * </pre>
 */
@NullMarked
package io.dpuactors.comch;

import org.jspecify.annotations.NullMarked;
