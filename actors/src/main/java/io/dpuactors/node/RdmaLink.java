package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import io.dpuactors.protocol.RdmaReceiveProtocol.Received;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One connection of an RDMA context: its tasks and its received messages. At most the connection's
 * share of messages waits, so that no connection exhausts the memory of the others. Engine's
 * thread.
 */
public final class RdmaLink implements NodeLoad {
  private final String name;
  private final int share;
  private final RdmaRequests requests;
  private final TaskLane<DeviceRequest> tasks;
  private final EventQueue<Event> inbox = new EventQueue<>(Event.class);
  private final WaitingReceivers<ReceiveMessage, Event> receivers;
  private final EngineCore core;
  private long received;
  private boolean isPulled;
  private boolean isClosed;

  RdmaLink(EngineCore core, String name, RdmaLinkSettings settings) {
    this.core = core;
    this.name = name;
    this.share = settings.share();
    this.receivers =
        new WaitingReceivers<>(
            name,
            share,
            inbox,
            ReceiveMessage::within,
            (request, event) -> request.replyTo().tell(new Received(event)));
    this.requests = new RdmaRequests(name);
    this.tasks = new TaskLane<>(core, settings.lane(), requests);
  }

  @Override
  public void belongTo(LoadedNode<?> carrier) {
    tasks.belongTo(carrier);
  }

  /**
   * Submits the waiting tasks, because the connection is established.
   *
   * @param budget of all connections of the context
   * @param numbers memory for the numbers of tasks on events
   */
  void connected(DocaContext rdma, int number, TaskBudget budget, BufferPool numbers) {
    tasks.share(budget);
    requests.connected(rdma, number, numbers);
    tasks.open(rdma, Map.of());
  }

  /** Executes a task, now or later. Answers once. */
  public void accept(DeviceRequest request) {
    tasks.accept(request);
  }

  /** Sets the subscriber, which receives all further events. */
  public void subscribe(Subscribe request) {
    receivers.subscribed();
    inbox.subscribe(request.subscriber(), request.credit(), List.of());
    tasks.schedule();
  }

  /** Takes a message, now or later. Answers once. */
  public void receive(ReceiveMessage request) {
    isPulled = true;
    receivers.receive(request, core.nowNs());
    tasks.schedule();
  }

  /** Adds credit of the subscriber. */
  public void grant(int messages) {
    inbox.grant(messages);
    tasks.schedule();
  }

  /** Returns the number of messages received from the peer. */
  public long received() {
    return received;
  }

  /**
   * Handles a message of the peer.
   *
   * @throws DocaException FULL if the connection exceeds its share
   */
  void receive(Event event) {
    received++;
    if (isClosed) {
      return;
    }
    if (inbox.messages() >= share) {
      throw new DocaException(
          "receive",
          DocaCode.FULL,
          "%s: %d received messages wait already, which is its share".formatted(name, share));
    }
    inbox.add(event);
    receivers.answer();
  }

  private void close(DocaError reason, Optional<DocaError> reported) {
    if (!isClosed) {
      isClosed = true;
      tasks.finish(reason);
      if (reported.isEmpty()) {
        inbox.clear();
      }
      inbox.close(new Closed(reported));
      receivers.close(reason);
    }
  }

  @Override
  public void close(DocaError reason) {
    close(reason, Optional.empty());
  }

  @Override
  public void fail(DocaError reason) {
    close(reason, Optional.of(reason));
    tasks.fail(reason);
  }

  @Override
  public void stopping(DocaError reason) {
    tasks.close(reason);
    tasks.stopping(reason);
  }

  @Override
  public boolean isSent() {
    return tasks.waiting() == 0;
  }

  @Override
  public int inFlight() {
    return tasks.inFlight();
  }

  /** {@inheritDoc} Messages of a connection without any reader do not count. */
  @Override
  public boolean isRead() {
    boolean hasReader = isPulled || inbox.hasSubscriber();
    return isClosed && (inbox.messages() == 0 || !hasReader);
  }

  @Override
  public void dropUnread() {
    inbox.dropMessages();
  }

  @Override
  public void turn(long nowNs, NextTurn next) {
    tasks.turn(nowNs, next);
    receivers.turn(nowNs, next);
  }

  @Override
  public void expireAll() {
    tasks.expireAll();
  }
}
