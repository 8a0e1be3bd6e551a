package io.dpuactors.file;

import com.typesafe.config.Config;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.Engine;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * Engines of a batch: children of the actor that spawned them. Each step sends a request to all
 * engines and ends after the last reply. The stages fail with {@link FileException}. Immutable;
 * thread: any.
 */
final class FileEngines {
  /** Time to wait for a reply after an engine's deadline. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final List<ActorRef<EngineProtocol.Command>> engines;
  private final ActorSystem<?> system;
  private final Duration openTimeout;
  private final Duration stopTimeout;

  private FileEngines(List<ActorRef<EngineProtocol.Command>> engines, ActorSystem<?> system) {
    this.engines = List.copyOf(engines);
    this.system = system;
    Config engine = system.settings().config().getConfig("dpu.engine");
    openTimeout = engine.getDuration("open-deadline").plus(MARGIN);
    stopTimeout = engine.getDuration("stop-deadline").plus(MARGIN);
  }

  /** Spawns and watches engines. */
  static FileEngines spawn(ActorContext<?> parent, int count) {
    List<ActorRef<EngineProtocol.Command>> engines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ActorRef<EngineProtocol.Command> engine = Engine.spawn(parent, "engine-" + i);
      parent.watch(engine);
      engines.add(engine);
    }
    return new FileEngines(engines, parent.getSystem());
  }

  /** Opens one context in each engine, in the engines' order. */
  CompletionStage<List<ActorRef<?>>> openContexts(TaskOptions options) {
    return all(engines.stream().map(engine -> openContext(engine, options)));
  }

  private CompletableFuture<ActorRef<?>> openContext(
      ActorRef<EngineProtocol.Command> engine, TaskOptions options) {
    TaskLibrary library = DeviceChoice.library(options.kinds());
    return AskPattern.<EngineProtocol.Command, ContextReply<LocalMessage>>ask(
            engine,
            replyTo ->
                new EngineProtocol.OpenLibrary(library, library.shortName(), options, replyTo),
            openTimeout,
            system.scheduler())
        .thenCompose(FileEngines::opened)
        .toCompletableFuture();
  }

  private static CompletionStage<ActorRef<?>> opened(ContextReply<?> reply) {
    return reply instanceof ContextReply.Opened<?> opened
        ? CompletableFuture.completedFuture(opened.context())
        : refused(((ContextReply.OpenFailed<?>) reply).error());
  }

  /** Opens two pools in each engine, for its context. */
  CompletionStage<List<BlockWorker>> openPools(
      List<ActorRef<?>> contexts, String device, PoolShape shape) {
    List<CompletableFuture<BlockWorker>> workers = new ArrayList<>();
    for (int i = 0; i < engines.size(); i++) {
      ActorRef<EngineProtocol.Command> engine = engines.get(i);
      ActorRef<?> context = contexts.get(i);
      workers.add(
          openPool(engine, device, shape.count(), shape.sourceBytes())
              .thenCombine(
                  openPool(engine, device, shape.count(), shape.destinationBytes()),
                  (sources, destinations) -> BlockWorker.of(context, sources, destinations)));
    }
    return all(workers.stream());
  }

  private CompletableFuture<BufferPool> openPool(
      ActorRef<EngineProtocol.Command> engine, String device, int count, int bytes) {
    return AskPattern.<EngineProtocol.Command, EngineProtocol.PoolReply>ask(
            engine,
            replyTo ->
                new EngineProtocol.OpenPool(PoolOptions.of(count, bytes).onDevice(device), replyTo),
            openTimeout,
            system.scheduler())
        .thenCompose(
            reply ->
                reply instanceof EngineProtocol.PoolOpened opened
                    ? CompletableFuture.completedFuture(opened.pool())
                    : FileEngines.<BufferPool>refused(((EngineProtocol.PoolFailed) reply).error()))
        .toCompletableFuture();
  }

  /** Closes the memory of workers, all of whose buffers are in their pools. */
  CompletionStage<Void> closePools(List<BlockWorker> workers) {
    List<CompletableFuture<Void>> closed = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      closed.add(closePool(engines.get(i), workers.get(i).sources()));
      closed.add(closePool(engines.get(i), workers.get(i).destinations()));
    }
    return CompletableFuture.allOf(closed.toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<Void> closePool(
      ActorRef<EngineProtocol.Command> engine, BufferPool pool) {
    return AskPattern.<EngineProtocol.Command, EngineProtocol.PoolClosed>ask(
            engine,
            replyTo -> new EngineProtocol.ClosePool(pool, replyTo),
            openTimeout,
            system.scheduler())
        .thenCompose(
            reply ->
                reply.failure().isEmpty()
                    ? CompletableFuture.<Void>completedFuture(null)
                    : CompletableFuture.<Void>failedFuture(
                        new FileException(
                            FileFailure.of(Kind.INTERNAL, null, reply.failure().get()))))
        .toCompletableFuture();
  }

  /** Stops the engines that still run. The result combines all replies; the stage never fails. */
  CompletionStage<Stopped> stop(List<ActorRef<Void>> dead) {
    return all(engines.stream()
            .filter(engine -> !dead.contains(engine.<Void>unsafeUpcast()))
            .map(this::stop))
        .thenApply(FileEngines::sum)
        .exceptionally(e -> new Stopped(false, String.valueOf(e.getMessage())));
  }

  private CompletableFuture<Stopped> stop(ActorRef<EngineProtocol.Command> engine) {
    return AskPattern.<EngineProtocol.Command, Stopped>ask(
            engine, Stop::new, stopTimeout, system.scheduler())
        .exceptionally(e -> new Stopped(false, engine.path().name() + " did not stop"))
        .toCompletableFuture();
  }

  private static Stopped sum(List<Stopped> all) {
    List<String> left = all.stream().filter(s -> !s.clean()).map(Stopped::census).toList();
    return new Stopped(left.isEmpty(), left.isEmpty() ? "empty" : String.join("; ", left));
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

  private static <T> CompletableFuture<List<T>> all(Stream<CompletableFuture<T>> parts) {
    List<CompletableFuture<T>> list = parts.toList();
    return CompletableFuture.allOf(list.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> list.stream().map(CompletableFuture::join).toList());
  }
}
