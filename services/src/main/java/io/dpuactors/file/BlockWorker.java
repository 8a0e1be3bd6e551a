package io.dpuactors.file;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.TaskRequest;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A context and its registered memory, all of one device.
 *
 * @param context a running context that supports the requests of its work
 * @param sources one buffer for each block in flight
 * @param destinations one buffer for each block in flight
 */
public record BlockWorker(
    ActorRef<TaskRequest> context, BufferPool sources, BufferPool destinations) {
  /** Creates a worker with a context of any library. */
  public static BlockWorker of(ActorRef<?> context, BufferPool sources, BufferPool destinations) {
    return new BlockWorker(context.unsafeUpcast(), sources, destinations);
  }

  /** Returns the largest number of blocks in flight. */
  int window() {
    return Math.min(sources.capacity(), destinations.capacity());
  }
}
