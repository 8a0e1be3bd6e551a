package io.dpuactors.file;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskRequest;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Contexts and their registered memory, all of one device.
 *
 * @param context a running context that supports the requests of its work
 * @param cipher a running context that encrypts and decrypts, for work with a key. Perhaps the same
 * @param sources one buffer for each block in flight
 * @param destinations one buffer for each block in flight
 */
public record BlockWorker(
    ActorRef<TaskRequest> context,
    ActorRef<LocalMessage> cipher,
    BufferPool sources,
    BufferPool destinations) {
  /** Creates a worker with a context of any library. */
  public static BlockWorker of(ActorRef<?> context, BufferPool sources, BufferPool destinations) {
    return of(context, context, sources, destinations);
  }

  /** Creates a worker with a context of any library and a context that encrypts or decrypts. */
  public static BlockWorker of(
      ActorRef<?> context, ActorRef<?> cipher, BufferPool sources, BufferPool destinations) {
    return new BlockWorker(context.unsafeUpcast(), cipher.unsafeUpcast(), sources, destinations);
  }

  /** Sends a request to the context of its library. */
  void send(TaskRequest request) {
    switch (request.kind()) {
      case AES_GCM_ENCRYPT, AES_GCM_DECRYPT -> cipher.tell(request);
      default -> context.tell(request);
    }
  }

  /** Returns the largest number of blocks in flight. */
  int window() {
    return Math.min(sources.capacity(), destinations.capacity());
  }
}
