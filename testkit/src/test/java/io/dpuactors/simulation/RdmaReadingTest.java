package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Grant;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveFailed;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveReply;
import io.dpuactors.protocol.RdmaReceiveProtocol.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how clients of an RDMA server read their messages. */
class RdmaReadingTest {
  private static final ReceiveReply MESSAGE =
      new Received(new Message(new byte[8], OptionalInt.empty()));

  private final StillControl clock = new StillControl();
  private final TestInbox<Command> connection = TestInbox.create();
  private final List<ActorContext<Object>> clients = new ArrayList<>();

  @BeforeEach
  void spawnClient() {
    BehaviorTestKit.create(
        Behaviors.<Object>setup(
            context -> {
              clients.add(context);
              return Behaviors.empty();
            }));
  }

  private ActorContext<Object> client() {
    return clients.get(0);
  }

  /** Returns the reader of the first seed whose client is not slow and reads in this way. */
  private Reader reader(Class<? extends Command> first) {
    for (long seed = 1; ; seed++) {
      Run run = Runs.of(clock, seed);
      RdmaReading reading = new RdmaReading(run, true, "client0");
      reading.begin(client(), connection.getRef(), 4);
      List<Command> sent = connection.getAllReceived();
      boolean isSlow = run.reached().containsKey("slow consumer");
      if (first.isInstance(sent.get(0)) && !isSlow) {
        assertThat(sent).hasSize(1);
        return new Reader(run, reading, sent.get(0));
      }
    }
  }

  private record Reader(Run run, RdmaReading reading, Command first) {}

  private static ReceiveReply failed(DocaCode code, String operation) {
    return new ReceiveFailed(DocaError.of(operation, code.value(), "why"));
  }

  @Test
  void aSubscriberGrantsEachMessage() {
    Reader reader = reader(Subscribe.class);
    assertThat(((Subscribe) reader.first()).credit()).isEqualTo(4);
    reader.reading().next(client());
    assertThat(connection.getAllReceived()).containsExactly(new Grant(1));
    reader.reading().check();
    assertThat(reader.run().problem()).isNull();
  }

  @Test
  void oneRequestFollowsTheOther() {
    Reader reader = reader(ReceiveMessage.class);
    RdmaReading reading = reader.reading();
    reading.next(client());
    assertThat(connection.hasMessages()).as("the first has no answer").isFalse();
    reading.answered(MESSAGE, false);
    reading.next(client());
    assertThat(connection.getAllReceived()).hasSize(1);
    reading.answered(MESSAGE, false);
    reading.check();
    assertThat(reader.run().problem()).isNull();
  }

  @Test
  void theRequestAfterATimeOutHasNoLimit() {
    Reader reader = reader(ReceiveMessage.class);
    RdmaReading reading = reader.reading();
    clock.nowNs += ((ReceiveMessage) reader.first()).within().orElseThrow().toNanos();
    reading.answered(failed(DocaCode.TIME_OUT, "receive"), false);
    reading.next(client());
    ReceiveMessage next = (ReceiveMessage) connection.receiveMessage();
    assertThat(next.within()).isEmpty();
    assertThat(reader.run().problem()).isNull();
    reading.answered(failed(DocaCode.TIME_OUT, "receive"), false);
    assertThat(reader.run().problem()).isNotNull();
  }

  @Test
  void anEarlyTimeOutFailsTheRun() {
    Reader reader = reader(ReceiveMessage.class);
    long limitNs = ((ReceiveMessage) reader.first()).within().orElseThrow().toNanos();
    clock.nowNs += limitNs - Pace.NONE.slackNs() - 1;
    reader.reading().answered(failed(DocaCode.TIME_OUT, "receive"), false);
    assertThat(reader.run().problem()).startsWith("a receiver of client0 timed out after ");
  }

  @Test
  void anAnswerAfterTheLimitFailsTheRun() {
    Reader reader = reader(ReceiveMessage.class);
    long limitNs = ((ReceiveMessage) reader.first()).within().orElseThrow().toNanos();
    clock.nowNs += limitNs + 2 * Pace.NONE.slackNs() + 1;
    reader.reading().answered(MESSAGE, false);
    assertThat(reader.run().problem()).startsWith("a receiver of client0 was answered after ");
  }

  @Test
  void nothingIsAskedOfAConnectionThatHasEnded() {
    Reader reader = reader(ReceiveMessage.class);
    RdmaReading reading = reader.reading();
    reading.answered(failed(DocaCode.SHUTDOWN, "connection"), true);
    reading.next(client());
    assertThat(connection.hasMessages()).isFalse();
    reading.check();
    assertThat(reader.run().problem()).isNull();
  }

  @Test
  void theLastAnswerOfAConnectionDoesNotEndTheNextOne() {
    Reader reader = reader(ReceiveMessage.class);
    RdmaReading reading = reader.reading();
    reading.end();
    TestInbox<Command> next = TestInbox.create("next");
    reading.begin(client(), next.getRef(), 4);
    assertThat(next.hasMessages()).isFalse();
    reading.answered(failed(DocaCode.SHUTDOWN, "connection"), true);
    reading.next(client());
    assertThat(next.getAllReceived()).hasSize(1);
  }

  @Test
  void aMissingAnswerFailsTheRun() {
    Reader reader = reader(ReceiveMessage.class);
    reader.reading().check();
    assertThat(reader.run().problem()).isEqualTo("1 receivers of client0 have no answer");
  }
}
