package io.dpuactors.benchmarks.report;

import java.awt.AWTError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A folder of charts, each as PNG and SVG. Needs no display. The JDK draws with libraries and fonts
 * of the system. Without these libraries and fonts, a chart is missing, and the caller continues.
 */
public final class ChartFiles {
  private static final List<String> FORMATS = List.of("png", "svg");

  /** Converts a chart into the bytes of a file. */
  @FunctionalInterface
  public interface Encoder {
    /** Writes the chart in a format of {@link ChartEncoder}. */
    void encode(Chart<?, ?> chart, OutputStream out, String format) throws IOException;
  }

  private final Path folder;
  private final Encoder encoder;
  private final Map<String, String> missing = new LinkedHashMap<>();

  private ChartFiles(Path folder, Encoder encoder) {
    this.folder = folder;
    this.encoder = encoder;
  }

  /** Returns a folder, which the first chart creates. */
  public static ChartFiles in(Path folder) {
    System.setProperty("java.awt.headless", "true");
    return new ChartFiles(folder, ChartEncoder::saveChart);
  }

  /** Returns a folder whose charts another encoder draws. */
  public static ChartFiles in(Path folder, Encoder encoder) {
    return new ChartFiles(folder, encoder);
  }

  /**
   * Draws a chart and writes its files.
   *
   * @param name of the files, without the format
   * @throws IOException when a file cannot be written
   */
  public void save(String name, Supplier<? extends Chart<?, ?>> chart) throws IOException {
    Map<String, byte[]> drawn;
    try {
      drawn = draw(chart.get());
    } catch (RuntimeException | LinkageError | AWTError | InternalError e) {
      missing.put(name, e.toString());
      return;
    }
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> file : drawn.entrySet()) {
      Files.write(folder.resolve(name + "." + file.getKey()), file.getValue());
    }
  }

  private Map<String, byte[]> draw(Chart<?, ?> chart) throws IOException {
    Map<String, byte[]> drawn = new LinkedHashMap<>();
    for (String format : FORMATS) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      encoder.encode(chart, bytes, format);
      drawn.put(format, bytes.toByteArray());
    }
    return drawn;
  }

  /** Returns the names of charts that could not be drawn, with the causes. */
  public Map<String, String> missing() {
    return Collections.unmodifiableMap(missing);
  }
}
