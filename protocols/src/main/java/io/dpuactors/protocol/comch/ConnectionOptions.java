package io.dpuactors.protocol.comch;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * How connections treat messages, the same for servers and clients. Whatever is left empty comes
 * from the configuration below {@code dpu.comch.connection}.
 *
 * @param window messages that the device has at once, per connection
 * @param queue messages that may wait behind the window before {@code Busy} is answered
 * @param deadline how long a message may take to be sent
 * @param receiveQueue received messages that nobody has taken yet; at the bound the connection is
 *     closed with {@code DOCA_ERROR_FULL}
 * @param credit messages that a {@link ConnectionBehavior} is given ahead of what it has handled
 * @param framing payloads larger than a message; empty: none
 * @param supervision what happens when a {@link ConnectionBehavior} throws: {@code stop} (default)
 *     closes this connection, {@code restart} makes a new behavior for the same connection
 * @param dispatcher where a {@link ConnectionBehavior} runs; default: on the engine's thread, where
 *     it must not block
 */
public record ConnectionOptions(
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline,
    OptionalInt receiveQueue,
    OptionalInt credit,
    Optional<Framing> framing,
    SupervisorStrategy supervision,
    Optional<Props> dispatcher) {

  /** Everything as configured. */
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

  /** The same with so many messages in flight. */
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

  /** The same with so many messages waiting to be sent at most. */
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

  /** The same with another deadline for each message. */
  public ConnectionOptions withDeadline(Duration limit) {
    return new ConnectionOptions(
        window, queue, Optional.of(limit), receiveQueue, credit, framing, supervision, dispatcher);
  }

  /** The same with so many received messages waiting at most. */
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

  /** The same with so many messages ahead of the behavior at most. */
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

  /** The same with payloads larger than a message. */
  public ConnectionOptions withFraming(Framing frames) {
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

  /** The same with another strategy for a behavior that throws. */
  public ConnectionOptions withSupervision(SupervisorStrategy strategy) {
    return new ConnectionOptions(
        window, queue, deadline, receiveQueue, credit, framing, strategy, dispatcher);
  }

  /** The same with behaviors on a dispatcher of their own. */
  public ConnectionOptions withDispatcher(Props selector) {
    return new ConnectionOptions(
        window, queue, deadline, receiveQueue, credit, framing, supervision, Optional.of(selector));
  }
}
