package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behaviors of connections: answers, restarts, stops and failures. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BehaviorTest {
  private static ConnectionOptions on(String dispatcher) {
    return dispatcher.equals("engine")
        ? ConnectionOptions.defaults()
        : ConnectionOptions.defaults().withDispatcher(DispatcherSelector.defaultDispatcher());
  }

  /** Returns a behavior that answers with the number of its instance, and throws on request. */
  private static ConnectionBehavior counting(AtomicInteger made) {
    return connection -> {
      int life = made.incrementAndGet();
      return Behaviors.receive(ConnectionEvent.class)
          .onMessage(Message.class, message -> answer(message.text(), life, connection))
          .onAnyMessage(event -> Behaviors.same())
          .build();
    };
  }

  private static Behavior<ConnectionEvent> answer(
      String text, int life, ActorRef<ConnectionProtocol.Command> connection) {
    if (text.equals("throw")) {
      throw new IllegalStateException("as the test has asked");
    }
    connection.tell(Send.orFail(text + " " + life));
    return Behaviors.same();
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine", "another"})
  @ExpectedLog({"as the test has asked", "the behavior failed; its connection closes"})
  void aBehaviorThatThrowsEndsItsConnection(String dispatcher) {
    AtomicInteger made = new AtomicInteger();
    try (BehaviorRig rig = BehaviorRig.of(counting(made), on(dispatcher), "")) {
      rig.send("hello");
      assertThat(rig.receive()).isEqualTo("hello 1");
      String end =
          LoggingTestKit.info(
                  "2 messages received: the behavior failed: java.lang.IllegalStateException: as")
              .expect(
                  rig.system().kit.system(),
                  () -> {
                    TestProbe<ReceiveReply> receiving = rig.receiving();
                    rig.send("throw");
                    return BehaviorRig.received(receiving);
                  });
      assertThat(end).isEqualTo("CONNECTION_RESET");
      rig.assertEnds();
      assertThat(made).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine", "another"})
  @ExpectedLog("as the test has asked")
  void aRestartedBehaviorKeepsItsConnection(String dispatcher) {
    AtomicInteger made = new AtomicInteger();
    ConnectionOptions options =
        on(dispatcher).withCredit(2).withSupervision(SupervisorStrategy.restart());
    try (BehaviorRig rig = BehaviorRig.of(counting(made), options, "")) {
      for (int life = 1; life <= 6; life++) {
        rig.send("hello");
        assertThat(rig.receive()).isEqualTo("hello " + life);
        rig.send("throw");
      }
      rig.send("bye");
      assertThat(rig.receive()).isEqualTo("bye 7");
    }
  }

  /**
   * Messages that arrive during the restart back-off reach the restarted behavior. No message is
   * lost.
   */
  @ParameterizedTest
  @ValueSource(strings = {"engine", "another"})
  @ExpectedLog("as the test has asked")
  void aBehaviorGetsItsMessagesAfterTheRestartBackOff(String dispatcher) {
    ConnectionOptions options =
        on(dispatcher)
            .withCredit(4)
            .withReceiveQueue(3000)
            .withQueue(3000)
            .withSupervision(
                SupervisorStrategy.restartWithBackoff(
                    Duration.ofMillis(300), Duration.ofMillis(300), 0));
    try (BehaviorRig rig = BehaviorRig.of(counting(new AtomicInteger()), options, "")) {
      rig.send("throw");
      for (int i = 0; i < 2000; i++) {
        TestProbe<SendReply> sent = rig.system().kit.createTestProbe();
        rig.client().tell(new Send(bytes("m" + i), sent.getRef()));
        if (i % 100 == 0) {
          sent.receiveMessage(); // the queue of the sender is bounded
        }
      }
      for (int i = 0; i < 2000; i++) {
        assertThat(rig.receive()).isEqualTo("m" + i + " 2");
      }
    }
  }

  /** Returns a behavior that reports the peer's consumers and the number of its instance. */
  private static ConnectionBehavior watching(AtomicInteger made) {
    return connection -> {
      int life = made.incrementAndGet();
      return Behaviors.receive(ConnectionEvent.class)
          .onMessage(Message.class, message -> answer(message.text(), life, connection))
          .onMessage(
              ConsumerJoined.class,
              joined -> answer("joined " + joined.consumer(), life, connection))
          .onMessage(
              ConsumerLeft.class, left -> answer("left " + left.consumer(), life, connection))
          .onAnyMessage(event -> Behaviors.same())
          .build();
    };
  }

  /** Returns the same report with another instance number. */
  private static String in(String said, int life) {
    return said.substring(0, said.lastIndexOf(' ') + 1) + life;
  }

  @ParameterizedTest
  @CsvSource({"engine, 0", "another, 0", "engine, 50", "another, 50"})
  @ExpectedLog("as the test has asked")
  void aRestartedBehaviorReceivesPresentConsumersAgain(String dispatcher, long backoffMs) {
    Duration backoff = Duration.ofMillis(backoffMs);
    SupervisorStrategy strategy =
        backoff.isZero()
            ? SupervisorStrategy.restart()
            : SupervisorStrategy.restartWithBackoff(backoff, backoff, 0);
    try (BehaviorRig rig =
        BehaviorRig.of(
            watching(new AtomicInteger()), on(dispatcher).withSupervision(strategy), "")) {
      ActorRef<ConsumerProtocol.Command> first = rig.consumer("first");
      String one = rig.receive();
      assertThat(one).startsWith("joined ").endsWith(" 1");
      rig.consumer("second");
      String two = rig.receive();
      rig.send("throw");
      rig.send("hello");
      assertThat(rig.receive()).isEqualTo(in(one, 2));
      assertThat(rig.receive()).isEqualTo(in(two, 2));
      assertThat(rig.receive()).isEqualTo("hello 2");
      first.tell(new Stop());
      assertThat(rig.receive()).startsWith("left ");
      rig.send("throw");
      rig.send("hello");
      assertThat(rig.receive()).isEqualTo(in(two, 3));
      assertThat(rig.receive()).isEqualTo("hello 3");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine", "another"})
  @ExpectedLog("not even a beginning")
  void aBehaviorThatCannotBeCreatedEndsItsConnection(String dispatcher) {
    ConnectionBehavior impossible =
        connection -> {
          throw new IllegalStateException("not even a beginning");
        };
    assertSentAway(impossible, on(dispatcher));
  }

  /** The client may receive the end of the connection before its open request is answered. */
  private static void assertSentAway(ConnectionBehavior behavior, ConnectionOptions options) {
    try (RunningSystem system = RunningSystem.create()) {
      ComchPair.server(system, ServerOptions.of("test-away", behavior).withConnections(options));
      ConnectionProtocol.OpenReply reply =
          ComchPair.openClient(
              system, system.spawnEngine("two"), "client", ClientOptions.of("test-away"));
      if (reply instanceof ConnectionProtocol.Opened opened) {
        new BehaviorRig(system, system.engine, opened.context()).assertEnds();
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  @ExpectedLog("no-such-dispatcher")
  void aBehaviorThatCannotStartEndsItsConnection() {
    ConnectionOptions options =
        ConnectionOptions.defaults()
            .withDispatcher(DispatcherSelector.fromConfig("no-such-dispatcher"));
    assertSentAway(connection -> Behaviors.ignore(), options);
  }

  /** The behavior sends far more messages than the window in one turn, and stops. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messagesSentBeforeTheStopArrive(boolean framed) {
    ConnectionOptions options = framed ? ServerRig.options() : ConnectionOptions.defaults();
    ConnectionBehavior brief =
        connection ->
            Behaviors.receive(ConnectionEvent.class)
                .onMessage(
                    Message.class,
                    message -> {
                      for (int i = 0; i < 500; i++) {
                        connection.tell(Send.orFail("message " + i));
                      }
                      return Behaviors.stopped();
                    })
                .build();
    try (RunningSystem system = RunningSystem.create()) {
      ComchPair.server(system, ServerOptions.of("test-brief", brief).withConnections(options));
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(
              system,
              system.spawnEngine("two"),
              "client",
              ClientOptions.of("test-brief").withConnection(options));
      BehaviorRig rig = new BehaviorRig(system, system.engine, client);
      rig.send("go");
      for (int i = 0; i < 500; i++) {
        assertThat(rig.receive()).isEqualTo("message " + i);
      }
      rig.assertEnds();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The behavior processes a message when the connection ends, and does not return in time. */
  @Test
  @ExpectedLog("the behavior did not end with its connection")
  void aBehaviorThatDoesNotEndInTimeIsStopped() {
    BlockPoint blockPoint = new BlockPoint();
    ConnectionBehavior busy =
        connection ->
            Behaviors.receive(ConnectionEvent.class)
                .onMessage(
                    Message.class,
                    message -> {
                      blockPoint.block();
                      return Behaviors.same();
                    })
                .build();
    try (BehaviorRig rig =
        BehaviorRig.of(busy, on("another"), "dpu.comch.connection.behavior-deadline = 50ms")) {
      rig.send("work");
      blockPoint.awaitBlocked();
      LoggingTestKit.warn("did not end with its connection")
          .expect(
              rig.system().kit.system(),
              () -> {
                rig.client().tell(new Stop());
                return rig;
              });
      blockPoint.release();
      rig.assertEnds();
    }
  }
}
