package io.dpuactors.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads docs/api.md: a heading per module, a heading per package, and a table row per type. */
public final class ApiPage {
  private static final Pattern LINE =
      Pattern.compile("^(?:## .*`([\\w.]+)`|### `([\\w.]+)`.*|\\| `(\\w+)` \\| \\S.*\\|)$");

  private ApiPage() {}

  /** Returns the types that the page lists below a module's heading, sorted. */
  public static List<String> typesOf(String module) throws IOException {
    Path page = Path.of(System.getProperty("dpu.root", "..")).resolve("docs/api.md");
    List<String> types = new ArrayList<>();
    String currentModule = "";
    String currentPackage = "";
    for (String line : Files.readAllLines(page)) {
      Matcher part = LINE.matcher(line);
      if (!part.matches()) {
        continue;
      }
      if (part.group(1) != null) {
        currentModule = part.group(1);
      } else if (part.group(2) != null) {
        currentPackage = part.group(2);
      } else if (currentModule.equals(module)) {
        types.add(currentPackage + "." + part.group(3));
      }
    }
    return types.stream().sorted().toList();
  }
}
