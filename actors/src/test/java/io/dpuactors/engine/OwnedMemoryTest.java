package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.MemoryProtocol.LeaseReply;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a long-lived owner keeps nothing of memory that has closed. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class OwnedMemoryTest {
  private final ActorRef<Object> owner = TestInbox.create().getRef();
  private final ActorRef<LeaseReply> replyTo = TestInbox.<LeaseReply>create().getRef();
  private ManualEngine engine;
  private OwnedMemory owned;

  @BeforeEach
  void open() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(1);
    owned = new OwnedMemory(engine.core.pools(), actor -> {});
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void importsThatHaveClosedAreForgotten() {
    BufferPool first = pool();
    owned.add(Optional.of(owner), first);
    engine.core.pools().close(first);
    owned.add(Optional.of(owner), pool());
    assertThat(owned.count(owner)).isEqualTo(1);
  }

  @Test
  void leasesOfPoolsThatHaveClosedAreForgotten() {
    BufferPool first = pool();
    owned.leases(new OwnLeases(owner, first, replyTo), scope -> {});
    engine.core.pools().close(first);
    owned.leases(new OwnLeases(owner, pool(), replyTo), scope -> {});
    assertThat(owned.count(owner)).isEqualTo(1);
  }

  private BufferPool pool() {
    return engine.core.pools().open(engine.device(), 1, 64, Set.of(Permission.LOCAL_READ_WRITE));
  }
}
