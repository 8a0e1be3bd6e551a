package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the tasks, the thread and the end of the event loop. */
@ExtendWith(CleanLog.class)
class EngineLoopTest {
  private final LoopRig rig = new LoopRig();
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void runsTasksInOrderAndABoundedNumberBetweenTwoTurnsOfTheDevice() {
    EngineLoop loop = rig.attached(IdleMode.BUSY, 4);
    for (int i = 0; i < 10; i++) {
      int number = i;
      loop.execute(() -> ran.add(number));
    }
    loop.step();
    assertThat(ran).containsExactly(0, 1, 2, 3);
    loop.step();
    loop.step();
    assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(rig.device.turns).isEqualTo(3 + 1);
  }

  @Test
  void oneTurnOfTheDevicePerStep() {
    EngineLoop loop = rig.attached(IdleMode.BUSY, 64);
    int before = rig.device.turns;
    for (int i = 0; i < 100; i++) {
      loop.step();
    }
    assertThat(rig.device.turns - before).isEqualTo(100);
  }

  @Test
  @ExpectedLog("blocking or long work on the engine's thread")
  void aTurnThatTakesTooLongIsCountedAndLogged() {
    EngineLoop loop = rig.attached(IdleMode.BUSY, 64);
    loop.execute(() -> rig.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(150)));
    loop.step();
    assertThat(loop.counters().stalls).isEqualTo(1);
    assertThat(loop.counters().longestTurnNs).isEqualTo(TimeUnit.MILLISECONDS.toNanos(150));
  }

  @Test
  @ExpectedLog("a task failed outside of any actor")
  void aTaskThatThrowsDoesNotEndTheLoop() {
    EngineLoop loop = rig.manual(IdleMode.BUSY, 64);
    loop.execute(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(ran).containsExactly(1);
  }

  /** Scala's ControlThrowable is neither RuntimeException nor Error. */
  @Test
  @ExpectedLog("a task failed outside of any actor")
  void aTaskThatThrowsAnyThrowableDoesNotEndTheLoop() {
    EngineLoop loop = rig.manual(IdleMode.BUSY, 64);
    loop.execute(() -> EngineLoopTest.<RuntimeException>sneak(new Throwable("on purpose")));
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(ran).containsExactly(1);
  }

  @SuppressWarnings("unchecked") // Throws a checked exception undeclared, as other languages do.
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  @ExpectedLog("a task failed outside of any actor")
  void aLoopRunsAlthoughNoThreadCanWatchIt() throws Exception {
    EngineLoop loop =
        new EngineLoop("loop-under-test", LoopRig.settings(IdleMode.EVENT, 64), System::nanoTime) {
          @Override
          void watch(long stallNs) {
            throw new OutOfMemoryError("unable to create native thread");
          }
        };
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(() -> loop.execute(done::countDown));
    new Thread(loop::run, "loop-under-test").start();
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    loop.shutdown();
    assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void onlyItsOwnThreadMayStepAndTheMessageNamesBoth() throws Exception {
    EngineLoop loop = rig.manual(IdleMode.BUSY, 64);
    Thread owner = new Thread(loop::step, "the-owner");
    owner.start();
    LoopRig.join(owner);
    assertThatThrownBy(loop::step)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the-owner")
        .hasMessageContaining(Thread.currentThread().getName());
  }

  @Test
  void drivesOneDeviceAtATime() {
    EngineLoop loop = rig.attached(IdleMode.BUSY, 64);
    assertThatThrownBy(() -> loop.attach(rig.new FakeDevice(), cause -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("one engine per dispatcher");
    loop.detach();
    loop.attach(rig.new FakeDevice(), cause -> {});
  }

  @Test
  void currentIsKnownOnItsThreadOnly() throws Exception {
    EngineLoop loop = EngineLoop.start("loop-under-test", LoopRig.settings(IdleMode.EVENT, 64));
    AtomicInteger same = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(
        () -> {
          same.set(EngineLoop.current() == loop ? 1 : -1);
          done.countDown();
        });
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(same.get()).isEqualTo(1);
    loop.shutdown();
    assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(EngineLoop::current).hasMessageContaining("Engine.spawn");
  }

  @Test
  void finishesWhatItWasGivenBeforeItEnds() throws Exception {
    EngineLoop loop = EngineLoop.start("loop-under-test", LoopRig.settings(IdleMode.EVENT, 1));
    AtomicInteger count = new AtomicInteger();
    for (int i = 0; i < 1000; i++) {
      loop.execute(count::incrementAndGet);
    }
    loop.shutdown();
    assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(count.get()).isEqualTo(1000);
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }
}
