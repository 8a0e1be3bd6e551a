package io.dpuactors.file;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.TaskRequest;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A context and the registered memory that goes through it, all of one device.
 *
 * @param context runs, and understands the requests of the work that is done with it
 * @param sources one buffer for each block in flight
 * @param destinations the same
 */
public record Station(ActorRef<TaskRequest> context, BufferPool sources, BufferPool destinations) {
  /** A station at a context of any library. */
  public static Station at(ActorRef<?> context, BufferPool sources, BufferPool destinations) {
    return new Station(context.unsafeUpcast(), sources, destinations);
  }

  /** How many blocks can be in flight here. */
  int window() {
    return Math.min(sources.capacity(), destinations.capacity());
  }
}
