package io.dpuactors.benchmarks.soak;

import com.typesafe.config.Config;
import io.dpuactors.benchmarks.measure.Child;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Rounds of engines under load. In each round the seed draws events and their times: contexts,
 * listeners and connections are stopped or killed, tasks fail, the device is lost, a client process
 * is killed. At the end of a round the engines are stopped, or ended without a message. For one
 * thread.
 */
final class Soak {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);
  private static final Duration CENSUS_LIMIT = Duration.ofSeconds(5);

  /** Time for the start of a client process. */
  private static final Duration SERVED_LIMIT = Duration.ofSeconds(10);

  private static final int MAX_EVENTS = 6;
  private static final int MAX_PAUSE_MS = 600;

  private static final List<String> FAULTS =
      List.of(
          "compress-deflate:lost:p=0.001",
          "dma-memcpy:lost:p=0.001",
          "compress-deflate:again=5:p=0.05;compress-deflate:fail:p=0.05",
          "dma-memcpy:again=5:p=0.05;dma-memcpy:delay=5ms:p=0.01",
          "compress-deflate:delay=5ms:p=0.01;*:lost:nth=5000",
          "comch-send:again=3:p=0.05",
          "sha-hash:fail:p=0.05;sha-partial-hash:fail:p=0.05;sha-hash:lost:p=0.0005",
          "aes-gcm-encrypt:fail:p=0.01;aes-gcm-encrypt:again=5:p=0.05;alloc-key:fail:p=0.1",
          "ec-create:fail:p=0.01;ec-create:delay=5ms:p=0.01;alloc-matrix:fail:p=0.1",
          "sync-event-notify-add:again=3:p=0.05;sync-event-notify-add:fail:p=0.001",
          "rdma-write:fail:p=0.002;rdma-read:again=5:p=0.05;rdma-read:delay=2ms:p=0.01",
          "rdma-send:again=3:p=0.05;rdma-send-imm:fail:p=0.002;rdma-write-imm:delay=2ms:p=0.01",
          "rdma-atomic-fetch-add:fail:p=0.002;rdma-atomic-cmp-swp:fail:p=0.002",
          "rdma-link:drop=2:p=0.01;rdma-link:delay=1ms:p=0.05",
          "rdma-link:down:p=0.001",
          "rdma-write:lost:p=0.0005");

  private static final List<String> OPERATIONS = List.of("write", "read", "send", "atomic");

  private final long endNs;
  private final SplittableRandom random;
  private final List<String> dpu;
  private final Path logs;
  private final PrintWriter progress;
  private final SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
  private final Ledger ledger = new Ledger();
  private final Memory memory = new Memory();
  private final Map<String, Integer> events = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private int rounds;

  /**
   * Creates a soak, which begins with {@link #run}.
   *
   * @param dpu words that start {@code dpu}, without a command
   * @param logs folder for the standard error of client processes
   */
  Soak(Duration duration, long seed, List<String> dpu, Path logs, PrintWriter progress) {
    this.endNs = System.nanoTime() + duration.toNanos();
    this.random = new SplittableRandom(seed);
    this.dpu = dpu;
    this.logs = logs;
    this.progress = progress;
  }

  /** Runs rounds until the time is over. */
  SoakResult run(Config config) throws RunException, IOException, InterruptedException {
    try (SoakSystem system = SoakSystem.start(config, ledger);
        Senders senders = new Senders(ledger, random.split())) {
      while (System.nanoTime() - endNs < 0) {
        rounds++;
        round(system, senders);
        memory.sample();
        if (rounds % 10 == 0) {
          progress.println(SoakResult.line(rounds, ledger, memory));
        }
      }
    }
    violations.addAll(ledger.problems());
    if (!memory.isFlat()) {
      violations.add("memory grows: the last quarter lies above the second");
    }
    return new SoakResult(rounds, ledger, memory, events, violations);
  }

  private void round(SoakSystem system, Senders senders) throws RunException, InterruptedException {
    RoundPlace place = RoundPlace.of(rounds);
    List<ActorRef<EngineProtocol.Command>> engines =
        List.of(system.spawn("one-" + rounds), system.spawn("two-" + rounds));
    RoundContexts contexts =
        RoundContexts.open(system, ledger, engines, place, 1 << random.nextInt(7));
    senders.sendTo(contexts);
    boolean isRdma = random.nextBoolean();
    try (Child client = client(isRdma ? rdma(place) : ping(place))) {
      if (isRdma && random.nextBoolean()) {
        await(SERVED_LIMIT, () -> contexts.served() > 0);
      }
      int count = 1 + random.nextInt(MAX_EVENTS);
      for (int i = 0; i < count; i++) {
        Thread.sleep(1 + random.nextInt(MAX_PAUSE_MS));
        event(contexts, client);
      }
      contexts.keepClosed();
      events.merge("context opened again", contexts.reopened(), Integer::sum);
      events.merge("RDMA process served", contexts.served(), Integer::sum);
      end(system, contexts);
    } finally {
      senders.sendTo(null);
      device.clearFaults();
    }
    awaitAnswers();
    checkCensus();
  }

  private static List<String> ping(RoundPlace place) {
    return List.of("ping", "--name", place.service());
  }

  private List<String> rdma(RoundPlace place) {
    String operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    String port = Integer.toString(place.port());
    return List.of("rdma", "--port", port, "--operation", operation, "--size", "4K");
  }

  /** Starts a client that ends with its connection. */
  private Child client(List<String> arguments) throws RunException {
    List<String> words = new ArrayList<>(dpu);
    words.add("client");
    words.addAll(arguments);
    words.addAll(List.of("--count", "10000000"));
    return Child.start(words, Map.of(), logs.resolve("client.err"));
  }

  private void event(RoundContexts contexts, Child client) {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        count("fault plan");
        device.faults(FAULTS.get(random.nextInt(FAULTS.size())));
      }
      case 3 -> {
        count("client process killed");
        ProcessHandle.of(client.pid()).ifPresent(ProcessHandle::destroyForcibly);
      }
      case 4 -> {
        SoakContext<?> one = draw(contexts);
        count("stopped " + one.name());
        one.stop();
      }
      case 5 -> {
        SoakContext<?> one = draw(contexts);
        count("killed " + one.name());
        one.kill();
      }
      default -> count("nothing");
    }
  }

  private SoakContext<?> draw(RoundContexts contexts) {
    return contexts.contexts().get(random.nextInt(contexts.contexts().size()));
  }

  private void end(SoakSystem system, RoundContexts contexts) {
    for (ActorRef<EngineProtocol.Command> engine : contexts.engines()) {
      if (random.nextInt(3) == 0) {
        count("engine ended without Stop");
        system.end(engine);
      } else {
        count("engine stopped");
        Stopped stopped = system.ask(engine, Stop::new);
        if (!stopped.clean() || !stopped.census().equals("empty")) {
          violations.add("round " + rounds + ": " + stopped);
        }
        system.end(engine);
      }
    }
  }

  private void count(String event) {
    events.merge(event, 1, Integer::sum);
  }

  /** Waits for a condition. Returns false at the limit. */
  private static boolean await(Duration limit, BooleanSupplier condition)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs >= 0) {
        return false;
      }
      Thread.sleep(1);
    }
    return true;
  }

  private void awaitAnswers() throws InterruptedException {
    if (!await(ANSWER_LIMIT, () -> ledger.open() == 0)) {
      violations.add("round %d: %d requests without an answer".formatted(rounds, ledger.open()));
      ledger.countMissing();
    }
  }

  /** Nothing native of this process is left between two rounds. Some objects end a bit later. */
  private void checkCensus() throws InterruptedException {
    if (!await(CENSUS_LIMIT, () -> left().isEmpty())) {
      violations.add("round " + rounds + ": left in the device: " + left());
    }
  }

  private Map<String, Long> left() {
    Map<String, Long> left = new TreeMap<>(device.census());
    left.values().removeIf(count -> count == 0);
    return left;
  }
}
