package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process that exports memory, as seen by the test that has started it. */
public final class ExporterProcess implements AutoCloseable {
  private static final long LIMIT_S = 45;

  private final Process process;
  private final Writer orders;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private ExporterProcess(Process process) {
    this.process = process;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "answers of the exporter");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a process with the environment of this process. */
  public static ExporterProcess start() throws IOException {
    return new ExporterProcess(
        SecondJvm.of(List.of("-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch"), Exporter.class).start());
  }

  /** Returns the initial value of byte i of exported memory. */
  public static byte content(long i) {
    return (byte) (i * 31 ^ i >> 8);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(answers::add);
    } catch (IOException | UncheckedIOException e) {
      answers.add("its output ended: " + e); // the process was killed
    }
  }

  private String tell(String order) {
    try {
      orders.write(order + "\n");
      orders.flush();
      String answer = answers.poll(LIMIT_S, TimeUnit.SECONDS);
      assertThat(answer).as("the exporter's answer to " + order).isNotNull();
      return answer;
    } catch (IOException e) {
      throw new AssertionError("the exporter takes no orders", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Exports fresh memory of {@code bytes} bytes, and removes the previous export. */
  public MemoryExport export(int bytes, Set<Permission> permissions) {
    return MemoryExport.of(HexFormat.of().parseHex(tryToExport(bytes, permissions)));
  }

  /** As {@link #export}; returns the export in hexadecimal digits, or the code of the refusal. */
  public String tryToExport(int bytes, Set<Permission> permissions) {
    String names = permissions.stream().map(Permission::name).collect(Collectors.joining(" "));
    return tell("export " + bytes + " " + names);
  }

  /** Removes the export. The process keeps the memory, so that a test can read it. */
  public void unmap() {
    assertThat(tell("unmap")).isEqualTo("unmapped");
  }

  /** Returns bytes of the memory as its owner reads them. */
  public byte[] bytes(int from, int to) {
    return HexFormat.of().parseHex(tell("bytes " + from + " " + to));
  }

  /** Returns the open resources of the process. */
  public String census() {
    return tell("census");
  }

  /** Returns the number of open descriptors of the process. */
  public long descriptors() throws IOException {
    return descriptors(process.pid());
  }

  /** Returns the number of open descriptors of a process. */
  public static long descriptors(long pid) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return open.count();
    }
  }

  /**
   * Returns the resident memory of a process in KiB, without the pages of mapped files. The kernel
   * maps and reclaims these pages independently.
   */
  public static long ownKib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
        .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  /** Returns the resident memory of this process in KiB, without the pages of mapped files. */
  public long ownKib() throws IOException {
    return ownKib(process.pid());
  }

  /** Kills the process with SIGKILL and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS)).as("the exporter ends").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Ends the process, if it runs, and asserts that it has no open resource. */
  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    try {
      orders.close();
      awaitEnd();
      assertThat(process.exitValue()).isZero();
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
