package io.dpuactors.testkit;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.engine.AnswerWatch;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testkit.device.DeviceLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Props;

/** One test of an {@link EngineTestKit}: from its actor system to the checks at its end. */
final class TestRun {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

  private final WarningLog log = WarningLog.begin();
  private final ActorTestKit kit;
  private final ActorRef<EngineProtocol.Command> engine;

  private TestRun(ActorTestKit kit, Props props) {
    this.kit = kit;
    this.engine = kit.spawn(Engine.create(), "engine", props);
  }

  /** Starts the system and its engine; waits until an earlier test has ended. */
  static TestRun begin(String name, TestDevice device, Config config) {
    DeviceLock.acquire();
    ActorTestKit kit = null;
    try {
      device.begin();
      kit = ActorTestKit.create(name, ConfigFactory.load(config));
      return new TestRun(kit, Engine.props(kit.system(), "engine"));
    } catch (RuntimeException | Error e) {
      if (kit != null) {
        kit.shutdownTestKit();
      }
      DeviceLock.release();
      throw e;
    }
  }

  ActorTestKit kit() {
    return kit;
  }

  ActorRef<EngineProtocol.Command> engine() {
    return engine;
  }

  WarningLog log() {
    return log;
  }

  /**
   * Stops the engine and ends the system.
   *
   * @throws AssertionError naming everything that a clean test does not leave behind
   */
  void end() {
    List<Throwable> problems = new ArrayList<>();
    try {
      attempt(problems, TestDevice::release);
      attempt(problems, this::stopEngine);
      attempt(problems, this::checkAnswers);
      attempt(problems, kit::shutdownTestKit);
      for (String line : log.end()) {
        problems.add(new AssertionError(line));
      }
      attempt(problems, TestRun::checkDevice);
    } finally {
      DeviceLock.release();
    }
    if (!problems.isEmpty()) {
      throw failure(problems);
    }
  }

  /** A failed step must not hide what the later ones find. */
  private static void attempt(List<Throwable> problems, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | AssertionError e) {
      problems.add(e);
    }
  }

  private static AssertionError failure(List<Throwable> problems) {
    AssertionError failure =
        new AssertionError(
            problems.stream()
                .map(Throwable::getMessage)
                .collect(Collectors.joining(System.lineSeparator())));
    problems.forEach(failure::addSuppressed);
    return failure;
  }

  private static void checkDevice() {
    if (!TestDevice.open().isEmpty()) {
      throw new AssertionError("the software DPU has open objects: " + TestDevice.open());
    }
  }

  private void stopEngine() {
    TestProbe<Stopped> probe = kit.createTestProbe();
    engine.tell(new Stop(probe.getRef()));
    Stopped stopped = probe.receiveMessage(STOP_LIMIT);
    if (!stopped.clean()) {
      throw new AssertionError("the engine has open objects: " + stopped.census());
    }
  }

  /** Waits for answers of actors that still work. Contexts have answered before the engine ends. */
  private void checkAnswers() {
    List<String> problems = new ArrayList<>();
    AnswerWatch watch = AnswerWatch.get(kit.system());
    TestProbe<Object> clock = kit.createTestProbe();
    try {
      clock.awaitAssert(
          ANSWER_LIMIT,
          () -> {
            if (!watch.unanswered().isEmpty()) {
              throw new AssertionError("no answer");
            }
            return null;
          });
    } catch (AssertionError e) {
      watch.unanswered().forEach(request -> problems.add("no answer: " + request));
    }
    watch.answeredTwice().forEach(request -> problems.add("more than one answer: " + request));
    if (!problems.isEmpty()) {
      throw new AssertionError(String.join(System.lineSeparator(), problems));
    }
  }
}
