package io.dpuactors.engine;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.engine.EngineMessage.ShutDown;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol.Command;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function3;
import org.jspecify.annotations.Nullable;

/**
 * The engines of an actor system. Any thread.
 *
 * <p>The extension also answers requests to contexts that have ended.
 *
 * <p>When the system terminates, Pekko's coordinated shutdown stops the contexts of every engine in
 * the phase {@code dpu-engines}: after {@code service-stop}, before the actor system ends. The
 * phase's {@code timeout} bounds the stop. An engine then ends as soon as its leases are returned.
 */
public final class DpuActors implements Extension {
  private static final ExtensionId<DpuActors> ID =
      new ExtensionId<>() {
        @Override
        public DpuActors createExtension(ActorSystem<?> system) {
          return new DpuActors(system);
        }
      };

  private static final String PHASES = "pekko.coordinated-shutdown.phases.";
  private static final String PHASE = "dpu-engines";
  private static final String DEFAULT_ENGINE = "default";

  /** Time that an answer of an engine may take after its own deadline. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final ActorSystem<?> system;

  /** Each engine, and the end of its contexts. */
  private final Map<ActorRef<Command>, CompletableFuture<Done>> engines = new ConcurrentHashMap<>();

  private @Nullable ActorRef<Command> engine;

  private DpuActors(ActorSystem<?> system) {
    this.system = system;
    String phase = phase(system.settings().config());
    CoordinatedShutdown.get(system).addTask(phase, "stop-dpu-engines", this::stopAll);
    DeadRequests.of(system);
  }

  /** Returns the extension of an actor system. */
  public static DpuActors get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /**
   * Returns the system's default engine. The first call starts it with the settings of {@code
   * dpu.engine}; it runs until the system terminates. If the start fails, the engine ends, the log
   * has the cause, and its requests fail.
   */
  public synchronized ActorRef<Command> engine() {
    ActorRef<Command> existing = engine;
    if (existing == null) {
      existing =
          system.systemActorOf(Engine.create(), "dpu-engine", Engine.props(system, DEFAULT_ENGINE));
      engine = existing;
    }
    return existing;
  }

  /**
   * Asks an engine for a context, or a connection for a producer or a consumer.
   *
   * @param parent opens the context and supervises it
   * @param command the constructor of the command, such as {@code OpenCompress::new}
   * @param name unique among the contexts of the parent
   * @return the actor of the context. The stage fails with a {@link DocaException} that has the
   *     error of {@code OpenFailed}. It fails with Pekko's {@code TimeoutException} if the parent
   *     has ended, or has not answered some seconds after {@code dpu.engine.open-deadline}; a
   *     context that opens later stops. With {@code Opening} the stage succeeds: the client
   *     connects later.
   */
  public <M, O, C, R extends ContextReply<C>> CompletionStage<ActorRef<C>> open(
      ActorRef<M> parent, Function3<String, O, ActorRef<R>, M> command, String name, O options) {
    return AskPattern.<M, R>ask(
            parent, me -> command.apply(name, options, me), answerLimit(system), system.scheduler())
        .thenApply(DpuActors::context);
  }

  /** Returns the time in which an engine answers a command that opens a context, with a margin. */
  static Duration answerLimit(ActorSystem<?> system) {
    return system.settings().config().getDuration("dpu.engine.open-deadline").plus(MARGIN);
  }

  private static <C> ActorRef<C> context(ContextReply<C> reply) {
    if (reply instanceof ContextReply.Opened<C> opened) {
      return opened.context();
    }
    if (reply instanceof ContextReply.Opening<C> opening) {
      return opening.context();
    }
    throw new DocaException(((ContextReply.OpenFailed<C>) reply).error());
  }

  /** Adds an engine that has started. */
  void started(ActorRef<Command> started) {
    engines.put(started, new CompletableFuture<>());
  }

  /** Reports that all contexts of a stopping engine have ended. */
  void contextsEnded(ActorRef<Command> stopping) {
    CompletableFuture<Done> contexts = engines.get(stopping);
    if (contexts != null) {
      contexts.complete(Done.getInstance());
    }
  }

  /** Removes an engine that has ended. */
  void ended(ActorRef<Command> ended) {
    contextsEnded(ended);
    engines.remove(ended);
  }

  /**
   * Returns the phase that stops engines. Another library's configuration may define the order of
   * phases without {@code dpu-engines}; the phase before the system's end then stops the engines.
   */
  static String phase(Config config) {
    String last = CoordinatedShutdown.PhaseBeforeActorSystemTerminate();
    return config.getStringList(PHASES + last + ".depends-on").contains(PHASE) ? PHASE : last;
  }

  /** Stops the present engines. One that starts meanwhile ends with the actor system. */
  private CompletionStage<Done> stopAll() {
    Map<ActorRef<Command>, CompletableFuture<Done>> present = new LinkedHashMap<>(engines);
    present.keySet().forEach(one -> one.<Object>unsafeUpcast().tell(ShutDown.INSTANCE));
    return CompletableFuture.allOf(present.values().toArray(CompletableFuture[]::new))
        .thenApply(none -> Done.getInstance());
  }
}
