package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MessageQueue;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Tests that no message to an ending actor is lost. */
class LosslessMailboxTest {
  private static final ActorRef OWNER = ActorRef.noSender();

  private final MessageQueue queue = create();
  private final Letters letters = new Letters();

  private static MessageQueue create() {
    ActorSystem.Settings settings =
        new ActorSystem.Settings(
            LosslessMailboxTest.class.getClassLoader(), ConfigFactory.load(), "test");
    return new LosslessMailbox(settings, ConfigFactory.empty())
        .create(Option.empty(), Option.empty());
  }

  @Test
  void messagesLeaveInTheOrderOfArrival() {
    send(1);
    send(2);
    assertThat(queue.numberOfMessages()).isEqualTo(2);
    assertThat(queue.dequeue().message()).isEqualTo(1);
    assertThat(queue.hasMessages()).isTrue();
    assertThat(queue.dequeue().message()).isEqualTo(2);
    assertThat(queue.hasMessages()).isFalse();
    assertThat(queue.dequeue()).isNull();
  }

  @Test
  void messagesInTheMailboxOfAnEndedActorBecomeDeadLetters() {
    send(1);
    send(2);
    queue.cleanUp(OWNER, letters);
    assertThat(letters.received).containsExactly(1, 2);
    assertThat(queue.hasMessages()).isFalse();
  }

  @Test
  void aMessageThatArrivesAfterTheEndBecomesADeadLetter() {
    queue.cleanUp(OWNER, letters);
    send(3);
    assertThat(letters.received).containsExactly(3);
    assertThat(queue.hasMessages()).isFalse();
  }

  @RepeatedTest(20)
  void messagesOfManySendersDuringTheEndBecomeDeadLettersOnce() throws Exception {
    int count = 1000;
    CyclicBarrier start = new CyclicBarrier(3);
    Thread[] senders = new Thread[2];
    for (int i = 0; i < senders.length; i++) {
      int first = i * count;
      senders[i] =
          new Thread(
              () -> {
                awaitAll(start);
                IntStream.range(first, first + count).forEach(this::send);
              });
      senders[i].start();
    }
    awaitAll(start);
    queue.cleanUp(OWNER, letters);
    for (Thread sender : senders) {
      sender.join();
    }
    assertThat(letters.received)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 2 * count).boxed().toList());
  }

  private static void awaitAll(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void send(int message) {
    queue.enqueue(OWNER, Envelope.apply(message, ActorRef.noSender()));
  }

  /** Collects dead letters. */
  private static final class Letters implements MessageQueue {
    final Queue<Object> received = new ConcurrentLinkedQueue<>();

    @Override
    public void enqueue(ActorRef receiver, Envelope message) {
      received.add(message.message());
    }

    @Override
    public Envelope dequeue() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int numberOfMessages() {
      return received.size();
    }

    @Override
    public boolean hasMessages() {
      return !received.isEmpty();
    }

    @Override
    public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
      throw new UnsupportedOperationException();
    }
  }
}
