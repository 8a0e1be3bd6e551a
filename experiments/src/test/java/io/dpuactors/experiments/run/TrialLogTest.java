package io.dpuactors.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialLogTest {
  private static final Map<String, String> PARAMETERS = Map.of("kernel", "one | two", "jdk", "17");

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("trials.jsonl");
  }

  private static TrialLog.Slot slot(int number) {
    return new TrialLog.Slot(Mode.WARM, "4-in-flight", Side.PLAIN, number);
  }

  private static Sample done(double elapsedUs, double rate) {
    return new Sample(rate, elapsedUs, null, null, null);
  }

  private void write(int trials) throws IOException {
    try (TrialLog log = TrialLog.create(file, PARAMETERS, 0.25)) {
      for (int i = 1; i <= trials; i++) {
        log.add(slot(i), done(1000.5 * i, 0.1 + i));
      }
    }
  }

  private TrialLog resume(double load) throws IOException {
    TrialLog log = TrialLog.open(file);
    log.resume(load);
    return log;
  }

  @Test
  void resumeReturnsWhatWasLogged() throws IOException {
    write(2);
    Sample failed = Sample.failed("ended with status 1: \"no\tdevice\"");
    try (TrialLog log = resume(3)) {
      log.add(slot(3), failed);
    }
    try (TrialLog log = resume(0.5)) {
      assertThat(log.parameters()).isEqualTo(PARAMETERS);
      assertThat(log.loads()).containsExactly(0.25, 3.0, 0.5);
      assertThat(log.find(slot(2))).contains(done(2001, 2.1));
      assertThat(log.find(slot(3))).contains(failed);
      assertThat(log.find(slot(4))).isEmpty();
      assertThat(log.find(new TrialLog.Slot(Mode.COLD, "4-in-flight", Side.PLAIN, 1))).isEmpty();
    }
  }

  /** The kernel lists the lock that other processes see. */
  @Test
  void anOpenedLogIsLockedForOtherProcesses() throws IOException {
    write(1);
    String lock = ":" + Files.getAttribute(file, "unix:ino") + " ";
    try (TrialLog log = TrialLog.open(file)) {
      assertThat(log.loads()).hasSize(1);
      assertThat(Files.readString(Path.of("/proc/locks"))).contains(lock);
    }
    assertThat(Files.readString(Path.of("/proc/locks"))).doesNotContain(lock);
  }

  /** After a kill at any byte of the last line, only that trial runs again. */
  @Test
  void aTornLineIsDropped() throws IOException {
    write(2);
    byte[] whole = Files.readAllBytes(file);
    int lastLine = new String(whole, StandardCharsets.UTF_8).trim().lastIndexOf('\n') + 1;
    for (int cut = lastLine; cut < whole.length; cut += 7) {
      Files.write(file, Arrays.copyOf(whole, cut));
      try (TrialLog log = resume(0)) {
        assertThat(log.find(slot(1))).isPresent();
        assertThat(log.find(slot(2))).isEmpty();
        log.add(slot(2), done(5, 6));
      }
      try (TrialLog log = resume(0)) {
        assertThat(log.find(slot(2))).contains(done(5, 6));
      }
    }
  }

  @Test
  void damageInTheMiddleIsAnError() throws IOException {
    write(1);
    Files.writeString(file, "{\"type\":\"tri\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> resume(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("trials.jsonl, line 4: ");
    Files.writeString(file, "{\"type\":\"other\"}\n");
    assertThatThrownBy(() -> resume(0)).hasMessageContaining("line 1: no line of");
    Files.writeString(file, "");
    assertThatThrownBy(() -> resume(0)).hasMessageContaining("nothing of a run");
    Files.writeString(file, "{\"type\":\"run\",\"format\":2}\n");
    assertThatThrownBy(() -> resume(0)).hasMessageContaining("line 1: format 2");
  }

  @Test
  void logsAndTrialsAreNotOverwritten() throws IOException {
    write(1);
    assertThatThrownBy(() -> TrialLog.create(file, PARAMETERS, 0))
        .isInstanceOf(FileAlreadyExistsException.class);
    try (TrialLog log = resume(0)) {
      assertThatThrownBy(() -> log.add(slot(1), done(1, 1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void twoRunsDoNotShareALog() throws IOException {
    write(1);
    try (TrialLog log = resume(0)) {
      assertThat(log.loads()).hasSize(2);
      assertThatThrownBy(() -> resume(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another run is writing to it");
    }
  }
}
