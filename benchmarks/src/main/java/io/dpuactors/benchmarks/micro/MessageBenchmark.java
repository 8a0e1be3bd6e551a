package io.dpuactors.benchmarks.micro;

import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.benchmarks.load.Outcome;
import io.dpuactors.benchmarks.load.PingLoop;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.service.Pong;
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

/** A message over the communication channel and its answer, with both sides on one engine. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageBenchmark {
  private static final int TRIPS = 10_000;
  private static final int BYTES = 64;

  private LoadSystem system;
  private ActorRef<Object> loop;

  /** JMH calls this constructor. */
  public MessageBenchmark() {}

  /** Opens a server and a client in one process. */
  @Setup(Level.Trial)
  public void open() {
    NullDevice.load(SoftDpu.Execution.THREADS);
    system = LoadSystem.start(NullDevice.config(), 1);
    String service = "bench-" + ProcessHandle.current().pid();
    system.<ServerProtocol.Command, ServerProtocol.OpenReply>open(
        0, me -> new OpenComchServer("server", ServerOptions.of(service, Pong::serve), me));
    ActorRef<ConnectionProtocol.Command> client =
        system.<ConnectionProtocol.Command, ConnectionProtocol.OpenReply>open(
            0, me -> new OpenComchClient("client", ClientOptions.of(service), me));
    loop = system.spawn(0, PingLoop.create(client, BYTES));
  }

  /** Two messages: request and answer. */
  @Benchmark
  @OperationsPerInvocation(TRIPS)
  public Outcome pingAndPong() {
    Outcome outcome = system.ask(loop, me -> new PingLoop.Run(TRIPS, me));
    return outcome.orThrow();
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() {
    system.close();
  }
}
