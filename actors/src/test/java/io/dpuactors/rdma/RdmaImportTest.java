package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that memory of a peer does not outlive the context that uses it. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaImportTest {
  /** The first RDMA device. */
  private static final String DEVICE = "03:00.0";

  @Test
  void anImportEndsWithItsContextAndItsLastLease() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      BufferPool remote = pair.imported(pair.share(pair.shared(Permission.RDMA_WRITE)));
      Buffer lease = RdmaPair.aimed(remote, 0, 1);
      end(pair);
      assertThat(remote.isClosed()).isFalse();
      lease.release();
      awaitClosed(pair, remote);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void anImportForAContextThatHasEndedIsClosed() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      RemoteMemory memory = pair.share(pair.shared(Permission.RDMA_WRITE));
      end(pair);
      awaitClosed(pair, pair.imported(memory));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The engine has opened another device first. */
  @Test
  void anImportIsForTheDeviceOfItsContext() {
    try (RunningSystem system = RunningSystem.create()) {
      Buffer foreign = RdmaPair.foreign(system);
      RdmaPair pair = RdmaPair.create(system);
      BufferPool memory =
          RdmaPair.pool(
              system,
              PoolOptions.of(1, RdmaPair.BYTES)
                  .onDevice(DEVICE)
                  .withPermissions(EnumSet.of(Permission.LOCAL_READ_WRITE, Permission.RDMA_WRITE)));
      Buffer there = RdmaPair.aimed(pair.imported(pair.share(memory)), 0, 1);
      BufferPool here = RdmaPair.pool(system, PoolOptions.of(1, 64).onDevice(DEVICE));
      Buffer local = RunningSystem.buffer(here, (byte) 7);
      pair.near.tell(new Write(local, there, 1, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isEqualTo(new Completed(1, local, there));
      List.of(foreign, local, there).forEach(Buffer::release);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static void end(RdmaPair pair) {
    pair.left.tell(new Stop());
    pair.events.expectTerminated(pair.left);
  }

  private static void awaitClosed(RdmaPair pair, BufferPool pool) {
    pair.events.awaitAssert(
        () -> {
          assertThat(pool.isClosed()).isTrue();
          return pool;
        });
  }
}
