/**
 * The actors of the communication channel; what they understand is in {@code
 * io.dpuactors.protocol.comch}.
 *
 * <pre>
 *   ComchServer              one doca_comch_server
 *     ComchConnection        one of its connections
 *       your behavior        what to do with it
 *       ComchProducer        fast path: sends buffers
 *       ComchConsumer        fast path: receives into buffers
 *   ComchClient              one doca_comch_client and its connection, with the same children
 * </pre>
 */
@NullMarked
package io.dpuactors.comch;

import org.jspecify.annotations.NullMarked;
