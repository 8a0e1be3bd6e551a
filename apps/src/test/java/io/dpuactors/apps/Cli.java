package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Result of a command line that ran in this process. */
public record Cli(int status, String out, String err) {
  static Cli run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    CommandLine line = Dpu.commandLine(words);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    int status = line.execute(words);
    return new Cli(status, out.toString(), err.toString());
  }

  /** Checks that the program has refused the command line and has named its help. */
  void assertUsageError() {
    assertThat(status).isEqualTo(ExitCode.USAGE.status());
    assertThat(error()).startsWith("dpu: ").contains("--help");
    assertThat(out).isEmpty();
  }

  /** Returns the error message, which must be exactly one line. */
  String error() {
    if (err.lines().count() != 1) {
      throw new AssertionError("not one line on stderr: " + err);
    }
    return err.strip();
  }
}
