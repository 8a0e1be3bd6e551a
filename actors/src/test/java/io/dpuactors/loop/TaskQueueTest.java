package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that every task runs or is refused, also while the loop ends. */
class TaskQueueTest {
  private static final int RACES = 500;

  private final TaskQueue queue = new TaskQueue();

  @Test
  void keepsTheOrder() {
    Runnable first = () -> {};
    Runnable second = () -> {};
    assertThat(queue.offer(first)).isTrue();
    queue.add(second);
    assertThat(queue.drain()).containsExactly(first, second);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void theEndTakesWhatIsThere() {
    Runnable task = () -> {};
    assertThat(queue.offer(task)).isTrue();
    assertThat(queue.end()).containsExactly(task);
  }

  @Test
  void refusesWhatComesAfterTheEnd() {
    queue.end();
    Runnable task = () -> {};
    assertThat(queue.offer(task)).isFalse();
    assertThat(queue.offer(task)).isFalse();
    assertThat(queue.isEmpty()).isTrue();
  }

  /**
   * After the end, each of two threads finds that its task was not run, in any order of their
   * checks.
   */
  @Test
  void refusesTheTaskThatAnotherThreadFinds() {
    queue.end();
    queue.add(() -> {}); // a task that its thread has not checked yet
    assertThat(queue.offer(() -> {})).isFalse();
  }

  @Test
  void executeAgainstShutdownLosesNoTask() throws Exception {
    EngineSettings settings = settings();
    AtomicInteger accounted = new AtomicInteger();
    for (int i = 0; i < RACES; i++) {
      EngineLoop loop = EngineLoop.start("loop-under-test", settings);
      CyclicBarrier start = new CyclicBarrier(2);
      int spins = i % 400;
      Thread sender = new Thread(() -> send(loop, start, spins, accounted));
      sender.start();
      start.await(10, TimeUnit.SECONDS);
      spin(100);
      loop.shutdown();
      sender.join(TimeUnit.SECONDS.toMillis(10));
      assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(accounted.get()).as("tasks that ran or were refused").isEqualTo(RACES);
  }

  private static void send(
      EngineLoop loop, CyclicBarrier start, int spins, AtomicInteger accounted) {
    try {
      start.await(10, TimeUnit.SECONDS);
      spin(spins);
      loop.execute(accounted::incrementAndGet);
    } catch (RejectedExecutionException e) {
      accounted.incrementAndGet();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static EngineSettings settings() {
    return EngineSettings.from(
        ConfigFactory.load(
            ConfigFactory.parseResources("application-test.conf")
                .withFallback(ConfigFactory.defaultReference())));
  }
}
