package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class WriteBackTest {
  private final List<Boolean> syncs = new ArrayList<>();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final WriteBack writeBack = WriteBack.create(syncs::add, tasks::add);

  @Test
  void aSyncStartsAfterEachStepUnlessOneStillRuns() throws IOException {
    writeBack.wrote(WriteBack.STEP_BYTES - 1);
    assertThat(tasks).isEmpty();
    writeBack.wrote(1);
    writeBack.wrote(2 * WriteBack.STEP_BYTES);
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(syncs).containsExactly(false);
    writeBack.wrote(1);
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    writeBack.finish();
    assertThat(syncs).containsExactly(false, false, true);
  }

  @Test
  void aFailureOfAnEarlySyncFailsTheFile() throws IOException {
    List<Boolean> attempts = new ArrayList<>();
    WriteBack failing =
        WriteBack.create(
            metadata -> {
              attempts.add(metadata);
              if (attempts.size() == 1) {
                throw new IOException("no space");
              }
            },
            Runnable::run);
    failing.wrote(WriteBack.STEP_BYTES);
    assertThatThrownBy(failing::finish).isInstanceOf(IOException.class).hasMessage("no space");
    assertThatThrownBy(() -> failing.wrote(WriteBack.STEP_BYTES)).hasMessage("no space");
    assertThat(attempts).containsExactly(false);
  }
}
