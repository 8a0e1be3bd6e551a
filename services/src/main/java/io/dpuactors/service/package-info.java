/**
 * Both ends of four services over the communication channel and of one by RDMA. Use them unchanged,
 * or copy and change them.
 *
 * <pre>
 *   service                server's end                        client's end
 *   ping      messages     Pong                                Ping
 *   data      fast path    BlockSender, from a BlockMemory     BlockReceiver
 *   dma       copies       MemoryOffer                         MemoryCopier
 *   compress  all of it    CompressSession                     RemoteCompress
 *   rdma      RDMA         RdmaStore                           RdmaMeter
 * </pre>
 *
 * <p>Ends without buffers are behaviors of their connection. Ends with buffers outlive their
 * connection until every buffer has returned. On the server they run in {@link
 * io.dpuactors.service.Sessions}. A client that connects repeatedly can keep its memory in a {@link
 * io.dpuactors.service.KeptMemory}.
 */
@NullMarked
package io.dpuactors.service;

import org.jspecify.annotations.NullMarked;
