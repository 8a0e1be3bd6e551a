package io.dpuactors.benchmarks.load;

import com.typesafe.config.Config;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

/** An actor system with engines and their loads. For threads other than the engines'. */
public final class LoadSystem implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  static final Duration RUN_LIMIT = Duration.ofMinutes(10);

  private final ActorSystem<Void> system;
  private final List<ActorRef<EngineProtocol.Command>> engines;
  private final List<BufferPairs> leased = new ArrayList<>();
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
    return new LoadSystem(
        ActorSystem.create(guardian, "load", config), Asking.await(started, LIMIT));
  }

  static String engineName(int number) {
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
  public LoopRun loop(int engine, Load load) {
    LoadTarget target = openTarget(engine, load);
    BufferPool sources = openPool(engine, load.window(), load.bytes());
    BufferPool destinations = openPool(engine, load.window(), load.destinationBytes());
    BufferPairs pairs = BufferPairs.filled(sources, destinations, load.window());
    return loop(engine, target, pairs, load.batch(), Integer.MAX_VALUE);
  }

  /**
   * Does the same with blocks of a channel, in batches.
   *
   * @param blocks number of blocks, each of the load's size
   * @param batchesInFlight largest number of batches in flight
   * @throws IllegalStateException if device or memory are not available, with the cause
   * @throws IOException if the blocks cannot be read
   */
  public LoopRun loop(
      int engine, Load load, int blocks, int batch, int batchesInFlight, ReadableByteChannel in)
      throws IOException {
    LoadTarget target = openTarget(engine, load);
    BufferPool sources = openPool(engine, blocks, load.bytes());
    BufferPool destinations = openPool(engine, blocks, load.destinationBytes());
    BufferPairs pairs = BufferPairs.read(sources, destinations, blocks, in);
    return loop(engine, target, pairs, batch, batchesInFlight);
  }

  /**
   * Opens a flow of Pekko Streams on the first engine.
   *
   * @throws IllegalArgumentException if no flow has this kind of load
   * @throws IllegalStateException if the device is not available, with the cause
   */
  public StreamRun stream(Load load, StreamRun.Form form) {
    return StreamRun.open(this, system, load, form);
  }

  private LoopRun loop(
      int engine, LoadTarget target, BufferPairs pairs, int batch, int maxInFlight) {
    leased.add(pairs);
    if (batch > 0) {
      pairs.inBatches(batch);
    }
    return new LoopRun(this, spawn(engine, LoadLoop.create(target, pairs, maxInFlight)), pairs);
  }

  /** Spawns an actor on the thread of an engine. */
  public <M> ActorRef<M> spawn(int engine, Behavior<M> behavior) {
    return system.systemActorOf(
        behavior, "load-" + names++, Engine.props(system, engineName(engine)));
  }

  private LoadTarget openTarget(int engine, Load load) {
    return LoadTarget.open(this, engine, "context-" + names++, load.kind(), load.window());
  }

  /**
   * Opens a context.
   *
   * @throws IllegalStateException if it cannot be opened, with the cause
   */
  public <C, R extends ContextReply<C>> ActorRef<C> open(
      int engine, Function<ActorRef<R>, EngineProtocol.Command> command) {
    R reply = ask(engine(engine), command);
    return Asking.opened(reply);
  }

  /**
   * Opens a pool on huge pages, as plain C does: with small pages, their placement sets the rate.
   */
  private BufferPool openPool(int engine, int count, int bytes) {
    MemoryOptions memory = MemoryOptions.defaults().withHugePages();
    return Asking.opened(
        this.<EngineProtocol.Command, PoolReply>ask(
            engine(engine),
            me -> new OpenPool(PoolOptions.of(count, bytes).withMemory(memory), me)));
  }

  /** Returns the name of the library that drives the device. */
  public String library() {
    return this.<EngineProtocol.Command, EngineProtocol.Status>ask(
            engine(0), EngineProtocol.GetStatus::new)
        .library();
  }

  /** Asks an actor and waits for its answer. */
  public <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message) {
    return Asking.ask(system, actor, message, RUN_LIMIT);
  }

  /**
   * Stops all engines.
   *
   * @throws IllegalStateException if an object stays open
   */
  @Override
  public void close() {
    leased.forEach(BufferPairs::release);
    List<String> left = new ArrayList<>();
    for (ActorRef<EngineProtocol.Command> engine : engines) {
      Stopped stopped = ask(engine, Stop::new);
      if (!stopped.clean()) {
        left.add(stopped.census());
      }
    }
    system.terminate();
    Asking.await(system.getWhenTerminated().toCompletableFuture(), LIMIT);
    if (!left.isEmpty()) {
      throw new IllegalStateException("left open: " + left);
    }
  }
}
