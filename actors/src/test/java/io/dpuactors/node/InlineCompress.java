package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A running compress context on an inline device. At the end, all buffers are in their pool. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
abstract class InlineCompress {
  private static final LaneSettings SETTINGS = new LaneSettings(8, 16, ManualEngine.SECOND);

  final TestInbox<TaskReply> replies = TestInbox.create();
  final TestInbox<BatchReply> batches = TestInbox.create();
  ManualEngine engine;
  ContextNode<TaskLane<DeviceRequest>> node;

  @BeforeEach
  void open() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(128);
    node = engine.open("compress", SETTINGS);
    engine.settle();
  }

  @AfterEach
  void close() {
    node.stop();
    engine.settle();
    assertThat(replies.hasMessages()).isFalse();
    assertThat(batches.hasMessages()).isFalse();
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity());
    engine.close();
  }
}
