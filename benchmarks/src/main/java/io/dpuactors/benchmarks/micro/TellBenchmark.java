package io.dpuactors.benchmarks.micro;

import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.benchmarks.load.Outcome;
import io.dpuactors.benchmarks.load.TellLoop;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A message and its answer, on the engine's thread, between two of them, and asked for. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TellBenchmark {
  private static final int SAME = 100_000;
  private static final int ACROSS = 10_000;

  private LoadSystem system;
  private ActorRef<TellLoop.Request> partner;
  private ActorRef<Object> same;
  private ActorRef<Object> across;

  /** JMH's. */
  public TellBenchmark() {}

  /** Two engines that never sleep. */
  @Setup(Level.Trial)
  public void open() {
    NullDevice.load();
    system = LoadSystem.start(NullDevice.config(), 2);
    partner = system.spawn(0, TellLoop.partner());
    same = system.spawn(0, TellLoop.create(partner));
    across = system.spawn(1, TellLoop.create(partner));
  }

  /** Both actors on one engine's thread. */
  @Benchmark
  @OperationsPerInvocation(SAME)
  public Outcome tellAndReplyOnEngineThread() {
    return system.ask(same, me -> new TellLoop.Run(SAME, 1, me));
  }

  /** The same with a window of them: what a task's request and reply cost at least. */
  @Benchmark
  @OperationsPerInvocation(SAME)
  public Outcome tellAndReplyOf64OnEngineThread() {
    return system.ask(same, me -> new TellLoop.Run(SAME, 64, me));
  }

  /** The actors on two engines' threads, which both spin. */
  @Benchmark
  @OperationsPerInvocation(ACROSS)
  public Outcome tellAndReplyAcrossThreads() {
    return system.ask(across, me -> new TellLoop.Run(ACROSS, 1, me));
  }

  /** Pekko's ask from a thread that is no actor's, which waits for the answer. */
  @Benchmark
  public Object askFromOutside() {
    return system.ask(partner, TellLoop.Request::new);
  }

  /** In order. */
  @TearDown(Level.Trial)
  public void close() {
    system.close();
  }
}
