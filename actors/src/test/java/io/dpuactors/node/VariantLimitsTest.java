package io.dpuactors.node;

import static io.dpuactors.bridge.TaskLimits.Variant.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.TaskLimits.Variant;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.TaskFunctions;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Batch;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.Update;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests requests to a device that lacks an algorithm, or requires large parts or destinations. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class VariantLimitsTest {
  private static final int PART = 256;
  private static final int ROOM = 4097;
  private static final Map<TaskKind, TaskLimits> LIMITS =
      Map.of(
          TaskKind.SHA_HASH,
          new TaskLimits(
              true, 4096, 1, List.of(new Variant(true, 1, ROOM), new Variant(true, 1, 0), NONE)),
          TaskKind.SHA_PARTIAL_HASH,
          new TaskLimits(
              true, 4096, 1, List.of(new Variant(true, 64, 0), new Variant(true, PART, 0), NONE)));

  private final TestInbox<TaskReply> inbox = TestInbox.create();
  private ManualEngine engine;
  private ContextNode<TaskLane<DeviceRequest>> node;

  @BeforeEach
  void open() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(8);
    node = engine.open("sha", new LaneSettings(4, 4, ManualEngine.SECOND), this::opened);
    engine.settle();
  }

  private ContextOpener.Opened opened(EngineCore core, long userData) {
    DocaContext context =
        TaskFunctions.of(TaskLibrary.SHA).create(core.progressEngine(), engine.device(), userData);
    LIMITS.keySet().forEach(kind -> context.configure(kind, 4));
    return new ContextOpener.Opened(context, LIMITS);
  }

  @AfterEach
  void close() {
    node.stop();
    engine.settle();
    engine.close();
  }

  @Test
  void anAlgorithmThatTheDeviceLacksIsNotSupported() {
    TaskReply refused = hash(Algorithm.SHA512);
    assertThat(((Failed) refused).code()).isEqualTo(DocaCode.NOT_SUPPORTED);
    assertThat(((Failed) refused).error().about()).contains("the device does not support SHA512");
    assertThat(hash(Algorithm.SHA256)).isInstanceOf(Completed.class);
  }

  /** The buffers of the test have room for the digest, but not for what the device requires. */
  @Test
  void aDestinationBelowTheMinimumOfTheDeviceIsRefused() {
    String reason = "a destination has room for 4096 bytes; the device's minimum is 4097";
    Failed refused = (Failed) hash(Algorithm.SHA1);
    assertThat(refused.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(refused.error().about()).contains(reason);
    Buffer src = engine.buffer(new byte[10]);
    Buffer dst = engine.buffer();
    TaskBatch batch = TaskBatch.of(List.of(src), List.of(dst));
    TestInbox<BatchReply> replies = TestInbox.create();
    node.load().accept(new Batch(Algorithm.SHA1, batch, 1, replies.getRef()));
    engine.settle();
    BatchFailed failed = (BatchFailed) replies.receiveMessage();
    assertThat(failed.error().about()).contains(reason);
    batch.close();
    src.release();
    dst.release();
  }

  @Test
  void aPartOfAWrongSizeIsRefusedAndTheSessionContinues() {
    DocaContext context = Objects.requireNonNull(node.running());
    TaskHandle handle = context.handles().openSession(TaskKind.SHA_PARTIAL_HASH);
    Session session = new Session(handle, Algorithm.SHA256);
    Buffer digest = engine.buffer();
    Failed refused = (Failed) update(session, Algorithm.SHA256.blockBytes(), digest);
    assertThat(refused.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(refused.error().about())
        .contains("64 bytes are no multiple of the device's 256 bytes");
    assertThat(update(session, PART, digest)).isInstanceOf(Completed.class);
    Buffer last = engine.buffer(new byte[10]);
    node.load().accept(new Finish(session, last, digest, 1, inbox.getRef()));
    engine.settle();
    assertThat(inbox.receiveMessage()).isInstanceOf(Completed.class);
    assertThat(digest.length()).isEqualTo(Algorithm.SHA256.digestBytes());
    last.release();
    digest.release();
  }

  private TaskReply hash(Algorithm algorithm) {
    Buffer src = engine.buffer(new byte[10]);
    Buffer dst = engine.buffer();
    node.load().accept(new Hash(algorithm, src, dst, inbox.getRef()));
    engine.settle();
    src.release();
    dst.release();
    return inbox.receiveMessage();
  }

  private TaskReply update(Session session, int bytes, Buffer digest) {
    Buffer src = engine.buffer(new byte[bytes]);
    node.load().accept(new Update(session, src, digest, 1, inbox.getRef()));
    engine.settle();
    src.release();
    return inbox.receiveMessage();
  }
}
