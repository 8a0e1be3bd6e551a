package io.dpuactors.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenReply;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.zip.Inflater;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the service of docs/pekko.md, and that its engines stop with the actor system. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class DeflateServiceTest {
  private static final String TEXT = "hello, service! ".repeat(50);

  @Test
  @ExpectedLog(value = "the context stopped by itself", always = false) // before the server runs
  void messagesOfAClientAreAnsweredDeflated() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      system.kit.spawn(DeflateService.create("docs-deflate"), "service");
      ActorRef<ConnectionProtocol.Command> client = client(system);
      TestProbe<ReceiveReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 3; i++) {
        client.tell(Send.orFail(TEXT));
        client.tell(new ReceiveMessage(Duration.ofSeconds(15), replies.getRef()));
        byte[] bytes = replies.expectMessageClass(Received.class).message().bytes();
        assertThat(bytes.length).isLessThan(TEXT.length());
        assertThat(inflated(bytes)).isEqualTo(TEXT);
      }
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** Opens a client that connects as soon as the server runs. */
  private static ActorRef<ConnectionProtocol.Command> client(RunningSystem system) {
    TestProbe<OpenReply> opened = system.kit.createTestProbe();
    ClientOptions options =
        ClientOptions.of("docs-deflate")
            .withSupervision(
                SupervisorStrategy.restartWithBackoff(
                    Duration.ofMillis(10), Duration.ofMillis(100), 0));
    system.engine.tell(new OpenComchClient("client", options, opened.getRef()));
    return ((ConnectionProtocol.Opened) opened.receiveMessage(Duration.ofSeconds(15))).context();
  }

  private static String inflated(byte[] bytes) throws Exception {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(bytes);
      byte[] output = new byte[TEXT.length() + 1];
      return new String(output, 0, inflater.inflate(output), UTF_8);
    } finally {
      inflater.end();
    }
  }
}
