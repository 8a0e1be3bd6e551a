package io.dpuactors.apps;

import com.typesafe.config.Config;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileBatch;
import io.dpuactors.file.PartialFiles;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
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
final class BatchRunner {
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(5);
  private static final Duration SYSTEM_GRACE = Duration.ofSeconds(10);

  private BatchRunner() {}

  private sealed interface Message {}

  private record Event(BatchEvent event) implements Message {}

  private enum Interrupt implements Message {
    INSTANCE
  }

  /** Creates the behavior of a batch. */
  interface Batch {
    Behavior<FileBatch.Command> create(PartialFiles partials, ActorRef<BatchEvent> listener);
  }

  /**
   * Runs a batch to its end.
   *
   * @param batch stops after {@link BatchEvent.Ended}
   * @param listener called on one thread at a time; its last event is {@link BatchEvent.Ended}
   */
  static void run(Batch batch, Config config, Consumer<BatchEvent> listener)
      throws InterruptedException, ExecutionException {
    PartialFiles partials = PartialFiles.create();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    ActorSystem<Message> system =
        ActorSystem.create(guardian(batch, partials, listener, ended), "dpu", config);
    Interruption interruption = Interruption.of(() -> onSignal(partials, system), SIGNAL_GRACE);
    try {
      ended.get();
    } finally {
      system.terminate();
      Interruption.await(
          system.getWhenTerminated().toCompletableFuture(), SYSTEM_GRACE, "end of the actors");
      interruption.over();
    }
  }

  private static void onSignal(PartialFiles partials, ActorSystem<Message> system) {
    try {
      partials.close();
    } finally {
      system.tell(Interrupt.INSTANCE);
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
                    listener.accept(m.event());
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
                    ended.completeExceptionally(
                        new IllegalStateException("the batch ended without a result"));
                    return Behaviors.same();
                  })
              .build();
        });
  }
}
