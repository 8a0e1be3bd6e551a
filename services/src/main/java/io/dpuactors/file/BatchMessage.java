package io.dpuactors.file;

import io.dpuactors.protocol.Stopped;
import java.util.List;
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

  /** Every engine has a context. */
  record ContextsOpened(List<ActorRef<?>> contexts) implements BatchMessage {}

  /** The buffers for the current file are open. */
  record PoolsOpened(List<BlockWorker> workers, PoolShape shape) implements BatchMessage {}

  /** Opening the buffers for the current file has failed. */
  record PoolsFailed(FileFailure failure) implements BatchMessage {}

  /** Requests larger buffers for the current file. */
  record Grow(PoolShape wanted, ActorRef<FileCommand> replyTo) implements BatchMessage {}

  /** The larger buffers are open; without workers, the open failed. */
  record Grown(List<BlockWorker> workers, PoolShape shape, ActorRef<FileCommand> replyTo)
      implements BatchMessage {}

  /** Event of the current file. */
  record OfFile(FileEvent event) implements BatchMessage {}

  /** The actor of a file has stopped. */
  record FileActorEnded(ActorRef<Void> actor) implements BatchMessage {}

  /** The contexts could not be opened. */
  record Broken(FileFailure failure) implements BatchMessage {}

  /** All engines have stopped. */
  record EnginesStopped(Stopped answer) implements BatchMessage {}
}
