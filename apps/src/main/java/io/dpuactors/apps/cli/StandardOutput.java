package io.dpuactors.apps.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Standard output that keeps the first write error. A {@code PrintWriter} drops it. */
public final class StandardOutput extends FilterOutputStream {
  private @Nullable IOException failure;

  public StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  /** Writes to this stream. */
  public StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /** Returns the first write error, or empty. A reader that closed its pipe is not an error. */
  public Optional<String> problem() {
    return isClosed() ? Optional.empty() : Optional.ofNullable(failure).map(StandardOutput::why);
  }

  /**
   * Returns the status of a program.
   *
   * @param status status of its command; it remains if the command failed
   */
  public int status(int status) {
    if (status != ExitCode.OK.status() || failure == null) {
      return status;
    }
    return (isClosed() ? ExitCode.BROKEN_PIPE : ExitCode.FAILURE).status();
  }

  private boolean isClosed() {
    return failure != null && why(failure).equals("Broken pipe");
  }

  private static String why(IOException failure) {
    return String.valueOf(failure.getMessage());
  }
}
