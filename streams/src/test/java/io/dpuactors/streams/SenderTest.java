package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SenderTest {
  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<SendReply> replies = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  void aBusyConnectionIsAFailureOfTheMessage() {
    Sender sender = new Sender(replies.getRef(), 1);
    sender.open(connection.getRef());
    sender.send(StreamMessage.Mark.CLOSE);
    connection.expectMessageClass(Send.class).busy(7);
    SendReply busy = replies.receiveMessage();
    assertThat(Sender.failure(busy))
        .isNotNull()
        .satisfies(error -> assertThat(error.code()).isEqualTo(DocaCode.FULL));
    assertThat(Sender.failure(new Sent(0))).isNull();
    sender.part(busy);
    assertThat(sender.isOpen()).isFalse();
  }
}
