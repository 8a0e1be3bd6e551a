package io.dpuactors.apps.channel;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Prints rates or times of RDMA, a row per size, with perftest's columns except the peak rate. */
final class RdmaTable {
  private static final double MIB = 1 << 20;
  private static final List<String> RATES =
      List.of("#bytes", "#tasks", "BW average[MiB/sec]", "MsgRate[Mpps]");
  private static final List<String> TIMES =
      List.of(
          "#bytes",
          "#tasks",
          "t_min[usec]",
          "t_max[usec]",
          "t_typical[usec]",
          "t_avg[usec]",
          "t_stdev[usec]",
          "99%",
          "99.9%");

  private final PrintWriter out;
  private final String operation;
  private final String library;
  private final boolean isOfTimes;
  private boolean hasHead;

  RdmaTable(PrintWriter out, String operation, String library, boolean isOfTimes) {
    this.out = out;
    this.operation = operation;
    this.library = library;
    this.isOfTimes = isOfTimes;
  }

  /** Writes the members of a row. */
  void write(JsonGenerator json, Row row) throws IOException {
    json.writeStringField("device", library);
    json.writeStringField("operation", operation);
    json.writeNumberField("size", row.size);
    json.writeNumberField("count", row.tasks);
    json.writeNumberField("elapsed_us", row.elapsedNs / 1e3);
    json.writeNumberField("data_rate_gibps", row.mibPerSecond() / 1024);
    json.writeNumberField("tasks_per_second", row.tasksPerSecond());
    json.writeNumberField("min_ns", row.times.getMinValue());
    json.writeNumberField("p50_ns", row.times.getValueAtPercentile(50));
    json.writeNumberField("p99_ns", row.times.getValueAtPercentile(99));
    json.writeNumberField("p999_ns", row.times.getValueAtPercentile(99.9));
    json.writeNumberField("max_ns", row.times.getMaxValue());
    json.writeNumberField("mean_ns", row.times.getMean());
    json.writeNumberField("stdev_ns", row.times.getStdDeviation());
    json.writeBooleanField("data_error", !row.isCorrect);
  }

  /**
   * The result of one size.
   *
   * @param tasks of all connections
   * @param times of the tasks, in nanoseconds
   */
  record Row(int size, long tasks, long elapsedNs, Histogram times, boolean isCorrect) {
    double tasksPerSecond() {
      return tasks * 1e9 / elapsedNs;
    }

    double mibPerSecond() {
      return tasksPerSecond() * size / MIB;
    }
  }

  /** Prints a row, and the head before the first. */
  void print(Row row) {
    List<String> heads = isOfTimes ? TIMES : RATES;
    if (!hasHead) {
      hasHead = true;
      out.println("rdma " + operation + ", " + library);
      cells(heads, heads);
    }
    cells(heads, isOfTimes ? times(row) : rates(row));
    out.flush();
  }

  private void cells(List<String> heads, List<String> texts) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < texts.size(); i++) {
      int width = Math.max(10, heads.get(i).length() + 2);
      line.append(" ".repeat(Math.max(1, width - texts.get(i).length()))).append(texts.get(i));
    }
    out.println(line);
  }

  private static List<String> rates(Row row) {
    return List.of(
        Integer.toString(row.size),
        Long.toString(row.tasks),
        number(row.mibPerSecond()),
        String.format(Locale.ROOT, "%.6f", row.tasksPerSecond() / 1e6));
  }

  private static List<String> times(Row row) {
    Histogram times = row.times;
    return List.of(
        Integer.toString(row.size),
        Long.toString(row.tasks),
        number(times.getMinValue() / 1e3),
        number(times.getMaxValue() / 1e3),
        number(times.getValueAtPercentile(50) / 1e3),
        number(times.getMean() / 1e3),
        number(times.getStdDeviation() / 1e3),
        number(times.getValueAtPercentile(99) / 1e3),
        number(times.getValueAtPercentile(99.9) / 1e3));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
