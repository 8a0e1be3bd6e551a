package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaEventProtocol.AddToEvent;
import io.dpuactors.protocol.RdmaEventProtocol.CloseRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import io.dpuactors.protocol.RdmaEventProtocol.GetEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventClosed;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventRefused;
import io.dpuactors.protocol.RdmaEventProtocol.SetEvent;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventOptions.Side;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.SyncEventProtocol.AwaitEqual;
import io.dpuactors.protocol.SyncEventProtocol.Done;
import io.dpuactors.protocol.SyncEventProtocol.ExportReply;
import io.dpuactors.protocol.SyncEventProtocol.Get;
import io.dpuactors.protocol.SyncEventProtocol.NotExported;
import io.dpuactors.protocol.SyncEventProtocol.Share;
import io.dpuactors.protocol.SyncEventProtocol.Value;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.Arrays;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the tasks of RDMA connections on sync events of peers. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RemoteEventTest {
  @Test
  void thePeerSetsAddsAndReadsAnEvent() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      ActorRef<SyncEventProtocol.Command> event = pair.event("event");
      RemoteEvent remote = pair.opened(pair.share(event));
      ActorRef<Reply> replyTo = pair.replies.getRef();
      pair.near.tell(new GetEvent(remote, 1, replyTo));
      pair.near.tell(new SetEvent(remote, -5, 2, replyTo));
      pair.near.tell(new AddToEvent(remote, 1L << 40, 3, replyTo));
      pair.near.tell(new GetEvent(remote, 4, replyTo));
      assertThat(pair.replies.receiveSeveralMessages(4))
          .containsExactly(
              new EventValue(1, 0),
              new Completed(2, null, null),
              new EventValue(3, -5),
              new EventValue(4, (1L << 40) - 5));
      assertThat(valueOf(pair, event)).isEqualTo((1L << 40) - 5);
      assertThat(pair.closed(remote)).isEqualTo(new RemoteEventClosed(remote, Optional.empty()));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static long valueOf(RdmaPair pair, ActorRef<SyncEventProtocol.Command> event) {
    TestProbe<SyncEventProtocol.Reply> values = pair.system.kit.createTestProbe();
    event.tell(new Get(1, values.getRef()));
    return ((Value) values.receiveMessage()).value();
  }

  @Test
  void aWaitOfTheOwnerEndsWithTheChangeOfAPeer() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      ActorRef<SyncEventProtocol.Command> event = pair.event("event");
      RemoteEvent remote = pair.opened(pair.share(event));
      TestProbe<SyncEventProtocol.Reply> waits = system.kit.createTestProbe();
      event.tell(new AwaitEqual(3, 7, waits.getRef()));
      pair.near.tell(new AddToEvent(remote, 1, 1, pair.replies.getRef()));
      pair.near.tell(new AddToEvent(remote, 2, 2, pair.replies.getRef()));
      assertThat(waits.receiveMessage()).isEqualTo(new Done(7));
      assertThat(pair.replies.receiveSeveralMessages(2))
          .containsExactly(new EventValue(1, 0), new EventValue(2, 1));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The number of a task has the memory of a task before it. No value of another task shows. */
  @Test
  void manyTasksReturnTheirOwnValues() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.tasks = 4")) {
      RdmaPair pair = RdmaPair.create(system);
      RemoteEvent remote = pair.opened(pair.share(pair.event("event")));
      for (int i = 0; i < 200; i++) {
        pair.near.tell(new AddToEvent(remote, 1, i, pair.replies.getRef()));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(pair.replies.receiveMessage()).isEqualTo(new EventValue(i, i));
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void invalidDescriptionsAreRefused() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      byte[] description = pair.share(pair.event("event"));
      for (int size : new int[] {0, 1, description.length - 1}) {
        assertThat(refused(pair, pair.left, Arrays.copyOf(description, size)).code())
            .isEqualTo(DocaCode.INVALID_VALUE);
      }
      description[description.length / 2] ^= 1;
      assertThat(refused(pair, pair.left, description).code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static DocaError refused(
      RdmaPair pair, ActorRef<RdmaProtocol.Command> context, byte[] description) {
    return ((RemoteEventRefused) pair.open(context, description)).error();
  }

  /** Only an event that RDMA peers publish has a description for them. */
  @Test
  void anEventForOtherPublishersIsNotShared() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      var event = pair.event("event", SyncEventOptions.defaults());
      TestProbe<ExportReply> shares = system.kit.createTestProbe();
      event.tell(new Share(shares.getRef()));
      assertThat(((NotExported) shares.receiveMessage()).error().code())
          .isEqualTo(DocaCode.NOT_PERMITTED);
      assertThatThrownBy(
              () ->
                  new SyncEventOptions(
                      SyncEventOptions.defaults().tasks(),
                      Side.OWN,
                      Side.RDMA_PEER,
                      Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot wait");
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The close waits for the task that uses the event, and refuses later ones. */
  @Test
  void anEventIsClosedWhileATaskUsesIt() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      byte[] description = pair.share(pair.event("event"));
      RemoteEvent remote = pair.opened(description);
      RemoteEvent ended = pair.opened(description);
      assertThat(pair.closed(ended).failure()).isEmpty();
      FreshSoftDpu.DEVICE.faults("rdma-event-notify-add:again=1000000000:nth=1");
      pair.near.tell(new AddToEvent(remote, 1, 1, pair.replies.getRef()));
      pair.near.tell(new GetEvent(ended, 2, pair.replies.getRef())); // after the task has begun
      assertRefused(pair, 2);
      TestProbe<RemoteEventClosed> closes = system.kit.createTestProbe();
      pair.left.tell(new CloseRemoteEvent(remote, closes.getRef()));
      pair.left.tell(new CloseRemoteEvent(remote, closes.getRef()));
      RemoteEventClosed second = closes.receiveMessage();
      assertThat(second.failure().orElseThrow().code()).isEqualTo(DocaCode.NOT_FOUND);
      pair.near.tell(new GetEvent(remote, 3, pair.replies.getRef()));
      assertRefused(pair, 3);
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(pair.replies.receiveMessage()).isEqualTo(new EventValue(1, 0));
      assertThat(closes.receiveMessage())
          .isEqualTo(new RemoteEventClosed(remote, Optional.empty()));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The owner of an event is any actor, also the connection that uses the event. */
  @Test
  void anEventEndsWithItsOwner() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      byte[] description = pair.share(pair.event("event"));
      ActorRef<Object> owner = system.kit.spawn(Behaviors.receiveMessage(m -> Behaviors.stopped()));
      RemoteEvent ofActor = pair.opened(description, Optional.of(owner));
      RemoteEvent ofConnection = pair.opened(description, Optional.of(pair.near));
      RemoteEvent ofNone = pair.opened(description);
      pair.near.tell(new AddToEvent(ofActor, 1, 1, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isEqualTo(new EventValue(1, 0));
      owner.tell("end");
      pair.replies.awaitAssert(() -> assertThat(openHandles(system)).isEqualTo(2));
      pair.near.tell(new GetEvent(ofActor, 2, pair.replies.getRef()));
      assertRefused(pair, 2);
      pair.near.tell(new GetEvent(ofConnection, 3, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isEqualTo(new EventValue(3, 1));
      pair.near.tell(new Stop());
      pair.replies.awaitAssert(() -> assertThat(openHandles(system)).isEqualTo(1));
      assertThat(pair.closed(ofNone).failure()).isEmpty();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static int openHandles(RunningSystem system) {
    TestProbe<EngineProtocol.Status> probe = system.kit.createTestProbe();
    system.engine.tell(new EngineProtocol.GetStatus(probe.getRef()));
    return probe.receiveMessage().open().getOrDefault(Census.Resource.HANDLE, 0);
  }

  private static void assertRefused(RdmaPair pair, long tag) {
    Failed failed = (Failed) pair.replies.receiveMessage();
    assertThat(failed.tag()).isEqualTo(tag);
    assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.error().about()).contains("was destroyed");
  }

  /** The device of another context does not have the event. */
  @Test
  void anEventOfAnotherContextIsRefused() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      byte[] description = pair.share(pair.event("event"));
      RemoteEvent foreign = ((RemoteEventOpened) pair.open(pair.right, description)).event();
      pair.near.tell(new GetEvent(foreign, 1, pair.replies.getRef()));
      Failed failed = (Failed) pair.replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().about()).contains("belongs to another context");
      assertThat(pair.closed(foreign).failure().orElseThrow().code()).isEqualTo(DocaCode.NOT_FOUND);
      pair.near.tell(new GetEvent(pair.opened(description), 2, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isEqualTo(new EventValue(2, 0));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The first task on an event that has ended fails and ends its connection, and nothing else. */
  @Test
  void anEventThatItsOwnerHasEndedEndsTheConnection() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      pair.read(1);
      ActorRef<SyncEventProtocol.Command> event = pair.event("event");
      byte[] description = pair.share(event);
      RemoteEvent remote = pair.opened(description);
      TestProbe<Stopped> stops = system.kit.createTestProbe();
      event.tell(new Stop(stops.getRef()));
      assertThat(stops.receiveMessage()).isEqualTo(Stopped.CLEAN);
      pair.near.tell(new AddToEvent(remote, 1, 1, pair.replies.getRef()));
      assertThat(((Failed) pair.replies.receiveMessage()).code()).isEqualTo(DocaCode.IO_FAILED);
      assertThat(pair.events.receiveMessage()).isInstanceOf(Closed.class);
      pair.events.expectTerminated(pair.near);
      assertThat(refused(pair, pair.left, description).code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(pair.closed(remote).failure()).isEmpty();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** Only the device has the permissions of the peer's context. */
  @Test
  void thePeersContextPermitsTheTasks() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system, RdmaOptions.defaults(), RdmaOptions.defaults());
      RemoteEvent remote = pair.opened(pair.share(pair.event("event")));
      pair.near.tell(new GetEvent(remote, 1, pair.replies.getRef()));
      assertThat(((Failed) pair.replies.receiveMessage()).code()).isEqualTo(DocaCode.IO_FAILED);
      pair.events.expectTerminated(pair.near);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** Tasks on events keep their place between the messages of the connection. */
  @Test
  void tasksOfAllKindsKeepTheirOrderWhileTheDeviceRefusesSome() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      pair.read(100);
      RemoteEvent remote = pair.opened(pair.share(pair.event("event")));
      Buffer first = RunningSystem.buffer(system.pool(1, 8), new byte[] {1});
      FreshSoftDpu.DEVICE.faults("rdma-event-notify-set:again=3:nth=1");
      ActorRef<Reply> replyTo = pair.replies.getRef();
      pair.near.tell(new SetEvent(remote, 9, 1, replyTo));
      pair.near.tell(new Send(first, 2, replyTo));
      pair.near.tell(new AddToEvent(remote, 1, 3, replyTo));
      assertThat(pair.replies.receiveSeveralMessages(3))
          .containsExactly(
              new Completed(1, null, null), new Completed(2, first, null), new EventValue(3, 9));
      first.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The restart of the context ends its events. */
  @Test
  @ExpectedLog("the context stopped by itself")
  void aHandleEndsWithItsContext() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.restart.backoff = 1ms")) {
      RdmaPair pair = RdmaPair.create(system);
      RemoteEvent remote = pair.opened(pair.share(pair.event("event")));
      FreshSoftDpu.DEVICE.faults("rdma-event-get:lost:nth=1");
      pair.near.tell(new GetEvent(remote, 1, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Failed.class);
      pair.events.expectTerminated(pair.near);
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(pair.closed(remote).failure().orElseThrow().code())
          .isIn(DocaCode.NOT_FOUND, DocaCode.BAD_STATE, DocaCode.SHUTDOWN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aStoppingContextOpensNoEvent() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      byte[] description = pair.share(pair.event("event"));
      RemoteEvent remote = pair.opened(description);
      FreshSoftDpu.DEVICE.faults("rdma-event-get:delay=1s");
      pair.near.tell(new GetEvent(remote, 1, pair.replies.getRef()));
      TestProbe<Stopped> stops = system.kit.createTestProbe();
      pair.left.tell(new Stop(stops.getRef()));
      assertThat(refused(pair, pair.left, description).code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(pair.replies.receiveMessage().tag()).isEqualTo(1);
      assertThat(stops.receiveMessage()).isEqualTo(Stopped.CLEAN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
