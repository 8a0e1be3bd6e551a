package io.dpuactors.testkit;

import static io.dpuactors.testkit.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the scripts of contexts, without native libraries. */
class ScriptedContextTest {
  private final ActorTestKit kit =
      ActorTestKit.create(
          "scripts", ManualTime.config().withFallback(ActorTestKit.applicationTestConfig()));
  private final ScriptedContext<DmaProtocol.Command> dma = ScriptedContext.dma(kit);
  private final BufferPool pool = HeapBuffers.pool(8, 8);
  private final TestProbe<TaskReply> replies = kit.createTestProbe();

  @AfterEach
  void everyBufferIsBack() {
    kit.shutdownTestKit();
    assertThat(pool.available()).isEqualTo(8);
  }

  private void send(long tag) {
    var src = lease(pool);
    src.length(8);
    dma.ref().tell(new Copy(src, lease(pool), tag, replies.getRef()));
  }

  private <R extends TaskReply> R receive(Class<R> type, long tag) {
    R reply = replies.expectMessageClass(type);
    assertThat(reply.tag()).isEqualTo(tag);
    reply.src().release();
    reply.dst().release();
    return reply;
  }

  @Test
  void reactionsApplyInOrderAndEndWithCompletion() {
    dma.next(Reaction.fail(DocaCode.DRIVER), Reaction.complete(), Reaction.fail(DocaCode.AGAIN));
    for (long tag = 1; tag <= 4; tag++) {
      send(tag);
    }
    assertThat(receive(Failed.class, 1).error().toString())
        .isEqualTo("doca_task: DOCA_ERROR_DRIVER (21): a failure of the script");
    receive(Completed.class, 2);
    receive(Failed.class, 3);
    receive(Completed.class, 4);
  }

  @Test
  void aHeldTaskWaitsForItsPermitWhicheverIsFirst() {
    dma.proceed();
    dma.next(Reaction.hold(), Reaction.hold());
    send(1);
    receive(Completed.class, 1);
    send(2);
    send(3);
    receive(Completed.class, 3);
    replies.expectNoMessage(Duration.ZERO);
    dma.proceed();
    receive(Completed.class, 2);
  }

  @Test
  void aDelayFollowsTheTimeOfTheTest() {
    dma.next(Reaction.completeAfter(Duration.ofMinutes(1)));
    send(1);
    dma.expect(Copy.class);
    dma.next(Reaction.complete());
    send(2);
    receive(Completed.class, 2);
    ManualTime.get(kit.system()).timePasses(Duration.ofMinutes(1));
    receive(Completed.class, 1);
  }

  @Test
  void stopFailsWhatIsHeldOrDelayed() {
    dma.next(Reaction.hold(), Reaction.completeAfter(Duration.ofMinutes(1)), Reaction.expire());
    send(1);
    send(2);
    send(3);
    assertThat(replies.expectMessageClass(Failed.class).tag()).isEqualTo(3);
    dma.ref().tell(new Stop());
    assertThat(receive(Failed.class, 1).code()).isEqualTo(DocaCode.SHUTDOWN);
    assertThat(receive(Failed.class, 2).code()).isEqualTo(DocaCode.SHUTDOWN);
  }

  @Test
  void aTestReceivesWhatTheContextReceives() {
    send(1);
    assertThat(dma.expect(Copy.class).tag()).isEqualTo(1);
    dma.expectNothing();
    receive(Completed.class, 1);
    send(2);
    assertThatThrownBy(() -> dma.expect(Stop.class)).isInstanceOf(AssertionError.class);
    receive(Completed.class, 2);
  }

  @Test
  void aReactionMayBelongToOneTypeOfRequest() {
    ScriptedContext<AesGcmProtocol.Command> aes = ScriptedContext.aesGcm(kit);
    aes.next(CreateKey.class, Reaction.fail(DocaCode.NOT_SUPPORTED));
    TestProbe<AesGcmProtocol.KeyReply> keys = kit.createTestProbe();
    aes.ref().tell(new CreateKey(ByteBuffer.allocateDirect(16), keys.getRef()));
    assertThat(keys.expectMessageClass(KeyRefused.class).error().code())
        .isEqualTo(DocaCode.NOT_SUPPORTED);
    aes.ref().tell(new CreateKey(ByteBuffer.allocateDirect(16), keys.getRef()));
    keys.expectMessageClass(KeyCreated.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> aes.next(CreateKey.class, Reaction.busy()))
        .withMessageContaining("is a reaction to tasks");
  }
}
