package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that messages of engines and contexts cannot be serialized, and that the error names this
 * reason.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LocalMessagesTest {
  private static final String SERIALIZE = "pekko.actor.serialize-messages = on";

  /** Pekko serializes messages to other nodes, and all messages if configured to verify them. */
  @Test
  void aRequestThatShouldLeaveTheProcessIsAnsweredWithAFailure() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<CompressProtocol.OpenReply> opened = system.kit.createTestProbe();
      assertIsLocalOnly(
          system, new OpenCompress("compress", TaskOptions.defaults(), opened.getRef()));
      OpenFailed<?> refused = (OpenFailed<?>) opened.receiveMessage();
      assertThat(refused.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
      assertThat(refused.error().about()).contains("local only");

      BufferPool pool = system.pool(2, 64);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      assertIsLocalOnly(
          system, new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      Failed failed = (Failed) replies.receiveMessage();
      assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
      RunningSystem.releaseBuffers(failed);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void otherMessagesSayThatTheyAreLocalOnly() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<Status> status = system.kit.createTestProbe();
      system.engine.tell(new GetStatus(status.getRef()));
      assertIsLocalOnly(system, status.receiveMessage());
      assertIsLocalOnly(system, new Stop());
      assertIsLocalOnly(system, new ConnectionEvent.Message(new byte[1]));
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static void assertIsLocalOnly(RunningSystem system, Object message) {
    assertThatThrownBy(
            () ->
                SerializationExtension.get(Adapter.toClassic(system.kit.system()))
                    .serialize(message)
                    .get())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining(message.getClass().getName() + " is local only");
  }

  @Test
  void aContextWorksWhileASystemVerifiesItsMessages() {
    try (RunningSystem system = RunningSystem.create(SERIALIZE)) {
      BufferPool pool = system.pool(2, 4096);
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      Buffer src = buffer(pool, (byte) 1);
      compress.tell(new Deflate(src, buffer(pool), replies.getRef()));
      TaskReply reply = replies.receiveMessage();
      assertThat(reply).isInstanceOf(Completed.class);
      RunningSystem.releaseBuffers(reply);
      TestProbe<TaskCapabilities> capabilities = system.kit.createTestProbe();
      compress.tell(new CompressProtocol.GetCapabilities(capabilities.getRef()));
      assertThat(capabilities.receiveMessage().any()).isTrue();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aConnectionWorksWhileASystemVerifiesItsMessages() {
    try (RunningSystem system = RunningSystem.create(SERIALIZE)) {
      ComchPair.server(system, ServerOptions.of("test-local", LocalMessagesTest::echo));
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(
              system, system.spawnEngine("two"), "client", ClientOptions.of("test-local"));
      TestProbe<ReceiveReply> received = system.kit.createTestProbe();
      client.tell(new ReceiveMessage(received.getRef()));
      client.tell(Send.orFail("ping"));
      assertThat(((Received) received.receiveMessage()).message().text()).isEqualTo("ping");
      client.tell(new Stop());
      received.expectTerminated(client);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static Behavior<ConnectionEvent> echo(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(
            ConnectionEvent.Message.class,
            message -> {
              connection.tell(Send.orFail(message.bytes()));
              return Behaviors.same();
            })
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }
}
