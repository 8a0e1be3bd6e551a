package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.Answer.Outcome;
import io.dpuactors.bridge.Buffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts requests and answers. Thread: any. */
final class Ledger {
  /** Numbers of a kind's requests and answers. */
  static final class Count {
    final AtomicLong sent = new AtomicLong();
    final AtomicLong completed = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    final AtomicLong unknown = new AtomicLong();
    final AtomicLong busy = new AtomicLong();
    final AtomicLong missing = new AtomicLong();
    final AtomicLong doubled = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();

    /** Returns the number of requests without an answer. */
    long open() {
      return sent.get()
          - completed.get()
          - failed.get()
          - unknown.get()
          - busy.get()
          - missing.get()
          - wrong.get();
    }

    long violations() {
      return missing.get() + doubled.get() + wrong.get();
    }

    private AtomicLong of(Outcome outcome) {
      return switch (outcome) {
        case COMPLETED -> completed;
        case FAILED -> failed;
        case UNKNOWN -> unknown;
        case BUSY -> busy;
      };
    }
  }

  /** Checks the answer to a request. */
  @FunctionalInterface
  interface Check {
    /** Returns whether the data is right. The buffers are not released yet. Thread: any. */
    boolean isRight(Answer answer);
  }

  /**
   * A request without an answer.
   *
   * @param releases whether the ledger releases the buffers of the answer
   */
  private record Open(
      Kind kind, @Nullable Buffer src, @Nullable Buffer dst, boolean releases, Check check) {}

  private final Map<Kind, Count> counts = new EnumMap<>(Kind.class);
  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final AtomicLong tags = new AtomicLong();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();

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
   * Enters a request that will be sent. The ledger releases its buffers after the answer.
   *
   * @return its tag
   */
  long enter(Kind kind, @Nullable Buffer src, @Nullable Buffer dst, Check check) {
    return enter(new Open(kind, src, dst, true, check));
  }

  /** Enters a request whose sender uses the buffers again after the answer. Returns its tag. */
  long enterKept(Kind kind, Buffer src, Buffer dst, Check check) {
    return enter(new Open(kind, src, dst, false, check));
  }

  private long enter(Open request) {
    long tag = tags.incrementAndGet();
    open.put(tag, request);
    of(request.kind).sent.incrementAndGet();
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

  /** Adds a violation of a promise that no number shows. */
  void report(String problem) {
    problems.add(problem);
  }

  /** Returns the reported violations. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns the number of all missing, doubled and wrong answers. */
  long violations() {
    return counts.values().stream().mapToLong(Count::violations).sum();
  }

  /** Takes an answer, checks it, and releases its buffers. */
  void answered(Kind kind, Answer answer) {
    Open request = open.remove(answer.tag());
    Count count = of(kind);
    if (request == null) {
      count.doubled.incrementAndGet();
      return;
    }
    boolean isRight =
        request.kind == kind
            && request.src == answer.src()
            && request.dst == answer.dst()
            && request.check.isRight(answer);
    (isRight ? count.of(answer.outcome()) : count.wrong).incrementAndGet();
    if (request.releases && answer.isReturned()) {
      release(count, answer.src());
      release(count, answer.dst());
    }
  }

  private static void release(Count count, @Nullable Buffer buffer) {
    try {
      if (buffer != null) {
        buffer.release();
      }
    } catch (IllegalStateException e) {
      count.wrong.incrementAndGet();
    }
  }
}
