package io.dpuactors.apps.channel;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.apps.cli.Termination;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * An actor system with one engine, for a program that runs step by step. Each step makes a request
 * and waits for its reply. A signal to the process, or the engine's end, interrupts the wait.
 */
final class Channel implements AutoCloseable {
  private static final Duration FOREVER = Duration.ofDays(10);
  private static final Duration MARGIN = Duration.ofSeconds(5);
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(20);
  private static final Duration SYSTEM_GRACE = Duration.ofSeconds(10);

  private final CompletableFuture<Void> signalled = new CompletableFuture<>();
  private final CompletableFuture<Void> engineEnded = new CompletableFuture<>();
  private final ActorSystem<ChannelGuardian.Command> system;
  private final ActorRef<EngineProtocol.Command> engine;
  private final Duration stopTimeout;
  private final Interruption interruption;

  private Channel(Config config) throws ChannelException {
    CompletableFuture<ActorRef<EngineProtocol.Command>> started = new CompletableFuture<>();
    stopTimeout = config.getDuration("dpu.engine.stop-deadline").plus(MARGIN);
    system = ActorSystem.create(ChannelGuardian.create(started, engineEnded), "dpu", config);
    interruption = Interruption.of(() -> signalled.complete(null), SIGNAL_GRACE);
    try {
      engine = await(started);
    } catch (ChannelException e) {
      close();
      throw e;
    }
  }

  /** Starts the engine. The engine searches for a library and devices when a context opens. */
  static Channel open(Config config) throws ChannelException {
    return new Channel(config);
  }

  /** Returns the configuration of the actor system. */
  Config config() {
    return system.settings().config();
  }

  ActorRef<EngineProtocol.Command> engine() {
    return engine;
  }

  /** Spawns an actor on the engine's thread. */
  <T> ActorRef<T> spawnOnEngine(Behavior<T> behavior, String name) throws ChannelException {
    return spawn(behavior, name, Engine.props(system, ChannelGuardian.ENGINE));
  }

  <T> ActorRef<T> spawn(Behavior<T> behavior, String name, Props props) throws ChannelException {
    CompletableFuture<ActorRef<T>> spawned = new CompletableFuture<>();
    system.tell(
        new ChannelGuardian.Spawn(parent -> spawned.complete(parent.spawn(behavior, name, props))));
    return await(spawned);
  }

  /** Returns a future that completes when the actor has stopped. */
  CompletableFuture<Void> endOf(ActorRef<?> actor) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    system.tell(new ChannelGuardian.Watch(actor, ended));
    return ended;
  }

  /**
   * Sends a request and returns its reply.
   *
   * @param send sends the request; its argument receives the reply
   */
  <T> CompletionStage<T> answer(Consumer<ActorRef<T>> send) {
    return AskPattern.ask(
        system,
        (ActorRef<T> me) -> {
          send.accept(me);
          return ChannelGuardian.Nothing.INSTANCE;
        },
        FOREVER,
        system.scheduler());
  }

  /** Actor reference for one message, and the future of that message. */
  record Promise<T>(ActorRef<T> to, CompletableFuture<T> answer) {}

  <T> Promise<T> promise() {
    AtomicReference<ActorRef<T>> to = new AtomicReference<>();
    CompletionStage<T> answer = this.<T>answer(to::set);
    return new Promise<>(Objects.requireNonNull(to.get()), answer.toCompletableFuture());
  }

  /** Opens a context on the engine. */
  <C, R extends ContextReply<C>> ActorRef<C> open(
      Function<ActorRef<R>, EngineProtocol.Command> command) throws ChannelException {
    return open(ExitCode.DEVICE, command);
  }

  /**
   * Opens a context on the engine.
   *
   * @param failed exit status when the open fails
   */
  <C, R extends ContextReply<C>> ActorRef<C> open(
      ExitCode failed, Function<ActorRef<R>, EngineProtocol.Command> command)
      throws ChannelException {
    return opened(failed, this.<R>answer(me -> engine.tell(command.apply(me))));
  }

  /**
   * Waits until a context is open.
   *
   * @param failed exit status when the open fails
   */
  <C> ActorRef<C> opened(ExitCode failed, CompletionStage<? extends ContextReply<C>> answer)
      throws ChannelException {
    ContextReply<C> reply = await(answer);
    if (reply instanceof OpenFailed<C> failure) {
      throw new ChannelException(failed, failure.error());
    }
    return ((Opened<C>) reply).context();
  }

  BufferPool openPool(Function<ActorRef<PoolReply>, OpenPool> command) throws ChannelException {
    PoolReply reply = await(this.<PoolReply>answer(me -> engine.tell(command.apply(me))));
    if (reply instanceof PoolFailed failed) {
      throw new ChannelException(ExitCode.DEVICE, failed.error().toString());
    }
    return ((PoolOpened) reply).pool();
  }

  /**
   * Waits for a step.
   *
   * @throws ChannelException when the step fails, a signal arrives first, or the engine stops
   */
  <T> T await(CompletionStage<T> step) throws ChannelException {
    CompletableFuture<T> wanted = step.toCompletableFuture();
    try {
      CompletableFuture.anyOf(wanted, signalled, engineEnded).get();
      if (wanted.isDone()) {
        return wanted.get();
      }
    } catch (ExecutionException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ChannelException(
        ExitCode.FAILURE, signalled.isDone() ? "interrupted" : "the engine has ended");
  }

  private static ChannelException failed(ExecutionException e) {
    Throwable cause = e;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    boolean isSetting =
        cause instanceof ConfigException || cause instanceof IllegalArgumentException;
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new ChannelException(
        isSetting ? ExitCode.USAGE : ExitCode.DEVICE, why.lines().findFirst().orElse(""));
  }

  /**
   * Waits for a signal that stops the process.
   *
   * @throws ChannelException when the engine stops
   */
  void awaitSignal() throws ChannelException {
    try {
      CompletableFuture.anyOf(signalled, engineEnded).get();
    } catch (ExecutionException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!signalled.isDone()) {
      throw new ChannelException(ExitCode.DEVICE, "the engine has ended");
    }
  }

  /** Lets SIGTERM interrupt this program from now on. The program then chooses its exit status. */
  void endOnSigTerm() {
    Termination.onSigTerm(() -> signalled.complete(null));
  }

  /** Returns whether a signal has arrived. */
  boolean isSignalled() {
    return signalled.isDone();
  }

  /**
   * Waits for one step of an orderly stop, also after a signal. The limit is the engine's stop
   * deadline plus a margin.
   */
  void awaitStop(CompletableFuture<?> step) {
    Interruption.await(CompletableFuture.anyOf(step, engineEnded), stopTimeout, "orderly stop");
  }

  /** Stops the engine with all its children. The reply lists the resources that are still open. */
  Stopped stopEngine() {
    if (engineEnded.isDone()) {
      return Stopped.CLEAN;
    }
    CompletableFuture<Stopped> answer =
        AskPattern.<EngineProtocol.Command, Stopped>ask(
                engine, Stop::new, stopTimeout, system.scheduler())
            .exceptionally(e -> new Stopped(false, "the engine did not stop in time"))
            .toCompletableFuture();
    Interruption.await(answer, stopTimeout.plus(MARGIN), "stop of the engine");
    return answer.getNow(new Stopped(false, "the engine did not answer"));
  }

  @Override
  public void close() {
    system.terminate();
    Interruption.await(
        system.getWhenTerminated().toCompletableFuture(), SYSTEM_GRACE, "end of the actors");
    interruption.over();
  }
}
