package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.ExportReply;
import io.dpuactors.protocol.MemoryProtocol.Exported;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.MemoryCopier.CopierOptions;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.service.Transfer.Transferred;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Servers that offer blocks, and clients that request them. */
final class Transfers {
  static final long PLENTY = 1L << 30;

  private Transfers() {}

  static BlockMemory memory(ServiceRig rig, DataGeometry geometry) {
    BufferPool pool =
        rig.pool(
            ServiceRig.DPU, geometry.blocks(), geometry.blockBytes(), Permission.LOCAL_READ_WRITE);
    return BlockMemory.fill(pool, geometry);
  }

  static Behavior<ConnectionEvent> send(
      ServiceRig rig,
      ActorRef<ConnectionProtocol.Command> connection,
      BlockMemory memory,
      boolean withNul) {
    return BlockSender.create(
        connection, rig.system.engine, memory, withNul, Duration.ofSeconds(10));
  }

  static ActorRef<Object> receive(ServiceRig rig, long maxBytes, TestProbe<Transfer> results) {
    return receive(rig, rig.clients.narrow(), maxBytes, results);
  }

  static ActorRef<Object> receive(
      ServiceRig rig,
      ActorRef<MemoryProtocol.Command> memory,
      long maxBytes,
      TestProbe<Transfer> results) {
    ReceiverOptions options = new ReceiverOptions(Optional.of(ServiceRig.HOST), maxBytes, true);
    return rig.system.kit.spawn(
        BlockReceiver.create(rig.connect(), rig.clients, memory, options, results.getRef()));
  }

  static ActorRef<Object> copy(
      ServiceRig rig, int parallel, long maxBytes, TestProbe<Transfer> results) {
    return copy(rig, rig.clients.narrow(), parallel, maxBytes, results);
  }

  static ActorRef<Object> copy(
      ServiceRig rig,
      ActorRef<MemoryProtocol.Command> memory,
      int parallel,
      long maxBytes,
      TestProbe<Transfer> results) {
    CopierOptions options =
        new CopierOptions(Optional.of(ServiceRig.DPU), parallel, maxBytes, true);
    return rig.system.kit.spawn(
        MemoryCopier.create(rig.connect(), rig.clients, memory, options, results.getRef()));
  }

  static void expect(TestProbe<Transfer> results, DataGeometry geometry) {
    Transferred done = (Transferred) results.receiveMessage();
    assertThat(done.blocks()).isEqualTo(geometry.blocks());
    assertThat(done.bytes()).isEqualTo(geometry.totalBytes());
    assertThat(done.wrongBlocks()).isZero();
    assertThat(done.elapsedNs()).isPositive();
  }

  static Buffer offer(ServiceRig rig, DataGeometry has, DataGeometry says) {
    BufferPool pool =
        rig.pool(ServiceRig.HOST, 1, (int) has.totalBytes(), Permission.PCI_READ_ONLY);
    Buffer memory = BlockMemory.fillWhole(pool, has);
    TestProbe<ExportReply> exports = rig.system.kit.createTestProbe();
    rig.system.engine.tell(new ExportPool(pool, exports.getRef()));
    byte[] descriptor = ((Exported) exports.receiveMessage()).export().bytes();
    rig.serve(MemoryOffer.of(DmaOffer.of(says, descriptor)));
    return memory;
  }

  static void expectFailure(TestProbe<Transfer> results, String why) {
    assertThat(((TransferFailed) results.receiveMessage()).why()).contains(why);
  }
}
