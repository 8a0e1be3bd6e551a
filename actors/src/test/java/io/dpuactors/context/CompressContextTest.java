package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the compress context through its public protocol: open, failure, restart and stop. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class CompressContextTest {
  private static final byte[] CONTENT = new byte[1000];

  @Test
  void aThousandRequestsInFlightAndQueuedAreAllAnsweredWhenItStops() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2000, 2048);
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=1ms");
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", deflateOnly().withWindow(64));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 1000; i++) {
        compress.tell(deflate(pool, i, replies));
      }
      compress.tell(new Stop());
      List<TaskReply> all = replies.receiveSeveralMessages(1000);
      assertThat(tags(all)).hasSize(1000);
      assertThat(all).allMatch(completedOr(DocaCode.SHUTDOWN));
      replies.expectTerminated(compress);
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aDeviceWithoutTheKindIsATypedFailure() {
    FreshSoftDpu.DEVICE.profile("bluefield3");
    try (RunningSystem system = RunningSystem.create()) {
      OpenFailed<?> failed = (OpenFailed<?>) system.open("compress", deflateOnly());
      assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
      // A task kind that the device supports still works.
      system.opened("inflate", TaskOptions.defaults().withKinds(TaskKind.DECOMPRESS_DEFLATE));
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static TaskOptions deflateOnly() {
    return TaskOptions.defaults().withKinds(TaskKind.COMPRESS_DEFLATE);
  }

  private static Deflate deflate(BufferPool pool, long tag, TestProbe<TaskReply> replies) {
    Buffer src = buffer(pool, CONTENT);
    return new Deflate(src, buffer(pool), tag, replies.getRef());
  }

  private static Predicate<TaskReply> completedOr(DocaCode code) {
    return reply -> reply instanceof Completed || (reply instanceof Failed f && f.code() == code);
  }
}
