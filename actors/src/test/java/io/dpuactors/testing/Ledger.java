package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Counts requests and answers, and asserts that each request has one answer. */
public final class Ledger {
  private static final Duration BOUND = Duration.ofSeconds(10);

  /** Kinds of counted requests. */
  public enum Kind {
    SEND(SendReply.class),
    RECEIVE(ReceiveReply.class),
    AWAIT(AwaitReply.class),
    POST(ConsumerReply.class),
    PRODUCE(ProducerReply.class),
    OPEN(ContextReply.class),
    STOP(Stopped.class);

    private final Class<?> reply;

    Kind(Class<?> reply) {
      this.reply = reply;
    }
  }

  private record Barrier(CountDownLatch passed) {}

  private final Map<Kind, Integer> asked = new EnumMap<>(Kind.class);
  private final Queue<Object> replies = new ConcurrentLinkedQueue<>();
  private final ActorRef<Object> ref;
  private long nextTag;

  public Ledger(ActorTestKit kit) {
    ref =
        kit.spawn(
            Behaviors.receive(Object.class)
                .onMessage(
                    Barrier.class,
                    fence -> {
                      fence.passed.countDown();
                      return Behaviors.same();
                    })
                .onAnyMessage(
                    reply -> {
                      releaseBuffers(reply);
                      replies.add(reply);
                      return Behaviors.same();
                    })
                .build());
  }

  /** Returns the receiver of the answer to one request of this kind; one call per request. */
  public <R> ActorRef<R> asks(Kind kind) {
    asked.merge(kind, 1, Integer::sum);
    return ref.narrow();
  }

  /** Returns a unique tag for a request. */
  public long tag() {
    return nextTag++;
  }

  /** Returns the answers of a type so far. */
  public <R> List<R> answers(Class<R> type) {
    return replies.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Waits until {@code count} answers of a type have arrived. */
  public <R> List<R> await(Class<R> type, int count) {
    waitUntil(() -> answers(type).size() >= count, type.getSimpleName());
    return answers(type);
  }

  private static void waitUntil(Callable<Boolean> condition, String what) {
    Awaitility.await(what).atMost(BOUND).pollInterval(Duration.ofMillis(1)).until(condition);
  }

  /** Asserts that every request is answered within a bound, and none twice. */
  public void settle() throws InterruptedException {
    Awaitility.await("answers to all requests")
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(this::assertAnswered);
    CountDownLatch passed = new CountDownLatch(1);
    ref.tell(new Barrier(passed));
    assertThat(passed.await(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertAnswered();
    assertTagged(SendReply.class, answers(SendReply.class).stream().map(SendReply::tag).toList());
    assertTagged(
        ConsumerReply.class,
        answers(ConsumerReply.class).stream().map(ConsumerReply::tag).toList());
    assertTagged(
        ProducerReply.class,
        answers(ProducerReply.class).stream().map(ProducerReply::tag).toList());
  }

  private void assertAnswered() {
    for (Kind kind : Kind.values()) {
      assertThat(answers(kind.reply)).as("answers to " + kind).hasSize(asked.getOrDefault(kind, 0));
    }
  }

  private static void assertTagged(Class<?> type, List<Long> tags) {
    assertThat(tags).as("tags of " + type.getSimpleName()).doesNotHaveDuplicates();
  }

  /** Releases the buffers of an answer, except those that the device may still access. */
  private static void releaseBuffers(Object reply) {
    if (reply instanceof ConsumerReply consumed && !isRetained(reply)) {
      release(consumed.dst());
    } else if (reply instanceof ProducerReply produced && !isRetained(reply)) {
      release(produced.src());
    }
  }

  private static boolean isRetained(Object reply) {
    return (reply instanceof PostFailed post && post.ownership() == Ownership.RETAINED)
        || (reply instanceof ProduceFailed produce && produce.ownership() == Ownership.RETAINED);
  }

  private static void release(@Nullable Buffer buffer) {
    if (buffer != null) {
      buffer.release();
    }
  }
}
