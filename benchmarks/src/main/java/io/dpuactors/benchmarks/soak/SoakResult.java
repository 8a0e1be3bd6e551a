package io.dpuactors.benchmarks.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.benchmarks.report.Json;
import io.dpuactors.benchmarks.report.Table;
import io.dpuactors.benchmarks.soak.Ledger.Count;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * The result of a soak.
 *
 * @param events events of the rounds, and their numbers
 * @param violations of promises that the ledger does not count; empty if there are none
 */
record SoakResult(
    int rounds,
    Ledger ledger,
    Memory memory,
    Map<String, Integer> events,
    List<String> violations) {
  private static final String FORMAT = "%-15s %12s %12s %10s %10s %10s %8s %8s %6s%n";

  /** Returns whether every request got one answer, and no object stayed open. */
  boolean isGood() {
    return violations.isEmpty() && ledger.violations() == 0;
  }

  /** Returns a line of progress. */
  static String line(int rounds, Ledger ledger, Memory memory) {
    List<Memory.Sample> samples = memory.samples();
    Memory.Sample last = samples.get(samples.size() - 1);
    long sent = 0;
    for (Kind kind : Kind.values()) {
      sent += ledger.of(kind).sent.get();
    }
    return "round %d: %d requests, %d wrong; resident %d MiB, virtual %d MiB"
        .formatted(rounds, sent, ledger.violations(), last.residentMib(), last.virtualMib());
  }

  void print(PrintWriter out) {
    Table table =
        new Table(
            "", "sent", "completed", "failed", "unknown", "busy", "missing", "doubled", "wrong");
    for (Kind kind : Kind.values()) {
      Count c = ledger.of(kind);
      table.row(
          kind.key(),
          c.sent,
          c.completed,
          c.failed,
          c.unknown,
          c.busy,
          c.missing,
          c.doubled,
          c.wrong);
    }
    table.print(out, FORMAT);
    events.forEach((event, count) -> out.printf("%-26s %8d%n", event, count));
    out.println(line(rounds, ledger, memory));
    violations.forEach(violation -> out.println("VIOLATION " + violation));
    out.println(isGood() ? "good" : "NOT good");
  }

  String json(long seed) throws JsonProcessingException {
    ObjectNode root = Json.MAPPER.createObjectNode();
    root.put("benchmark", "soak").put("device", "software DPU");
    root.put("seed", seed).put("rounds", rounds).put("good", isGood());
    ObjectNode kinds = root.putObject("requests");
    for (Kind kind : Kind.values()) {
      Count c = ledger.of(kind);
      kinds
          .putObject(kind.key())
          .put("sent", c.sent.get())
          .put("completed", c.completed.get())
          .put("failed", c.failed.get())
          .put("unknown", c.unknown.get())
          .put("busy", c.busy.get())
          .put("missing", c.missing.get())
          .put("doubled", c.doubled.get())
          .put("wrong", c.wrong.get());
    }
    events.forEach(root.putObject("events")::put);
    ArrayNode samples = root.putArray("memory");
    memory
        .samples()
        .forEach(
            sample ->
                samples
                    .addObject()
                    .put("resident_mib", sample.residentMib())
                    .put("virtual_mib", sample.virtualMib()));
    violations.forEach(root.putArray("violations")::add);
    return Json.text(root);
  }
}
