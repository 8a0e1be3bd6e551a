package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMCH_CONSUMER_RECV;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Rig.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that known quirks of real devices with connections appear as result values, not as
 * exceptions.
 */
class ComchQuirksTest {
  private final ComchRig rig = ComchRig.started();
  private final ProgressEngine engine = rig.rig.engine;
  private final DocaContext client = rig.client();
  private final int connection = rig.connect(client);

  @AfterEach
  void end() {
    rig.close();
  }

  private DocaContext producer() {
    DocaContext made =
        rig.rig.add(Comch.producer(engine, connection, 0), 4, TaskKind.COMCH_PRODUCER_SEND);
    assertThat(made.start()).isEqualTo(DocaCode.SUCCESS);
    return made;
  }

  private DocaContext consumer(BufferPool pool) {
    DocaContext made =
        rig.rig.add(
            Comch.consumer(engine, Comch.connection(client), RegisteredPool.mapOf(pool), 32, 0),
            4,
            TaskKind.COMCH_CONSUMER_RECV);
    assertThat(made.start()).isEqualTo(DocaCode.IN_PROGRESS);
    rig.rig.until(() -> made.state() == ContextState.RUNNING);
    return made;
  }

  @Test
  void aDisconnectMayHaveToBeAskedForAgain() {
    Rig.SOFT_DPU.quirks("Q4");
    for (int i = 0; i < 3; i++) {
      assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.AGAIN);
    }
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.SUCCESS);
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.NOT_FOUND);
    rig.rig.until(() -> client.state() == ContextState.IDLE);
  }

  @Test
  void anIdleProducerMayKeepItsConnection() {
    Rig.SOFT_DPU.quirks("Q2");
    DocaContext producer = producer();
    assertThat(producer.stop()).isIn(DocaCode.SUCCESS, DocaCode.IN_PROGRESS);
    rig.rig.until(() -> producer.state() == ContextState.IDLE);
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.IN_USE);
    rig.rig.end(producer);
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.SUCCESS);
  }

  /** The engine sleeps for a bounded time, so it also finds events without a wake-up. */
  @Test
  void aConsumerMayBeginWithoutAWakeUp() {
    Rig.SOFT_DPU.quirks("Q1");
    DocaContext consumer = consumer(rig.pool(rig.host, 1, 64));
    assertThat(Comch.id(consumer)).isNotZero();
  }

  @Test
  void aSendThatIsRefusedTwiceIsSubmittedAgain() {
    Rig.SOFT_DPU.quirks("Q5");
    DocaContext producer = producer();
    BufferPool pool = rig.pool(rig.host, 1, 64);
    DocaContext consumer = consumer(pool);
    Buffer dst = Rig.lease(pool);
    SubmissionRing ring = engine.submissions();
    rig.rig.offer(task -> ring.offer(task, consumer.handle(), COMCH_CONSUMER_RECV, null, dst, 0));
    rig.rig.until(() -> consumer.inflight() == 1);
    assertThat(sendImmediate(producer, Comch.id(consumer)).code()).isEqualTo(DocaCode.SUCCESS);
    rig.rig.until(() -> consumer.inflight() == 0);
    dst.release();
  }

  private Answer sendImmediate(DocaContext producer, int consumer) {
    long address = rig.immediate(new byte[1]);
    SubmissionRing ring = engine.submissions();
    return rig.rig.await(
        rig.rig.offer(
            task -> ring.offerProduce(task, producer.handle(), null, address, 1, consumer)));
  }

  @Test
  void anUnknownQuirkIsRefused() {
    assertThatThrownBy(() -> Rig.SOFT_DPU.quirks("Q0"))
        .isInstanceOf(DocaException.class)
        .hasMessage("softdpu_quirks_set: DOCA_ERROR_INVALID_VALUE (6): Q0");
  }
}
