package io.dpuactors.file;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.Engine;
import io.dpuactors.engine.EngineGroup;
import io.dpuactors.engine.GroupOptions;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * The engine or engine group of a batch: a child of the actor that spawned it. The stages fail with
 * {@link FileException}. Immutable; thread: any.
 */
final class FileEngines {
  /** Time to wait for a reply after the group's own deadline. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private final ActorRef<EngineProtocol.Command> engine;
  private final ActorSystem<?> system;
  private final Duration openTimeout;
  private final Duration stopTimeout;

  private FileEngines(ActorRef<EngineProtocol.Command> engine, ActorSystem<?> system) {
    this.engine = engine;
    this.system = system;
    Config config = system.settings().config().getConfig("dpu.engine");
    openTimeout = config.getDuration("open-deadline").plus(MARGIN);
    stopTimeout = config.getDuration("stop-deadline").plus(MARGIN);
  }

  /** Spawns and watches one engine, or a group. */
  static FileEngines spawn(ActorContext<?> parent, int count) {
    ActorRef<EngineProtocol.Command> engine =
        count == 1
            ? Engine.spawn(parent, "engine")
            : EngineGroup.spawn(parent, "engine", GroupOptions.of(count));
    parent.watch(engine);
    return new FileEngines(engine, parent.getSystem());
  }

  /** Spawns and watches an actor in the place of an engine. */
  static FileEngines spawn(ActorContext<?> parent, Behavior<EngineProtocol.Command> behavior) {
    ActorRef<EngineProtocol.Command> engine = parent.spawn(behavior, "engine");
    parent.watch(engine);
    return new FileEngines(engine, parent.getSystem());
  }

  /** Opens one context of each library on all engines. */
  CompletionStage<List<ActorRef<?>>> openContexts(List<TaskOptions> options) {
    CompletionStage<List<ActorRef<?>>> all = CompletableFuture.completedFuture(List.of());
    for (TaskOptions each : options) {
      all =
          all.thenCompose(
              earlier ->
                  openContext(each)
                      .thenApply(
                          opened -> Stream.concat(earlier.stream(), Stream.of(opened)).toList()));
    }
    return all;
  }

  /** Opens one context on all engines. */
  CompletionStage<ActorRef<?>> openContext(TaskOptions options) {
    TaskLibrary library = DeviceChoice.library(options.kinds());
    return this.<ContextReply<LocalMessage>>ask(
            replyTo ->
                new EngineProtocol.OpenLibrary(library, library.shortName(), options, replyTo),
            openTimeout)
        .thenCompose(FileEngines::opened);
  }

  private static CompletionStage<ActorRef<?>> opened(ContextReply<?> reply) {
    return reply instanceof ContextReply.Opened<?> opened
        ? CompletableFuture.completedFuture(opened.context())
        : refused(((ContextReply.OpenFailed<?>) reply).error());
  }

  /** Opens buffers on all engines of a context. */
  CompletionStage<TaskBuffers> openBuffers(ActorRef<?> context, PoolShape shape) {
    BufferOptions options =
        BufferOptions.of(shape.count(), shape.sourceBytes(), shape.destinationBytes());
    return this.<BuffersReply>ask(
            replyTo -> new OpenBuffers(context, options, replyTo), openTimeout)
        .thenCompose(
            reply ->
                reply instanceof BuffersOpened opened
                    ? CompletableFuture.completedFuture(opened.buffers())
                    : FileEngines.<TaskBuffers>refused(((BuffersFailed) reply).error()));
  }

  /** Closes buffers, all of which are in their pools. */
  CompletionStage<Void> closeBuffers(TaskBuffers buffers) {
    return this.<PoolClosed>ask(replyTo -> new CloseBuffers(buffers, replyTo), openTimeout)
        .thenCompose(
            closed ->
                closed.failure().isEmpty()
                    ? CompletableFuture.<Void>completedFuture(null)
                    : CompletableFuture.<Void>failedFuture(
                        new FileException(
                            FileFailure.of(Kind.INTERNAL, null, closed.failure().get()))));
  }

  /** Stops the engines. The stage never fails. */
  CompletionStage<Stopped> stop() {
    return this.<Stopped>ask(Stop::new, stopTimeout)
        .exceptionally(e -> new Stopped(false, "the engines did not stop"));
  }

  private <R> CompletionStage<R> ask(
      Function<ActorRef<R>, EngineProtocol.Command> command, Duration limit) {
    return AskPattern.<EngineProtocol.Command, R>ask(
        engine, command::apply, limit, system.scheduler());
  }

  /**
   * Returns the failure that ends a batch. An unknown exception counts as a failure of the device.
   */
  static FileFailure failure(Throwable e) {
    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    if (cause instanceof DocaException known) {
      return FileFailure.of(Kind.DEVICE, null, known.error());
    }
    return cause instanceof FileException known
        ? known.failure()
        : FileFailure.of(Kind.DEVICE, null, String.valueOf(cause.getMessage()), cause);
  }

  /** Returns the failure of a batch that has lost an engine. */
  static FileFailure ended(Terminated engine) {
    Throwable cause = engine instanceof ChildFailed failed ? failed.getCause() : null;
    String why = cause == null ? "" : ": " + cause.getMessage();
    return FileFailure.of(
        Kind.DEVICE, null, engine.getRef().path().name() + " has ended" + why, cause);
  }

  private static <T> CompletionStage<T> refused(DocaError error) {
    return CompletableFuture.failedFuture(
        new FileException(FileFailure.of(Kind.DEVICE, null, error)));
  }
}
