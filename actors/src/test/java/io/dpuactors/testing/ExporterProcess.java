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

/** A process that exports memory, from the side of the test that has started it. */
public final class ExporterProcess implements AutoCloseable {
  private static final long PATIENCE_S = 45;

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

  /** Starts one, with the environment of this process. */
  public static ExporterProcess start() throws IOException {
    return new ExporterProcess(
        SecondJvm.of(List.of("-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch"), Exporter.class).start());
  }

  /** What byte i of exported memory is, until somebody writes it. */
  public static byte content(long i) {
    return (byte) (i * 31 ^ i >> 8);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(answers::add);
    } catch (IOException | UncheckedIOException e) {
      answers.add("its output ended: " + e); // it was killed
    }
  }

  private String tell(String order) {
    try {
      orders.write(order + "\n");
      orders.flush();
      String answer = answers.poll(PATIENCE_S, TimeUnit.SECONDS);
      assertThat(answer).as("the exporter's answer to " + order).isNotNull();
      return answer;
    } catch (IOException e) {
      throw new AssertionError("the exporter takes no orders", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Fresh memory of so many bytes; what was exported before is taken back. */
  public MemoryExport export(int bytes, Set<Permission> permissions) {
    return MemoryExport.of(HexFormat.of().parseHex(tryToExport(bytes, permissions)));
  }

  /** The same, as text: an export in hexadecimal digits, or the code of the refusal. */
  public String tryToExport(int bytes, Set<Permission> permissions) {
    String names = permissions.stream().map(Permission::name).collect(Collectors.joining(" "));
    return tell("export " + bytes + " " + names);
  }

  /** Takes the export back; its memory stays, to be looked at. */
  public void unmap() {
    assertThat(tell("unmap")).isEqualTo("unmapped");
  }

  /** Bytes of the memory as its owner sees them. */
  public byte[] bytes(int from, int to) {
    return HexFormat.of().parseHex(tell("bytes " + from + " " + to));
  }

  /** What the process has open. */
  public String census() {
    return tell("census");
  }

  /** How many descriptors it has. */
  public long descriptors() throws IOException {
    return descriptors(process.pid());
  }

  /** How many descriptors a process has. */
  public static long descriptors(long pid) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return open.count();
    }
  }

  /**
   * Resident memory of a process in KiB, without the pages of files that it has mapped. The kernel
   * maps and reclaims those on its own.
   */
  public static long ownKib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
        .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  /** The same of this process. */
  public long ownKib() throws IOException {
    return ownKib(process.pid());
  }

  /** Kill -9, and wait until it is gone. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).as("the exporter ends").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets it end by itself, if it lives; it must have nothing left open. */
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
