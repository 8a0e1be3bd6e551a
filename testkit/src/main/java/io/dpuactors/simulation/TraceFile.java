package io.dpuactors.simulation;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Writes the steps of a run to a file. A name that ends with {@code .svg} gets a sequence diagram,
 * other names get one line of text per step. {@link #close} completes the file. Thread: one.
 */
public final class TraceFile implements Consumer<TraceStep>, Closeable {
  private static final String DIAGRAM = ".svg";

  private final Path path;
  private final PrintWriter out;
  private final SequenceDiagram diagram = new SequenceDiagram();

  private TraceFile(Path path, PrintWriter out) {
    this.path = path;
    this.out = out;
  }

  /** Creates the file, or replaces it. */
  public static TraceFile create(Path path) throws IOException {
    return new TraceFile(path, new PrintWriter(Files.newBufferedWriter(path)));
  }

  private boolean isDiagram() {
    return path.toString().endsWith(DIAGRAM);
  }

  @Override
  public void accept(TraceStep step) {
    if (isDiagram()) {
      diagram.add(step);
    } else {
      out.println(step);
    }
  }

  @Override
  public void close() throws IOException {
    if (isDiagram()) {
      out.print(diagram.toSvg());
    }
    out.close();
    if (out.checkError()) {
      throw new IOException("cannot write " + path);
    }
  }
}
