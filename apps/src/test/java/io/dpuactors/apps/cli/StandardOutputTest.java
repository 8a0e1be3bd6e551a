package io.dpuactors.apps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests output to a stream that fails. */
class StandardOutputTest {
  /** A stream that fails with an error message of the operating system. */
  private static final class Failing extends OutputStream {
    private String why;

    Failing(String why) {
      this.why = why;
    }

    @Override
    public void write(int b) throws IOException {
      String now = why;
      why = "later";
      throw new IOException(now);
    }
  }

  private static StandardOutput printedTo(OutputStream stream) {
    StandardOutput out = new StandardOutput(stream);
    PrintWriter printer = new PrintWriter(out, true, StandardCharsets.UTF_8);
    printer.println("one");
    printer.println("two");
    return out;
  }

  @Test
  void outputThatIsReadCausesNoProblem() {
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    assertThat(printedTo(taken).problem()).isEmpty();
    assertThat(taken.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
  }

  @Test
  void theFirstCauseIsKept() {
    assertThat(printedTo(new Failing("No space left on device")).problem())
        .contains("No space left on device");
  }

  @Test
  void aReaderThatClosesHasReceivedItsBytes() {
    assertThat(printedTo(new Failing("Broken pipe")).problem()).isEmpty();
  }

  @Test
  void theStatusNamesTheFailureOfTheOutputUnlessTheCommandFailed() {
    StandardOutput closed = printedTo(new Failing("Broken pipe"));
    assertThat(closed.status(0)).isEqualTo(ExitCode.BROKEN_PIPE.status());
    assertThat(closed.status(3)).isEqualTo(3);
    StandardOutput full = printedTo(new Failing("No space left on device"));
    assertThat(full.status(0)).isEqualTo(ExitCode.FAILURE.status());
    assertThat(full.status(3)).isEqualTo(3);
    assertThat(printedTo(new ByteArrayOutputStream()).status(0)).isZero();
  }
}
