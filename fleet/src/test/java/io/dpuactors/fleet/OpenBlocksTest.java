package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockClosed;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.FetchReply;
import io.dpuactors.fleet.FleetMessage.OfBlock;
import io.dpuactors.node.TaskRequests;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testkit.HeapBuffers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which request a block gets, and which result of a request counts. */
class OpenBlocksTest {
  private static final String JOB = "0123456789abcdef0123456789abcdef";
  private static final TaskKind DEFLATE = TaskKind.COMPRESS_DEFLATE;
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration LATE = Duration.ofMillis(20);

  private final TestInbox<TaskReply> replies = TestInbox.create();
  private final TestInbox<FetchReply> contents = TestInbox.create();
  private final FleetTally tally = new FleetTally();
  private final OpenBlocks open =
      new OpenBlocks(JOB, TestInbox.<OfBlock>create().getRef(), tally, 4);

  private boolean request(long tag, String text) {
    Pair pair =
        Objects.requireNonNull(HeapBuffers.pairs(BufferOptions.of(1, 64, 64)).lease(), "a pair");
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    pair.src().bytes().clear().put(bytes);
    pair.src().length(bytes.length);
    return open.open(new Deflate(pair.src(), pair.dst(), tag, replies.getRef()));
  }

  private static Pair pair() {
    Pair pair =
        Objects.requireNonNull(HeapBuffers.pairs(BufferOptions.of(1, 64, 64)).lease(), "a pair");
    pair.src().length(1);
    return pair;
  }

  /** Asserts that a request is refused with the code of a context of an engine. */
  @SuppressWarnings("NullAway") // a program may not check for null
  private void assertRefusedAsByAnEngine(@Nullable Buffer src, @Nullable Buffer dst, String why) {
    Deflate request = new Deflate(src, dst, 1, replies.getRef());
    TaskRequests local = new TaskRequests("compress");
    DocaError unusable = local.unusable(request);
    DocaError expected = unusable == null ? local.take(request) : unusable;
    assertThat(open.open(request)).isFalse();
    Failed failed = (Failed) replies.receiveMessage();
    assertThat(failed.error().about()).contains(why);
    assertThat(failed.error().code()).isEqualTo(Objects.requireNonNull(expected).code());
    assertThat(failed.ownership()).isEqualTo(TaskReply.Ownership.RETURNED);
    assertThat(replies.hasMessages()).isFalse();
  }

  @Test
  void invalidBuffersAreRefusedAsByAnEngine() {
    Pair pair = pair();
    assertRefusedAsByAnEngine(null, pair.dst(), "null");
    assertRefusedAsByAnEngine(pair.src(), null, "null");
    assertRefusedAsByAnEngine(pair.src(), pair.src(), "same buffer");
    pair.src().length(0);
    assertRefusedAsByAnEngine(pair.src(), pair.dst(), "empty");
    pair.src().length(1);
    Pair behind = pair();
    pair.dst().append(behind.dst());
    assertRefusedAsByAnEngine(pair.src(), behind.dst(), "chain");
    pair.dst().unchain();
    pair.dst().release();
    assertRefusedAsByAnEngine(pair.src(), pair.dst(), "returned to its pool");
    assertThat(pair.src().isLent()).isFalse();
  }

  @Test
  void aBufferOfAnOpenRequestIsRefusedAndLentUntilTheAnswer() {
    Pair pair = pair();
    Pair other = pair();
    assertThat(open.open(new Deflate(pair.src(), pair.dst(), 1, replies.getRef()))).isTrue();
    assertRefusedAsByAnEngine(pair.src(), other.dst(), "in use");
    assertRefusedAsByAnEngine(other.src(), pair.dst(), "in use");
    assertThat(other.src().isLent()).isFalse();
    assertThatThrownBy(pair.dst()::release).hasMessageContaining("lent to a context");
    Block block = open.offer(DEFLATE);
    fetch(block);
    done(block, "quick:1");
    assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
    assertThat(pair.dst().length()).isEqualTo("result".length());
    pair.release();
  }

  @Test
  void aSourceBeyondTheLimitIsRefused() {
    Pair pair = Objects.requireNonNull(HeapBuffers.pairs(BufferOptions.of(1, 4 << 20, 64)).lease());
    pair.src().length(4 << 20);
    assertThat(open.open(new Deflate(pair.src(), pair.dst(), 1, replies.getRef()))).isFalse();
    Failed failed = (Failed) replies.receiveMessage();
    assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.error().about()).contains("at most " + FleetEngine.MAX_CONTENT_BYTES);
    pair.release();
  }

  /** The holder ends while a node computes its block. */
  @Test
  void aLeaseThatEndsKeepsItsContentUntilTheAnswer() {
    Pair pair = pair();
    open.open(new Deflate(pair.src(), pair.dst(), 1, replies.getRef()));
    pair.src().releaseAfterTasks();
    Block block = open.offer(DEFLATE);
    assertThat(fetch(block)).isInstanceOf(BlockContent.class);
    done(block, "quick:1");
    assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
    assertThat(pair.src().isLeased()).isFalse();
  }

  private List<FetchReply> fetchParts(Block block) {
    return open.content(new FetchBlock(JOB, block.id(), contents.getRef()));
  }

  /** Returns the only part of a content, or the answer that there is none. */
  private FetchReply fetch(Block block) {
    List<FetchReply> parts = fetchParts(block);
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }

  private static BlockContent content(Block block, String text) {
    return part(block, 0, text.length(), text);
  }

  private static BlockContent part(Block block, int offset, int total, String text) {
    return new BlockContent(block.id(), offset, total, ByteString.fromString(text));
  }

  private void done(Block block, String node) {
    open.done(new BlockDone(JOB, block.id(), node, 7, 8, ByteString.fromString("result")));
  }

  private static BlockFailed failure(Block block, DocaCode code) {
    return failure(block, code, "slow:1");
  }

  private static BlockFailed failure(Block block, DocaCode code, String node) {
    return new BlockFailed(JOB, block.id(), node, code.value(), "doca_task", "compress");
  }

  @Test
  void blocksThatWaitAtASlowNodeHoldNoRequest() {
    assertThat(request(1, "one") && request(2, "two")).isTrue();
    Block slow = open.offer(DEFLATE);
    Block quick = open.offer(DEFLATE);
    assertThat(fetch(quick)).isEqualTo(content(quick, "one"));
    done(quick, "quick:1");
    Block further = open.offer(DEFLATE);
    assertThat(fetch(further)).isEqualTo(content(further, "two"));
    assertThat(fetch(further)).as("fetched again").isEqualTo(content(further, "two"));
    assertThat(fetch(slow)).isEqualTo(new BlockClosed(slow.id()));
    done(further, "quick:1");
    assertThat(replies.getAllReceived())
        .extracting(reply -> reply instanceof Completed ? reply.tag() : -1)
        .containsExactly(1L, 2L);
    assertThat(tally.shares()).containsOnlyKeys("quick:1");
    assertThat(open.isStalled(Duration.ZERO)).as("no request is left").isFalse();
  }

  @Test
  void aContentBeyondTheLimitOfAPartHasParts() {
    request(1, "onetwothree");
    Block block = open.offer(DEFLATE);
    for (int fetches = 0; fetches < 2; fetches++) {
      assertThat(fetchParts(block))
          .containsExactly(
              part(block, 0, 11, "onet"), part(block, 4, 11, "woth"), part(block, 8, 11, "ree"));
    }
  }

  @Test
  void aBlockGetsARequestOfItsKind() {
    request(1, "one");
    Block inflate = open.offer(TaskKind.DECOMPRESS_DEFLATE);
    assertThat(fetch(inflate)).isEqualTo(new BlockClosed(inflate.id()));
    Block deflate = open.offer(DEFLATE);
    FetchBlock ofOtherJob = new FetchBlock("f".repeat(32), deflate.id(), contents.getRef());
    assertThat(open.content(ofOtherJob)).containsExactly(new BlockClosed(deflate.id()));
    assertThat(fetch(deflate)).isEqualTo(content(deflate, "one"));
  }

  @Test
  void aRequestIsOverlookedUntilItsContentIsFetched() {
    assertThat(open.isOverlooked(DEFLATE, Duration.ZERO)).isFalse();
    request(1, "one");
    assertThat(open.isOverlooked(DEFLATE, Duration.ZERO)).isTrue();
    assertThat(open.isOverlooked(DEFLATE, LONG)).isFalse();
    fetch(open.offer(DEFLATE));
    assertThat(open.isOverlooked(DEFLATE, Duration.ZERO)).isFalse();
  }

  /** The content does not reach this node, although its messages reach the client. */
  @Test
  void aRepeatedFetchDoesNotPostponeTheEndOfTheWait() {
    request(1, "one");
    Block block = open.offer(DEFLATE);
    fetch(block);
    long began = System.nanoTime();
    while (System.nanoTime() - began <= LATE.toNanos()) {
      Thread.onSpinWait();
    }
    fetch(block);
    assertThat(open.overdue(LATE)).containsExactly(DEFLATE);
  }

  @Test
  void theFirstResultOfAnOverdueRequestCounts() {
    request(1, "one");
    Block lost = open.offer(DEFLATE);
    assertThat(open.overdue(Duration.ZERO)).as("no worker has it yet").isEmpty();
    fetch(lost);
    assertThat(open.overdue(LONG)).isEmpty();
    assertThat(open.overdue(Duration.ZERO)).containsExactly(DEFLATE);
    assertThat(open.overdue(Duration.ZERO)).as("it waits already").isEmpty();
    Block again = open.offer(DEFLATE);
    assertThat(fetch(again)).isEqualTo(content(again, "one"));
    done(lost, "lost:1");
    done(again, "quick:1");
    assertThat(replies.getAllReceived()).hasSize(1);
    assertThat(tally.shares()).containsOnlyKeys("lost:1");
    assertThat(tally.repeated()).isEqualTo(1);
    assertThat(tally.dropped()).isEqualTo(1);
    assertThat(fetch(again)).isEqualTo(new BlockClosed(again.id()));
  }

  @Test
  void anOverdueRequestWithAResultWaitsNoLonger() {
    request(1, "one");
    Block late = open.offer(DEFLATE);
    fetch(late);
    open.overdue(Duration.ZERO);
    done(late, "late:1");
    Block next = open.offer(DEFLATE);
    assertThat(fetch(next)).isEqualTo(new BlockClosed(next.id()));
  }

  @Test
  void aTransientFailureRepeatsARequestUpToALimit() {
    request(1, "one");
    for (int failures = 1; failures < 5; failures++) {
      Block block = open.offer(DEFLATE);
      fetch(block);
      assertThat(open.failed(failure(block, DocaCode.FULL))).contains(DEFLATE);
      assertThat(open.failed(failure(block, DocaCode.FULL))).as("a second answer").isEmpty();
    }
    assertThat(replies.hasMessages()).isFalse();
    Block last = open.offer(DEFLATE);
    fetch(last);
    assertThat(open.failed(failure(last, DocaCode.FULL))).isEmpty();
    assertThat(((Failed) replies.receiveMessage()).error().about())
        .isEqualTo("compress (node slow:1)");
  }

  @ParameterizedTest
  @EnumSource(names = {"IO_FAILED", "NO_MEMORY", "DRIVER", "NOT_SUPPORTED", "UNKNOWN"})
  void aFailureOfANodeAnswersWhenASecondNodeFails(DocaCode code) {
    request(1, "one");
    for (String node : List.of("broken:1", "broken:1")) {
      Block block = open.offer(DEFLATE);
      fetch(block);
      assertThat(open.failed(failure(block, code, node))).contains(DEFLATE);
    }
    assertThat(replies.hasMessages()).isFalse();
    Block block = open.offer(DEFLATE);
    fetch(block);
    assertThat(open.failed(failure(block, code, "other:1"))).isEmpty();
    assertThat(((Failed) replies.receiveMessage()).error().raw()).isEqualTo(code.value());
  }

  @ParameterizedTest
  @EnumSource(names = {"INVALID_VALUE", "TOO_BIG"})
  void aFailureOfTheRequestAnswersAtOnce(DocaCode code) {
    request(1, "one");
    Block block = open.offer(DEFLATE);
    fetch(block);
    assertThat(open.failed(failure(block, code))).isEmpty();
    assertThat(((Failed) replies.receiveMessage()).error().raw()).isEqualTo(code.value());
  }

  @Test
  void requestsBeyondTheLimitAreBusy() {
    for (int i = 0; i < 128; i++) {
      assertThat(request(i, "x")).isTrue();
    }
    assertThat(request(128, "x")).isFalse();
    assertThat(replies.receiveMessage()).isInstanceOf(Busy.class);
    open.failAll(DocaCode.SHUTDOWN, "the context has ended");
    assertThat(replies.getAllReceived()).hasSize(128).allMatch(Failed.class::isInstance);
    Block block = open.offer(DEFLATE);
    assertThat(fetch(block)).isEqualTo(new BlockClosed(block.id()));
  }
}
