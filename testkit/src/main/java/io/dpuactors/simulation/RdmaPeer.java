package io.dpuactors.simulation;

import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientEvent.Connected;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaEventProtocol;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveReply;
import io.dpuactors.protocol.RdmaReceiveProtocol.Received;
import io.dpuactors.simulation.RdmaClientConnection.Next;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A client of an RDMA server. It sends numbered messages, which the server returns in their order.
 * It writes numbers into its part of the server's memory, and reads the last one. After the loss of
 * its connection it connects again, a few times: by its strategy or by another client actor.
 */
final class RdmaPeer {
  private final RdmaProgram program;
  private final Run run;
  private final ActorRef<RdmaProtocol.Command> owner;
  private final RdmaProgram.Offer offer;
  private final int number;
  private final String name;
  private final Answers answers;
  private final RdmaClientConnection connection;
  private final RdmaCounter counter;
  private final RdmaModel model;
  private final RdmaTraffic traffic;
  private final RdmaReading reading;
  private @Nullable ActorContext<Object> context;
  private boolean isOver;
  private boolean hasDied;

  RdmaPeer(
      RdmaProgram program,
      ActorRef<RdmaProtocol.Command> owner,
      RdmaProgram.Offer offer,
      int number) {
    this.program = program;
    this.run = program.run;
    this.owner = owner;
    this.offer = offer;
    this.number = number;
    this.name = "client" + number;
    this.answers = new Answers(run);
    this.connection = new RdmaClientConnection(run, program.isCalm, name, owner, answers);
    RdmaAtomics atomics = new RdmaAtomics(run, number, offer.common());
    this.counter = new RdmaCounter(run);
    this.model =
        new RdmaModel(run, program.isCalm, name, connection.connectsAgain(), atomics, counter);
    this.traffic = new RdmaTraffic(run, model, atomics, counter, number);
    this.reading = new RdmaReading(run, program.isCalm, name);
  }

  Behavior<Object> behavior() {
    return Behaviors.setup(
        created -> {
          context = created;
          PoolOptions options =
              PoolOptions.of(RdmaTraffic.MAX_AHEAD, RdmaProgram.BYTES)
                  .onDevice(EnginePair.HOST_DEVICE);
          program.engines.host().tell(new OpenPool(options, expect("pool")));
          return Behaviors.receive(Object.class)
              .onMessage(PoolReply.class, this::onPool)
              .onMessage(RdmaConnectionProtocol.OpenReply.class, this::onOpened)
              .onMessage(Connected.class, this::onConnected)
              .onMessage(Lost.class, this::onLost)
              .onMessage(RdmaEventProtocol.OpenReply.class, this::onEvent)
              .onMessage(Reply.class, this::onReply)
              .onMessage(BatchReply.class, this::onBatch)
              .onMessage(Message.class, this::onMessage)
              .onMessage(ReceiveReply.class, this::onReceived)
              .onMessage(Closed.class, this::onClosed)
              .onMessageEquals(Next.OPEN, this::open)
              .onMessageEquals(Next.SEND, this::onNext)
              .onSignal(Terminated.class, this::onTerminated)
              .build();
        });
  }

  private ActorContext<Object> context() {
    return Objects.requireNonNull(context);
  }

  private <R> ActorRef<R> expect(String kind) {
    return answers.expect(kind, context().getSelf());
  }

  /** Returns the connection; null while there is none. */
  @Nullable ActorRef<Object> connection() {
    return connection.target();
  }

  /** The actor of the client has ended. Its connection continues. */
  void died() {
    hasDied = true;
    end();
  }

  /** Returns whether the client is connected and has not died. */
  boolean isConnected() {
    return connection.isConnected() && !hasDied;
  }

  boolean isConnecting() {
    return !connection.isConnected() && !isOver;
  }

  /** Returns whether the client does nothing more. */
  boolean isDone() {
    return isOver || traffic.isDone();
  }

  /** Returns how many messages and writes had other bytes, and answers another number. */
  int damaged() {
    return model.damaged();
  }

  /** Accepts the room for own data, then the memory of the server. */
  private Behavior<Object> onPool(PoolReply reply) {
    answers.answered("pool");
    if (!(reply instanceof PoolOpened opened)) {
      run.check(!program.isCalm, "no pool: " + reply);
      return end();
    }
    if (traffic.accept(opened.pool())) {
      return open();
    }
    ImportRemoteMemory imported =
        new ImportRemoteMemory(
            Optional.empty(), offer.memory(), RdmaTraffic.MAX_AHEAD, owner, expect("pool"));
    program.engines.host().tell(imported);
    return Behaviors.same();
  }

  private Behavior<Object> open() {
    return connection.open(context().getSelf()) ? Behaviors.same() : end();
  }

  private Behavior<Object> end() {
    isOver = true;
    program.clientDone();
    return Behaviors.same();
  }

  private Behavior<Object> onOpened(RdmaConnectionProtocol.OpenReply reply) {
    ActorRef<RdmaConnectionProtocol.Command> opened = connection.opened(context(), reply);
    return opened == null ? Behaviors.same() : begin(opened);
  }

  private Behavior<Object> begin(ActorRef<RdmaConnectionProtocol.Command> opened) {
    reading.begin(context(), opened, traffic.ahead());
    openEvent();
    return onNext();
  }

  private Behavior<Object> onConnected(Connected event) {
    connection.connected(event);
    if (event.times() > 1) {
      model.messages().connectedAgain();
    }
    return connection.actor() == null ? Behaviors.same() : begin(event.connection());
  }

  /** Sometimes sends requests that may wait for the next connection. */
  private Behavior<Object> onLost(Lost event) {
    connection.lost(event, isDone());
    model.disconnected();
    model.messages().lost();
    ActorRef<RdmaConnectionProtocol.Command> lost = connection.actor();
    if (lost != null && run.chance(50)) {
      reading.begin(context(), lost, traffic.ahead());
      traffic.send(lost, context().getSelf());
    }
    return Behaviors.same();
  }

  /** The event ends with this actor, and at the latest with the context of the client. */
  private void openEvent() {
    if (connection.actor() != null && counter.opens()) {
      Optional<ActorRef<?>> me = Optional.of(context().getSelf());
      owner.tell(new OpenRemoteEvent(offer.events().get(number), me, expect("remote event")));
    }
  }

  private Behavior<Object> onEvent(RdmaEventProtocol.OpenReply reply) {
    answers.answered("remote event");
    boolean isOpen = reply instanceof RemoteEventOpened;
    run.check(!program.isCalm || isDone() || isOpen, "not opened: %s", reply);
    counter.opened(reply);
    return Behaviors.same();
  }

  private Behavior<Object> onReply(Reply reply) {
    model.answered(reply);
    RdmaTraffic.release(reply);
    openEvent();
    return onNext();
  }

  private Behavior<Object> onBatch(BatchReply reply) {
    model.answered(reply);
    MortalReceiver.release(reply);
    return onNext();
  }

  private Behavior<Object> onMessage(Message message) {
    model.messages().received(message);
    reading.next(context());
    return onNext();
  }

  private Behavior<Object> onReceived(ReceiveReply reply) {
    reading.answered(reply, isDone());
    if (reply instanceof Received received && received.event() instanceof Message message) {
      return onMessage(message);
    }
    reading.next(context());
    return onNext();
  }

  private Behavior<Object> onNext() {
    ActorRef<RdmaConnectionProtocol.Command> actor = connection.actor();
    if (actor != null && connection.isConnected()) {
      traffic.send(actor, context().getSelf());
      program.requested("rdma");
    }
    if (isDone()) {
      program.clientDone();
    }
    return Behaviors.same();
  }

  private Behavior<Object> onClosed(Closed closed) {
    run.reached(
        closed.error().map(error -> "closed " + error.code()).orElse("closed by this side"));
    run.check(!program.isCalm || isDone(), "closed: " + closed.error());
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    connection.ended();
    reading.end();
    model.disconnected();
    model.messages().ended();
    return isDone() ? end() : connection.openLater(context());
  }

  /** Checks the client when nothing happens any more and the engines run. */
  void checkAtRest() {
    traffic.checkAtRest(name);
    run.check(hasDied || !connection.isWaiting(), "%s is not connected and has not ended", name);
  }

  /** Checks the memory of the server. A client that has died does not know its requests. */
  void checkMemory(RdmaStore.Content content) {
    if (!hasDied) {
      model.checkMemory(content, number);
    }
  }

  /** The server has received the number of a write, which its memory must have. */
  void arrived(int write, List<RdmaStore.Content> memory) {
    if (!hasDied) {
      memory.forEach(content -> model.checkWritten(write, content.part(number)));
      model.messages().arrived(write);
      context().getSelf().tell(Next.SEND);
    }
  }

  /** Checks the answers after the end of the engines. A client that has died gets no answers. */
  void check() {
    if (!hasDied) {
      answers.check();
      reading.check();
      model.check();
    }
  }
}
