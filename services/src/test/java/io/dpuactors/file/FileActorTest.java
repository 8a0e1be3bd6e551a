package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.file.FileActor.Step;
import io.dpuactors.file.FileFailure.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.CapturedLogEvent;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Tests the failures of one file. */
class FileActorTest {
  private static final Path FILE = Path.of("in");
  private static final String LATER = "after the failure of a file: in: ";

  private final List<FileFailure> reported = new ArrayList<>();
  private boolean isAnswerDue = true;

  private final BehaviorTestKit<Step> actor =
      BehaviorTestKit.create(
          Behaviors.setup(context -> Behaviors.withTimers(timers -> new Work(context, timers))));

  /** Runs the steps that it receives. */
  private final class Work extends FileActor<Step> {
    Work(ActorContext<Step> context, TimerScheduler<Step> timers) {
      super(context, timers, FILE, () -> {});
    }

    @Override
    public Receive<Step> createReceive() {
      return newReceiveBuilder().onMessage(Step.class, this::guarded).build();
    }

    @Override
    boolean proceed() {
      return false;
    }

    @Override
    boolean isAnswerDue() {
      return isAnswerDue;
    }

    @Override
    FileFailure abort(FileFailure why) {
      return why;
    }

    @Override
    void reportFailed(FileFailure why) {
      reported.add(why);
    }
  }

  private static Step failing(String why) {
    return () -> {
      throw new FileException(FileFailure.of(Kind.TASK, FILE, why));
    };
  }

  private List<CapturedLogEvent> logged(Level level) {
    return actor.getAllLogEntries().stream().filter(entry -> entry.level() == level).toList();
  }

  @Test
  void theFirstFailureIsReportedAndTheLogHasTheLaterOnes() {
    actor.run(failing("first"));
    actor.run(failing("second"));
    assertThat(reported).isEmpty();
    isAnswerDue = false;
    actor.run(() -> {});
    assertThat(reported).extracting(FileFailure::message).containsExactly("first");
    assertThat(actor.isAlive()).isFalse();
    assertThat(logged(Level.DEBUG))
        .extracting(CapturedLogEvent::message)
        .contains(LATER + "second");
    assertThat(logged(Level.ERROR)).isEmpty();
  }

  @Test
  void aBugAfterTheFirstFailureIsAnErrorInTheLog() {
    IllegalStateException bug = new IllegalStateException("bug");
    actor.run(failing("first"));
    actor.run(
        () -> {
          throw bug;
        });
    assertThat(logged(Level.ERROR))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.message()).startsWith(LATER + "internal error: ");
              assertThat(entry.getErrorCause()).contains(bug);
            });
  }
}
