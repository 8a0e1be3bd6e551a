package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testing.AnyTask;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the section of each library inherits {@code dpu.tasks} and can override it. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LibrarySettingsTest {
  private static final String TASKS = "dpu.tasks { window = 1, queue = 1 }\n";
  private static final int REQUESTS = 5;
  private static final int BYTES = 512;

  @ParameterizedTest
  @EnumSource
  void aLibraryInheritsTheSectionOfAll(TaskLibrary library) {
    assertThat(busy(library, TASKS)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void aLibraryOverridesAValueAndInheritsTheOthers(TaskLibrary library) {
    String own = "dpu.%s.queue = 3".formatted(library.shortName());
    assertThat(busy(library, TASKS + own)).isEqualTo(1);
  }

  /** Returns the number of requests that get Busy from a device that keeps its tasks. */
  private static long busy(TaskLibrary library, String settings) {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create(settings)) {
      TaskKind kind = AnyTask.kind(library);
      ActorRef<LocalMessage> context =
          system.opened(library, TaskOptions.defaults().withKinds(kind));
      TaskHandle object = system.object(library, context);
      BufferPool pool = system.pool(2 * REQUESTS, 2 * BYTES);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      FreshSoftDpu.DEVICE.manualClock(true);
      for (int i = 0; i < REQUESTS; i++) {
        Buffer src = buffer(pool, new byte[BYTES]);
        context.tell(new AnyTask(kind, object, src, buffer(pool), i, replies.getRef()));
      }
      TestProbe<Object> last = system.kit.createTestProbe();
      context.tell(new AnyTask.Query(last.getRef().narrow()));
      last.receiveMessage(); // the context has received all requests
      FreshSoftDpu.DEVICE.manualClock(false);
      List<TaskReply> all = replies.receiveSeveralMessages(REQUESTS);
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      assertThat(all).allMatch(reply -> reply instanceof Completed || reply instanceof Busy);
      return all.stream().filter(Busy.class::isInstance).count();
    }
  }
}
