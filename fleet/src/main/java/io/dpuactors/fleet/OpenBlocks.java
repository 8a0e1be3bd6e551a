package io.dpuactors.fleet;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockClosed;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.BlockReply;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.FetchReply;
import io.dpuactors.fleet.FleetMessage.OfBlock;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a job that have no result. The first result of a block answers its request; later
 * results are counted and dropped. Thread: that of the job's {@link FleetContext}.
 */
final class OpenBlocks {
  /** A request without a result. */
  private static final class OpenBlock {
    final TaskRequest request;
    final Block block;
    long sentNs = System.nanoTime();
    int failures;

    OpenBlock(TaskRequest request, Block block) {
      this.request = request;
      this.block = block;
    }
  }

  /**
   * Largest number of requests; beyond it the answer is Busy. Pekko's controller has room for each
   * of them several times: see fleet.conf.
   */
  private static final int MAX_OPEN = 128;

  /** Number of nodes that may fail a block before its request fails. */
  private static final int MAX_FAILURES = 5;

  private final String job;
  private final FleetTally tally;
  private final Map<Long, OpenBlock> open = new LinkedHashMap<>();
  private long progressNs = System.nanoTime();
  private long lastId;

  OpenBlocks(String job, FleetTally tally) {
    this.job = job;
    this.tally = tally;
  }

  /**
   * Returns the block of a new request. Answers a request that is too large, and those beyond the
   * limit.
   *
   * @param client receives the messages of the block's workers
   */
  Optional<Block> open(TaskRequest request, ActorRef<OfBlock> client) {
    TaskKind kind = request.kind();
    int bytes = request.src().length();
    if (bytes < 1 || needed(kind, bytes) > FleetMessage.MAX_BLOCK_BYTES) {
      String why = "a block of %d bytes; a block of a fleet has at least 1 and at most %d";
      refuse(request, DocaCode.TOO_BIG, why.formatted(bytes, maxInputBytes(kind)));
      return Optional.empty();
    }
    if (open.size() >= MAX_OPEN) {
      request.busy(open.size());
      return Optional.empty();
    }
    if (open.isEmpty()) {
      progressNs = System.nanoTime();
    }
    Block block = new Block(job, ++lastId, kind, client);
    open.put(block.id(), new OpenBlock(request, block));
    return Optional.of(block);
  }

  private static long needed(TaskKind kind, int bytes) {
    return kind == TaskKind.COMPRESS_DEFLATE ? GzipMember.maxPayloadBytes(bytes) : bytes;
  }

  private static int maxInputBytes(TaskKind kind) {
    return kind == TaskKind.COMPRESS_DEFLATE
        ? FleetEngine.MAX_CONTENT_BYTES
        : FleetMessage.MAX_BLOCK_BYTES;
  }

  /** Returns the content of a block without a result, which belongs to its request. */
  FetchReply content(FetchBlock fetch) {
    OpenBlock block = fetch.job().equals(job) ? open.get(fetch.id()) : null;
    if (block == null) {
      return new BlockClosed(fetch.id());
    }
    block.sentNs = System.nanoTime();
    Buffer src = block.request.src();
    return new BlockContent(
        fetch.id(), ByteString.fromByteBuffer(src.bytes().duplicate().clear().limit(src.length())));
  }

  /** Answers the request of a result. */
  void done(BlockDone result) {
    OpenBlock done = take(result);
    if (done == null) {
      return;
    }
    Buffer dst = done.request.dst();
    int bytes = result.content().size();
    if (bytes > dst.capacity()) {
      String why = "the result has %d bytes, the destination %d".formatted(bytes, dst.capacity());
      refuse(done.request, DocaCode.TOO_BIG, why);
      return;
    }
    result.content().copyToBuffer(dst.bytes().clear());
    dst.length(bytes);
    tally.count(result.node(), done.request.src().length());
    done.request.completed(result.crc32(), result.checksum());
  }

  /**
   * Answers the request of a failed block. Returns the block if another node, or the same one
   * later, can compute it.
   */
  Optional<Block> failed(BlockFailed result) {
    OpenBlock failed = open.get(result.id());
    if (failed != null && isTransient(result) && ++failed.failures < MAX_FAILURES) {
      return Optional.of(again(failed));
    }
    if (take(result) != null && failed != null) {
      String about = result.about() + " (node " + result.node() + ")";
      failed.request.failed(
          DocaError.of(result.operation(), result.code(), about), Ownership.RETURNED);
    }
    return Optional.empty();
  }

  private static boolean isTransient(BlockFailed result) {
    return switch (DocaCode.of(result.code())) {
      case FULL, AGAIN, TIME_OUT, SHUTDOWN -> true;
      default -> false;
    };
  }

  /** Returns the block of its first result; null for a later result, which is counted. */
  private @Nullable OpenBlock take(BlockReply result) {
    OpenBlock block = result.job().equals(job) ? open.remove(result.id()) : null;
    if (block == null) {
      tally.countDropped();
    } else {
      progressNs = System.nanoTime();
    }
    return block;
  }

  private Block again(OpenBlock block) {
    block.sentNs = System.nanoTime();
    tally.countRepeated();
    return block.block;
  }

  /** Returns the blocks without a result for a time, which are then sent again. */
  List<Block> overdue(Duration redoAfter) {
    long now = System.nanoTime();
    return open.values().stream()
        .filter(block -> now - block.sentNs > redoAfter.toNanos())
        .map(this::again)
        .toList();
  }

  /** Returns whether there are blocks, and no result has come for a time. */
  boolean isStalled(Duration limit) {
    return !open.isEmpty() && idleLongerThan(limit);
  }

  /** Returns whether no result has come for a time. */
  boolean idleLongerThan(Duration limit) {
    return System.nanoTime() - progressNs > limit.toNanos();
  }

  /** Fails all requests. */
  void failAll(DocaCode code, String why) {
    List<OpenBlock> all = List.copyOf(open.values());
    open.clear();
    all.forEach(one -> refuse(one.request, code, why));
  }

  static void refuse(TaskRequest request, DocaCode code, String why) {
    request.failed(FleetEngine.error(code, why), Ownership.RETURNED);
  }
}
