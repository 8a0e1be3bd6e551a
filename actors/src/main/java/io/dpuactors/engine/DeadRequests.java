package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.BufferRequest;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.AllDeadLetters;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Product;

/**
 * Handles messages of engines and contexts that Pekko turns into dead letters. Requests are
 * answered, because every request gets exactly one answer. Buffers in answers return to their
 * pools, and contexts in answers stop. The settings that log dead letters have no effect here.
 */
final class DeadRequests implements Extension {
  private static final ExtensionId<DeadRequests> ID =
      new ExtensionId<>() {
        @Override
        public DeadRequests createExtension(ActorSystem<?> system) {
          return new DeadRequests(system);
        }
      };

  private static final Logger LOG = LoggerFactory.getLogger(DeadRequests.class);

  private static final DocaError CONTEXT_ENDED =
      DocaError.of("context", DocaCode.SHUTDOWN, "the context of the request has ended");
  private static final DocaError ENGINE_ENDED =
      DocaError.of("engine", DocaCode.SHUTDOWN, "the engine has ended");

  private final Set<ActorPath> engines = ConcurrentHashMap.newKeySet();

  /** The causes for which engines could not start. */
  private final Map<ActorPath, DocaError> notStarted = new ConcurrentHashMap<>();

  /** Stop outcomes of the engines that left resources open. */
  private final Map<org.apache.pekko.actor.ActorRef, Stopped> losses = new ConcurrentHashMap<>();

  private DeadRequests(ActorSystem<?> system) {
    ActorRef<AllDeadLetters> answerer =
        system.systemActorOf(answerer(), "dpu-dead-requests", Props.empty());
    // Pekko's typed event stream subscribes asynchronously and would miss the first letters.
    Adapter.toClassic(system)
        .eventStream()
        .subscribe(Adapter.toClassic(answerer), AllDeadLetters.class);
  }

  /** Starts answering the requests to ended contexts of an actor system. Any thread. */
  static DeadRequests of(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /** Starts answering for this engine and the contexts that it will open. Any thread. */
  static DeadRequests answerFor(ActorRef<?> engine, ActorSystem<?> system) {
    DeadRequests answerer = of(system);
    answerer.engines.add(engine.path());
    answerer.notStarted.remove(engine.path());
    return answerer;
  }

  /**
   * Starts an engine. If the start fails, requests to the engine are refused with {@code SHUTDOWN},
   * as by an ended engine, and with the cause. Engine's thread.
   */
  static <T> T started(ActorContext<?> engine, Supplier<T> start) {
    DeadRequests answerer = of(engine.getSystem());
    try {
      return start.get();
    } catch (RuntimeException | Error e) {
      answerer.notStarted.put(engine.getSelf().path(), notStarted(e));
      throw e;
    }
  }

  private static DocaError notStarted(Throwable cause) {
    Object reason = cause instanceof DocaException failure ? failure.error() : cause;
    return DocaError.of("engine", DocaCode.SHUTDOWN, "the engine could not start: " + reason);
  }

  /**
   * Watches the dead letters of the receiver's actor system, which may differ from the engine's. A
   * dead letter appears in the actor system of its receiver. Any thread.
   */
  static void watch(ActorRef<?> receiver) {
    if (receiver instanceof ActorRefAdapter<?> adapter) {
      try {
        ID.apply(Adapter.toTyped(adapter.classicRef().provider().guardian().underlying().system()));
      } catch (IllegalStateException e) {
        // The system is ending or has ended; BufferReply detects that the receiver has ended.
        LOG.debug("cannot watch the dead letters of the actor system of {}", receiver, e);
      }
    }
  }

  /** Records the outcome of an ended engine. A later Stop message gets this outcome. Any thread. */
  void ended(ActorRef<?> engine, Stopped outcome) {
    if (outcome.clean()) {
      losses.remove(Adapter.toClassic(engine));
    } else {
      losses.put(Adapter.toClassic(engine), outcome);
    }
  }

  private Behavior<AllDeadLetters> answerer() {
    return Behaviors.receive(AllDeadLetters.class)
        .onAnyMessage(
            letter -> {
              answer(letter);
              return Behaviors.same();
            })
        .build();
  }

  private void answer(AllDeadLetters letter) {
    Object message = unwrapped(letter.message());
    if (message instanceof BufferReply reply) {
      reply.releaseUndelivered();
    } else if (message instanceof ContextReply.Opened<?> opened) {
      stop(opened.name(), opened.context());
    } else if (message instanceof ContextReply.Opening<?> opening) {
      stop(opening.name(), opening.context());
    } else if (letter.message() instanceof Stop stop) {
      Stopped outcome = losses.getOrDefault(letter.recipient(), Stopped.CLEAN);
      stop.replyTo().ifPresent(requester -> requester.tell(outcome));
    } else if (letter.message() instanceof Request request) {
      refuse(request, letter.recipient());
    }
  }

  /** Stops a context whose opener has ended, or whose ask has timed out: no actor knows it. */
  private static void stop(String name, ActorRef<?> context) {
    LOG.info("{} stops: no actor has received it", name);
    context.<Object>unsafeUpcast().tell(new Stop());
  }

  /**
   * Refuses a request that an engine or a context does not handle any more. Does nothing for an
   * Open command to another actor. Any thread.
   */
  void refuse(Request request, org.apache.pekko.actor.ActorRef receiver) {
    DocaError cause = cause(request, receiver);
    if (cause == null) {
      return;
    }
    if (request instanceof BufferRequest lending) {
      watch(lending.replyTo());
    }
    request.refuse(cause);
  }

  /**
   * Returns the answer inside a message adapter or the result of an ask, which wrap it as their
   * first element.
   */
  private static Object unwrapped(Object message) {
    Object inner = message;
    while (inner instanceof Product wrapper && wrapper.productArity() > 0) {
      inner = wrapper.productElement(0);
    }
    return inner;
  }

  /** Returns the cause of a refusal; null for an Open command to an actor that is no engine. */
  private @Nullable DocaError cause(Request request, org.apache.pekko.actor.ActorRef receiver) {
    if (!(request instanceof EngineProtocol.Command)) {
      return CONTEXT_ENDED;
    }
    DocaError cause = notStarted.get(receiver.path());
    if (cause != null) {
      return cause;
    }
    boolean isEngine = engines.contains(receiver.path());
    return isEngine || !(request instanceof EngineProtocol.Open<?>) ? ENGINE_ENDED : null;
  }
}
