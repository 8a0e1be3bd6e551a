package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests which messages of an RDMA client may return. */
class RdmaMessagesTest {
  private final Run run = Runs.of(new StillControl());
  private final RdmaMessages messages = new RdmaMessages(run, "client0");

  private void send(int number) {
    messages.sent(number, false);
    messages.completed(number);
  }

  private static byte[] bytes(int number) {
    return EchoMessage.of(number, RdmaProgram.BYTES);
  }

  private void receive(int number) {
    messages.received(new Message(bytes(number), OptionalInt.empty()));
  }

  private void assertTooLate(int number) {
    assertThat(run.problem()).isEqualTo("message %d of client0 returned twice or too late", number);
  }

  @Test
  void aNumberThatIsNoMessageDoesNotReturn() {
    send(0);
    messages.announced(1);
    receive(0);
    assertThat(run.problem()).isNull();
    receive(1);
    assertTooLate(1);
  }

  /** A message that has arrived before the loss may be read after it. */
  @Test
  void aMessageReturnsUntilTheNextConnection() {
    send(0);
    send(1);
    messages.lost();
    receive(0);
    assertThat(run.problem()).isNull();
    messages.connectedAgain();
    receive(1);
    assertTooLate(1);
  }

  /** The next connection may have sent them. */
  @Test
  void messagesWithoutAnAnswerMayReturnOnTheNextConnection() {
    messages.sent(0, false);
    messages.sent(1, false);
    messages.lost();
    messages.completed(0);
    messages.connectedAgain();
    messages.completed(1);
    send(2);
    receive(0);
    receive(1);
    receive(2);
    assertThat(run.problem()).isNull();
  }

  @Test
  void theClientDoesNotWaitForLostMessages() {
    send(0);
    messages.announced(1);
    messages.completed(1);
    messages.announced(2);
    messages.lost();
    assertThat(messages.onTheWay()).isEqualTo(3);
    messages.connectedAgain();
    assertThat(messages.onTheWay()).isEqualTo(1);
    messages.arrived(2);
    assertThat(messages.onTheWay()).isZero();
  }

  @Test
  void aFailedMessageMayReturn() {
    messages.sent(0, false);
    messages.failed(0, false);
    assertThat(messages.onTheWay()).isZero();
    receive(0);
    assertThat(run.problem()).isNull();
  }

  @Test
  void aRefusedMessageDoesNotReturn() {
    messages.sent(0, false);
    messages.failed(0, true);
    receive(0);
    assertTooLate(0);
  }

  @Test
  void noMessageReturnsAfterTheEnd() {
    send(0);
    messages.ended();
    assertThat(messages.onTheWay()).isZero();
    receive(0);
    assertTooLate(0);
  }

  @Test
  void aDamagedMessageHasReturned() {
    send(0);
    byte[] damaged = bytes(0);
    damaged[RdmaProgram.BYTES / 2] ^= 1;
    messages.received(new Message(damaged, OptionalInt.empty()));
    assertThat(messages.onTheWay()).isZero();
    assertThat(messages.damaged()).isEqualTo(1);
    assertThat(run.problem()).isNull();
  }
}
