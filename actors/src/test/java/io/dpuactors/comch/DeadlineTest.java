package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.SecondJvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the deadlines by actor and state. Each cell names the deadline that bounds the state: a key
 * below {@code dpu.comch}, unless it begins with {@code engine}.
 *
 * <pre>
 *               opens                starts                  runs: its requests      stops
 *   server      engine.open-         (at once, by DOCA)      (answered at once)      its connections', then server.drain-
 *               deadline                                                             and stop-deadline
 *   connection  (born connected)     (born connected)        connection.deadline,    connection.drain-, stop- and
 *                                                            Receive.within,         behavior-deadline
 *                                                            AwaitConsumer.within
 *   client      engine.open-         client.start- and       as a connection; also   client.drain- and stop-deadline,
 *               deadline             engine.open-deadline    during a reconnect      connection.behavior-deadline
 *   producer    (no predecessor)     (at once, by DOCA)      producer.deadline       producer.drain- and stop-deadline
 *   consumer    (no predecessor)     consumer.start-deadline (unbounded: data may    (drain: none by default)
 *                                                            arrive at any time)     consumer.stop-deadline
 * </pre>
 *
 * <p>The engine.stop-deadline bounds all of them. A server, client or producer that restarts has no
 * deadline for the wait. The actor waits for the drain- and stop-deadline of its predecessor; then
 * the start-deadline of the table applies. An idle actor has no deadline.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class DeadlineTest {
  /** more messages than the device sends to a server that reads nothing */
  private static final int MESSAGES = 512;

  @ParameterizedTest
  @EnumSource
  void anOpenThatMissesItsDeadlineIsAnswered(LateStart late) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(late.settings)) {
      late.begin.accept(rig);
      OpenFailed<?> failed = rig.ledger.await(OpenFailed.class, 1).get(0);
      assertThat(failed.error().code()).isEqualTo(DocaCode.TIME_OUT);
      rig.blockPoint.release();
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRequestIsAnsweredAtItsDeadline(LateAnswer late) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(late.settings)) {
      late.ask.accept(rig);
      assertThat(late.await(rig)).isEqualTo(DocaCode.TIME_OUT);
      rig.blockPoint.release();
      rig.assertNothingLeft();
    }
  }

  /**
   * The actor ends in time. The native half of the actor ends when the device completes the
   * operation.
   */
  @ParameterizedTest
  @EnumSource
  @ExpectedLog("abandoned")
  void aContextThatEndsAfterItsDeadlineIsStillDestroyed(LateEnd late) throws InterruptedException {
    try (ServerRig rig = ServerRig.create(late.settings)) {
      Fixture fixture = late.begin.apply(rig);
      fixture.stop().run();
      rig.endings.await(fixture.ends());
      assertThat(late.lost).allMatch(node -> rig.nodes.phases(node).contains("LOST"));
      rig.assertNothingLeft();
    }
  }

  /** Each piece of the payload is in time. */
  @Test
  void aLatePayloadIsAnsweredAndItsConnectionContinues() throws InterruptedException {
    try (ServerRig rig =
        ServerRig.create("dpu.comch.connection { deadline = 1500ms, window = 1 }")) {
      FreshSoftDpu.DEVICE.faults("comch-send:delay=1s");
      rig.send(rig.bystander, new byte[12_000]);
      SendFailed late = rig.ledger.await(SendFailed.class, 1).get(0);
      assertThat(late.error().code()).isEqualTo(DocaCode.TIME_OUT);
      FreshSoftDpu.DEVICE.clearFaults();
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  /** The server reads nothing, so that the device holds most of the messages. */
  @Test
  void messagesThatAreFlushedAfterTheDrainDeadlineAreAnsweredWithTheReason()
      throws InterruptedException {
    try (ServerRig rig =
        ServerRig.create(
            "dpu.comch { connection.window = %d, client.drain-deadline = 50ms }"
                .formatted(MESSAGES))) {
      rig.blockEngine(false);
      for (int i = 0; i < MESSAGES; i++) {
        rig.send(rig.bystander, new byte[4000]);
      }
      rig.bystander.tell(new Stop());
      rig.assertEnd(List.of(rig.bystander));
      rig.blockPoint.release();
      assertThat(rig.ledger.answers(SendFailed.class))
          .isNotEmpty()
          .extracting(failed -> failed.error().code())
          .containsOnly(DocaCode.SHUTDOWN);
      rig.assertNothingLeft();
    }
  }

  /** For the behavior of a connection see {@link BehaviorTest}. */
  @Test
  @ExpectedLog("the behavior did not end with its connection")
  void theBehaviorOfAClientThatDoesNotEndInTimeIsStopped() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("dpu.comch.connection.behavior-deadline = 50ms")) {
      TestProbe<Served> clientSide = rig.system.kit.createTestProbe();
      ActorRef<ConnectionProtocol.Command> client =
          rig.client(
              "subject",
              ServerRig.client()
                  .withConnection(
                      ServerRig.options().withDispatcher(DispatcherSelector.defaultDispatcher()))
                  .withBehavior(TestService.reporting(clientSide.getRef(), rig.blockPoint)));
      Served served = rig.accepted();
      ActorRef<ConnectionEvent> behavior = clientSide.receiveMessage().behavior();
      behavior.tell(new Message("block".getBytes(StandardCharsets.US_ASCII)));
      rig.blockPoint.awaitBlocked();
      LoggingTestKit.warn("did not end with its connection")
          .expect(
              rig.system.kit.system(),
              () -> {
                client.tell(new Stop());
                return client;
              });
      rig.blockPoint.release();
      rig.assertEnd(List.of(client, served.connection(), served.behavior()));
      rig.assertNothingLeft();
    }
  }

  /** The engine's deadline expires before the deadlines of the actors that it has opened. */
  @Test
  void requestsLeftAtTheStopDeadlineAreAnswered() throws IOException, InterruptedException {
    Process program =
        SecondJvm.of(List.of(), StoppedEarly.class).redirectOutput(Redirect.DISCARD).start();
    try {
      assertThat(program.waitFor(ServerRig.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isZero();
    } finally {
      program.destroyForcibly();
    }
  }
}
