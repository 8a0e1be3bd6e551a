package io.dpuactors.apps.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.fleet.HostPort;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** Tests the supervisor of {@code dpu fleet up} with processes that do not exist. */
class NodeSupervisorTest {
  private static final PrintWriter SILENT = new PrintWriter(Writer.nullWriter());

  /** A dead process with an output. Its reader learns the status when the test permits it. */
  private static final class DeadNode extends Process {
    private final String output;
    private final ExitCode code;
    private final CountDownLatch reported;

    DeadNode(String output, ExitCode code, CountDownLatch reported) {
      this.output = output;
      this.code = code;
      this.reported = reported;
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InputStream getErrorStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
      reported.await();
      return code.status();
    }

    @Override
    public int exitValue() {
      return code.status();
    }

    @Override
    public void destroy() {}
  }

  /** Returns the supervisor of one node. */
  private static NodeSupervisor supervisor(
      PrintWriter out, PrintWriter err, NodeSupervisor.Launcher launcher) {
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.setOut(out);
    line.setErr(err);
    return new NodeSupervisor(
        List.of(new HostPort("127.0.0.1", 1)), List.of(), Duration.ofSeconds(1), line, launcher);
  }

  @Test
  @Timeout(60)
  void aDeadNodeThatIsNotYetReportedIsStartedAgain() throws Exception {
    CountDownLatch reported = new CountDownLatch(1);
    Queue<Process> processes =
        new ConcurrentLinkedQueue<>(
            List.of(
                new DeadNode("node is up\n", ExitCode.FAILURE, reported),
                new DeadNode("node is up\n", ExitCode.OK, reported)));
    StringWriter out = new StringWriter();
    NodeSupervisor supervisor =
        supervisor(new PrintWriter(out, true), SILENT, words -> processes.remove());
    FutureTask<ExitCode> run = new FutureTask<>(supervisor::supervise);
    Thread thread = new Thread(run, "supervisor");
    thread.start();
    while (!run.isDone()
        && !(out.toString().contains("is up") && thread.getState() == Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
    reported.countDown();
    assertThat(run.get()).isEqualTo(ExitCode.OK);
    assertThat(processes).isEmpty();
  }

  @Test
  @Timeout(60)
  void aNodeThatFailsThreeTimesBeforeItIsReadyEndsTheFleet() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    StringWriter err = new StringWriter();
    NodeSupervisor supervisor =
        supervisor(
            SILENT,
            new PrintWriter(err, true),
            words -> {
              starts.incrementAndGet();
              return new DeadNode("", ExitCode.FAILURE, new CountDownLatch(0));
            });
    assertThat(supervisor.supervise()).isEqualTo(ExitCode.FAILURE);
    assertThat(starts).hasValue(3);
    assertThat(err.toString().lines())
        .containsExactly(
            "dpu: node 127.0.0.1:1 ended with status 1; starting it again",
            "dpu: node 127.0.0.1:1 ended with status 1; starting it again",
            "dpu: node 127.0.0.1:1 does not start (status 1)");
  }

  /** For each worker: the received pieces of a frame, and the frame, of up to 2 MiB each. */
  @Test
  @Timeout(60)
  void theContentsOfAJobFitIntoASurvivorSpaceOfANode() throws Exception {
    List<String> words = new ArrayList<>();
    NodeSupervisor supervisor =
        supervisor(
            SILENT,
            SILENT,
            started -> {
              words.addAll(started);
              return new DeadNode("", ExitCode.USAGE, new CountDownLatch(0));
            });
    assertThat(supervisor.supervise()).isEqualTo(ExitCode.USAGE);
    int survivorMib = option(words, "-Xmn") / (option(words, "-XX:SurvivorRatio=") + 2);
    int workers = ConfigFactory.load().getInt("dpu.fleet.node.workers");
    assertThat(survivorMib).isGreaterThanOrEqualTo(workers * 2 * 2);
  }

  /** Returns the number of an option, which may be in MiB. The last one is that of the JVM. */
  private static int option(List<String> words, String name) {
    return words.stream()
        .filter(word -> word.startsWith(name))
        .reduce((first, last) -> last)
        .map(word -> Integer.parseInt(word.substring(name.length()).replace("m", "")))
        .orElseThrow();
  }
}
