package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.rdma.ListenerRig.Served;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the limits of RDMA contexts: each setting changes what happens at its limit. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaLimitsTest {
  private static final int PORT_OF_SMALL = 4792;

  /** The device refuses the client, so that the listener does not count it. */
  @Test
  void aFullListenerAcceptsAClientAfterTheEndOfAnother() {
    try (ListenerRig rig = ListenerRig.create()) {
      RdmaOptions one = RdmaOptions.defaults().onDevice("03:00.0").withMaxConnections(1);
      var small = RdmaPair.opened(rig.system, "small", one);
      var listener = ListenerRig.opened(rig.open(small, "small", PORT_OF_SMALL)).context();
      RdmaClientOptions toSmall = RdmaClientOptions.of(ListenerRig.HOST, PORT_OF_SMALL);
      var first = rig.client("first", toSmall);
      Served served = rig.accepted();
      OpenFailed refused = (OpenFailed) rig.openClient("second", toSmall).receiveMessage();
      assertThat(refused.error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      assertThat(rig.connections(listener).accepted()).isEqualTo(1);
      assertThat(rig.connections(listener).refused()).isZero();
      first.tell(new Stop());
      rig.endings.await(List.of(first, served.connection(), served.behavior()));
      rig.client("third", toSmall);
      rig.accepted();
      assertThat(rig.connections(listener).accepted()).isEqualTo(2);
      rig.assertNothingLeft();
    }
  }

  /**
   * The blocked engine posts no receive again, so that a message finds none. Its failure ends the
   * connection, and a message after it may be answered first.
   */
  @Test
  void aMessageWithoutAReceiveFailsWithoutRetries() {
    try (ListenerRig rig = starved(0)) {
      var client = rig.client("client", rig.options());
      sendToBlocked(rig, client);
      List<Reply> replies = rig.replies.receiveSeveralMessages(3);
      assertThat(replies)
          .filteredOn(Failed.class::isInstance)
          .extracting(reply -> ((Failed) reply).code())
          .contains(DocaCode.IO_FAILED);
      rig.endings.await(List.of(client));
      rig.blockPoint.release();
      rig.assertNothingLeft();
    }
  }

  @Test
  void aMessageWithoutAReceiveWaitsWithRetriesWithoutEnd() {
    try (ListenerRig rig = starved(7)) {
      var client = rig.client("client", rig.options());
      sendToBlocked(rig, client);
      rig.blockPoint.release();
      assertThat(rig.replies.receiveSeveralMessages(3)).allMatch(Completed.class::isInstance);
      rig.assertNothingLeft();
    }
  }

  private static ListenerRig starved(int retries) {
    return ListenerRig.create("dpu.rdma { receives = 1, rnr-retries = %d }".formatted(retries));
  }

  private static void sendToBlocked(
      ListenerRig rig, ActorRef<RdmaConnectionProtocol.Command> client) {
    rig.accepted();
    rig.send(rig.clients, client, "block");
    rig.blockPoint.awaitBlocked();
    rig.send(rig.clients, client, "one");
    rig.send(rig.clients, client, "two");
  }

  @Test
  void theGidIndexSelectsAnEntryOfTheDevicesTable() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.gid-index = 3")) {
      assertThat(RdmaPair.open(system, "last", RdmaOptions.defaults()))
          .isInstanceOf(RdmaProtocol.Opened.class);
    }
    try (RunningSystem system = RunningSystem.create("dpu.rdma.gid-index = 4")) {
      var failed =
          (RdmaProtocol.OpenFailed) RdmaPair.open(system, "beyond", RdmaOptions.defaults());
      assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().toString()).contains("gid_index 4");
    }
  }

  @Test
  void anImpossibleContextIsATypedFailure() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaOptions defaults = RdmaOptions.defaults();
      for (int connections : new int[] {0, 65_536, 65_537}) {
        assertThat(refused(system, defaults.withMaxConnections(connections)))
            .contains("INVALID_VALUE", "max-connections is " + connections);
      }
      assertThat(refused(system, defaults.withTasks(0))).contains("INVALID_VALUE", "tasks is 0");
      assertThat(refused(system, defaults.withWindow(0))).contains("INVALID_VALUE", "window is 0");
      assertThat(refused(system, defaults.withShare(0))).contains("INVALID_VALUE", "share is 0");
      assertThat(refused(system, defaults.withReceives(0, 8))).contains("receives is 0");
      assertThat(refused(system, defaults.withReceives(8, 0))).contains("receive-bytes is 0");
      assertThat(refused(system, defaults.withSupervision(SupervisorStrategy.resume())))
          .contains("INVALID_VALUE", "SupervisorStrategy.resume()");
      assertThat(refused(system, defaults.onDevice("0000:99:00.0"))).contains("NOT_FOUND");
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
    try (RunningSystem system = RunningSystem.create("dpu.rdma.rnr-retries = 263")) {
      assertThat(refused(system, RdmaOptions.defaults()))
          .contains("INVALID_VALUE", "rnr-retries is 263");
    }
  }

  private static String refused(RunningSystem system, RdmaOptions options) {
    RdmaProtocol.OpenReply reply = RdmaPair.open(system, "impossible", options);
    assertThat(reply).isInstanceOf(RdmaProtocol.OpenFailed.class);
    return ((RdmaProtocol.OpenFailed) reply).error().toString();
  }

  /** The kernel grants such a mapping only if it is configured to grant any. */
  @Test
  void memoryThatTheMachineLacksRefusesTheContextOnly() throws IOException {
    assumeThat(Files.readString(Path.of("/proc/sys/vm/overcommit_memory")).strip())
        .isNotEqualTo("1");
    try (RunningSystem system = RunningSystem.create()) {
      RdmaOptions huge = RdmaOptions.defaults().withReceives(8192, Integer.MAX_VALUE);
      var failed = (RdmaProtocol.OpenFailed) RdmaPair.open(system, "huge", huge);
      assertThat(failed.error().code()).isEqualTo(DocaCode.NO_MEMORY);
      assertThat(failed.error().toString()).contains("huge: mmap of");
      system.opened("compress", TaskOptions.defaults());
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The behavior has lost its events to a subscriber, so that it does not receive the end. */
  @Test
  @ExpectedLog("the behavior did not end with its connection")
  void aBehaviorThatDoesNotEndIsStoppedAtItsDeadline() {
    try (ListenerRig rig = ListenerRig.create("dpu.rdma.behavior-deadline = 50ms")) {
      rig.client("client", rig.options());
      Served served = rig.accepted();
      TestProbe<Event> other = rig.system.kit.createTestProbe();
      served.connection().tell(new Subscribe(other.getRef(), 1));
      served.connection().tell(new Stop());
      other.expectMessageClass(Closed.class);
      rig.endings.await(List.of(served.behavior(), served.connection()));
      rig.assertNothingLeft();
    }
  }

  /** The reader has no credit for the second message, and adds none. */
  @Test
  void unreadMessagesOfAnEndedConnectionAreDroppedAtTheDrainDeadline() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.drain-deadline = 50ms")) {
      RdmaPair pair = RdmaPair.create(system);
      pair.read(1);
      for (int tag = 1; tag <= 2; tag++) {
        pair.near.tell(new Send(null, OptionalInt.of(tag), tag, pair.replies.getRef()));
        assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      }
      assertThat(((Message) pair.events.receiveMessage()).immediate()).hasValue(1);
      pair.near.tell(new Stop());
      pair.events.expectMessageClass(Closed.class);
      pair.events.expectTerminated(pair.far);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
