package io.dpuactors.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.benchmarks.soak.Ledger.Count;
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
import org.junit.jupiter.params.provider.CsvSource;

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

  private static RoundContexts open(SoakSystem system, Ledger ledger) {
    List<ActorRef<EngineProtocol.Command>> engines =
        List.of(system.spawn("one"), system.spawn("two"));
    return RoundContexts.open(system, ledger, engines, RoundPlace.of(1), 16);
  }

  private static void end(SoakSystem system, Senders senders, RoundContexts round) {
    senders.sendTo(null);
    round
        .engines()
        .forEach(engine -> system.<EngineProtocol.Command, Stopped>ask(engine, Stop::new));
  }

  private static void assertRight(Ledger ledger) {
    await("all answers", () -> ledger.open() == 0);
    assertThat(ledger.violations()).isZero();
    assertThat(ledger.problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "COMCH, comch-server",
    "COMCH, comch-client",
    "AES_GCM, aes-gcm",
    "SHA_SESSION, sha-session",
    "SYNC_EVENT, sync-event",
    "RDMA, rdma-server",
    "RDMA, rdma-listener",
    "RDMA, rdma-clients",
    "RDMA, rdma-client-0"
  })
  void requestsAreSentAfterTheEndOfAContext(Kind kind, String stopped) {
    Ledger ledger = new Ledger();
    Count count = ledger.of(kind);
    try (SoakSystem system = SoakSystem.start(CONFIG, ledger);
        Senders senders = new Senders(ledger, new SplittableRandom(1))) {
      RoundContexts round = open(system, ledger);
      senders.sendTo(round);
      await("requests", () -> count.completed.get() > REQUESTS);
      round.contexts().stream()
          .filter(one -> one.name().equals(stopped))
          .forEach(SoakContext::stop);
      await("the context to be open again", () -> round.reopened() > 0);
      long before = count.completed.get();
      await("requests after the end", () -> count.completed.get() > before + REQUESTS);
      end(system, senders, round);
      assertRight(ledger);
    }
  }

  /** One kind with many open requests does not stop the others. */
  @Test
  void allKindsAreSent() {
    Ledger ledger = new Ledger();
    try (SoakSystem system = SoakSystem.start(CONFIG, ledger);
        Senders senders = new Senders(ledger, new SplittableRandom(2))) {
      RoundContexts round = open(system, ledger);
      senders.sendTo(round);
      for (Kind kind : Kind.values()) {
        await(kind.key(), () -> ledger.of(kind).completed.get() > REQUESTS);
      }
      end(system, senders, round);
      assertRight(ledger);
    }
  }
}
