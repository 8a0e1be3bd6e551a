package io.dpuactors.apps.file;

import com.typesafe.config.Config;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileBatch;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.PartialFiles;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Runs one batch in an actor system. A signal ends the batch: the signal hook deletes partial
 * outputs at once, then waits up to 5 s for the engines to stop.
 */
public final class BatchRunner {
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(5);
  private static final Duration SYSTEM_GRACE = Duration.ofSeconds(10);

  private BatchRunner() {}

  private sealed interface Message {}

  private record Event(BatchEvent event) implements Message {}

  private enum Interrupt implements Message {
    INSTANCE
  }

  /** Creates the behavior of a batch. */
  public interface Batch {
    Behavior<FileBatch.Command> create(PartialFiles partials, ActorRef<BatchEvent> listener);
  }

  /**
   * Runs a batch to its end.
   *
   * @param batch stops after {@link BatchEvent.Ended}
   * @param partials closed after a signal, which deletes partial outputs
   * @param listener called on one thread at a time; its last event is {@link BatchEvent.Ended}
   */
  public static void run(
      Batch batch, PartialFiles partials, Config config, Consumer<BatchEvent> listener)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    CompletableFuture<ActorSystem<Message>> created = new CompletableFuture<>();
    // Registered before the actors start: the first partial file can exist before create returns.
    Interruption interruption = Interruption.of(() -> onSignal(partials, created), SIGNAL_GRACE);
    try {
      ActorSystem<Message> system =
          ActorSystem.create(guardian(batch, partials, listener, ended), "dpu", config);
      created.complete(system);
      await(system, ended);
    } finally {
      interruption.over();
    }
  }

  private static void await(ActorSystem<Message> system, CompletableFuture<Void> ended)
      throws InterruptedException, ExecutionException {
    try {
      ended.get();
    } finally {
      system.terminate();
      Interruption.await(
          system.getWhenTerminated().toCompletableFuture(), SYSTEM_GRACE, "end of the actors");
    }
  }

  private static void onSignal(
      PartialFiles partials, CompletionStage<ActorSystem<Message>> created) {
    try {
      partials.close();
    } finally {
      created.thenAccept(system -> system.tell(Interrupt.INSTANCE));
    }
  }

  private static Behavior<Message> guardian(
      Batch kind,
      PartialFiles partials,
      Consumer<BatchEvent> listener,
      CompletableFuture<Void> ended) {
    return Behaviors.setup(
        context -> {
          ActorRef<BatchEvent> events = context.messageAdapter(BatchEvent.class, Event::new);
          ActorRef<FileBatch.Command> batch =
              context.spawn(kind.create(partials, events), "batch", DispatcherSelector.blocking());
          context.watch(batch);
          return Behaviors.receive(Message.class)
              .onMessage(
                  Event.class,
                  m -> {
                    listener.accept(explained(m.event(), context.getSystem()));
                    if (m.event() instanceof BatchEvent.Ended) {
                      ended.complete(null);
                    }
                    return Behaviors.same();
                  })
              .onMessage(
                  Interrupt.class,
                  m -> {
                    batch.tell(FileBatch.Cancel.INSTANCE);
                    return Behaviors.same();
                  })
              .onSignal(Terminated.class, s -> Behaviors.stopped())
              .onSignal(
                  PostStop.class,
                  s -> {
                    if (!ended.isDone()) {
                      onStopped(context.getSystem(), listener, ended);
                    }
                    return Behaviors.same();
                  })
              .build();
        });
  }

  /** Replaces the failure of a batch whose engines have ended because a fleet ended this member. */
  private static BatchEvent explained(BatchEvent event, ActorSystem<?> system) {
    if (event instanceof BatchEvent.Ended ended && ended.failure().isPresent()) {
      Optional<FileFailure> failure = byFleet(system).or(ended::failure);
      return new BatchEvent.Ended(ended.clean(), ended.census(), failure);
    }
    return event;
  }

  /**
   * Reports an actor system that has stopped before its batch: a fleet has ended this member, or
   * Pekko ended the system at a signal before the batch received its interrupt.
   */
  private static void onStopped(
      ActorSystem<?> system, Consumer<BatchEvent> listener, CompletableFuture<Void> ended) {
    Optional<FileFailure> failure = byFleet(system);
    if (failure.isEmpty() && isEndOf(system, CoordinatedShutdown.jvmExitReason())) {
      failure = Optional.of(failure(FileFailure.Kind.CANCELLED, "interrupted"));
    }
    if (failure.isPresent()) {
      listener.accept(new BatchEvent.Ended(true, "not taken", failure));
      ended.complete(null);
    } else {
      ended.completeExceptionally(
          new IllegalStateException(
              "the batch ended without a result; reason: "
                  + CoordinatedShutdown.get(system).getShutdownReason()));
    }
  }

  /** Returns the failure of a client that a fleet has removed, or refused for its configuration. */
  public static Optional<FileFailure> byFleet(ActorSystem<?> system) {
    if (isEndOf(system, CoordinatedShutdown.clusterDowningReason())) {
      return Optional.of(
          failure(
              FileFailure.Kind.REMOVED,
              "the rest of the fleet has removed this client; start it again"));
    }
    return isEndOf(system, CoordinatedShutdown.incompatibleConfigurationDetectedReason())
        ? Optional.of(
            failure(
                FileFailure.Kind.REFUSED,
                "the fleet refused this client: its configuration differs"))
        : Optional.empty();
  }

  private static boolean isEndOf(ActorSystem<?> system, CoordinatedShutdown.Reason reason) {
    return CoordinatedShutdown.get(system).getShutdownReason().equals(Optional.of(reason));
  }

  private static FileFailure failure(FileFailure.Kind kind, String why) {
    return new FileFailure(kind, null, OptionalLong.empty(), Optional.empty(), why, null);
  }
}
