package io.dpuactors.file;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.Stopped;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Common part of {@link FileBatch} and {@link HashBatch}: the life of the engines. The batch
 * chooses the device, spawns the engines, stops them after the files, and reports the end.
 */
abstract class DeviceBatch extends AbstractBehavior<FileBatch.Command> {
  final ActorRef<? super BatchEvent> listener;
  private boolean stopping;
  private @Nullable DeviceChoice choice;
  private @Nullable FileEngines engines;
  private @Nullable FileFailure failure;

  DeviceBatch(ActorContext<FileBatch.Command> context, ActorRef<? super BatchEvent> listener) {
    super(context);
    this.listener = listener;
    context.getSelf().tell(BatchMessage.Begin.INSTANCE);
  }

  /** Chooses the device for all files. */
  abstract DeviceChoice choose(DocaLibrary library) throws FileException;

  /** Spawns the engines. */
  abstract FileEngines spawnEngines();

  /** Opens contexts on the engines. Returns the message to this batch that reports them. */
  abstract CompletionStage<? extends BatchMessage> open(FileEngines engines, DeviceChoice device);

  /** Cancels the files that run. Returns whether no file runs. */
  abstract boolean cancelFiles();

  /** Returns the handlers that all batches share. Each subclass adds its handlers. */
  final ReceiveBuilder<FileBatch.Command> receiving() {
    return newReceiveBuilder()
        .onMessage(BatchMessage.Begin.class, m -> onBegin())
        .onMessage(BatchMessage.Broken.class, m -> stop(m.failure()))
        .onMessage(BatchMessage.EnginesStopped.class, m -> onEnginesStopped(m.answer()))
        .onMessage(
            FileBatch.Cancel.class, m -> stop(FileFailure.of(Kind.CANCELLED, null, "cancelled")));
  }

  private Behavior<FileBatch.Command> onBegin() {
    try {
      String wanted = getContext().getSystem().settings().config().getString("dpu.library");
      DeviceChoice chosen = choose(DocaLibrary.load(LibraryChoice.parse(wanted)));
      choice = chosen;
      FileEngines spawned = spawnEngines();
      engines = spawned;
      getContext()
          .pipeToSelf(
              open(spawned, chosen),
              (opened, e) -> e == null ? opened : new BatchMessage.Broken(FileEngines.failure(e)));
      return this;
    } catch (FileException | RuntimeException | LinkageError e) {
      return stop(FileEngines.failure(e));
    }
  }

  /** Returns the chosen device. */
  final DeviceChoice choice() {
    return known(choice);
  }

  final boolean isStopping() {
    return stopping;
  }

  /** Reports that all contexts run. */
  final void reportOpened(int engineCount) {
    DeviceChoice chosen = choice();
    listener.tell(
        new BatchEvent.Opened(
            chosen.library(), chosen.version(), chosen.device().pciAddress(), engineCount));
  }

  /** Handles the end of the engines: nothing is left to stop. */
  final Behavior<FileBatch.Command> onEnginesEnded(Terminated ended) {
    engines = null;
    return stop(FileEngines.ended(ended));
  }

  /** Cancels the files before it stops the engines: the files have leases of their memory. */
  final Behavior<FileBatch.Command> stop(@Nullable FileFailure why) {
    if (stopping) {
      return this;
    }
    stopping = true;
    failure = why;
    return cancelFiles() ? stopEngines() : this;
  }

  /** Stops the engines after the last file. */
  final Behavior<FileBatch.Command> stopEngines() {
    if (engines == null) {
      return onEnginesStopped(Stopped.CLEAN);
    }
    getContext().pipeToSelf(engines.stop(), (answer, e) -> new BatchMessage.EnginesStopped(answer));
    return this;
  }

  private Behavior<FileBatch.Command> onEnginesStopped(Stopped answer) {
    listener.tell(
        new BatchEvent.Ended(answer.clean(), answer.census(), Optional.ofNullable(failure)));
    return Behaviors.stopped();
  }

  static <T> T known(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("used before it was opened");
    }
    return value;
  }
}
