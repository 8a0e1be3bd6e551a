package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests contexts whose state events are lost, late or doubled. DOCA's answer has the state. */
class StateEventTest extends InlineCompress {
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);

  private static final String DEVICE_LOST = "compress-deflate:lost:nth=1";

  @ParameterizedTest
  @ValueSource(strings = {"lost", "twice", "delay=5ms"})
  void aContextRunsAndEnds(String fault) {
    FreshSoftDpu.DEVICE.faults("ctx-event:" + fault);
    ContextNode<TaskLane<DeviceRequest>> other = other();
    other.load().accept(deflate(1));
    engine.settle();
    Completed done = (Completed) replies.receiveMessage();
    done.src().release();
    done.dst().release();
    other.stop();
    engine.settle();
    assertThat(engine.events).containsExactly("compress running", "other running", "other gone");
  }

  @Test
  void aFailedTaskShowsThatItsContextHasStopped() {
    FreshSoftDpu.DEVICE.faults(DEVICE_LOST + " ; ctx-event:lost:nth=1");
    node.load().accept(deflate(1));
    engine.settle();
    assertThat(failed()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(engine.events)
        .containsExactly("compress running", "compress failed UNEXPECTED", "compress gone");
  }

  @Test
  void aRefusedTaskShowsThatItsContextHasStopped() {
    ContextNode<TaskLane<DeviceRequest>> other = otherWithoutDevice();
    other.load().accept(deflate(2));
    engine.settle();
    assertThat(failed()).as("the reason of the stop").isEqualTo(DocaCode.UNEXPECTED);
    assertThat(engine.events).endsWith("other failed UNEXPECTED", "other gone");
  }

  @Test
  void aBatchOfRefusedTasksShowsThatItsContextHasStopped() {
    ContextNode<TaskLane<DeviceRequest>> other = otherWithoutDevice();
    TaskBatch batch =
        TaskBatch.of(
            List.of(engine.buffer((byte) 1), engine.buffer((byte) 2)),
            List.of(engine.buffer(), engine.buffer()));
    DeviceRequest request =
        new CompressProtocol.Batch(TaskKind.COMPRESS_DEFLATE, batch, 2, batches.getRef());
    other.load().accept(request);
    engine.settle();
    assertThat(batches.receiveMessage()).isEqualTo(new Ended(2, batch));
    assertThat(batch.results().failures()).isEqualTo(2);
    assertThat(engine.events).endsWith("other failed UNEXPECTED", "other gone");
    batch.close();
    batch.sources().forEach(Buffer::release);
    batch.destinations().forEach(Buffer::release);
  }

  private ContextNode<TaskLane<DeviceRequest>> other() {
    ContextNode<TaskLane<DeviceRequest>> other = engine.open("other", LANE);
    engine.settle();
    return other;
  }

  /** Returns a context whose device is lost by a task of another one, without an event. */
  private ContextNode<TaskLane<DeviceRequest>> otherWithoutDevice() {
    ContextNode<TaskLane<DeviceRequest>> other = other();
    FreshSoftDpu.DEVICE.faults(DEVICE_LOST + " ; ctx-event:lost");
    node.load().accept(deflate(1));
    engine.settle();
    failed();
    assertThat(engine.events).endsWith("compress failed UNEXPECTED", "compress gone");
    return other;
  }

  private Deflate deflate(long tag) {
    return new Deflate(engine.buffer((byte) 1), engine.buffer(), tag, replies.getRef());
  }

  private DocaCode failed() {
    Failed failed = (Failed) replies.receiveMessage();
    failed.src().release();
    failed.dst().release();
    return failed.code();
  }
}
