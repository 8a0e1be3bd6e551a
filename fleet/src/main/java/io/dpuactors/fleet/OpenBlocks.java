package io.dpuactors.fleet;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockClosed;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.BlockReply;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.FetchReply;
import io.dpuactors.fleet.FleetMessage.OfBlock;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a job that have no result, and the blocks that compute them.
 *
 * <p>A request waits until a worker fetches the content of a block. The block then gets the oldest
 * waiting request of its kind, and keeps this request. Blocks that wait at a slow node therefore
 * hold no requests. The first result of a request answers it; later results are counted and
 * dropped. Thread: that of the job's {@link FleetContext}.
 */
final class OpenBlocks {
  /** A request without a result. */
  private static final class OpenRequest {
    final TaskRequest request;
    final LentBuffers buffers;

    /** Blocks that have fetched the content. */
    final List<Long> blocks = new ArrayList<>(1);

    /** Time at which the request began to wait, or its content was sent. */
    long sinceNs = System.nanoTime();

    int failures;

    /** Nodes with a failure that may be of the node. */
    final Set<String> failedNodes = new HashSet<>(1);

    OpenRequest(TaskRequest request, LentBuffers buffers) {
      this.request = request;
      this.buffers = buffers;
    }

    void fail(DocaError error) {
      buffers.end();
      request.failed(error, Ownership.RETURNED);
    }
  }

  /** Number of failures of its blocks after which a request fails. */
  private static final int MAX_FAILURES = 5;

  private final String job;
  private final ActorRef<OfBlock> client;
  private final FleetTally tally;
  private final int partBytes;
  private final Set<OpenRequest> open = new LinkedHashSet<>();
  private final Map<TaskKind, Deque<OpenRequest>> waiting = new EnumMap<>(TaskKind.class);
  private final Map<Long, TaskKind> offered = new HashMap<>();
  private final Map<Long, OpenRequest> fetched = new HashMap<>();
  private long progressNs = System.nanoTime();
  private long lastId;

  /**
   * Creates a job without requests.
   *
   * @param client receives the messages of the workers
   * @param partBytes largest part of a content
   */
  OpenBlocks(String job, ActorRef<OfBlock> client, FleetTally tally, int partBytes) {
    this.job = job;
    this.client = client;
    this.tally = tally;
    this.partBytes = partBytes;
  }

  /**
   * Adds a request. Answers an invalid request, and those beyond the limit.
   *
   * @return whether the request waits for a block
   */
  boolean open(TaskRequest request) {
    String problem = LentBuffers.problem(request);
    if (problem != null) {
      refuse(request, DocaCode.INVALID_VALUE, problem);
      return false;
    }
    if (open.size() >= FleetEngine.MAX_IN_FLIGHT) {
      request.busy(open.size());
      return false;
    }
    LentBuffers buffers = LentBuffers.of(request);
    if (buffers == null) {
      refuse(request, DocaCode.INVALID_VALUE, "a buffer is in use by another request");
      return false;
    }
    if (open.isEmpty()) {
      progressNs = System.nanoTime();
    }
    OpenRequest added = new OpenRequest(request, buffers);
    open.add(added);
    waiting(request.kind()).addLast(added);
    return true;
  }

  private Deque<OpenRequest> waiting(TaskKind kind) {
    return waiting.computeIfAbsent(kind, any -> new ArrayDeque<>());
  }

  /** Returns a new block for a worker. The block has no request yet. */
  Block offer(TaskKind kind) {
    offered.put(++lastId, kind);
    return new Block(job, lastId, kind, client);
  }

  /**
   * Returns whether a request has waited for a time, although each request has a block. Its block
   * is then at a slow or lost node.
   */
  boolean isOverlooked(TaskKind kind, Duration limit) {
    OpenRequest oldest = waiting(kind).peekFirst();
    return oldest != null && System.nanoTime() - oldest.sinceNs > limit.toNanos();
  }

  /**
   * Returns the parts of the content for a block, which belongs to the block's request. A block
   * without a request gets the oldest one that waits.
   */
  List<FetchReply> content(FetchBlock fetch) {
    OpenRequest request = fetch.job().equals(job) ? requestOf(fetch.id()) : null;
    if (request == null) {
      return List.of(new BlockClosed(fetch.id()));
    }
    LentBuffers buffers = request.buffers;
    int bytes = buffers.src().length();
    return ContentParts.split(fetch.id(), buffers.content().clear().limit(bytes), partBytes);
  }

  private @Nullable OpenRequest requestOf(long block) {
    TaskKind kind = offered.remove(block);
    OpenRequest next = kind == null ? null : waiting(kind).pollFirst();
    if (next != null) {
      next.sinceNs = System.nanoTime(); // not again, so that a node without the content is overdue
      next.blocks.add(block);
      fetched.put(block, next);
    }
    return fetched.get(block);
  }

  /** Answers the request of a result. */
  void done(BlockDone result) {
    OpenRequest done = take(result);
    if (done == null) {
      return;
    }
    Buffer dst = done.request.dst();
    int bytes = result.content().size();
    if (bytes > dst.capacity()) {
      String why = "the result has %d bytes, the destination %d".formatted(bytes, dst.capacity());
      done.fail(FleetEngine.error(DocaCode.TOO_BIG, why));
      return;
    }
    result.content().copyToBuffer(done.buffers.room().clear());
    dst.written(bytes);
    tally.count(result.node(), done.request.src().length());
    done.buffers.end();
    done.request.completed(result.crc32(), result.checksum());
  }

  /**
   * Answers the request of a failed block. If another node, or the same one later, can compute it,
   * the request waits again.
   *
   * @return the kind of a request that waits again
   */
  Optional<TaskKind> failed(BlockFailed result) {
    OpenRequest failed = result.job().equals(job) ? fetched.get(result.id()) : null;
    if (failed != null && mayRepeat(failed, result) && ++failed.failures < MAX_FAILURES) {
      fetched.remove(result.id()); // a second failure of this block does not count
      return Optional.of(again(failed));
    }
    if (take(result) != null && failed != null) {
      String about = result.about() + " (node " + result.node() + ")";
      failed.fail(DocaError.of(result.operation(), result.code(), about));
    }
    return Optional.empty();
  }

  private static boolean mayRepeat(OpenRequest request, BlockFailed result) {
    return switch (DocaCode.of(result.code())) {
      case FULL, AGAIN, TIME_OUT, SHUTDOWN, BAD_STATE, UNEXPECTED -> true;
      case INVALID_VALUE, TOO_BIG -> false; // of the request
      default -> { // of the node, of its device, or of damaged content: a second node decides
        request.failedNodes.add(result.node());
        yield request.failedNodes.size() < 2;
      }
    };
  }

  /** Returns the request of its first result; null for a later result, which is counted. */
  private @Nullable OpenRequest take(BlockReply result) {
    OpenRequest request = result.job().equals(job) ? fetched.get(result.id()) : null;
    if (request == null) {
      tally.countDropped();
    } else {
      open.remove(request);
      waiting(request.request.kind()).remove(request);
      request.blocks.forEach(fetched::remove);
      progressNs = System.nanoTime();
    }
    return request;
  }

  private TaskKind again(OpenRequest request) {
    TaskKind kind = request.request.kind();
    request.sinceNs = System.nanoTime();
    if (!waiting(kind).contains(request)) {
      waiting(kind).addFirst(request);
    }
    tally.countRepeated();
    return kind;
  }

  /**
   * Lets the requests wait again whose content was sent long ago.
   *
   * @return the kind of each of them
   */
  List<TaskKind> overdue(Duration redoAfter) {
    long now = System.nanoTime();
    return open.stream()
        .filter(request -> now - request.sinceNs > redoAfter.toNanos())
        .filter(request -> !waiting(request.request.kind()).contains(request))
        .toList()
        .stream()
        .map(this::again)
        .toList();
  }

  /** Returns whether there are requests, and no result has come for a time. */
  boolean isStalled(Duration limit) {
    return !open.isEmpty() && idleLongerThan(limit);
  }

  /** Returns whether no result has come for a time. */
  boolean idleLongerThan(Duration limit) {
    return System.nanoTime() - progressNs > limit.toNanos();
  }

  /** Fails all requests. */
  void failAll(DocaCode code, String why) {
    List<OpenRequest> all = List.copyOf(open);
    open.clear();
    waiting.clear();
    fetched.clear();
    all.forEach(one -> one.fail(FleetEngine.error(code, why)));
  }

  static void refuse(TaskRequest request, DocaCode code, String why) {
    request.failed(FleetEngine.error(code, why), Ownership.RETURNED);
  }
}
