package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that memory of a peer does not outlive the context that uses it. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaImportTest {
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
