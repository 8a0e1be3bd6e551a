/**
 * The actors of RDMA; {@code io.dpuactors.protocol} defines their messages.
 *
 * <pre>
 *   RdmaContext              one doca_rdma: its memory for messages, shared by all connections
 *     RdmaListener           a port that clients connect to
 *       RdmaConnection       one peer
 *         your behavior      receives its messages
 *     RdmaClient             a connection to a listener
 *       your behavior
 *     RdmaConnection         a connection by descriptions
 *       your behavior
 * </pre>
 */
@NullMarked
package io.dpuactors.rdma;

import org.jspecify.annotations.NullMarked;
