package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A second process of this module's tests, which prints {@code ready} and may be killed. */
public final class PeerProcess implements AutoCloseable {
  private static final long BOUND_S = 20;
  private static final String READY = "ready";

  private final Process process;
  private final BufferedReader out;

  private PeerProcess(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  /**
   * Starts a process.
   *
   * @param main its main class
   * @param environment variables added to those of this process
   */
  public static PeerProcess start(Class<?> main, Map<String, String> environment, String... args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return new PeerProcess(builder.start());
  }

  /** Prints {@code ready}; the peer process calls it when its state is reached. */
  public static void reportReady() {
    System.out.println(READY);
  }

  /** Waits until the process has printed {@code ready}. */
  public PeerProcess awaitReady() throws IOException {
    return awaitReady(Duration.ofSeconds(40)); // shorter than the limit of a test
  }

  /** Kills the process at the limit: nothing else ends a read of its output. */
  PeerProcess awaitReady(Duration limit) throws IOException {
    CompletableFuture<Boolean> isRead = new CompletableFuture<>();
    CompletableFuture<Void> watchdog =
        isRead
            .completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS)
            .thenAccept(this::killUnless);
    String line;
    try {
      do {
        line = out.readLine();
      } while (line != null && !line.equals(READY));
    } finally {
      isRead.complete(true);
      watchdog.join();
    }
    assertThat(line).as("what the peer says").isEqualTo(READY);
    return this;
  }

  private void killUnless(boolean inTime) {
    if (!inTime) {
      process.toHandle().destroyForcibly(); // unlike the process's method, leaves the stream open
    }
  }

  /** Kills the process with SIGKILL. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().orTimeout(BOUND_S, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    kill();
  }
}
