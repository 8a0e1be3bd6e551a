package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressProtocol;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The library, engines and counters of a node. The counters may be changed on any thread.
 *
 * @param node address of the node, {@code HOST:PORT}
 * @param library DOCA library of the engines
 * @param devices PCI addresses, separated by commas
 * @param kinds kinds of tasks of the context
 * @param context running context of the engines
 * @param buffers buffers of the context
 * @param contents permits for the contents of blocks
 * @param count counters since the node's start
 */
record NodeWork(
    String node,
    String library,
    String devices,
    Set<TaskKind> kinds,
    ActorRef<CompressProtocol.Command> context,
    TaskBuffers buffers,
    ContentPermits contents,
    Count count) {
  /** Counters of a node. */
  static final class Count {
    final AtomicInteger busy = new AtomicInteger();
    final LongAdder blocks = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
  }
}
