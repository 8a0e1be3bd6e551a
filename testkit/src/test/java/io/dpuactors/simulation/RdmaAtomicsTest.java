package io.dpuactors.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.PoolMemory;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testkit.HeapBuffers;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the atomic tasks of the first client of an RDMA server. */
class RdmaAtomicsTest {
  private static final int REQUESTS = 100;
  private static final int BYTES = (RdmaProgram.MAX_CLIENTS + 1) * RdmaProgram.BYTES;
  private static final int OWN = 0;

  private final BufferPool remote = remote();
  private final BufferPool local = HeapBuffers.pool(1, Long.BYTES);
  private final Buffer number = requireNonNull(remote.lease());
  private final Buffer before = requireNonNull(local.lease());
  private final ActorRef<Reply> replyTo = TestInbox.<Reply>create().getRef();
  private final Run run = Runs.of(new StillControl());
  private final RdmaAtomics atomics = new RdmaAtomics(run, OWN, new Additions());

  /** The memory of the server. */
  private final ByteBuffer memory = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());

  /** Returns a pool with one lease, which is aimed as those of a peer's memory. */
  private static BufferPool remote() {
    PoolMemory heap = HeapBuffers.pool(1, BYTES).memory();
    return BufferPool.of(
        (PoolMemory)
            Proxy.newProxyInstance(
                PoolMemory.class.getClassLoader(),
                new Class<?>[] {PoolMemory.class},
                (proxy, method, arguments) ->
                    method.getName().equals("view") ? null : method.invoke(heap, arguments)));
  }

  @AfterEach
  void closePools() {
    number.release();
    before.release();
    remote.close();
    local.close();
  }

  private PeerRequest draw(int tag) {
    return atomics.draw(number, before, tag, replyTo);
  }

  /** Does what the device does. */
  private void execute(PeerRequest request) {
    int at = (int) number.address();
    long found = memory.getLong(at);
    if (request instanceof FetchAndAdd add) {
      memory.putLong(at, found + add.summand());
    } else if (request instanceof CompareAndSwap swap && found == swap.expected()) {
      memory.putLong(at, swap.value());
    }
    before.bytes().putLong(0, found);
  }

  private void complete(PeerRequest request) {
    atomics.answered(request, new Completed(request.tag(), number, before));
  }

  private void executeAll() {
    for (int tag = 0; tag < REQUESTS; tag++) {
      PeerRequest request = draw(tag);
      execute(request);
      complete(request);
    }
  }

  /** Checks the numbers in the memory. */
  private void check() {
    List<byte[]> parts = new ArrayList<>();
    for (int at = 0; at < BYTES; at += RdmaProgram.BYTES) {
      parts.add(Arrays.copyOfRange(memory.array(), at, at + RdmaProgram.BYTES));
    }
    atomics.check(new RdmaStore.Content(parts));
  }

  @Test
  void rightAnswersAreAccepted() {
    executeAll();
    check();
    assertThat(atomics.wrong()).isZero();
    assertThat(run.problem()).isNull();
    assertThat(run.reached()).containsKeys("RDMA_COMPARE_AND_SWAP", "RDMA_FETCH_AND_ADD");
  }

  @ParameterizedTest
  @ValueSource(ints = {OWN, RdmaStore.COMMON})
  void tasksWithoutTheirEffectAreFound(int place) {
    for (int tag = 0; tag < REQUESTS; tag++) {
      PeerRequest request = draw(tag);
      execute(request);
      if (number.address() == RdmaStore.numberOf(place)) {
        memory.putLong((int) number.address(), 0);
      }
      complete(request);
    }
    assertThat(atomics.wrong()).isPositive();
  }

  /** Exchanges the operands of the tasks that compare. */
  @Test
  void exchangedOperandsAreFound() {
    for (int tag = 0; tag < REQUESTS; tag++) {
      PeerRequest request = draw(tag);
      execute(
          request instanceof CompareAndSwap swap
              ? new CompareAndSwap(number, before, swap.value(), swap.expected(), tag, replyTo)
              : request);
      complete(request);
    }
    assertThat(atomics.wrong()).isPositive();
  }

  @Test
  void failedTasksMayHaveTheirEffect() {
    DocaError error = DocaError.of("doca_task", DocaCode.IO_FAILED.value(), "why");
    for (int tag = 0; tag < REQUESTS; tag++) {
      PeerRequest request = draw(tag);
      if (tag % 2 == 0) {
        execute(request);
      }
      atomics.answered(request, new Failed(tag, error, number, before, Ownership.RETURNED));
    }
    check();
    assertThat(atomics.wrong()).isZero();
    assertThat(run.problem()).isNull();
  }

  /** Tasks that wait for a connection have not reached the device. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tasksThatHaveOnlyWaitedHaveNoEffect(boolean isExecuted) {
    DocaError error = DocaError.of("client", DocaCode.TIME_OUT.value(), "why");
    for (int tag = 0; tag < REQUESTS; tag += 2) {
      PeerRequest waiting = draw(tag);
      if (isExecuted) {
        execute(waiting);
      }
      atomics.answered(waiting, new Failed(tag, error, number, before, Ownership.RETURNED));
      PeerRequest next = draw(tag + 1);
      execute(next);
      complete(next);
    }
    assertThat(atomics.wrong() > 0).isEqualTo(isExecuted);
  }

  @ParameterizedTest
  @ValueSource(ints = {OWN, RdmaStore.COMMON})
  void anotherNumberInTheMemoryFailsTheRun(int place) {
    executeAll();
    memory.putLong((int) RdmaStore.numberOf(place), 1_000_000);
    check();
    assertThat(run.problem()).contains(" is 1000000, not ");
  }
}
