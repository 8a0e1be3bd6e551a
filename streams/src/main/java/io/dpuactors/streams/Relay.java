package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The behavior on a connection whose events a stream receives. The relay keeps events until a
 * stream is attached, then passes them on in order. The connection closes when the stream has
 * ended, and when no stream is attached until {@code dpu.engine.open-deadline}.
 *
 * <p>The peer sends no element before the stream grants elements, so few events wait here. The
 * connection of a peer that does not keep this rule closes.
 */
final class Relay {
  /** Limit for the close of a connection; the deadlines of the connection are shorter. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);

  /** A peer that keeps the protocol sends fewer messages before the stream is attached. */
  private static final int MAX_WAITING = 64;

  sealed interface Command {}

  /** An event of the connection. */
  record Event(ConnectionEvent event) implements Command {}

  enum Tick implements Command {
    /** The limit without a stream has passed. */
    NO_STREAM,
    /** The peer has not closed the connection in time. */
    PEER_LATE
  }

  /**
   * Attaches a stream.
   *
   * @param stream receives {@link Attached}, then {@link ConnectionEvent}s; the last is a {@link
   *     Closed}
   * @param end of the stream; the relay closes it after the connection
   */
  record Attach(ActorRef<Object> stream, StreamEnd end) implements Command {}

  /** The stream may send messages on the connection. */
  record Attached(ActorRef<ConnectionProtocol.Command> line) {}

  private final ActorContext<Command> context;
  private final ActorRef<ConnectionProtocol.Command> line;
  private final Queue<ConnectionEvent> events = new ArrayDeque<>();
  private @Nullable Attach attached;
  private boolean isCloseSent;

  private Relay(ActorContext<Command> context, ActorRef<ConnectionProtocol.Command> line) {
    this.context = context;
    this.line = line;
  }

  /**
   * Returns the behavior on a connection that waits for its stream.
   *
   * @param connection the connection, for the program
   * @param line the actor that sends the messages of the stream, and closes the connection
   * @param limits limits of the stream
   * @param opened receives the connection
   */
  static <C> Behavior<Command> create(
      ActorRef<C> connection,
      ActorRef<ConnectionProtocol.Command> line,
      StreamLimits.Source limits,
      Consumer<IncomingConnection<C>> opened) {
    return Behaviors.setup(
        context -> {
          context.scheduleOnce(
              StreamLimits.openDeadline(context.getSystem()), context.getSelf(), Tick.NO_STREAM);
          opened.accept(new IncomingConnection<>(connection, context.getSelf(), limits));
          return new Relay(context, line).behavior();
        });
  }

  /**
   * Returns the behavior on a connection whose stream exists. The connection may have ended before
   * the behavior starts.
   */
  static Behavior<Command> create(ActorRef<ConnectionProtocol.Command> line, Attach stream) {
    return Behaviors.setup(
        context -> {
          Relay relay = new Relay(context, line);
          relay.onAttach(stream);
          return relay.behavior();
        });
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(Event.class, message -> onEvent(message.event()))
        .onMessage(Attach.class, this::onAttach)
        .onMessageEquals(
            Tick.NO_STREAM, () -> attached == null ? Behaviors.stopped() : Behaviors.same())
        .onMessageEquals(Tick.PEER_LATE, Behaviors::stopped)
        .onSignal(Terminated.class, stream -> onStreamEnded())
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Command> onAttach(Attach attach) {
    if (attached != null) {
      attach.stream()
          .tell(
              new Closed(
                  Optional.of(
                      Failures.exception(
                              "stream", DocaCode.IN_USE, "the connection has another stream")
                          .error())));
      return Behaviors.same();
    }
    attached = attach;
    context.watch(attach.stream());
    attach.stream().tell(new Attached(line));
    events.forEach(this::pass);
    events.clear();
    return Behaviors.same();
  }

  private Behavior<Command> onStreamEnded() {
    if (attached == null || !attached.end().awaitsPeer()) {
      return Behaviors.stopped();
    }
    context.scheduleOnce(
        StreamLimits.openDeadline(context.getSystem()), context.getSelf(), Tick.PEER_LATE);
    return Behaviors.same();
  }

  private Behavior<Command> onEvent(ConnectionEvent event) {
    if (attached != null) {
      pass(event);
    } else if (events.size() < MAX_WAITING) {
      events.add(event);
    } else {
      return Behaviors.stopped();
    }
    return Behaviors.same();
  }

  private void pass(ConnectionEvent event) {
    if (attached != null) {
      isCloseSent |= event instanceof Closed;
      attached.stream().tell(event);
    }
  }

  private Behavior<Command> onEnd() {
    Attach ended = attached;
    if (ended != null) {
      if (!isCloseSent) {
        pass(new Closed(Optional.empty())); // the engine ended the connection
      }
      CompletionStage<Stopped> closed =
          AskPattern.ask(line, Stop::new, CLOSE_LIMIT, context.getSystem().scheduler());
      Failures.plain(closed.thenCompose(Relay::clean))
          .whenComplete(
              (done, failure) -> {
                if (failure != null) {
                  ended.end().fail(failure);
                }
                ended.end().closed();
              });
    }
    return Behaviors.same();
  }

  private static CompletionStage<Done> clean(Stopped outcome) {
    return outcome.clean()
        ? CompletableFuture.completedStage(Done.getInstance())
        : CompletableFuture.failedStage(
            Failures.exception("close", DocaCode.IN_USE, "still open: " + outcome.census()));
  }
}
