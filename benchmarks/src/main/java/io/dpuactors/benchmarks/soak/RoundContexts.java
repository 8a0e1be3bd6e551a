package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.load.Asking;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The contexts of a round on two engines, and the requests to them: contexts of tasks, a sync event
 * and the servers on one, the clients on the other. Thread: any after {@link #open}.
 */
final class RoundContexts {
  private final SoakSystem system;
  private final Ledger ledger;
  private final List<ActorRef<EngineProtocol.Command>> engines;
  private final int window;
  private final List<SoakContext<?>> contexts = new ArrayList<>();
  private final Map<Kind, Workload> workloads = new EnumMap<>(Kind.class);
  private final AtomicInteger reopened = new AtomicInteger();
  private final AtomicInteger served = new AtomicInteger();
  private volatile boolean isEnding;

  private RoundContexts(
      SoakSystem system,
      Ledger ledger,
      List<ActorRef<EngineProtocol.Command>> engines,
      int window) {
    this.system = system;
    this.ledger = ledger;
    this.engines = engines;
    this.window = window;
  }

  /**
   * Opens everything.
   *
   * @param window tasks in flight of each context or connection
   * @throws IllegalStateException when something cannot be opened
   */
  static RoundContexts open(
      SoakSystem system,
      Ledger ledger,
      List<ActorRef<EngineProtocol.Command>> engines,
      RoundPlace place,
      int window) {
    RoundContexts round = new RoundContexts(system, ledger, engines, window);
    Map<Kind, Workload> workloads = round.workloads;
    TaskRecipe.all()
        .forEach((kind, recipe) -> workloads.put(kind, TaskWorkload.open(round, kind, recipe)));
    workloads.put(Kind.SHA_SESSION, SessionWorkload.open(round));
    workloads.put(Kind.SYNC_EVENT, EventWorkload.open(round));
    workloads.put(Kind.COMCH, MessageWorkload.open(round, place.service()));
    workloads.put(Kind.RDMA, RdmaWorkload.open(round, place.port()));
    return round;
  }

  /**
   * Adds a context and opens it.
   *
   * @throws IllegalStateException when it cannot be opened
   */
  <C> SoakContext<C> add(String name, SoakContext.Opening<C> opening) {
    SoakContext<C> context = new SoakContext<>(this, name, opening);
    context.begin();
    contexts.add(context);
    return context;
  }

  /**
   * Adds a context of an engine and opens it.
   *
   * @param engine number of the engine
   * @throws IllegalStateException when it cannot be opened
   */
  <C, R extends ContextReply<C>> SoakContext<C> add(
      int engine, String name, Function<ActorRef<R>, EngineProtocol.Command> command) {
    return add(name, () -> ask(engine, command));
  }

  /** Adds a context of tasks on the first engine. */
  SoakContext<LocalMessage> addTasks(String name, TaskLibrary library) {
    TaskOptions options = TaskOptions.defaults().withWindow(window);
    return this.<LocalMessage, ContextReply<LocalMessage>>add(
        0, name, me -> new OpenLibrary(library, name, options, me));
  }

  /**
   * Opens a pool.
   *
   * @param engine number of the engine
   * @throws IllegalStateException when it cannot be opened
   */
  BufferPool pool(int engine, PoolOptions options) {
    return Asking.opened(this.<PoolReply>ask(engine, me -> new OpenPool(options, me)));
  }

  /** Asks the engine with this number, and waits for its answer. */
  <R> R ask(int engine, Function<ActorRef<R>, EngineProtocol.Command> command) {
    return system.ask(engines.get(engine), command);
  }

  /** Returns the receiver of the answers to requests of a kind. */
  <R extends LocalMessage> ActorRef<R> answers(Kind kind) {
    return system.answers(kind).narrow();
  }

  SoakSystem system() {
    return system;
  }

  Ledger ledger() {
    return ledger;
  }

  int window() {
    return window;
  }

  List<ActorRef<EngineProtocol.Command>> engines() {
    return engines;
  }

  /** Returns the requests of a kind. */
  Workload of(Kind kind) {
    return Objects.requireNonNull(workloads.get(kind));
  }

  /** Returns what can be stopped and killed. */
  List<SoakContext<?>> contexts() {
    return contexts;
  }

  /** Opens no context again from now on: the round ends. */
  void keepClosed() {
    isEnding = true;
  }

  boolean isEnding() {
    return isEnding;
  }

  void noteReopened() {
    reopened.incrementAndGet();
  }

  /** Returns how many contexts were opened again. */
  int reopened() {
    return reopened.get();
  }

  void noteServed() {
    served.incrementAndGet();
  }

  /** Returns how many RDMA clients of other processes have begun. */
  int served() {
    return served.get();
  }
}
