package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol.Add;
import io.dpuactors.protocol.SyncEventProtocol.AwaitEqual;
import io.dpuactors.protocol.SyncEventProtocol.AwaitNotEqual;
import io.dpuactors.protocol.SyncEventProtocol.Command;
import io.dpuactors.protocol.SyncEventProtocol.Done;
import io.dpuactors.protocol.SyncEventProtocol.Export;
import io.dpuactors.protocol.SyncEventProtocol.ExportReply;
import io.dpuactors.protocol.SyncEventProtocol.Exported;
import io.dpuactors.protocol.SyncEventProtocol.Failed;
import io.dpuactors.protocol.SyncEventProtocol.Get;
import io.dpuactors.protocol.SyncEventProtocol.NotExported;
import io.dpuactors.protocol.SyncEventProtocol.OpenFailed;
import io.dpuactors.protocol.SyncEventProtocol.OpenReply;
import io.dpuactors.protocol.SyncEventProtocol.Opened;
import io.dpuactors.protocol.SyncEventProtocol.Reply;
import io.dpuactors.protocol.SyncEventProtocol.Set;
import io.dpuactors.protocol.SyncEventProtocol.Value;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sync events through their public protocol. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class SyncEventContextTest {
  private static final String HOST = "0000:81:00.0";
  private static final String DPU = "0000:03:00.0";

  @Test
  void theValueIsSetAddedToAndRead() {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      assertThat(rig.ask(event, new Get(1, rig.replies.getRef()))).isEqualTo(new Value(1, 0));
      assertThat(rig.ask(event, new Set(-5, 2, rig.replies.getRef()))).isEqualTo(new Done(2));
      assertThat(rig.ask(event, new Add(7, 3, rig.replies.getRef()))).isEqualTo(new Value(3, -5));
      assertThat(rig.ask(event, new Get(4, rig.replies.getRef()))).isEqualTo(new Value(4, 2));
    }
  }

  @Test
  void aWaitIsAnsweredWhenTheValueFits() {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      event.tell(new AwaitEqual(0x1234, 1, rig.replies.getRef()));
      event.tell(new AwaitEqual(0x34, 0xff, 2, rig.replies.getRef()));
      event.tell(new AwaitNotEqual(0, 0xff00, 3, rig.replies.getRef()));
      assertThat(rig.ask(event, new Get(9, rig.replies.getRef()))).isEqualTo(new Value(9, 0));
      event.tell(new Set(0x34, 4, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(2))
          .containsExactlyInAnyOrder(new Done(4), new Done(2));
      event.tell(new Add(0x1200, 5, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(3))
          .containsExactlyInAnyOrder(new Value(5, 0x34), new Done(1), new Done(3));
      assertThat(rig.ask(event, new AwaitNotEqual(0, 6, rig.replies.getRef())))
          .isEqualTo(new Done(6));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 0xf0, 0xffffff, 0xff00ff, 0xff01, 0x1ff, 0xff_ffff_ffffL, 0xff0})
  void anIllegalMaskIsRefused(long mask) {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      Reply reply = rig.ask(event, new AwaitEqual(0, mask, 1, rig.replies.getRef()));
      assertThat(((Failed) reply).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(((Failed) reply).error().about()).contains("mask 0x" + Long.toHexString(mask));
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 0xff, 0xff00, 0xff_ff00L, 0xffff_ffffL, 0xff00_0000_0000_0000L, -1, 0xffff})
  void aLegalMaskReachesTheDevice(long mask) {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      assertThat(rig.ask(event, new AwaitEqual(0, mask, 1, rig.replies.getRef())))
          .isEqualTo(new Done(1));
    }
  }

  @Test
  void aLateWaitIsAnsweredOnceAtItsDeadline() {
    try (Rig rig = new Rig()) {
      // The deadline is also the limit of the other requests.
      TaskOptions tasks = TaskOptions.defaults().withDeadline(Duration.ofSeconds(1));
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults().withTasks(tasks));
      Failed late = (Failed) rig.ask(event, new AwaitEqual(1, 1, rig.replies.getRef()));
      assertThat(late.error().code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(rig.ask(event, new Set(1, 2, rig.replies.getRef()))).isEqualTo(new Done(2));
      assertThat(rig.ask(event, new Get(3, rig.replies.getRef()))).isEqualTo(new Value(3, 1));
      rig.replies.expectNoMessage(Duration.ZERO);
    }
  }

  @Test
  void waitsBeyondWindowAndQueueGetBusy() {
    try (Rig rig = new Rig()) {
      TaskOptions tasks = TaskOptions.defaults().withWindow(2).withQueue(1);
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults().withTasks(tasks));
      for (int i = 0; i < 12; i++) {
        event.tell(new AwaitEqual(1, i, rig.replies.getRef()));
      }
      List<Reply> busy = rig.replies.receiveSeveralMessages(9);
      assertThat(busy).allMatch(Busy.class::isInstance);
      event.tell(new Set(1, 99, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(4))
          .containsExactlyInAnyOrder(new Done(99), new Done(0), new Done(1), new Done(2));
    }
  }

  /** More waits than the device and the bridge hold. */
  @Test
  void queuedWaitsDelayNoOtherKind() {
    try (Rig rig = new Rig()) {
      TaskOptions tasks = TaskOptions.defaults().withWindow(2);
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults().withTasks(tasks));
      for (int i = 0; i < 20; i++) {
        event.tell(new AwaitEqual(1, i, rig.replies.getRef()));
      }
      assertThat(rig.ask(event, new Get(98, rig.replies.getRef()))).isEqualTo(new Value(98, 0));
      event.tell(new Set(1, 99, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(21))
          .allMatch(Done.class::isInstance)
          .extracting(Reply::tag)
          .doesNotHaveDuplicates();
    }
  }

  /** Queued requests to read leave their queue while waits fill theirs. */
  @Test
  void queuedRequestsOfOneKindLeaveTheQueueBeforeWaits() {
    try (Rig rig = new Rig()) {
      TaskOptions tasks = TaskOptions.defaults().withWindow(2);
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults().withTasks(tasks));
      for (int i = 0; i < 100; i++) {
        event.tell(new AwaitEqual(1, i, rig.replies.getRef()));
      }
      BlockPoint blocked = rig.system.blockEngine();
      for (int i = 100; i < 160; i++) {
        event.tell(new Get(i, rig.replies.getRef()));
      }
      blocked.release();
      assertThat(rig.replies.receiveSeveralMessages(60)).allMatch(Value.class::isInstance);
      event.tell(new Set(1, 160, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(101)).allMatch(Done.class::isInstance);
    }
  }

  /** The device refuses tasks of each kind at first. */
  @Test
  void aRefusedRequestIsSubmittedAgain() {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      FreshSoftDpu.DEVICE.faults("*:again=3:nth=2");
      for (int i = 0; i < 40; i += 4) {
        event.tell(new AwaitEqual(10, i, rig.replies.getRef()));
        event.tell(new AwaitNotEqual(0, i + 1, rig.replies.getRef()));
        event.tell(new Get(i + 2, rig.replies.getRef()));
        event.tell(new Add(1, i + 3, rig.replies.getRef()));
      }
      assertThat(rig.replies.receiveSeveralMessages(40))
          .allMatch(reply -> reply instanceof Done || reply instanceof Value)
          .extracting(Reply::tag)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void stopAnswersWaits() {
    try (Rig rig = new Rig()) {
      TaskOptions tasks = TaskOptions.defaults().withWindow(2);
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults().withTasks(tasks));
      for (int i = 0; i < 20; i++) {
        event.tell(new AwaitEqual(1, i, rig.replies.getRef()));
      }
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      event.tell(new Stop(stopped.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(20))
          .allMatch(reply -> reply instanceof Failed)
          .extracting(Reply::tag)
          .doesNotHaveDuplicates();
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      event.tell(new Get(1, rig.replies.getRef()));
      assertThat(((Failed) rig.replies.receiveMessage()).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
    }
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aLostDeviceAnswersAllAndTheEventRestartsWithZero() {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      assertThat(rig.ask(event, new Set(5, 1, rig.replies.getRef()))).isEqualTo(new Done(1));
      event.tell(new AwaitEqual(6, 2, rig.replies.getRef()));
      FreshSoftDpu.DEVICE.faults("sync-event-get:lost:nth=1");
      event.tell(new Get(3, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(2))
          .allMatch(Failed.class::isInstance)
          .extracting(Reply::tag)
          .containsExactlyInAnyOrder(2L, 3L);
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(rig.ask(event, new Get(4, rig.replies.getRef()))).isEqualTo(new Value(4, 0));
    }
  }

  @Test
  @ExpectedLog({"the context stopped by itself", "DOCA_ERROR_NO_MEMORY"})
  void anEventWhoseRestartFailsRestartsAgain() {
    try (Rig rig = new Rig()) {
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults());
      FreshSoftDpu.DEVICE.faults("sync-event-get:lost:nth=1;alloc-context:fail:nth=1");
      assertThat(rig.ask(event, new Get(1, rig.replies.getRef()))).isInstanceOf(Failed.class);
      Awaitility.await()
          .until(() -> rig.ask(event, new Get(2, rig.replies.getRef())) instanceof Value);
      assertThat(rig.ask(event, new Get(3, rig.replies.getRef()))).isEqualTo(new Value(3, 0));
    }
  }

  /** The host exports an event; the DPU imports it. Each sees the changes of the other. */
  @Test
  void bothSidesOfTheBusShareAnEvent() {
    try (Rig rig = new Rig()) {
      ActorRef<EngineProtocol.Command> dpu = rig.system.spawnEngine("two");
      ActorRef<Command> own =
          rig.opened(
              SyncEventOptions.defaults()
                  .publishedByPeer()
                  .withTasks(TaskOptions.defaults().onDevice(HOST)));
      byte[] description = rig.exported(own);
      ActorRef<Command> imported =
          ((Opened)
                  rig.open(
                      dpu,
                      SyncEventOptions.imported(description)
                          .withTasks(TaskOptions.defaults().onDevice(DPU))))
              .context();
      own.tell(new AwaitEqual(3, 1, rig.replies.getRef()));
      assertThat(rig.ask(imported, new Set(2, 2, rig.replies.getRef()))).isEqualTo(new Done(2));
      imported.tell(new Add(1, 3, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(2))
          .containsExactlyInAnyOrder(new Value(3, 2), new Done(1));
      imported.tell(new AwaitNotEqual(3, 4, rig.replies.getRef()));
      own.tell(new Set(10, 5, rig.replies.getRef()));
      assertThat(rig.replies.receiveSeveralMessages(2))
          .containsExactlyInAnyOrder(new Done(5), new Done(4));
      TestProbe<ExportReply> exports = rig.system.kit.createTestProbe();
      imported.tell(new Export(exports.getRef()));
      assertThat(((NotExported) exports.receiveMessage()).error().code())
          .isEqualTo(DocaCode.NOT_SUPPORTED);
      assertThat(rig.stopped(dpu)).isEqualTo(Stopped.CLEAN);
    }
  }

  @Test
  void anEventHasTheKindsOfItsOptions() {
    try (Rig rig = new Rig()) {
      TaskOptions tasks = TaskOptions.defaults().withKinds(TaskKind.EVENT_GET, TaskKind.EVENT_SET);
      ActorRef<Command> event = rig.opened(SyncEventOptions.defaults().withTasks(tasks));
      assertThat(rig.ask(event, new Set(5, 1, rig.replies.getRef()))).isEqualTo(new Done(1));
      assertThat(rig.ask(event, new Get(2, rig.replies.getRef()))).isEqualTo(new Value(2, 5));
      Failed refused = (Failed) rig.ask(event, new AwaitEqual(5, 3, rig.replies.getRef()));
      assertThat(refused.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
      assertThat(refused.error().about()).contains("the event has no tasks of this kind");
    }
  }

  @Test
  void impossibleEventsAreTypedFailures() {
    try (Rig rig = new Rig()) {
      assertThat(rig.refused(SyncEventOptions.imported(new byte[40])).code())
          .isEqualTo(DocaCode.INVALID_VALUE);
      TaskOptions elsewhere = TaskOptions.defaults().onDevice("0000:99:00.0");
      assertThat(rig.refused(SyncEventOptions.defaults().withTasks(elsewhere)).code())
          .isEqualTo(DocaCode.NOT_FOUND);
      TaskOptions large = TaskOptions.defaults().withWindow(10_000_000);
      assertThat(rig.refused(SyncEventOptions.defaults().withTasks(large)).about())
          .contains("50000000 tasks in flight", "task slots");
      TaskOptions none = TaskOptions.defaults().withWindow(0);
      assertThat(rig.refused(SyncEventOptions.defaults().withTasks(none)).about())
          .contains("window is 0");
      TaskOptions copies = TaskOptions.defaults().withKinds(TaskKind.DMA_MEMCPY);
      for (TaskOptions options : List.of(copies, copies.onDevice(DPU))) {
        DocaError error = rig.refused(SyncEventOptions.defaults().withTasks(options));
        assertThat(error.code()).isEqualTo(DocaCode.NOT_SUPPORTED);
        assertThat(error.about()).contains("[DMA_MEMCPY]");
      }
    }
  }

  /** An engine; its census is empty at the end. */
  private static final class Rig implements AutoCloseable {
    private final RunningSystem system = RunningSystem.create();
    private final TestProbe<Reply> replies = system.kit.createTestProbe();

    OpenReply open(ActorRef<EngineProtocol.Command> engine, SyncEventOptions options) {
      TestProbe<OpenReply> opened = system.kit.createTestProbe();
      engine.tell(new EngineProtocol.OpenSyncEvent("event", options, opened.getRef()));
      return opened.receiveMessage();
    }

    ActorRef<Command> opened(SyncEventOptions options) {
      return ((Opened) open(system.engine, options)).context();
    }

    DocaError refused(SyncEventOptions options) {
      return ((OpenFailed) open(system.engine, options)).error();
    }

    Reply ask(ActorRef<Command> event, Command request) {
      event.tell(request);
      return replies.receiveMessage();
    }

    Stopped stopped(ActorRef<EngineProtocol.Command> engine) {
      TestProbe<Stopped> stops = system.kit.createTestProbe();
      engine.tell(new Stop(stops.getRef()));
      return stops.receiveMessage();
    }

    byte[] exported(ActorRef<Command> event) {
      TestProbe<ExportReply> exports = system.kit.createTestProbe();
      event.tell(new Export(exports.getRef()));
      return ((Exported) exports.receiveMessage()).description();
    }

    @Override
    public void close() {
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      system.close();
    }
  }
}
