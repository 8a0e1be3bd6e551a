package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.ShareReply;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connected;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaEventProtocol;
import io.dpuactors.protocol.RdmaEventProtocol.CloseRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventClosed;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.Export;
import io.dpuactors.protocol.RdmaProtocol.ExportReply;
import io.dpuactors.protocol.RdmaProtocol.Exported;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.testing.RunningSystem;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** Two RDMA contexts of one engine with one connection between them, and memory on both sides. */
final class RdmaPair {
  static final Permission[] ALL = {
    Permission.RDMA_READ, Permission.RDMA_WRITE, Permission.RDMA_ATOMIC
  };
  static final int BYTES = 4096;

  final RunningSystem system;
  final ActorRef<RdmaProtocol.Command> left;
  final ActorRef<RdmaProtocol.Command> right;
  final ActorRef<RdmaConnectionProtocol.Command> near;
  final ActorRef<RdmaConnectionProtocol.Command> far;
  final TestProbe<Reply> replies;
  final TestProbe<Event> events;

  private RdmaPair(RunningSystem system, RdmaOptions ofLeft, RdmaOptions ofRight) {
    this.system = system;
    this.left = opened(system, "left", ofLeft);
    this.right = opened(system, "right", ofRight);
    Exported fromLeft = exported(left, "to-right");
    Exported fromRight = exported(right, "to-left");
    this.near = fromLeft.connection();
    this.far = fromRight.connection();
    assertThat(connect(near, fromRight.details())).isInstanceOf(Connected.class);
    assertThat(connect(far, fromLeft.details())).isInstanceOf(Connected.class);
    this.replies = system.kit.createTestProbe(Reply.class);
    this.events = system.kit.createTestProbe(Event.class);
  }

  static RdmaPair create(RunningSystem system) {
    return create(system, RdmaOptions.defaults(), RdmaOptions.defaults().withPermissions(ALL));
  }

  static RdmaPair create(RunningSystem system, RdmaOptions left, RdmaOptions right) {
    return new RdmaPair(system, left, right);
  }

  static RdmaProtocol.OpenReply open(RunningSystem system, String name, RdmaOptions options) {
    TestProbe<RdmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenRdma(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  static ActorRef<RdmaProtocol.Command> opened(
      RunningSystem system, String name, RdmaOptions options) {
    RdmaProtocol.OpenReply reply = open(system, name, options);
    assertThat(reply).isInstanceOf(RdmaProtocol.Opened.class);
    return ((RdmaProtocol.Opened) reply).context();
  }

  Exported exported(ActorRef<RdmaProtocol.Command> context, String name) {
    ExportReply reply = export(context, name);
    assertThat(reply).isInstanceOf(Exported.class);
    return (Exported) reply;
  }

  ExportReply export(ActorRef<RdmaProtocol.Command> context, String name) {
    TestProbe<ExportReply> probe = system.kit.createTestProbe();
    context.tell(new Export(name, Optional.empty(), probe.getRef()));
    return probe.receiveMessage();
  }

  ConnectReply connect(ActorRef<RdmaConnectionProtocol.Command> connection, byte[] details) {
    TestProbe<ConnectReply> probe = system.kit.createTestProbe();
    connection.tell(new Connect(details, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Subscribes the probe to the messages of the far side. */
  void read(int credit) {
    far.tell(new Subscribe(events.getRef(), credit));
  }

  /** Returns memory of the far side with these permissions of peers. */
  BufferPool shared(Permission... ofPeers) {
    Set<Permission> permissions = EnumSet.of(Permission.LOCAL_READ_WRITE, ofPeers);
    return pool(system, PoolOptions.of(2, BYTES).withPermissions(permissions));
  }

  /** Returns memory of the engine. */
  static BufferPool pool(RunningSystem system, PoolOptions options) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenPool(options, probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }

  /** Returns a buffer with which contexts of the first RDMA device cannot work. */
  static Buffer foreign(RunningSystem system) {
    return RunningSystem.buffer(pool(system, PoolOptions.of(1, 64).onDevice("81:00.1")), (byte) 1);
  }

  RemoteMemory share(BufferPool pool) {
    TestProbe<ShareReply> probe = system.kit.createTestProbe();
    system.engine.tell(new SharePool(pool, probe.getRef()));
    ShareReply reply = probe.receiveMessage();
    assertThat(reply).isInstanceOf(Shared.class);
    return ((Shared) reply).memory();
  }

  /** Imports memory of the far side, for the near side. */
  BufferPool imported(RemoteMemory memory) {
    return imported(memory, 2);
  }

  /** Imports memory of the far side, with a number of leases. */
  BufferPool imported(RemoteMemory memory, int leases) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new ImportRemoteMemory(Optional.empty(), memory, leases, left, probe.getRef()));
    PoolReply reply = probe.receiveMessage();
    assertThat(reply).isInstanceOf(PoolOpened.class);
    return ((PoolOpened) reply).pool();
  }

  /** Returns an event of the far side. */
  ActorRef<SyncEventProtocol.Command> event(String name) {
    return event(name, SyncEventOptions.defaults().publishedByRdmaPeer());
  }

  ActorRef<SyncEventProtocol.Command> event(String name, SyncEventOptions options) {
    TestProbe<SyncEventProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenSyncEvent(name, options, probe.getRef()));
    return ((SyncEventProtocol.Opened) probe.receiveMessage()).context();
  }

  /** Returns the description of an event. */
  byte[] share(ActorRef<SyncEventProtocol.Command> event) {
    TestProbe<SyncEventProtocol.ExportReply> probe = system.kit.createTestProbe();
    event.tell(new SyncEventProtocol.Share(probe.getRef()));
    return ((SyncEventProtocol.Exported) probe.receiveMessage()).description();
  }

  /** Returns an event of the far side, for the near side. */
  RemoteEvent opened(byte[] description) {
    return opened(description, Optional.empty());
  }

  RemoteEvent opened(byte[] description, Optional<ActorRef<?>> owner) {
    TestProbe<RdmaEventProtocol.OpenReply> probe = system.kit.createTestProbe();
    left.tell(new OpenRemoteEvent(description, owner, probe.getRef()));
    RdmaEventProtocol.OpenReply reply = probe.receiveMessage();
    assertThat(reply).isInstanceOf(RemoteEventOpened.class);
    return ((RemoteEventOpened) reply).event();
  }

  RdmaEventProtocol.OpenReply open(ActorRef<RdmaProtocol.Command> context, byte[] description) {
    TestProbe<RdmaEventProtocol.OpenReply> probe = system.kit.createTestProbe();
    context.tell(new OpenRemoteEvent(description, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Closes an event on the near side. */
  RemoteEventClosed closed(RemoteEvent event) {
    TestProbe<RemoteEventClosed> probe = system.kit.createTestProbe();
    left.tell(new CloseRemoteEvent(event, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Returns a lease of a part of the far side's memory. */
  static Buffer aimed(BufferPool remote, long offset, int length) {
    Buffer lease = remote.lease();
    assertThat(lease).isNotNull();
    lease.aim(offset, length);
    return lease;
  }
}
