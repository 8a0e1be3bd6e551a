package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.engine.HeapTaskOptions;
import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;
import org.slf4j.LoggerFactory;
import scala.concurrent.Await;

/** Tests simulations of a user's code. */
class SimulatedProgramTest {
  @Test
  void tasksRunOnTheDevice() {
    Outcome outcome = Simulation.of(3).run(system -> deflate(system, 5)).orElseThrow();
    assertThat(outcome.problem()).isEmpty();
    assertThat(outcome.seed()).isEqualTo(3);
    assertThat(outcome.virtualNs()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSameHashAlsoAfterOtherSeeds() {
    long alone = Simulation.of(9).run(system -> deflate(system, 5)).orElseThrow().hash();
    long after = Simulation.ofSeeds(1, 9).run(system -> deflate(system, 5)).orElseThrow().hash();
    long other = Simulation.of(8).run(system -> deflate(system, 5)).orElseThrow().hash();
    assertThat(after).isEqualTo(alone);
    assertThat(other).isNotEqualTo(alone);
  }

  @Test
  void aFaultPlanHoldsFromTheStart() {
    Simulation.of(3).faults("*:fail:nth=1").run(system -> deflate(system, 0));
  }

  @Test
  void noSeedsAreNoRun() {
    assertThat(Simulation.ofSeeds(1, 0).run(system -> {})).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Simulation.ofSeeds(1, -1))
        .withMessageContaining("-1");
  }

  @Test
  void theFirstSeedThatFailsIsNamed() {
    List<Long> seeds = new ArrayList<>();
    SimulationFailedError error =
        failure(
            Simulation.ofSeeds(5, 10),
            system -> {
              seeds.add(system.seed());
              assertThat(system.seed()).as("the seed").isLessThan(7);
            });
    assertThat(error.seed()).isEqualTo(7);
    assertThat(error).hasMessageContaining("seed 7").hasMessageContaining("the seed");
    assertThat(error.getCause()).isInstanceOf(AssertionError.class);
    assertThat(seeds).containsExactly(5L, 6L, 7L);
  }

  @Test
  void aLeakedBufferFailsTheRun() {
    SimulationFailedError error =
        failure(Simulation.of(1), system -> pool(system, system.engine("one"), 1).lease());
    assertThat(error).hasMessageContaining("engine one");
  }

  @Test
  void aMissingMessageFailsTheRun() {
    SimulationFailedError error =
        failure(Simulation.of(1), system -> system.<String>probe().receive());
    assertThat(error).hasMessageContaining("no message arrives");
  }

  @Test
  void anUnexpectedWarningFailsTheRun() {
    Consumer<SimulatedSystem> body =
        system -> LoggerFactory.getLogger("test").warn("one {}", "problem");
    assertThat(failure(Simulation.of(1), body)).hasMessageContaining("one problem");
    Simulation.of(1).run(body.andThen(system -> system.expectLog("one problem")));
  }

  @Test
  void onlyFaultsExplainAFailedContext() {
    Consumer<SimulatedSystem> body =
        system -> LoggerFactory.getLogger("test").warn("the context stopped by itself");
    assertThat(failure(Simulation.of(1), body)).hasMessageContaining("stopped by itself");
    Simulation.of(1).faults("*:lost:nth=1").run(body);
  }

  @Test
  void anAssumptionAbortsTheTest() {
    assertThatExceptionOfType(TestAbortedException.class)
        .isThrownBy(() -> Simulation.of(1).run(system -> Assumptions.abort("not here")))
        .withMessageContaining("not here");
  }

  @Test
  void aBlockingWaitWithEndlessOtherWorkFailsTheRun() {
    Behavior<Integer> countdown =
        Behaviors.receive(
            (context, left) -> {
              if (left > 0) {
                context.getSelf().tell(left - 1);
              }
              return Behaviors.same();
            });
    Consumer<SimulatedSystem> body =
        system -> {
          system.spawn(countdown, "busy").tell(150_000);
          try {
            Await.result(
                Futures.<String>promise().future(),
                scala.concurrent.duration.Duration.create(1, TimeUnit.MILLISECONDS));
          } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
          }
        };
    assertThat(failure(Simulation.of(1), body)).hasMessageContaining("has no end");
  }

  @Test
  void anotherThreadFailsTheRun() {
    SimulationFailedError error =
        failure(
            Simulation.of(1),
            system -> {
              ActorRef<String> actor = system.spawn(Behaviors.<String>ignore(), "actor");
              Thread thread = new Thread(() -> actor.tell("message"), "intruder");
              thread.setUncaughtExceptionHandler((t, e) -> {});
              thread.start();
              try {
                thread.join(10_000);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              system.expectLog("intruder");
            });
    assertThat(error).hasMessageContaining("thread intruder enqueued");
  }

  @Test
  void timePassesVirtually() {
    Simulation.of(1)
        .run(
            system -> {
              SimulatedProbe<String> probe = system.probe();
              system.spawn(
                  Behaviors.<String>withTimers(
                      timers -> {
                        timers.startSingleTimer("end", Duration.ofMinutes(20));
                        return Behaviors.receiveMessage(
                            message -> {
                              probe.ref().tell(message);
                              return Behaviors.stopped();
                            });
                      }),
                  "timer");
              system.runFor(Duration.ofMinutes(19));
              assertThat(probe.size()).isZero();
              assertThat(system.now())
                  .isBetween(Duration.ofMinutes(19), Duration.ofMinutes(19).plusSeconds(1));
              system.runFor(Duration.ofMinutes(2));
              assertThat(probe.receive()).isEqualTo("end");
              system.runFor(Duration.ofHours(1));
              assertThat(system.now()).isGreaterThanOrEqualTo(Duration.ofMinutes(81));
            });
  }

  @Test
  void aPeriodicTimerEndsWithTheRun() {
    Behavior<String> ticking =
        Behaviors.withTimers(
            timers -> {
              timers.startTimerWithFixedDelay("tick", Duration.ofMinutes(1));
              return Behaviors.ignore();
            });
    Simulation.ofSeeds(1, 3)
        .run(
            system -> {
              system.engine("one");
              system.spawn(ticking, "ticking");
            });
  }

  @Test
  void aTimerWithoutAnActorFailsTheRun() {
    Consumer<SimulatedSystem> body =
        system ->
            system
                .actorSystem()
                .scheduler()
                .scheduleWithFixedDelay(
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1),
                    () -> {},
                    system.actorSystem().executionContext());
    assertThat(failure(Simulation.of(1), body)).hasMessageContaining("left timers");
  }

  /** The context is busy for longer than the deadline of the second task. */
  @Test
  void aTaskOfTheHeapIsLateInVirtualTime() {
    Simulation.of(1)
        .faults("*:delay=8s")
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              TaskOptions one = TaskOptions.defaults().withWindow(1).withQueue(0);
              CompressProtocol.OpenReply opened =
                  system.ask(engine, me -> new OpenCompress("tasks", one, me));
              HeapTasks<CompressProtocol.Command> tasks =
                  open(system, engine, ((CompressProtocol.Opened) opened).context());
              CompletableFuture<ByteString> first = run(tasks);
              CompletableFuture<ByteString> second = run(tasks);
              system.runFor(Duration.ofSeconds(4));
              assertThat(second).isNotDone();
              system.runFor(Duration.ofSeconds(2));
              assertThat(second).isCompletedExceptionally();
              assertThat(tasks.busyRetries()).isPositive();
              system.settle();
              assertThat(first).isCompletedExceptionally();
              CompletableFuture<Done> closed = tasks.close().toCompletableFuture();
              system.settle();
              assertThat(closed).isCompleted();
            });
  }

  private static HeapTasks<CompressProtocol.Command> open(
      SimulatedSystem system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<CompressProtocol.Command> context) {
    CompletableFuture<HeapTasks<CompressProtocol.Command>> tasks =
        HeapTasks.open(
                system.actorSystem(),
                engine,
                context,
                Deflate::new,
                HeapTaskOptions.of(100, 200).withDeadline(Duration.ofSeconds(5)))
            .toCompletableFuture();
    system.runFor(Duration.ofMillis(100));
    return tasks.join();
  }

  private static CompletableFuture<ByteString> run(HeapTasks<CompressProtocol.Command> tasks) {
    return tasks.run(ByteString.fromString("text")).toCompletableFuture();
  }

  /** Stages without an executor run in the world, not on the common pool. */
  @Test
  void theStageOfAnAskRunsInTheSimulation() {
    List<Thread> threads = new ArrayList<>();
    Simulation.of(1)
        .run(
            system ->
                AskPattern.<EngineProtocol.Command, Status>ask(
                        system.engine("one"),
                        EngineProtocol.GetStatus::new,
                        Duration.ofSeconds(1),
                        system.actorSystem().scheduler())
                    .thenAccept(status -> threads.add(Thread.currentThread())));
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void seedsReachDifferentOrders() {
    TreeSet<String> orders = new TreeSet<>();
    Simulation.ofSeeds(1, 20)
        .run(
            system -> {
              SimulatedProbe<String> probe = system.probe();
              for (String name : List.of("a", "b", "c")) {
                system
                    .<Integer>spawn(
                        Behaviors.receiveMessage(
                            message -> {
                              probe.ref().tell(name);
                              return Behaviors.stopped();
                            }),
                        name)
                    .tell(1);
              }
              orders.add(probe.receive() + probe.receive() + probe.receive());
            });
    assertThat(orders).hasSizeGreaterThan(3);
  }

  private static SimulationFailedError failure(
      Simulation simulation, Consumer<SimulatedSystem> body) {
    SimulationFailedError[] thrown = new SimulationFailedError[1];
    assertThatExceptionOfType(SimulationFailedError.class)
        .isThrownBy(() -> simulation.run(body))
        .satisfies(error -> thrown[0] = error);
    return thrown[0];
  }

  /** Deflates some buffers and checks the number of completed tasks. */
  private static void deflate(SimulatedSystem system, int expected) {
    ActorRef<EngineProtocol.Command> engine = system.engine("one");
    BufferPool pool = pool(system, engine, 10);
    CompressProtocol.OpenReply opened =
        system.ask(engine, me -> new OpenCompress("tasks", TaskOptions.defaults(), me));
    ActorRef<CompressProtocol.Command> tasks = ((CompressProtocol.Opened) opened).context();
    SimulatedProbe<TaskReply> replies = system.probe();
    int count = Math.max(1, expected);
    for (int i = 0; i < count; i++) {
      Buffer src = Objects.requireNonNull(pool.lease());
      src.length(100);
      Buffer dst = Objects.requireNonNull(pool.lease());
      tasks.tell(new Deflate(src, dst, i, replies.ref()));
    }
    int completed = 0;
    for (int i = 0; i < count; i++) {
      TaskReply reply = replies.receive();
      completed += reply instanceof Completed ? 1 : 0;
      reply.src().release();
      reply.dst().release();
    }
    assertThat(completed).isEqualTo(expected);
  }

  private static BufferPool pool(
      SimulatedSystem system, ActorRef<EngineProtocol.Command> engine, int buffers) {
    PoolReply reply = system.ask(engine, me -> new OpenPool(PoolOptions.of(buffers, 256), me));
    return ((PoolOpened) reply).pool();
  }
}
