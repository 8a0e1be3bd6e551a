package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Batch;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the buffers of an undelivered answer return to their pool. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class UndeliveredReplyTest {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final DocaError ERROR = DocaError.of("test", DocaCode.SHUTDOWN.value(), "a test");

  private RunningSystem system;
  private BufferPool pool;
  private ActorRef<CompressProtocol.Command> compress;

  @BeforeEach
  void open() {
    system = RunningSystem.create("pekko.log-dead-letters = off");
    pool = system.pool(64, 4096);
    compress = system.opened("compress", TaskOptions.defaults());
  }

  @AfterEach
  void everyBufferIsBackAndTheEngineStops() {
    try {
      everyBufferIsBack();
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(system.stopEngine().clean()).isTrue();
    } finally {
      system.close();
    }
  }

  private void deflate(long tag, ActorRef<TaskReply> replyTo) {
    compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), tag, replyTo));
  }

  private static <T> ActorRef<T> ended(ActorTestKit kit) {
    ActorRef<T> actor = kit.spawn(Behaviors.stopped());
    kit.createTestProbe().expectTerminated(actor);
    return actor;
  }

  /**
   * Returns a receiver that takes one answer, and ends while more answers are queued or in flight.
   */
  private static Behavior<TaskReply> takingOne() {
    return Behaviors.receiveMessage(
        reply -> {
          RunningSystem.releaseBuffers(reply);
          return Behaviors.stopped();
        });
  }

  @Test
  void asksThatTimeOutLoseNoBuffers() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=1s");
    List<CompletableFuture<TaskReply>> asks = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      Buffer src = buffer(pool, (byte) i);
      Buffer dst = buffer(pool);
      asks.add(
          AskPattern.<CompressProtocol.Command, TaskReply>ask(
                  compress,
                  me -> new Deflate(src, dst, me),
                  Duration.ofMillis(20),
                  system.kit.system().scheduler())
              .toCompletableFuture());
    }
    for (CompletableFuture<TaskReply> ask : asks) {
      assertThat(ask)
          .failsWithin(BOUND)
          .withThrowableThat()
          .withCauseInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void aReceiverThatHasEndedLosesNoBuffers() {
    ActorRef<TaskReply> dead = ended(system.kit);
    for (int i = 0; i < 16; i++) {
      deflate(i, dead);
    }
  }

  @Test
  void aReceiverThatEndsWithAnswersInItsMailboxLosesNoBuffers() {
    ActorRef<TaskReply> receiver = system.kit.spawn(takingOne());
    for (int i = 0; i < 16; i++) {
      deflate(i, receiver);
    }
  }

  @Test
  void receiversOfAnotherActorSystemLoseNoBuffers() {
    ActorTestKit other = ActorTestKit.create("other");
    try {
      ActorRef<TaskReply> dead = ended(other);
      ActorRef<TaskReply> receiver = other.spawn(takingOne());
      for (int i = 0; i < 16; i++) {
        deflate(i, i % 2 == 0 ? dead : receiver);
      }
      everyBufferIsBack();
    } finally {
      other.shutdownTestKit();
    }
  }

  /** The actor system of the receiver has ended too: the engine cannot watch its dead letters. */
  @Test
  void aReceiverWhoseActorSystemHasEndedLosesNoBuffers() {
    ActorTestKit other = ActorTestKit.create("other");
    ActorRef<TaskReply> receiver = other.spawn(takingOne());
    other.shutdownTestKit();
    deflate(1, receiver);
    deflate(2, receiver);
  }

  /** The sender and the listener of dead letters both release: the first one may not be done. */
  private void everyBufferIsBack() {
    Awaitility.await().atMost(BOUND).until(() -> pool.available() == pool.capacity());
  }

  /** Pekko wraps the answer for the asker's message adapter, and for the result of its ask. */
  @Test
  void anAskerThatEndsLosesNoBuffers() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=50ms");
    Buffer src = buffer(pool, (byte) 1);
    Buffer dst = buffer(pool);
    ActorRef<Object> asker =
        system.kit.spawn(
            Behaviors.setup(
                context -> {
                  context.ask(
                      TaskReply.class,
                      compress,
                      BOUND,
                      (ActorRef<TaskReply> me) -> new Deflate(src, dst, me),
                      (reply, failure) -> reply == null ? failure : reply);
                  ActorRef<TaskReply> adapter =
                      context.messageAdapter(TaskReply.class, reply -> reply);
                  for (int i = 0; i < 8; i++) {
                    deflate(i, adapter);
                  }
                  return Behaviors.receiveMessage(message -> Behaviors.stopped());
                }));
    asker.tell("end");
    system.kit.createTestProbe().expectTerminated(asker);
  }

  @Test
  void aContextWhoseOpenerHasEndedStops() {
    system.engine.tell(new OpenCompress("lost", TaskOptions.defaults(), ended(system.kit)));
    theNameIsFreeAgain();
  }

  @Test
  void aContextThatOpensAfterTheEndOfItsAskStops() {
    BlockPoint blocked = system.blockEngine();
    CompletionStage<CompressProtocol.OpenReply> asked =
        AskPattern.ask(
            system.engine,
            me -> new OpenCompress("lost", TaskOptions.defaults(), me),
            Duration.ofMillis(20),
            system.kit.system().scheduler());
    assertThat(asked.toCompletableFuture())
        .failsWithin(BOUND)
        .withThrowableThat()
        .withCauseInstanceOf(TimeoutException.class);
    blocked.release();
    theNameIsFreeAgain();
  }

  private void theNameIsFreeAgain() {
    Awaitility.await()
        .atMost(BOUND)
        .until(() -> system.open("lost", TaskOptions.defaults()) instanceof Opened);
  }

  @Test
  void aBatchWhoseReceiverHasEndedIsClosed() {
    TaskBatch batch = TaskBatch.of(List.of(buffer(pool, (byte) 1)), List.of(buffer(pool)));
    compress.tell(new Batch(TaskKind.COMPRESS_DEFLATE, batch, 1, ended(system.kit)));
    everyBufferIsBack();
    assertThat(batch.begin()).as("a closed batch runs").isFalse();
  }

  /**
   * The answer was delivered, so that the receiver is the holder. A later end does not take the
   * lease.
   */
  @Test
  void deliveredBuffersStayWithTheReceiver() {
    TestProbe<TaskReply> probe = system.kit.createTestProbe();
    deflate(1, probe.getRef());
    TaskReply reply = probe.receiveMessage();
    deflate(2, ended(system.kit));
    Awaitility.await().atMost(BOUND).until(() -> pool.available() == pool.capacity() - 2);
    assertThat(reply.src().isLeased()).isTrue();
    RunningSystem.releaseBuffers(reply);
  }

  @Test
  void noAnswerThatCarriesBuffersLosesThem() {
    List<Function<Buffer, BufferReply>> ofBuffers =
        List.of(
            dst -> new ConsumerProtocol.Filled(1, dst, 1, new byte[0]),
            dst -> new ConsumerProtocol.PostFailed(1, ERROR, dst, Ownership.RETURNED),
            src -> new ProducerProtocol.Produced(1, src),
            src -> new ProducerProtocol.ProduceFailed(1, ERROR, src, Ownership.RETURNED),
            src -> new TaskReply.Completed(1, src, buffer(pool), 0, 0),
            src -> new TaskReply.Failed(1, ERROR, src, buffer(pool), Ownership.RETURNED),
            src -> new BatchReply.Ended(1, TaskBatch.of(List.of(src), List.of(buffer(pool)))),
            src -> new BatchReply.Ended(1, TaskBatch.ofSends(List.of(src))),
            dst -> new BatchReply.Ended(1, TaskBatch.ofReceives(List.of(dst))));
    ActorRef<Object> dead = ended(system.kit);
    ActorRef<Object> ignored = system.kit.system().ignoreRef();
    for (Function<Buffer, BufferReply> each : ofBuffers) {
      BufferReply.send(dead, each.apply(buffer(pool, (byte) 1)));
      everyBufferIsBack();
      BufferReply.send(ignored, each.apply(buffer(pool, (byte) 1)));
      everyBufferIsBack();
    }
  }

  @Test
  void noBusyLosesBuffers() {
    ActorRef<Object> dead = ended(system.kit);
    List<Function<Buffer, DeviceRequest>> requests =
        List.of(
            dst -> new ConsumerProtocol.Post(dst, 1, dead.narrow()),
            src -> new ProducerProtocol.Produce(src, 1, 1, dead.narrow()),
            src -> new Deflate(src, buffer(pool), 1, dead.narrow()),
            src ->
                new ProducerProtocol.ProduceBatch(
                    TaskBatch.ofSends(List.of(src)), 1, 1, dead.narrow()),
            dst ->
                new ConsumerProtocol.PostBatch(
                    TaskBatch.ofReceives(List.of(dst)), 1, dead.narrow()));
    for (Function<Buffer, DeviceRequest> each : requests) {
      each.apply(buffer(pool, (byte) 1)).busy(1);
      everyBufferIsBack();
    }
  }
}
