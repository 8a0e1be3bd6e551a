package io.dpuactors.testkit;

import static io.dpuactors.testkit.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.simulation.Simulation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests what a kit gives a test, and what makes the test fail. */
class EngineTestKitTest {
  private static final TaskOptions OPTIONS = TaskOptions.defaults();

  private record Question(int answers, ActorRef<String> replyTo) {}

  /** Runs a test with a kit; returns the text of the kit's failure, or an empty one. */
  private static String failure(EngineTestKit kit, Consumer<EngineTestKit> test) {
    kit.begin("test");
    try {
      test.accept(kit);
    } catch (Throwable e) {
      Throwable atEnd = catchThrowable(kit::end);
      if (atEnd != null) {
        e.addSuppressed(atEnd);
      }
      throw e;
    }
    Throwable failure = catchThrowable(kit::end);
    assertThat(failure)
        .satisfiesAnyOf(
            none -> assertThat(none).isNull(),
            some -> assertThat(some).isInstanceOf(AssertionError.class));
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  private static TaskReply deflate(EngineTestKit kit) {
    TestProbe<TaskReply> replies = start(kit, kit.compress(OPTIONS));
    return replies.receiveMessage();
  }

  private static TestProbe<TaskReply> start(
      EngineTestKit kit, ActorRef<CompressProtocol.Command> compress) {
    BufferPool pool = kit.pool(2, 64);
    Buffer src = lease(pool);
    src.length(64);
    TestProbe<TaskReply> replies = kit.actors().createTestProbe();
    compress.tell(new Deflate(src, lease(pool), replies.getRef()));
    return replies;
  }

  private static void release(TaskReply reply) {
    reply.src().release();
    reply.dst().release();
  }

  private static Behavior<Question> answering() {
    return Behaviors.receiveMessage(
        question -> {
          for (int i = 0; i < question.answers(); i++) {
            question.replyTo().tell("answer");
          }
          return Behaviors.same();
        });
  }

  @Test
  void aCleanTestPasses() {
    assertThat(failure(EngineTestKit.create(), kit -> release(deflate(kit)))).isEmpty();
  }

  @Test
  void aForgottenLeaseFailsTheTest() {
    assertThat(
            failure(
                EngineTestKit.create().withConfig("dpu.engine.stop-deadline = 50 ms"),
                kit -> lease(kit.pool(2, 64))))
        .contains("the engine has open objects: 1 LEASE lost of buffer pool of 2 x 64 bytes")
        .contains("unexpected in the log: engine engine stopped with open resources");
  }

  @Test
  void aMissingAnswerFailsTheTest() {
    assertThat(failure(EngineTestKit.create(), kit -> ask(kit, 0)))
        .startsWith("no answer: Question[answers=0");
  }

  @Test
  void aDoubledAnswerFailsTheTest() {
    assertThat(
            failure(
                EngineTestKit.create(),
                kit -> {
                  kit.expectWarning("more than one answer");
                  ask(kit, 2);
                }))
        .startsWith("more than one answer: Question[answers=2")
        .endsWith(": answer, then answer");
  }

  private static void ask(EngineTestKit kit, int answers) {
    TestProbe<String> probe = kit.actors().createTestProbe();
    kit.spawn(answering()).tell(new Question(answers, probe.getRef()));
    for (int i = 0; i < answers; i++) {
      probe.expectMessage("answer");
    }
  }

  @Test
  void anUnexpectedWarningFailsTheTest() {
    assertThat(
            failure(
                EngineTestKit.create(),
                kit -> {
                  kit.expectWarning("announced");
                  kit.expectWarning("absent");
                  LoggerFactory.getLogger("test").warn("an announced warning");
                  LoggerFactory.getLogger("test").error("another one");
                }))
        .hasLineCount(2)
        .contains("unexpected in the log: another one")
        .contains("not in the log: absent");
  }

  @Test
  void settingsOfTheDeviceEndWithTheTest() {
    EngineTestKit kit =
        EngineTestKit.create().withProfile("bluefield3").withFaults("*:fail").withQuirks("Q4");
    assertThat(
            failure(
                kit,
                test -> {
                  assertThat(test.device().profile()).isEqualTo("bluefield3");
                  ActorRef<CompressProtocol.Command> context =
                      test.compress(OPTIONS.withKinds(TaskKind.DECOMPRESS_DEFLATE));
                  TestProbe<TaskReply> replies = start(test, context);
                  release(replies.expectMessageClass(Failed.class));
                }))
        .isEmpty();
    assertThat(
            failure(
                EngineTestKit.create(),
                test -> {
                  assertThat(test.device().profile()).isEqualTo("full");
                  TaskReply reply = deflate(test);
                  assertThat(reply).isInstanceOf(Completed.class);
                  release(reply);
                }))
        .isEmpty();
  }

  @Test
  void aManualClockHoldsDelayedTasks() {
    EngineTestKit kit = EngineTestKit.create().withManualClock(7).withFaults("*:delay=3600000ms");
    assertThat(
            failure(
                kit.withConfig("dpu.compress.deadline = 1d"),
                test -> {
                  TestProbe<TaskReply> replies = start(test, test.compress(OPTIONS));
                  Awaitility.await().until(() -> status(test).tasksInFlight() == 1);
                  test.advance(Duration.ofSeconds(1)); // executes the task
                  Awaitility.await()
                      .until(() -> test.device().faultCounters().getOrDefault("delayed", 0L) == 1);
                  test.advance(Duration.ofMinutes(59));
                  assertThat(status(test).tasksInFlight()).isEqualTo(1);
                  replies.expectNoMessage(Duration.ZERO);
                  test.advance(Duration.ofMinutes(1));
                  release(replies.expectMessageClass(Completed.class));
                }))
        .isEmpty();
  }

  private static Status status(EngineTestKit kit) {
    return kit.ask(GetStatus::new);
  }

  @Test
  void aContextThatCannotOpenFailsAtOnce() {
    failure(
        EngineTestKit.create(),
        kit ->
            assertThat(catchThrowable(() -> kit.compress(OPTIONS.onDevice("0000:99:00.0"))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no context: OpenFailed")
                .hasMessageContaining("0000:99:00.0"));
  }

  @Test
  void everyLibraryHasAContext() {
    assertThat(
            failure(
                EngineTestKit.create(),
                kit -> {
                  TestProbe<Object> answers = kit.actors().createTestProbe();
                  kit.compress(OPTIONS).tell(new GetCapabilities(answers.getRef().narrow()));
                  kit.dma(OPTIONS).tell(new DmaProtocol.GetCapabilities(answers.getRef().narrow()));
                  kit.sha(OPTIONS).tell(new ShaProtocol.GetCapabilities(answers.getRef().narrow()));
                  kit.aesGcm(OPTIONS)
                      .tell(new AesGcmProtocol.GetCapabilities(answers.getRef().narrow()));
                  kit.erasureCoding(OPTIONS)
                      .tell(new ErasureCodingProtocol.GetCapabilities(answers.getRef().narrow()));
                  assertThat(answers.receiveSeveralMessages(5)).hasSize(5);
                }))
        .isEmpty();
  }

  @Test
  void aSystemThatDoesNotEndFailsOnlyItsTest() {
    CountDownLatch end = new CountDownLatch(1);
    String problems =
        failure(
            EngineTestKit.create()
                .withConfig("pekko.actor.testkit.typed.system-shutdown-default = 100 ms"),
            kit -> {
              kit.spawn(blockedUntil(end)).tell("block");
              LoggerFactory.getLogger("test").warn("the reason");
            });
    end.countDown();
    assertThat(problems)
        .contains("Failed to stop [test] within [100 milliseconds]")
        .contains("unexpected in the log: the reason");
    assertThat(failure(EngineTestKit.create(), kit -> release(deflate(kit)))).isEmpty();
  }

  private static Behavior<String> blockedUntil(CountDownLatch end) {
    return Behaviors.receiveMessage(
        message -> {
          end.await();
          return Behaviors.stopped();
        });
  }

  @Test
  void aKitServesOneTestAtATime() {
    EngineTestKit kit = EngineTestKit.create();
    assertThatNullPointerException()
        .isThrownBy(kit::engine)
        .withMessageContaining("usable during a test only");
    failure(
        kit,
        test ->
            assertThatIllegalStateException()
                .isThrownBy(() -> EngineTestKit.create().begin("second"))
                .withMessageContaining("a test has one EngineTestKit"));
  }

  @Test
  void aKitAndASimulationDoNotRunAtOnce() {
    failure(
        EngineTestKit.create(),
        test ->
            assertThatIllegalStateException()
                .isThrownBy(() -> Simulation.of(1).run(system -> {}))
                .withMessageContaining("one simulation at a time"));
    Simulation.of(1)
        .run(
            system ->
                assertThatIllegalStateException()
                    .isThrownBy(() -> EngineTestKit.create().begin("kit"))
                    .withMessageContaining("one simulation at a time"));
    assertThat(failure(EngineTestKit.create(), kit -> release(deflate(kit)))).isEmpty();
  }
}
