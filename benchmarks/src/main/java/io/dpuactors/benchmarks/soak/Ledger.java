package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Counts requests and answers. Thread: any. */
final class Ledger {
  /** The kinds of requests. */
  enum Kind {
    COMPRESS,
    DMA,
    COMCH;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Numbers of a kind's requests and answers. */
  static final class Count {
    final AtomicLong sent = new AtomicLong();
    final AtomicLong completed = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    final AtomicLong busy = new AtomicLong();
    final AtomicLong missing = new AtomicLong();
    final AtomicLong doubled = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();

    /** Returns the number of requests without an answer. */
    long open() {
      return sent.get() - completed.get() - failed.get() - busy.get() - missing.get() - wrong.get();
    }

    long violations() {
      return missing.get() + doubled.get() + wrong.get();
    }
  }

  /** A request without an answer. */
  private record Open(Kind kind, @Nullable Buffer src, @Nullable Buffer dst) {}

  private final Map<Kind, Count> counts = new TreeMap<>();
  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final AtomicLong tags = new AtomicLong();

  Ledger() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new Count());
    }
  }

  /** Returns the numbers of a kind. */
  Count of(Kind kind) {
    return Objects.requireNonNull(counts.get(kind));
  }

  /**
   * Enters a request that will be sent.
   *
   * @param src null for a message
   * @return its tag
   */
  long enter(Kind kind, @Nullable Buffer src, @Nullable Buffer dst) {
    long tag = tags.incrementAndGet();
    open.put(tag, new Open(kind, src, dst));
    of(kind).sent.incrementAndGet();
    return tag;
  }

  /** Returns the number of requests without an answer. */
  int open() {
    return open.size();
  }

  /** Counts the open requests as missing, and removes them. */
  void countMissing() {
    open.values().forEach(request -> of(request.kind).missing.incrementAndGet());
    open.clear();
  }

  /** Returns the number of all missing, doubled and wrong answers. */
  long violations() {
    return counts.values().stream().mapToLong(Count::violations).sum();
  }

  /** Takes the answer to a message. */
  void answered(SendReply reply) {
    Open request = open.remove(reply.tag());
    if (request == null) {
      of(Kind.COMCH).doubled.incrementAndGet();
    } else if (reply instanceof Sent) {
      of(Kind.COMCH).completed.incrementAndGet();
    } else if (reply instanceof Busy) {
      of(Kind.COMCH).busy.incrementAndGet();
    } else {
      of(Kind.COMCH).failed.incrementAndGet();
    }
  }

  /** Takes the answer to a task, checks its result, and releases its buffers. */
  void answered(Kind kind, TaskReply reply) {
    if (reply instanceof Completed done) {
      take(kind, reply, done.src(), done.dst(), of(kind).completed, true);
    } else if (reply instanceof Busy) {
      take(kind, reply, reply.src(), reply.dst(), of(kind).busy, true);
    } else if (reply instanceof Failed failed) {
      boolean isReturned = failed.ownership() == Ownership.RETURNED;
      take(kind, reply, failed.src(), failed.dst(), of(kind).failed, isReturned);
    }
  }

  private void take(
      Kind kind, TaskReply reply, Buffer src, Buffer dst, AtomicLong outcome, boolean isReturned) {
    Open request = open.remove(reply.tag());
    if (request == null) {
      of(kind).doubled.incrementAndGet();
      return;
    }
    boolean isRight =
        request.kind == kind
            && request.src == src
            && request.dst == dst
            && (!(reply instanceof Completed done) || isRight(kind, done));
    (isRight ? outcome : of(kind).wrong).incrementAndGet();
    if (isReturned) {
      release(of(kind), src, dst);
    }
  }

  private static boolean isRight(Kind kind, Completed done) {
    if (kind == Kind.COMPRESS) {
      CRC32 crc = new CRC32();
      crc.update(done.src().bytes().duplicate().position(0).limit(done.src().length()));
      return done.dst().length() > 0 && done.crc32() == (int) crc.getValue();
    }
    return content(done.src()).equals(content(done.dst()));
  }

  private static ByteBuffer content(Buffer buffer) {
    return buffer.bytes().duplicate().position(0).limit(buffer.length());
  }

  private static void release(Count count, Buffer src, Buffer dst) {
    try {
      src.release();
      dst.release();
    } catch (IllegalStateException e) {
      count.wrong.incrementAndGet();
    }
  }
}
