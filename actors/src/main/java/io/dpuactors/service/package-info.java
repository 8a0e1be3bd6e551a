/**
 * Both ends of four services over the communication channel, to be used as they are, or to be
 * copied and changed.
 *
 * <pre>
 *   service                server's end                        client's end
 *   ping      messages     Pong                                Ping
 *   data      fast path    BlockSender, from a BlockMemory     BlockReceiver
 *   dma       copies       MemoryOffer                         MemoryCopier
 *   compress  all of it    CompressSession                     RemoteCompress
 * </pre>
 *
 * <p>Ends that hold no buffers are behaviors of their connection. Those that do outlive it until
 * every buffer is back: on the server's side they live in {@link io.dpuactors.service.Sessions}. A
 * client that comes again and again may leave its memory in a {@link
 * io.dpuactors.service.KeptMemory}.
 */
@NullMarked
package io.dpuactors.service;

import org.jspecify.annotations.NullMarked;
