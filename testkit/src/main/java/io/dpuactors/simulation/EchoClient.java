package io.dpuactors.simulation;

import io.dpuactors.protocol.ClientEvent.Connected;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.Grant;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends numbered messages. The messages that return have increasing numbers, because
 * messages keep their order. Without disturbances none is missing. A checksum finds the messages
 * that the fault plan corrupted.
 *
 * <p>Some clients receive by a behavior instead of a subscription. Some connect again after a loss.
 * A silent client sends nothing, so that one of the sides closes the connection by a deadline.
 */
final class EchoClient {
  private static final int MESSAGES = 40;
  private static final int MAX_READERS = 2;

  private final ComchProgram program;
  private final Run run;
  private final boolean isCalm;
  private final ActorRef<EngineProtocol.Command> engine;
  private final String name;
  private final Answers answers;
  private final Deadlines unanswered;
  private final EchoedNumbers numbers;
  private final List<DataReader> readers = new ArrayList<>();
  private final int messages;
  private final int ahead;
  private final boolean isSilent;
  private final EchoOptions options;
  private @Nullable ActorRef<ConnectionProtocol.Command> connection;
  private int sent;
  private int returned;
  private boolean isClosed;
  private boolean hasEnded;
  private boolean hasDied;

  EchoClient(
      ComchProgram program,
      Run run,
      boolean isCalm,
      ActorRef<EngineProtocol.Command> engine,
      String name) {
    this.program = program;
    this.run = run;
    this.isCalm = isCalm;
    this.engine = engine;
    this.name = name;
    this.answers = new Answers(run);
    this.numbers = new EchoedNumbers(run, isCalm, name);
    this.messages = Math.min(MESSAGES, run.reduction().requests());
    this.ahead = run.oneOf(1, 4, 16);
    this.isSilent = run.chance(3);
    this.options = EchoOptions.draw(run, program.connections());
    this.unanswered =
        new Deadlines(run, name, Deadlines.of(run), options.connectsAgain()).ofConnection();
  }

  Behavior<Object> behavior() {
    return Behaviors.setup(
        context -> {
          engine.tell(
              new OpenComchClient(
                  name,
                  options.of(run, isCalm, context.getSelf()),
                  answers.expect("open client", context.getSelf())));
          return Behaviors.receive(Object.class)
              .onMessage(ContextReply.class, reply -> onOpened(context, reply))
              .onMessage(Connected.class, event -> onConnected(context, event))
              .onMessage(Lost.class, event -> onLost(context))
              .onMessage(SendReply.class, this::onSent)
              .onMessage(ReceiveReply.class, reply -> onReceived(context, reply))
              .onMessage(AwaitReply.class, reply -> onAwaited())
              .onMessage(Message.class, message -> onMessage(context, message))
              .onMessage(Closed.class, this::onClosed)
              .onMessage(ConnectionEvent.class, event -> Behaviors.same())
              .onSignal(Terminated.class, this::onTerminated)
              .build();
        });
  }

  /** Returns the connection; null while there is none. */
  @Nullable ActorRef<Object> connection() {
    return connection == null ? null : connection.unsafeUpcast();
  }

  /** Returns the number of messages that returned with other bytes. */
  int damaged() {
    return numbers.damaged();
  }

  /** The actor of the client has ended. Its connection continues. */
  void died() {
    hasDied = true;
    close();
  }

  /** Returns whether the connection has ended, or was never open. */
  boolean hasEnded() {
    return isClosed || hasEnded;
  }

  boolean isConnecting() {
    return connection == null && !isClosed;
  }

  /** Returns whether the client does nothing more. */
  boolean isDone() {
    return isClosed || (returned == messages && readers.stream().allMatch(DataReader::isDone));
  }

  /** Counts a message of a consumer that arrived with other bytes. */
  void addDamaged() {
    numbers.addDamaged();
  }

  /** Called by a reader that has ended. */
  void readerDone() {
    program.clientDone();
  }

  private Behavior<Object> onOpened(ActorContext<Object> context, ContextReply<?> reply) {
    answers.answered("open client");
    if (reply instanceof ConnectionProtocol.Opened opened) {
      begin(context, opened.context());
    } else if (reply instanceof ConnectionProtocol.Opening opening) {
      run.check(!isCalm, "not connected: " + opening.error());
      run.reached("client continues to connect");
      begin(context, opening.context());
    } else if (reply instanceof ContextReply.OpenFailed<?> failed) {
      run.check(!isCalm, "no client: " + failed.error());
      run.reached("open client " + failed.error().code());
      close();
    }
    return Behaviors.same();
  }

  private void begin(ActorContext<Object> context, ActorRef<ConnectionProtocol.Command> opened) {
    connection = opened;
    context.watch(opened);
    receive(context, opened);
    if (!isSilent) {
      read(context, opened);
    }
  }

  /** Receives and sends on a new connection. */
  private void receive(
      ActorContext<Object> context, ActorRef<ConnectionProtocol.Command> connected) {
    if (!options.hasBehavior()) {
      connected.tell(new Subscribe(context.getSelf().narrow(), options.pace().credit(ahead)));
    }
    for (int i = 0; i < ahead; i++) {
      send(context);
    }
  }

  private Behavior<Object> onConnected(ActorContext<Object> context, Connected event) {
    if (event.times() > 1) {
      run.reached("client connected again");
      receive(context, event.connection());
    }
    return Behaviors.same();
  }

  /** Sometimes sends requests that wait for the next connection. */
  private Behavior<Object> onLost(ActorContext<Object> context) {
    run.reached("client lost");
    ActorRef<ConnectionProtocol.Command> lost = connection;
    if (lost != null && run.chance(50)) {
      Duration within = Duration.ofMillis(run.oneOf(1, 1_000));
      send(context);
      lost.tell(new AwaitConsumer(within, answers.expect("await", context.getSelf())));
      ActorRef<ReceiveReply> replyTo = answers.expect("receive", context.getSelf());
      lost.tell(run.chance(50) ? new ReceiveMessage(within, replyTo) : new ReceiveMessage(replyTo));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onReceived(ActorContext<Object> context, ReceiveReply reply) {
    answers.answered("receive");
    return reply instanceof Received received
        ? onMessage(context, received.message())
        : Behaviors.same();
  }

  /** The server opens no consumer. */
  private Behavior<Object> onAwaited() {
    answers.answered("await");
    return Behaviors.same();
  }

  /** Sometimes opens consumers. */
  private void read(ActorContext<Object> context, ActorRef<ConnectionProtocol.Command> opened) {
    boolean isAimed = Aim.row(run).equals(Cells.ALLOC_PACKET); // a consumer that ends sends one
    int count = isAimed || run.chance(40) ? run.draw(1, MAX_READERS) : 0;
    for (int i = 0; i < count; i++) {
      DataReader reader = new DataReader(this, run, isCalm, "reader" + i);
      readers.add(reader);
      context.spawn(reader.behavior(engine, opened), "reader" + i);
    }
  }

  private void send(ActorContext<Object> context) {
    if (connection == null || isSilent || sent == messages) {
      return;
    }
    int number = sent++;
    byte[] bytes = EchoMessage.of(number, run.draw(EchoMessage.MIN_BYTES, program.maxBytes()));
    unanswered.sent(number);
    connection.tell(new Send(bytes, number, Optional.of(context.getSelf().narrow())));
    program.requested("comch");
  }

  private Behavior<Object> onSent(SendReply reply) {
    unanswered.answered(reply.tag(), reply instanceof SendFailed failed ? failed.error() : null);
    run.check(!isCalm || reply instanceof Sent, "not sent: " + reply);
    run.reached(
        reply instanceof SendFailed failed
            ? "send " + failed.error().code()
            : reply.getClass().getSimpleName());
    return Behaviors.same();
  }

  private Behavior<Object> onMessage(ActorContext<Object> context, Message message) {
    returned++;
    numbers.received(message.bytes());
    if (connection != null && !options.hasBehavior()) {
      options.pace().tell(context, connection, new Grant(1));
    }
    send(context);
    if (returned == messages) {
      program.clientDone();
    }
    return Behaviors.same();
  }

  private Behavior<Object> onClosed(Closed closed) {
    run.reached(
        closed.error().map(error -> "closed " + error.code()).orElse("closed by this side"));
    run.check(!isCalm || isSilent || isDone(), "closed: " + closed.error());
    if (!options.connectsAgain()) {
      run.check(!isClosed, name + " was closed twice");
      close();
    }
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    hasEnded = true;
    if (options.connectsAgain()) {
      close();
    }
    return Behaviors.same();
  }

  private void close() {
    isClosed = true;
    program.clientDone();
  }

  /** Checks the results when nothing happens any more. A client that has died gets no answers. */
  void check() {
    if (hasDied) {
      return;
    }
    answers.check();
    readers.forEach(DataReader::check);
    unanswered.check();
  }
}
