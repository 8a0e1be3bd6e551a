package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskBatch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the end of a batch whose holder ends while the engine ends a run. */
class BatchEndTest {
  private static final int ROUNDS = 10_000;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(2, 64);
  private final CyclicBarrier both = new CyclicBarrier(2);
  private volatile LeaseScope scope = pool.scope("holder");

  @AfterEach
  void end() {
    both.reset(); // ends the other thread after a failure
    rig.close();
  }

  private TaskBatch begun() {
    scope = pool.scope("holder");
    TaskBatch batch = TaskBatch.of(List.of(leased()), List.of(leased()));
    assertThat(batch.begin()).isTrue();
    return batch;
  }

  private Buffer leased() {
    return Objects.requireNonNull(scope.lease());
  }

  /** Two threads race: a lost buffer shows as a lease that fails in the next round. */
  @Test
  void itsBuffersReturnInEveryOrder() throws Exception {
    OnThread holder =
        new OnThread()
            .start(
                "holder",
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    both.await();
                    scope.end();
                    both.await();
                  }
                });
    for (int round = 0; round < ROUNDS; round++) {
      TaskBatch batch = begun();
      both.await();
      batch.end();
      both.await();
      assertThat(pool.available()).as("round " + round).isEqualTo(2);
    }
    assertThat(holder.join()).isNull();
  }
}
