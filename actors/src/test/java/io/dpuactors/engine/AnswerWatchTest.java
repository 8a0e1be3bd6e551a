package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the report of requests that are answered never or twice. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class AnswerWatchTest {
  private static final String WATCHED = "dpu.answer-watch.enabled = on";

  private interface Command {}

  /** Asks for this number of answers. */
  private record Ask(int answers, ActorRef<Integer> replyTo) implements Command {}

  private record Maybe(Optional<ActorRef<Integer>> replyTo) implements Command {}

  private record Tell(ActorRef<Integer> other) implements Command {}

  private final ActorTestKit kit = ActorTestKit.create();
  private final AnswerWatch watch = AnswerWatch.get(kit.system());
  private final ActorRef<Command> actor = kit.spawn(watch.around(answering()), "answering");
  private final TestProbe<Integer> answers = kit.createTestProbe();

  @AfterEach
  void endSystem() {
    kit.shutdownTestKit();
  }

  private static Behavior<Command> answering() {
    return Behaviors.receive(Command.class)
        .onMessage(
            Ask.class,
            ask -> {
              for (int i = 1; i <= ask.answers(); i++) {
                ask.replyTo().tell(i);
              }
              return Behaviors.same();
            })
        .onMessage(
            Maybe.class,
            maybe -> {
              maybe.replyTo().ifPresent(asker -> asker.tell(7));
              return Behaviors.same();
            })
        .onMessage(
            Tell.class,
            tell -> {
              tell.other().tell(8);
              tell.other().tell(9);
              return Behaviors.same();
            })
        .build();
  }

  @Test
  void oneAnswerPassesWithoutAReport() {
    actor.tell(new Ask(1, answers.getRef()));
    actor.tell(new Maybe(Optional.of(answers.getRef())));
    actor.tell(new Maybe(Optional.empty()));
    actor.tell(new Tell(answers.getRef())); // no replyTo
    assertThat(answers.receiveSeveralMessages(4)).containsExactly(1, 7, 8, 9);
    assertThat(watch.unanswered()).isEmpty();
    assertThat(watch.answeredTwice()).isEmpty();
  }

  @Test
  @ExpectedLog("more than one answer: Ask[answers=2,")
  void aSecondAnswerPassesAndIsReported() {
    actor.tell(new Ask(2, answers.getRef()));
    assertThat(answers.receiveSeveralMessages(2)).containsExactly(1, 2);
    assertThat(watch.answeredTwice())
        .singleElement()
        .asString()
        .startsWith("Ask[answers=2,")
        .endsWith(" to /user/answering: 1, then 2");
    assertThat(watch.unanswered()).isEmpty();
  }

  @Test
  @ExpectedLog("no answer within 1 ms: Ask[answers=0,")
  void aMissingAnswerIsReportedOnce() {
    ActorTestKit shortLimit =
        ActorTestKit.create(
            "shortLimit",
            ConfigFactory.parseString("dpu.answer-watch.limit = 1 ms")
                .withFallback(ConfigFactory.parseResources("application-test.conf")));
    try {
      AnswerWatch ofShortLimit = AnswerWatch.get(shortLimit.system());
      ActorRef<Command> silent = shortLimit.spawn(ofShortLimit.around(answering()), "silent");
      LoggingTestKit.warn("no answer within 1 ms: Ask[answers=0,")
          .withOccurrences(1)
          .expect(
              shortLimit.system(),
              () -> {
                silent.tell(new Ask(0, answers.getRef()));
                return null;
              });
      assertThat(ofShortLimit.unanswered()).singleElement().asString().endsWith(" to /user/silent");
    } finally {
      shortLimit.shutdownTestKit();
    }
  }

  @Test
  void theSettingWatchesEnginesAndContexts() {
    try (RunningSystem system = RunningSystem.create(WATCHED)) {
      AnswerWatch ofSystem = AnswerWatch.get(system.kit.system());
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      BufferPool pool = system.pool(2, 64);
      TestProbe<Object> replies = system.kit.createTestProbe();
      FreshSoftDpu.DEVICE.faults("*:delay=500ms");
      compress.tell(
          new Deflate(buffer(pool, (byte) 1), buffer(pool), 5, replies.getRef().narrow()));
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> !ofSystem.unanswered().isEmpty());
      assertThat(ofSystem.unanswered())
          .singleElement()
          .asString()
          .contains("Deflate[src=buffer", "/compress");
      Completed done = replies.expectMessageClass(Completed.class);
      assertThat(done.tag()).isEqualTo(5);
      releaseBuffers(done);
      compress.tell(new GetCapabilities(replies.getRef().narrow()));
      replies.receiveMessage();
      compress.tell(new Stop(replies.getRef().narrow()));
      assertThat(replies.receiveMessage()).isEqualTo(Stopped.CLEAN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      assertThat(ofSystem.unanswered()).isEmpty();
      assertThat(ofSystem.answeredTwice()).isEmpty();
    }
  }

  /** The buffers of an answer whose receiver has ended return, as without the watch. */
  @Test
  void anUndeliverableAnswerReleasesItsBuffers() {
    try (RunningSystem system = RunningSystem.create(WATCHED)) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      BufferPool pool = system.pool(2, 64);
      TestProbe<TaskReply> receiver = system.kit.createTestProbe();
      FreshSoftDpu.DEVICE.faults("*:delay=20ms");
      compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), receiver.getRef()));
      receiver.stop();
      Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> pool.available() == 2);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
