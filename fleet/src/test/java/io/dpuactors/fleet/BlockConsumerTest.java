package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockClosed;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.OfBlock;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testkit.HeapBuffers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.testkit.typed.FishingOutcome;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController.RequestNext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how a worker takes a block, fetches its content, and sends its result. */
class BlockConsumerTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final String JOB = "0123456789abcdef0123456789abcdef";
  private static final TaskKind KIND = TaskKind.COMPRESS_DEFLATE;

  private final ActorTestKit kit =
      ActorTestKit.create(
          "worker",
          ConfigFactory.load(
              ConfigFactory.parseString(
                      """
                      dpu.fleet.node.fetch-again-after = 100ms
                      dpu.fleet.node.pause-after-failure = 300ms
                      pekko.actor.testkit.typed.single-expect-default = 20s
                      pekko { loglevel = ERROR, stdout-loglevel = OFF, actor.provider = local }
                      """)
                  .withFallback(FleetConfig.defaults())));
  private final TestProbe<OfBlock> client = kit.createTestProbe();
  private final TestProbe<CompressProtocol.Command> device = kit.createTestProbe();
  private final TestProbe<RequestNext<Block>> demand = kit.createTestProbe();
  private final TaskBuffers buffers = HeapBuffers.pairs(BufferOptions.of(1, 1024, 1024));
  private final NodeWork work =
      new NodeWork(
          "h:1",
          "library",
          "device",
          Map.of(KIND, new NodeWork.Lane(device.getRef(), buffers)),
          new ContentPermits(1),
          new NodeWork.Count());
  private final TestProbe<BlockConsumer.Command> other = kit.createTestProbe();
  private ActorRef<BlockConsumer.Command> worker = kit.spawn(Behaviors.empty());

  @BeforeEach
  void start() {
    ActorRef<WorkPullingProducerController.Command<Block>> queue =
        kit.spawn(
            WorkPullingProducerController.create(
                Block.class, "queue", Fleet.workers(JOB, KIND), Optional.empty()));
    queue.tell(new WorkPullingProducerController.Start<>(demand.getRef()));
    worker = kit.spawn(BlockConsumer.create(work, Fleet.workers(JOB, KIND)));
  }

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private void offer(long id) {
    demand.receiveMessage(LIMIT).sendNextTo().tell(new Block(JOB, id, KIND, client.getRef()));
  }

  /** Returns the next request for a content. */
  private FetchBlock fetched(long id) {
    FetchBlock fetch = client.expectMessageClass(FetchBlock.class, LIMIT);
    assertThat(fetch).isEqualTo(new FetchBlock(JOB, id, fetch.replyTo()));
    return fetch;
  }

  /** Receives the next result, and answers that the client has it. */
  private void take(long id) {
    assertThat(done().id()).isEqualTo(id);
    fetched(id).replyTo().tell(new BlockClosed(id));
  }

  /** Returns the first request for a content, which may follow repeated requests for others. */
  private FetchBlock fetchedAfterOthers(long id) {
    List<OfBlock> seen =
        client.fishForMessage(
            LIMIT,
            m ->
                m instanceof FetchBlock && m.id() == id
                    ? FishingOutcomes.complete()
                    : FishingOutcomes.continueAndIgnore());
    return (FetchBlock) seen.get(0);
  }

  /** Returns the next result. A worker may have asked for a content several times before. */
  private BlockDone done() {
    List<OfBlock> seen =
        client.fishForMessage(
            LIMIT,
            m ->
                m instanceof BlockDone
                    ? FishingOutcomes.complete()
                    : FishingOutcomes.continueAndIgnore());
    return (BlockDone) seen.get(0);
  }

  private static BlockContent content(long id, String text) {
    return part(id, 0, text.length(), text);
  }

  private static BlockContent part(long id, int offset, int total, String text) {
    return new BlockContent(id, offset, total, ByteString.fromString(text));
  }

  private static String input(Deflate task) {
    ByteBuffer bytes = task.src().bytes().clear().limit(task.src().length());
    return StandardCharsets.US_ASCII.decode(bytes).toString();
  }

  private void complete(Deflate task, String result) {
    task.dst().bytes().clear().put(result.getBytes(StandardCharsets.US_ASCII));
    task.dst().length(result.length());
    task.completed(7, 8);
  }

  @Test
  void aLostContentIsFetchedAgainAndComputedOnce() {
    offer(1);
    fetched(1);
    FetchBlock again = fetched(1);
    again.replyTo().tell(content(0, "content of an earlier block"));
    again.replyTo().tell(content(1, "content"));
    again.replyTo().tell(content(1, "a second answer"));
    Deflate task = device.expectMessageClass(Deflate.class, LIMIT);
    assertThat(input(task)).isEqualTo("content");
    complete(task, "result");
    assertThat(done())
        .isEqualTo(new BlockDone(JOB, 1, "h:1", 7, 8, ByteString.fromString("result")));
    fetched(1).replyTo().tell(new BlockClosed(1));
    offer(2);
    fetchedAfterOthers(2).replyTo().tell(content(2, "next"));
    assertThat(device.expectMessageClass(Deflate.class, LIMIT).tag())
        .as("the second answer caused no task")
        .isEqualTo(2);
  }

  /** A slow worker asks again and forgets the parts, so the client answers each request. */
  @Test
  void aContentWithALostPartIsFetchedAgainAndComputedWhole() {
    List<BlockContent> lost = List.of(part(1, 0, 9, "one"), part(1, 6, 9, "six"));
    List<BlockContent> whole =
        List.of(part(1, 0, 9, "ONE"), part(1, 3, 9, "two"), part(1, 6, 9, "six"));
    AtomicBoolean again = new AtomicBoolean();
    ActorRef<OfBlock> answering =
        kit.spawn(
            Behaviors.receive(OfBlock.class)
                .onMessage(
                    FetchBlock.class,
                    fetch -> {
                      List<BlockContent> parts = again.getAndSet(true) ? whole : lost;
                      parts.forEach(part -> fetch.replyTo().tell(part));
                      return Behaviors.same();
                    })
                .build());
    demand.receiveMessage(LIMIT).sendNextTo().tell(new Block(JOB, 1, KIND, answering));
    assertThat(input(device.expectMessageClass(Deflate.class, LIMIT))).isEqualTo("ONEtwosix");
  }

  /** Another worker asks for the only permit of the node, and gets it when this one releases it. */
  @Test
  void aContentIsFetchedOnlyWithAPermit() {
    work.contents().ask(other.getRef());
    other.expectMessage(LIMIT, BlockConsumer.Permitted.INSTANCE);
    offer(1);
    Awaitility.await().atMost(LIMIT).until(() -> work.count().busy.get() == 1);
    worker.tell(BlockConsumer.Permitted.INSTANCE); // handled after the block has arrived
    client.expectNoMessage(PAUSE);
    work.contents().release(other.getRef());
    fetched(1);
    assertThat(work.contents().isHeldBy(worker)).isTrue();
  }

  @Test
  void aClientThatDoesNotAnswerLeavesItsPermitToOthers() {
    offer(1);
    fetched(1);
    work.contents().ask(other.getRef());
    other.expectMessage(LIMIT, BlockConsumer.Permitted.INSTANCE);
    work.contents().release(other.getRef());
    fetched(1).replyTo().tell(content(1, "content"));
    device.expectMessageClass(Deflate.class, LIMIT);
  }

  /** The worker asks several times meanwhile. */
  @Test
  void aResultKeepsItsPermitUntilTheClientHasIt() {
    offer(1);
    fetched(1).replyTo().tell(content(1, "content"));
    complete(device.expectMessageClass(Deflate.class, LIMIT), "result");
    assertThat(done().id()).isEqualTo(1);
    offer(2);
    work.contents().ask(other.getRef());
    other.expectNoMessage(PAUSE);
    assertThat(work.contents().isHeldBy(worker)).isTrue();
    fetched(1).replyTo().tell(new BlockClosed(1));
    other.expectMessage(LIMIT, BlockConsumer.Permitted.INSTANCE);
    work.contents().release(other.getRef());
    fetchedAfterOthers(2);
  }

  /** The client still needs the result, and therefore sends the content. */
  @Test
  void aLostResultIsComputedAgain() {
    offer(1);
    fetched(1).replyTo().tell(content(1, "content"));
    for (int i = 0; i < 2; i++) {
      complete(device.expectMessageClass(Deflate.class, LIMIT), "result");
      assertThat(done().id()).isEqualTo(1);
      fetched(1).replyTo().tell(content(1, "content"));
    }
    complete(device.expectMessageClass(Deflate.class, LIMIT), "result");
    take(1);
    offer(2);
    fetchedAfterOthers(2);
  }

  @Test
  void aFailedBlockAndAStoppedWorkerReleaseTheirPermits() {
    offer(1);
    fetched(1).replyTo().tell(content(1, "content"));
    Deflate task = device.expectMessageClass(Deflate.class, LIMIT);
    work.contents().ask(other.getRef());
    task.failed(DocaError.of("task", DocaCode.IO_FAILED.value(), "test"), Ownership.RETURNED);
    other.expectMessage(LIMIT, BlockConsumer.Permitted.INSTANCE);
    work.contents().release(other.getRef());
    offer(2);
    client.fishForMessage(LIMIT, BlockConsumerTest::isFailureOrFetch);
    fetched(2);
    work.contents().ask(other.getRef());
    kit.stop(worker);
    other.expectMessage(LIMIT, BlockConsumer.Permitted.INSTANCE);
  }

  @Test
  void aWorkerPausesAfterAFailedBlock() {
    offer(1);
    fetched(1).replyTo().tell(content(1, "content"));
    offer(2);
    long failedNs = System.nanoTime();
    device
        .expectMessageClass(Deflate.class, LIMIT)
        .failed(DocaError.of("task", DocaCode.IO_FAILED.value(), "test"), Ownership.RETURNED);
    client.fishForMessage(LIMIT, BlockConsumerTest::isFailureOrFetch);
    fetched(2);
    assertThat(System.nanoTime() - failedNs).isGreaterThan(PAUSE.toNanos());
  }

  /** A worker may have asked for the content of the first block several times. */
  private static FishingOutcome isFailureOrFetch(OfBlock message) {
    return message instanceof BlockFailed
        ? FishingOutcomes.complete()
        : FishingOutcomes.continueAndIgnore();
  }

  @Test
  void aBlockThatHasItsResultIsNotComputed() {
    offer(1);
    fetched(1).replyTo().tell(new BlockClosed(1));
    offer(2);
    fetched(2).replyTo().tell(content(2, "next"));
    assertThat(device.expectMessageClass(Deflate.class, LIMIT).tag()).isEqualTo(2);
    assertThat(work.count().busy).hasValue(1);
    assertThat(work.count().blocks.sum()).isZero();
  }

  /** The client answers a request for the content of a finished block when it has the result. */
  @Test
  void aWorkerThatDrainsTakesNoFurtherBlockAndEndsWhenTheClientHasTheResult() {
    offer(1);
    FetchBlock fetch = fetched(1);
    offer(2);
    worker.tell(BlockConsumer.Drain.INSTANCE);
    fetch.replyTo().tell(content(1, "content"));
    complete(device.expectMessageClass(Deflate.class, LIMIT), "result");
    take(1);
    client.expectTerminated(worker, LIMIT);
    kit.spawn(BlockConsumer.create(work, Fleet.workers(JOB, KIND)));
    FetchBlock next = client.expectMessageClass(FetchBlock.class, LIMIT);
    while (next.id() == 1) { // the worker may have ended before its confirmation was sent
      next.replyTo().tell(new BlockClosed(1));
      next = client.expectMessageClass(FetchBlock.class, LIMIT);
    }
    assertThat(next.id()).isEqualTo(2);
    assertThat(work.count().blocks.sum()).isEqualTo(1);
  }

  @Test
  void aWorkerThatHasTakenNoBlockEndsAtOnce() {
    worker.tell(BlockConsumer.Drain.INSTANCE);
    client.expectTerminated(worker, LIMIT);
  }
}
