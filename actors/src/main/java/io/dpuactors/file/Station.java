package io.dpuactors.file;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A context and the registered memory that goes through it, all of one device.
 *
 * @param context runs
 * @param sources one buffer for each block in flight
 * @param destinations the same
 */
public record Station(
    ActorRef<CompressProtocol.Command> context, BufferPool sources, BufferPool destinations) {
  /** How many blocks can be in flight here. */
  int window() {
    return Math.min(sources.capacity(), destinations.capacity());
  }
}
