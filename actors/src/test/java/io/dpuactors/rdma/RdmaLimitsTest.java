package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the limits of RDMA contexts: each setting changes what happens at its limit. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaLimitsTest {
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
