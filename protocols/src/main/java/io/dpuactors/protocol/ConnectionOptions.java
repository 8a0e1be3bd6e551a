package io.dpuactors.protocol;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of a connection, the same for servers and clients. The configuration below {@code
 * dpu.comch.connection} replaces empty values.
 *
 * @param window number of messages that the device holds per connection
 * @param queue number of messages that may wait behind the window; beyond it the answer is {@code
 *     Busy}
 * @param deadline time to send a message
 * @param receiveQueue number of received messages that wait for a receiver; beyond it the
 *     connection closes with {@code DOCA_ERROR_FULL}
 * @param credit number of unprocessed messages of a {@link ConnectionBehavior}
 * @param framing payloads larger than a message; empty: none
 * @param supervision strategy for a {@link ConnectionBehavior} that throws: {@code stop} (default)
 *     closes this connection, {@code restart} creates a new behavior for the same connection
 * @param dispatcher dispatcher of a {@link ConnectionBehavior}; default: the engine's thread, where
 *     it must not block
 */
public record ConnectionOptions(
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline,
    OptionalInt receiveQueue,
    OptionalInt credit,
    Optional<MessageFraming> framing,
    SupervisorStrategy supervision,
    Optional<Props> dispatcher) {

  /** Returns options with configured values. */
  public static ConnectionOptions defaults() {
    return new ConnectionOptions(
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        SupervisorStrategy.stop(),
        Optional.empty());
  }

  /** Returns these options with another number of messages in flight. */
  public ConnectionOptions withWindow(int messages) {
    return new ConnectionOptions(
        OptionalInt.of(messages),
        queue,
        deadline,
        receiveQueue,
        credit,
        framing,
        supervision,
        dispatcher);
  }

  /** Returns these options with another bound of the send queue. */
  public ConnectionOptions withQueue(int messages) {
    return new ConnectionOptions(
        window,
        OptionalInt.of(messages),
        deadline,
        receiveQueue,
        credit,
        framing,
        supervision,
        dispatcher);
  }

  /** Returns these options with another deadline per message. */
  public ConnectionOptions withDeadline(Duration limit) {
    return new ConnectionOptions(
        window, queue, Optional.of(limit), receiveQueue, credit, framing, supervision, dispatcher);
  }

  /** Returns these options with another bound of the receive queue. */
  public ConnectionOptions withReceiveQueue(int messages) {
    return new ConnectionOptions(
        window,
        queue,
        deadline,
        OptionalInt.of(messages),
        credit,
        framing,
        supervision,
        dispatcher);
  }

  /** Returns these options with another number of unprocessed messages. */
  public ConnectionOptions withCredit(int messages) {
    return new ConnectionOptions(
        window,
        queue,
        deadline,
        receiveQueue,
        OptionalInt.of(messages),
        framing,
        supervision,
        dispatcher);
  }

  /** Returns these options with payloads larger than a message. */
  public ConnectionOptions withFraming(MessageFraming frames) {
    return new ConnectionOptions(
        window,
        queue,
        deadline,
        receiveQueue,
        credit,
        Optional.of(frames),
        supervision,
        dispatcher);
  }

  /** Returns these options with another strategy for a behavior that throws. */
  public ConnectionOptions withSupervision(SupervisorStrategy strategy) {
    return new ConnectionOptions(
        window, queue, deadline, receiveQueue, credit, framing, strategy, dispatcher);
  }

  /** Returns these options with behaviors on another dispatcher. */
  public ConnectionOptions withDispatcher(Props selector) {
    return new ConnectionOptions(
        window, queue, deadline, receiveQueue, credit, framing, supervision, Optional.of(selector));
  }
}
