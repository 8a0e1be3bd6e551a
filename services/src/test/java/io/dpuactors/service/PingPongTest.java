package io.dpuactors.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class PingPongTest {
  private final TestInbox<ConnectionProtocol.Command> connection = TestInbox.create();

  private static Message message(String text) {
    return new Message(text.getBytes(US_ASCII));
  }

  private String sent() {
    return new String(((Send) connection.receiveMessage()).bytes(), US_ASCII);
  }

  @Test
  void everyPingIsAnsweredAndNothingElse() {
    BehaviorTestKit<ConnectionEvent> pong = BehaviorTestKit.create(Pong.serve(connection.getRef()));
    pong.run(message("ping"));
    assertThat(sent()).isEqualTo("pong");
    pong.run(new ConsumerJoined(7));
    pong.run(message("ping...x"));
    assertThat(sent()).isEqualTo("pong...x");
    assertThat(connection.hasMessages()).isFalse();
    pong.run(message("hello"));
    assertThat(pong.isAlive()).as("its connection ends with it").isFalse();
    assertThat(connection.hasMessages()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"pong....", "pong"})
  void aPingFollowsThePongOfTheOneBefore(String answer) {
    List<Long> times = new ArrayList<>();
    TestInbox<Ping.Result> results = TestInbox.create();
    BehaviorTestKit<ConnectionEvent> ping =
        BehaviorTestKit.create(
            Ping.create(connection.getRef(), 3, 8, times::add, results.getRef()));
    for (int i = 0; i < 3; i++) {
      assertThat(sent()).isEqualTo("ping....");
      assertThat(connection.hasMessages()).isFalse();
      ping.run(message(answer));
    }
    assertThat(connection.receiveMessage()).isEqualTo(new Stop());
    assertThat(ping.isAlive()).isFalse();
    Ping.Pinged result = (Ping.Pinged) results.receiveMessage();
    assertThat(result.count()).isEqualTo(3);
    assertThat(result.size()).isEqualTo(8);
    assertThat(times).hasSize(3);
    assertThat(result.elapsedNs()).isGreaterThanOrEqualTo(Collections.max(times));
  }

  @Test
  void aWrongPongAndAnEndAreReportedOnce() {
    for (ConnectionEvent event :
        List.of(message("pang"), message("pong!!!!"), new Closed(Optional.empty()))) {
      TestInbox<Ping.Result> results = TestInbox.create();
      BehaviorTestKit<ConnectionEvent> ping =
          BehaviorTestKit.create(
              Ping.create(connection.getRef(), 3, 8, time -> {}, results.getRef()));
      ping.run(message("pong"));
      ping.run(event);
      assertThat(ping.isAlive()).isFalse();
      assertThat(results.getAllReceived())
          .singleElement()
          .isInstanceOfSatisfying(
              Ping.PingFailed.class,
              failed -> assertThat(failed.why()).containsAnyOf("pong 2: ", "after 1 of 3 pongs"));
    }
  }

  @Test
  void pingsAreAnsweredByPongs() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(Pong::serve);
      TestProbe<Ping.Result> results = rig.system.kit.createTestProbe();
      for (int size : new int[] {4, 100, 4080}) {
        rig.connect(c -> Ping.create(c, 200, size, time -> {}, results.getRef()));
      }
      for (int i = 0; i < 3; i++) {
        assertThat(results.receiveMessage()).isInstanceOf(Ping.Pinged.class);
      }
      rig.stop();
    }
  }
}
