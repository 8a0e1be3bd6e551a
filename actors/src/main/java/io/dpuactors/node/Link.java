package io.dpuactors.node;

import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.RecordType;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.comch.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.comch.ConnectionProtocol.Receive;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.comch.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.comch.Framing;
import io.dpuactors.protocol.wire.FrameException;
import io.dpuactors.protocol.wire.Reassembler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the communication channel, of either side: what is sent, what is received, and
 * the consumers and producers that depend on it. Engine's thread.
 */
public final class Link {
  private final String name;
  private final EngineCore core;
  private final TaskKind kind;
  private final MessageRequests requests;
  private final TaskLane<Outgoing> sends;
  private final Inbox inbox;
  private final RemoteConsumers consumers;
  private final List<ContextNode<?>> children = new ArrayList<>();
  private final Consumer<DocaError> broken;
  private final @Nullable FramedSends framed;
  private final @Nullable Reassembler reassembler;
  private @Nullable Node node;
  private @Nullable DocaError closed;
  private int handle;
  private int maxMessageBytes;
  private long received;
  private boolean isHeard;

  /**
   * A connection that may not be there yet.
   *
   * @param kind of the tasks that send on it
   * @param broken what to do when the connection is of no use any more
   */
  Link(
      EngineCore core,
      String name,
      TaskKind kind,
      LinkSettings settings,
      Consumer<DocaError> broken) {
    this.core = core;
    this.name = name;
    this.kind = kind;
    this.broken = broken;
    this.requests = new MessageRequests(name, kind);
    this.inbox = new Inbox(name, settings.receiveQueue());
    this.consumers = new RemoteConsumers(name, settings.receiveQueue());
    Framing framing = settings.framing().orElse(null);
    this.sends =
        new TaskLane<>(
            core, framing == null ? settings.lane() : settings.lane().forPieces(), requests);
    this.framed =
        framing == null
            ? null
            : new FramedSends(sends, settings.lane(), framing.maxPayloadBytes(), broken);
    this.reassembler = framing == null ? null : Reassembler.create(framing.maxPayloadBytes());
  }

  /** The node that carries it; once, before all else. */
  void belongTo(Node carrier) {
    node = carrier;
    sends.belongTo(carrier);
  }

  private void schedule() {
    if (node != null) {
      node.schedule();
    }
  }

  /** As {@link ContextLoad#reserve}. */
  void reserve(String context, Map<TaskKind, TaskLimits> configured) {
    sends.reserve(context, configured);
  }

  /** Its messages take their slots from the budget of a server. */
  void share(TaskBudget budget) {
    sends.share(budget);
  }

  /** As {@link ContextLoad#destroyed}. */
  void destroyed() {
    sends.destroyed();
  }

  /**
   * The connection is there.
   *
   * @param control server or client
   */
  void connected(DocaContext control, int newHandle, int newMaxMessageBytes) {
    handle = newHandle;
    maxMessageBytes = newMaxMessageBytes;
    requests.connected(newHandle, newMaxMessageBytes);
    sends.open(control, ContextOpener.Opened.unlimited(kind));
    if (framed != null) {
      framed.open(newMaxMessageBytes);
    }
  }

  /** For errors, and the beginning of its children's names. */
  String name() {
    return name;
  }

  /** What entries and records name it by. */
  int handle() {
    return handle;
  }

  /** Sends a message, or a payload in several; answered once. */
  public void send(Send send) {
    SendAnswer answer = new SendAnswer(send, broken);
    schedule();
    if (framed != null) {
      framed.send(send.bytes(), answer, core.nowNs());
    } else {
      sends.accept(new Outgoing(send.bytes(), answer));
    }
  }

  /** Takes a message, now or later; answered once. */
  public void receive(Receive request) {
    inbox.receive(request, core.nowNs());
    schedule();
  }

  /** Tells somebody all events from now on. */
  public void subscribe(Subscribe request) {
    List<ConnectionEvent> known = new ArrayList<>();
    consumers.ids().forEach(id -> known.add(new ConsumerJoined(id)));
    inbox.subscribe(request.subscriber(), request.credit(), known);
  }

  /** The subscriber can take more. */
  public void grant(int messages) {
    inbox.grant(messages);
  }

  /** Finds a consumer of the peer, now or later; answered once. */
  public void await(AwaitConsumer request) {
    DocaError reason = closed;
    if (reason == null) {
      consumers.await(request, core.nowNs());
      schedule();
    } else {
      request.refuse(reason);
    }
  }

  /** A snapshot. */
  public ConnectionInfo info() {
    int sending = framed != null ? framed.waiting() : sends.waiting() + sends.inFlight();
    return new ConnectionInfo(maxMessageBytes, inbox.waiting(), sending);
  }

  /** Messages that the peer has sent so far; pieces count one each. */
  public long received() {
    return received;
  }

  /** Whether the peer has sent a message or opened a consumer. */
  public boolean isHeard() {
    return isHeard;
  }

  RemoteConsumers consumers() {
    return consumers;
  }

  /** A consumer or producer that must have ended before the connection can. */
  <L extends ContextLoad> ContextNode<L> adopt(ContextNode<L> child) {
    children.removeIf(Node::isGone);
    children.add(child);
    DocaError reason = closed;
    if (reason != null) {
      child.retireNow(reason);
    }
    return child;
  }

  /** A record that names this connection: a message, or a consumer of the peer. */
  void onEvent(CompletionRing record) {
    if (closed != null) {
      return;
    }
    isHeard |= record.type() != RecordType.CONSUMER_EXPIRED;
    switch (record.type()) {
      case MESSAGE -> onMessage(record);
      case CONSUMER_NEW -> {
        consumers.joined(record.consumer());
        onConsumers(new ConsumerJoined(record.consumer()));
      }
      case CONSUMER_EXPIRED -> {
        consumers.left(record.consumer());
        onConsumers(new ConsumerLeft(record.consumer()));
      }
      default -> throw new IllegalStateException(name + " got " + record.type());
    }
  }

  private void onConsumers(ConnectionEvent event) {
    if (!inbox.event(event)) {
      broken.accept(
          error(
              DocaCode.FULL,
              Inbox.MAX_OTHER_EVENTS + " events of the peer's consumers wait already"));
    }
  }

  private void onMessage(CompletionRing record) {
    received++;
    byte[] bytes = new byte[record.messageLength()];
    record.message().get(bytes);
    Optional<byte[]> whole =
        reassembler == null ? Optional.of(bytes) : reassemble(reassembler, bytes);
    if (whole.isPresent() && !inbox.message(whole.get())) {
      broken.accept(
          error(
              DocaCode.FULL,
              inbox.waiting() + " received messages wait already, and the peer sends more"));
    }
  }

  private Optional<byte[]> reassemble(Reassembler frames, byte[] bytes) {
    try {
      return frames.accept(bytes);
    } catch (FrameException e) {
      broken.accept(error(DocaCode.BAD_STATE, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of("receive", code.value(), name + ": " + why);
  }

  /**
   * Nothing new is sent or received; consumers and producers end. What was received can still be
   * taken. What waits to be sent still goes out if this side asked for the end, until {@link #cut}.
   *
   * @param reason for whoever waits
   * @param told what the subscriber is told; empty: this side asked for the end
   */
  void close(DocaError reason, Optional<DocaError> told) {
    if (closed != null) {
      return;
    }
    closed = reason;
    children.forEach(child -> child.retireNow(reason));
    if (framed != null) {
      framed.finish(reason);
    } else {
      sends.finish(reason);
    }
    if (told.isPresent()) {
      cut(reason);
    }
    consumers.close(reason);
    inbox.close(reason, told);
  }

  /** What waits to be sent is answered. */
  void cut(DocaError reason) {
    if (framed != null) {
      framed.close(reason);
    }
    sends.close(reason);
  }

  /** Whether the device has, or has had, all that was to be sent. */
  boolean isSent() {
    return sends.waiting() == 0 && (framed == null || framed.waiting() == 0);
  }

  /** Messages that the device has. */
  int inFlight() {
    return sends.inFlight();
  }

  /** Whether all that depends on the connection is gone. */
  boolean isBare() {
    return children.stream().allMatch(ContextNode::hasEnded);
  }

  /** Whether everything received has been taken, and nothing will come. */
  boolean isRead() {
    return inbox.isRead();
  }

  /** The connection is closed, and nobody wants what it has received. */
  void dropUnread() {
    inbox.dropUnread();
  }

  void turn(long nowNs, NextTurn next) {
    if (framed != null) {
      framed.turn(nowNs, next);
    }
    sends.turn(nowNs, next);
    inbox.turn(nowNs, next);
    consumers.turn(nowNs, next);
  }

  void expireAll() {
    sends.expireAll();
  }
}
