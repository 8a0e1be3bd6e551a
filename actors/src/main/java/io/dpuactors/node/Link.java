package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.RecordType;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.MessageFraming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the communication channel, on either side: its sends, its received messages,
 * and its consumers and producers. Engine's thread.
 */
public class Link implements NodeLoad {
  private final String name;
  private final EngineCore core;
  private final TaskKind kind;
  private final MessageRequests requests;
  private final TaskLane<Outgoing> sends;
  private final Inbox inbox;
  private final RemoteConsumers consumers;
  private final List<ContextNode<?>> children = new ArrayList<>();
  private final @Nullable FramedSends framed;
  private final Consumer<DocaError> failure = this::broken;
  private @Nullable LoadedNode<?> node;
  private @Nullable DocaError closed;
  private int handle;
  private int maxMessageBytes;
  private long received;
  private boolean hasPeerSent;

  /**
   * Creates a link, before the connection is established.
   *
   * @param kind of the tasks that send on it
   */
  Link(EngineCore core, String name, TaskKind kind, LinkSettings settings) {
    this.core = core;
    this.name = name;
    this.kind = kind;
    this.requests = new MessageRequests(name, kind);
    this.inbox = new Inbox(name, settings);
    this.consumers = new RemoteConsumers(name, settings.receiveQueue());
    MessageFraming framing = settings.framing().orElse(null);
    this.sends =
        new TaskLane<>(
            core, framing == null ? settings.lane() : settings.lane().forPieces(), requests);
    this.framed =
        framing == null
            ? null
            : new FramedSends(sends, settings.lane(), framing.maxPayloadBytes(), failure);
  }

  @Override
  public void belongTo(LoadedNode<?> carrier) {
    node = carrier;
    sends.belongTo(carrier);
  }

  /** Returns the PCI address of the connection's device; empty before the node is open. */
  public String device() {
    return node == null ? "" : node.device();
  }

  /** Fails the connection. */
  private void broken(DocaError error) {
    if (node != null) {
      node.broken(error);
    }
  }

  /** Returns the lane of the messages. */
  final TaskLane<Outgoing> sends() {
    return sends;
  }

  /**
   * Opens the link of an established connection.
   *
   * @param control context of the server or client
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

  /** Returns the name for errors. The names of children begin with it. */
  public String name() {
    return name;
  }

  /** Returns the handle of the connection in entries and records. */
  int handle() {
    return handle;
  }

  /** Sends a message, or a payload in several messages. Answers once. */
  public void send(Send send) {
    // The link refuses this message if it is closed. The accepted messages are still sent.
    SendAnswer answer = new SendAnswer(send, closed == null ? failure : refused -> {});
    sends.schedule();
    if (framed != null) {
      framed.send(send.bytes(), answer, core.nowNs());
    } else {
      sends.accept(new Outgoing(send.bytes(), answer));
    }
  }

  /** Takes a message, now or later. Answers once. */
  public void receive(ReceiveMessage request) {
    inbox.receive(request, core.nowNs());
    sends.schedule();
  }

  /** Sets the subscriber, which receives all further events. */
  public void subscribe(Subscribe request) {
    List<ConsumerJoined> known = consumers.ids().stream().map(ConsumerJoined::new).toList();
    inbox.subscribe(request.subscriber(), request.credit(), known);
  }

  /** Adds credit of the subscriber. */
  public void grant(int messages) {
    inbox.grant(messages);
  }

  /** Finds a consumer of the peer, now or later. Answers once. */
  public void await(AwaitConsumer request) {
    if (closed == null) {
      consumers.await(request, core.nowNs());
      sends.schedule();
    } else {
      request.refuse(closed);
    }
  }

  /** Returns a snapshot of the connection. */
  public ConnectionInfo info() {
    int sending = framed != null ? framed.waiting() : sends.waiting() + sends.inFlight();
    return new ConnectionInfo(maxMessageBytes, inbox.waiting(), sending, device());
  }

  /** Returns the number of messages received from the peer. Each piece of a payload counts. */
  public long received() {
    return received;
  }

  /** Returns whether the peer has sent a message or opened a consumer. */
  public boolean hasPeerSent() {
    return hasPeerSent;
  }

  RemoteConsumers consumers() {
    return consumers;
  }

  /** Adds a consumer or producer, which must end before the connection can. */
  <L extends ContextLoad> ContextNode<L> adopt(ContextNode<L> child) {
    children.removeIf(Node::isGone);
    children.add(child);
    if (closed != null) {
      child.stop(closed, 0);
    }
    return child;
  }

  /**
   * Handles a record of this connection: a message, or a consumer of the peer.
   *
   * @throws io.dpuactors.bridge.DocaException if the peer exceeds a limit: the connection fails
   */
  public void onEvent(CompletionRing record) {
    if (closed != null) {
      return;
    }
    hasPeerSent |= record.type() != RecordType.CONSUMER_EXPIRED;
    switch (record.type()) {
      case MESSAGE -> {
        received++;
        byte[] bytes = new byte[record.messageLength()];
        record.message().get(bytes);
        inbox.message(bytes);
      }
      case CONSUMER_NEW -> {
        consumers.joined(record.consumer());
        inbox.event(new ConsumerJoined(record.consumer()));
      }
      case CONSUMER_EXPIRED -> {
        consumers.left(record.consumer());
        inbox.event(new ConsumerLeft(record.consumer()));
      }
      default -> throw new IllegalStateException(name + " got " + record.type());
    }
  }

  /**
   * Closes the link: nothing new is sent or received, and consumers and producers end. Received
   * messages can still be taken. If this side requested the end, waiting messages are sent until
   * {@link #stopping}.
   *
   * @param reason error for pending requests
   * @param reported error for the subscriber; empty if this side requested the end
   */
  void close(DocaError reason, Optional<DocaError> reported) {
    if (closed != null) {
      return;
    }
    closed = reason;
    children.forEach(child -> child.stop(reason, 0));
    if (framed != null) {
      framed.finish(reason);
    } else {
      sends.finish(reason);
    }
    if (reported.isPresent()) {
      stopping(reason);
    }
    consumers.close(reason);
    inbox.close(reason, reported);
  }

  @Override
  public void close(DocaError reason) {
    close(reason, Optional.empty());
  }

  @Override
  public void fail(DocaError reason) {
    close(reason, Optional.of(reason));
  }

  /** Fails all messages that wait to be sent. The messages that the device flushes fail too. */
  @Override
  public void stopping(DocaError reason) {
    if (framed != null) {
      framed.close(reason);
    }
    sends.close(reason);
    sends.stopping(reason);
  }

  @Override
  public boolean isSent() {
    return sends.waiting() == 0 && (framed == null || framed.waiting() == 0);
  }

  @Override
  public int inFlight() {
    return sends.inFlight();
  }

  /** Returns whether all consumers and producers have ended. */
  @Override
  public boolean mayStop() {
    return children.stream().allMatch(ContextNode::hasEnded);
  }

  @Override
  public boolean isRead() {
    return inbox.isRead();
  }

  @Override
  public void dropUnread() {
    inbox.dropUnread();
  }

  @Override
  public void turn(long nowNs, NextTurn next) {
    if (framed != null) {
      framed.turn(nowNs, next);
    }
    sends.turn(nowNs, next);
    inbox.turn(nowNs, next);
    consumers.turn(nowNs, next);
  }

  @Override
  public void expireAll() {
    sends.expireAll();
  }
}
