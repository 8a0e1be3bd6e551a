package io.dpuactors.file;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.protocol.Stopped;
import org.apache.pekko.actor.typed.ActorRef;

/** Message of a {@link FileBatch} or {@link HashBatch} to itself, or of one of its files. */
sealed interface BatchMessage extends FileBatch.Command {
  /** Opens the device and spawns the engines. */
  enum Begin implements BatchMessage {
    INSTANCE
  }

  /** Starts the next file. */
  enum Next implements BatchMessage {
    INSTANCE
  }

  /** The contexts run on the engines. */
  record ContextsOpened(BatchMemory memory) implements BatchMessage {}

  /** The buffers for the current file are open. */
  record PoolsOpened(TaskBuffers buffers, PoolShape shape) implements BatchMessage {}

  /** Opening the buffers for the current file has failed. */
  record PoolsFailed(FileFailure failure) implements BatchMessage {}

  /** Requests larger buffers for the current file. */
  record Grow(PoolShape wanted, ActorRef<FileCommand> replyTo) implements BatchMessage {}

  /** The larger buffers are open. */
  record Grown(TaskBuffers buffers, PoolShape shape, ActorRef<FileCommand> replyTo)
      implements BatchMessage {}

  /** Opening the larger buffers has failed. */
  record NotGrown(FileFailure failure, ActorRef<FileCommand> replyTo) implements BatchMessage {}

  /** Event of the current file. */
  record OfFile(FileEvent event) implements BatchMessage {}

  /** The actor of a file has stopped. */
  record FileActorEnded(ActorRef<Void> actor) implements BatchMessage {}

  /** The SHA context runs, and its buffers are open. */
  record HashesReady(ActorRef<?> context, TaskBuffers buffers) implements BatchMessage {}

  /** Event of one of the files to hash. */
  record OfHash(HashEvent event) implements BatchMessage {}

  /** The actor of a file to hash has stopped. */
  record HashEnded(int index) implements BatchMessage {}

  /** The context could not be opened. */
  record Broken(FileFailure failure) implements BatchMessage {}

  /** All engines have stopped. */
  record EnginesStopped(Stopped answer) implements BatchMessage {}
}
