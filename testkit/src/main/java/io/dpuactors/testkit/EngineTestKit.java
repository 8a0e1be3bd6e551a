package io.dpuactors.testkit;

import static java.util.Objects.requireNonNull;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.AnswerWatch;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension of JUnit 5 that starts an actor system and an engine for each test, on a fresh
 * software DPU.
 *
 * <pre>
 *   &#64;RegisterExtension static final EngineTestKit dpu = EngineTestKit.create();
 * </pre>
 *
 * <p>At the end of each test the kit stops the engine. The test fails
 *
 * <ul>
 *   <li>if an object of the engine or the software DPU is open, such as a lease;
 *   <li>if a request to the engine, to a context, or to an actor of {@link #spawn} has no answer,
 *       or two;
 *   <li>if the log has a warning or an error that {@link #expectWarning} did not announce, or lacks
 *       an announced one. The log needs Logback.
 * </ul>
 *
 * <p>A process has one software DPU, so tests with a kit and simulations run one after the other.
 * Thread: the test's.
 */
public final class EngineTestKit implements BeforeEachCallback, AfterEachCallback {
  private final TestDevice device;
  private final Config overrides;
  private @Nullable TestRun run;

  private EngineTestKit(TestDevice device, Config overrides) {
    this.device = device;
    this.overrides = overrides;
  }

  /** Creates a kit with the profile {@code full} and no faults, in real time. */
  public static EngineTestKit create() {
    return new EngineTestKit(TestDevice.DEFAULT, ConfigFactory.empty());
  }

  /** Returns a kit with another card: full, bluefield2 or bluefield3. */
  public EngineTestKit withProfile(String name) {
    return new EngineTestKit(device.withProfile(name), overrides);
  }

  /** Returns a kit whose tests begin with a fault plan, such as {@code *:again=3:nth=2}. */
  public EngineTestKit withFaults(String plan) {
    return new EngineTestKit(device.withFaults(plan), overrides);
  }

  /** Returns a kit with behaviors of real devices, such as {@code Q4}; commas separate them. */
  public EngineTestKit withQuirks(String names) {
    return new EngineTestKit(device.withQuirks(names), overrides);
  }

  /**
   * Returns a kit whose device executes tasks on the engine's thread, in an order drawn from the
   * seed, and whose clock only {@link #advance} moves. A task takes some time of this clock, and
   * the delay of a fault plan begins after that time. The clock of actors stays real.
   */
  public EngineTestKit withManualClock(long seed) {
    return new EngineTestKit(device.withManualClock(seed), overrides);
  }

  /** Returns a kit with further configuration in HOCON, such as {@code dpu.compress.window = 1}. */
  public EngineTestKit withConfig(String hocon) {
    return new EngineTestKit(device, ConfigFactory.parseString(hocon).withFallback(overrides));
  }

  /** Returns Pekko's testkit of the running test. */
  public ActorTestKit actors() {
    return run().kit();
  }

  /** Returns the engine of the running test. */
  public ActorRef<EngineProtocol.Command> engine() {
    return run().engine();
  }

  /** Returns the control of the software DPU: faults and quirks of the running test. */
  public SoftDpu device() {
    run();
    return TestDevice.CONTROL;
  }

  /** Moves the clock of a kit {@link #withManualClock}. */
  public void advance(Duration time) {
    device().advanceClock(time.toNanos());
  }

  /** Spawns an actor whose requests are watched for missing and doubled answers. */
  public <M> ActorRef<M> spawn(Behavior<M> behavior) {
    return actors().spawn(AnswerWatch.get(actors().system()).around(behavior));
  }

  /**
   * Announces a part of a warning or an error in the log, any number of times but at least once.
   */
  public void expectWarning(String part) {
    run().log().expect(part);
  }

  /** Opens a pool of the engine, on its first device. */
  public BufferPool pool(int count, int bufferBytes) {
    PoolReply reply = ask(me -> new OpenPool(PoolOptions.of(count, bufferBytes), me));
    if (reply instanceof PoolOpened opened) {
      return opened.pool();
    }
    throw new AssertionError("no pool: " + reply);
  }

  /**
   * Opens a context of any library, named after the library.
   *
   * @throws AssertionError with the cause if the start fails
   */
  public ActorRef<LocalMessage> open(TaskLibrary library, TaskOptions options) {
    ContextReply<LocalMessage> reply =
        ask(me -> new OpenLibrary(library, library.shortName(), options, me));
    if (reply instanceof ContextReply.Opened<LocalMessage> opened) {
      return opened.context();
    }
    throw new AssertionError("no context: " + reply);
  }

  /** Opens a compress context, as {@link #open}. */
  public ActorRef<CompressProtocol.Command> compress(TaskOptions options) {
    return open(TaskLibrary.COMPRESS, options).unsafeUpcast();
  }

  /** Opens a DMA context, as {@link #open}. */
  public ActorRef<DmaProtocol.Command> dma(TaskOptions options) {
    return open(TaskLibrary.DMA, options).unsafeUpcast();
  }

  /** Opens a SHA context, as {@link #open}. */
  public ActorRef<ShaProtocol.Command> sha(TaskOptions options) {
    return open(TaskLibrary.SHA, options).unsafeUpcast();
  }

  /** Opens an AES-GCM context, as {@link #open}. */
  public ActorRef<AesGcmProtocol.Command> aesGcm(TaskOptions options) {
    return open(TaskLibrary.AES_GCM, options).unsafeUpcast();
  }

  /** Opens an erasure coding context, as {@link #open}. */
  public ActorRef<ErasureCodingProtocol.Command> erasureCoding(TaskOptions options) {
    return open(TaskLibrary.ERASURE_CODING, options).unsafeUpcast();
  }

  /** Sends a message to the engine and returns the answer. */
  public <R> R ask(Function<ActorRef<R>, EngineProtocol.Command> message) {
    TestProbe<R> probe = actors().createTestProbe();
    engine().tell(message.apply(probe.getRef()));
    return probe.receiveMessage();
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    begin(test.getRequiredTestClass().getSimpleName());
  }

  @Override
  public void afterEach(ExtensionContext test) {
    end();
  }

  /** Begins a test. */
  void begin(String name) {
    Config config =
        overrides
            .withFallback(ConfigFactory.parseResources("application-test.conf"))
            .withFallback(
                ConfigFactory.parseResources(
                    EngineTestKit.class.getClassLoader(), "engine-testkit.conf"));
    run = TestRun.begin(name, device, config);
  }

  /**
   * Ends a test.
   *
   * @throws AssertionError with everything that the test has left behind
   */
  void end() {
    TestRun ended = run();
    run = null;
    ended.end();
  }

  private TestRun run() {
    return requireNonNull(run, "an EngineTestKit is usable during a test only");
  }
}
