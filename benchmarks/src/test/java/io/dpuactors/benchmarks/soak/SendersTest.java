package io.dpuactors.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.benchmarks.soak.Ledger.Count;
import io.dpuactors.benchmarks.soak.Ledger.Kind;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that requests reach contexts, also after one of them has ended. */
class SendersTest {
  private static final Config CONFIG =
      ConfigFactory.parseString(
              "dpu.library = softdpu, pekko.loglevel = ERROR, pekko.log-dead-letters = off")
          .withFallback(ConfigFactory.load());
  private static final int REQUESTS = 500;

  private static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what).atMost(Duration.ofSeconds(30)).until(condition);
  }

  /** Server (2) and client (3) are the two ends of the connection. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void messagesAreSentAfterTheEndOfAContext(int stopped) {
    Ledger ledger = new Ledger();
    Count count = ledger.of(Kind.COMCH);
    try (SoakSystem system = SoakSystem.start(CONFIG, ledger);
        Senders senders = new Senders(system, ledger, new SplittableRandom(1))) {
      List<ActorRef<EngineProtocol.Command>> engines =
          List.of(system.spawn("one"), system.spawn("two"));
      String service = "senders-" + ProcessHandle.current().pid() + "-" + stopped;
      RoundContexts contexts = new RoundContexts(system, engines, service, 16);
      senders.sendTo(contexts);
      await("messages", () -> count.completed.get() > REQUESTS);
      contexts.stop(stopped);
      await("the context to be open again", () -> contexts.reopened() > 0);
      long before = count.completed.get();
      await("messages after the end", () -> count.completed.get() > before + REQUESTS);
      assertThat(count.failed.get()).isLessThan(count.completed.get());
      senders.sendTo(null);
      engines.forEach(engine -> system.<EngineProtocol.Command, Stopped>ask(engine, Stop::new));
      await("all answers", () -> ledger.open() == 0);
      assertThat(ledger.violations()).isZero();
    }
  }

  /** One kind with many open requests does not stop the others. */
  @Test
  void allKindsAreSent() {
    Ledger ledger = new Ledger();
    try (SoakSystem system = SoakSystem.start(CONFIG, ledger);
        Senders senders = new Senders(system, ledger, new SplittableRandom(2))) {
      List<ActorRef<EngineProtocol.Command>> engines =
          List.of(system.spawn("one"), system.spawn("two"));
      String service = "kinds-" + ProcessHandle.current().pid();
      senders.sendTo(new RoundContexts(system, engines, service, 16));
      for (Kind kind : Kind.values()) {
        await(kind.key(), () -> ledger.of(kind).completed.get() > REQUESTS);
      }
      senders.sendTo(null);
      engines.forEach(engine -> system.<EngineProtocol.Command, Stopped>ask(engine, Stop::new));
      await("all answers", () -> ledger.open() == 0);
      assertThat(ledger.violations()).isZero();
    }
  }
}
