/**
 * The actors of RDMA; {@code io.dpuactors.protocol} defines their messages.
 *
 * <pre>
 *   RdmaContext              one doca_rdma: its memory for messages, shared by all connections
 *     RdmaConnection         one connection, exported by the program
 *       your behavior        receives its messages
 * </pre>
 */
@NullMarked
package io.dpuactors.rdma;

import org.jspecify.annotations.NullMarked;
