package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressProtocol;
import java.util.Map;
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
 * @param lanes contexts by kind of task
 * @param contents permits for the contents and results of blocks
 * @param count counters since the node's start
 */
record NodeWork(
    String node,
    String library,
    String devices,
    Map<TaskKind, Lane> lanes,
    ContentPermits contents,
    Count count) {
  /**
   * Runs the tasks of one kind, on the engines whose devices can run it.
   *
   * @param context running context
   * @param buffers buffers of the context
   */
  record Lane(ActorRef<CompressProtocol.Command> context, TaskBuffers buffers) {}

  /** Returns the work of a node that has computed nothing. */
  static NodeWork create(
      String node, NodeDevices devices, Map<TaskKind, Lane> lanes, int contents) {
    return new NodeWork(
        node,
        devices.library(),
        String.join(",", devices.addresses()),
        lanes,
        new ContentPermits(contents),
        new Count());
  }

  /** Returns the kinds of tasks of the node. */
  Set<TaskKind> kinds() {
    return lanes.keySet();
  }

  /** Counters of a node. */
  static final class Count {
    final AtomicInteger busy = new AtomicInteger();
    final LongAdder blocks = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
  }
}
