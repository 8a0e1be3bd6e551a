package io.dpuactors.file;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.protocol.Stopped;
import org.apache.pekko.actor.typed.ActorRef;

/** Message of a {@link FileBatch} to itself, or of one of its files. */
sealed interface BatchMessage extends FileBatch.Command {
  /** Opens the device and spawns the engines. */
  enum Begin implements BatchMessage {
    INSTANCE
  }

  /** Starts the next file. */
  enum Next implements BatchMessage {
    INSTANCE
  }

  /** The context runs on the engines. */
  record ContextOpened(ActorRef<?> context) implements BatchMessage {}

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

  /** The context could not be opened. */
  record Broken(FileFailure failure) implements BatchMessage {}

  /** All engines have stopped. */
  record EnginesStopped(Stopped answer) implements BatchMessage {}
}
