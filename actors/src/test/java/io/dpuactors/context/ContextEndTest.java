package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.CapturedLogEvent;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the end of a context whose parts throw. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ContextEndTest {
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);
  private static final ContextTimes TIMES =
      new ContextTimes(ManualEngine.SECOND, ManualEngine.SECOND, ManualEngine.SECOND);

  /** Parts that throw at the end. */
  private static final class Failing implements ContextLife.Parts {
    @Override
    public void stop() {}

    @Override
    public void forget(ActorRef<?> ended) {}

    @Override
    public boolean isEmpty() {
      return true;
    }

    @Override
    public void close() {
      throw new IllegalStateException("planted fault");
    }

    @Override
    public void ended() {
      throw new IllegalStateException("planted fault");
    }
  }

  private final RestartHistory history =
      new RestartHistory(new RestartSettings(SupervisorStrategy.restart(), 100, 0, 1, 1, 1));
  private final TestInbox<Stopped> stopped = TestInbox.create();
  private ManualEngine engine;
  private BehaviorTestKit<Object> context;

  static Stream<Signal> ends() {
    return Stream.of(PostStop.instance(), PreRestart.instance());
  }

  @BeforeEach
  void open() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(2);
    context = BehaviorTestKit.create(behavior());
    engine.settle();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Behavior<Object> behavior() {
    TestInbox<ContextEvent> parent = TestInbox.create();
    return Behaviors.setup(
        self ->
            new ContextLife<>(
                    self,
                    engine.core,
                    history,
                    parent.getRef(),
                    new Failing(),
                    TaskLane.forTasks(engine.core, "tasks", LANE),
                    TIMES,
                    engine::opener)
                .with(Behaviors.receive(Object.class)));
  }

  private void end(Signal signal) {
    context.signal(signal);
    assertThat(context.getAllLogEntries())
        .extracting(CapturedLogEvent::message)
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).contains("throws at its end"));
    engine.settle();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void theNativeHalfEnds(Signal signal) {
    assertThat(engine.core.isVacant()).isFalse();
    end(signal);
    assertThat(engine.core.isVacant()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aStopIsAnswered(Signal signal) {
    context.run(new Stop(stopped.getRef()));
    end(signal);
    assertThat(stopped.getAllReceived()).hasSize(1);
  }
}
