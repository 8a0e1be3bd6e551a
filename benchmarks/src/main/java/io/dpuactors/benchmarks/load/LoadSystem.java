package io.dpuactors.benchmarks.load;

import com.typesafe.config.Config;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.Engine;
import io.dpuactors.loop.EngineDispatchers;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaOptions;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import io.dpuactors.protocol.EngineProtocol.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

/** An actor system with engines and their loads. For threads other than the engines'. */
public final class LoadSystem implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration RUN_LIMIT = Duration.ofMinutes(10);

  private final ActorSystem<Void> system;
  private final List<ActorRef<EngineProtocol.Command>> engines;
  private final List<Places> leased = new ArrayList<>();
  private int names;

  private LoadSystem(ActorSystem<Void> system, List<ActorRef<EngineProtocol.Command>> engines) {
    this.system = system;
    this.engines = engines;
  }

  /**
   * Starts a number of engines.
   *
   * @throws InvalidSettingException if an environment variable of the software DPU is invalid
   * @throws IllegalStateException if the DOCA libraries cannot be loaded, with the cause
   */
  public static LoadSystem start(Config config, int engines) {
    DocaLibrary.load(LibraryChoice.parse(config.getString("dpu.library")));
    CompletableFuture<List<ActorRef<EngineProtocol.Command>>> started = new CompletableFuture<>();
    Behavior<Void> guardian =
        Behaviors.setup(
            context -> {
              List<ActorRef<EngineProtocol.Command>> all = new ArrayList<>();
              for (int i = 0; i < engines; i++) {
                all.add(Engine.spawn(context, engineName(i)));
              }
              started.complete(all);
              return Behaviors.empty();
            });
    return new LoadSystem(ActorSystem.create(guardian, "load", config), await(started, LIMIT));
  }

  private static String engineName(int number) {
    return "e" + number;
  }

  /** Returns an engine by its number, from 0. */
  public ActorRef<EngineProtocol.Command> engine(int number) {
    return engines.get(number);
  }

  /**
   * Opens a context, and starts an actor on its engine's thread that keeps it busy.
   *
   * @throws IllegalStateException if device or memory are not available, with the cause
   */
  public LoopRun closedLoop(int engine, Load load) {
    ActorRef<Object> target = openContext(engine, load);
    Places places = places(engine, load);
    return new LoopRun(
        this,
        spawn(
            engine,
            load.batch() > 0
                ? BatchLoop.create(load, target, places)
                : ClosedLoop.create(load, target, places)));
  }

  /** Does the same for tasks that become due independently of the device. */
  public PacedRun openLoop(int engine, Load load) {
    ActorRef<Object> target = openContext(engine, load);
    Places places = places(engine, load);
    return new PacedRun(this, spawn(engine, OpenLoop.create(load, target, places)));
  }

  /** Spawns an actor on the thread of an engine. */
  public <M> ActorRef<M> spawn(int engine, Behavior<M> behavior) {
    return system.systemActorOf(
        behavior, "load-" + names++, EngineDispatchers.select(system, engineName(engine)));
  }

  private Places places(int engine, Load load) {
    BufferPool sources = openPool(engine, load.window(), load.bytes());
    BufferPool destinations = openPool(engine, load.window(), load.destinationBytes());
    Places places = Places.lease(sources, destinations, load.window());
    leased.add(places);
    return places;
  }

  private ActorRef<Object> openContext(int engine, Load load) {
    String name = "context-" + names++;
    return switch (load.kind()) {
      case COMPRESS ->
          opened(
              this.<EngineProtocol.Command, OpenReply<CompressProtocol.Command>>ask(
                  engine(engine),
                  me ->
                      new OpenCompress(
                          name,
                          CompressOptions.defaults()
                              .withKinds(TaskKind.COMPRESS_DEFLATE)
                              .withWindow(load.window()),
                          me)));
      case DMA ->
          opened(
              this.<EngineProtocol.Command, OpenReply<DmaProtocol.Command>>ask(
                  engine(engine),
                  me -> new OpenDma(name, DmaOptions.defaults().withWindow(load.window()), me)));
    };
  }

  private static <C> ActorRef<Object> opened(OpenReply<C> reply) {
    if (reply instanceof OpenFailed<C> failed) {
      throw new IllegalStateException(failed.error().toString());
    }
    return ((Opened<C>) reply).context().unsafeUpcast();
  }

  /** Opens a pool of registered buffers. */
  public BufferPool openPool(int engine, int count, int bytes) {
    PoolReply reply = ask(engine(engine), me -> new OpenPool(Optional.empty(), count, bytes, me));
    if (reply instanceof PoolFailed failed) {
      throw new IllegalStateException(failed.error().toString());
    }
    return ((PoolOpened) reply).pool();
  }

  /** Returns the name of the library that drives the device. */
  public String library() {
    return this.<EngineProtocol.Command, EngineProtocol.Status>ask(
            engine(0), EngineProtocol.GetStatus::new)
        .library();
  }

  /** Asks an actor and waits for its answer. */
  public <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message) {
    return await(
        AskPattern.ask(actor, message, RUN_LIMIT, system.scheduler()).toCompletableFuture(),
        RUN_LIMIT.plusSeconds(1));
  }

  private static <R> R await(CompletableFuture<R> future, Duration limit) {
    try {
      return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("no answer from an actor", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an actor", e);
    }
  }

  /**
   * Stops all engines.
   *
   * @throws IllegalStateException if an object stays open
   */
  @Override
  public void close() {
    leased.forEach(Places::release);
    List<String> left = new ArrayList<>();
    for (ActorRef<EngineProtocol.Command> engine : engines) {
      Stopped stopped = ask(engine, EngineProtocol.Stop::new);
      if (!stopped.clean()) {
        left.add(stopped.census());
      }
    }
    system.terminate();
    await(system.getWhenTerminated().toCompletableFuture(), LIMIT);
    if (!left.isEmpty()) {
      throw new IllegalStateException("left open: " + left);
    }
  }
}
